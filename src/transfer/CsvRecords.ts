/**
 * Reads the records of a CSV file, with the line that each begins on. A broken record does not affect others: a quote that
 * is never closed costs its own line, not the rest of the file.
 */
import { CsvError, parse } from "csv-parse/sync"
import type { RowError } from "./Items.ts"

// Lines: a stream of bytes, with at most a few of them in memory.

/** A line without its line ending. */
export interface Line {
  /** From 1. */
  readonly number: number
  readonly bytes: Uint8Array
  /** The offset of the next line in the stream, in bytes. */
  readonly until: number
  /** Whether the line exceeds {@link maxLineLength}; `bytes` is then only its beginning. */
  readonly cut: boolean
  /** The line ending; empty for a last line without one. */
  readonly end: "" | "\n" | "\r\n"
}

/** The maximum length of a line in bytes. */
export const maxLineLength = 1024 * 1024

const newline = 0x0a
const carriageReturn = 0x0d

/** Splits a stream into lines that end with LF or CRLF. Yields the lines of each chunk together. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ReadonlyArray<Line>> {
  let number = 0
  let position = 0
  let parts: Array<Uint8Array> = []
  let size = 0
  const keep = (part: Uint8Array) => {
    // Keeps at most one chunk beyond the limit.
    if (size <= maxLineLength && part.length > 0) parts.push(part)
    size += part.length
  }
  const finish = (ended: boolean): Line => {
    const [only] = parts
    const bytes = parts.length === 1 && only !== undefined ? only : Buffer.concat(parts)
    const cut = size > maxLineLength
    const returns = !cut && bytes.at(-1) === carriageReturn
    parts = []
    size = 0
    return {
      number: ++number,
      bytes: cut ? bytes.subarray(0, maxLineLength) : returns ? bytes.subarray(0, -1) : bytes,
      until: position,
      cut,
      end: ended ? (returns ? "\r\n" : "\n") : ""
    }
  }
  for await (const chunk of chunks) {
    const lines: Array<Line> = []
    let from = 0
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      keep(chunk.subarray(from, at))
      position += at + 1 - from
      from = at + 1
      lines.push(finish(true))
    }
    keep(chunk.subarray(from))
    position += chunk.length - from
    yield lines
  }
  if (size > 0) yield [finish(false)]
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** The text of bytes; undefined when they are not UTF-8. */
export const textOf = (bytes: Uint8Array): string | undefined => {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** A record, or the problem of a broken one. */
export interface CsvRecord {
  /** Its first line. */
  readonly line: number
  /** Its last line. */
  readonly lastLine: number
  /** The offset of its end in the file, in bytes. */
  readonly until: number
  readonly content: ReadonlyArray<string> | RowError
}

/** Whether a record is broken. */
export const isRowError = <A>(content: ReadonlyArray<A> | RowError): content is RowError => "code" in content

const quote = 0x22

/** Whether the number of quotes is odd: a cell then continues on the next line, unless the record is broken. */
const hasOpenQuote = (bytes: Uint8Array): boolean => {
  let open = false
  for (let at = bytes.indexOf(quote); at !== -1; at = bytes.indexOf(quote, at + 1)) open = !open
  return open
}

/** The problem of bytes that are not text. */
export const notUtf8: RowError = {
  code: "invalid_encoding",
  detail: "The row is not UTF-8. Save the file as UTF-8, or name its encoding with --encoding."
}

/** The problem of a line that is too long. */
export const tooLong: RowError = { code: "too_long", detail: `The row has more than ${maxLineLength} bytes.` }

const unclosed = "A quoted cell has no closing quote."

const reasons: { readonly [code: string]: string } = {
  CSV_QUOTE_NOT_CLOSED: unclosed,
  INVALID_OPENING_QUOTE: "A cell contains a quote. Put the cell in quotes, and write the quote twice.",
  CSV_INVALID_CLOSING_QUOTE: "Text follows the closing quote of a cell."
}

// A cell with many quotes behind delimiters is looked at once for each of them.
const maxQuoted = 2000

const quotation = /^"((?:[^"]|"")*)"$/

/** The cells of a record whose quotes are all in order; undefined if the parser must say what they mean. */
const quotedCells = (text: string, delimiter: string): ReadonlyArray<string> | undefined => {
  const cells: Array<string> = []
  let part: string | undefined
  for (const piece of text.split(delimiter)) {
    const isQuoted = piece.includes('"')
    if (part === undefined && !isQuoted) {
      cells.push(piece)
      continue
    }
    // A cell in quotes goes on behind a delimiter in it.
    const cell: string = part === undefined ? piece : part + delimiter + piece
    if (!isQuoted) {
      part = cell
      continue
    }
    if (!cell.startsWith('"')) return undefined
    const content = quotation.exec(cell)?.[1]
    part = content === undefined ? cell : undefined
    if (content !== undefined) cells.push(content.replaceAll('""', '"'))
  }
  return part === undefined ? cells : undefined
}

/** Parses the cells of one record. */
const parseCells = (bytes: Uint8Array, delimiter: string): ReadonlyArray<string> | RowError => {
  const text = textOf(bytes)
  // What is in order needs no parser, which is made again for each record.
  if (text !== undefined && !text.includes('"')) return text.split(delimiter)
  const quoted = text === undefined || text.length > maxQuoted ? undefined : quotedCells(text, delimiter)
  if (quoted !== undefined) return quoted
  try {
    // latin1 keeps the quotes, which determine the end of the record in any encoding.
    const [cells] = parse(text ?? Buffer.from(bytes).toString("latin1"), {
      delimiter,
      relax_column_count: true,
      record_delimiter: "\n"
    })
    return text === undefined ? notUtf8 : (cells ?? [""])
  } catch (error) {
    const code = error instanceof CsvError ? error.code : ""
    return { code: "broken_quoting", detail: reasons[code] ?? (error instanceof Error ? error.message : String(error)) }
  }
}

const isBlank = ({ bytes }: Line) => bytes.length === 0

/** Joins the lines of one record. */
const joined = (lines: ReadonlyArray<Line>): Uint8Array =>
  Buffer.concat(
    lines.flatMap(({ bytes, end }, index) => (index === lines.length - 1 ? [bytes] : [bytes, Buffer.from(end)]))
  )

const separatorLine = /^"?sep=(.)"?$/i

/** The delimiter that a first line names for spreadsheets, such as `sep=;`. */
export const delimiterIn = (first: Uint8Array): string | undefined =>
  first.length > 8 ? undefined : separatorLine.exec(textOf(first) ?? "")?.[1]

/**
 * Splits lines into records, and skips blank lines between them, and a first line that only names the delimiter. Calls `delimiterOf`
 * once, with the first line.
 */
export async function* recordsOf(
  chunks: AsyncIterable<ReadonlyArray<Line>>,
  delimiterOf: (first: Uint8Array) => string
): AsyncGenerator<ReadonlyArray<CsvRecord>> {
  let pending: ReadonlyArray<Line> = []
  let delimiter: string | undefined
  // How many lines of the first pending record were searched for its end, so that no line is searched twice.
  let searched = 0
  let size = 0

  const recordOf = (lines: ReadonlyArray<Line>, content: CsvRecord["content"]): CsvRecord => ({
    line: lines[0]?.number ?? 0,
    lastLine: lines.at(-1)?.number ?? 0,
    until: lines.at(-1)?.until ?? 0,
    content
  })

  /** The record at `from`, and its number of lines; undefined when its end has not been read yet. */
  const next = (lines: ReadonlyArray<Line>, from: number, complete: boolean) => {
    const first = lines[from]
    if (first === undefined) return undefined
    if (delimiter === undefined) {
      delimiter = delimiterOf(first.bytes)
      if (delimiterIn(first.bytes) !== undefined) return { record: undefined, count: 1 }
    }
    if (first.cut) return { record: recordOf([first], tooLong), count: 1 }
    if (!hasOpenQuote(first.bytes)) return { record: recordOf([first], parseCells(first.bytes, delimiter)), count: 1 }
    const ownLine = parseCells(first.bytes, delimiter)
    const failed = { record: recordOf([first], ownLine), count: 1 }
    if (isRowError(ownLine) && ownLine.detail !== unclosed) return failed
    for (let index = Math.max(from + 1, from + searched); index < lines.length; index++) {
      const line = lines[index]
      if (line === undefined || line.cut) return failed
      size += line.bytes.length
      if (size > maxLineLength) return failed
      searched = index - from + 1
      if (!hasOpenQuote(line.bytes)) continue
      const whole = lines.slice(from, index + 1)
      const content = parseCells(joined(whole), delimiter)
      // The quotes do not match after all, so the next line may be a record itself.
      if (isRowError(content) && content !== notUtf8) return failed
      return { record: recordOf(whole, content), count: whole.length }
    }
    return complete ? failed : undefined
  }

  const recordsIn = (complete: boolean): ReadonlyArray<CsvRecord> => {
    const records: Array<CsvRecord> = []
    let from = 0
    while (from < pending.length) {
      const line = pending[from]
      if (line !== undefined && isBlank(line)) {
        from++
        continue
      }
      const found = next(pending, from, complete)
      if (found === undefined) break
      if (found.record !== undefined) records.push(found.record)
      from += found.count
      searched = 0
      size = 0
    }
    pending = pending.slice(from)
    return records
  }

  for await (const lines of chunks) {
    pending = pending.length === 0 ? lines : [...pending, ...lines]
    yield recordsIn(false)
  }
  yield recordsIn(true)
}

/** The delimiters that `delimiterOf` recognizes. */
const delimiters = [",", ";", "\t"] as const

/** The delimiter that occurs most often outside quotes in a header. */
export const delimiterOf = (header: string): string => {
  const bare = header.replaceAll(/"(?:[^"]|"")*"?/g, "")
  const count = (delimiter: string) => bare.split(delimiter).length
  return [...delimiters].sort((a, b) => count(b) - count(a))[0] ?? ","
}
