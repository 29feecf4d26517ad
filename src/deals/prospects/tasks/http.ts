/** The REST handlers of follow-up tasks. */
import * as RestResponse from "../../../http/RestResponse.ts"
import * as RestAdapter from "../../../http/RestAdapter.ts"
import { Effect } from "effect"
import { tasks } from "./api.ts"
import type { TaskMove } from "./Task.ts"
import { Tasks } from "./Tasks.ts"

/** Serves follow-up tasks. */
export const layer = RestAdapter.group(
  tasks,
  Effect.map(Tasks, (useCases): RestAdapter.Handlers<typeof tasks> => {
    const moving =
      (move: TaskMove): RestAdapter.Handlers<typeof tasks>[typeof move] =>
      (request) => {
        const { id, projectId, taskId } = request.params
        return Effect.as(useCases.move(projectId, id, taskId, move, request), RestResponse.noContent)
      }
    return {
      list: (request) =>
        Effect.map(useCases.list(request.params.projectId, request.params.id, request), RestResponse.page),
      listAll: (request) => Effect.map(useCases.listAll(request), RestResponse.page),
      create: (request) => {
        const { id, projectId } = request.params
        return Effect.map(useCases.create(projectId, id, request), (created) =>
          RestResponse.created(`/api/v1/projects/${projectId}/prospects/${id}/tasks`, created)
        )
      },
      get: ({ params }) => Effect.map(useCases.get(params.projectId, params.id, params.taskId), RestResponse.resource),
      update: (request) => {
        const { id, projectId, taskId } = request.params
        return Effect.map(useCases.patch(projectId, id, taskId, request), RestResponse.resource)
      },
      complete: moving("complete"),
      cancel: moving("cancel"),
      reopen: moving("reopen")
    }
  })
)
