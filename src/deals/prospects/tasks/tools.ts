/** The tools of follow-up tasks. */
import * as Tool from "../../../mcp/Tool.ts"
import { Effect, Schema, Struct } from "effect"
import { LongText } from "../../../core/fields/Text.ts"
import { reference, References } from "../../../mcp/References.ts"
import { Prospects } from "../Prospects.ts"
import { type Task, TaskCreate, TaskType } from "./Task.ts"
import { Tasks } from "./Tasks.ts"

const written = { id: Schema.String, etag: Schema.String, status: Schema.String, dueDateUtc: Schema.String }

const viewOf = (task: Task) =>
  Struct.pick(task, [
    "id",
    "etag",
    "projectId",
    "prospectId",
    "type",
    "status",
    "dueDateUtc",
    "overdue",
    "assignee",
    "completedUtc"
  ])

/** The tools of follow-up tasks. They need the `broker` capability. */
export const tools = Effect.gen(function* () {
  const prospects = yield* Prospects
  const tasks = yield* Tasks
  const { resolve } = yield* References
  return [
    Tool.create({
      name: "add_prospect_task",
      title: "Add a task",
      description: "Adds a follow-up task to a prospect.",
      toolset: "projects",
      input: {
        prospect: reference("prospect"),
        type: TaskType.annotate({ description: "What to do." }),
        dueDate: TaskCreate.fields.dueDate.annotate({
          description: "today, tomorrow, 7d or an ISO 8601 date, in UTC."
        }),
        assignee: Schema.optionalKey(Schema.String.annotate({ description: "user id, or me (default)." })),
        note: Schema.optionalKey(LongText.annotate({ description: "What it is about." }))
      },
      hints: {
        invalid_request: "Correct the arguments in errors, and call again. get_me shows the id of the user."
      },
      output: written,
      write: Effect.fnUntraced(function* ({ prospect, ...body }, given) {
        const id = yield* resolve("prospect", "prospect", prospect)
        const projectId = yield* prospects.projectOf(id)
        const { value } = yield* tasks.create(projectId, id, given.request({ about: [id], body }))
        return viewOf(value)
      })
    }),
    Tool.act({
      name: "complete_prospect_task",
      title: "Complete a task",
      description: "Marks a follow-up task as done; one that is done already stays so.",
      toolset: "projects",
      input: { task: reference("task") },
      hints: {
        task_move_refused: "The task was canceled. add_prospect_task adds a new one."
      },
      output: written,
      write: Effect.fnUntraced(function* ({ task }, given) {
        const taskId = yield* resolve("task", "task", task)
        const { id, projectId } = yield* tasks.prospectOf(taskId)
        return viewOf(yield* tasks.move(projectId, id, taskId, "complete", given.request({ about: [taskId] })))
      })
    })
  ]
})
