/** The REST handlers of prospects. */
import { Effect } from "effect"
import * as RestResponse from "../../http/RestResponse.ts"
import * as RestAdapter from "../../http/RestAdapter.ts"
import { Additions } from "./Additions.ts"
import { collectionOf, prospects as contract } from "./api.ts"
import { Classifications } from "./Classifications.ts"
import { Patches } from "./Patches.ts"
import { Prospects } from "./Prospects.ts"
import { Removals } from "./Removals.ts"
import { Stages } from "./Stages.ts"
import { Upserts } from "./Upserts.ts"

export const layer = RestAdapter.group(
  contract,
  Effect.gen(function* () {
    const prospects = yield* Prospects
    const additions = yield* Additions
    const classifications = yield* Classifications
    const patches = yield* Patches
    const removals = yield* Removals
    const stages = yield* Stages
    const upserts = yield* Upserts
    return {
      list: (request) => Effect.map(prospects.list(request.params.projectId, request), RestResponse.page),
      listAll: (request) => Effect.map(prospects.listAll(request), RestResponse.page),
      getById: ({ params }) => Effect.map(prospects.getById(params.id), RestResponse.resource),
      create: (request) =>
        Effect.map(additions.add(request.params.projectId, request), (created) =>
          RestResponse.created(collectionOf(request.params.projectId), created)
        ),
      batchCreate: (request) =>
        Effect.map(additions.addBatch(request.params.projectId, request), RestResponse.idempotentReceipts),
      batchUpsert: (request) =>
        Effect.map(upserts.upsertBatch(request.params.projectId, request), RestResponse.idempotentReceipts),
      classify: (request) =>
        Effect.map(classifications.classify(request.params.projectId, request), RestResponse.idempotentOk),
      get: ({ params }) => Effect.map(prospects.get(params.projectId, params.id), RestResponse.resource),
      update: (request) =>
        Effect.map(patches.patch(request.params.projectId, request.params.id, request), RestResponse.resource),
      delete: (request) =>
        Effect.as(removals.delete(request.params.projectId, request.params.id, request), RestResponse.noContent),
      remove: (request) =>
        Effect.as(
          removals.removeFromList(request.params.projectId, request.params.id, request),
          RestResponse.noContent
        ),
      restore: (request) =>
        Effect.map(removals.restore(request.params.projectId, request.params.id, request), RestResponse.resource),
      deleteStageOverride: (request) =>
        Effect.as(
          stages.withdrawOverride(request.params.projectId, request.params.id, request),
          RestResponse.noContent
        ),
      listActions: (request) =>
        Effect.map(prospects.actions(request.params.projectId, request.params.id, request), RestResponse.page)
    }
  })
)
