import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestService } from "../../../support/TestService.ts"
import { make } from "./fixture.ts"

layer(TestService.layer, { excludeTestServices: true })("A follow-up task", (it) => {
  it.effect("is created with 201, becomes the next task of its prospect, and adds a timeline row", () =>
    Effect.gen(function* () {
      const { add, get, id, prospect, projectId, rows, tasks, user } = yield* make()
      const before = yield* prospect
      assert.deepStrictEqual([before.openTaskCount, before.nextTask], [0, undefined])
      const created = yield* add({ type: "meeting", dueDate: "2099-11-28T01:00:00+02:00", note: " Bring the plans. " })
      assert.strictEqual(created.status, 201, created.text)
      const { activityId, createdUtc, id: taskId, ...rest } = created.body
      assert.match(taskId, /^task_[0-9a-hjkmnp-tv-z]{26}$/)
      const anna = { id: user, name: "Anna Berg" }
      assert.deepStrictEqual(rest, {
        projectId,
        prospectId: id,
        type: "meeting",
        status: "open",
        dueDateUtc: "2099-11-28T00:00:00.000Z",
        overdue: false,
        assignee: anna,
        note: "Bring the plans.",
        createdBy: anna,
        completedUtc: null,
        completedBy: null,
        canceledUtc: null,
        canceledBy: null,
        updatedUtc: createdUtc,
        etag: '"v1"',
        changeType: "created",
        changeOrigin: "api",
        deletedUtc: null
      })
      assert.deepStrictEqual(
        [created.headers.get("location"), created.headers.get("etag")],
        [`${tasks}/${taskId}`, '"v1"']
      )
      for (const name of [taskId, activityId]) {
        const read = yield* get(name)
        assert.deepStrictEqual([read.status, read.body, read.headers.get("etag")], [200, created.body, '"v1"'])
      }
      assert.strictEqual((yield* get(taskId, { "if-none-match": '"v1"' })).status, 304)
      const after = yield* prospect
      assert.notStrictEqual(after.etag, before.etag)
      assert.deepStrictEqual(after, {
        ...before,
        openTaskCount: 1,
        nextTask: {
          id: taskId,
          type: "meeting",
          dueDateUtc: "2099-11-28T00:00:00.000Z",
          assignee: anna,
          overdue: false
        },
        updatedUtc: createdUtc,
        etag: after.etag,
        changeType: "updated"
      })
      assert.deepStrictEqual(yield* rows, [
        {
          id: activityId,
          type: "audit",
          event: "prospect.task_added",
          occurredUtc: createdUtc,
          actor: anna,
          details: { kind: "audit", taskId, message: "Bring the plans." }
        }
      ])
    })
  )

  it.effect("is completed, reopened and canceled, and its prospect is updated", () =>
    Effect.gen(function* () {
      const { add, list, move, prospect, rows, task } = yield* make()
      const last = yield* add({ type: "email", dueDate: "3d" })
      const first = yield* task({ dueDate: "tomorrow" })
      const steps = [
        [first.id, "complete", last.body.id],
        [first.activityId, "complete", last.body.id],
        [first.activityId, "reopen", first.id],
        [first.id, "cancel", last.body.id],
        [last.body.activityId, "complete", undefined]
      ] as const
      for (const [id, name, next] of steps) {
        assert.strictEqual((yield* move(id, name)).status, 204)
        assert.strictEqual((yield* prospect).nextTask?.id, next)
      }
      assert.strictEqual((yield* move(first.id, "complete")).status, 400)
      assert.deepStrictEqual(
        (yield* list("?page_size=1")).body.data.map(({ status }) => status),
        ["completed"]
      )
      assert.deepStrictEqual(
        (yield* list("?status=canceled")).body.data.map(({ id }) => id),
        [first.id]
      )
      assert.deepStrictEqual(
        (yield* rows).map(({ event }) => event),
        [
          "prospect.task_added",
          "prospect.task_added",
          "prospect.task_completed",
          "prospect.task_reopened",
          "prospect.task_canceled",
          "prospect.task_completed"
        ]
      )
    })
  )
})
