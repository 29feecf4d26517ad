/** Jobs look for what is due in all teams, and write the rows of one team at a time. */
import * as Id from "../../src/core/Id.ts"
import * as TeamStatements from "../support/TeamStatements.ts"
import * as Tenant from "../support/Tenant.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { randomBytes, randomUUID } from "node:crypto"
import { Database } from "../../src/platform/db/Database.ts"
import { lockSeed } from "../../src/platform/jobs/Worker.ts"
import { SecretBox } from "../../src/platform/secrets/SecretBox.ts"
import { SchedulerRepo } from "../../src/webhooks/deliveries/SchedulerRepo.ts"
import { recurring, resumeDeliveries } from "../../workers/handlers.ts"
import { TestDatabase, testUrl } from "../support/TestDatabase.ts"
import { overrides, secretKeys, serviceOf } from "../webhooks/fixture.ts"
import { addDeliveries, addWebhook } from "../webhooks/healthRows.ts"

const formerKey = secretKeys.current

const services = serviceOf({
  secretKeys: { current: Redacted.make(new Uint8Array(32).fill(8)), previous: formerKey }
}).pipe(Layer.provideMerge(Layer.merge(TestDatabase.layer, SecureRandom.layerWebCrypto)), Layer.provideMerge(overrides))

const now = new Date("2026-11-21T09:00:00.000Z")
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)
const minutesAgo = (minutes: number) => daysAgo(minutes / 1440)

/** A team with something to do for each job that writes by itself. */
const aTeamWithWork = Effect.gen(function* () {
  const sql = yield* Database
  const { teamId } = yield* Tenant.make()
  const audit = sql`id, team_id, version, created_at, updated_at, change_type, change_origin`
  const made = sql`${teamId}::uuid, 1, now(), now(), 'created', 'import'`
  const contact = randomUUID()
  yield* sql`
    insert into contacts (${audit}, transaction_id, deleted_at) values (${contact}, ${made}, pg_current_xact_id(), ${daysAgo(91)})`
  yield* sql`
    insert into files (${audit}, subject_type, subject_id, name, content_type, size, sha256, content)
    values (${randomUUID()}, ${made}, 'contact', ${contact}, 'a.txt', 'text/plain', 1, ''::bytea, ${randomUUID()})`
  yield* sql`
    insert into idempotency_keys (team_id, scope, body_hash, answer, created_at)
    values (${teamId}, ${randomBytes(32)}, ''::bytea, ''::bytea, ${daysAgo(2)})`
  yield* addWebhook(teamId, { name: "deleted", deletedAt: daysAgo(31) }, daysAgo(40))
  const webhook = yield* addWebhook(teamId, { name: "live", consecutiveExhausted: 1 }, daysAgo(40))
  const formerBox = yield* Effect.provide(SecretBox, SecretBox.layer({ current: formerKey, previous: undefined }))
  const secret = yield* formerBox.for("webhook secrets").seal("whsec_AAAA", Id.fromUuid("webhook", webhook))
  yield* sql`update webhooks set secret_sealed = ${secret} where id = ${webhook}`
  yield* sql`
    insert into webhook_subscriptions (webhook_id, team_id, event_type, from_at, from_transaction, until_at, until_transaction)
    values (${webhook}, ${teamId}, 'contact.created', ${daysAgo(9)}, pg_current_xact_id(), ${daysAgo(8)}, pg_current_xact_id())`
  yield* sql`
    insert into webhook_attempts (team_id, webhook_id, hour, duration_ms, attempts, first_attempts, delivered)
    values (${teamId}, ${webhook}, ${daysAgo(3)}, 10, 1, 1, 1)`
  // These deliveries have no events.
  yield* sql`alter table deliveries drop constraint deliveries_event_id_fkey`
  yield* addDeliveries(teamId, webhook, { status: "delivered", createdAt: daysAgo(31), attempts: [9] })
  yield* addDeliveries(teamId, webhook, { status: "delivered", createdAt: minutesAgo(5), claimed: true })
  const claimed = { createdAt: minutesAgo(5), nextAttemptAt: minutesAgo(5), claimed: true } as const
  yield* addDeliveries(teamId, webhook, { status: "pending", ...claimed })
  yield* sql`
    update deliveries set claimed_by = 'pool-gone' where team_id = ${teamId} and claimed and status = 'pending'`
  yield* addDeliveries(teamId, webhook, { status: "pending", createdAt: minutesAgo(5) })
  return { teamId, webhookId: webhook }
})

// At least one statement of each job that writes by itself.
const expected = [
  "delete from contacts",
  "delete from files",
  "delete from idempotency_keys",
  "delete from webhooks",
  "delete from webhook_subscriptions",
  "update webhooks w set secret_sealed",
  "delete from deliveries",
  "update deliveries set claimed = false",
  "update deliveries set next_attempt_at",
  "delete from webhook_attempts",
  "insert into webhook_failures"
]

const runJobs = Effect.fnUntraced(function* (resumption: { readonly webhookId: string; readonly teamId: string }) {
  yield* (yield* SchedulerRepo).releaseFromDeadWorkers("pool-alive", lockSeed)
  yield* resumeDeliveries.run(resumption)
  for (const task of recurring) yield* task.run({ _cron: { ts: now.toISOString(), backfilled: false } })
})

layer(services)("Jobs", (it) => {
  it.effect("name the team of the rows that they write or lock", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now.getTime())
      const resumption = yield* aTeamWithWork
      const sent = new Set<string>()
      yield* runJobs(resumption).pipe(Effect.provide(TeamStatements.recordingIn(sent)))
      const texts = [...sent].filter((text) => /\b(?:update|delete from|insert into|for share)\b/.test(text))
      for (const part of expected) {
        assert.isTrue(
          texts.some((text) => text.replaceAll(/\s+/g, " ").includes(part)),
          part
        )
      }
      const { found } = yield* TeamStatements.unrouted(yield* testUrl, texts)
      assert.deepStrictEqual(found, [])
    })
  )
})
