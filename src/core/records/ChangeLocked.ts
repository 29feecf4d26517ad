/** Changes of locked records that other use-cases make inside their own transaction. Nothing is rejected. */
import { Effect } from "effect"
import type { Change } from "../mutation/Changes.ts"
import { ExternalRefsRepo } from "../externalRefs/ExternalRefsRepo.ts"
import { mergeRecords, type RecordMerge } from "./MergeRecords.ts"
import * as PendingWrites from "./PendingWrites.ts"
import type { WrittenKind } from "./RecordKind.ts"
import { deleteAll, save } from "./SaveRecords.ts"
import type { AnyFields, AnyResource, Stored } from "./Table.ts"

// A write context that accepts everything.
const acceptEverything = { faultsOf: () => [] }

/** Makes the changes. Their caller is authorized. */
export const make = Effect.fnUntraced(function* <Fields extends AnyFields, Resource extends AnyResource>(
  kind: WrittenKind<Fields, Resource>
) {
  const refs = yield* ExternalRefsRepo

  /** Locks these records (UUIDs), tombstones included, until the transaction of `change` ends. */
  const lock = (change: Change, uuids: ReadonlyArray<string>) => kind.repo.lock(change.actor.teamId, uuids)

  /** Patches locked records, and returns them in the same order. */
  const patchLocked = Effect.fnUntraced(function* (
    change: Change,
    locked: ReadonlyArray<Stored<Resource>>,
    inputOf: (stored: Stored<Resource>) => Partial<Fields>
  ) {
    const writes = PendingWrites.make(kind, change, locked)
    for (const stored of locked) {
      writes.patch(acceptEverything, stored.uuid, { input: inputOf(stored), force: true })
    }
    yield* Effect.orDie(save(kind, refs, change, writes.unsaved()))
    return locked.map((stored) => writes.get(stored.uuid) ?? stored)
  })

  /** Deletes locked records. */
  const deleteLocked = (change: Change, locked: ReadonlyArray<Stored<Resource>>) =>
    Effect.orDie(deleteAll(kind, refs, change, { loaded: locked, pinned: true, force: true }))

  /** Merges locked records into one of them: see {@link mergeRecords}. */
  const mergeLocked = (change: Change, merge: RecordMerge<Resource>) => mergeRecords(kind, refs, change, merge)

  return { lock, patchLocked, deleteLocked, mergeLocked }
})
