import * as OperatorEvents from "../../../src/core/audit/OperatorEvents.ts"
import * as Tenant from "../../support/Tenant.ts"
import * as Transaction from "../../../src/platform/db/Transaction.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { actionNames, isNotable } from "../../../src/core/audit/AuditEntry.ts"
import { AuditLog } from "../../../src/core/audit/AuditLog.ts"
import { Changes } from "../../../src/core/mutation/Changes.ts"
import { auditEventTypes } from "../../../src/core/mutation/Event.ts"
import { inTeam } from "../../../src/platform/db/Cells.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import { Jobs } from "../../../src/platform/jobs/Jobs.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

const fixture = Changes.layer.pipe(
  Layer.provideMerge(Jobs.layer),
  Layer.provideMerge(SecureRandom.layerWebCrypto),
  Layer.provideMerge(TestDatabase.layerShared)
)

/** The audit log of an installation whose operator has this team (UUID). */
const logOf = (team: string) =>
  Layer.fresh(AuditLog.layer).pipe(
    Layer.provide(OperatorEvents.layer),
    Layer.provide(Layer.succeed(OperatorEvents.OperatorTeam, team))
  )

const eventsOf = (teamId: string) =>
  Effect.flatMap(
    Database,
    (sql) => sql<{ readonly body: string }>`select body from events where team_id = ${teamId} order by id`
  ).pipe(
    inTeam(teamId),
    Effect.map((rows) => rows.map(({ body }) => JSON.parse(body) as Readonly<Record<string, unknown>>))
  )

layer(fixture)("The operator's team", (it) => {
  it.effect("gets an event for each notable entry, in its transaction", () =>
    Effect.gen(function* () {
      const [operator, other] = [yield* Tenant.make(), yield* Tenant.make()]
      const entry = yield* Effect.gen(function* () {
        const log = yield* AuditLog
        yield* log.record({ action: "session.started", teamId: other.teamId })
        yield* Transaction.runAndRollBack(log.record({ action: "client.created", teamId: other.teamId }))
        return yield* log.record({
          action: "client.revoked",
          teamId: other.teamId,
          target: { type: "client", id: "client_x" },
          userId: other.userId
        })
      }).pipe(Effect.provide(logOf(operator.teamId)))
      const [event, ...others] = yield* eventsOf(operator.teamId)
      assert.deepStrictEqual(others, [])
      assert.deepInclude(event, {
        event: "audit.client_revoked",
        resource_type: "audit",
        actor_user_id: other.user,
        team_id: other.team,
        target_id: "client_x"
      })
      assert.strictEqual(entry.action, "client.revoked")
      assert.deepStrictEqual(yield* eventsOf(other.teamId), [])
    })
  )

  it.effect("that does not exist stops nothing", () =>
    Effect.gen(function* () {
      const { teamId } = yield* Tenant.make()
      const log = Effect.flatMap(AuditLog, ({ record }) => record({ action: "client.revoked", teamId }))
      yield* Effect.provide(log, logOf(crypto.randomUUID()))
    })
  )

  it.effect("can subscribe to the notable actions", () =>
    Effect.sync(() => {
      assert.deepStrictEqual(
        auditEventTypes.toSorted(),
        actionNames
          .filter(isNotable)
          .map((name) => `audit.${name.replace(".", "_")}`)
          .toSorted()
      )
    })
  )
})
