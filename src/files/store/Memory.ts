/** A file store in memory, for tests. */
import { Clock, Effect, Layer, Stream } from "effect"
import { type ContentKey, type Driver, FileStore, FileStoreFailure } from "./FileStore.ts"

interface Content {
  readonly key: ContentKey
  readonly bytes: Uint8Array
  readonly storedAt: number
}

/** The driver of a new, empty store. */
export const make = (): Driver => {
  const contents = new Map<string, Content>()
  const pathOf = ({ id, namespace }: ContentKey) => `${namespace}/${id}`
  return {
    write: Effect.fnUntraced(function* (key, content) {
      const chunks = yield* Stream.runCollect(content)
      const storedAt = yield* Clock.currentTimeMillis
      contents.set(pathOf(key), { key, bytes: new Uint8Array(Buffer.concat(chunks)), storedAt })
    }),
    read: (key, range) =>
      Stream.suspend(() => {
        const found = contents.get(pathOf(key))
        if (found === undefined) return Stream.fail(new FileStoreFailure({ operation: "read", cause: "not found" }))
        const bytes = range === undefined ? found.bytes : found.bytes.subarray(range.first, range.last + 1)
        return bytes.length === 0 ? Stream.empty : Stream.make(bytes)
      }),
    remove: (key) => Effect.sync(() => void contents.delete(pathOf(key))),
    list: (namespace, before) =>
      Stream.suspend(() =>
        Stream.fromIterable(
          [...contents.values()]
            .filter(({ key, storedAt }) => key.namespace === namespace && storedAt < before.getTime())
            .map(({ key }) => key.id)
        )
      ),
    // A content is added only when it is complete.
    removeUnfinished: () => Effect.void
  }
}

/** A new, empty store. */
export const layer: Layer.Layer<FileStore> = Layer.effect(
  FileStore,
  Effect.sync(() => FileStore.make(make()))
)
