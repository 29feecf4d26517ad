/**
 * The other records that a write depends on: the contact that has the same e-mail address, the company that must exist. At the end, an
 * index of those.
 */
import type { QuotaExceeded } from "../quotas/Quota.ts"
import type { Fault } from "../usecase/Problem.ts"
import { maxAlike } from "./EarlierRows.ts"
import type { AnyResource, Stored } from "./Table.ts"

/** A write that is about to be made. */
export interface IntendedWrite<Fields> {
  readonly fields: Fields
  /** The record that exists already; undefined for a new one. */
  readonly uuid: string | undefined
  /** The members whose value changes; all of them for a new record. */
  readonly changed: ReadonlyArray<keyof Fields & string>
  /** Whether to write in spite of possible duplicates. */
  readonly force: boolean
  /** Of a record that is restored: when it was deleted. */
  readonly deletedUtc?: string | null
}

/**
 * Whether a possible duplicate stands in the way of a write: of a restore only one that was written since the deletion, because the others
 * were there beside the record.
 */
export const isInTheWay = (
  { deletedUtc, uuid }: Pick<IntendedWrite<never>, "deletedUtc" | "uuid">,
  { resource: { changeType, updatedUtc }, uuid: other }: Stored<AnyResource>
): boolean =>
  other !== uuid && (typeof deletedUtc !== "string" || (changeType !== "restored" && updatedUtc >= deletedUtc))

/**
 * Checks writes against other records, which were loaded once for all writes of a transaction, and locked as far as they
 * matter. `onWritten` adds each write, so that the next ones are checked against it.
 */
export interface WriteContext<Fields, Resource, Rejection = never> {
  /** The faults of references to other records (400). */
  readonly faultsOf: (write: IntendedWrite<Fields>) => ReadonlyArray<Fault>
  /** The conflict with another record (409). */
  readonly findConflict?: (write: IntendedWrite<Fields>) => Rejection | undefined
  /** The record that an upserted item without id and known references means, as the pair of a link does. */
  readonly findMatch?: (fields: Fields) => Stored<Resource> | undefined
  /** The records that have one of these keys (`Identity.keysOf`), in the order of their creation. */
  readonly findByKeys?: (keys: ReadonlyArray<string>) => ReadonlyArray<Stored<Resource>>
  /** The tombstone that a new record with these members restores. */
  readonly findTombstone?: (fields: Fields) => Stored<Resource> | undefined
  /** The quota of another record that a new record with these members, or one that is restored, exceeds (409). */
  readonly findExceeded?: (fields: Fields) => QuotaExceeded | undefined
  readonly onWritten?: (stored: Stored<Resource>) => void
}

/** How a write context is used. */
export interface WriteContextOptions {
  /** The number of writes. It can be smaller than that of the wanted states: an item of a batch may lead to one of several. */
  readonly writes: number
  /** Whether items may mean records by their members alone, as rows of files do. */
  readonly matchByMembers: boolean
}

/**
 * How many possible duplicates to load for each address or domain: the ten that a problem lists, and one for each write, since the
 * written records may be among them. A row of a file is compared with the names of more.
 */
export const maxCandidates = ({ matchByMembers, writes }: WriteContextOptions) =>
  matchByMembers ? maxAlike : 10 + writes

// An index of records by the keys that duplicates share, such as an e-mail address. In memory.

interface Indexed<Resource> {
  readonly position: number
  readonly keys: ReadonlyArray<string>
  readonly stored: Stored<Resource>
}

/** Indexes these records; `keysOf` returns the keys of one. */
export const makeDuplicateIndex = <Resource>(
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
