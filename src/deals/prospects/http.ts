/** The REST handlers of prospects. */
import * as RestResponse from "../../http/RestResponse.ts"
import * as RestAdapter from "../../http/RestAdapter.ts"
import { Effect } from "effect"
import { ProspectBatches } from "./ProspectBatches.ts"
import { collectionOf, prospects as contract } from "./api.ts"
import { ProspectChanges } from "./ProspectChanges.ts"
import { Prospects } from "./Prospects.ts"

export const layer = RestAdapter.group(
  contract,
  Effect.gen(function* () {
    const prospects = yield* Prospects
    const changes = yield* ProspectChanges
    const batches = yield* ProspectBatches
    return {
      list: (request) => Effect.map(prospects.list(request.params.projectId, request), RestResponse.page),
      listAll: (request) => Effect.map(prospects.listAll(request), RestResponse.page),
      getById: ({ params }) => Effect.map(prospects.getById(params.id), RestResponse.resource),
      create: (request) =>
        Effect.map(batches.add(request.params.projectId, request), (created) =>
          RestResponse.created(collectionOf(request.params.projectId), created)
        ),
      batchCreate: (request) =>
        Effect.map(batches.addBatch(request.params.projectId, request), RestResponse.idempotentReceipts),
      batchUpsert: (request) =>
        Effect.map(batches.upsertBatch(request.params.projectId, request), RestResponse.idempotentReceipts),
      classify: (request) => Effect.map(batches.classify(request.params.projectId, request), RestResponse.idempotentOk),
      get: ({ params }) => Effect.map(prospects.get(params.projectId, params.id), RestResponse.resource),
      update: (request) =>
        Effect.map(changes.patch(request.params.projectId, request.params.id, request), RestResponse.resource),
      delete: (request) =>
        Effect.as(changes.delete(request.params.projectId, request.params.id, request), RestResponse.noContent),
      remove: (request) =>
        Effect.as(changes.removeFromList(request.params.projectId, request.params.id, request), RestResponse.noContent),
      restore: (request) =>
        Effect.map(changes.restore(request.params.projectId, request.params.id, request), RestResponse.resource),
      deleteStageOverride: (request) =>
        Effect.as(
          changes.withdrawOverride(request.params.projectId, request.params.id, request),
          RestResponse.noContent
        ),
      listActions: (request) =>
        Effect.map(prospects.actions(request.params.projectId, request.params.id, request), RestResponse.page)
    }
  })
)
