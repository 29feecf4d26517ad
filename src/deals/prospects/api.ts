/** The REST contract of prospects. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization } from "../../http/Authorization.ts"
import { ActionPage, ProspectTimelineQuery } from "../../core/mutation/Timeline.ts"
import { mergePatch, Needs, orNotModified, refusals, requestHeaders, responseHeaders } from "../../http/Contract.ts"
import { DeltaPageOf } from "../../core/usecase/Page.ts"
import {
  ExternalReferenceTaken,
  InvalidCursor,
  InvalidRequest,
  ProspectErased,
  InvestorDeleted,
  ProspectRemoved,
  QueryTooExpensive,
  ResyncRequired
} from "../../core/usecase/Problem.ts"
import { AddReceipts, BatchItems, maxItems, RestoringUpsertReceipts } from "../../core/records/Batch.ts"
import {
  AllProspectsQuery,
  Classified,
  maxClassified,
  Prospect,
  ProspectAdd,
  ProspectClassify,
  ProspectExists,
  ProspectListQuery,
  ProspectNotRemoved,
  ProspectPatch,
  ProspectUpsert
} from "./Prospect.ts"

const page = DeltaPageOf(Prospect, "ProspectPage")

const exampleId = "prospect_01kb3n7x2ferwt5z8q4j6m9d0c"

const path = "/api/v1/projects/:projectId/prospects"

/** The parameters of a path that names a project. */
export const projectParams = {
  projectId: Schema.String.annotate({
    description: "The project's id.",
    examples: ["project_01kb3n7x2ferwt5z8q4j6m9d0c"]
  })
}

/** The parameters of a path that names a prospect. */
export const prospectParams = {
  ...projectParams,
  id: Schema.String.annotate({ description: "The prospect's id.", examples: [exampleId] })
}

/** The path of the prospects of a project. */
export const collectionOf = (projectId: string) => `/api/v1/projects/${projectId}/prospects`

/** Prospects: investors on projects. */
export const prospects = HttpApiGroup.make("prospects")
  .add(
    HttpApiEndpoint.get("listAll", "/api/v1/prospects", {
      query: AllProspectsQuery,
      success: page.pipe(responseHeaders("link")),
      error: [InvalidRequest, InvalidCursor, ResyncRequired, QueryTooExpensive]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List the prospects of all projects",
        description:
          "The prospects on the lists of all projects, as one list and one delta, with the filters of a project's list and `project_id`. With `include_deleted`, prospects that were deleted, alone or with their project, or removed from their list are included as tombstones, whatever the filters except `external_ref` and `project_id`; a later delta lists restored ones again."
      })
    ),
    HttpApiEndpoint.get("getById", "/api/v1/prospects/:id", {
      params: { id: prospectParams.id },
      headers: requestHeaders("if-none-match"),
      success: orNotModified(Prospect.pipe(responseHeaders("etag"))),
      error: refusals.one
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Get a prospect by its id alone",
        description:
          "The same answer and ETag as below its project, whose id is `projectId`. With `If-None-Match`, 304 while it is unchanged."
      })
    ),
    HttpApiEndpoint.get("list", path, {
      params: projectParams,
      query: ProspectListQuery,
      success: page.pipe(responseHeaders("link")),
      error: [...refusals.one, InvalidCursor, ResyncRequired, QueryTooExpensive]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List a project's prospects",
        description:
          "All prospects on the list, with or without a teaser, ordered by creation or, with `updated_since`, those that changed since then. All filters combine; a page costs the same at any depth. With `include_deleted`, prospects that were deleted or removed from the list are included as tombstones, whatever the filters (except `external_ref`, which finds no deleted ones); a later delta lists a restored one again."
      })
    ),
    HttpApiEndpoint.post("create", path, {
      params: projectParams,
      headers: requestHeaders("idempotency-key", "prefer"),
      payload: ProspectAdd,
      success: Prospect.pipe(HttpApiSchema.status(201), responseHeaders("etag", "location", "idempotency-replayed")),
      error: [...refusals.one, ...refusals.body, ...refusals.repeatable, ProspectExists, ExternalReferenceTaken]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Add a prospect",
        description:
          "Adds a contact or company to the list. An investor that is already on the list is rejected with 409 and the id of its prospect. A removed prospect is restored with its id, history and members, updated by the members that are sent. Emits `prospect.created` with the action `added`, or `prospect.updated` with `restored`."
      })
    ),
    HttpApiEndpoint.post("batchCreate", `${path}/batch`, {
      params: projectParams,
      headers: requestHeaders("idempotency-key", "prefer"),
      payload: BatchItems(ProspectAdd, "ProspectBatchAdd"),
      success: AddReceipts("Prospect", exampleId).pipe(
        HttpApiSchema.status(207),
        responseHeaders("idempotency-replayed")
      ),
      error: [...refusals.one, ...refusals.body, ...refusals.repeatable]
    }).annotateMerge(
      OpenApi.annotations({
        summary: `Add up to ${maxItems} prospects`,
        description:
          "Items are processed in order, each on the state that the ones before it left. A rejected item does not affect the others; its receipt has the problem. One receipt for each item, in the order of the request."
      })
    ),
    HttpApiEndpoint.post("batchUpsert", `${path}/batch/upsert`, {
      params: projectParams,
      headers: requestHeaders("idempotency-key", "prefer"),
      payload: BatchItems(ProspectUpsert, "ProspectBatchUpsert"),
      success: RestoringUpsertReceipts("Prospect", exampleId).pipe(
        HttpApiSchema.status(207),
        responseHeaders("idempotency-replayed")
      ),
      error: [...refusals.one, ...refusals.body, ...refusals.repeatable]
    }).annotateMerge(
      OpenApi.annotations({
        summary: `Update, restore or add up to ${maxItems} prospects`,
        description:
          "An item means the prospect with its `id`, or else with one of its `externalRefs`, or else with its `contactId` or `companyId`. That prospect is patched, and one that was removed is restored first (`restored`); if there is none, the contact or company is added (`created`). Items are processed in order, each on the state that the ones before it left. A rejected item does not affect the others; its receipt has the problem. Emits what the single requests would."
      })
    ),
    HttpApiEndpoint.post("classify", `${path}/classify`, {
      params: projectParams,
      headers: requestHeaders("idempotency-key", "prefer"),
      payload: ProspectClassify,
      success: Classified.pipe(responseHeaders("idempotency-replayed")),
      error: [...refusals.one, ...refusals.body, ...refusals.repeatable]
    }).annotateMerge(
      OpenApi.annotations({
        summary: `Classify up to ${maxClassified} prospects`,
        description:
          "Classifications can change in any direction. `bidder` also records the interest `interested`. A `note` is added to each prospect as a note with its own id and ETag, to which the `prospect.classified` row of the timeline refers. A prospect that cannot be classified does not affect the others. Emits `prospect.updated` with the action `classified` for each whose classification changes, and with `interest_changed` where `bidder` changes the interest."
      })
    ),
    HttpApiEndpoint.get("get", `${path}/:id`, {
      params: prospectParams,
      headers: requestHeaders("if-none-match"),
      success: orNotModified(Prospect.pipe(responseHeaders("etag"))),
      error: [...refusals.one]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Get a prospect",
        description:
          "A prospect that was removed from the list is answered with `removedUtc`. With `If-None-Match`, 304 while it is unchanged."
      })
    ),
    HttpApiEndpoint.patch("update", `${path}/:id`, {
      params: prospectParams,
      headers: requestHeaders("if-match", "prefer"),
      payload: mergePatch(ProspectPatch),
      success: Prospect.pipe(responseHeaders("etag")),
      error: [
        ...refusals.one,
        ...refusals.body,
        ...refusals.conditional,
        ExternalReferenceTaken,
        ProspectRemoved,
        ProspectErased
      ]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Update a prospect",
        description:
          "A merge patch. A patch that changes nothing answers 200 with the same ETag and emits no event. A classification never lowers the stage or clears the interest; `bidder` records the interest `interested`, unless the same request sends `interest`. `interest` and `stage` take precedence over the classification. Emits one `prospect.updated` for each of: classification (action `classified`), interest (`interest_changed`), stage (`stage_overridden`), project tags and external references (`changed_fields`). Owner and expiry emit `prospect.owner_changed` and `prospect.access_expiry_changed` only."
      })
    ),
    HttpApiEndpoint.delete("delete", `${path}/:id`, {
      params: prospectParams,
      headers: requestHeaders("if-match", "prefer"),
      success: HttpApiSchema.NoContent,
      error: [...refusals.one, ...refusals.body, ...refusals.conditional, ...refusals.deletion, ProspectErased]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete a prospect",
        description:
          "Deletes the prospect permanently: a later GET answers 404, and the same investor can be added again as a new prospect. To be able to restore it, remove it from the list instead. Deltas list its tombstone for 90 days, and other prospects can take its external references. Emits `prospect.deleted`."
      })
    ),
    HttpApiEndpoint.post("remove", `${path}/:id/remove`, {
      params: prospectParams,
      headers: requestHeaders("prefer"),
      success: HttpApiSchema.NoContent,
      error: [...refusals.one, ...refusals.body, ProspectErased]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Remove a prospect from the list",
        description:
          "The prospect keeps its id, timeline, notes, tasks and all members, and can be read by its id. `restore`, or adding the investor again, restores it; until then, it can be deleted, and other changes answer 409 `prospect_removed`. Removing it again answers 204 and changes nothing. Emits `prospect.updated` with the action `removed`."
      })
    ),
    HttpApiEndpoint.post("restore", `${path}/:id/restore`, {
      params: prospectParams,
      headers: requestHeaders("prefer"),
      success: Prospect.pipe(responseHeaders("etag")),
      error: [...refusals.one, ...refusals.body, ProspectErased, ProspectNotRemoved, InvestorDeleted]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Put a removed prospect back on the list",
        description:
          "Restores the prospect unchanged. A prospect on the list answers 409, and so does one whose contact or company was deleted. Emits `prospect.updated` with the action `restored`."
      })
    ),
    HttpApiEndpoint.delete("deleteStageOverride", `${path}/:id/stage-override`, {
      params: prospectParams,
      headers: requestHeaders("if-match", "prefer"),
      success: HttpApiSchema.NoContent,
      error: [...refusals.one, ...refusals.body, ...refusals.conditional, ProspectRemoved, ProspectErased]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Withdraw the override of the stage",
        description:
          "The stage is derived from milestones again, and `stageOverride` is left out. Answers 204 even without an override. Emits `prospect.updated` with the action `stage_overridden` if there was one."
      })
    ),
    HttpApiEndpoint.get("listActions", `${path}/:id/actions`, {
      params: prospectParams,
      query: ProspectTimelineQuery,
      success: ActionPage.pipe(responseHeaders("link")),
      error: [...refusals.one, InvalidCursor]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List a prospect's timeline",
        description:
          "The changes and notes of the prospect, newest first, with the rows of its contact or company, which are marked by `subject` and `subjectId`. A classification with a comment is listed both as a note and as an audit row; `details.noteId` is the id of the note with the text."
      })
    )
  )
  .middleware(Authorization)
  .annotateEndpoints(Needs, "broker")
  .annotateMerge(
    OpenApi.annotations({
      title: "Prospects",
      description: "Investors on projects. All operations need the `broker` capability."
    })
  )
