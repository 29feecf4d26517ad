/** How Postgres answers what is asked of a large audit log. */
import * as Id from "../../../src/core/Id.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { AuditLog, type AuditQuery } from "../../../src/core/audit/AuditLog.ts"
import { asOperator } from "../../../src/core/auth/CurrentActor.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import { isLong } from "../../support/campaign.ts"
import { readsOf, statementsSentBy } from "../../support/Statements.ts"
import { store, TestDatabase } from "../../support/TestDatabase.ts"

const entries = isLong ? 1_000_000 : 30_000

const uuidOf = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`

// A hundred teams, users and clients; one action in a thousand is rare.
const fill = Effect.gen(function* () {
  const sql = yield* Database
  yield* sql`set statement_timeout = 0`
  yield* sql`
    insert into audit_log (id, at, keep_until, team_id, actor_kind, actor_id, client_id, action, target_type, target_id, outcome, details)
    select new_uuid_v7(at), at, at + interval '400 days', ('00000000-0000-7000-8000-' || lpad((n % 100)::text, 12, '0'))::uuid,
      'bot', ('00000000-0000-7000-8000-' || lpad((n % 100)::text, 12, '0'))::uuid,
      ('00000000-0000-7000-8000-' || lpad((n % 100)::text, 12, '0'))::uuid,
      case when n % 1000 = 0 then 'client.revoked' else 'webhook.updated' end, 'webhook', 'webhook_' || n, 'success', '{}'
    from (select n, now() - interval '390 days' * (n::float8 / ${entries}::float8) as at from generate_series(1, ${entries}::int) as n) as one`
  yield* sql`analyze audit_log`
})

const fixture = AuditLog.layer.pipe(Layer.provide(SecureRandom.layerWebCrypto), Layer.provideMerge(TestDatabase.layer))

const questions: ReadonlyArray<AuditQuery> = [
  {},
  { team: Id.fromUuid("team", uuidOf(7)) },
  { client: Id.fromUuid("client", uuidOf(7)) },
  { user: Id.fromUuid("user", uuidOf(7)) },
  { action: "client.revoked" },
  { action: "client.*" },
  { action: "client.*", team: Id.fromUuid("team", uuidOf(0)) },
  { since: new Date(Date.now() - 86_400_000), until: new Date() },
  { user: Id.fromUuid("user", uuidOf(7)), action: "webhook.*", since: new Date(Date.now() - 30 * 86_400_000) }
]

if (store === "postgres") {
  layer(fixture, { excludeTestServices: true })("A large audit log", (it) => {
    it.effect("answers by an index what is asked of it", () =>
      Effect.gen(function* () {
        yield* fill
        const log = yield* AuditLog
        for (const asked of questions) {
          const began = performance.now()
          const { reply, statements } = yield* statementsSentBy(
            asOperator(Effect.flatMap(log.listAll(asked, 100), Stream.runCollect))
          )
          const took = performance.now() - began
          const question = JSON.stringify(asked)
          assert.isAbove(reply.length, 0, question)
          assert.isBelow(took, 1000, question)
          const reads = (yield* Effect.forEach(statements, (one) => readsOf(one, ["audit_log"]))).flat()
          assert.isAbove(reads.length, 0, question)
          for (const { by } of reads) assert.notInclude(by, "Seq Scan", question)
          if (isLong) yield* Effect.log(`${Math.round(took)} ms ${question}`)
        }
      })
    )
  })
}
