/**
 * Restores deleted records with what their deletions took along and changed elsewhere, while that is kept (docs/behaviour/http.md#restore).
 * Written as all records are: decided in memory on locked tombstones, and saved in a fixed number of statements.
 */
import * as Id from "../Id.ts"
import * as Mutation from "../mutation/Mutation.ts"
import * as UnvalidatedJson from "../usecase/UnvalidatedJson.ts"
import { Effect, Result } from "effect"
import { authorize } from "../auth/CurrentActor.ts"
import { type Change, Changes } from "../mutation/Changes.ts"
import { ExternalRefsRepo } from "../externalRefs/ExternalRefsRepo.ts"
import type { QuotaExceeded } from "../quotas/Quota.ts"
import { all } from "../usecase/Input.ts"
import { Cursors, defaultPageSize, read as readPage, timeAndId } from "../usecase/Page.ts"
import { ConcurrencyConflict, NotDeleted } from "../usecase/Problem.ts"
import { byId, type UseCaseRequest } from "../usecase/UseCaseRequest.ts"
import { type FailedReceipt, IdsEnvelope, type MissingReceipt, type RestoredReceipt } from "./Batch.ts"
import type { Forceable } from "./ChangeRecords.ts"
import { DeletedRecords, type KeptEffect, type KeptRecord } from "./DeletedRecords.ts"
import { itemProblem, mergedRejection, missingReceipt, requireUnmerged } from "./MergeRecords.ts"
import type { EditableKind, RestorableKind, Returned } from "./RecordKind.ts"
import { leftOut, type NotRestored } from "./Restored.ts"
import { loadHolders, makePendingWrites, save } from "./SaveRecords.ts"
import type { AnyFields, AnyResource, Stored } from "./Table.ts"

/** A restored record, and what did not come back with it. */
export interface Restored<Resource> {
  readonly resource: Resource
  readonly notRestored: ReadonlyArray<NotRestored>
}

type Kind<Fields extends AnyFields, Resource extends AnyResource, Rejection, Refusal> = EditableKind<
  Fields,
  Resource,
  Rejection
> &
  RestorableKind<Fields, Refusal>

/** What nothing follows from. */
export const nothingFollows: Returned = { left: "nothing", notRestored: [] }

/** What several parts of a step brought back. */
export const returnedBy = (...parts: ReadonlyArray<Returned>): Returned => ({
  left: parts.some(({ left }) => left === "more") ? "more" : "nothing",
  notRestored: parts.flatMap(({ notRestored }) => notRestored)
})

// What deletions changed elsewhere, as it is now. Pure.

/** What a deletion changed of a record, which can be taken back. */
interface Unchanged<Resource> {
  readonly effect: KeptEffect
  readonly stored: Stored<Resource>
}

/** What a deletion changed, and why it stays as it is. */
interface Changed {
  readonly effect: KeptEffect
  readonly code: NotRestored["code"]
}

/**
 * Which of these effects can be taken back: those on records that are still as the deletion left them. `deleted` are those on records that
 * were deleted since, which may still be restored themselves.
 */
export const planReturn = <Resource>(
  effects: ReadonlyArray<KeptEffect>,
  records: ReadonlyArray<Stored<Resource>>,
  isAsLeft: (resource: Resource, effect: KeptEffect) => boolean
) => {
  const byUuid = new Map(records.map((stored) => [stored.uuid, stored]))
  const returned = new Map<string, Unchanged<Resource>>()
  const changed: Array<Changed> = []
  const deleted: Array<KeptEffect> = []
  for (const effect of effects) {
    const stored = byUuid.get(effect.uuid)
    if (stored === undefined || stored.mergedInto !== null) changed.push({ effect, code: "not_found" })
    else if (stored.deleted) deleted.push(effect)
    else if (returned.has(effect.uuid) || !isAsLeft(stored.resource, effect)) changed.push({ effect, code: "changed" })
    else returned.set(effect.uuid, { effect, stored })
  }
  return { returned: [...returned.values()], changed, deleted }
}

/** The effects that stay, by their causes. */
export const notRestoredOf = (type: Id.Prefix, changed: ReadonlyArray<Changed>): Returned["notRestored"] =>
  changed.map(({ code, effect: { cause, uuid } }) => [cause, leftOut(Id.nounOf(type), Id.fromUuid(type, uuid), code)])

/** Makes what restores records inside the transaction of a change. Its caller is authorized. */
export const makeRestoreLocked = Effect.fnUntraced(function* <
  Fields extends AnyFields,
  Resource extends AnyResource,
  Rejection,
  Refusal
>(kind: Kind<Fields, Resource, Rejection, Refusal>) {
  const { blank, continueReturn, repo, returning, type } = kind
  const refs = yield* ExternalRefsRepo

  type Outcome = Result.Result<Restored<Resource>, QuotaExceeded | Refusal | Rejection>

  /**
   * Restores deleted records of which this is kept, in this order, by their UUIDs; one that is rejected does not affect the others. Fails
   * when another transaction wrote one of them since it was loaded.
   */
  return Effect.fnUntraced(function* (
    change: Change,
    kept: ReadonlyArray<KeptRecord>,
    { force }: { readonly force: boolean }
  ): Effect.fn.Return<ReadonlyMap<string, Outcome>, ConcurrencyConflict> {
    if (kept.length === 0) return new Map<string, Outcome>()
    const { teamId } = change.actor
    const locked = yield* repo.lock(
      teamId,
      kept.map(({ uuid }) => uuid)
    )
    const tombstones = new Map(locked.filter(({ deleted }) => deleted).map((stored) => [stored.uuid, stored]))
    if (tombstones.size < kept.length) return yield* ConcurrencyConflict.of(type)
    // A later release may have more members.
    const deleted = kept.map(({ fields, uuid }) => ({ uuid, fields: { ...blank, ...fields } as Fields }))
    const { finish, of } = yield* returning(change, deleted)
    const back = deleted.map((one) => ({ uuid: one.uuid, returned: of(one) }))
    const wanted = back.flatMap(({ returned }) => (Result.isSuccess(returned) ? [returned.success.fields] : []))
    const context = yield* kind.context(change, wanted, { writes: wanted.length, matchByMembers: false })
    const holders = yield* loadHolders(
      kind,
      refs,
      teamId,
      wanted.flatMap(({ externalRefs }) => externalRefs)
    )
    const writes = makePendingWrites<Fields, Resource, Rejection>(kind, change, holders)
    const outcomes = new Map<string, Outcome>()
    for (const { returned, uuid } of back) {
      const tombstone = tombstones.get(uuid)
      if (tombstone === undefined) continue
      outcomes.set(
        uuid,
        Result.flatMap(returned, ({ fields, notRestored }) =>
          Result.map(writes.restore(context, tombstone, { fields, force }), ({ resource, taken }) => ({
            resource,
            notRestored: [
              ...notRestored,
              ...taken.map(({ externalId, holder, namespace }): NotRestored => ({
                type: Id.nounOf(type),
                namespace,
                externalId,
                id: resource.id,
                code: "external_reference_taken",
                holderId: Id.fromUuid(type, holder)
              }))
            ]
          }))
        )
      )
    }
    const restored = [...outcomes].flatMap(([uuid, outcome]) => (Result.isSuccess(outcome) ? [uuid] : []))
    yield* save(kind, refs, change, writes.unsaved())
    if (restored.length === 0) return outcomes
    const { left, notRestored } = yield* finish(restored)
    if (left === "more") {
      yield* continueReturn?.(change, restored) ?? Effect.die(new Error(`${type} cannot be restored in steps`))
    }
    for (const [uuid, one] of notRestored) {
      const outcome = outcomes.get(uuid)
      if (outcome === undefined) continue
      outcomes.set(
        uuid,
        Result.map(outcome, (restored) => ({ ...restored, notRestored: [...restored.notRestored, one] }))
      )
    }
    return outcomes
  })
})

type RestoreRequest = Pick<UseCaseRequest<Forceable>, "query">

const decodeIds = UnvalidatedJson.decoder(IdsEnvelope)

/** Makes the use-cases. */
export const makeRestoreRecords = Effect.fnUntraced(function* <
  Fields extends AnyFields,
  Resource extends AnyResource,
  Rejection = never,
  Refusal = never
>(kind: Kind<Fields, Resource, Rejection, Refusal>) {
  const { needs, plural, repo, type } = kind
  const deletedRecords = yield* DeletedRecords
  const cursors = yield* Cursors
  const changes = yield* Changes
  const mutation = yield* Mutation.make
  const restoreLocked = yield* makeRestoreLocked(kind)

  const noun = Id.nounOf(type)
  const notDeleted = new NotDeleted({ detail: `The ${noun} is not deleted, so there is nothing to restore.` })

  /** What is kept of these records (UUIDs) that can still be restored. */
  const findKept = (teamId: string, uuids: ReadonlyArray<string>) => deletedRecords.find(teamId, type, uuids)

  /** A page of the team's records that can be restored, the latest deletion first. */
  const deleted = Effect.fn(`${plural}.deleted`)(function* (cursor: string | undefined) {
    const { teamId } = yield* authorize(needs)
    return yield* readPage({
      cursors,
      binding: { list: `deleted-${plural}`, teamId, filters: {} },
      cursor,
      pageSize: defaultPageSize,
      fetch: (position, limit) => deletedRecords.list(teamId, type, timeAndId(position), limit),
      positionOf: ({ deletedUtc, uuid }) => [deletedUtc, uuid],
      toItem: ({ deletedUtc, name, uuid }) => ({ id: Id.fromUuid(type, uuid), name, deletedUtc })
    })
  })

  /** A record that lives or was merged, or the tombstone of one that can still be restored. */
  const findRestorable = Effect.fnUntraced(function* (teamId: string, uuid: string) {
    // Before the record is read: another restore, which this waits for, shows as one that lives.
    const kept = yield* findKept(teamId, [uuid])
    const [stored] = yield* repo.findAll(teamId, [uuid])
    return stored === undefined || !stored.deleted || stored.mergedInto !== null || kept.length > 0 ? stored : undefined
  })

  /** Restores a deleted record. */
  const restore = Effect.fn(`${plural}.restore`)(
    (id: string, request: RestoreRequest & Pick<UseCaseRequest, "ifMatch">) =>
      mutation.change({
        request,
        authorize: needs,
        load: (actor) => byId(type, id, (uuid) => findRestorable(actor.teamId, uuid)),
        etagOf: ({ resource }) => resource.etag,
        decide: ({ loaded }) =>
          Effect.gen(function* () {
            const { force } = yield* request.query
            yield* requireUnmerged(type, loaded)
            if (!loaded.deleted) return yield* notDeleted
            return { force: force === true }
          }),
        commit: (change, { decision, loaded: { uuid, version } }) =>
          Effect.gen(function* () {
            const kept = yield* findKept(change.actor.teamId, [uuid])
            const [latest] = yield* repo.lock(change.actor.teamId, [uuid])
            if (latest?.version !== version || kept.length === 0) return yield* ConcurrencyConflict.of(type)
            const outcome = (yield* restoreLocked(change, kept, decision)).get(uuid)
            return outcome === undefined
              ? yield* Effect.die(new Error("nothing was restored"))
              : yield* Effect.fromResult(outcome)
          }),
        answer: ({ committed }) =>
          committed === undefined
            ? Effect.die(new Error("nothing was restored"))
            : Effect.succeed({ ...committed.resource, notRestored: committed.notRestored })
      })
  )

  /** Restores those of these records that can be, in the transaction of `change`, with a receipt for each id. */
  const restoreAll = Effect.fnUntraced(function* (change: Change, ids: ReadonlyArray<string>, force: boolean) {
    const { teamId } = change.actor
    const uuids = [...new Set(ids.flatMap((id) => Id.toUuid(type, id) ?? []))]
    const kept = new Map((yield* findKept(teamId, uuids)).map((one) => [one.uuid, one]))
    const found = new Map((yield* repo.findAll(teamId, uuids)).map((stored) => [stored.uuid, stored]))
    const isTombstone = (stored: Stored<Resource> | undefined) => stored?.deleted === true && stored.mergedInto === null
    const outcomes = yield* restoreLocked(
      change,
      uuids.flatMap((uuid) => kept.get(uuid) ?? []),
      { force }
    )
    const seen = new Set<string>()
    return ids.map((id, index): FailedReceipt | MissingReceipt | RestoredReceipt => {
      const stored = found.get(Id.toUuid(type, id) ?? "")
      const failed = (problem: object): FailedReceipt => ({
        index,
        status: "failed",
        id,
        etag: null,
        problem: itemProblem(index, problem)
      })
      if (stored === undefined || (isTombstone(stored) && !kept.has(stored.uuid))) {
        return missingReceipt(type, { index, id, stored: undefined })
      }
      const merged = mergedRejection(type)(stored)
      if (merged !== undefined) return failed(merged)
      const outcome = outcomes.get(stored.uuid)
      if (outcome === undefined || seen.has(stored.uuid)) return failed(notDeleted)
      if (Result.isFailure(outcome)) return failed(outcome.failure as object)
      seen.add(stored.uuid)
      const { notRestored, resource } = outcome.success
      return { index, status: "restored", id: resource.id, etag: resource.etag, notRestored }
    })
  })

  /** Restores these records in one transaction, in which `alongside` does what belongs to it, with a receipt for each id. */
  const restoreMany = Effect.fn(`${plural}.restoreMany`)(function* (
    ids: ReadonlyArray<string>,
    {
      alongside = () => Effect.void,
      force
    }: {
      readonly force: boolean
      readonly alongside?: (
        receipts: ReadonlyArray<FailedReceipt | MissingReceipt | RestoredReceipt>
      ) => Effect.Effect<void>
    }
  ) {
    const actor = yield* authorize(needs)
    return yield* Mutation.retryOnConflict(
      changes.commit(actor, (change) => Effect.tap(restoreAll(change, ids, force), alongside))
    )
  })

  /** Restores up to a hundred records, with a receipt for each id; one that cannot be restored does not affect the others. */
  const batchRestore = Effect.fn(`${plural}.batchRestore`)(function* (
    request: RestoreRequest & Pick<UseCaseRequest, "body">
  ) {
    yield* authorize(needs)
    const document = yield* request.body
    const [{ force }, { ids }] = yield* all(request.query, decodeIds(document))
    return { results: yield* restoreMany(ids, { force: force === true }) }
  })

  return { deleted, restore, batchRestore, restoreMany, restoreLocked }
})
