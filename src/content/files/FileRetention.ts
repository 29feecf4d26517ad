/**
 * Removes files and objects of the store that are no longer needed, for jobs: docs/behaviour/timelines-notes-files.md#retention-of-files.
 */
import { Context, Effect, Layer, Stream } from "effect"
import { daysAgo, hoursAgo } from "../../platform/Time.ts"
import { isUuid } from "../../core/Id.ts"
import { FilesRepo } from "./FilesRepo.ts"
import type { discard } from "./jobs.ts"
import { Retention } from "../../platform/Retention.ts"
import { orphanHours } from "./rules.ts"
import { FileStore } from "../../platform/fileStore/FileStore.ts"

/** How many objects the sweep checks with one query. */
const sweepBatchSize = 500

const make = Effect.gen(function* () {
  const { deletedContent } = yield* Retention
  const repo = yield* FilesRepo
  const store = yield* FileStore

  /** Removes objects from the store. The sweep retries what fails here. */
  const removeObjects = Effect.fn("FileRetention.removeObjects")(function* (objectIds: ReadonlyArray<string>) {
    const namespace = yield* repo.namespace
    yield* Effect.forEach(objectIds, (id) => store.remove({ namespace, id }), { concurrency: 4, discard: true })
  })

  /** Removes those objects that no file refers to: none of the team, if they are known to be of one. */
  const removeUnreferenced = Effect.fnUntraced(function* (objectIds: ReadonlyArray<string>, teamId?: string) {
    const referenced = new Set(yield* repo.referenced(objectIds, teamId))
    yield* removeObjects(objectIds.filter((id) => !referenced.has(id)))
  })

  /** Removes the objects of deleted files, for `files/discard`. Dies when the store fails. */
  const discardObjects = Effect.fn("FileRetention.discardObjects")(
    ({ contents, teamId }: typeof discard.payload.Type) => Effect.orDie(removeUnreferenced(contents, teamId))
  )

  /** Removes up to `limit` files of subjects whose content is past its retention, and returns how many it removed. */
  const purge = Effect.fn("FileRetention.purge")(function* (limit: number) {
    const objectIds = yield* repo.purge(yield* daysAgo(deletedContent), limit)
    yield* Effect.catchTag(removeObjects(objectIds), "FileStoreFailure", (failure) =>
      Effect.logWarning("The objects of removed files stay in the store until the next sweep.", failure.cause)
    )
    return objectIds.length
  })

  /**
   * Removes objects without a row from the store: those of uploads that a crash interrupted, and those that could not
   * be removed with their files. Dies when the store fails.
   */
  const sweep = Effect.fn("FileRetention.sweep")(function* () {
    const before = yield* hoursAgo(orphanHours)
    const namespace = yield* repo.namespace
    yield* store.list(namespace, before).pipe(
      // Objects with other names in the folder or bucket belong to somebody else.
      Stream.filter(isUuid),
      Stream.grouped(sweepBatchSize),
      Stream.runForEach((objectIds) => removeUnreferenced(objectIds)),
      Effect.orDie
    )
    // Some services cannot list unfinished uploads, and remove them by themselves.
    yield* Effect.catchTag(store.removeUnfinished(namespace, before), "FileStoreFailure", (failure) =>
      Effect.logWarning("Unfinished uploads remain in the store.", failure.cause)
    )
  })

  return { discardObjects, purge, sweep }
})

/** The retention of files and their objects in the store. */
export class FileRetention extends Context.Service<FileRetention, Effect.Success<typeof make>>()(
  "content/files/FileRetention"
) {
  static readonly layer = Layer.effect(FileRetention, make).pipe(Layer.provide(FilesRepo.layer))
}
