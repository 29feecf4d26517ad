import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../../../src/platform/db/Database.ts"
import { rejectionOf, moveActionEvents, transitions } from "../../../../src/deals/prospects/tasks/rules.ts"
import { type Task, TaskMove, TaskState } from "../../../../src/deals/prospects/tasks/Task.ts"
import { TestService } from "../../../support/TestService.ts"
import { make } from "./fixture.ts"

const cases = TaskState.literals.flatMap((from) =>
  TaskMove.literals.map((move) => ({ from, move, to: transitions[from][move] }))
)

layer(TestService.layer, { excludeTestServices: true })("A task", (it) => {
  for (const [index, { from, move: name, to }] of cases.entries()) {
    const outcome = to === "refused" ? "is refused (400)" : to === from ? "changes nothing" : `makes it ${to}`
    it.effect(`that is ${from}: ${name} ${outcome}`, () =>
      Effect.gen(function* () {
        const { get, move, prospect, rows, task, teamId, user } = yield* make()
        const made = yield* task({}, from)
        const before = { prospect: yield* prospect, rows: yield* rows, task: (yield* get(made.id)).body }
        assert.strictEqual(before.task.status, from)
        const moved = yield* move(index % 2 === 0 ? made.id : made.activityId, name)
        const after = { prospect: yield* prospect, rows: yield* rows, task: (yield* get(made.id)).body }
        if (to === "refused") {
          const { detail, requestId: _, title: __, type, ...rest } = moved.body
          assert.match(String(type), /\/help\/task-move-refused$/)
          assert.strictEqual(detail, rejectionOf(from, name))
          assert.deepStrictEqual(rest as unknown, { status: 400, code: "task_move_refused", from, move: name })
        } else {
          assert.deepStrictEqual([moved.status, moved.text], [204, ""])
        }
        if (to === "refused" || to === from) {
          assert.deepStrictEqual(after, before)
          return
        }
        const by = { id: user, name: "Anna Berg" }
        const at = after.task.updatedUtc
        const expected: Task = {
          ...before.task,
          status: to,
          completedUtc: to === "completed" ? at : null,
          completedBy: to === "completed" ? by : null,
          canceledUtc: to === "canceled" ? at : null,
          canceledBy: to === "canceled" ? by : null,
          updatedUtc: at,
          etag: after.task.etag,
          changeType: "updated"
        }
        assert.deepStrictEqual(after.task, expected)
        assert.notStrictEqual(after.task.etag, before.task.etag)
        assert.notStrictEqual(after.prospect.etag, before.prospect.etag)
        assert.strictEqual(after.prospect.updatedUtc, at)
        assert.strictEqual(after.prospect.openTaskCount, to === "open" ? 1 : 0)
        assert.strictEqual(after.prospect.nextTask?.id, to === "open" ? made.id : undefined)
        assert.deepStrictEqual(after.rows.slice(0, -1), before.rows)
        const { id: _, ...row } = after.rows.at(-1) ?? {}
        assert.deepStrictEqual(row as unknown, {
          type: "audit",
          event: moveActionEvents[to],
          occurredUtc: at,
          actor: by,
          details: { kind: "audit", taskId: made.id }
        })
        const sql = yield* Database
        const events = yield* sql`
          select type from events where team_id = ${teamId} and type not like '%.created' order by seq desc limit 1`
        assert.deepStrictEqual(events, [{ type: moveActionEvents[to] }])
      })
    )
  }
})
