/** Where the content of files is kept: out of the database, under keys that nobody chooses. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Context, Data, Effect, Layer, Stream } from "effect"
import { createHash } from "node:crypto"
import type { ByteRange } from "../../usecase/ByteRange.ts"
import type { Bucket } from "./FileStoreSetting.ts"

/** A content's place. Keys are UUIDs, used once; each installation has a space of its own. */
export interface Place {
  readonly space: string
  readonly key: string
}

/** What was stored: its length in bytes, and its SHA-256 in hexadecimal. */
export interface Digest {
  readonly size: number
  readonly sha256: string
}

/** The store cannot do now what it was asked: it is full, away, or has lost the content. */
export class FileStoreFailure extends Data.TaggedError("FileStoreFailure")<{
  readonly operation: string
  readonly cause: unknown
}> {
  override get message() {
    return `The store of files failed to ${this.operation}: ${String(this.cause)}`
  }
}

/** What one kind of store does. */
export interface Driver {
  /** Stores the whole content, or nothing. What is read of `content` is written before more is read. */
  readonly write: <E, R>(
    place: Place,
    content: Stream.Stream<Uint8Array, E, R>
  ) => Effect.Effect<void, E | FileStoreFailure, R>
  readonly read: (place: Place, range: ByteRange | undefined) => Stream.Stream<Uint8Array, FileStoreFailure>
  /** Removes a content, if it is there. */
  readonly remove: (place: Place) => Effect.Effect<void, FileStoreFailure>
  /** The keys of a space whose content was stored before a moment. */
  readonly list: (space: string, before: Date) => Stream.Stream<string, FileStoreFailure>
  /** Removes what was begun in a space before a moment and never finished. */
  readonly removeUnfinished: (space: string, before: Date) => Effect.Effect<void, FileStoreFailure>
}

/** How long the next bytes of a content may take to come out of the store, and a clean-up may take. */
const patience = "10 seconds"

const late = (operation: string) => () => Effect.fail(new FileStoreFailure({ operation, cause: "no answer in time" }))

/** The store of files. */
export class FileStore extends Context.Service<
  FileStore,
  Omit<Driver, "write"> & {
    /** Stores the whole content, or nothing, and says what it was. */
    readonly put: <E, R>(
      place: Place,
      content: Stream.Stream<Uint8Array, E, R>
    ) => Effect.Effect<Digest, E | FileStoreFailure, R>
  }
>()("files/store/FileStore") {
  /** A store that is kept by a driver. */
  static readonly make = (driver: Driver): FileStore["Service"] => ({
    put: <E, R>(place: Place, content: Stream.Stream<Uint8Array, E, R>) =>
      Effect.suspend(() => {
        const hash = createHash("sha256")
        let size = 0
        const measured = Stream.map(content, (bytes) => {
          hash.update(bytes)
          size += bytes.length
          return bytes
        })
        return Effect.map(driver.write(place, measured), (): Digest => ({ size, sha256: hash.digest("hex") }))
      }).pipe(
        // What cannot be removed now, the sweep will find.
        Effect.onError(() =>
          Effect.ignore(Effect.timeoutOrElse(driver.remove(place), { duration: patience, orElse: late("remove") }))
        )
      ),
    read: (place, range) =>
      Stream.transformPull(driver.read(place, range), (pull) =>
        Effect.succeed(Effect.timeoutOrElse(pull, { duration: patience, orElse: late("read") }))
      ),
    remove: driver.remove,
    list: driver.list,
    removeUnfinished: driver.removeUnfinished
  })

  /** A folder of this machine; it is made when it is not there. */
  static readonly layerFolder = (path: string): Layer.Layer<FileStore> =>
    Layer.effect(
      FileStore,
      Effect.flatMap(
        Effect.promise(() => import("./Folder.ts")),
        (folder) => Effect.map(folder.make(path), FileStore.make)
      )
    ).pipe(Layer.provide(NodeFileSystem.layer))

  /** A bucket of an S3-compatible service; the credentials are those of the environment. */
  static readonly layerS3 = (bucket: Bucket): Layer.Layer<FileStore> =>
    Layer.effect(
      FileStore,
      // Loaded when asked for: most installations have no bucket.
      Effect.flatMap(
        Effect.promise(() => import("./S3.ts")),
        (s3) => Effect.map(s3.make(bucket), FileStore.make)
      )
    )

  /** This process's memory, for tests. */
  static readonly layerMemory: Layer.Layer<FileStore> = Layer.effect(
    FileStore,
    Effect.map(
      Effect.promise(() => import("./Memory.ts")),
      (memory) => FileStore.make(memory.make())
    )
  )
}
