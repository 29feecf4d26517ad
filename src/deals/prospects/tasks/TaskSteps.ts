/** How the use-cases of tasks load a task, answer it, and summarize the tasks of a prospect. */
import type * as Mutation from "../../../core/mutation/Mutation.ts"
import * as Id from "../../../core/Id.ts"
import { Effect } from "effect"
import type { Actor } from "../../../core/auth/CurrentActor.ts"
import type { Change } from "../../../core/mutation/Changes.ts"
import { today } from "../../../platform/Time.ts"
import { Members } from "../../../identity/teams/Members.ts"
import { bodyFault } from "../../../core/usecase/Input.ts"
import { ConcurrencyConflict, NotFound } from "../../../core/usecase/Problem.ts"
import { midnightOf } from "../dates.ts"
import { overdueEtagOf } from "../projection.ts"
import { type LoadedProspect, Prospects } from "../Prospects.ts"
import type { ProspectRef, ProspectState } from "../ProspectState.ts"
import { isOverdue } from "./rules.ts"
import type { ListedTask, Task } from "./Task.ts"
import { noTasks, type StoredTask, type TaskRef, TasksRepo } from "./TasksRepo.ts"

const notFound = new NotFound({ detail: "There is no task with this id on the prospect." })

/** The answer for a task; `today` is `YYYY-MM-DD` in UTC. */
export const toTask = (stored: StoredTask, today: string): Task => {
  const { activityId, assignee, audit, createdBy, due, endedBy, endedUtc, note, prospect, state, type, uuid } = stored
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

/** The tombstone of a task. */
export const toTombstone = ({ audit, uuid }: StoredTask): ListedTask => ({
  id: Id.fromUuid("task", uuid),
  projectId: null,
  prospectId: null,
  type: null,
  status: null,
  dueDateUtc: null,
  overdue: null,
  assignee: null,
  note: null,
  createdBy: null,
  completedUtc: null,
  completedBy: null,
  canceledUtc: null,
  canceledBy: null,
  activityId: null,
  ...audit,
  changeType: "deleted"
})

/** A task with its prospect. */
export interface LoadedTask {
  readonly prospect: LoadedProspect
  readonly task: StoredTask
  /** The ETag of the task, which depends on the day. */
  readonly etag: string
}

const unknownAssignee = bodyFault(
  "/assignee",
  "invalid_reference",
  "Must be the id of an active member of the team, or `me`."
)

const missingAssignee = bodyFault("/assignee", "required", "Is required of a caller who is not a user.")

/** The steps that the use-cases of tasks share. */
export const make = Effect.gen(function* () {
  const repo = yield* TasksRepo
  const prospects = yield* Prospects
  const members = yield* Members

  /** The UUID of the user whom `assignee` names, by default the caller, or the fault of that name. */
  const resolveAssignee = Effect.fnUntraced(function* (actor: Actor, assignee: string | undefined) {
    if (assignee === undefined && actor.userId === null) return missingAssignee
    return (yield* members.named(actor, assignee ?? "me")) ?? unknownAssignee
  })

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

  /** Loads a prospect and a task of it. `actor` is authorized already. */
  const loadWithProspect = Effect.fnUntraced(function* (
    actor: Actor,
    ids: { readonly projectId: string; readonly prospectId: string; readonly taskId: string }
  ) {
    const prospect = yield* prospects.load(actor, ids.projectId, ids.prospectId)
    const task = yield* loadTask(actor, prospect, ids.taskId)
    const loaded: LoadedTask = { prospect, task, etag: toTask(task, yield* today).etag }
    return loaded
  })

  /** Locks the prospect of a task, and then the task; fails when the task is `pinned` and was changed. */
  const lock = Effect.fnUntraced(function* (
    change: Change,
    { loaded, pinned }: Mutation.Locking<LoadedTask>
  ): Effect.fn.Return<LoadedTask, ConcurrencyConflict> {
    const prospect = yield* prospects.lock(change, { loaded: loaded.prospect, pinned: false })
    const task = yield* repo.lock(change.actor.teamId, prospect.uuid, { task: loaded.task.uuid })
    // A merge may have moved the task to another prospect.
    if (task === undefined || (pinned && task.audit.etag !== loaded.task.audit.etag)) {
      return yield* ConcurrencyConflict.of("task")
    }
    return { ...loaded, prospect, task }
  })

  /** The prospect's state with a summary of its tasks as they are in the running transaction. */
  const withTaskSummary = Effect.fnUntraced(function* (change: Change, { uuid }: ProspectRef, state: ProspectState) {
    const summaries = yield* repo.summaryOf(change.actor.teamId, [uuid])
    return { ...state, ...(summaries.get(uuid) ?? noTasks) }
  })

  return { loadTask, loadWithProspect, lock, resolveAssignee, withTaskSummary }
})
