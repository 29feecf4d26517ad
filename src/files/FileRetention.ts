/** Removes files and contents that are no longer needed, for jobs: docs/behaviour/timelines-notes-files.md#retention-of-files. */
import { Clock, Context, Effect, Layer, Stream } from "effect"
import { daysAgo } from "../fields/Time.ts"
import { FilesRepo } from "./FilesRepo.ts"
import { orphanHours, retentionDays } from "./rules.ts"
import { FileStore } from "./store/FileStore.ts"

const contentIdPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** How many contents the sweep checks with one query. */
const sweepBatchSize = 500

const make = Effect.gen(function* () {
  const repo = yield* FilesRepo
  const store = yield* FileStore

  /** Removes contents from the store. The sweep retries what fails here. */
  const removeContents = Effect.fn("FileRetention.removeContents")(function* (contentIds: ReadonlyArray<string>) {
    const namespace = yield* repo.namespace
    yield* Effect.forEach(contentIds, (id) => store.remove({ namespace, id }), { concurrency: 4, discard: true })
  })

  /** Removes the contents of deleted files, for `files/discard`. Dies when the store fails. */
  const discardContents = Effect.fn("FileRetention.discardContents")(function* (contentIds: ReadonlyArray<string>) {
    const referenced = new Set(yield* repo.referenced(contentIds))
    yield* Effect.orDie(removeContents(contentIds.filter((id) => !referenced.has(id))))
  })

  /** Removes up to `limit` files of subjects that were deleted 30 days ago, and returns how many it removed. */
  const purge = Effect.fn("FileRetention.purge")(function* (limit: number) {
    const contentIds = yield* repo.purge(yield* daysAgo(retentionDays), limit)
    yield* Effect.catchTag(removeContents(contentIds), "FileStoreFailure", (failure) =>
      Effect.logWarning("The contents of removed files stay until the next sweep.", failure.cause)
    )
    return contentIds.length
  })

  /**
   * Removes contents without a row from the store: those of uploads that a crash interrupted, and those that could not
   * be removed with their files. Dies when the store fails.
   */
  const sweep = Effect.fn("FileRetention.sweep")(function* () {
    const before = new Date((yield* Clock.currentTimeMillis) - orphanHours * 3_600_000)
    const namespace = yield* repo.namespace
    yield* store.list(namespace, before).pipe(
      // Other objects in the folder or bucket belong to somebody else.
      Stream.filter((id) => contentIdPattern.test(id)),
      Stream.grouped(sweepBatchSize),
      Stream.runForEach((ids) =>
        Effect.gen(function* () {
          const referenced = new Set(yield* repo.referenced(ids))
          yield* removeContents(ids.filter((id) => !referenced.has(id)))
        })
      ),
      Effect.orDie
    )
    // Some services cannot list unfinished uploads, and remove them by themselves.
    yield* Effect.catchTag(store.removeUnfinished(namespace, before), "FileStoreFailure", (failure) =>
      Effect.logWarning("Unfinished uploads remain in the store.", failure.cause)
    )
  })

  return { discardContents, purge, sweep }
})

/** The retention of files and their contents. */
export class FileRetention extends Context.Service<FileRetention, Effect.Success<typeof make>>()(
  "files/FileRetention"
) {
  static readonly layer = Layer.effect(FileRetention, make)
}
