/** Deletes records: their tombstones stay for deltas, and their external references are free for others. */
import { Effect } from "effect"
import { type Change, Changes } from "../mutation/Changes.ts"
import * as Mutation from "../mutation/Mutation.ts"
import { ExternalRefsRepo } from "../externalRefs/ExternalRefsRepo.ts"
import { authorize } from "../auth/CurrentActor.ts"
import * as Id from "../Id.ts"
import { all } from "../usecase/Input.ts"
import { byId } from "../usecase/Lookup.ts"
import * as UnvalidatedJson from "../usecase/UnvalidatedJson.ts"
import type { UseCaseRequest } from "../usecase/UseCaseRequest.ts"
import { IdsEnvelope, type DeletedReceipt, type FailedReceipt, type MissingReceipt } from "./Batch.ts"
import type { Forceable } from "./CreateRecord.ts"
import { requireUnmerged } from "./MergeRecords.ts"
import { itemProblem, missingReceipt } from "./receipts.ts"
import type { DeletableKind } from "./RecordKind.ts"
import { deleteAll } from "./SaveRecords.ts"
import type { AnyFields, AnyResource, Stored } from "./Table.ts"

type DeleteRequest = Pick<UseCaseRequest<Forceable>, "query">

const decodeIds = UnvalidatedJson.decoder(IdsEnvelope)

/** Makes the use-cases. */
export const make = Effect.fnUntraced(function* <
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
