/**
 * The use-cases of follow-up tasks: the lists and one task, create, patch, and the moves between states. Each write also brings the summary
 * of the prospect's tasks up to date (docs/behaviour/projects-and-prospects.md#tasks).
 */
import * as DeltaList from "../../../core/mutation/DeltaList.ts"
import * as Id from "../../../core/Id.ts"
import * as Mutation from "../../../core/mutation/Mutation.ts"
import * as UnvalidatedJson from "../../../core/usecase/UnvalidatedJson.ts"
import { makeSlowReads } from "../../../core/usecase/TeamBudget.ts"
import { makeMergePatch } from "../../../core/usecase/UnvalidatedJson.ts"
import { Context, Effect, Layer } from "effect"
import { type Actor, authorize } from "../../../core/auth/CurrentActor.ts"
import { today } from "../../../platform/Time.ts"
import { byId, type UseCaseRequest } from "../../../core/usecase/UseCaseRequest.ts"
import { Cursors, defaultPageSize, read as readPage, timeAndId } from "../../../core/usecase/Page.ts"
import { dayOf, dueDatesOf, midnightOf, overdueEtagOf } from "../projection.ts"
import { type LoadedProspect, Prospects, requireOnList } from "../Prospects.ts"
import {
  type AllTasksQuery,
  type ListedTask,
  Task,
  TaskCreate,
  type TaskListQuery,
  type TaskMove,
  TaskMoveRefused,
  TaskPatch,
  type TaskState
} from "./Task.ts"
import { noTasks, type StoredTask, type TaskRef, TasksRepo } from "./TasksRepo.ts"
import type { Change } from "../../../core/mutation/Changes.ts"
import { Members } from "../../../identity/teams/Teams.ts"
import { all, bodyFault, type Json } from "../../../core/usecase/Input.ts"
import { ConcurrencyConflict, type Fault, InvalidRequest, NotFound } from "../../../core/usecase/Problem.ts"
import type { ProspectRef, ProspectState } from "../Prospect.ts"
import {
  changedFieldsOf,
  dueDayOf,
  isOverdue,
  moveActionEvents,
  patchRejectionOf,
  rejectionOf,
  type TaskContent,
  transitions
} from "./rules.ts"
import { Quotas } from "../../../core/quotas/Quotas.ts"
import { ProspectWrites, stateOf } from "../ProspectWrites.ts"
import { assigneeOf, withoutSameAssignee } from "../../../identity/teams/rules.ts"

const decodeCreate = UnvalidatedJson.decoder(TaskCreate)

/** The `assignee` of an unvalidated body, if it has one that is text. */
const unvalidatedAssigneeOf = (value: Json): string | undefined =>
  typeof value === "object" && value !== null && "assignee" in value && typeof value.assignee === "string"
    ? value.assignee
    : undefined

const decodePatch = makeMergePatch(TaskPatch, Task.fields)

const notFound = new NotFound({ detail: "There is no task with this id on the prospect." })

/** The answer for a task; `today` is `YYYY-MM-DD` in UTC. */
const toTask = (stored: StoredTask, today: string): Task => {
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
const toTombstone = ({ audit, uuid }: StoredTask): ListedTask => ({
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
interface LoadedTask {
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

/** The state that a move leads to; null if the task is in that state already. */
const nextState = ({ state }: StoredTask, move: TaskMove): Effect.Effect<TaskState | null, TaskMoveRefused> => {
  const to = transitions[state][move]
  return to === "refused"
    ? Effect.fail(new TaskMoveRefused({ detail: rejectionOf(state, move), from: state, move }))
    : Effect.succeed(to === state ? null : to)
}

const make = Effect.gen(function* () {
  const repo = yield* TasksRepo
  const prospects = yield* Prospects
  const writes = yield* ProspectWrites
  const members = yield* Members
  const quotas = yield* Quotas
  const cursors = yield* Cursors
  const slowReads = yield* makeSlowReads
  const mutation = yield* Mutation.make

  // The steps that the use-cases share.

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

  // Reads.

  /** A page of a prospect's tasks, in the order of their creation. */
  const list = Effect.fn("Tasks.list")(function* (
    projectId: string,
    prospectId: string,
    request: Pick<UseCaseRequest<TaskListQuery>, "query">
  ) {
    const prospect = yield* prospects.authorizeRead(projectId, prospectId)
    const query = yield* request.query
    const { teamId } = prospect.actor
    const day = yield* today
    return yield* readPage({
      cursors,
      binding: { list: "tasks", teamId, filters: { prospect: prospect.uuid, status: query.status } },
      cursor: query.cursor,
      pageSize: query.page_size ?? defaultPageSize,
      fetch: (position, limit) =>
        repo.list(teamId, prospect.uuid, { state: query.status, after: timeAndId(position), limit }),
      positionOf: (stored) => [stored.audit.createdUtc, stored.uuid],
      toItem: (stored) => toTask(stored, day)
    })
  })

  /** A page of the tasks of all projects. */
  const listAll = Effect.fn("Tasks.listAll")(function* (request: Pick<UseCaseRequest<AllTasksQuery>, "query">) {
    const { teamId, userId } = yield* authorize("broker")
    const query = yield* request.query
    const { assignee, due, project_id: projectId, status } = query
    const day = yield* today
    const assigneeUuid = assignee === "me" ? userId : assignee && (Id.toUuid("user", assignee) ?? null)
    const projectUuid = projectId && (Id.toUuid("project", projectId) ?? null)
    return yield* DeltaList.read({
      list: "AllTasks",
      teamId,
      ...(typeof projectUuid === "string" ? { of: projectUuid } : {}),
      query,
      filters: { ...DeltaList.filtersOf(query), ...(assignee === "me" ? { assignee: userId } : {}) },
      cursors,
      slowReads,
      fetch: (range) =>
        repo.listAll(teamId, range, {
          state: status,
          assigneeUuid,
          projectUuid,
          due: due && dueDatesOf(due, day)
        }),
      toItem: (stored): ListedTask => (stored.audit.deletedUtc === null ? toTask(stored, day) : toTombstone(stored))
    })
  })

  /** One task. */
  const get = Effect.fn("Tasks.get")(function* (projectId: string, prospectId: string, taskId: string) {
    const prospect = yield* prospects.authorizeRead(projectId, prospectId)
    return toTask(yield* loadTask(prospect.actor, prospect, taskId), yield* today)
  })

  /** The ids of the project and the prospect of a task, for callers that know the task alone. */
  const prospectOf = Effect.fn("Tasks.prospectOf")(function* (taskId: string) {
    const { teamId } = yield* authorize("broker")
    const { prospect } = yield* byId("task", taskId, (uuid) => repo.findAnywhere(teamId, uuid))
    return { projectId: Id.fromUuid("project", prospect.projectUuid), id: Id.fromUuid("prospect", prospect.uuid) }
  })

  // Writes.

  /** Inserts a task and brings its prospect up to date, inside the transaction of `change`. */
  const insert = Effect.fnUntraced(function* (
    change: Change,
    prospect: ProspectRef,
    { assignee, input }: { readonly assignee: string | Fault; readonly input: TaskCreate }
  ) {
    // Checked here, so that a repeated request gets its first answer even if the assignee has left the team since.
    if (typeof assignee !== "string") return yield* InvalidRequest.of([assignee])
    const day = dayOf(change.at)
    const due = dueDayOf(input.dueDate, day)
    if (due === undefined) return yield* Effect.die(new Error("TaskCreate accepted an invalid dueDate"))
    const [uuid, actionUuid] = [yield* change.newId, yield* change.newId]
    const newTask = {
      uuid,
      prospect,
      type: input.type,
      due,
      assigneeUuid: assignee,
      note: input.note ?? null,
      actionUuid
    }
    return yield* writes.updateOnList(change, prospect, (state) =>
      Effect.gen(function* () {
        const { teamId } = change.actor
        yield* quotas.requireOfResource(teamId, "tasks_of_prospect", (atMost) =>
          repo.countOf(teamId, prospect.uuid, atMost)
        )
        yield* quotas.require(teamId, "tasks")
        const stored = yield* repo.insert(change, newTask)
        change.record({ change: "created", resource: { type: "task", id: uuid }, subjects: [] })
        const details = {
          taskId: Id.fromUuid("task", uuid),
          ...(stored.note === null ? {} : { message: stored.note })
        }
        return {
          state: yield* withTaskSummary(change, prospect, state),
          emitted: [{ change: "updated", event: "prospect.task_added", details, partition: "task", id: actionUuid }],
          value: toTask(stored, day)
        }
      })
    )
  })

  /** Adds a task to a prospect. */
  const create = Effect.fn("Tasks.create")((projectId: string, prospectId: string, request: UseCaseRequest) =>
    mutation.create({
      request,
      authorize: "broker",
      load: (actor) => prospects.load(actor, projectId, prospectId),
      decide: ({ actor, body }) =>
        Effect.gen(function* () {
          const assignee = yield* resolveAssignee(actor, unvalidatedAssigneeOf(body.value))
          const [, input, key] = yield* all(request.query, decodeCreate(body), request.idempotencyKey).pipe(
            Effect.mapError((invalid) => (typeof assignee === "string" ? invalid : invalid.and([assignee])))
          )
          return { assignee, input, key }
        }),
      commit: (creation) => mutation.once(creation, (change) => insert(change, creation.loaded, creation.decision))
    })
  )

  /** Validates a patch of a task as it is; null when it changes nothing. */
  const decidePatch = Effect.fnUntraced(function* (
    request: UseCaseRequest,
    { prospect, task }: LoadedTask,
    body: UnvalidatedJson.UnvalidatedJson
  ) {
    const day = yield* today
    const document = withoutSameAssignee(body, toTask(task, day))
    const sent = assigneeOf(document)
    const present = Id.toUuid("user", task.assignee.id) ?? ""
    const assignee =
      typeof sent === "string" && sent !== task.assignee.id ? yield* resolveAssignee(prospect.actor, sent) : present
    const [, input] = yield* all(request.query, decodePatch(document, toTask(task, day))).pipe(
      Effect.mapError((invalid) => (typeof assignee === "string" ? invalid : invalid.and([assignee])))
    )
    if (typeof assignee !== "string") return yield* InvalidRequest.of([assignee])
    if (task.state !== "open") {
      return yield* new TaskMoveRefused({ detail: patchRejectionOf(task.state), from: task.state, move: "update" })
    }
    yield* requireOnList(prospect)
    const { due, note, type } = task
    const after: TaskContent = {
      type: input.type ?? type,
      due: input.dueDate === undefined ? due : (dueDayOf(input.dueDate, day) ?? due),
      assigneeUuid: assignee,
      note: input.note === undefined ? note : input.note
    }
    const changedFields = changedFieldsOf({ type, due, assigneeUuid: present, note }, after)
    return changedFields.length === 0 ? null : { after, changedFields }
  })

  /** Changes members of an open task; a patch that changes nothing leaves no trace. */
  const patch = Effect.fn("Tasks.patch")(
    (projectId: string, prospectId: string, taskId: string, request: UseCaseRequest) =>
      mutation.change({
        request,
        authorize: "broker",
        load: (actor) => loadWithProspect(actor, { projectId, prospectId, taskId }),
        body: request.body,
        etagOf: ({ etag }) => etag,
        decide: ({ body, loaded }) => decidePatch(request, loaded, body),
        lock: (change, locking) => lock(change, locking),
        commit: (change, { decision: { after, changedFields }, loaded: { prospect, task } }) =>
          Effect.gen(function* () {
            const written = yield* repo.update(change, task.uuid, after)
            change.record({ change: "updated", resource: { type: "task", id: task.uuid }, subjects: [] })
            const message = changedFields.includes("note") && after.note !== null ? { message: after.note } : {}
            yield* writes.writeLocked(change, prospect.projectUuid, prospect.stored, {
              state: yield* withTaskSummary(change, prospect, stateOf(prospect.stored)),
              emitted: [
                {
                  change: "updated",
                  event: "prospect.task_updated",
                  details: { taskId: Id.fromUuid("task", task.uuid), changedFields, ...message },
                  partition: "task"
                }
              ]
            })
            return written
          }),
        answer: ({ committed, loaded }) => Effect.map(today, (day) => toTask(committed ?? loaded.task, day))
      })
  )

  /** Completes, cancels or reopens a task; a move to the state that it is in leaves no trace. */
  const move = Effect.fn("Tasks.move")(
    (projectId: string, prospectId: string, taskId: string, move: TaskMove, request: Pick<UseCaseRequest, "query">) =>
      mutation.changeLatest({
        authorize: "broker",
        load: (actor) => loadWithProspect(actor, { projectId, prospectId, taskId }),
        decide: ({ loaded: { prospect, task } }) =>
          Effect.gen(function* () {
            yield* request.query
            const to = yield* nextState(task, move)
            yield* requireOnList(prospect)
            return to
          }),
        lock: (change, locking) => lock(change, locking),
        commit: (change, { decision: to, loaded: { prospect, task } }) =>
          Effect.gen(function* () {
            const moved = yield* repo.move(change, task.uuid, to)
            change.record({ change: "updated", resource: { type: "task", id: task.uuid }, subjects: [] })
            yield* writes.writeLocked(change, prospect.projectUuid, prospect.stored, {
              state: yield* withTaskSummary(change, prospect, stateOf(prospect.stored)),
              emitted: [
                {
                  change: "updated",
                  event: moveActionEvents[to],
                  details: { taskId: Id.fromUuid("task", task.uuid) },
                  partition: "task"
                }
              ]
            })
            return moved
          }),
        answer: ({ committed, loaded }) => Effect.map(today, (day) => toTask(committed ?? loaded.task, day))
      })
  )

  return { list, listAll, get, prospectOf, create, patch, move }
})

/** The use-cases of follow-up tasks. They need the `broker` capability. */
export class Tasks extends Context.Service<Tasks, Effect.Success<typeof make>>()("deals/prospects/tasks/Tasks") {
  static readonly layer = Layer.effect(Tasks, make).pipe(
    Layer.provide([Members.layer, Prospects.layer, ProspectWrites.layer, TasksRepo.layer])
  )
}
