/** Where the bytes of an import come from: a file, packed or not, or the standard input. */
import { Cause, Console, Data, Effect, Predicate } from "effect"
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { pipeline } from "node:stream"
import { createGunzip } from "node:zlib"

/** A file that cannot be used. */
export class FileRefused extends Data.TaggedError("FileRefused")<{ readonly code: string; readonly detail: string }> {}

/** What was told to stop, in the middle of it. */
export class Stopped extends Data.TaggedError("Stopped")<{ readonly code: string; readonly detail: string }> {}

/**
 * Says how far it came when `self` ends before its time. A stop that was asked for becomes a failure, for what is
 * incomplete did not succeed.
 */
export const untilStopped =
  (howFar: () => string) =>
  <A, E, R>(self: Effect.Effect<A, E, R>) =>
    Effect.onError(self, (cause) => {
      const detail = `Stopped: ${howFar()}`
      return Effect.andThen(
        Console.error(detail),
        Cause.hasInterruptsOnly(cause) ? Effect.die(new Stopped({ code: "stopped", detail })) : Effect.void
      )
    })

/** Bytes to read. */
export interface Source {
  readonly chunks: AsyncIterable<Uint8Array>
  /** What part of all there is, from 0 to 1, lies before this byte; undefined when nobody knows. */
  readonly partOf: (until: number) => number | undefined
}

/** The name that means the standard input, or the standard output. */
export const standard = "-"

const messages: { readonly [code: string]: string } = {
  ENOENT: "There is no such file.",
  EACCES: "The file may not be read.",
  EISDIR: "This is a folder."
}

/** What went wrong with a file, for its user. */
export const refusalOf = (path: string, error: unknown): FileRefused => {
  if (error instanceof FileRefused) return error
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  const reason = messages[code] ?? (error instanceof Error ? error.message : String(error))
  return new FileRefused({ code: "file_refused", detail: `${path}: ${reason}` })
}

/** Whether an error of the file system has this code. */
export const isCode = (error: unknown, code: string): boolean =>
  Predicate.hasProperty(error, "code") && error.code === code

/** The answer of `use`; undefined when a file is not there. */
export const ifThere = async <A>(use: () => Promise<A>): Promise<A | undefined> => {
  try {
    return await use()
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined
    throw error
  }
}

/** Does something with a file. */
export const attempt = <A>(path: string, use: () => Promise<A>): Effect.Effect<A, FileRefused> =>
  Effect.tryPromise({ try: use, catch: (error) => refusalOf(path, error) })

/** The SHA-256 of a file's bytes, in hex: whether it is the same file. */
export const fingerprint = (path: string): Effect.Effect<string, FileRefused> =>
  attempt(path, async () => {
    const hash = createHash("sha256")
    for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(chunk as Uint8Array)
    return hash.digest("hex")
  })

/** Whether a file of this name is packed with gzip. */
export const isPacked = (path: string): boolean => /\.gz$/i.test(path)

const utf16 = (first: Uint8Array) =>
  (first[0] === 0xff && first[1] === 0xfe) || (first[0] === 0xfe && first[1] === 0xff)

const hasMark = (first: Uint8Array) => first[0] === 0xef && first[1] === 0xbb && first[2] === 0xbf

/** Without the byte order mark; refuses UTF-16. */
async function* unmarked(path: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let begun: Uint8Array | undefined = new Uint8Array(0)
  for await (const chunk of chunks) {
    if (begun === undefined) {
      yield chunk
      continue
    }
    begun = Buffer.concat([begun, chunk])
    if (begun.length < 3) continue
    if (utf16(begun)) {
      throw new FileRefused({
        code: "invalid_encoding",
        detail: `${path}: The file is UTF-16. Save it as UTF-8 and try again.`
      })
    }
    yield hasMark(begun) ? begun.subarray(3) : begun
    begun = undefined
  }
  if (begun !== undefined) yield begun
}

/** Opens a file, unpacking one whose name ends with `.gz`; `-` is the standard input. */
export const open = (path: string): Effect.Effect<Source, FileRefused> =>
  attempt(path, async (): Promise<Source> => {
    if (path === standard) return { chunks: unmarked(path, process.stdin), partOf: () => undefined }
    const { size } = await stat(path)
    const file = createReadStream(path, { highWaterMark: 256 * 1024 })
    if (!isPacked(path)) return { chunks: unmarked(path, file), partOf: (until) => until / Math.max(1, size) }
    // What goes wrong with the file is told by the end of the pipe.
    const unpacked: AsyncIterable<Uint8Array> = pipeline(file, createGunzip(), () => undefined)
    return { chunks: unmarked(path, unpacked), partOf: () => file.bytesRead / Math.max(1, size) }
  })
