/** The list and delta of follow-up tasks across projects. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "../../../../src/core/usecase/Page.ts"
import type { ListedTask } from "../../../../src/deals/prospects/tasks/Task.ts"
import { untilSettled } from "../../../support/RecordsClient.ts"
import { TestService } from "../../../support/TestService.ts"
import { colleague, make } from "./fixture.ts"

interface Made {
  readonly id: string
}

/** Two prospects on a project and one on another, with a client of all tasks. */
const everywhere = Effect.gen(function* () {
  const made = yield* make()
  const { of, request, token } = made
  const second = yield* of()
  const project = (yield* request<Made>("POST", "/api/v1/projects", { token, json: { name: "Tal" } })).body.id
  const contact = yield* request<Made>("POST", "/api/v1/network/contacts", { token, json: { firstName: "Cleo" } })
  const prospects = `/api/v1/projects/${project}/prospects`
  const third = (yield* request<Made>("POST", prospects, { token, json: { contactId: contact.body.id } })).body.id
  const all = (query = "") => request<Page<ListedTask>>("GET", `/api/v1/tasks${query}`, { token })
  return {
    ...made,
    second,
    project,
    third,
    all,
    ids: (query = "") => Effect.map(all(query), ({ body }) => body.data.map(({ id }) => id)),
    onThird: (json: object = {}) =>
      Effect.map(
        request<Made>("POST", `${prospects}/${third}/tasks`, { token, json: { type: "call", dueDate: "7d", ...json } }),
        ({ body }) => body
      ),
    /** What changed since a moment, with tombstones, as `id changeType`. */
    delta: (since: string) =>
      Effect.andThen(
        untilSettled("tasks"),
        Effect.map(all(`?include_deleted=true&updated_since=${encodeURIComponent(since)}`), ({ body }) => body.data)
      ),
    ask: (method: string, path: string) => request(method, `/api/v1${path}`, { token })
  }
})

const yesterday = () => new Date(Date.now() - 86_400_000).toISOString()

layer(TestService.layer, { excludeTestServices: true })("Tasks across projects", (it) => {
  it.effect("are listed by creation in pages, as their prospects list them", () =>
    Effect.gen(function* () {
      const { all, get, ids, id, move, onThird, projectId, removeFromList, second, task } = yield* everywhere
      const first = yield* task()
      const other = yield* second.task()
      const third = yield* onThird()
      yield* move(first.id, "complete")
      const { body } = yield* all()
      assert.deepStrictEqual(
        body.data.map((one) => one.id),
        [first.id, other.id, third.id]
      )
      assert.deepStrictEqual(body.data[0], (yield* get(first.id)).body)
      assert.deepStrictEqual([body.data[0]?.projectId, body.data[0]?.prospectId], [projectId, id])
      const page = (yield* all("?page_size=2")).body
      assert.deepStrictEqual(yield* ids(`?page_size=2&cursor=${page.page.nextCursor}`), [third.id])
      // Those of a removed prospect stay, as on its own list.
      yield* removeFromList
      assert.lengthOf(yield* ids(), 3)
    })
  )

  it.effect("are filtered by assignee, due date, status and project", () =>
    Effect.gen(function* () {
      const { ids, move, onThird, project, projectId, task, teamId, user } = yield* everywhere
      const other = yield* colleague(teamId, "active")
      const overdue = (yield* task({ dueDate: "2020-02-29" })).id
      const today = (yield* task({ dueDate: "today", assignee: other })).id
      const later = (yield* onThird({ dueDate: "30d" })).id
      const done = (yield* task({ dueDate: "today" })).id
      yield* move(done, "complete")
      for (const [query, expected] of [
        ["?assignee=me", [overdue, later, done]],
        [`?assignee=${other}`, [today]],
        [`?assignee=${user}&status=open`, [overdue, later]],
        ["?assignee=user_01kb3n7x2ferwt5z8q4j6m9d0c", []],
        ["?due=overdue", [overdue]],
        ["?due=today", [today]],
        ["?due=this_week", [today]],
        ["?due=today&status=completed", []],
        ["?status=completed", [done]],
        [`?project_id=${project}`, [later]],
        [`?project_id=${projectId}&status=open`, [overdue, today]],
        ["?project_id=anything", []]
      ] as const) {
        assert.deepStrictEqual(yield* ids(query), [...expected], query)
      }
    })
  )

  it.effect(
    "have one delta: what was added, changed and moved, and tombstones of those that went with their prospect",
    () =>
      Effect.gen(function* () {
        const { all, ask, delta, ids, move, onThird, patch, path, project, second, task, third } = yield* everywhere
        const [a, b] = [yield* task(), yield* task()]
        const other = yield* second.task({ note: "Ask." })
        const last = yield* onThird()
        const before = yield* delta(yesterday())
        assert.deepStrictEqual(
          before.map(({ changeType, id }) => [id, changeType]),
          [a, b, other, last].map(({ id }) => [id, "created"])
        )
        const since = before.at(-1)?.updatedUtc ?? ""
        yield* patch(b.id, { note: "Now" })
        yield* move(a.id, "complete")
        yield* ask("DELETE", `${second.path.slice("/api/v1".length)}`)
        yield* ask("DELETE", `/projects/${project}`)
        assert.deepStrictEqual(yield* ids(), [a.id, b.id])
        const changed = yield* delta(since)
        assert.deepStrictEqual(
          changed.map(({ changeType, id }) => [id, changeType]),
          [
            [b.id, "updated"],
            [a.id, "updated"],
            [other.id, "deleted"],
            [last.id, "deleted"]
          ]
        )
        const { createdUtc, deletedUtc, updatedUtc, ...tombstone } = changed[2] ?? {}
        assert.strictEqual(deletedUtc, updatedUtc)
        assert.isString(createdUtc)
        assert.deepStrictEqual(tombstone as unknown, {
          id: other.id,
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
          etag: '"v2"',
          changeType: "deleted",
          changeOrigin: "api"
        })
        // Whatever the filters: a client that keeps a filtered copy must learn what is gone.
        const filtered = yield* all(`?include_deleted=true&status=open&updated_since=${encodeURIComponent(since)}`)
        assert.sameMembers(
          filtered.body.data.map(({ id }) => id),
          [b.id, other.id, last.id]
        )
        yield* ask("POST", `/projects/${project}/restore`)
        const back = (yield* delta(since)).find(({ id }) => id === last.id)
        assert.deepStrictEqual([back?.changeType, back?.prospectId, back?.deletedUtc], ["restored", third, null])
        assert.strictEqual(path.includes(third), false)
      })
  )
})
