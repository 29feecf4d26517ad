/** The rows of a file as items of upserts, a batch at a time, each with the line where it begins. */
import { Result } from "effect"
import { maxItems } from "../records/Batch.ts"
import { columnsOf, type Mapping, namesOf, type Wishes, wishesOf } from "./Columns.ts"
import { delimiterOf, isProblem, notUtf8, recordsOf, tooLong } from "./CsvRecords.ts"
import { type Item, ofCells, ofJson, type Problem } from "./Items.ts"
import { type Line, linesOf, textOf } from "./Lines.ts"
import { FileRefused } from "./Source.ts"

/** How a file is read. */
export interface Reading extends Mapping {
  readonly format: "csv" | "ndjson"
  /** Between cells; told by the header unless given. */
  readonly delimiter: string | undefined
  /** Between the values of one cell. */
  readonly separator: string
}

/** One row. */
export interface Row {
  /** The line where it begins. */
  readonly line: number
  /** How many bytes of the file there are up to its end. */
  readonly until: number
  readonly item: Result.Result<Item, Problem>
}

/** Rows that are sent together: always the same ones of the same file. */
export interface Batch {
  /** From 0. */
  readonly number: number
  readonly rows: ReadonlyArray<Row>
  /** How many bytes of the file there are up to its end. */
  readonly until: number
  /** What the file calls members. */
  readonly names: ReadonlyMap<string, string>
}

/** How many rows a batch has, but for the last one. */
export const rowsPerBatch = maxItems

const refused = (path: string, detail: string) =>
  new FileRefused({ code: "columns_refused", detail: `${path}: ${detail}` })

async function* csvRows(
  path: string,
  reading: Reading,
  lines: AsyncIterable<ReadonlyArray<Line>>,
  names: Map<string, string>
) {
  let targets: ReturnType<typeof namesOfHeader> | undefined
  const namesOfHeader = (header: ReadonlyArray<string>) => {
    const columns = columnsOf(reading, header)
    if (Result.isFailure(columns)) throw refused(path, columns.failure)
    for (const [member, name] of namesOf(header, columns.success)) names.set(member, name)
    return columns.success
  }
  const delimiter = (first: Uint8Array) => reading.delimiter ?? delimiterOf(textOf(first) ?? "")
  for await (const records of recordsOf(lines, delimiter)) {
    const rows: Array<Row> = []
    for (const { content, lastLine, line, until } of records) {
      if (targets === undefined) {
        if (isProblem(content)) throw refused(path, `Line ${line}, the header: ${content.detail}`)
        targets = namesOfHeader(content)
        continue
      }
      const item = isProblem(content)
        ? Result.fail(content)
        : ofCells(reading.kind, targets, content, reading.separator)
      const long = Result.isFailure(item) && lastLine > line
      rows.push({
        line,
        until,
        item: long
          ? Result.fail({ ...item.failure, detail: `${item.failure.detail} (lines ${line} to ${lastLine})` })
          : item
      })
    }
    yield rows
  }
  if (targets === undefined) throw refused(path, "The file is empty: its first line must name the columns.")
}

async function* jsonRows(reading: Mapping, wishes: Wishes, chunks: AsyncIterable<ReadonlyArray<Line>>) {
  const itemOf = ({ cut }: Line, text: string | undefined) =>
    cut ? Result.fail(tooLong) : text === undefined ? Result.fail(notUtf8) : ofJson(reading, wishes, text)
  for await (const lines of chunks) {
    yield lines.flatMap((line): ReadonlyArray<Row> => {
      const text = line.cut ? undefined : textOf(line.bytes)
      return text?.trim() === "" ? [] : [{ line: line.number, until: line.until, item: itemOf(line, text) }]
    })
  }
}

/** The batches of a file. Those before `from` are passed over; a header that is no good fails with {@link FileRefused}. */
export async function* batchesOf(
  path: string,
  reading: Reading,
  chunks: AsyncIterable<Uint8Array>,
  from: number
): AsyncGenerator<Batch> {
  const wishes = wishesOf(reading)
  if (Result.isFailure(wishes)) throw new FileRefused({ code: "columns_refused", detail: wishes.failure })
  const names = new Map<string, string>()
  const lines = linesOf(chunks)
  const source =
    reading.format === "csv" ? csvRows(path, reading, lines, names) : jsonRows(reading, wishes.success, lines)
  let number = 0
  let waiting: ReadonlyArray<Row> = []
  const batchOf = (rows: ReadonlyArray<Row>): Batch => ({ number, rows, until: rows.at(-1)?.until ?? 0, names })
  for await (const rows of source) {
    waiting = waiting.length === 0 ? rows : [...waiting, ...rows]
    let at = 0
    for (; waiting.length - at >= rowsPerBatch; at += rowsPerBatch) {
      if (number >= from) yield batchOf(waiting.slice(at, at + rowsPerBatch))
      number++
    }
    waiting = waiting.slice(at)
  }
  if (waiting.length > 0 && number >= from) yield batchOf(waiting)
}
