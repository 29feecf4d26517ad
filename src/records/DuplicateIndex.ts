/** Records that look alike, found by what they have in common, however many there are. Pure. */
import type { Stored } from "./Table.ts"

interface Member<Resource> {
  readonly place: number
  readonly keys: ReadonlyArray<string>
  readonly stored: Stored<Resource>
}

/** Records by their keys, which `keysOf` tells. */
export const make = <Resource>(
  keysOf: (resource: Resource) => ReadonlyArray<string>,
  found: ReadonlyArray<Stored<Resource>>
) => {
  const members = new Map<string, Member<Resource>>()
  const byKey = new Map<string, Set<string>>()

  /** Learns how a record is now. One that is known keeps its place; a new one comes last. */
  const add = (stored: Stored<Resource>): void => {
    const { uuid } = stored
    const before = members.get(uuid)
    for (const key of before?.keys ?? []) byKey.get(key)?.delete(uuid)
    const keys = keysOf(stored.resource)
    members.set(uuid, { place: before?.place ?? members.size, keys, stored })
    for (const key of keys) {
      const same = byKey.get(key)
      if (same === undefined) byKey.set(key, new Set([uuid]))
      else same.add(uuid)
    }
  }
  found.forEach(add)

  /** The records that have one of these keys, in the order in which they became known. */
  const find = (keys: ReadonlyArray<string>): ReadonlyArray<Stored<Resource>> =>
    [...new Set(keys.flatMap((key) => [...(byKey.get(key) ?? [])]))]
      .flatMap((uuid) => members.get(uuid) ?? [])
      .sort((a, b) => a.place - b.place)
      .map(({ stored }) => stored)

  return { add, find }
}
