/** The use-cases of follow-up tasks. */
import { Context, Effect, Layer } from "effect"
import type { Actor } from "../../auth/CurrentActor.ts"
import { type Change, Changes } from "../../changes/Changes.ts"
import { today } from "../../fields/Span.ts"
import type { UseCaseRequest } from "../../usecase/UseCaseRequest.ts"
import * as UnvalidatedJson from "../../usecase/UnvalidatedJson.ts"
import { Idempotency } from "../../usecase/Idempotency.ts"
import { all, bodyFault, type Json } from "../../usecase/Input.ts"
import { Cursors, defaultPageSize, read as readPage, timeAndId } from "../../usecase/Page.ts"
import { InvalidRequest, NotFound } from "../../usecase/Problem.ts"
import * as Id from "../../Id.ts"
import { Members } from "../../identity/teams/Members.ts"
import { overdueEtagOf } from "../answers.ts"
import { dayOf, midnightOf } from "../dates.ts"
import { ProspectRemoved } from "../Prospect.ts"
import type { ProspectState } from "../ProspectState.ts"
import { Prospects } from "../Prospects.ts"
import { dueDayOf, isOverdue, refusalOf, rowOf, transitions } from "./rules.ts"
import { type Task, TaskCreate, type TaskListQuery, type TaskMove, TaskMoveRefused, type TaskState } from "./Task.ts"
import { type Named, noTasks, type StoredTask, TasksRepo } from "./TasksRepo.ts"

/** The prospect that tasks are on, by its UUID and its project's. */
interface Place {
  readonly uuid: string
  readonly projectUuid: string
}

const decodeCreate = UnvalidatedJson.decoder(TaskCreate)

const notFound = new NotFound({ detail: "There is no task with this id on the prospect." })

const nobody = bodyFault("/assignee", "invalid_reference", "Must be the id of an active member of the team, or `me`.")

const anonymous = bodyFault("/assignee", "required", "Is required of a caller who is no user.")

/** The `assignee` of a body that is not yet validated; undefined where there is none, or none that could name anybody. */
const assigneeOf = (value: Json): string | undefined =>
  typeof value === "object" && value !== null && "assignee" in value && typeof value.assignee === "string"
    ? value.assignee
    : undefined

/** The task of `on`, as it is on `today` (`YYYY-MM-DD` in UTC). */
const toTask = (stored: StoredTask, on: Place, today: string): Task => {
  const { activityId, assignee, audit, createdBy, due, endedBy, endedUtc, note, state, type, uuid } = stored
  const overdue = isOverdue(stored, today)
  return {
    id: Id.fromUuid("task", uuid),
    projectId: Id.fromUuid("project", on.projectUuid),
    prospectId: Id.fromUuid("prospect", on.uuid),
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

const make = Effect.gen(function* () {
  const repo = yield* TasksRepo
  const prospects = yield* Prospects
  const members = yield* Members
  const changes = yield* Changes
  const idempotency = yield* Idempotency
  const cursors = yield* Cursors

  /** Looks a task up by the id that a caller names: its own, or that of its row on the timeline. */
  const named = (id: string, look: (named: Named) => Effect.Effect<StoredTask | undefined>) => {
    const [task, action] = [Id.toUuid("task", id), Id.toUuid("act", id)]
    const looking = task !== undefined ? look({ task }) : action !== undefined ? look({ action }) : Effect.undefined
    return Effect.flatMap(looking, (found) => (found === undefined ? notFound : Effect.succeed(found)))
  }

  /** The UUID of who is to do a task, or the fault of whom was asked. */
  const assign = Effect.fnUntraced(function* (actor: Actor, asked: string | undefined) {
    if (asked === undefined && actor.userId === null) return anonymous
    const id = asked === undefined || asked === "me" ? Id.fromUuidOrNull("user", actor.userId) : asked
    const [member] = (yield* members.active(actor.teamId, id === null ? [] : [id])).keys()
    return Id.toUuid("user", member ?? "") ?? nobody
  })

  /** What the prospect's state becomes by its tasks, as they are written now. */
  const summed = Effect.fnUntraced(function* (change: Change, on: Place, state: ProspectState) {
    const summaries = yield* repo.summaryOf(change.actor.teamId, [on.uuid])
    return { ...state, ...(summaries.get(on.uuid) ?? noTasks) }
  })

  /** A page of a prospect's tasks, in the order of their creation. */
  const list = Effect.fn("Tasks.list")(function* (
    projectId: string,
    prospectId: string,
    request: Pick<UseCaseRequest<TaskListQuery>, "query">
  ) {
    const on = yield* prospects.authorizeRead(projectId, prospectId)
    const query = yield* request.query
    const { teamId } = on.actor
    const day = yield* today
    return yield* readPage({
      cursors,
      binding: { list: "tasks", teamId, filters: { prospect: on.uuid, status: query.status } },
      cursor: query.cursor,
      pageSize: query.page_size ?? defaultPageSize,
      fetch: (position, limit) =>
        repo.list(teamId, on.uuid, { state: query.status, after: timeAndId(position), limit }),
      positionOf: (stored) => [stored.audit.createdUtc, stored.uuid],
      toItem: (stored) => toTask(stored, on, day)
    })
  })

  /** One task. */
  const get = Effect.fn("Tasks.get")(function* (projectId: string, prospectId: string, taskId: string) {
    const on = yield* prospects.authorizeRead(projectId, prospectId)
    const stored = yield* named(taskId, (by) => repo.find(on.actor.teamId, on.uuid, by))
    return toTask(stored, on, yield* today)
  })

  /** Adds a task to a prospect. */
  const create = Effect.fn("Tasks.create")(function* (projectId: string, prospectId: string, request: UseCaseRequest) {
    const on = yield* prospects.authorizeRead(projectId, prospectId)
    const { actor } = on
    const document = yield* request.body
    const assignee = yield* assign(actor, assigneeOf(document.value))
    const [, input, key] = yield* all(request.query, decodeCreate(document), request.idempotencyKey).pipe(
      Effect.mapError(({ errors }) => InvalidRequest.of(typeof assignee === "string" ? errors : [...errors, assignee]))
    )
    return yield* changes.commit(actor, (change) =>
      idempotency.once(
        { actor, operation: request.operation, key, body: document.sent, now: change.at },
        Effect.gen(function* () {
          // Here, so that a repeated create gets its first answer when the assignee has left the team meanwhile.
          if (typeof assignee !== "string") return yield* InvalidRequest.of([assignee])
          const day = dayOf(change.at)
          const due = dueDayOf(input.dueDate, day)
          if (due === undefined) return yield* Effect.die(new Error("TaskCreate lets a dueDate pass that is none"))
          const [uuid, actionUuid] = [yield* change.newId, yield* change.newId]
          return yield* prospects.alter(
            change,
            on,
            Effect.fnUntraced(function* (state) {
              const stored = yield* repo.insert(change, {
                uuid,
                prospectUuid: on.uuid,
                type: input.type,
                due,
                assigneeUuid: assignee,
                note: input.note ?? null,
                actionUuid
              })
              change.record({ change: "created", resource: { type: "task", id: uuid }, subjects: [] })
              return {
                state: yield* summed(change, on, state),
                emitted: [
                  {
                    change: "updated",
                    event: "prospect.task_added",
                    details: {
                      taskId: Id.fromUuid("task", uuid),
                      ...(stored.note === null ? {} : { message: stored.note })
                    },
                    partition: "task",
                    id: actionUuid
                  }
                ],
                value: toTask(stored, on, day)
              }
            })
          )
        })
      )
    )
  })

  /** The state that a move of a task leads to; undefined where it changes nothing. */
  const next = ({ state }: StoredTask, move: TaskMove): Effect.Effect<TaskState | undefined, TaskMoveRefused> => {
    const to = transitions[state][move]
    return to === "refused"
      ? Effect.fail(new TaskMoveRefused({ detail: refusalOf(state, move), from: state, move }))
      : Effect.succeed(to === state ? undefined : to)
  }

  /** Completes, cancels or reopens a task; what changes nothing leaves no trace. */
  const move = Effect.fn("Tasks.move")(function* (
    projectId: string,
    prospectId: string,
    taskId: string,
    move: TaskMove,
    request: Pick<UseCaseRequest, "query">
  ) {
    const on = yield* prospects.authorizeRead(projectId, prospectId)
    const { actor } = on
    const read = yield* named(taskId, (by) => repo.find(actor.teamId, on.uuid, by))
    yield* request.query
    const planned = yield* next(read, move)
    if (on.stored.resource.removedUtc !== null) return yield* ProspectRemoved.refusal()
    if (planned === undefined) return
    yield* changes.commit(actor, (change) =>
      prospects.alter(
        change,
        on,
        Effect.fnUntraced(function* (state) {
          const task = yield* named(taskId, (by) => repo.lock(actor.teamId, on.uuid, by))
          const to = yield* next(task, move)
          if (to === undefined) return { state, emitted: [], value: undefined }
          yield* repo.move(change, task.uuid, to)
          change.record({ change: "updated", resource: { type: "task", id: task.uuid }, subjects: [] })
          return {
            state: yield* summed(change, on, state),
            emitted: [
              {
                change: "updated",
                event: rowOf[to],
                details: { taskId: Id.fromUuid("task", task.uuid) },
                partition: "task"
              }
            ],
            value: undefined
          }
        })
      )
    )
  })

  return { list, get, create, move }
})

/** What can be done with follow-up tasks. Every use-case needs the `broker` capability. */
export class Tasks extends Context.Service<Tasks, Effect.Success<typeof make>>()("prospects/tasks/Tasks") {
  static readonly layer = Layer.effect(Tasks, make)
}
