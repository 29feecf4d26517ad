/** The use-cases of follow-up tasks: reads here, CreateTask.ts, PatchTask.ts and MoveTask.ts. */
import * as DeltaList from "../../../core/mutation/DeltaList.ts"
import * as Id from "../../../core/Id.ts"
import * as SlowReads from "../../../core/usecase/SlowReads.ts"
import * as CreateTask from "./CreateTask.ts"
import * as MoveTask from "./MoveTask.ts"
import * as PatchTask from "./PatchTask.ts"
import * as TaskSteps from "./TaskSteps.ts"
import { Context, Effect, Layer } from "effect"
import { authorize } from "../../../core/auth/CurrentActor.ts"
import { today } from "../../../platform/Time.ts"
import { byId, type UseCaseRequest } from "../../../core/usecase/UseCaseRequest.ts"
import { Cursors, defaultPageSize, read as readPage, timeAndId } from "../../../core/usecase/Page.ts"
import { dueDatesOf } from "../dates.ts"
import { Prospects } from "../Prospects.ts"
import type { AllTasksQuery, ListedTask, TaskListQuery } from "./Task.ts"
import { TasksRepo } from "./TasksRepo.ts"

const make = Effect.gen(function* () {
  const repo = yield* TasksRepo
  const prospects = yield* Prospects
  const cursors = yield* Cursors
  const slowReads = yield* SlowReads.make
  const { loadTask } = yield* TaskSteps.make

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
      toItem: (stored) => TaskSteps.toTask(stored, day)
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
      toItem: (stored): ListedTask =>
        stored.audit.deletedUtc === null ? TaskSteps.toTask(stored, day) : TaskSteps.toTombstone(stored)
    })
  })

  /** One task. */
  const get = Effect.fn("Tasks.get")(function* (projectId: string, prospectId: string, taskId: string) {
    const prospect = yield* prospects.authorizeRead(projectId, prospectId)
    return TaskSteps.toTask(yield* loadTask(prospect.actor, prospect, taskId), yield* today)
  })

  /** The ids of the project and the prospect of a task, for callers that know the task alone. */
  const prospectOf = Effect.fn("Tasks.prospectOf")(function* (taskId: string) {
    const { teamId } = yield* authorize("broker")
    const { prospect } = yield* byId("task", taskId, (uuid) => repo.findAnywhere(teamId, uuid))
    return { projectId: Id.fromUuid("project", prospect.projectUuid), id: Id.fromUuid("prospect", prospect.uuid) }
  })

  return {
    list,
    listAll,
    get,
    prospectOf,
    create: yield* CreateTask.make,
    patch: yield* PatchTask.make,
    move: yield* MoveTask.make
  }
})

/** The use-cases of follow-up tasks. They need the `broker` capability. */
export class Tasks extends Context.Service<Tasks, Effect.Success<typeof make>>()("deals/prospects/tasks/Tasks") {
  static readonly layer = Layer.effect(Tasks, make)
}
