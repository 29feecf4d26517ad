/** The pure decisions on follow-up tasks (docs/behaviour/projects-and-prospects.md#tasks). */
import { daysAfter } from "../projection.ts"
import { parseDay, type TaskMove, type TaskState } from "./Task.ts"

/** The due date that a text means (see `parseDay`) on the day `today`; both `YYYY-MM-DD` in UTC. */
export const dueDayOf = (text: string, today: string): string | undefined => {
  const written = parseDay(text)
  if (written === undefined) return undefined
  return "day" in written ? written.day : daysAfter(today, written.inDays)
}

/**
 * The state after a move in a state (docs/behaviour/projects-and-prospects.md#task-states). If it is the same state, nothing
 * changes. `refused`: 400.
 */
export const transitions: { readonly [from in TaskState]: { readonly [move in TaskMove]: TaskState | "refused" } } = {
  open: { complete: "completed", cancel: "canceled", reopen: "refused" },
  completed: { complete: "completed", cancel: "refused", reopen: "open" },
  canceled: { complete: "refused", cancel: "canceled", reopen: "refused" }
}

/** The detail of a refused move: why the state does not allow it, and what to do instead. */
export const rejectionOf = (from: TaskState, move: TaskMove): string => {
  if (from === "open") return "The task is already open. Only a completed task can be reopened."
  return from === "completed"
    ? "A completed task cannot be canceled. Reopen it first."
    : `A canceled task cannot be ${move === "complete" ? "completed" : "reopened"}. Create a new one.`
}

/** The detail of a refused patch. */
export const patchRejectionOf = (from: "completed" | "canceled"): string =>
  from === "completed"
    ? "A completed task cannot be updated. Reopen it first."
    : "A canceled task cannot be updated. Create a new one."

/** The members of a task that patches write; `due` is `YYYY-MM-DD` in UTC. */
export interface TaskContent {
  readonly type: string
  readonly due: string
  readonly assigneeUuid: string
  readonly note: string | null
}

/** The members of a patch that differ from the task, by their names in requests. */
export const changedFieldsOf = (before: TaskContent, after: TaskContent): ReadonlyArray<string> => [
  ...(before.type === after.type ? [] : ["type"]),
  ...(before.due === after.due ? [] : ["dueDate"]),
  ...(before.assigneeUuid === after.assigneeUuid ? [] : ["assignee"]),
  ...(before.note === after.note ? [] : ["note"])
]

/** The event of a move and of its timeline row, by the state that the move leads to. */
export const moveActionEvents = {
  completed: "prospect.task_completed",
  canceled: "prospect.task_canceled",
  open: "prospect.task_reopened"
} as const satisfies { readonly [to in TaskState]: string }

/** Whether a task is overdue: it is open and its day is before today (both `YYYY-MM-DD` in UTC). */
export const isOverdue = (task: { readonly state: TaskState; readonly due: string }, today: string): boolean =>
  task.state === "open" && task.due < today
