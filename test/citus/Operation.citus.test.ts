/** What the operator sees of teams in several cells: deliveries, webhooks by health, metrics, and whether there is room. */
import * as Id from "../../src/core/Id.ts"
import * as Receiver from "../core/outbound/Receiver.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { asOperator } from "../../src/core/auth/CurrentActor.ts"
import { CurrentCell } from "../../src/platform/db/Cells.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { takesTemporaryFile } from "../../src/platform/db/TemporaryFile.ts"
import { Worker } from "../../src/platform/jobs/Worker.ts"
import { refresher } from "../../src/process/DatabaseMetrics.ts"
import { Deliveries } from "../../src/webhooks/deliveries/Deliveries.ts"
import * as UseCaseRequest from "../../src/core/usecase/UseCaseRequest.ts"
import { WebhookHealth } from "../../src/webhooks/WebhookHealth.ts"
import { handlers } from "../../workers/handlers.ts"
import { aTeam, serviceWithWorker } from "../webhooks/fixture.ts"

const drain = Effect.flatMap(Worker, (worker) => worker.drain)

const everything = {
  teamId: undefined,
  webhookId: undefined,
  status: undefined,
  eventType: undefined,
  since: undefined
}

const request = UseCaseRequest.make({ operation: "retry", query: {} })

layer(serviceWithWorker)("The operator", (it) => {
  it.effect("sees and resends the deliveries of teams in all cells, and their webhooks and jobs in the metrics", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const receiver = yield* Receiver.make((response) => response.writeHead(400).end())
      const teams = yield* Effect.forEach([1, 2, 3], () =>
        Effect.gen(function* () {
          const team = yield* aTeam()
          const url = `http://hooks.example.com:${receiver.port}/in`
          const { id } = (yield* team.subscribe({ url, events: ["contact.created"] })).value
          yield* team.addContact
          yield* drain
          return { ...team, id }
        })
      )
      const { report, retryOfAny, show } = yield* Deliveries
      const found = yield* asOperator(report(everything, { after: undefined, limit: 10 }))
      assert.sameMembers(
        found.map(({ webhookId }) => webhookId),
        teams.map(({ id }) => id)
      )
      for (const { id, teamId, webhookId } of found) {
        const shown = yield* asOperator(show(id))
        assert.deepStrictEqual([shown.teamId, shown.webhookId, shown.attempts.length], [teamId, webhookId, 1])
        yield* asOperator(retryOfAny(id, request))
      }
      yield* drain
      assert.lengthOf(receiver.received, 6)
      const own = yield* asOperator(
        report({ ...everything, teamId: Id.fromUuid("team", teams[0]?.teamId ?? "") }, { after: undefined, limit: 10 })
      )
      assert.lengthOf(own, 1)
      assert.deepStrictEqual(yield* (yield* WebhookHealth).countByHealth(), {
        healthy: 3,
        late: 0,
        failing: 0,
        paused: 0,
        disabled: 0
      })
      yield* Effect.gen(function* () {
        yield* handlers.find(({ job: { name } }) => name === "webhooks/reconcile")?.run({}) ?? Effect.void
        yield* yield* refresher
        assert.isTrue(yield* takesTemporaryFile(sql))
      }).pipe(Effect.provideService(CurrentCell, undefined))
      const metrics = yield* PrometheusMetrics.format()
      assert.include(metrics, "property_network_database_up 1\n")
      assert.include(metrics, 'property_network_housekeeping_last_success_timestamp_seconds{task="webhooks/reconcile"}')
    })
  )
})
