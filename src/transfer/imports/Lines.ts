/** Splits a stream of bytes into numbered lines, with at most a few of them in memory. */

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
