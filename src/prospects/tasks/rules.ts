/** The pure decisions on follow-up tasks. */
import { daysAfter } from "../dates.ts"
import { parseDay, type TaskMove, type TaskState } from "./Task.ts"

/** The day that a text means (see `parseDay`), `today` being the day when it is said; both `YYYY-MM-DD` in UTC. */
export const dueDayOf = (text: string, today: string): string | undefined => {
  const written = parseDay(text)
  if (written === undefined) return undefined
  return "day" in written ? written.day : daysAfter(today, written.inDays)
}

/** The state that a move leads to (specification, Follow-up task states). The same state: nothing changes. */
export const transitions: { readonly [from in TaskState]: { readonly [move in TaskMove]: TaskState | "refused" } } = {
  open: { complete: "completed", cancel: "canceled", reopen: "refused" },
  completed: { complete: "completed", cancel: "refused", reopen: "open" },
  canceled: { complete: "refused", cancel: "canceled", reopen: "refused" }
}

/** Why a state does not allow a move, and what does, for people. */
export const rejectionOf = (from: TaskState, move: TaskMove): string => {
  if (from === "open") return "The task is open already: only a completed one is reopened."
  return from === "completed"
    ? "A completed task is not canceled: reopen it first."
    : `A canceled task is not ${move === "complete" ? "completed" : "reopened"}: add another one.`
}

/** What the timeline says of a move, by the state that it led to. */
export const moveEvents = {
  completed: "prospect.task_completed",
  canceled: "prospect.task_canceled",
  open: "prospect.task_reopened"
} as const satisfies { readonly [to in TaskState]: string }

/** Whether a task is overdue: it is open and its day is before today (both `YYYY-MM-DD` in UTC). */
export const isOverdue = (task: { readonly state: TaskState; readonly due: string }, today: string): boolean =>
  task.state === "open" && task.due < today
