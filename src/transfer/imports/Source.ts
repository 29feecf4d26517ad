/** The input of an import: a file, which may be gzipped, or standard input. */
import { Cause, Console, Data, Effect, Predicate } from "effect"
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { pipeline } from "node:stream"
import { createGunzip } from "node:zlib"
import type { FileColumn } from "./Columns.ts"
import { asUtf8, encodingOf, encodingShownBy } from "./Encoding.ts"

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
export const sha256Of = (path: string): Effect.Effect<string, FileRefused> =>
  attempt(path, async () => {
    const hash = createHash("sha256")
    for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(chunk as Uint8Array)
    return hash.digest("hex")
  })

/** Whether a file is gzipped, by its name. */
export const isGzip = (path: string): boolean => /\.gz$/i.test(path)

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
