/** The file store on each kind of driver: a folder, a bucket (S3.ts) or memory; and on the one that the setting names. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as SystemUser from "../SystemUser.ts"
import { Clock, Effect, FileSystem, Layer, Option, type PlatformError, Stream } from "effect"
import { type Driver, FileStore, FileStoreFailure, type FileStoreSetting, type ObjectKey } from "./FileStore.ts"
import { statfs } from "node:fs/promises"
import { join } from "node:path"
import { SettingRefused } from "../Setting.ts"

/** The store that `setting` names. The credentials of a bucket come from the environment. */
export const layerFileStore = (setting: FileStoreSetting): Layer.Layer<FileStore> =>
  setting.kind === "folder"
    ? layerFolder(setting.path)
    : // The client of S3 is large, and most installations do not use it.
      Layer.unwrap(
        Effect.map(
          Effect.promise(() => import("./S3.ts")),
          (S3) => S3.layer(setting)
        )
      )

// A file store in a local folder: `<namespace>/<last two characters of the id>/<id>`. An object is written to
// `<namespace>/incoming`, synced, and then renamed.

const failed = (operation: string) => (cause: PlatformError.PlatformError) => new FileStoreFailure({ operation, cause })

const isNotFound = (error: PlatformError.PlatformError) => error.reason._tag === "NotFound"

const shardOf = (id: string) => id.slice(-2)

/** The driver for the folder at `path`, which it creates. Dies of a `SettingRefused` if that fails. */
export const makeFolder = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem

  /** Creates a folder with those above it. */
  const makeDirectory = Effect.fnUntraced(function* (folder: string) {
    const missing = yield* Effect.promise(() => SystemUser.missingFolders(folder))
    yield* fs.makeDirectory(folder, { recursive: true, mode: 0o700 })
    yield* Effect.promise(() => SystemUser.handOver(...missing))
  })

  yield* makeDirectory(path).pipe(
    Effect.mapError(
      (error) => new SettingRefused({ variable: "FILE_STORE", reason: `${path} cannot be used: ${error.message}` })
    ),
    Effect.orDie
  )

  const incomingOf = (namespace: string) => join(path, namespace, "incoming")
  const folderOf = ({ id, namespace }: ObjectKey) => join(path, namespace, shardOf(id))
  const fileOf = (key: ObjectKey) => join(folderOf(key), key.id)

  /** The names in a folder; empty when the folder does not exist. */
  const entriesOf = (folder: string) =>
    fs.readDirectory(folder).pipe(
      Effect.catchIf(isNotFound, () => Effect.succeed([])),
      Effect.mapError(failed("list"))
    )

  /** Whether a file was last written before a time; false when it no longer exists. */
  const isOlder = (file: string, before: Date) =>
    fs.stat(file).pipe(
      Effect.map(({ mtime }) => Option.exists(mtime, (time) => time < before)),
      Effect.catchIf(isNotFound, () => Effect.succeed(false)),
      Effect.mapError(failed("list"))
    )

  // Some systems cannot sync a folder, and keep its entries without it.
  const syncFolder = (folder: string) =>
    Effect.ignore(Effect.scoped(Effect.flatMap(fs.open(folder, { flag: "r" }), (opened) => opened.sync)))

  const write: Driver["write"] = (key, content) =>
    Effect.scoped(
      Effect.gen(function* () {
        const draft = join(incomingOf(key.namespace), key.id)
        const fails = Effect.mapError(failed("write"))
        for (const folder of [incomingOf(key.namespace), folderOf(key)]) {
          yield* fails(makeDirectory(folder))
        }
        // Has no effect after the rename.
        yield* Effect.addFinalizer(() => Effect.ignore(fs.remove(draft, { force: true })))
        const file = yield* fails(fs.open(draft, { flag: "wx", mode: 0o600 }))
        yield* Effect.tryPromise({
          try: () => SystemUser.handOver(draft),
          catch: (cause) => new FileStoreFailure({ operation: "write", cause })
        })
        yield* Stream.runForEach(content, (bytes) => fails(file.writeAll(bytes)))
        yield* fails(file.sync)
        yield* fails(fs.rename(draft, fileOf(key)))
        // The first object of a namespace or shard also creates its folder, whose name the parent must keep.
        for (const folder of [folderOf(key), join(path, key.namespace), path]) yield* syncFolder(folder)
      })
    )

  const driver: Driver = {
    write,
    read: (key, range) =>
      fs
        .stream(
          fileOf(key),
          range === undefined ? {} : { offset: range.first, bytesToRead: range.last - range.first + 1 }
        )
        .pipe(Stream.mapError(failed("read"))),
    remove: (key) =>
      fs.remove(fileOf(key)).pipe(
        Effect.catchIf(isNotFound, () => Effect.void),
        Effect.mapError(failed("remove"))
      ),
    list: (namespace, before) =>
      Stream.fromIterableEffect(entriesOf(join(path, namespace))).pipe(
        Stream.filter((shard) => /^[0-9a-f]{2}$/.test(shard)),
        Stream.mapEffect((shard) => Effect.map(entriesOf(join(path, namespace, shard)), (ids) => ({ shard, ids }))),
        Stream.flatMap(({ ids, shard }) =>
          Stream.fromIterable(ids).pipe(Stream.filterEffect((id) => isOlder(join(path, namespace, shard, id), before)))
        )
      ),
    space: Effect.promise(() =>
      statfs(path).then(
        ({ bavail, blocks, bsize }) => ({ size: blocks * bsize, available: bavail * bsize }),
        () => undefined
      )
    ),
    removeUnfinished: Effect.fnUntraced(function* (namespace: string, before: Date) {
      for (const name of yield* entriesOf(incomingOf(namespace))) {
        const draft = join(incomingOf(namespace), name)
        if (yield* isOlder(draft, before)) {
          yield* Effect.mapError(fs.remove(draft, { force: true }), failed("remove"))
        }
      }
    })
  }
  return driver
})

/** The store in the folder at `path`. */
export const layerFolder = (path: string): Layer.Layer<FileStore> =>
  Layer.effect(FileStore, Effect.map(makeFolder(path), FileStore.make)).pipe(Layer.provide(NodeFileSystem.layer))

// A file store in memory, for tests.

interface StoredObject {
  readonly key: ObjectKey
  readonly bytes: Uint8Array
  readonly storedAt: number
}

/** The driver of a new, empty store. */
export const makeMemory = (): Driver => {
  const objects = new Map<string, StoredObject>()
  const pathOf = ({ id, namespace }: ObjectKey) => `${namespace}/${id}`
  return {
    write: Effect.fnUntraced(function* (key, content) {
      const chunks = yield* Stream.runCollect(content)
      const storedAt = yield* Clock.currentTimeMillis
      objects.set(pathOf(key), { key, bytes: new Uint8Array(Buffer.concat(chunks)), storedAt })
    }),
    read: (key, range) =>
      Stream.suspend(() => {
        const found = objects.get(pathOf(key))
        if (found === undefined) return Stream.fail(new FileStoreFailure({ operation: "read", cause: "not found" }))
        const bytes = range === undefined ? found.bytes : found.bytes.subarray(range.first, range.last + 1)
        return bytes.length === 0 ? Stream.empty : Stream.make(bytes)
      }),
    remove: (key) => Effect.sync(() => void objects.delete(pathOf(key))),
    list: (namespace, before) =>
      Stream.suspend(() =>
        Stream.fromIterable(
          [...objects.values()]
            .filter(({ key, storedAt }) => key.namespace === namespace && storedAt < before.getTime())
            .map(({ key }) => key.id)
        )
      ),
    // Nothing to remove: `write` stores the bytes only after the whole stream was read.
    removeUnfinished: () => Effect.void
  }
}

/** A new, empty store. */
export const layerMemory: Layer.Layer<FileStore> = Layer.effect(
  FileStore,
  Effect.sync(() => FileStore.make(makeMemory()))
)
