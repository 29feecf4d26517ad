/**
 * A file store in a local folder: `<namespace>/<last two characters of the id>/<id>`. An object is written to
 * `<namespace>/incoming`, synced, and then renamed.
 */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Effect, FileSystem, Layer, Option, type PlatformError, Stream } from "effect"
import { join } from "node:path"
import { SettingRefused } from "../Setting.ts"
import { type Driver, FileStore, FileStoreFailure, type ObjectKey } from "./FileStore.ts"

const failed = (operation: string) => (cause: PlatformError.PlatformError) => new FileStoreFailure({ operation, cause })

const isNotFound = (error: PlatformError.PlatformError) => error.reason._tag === "NotFound"

const shardOf = (id: string) => id.slice(-2)

/** The driver for the folder at `path`, which it creates. Dies of a `SettingRefused` if that fails. */
export const make = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  yield* fs.makeDirectory(path, { recursive: true, mode: 0o700 }).pipe(
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
          yield* fails(fs.makeDirectory(folder, { recursive: true, mode: 0o700 }))
        }
        // Has no effect after the rename.
        yield* Effect.addFinalizer(() => Effect.ignore(fs.remove(draft, { force: true })))
        const file = yield* fails(fs.open(draft, { flag: "wx", mode: 0o600 }))
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
export const layer = (path: string): Layer.Layer<FileStore> =>
  Layer.effect(FileStore, Effect.map(make(path), FileStore.make)).pipe(Layer.provide(NodeFileSystem.layer))
