/** Deletes records: their tombstones stay for deltas, and their external references are free for others, until a purge. */
import * as Mutation from "../mutation/Mutation.ts"
import * as Id from "../Id.ts"
import * as UnvalidatedJson from "../usecase/UnvalidatedJson.ts"
import * as Transaction from "../../platform/db/Transaction.ts"
import { Effect } from "effect"
import { type Change, Changes } from "../mutation/Changes.ts"
import { ExternalRefsRepo } from "../externalRefs/ExternalRefsRepo.ts"
import { authorize } from "../auth/CurrentActor.ts"
import { all } from "../usecase/Input.ts"
import { byId, type UseCaseRequest } from "../usecase/UseCaseRequest.ts"
import { type DeletedReceipt, type FailedReceipt, IdsEnvelope, type MissingReceipt } from "./Batch.ts"
import type { Forceable } from "./ChangeRecords.ts"
import { itemProblem, missingReceipt, requireUnmerged } from "./MergeRecords.ts"
import type { DeletableKind } from "./RecordKind.ts"
import { deleteAll } from "./SaveRecords.ts"
import type { AnyFields, AnyResource, Stored } from "./Table.ts"
import { tombstoneDays } from "../mutation/Delta.ts"
import type { DueRows, OfTeam } from "../mutation/purgeListed.ts"
import { Timelines } from "../mutation/Timelines.ts"
import { Database } from "../../platform/db/Database.ts"
import { daysAgo } from "../../platform/Time.ts"
import { runParts } from "../TeamParts.ts"

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
            yield* deleteAll(kind, refs, change, { loaded: [loaded], pinned, force })
            return { answer: yield* answer(change, loaded.uuid) }
          }),
        answer: ({ committed }) =>
          committed === undefined ? Effect.die(new Error("nothing was deleted")) : Effect.succeed(committed.answer)
      })
      .pipe(Effect.withSpan(`${plural}.delete`))

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
          const { loaded, results } = planBatch(ids, found, rejections)
          yield* deleteAll(kind, refs, change, { loaded, pinned: false, force })
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
  Effect.map(makePurge, (step) =>
    Effect.fnUntraced(function* (limit: number) {
      const until = yield* daysAgo(tombstoneDays)
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
