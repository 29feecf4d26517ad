/**
 * Where the content of files is kept: outside the database, as objects, one for each file, of which downloads read byte ranges (RFC 9110
 * §14: docs/behaviour/timelines-notes-files.md#downloads). `Drivers.ts` chooses the driver by the setting `FILE_STORE`.
 */
import { Context, Data, Effect, Result, Stream } from "effect"
import { createHash } from "node:crypto"
import { flag, type Parsed, webAddress } from "../Setting.ts"

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
  /** The bytes of its disk: all, and those that are left. Undefined where nobody knows, as of a bucket. */
  readonly space?: Effect.Effect<Room | undefined>
}

/** The size of a disk in bytes, and what is left of it. */
export interface Room {
  readonly size: number
  readonly available: number
}

/** The limit for the next chunk of a read, and for the removal after a failed write. */
const operationTimeout = "10 seconds"

const timedOut = (operation: string) => () =>
  Effect.fail(new FileStoreFailure({ operation, cause: "no answer in time" }))

/** The file store. */
export class FileStore extends Context.Service<
  FileStore,
  Required<Omit<Driver, "write">> & {
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
    removeUnfinished: driver.removeUnfinished,
    space: driver.space ?? Effect.undefined
  })
}

// The setting `FILE_STORE`.

/** A bucket of an S3-compatible service. */
export interface Bucket {
  readonly name: string
  readonly region: string
  /** The base URL of the service; defaults to Amazon's. */
  readonly endpoint: string | undefined
  /** The prefix of all keys: empty, or ending with a slash. */
  readonly prefix: string
  /** Whether requests name the bucket in the path instead of the host name. */
  readonly forcePathStyle: boolean
}

/** A local folder, or a bucket. */
export type FileStoreSetting =
  | { readonly kind: "folder"; readonly path: string }
  | ({ readonly kind: "bucket" } & Bucket)

const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const bucketParameters = ["region", "endpoint", "prefix", "forcePathStyle"]

const parseBucket = (text: string): Parsed<FileStoreSetting> => {
  const url = URL.parse(text)
  // The message does not quote the value, which may contain a password.
  if (url === null || url.username !== "" || url.password !== "") {
    return Result.fail(
      "must be s3://BUCKET?region=REGION; the credentials come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
    )
  }
  if (!bucketName.test(url.host)) return Result.fail(`"${url.host}" is not a valid bucket name`)
  if (url.pathname !== "" && url.pathname !== "/") {
    return Result.fail(`has a path after the bucket: write it as ?prefix=${url.pathname.replace(/^\//, "")}`)
  }
  const unknown = [...url.searchParams.keys()].find((name) => !bucketParameters.includes(name))
  if (unknown !== undefined) return Result.fail(`has no parameter "${unknown}", only ${bucketParameters.join(", ")}`)
  const endpoint = url.searchParams.get("endpoint") ?? undefined
  const address = endpoint === undefined ? undefined : webAddress(endpoint)
  if (address !== undefined && Result.isFailure(address)) return Result.fail(`its endpoint ${address.failure}`)
  const region = url.searchParams.get("region") ?? (endpoint === undefined ? "" : "us-east-1")
  if (!/^[a-z0-9-]+$/.test(region)) return Result.fail("needs a region, such as ?region=eu-central-1")
  const pathStyle = flag(url.searchParams.get("forcePathStyle") ?? "false")
  if (Result.isFailure(pathStyle)) return Result.fail(`its forcePathStyle ${pathStyle.failure}`)
  const prefix = (url.searchParams.get("prefix") ?? "").replaceAll(/^\/+|\/+$/g, "")
  return Result.succeed({
    kind: "bucket",
    name: url.host,
    region,
    endpoint: address?.success,
    prefix: prefix === "" ? "" : `${prefix}/`,
    forcePathStyle: pathStyle.success
  })
}

/** Parses `FILE_STORE`: a folder, or `s3://BUCKET?region=REGION`. */
export const parseFileStore = (text: string): Parsed<FileStoreSetting> => {
  if (/^s3:\/\//i.test(text)) return parseBucket(text)
  return text.includes("://")
    ? Result.fail("must be a folder, or a bucket such as s3://files?region=eu-central-1")
    : Result.succeed({ kind: "folder", path: text })
}
