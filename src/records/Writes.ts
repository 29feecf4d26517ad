/**
 * Writes of records that one transaction makes: decided one after the other, each on what those before it left, as if
 * each were a request of its own; and then made all at once, in a number of statements that does not grow with theirs.
 */
import { Effect, Result } from "effect"
import type { Actor } from "../auth/CurrentActor.ts"
import { auditAfter } from "../changes/Audit.ts"
import type { Change } from "../changes/Changes.ts"
import type { ExternalRef } from "../externalRefs/ExternalRef.ts"
import type { ExternalRefsRepo } from "../externalRefs/ExternalRefsRepo.ts"
import { differing } from "../usecase/MergePatch.ts"
import { ConcurrencyConflict, type Duplicate, ExternalReferenceTaken, InvalidRequest } from "../usecase/Problem.ts"
import * as Id from "../Id.ts"
import type { AnyFields, AnyResource, ChangeKind, Intention, RecordKind, WriteContext } from "./RecordKind.ts"
import type { Stored, Written } from "./RecordTable.ts"

/** What a write comes to. */
export interface Outcome<Resource> {
  readonly status: "created" | "updated" | "unchanged"
  readonly resource: Resource
}

/** A record as the writes before left it. */
interface Entry<Resource> {
  /** The version in the table; 0 when it has none yet. */
  readonly readVersion: number
  readonly refsInTable: ReadonlyArray<ExternalRef>
  readonly now: Stored<Resource>
}

const keyOf = ({ externalId, namespace }: ExternalRef) => JSON.stringify([namespace, externalId])

/** The members of a record that are written. */
export const fieldsOf = <Fields extends AnyFields>(blank: Fields, resource: object): Fields => {
  const fields: Record<string, unknown> = {}
  for (const member of Object.keys(blank)) fields[member] = resource[member as keyof typeof resource]
  return fields as Fields & Record<string, unknown>
}

/**
 * The writes of one transaction. `loaded` are the records that it may write and those that have references which it may
 * want, as they are in the table.
 */
export const make = <Fields extends AnyFields, Resource extends AnyResource, Query>(options: {
  readonly kind: RecordKind<Fields, Resource, Query>
  readonly refs: ExternalRefsRepo["Service"]
  readonly change: Change
  readonly loaded: ReadonlyArray<Stored<Resource>>
}) => {
  const { change, kind, refs } = options
  const { blank, repo, type } = kind
  const everything = Object.keys(blank) as Array<keyof Fields & string>
  const entries = new Map<string, Entry<Resource>>()
  const holders = new Map<string, string>()
  const copied = new Set<string>(kind.denormalizedCopies?.members)
  const toFollow = new Set<string>()

  const know = (stored: Stored<Resource>): Entry<Resource> => {
    const refsInTable = stored.deleted ? [] : stored.resource.externalRefs
    const entry = { readVersion: stored.version, refsInTable, now: stored }
    entries.set(stored.uuid, entry)
    for (const ref of refsInTable) holders.set(keyOf(ref), stored.uuid)
    return entry
  }
  options.loaded.forEach(know)

  const taken = (fields: Fields, uuid: string | undefined): ExternalReferenceTaken | undefined => {
    const other = fields.externalRefs.find((ref) => ![undefined, uuid].includes(holders.get(keyOf(ref))))
    return other === undefined
      ? undefined
      : ExternalReferenceTaken.of(type, other, Id.fromUuid(type, holders.get(keyOf(other)) ?? ""))
  }

  const refusalOf = (
    context: WriteContext<Fields, Resource>,
    intention: Intention<Fields>
  ): ExternalReferenceTaken | InvalidRequest | Duplicate | undefined => {
    const faults = [...kind.faultsOf(intention.fields), ...context.faultsOf(intention)]
    return faults.length > 0
      ? InvalidRequest.of(faults)
      : (context.findConflict(intention) ?? taken(intention.fields, intention.uuid))
  }

  const written = (
    context: WriteContext<Fields, Resource>,
    entry: Entry<Resource>,
    kindOfChange: ChangeKind,
    fields: Fields,
    changed: ReadonlyArray<keyof Fields & string>,
    actor: Actor = change.actor
  ): Resource => {
    const { resource: before, uuid, version } = entry.now
    const audit = auditAfter(change, {
      version: version + 1,
      changeType: kindOfChange,
      ...(version === 0 ? {} : { createdUtc: before.createdUtc })
    })
    const resource = repo.toResource(before.id, fields, audit)
    const now = { uuid, version: version + 1, mergedInto: null, deleted: false, resource }
    entries.set(uuid, { ...entry, now })
    for (const key of before.externalRefs.map(keyOf)) if (holders.get(key) === uuid) holders.delete(key)
    for (const ref of fields.externalRefs) holders.set(keyOf(ref), uuid)
    context.onWritten(now)
    if (kindOfChange !== "created" && changed.some((member) => copied.has(member))) toFollow.add(uuid)
    change.record({ ...kind.toChangeRecord(kindOfChange, resource, uuid, changed), actor })
    return resource
  }

  /** A record that is not in the table yet. */
  const unborn = (uuid: string): Entry<Resource> => ({
    readVersion: 0,
    refsInTable: [],
    now: {
      uuid,
      version: 0,
      mergedInto: null,
      deleted: false,
      resource: repo.toResource(
        Id.fromUuid(type, uuid),
        blank,
        auditAfter(change, { version: 0, changeType: "created" })
      )
    }
  })

  /** The record, as the writes before left it. */
  const get = (uuid: string): Stored<Resource> | undefined => entries.get(uuid)?.now

  /** Those who have these references now, each once. */
  const holdersOf = (wanted: ReadonlyArray<ExternalRef>): ReadonlyArray<string> => [
    ...new Set(wanted.flatMap((ref) => holders.get(keyOf(ref)) ?? []))
  ]

  /** Adds a record under this UUID, or brings the tombstone of the same one back: `actor`'s doing, or else the change's. */
  const create = (
    context: WriteContext<Fields, Resource>,
    uuid: string,
    input: Partial<Fields>,
    force: boolean,
    actor?: Actor
  ) => {
    const fields: Fields = { ...blank, ...kind.normalize(input, blank) }
    const refusal = refusalOf(context, { fields, uuid: undefined, changed: everything, force })
    if (refusal !== undefined) return Result.fail(refusal)
    const former = context.findTombstone(fields)
    const resource =
      former === undefined
        ? written(context, unborn(uuid), "created", fields, everything, actor)
        : written(context, know(former), "restored", fields, everything, actor)
    return Result.succeed<Outcome<Resource>>({ status: "created", resource })
  }

  /** Changes members of a record that is known. */
  const patch = (context: WriteContext<Fields, Resource>, uuid: string, input: Partial<Fields>, force: boolean) => {
    const entry = entries.get(uuid) ?? unborn(uuid)
    const current = fieldsOf(blank, entry.now.resource)
    const normal = kind.normalize(input, current)
    const changed = differing(normal, current) as ReadonlyArray<keyof Fields & string>
    if (changed.length === 0) {
      return Result.succeed<Outcome<Resource>>({ status: "unchanged", resource: entry.now.resource })
    }
    const fields: Fields = { ...current, ...normal }
    const refusal = refusalOf(context, { fields, uuid, changed, force })
    if (refusal !== undefined) return Result.fail(refusal)
    return Result.succeed<Outcome<Resource>>({
      status: "updated",
      resource: written(context, entry, "updated", fields, changed)
    })
  }

  const toWritten = ({ now, readVersion }: Entry<Resource>): Written<Fields> => ({
    uuid: now.uuid,
    readVersion,
    version: now.version,
    changeType: now.resource.changeType,
    fields: fieldsOf(blank, now.resource)
  })

  /** Makes what was decided. Fails when another transaction has written one of the records since they were loaded. */
  const flush = Effect.gen(function* () {
    const touched = [...entries.values()].filter(({ now, readVersion }) => now.version !== readVersion)
    const added = touched.filter(({ readVersion }) => readVersion === 0)
    const changed = touched.filter(({ readVersion }) => readVersion > 0)
    const insertedCount = yield* repo.insert(change, added.map(toWritten))
    const updatedCount = yield* repo.update(change, changed.map(toWritten))
    const owned = touched
      .map(({ now, refsInTable }) => ({ id: now.uuid, refs: now.resource.externalRefs, refsInTable }))
      .filter(({ refs, refsInTable }) => refs !== refsInTable && refs.length + refsInTable.length > 0)
    const areFree = yield* refs.replace({ teamId: change.actor.teamId, type }, owned)
    if (insertedCount < added.length || updatedCount < changed.length || !areFree) {
      return yield* ConcurrencyConflict.of(type)
    }
    if (kind.denormalizedCopies !== undefined && toFollow.size > 0)
      yield* kind.denormalizedCopies.changed(change, [...toFollow])
  })

  return { know, get, holdersOf, create, patch, flush }
}

/**
 * Removes these records and what goes with them: `exactly` as they are given, or whatever they are by then. Fails when
 * another transaction has written one of them meanwhile, or deleted it.
 */
export const remove = Effect.fnUntraced(function* <Fields extends AnyFields, Resource extends AnyResource, Query>(
  { blank, cascade, denormalizedCopies, toChangeRecord, repo, type }: RecordKind<Fields, Resource, Query>,
  refs: ExternalRefsRepo["Service"],
  change: Change,
  stored: ReadonlyArray<Stored<Resource>>,
  { exactly }: { readonly exactly: boolean }
) {
  if (stored.length === 0) return
  const uuids = stored.map(({ uuid }) => uuid)
  // What hangs on them comes first, as it does for those who write it: in one order, writers cannot wait for each other.
  yield* cascade(change, uuids)
  const purgeCandidates = exactly
    ? stored
    : (yield* repo.lock(change.actor.teamId, uuids)).filter(({ deleted }) => !deleted)
  const writes = purgeCandidates.map(({ resource, uuid, version }) => ({
    uuid,
    readVersion: version,
    version: version + 1,
    fields: fieldsOf(blank, resource)
  }))
  if (writes.length < stored.length || (yield* repo.remove(change, writes)) < writes.length) {
    return yield* ConcurrencyConflict.of(type)
  }
  yield* refs.replace(
    { teamId: change.actor.teamId, type },
    uuids.map((id) => ({ id, refs: [] }))
  )
  // And what came to hang on them meanwhile: nothing can from here on.
  yield* cascade(change, uuids)
  if (denormalizedCopies !== undefined) yield* denormalizedCopies.deleted(change, uuids)
  for (const { resource, uuid } of purgeCandidates) change.record(toChangeRecord("deleted", resource, uuid, []))
})
