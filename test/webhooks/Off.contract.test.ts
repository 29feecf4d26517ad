/** A service with `WEBHOOKS=off`: a copy of another one, which must not send what that one sends. */
import * as Id from "../../src/core/Id.ts"
import * as Receiver from "../core/outbound/Receiver.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { asOperator } from "../../src/core/auth/CurrentActor.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { Worker } from "../../src/platform/jobs/Worker.ts"
import { Dispatcher } from "../../src/webhooks/deliveries/Dispatcher.ts"
import { WebhookHealth } from "../../src/webhooks/WebhookHealth.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { aTeam, overrides, serviceOf } from "./fixture.ts"

const drain = Effect.flatMap(Worker, (worker) => worker.drain)
const reconcile = Effect.flatMap(Dispatcher, (dispatcher) => dispatcher.reconcile())

const off = Layer.fresh(serviceOf({ webhooks: false }))
const on = Layer.fresh(serviceOf())

layer(Layer.provideMerge(TestDatabase.layer, overrides))("With WEBHOOKS=off", (it) => {
  it.effect("nothing is sent or late; deliveries wait, and a service that sends delivers them later", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-11-22T12:00Z"))
      const receiver = yield* Receiver.make((response) => response.writeHead(204).end())
      const { teamId } = yield* Effect.gen(function* () {
        const team = yield* aTeam()
        const { value } = yield* team.subscribe({
          url: `http://127.0.0.1:${receiver.port}/in`,
          events: ["contact.created"]
        })
        yield* team.addContact
        yield* drain
        yield* TestClock.adjust("2 hours")
        yield* reconcile
        yield* drain
        assert.deepStrictEqual(
          (yield* team.log(value.id)).data.map(({ attemptCount, status }) => [status, attemptCount]),
          [["pending", 0]]
        )
        assert.strictEqual((yield* Effect.flip(team.test(value.id)))._tag, "WebhooksOff")

        assert.strictEqual((yield* team.webhook(value.id)).health.status, "healthy")
        assert.deepStrictEqual(
          (yield* team.list({})).data.map(({ health }) => health.status),
          ["healthy"]
        )

        const health = yield* WebhookHealth
        const [status] = yield* asOperator(health.status(Id.fromUuid("team", team.teamId)))
        assert.deepInclude(status, { health: "healthy", pending: 1, inFlight: 0, oldestDueSeconds: null })
        assert.deepInclude(yield* health.queue(), { waiting: 1, due: 0, oldestDueSeconds: 0 })

        // What the original counted before it was copied is no news of the copy.
        const sql = yield* Database
        yield* sql`update webhooks set consecutive_exhausted = 1 where team_id = ${team.teamId}`
        yield* (yield* WebhookHealth).watch()
        assert.deepStrictEqual(
          yield* sql`select type from events where team_id = ${team.teamId} and type like 'webhook.%'`,
          []
        )
        yield* sql`update webhooks set consecutive_exhausted = 0 where team_id = ${team.teamId}`
        return { teamId: team.teamId }
      }).pipe(Effect.provide(off), Effect.scoped)
      assert.deepStrictEqual(receiver.received, [])

      yield* Effect.gen(function* () {
        yield* reconcile
        yield* drain
        const [status] = yield* asOperator((yield* WebhookHealth).status(Id.fromUuid("team", teamId)))
        assert.deepInclude(status, { health: "healthy", pending: 0, delivered: 1 })
      }).pipe(Effect.provide(on), Effect.scoped)
      assert.lengthOf(receiver.received, 1)
    })
  )
})
