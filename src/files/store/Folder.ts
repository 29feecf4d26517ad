/**
 * A store in a folder of this machine: `<space>/<two characters>/<key>`. A content is written beside, in
 * `<space>/incoming`, and moved to its place when the disk has it.
 */
import { Effect, FileSystem, Option, type PlatformError, Stream } from "effect"
import { join } from "node:path"
import { SettingRefused } from "../../Setting.ts"
import { type Driver, FileStoreFailure, type Place } from "./FileStore.ts"

const failed = (operation: string) => (cause: PlatformError.PlatformError) => new FileStoreFailure({ operation, cause })

const isGone = (error: PlatformError.PlatformError) => error.reason._tag === "NotFound"

const shardOf = (key: string) => key.slice(-2)

/** The store in the folder at `path`. Dies with a `SettingRefused` when that cannot be made. */
export const make = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  yield* fs.makeDirectory(path, { recursive: true, mode: 0o700 }).pipe(
    Effect.mapError(
      (error) => new SettingRefused({ variable: "FILE_STORE", reason: `${path} cannot be used: ${error.message}` })
    ),
    Effect.orDie
  )

  const incomingOf = (space: string) => join(path, space, "incoming")
  const folderOf = ({ key, space }: Place) => join(path, space, shardOf(key))
  const fileOf = (place: Place) => join(folderOf(place), place.key)

  /** What is in a folder; nothing, when that is not there. */
  const entriesOf = (folder: string) =>
    fs.readDirectory(folder).pipe(
      Effect.catchIf(isGone, () => Effect.succeed([])),
      Effect.mapError(failed("list"))
    )

  /** Whether a file was last written before a moment; one that is gone was not. */
  const isOlder = (file: string, before: Date) =>
    fs.stat(file).pipe(
      Effect.map(({ mtime }) => Option.exists(mtime, (time) => time < before)),
      Effect.catchIf(isGone, () => Effect.succeed(false)),
      Effect.mapError(failed("list"))
    )

  // Some systems do not sync folders: there, the file system itself sees to it.
  const syncFolder = (folder: string) =>
    Effect.ignore(Effect.scoped(Effect.flatMap(fs.open(folder, { flag: "r" }), (opened) => opened.sync)))

  const write: Driver["write"] = (place, content) =>
    Effect.scoped(
      Effect.gen(function* () {
        const draft = join(incomingOf(place.space), place.key)
        const fails = Effect.mapError(failed("write"))
        for (const folder of [incomingOf(place.space), folderOf(place)]) {
          yield* fails(fs.makeDirectory(folder, { recursive: true, mode: 0o700 }))
        }
        // Once it has moved, there is nothing to remove.
        yield* Effect.addFinalizer(() => Effect.ignore(fs.remove(draft, { force: true })))
        const file = yield* fails(fs.open(draft, { flag: "wx", mode: 0o600 }))
        yield* Stream.runForEach(content, (bytes) => fails(file.writeAll(bytes)))
        yield* fails(file.sync)
        yield* fails(fs.rename(draft, fileOf(place)))
        // The first content of a folder makes it: then its own name is new as well.
        for (const folder of [folderOf(place), join(path, place.space), path]) yield* syncFolder(folder)
      })
    )

  const driver: Driver = {
    write,
    read: (place, range) =>
      fs
        .stream(
          fileOf(place),
          range === undefined ? {} : { offset: range.first, bytesToRead: range.last - range.first + 1 }
        )
        .pipe(Stream.mapError(failed("read"))),
    remove: (place) =>
      fs.remove(fileOf(place)).pipe(
        Effect.catchIf(isGone, () => Effect.void),
        Effect.mapError(failed("remove"))
      ),
    list: (space, before) =>
      Stream.fromIterableEffect(entriesOf(join(path, space))).pipe(
        Stream.filter((shard) => /^[0-9a-f]{2}$/.test(shard)),
        Stream.mapEffect((shard) => Effect.map(entriesOf(join(path, space, shard)), (keys) => ({ shard, keys }))),
        Stream.flatMap(({ keys, shard }) =>
          Stream.fromIterable(keys).pipe(Stream.filterEffect((key) => isOlder(join(path, space, shard, key), before)))
        )
      ),
    removeUnfinished: Effect.fnUntraced(function* (space: string, before: Date) {
      for (const name of yield* entriesOf(incomingOf(space))) {
        const draft = join(incomingOf(space), name)
        if (yield* isOlder(draft, before)) {
          yield* Effect.mapError(fs.remove(draft, { force: true }), failed("remove"))
        }
      }
    })
  }
  return driver
})
