/** Jobs that look at all teams come to those of every cell. */
import pg from "pg"
import * as CellSchema from "../../src/platform/db/CellSchema.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { randomBytes, randomUUID } from "node:crypto"
import { CurrentCell, inTeam } from "../../src/platform/db/Cells.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { lockSeed } from "../../src/platform/jobs/Worker.ts"
import { WebhookHealth } from "../../src/webhooks/WebhookHealth.ts"
import { SchedulerRepo } from "../../src/webhooks/deliveries/SchedulerRepo.ts"
import { purgeIdempotencyKeys } from "../../workers/housekeeping.ts"
import { testUrl } from "../support/TestDatabase.ts"
import { serviceWithWorker } from "../webhooks/fixture.ts"
import { addDeliveries, addWebhook } from "../webhooks/healthRows.ts"

/** A team in each of two cells. */
const teams = Effect.gen(function* () {
  const sql = yield* Database
  yield* CellSchema.create(sql, "cell_b").pipe(Effect.catchTag("CellRefused", () => Effect.void))
  const placed: Array<string> = []
  for (const cell of ["cell_a", "cell_b"]) {
    const team = randomUUID()
    yield* sql`insert into team_cells (team_id, cell) values (${team}, ${cell})`
    placed.push(team)
  }
  return placed
})

/** A session as that of a worker, on the coordinator. */
const connected = Effect.acquireRelease(
  Effect.flatMap(testUrl, (url) =>
    Effect.promise(async () => {
      const client = new pg.Client({ connectionString: Redacted.value(url) })
      await client.connect()
      return client
    })
  ),
  (client) => Effect.promise(() => client.end())
)

const asJob = Effect.provideService(CurrentCell, undefined)

layer(serviceWithWorker)("Jobs of all cells", (it) => {
  it.effect("purge in each", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const placed = yield* teams
      const keysOf = (team: string) =>
        inTeam(team)(sql`select from idempotency_keys where team_id = ${team}`).pipe(Effect.map((rows) => rows.length))
      for (const team of placed) {
        yield* inTeam(team)(sql`
          insert into idempotency_keys (team_id, scope, body_hash, answer, created_at)
          values (${team}, ${randomBytes(32)}, ''::bytea, ''::bytea, '1969-12-01')`)
      }
      assert.deepStrictEqual(yield* Effect.forEach(placed, keysOf), [1, 1])
      yield* asJob(purgeIdempotencyKeys.run({}))
      assert.deepStrictEqual(yield* Effect.forEach(placed, keysOf), [0, 0])
    })
  )

  it.effect("see the claims of one worker, and release none while it holds its lock on the coordinator", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const repo = yield* SchedulerRepo
      const placed = yield* teams
      const lease = `pool-${randomUUID()}`
      for (const team of placed) {
        yield* Effect.gen(function* () {
          const webhook = yield* addWebhook(team, { name: "live" }, new Date())
          yield* sql`alter table deliveries drop constraint if exists deliveries_event_id_fkey`
          yield* addDeliveries(team, webhook, {
            status: "pending",
            createdAt: new Date(),
            nextAttemptAt: new Date(),
            claimed: true
          })
          yield* sql`update deliveries set claimed_by = ${lease} where team_id = ${team}`
        }).pipe(inTeam(team))
      }
      const release = (team: string) => inTeam(team)(repo.releaseFromDeadWorkers("pool-own", lockSeed))
      const claims = (yield* asJob(repo.claimsOf(lease))).map(({ teamId }) => teamId)
      assert.sameMembers(claims, placed)
      const { inFlight } = yield* asJob((yield* WebhookHealth).queue())
      assert.isAtLeast(inFlight, 2)
      const client = yield* connected
      const key = [lease, lockSeed]
      yield* Effect.promise(() => client.query("select pg_advisory_lock(hashtextextended($1, $2))", key))
      assert.deepStrictEqual((yield* Effect.forEach(placed, release)).flat(), [])
      yield* Effect.promise(() => client.query("select pg_advisory_unlock(hashtextextended($1, $2))", key))
      assert.deepStrictEqual((yield* Effect.forEach(placed, release)).flat().toSorted(), placed.toSorted())
      assert.deepStrictEqual(yield* asJob(repo.claimsOf(lease)), [])
    })
  )
})
