/** A file store in memory, for tests. */
import { Clock, Effect, Layer, Stream } from "effect"
import { type Driver, FileStore, FileStoreFailure, type ObjectKey } from "./FileStore.ts"

interface StoredObject {
  readonly key: ObjectKey
  readonly bytes: Uint8Array
  readonly storedAt: number
}

/** The driver of a new, empty store. */
export const make = (): Driver => {
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
export const layer: Layer.Layer<FileStore> = Layer.effect(
  FileStore,
  Effect.sync(() => FileStore.make(make()))
)
