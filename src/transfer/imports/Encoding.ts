/** The encoding of a file: detected where its bytes leave no doubt, and turned into UTF-8. */
import { isAscii } from "node:buffer"

/** An encoding that is detected; `--encoding` may name any that `TextDecoder` knows. */
export type Detected = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252"

const byteOrderMarks: ReadonlyArray<readonly [bytes: ReadonlyArray<number>, encoding: Detected]> = [
  [[0xef, 0xbb, 0xbf], "utf-8"],
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"]
]

const begins = (bytes: Uint8Array, mark: ReadonlyArray<number>): boolean =>
  mark.every((byte, index) => bytes[index] === byte)

// How much of a file shows that it is UTF-16: its ASCII characters have a zero byte each.
const shownBy = 4096

/** Whether text is UTF-16 without a byte order mark: UTF-8 has no zero bytes. */
const utf16Of = (first: Uint8Array): Detected | undefined => {
  const shown = first.subarray(0, shownBy)
  let [even, odd] = [0, 0]
  for (let at = shown.indexOf(0); at !== -1; at = shown.indexOf(0, at + 1)) {
    if (at % 2 === 0) even++
    else odd++
  }
  // A few in twenty characters are separators, digits or line breaks in any language.
  const enough = shown.length / 40
  if (odd > enough && odd > 10 * even) return "utf-16le"
  return even > enough && even > 10 * odd ? "utf-16be" : undefined
}

/** The encoding that the first bytes of a file show; undefined if it may be UTF-8 or one of single bytes. */
export const encodingShownBy = (first: Uint8Array): Detected | undefined =>
  byteOrderMarks.find(([mark]) => begins(first, mark))?.[1] ?? utf16Of(first)

/**
 * Bytes above ASCII that Windows-1252 has for western European text. Those that are other letters in the encodings of central Europe and of
 * Turkish (`ř`, `ě`, `ł`, `ş`, `ğ`, `ő`, `š` …) are not among them: a file with them is not distinguished from these.
 */
const western: ReadonlySet<number> = new Set([
  ...[..."ÄÖÜäöüßÀÂÉÈÊÇÑÁÍÓÚàâéèêëîïôùûçñáíóúåÅ"].map((letter) => letter.codePointAt(0) ?? 0),
  ...[..."\u00a0§©«®°²´·»£"].map((sign) => sign.codePointAt(0) ?? 0),
  // € „ … ‘ ’ “ ” • – — ™
  ...Buffer.from("8084859192939495969799", "hex")
])

const isLetter = (byte: number): boolean => byte >= 0xc0
// Cyrillic and Greek words in encodings of their own have more letters above ASCII in a row.
const maxRow = 2

/** Follows bytes, one after the other. */
interface Scan {
  /** Whether the bytes so far are ASCII and western letters of Windows-1252. */
  readonly isWestern: boolean
  /** Whether there was a byte above ASCII. */
  readonly isBeyondAscii: boolean
  /** Whether there was a character of several bytes of UTF-8. */
  readonly isUtf8: boolean
}

const lengthOf = (lead: number): number =>
  lead >= 0xc2 && lead <= 0xdf ? 2 : lead >= 0xe0 && lead <= 0xef ? 3 : lead >= 0xf0 && lead <= 0xf4 ? 4 : 1

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x80 && byte <= 0xbf

const scanned = (before: Scan, bytes: Uint8Array): Scan => {
  if (isAscii(bytes)) return before
  let { isWestern } = before
  let row = 0
  for (const [at, byte] of bytes.entries()) {
    if (byte < 0x80) {
      row = 0
      continue
    }
    const length = lengthOf(byte)
    if (length > 1 && bytes.subarray(at + 1, at + length).every(isContinuation) && at + length <= bytes.length) {
      return { isWestern, isBeyondAscii: true, isUtf8: true }
    }
    row = isLetter(byte) ? row + 1 : 0
    isWestern &&= western.has(byte) && row <= maxRow
  }
  return { isWestern, isBeyondAscii: true, isUtf8: false }
}

/**
 * The encoding of a whole file. It is Windows-1252 only if no character is UTF-8 and all bytes are those of western European text;
 * otherwise it is read as UTF-8, whose broken lines are refused one by one.
 */
export const encodingOf = async (chunks: AsyncIterable<Uint8Array>): Promise<Detected> => {
  let scan: Scan = { isWestern: true, isBeyondAscii: false, isUtf8: false }
  let isFirst = true
  for await (const chunk of chunks) {
    const shown = isFirst ? encodingShownBy(chunk) : undefined
    if (shown !== undefined) return shown
    isFirst = false
    scan = scanned(scan, chunk)
    if (scan.isUtf8 || !scan.isWestern) return "utf-8"
  }
  return scan.isBeyondAscii ? "windows-1252" : "utf-8"
}

/** Whether `TextDecoder` knows an encoding. */
export const isKnown = (encoding: string): boolean => {
  try {
    return new TextDecoder(encoding).encoding !== ""
  } catch {
    return false
  }
}

/** The bytes of a file without a byte order mark, as UTF-8. Throws if they are not of the encoding; those of UTF-8 are not checked. */
export async function* asUtf8(chunks: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  if (decoder.encoding === "utf-8") {
    yield* withoutByteOrderMark(chunks)
    return
  }
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true })
    if (text !== "") yield Buffer.from(text)
  }
  const rest = decoder.decode()
  if (rest !== "") yield Buffer.from(rest)
}

async function* withoutByteOrderMark(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let start: Uint8Array | undefined = new Uint8Array(0)
  for await (const chunk of chunks) {
    if (start === undefined) {
      yield chunk
      continue
    }
    start = Buffer.concat([start, chunk])
    if (start.length < 3) continue
    yield begins(start, [0xef, 0xbb, 0xbf]) ? start.subarray(3) : start
    start = undefined
  }
  if (start !== undefined) yield start
}
