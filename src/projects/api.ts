/** The REST contract of projects. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization } from "../http/Authorization.ts"
import { ActionPage } from "../changes/Action.ts"
import { ProjectTimelineQuery } from "../changes/Timeline.ts"
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
import { ExternalReferenceTaken, InvalidCursor, InvalidRequest, ResyncRequired } from "../usecase/Problem.ts"
import { idParams } from "../records/Endpoints.ts"
import {
  Deprecation,
  Project,
  ProjectCreate,
  ProjectListQuery,
  ProjectNotDeleted,
  ProjectPatch,
  ProjectPropertiesQuery,
  ProjectProperty,
  ProjectShared,
  restorableDays,
  ValidationFailed
} from "./Project.ts"

/** Where projects are. */
export const path = "/api/v1/projects"

const params = idParams("project", "project_01kb3n7x2ferwt5z8q4j6m9d0c")

/** The headers of an answer in which there are projects: `mandate` is deprecated. */
const withProjects =
  <const Names extends ReadonlyArray<"etag" | "location" | "link" | "idempotency-replayed">>(...names: Names) =>
  <S extends Schema.Top>(schema: S) =>
    HttpApiSchema.WithHeaders(schema, {
      ...responseHeaders(...names)(schema).headers.fields,
      deprecation: Deprecation,
      link: Schema.String.annotate({
        description: names.includes("link")
          ? 'Where deprecated members are described, `rel="deprecation"`, after the next page, `rel="next"`, if there is one.'
          : 'Where deprecated members are described, `rel="deprecation"`.'
      })
    })

const moveErrors = [...refusals.one, ...refusals.conditional] as const

/** Projects: transactions, from the draft to the close. */
export const projects = HttpApiGroup.make("projects")
  .add(
    HttpApiEndpoint.get("list", path, {
      query: ProjectListQuery,
      success: PageOf(Project, "ProjectPage").pipe(withProjects("link")),
      error: [InvalidRequest, InvalidCursor, ResyncRequired]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List projects",
        description:
          "Projects in the order of their creation or, with `updated_since`, what changed since then. No totals; a page costs the same at any depth."
      })
    ),
    HttpApiEndpoint.post("create", path, {
      headers: requestHeaders("idempotency-key", "prefer"),
      payload: ProjectCreate,
      success: orDryRunReport(
        Project.pipe(HttpApiSchema.status(201), withProjects("etag", "location", "idempotency-replayed"))
      ),
      error: [InvalidRequest, ...refusals.body, ...refusals.repeatable, ExternalReferenceTaken, ValidationFailed]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Create a project",
        description:
          "A draft, until it is published, its teaser communicated, or somebody gets access to a room of it. Nobody owns it unless `ownerId` says who. `mandate` is the former name of `exclusivity`: both with a value are refused with 422, even when alike; of one with a value and one that is null, the value counts. Emits `project.created`."
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
    HttpApiEndpoint.patch("patch", `${path}/:id`, {
      params,
      headers: requestHeaders("if-match", "prefer"),
      payload: mergePatch(ProjectPatch),
      success: orDryRunReport(Project.pipe(withProjects("etag"))),
      error: [...refusals.one, ...refusals.body, ...refusals.conditional, ExternalReferenceTaken, ValidationFailed]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Update a project",
        description:
          "A merge patch. One that changes nothing answers 200 with the same ETag and emits nothing. `mandate` and `exclusivity` are one value, as on create: leave `mandate` out of a project that you send back. Emits `project.updated`."
      })
    ),
    HttpApiEndpoint.delete("delete", `${path}/:id`, {
      params,
      headers: requestHeaders("if-match", "prefer"),
      success: orDryRunReport(HttpApiSchema.NoContent),
      error: [...moveErrors, ProjectShared]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete a project",
        description: `Its prospects and all external references go with it; for ${restorableDays} days, all of that can be restored. A project whose teaser was communicated, or with somebody in a room, is refused: close it instead. Its tombstone stays in deltas for 90 days. Emits \`prospect.deleted\` for each prospect, and \`project.deleted\`.`
      })
    ),
    HttpApiEndpoint.post("restore", `${path}/:id/restore`, {
      params,
      headers: requestHeaders("if-match", "prefer"),
      success: orDryRunReport(Project.pipe(withProjects("etag"))),
      error: [...moveErrors, ...refusals.body, ProjectNotDeleted, ExternalReferenceTaken]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Restore a project",
        description: `Within ${restorableDays} days of its deletion, brings back what went with it: prospects, and external references. Where one of these belongs to another by now, nothing is restored. Emits \`project.restored\`; the prospects are in deltas, with \`changeType: "restored"\`, and their list tells who is back: one whose contact or company was merged meanwhile may have become part of another. Those whose contact or company was deleted meanwhile come back removed from the list, each with \`prospect.updated\` and the action \`removed\`.`
      })
    ),
    HttpApiEndpoint.post("close", `${path}/:id/close`, {
      params,
      headers: requestHeaders("if-match", "prefer"),
      success: orDryRunReport(Project.pipe(withProjects("etag"))),
      error: [...moveErrors, ...refusals.body]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Close a project",
        description:
          "Its history stays. A closed project is answered as it is. Emits `project.updated`, with the action `closed`."
      })
    ),
    HttpApiEndpoint.post("reopen", `${path}/:id/reopen`, {
      params,
      headers: requestHeaders("if-match", "prefer"),
      success: orDryRunReport(Project.pipe(withProjects("etag"))),
      error: [...moveErrors, ...refusals.body]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Reopen a project",
        description:
          "A project that is not closed is answered as it is. Prospects whose contact or company was deleted meanwhile are removed from the list. Emits `project.updated`, with the action `reopened`, and for each of these `prospect.updated` with `removed`."
      })
    ),
    HttpApiEndpoint.get("properties", `${path}/:id/properties`, {
      params,
      query: ProjectPropertiesQuery,
      success: PageOf(ProjectProperty, "ProjectPropertyPage").pipe(responseHeaders("link")),
      error: [...refusals.one, InvalidCursor]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List a project's properties",
        description:
          "The properties that are linked to the project, in the order of their creation. There are none yet."
      })
    ),
    HttpApiEndpoint.get("actions", `${path}/:id/actions`, {
      params,
      query: ProjectTimelineQuery,
      success: ActionPage.pipe(responseHeaders("link")),
      error: [...refusals.one, InvalidCursor]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List a project's timeline",
        description: "Who did what to the project, and to its prospects and rooms, newest first."
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
