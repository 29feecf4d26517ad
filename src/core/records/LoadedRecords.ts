/** The records that a transaction has loaded, each as the writes so far left it, and who holds which reference. In memory. */
import { type ExternalRef, refKey } from "../externalRefs/ExternalRef.ts"
import type { AnyResource, Stored } from "./Table.ts"

/** A loaded record. */
export interface Entry<Resource> {
  /** The version in the table; 0 if the record is not in it yet. */
  readonly readVersion: number
  readonly refsInTable: ReadonlyArray<ExternalRef>
  /** The record as the writes so far left it. */
  readonly latest: Stored<Resource>
}

/** Keeps these records, as they are in the table. */
export const make = <Resource extends AnyResource>(loaded: ReadonlyArray<Stored<Resource>>) => {
  const entries = new Map<string, Entry<Resource>>()
  const holders = new Map<string, string>()

  /** Adds a record as it is in the table. */
  const add = (stored: Stored<Resource>): Entry<Resource> => {
    const refsInTable = stored.deleted ? [] : stored.resource.externalRefs
    const entry = { readVersion: stored.version, refsInTable, latest: stored }
    entries.set(stored.uuid, entry)
    for (const ref of refsInTable) holders.set(refKey(ref), stored.uuid)
    return entry
  }
  loaded.forEach(add)

  /** Replaces a record by what a write made of it. */
  const replace = (entry: Entry<Resource>, latest: Stored<Resource>): void => {
    const { uuid } = latest
    entries.set(uuid, { ...entry, latest })
    for (const key of entry.latest.resource.externalRefs.map(refKey)) {
      if (holders.get(key) === uuid) holders.delete(key)
    }
    for (const ref of latest.resource.externalRefs) holders.set(refKey(ref), uuid)
  }

  /** The records (UUIDs) that hold these references, each once. */
  const holdersOf = (refs: ReadonlyArray<ExternalRef>): ReadonlyArray<string> => [
    ...new Set(refs.flatMap((ref) => holders.get(refKey(ref)) ?? []))
  ]

  /** The first of these references that another record than `uuid` holds, with the UUID of its holder. */
  const findTaken = (refs: ReadonlyArray<ExternalRef>, uuid: string | undefined) => {
    for (const ref of refs) {
      const holder = holders.get(refKey(ref))
      if (holder !== undefined && holder !== uuid) return { ref, holder }
    }
    return undefined
  }

  return {
    add,
    replace,
    holdersOf,
    findTaken,
    get: (uuid: string): Entry<Resource> | undefined => entries.get(uuid),
    all: (): ReadonlyArray<Entry<Resource>> => [...entries.values()]
  }
}
