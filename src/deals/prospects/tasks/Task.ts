/** Follow-up tasks of prospects (docs/behaviour/projects-and-prospects.md#tasks). */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { auditFields } from "../../../core/mutation/Audit.ts"
import { deltaQuery } from "../../../core/mutation/DeltaList.ts"
import { check, LongText, OpenEnum, Text } from "../../../core/fields/Text.ts"
import { parseTimestamp, Timestamp } from "../../../core/fields/Timestamp.ts"
import { declare, members } from "../../../core/usecase/Problem.ts"
import { pageQuery } from "../../../core/usecase/Page.ts"
import { IdOf } from "../../../core/Id.ts"
import { DueDate, NamedUser } from "../Prospect.ts"

/** The types of tasks. */
export const taskTypes = ["call", "meeting", "email"] as const
export const TaskType = Schema.Literals(taskTypes)
export type TaskType = typeof TaskType.Type

/** The states of a task. */
export const taskStates = ["open", "completed", "canceled"] as const
export const TaskState = Schema.Literals(taskStates)
export type TaskState = typeof TaskState.Type

/** The moves of a task. */
export const taskMoves = ["complete", "cancel", "reopen"] as const
export const TaskMove = Schema.Literals(taskMoves)
export type TaskMove = typeof TaskMove.Type

/** A day in a request: a number of days from today, or a date (`YYYY-MM-DD` in UTC). */
export type WrittenDay = { readonly inDays: number } | { readonly day: string }

const namedDays: ReadonlyMap<string, number> = new Map([
  ["today", 0],
  ["tomorrow", 1]
])

/** Parses a day: `today`, `tomorrow`, `7d`, or ISO 8601, of which the day as it is written counts, whatever its time and offset. */
export const parseDay = (text: string): WrittenDay | undefined => {
  const [, days = namedDays.get(text)] = /^(\d{1,4})d$/.exec(text) ?? []
  if (days !== undefined) return { inDays: Number(days) }
  return parseTimestamp(text) === undefined ? undefined : { day: text.slice(0, 10) }
}

const type = TaskType.annotate({ description: "The type of the task.", examples: ["call"] })

const dueDate = Schema.String.check(
  check(
    "invalid_due_date",
    "Must be today, tomorrow, a number of days such as 7d, or an ISO 8601 date such as 2026-11-28.",
    (text: string) => parseDay(text) !== undefined
  )
).annotate({
  description:
    "The due date in UTC: `today`, `tomorrow`, a number of days (`7d`; at most four digits), or an ISO 8601 date or date and time, of which the day as it is written counts. A day in the past is accepted; the task is then overdue.",
  examples: ["7d"]
})

const note = Schema.NullOr(LongText).annotate({
  description: "A description of the task.",
  examples: ["Ask for the numbers of 2025."]
})

/** The body of a create. */
export const TaskCreate = Schema.Struct({
  type,
  dueDate,
  assignee: Schema.optionalKey(Schema.String).annotate({
    description: "The assigned user: the id of an active member of the team, or `me`. Defaults to the caller.",
    examples: ["me"]
  }),
  note: Schema.optionalKey(note)
}).annotate({
  identifier: "TaskCreate",
  description: "A new follow-up task.",
  examples: [{ type: "call", dueDate: "7d", assignee: "me", note: "Ask for the numbers of 2025." }]
})
export type TaskCreate = typeof TaskCreate.Type

/** The body of a patch. */
export const TaskPatch = Schema.Struct({
  type: Schema.optionalKey(type),
  dueDate: Schema.optionalKey(dueDate),
  assignee: Schema.optionalKey(Schema.String).annotate({
    description: "The assigned user: the id of an active member of the team, or `me`. May be sent back as answered.",
    examples: ["me"]
  }),
  note: Schema.optionalKey(note)
}).annotate({
  identifier: "TaskPatch",
  description:
    "A merge patch (RFC 7396): omitted members stay, null clears the note. Read-only members may be sent with their present value.",
  examples: [{ dueDate: "3d", note: "Ask again." }]
})
export type TaskPatch = typeof TaskPatch.Type

const momentOf = (what: string) =>
  Schema.NullOr(Timestamp).annotate({ description: `When it was ${what}; null otherwise.`, examples: [null] })

const userOf = (what: string) =>
  Schema.NullOr(NamedUser).annotate({
    description: `The user who ${what} it; null otherwise, or if the operator did.`,
    examples: [null]
  })

/** A follow-up task. */
export const Task = Schema.Struct({
  id: IdOf("task"),
  projectId: IdOf("project"),
  prospectId: IdOf("prospect"),
  type: OpenEnum(taskTypes, "The type of the task."),
  status: OpenEnum(taskStates, "The state of the task."),
  dueDateUtc: DueDate,
  overdue: Schema.Boolean.annotate({
    description: "Whether it is open and its due date is before today in UTC.",
    examples: [false]
  }),
  assignee: NamedUser,
  note: Schema.NullOr(Schema.String.annotate({ examples: ["Ask for the numbers of 2025."] })),
  createdBy: Schema.NullOr(NamedUser).annotate({ description: "The user who created it; null if the operator did." }),
  completedUtc: momentOf("completed"),
  completedBy: userOf("completed"),
  canceledUtc: momentOf("canceled"),
  canceledBy: userOf("canceled"),
  activityId: IdOf("act").annotate({
    description:
      "The id of its `prospect.task_added` row in the timeline, which paths accept in place of the task's id."
  }),
  ...auditFields
}).annotate({ identifier: "Task", description: "A follow-up task of a prospect." })
export type Task = typeof Task.Type

const nullable = <S extends Schema.Top>(schema: S) => Schema.NullOr(schema)

/** A task in the list across projects or, in a delta, its tombstone. */
export const ListedTask = Schema.Struct({
  ...Task.fields,
  projectId: nullable(Task.fields.projectId),
  prospectId: nullable(Task.fields.prospectId),
  type: nullable(Task.fields.type),
  status: nullable(Task.fields.status),
  dueDateUtc: nullable(Task.fields.dueDateUtc),
  overdue: nullable(Task.fields.overdue),
  assignee: nullable(Task.fields.assignee),
  activityId: nullable(Task.fields.activityId)
}).annotate({
  identifier: "ListedTask",
  description:
    "A follow-up task, as its prospect has it. The tombstone of one that was deleted with its prospect has its id and audit members only; all others are null."
})
export type ListedTask = typeof ListedTask.Type

/** The query of the list across projects; all parameters combine. */
export const AllTasksQuery = Schema.Struct({
  ...deltaQuery,
  assignee: Schema.optionalKey(
    Text(64).annotate({
      description: "List only tasks of this user: an id, or `me`. An unknown id lists none.",
      examples: ["me"]
    })
  ),
  due: Schema.optionalKey(Schema.Literals(["overdue", "today", "this_week"])).annotate({
    description:
      "List only open tasks that are due so, by the calendar in UTC: `overdue` before today, `this_week` from today to Sunday."
  }),
  status: Schema.optionalKey(TaskState).annotate({ description: "List only tasks in this state." }),
  project_id: Schema.optionalKey(
    Text(64).annotate({
      description: "List only tasks on this project. An unknown id lists none.",
      examples: ["project_01kb3n7x2ferwt5z8q4j6m9d0c"]
    })
  )
})
export type AllTasksQuery = typeof AllTasksQuery.Type

/** The query of the list. */
export const TaskListQuery = Schema.Struct({
  ...pageQuery,
  status: Schema.optionalKey(TaskState).annotate({ description: "List only tasks in this state." })
})
export type TaskListQuery = typeof TaskListQuery.Type

/** 400: the task's state does not allow the move. */
export class TaskMoveRefused extends HttpApiError.Problem<TaskMoveRefused>()(
  "TaskMoveRefused",
  declare("task_move_refused", 400, "The task's state does not allow this."),
  {
    ...members("task_move_refused"),
    from: TaskState.annotate({ description: "The task's present state." }),
    move: Schema.Literals([...taskMoves, "update"]).annotate({
      description: "The refused move; `update` if it was a patch."
    })
  }
) {}
