/**
 * Looks whether a store that was full has room again, and how much the file store has. Looking writes nothing that stays: on the server of
 * the database a temporary file that is larger than what one write needs.
 */
import { Context, Effect, Layer, Schedule } from "effect"
import { Database } from "../platform/db/Database.ts"
import { takesTemporaryFile } from "../platform/db/TemporaryFile.ts"
import { FileStore } from "../platform/fileStore/FileStore.ts"
import { CurrentStorageSpace, hasRoom } from "../platform/StorageSpace.ts"
import { onWallClock } from "../platform/Time.ts"

/** How often a full store is looked at. */
export const LookInterval = Context.Reference<number>("process/StorageWatch/LookInterval", {
  defaultValue: () => 2000
})

/** A file store with less is full: it has no room for the largest file. */
const minRoom = 128 * 1024 * 1024

/** Watches the stores for as long as the layer lives. */
export const layer: Layer.Layer<never, never, Database | FileStore> = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* Database
    const files = yield* FileStore
    const space = yield* CurrentStorageSpace
    const look = Effect.gen(function* () {
      if (space.isFull("database") && (yield* takesTemporaryFile(sql))) yield* hasRoom("database")
      if (!space.isFull("files")) return
      const room = yield* files.space
      if (room !== undefined && room.available >= minRoom) yield* hasRoom("files")
    })
    yield* look.pipe(
      Effect.repeat(Schedule.spaced(yield* LookInterval)),
      Effect.withTracerEnabled(false),
      onWallClock,
      Effect.forkScoped
    )
  })
)
