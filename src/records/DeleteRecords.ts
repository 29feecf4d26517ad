/** Deletes records: their tombstones stay for deltas, and their external references are free for others. */
import { Effect } from "effect"
import { Changes } from "../changes/Changes.ts"
import * as Mutation from "../changes/Mutation.ts"
import { ExternalRefsRepo } from "../externalRefs/ExternalRefsRepo.ts"
import { authorize } from "../auth/CurrentActor.ts"
import * as Id from "../Id.ts"
import { all } from "../usecase/Input.ts"
import { byId } from "../usecase/Lookup.ts"
import * as UnvalidatedJson from "../usecase/UnvalidatedJson.ts"
import type { UseCaseRequest } from "../usecase/UseCaseRequest.ts"
import { IdsEnvelope, type DeletedReceipt, type FailedReceipt, type MissingReceipt } from "./Batch.ts"
import { requireUnmerged } from "./MergeRecords.ts"
import { missingReceipt } from "./receipts.ts"
import type { EditableKind } from "./RecordKind.ts"
import { deleteAll } from "./SaveRecords.ts"
import type { AnyFields, AnyResource, Stored } from "./Table.ts"

const decodeIds = UnvalidatedJson.decoder(IdsEnvelope)

/** Makes the use-cases. */
export const make = Effect.fnUntraced(function* <Fields extends AnyFields, Resource extends AnyResource, Rejection>(
  kind: EditableKind<Fields, Resource, Rejection>
) {
  const { plural, repo, type } = kind
  const refs = yield* ExternalRefsRepo
  const changes = yield* Changes
  const mutation = yield* Mutation.make

  /** Deletes one record. */
  const deleteRecord = Effect.fn(`${plural}.delete`)((id: string, request: Pick<UseCaseRequest, "ifMatch" | "query">) =>
    mutation.change({
      request,
      authorize: kind.needs,
      load: (actor) => byId(type, id, (uuid) => repo.find(actor.teamId, uuid)),
      etagOf: ({ resource }) => resource.etag,
      decide: ({ loaded }) => Effect.andThen(request.query, requireUnmerged(type, loaded)),
      commit: (change, { loaded, pinned }) => deleteAll(kind, refs, change, { loaded: [loaded], pinned }),
      answer: () => Effect.void
    })
  )

  /** The receipts of a batch of ids, and the records to delete, each once. */
  const planBatch = (ids: ReadonlyArray<string>, found: ReadonlyArray<Stored<Resource>>) => {
    const remaining = new Map(found.map((stored) => [stored.uuid, stored]))
    const loaded: Array<Stored<Resource>> = []
    const results = ids.map((id, index): DeletedReceipt | MissingReceipt | FailedReceipt => {
      const stored = remaining.get(Id.toUuid(type, id) ?? "")
      if (stored === undefined || stored.deleted) {
        const receipt = missingReceipt(type, { index, id, stored })
        return receipt.problem === undefined ? receipt : { ...receipt, status: "failed", problem: receipt.problem }
      }
      remaining.delete(stored.uuid)
      loaded.push(stored)
      return { index, status: "deleted", id, etag: null }
    })
    return { results, loaded }
  }

  /** Deletes up to a hundred records, with a receipt for each id; one that does not exist does not affect the others. */
  const batchDelete = Effect.fn(`${plural}.batchDelete`)(function* (request: Pick<UseCaseRequest, "body" | "query">) {
    const actor = yield* authorize(kind.needs)
    const document = yield* request.body
    const [, { ids }] = yield* all(request.query, decodeIds(document))
    const uuids = [...new Set(ids.flatMap((id) => Id.toUuid(type, id) ?? []))]
    return yield* Mutation.retryOnConflict(
      changes.commit(actor, (change) =>
        Effect.gen(function* () {
          const { loaded, results } = planBatch(ids, yield* repo.findAll(actor.teamId, uuids))
          yield* deleteAll(kind, refs, change, { loaded, pinned: false })
          return { results }
        })
      )
    )
  })

  return { delete: deleteRecord, batchDelete }
})
