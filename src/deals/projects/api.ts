/** The REST contract of projects. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization } from "../../http/Authorization.ts"
import { ActionPage, ProjectTimelineQuery } from "../../core/mutation/Timeline.ts"
import { mergePatch, Needs, orNotModified, refusals, requestHeaders, responseHeaders } from "../../http/Contract.ts"
import { DeltaPageOf, PageOf } from "../../core/usecase/Page.ts"
import {
  ExternalReferenceTaken,
  InvalidCursor,
  InvalidRequest,
  QueryTooExpensive,
  ResyncRequired
} from "../../core/usecase/Problem.ts"
import { idParams } from "../../http/RecordEndpoints.ts"
import { Property } from "../../market/properties/Property.ts"
import {
  Deprecation,
  Project,
  ProjectCreate,
  ProjectListQuery,
  ProjectNotDeleted,
  ProjectPatch,
  ProjectPropertiesQuery,
  ProjectShared,
  ValidationFailed
} from "./Project.ts"

/** The path of projects. */
export const path = "/api/v1/projects"

const params = idParams("project", "project_01kb3n7x2ferwt5z8q4j6m9d0c")

/** Adds the headers of answers that contain projects, whose member `mandate` is deprecated. */
const withProjects =
  <const Names extends ReadonlyArray<"etag" | "location" | "link" | "idempotency-replayed">>(...names: Names) =>
  <S extends Schema.Top>(schema: S) =>
    HttpApiSchema.WithHeaders(schema, {
      ...responseHeaders(...names)(schema).headers.fields,
      deprecation: Deprecation,
      link: Schema.String.annotate({
        description: names.includes("link")
          ? 'The next page, `rel="next"`, if there is one, and the description of deprecated members, `rel="deprecation"`.'
          : 'The description of deprecated members, `rel="deprecation"`.'
      })
    })

const moveErrors = [...refusals.one, ...refusals.conditional] as const

/** Projects: real-estate transactions, from the draft to the close. */
export const projects = HttpApiGroup.make("projects")
  .add(
    HttpApiEndpoint.get("list", path, {
      query: ProjectListQuery,
      success: DeltaPageOf(Project, "ProjectPage").pipe(withProjects("link")),
      error: [InvalidRequest, InvalidCursor, ResyncRequired, QueryTooExpensive]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List projects",
        description:
          "Projects ordered by creation or, with `updated_since`, those that changed since then. There are no totals; a page costs the same at any depth."
      })
    ),
    HttpApiEndpoint.post("create", path, {
      headers: requestHeaders("idempotency-key", "prefer"),
      payload: ProjectCreate,
      success: Project.pipe(HttpApiSchema.status(201), withProjects("etag", "location", "idempotency-replayed")),
      error: [InvalidRequest, ...refusals.body, ...refusals.repeatable, ExternalReferenceTaken, ValidationFailed]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Create a project",
        description:
          "The project is a draft until it is published, its teaser is communicated, or an investor gets access to one of its rooms. Without `ownerId` it has no owner. `mandate` is the former name of `exclusivity`: values for both are rejected with 422, even if they are equal; if one of them is null, the other one is used. Emits `project.created`."
      })
    ),
    HttpApiEndpoint.get("get", `${path}/:id`, {
      params,
      headers: requestHeaders("if-none-match"),
      success: orNotModified(Project.pipe(withProjects("etag"))),
      error: refusals.one
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Get a project",
        description: "With `If-None-Match`, 304 while the project is unchanged."
      })
    ),
    HttpApiEndpoint.patch("update", `${path}/:id`, {
      params,
      headers: requestHeaders("if-match", "prefer"),
      payload: mergePatch(ProjectPatch),
      success: Project.pipe(withProjects("etag")),
      error: [...refusals.one, ...refusals.body, ...refusals.conditional, ExternalReferenceTaken, ValidationFailed]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Update a project",
        description:
          "A merge patch. A patch that changes nothing answers 200 with the same ETag and emits no event. `mandate` and `exclusivity` are one value, as on a create: leave `mandate` out of a project that you send back. Emits `project.updated`."
      })
    ),
    HttpApiEndpoint.delete("delete", `${path}/:id`, {
      params,
      headers: requestHeaders("if-match", "prefer"),
      success: HttpApiSchema.NoContent,
      error: [...moveErrors, ...refusals.body, ...refusals.deletion, ProjectShared]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete a project",
        description: `Deletes the project with its prospects and all their external references; within 30 days, all of it can be restored. A project whose teaser was communicated, or to one of whose rooms an investor has access, is rejected with 409: close it instead. Deltas list its tombstone for 90 days. Emits \`prospect.deleted\` for each prospect, and \`project.deleted\`.`
      })
    ),
    HttpApiEndpoint.post("restore", `${path}/:id/restore`, {
      params,
      headers: requestHeaders("if-match", "prefer"),
      success: Project.pipe(withProjects("etag")),
      error: [...moveErrors, ...refusals.body, ProjectNotDeleted, ExternalReferenceTaken]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Restore a project",
        description: `Within 30 days of its deletion, restores the project with its prospects and external references. If another resource has taken one of these references, nothing is restored. Emits \`project.restored\`. Deltas list the restored prospects with \`changeType: "restored"\`; one whose contact or company was merged in the meantime may have been merged into another prospect. Those whose contact or company was deleted in the meantime are restored as removed from the list, each with \`prospect.updated\` and the action \`removed\`.`
      })
    ),
    HttpApiEndpoint.post("close", `${path}/:id/close`, {
      params,
      headers: requestHeaders("if-match", "prefer"),
      success: Project.pipe(withProjects("etag")),
      error: [...moveErrors, ...refusals.body]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Close a project",
        description:
          "Its history stays. Closing a closed project changes nothing. Emits `project.updated`, with the action `closed`."
      })
    ),
    HttpApiEndpoint.post("reopen", `${path}/:id/reopen`, {
      params,
      headers: requestHeaders("if-match", "prefer"),
      success: Project.pipe(withProjects("etag")),
      error: [...moveErrors, ...refusals.body]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Reopen a project",
        description:
          "Reopening an open project changes nothing. Prospects whose contact or company was deleted in the meantime are removed from the list. Emits `project.updated`, with the action `reopened`, and for each removed prospect `prospect.updated` with the action `removed`."
      })
    ),
    HttpApiEndpoint.get("listProperties", `${path}/:id/properties`, {
      params,
      query: ProjectPropertiesQuery,
      success: PageOf(Property, "PropertyPage").pipe(responseHeaders("link")),
      error: [...refusals.one, InvalidCursor]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List a project's properties",
        description: "The properties that the project is about, those of its `propertyIds`, ordered by creation."
      })
    ),
    HttpApiEndpoint.get("listActions", `${path}/:id/actions`, {
      params,
      query: ProjectTimelineQuery,
      success: ActionPage.pipe(responseHeaders("link")),
      error: [...refusals.one, InvalidCursor]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List a project's timeline",
        description: "The changes and notes of the project, its prospects and its rooms, newest first."
      })
    )
  )
  .middleware(Authorization)
  .annotateEndpoints(Needs, "broker")
  .annotateMerge(
    OpenApi.annotations({
      title: "Projects",
      description: "Real-estate transactions. All operations need the `broker` capability."
    })
  )
