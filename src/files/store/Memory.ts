/** A store in this process's memory, for tests: gone with it. */
import { Clock, Effect, Stream } from "effect"
import { type Driver, FileStoreFailure, type Place } from "./FileStore.ts"

interface Kept {
  readonly place: Place
  readonly bytes: Uint8Array
  readonly at: number
}

/** A new, empty store. */
export const make = (): Driver => {
  const kept = new Map<string, Kept>()
  const idOf = ({ key, space }: Place) => `${space}/${key}`
  return {
    write: Effect.fnUntraced(function* (place, content) {
      const chunks = yield* Stream.runCollect(content)
      const at = yield* Clock.currentTimeMillis
      kept.set(idOf(place), { place, bytes: new Uint8Array(Buffer.concat(chunks)), at })
    }),
    read: (place, range) =>
      Stream.suspend(() => {
        const found = kept.get(idOf(place))
        if (found === undefined)
          return Stream.fail(new FileStoreFailure({ operation: "read", cause: "it is not there" }))
        const bytes = range === undefined ? found.bytes : found.bytes.subarray(range.first, range.last + 1)
        return bytes.length === 0 ? Stream.empty : Stream.make(bytes)
      }),
    remove: (place) => Effect.sync(() => void kept.delete(idOf(place))),
    list: (space, before) =>
      Stream.suspend(() =>
        Stream.fromIterable(
          [...kept.values()]
            .filter(({ at, place }) => place.space === space && at < before.getTime())
            .map(({ place }) => place.key)
        )
      ),
    // Nothing is there before it is whole.
    removeUnfinished: () => Effect.void
  }
}
