/**
 * Creates, patches, deletes and purges records, and changes those that other use-cases have locked. Creates that callers of one team send
 * at the same time are committed together.
 */
import { named } from "../../platform/telemetry/Named.ts"
import * as GroupCommit from "../mutation/GroupCommit.ts"
import * as Mutation from "../mutation/Mutation.ts"
import * as Id from "../Id.ts"
import * as UnvalidatedJson from "../usecase/UnvalidatedJson.ts"
import * as Transaction from "../../platform/db/Transaction.ts"
import { Effect, Result } from "effect"
import type { NonEmptyReadonlyArray } from "effect/Array"
import { DeletionLimits } from "../deletions/DeletionLimits.ts"
import { type Change, Changes } from "../mutation/Changes.ts"
import { DryRun } from "../mutation/ChangeRecord.ts"
import { ExternalRefsRepo } from "../externalRefs/ExternalRefsRepo.ts"
import { DeletedRecords } from "./DeletedRecords.ts"
import { Quotas } from "../quotas/Quotas.ts"
import { Idempotency } from "../usecase/Idempotency.ts"
import { all } from "../usecase/Input.ts"
import { InvalidRequest } from "../usecase/Problem.ts"
import { byId, type UseCaseRequest } from "../usecase/UseCaseRequest.ts"
import { deleteAll, loadHolders, lockLatest, makePendingWrites, save } from "./SaveRecords.ts"
import { type DeletableKind, type EditableKind, fieldsOf, normalized, type WrittenKind } from "./RecordKind.ts"
import type { AnyFields, AnyResource, Stored } from "./Table.ts"
import { differing } from "../usecase/UnvalidatedJson.ts"
import { itemProblem, mergeRecords, missingReceipt, type RecordMerge, requireUnmerged } from "./MergeRecords.ts"
import { authorize } from "../auth/CurrentActor.ts"
import { type DeletedReceipt, type FailedReceipt, IdsEnvelope, type MissingReceipt } from "./Batch.ts"
import type { DueRows, OfTeam } from "../mutation/Delta.ts"
import { Timelines } from "../mutation/Timelines.ts"
import { Database } from "../../platform/db/Database.ts"
import { Retention } from "../../platform/Retention.ts"
import { daysAgo } from "../../platform/Time.ts"
import { runParts } from "../TeamParts.ts"

/** The query parameters of writes that can be forced. */
export interface Forceable {
  readonly force?: boolean
}

/** Makes the use-case. */
export const makeCreateRecord = Effect.fnUntraced(function* <
  Fields extends AnyFields,
  Resource extends AnyResource,
  Rejection = never
>(kind: EditableKind<Fields, Resource, Rejection>) {
  const refs = yield* ExternalRefsRepo
  const changes = yield* Changes
  const idempotency = yield* Idempotency
  const quotas = yield* Quotas
  const mutation = yield* Mutation.make

  type Creation = Mutation.Creation<unknown, { readonly input: Partial<Fields>; readonly force: boolean }>

  /** Creates records in one transaction, for actors of one team; a rejected one does not affect the others. */
  const commitAll = (creations: NonEmptyReadonlyArray<Creation>) =>
    Mutation.retryOnConflict(
      changes.commit(
        creations[0].actor,
        (change, locked) =>
          Effect.gen(function* () {
            const keys = yield* locked.claim(change.at)
            const fresh = keys.fresh.flatMap((index) => creations[index] ?? [])
            const inputs = fresh.map(({ decision }) => decision.input)
            const { teamId } = change.actor
            const isKeyed = fresh.some(({ key }) => key !== undefined)
            const [context, holders, { keyed, unkeyed }] = yield* Transaction.together(
              kind.context(
                change,
                inputs.map((input): Fields => ({ ...kind.blank, ...normalized(kind, input, kind.blank) })),
                { writes: fresh.length, matchByMembers: false }
              ),
              loadHolders(
                kind,
                refs,
                teamId,
                inputs.flatMap(({ externalRefs }) => externalRefs ?? [])
              ),
              quotas.allowances(teamId, kind.quota, isKeyed)
            )
            const writes = makePendingWrites<Fields, Resource, Rejection>(kind, change, holders)
            const outcomes = yield* Effect.forEach(fresh, ({ actor, decision, key }) =>
              Effect.map(change.newId, (uuid) => {
                const allowance = key === undefined ? unkeyed : keyed
                return Result.map(
                  writes.create(context, uuid, { ...decision, actor }, allowance),
                  ({ resource }) => resource
                )
              })
            )
            const [, answers] = yield* Transaction.together(
              save(kind, refs, change, writes.unsaved()),
              keys.answer(outcomes)
            )
            return answers
          }),
        idempotency.lock(creations)
      )
    )

  const commitTogether = GroupCommit.make({
    groupOf: ({ actor: { origin, teamId } }: Creation) => `${teamId} ${origin}`,
    write: commitAll
  })

  const commitAlone = (creation: Creation) =>
    Effect.flatMap(commitAll([creation]), ([answer]) =>
      answer === undefined ? Effect.die(new Error("a create has no answer")) : Effect.fromResult(answer)
    )

  /** Creates a record. */
  return named(`${kind.plural}.create`, (request: UseCaseRequest<Forceable>) =>
    mutation.create({
      request,
      authorize: kind.needs,
      decide: ({ body }) =>
        Effect.gen(function* () {
          const rejection = kind.rejectBody?.(body)
          if (rejection !== undefined) return yield* Effect.fail(rejection)
          const [query, input, key] = yield* all(request.query, kind.decodeCreate(body), request.idempotencyKey)
          const faults = kind.faultsOf?.({ ...kind.blank, ...normalized(kind, input, kind.blank) }) ?? []
          if (faults.length > 0) return yield* InvalidRequest.of(faults)
          return { key, input, force: query.force === true }
        }),
      // A dry run commits alone, because it reports what its transaction did.
      commit: (creation) =>
        Effect.flatMap(DryRun, (dryRun) => (dryRun === undefined ? commitTogether(creation) : commitAlone(creation)))
    })
  )
})

// Changes members of a record.

/** Makes the use-case. `rejectLoaded` rejects the change of a record for the state it is in. */
export const makePatchRecord = Effect.fnUntraced(function* <
  Fields extends AnyFields,
  Resource extends AnyResource,
  Rejection = never,
  LoadedRejection = never
>(
  kind: EditableKind<Fields, Resource, Rejection>,
  { rejectLoaded }: { readonly rejectLoaded?: (stored: Stored<Resource>) => LoadedRejection | undefined } = {}
) {
  const { blank, repo, type } = kind
  const refs = yield* ExternalRefsRepo
  const mutation = yield* Mutation.make

  /** Writes the patch of a locked record. */
  const write = Effect.fnUntraced(function* (
    change: Change,
    stored: Stored<Resource>,
    decision: { readonly input: Partial<Fields>; readonly force: boolean }
  ) {
    const { input } = decision
    const current = fieldsOf(blank, stored.resource)
    const fields: Fields = { ...current, ...normalized(kind, input, current) }
    const [context, holders] = yield* Transaction.together(
      kind.context(change, [fields], { writes: 1, matchByMembers: false }),
      loadHolders(kind, refs, change.actor.teamId, input.externalRefs ?? [])
    )
    const writes = makePendingWrites<Fields, Resource, Rejection>(kind, change, [
      ...holders.filter(({ uuid }) => uuid !== stored.uuid),
      stored
    ])
    const { resource } = yield* Effect.fromResult(writes.patch(context, stored.uuid, decision))
    yield* save(kind, refs, change, writes.unsaved())
    return resource
  })

  /** Patches a record; a patch that changes nothing leaves no trace. */
  return named(`${kind.plural}.patch`, (id: string, request: UseCaseRequest<Forceable>) =>
    mutation.change({
      request,
      authorize: kind.needs,
      load: (actor) => byId(type, id, (uuid) => repo.find(actor.teamId, uuid)),
      body: request.body,
      etagOf: ({ resource }) => resource.etag,
      decide: ({ body, loaded }) =>
        Effect.gen(function* () {
          const rejection = rejectLoaded?.(loaded) ?? kind.rejectBody?.(body)
          if (rejection !== undefined) return yield* Effect.fail(rejection)
          const [query, input] = yield* all(request.query, kind.decodePatch(body, loaded.resource))
          const current = fieldsOf(blank, loaded.resource)
          const values = normalized(kind, input, current)
          if (differing(values, current).length === 0) return null
          const faults = kind.faultsOf?.({ ...current, ...values }) ?? []
          if (faults.length > 0) return yield* InvalidRequest.of(faults)
          return { input, force: query.force === true }
        }),
      // The record is locked before those that it is checked against, as by batches, so that writers cannot deadlock.
      lock: (change, locking) => lockLatest(kind, change, locking),
      commit: (change, { decision, loaded }) => write(change, loaded, decision),
      answer: ({ committed, loaded }) => Effect.succeed(committed ?? loaded.resource)
    })
  )
})

// Changes of locked records that other use-cases make inside their own transaction. Nothing is rejected.

// A write context that accepts everything.
const acceptEverything = { faultsOf: () => [] }

/** Makes the changes. Their caller is authorized. */
export const makeChangeLocked = Effect.fnUntraced(function* <Fields extends AnyFields, Resource extends AnyResource>(
  kind: WrittenKind<Fields, Resource>
) {
  const refs = yield* ExternalRefsRepo
  const deletedRecords = yield* DeletedRecords

  /** Locks these records (UUIDs), tombstones included, until the transaction of `change` ends. */
  const lock = (change: Change, uuids: ReadonlyArray<string>) => kind.repo.lock(change.actor.teamId, uuids)

  /** Patches locked records, and returns them in the same order. */
  const patchLocked = Effect.fnUntraced(function* (
    change: Change,
    locked: ReadonlyArray<Stored<Resource>>,
    inputOf: (stored: Stored<Resource>) => Partial<Fields>
  ) {
    const writes = makePendingWrites(kind, change, locked)
    for (const stored of locked) {
      writes.patch(acceptEverything, stored.uuid, { input: inputOf(stored), force: true })
    }
    yield* Effect.orDie(save(kind, refs, change, writes.unsaved()))
    return locked.map((stored) => writes.get(stored.uuid) ?? stored)
  })

  const removeLocked = (
    change: Change,
    locked: ReadonlyArray<Stored<Resource>>,
    options: { readonly causeOf: (stored: Stored<Resource>) => string | null } | { readonly kept: false }
  ) =>
    Effect.orDie(
      deleteAll(kind, { deletedRecords, refs }, change, { loaded: locked, pinned: true, force: true, ...options })
    )

  /** Deletes locked records, each because of the deletion of another one (UUID). */
  const deleteLocked = (
    change: Change,
    locked: ReadonlyArray<Stored<Resource>>,
    causeOf: (stored: Stored<Resource>) => string | null
  ) => removeLocked(change, locked, { causeOf })

  /** Deletes locked records that became part of others: nothing is kept of them. */
  const absorbLocked = (change: Change, locked: ReadonlyArray<Stored<Resource>>) =>
    removeLocked(change, locked, { kept: false })

  /** Merges locked records into one of them: see {@link mergeRecords}. */
  const mergeLocked = (change: Change, merge: RecordMerge<Fields, Resource>) =>
    Effect.tap(mergeRecords(kind, refs, change, merge), () =>
      deletedRecords.forgetEffects(
        change,
        kind.type,
        merge.merged.map(({ uuid }) => uuid)
      )
    )

  return { lock, patchLocked, deleteLocked, absorbLocked, mergeLocked }
})

// Deletes records: their tombstones stay for deltas, and their external references are free for others, until a purge.

type DeleteRequest = Pick<UseCaseRequest<Forceable>, "query">

const decodeIds = UnvalidatedJson.decoder(IdsEnvelope)

/** Makes the use-cases. */
export const makeDeleteRecords = Effect.fnUntraced(function* <
  Fields extends AnyFields,
  Resource extends AnyResource,
  Rejection extends object = never
>(kind: DeletableKind<Fields, Resource, Rejection>) {
  const { plural, repo, type } = kind
  const refs = yield* ExternalRefsRepo
  const deletedRecords = yield* DeletedRecords
  const limits = yield* DeletionLimits
  const changes = yield* Changes
  const mutation = yield* Mutation.make

  /** The problems of deleting these records, by their UUIDs. */
  const rejectionsOf = (
    change: Change,
    loaded: ReadonlyArray<Stored<Resource>>,
    force: boolean
  ): Effect.Effect<ReadonlyMap<string, Rejection>> =>
    force || kind.rejectDeletions === undefined || loaded.length === 0
      ? Effect.succeed(new Map())
      : kind.rejectDeletions(
          change,
          loaded.map(({ uuid }) => uuid)
        )

  /** Deletes one record, and answers what `answer` reads in the transaction once the record is deleted. */
  const deleteAnswering = <A>(
    id: string,
    request: DeleteRequest & Pick<UseCaseRequest, "ifMatch">,
    answer: (change: Change, uuid: string) => Effect.Effect<A>
  ) =>
    mutation
      .change({
        request,
        authorize: kind.needs,
        load: (actor) => byId(type, id, (uuid) => repo.find(actor.teamId, uuid)),
        etagOf: ({ resource }) => resource.etag,
        decide: ({ loaded }) =>
          Effect.gen(function* () {
            const { force } = yield* request.query
            yield* requireUnmerged(type, loaded)
            return { force: force === true }
          }),
        commit: (change, { decision: { force }, loaded, pinned }) =>
          Effect.gen(function* () {
            const rejection = (yield* rejectionsOf(change, [loaded], force)).get(loaded.uuid)
            if (rejection !== undefined) return yield* Effect.fail(rejection)
            yield* limits.require(change)
            yield* deleteAll(kind, { deletedRecords, refs }, change, { loaded: [loaded], pinned, force })
            return { answer: yield* answer(change, loaded.uuid) }
          }),
        answer: ({ committed }) =>
          committed === undefined ? Effect.die(new Error("nothing was deleted")) : Effect.succeed(committed.answer)
      })
      .pipe(limits.announcing, Effect.withSpan(`${plural}.delete`))

  /** Deletes one record. */
  const deleteRecord = (id: string, request: DeleteRequest & Pick<UseCaseRequest, "ifMatch">) =>
    deleteAnswering(id, request, () => Effect.void)

  /** The receipts of a batch of ids, and the records to delete, each once. */
  const planBatch = (
    ids: ReadonlyArray<string>,
    found: ReadonlyArray<Stored<Resource>>,
    rejections: ReadonlyMap<string, Rejection>
  ) => {
    const remaining = new Map(found.map((stored) => [stored.uuid, stored]))
    const loaded: Array<Stored<Resource>> = []
    const results = ids.map((id, index): DeletedReceipt | MissingReceipt | FailedReceipt => {
      const stored = remaining.get(Id.toUuid(type, id) ?? "")
      if (stored === undefined || stored.deleted) {
        const receipt = missingReceipt(type, { index, id, stored })
        return receipt.problem === undefined ? receipt : { ...receipt, status: "failed", problem: receipt.problem }
      }
      const rejection = rejections.get(stored.uuid)
      if (rejection !== undefined) {
        return { index, status: "failed", id, etag: null, problem: itemProblem(index, rejection) }
      }
      remaining.delete(stored.uuid)
      loaded.push(stored)
      return { index, status: "deleted", id, etag: null }
    })
    return { results, loaded }
  }

  /** Deletes up to a hundred records, with a receipt for each id; one that does not exist does not affect the others. */
  const batchDelete = Effect.fn(`${plural}.batchDelete`)(function* (
    request: DeleteRequest & Pick<UseCaseRequest, "body">
  ) {
    const actor = yield* authorize(kind.needs)
    const document = yield* request.body
    const [query, { ids }] = yield* all(request.query, decodeIds(document))
    const force = query.force === true
    const uuids = [...new Set(ids.flatMap((id) => Id.toUuid(type, id) ?? []))]
    return yield* Mutation.retryOnConflict(
      changes.commit(actor, (change) =>
        Effect.gen(function* () {
          const found = yield* repo.findAll(actor.teamId, uuids)
          const rejections = yield* rejectionsOf(change, found, force)
          const planned = planBatch(ids, found, rejections)
          const { granted, refusal } = yield* limits.allow(change, planned.loaded.length)
          const loaded = planned.loaded.slice(0, granted)
          yield* deleteAll(kind, { deletedRecords, refs }, change, { loaded, pinned: false, force })
          if (refusal === undefined) return { results: planned.results }
          let left = granted
          const results = planned.results.map((receipt): typeof receipt =>
            receipt.status !== "deleted" || left-- > 0
              ? receipt
              : { ...receipt, status: "failed", problem: itemProblem(receipt.index, refusal) }
          )
          return { results }
        })
      )
    )
  })

  return { delete: deleteRecord, deleteAnswering, batchDelete }
})

// Purges records: rows of their timelines first, then the records.

/** The records to purge. */
export interface Purgeable {
  /** Locks at most `limit` of them, of one team, until the transaction ends; undefined if there are none. */
  readonly lock: (limit: number) => Effect.Effect<OfTeam | undefined>
  /** Removes records whose timelines are empty. */
  readonly remove: (found: OfTeam) => Effect.Effect<void>
}

/**
 * Makes the function that runs one step of a purge: at most `limit` rows of timelines, or `limit` records. It returns the number of
 * rows; 0 when nothing is left. Each step is a transaction in one team, and the next one continues where it ended.
 */
export const makePurge = Effect.gen(function* () {
  const sql = yield* Database
  const timelines = yield* Timelines
  return ({ lock, remove }: Purgeable, limit: number): Effect.Effect<number> =>
    Effect.gen(function* () {
      // The lock excludes a merge or restore in the meantime, which would need the timelines.
      const found = yield* lock(limit)
      if (found === undefined || found.uuids.length === 0) return 0
      const rows = yield* timelines.clear(found, limit)
      if (rows > 0) return rows
      yield* remove(found)
      return found.uuids.length
    }).pipe(Transaction.run, Effect.provideService(Database, sql))
})

/** The statements by which the tombstones of a table are purged. */
interface TombstoneRepo {
  readonly findPurgeable: (until: Date, which: DueRows) => Effect.Effect<OfTeam | undefined>
  readonly lockPurgeable: (until: Date, found: OfTeam) => Effect.Effect<OfTeam>
  readonly purge: (found: OfTeam) => Effect.Effect<void>
}

/** Makes the function that runs one step of purging the tombstones that deltas no longer list, of one team whose step does not fail. */
export const makeTombstonePurge = (repo: TombstoneRepo) =>
  Effect.map(Effect.all([makePurge, Retention]), ([step, { tombstones }]) =>
    Effect.fnUntraced(function* (limit: number) {
      const until = yield* daysAgo(tombstones)
      return yield* runParts("Purging tombstones", (failed) =>
        Effect.map(repo.findPurgeable(until, { limit, failed }), (found) =>
          found === undefined
            ? []
            : [
                {
                  teamId: found.teamId,
                  run: step({ lock: () => repo.lockPurgeable(until, found), remove: repo.purge }, limit)
                }
              ]
        )
      )
    })
  )
