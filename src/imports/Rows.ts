/** Reads the rows of a file in batches of upsert items, each row with its line number. */
import { Result } from "effect"
import { maxItems } from "../records/Batch.ts"
import { columnsOf, type Mapping, columnNames, type ColumnChoices, parseMapping } from "./Columns.ts"
import { delimiterOf, isRowError, notUtf8, recordsOf, tooLong } from "./CsvRecords.ts"
import { type FileColumn, type Item, ofCells, ofJson, type RowError } from "./Items.ts"
import { type Line, linesOf, textOf } from "./Lines.ts"
import type { DecimalSeparator } from "./cells/numbers.ts"
import { FileRefused } from "./Source.ts"

/** The options that determine how a file is read. */
export interface ReadOptions extends Mapping {
  readonly format: "csv" | "ndjson"
  /** The character between cells; defaults to the most frequent one of the header. */
  readonly delimiter: string | undefined
  /** The character between the values of one cell. */
  readonly separator: string
  /** The currency of amounts of properties that have no other. */
  readonly currency: string | undefined
  /** The decimal separator of numbers of properties. */
  readonly decimal: DecimalSeparator | undefined
}

/** A row. */
export interface Row {
  /** Its first line. */
  readonly line: number
  /** The offset of its end in bytes, in the decompressed content without byte order mark. */
  readonly until: number
  readonly item: Result.Result<Item, RowError>
}

/** Rows of one upsert. The same file always has the same batches. */
export interface Batch {
  /** From 0. */
  readonly number: number
  readonly rows: ReadonlyArray<Row>
  /** The offset of its end in bytes, in the decompressed content without byte order mark. */
  readonly until: number
  /** The name of the column that sets each member, by member, for messages; empty for NDJSON. */
  readonly columnNames: ReadonlyMap<string, string>
}

/** The number of rows of a batch; the last may have fewer. */
export const rowsPerBatch = maxItems

const refused = (path: string, detail: string) =>
  new FileRefused({ code: "columns_refused", detail: `${path}: ${detail}` })

async function* csvRows(
  path: string,
  options: ReadOptions,
  lines: AsyncIterable<ReadonlyArray<Line>>,
  names: Map<string, string>
) {
  let columns: ReadonlyArray<FileColumn> | undefined
  const readHeader = (header: ReadonlyArray<string>): ReadonlyArray<FileColumn> => {
    const targets = columnsOf(options, header)
    if (Result.isFailure(targets)) throw refused(path, targets.failure)
    for (const [member, name] of columnNames(header, targets.success)) names.set(member, name)
    return header.map((name, index) => ({ name: name.trim(), targets: targets.success[index] ?? [] }))
  }
  const delimiter = (first: Uint8Array) => options.delimiter ?? delimiterOf(textOf(first) ?? "")
  for await (const records of recordsOf(lines, delimiter)) {
    const rows: Array<Row> = []
    for (const { content, lastLine, line, until } of records) {
      if (columns === undefined) {
        if (isRowError(content)) throw refused(path, `Line ${line}, the header: ${content.detail}`)
        columns = readHeader(content)
        continue
      }
      const item = isRowError(content) ? Result.fail(content) : ofCells(options, columns, content)
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
  if (columns === undefined) throw refused(path, "The file is empty: its first line must name the columns.")
}

async function* jsonRows(options: ReadOptions, choices: ColumnChoices, chunks: AsyncIterable<ReadonlyArray<Line>>) {
  const itemOf = ({ cut }: Line, text: string | undefined) =>
    cut ? Result.fail(tooLong) : text === undefined ? Result.fail(notUtf8) : ofJson(options, choices, text)
  for await (const lines of chunks) {
    yield lines.flatMap((line): ReadonlyArray<Row> => {
      const text = line.cut ? undefined : textOf(line.bytes)
      return text?.trim() === "" ? [] : [{ line: line.number, until: line.until, item: itemOf(line, text) }]
    })
  }
}

/**
 * The batches of a file from number `from` on. Throws {@link FileRefused} for invalid column options, and for a CSV file
 * without a valid header.
 */
export async function* batchesOf(
  path: string,
  options: ReadOptions,
  chunks: AsyncIterable<Uint8Array>,
  from: number
): AsyncGenerator<Batch> {
  const choices = parseMapping(options)
  if (Result.isFailure(choices)) throw new FileRefused({ code: "columns_refused", detail: choices.failure })
  const names = new Map<string, string>()
  const lines = linesOf(chunks)
  const source =
    options.format === "csv" ? csvRows(path, options, lines, names) : jsonRows(options, choices.success, lines)
  let number = 0
  let pending: ReadonlyArray<Row> = []
  const batchOf = (rows: ReadonlyArray<Row>): Batch => ({
    number,
    rows,
    until: rows.at(-1)?.until ?? 0,
    columnNames: names
  })
  for await (const rows of source) {
    pending = pending.length === 0 ? rows : [...pending, ...rows]
    let at = 0
    for (; pending.length - at >= rowsPerBatch; at += rowsPerBatch) {
      if (number >= from) yield batchOf(pending.slice(at, at + rowsPerBatch))
      number++
    }
    pending = pending.slice(at)
  }
  if (pending.length > 0 && number >= from) yield batchOf(pending)
}
