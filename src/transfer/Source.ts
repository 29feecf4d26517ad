/** The input of an import: a file, which may be gzipped and in any encoding, or standard input. */
import { sha256OfFile } from "../platform/FileDigest.ts"
import { trySessionLock } from "../platform/db/Transaction.ts"
import { Cause, Console, Data, Effect, Predicate, type Scope } from "effect"
import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { pipeline } from "node:stream"
import { createGunzip } from "node:zlib"
import type { FileColumn } from "./Columns.ts"
import { isAscii } from "node:buffer"
import { hostname } from "node:os"
import { dirname, resolve } from "node:path"
import type { Database } from "../platform/db/Database.ts"

/** A file cannot be used. */
export class FileRefused extends Data.TaggedError("FileRefused")<{
  readonly code: string
  readonly detail: string
  /** What the columns would set without those that are not known. */
  readonly columns?: ReadonlyArray<FileColumn>
}> {}

/** The defect of a command that was stopped before its end. */
export class Stopped extends Data.TaggedError("Stopped")<{ readonly code: string; readonly detail: string }> {}

/**
 * Prints the progress when `self` does not complete. Turns an interruption into a defect, so that the exit code of an
 * incomplete command is not 0.
 */
export const reportingStop =
  (howFar: () => string) =>
  <A, E, R>(self: Effect.Effect<A, E, R>) =>
    Effect.onError(self, (cause) => {
      const detail = `Stopped: ${howFar()}`
      return Effect.andThen(
        Console.error(detail),
        Cause.hasInterruptsOnly(cause) ? Effect.die(new Stopped({ code: "stopped", detail })) : Effect.void
      )
    })

/** An open input. */
export interface Source {
  readonly chunks: AsyncIterable<Uint8Array>
  /** The share of the input before this offset, from 0 to 1; undefined when its size is unknown. */
  readonly shareOf: (until: number) => number | undefined
}

/** The path that stands for standard input or standard output. */
export const standard = "-"

const messages: { readonly [code: string]: string } = {
  ENOENT: "The file does not exist.",
  EACCES: "No permission to read the file.",
  EISDIR: "The path is a folder."
}

/** The refusal of a file for an error of the file system. */
export const refusalOf = (path: string, error: unknown): FileRefused => {
  if (error instanceof FileRefused) return error
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  const reason = messages[code] ?? (error instanceof Error ? error.message : String(error))
  return new FileRefused({ code: "file_refused", detail: `${path}: ${reason}` })
}

/** Whether an error of the file system has this code. */
const isCode = (error: unknown, code: string): boolean => Predicate.hasProperty(error, "code") && error.code === code

/** The result of `use`; undefined when the file does not exist. */
export const ifExists = async <A>(use: () => Promise<A>): Promise<A | undefined> => {
  try {
    return await use()
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined
    throw error
  }
}

/** Runs an operation on a file. */
export const attempt = <A>(path: string, use: () => Promise<A>): Effect.Effect<A, FileRefused> =>
  Effect.tryPromise({ try: use, catch: (error) => refusalOf(path, error) })

/** The SHA-256 of a file in hex. */
export const sha256Of = (path: string): Effect.Effect<string, FileRefused> => attempt(path, () => sha256OfFile(path))

/** Whether a file is gzipped, by its name. */
export const isGzip = (path: string): boolean => /\.gz$/i.test(path)

const endings = {
  csv: /\.(?:csv|tsv|txt)(?:\.gz)?$/i,
  ndjson: /\.(?:ndjson|jsonl)(?:\.gz)?$/i,
  vcard: /\.(?:vcf|vcard)(?:\.gz)?$/i
} as const

/** The formats of files. */
export type Format = keyof typeof endings

/** Whether a file has the name of one of this format. */
export const isNamed = (format: Format, path: string): boolean => endings[format].test(path)

/** A stream whose first bytes show its encoding, as UTF-8. */
async function* decodedStream(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  given: string | undefined
): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
  const first = await iterator.next()
  const shown = first.done === true ? undefined : encodingShownBy(first.value)
  const whole = async function* () {
    if (first.done === true) return
    yield first.value
    yield* { [Symbol.asyncIterator]: () => iterator }
  }
  yield* decoded(path, whole(), given ?? shown ?? "utf-8")
}

async function* decoded(path: string, chunks: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<Uint8Array> {
  try {
    yield* asUtf8(chunks, encoding)
  } catch (error) {
    if (!(error instanceof TypeError && isCode(error, "ERR_ENCODING_INVALID_ENCODED_DATA"))) throw error
    throw new FileRefused({
      code: "invalid_encoding",
      detail: `${path}: The file is not ${encoding}. Save it as UTF-8, or name its encoding with --encoding.`
    })
  }
}

/** The bytes of a file, decompressed if its name ends with `.gz`. */
const bytesOf = (path: string) => {
  const file = createReadStream(path, { highWaterMark: 256 * 1024 })
  if (!isGzip(path)) return { file, chunks: file as AsyncIterable<Uint8Array> }
  // An error of the file surfaces at the end of the pipeline.
  const decompressed: AsyncIterable<Uint8Array> = pipeline(file, createGunzip(), () => undefined)
  return { file, chunks: decompressed }
}

/**
 * Opens a file as UTF-8, and decompresses it if its name ends with `.gz`; `-` is standard input. Without `encoding`, that of a file is
 * detected from all of it, and that of standard input from its beginning.
 */
export const open = (path: string, encoding: string | undefined): Effect.Effect<Source, FileRefused> =>
  attempt(path, async (): Promise<Source> => {
    if (path === standard) return { chunks: decodedStream(path, process.stdin, encoding), shareOf: () => undefined }
    const { size } = await stat(path)
    const found = encoding ?? (await encodingOf(bytesOf(path).chunks))
    const { chunks, file } = bytesOf(path)
    const isRead = found === "utf-8" && !isGzip(path)
    return {
      chunks: decoded(path, chunks, found),
      shareOf: (until) => (isRead ? until : file.bytesRead) / Math.max(1, size)
    }
  })

// The encoding of a file: detected where its bytes leave no doubt, and turned into UTF-8.

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
const encodingShownBy = (first: Uint8Array): Detected | undefined =>
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

// Prevents two commands from writing the same file at the same time.

/**
 * Locks a local file until the scope ends. The lock is an advisory lock of the installation's database, so it ends with the
 * process, even if that is killed. Commands of another installation do not see it.
 */
export const acquireFileLock = Effect.fnUntraced(function* (
  path: string
): Effect.fn.Return<void, FileRefused, Database | Scope.Scope> {
  const folder = dirname(path)
  if ((yield* attempt(folder, () => ifExists(() => stat(folder)))) === undefined) {
    return yield* new FileRefused({ code: "file_refused", detail: `The folder ${folder} does not exist.` })
  }
  if (yield* trySessionLock(`file ${hostname()} ${resolve(path)}`)) return
  return yield* new FileRefused({
    code: "file_in_use",
    detail: `${path}: Another import or export is writing this file. Retry when it has ended.`
  })
})
