/** The REST contract of prospects. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization } from "../http/Authorization.ts"
import { ActionPage } from "../changes/Action.ts"
import { ProspectTimelineQuery } from "../changes/Timeline.ts"
import {
  mergePatch,
  Needs,
  orDryRunReport,
  orNotModified,
  refusals,
  requestHeaders,
  responseHeaders
} from "../http/Contract.ts"
import { PageOf } from "../usecase/Page.ts"
import { ExternalReferenceTaken, InvalidCursor, ResyncRequired } from "../usecase/Problem.ts"
import { AddReceipts, BatchItems, maxItems } from "../records/Batch.ts"
import { Classified, maxClassified, ProspectClassify } from "./Classification.ts"
import { InvestorDeleted, Prospect, ProspectExists, ProspectNotRemoved, ProspectRemoved } from "./Prospect.ts"
import { ProspectAdd, ProspectListQuery, ProspectPatch } from "./ProspectInput.ts"

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

/** Where the prospects of a project are. */
export const collectionOf = (projectId: string) => `/api/v1/projects/${projectId}/prospects`

/** Prospects: investors on projects. */
export const prospects = HttpApiGroup.make("prospects")
  .add(
    HttpApiEndpoint.get("list", path, {
      params: projectParams,
      query: ProspectListQuery,
      success: PageOf(Prospect, "ProspectPage").pipe(responseHeaders("link")),
      error: [...refusals.one, InvalidCursor, ResyncRequired]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List a project's prospects",
        description:
          "Everybody on the list, teaser communicated or not, in the order in which they were added or, with `updated_since`, what changed since then. All filters combine; a page costs the same at any depth. With `include_deleted`, those that were deleted, and those that were removed from the list, are there as tombstones, whatever the filters (but for `external_ref`, which finds nothing that was deleted); a later delta brings back one that was restored."
      })
    ),
    HttpApiEndpoint.post("create", path, {
      params: projectParams,
      headers: requestHeaders("idempotency-key", "prefer"),
      payload: ProspectAdd,
      success: orDryRunReport(
        Prospect.pipe(HttpApiSchema.status(201), responseHeaders("etag", "location", "idempotency-replayed"))
      ),
      error: [...refusals.one, ...refusals.body, ...refusals.repeatable, ProspectExists, ExternalReferenceTaken]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Add a prospect",
        description:
          "Puts a contact or a company on the list. One that is on it is refused with its id. One that was removed comes back with its id, its history and everything that it had, but for what is sent anew. Emits `prospect.created` with the action `added`, or `prospect.updated` with `restored`."
      })
    ),
    HttpApiEndpoint.post("batch", `${path}/batch`, {
      params: projectParams,
      headers: requestHeaders("idempotency-key", "prefer"),
      payload: BatchItems(ProspectAdd, "ProspectBatchAdd"),
      success: orDryRunReport(
        AddReceipts("ProspectAddReceipts", exampleId).pipe(
          HttpApiSchema.status(207),
          responseHeaders("idempotency-replayed")
        )
      ),
      error: [...refusals.one, ...refusals.body, ...refusals.repeatable]
    }).annotateMerge(
      OpenApi.annotations({
        summary: `Add up to ${maxItems} prospects`,
        description:
          "Items are taken one after the other, each on what the ones before it left; a bad one stops no other, and its receipt has the problem. One receipt for each item, in the order of the request."
      })
    ),
    HttpApiEndpoint.post("classify", `${path}/classify`, {
      params: projectParams,
      headers: requestHeaders("idempotency-key", "prefer"),
      payload: ProspectClassify,
      success: orDryRunReport(Classified.pipe(responseHeaders("idempotency-replayed"))),
      error: [...refusals.one, ...refusals.body, ...refusals.repeatable]
    }).annotateMerge(
      OpenApi.annotations({
        summary: `Classify up to ${maxClassified} prospects`,
        description:
          "Any order of classifications is allowed. `bidder` records the interest `interested`, too. A `note` becomes a note on each prospect, with an id and an ETag of its own; the `prospect.classified` row of the timeline points to it. One prospect that cannot be classified stops no other. Emits `prospect.updated` with the action `classified` for each whose classification changes, and with `interest_changed` where `bidder` changes the interest."
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
          "One that was removed from the list is found here too, with `removedUtc`. With `If-None-Match`, 304 while it is unchanged."
      })
    ),
    HttpApiEndpoint.patch("patch", `${path}/:id`, {
      params: prospectParams,
      headers: requestHeaders("if-match", "prefer"),
      payload: mergePatch(ProspectPatch),
      success: orDryRunReport(Prospect.pipe(responseHeaders("etag"))),
      error: [...refusals.one, ...refusals.body, ...refusals.conditional, ExternalReferenceTaken, ProspectRemoved]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Update a prospect",
        description:
          "A merge patch. One that changes nothing answers 200 with the same ETag and emits nothing. Classification never lowers the stage or clears the interest; `bidder` records the interest `interested` at each write, unless the same request sends `interest`. Where classification comes with `interest` or `stage`, those win. Emits one `prospect.updated` for each of: classification (action `classified`), interest (`interest_changed`), stage (`stage_overridden`), project tags and external references (`changed_fields`). Owner and expiry are rows of the timeline only."
      })
    ),
    HttpApiEndpoint.delete("delete", `${path}/:id`, {
      params: prospectParams,
      headers: requestHeaders("if-match", "prefer"),
      success: orDryRunReport(HttpApiSchema.NoContent),
      error: [...refusals.one, ...refusals.conditional]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete a prospect",
        description:
          "For good: a later GET answers 404, and the same investor can be added anew. To take one off the list that may come back, remove it. Its tombstone stays in deltas for 90 days, and its external references are free for others. Emits `prospect.deleted`."
      })
    ),
    HttpApiEndpoint.post("removeFromList", `${path}/:id/remove`, {
      params: prospectParams,
      headers: requestHeaders("prefer"),
      success: orDryRunReport(HttpApiSchema.NoContent),
      error: [...refusals.one, ...refusals.body]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Remove a prospect from the list",
        description:
          "It keeps its id, timeline, notes, tasks and everything else, can be read by its id, and comes back by `restore` or when it is added again; until then, it can be deleted, and other changes answer 409 `prospect_removed`. Removing it again answers 204 and changes nothing. Emits `prospect.updated` with the action `removed`."
      })
    ),
    HttpApiEndpoint.post("restore", `${path}/:id/restore`, {
      params: prospectParams,
      headers: requestHeaders("prefer"),
      success: orDryRunReport(Prospect.pipe(responseHeaders("etag"))),
      error: [...refusals.one, ...refusals.body, ProspectNotRemoved, InvestorDeleted]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Put a removed prospect back on the list",
        description:
          "Everything is as it was. One that is on the list is refused with 409, and so is one whose contact or company was deleted. Emits `prospect.updated` with the action `restored`."
      })
    ),
    HttpApiEndpoint.delete("withdrawOverride", `${path}/:id/stage-override`, {
      params: prospectParams,
      headers: requestHeaders("if-match", "prefer"),
      success: orDryRunReport(HttpApiSchema.NoContent),
      error: [...refusals.one, ...refusals.conditional, ProspectRemoved]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Withdraw the corrections of the stage",
        description:
          "The stage is derived from what has happened again, and `stageOverride` is left out. 204 also when there is none. Emits `prospect.updated` with the action `stage_overridden` when there was one."
      })
    ),
    HttpApiEndpoint.get("actions", `${path}/:id/actions`, {
      params: prospectParams,
      query: ProspectTimelineQuery,
      success: ActionPage.pipe(responseHeaders("link")),
      error: [...refusals.one, InvalidCursor]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List a prospect's timeline",
        description:
          "What happened to the prospect, newest first, with the rows of its contact or company, which say so in `subject` and `subjectId`. A classification with a comment is listed under `notes` and under `audit`; its text is on the note that `details.noteId` names."
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
