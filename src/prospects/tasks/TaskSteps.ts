/** How the use-cases of tasks load a task, answer it, and summarize the tasks of a prospect. */
import { Effect } from "effect"
import type { Actor } from "../../auth/CurrentActor.ts"
import type { Change } from "../../changes/Changes.ts"
import * as Id from "../../Id.ts"
import { NotFound } from "../../usecase/Problem.ts"
import { midnightOf } from "../dates.ts"
import { overdueEtagOf } from "../projection.ts"
import type { ProspectRef, ProspectState } from "../ProspectState.ts"
import { isOverdue } from "./rules.ts"
import type { Task } from "./Task.ts"
import { noTasks, type StoredTask, type TaskRef, TasksRepo } from "./TasksRepo.ts"

const notFound = new NotFound({ detail: "There is no task with this id on the prospect." })

/** The answer for a task of `prospect`; `today` is `YYYY-MM-DD` in UTC. */
export const toTask = (stored: StoredTask, prospect: ProspectRef, today: string): Task => {
  const { activityId, assignee, audit, createdBy, due, endedBy, endedUtc, note, state, type, uuid } = stored
  const overdue = isOverdue(stored, today)
  return {
    id: Id.fromUuid("task", uuid),
    projectId: Id.fromUuid("project", prospect.projectUuid),
    prospectId: Id.fromUuid("prospect", prospect.uuid),
    type,
    status: state,
    dueDateUtc: midnightOf(due),
    overdue,
    assignee,
    note,
    createdBy,
    completedUtc: state === "completed" ? endedUtc : null,
    completedBy: state === "completed" ? endedBy : null,
    canceledUtc: state === "canceled" ? endedUtc : null,
    canceledBy: state === "canceled" ? endedBy : null,
    activityId,
    ...audit,
    etag: overdue ? overdueEtagOf(audit.etag) : audit.etag
  }
}

/** The steps that the use-cases of tasks share. */
export const make = Effect.gen(function* () {
  const repo = yield* TasksRepo

  /** Looks a task up by its own id, or by that of its row on the timeline. */
  const findTask = (id: string, find: (ref: TaskRef) => Effect.Effect<StoredTask | undefined>) => {
    const [task, action] = [Id.toUuid("task", id), Id.toUuid("act", id)]
    return task !== undefined ? find({ task }) : action !== undefined ? find({ action }) : Effect.undefined
  }

  /** Loads a task of a prospect by an id that `findTask` takes. */
  const loadTask = Effect.fnUntraced(function* (actor: Actor, { uuid }: ProspectRef, taskId: string) {
    const task = yield* findTask(taskId, (ref) => repo.find(actor.teamId, uuid, ref))
    return task ?? (yield* notFound)
  })

  /** The prospect's state with a summary of its tasks as they are in the running transaction. */
  const withTaskSummary = Effect.fnUntraced(function* (change: Change, { uuid }: ProspectRef, state: ProspectState) {
    const summaries = yield* repo.summaryOf(change.actor.teamId, [uuid])
    return { ...state, ...(summaries.get(uuid) ?? noTasks) }
  })

  return { loadTask, withTaskSummary }
})
