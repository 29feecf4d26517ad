/** How the timelines of what is gone for good are removed. */
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { randomUUID } from "node:crypto"
import { Timelines } from "../../../src/core/mutation/Timelines.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import { Cursors } from "../../../src/core/usecase/Page.ts"
import { untilBlocked } from "../../support/locks.ts"
import { readsOf, statementsSentBy } from "../../support/Statements.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { secretKeys } from "../../support/TestService.ts"

const services = Timelines.layer.pipe(
  Layer.provideMerge(Cursors.layer(secretKeys)),
  Layer.provideMerge(Layer.merge(TestDatabase.layer, SecureRandom.layerWebCrypto))
)

/** Rows of a team, each on the timelines of all these subjects. */
const rowsOn = Effect.fnUntraced(function* (teamId: string, subjects: ReadonlyArray<string>, rows: number) {
  const sql = yield* Database
  yield* sql`
    with made as (
      insert into actions (id, team_id, type, occurred_at, origin, details)
      select gen_random_uuid(), ${teamId}::uuid, 'audit', now() - n * interval '1 minute', 'api', '{"kind":"audit"}'
      from generate_series(1, ${rows}::int) n
      returning id, occurred_at
    )
    insert into action_subjects (subject_type, subject_id, action_id, team_id, occurred_at)
    select 'contact', subject, id, ${teamId}::uuid, occurred_at from made, unnest(${subjects}::uuid[]) as subject`
  return Effect.map(
    sql<{ actions: number; rows: number }>`
      select (select count(*)::int from actions where team_id = ${teamId}) as actions,
        (select count(*)::int from action_subjects where team_id = ${teamId}) as rows`,
    ([row]) => row
  )
})

layer(services, { excludeTestServices: true })("Clearing timelines", (it) => {
  it.effect("removes at most the given number of rows, and actions without a timeline", () =>
    Effect.gen(function* () {
      const { clear } = yield* Timelines
      const [a, b, c] = [randomUUID(), randomUUID(), randomUUID()]
      const teamId = randomUUID()
      const kept = yield* rowsOn(teamId, [a, b, c], 2)
      const both = { teamId, uuids: [a, b] }
      const steps: Array<number> = []
      for (let step = yield* clear(both, 3); step > 0; step = yield* clear(both, 3)) steps.push(step)
      assert.deepStrictEqual(steps, [3, 1])
      assert.deepStrictEqual(yield* kept, { actions: 2, rows: 2 })
      assert.strictEqual(yield* clear({ teamId, uuids: [c] }, 3), 2)
      assert.deepStrictEqual(yield* kept, { actions: 0, rows: 0 })
      assert.strictEqual(yield* clear({ teamId, uuids: [] }, 3), 0)
    })
  )

  it.effect("keeps no row of two timelines that are cleared at the same time", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { clear } = yield* Timelines
      const [a, b] = [randomUUID(), randomUUID()]
      const teamId = randomUUID()
      const kept = yield* rowsOn(teamId, [a, b], 5)
      const begun = yield* Deferred.make<void>()
      const other = yield* Effect.forkChild(Effect.andThen(Deferred.await(begun), clear({ teamId, uuids: [b] }, 100)))
      yield* sql.withTransaction(
        Effect.gen(function* () {
          assert.strictEqual(yield* clear({ teamId, uuids: [a] }, 100), 5)
          yield* Deferred.succeed(begun, undefined)
          yield* Effect.raceFirst(untilBlocked(1), Fiber.await(other))
        })
      )
      assert.strictEqual(yield* Fiber.join(other), 5)
      assert.deepStrictEqual(yield* kept, { actions: 0, rows: 0 })
    })
  )

  it.effect("scans no table, however many timelines there are", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { clear } = yield* Timelines
      const teamId = randomUUID()
      yield* rowsOn(teamId, [randomUUID(), randomUUID()], 20_000)
      const gone = Array.from({ length: 200 }, () => randomUUID())
      for (const id of gone.slice(0, 20)) yield* rowsOn(teamId, [id, randomUUID()], 20)
      yield* sql`analyze actions, action_subjects`
      const { reply, statements } = yield* statementsSentBy(clear({ teamId, uuids: gone }, 100))
      assert.strictEqual(reply, 100)
      assert.lengthOf(statements, 4)
      for (const statement of statements) {
        for (const { by } of yield* readsOf(statement, ["actions", "action_subjects"])) {
          assert.notMatch(by, /Seq Scan/, statement.text)
        }
      }
    })
  )
})
