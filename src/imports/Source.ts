/** The input of an import: a file, which may be gzipped, or standard input. */
import { Cause, Console, Data, Effect, Predicate } from "effect"
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { pipeline } from "node:stream"
import { createGunzip } from "node:zlib"

/** A file cannot be used. */
export class FileRefused extends Data.TaggedError("FileRefused")<{ readonly code: string; readonly detail: string }> {}

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
export const sha256Of = (path: string): Effect.Effect<string, FileRefused> =>
  attempt(path, async () => {
    const hash = createHash("sha256")
    for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(chunk as Uint8Array)
    return hash.digest("hex")
  })

/** Whether a file is gzipped, by its name. */
export const isGzip = (path: string): boolean => /\.gz$/i.test(path)

const isUtf16 = (first: Uint8Array) =>
  (first[0] === 0xff && first[1] === 0xfe) || (first[0] === 0xfe && first[1] === 0xff)

const hasByteOrderMark = (first: Uint8Array) => first[0] === 0xef && first[1] === 0xbb && first[2] === 0xbf

/** Removes the byte order mark, and refuses UTF-16. */
async function* withoutByteOrderMark(path: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let start: Uint8Array | undefined = new Uint8Array(0)
  for await (const chunk of chunks) {
    if (start === undefined) {
      yield chunk
      continue
    }
    start = Buffer.concat([start, chunk])
    if (start.length < 3) continue
    if (isUtf16(start)) {
      throw new FileRefused({
        code: "invalid_encoding",
        detail: `${path}: The file is UTF-16. Save it as UTF-8 and retry.`
      })
    }
    yield hasByteOrderMark(start) ? start.subarray(3) : start
    start = undefined
  }
  if (start !== undefined) yield start
}

/** Opens a file, and decompresses it if its name ends with `.gz`; `-` is standard input. */
export const open = (path: string): Effect.Effect<Source, FileRefused> =>
  attempt(path, async (): Promise<Source> => {
    if (path === standard) return { chunks: withoutByteOrderMark(path, process.stdin), shareOf: () => undefined }
    const { size } = await stat(path)
    const file = createReadStream(path, { highWaterMark: 256 * 1024 })
    if (!isGzip(path))
      return { chunks: withoutByteOrderMark(path, file), shareOf: (until) => until / Math.max(1, size) }
    // An error of the file surfaces at the end of the pipeline.
    const decompressed: AsyncIterable<Uint8Array> = pipeline(file, createGunzip(), () => undefined)
    return { chunks: withoutByteOrderMark(path, decompressed), shareOf: () => file.bytesRead / Math.max(1, size) }
  })
