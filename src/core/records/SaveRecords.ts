/** Saves written and deleted records with their external references and copies, in a fixed number of statements. */
import { Effect } from "effect"
import type { Actor } from "../auth/CurrentActor.ts"
import type { Change } from "../mutation/Changes.ts"
import type { ExternalRef } from "../externalRefs/ExternalRef.ts"
import type { ExternalRefsRepo, Owned } from "../externalRefs/ExternalRefsRepo.ts"
import { ConcurrencyConflict } from "../usecase/Problem.ts"
import {
  type DenormalizedCopies,
  type DeletableKind,
  fieldsOf,
  type RecordKind,
  type WrittenKind
} from "./RecordKind.ts"
import { leftBy } from "./Steps.ts"
import type { AnyFields, AnyResource, NextVersion, Stored } from "./Table.ts"

/** Records to save. */
export interface UnsavedRecords<Fields> {
  readonly versions: ReadonlyArray<NextVersion<Fields>>
  /** The references of those records whose references changed. */
  readonly refs: ReadonlyArray<Owned>
  /** The UUIDs of the records whose copied members changed, by who changed them, so that their copies in other tables must be updated. */
  readonly withChangedCopiedMembers?: ReadonlyMap<Actor, ReadonlyArray<string>>
}

/** A kind of records that are saved; others may hold copies of them. */
type SavedKind<Fields extends AnyFields, Resource> = Pick<RecordKind<Fields, Resource>, "repo" | "type"> & {
  readonly denormalizedCopies?: DenormalizedCopies<Fields>
}

/**
 * Inserts new records and updates the others. Fails when another transaction wrote one of them since it was loaded, or took one
 * of their references.
 */
export const save = Effect.fnUntraced(function* <Fields extends AnyFields, Resource>(
  { denormalizedCopies, repo, type }: SavedKind<Fields, Resource>,
  refs: ExternalRefsRepo["Service"],
  change: Change,
  { refs: owned, versions, withChangedCopiedMembers }: UnsavedRecords<Fields>
) {
  const inserted = yield* repo.insert(
    change,
    versions.filter(({ readVersion }) => readVersion === 0)
  )
  const updated = yield* repo.update(
    change,
    versions.filter(({ readVersion }) => readVersion > 0)
  )
  const areRefsFree = yield* refs.replace({ teamId: change.actor.teamId, type }, owned)
  if (inserted + updated < versions.length || !areRefsFree) return yield* ConcurrencyConflict.of(type)
  if (denormalizedCopies === undefined) return
  for (const [actor, uuids] of withChangedCopiedMembers ?? []) {
    yield* denormalizedCopies.update({ ...change, actor }, uuids)
  }
})

/** The records that hold these references, tombstones excluded. */
export const loadHolders = Effect.fnUntraced(function* <Fields extends AnyFields, Resource>(
  { repo, type }: Pick<RecordKind<Fields, Resource>, "repo" | "type">,
  refs: ExternalRefsRepo["Service"],
  teamId: string,
  wanted: ReadonlyArray<ExternalRef>
) {
  const holders = yield* refs.holders({ teamId, type }, wanted)
  return yield* repo.findAll(teamId, [...new Set(holders.map(({ holder }) => holder))])
})

/**
 * Locks a loaded record in the transaction of `change`, and returns its latest state. Fails when it was deleted or restored since,
 * or when it is `pinned` to the loaded version and has another one.
 */
export const lockLatest = Effect.fnUntraced(function* <Fields extends AnyFields, Resource>(
  { repo, type }: Pick<RecordKind<Fields, Resource>, "repo" | "type">,
  change: Change,
  { loaded, pinned }: { readonly loaded: Stored<Resource>; readonly pinned: boolean }
): Effect.fn.Return<Stored<Resource>, ConcurrencyConflict> {
  const [latest] = yield* repo.lock(change.actor.teamId, [loaded.uuid])
  return latest === undefined || latest.deleted !== loaded.deleted || (pinned && latest.version !== loaded.version)
    ? yield* ConcurrencyConflict.of(type)
    : latest
})

/** Deletes or changes what depends on deleted records (UUIDs), as much as a step takes. */
export const stepOf =
  <Fields extends AnyFields, Resource extends AnyResource>({
    cascade,
    denormalizedCopies
  }: Pick<WrittenKind<Fields, Resource>, "cascade" | "denormalizedCopies">) =>
  (change: Change, uuids: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const left = cascade === undefined ? "nothing" : yield* cascade(change, uuids)
      return denormalizedCopies === undefined
        ? left
        : leftBy(left, yield* denormalizedCopies.removeDeleted(change, uuids))
    })

/**
 * Deletes records with what depends on them: in the version that was loaded if they are `pinned` to it, else in their latest one.
 * Fails when another transaction wrote a pinned one, deleted one, or, unless it is forced, made one undeletable in the meantime.
 */
export const deleteAll = Effect.fnUntraced(function* <
  Fields extends AnyFields,
  Resource extends AnyResource,
  Rejection
>(
  kind: WrittenKind<Fields, Resource> & Pick<DeletableKind<Fields, Resource, Rejection>, "rejectDeletions">,
  refs: ExternalRefsRepo["Service"],
  change: Change,
  {
    force,
    loaded,
    pinned
  }: { readonly loaded: ReadonlyArray<Stored<Resource>>; readonly pinned: boolean; readonly force: boolean }
) {
  const { blank, cascade, continueLater, rejectDeletions, repo, toChangeRecord, type } = kind
  if (loaded.length === 0) return
  const { teamId } = change.actor
  const uuids = loaded.map(({ uuid }) => uuid)
  // Dependents are locked before the records, as by all writers, so that writers cannot deadlock.
  const first = cascade === undefined ? "nothing" : yield* cascade(change, uuids)
  const latest = pinned ? loaded : (yield* repo.lock(teamId, uuids)).filter(({ deleted }) => !deleted)
  const versions = latest.map(({ resource, uuid, version }) => ({
    uuid,
    readVersion: version,
    version: version + 1,
    fields: fieldsOf(blank, resource)
  }))
  if (versions.length < loaded.length || (yield* repo.delete(change, versions)) < versions.length) {
    return yield* ConcurrencyConflict.of(type)
  }
  yield* refs.replace(
    { teamId, type },
    uuids.map((id) => ({ id, refs: [] }))
  )
  if (!force && rejectDeletions !== undefined && (yield* rejectDeletions(change, uuids)).size > 0) {
    return yield* ConcurrencyConflict.of(type)
  }
  // Again for dependents that were added in the meantime. From here on, nobody can add any. If a step left some, later ones take all.
  const left = first === "more" ? first : yield* stepOf(kind)(change, uuids)
  if (left === "more")
    yield* continueLater?.(change, uuids) ?? Effect.die(new Error(`${type} cannot be deleted in steps`))
  for (const { resource, uuid } of latest) change.record(toChangeRecord("deleted", resource, uuid, []))
})
