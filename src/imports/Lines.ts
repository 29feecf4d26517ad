/** The lines of a stream of bytes, with their numbers: never more in memory than a few of them. */

/** A line without its end. */
export interface Line {
  /** From 1. */
  readonly number: number
  readonly bytes: Uint8Array
  /** How many bytes the stream has up to the line's end, the end included. */
  readonly until: number
  /** Whether the line is longer than {@link maxLineLength}, and `bytes` only its beginning. */
  readonly cut: boolean
  /** What ends it: nothing, at the end of a file that was not written to its end. */
  readonly end: "" | "\n" | "\r\n"
}

/** How many bytes of a line are looked at. */
export const maxLineLength = 1024 * 1024

const newline = 0x0a
const carriageReturn = 0x0d

/** Takes a stream apart into its lines, which end with LF or CRLF; those of each chunk together. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ReadonlyArray<Line>> {
  let number = 0
  let position = 0
  let begun: Array<Uint8Array> = []
  let size = 0
  const keep = (part: Uint8Array) => {
    // Of a line that is too long, one chunk more than is looked at.
    if (size <= maxLineLength && part.length > 0) begun.push(part)
    size += part.length
  }
  const finish = (ended: boolean): Line => {
    const [only] = begun
    const bytes = begun.length === 1 && only !== undefined ? only : Buffer.concat(begun)
    const cut = size > maxLineLength
    const returns = !cut && bytes.at(-1) === carriageReturn
    begun = []
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
