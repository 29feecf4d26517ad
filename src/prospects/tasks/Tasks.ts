/** The use-cases of follow-up tasks: reads here, CreateTask.ts, PatchTask.ts and MoveTask.ts. */
import { Context, Effect, Layer } from "effect"
import { today } from "../../fields/Time.ts"
import { Cursors, defaultPageSize, read as readPage, timeAndId } from "../../usecase/Page.ts"
import type { UseCaseRequest } from "../../usecase/UseCaseRequest.ts"
import { Prospects } from "../Prospects.ts"
import * as CreateTask from "./CreateTask.ts"
import * as MoveTask from "./MoveTask.ts"
import * as PatchTask from "./PatchTask.ts"
import type { TaskListQuery } from "./Task.ts"
import * as TaskSteps from "./TaskSteps.ts"
import { TasksRepo } from "./TasksRepo.ts"

const make = Effect.gen(function* () {
  const repo = yield* TasksRepo
  const prospects = yield* Prospects
  const cursors = yield* Cursors
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

  /** One task. */
  const get = Effect.fn("Tasks.get")(function* (projectId: string, prospectId: string, taskId: string) {
    const prospect = yield* prospects.authorizeRead(projectId, prospectId)
    return TaskSteps.toTask(yield* loadTask(prospect.actor, prospect, taskId), yield* today)
  })

  return { list, get, create: yield* CreateTask.make, patch: yield* PatchTask.make, move: yield* MoveTask.make }
})

/** The use-cases of follow-up tasks. They need the `broker` capability. */
export class Tasks extends Context.Service<Tasks, Effect.Success<typeof make>>()("prospects/tasks/Tasks") {
  static readonly layer = Layer.effect(Tasks, make)
}
