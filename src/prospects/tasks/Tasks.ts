/** The use-cases of follow-up tasks. */
import { Context, Effect, Layer } from "effect"
import type { Actor } from "../../auth/CurrentActor.ts"
import type { Change } from "../../changes/Changes.ts"
import * as Mutation from "../../changes/Mutation.ts"
import { today } from "../../fields/Time.ts"
import * as Id from "../../Id.ts"
import { Members } from "../../identity/teams/Members.ts"
import { all, bodyFault, type Json } from "../../usecase/Input.ts"
import { Cursors, defaultPageSize, read as readPage, timeAndId } from "../../usecase/Page.ts"
import { ConcurrencyConflict, type Fault, InvalidRequest, NotFound } from "../../usecase/Problem.ts"
import * as UnvalidatedJson from "../../usecase/UnvalidatedJson.ts"
import type { UseCaseRequest } from "../../usecase/UseCaseRequest.ts"
import { dayOf, midnightOf } from "../dates.ts"
import { overdueEtagOf } from "../projection.ts"
import type { ProspectRef, ProspectState } from "../ProspectState.ts"
import { type LoadedProspect, Prospects, requireOnList } from "../Prospects.ts"
import { ProspectWrites, stateOf } from "../ProspectWrites.ts"
import { dueDayOf, isOverdue, moveEvents, rejectionOf, transitions } from "./rules.ts"
import { type Task, TaskCreate, type TaskListQuery, type TaskMove, TaskMoveRefused, type TaskState } from "./Task.ts"
import { noTasks, type StoredTask, type TaskRef, TasksRepo } from "./TasksRepo.ts"

const decodeCreate = UnvalidatedJson.decoder(TaskCreate)

const notFound = new NotFound({ detail: "There is no task with this id on the prospect." })

const unknownAssignee = bodyFault(
  "/assignee",
  "invalid_reference",
  "Must be the id of an active member of the team, or `me`."
)

const missingAssignee = bodyFault("/assignee", "required", "Is required of a caller who is not a user.")

/** The `assignee` of an unvalidated body, if it has one that is text. */
const assigneeOf = (value: Json): string | undefined =>
  typeof value === "object" && value !== null && "assignee" in value && typeof value.assignee === "string"
    ? value.assignee
    : undefined

/** The answer for a task of `prospect`; `today` is `YYYY-MM-DD` in UTC. */
const toTask = (stored: StoredTask, prospect: ProspectRef, today: string): Task => {
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

/** A task that is to be moved, with its prospect. */
interface LoadedTask {
  readonly prospect: LoadedProspect
  readonly task: StoredTask
}

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
  const mutation = yield* Mutation.make
  const cursors = yield* Cursors

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

  /** The UUID of the user whom `assignee` names, or the fault of that name. */
  const resolveAssignee = Effect.fnUntraced(function* (actor: Actor, assignee: string | undefined) {
    if (assignee === undefined && actor.userId === null) return missingAssignee
    const id = assignee === undefined || assignee === "me" ? Id.fromUuidOrNull("user", actor.userId) : assignee
    const [member] = (yield* members.active(actor.teamId, id === null ? [] : [id])).keys()
    return Id.toUuid("user", member ?? "") ?? unknownAssignee
  })

  /** The prospect's state with a summary of its tasks as they are in the running transaction. */
  const withTaskSummary = Effect.fnUntraced(function* (change: Change, { uuid }: ProspectRef, state: ProspectState) {
    const summaries = yield* repo.summaryOf(change.actor.teamId, [uuid])
    return { ...state, ...(summaries.get(uuid) ?? noTasks) }
  })

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
      toItem: (stored) => toTask(stored, prospect, day)
    })
  })

  /** One task. */
  const get = Effect.fn("Tasks.get")(function* (projectId: string, prospectId: string, taskId: string) {
    const prospect = yield* prospects.authorizeRead(projectId, prospectId)
    return toTask(yield* loadTask(prospect.actor, prospect, taskId), prospect, yield* today)
  })

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
      prospectUuid: prospect.uuid,
      type: input.type,
      due,
      assigneeUuid: assignee,
      note: input.note ?? null,
      actionUuid
    }
    return yield* writes.updateOnList(change, prospect, (state) =>
      Effect.gen(function* () {
        const stored = yield* repo.insert(change, newTask)
        change.record({ change: "created", resource: { type: "task", id: uuid }, subjects: [] })
        const details = {
          taskId: Id.fromUuid("task", uuid),
          ...(stored.note === null ? {} : { message: stored.note })
        }
        return {
          state: yield* withTaskSummary(change, prospect, state),
          emitted: [{ change: "updated", event: "prospect.task_added", details, partition: "task", id: actionUuid }],
          value: toTask(stored, prospect, day)
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
          const assignee = yield* resolveAssignee(actor, assigneeOf(body.value))
          const [, input, key] = yield* all(request.query, decodeCreate(body), request.idempotencyKey).pipe(
            Effect.mapError(({ errors }) =>
              InvalidRequest.of(typeof assignee === "string" ? errors : [...errors, assignee])
            )
          )
          return { assignee, input, key }
        }),
      commit: (creation) => mutation.once(creation, (change) => insert(change, creation.loaded, creation.decision))
    })
  )

  /** Locks the prospect of a task, and then the task. */
  const lock = Effect.fnUntraced(function* (
    change: Change,
    { loaded, pinned }: Mutation.Locking<LoadedTask>
  ): Effect.fn.Return<LoadedTask, ConcurrencyConflict> {
    const prospect = yield* prospects.lock(change, { loaded: loaded.prospect, pinned })
    const task = yield* repo.lock(change.actor.teamId, prospect.uuid, { task: loaded.task.uuid })
    // A merge may have moved the task to another prospect.
    return task === undefined ? yield* ConcurrencyConflict.of("task") : { prospect, task }
  })

  /** Completes, cancels or reopens a task; a move to the state that it is in leaves no trace. */
  const move = Effect.fn("Tasks.move")(
    (projectId: string, prospectId: string, taskId: string, move: TaskMove, request: Pick<UseCaseRequest, "query">) =>
      mutation.changeLatest({
        authorize: "broker",
        load: (actor) =>
          Effect.gen(function* () {
            const prospect = yield* prospects.load(actor, projectId, prospectId)
            const loaded: LoadedTask = { prospect, task: yield* loadTask(actor, prospect, taskId) }
            return loaded
          }),
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
            yield* repo.move(change, task.uuid, to)
            change.record({ change: "updated", resource: { type: "task", id: task.uuid }, subjects: [] })
            yield* writes.writeLocked(change, prospect.projectUuid, prospect.stored, {
              state: yield* withTaskSummary(change, prospect, stateOf(prospect.stored)),
              emitted: [
                {
                  change: "updated",
                  event: moveEvents[to],
                  details: { taskId: Id.fromUuid("task", task.uuid) },
                  partition: "task"
                }
              ]
            })
          }),
        answer: () => Effect.void
      })
  )

  return { list, get, create, move }
})

/** What can be done with follow-up tasks. Every use-case needs the `broker` capability. */
export class Tasks extends Context.Service<Tasks, Effect.Success<typeof make>>()("prospects/tasks/Tasks") {
  static readonly layer = Layer.effect(Tasks, make)
}
