import fc from "fast-check"
import * as UseCaseRequest from "../../../../src/core/usecase/UseCaseRequest.ts"
import * as Tenant from "../../../support/Tenant.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { actAs, asOperator, operatorOf } from "../../../../src/core/auth/CurrentActor.ts"
import { Database } from "../../../../src/platform/db/Database.ts"
import { TaskMove } from "../../../../src/deals/prospects/tasks/Task.ts"
import { Tasks } from "../../../../src/deals/prospects/tasks/Tasks.ts"
import { faultsOf } from "../../../support/faults.ts"
import { TestService } from "../../../support/TestService.ts"
import { colleague, make } from "./fixture.ts"

layer(TestService.layer, { excludeTestServices: true })("Follow-up tasks", (it) => {
  const fixture = make()

  it.effect("are assigned to the caller by default, to `me`, or to another active member of the team", () =>
    Effect.gen(function* () {
      const { add, prospect, teamId, user } = yield* fixture
      const other = yield* colleague(teamId, "active")
      const assignees = [undefined, "me", user, other]
      for (const assignee of assignees) {
        const { body } = yield* add({
          type: "email",
          dueDate: "today",
          ...(assignee === undefined ? {} : { assignee })
        })
        assert.deepStrictEqual(body.assignee, { id: assignee === other ? other : user, name: "Anna Berg" })
      }
      assert.strictEqual((yield* prospect).openTaskCount, 4)
      const strangers = [
        (yield* Tenant.make()).user,
        yield* colleague(teamId, "pending"),
        user.slice(0, -1),
        "anna",
        ""
      ]
      for (const assignee of strangers) {
        const refused = yield* add({ type: "email", dueDate: "today", assignee })
        assert.deepStrictEqual([refused.status, faultsOf(refused)], [400, ["body /assignee invalid_reference"]])
      }
    })
  )

  it.effect("need an assignee when the operator creates them, and have no creator then", () =>
    Effect.gen(function* () {
      const { get, id, move, projectId, teamId, user } = yield* fixture
      const tasks = yield* Tasks
      const create = (body: Record<string, string>) =>
        tasks
          .create(projectId, id, UseCaseRequest.make({ operation: "POST task", query: {}, body }))
          .pipe(actAs(operatorOf(teamId)))
      const faults = (body: Record<string, string>) =>
        Effect.map(Effect.flip(create(body)), (refused) =>
          "errors" in refused ? refused.errors.map(({ code }) => code) : []
        )
      assert.deepStrictEqual(yield* faults({ type: "call", dueDate: "today" }), ["required"])
      assert.deepStrictEqual(yield* faults({ type: "call", dueDate: "today", assignee: "me" }), ["invalid_reference"])
      const { value } = yield* create({ type: "call", dueDate: "today", assignee: user })
      assert.deepStrictEqual([value.createdBy, value.assignee.id, value.changeOrigin], [null, user, "app"])
      yield* tasks
        .move(projectId, id, value.id, "complete", UseCaseRequest.make({ operation: "POST complete", query: {} }))
        .pipe(actAs(operatorOf(teamId)))
      const { body } = yield* get(value.id)
      assert.deepStrictEqual([body.status, body.completedUtc, body.completedBy], ["completed", body.updatedUtc, null])
      assert.strictEqual((yield* move(value.id, "reopen")).status, 204)
      const elsewhere = yield* Effect.flip(asOperator(tasks.get(projectId, id, value.id)))
      assert.strictEqual(elsewhere._tag, "NotFound")
    })
  )

  it.effect("are rejected with all faults at once", () =>
    Effect.gen(function* () {
      const { add, list } = yield* fixture
      const refusals: ReadonlyArray<readonly [unknown, ReadonlyArray<string>]> = [
        [{}, ["body /dueDate required", "body /type required"]],
        [
          { type: "visit", dueDate: "yesterday", assignee: "nobody", note: "" },
          [
            "body /assignee invalid_reference",
            "body /dueDate invalid_due_date",
            "body /note blank",
            "body /type not_allowed"
          ]
        ],
        [
          { type: null, dueDate: 7, assignee: null, note: "x".repeat(20_001), status: "open" },
          [
            "body /assignee wrong_type",
            "body /dueDate wrong_type",
            "body /note too_long",
            "body /status unknown_member",
            "body /type not_allowed"
          ]
        ],
        [{ type: "call", dueDate: "0000-06-01" }, ["body /dueDate invalid_due_date"]],
        [[], ["body  wrong_type"]]
      ]
      for (const [json, faults] of refusals) {
        const refused = yield* add(json)
        assert.deepStrictEqual([refused.status, [...faultsOf(refused)].sort()], [400, faults], refused.text)
      }
      const three = yield* add({ type: "call", dueDate: "1w" }, { "idempotency-key": "a key" }, "?froce=true")
      assert.deepStrictEqual([...faultsOf(three)].sort(), [
        "body /dueDate invalid_due_date",
        "header /Idempotency-Key malformed_key",
        "query /froce unknown_parameter"
      ])
      assert.deepStrictEqual((yield* list()).body.data, [])
    })
  )

  it.effect("are created once per idempotency key, whatever has changed since", () =>
    Effect.gen(function* () {
      const { add, prospect, rows, removeFromList, teamId } = yield* fixture
      const sql = yield* Database
      const assignee = yield* colleague(teamId, "active")
      const json = { type: "call", dueDate: "7d", assignee }
      const key = { "idempotency-key": "k" }
      const first = yield* add(json, key)
      yield* sql`update memberships set status = 'pending' where team_id = ${teamId} and sort_name = 'anna berg' and role = 'member'`
      yield* removeFromList
      const again = yield* add(json, key)
      assert.deepStrictEqual(
        [again.status, again.body, again.headers.get("idempotency-replayed")],
        [201, first.body, "true"]
      )
      assert.strictEqual((yield* add({ ...json, note: "Again" }, key)).status, 422)
      assert.strictEqual((yield* add(json)).status, 400)
      assert.lengthOf(yield* rows, 1)
      assert.strictEqual((yield* prospect).openTaskCount, 1)
    })
  )

  it.effect("are found on their own prospect only, by either of their ids", () =>
    Effect.gen(function* () {
      const { get, move, of, request, rows, task, tasks, token } = yield* fixture
      const other = yield* of()
      const made = yield* task()
      const [added] = yield* rows
      assert.strictEqual(made.activityId, added?.id)
      const note = yield* request<{ readonly id: string }>("POST", tasks.replace(/tasks$/, "notes"), {
        token,
        json: { message: "Called" }
      })
      yield* move(made.id, "complete")
      const completed = (yield* rows).at(-1)?.id ?? ""
      for (const id of [note.body.id, completed, "task_01kb3n7x2ferwt5z8q4j6m9d0c", "7", made.id.toUpperCase()]) {
        assert.strictEqual((yield* get(id)).status, 404, id)
        assert.strictEqual((yield* move(id, "reopen")).status, 404, id)
      }
      for (const id of [made.id, made.activityId]) {
        assert.strictEqual((yield* other.get(id)).status, 404)
        for (const name of TaskMove.literals) assert.strictEqual((yield* other.move(id, name)).status, 404)
      }
      const stranger = yield* Tenant.make()
      for (const [method, path] of [
        ["GET", tasks],
        ["POST", tasks],
        ["GET", `${tasks}/${made.id}`],
        ["POST", `${tasks}/${made.id}/reopen`]
      ]) {
        assert.strictEqual((yield* request(method ?? "", path ?? "", { token: stranger.token })).status, 404)
      }
      assert.strictEqual((yield* get(made.id)).body.status, "completed")
    })
  )

  it.effect("of a removed prospect can be read, and cannot be changed until it is restored", () =>
    Effect.gen(function* () {
      const { add, get, list, move, prospect, putBack, rows, removeFromList, task } = yield* fixture
      const open = yield* task()
      const completed = yield* task({}, "completed")
      yield* removeFromList
      const before = [yield* prospect, yield* rows]
      assert.deepStrictEqual(
        (yield* list()).body.data.map(({ id }) => id),
        [open.id, completed.id]
      )
      const refused = yield* add({ type: "call", dueDate: "today" })
      assert.deepStrictEqual(
        [refused.status, refused.body as unknown],
        [409, { ...refused.body, code: "prospect_removed" }]
      )
      // Faults of the request are reported first.
      assert.strictEqual((yield* add({ type: "visit", dueDate: "today" })).status, 400)
      assert.strictEqual((yield* move(open.id, "complete")).status, 409)
      assert.strictEqual((yield* move(completed.id, "complete")).status, 409)
      assert.strictEqual((yield* move(completed.id, "cancel")).status, 400)
      assert.strictEqual((yield* move(open.id, "complete", {}, "?force=true")).status, 400)
      assert.strictEqual((yield* move("task_01kb3n7x2ferwt5z8q4j6m9d0c", "complete")).status, 404)
      assert.deepStrictEqual([yield* prospect, yield* rows], before)
      yield* putBack
      const back = yield* prospect
      assert.deepStrictEqual([back.openTaskCount, back.nextTask?.id], [1, open.id])
      assert.strictEqual((yield* move(open.id, "complete")).status, 204)
      assert.strictEqual((yield* get(open.id)).body.status, "completed")
    })
  )

  it.effect("are listed by creation in pages, all or those in one state", () =>
    Effect.gen(function* () {
      const { list, of, request, task, token } = yield* fixture
      const made = yield* Effect.forEach(["open", "canceled", "open", "completed", "open"] as const, (state) =>
        task({ dueDate: "2020-02-29" }, state)
      )
      const ids = made.map(({ id }) => id)
      const pages: Array<string> = []
      let query: string | null = "?page_size=2"
      while (query !== null) {
        const page: Effect.Success<ReturnType<typeof list>> = yield* list(query)
        assert.strictEqual(page.status, 200, page.text)
        pages.push(page.body.data.map(({ id }) => ids.indexOf(id)).join())
        const { nextCursor }: { readonly nextCursor: string | null } = page.body.page
        assert.strictEqual(page.headers.has("link"), nextCursor !== null)
        query = nextCursor === null ? null : `?page_size=2&cursor=${nextCursor}`
      }
      assert.deepStrictEqual(pages, ["0,1", "2,3", "4"])
      for (const [status, indexes] of [
        ["open", "0,2,4"],
        ["completed", "3"],
        ["canceled", "1"]
      ]) {
        const { body } = yield* list(`?status=${status}`)
        assert.strictEqual(body.data.map(({ id }) => ids.indexOf(id)).join(), indexes)
        assert.isTrue(body.data.every((one) => one.status === status && one.overdue === (status === "open")))
      }
      const { body } = yield* list("?page_size=1&status=open")
      const cursor = body.page.nextCursor ?? ""
      assert.strictEqual((yield* list(`?cursor=${cursor}`)).status, 400)
      const other = yield* of()
      assert.strictEqual((yield* other.list(`?status=open&cursor=${cursor}`)).status, 400)
      for (const wrong of ["?status=done", "?status=", "?stauts=open", "?page_size=0"]) {
        assert.strictEqual((yield* list(wrong)).status, 400, wrong)
      }
      assert.deepStrictEqual((yield* other.list()).body.data, [])
      const deleted = yield* request("DELETE", other.path, { token })
      assert.strictEqual(deleted.status, 204)
      assert.strictEqual((yield* other.list()).status, 404)
    })
  )

  it.effect(
    "are summarized by their prospect: the one that is due first, then the oldest, after any sequence of moves",
    () =>
      Effect.gen(function* () {
        const due = fc.constantFrom("2026-01-01", "2026-01-02", "2099-01-01", "2099-12-31")
        const step = fc.oneof(
          fc.record({ kind: fc.constant("add" as const), due }),
          fc.record({ kind: fc.constantFrom(...TaskMove.literals), at: fc.nat(9) })
        )
        const runs = fc.sample(fc.array(step, { minLength: 12, maxLength: 14 }), { numRuns: 2, seed: 7 })
        for (const steps of runs) {
          const { add, move, prospect } = yield* make()
          const model: Array<{ readonly id: string; readonly due: string; state: string }> = []
          for (const step of steps) {
            const before = yield* prospect
            let changes = true
            if (step.kind === "add") {
              const { body } = yield* add({ type: "call", dueDate: step.due })
              model.push({ id: body.id, due: body.dueDateUtc, state: "open" })
            } else {
              const task = model[step.at % Math.max(1, model.length)]
              if (task === undefined) continue
              const to = { complete: "completed", cancel: "canceled", reopen: "open" }[step.kind]
              const { status } = yield* move(task.id, step.kind)
              changes = status === 204 && task.state !== to
              if (changes) task.state = to
            }
            const open = model.filter(({ state }) => state === "open")
            // Sorting keeps the order of creation where the days are the same.
            const next = open.toSorted((a, b) => (a.due < b.due ? -1 : a.due > b.due ? 1 : 0))[0]
            const after = yield* prospect
            assert.deepStrictEqual([after.openTaskCount, after.nextTask?.id], [open.length, next?.id])
            assert.strictEqual(after.nextTask?.overdue, next === undefined ? undefined : next.due < "2026-02")
            assert.strictEqual(after.etag !== before.etag, changes)
            if (!changes) assert.deepStrictEqual(after, before)
          }
        }
      })
  )

  it.effect("lose no task and no move under concurrency", () =>
    Effect.gen(function* () {
      const { add, get, move, prospect, rows, task } = yield* fixture
      const together = { concurrency: "unbounded" } as const
      const tasks = yield* Effect.all([task(), task(), task()])
      const moves = tasks.flatMap(({ activityId, id }) => [
        move(id, "complete"),
        move(activityId, "cancel"),
        move(id, "complete")
      ])
      const replies = yield* Effect.all(
        [...moves, add({ type: "call", dueDate: "today" }), add({ type: "call", dueDate: "today" })],
        together
      )
      const states = yield* Effect.forEach(tasks, ({ id }) => Effect.map(get(id), ({ body }) => body.status))
      const refused = states.map((state) => (state === "completed" ? 1 : 2)).reduce((a, b) => a + b, 0)
      assert.lengthOf(
        replies.filter(({ status }) => status === 400),
        refused
      )
      assert.lengthOf(
        replies.filter(({ status }) => status === 204),
        9 - refused
      )
      const { nextTask, openTaskCount } = yield* prospect
      assert.deepStrictEqual([openTaskCount, nextTask?.overdue], [2, false])
      const events = (yield* rows).map(({ event }) => event)
      assert.deepStrictEqual(events.slice(0, 3), ["prospect.task_added", "prospect.task_added", "prospect.task_added"])
      assert.deepStrictEqual(
        events.slice(3).sort(),
        ["prospect.task_added", "prospect.task_added", ...states.map((state) => `prospect.task_${state}`)].sort()
      )
    })
  )

  it.effect("support dry runs", () =>
    Effect.gen(function* () {
      const { add, id, list, move, prospect, rows, task } = yield* fixture
      const dry = { prefer: "dry-run" }
      const made = yield* task()
      const before = [yield* prospect, yield* rows, (yield* list()).body.data]
      const report: unknown = (yield* add({ type: "call", dueDate: "today" }, dry)).body
      assert.deepInclude(report, {
        wouldAnswer: 201,
        events: [{ event: "prospect.task_added", resource_id: id }]
      } as never)
      const completed: unknown = (yield* move(made.id, "complete", dry)).body
      assert.deepStrictEqual(completed, {
        wouldAnswer: 204,
        result: null,
        events: [{ event: "prospect.task_completed", resource_id: id }],
        affected: [
          { type: "task", id: made.id, change: "updated" },
          { type: "prospect", id, change: "updated" }
        ]
      })
      assert.strictEqual((yield* move(made.id, "reopen", dry)).status, 400)
      assert.deepStrictEqual([yield* prospect, yield* rows, (yield* list()).body.data], before)
    })
  )
})
