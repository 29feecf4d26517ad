/** Reads the rows of a file in batches of upsert items, each row with its line number. */
import * as Cells from "./cells.ts"
import * as VCards from "./VCards.ts"
import { Result } from "effect"
import { setImmediate as nextTurn } from "node:timers/promises"
import { maxItems } from "../core/records/Batch.ts"
import { columnsOf, type FileColumn, type Mapping, parseMapping } from "./Columns.ts"
import {
  delimiterIn,
  delimiterOf,
  isRowError,
  type Line,
  linesOf,
  notUtf8,
  recordsOf,
  textOf,
  tooLong
} from "./CsvRecords.ts"
import { emptyRow, type LineColumns, lineColumns, ofCells, ofJson, type ReadRow } from "./Items.ts"
import type { DecimalSeparator } from "../core/fields/writtenNumbers.ts"
import type { AreaUnit, Period, Scale } from "./units.ts"
import { FileRefused } from "./Source.ts"

/** The options that determine how a file is read. */
export interface ReadOptions extends Mapping {
  readonly format: "csv" | "ndjson" | "vcard"
  /** The character between cells; defaults to the most frequent one of the header. */
  readonly delimiter: string | undefined
  /** The character between the values of one cell. */
  readonly separator: string
  /** The currency of amounts of properties that have no other. */
  readonly currency: string | undefined
  /** The decimal separator of numbers of properties. */
  readonly decimal: DecimalSeparator | undefined
  /** How else cells are read: `CellReading` in Items.ts. */
  readonly forceDecimal?: boolean
  readonly unit?: AreaUnit | undefined
  readonly scale?: Scale | undefined
  readonly per?: Period | undefined
  readonly country?: string | undefined
  readonly keepRows?: boolean
}

/** A row. */
export interface Row extends ReadRow {
  /** Its first line. */
  readonly line: number
  /** The offset of its end in bytes, in the decompressed content without byte order mark. */
  readonly until: number
  /** Its cells, in the order of the columns; undefined for NDJSON, and if it is broken. */
  readonly cells: ReadonlyArray<string> | undefined
}

/** Rows of one upsert. The same file always has the same batches. Only that of a file without rows has none. */
export interface Batch {
  /** From 0. */
  readonly number: number
  readonly rows: ReadonlyArray<Row>
  /** The offset of its end in bytes, in the decompressed content without byte order mark. */
  readonly until: number
  /** The columns of the file, in its order; those that NDJSON had so far. */
  readonly columns: ReadonlyArray<FileColumn>
}

/** How many rows the batch with this number has; the last one may have fewer. */
export type BatchSize = (number: number) => number

// Small files show their progress, and each transaction of a large one costs as little as it can.
const smallBatches = 10
const rowsOfLargeBatch = 500

/** The sizes of the batches of an import. */
export const rowsOfBatch: BatchSize = (number) => (number < smallBatches ? maxItems : rowsOfLargeBatch)

// A file of many rows is read in turns: work that waits in between is done.
const rowsOfATurn = 50

const refused = (path: string, detail: string, columns?: ReadonlyArray<FileColumn>) =>
  new FileRefused({
    code: "columns_refused",
    detail: `${path}: ${detail}`,
    ...(columns === undefined ? {} : { columns })
  })

/** Rows, with the columns that are known then. */
interface Rows {
  readonly rows: ReadonlyArray<Row>
  readonly columns: ReadonlyArray<FileColumn>
}

/** The header of a CSV file, and the cells of its first row. */
export const headerOf = async (
  path: string,
  chunks: AsyncIterable<Uint8Array>
): Promise<{ readonly header: ReadonlyArray<string>; readonly example: ReadonlyArray<string> }> => {
  let header: ReadonlyArray<string> | undefined
  const delimiter = (first: Uint8Array) => delimiterIn(first) ?? delimiterOf(textOf(first) ?? "")
  for await (const records of recordsOf(linesOf(chunks), delimiter)) {
    for (const { content, line } of records) {
      if (header !== undefined) return { header, example: isRowError(content) ? [] : content }
      if (isRowError(content)) throw refused(path, `Line ${line}, the header: ${content.detail}`)
      header = content
    }
  }
  if (header === undefined) throw refused(path, "The file is empty: its first line must name the columns.")
  return { header, example: [] }
}

async function* csvRows(
  path: string,
  options: ReadOptions,
  lines: AsyncIterable<ReadonlyArray<Line>>
): AsyncGenerator<Rows> {
  let columns: ReadonlyArray<FileColumn> | undefined
  const readHeader = (header: ReadonlyArray<string>): ReadonlyArray<FileColumn> => {
    const found = columnsOf(options, header)
    if (Result.isSuccess(found)) return found.success
    const known = columnsOf({ ...options, ignoreUnknown: true }, header)
    throw refused(path, found.failure, Result.getOrUndefined(known))
  }
  const delimiter = (first: Uint8Array) => options.delimiter ?? delimiterIn(first) ?? delimiterOf(textOf(first) ?? "")
  // Empty rows after the last one are those of a spreadsheet, and not of the file.
  let empty: { readonly lines: Array<number>; readonly ends: Array<number> } = { lines: [], ends: [] }
  for await (const records of recordsOf(lines, delimiter)) {
    let rows: Array<Row> = []
    for (const { content, lastLine, line, until } of records) {
      if (rows.length === rowsOfATurn) {
        yield { rows, columns: columns ?? [] }
        rows = []
        await nextTurn()
      }
      if (columns === undefined) {
        if (isRowError(content)) throw refused(path, `Line ${line}, the header: ${content.detail}`)
        columns = readHeader(content)
        continue
      }
      const cells = isRowError(content) ? undefined : content
      if (cells?.every(Cells.isEmpty) === true) {
        empty.lines.push(line)
        empty.ends.push(until)
        continue
      }
      for (const [index, emptyLine] of empty.lines.entries()) {
        rows.push({ line: emptyLine, until: empty.ends[index] ?? until, cells: undefined, ...emptyRow })
      }
      if (empty.lines.length > 0) empty = { lines: [], ends: [] }
      const read: ReadRow = isRowError(content)
        ? { item: Result.fail(content), reported: [] }
        : ofCells(options, columns, content)
      const { item } = read
      const long = Result.isFailure(item) && lastLine > line
      rows.push({
        ...read,
        line,
        until,
        cells,
        item: long
          ? Result.fail({ ...item.failure, detail: `${item.failure.detail} (lines ${line} to ${lastLine})` })
          : item
      })
    }
    yield { rows, columns: columns ?? [] }
  }
  if (columns === undefined) throw refused(path, "The file is empty: its first line must name the columns.")
}

async function* jsonRows(
  options: ReadOptions,
  columns: LineColumns,
  chunks: AsyncIterable<ReadonlyArray<Line>>
): AsyncGenerator<Rows> {
  const rowOf = ({ cut }: Line, text: string | undefined): ReadRow =>
    text === undefined ? { item: Result.fail(cut ? tooLong : notUtf8), reported: [] } : ofJson(options, columns, text)
  for await (const lines of chunks) {
    const rows = lines.flatMap((line): ReadonlyArray<Row> => {
      const text = line.cut ? undefined : textOf(line.bytes)
      return text?.trim() === ""
        ? []
        : [{ line: line.number, until: line.until, cells: undefined, ...rowOf(line, text) }]
    })
    yield { rows, columns: columns.known() }
  }
}

async function* cardRows(
  path: string,
  options: ReadOptions,
  lines: AsyncIterable<ReadonlyArray<Line>>
): AsyncGenerator<Rows> {
  const found = columnsOf(options, VCards.columns)
  if (Result.isFailure(found)) throw refused(path, found.failure)
  const unset = "sets no member unless --map says so"
  const columns = found.success.map((column) =>
    column.targets.length > 0 || options.ignore.includes(column.name) ? column : { ...column, leftOut: unset }
  )
  let isEmpty = true
  for await (const cards of VCards.cardsOf(lines, options.separator)) {
    isEmpty &&= cards.length === 0
    const rows = cards.map(({ content, line, until }): Row => {
      if (Result.isFailure(content))
        return { line, until, cells: undefined, item: Result.fail(content.failure), reported: [] }
      const { cells, leftOut } = content.success
      const row = ofCells(options, columns, cells)
      return { line, until, cells, ...row, reported: [...row.reported, ...leftOut] }
    })
    yield { rows, columns }
  }
  if (isEmpty) throw refused(path, "The file has no vCard: it must have lines BEGIN:VCARD and END:VCARD.")
}

/** The options for columns, with what those of a vCard file mean. */
const withDefaults = (options: ReadOptions): ReadOptions =>
  options.format === "vcard" ? VCards.withDefaults(options) : options

const rowsOf = (path: string, options: ReadOptions, lines: AsyncIterable<ReadonlyArray<Line>>) => {
  // Those of CSV are read with the header, which says more about the columns.
  if (options.format === "csv") return csvRows(path, options, lines)
  const choices = parseMapping(options)
  if (Result.isFailure(choices)) throw new FileRefused({ code: "columns_refused", detail: choices.failure })
  switch (options.format) {
    case "ndjson":
      return jsonRows(options, lineColumns(options, choices.success), lines)
    case "vcard":
      return cardRows(path, options, lines)
  }
}

/**
 * The batches of a file from number `from` on, of a hundred rows each or of these sizes. Throws {@link FileRefused} for invalid column options, and for a CSV file
 * without a valid header.
 */
export async function* batchesOf(
  path: string,
  given: ReadOptions,
  chunks: AsyncIterable<Uint8Array>,
  from: number,
  sizeOf: BatchSize = () => maxItems
): AsyncGenerator<Batch> {
  const options = withDefaults(given)
  const source = rowsOf(path, options, linesOf(chunks))
  let number = 0
  let pending: ReadonlyArray<Row> = []
  let columns: ReadonlyArray<FileColumn> = []
  const batchOf = (rows: ReadonlyArray<Row>): Batch => ({
    number,
    rows,
    until: rows.at(-1)?.until ?? 0,
    columns
  })
  for await (const { columns: known, rows } of source) {
    columns = known
    pending = pending.length === 0 ? rows : pending.concat(rows)
    let at = 0
    for (let size = sizeOf(number); pending.length - at >= size; size = sizeOf(number)) {
      if (number >= from) yield batchOf(pending.slice(at, at + size))
      at += size
      number++
    }
    if (at > 0) pending = pending.slice(at)
  }
  // Without rows, it still tells the columns.
  if ((pending.length > 0 && number >= from) || number === 0) yield batchOf(pending)
}
