/** An index of records by the keys that duplicates share, such as an e-mail address. In memory. */
import type { Stored } from "./Table.ts"

interface Indexed<Resource> {
  readonly position: number
  readonly keys: ReadonlyArray<string>
  readonly stored: Stored<Resource>
}

/** Indexes these records; `keysOf` returns the keys of one. */
export const make = <Resource>(
  keysOf: (resource: Resource) => ReadonlyArray<string>,
  found: ReadonlyArray<Stored<Resource>>
) => {
  const records = new Map<string, Indexed<Resource>>()
  const byKey = new Map<string, Set<string>>()

  /** Adds a record, or replaces it: then it keeps its position. */
  const add = (stored: Stored<Resource>): void => {
    const { uuid } = stored
    const before = records.get(uuid)
    for (const key of before?.keys ?? []) byKey.get(key)?.delete(uuid)
    const keys = keysOf(stored.resource)
    records.set(uuid, { position: before?.position ?? records.size, keys, stored })
    for (const key of keys) {
      const same = byKey.get(key)
      if (same === undefined) byKey.set(key, new Set([uuid]))
      else same.add(uuid)
    }
  }
  found.forEach(add)

  /** The records that have one of these keys, in the order in which they were added. */
  const find = (keys: ReadonlyArray<string>): ReadonlyArray<Stored<Resource>> =>
    [...new Set(keys.flatMap((key) => [...(byKey.get(key) ?? [])]))]
      .flatMap((uuid) => records.get(uuid) ?? [])
      .sort((a, b) => a.position - b.position)
      .map(({ stored }) => stored)

  return { add, find }
}
