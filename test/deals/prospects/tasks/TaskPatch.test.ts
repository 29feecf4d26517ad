/** Patches of follow-up tasks. */
import * as Tenant from "../../../support/Tenant.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { dayOf, daysAfter, midnightOf } from "../../../../src/deals/prospects/projection.ts"
import { faultsOf } from "../../../support/faults.ts"
import { TestService } from "../../../support/TestService.ts"
import { colleague, make } from "./fixture.ts"

layer(TestService.layer, { excludeTestServices: true })("A patch of a task", (it) => {
  it.effect("changes an open one, adds a timeline row, and the next task of its prospect follows", () =>
    Effect.gen(function* () {
      const { get, id, patch, prospect, rows, task, user } = yield* make()
      const first = yield* task({ dueDate: "7d", note: "Ask." })
      const second = yield* task({ dueDate: "9d", type: "email" })
      assert.strictEqual((yield* prospect).nextTask?.id, first.id)
      const before = (yield* get(second.id)).body
      const json = { type: "meeting", dueDate: "2020-02-29", note: " Bring the plans. ", assignee: "me" }
      const patched = yield* patch(second.id, json, { "if-match": before.etag })
      assert.strictEqual(patched.status, 200, patched.text)
      assert.deepStrictEqual(patched.body, {
        ...before,
        type: "meeting",
        dueDateUtc: midnightOf("2020-02-29"),
        overdue: true,
        note: "Bring the plans.",
        updatedUtc: patched.body.updatedUtc,
        etag: '"v2-overdue"',
        changeType: "updated"
      })
      assert.strictEqual(patched.headers.get("etag"), patched.body.etag)
      assert.deepStrictEqual((yield* get(second.id)).body, patched.body)
      const { nextTask, openTaskCount } = yield* prospect
      assert.deepStrictEqual([nextTask?.id, nextTask?.overdue, openTaskCount], [second.id, true, 2])
      const { id: _, ...row } = (yield* rows).at(-1) ?? {}
      assert.deepStrictEqual(row as unknown, {
        type: "audit",
        event: "prospect.task_updated",
        occurredUtc: patched.body.updatedUtc,
        actor: { id: user, name: "Anna Berg" },
        details: {
          kind: "audit",
          taskId: second.id,
          changedFields: ["type", "dueDate", "note"],
          message: "Bring the plans."
        }
      })
      // The prospect answers nothing of a note.
      const { etag } = yield* prospect
      assert.strictEqual((yield* patch(second.activityId, { note: null })).body.note, null)
      assert.strictEqual((yield* prospect).etag, etag)
      assert.deepStrictEqual((yield* rows).at(-1)?.details, {
        kind: "audit",
        taskId: second.id,
        changedFields: ["note"]
      })
      assert.strictEqual((yield* get(first.id)).body.prospectId, id)
    })
  )

  it.effect("takes a number of days from today, and gives the task to another member", () =>
    Effect.gen(function* () {
      const { patch, prospect, task, teamId } = yield* make()
      const other = yield* colleague(teamId, "active")
      const { id } = yield* task()
      const { body } = yield* patch(id, { dueDate: "3d", assignee: other })
      assert.strictEqual(body.dueDateUtc, midnightOf(daysAfter(dayOf(new Date()), 3)))
      assert.strictEqual(body.assignee.id, other)
      assert.strictEqual((yield* prospect).nextTask?.assignee.id, other)
    })
  )

  it.effect("that changes nothing answers 200 with the same ETag, and takes back what was answered", () =>
    Effect.gen(function* () {
      const { get, patch, prospect, rows, task } = yield* make()
      const { id } = yield* task({ note: "Ask." })
      const before = { task: (yield* get(id)).body, prospect: yield* prospect, rows: yield* rows }
      for (const json of [{}, before.task, { type: "call", dueDate: before.task.dueDateUtc, note: "Ask." }]) {
        const { body, status } = yield* patch(id, json)
        assert.deepStrictEqual([status, body], [200, before.task])
      }
      assert.deepStrictEqual({ task: (yield* get(id)).body, prospect: yield* prospect, rows: yield* rows }, before)
    })
  )

  for (const state of ["completed", "canceled"] as const) {
    it.effect(`is refused when it is ${state}`, () =>
      Effect.gen(function* () {
        const { patch, task } = yield* make()
        const { id } = yield* task({}, state)
        const { body, status } = yield* patch(id, { note: "Too late" })
        assert.deepStrictEqual(
          [status, body as unknown as Record<string, unknown>].map((one) =>
            typeof one === "number" ? one : [one["code"], one["from"], one["move"]]
          ),
          [400, ["task_move_refused", state, "update"]]
        )
      })
    )
  }

  it.effect("is refused with an outdated ETag, and while its prospect is removed from the list", () =>
    Effect.gen(function* () {
      const { patch, removeFromList, task } = yield* make()
      const { etag, id } = yield* task()
      assert.strictEqual((yield* patch(id, { note: "A" }, { "if-match": etag })).status, 200)
      assert.strictEqual((yield* patch(id, { note: "B" }, { "if-match": etag })).status, 412)
      yield* removeFromList
      const refused = yield* patch(id, { note: "C" })
      assert.deepStrictEqual(
        [refused.status, (refused.body as unknown as Record<string, unknown>)["code"]],
        [409, "prospect_removed"]
      )
      assert.strictEqual((yield* patch("task_01kb3n7x2ferwt5z8q4j6m9d0c", {})).status, 404)
    })
  )

  it.effect("reports all faults at once", () =>
    Effect.gen(function* () {
      const { patch, task } = yield* make()
      const { id } = yield* task()
      const stranger = (yield* Tenant.make()).user
      assert.deepStrictEqual(
        faultsOf(yield* patch(id, { type: null, dueDate: "soon", status: "completed", assignee: stranger })).toSorted(),
        [
          "body /assignee invalid_reference",
          "body /dueDate invalid_due_date",
          "body /status read_only",
          "body /type not_allowed"
        ]
      )
      assert.deepStrictEqual(faultsOf(yield* patch(id, { assignee: null })), ["body /assignee wrong_type"])
    })
  )
})
