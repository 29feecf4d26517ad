/** Where the content of files is kept, and the byte ranges of downloads (RFC 9110 §14): docs/behaviour/timelines-notes-files.md#downloads. */
import { Context, Data, Effect, Stream } from "effect"
import { createHash } from "node:crypto"

/** Byte ranges of downloads (RFC 9110 §14): docs/behaviour/timelines-notes-files.md#downloads. */

/** The first and last byte of a range, counted from 0, both included. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

const single = /^bytes=[ \t]*(?:(\d+)-(\d*)|-(\d+))[ \t]*$/i

/**
 * The range that `Range` selects of `size` bytes; undefined means all of them. A header with several ranges, another unit or
 * a syntax error is ignored, as §14.2 permits.
 */
export const parseRange = (header: string | undefined, size: number): ByteRange | "unsatisfiable" | undefined => {
  const [match, from = "", to = "", suffix] = single.exec(header?.trim() ?? "") ?? []
  if (match === undefined) return undefined
  if (suffix !== undefined) {
    const length = Number(suffix)
    if (length === 0) return "unsatisfiable"
    // Empty content has no first byte, so it is sent completely.
    return size === 0 ? undefined : { first: Math.max(0, size - length), last: size - 1 }
  }
  const first = Number(from)
  const last = to === "" ? Infinity : Number(to)
  if (last < first) return undefined
  return first >= size ? "unsatisfiable" : { first, last: Math.min(last, size - 1) }
}

/**
 * Whether `Range` applies: with `If-Range`, only if the content has that ETag. A date never matches, because downloads have no
 * `Last-Modified`.
 */
export const isRangeApplicable = (etag: string, ifRange: string | undefined): boolean =>
  ifRange === undefined || ifRange.trim() === etag

// Stores the content of files outside the database, as objects: one for each file. `FileStoreLayer.ts` chooses the driver.

/** The key of an object. Ids are UUIDs and never reused; each installation has its own namespace. */
export interface ObjectKey {
  readonly namespace: string
  readonly id: string
}

/** The length of an object in bytes, and its SHA-256 in hexadecimal. */
export interface Digest {
  readonly size: number
  readonly sha256: string
}

/** An operation of the store failed: the store is full or unreachable, or has lost the object. */
export class FileStoreFailure extends Data.TaggedError("FileStoreFailure")<{
  readonly operation: string
  readonly cause: unknown
}> {
  override get message() {
    return `The file store failed to ${this.operation}: ${String(this.cause)}`
  }
}

/** The operations that each kind of store implements. */
export interface Driver {
  /** Stores an object whole, or nothing. Writes each chunk of `content` before it reads the next. */
  readonly write: <E, R>(
    key: ObjectKey,
    content: Stream.Stream<Uint8Array, E, R>
  ) => Effect.Effect<void, E | FileStoreFailure, R>
  readonly read: (key: ObjectKey, range: ByteRange | undefined) => Stream.Stream<Uint8Array, FileStoreFailure>
  /** Removes an object. Succeeds when there is none. */
  readonly remove: (key: ObjectKey) => Effect.Effect<void, FileStoreFailure>
  /** The ids of the objects of a namespace that were stored before a time. */
  readonly list: (namespace: string, before: Date) => Stream.Stream<string, FileStoreFailure>
  /** Removes the unfinished writes of a namespace that began before a time. */
  readonly removeUnfinished: (namespace: string, before: Date) => Effect.Effect<void, FileStoreFailure>
}

/** The limit for the next chunk of a read, and for the removal after a failed write. */
const operationTimeout = "10 seconds"

const timedOut = (operation: string) => () =>
  Effect.fail(new FileStoreFailure({ operation, cause: "no answer in time" }))

/** The file store. */
export class FileStore extends Context.Service<
  FileStore,
  Omit<Driver, "write"> & {
    /** Stores an object whole, or nothing, and returns its digest. */
    readonly put: <E, R>(
      key: ObjectKey,
      content: Stream.Stream<Uint8Array, E, R>
    ) => Effect.Effect<Digest, E | FileStoreFailure, R>
  }
>()("platform/fileStore/FileStore") {
  /** A store on a driver. */
  static readonly make = (driver: Driver): FileStore["Service"] => ({
    put: <E, R>(key: ObjectKey, content: Stream.Stream<Uint8Array, E, R>) =>
      Effect.suspend(() => {
        const hash = createHash("sha256")
        let size = 0
        const measured = Stream.map(content, (bytes) => {
          hash.update(bytes)
          size += bytes.length
          return bytes
        })
        return Effect.map(driver.write(key, measured), (): Digest => ({ size, sha256: hash.digest("hex") }))
      }).pipe(
        // The hourly sweep removes what remains when this removal fails.
        Effect.onError(() =>
          Effect.ignore(
            Effect.timeoutOrElse(driver.remove(key), { duration: operationTimeout, orElse: timedOut("remove") })
          )
        )
      ),
    read: (key, range) =>
      Stream.transformPull(driver.read(key, range), (pull) =>
        Effect.succeed(Effect.timeoutOrElse(pull, { duration: operationTimeout, orElse: timedOut("read") }))
      ),
    remove: driver.remove,
    list: driver.list,
    removeUnfinished: driver.removeUnfinished
  })
}
