/** Copies of stored content on the local disk, for what reads a file more than once or out of order. */
import { Effect, Stream } from "effect"
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FileStoreFailure } from "../../platform/fileStore/FileStore.ts"

/** What the names of their folders begin with. */
const prefix = "property-network-import-"

/** A copy under this name, in a folder of its own that only this user can read, until the scope ends. */
export const temporaryCopy = Effect.fnUntraced(function* (
  content: Stream.Stream<Uint8Array, FileStoreFailure>,
  name: string
) {
  const folder = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), prefix))),
    (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
  )
  const file = join(folder, name)
  const bytes = yield* Stream.toAsyncIterableEffect(content)
  yield* Effect.tryPromise({
    try: () => writeFile(file, bytes, { mode: 0o600 }),
    catch: (cause) => new FileStoreFailure({ operation: "read", cause })
  })
  return { folder, file }
})

/** Removes the copies from before `until` of processes that were killed before they could. */
export const removeAbandonedCopies = (until: Date): Effect.Effect<void> =>
  Effect.promise(async () => {
    for (const name of await readdir(tmpdir())) {
      if (!name.startsWith(prefix)) continue
      const path = join(tmpdir(), name)
      // Another process may have removed it since.
      const found = await stat(path).catch(() => undefined)
      if (found !== undefined && found.mtime < until) await rm(path, { recursive: true, force: true })
    }
  })
