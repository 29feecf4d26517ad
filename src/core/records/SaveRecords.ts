/**
 * The writes of a transaction: decided in memory, one after the other, and saved with their external references and copies in a fixed
 * number of statements.
 */
import * as Id from "../Id.ts"
import * as Transaction from "../../platform/db/Transaction.ts"
import { Effect, Result } from "effect"
import type { Actor } from "../auth/CurrentActor.ts"
import type { Change } from "../mutation/Changes.ts"
import { type ExternalRef, refKey } from "../externalRefs/ExternalRef.ts"
import type { ExternalRefsRepo, Owned } from "../externalRefs/ExternalRefsRepo.ts"
import type { DeletedRecords } from "./DeletedRecords.ts"
import { ConcurrencyConflict, ExternalReferenceTaken, InvalidRequest } from "../usecase/Problem.ts"
import {
  type ChangeKind,
  type DeletableKind,
  type DenormalizedCopies,
  fieldsOf,
  leftBy,
  normalized,
  type RecordKind,
  type WrittenKind
} from "./RecordKind.ts"
import type { AnyFields, AnyResource, NextVersion, Stored } from "./Table.ts"
import { auditAfter } from "../mutation/Audit.ts"
import type { Allowance, QuotaExceeded } from "../quotas/Quota.ts"
import { differing } from "../usecase/UnvalidatedJson.ts"
import type { IntendedWrite, WriteContext } from "./WriteContext.ts"

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
  const [inserted, updated, areRefsFree] = yield* Transaction.together(
    repo.insert(
      change,
      versions.filter(({ readVersion }) => readVersion === 0)
    ),
    repo.update(
      change,
      versions.filter(({ readVersion }) => readVersion > 0)
    ),
    refs.replace({ teamId: change.actor.teamId, type }, owned)
  )
  if (inserted + updated < versions.length || !areRefsFree) return yield* ConcurrencyConflict.of(type)
  if (denormalizedCopies === undefined) return
  for (const [actor, uuids] of withChangedCopiedMembers ?? []) {
    yield* denormalizedCopies.update({ ...change, actor }, uuids)
  }
})

/** Inserts new records before the others of their transaction are decided. Their references wait for {@link save}. */
export const insertNew = Effect.fnUntraced(function* <Fields extends AnyFields, Resource>(
  { repo, type }: Pick<RecordKind<Fields, Resource>, "repo" | "type">,
  change: Change,
  versions: ReadonlyArray<NextVersion<Fields>>
) {
  if (versions.length > 0 && (yield* repo.insert(change, versions)) < versions.length)
    return yield* ConcurrencyConflict.of(type)
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

/** Records to delete. */
interface Deletion<Resource> {
  readonly loaded: ReadonlyArray<Stored<Resource>>
  readonly pinned: boolean
  readonly force: boolean
  /** The contact or company (UUID) whose deletion takes a record along; null, as by default, if it is deleted itself. */
  readonly causeOf?: (stored: Stored<Resource>) => string | null
  /** Whether what they held is kept for a restore, as by default: records that became part of others are not restored. */
  readonly kept?: boolean
}

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
  {
    deletedRecords,
    refs
  }: {
    readonly deletedRecords: DeletedRecords["Service"]
    readonly refs: ExternalRefsRepo["Service"]
  },
  change: Change,
  { causeOf = () => null, force, kept = true, loaded, pinned }: Deletion<Resource>
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
  if (kept) {
    yield* deletedRecords.keep(
      change,
      type,
      latest.map((stored) => ({ uuid: stored.uuid, cause: causeOf(stored), fields: fieldsOf(blank, stored.resource) }))
    )
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

// The records that a transaction has loaded, each as the writes so far left it, and who holds which reference. In memory.

/** A loaded record. */
export interface LoadedEntry<Resource> {
  /** The version in the table before the transaction; 0 if the record was not in it. */
  readonly readVersion: number
  /** The version that the transaction has inserted so far. */
  readonly insertedVersion?: number
  readonly refsInTable: ReadonlyArray<ExternalRef>
  /** The record as the writes so far left it. */
  readonly latest: Stored<Resource>
}

/** Keeps these records, as they are in the table. */
export const makeLoadedRecords = <Resource extends AnyResource>(loaded: ReadonlyArray<Stored<Resource>>) => {
  const entries = new Map<string, LoadedEntry<Resource>>()
  const holders = new Map<string, string>()

  /** Adds a record as it is in the table. */
  const add = (stored: Stored<Resource>): LoadedEntry<Resource> => {
    const refsInTable = stored.deleted ? [] : stored.resource.externalRefs
    const entry = { readVersion: stored.version, refsInTable, latest: stored }
    entries.set(stored.uuid, entry)
    for (const ref of refsInTable) holders.set(refKey(ref), stored.uuid)
    return entry
  }
  loaded.forEach(add)

  /** Notes that a record is in the table as it is now. */
  const noteInserted = (entry: LoadedEntry<Resource>): void => {
    entries.set(entry.latest.uuid, { ...entry, insertedVersion: entry.latest.version })
  }

  /** Replaces a record by what a write made of it. */
  const replace = (entry: LoadedEntry<Resource>, latest: Stored<Resource>): void => {
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

  /** The record (UUID) that holds a reference. */
  const holderOf = (ref: ExternalRef): string | undefined => holders.get(refKey(ref))

  return {
    add,
    replace,
    noteInserted,
    holderOf,
    holdersOf,
    findTaken,
    get: (uuid: string): LoadedEntry<Resource> | undefined => entries.get(uuid),
    all: (): ReadonlyArray<LoadedEntry<Resource>> => [...entries.values()]
  }
}

// The writes of one transaction, decided in memory: one after the other, each on the state that the ones before it left, as if
// each were a request of its own. `save` (SaveRecords.ts) then writes them all in a fixed number of statements.

/** The outcome of a write. */
export interface Outcome<Resource> {
  readonly status: "created" | "updated" | "unchanged"
  readonly resource: Resource
}

type Entry<Resource> = LoadedEntry<Resource>

/** A write of these values; `actor` made it, if it is not the actor of the change. */
interface Write<Fields> {
  readonly kind: ChangeKind
  readonly fields: Fields
  readonly changed: ReadonlyArray<keyof Fields & string>
  readonly actor?: Actor | undefined
  /** What its timeline and its event report, if not `kind`. */
  readonly reportedAs?: ChangeKind
}

/**
 * Makes the writes of a transaction. `loaded` are the records that it may write, and those that hold references which it may
 * claim, as they are in the table.
 */
export const makePendingWrites = <Fields extends AnyFields, Resource extends AnyResource, Rejection>(
  kind: WrittenKind<Fields, Resource>,
  change: Change,
  loaded: ReadonlyArray<Stored<Resource>>
) => {
  const { blank, repo, type } = kind
  const allMembers = Object.keys(blank) as Array<keyof Fields & string>
  const copiedMembers = new Set<string>(kind.denormalizedCopies?.members)
  const records = makeLoadedRecords(loaded)
  const withChangedCopiedMembers = new Map<Actor, Set<string>>()

  const hasCopies = (changeKind: ChangeKind, changed: ReadonlyArray<keyof Fields & string>, fields: Fields) =>
    changeKind === "created"
      ? kind.denormalizedCopies?.ofNew === true && differing(fields, blank).some((member) => copiedMembers.has(member))
      : changed.some((member) => copiedMembers.has(member))

  const rejectionOf = (
    context: WriteContext<Fields, Resource, Rejection>,
    write: IntendedWrite<Fields>
  ): ExternalReferenceTaken | InvalidRequest | Rejection | undefined => {
    const faults = [...(kind.faultsOf?.(write.fields) ?? []), ...context.faultsOf(write)]
    if (faults.length > 0) return InvalidRequest.of(faults)
    const conflict = context.findConflict?.(write)
    if (conflict !== undefined) return conflict
    const taken = records.findTaken(write.fields.externalRefs, write.uuid)
    return taken === undefined ? undefined : ExternalReferenceTaken.of(type, taken.ref, Id.fromUuid(type, taken.holder))
  }

  const apply = (
    context: WriteContext<Fields, Resource, Rejection>,
    entry: Entry<Resource>,
    { actor = change.actor, changed, fields, kind: changeKind, reportedAs = changeKind }: Write<Fields>
  ): Resource => {
    const { resource: before, uuid, version } = entry.latest
    const audit = auditAfter(change, {
      version: version + 1,
      changeType: changeKind,
      ...(version === 0 ? {} : { createdUtc: before.createdUtc })
    })
    const resource = repo.toResource(before.id, fields, audit, null)
    const latest = { uuid, version: version + 1, mergedInto: null, deleted: false, resource }
    records.replace(entry, latest)
    context.onWritten?.(latest)
    if (hasCopies(changeKind, changed, fields)) {
      withChangedCopiedMembers.set(actor, (withChangedCopiedMembers.get(actor) ?? new Set()).add(uuid))
    }
    change.record({ ...kind.toChangeRecord(reportedAs, resource, uuid, changed), change: changeKind, actor })
    return resource
  }

  const newEntry = (uuid: string): Entry<Resource> => {
    const audit = auditAfter(change, { version: 0, changeType: "created" })
    const resource = repo.toResource(Id.fromUuid(type, uuid), blank, audit, null)
    return { readVersion: 0, refsInTable: [], latest: { uuid, version: 0, mergedInto: null, deleted: false, resource } }
  }

  /**
   * Creates a record with this UUID, which uses the allowance, or restores the tombstone that the context finds; `actor` defaults to
   * the change's.
   */
  const create = (
    context: WriteContext<Fields, Resource, Rejection>,
    uuid: string,
    { actor, force, input }: { readonly input: Partial<Fields>; readonly force: boolean; readonly actor?: Actor },
    allowance: Allowance
  ): Result.Result<Outcome<Resource>, ExternalReferenceTaken | InvalidRequest | QuotaExceeded | Rejection> => {
    const fields: Fields = { ...blank, ...normalized(kind, input, blank) }
    const rejection = rejectionOf(context, { fields, uuid: undefined, changed: allMembers, force })
    if (rejection !== undefined) return Result.fail(rejection)
    const tombstone = context.findTombstone?.(fields)
    const refusal = context.findExceeded?.(fields) ?? (tombstone === undefined ? allowance.take() : undefined)
    if (refusal !== undefined) return Result.fail(refusal)
    const resource =
      tombstone === undefined
        ? apply(context, newEntry(uuid), { kind: "created", fields, changed: allMembers, actor })
        : apply(context, records.add(tombstone), {
            kind: "restored",
            reportedAs: "created",
            fields,
            changed: allMembers,
            actor
          })
    return Result.succeed<Outcome<Resource>>({ status: "created", resource })
  }

  /**
   * Brings a tombstone back with these members. It leaves out the references that other records hold, and returns them with their holders
   * (UUIDs).
   */
  const restore = (
    context: WriteContext<Fields, Resource, Rejection>,
    tombstone: Stored<Resource>,
    { fields, force }: { readonly fields: Fields; readonly force: boolean }
  ): Result.Result<
    { readonly resource: Resource; readonly taken: ReadonlyArray<ExternalRef & { readonly holder: string }> },
    QuotaExceeded | Rejection
  > => {
    const { deletedUtc } = tombstone.resource
    const conflict = context.findConflict?.({ fields, uuid: tombstone.uuid, changed: allMembers, force, deletedUtc })
    if (conflict !== undefined) return Result.fail(conflict)
    const exceeded = context.findExceeded?.(fields)
    if (exceeded !== undefined) return Result.fail(exceeded)
    const taken = fields.externalRefs.flatMap((ref) => {
      const holder = records.holderOf(ref)
      return holder === undefined ? [] : [{ ...ref, holder }]
    })
    const externalRefs = fields.externalRefs.filter((ref) => records.holderOf(ref) === undefined)
    const resource = apply(context, records.add(tombstone), {
      kind: "restored",
      fields: { ...fields, externalRefs },
      changed: allMembers
    })
    return Result.succeed({ resource, taken })
  }

  /** Changes members of a loaded record. */
  const patch = (
    context: WriteContext<Fields, Resource, Rejection>,
    uuid: string,
    { force, input }: { readonly input: Partial<Fields>; readonly force: boolean }
  ) => {
    const entry = records.get(uuid) ?? newEntry(uuid)
    const current = fieldsOf(blank, entry.latest.resource)
    const values = normalized(kind, input, current)
    const changed = differing(values, current) as ReadonlyArray<keyof Fields & string>
    if (changed.length === 0) {
      return Result.succeed<Outcome<Resource>>({ status: "unchanged", resource: entry.latest.resource })
    }
    const fields: Fields = { ...current, ...values }
    const rejection = rejectionOf(context, { fields, uuid, changed, force })
    return rejection === undefined
      ? Result.succeed<Outcome<Resource>>({
          status: "updated",
          resource: apply(context, entry, { kind: "updated", fields, changed })
        })
      : Result.fail(rejection)
  }

  /** The members of a loaded record that a patch of these values would change. */
  const changedBy = ({ resource }: Stored<Resource>, input: Partial<Fields>): ReadonlyArray<string> => {
    const current = fieldsOf(blank, resource)
    return differing(normalized(kind, input, current), current)
  }

  const written = () => records.all().filter(({ latest, readVersion }) => latest.version !== readVersion)

  const versionOf = ({
    insertedVersion,
    latest: { resource, uuid, version },
    readVersion
  }: Entry<Resource>): NextVersion<Fields> => ({
    uuid,
    readVersion: insertedVersion ?? readVersion,
    version,
    changeType: resource.changeType,
    fields: fieldsOf(blank, resource)
  })

  /** The new records so far that are not in the table, which the caller inserts. `unsaved` has their references, and what changes them later. */
  const takeNew = (): ReadonlyArray<NextVersion<Fields>> => {
    const taken = written().filter(
      ({ insertedVersion, readVersion }) => readVersion === 0 && insertedVersion === undefined
    )
    taken.forEach(records.noteInserted)
    return taken.map(versionOf)
  }

  /** The records to save. */
  const unsaved = (): UnsavedRecords<Fields> => {
    const all = written()
    return {
      versions: all.filter(({ insertedVersion, latest }) => latest.version !== insertedVersion).map(versionOf),
      refs: all
        .filter(({ latest: { resource }, refsInTable }) => resource.externalRefs !== refsInTable)
        .filter(({ latest: { resource }, refsInTable }) => resource.externalRefs.length + refsInTable.length > 0)
        .map(({ latest: { resource, uuid }, readVersion }) => ({
          id: uuid,
          refs: resource.externalRefs,
          isNew: readVersion === 0
        })),
      withChangedCopiedMembers: new Map([...withChangedCopiedMembers].map(([actor, uuids]) => [actor, [...uuids]]))
    }
  }

  return {
    create,
    restore,
    patch,
    changedBy,
    takeNew,
    unsaved,
    /** Adds a record as it is in the table. */
    add: records.add,
    /** A record as the writes so far left it. */
    get: (uuid: string) => records.get(uuid)?.latest,
    holdersOf: records.holdersOf
  }
}
