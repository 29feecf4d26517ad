/** The REST contract of follow-up tasks. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization } from "../../../http/Authorization.ts"
import { mergePatch, Needs, orNotModified, refusals, requestHeaders, responseHeaders } from "../../../http/Contract.ts"
import { DeltaPageOf, PageOf } from "../../../core/usecase/Page.ts"
import {
  InvalidCursor,
  InvalidRequest,
  ProspectErased,
  ProspectRemoved,
  QueryTooExpensive,
  ResyncRequired
} from "../../../core/usecase/Problem.ts"
import { AllTasksQuery, ListedTask, Task, TaskCreate, TaskListQuery, TaskMoveRefused, TaskPatch } from "./Task.ts"

const path = "/api/v1/projects/:projectId/prospects/:id/tasks"

const params = {
  projectId: Schema.String.annotate({
    description: "The project's id.",
    examples: ["project_01kb3n7x2ferwt5z8q4j6m9d0c"]
  }),
  id: Schema.String.annotate({
    description: "The prospect's id.",
    examples: ["prospect_01kb3n7x2ferwt5z8q4j6m9d0c"]
  })
}

const taskParams = {
  ...params,
  taskId: Schema.String.annotate({
    description: "The id of the task, or that of its `prospect.task_added` row in the timeline.",
    examples: ["task_01kb3n7x2ferwt5z8q4j6m9d0c"]
  })
}

const move = <const Name extends string>(
  name: Name,
  texts: { readonly summary: string; readonly description: string }
) =>
  HttpApiEndpoint.post(name, `${path}/:taskId/${name}`, {
    params: taskParams,
    headers: requestHeaders("prefer"),
    success: HttpApiSchema.NoContent,
    error: [...refusals.one, ...refusals.body, TaskMoveRefused, ProspectRemoved, ProspectErased]
  }).annotateMerge(
    OpenApi.annotations({
      summary: texts.summary,
      description: `${texts.description} Updates \`nextTask\`, \`openTaskCount\`, \`updatedUtc\` and the ETag of the prospect, and adds a row to its timeline, which is an event of the same name (\`prospect.task_completed\` …). A task of another prospect answers 404. \`If-Match\` has no effect.`
    })
  )

/** Follow-up tasks of prospects. */
export const tasks = HttpApiGroup.make("tasks")
  .add(
    HttpApiEndpoint.get("listAll", "/api/v1/tasks", {
      query: AllTasksQuery,
      success: DeltaPageOf(ListedTask, "ListedTaskPage").pipe(responseHeaders("link")),
      error: [InvalidRequest, InvalidCursor, ResyncRequired, QueryTooExpensive]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List the follow-up tasks of all projects",
        description:
          "Open, completed and canceled tasks of all prospects, ordered by creation or, with `updated_since`, those that changed since then. All filters combine. The tasks of a prospect that was removed from its list are included, as in the prospect's own list; those of a deleted prospect or project are tombstones, which `include_deleted` lists whatever the filters except `project_id`, and come back when the project is restored. A delta does not list a task for becoming overdue: compare `dueDateUtc`. Nor does it list one that no longer meets a filter: to keep a filtered copy, filter what an unfiltered delta lists."
      })
    ),
    HttpApiEndpoint.get("list", path, {
      params,
      query: TaskListQuery,
      success: PageOf(Task, "TaskPage").pipe(responseHeaders("link")),
      error: [...refusals.one, InvalidCursor]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List a prospect's follow-up tasks",
        description:
          "Open, completed and canceled tasks, ordered by creation; `status` filters them. The tasks of a prospect that was removed from the list are included."
      })
    ),
    HttpApiEndpoint.post("create", path, {
      params,
      headers: requestHeaders("idempotency-key", "prefer"),
      payload: TaskCreate,
      success: Task.pipe(HttpApiSchema.status(201), responseHeaders("etag", "location", "idempotency-replayed")),
      error: [...refusals.one, ...refusals.body, ...refusals.repeatable, ProspectRemoved, ProspectErased]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Add a follow-up task to a prospect",
        description:
          "The task is open. Its due date is a day in UTC; a task with a past one is overdue. An `assignee` who is not an active member of the team is rejected with `invalid_reference`. Updates `nextTask`, `openTaskCount`, `updatedUtc` and the ETag of the prospect, and adds a row `prospect.task_added` to its timeline, which is an event of the same name, with `changed_fields`."
      })
    ),
    HttpApiEndpoint.get("get", `${path}/:taskId`, {
      params: taskParams,
      headers: requestHeaders("if-none-match"),
      success: orNotModified(Task.pipe(responseHeaders("etag"))),
      error: refusals.one
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Get a follow-up task",
        description:
          "With `If-None-Match`, 304 while the task is unchanged. When it becomes overdue, its ETag changes; `updatedUtc` stays."
      })
    ),
    HttpApiEndpoint.patch("update", `${path}/:taskId`, {
      params: taskParams,
      headers: requestHeaders("if-match", "prefer"),
      payload: mergePatch(TaskPatch),
      success: Task.pipe(responseHeaders("etag")),
      error: [
        ...refusals.one,
        ...refusals.body,
        ...refusals.conditional,
        TaskMoveRefused,
        ProspectRemoved,
        ProspectErased
      ]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Update a follow-up task",
        description:
          "A merge patch of an open task; a completed or canceled one is refused (`task_move_refused`). A patch that changes nothing answers 200 with the same ETag. Updates `nextTask`, `updatedUtc` and the ETag of the prospect where its answer changes, and adds a row `prospect.task_updated` with `details.changedFields` to its timeline, which is an event of the same name."
      })
    ),
    move("complete", {
      summary: "Complete a follow-up task",
      description:
        "Records that the caller completed it now. Completing a completed task changes nothing (204); a canceled one is refused."
    }),
    move("cancel", {
      summary: "Cancel a follow-up task",
      description: "Canceling a canceled task changes nothing (204); a completed one is refused: reopen it first."
    }),
    move("reopen", {
      summary: "Reopen a follow-up task",
      description: "Reopens a completed task. An open or canceled one is refused."
    })
  )
  .middleware(Authorization)
  .annotateEndpoints(Needs, "broker")
  .annotateMerge(
    OpenApi.annotations({
      title: "Follow-up tasks",
      description:
        "Follow-up tasks of prospects, with an assignee and a due date. All operations need the `broker` capability."
    })
  )
