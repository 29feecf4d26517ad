/**
 * The records of a CSV file, each with the line where it begins. What is wrong with one stops no other: a quote that is
 * never closed costs its own line, not the rest of the file.
 */
import { CsvError, parse } from "csv-parse/sync"
import { type Line, maxLineLength, textOf } from "./Lines.ts"
import type { Problem } from "./Items.ts"

/** A record, or why it is none. */
export interface CsvRecord {
  /** The line where it begins. */
  readonly line: number
  /** The line where it ends. */
  readonly lastLine: number
  /** How many bytes of the file there are up to its end. */
  readonly until: number
  readonly content: ReadonlyArray<string> | Problem
}

/** Whether the content of a record is why it is none. */
export const isProblem = <A>(content: ReadonlyArray<A> | Problem): content is Problem => "code" in content

const quote = 0x22

/** Whether the quotes of these bytes are not in pairs: then a cell goes on behind them, if they are a record at all. */
const isOpen = (bytes: Uint8Array): boolean => {
  let open = false
  for (let at = bytes.indexOf(quote); at !== -1; at = bytes.indexOf(quote, at + 1)) open = !open
  return open
}

/** Why bytes are not text. */
export const notUtf8: Problem = {
  code: "invalid_encoding",
  detail: "The row is not UTF-8. Save the file as UTF-8 and try again."
}

/** Why a line is not looked at. */
export const tooLong: Problem = { code: "too_long", detail: `The row has more than ${maxLineLength} bytes.` }

const unclosed = "A quote opens a cell and is never closed."

const reasons: { readonly [code: string]: string } = {
  CSV_QUOTE_NOT_CLOSED: unclosed,
  INVALID_OPENING_QUOTE: "A quote stands in the middle of a cell: write such a cell in quotes, and the quote twice.",
  CSV_INVALID_CLOSING_QUOTE: "Something stands between a closing quote and the end of the cell."
}

/** The cells of one record. */
export const cellsOf = (bytes: Uint8Array, delimiter: string): ReadonlyArray<string> | Problem => {
  const text = textOf(bytes)
  try {
    // In any encoding, quotes tell where the record ends.
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

/**
 * Takes lines apart into records. `delimiterOf` is asked once, with the first line. Blank lines between records are
 * passed over.
 */
export async function* recordsOf(
  chunks: AsyncIterable<ReadonlyArray<Line>>,
  delimiterOf: (first: Uint8Array) => string
): AsyncGenerator<ReadonlyArray<CsvRecord>> {
  let waiting: ReadonlyArray<Line> = []
  let delimiter: string | undefined
  // How far the record that begins `waiting` was searched for its end, so that no line is looked at twice for it.
  let searched = 0
  let size = 0

  const recordOf = (lines: ReadonlyArray<Line>, content: CsvRecord["content"]): CsvRecord => ({
    line: lines[0]?.number ?? 0,
    lastLine: lines.at(-1)?.number ?? 0,
    until: lines.at(-1)?.until ?? 0,
    content
  })

  /** The record that begins at `from`, and how many lines it has; undefined when its end has not been read yet. */
  const next = (lines: ReadonlyArray<Line>, from: number, complete: boolean) => {
    const first = lines[from]
    if (first === undefined) return undefined
    delimiter ??= delimiterOf(first.bytes)
    if (first.cut) return { record: recordOf([first], tooLong), count: 1 }
    if (!isOpen(first.bytes)) return { record: recordOf([first], cellsOf(first.bytes, delimiter)), count: 1 }
    const alone = cellsOf(first.bytes, delimiter)
    const failed = { record: recordOf([first], alone), count: 1 }
    if (isProblem(alone) && alone.detail !== unclosed) return failed
    for (let index = Math.max(from + 1, from + searched); index < lines.length; index++) {
      const line = lines[index]
      if (line === undefined || line.cut) return failed
      size += line.bytes.length
      if (size > maxLineLength) return failed
      searched = index - from + 1
      if (!isOpen(line.bytes)) continue
      const whole = lines.slice(from, index + 1)
      const content = cellsOf(joined(whole), delimiter)
      // Its quotes do not belong together after all: the next line may be a record of its own.
      if (isProblem(content) && content !== notUtf8) return failed
      return { record: recordOf(whole, content), count: whole.length }
    }
    return complete ? failed : undefined
  }

  const recordsIn = (complete: boolean): ReadonlyArray<CsvRecord> => {
    const records: Array<CsvRecord> = []
    let from = 0
    while (from < waiting.length) {
      const line = waiting[from]
      if (line !== undefined && isBlank(line)) {
        from++
        continue
      }
      const found = next(waiting, from, complete)
      if (found === undefined) break
      records.push(found.record)
      from += found.count
      searched = 0
      size = 0
    }
    waiting = waiting.slice(from)
    return records
  }

  for await (const lines of chunks) {
    waiting = waiting.length === 0 ? lines : [...waiting, ...lines]
    yield recordsIn(false)
  }
  yield recordsIn(true)
}

/** The delimiters that are told by looking. */
export const delimiters = [",", ";", "\t"] as const

/** The delimiter of a file, by its header: the one that stands there most often outside quotes. */
export const delimiterOf = (header: string): string => {
  const bare = header.replaceAll(/"(?:[^"]|"")*"?/g, "")
  const count = (delimiter: string) => bare.split(delimiter).length
  return [...delimiters].sort((a, b) => count(b) - count(a))[0] ?? ","
}
