/** The pure decision on how a deletion, restore or merge goes on (docs/behaviour/network.md#large-deletions-and-merges). */
import type { Stored } from "../../core/records/Table.ts"
import * as Id from "../../core/Id.ts"

type Record = Pick<Stored<unknown>, "deleted" | "mergedInto" | "uuid">

/** Records to continue with, by their UUIDs. */
export interface Endings {
  /** Deleted, or merged into one that was deleted since. */
  readonly deleted: ReadonlyArray<string>
  /** Living: they were restored, or were before the deletion went on. */
  readonly living: ReadonlyArray<string>
  /** Merged, by what they were merged into. */
  readonly merged: ReadonlyArray<{ readonly from: ReadonlyArray<string>; readonly to: string }>
}

/**
 * How to go on with records whose deletion or merge began. What a record was merged into may have been merged itself since, so that the
 * record redirects to another one, or deleted: then what is left goes the same way. What is left of those that live comes back.
 */
export const endingsOf = (
  type: "contact" | "company",
  ended: ReadonlyArray<Record>,
  survivors: ReadonlyArray<Record>
): Endings => {
  const living = new Set(survivors.flatMap(({ deleted, uuid }) => (deleted ? [] : [uuid])))
  const isTombstone = ({ deleted, mergedInto }: Record) => deleted || mergedInto !== null
  const tombstones = ended
    .filter(isTombstone)
    .map(({ mergedInto, uuid }) => ({ uuid, to: Id.toUuid(type, mergedInto ?? "") }))
  const groups = Map.groupBy(tombstones, ({ to }) => (to !== undefined && living.has(to) ? to : undefined))
  return {
    living: ended.flatMap((one) => (isTombstone(one) ? [] : [one.uuid])),
    deleted: (groups.get(undefined) ?? []).map(({ uuid }) => uuid),
    merged: [...groups].flatMap(([to, group]) =>
      to === undefined ? [] : [{ from: group.map(({ uuid }) => uuid), to }]
    )
  }
}
