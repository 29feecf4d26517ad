/** A tenant with a prospect on a project, and a client of its tasks. */
import * as Tenant from "../../../support/Tenant.ts"
import { Effect } from "effect"
import type { Action } from "../../../../src/core/mutation/Timeline.ts"
import type { Page } from "../../../../src/core/usecase/Page.ts"
import type { Prospect } from "../../../../src/deals/prospects/Prospect.ts"
import type { Task, TaskMove, TaskState } from "../../../../src/deals/prospects/tasks/Task.ts"
import { Database } from "../../../../src/platform/db/Database.ts"
import { type Reply, TestService } from "../../../support/TestService.ts"

/** Another person of the same team. */
export const colleague = Effect.fnUntraced(function* (teamId: string, status: "active" | "pending") {
  const sql = yield* Database
  const other = yield* Tenant.make()
  yield* Effect.orDie(sql`
    insert into memberships (team_id, user_id, role, status, is_primary, joined_at, sort_name)
    values (${teamId}, ${other.userId}, 'member', ${status}, false, now(), 'anna berg')`)
  return other.user
})

interface Made {
  readonly id: string
}

/** The client. `of` is that of another prospect on the same project, `request` sends anything else. */
export const make = Effect.fn("tasks/fixture.make")(function* () {
  const { request } = yield* TestService
  const tenant = yield* Tenant.make()
  const { token } = tenant
  const project = yield* request<Made>("POST", "/api/v1/projects", { token, json: { name: "Harbour Park" } })
  const prospects = `/api/v1/projects/${project.body.id}/prospects`

  const of = Effect.fnUntraced(function* () {
    const contact = yield* request<Made>("POST", "/api/v1/network/contacts", { token, json: { firstName: "Maria" } })
    const added = yield* request<Made>("POST", prospects, { token, json: { contactId: contact.body.id } })
    const { id } = added.body
    const path = `${prospects}/${id}`
    const tasks = `${path}/tasks`
    const add = (json: unknown, headers = {}, query = ""): Effect.Effect<Reply<Task>> =>
      request<Task>("POST", `${tasks}${query}`, { token, json, headers })
    const move = (taskId: string, move: TaskMove, headers = {}, query = "") =>
      request("POST", `${tasks}/${taskId}/${move}${query}`, { token, headers })
    /** A new task, moved so that it is in a state. */
    const task = Effect.fnUntraced(function* (json: object = {}, state: TaskState = "open") {
      const { body } = yield* add({ type: "call", dueDate: "7d", ...json })
      if (state !== "open") yield* move(body.id, state === "completed" ? "complete" : "cancel")
      return body
    })
    return {
      id,
      path,
      tasks,
      add,
      move,
      task,
      patch: (taskId: string, json: unknown, headers = {}) =>
        request<Task>("PATCH", `${tasks}/${taskId}`, { token, json, headers }),
      get: (taskId: string, headers = {}) => request<Task>("GET", `${tasks}/${taskId}`, { token, headers }),
      list: (query = "") => request<Page<Task>>("GET", `${tasks}${query}`, { token }),
      prospect: Effect.map(request<Prospect>("GET", path, { token }), ({ body }) => body),
      /** The rows on the partition of tasks, the oldest first. */
      rows: Effect.map(request<Page<Action>>("GET", `${path}/actions?type=tasks`, { token }), ({ body }) =>
        body.data.toReversed()
      ),
      removeFromList: request("POST", `${path}/remove`, { token }),
      putBack: request("POST", `${path}/restore`, { token })
    }
  })
  return { ...tenant, projectId: project.body.id, ...(yield* of()), request, of }
})
