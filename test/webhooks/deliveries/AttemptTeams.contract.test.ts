/** Attempts, their counts and the latest failures have the team of their webhook, and are read without it while there are such. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../../src/platform/db/Database.ts"
import * as Id from "../../../src/core/Id.ts"
import { Worker } from "../../../src/platform/jobs/Worker.ts"
import { advance } from "../../../src/testing/advance.ts"
import { store } from "../../support/TestDatabase.ts"
import { aTeam, serviceWithWorker } from "../fixture.ts"
import * as Receiver from "../../core/outbound/Receiver.ts"

const drain = Effect.flatMap(Worker, (worker) => worker.drain)

/** A team with a webhook whose receiver refused a delivery and then accepted it. */
const aDelivery = Effect.gen(function* () {
  const team = yield* aTeam()
  let status = 500
  const receiver = yield* Receiver.make((response) => response.writeHead(status).end())
  const url = `http://hooks.example.com:${receiver.port}/`
  const { id } = (yield* team.subscribe({ url, events: ["contact.created"] })).value
  yield* team.addContact
  yield* drain
  status = 204
  yield* advance("1 minute")
  const [delivery] = (yield* team.log(id)).data
  return { team, id, uuid: Id.toUuid("webhook", id) ?? "", deliveryId: delivery?.id ?? "" }
})

/** How many rows each table has for a webhook, by their teams. */
const teamsOf = Effect.fnUntraced(function* (webhook: string) {
  const sql = yield* Database
  return yield* sql`
    select 'attempts' as of, a.team_id as team, count(*)::int as count
    from delivery_attempts a join deliveries d on d.id = a.delivery_id where d.webhook_id = ${webhook} group by 1, 2
    union all
    select 'counts', team_id, sum(attempts)::int from webhook_attempts where webhook_id = ${webhook} group by 1, 2
    union all
    select 'failures', team_id, count(*)::int from webhook_failures where webhook_id = ${webhook} group by 1, 2
    order by 1`
})

const triggers = [
  ["set_attempt_team", "delivery_attempts"],
  ["set_webhook_team", "webhook_attempts"],
  ["set_webhook_team", "webhook_failures"]
] as const

layer(serviceWithWorker)("The team of attempts", (it) => {
  it.effect("is set for processes of the release before, which do not name it", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { deliveryId, team, uuid } = yield* aDelivery
      yield* sql`delete from webhook_attempts where webhook_id = ${uuid}`
      yield* sql`delete from webhook_failures where webhook_id = ${uuid}`
      yield* sql`
        insert into delivery_attempts (delivery_id, number, started_at, duration_ms)
        values (${Id.toUuid("dlv", deliveryId) ?? ""}, 3, now(), 9)`
      yield* sql`
        insert into webhook_attempts (webhook_id, hour, duration_ms, attempts, first_attempts, delivered)
        values (${uuid}, now(), 10, 1, 1, 1)`
      yield* sql`insert into webhook_failures (webhook_id, is_failing) values (${uuid}, true)`
      assert.deepStrictEqual(yield* teamsOf(uuid), [
        { of: "attempts", team: team.teamId, count: 3 },
        { of: "counts", team: team.teamId, count: 1 },
        { of: "failures", team: team.teamId, count: 1 }
      ])
    })
  )

  it.effect("is not needed to read those from before", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { deliveryId, id, team, uuid } = yield* aDelivery
      const shown = Effect.all([team.delivery(id, deliveryId), Effect.map(team.webhook(id), ({ health }) => health)])
      const before = yield* shown
      yield* sql`
        update delivery_attempts set team_id = null
        where delivery_id in (select id from deliveries where webhook_id = ${uuid})`
      yield* sql`update webhook_attempts set team_id = null where webhook_id = ${uuid}`
      const [delivery, health] = yield* shown
      assert.lengthOf(delivery.attempts, 2)
      assert.deepStrictEqual([delivery, health], before)
      assert.deepInclude(health, { delivered24h: 1 })
    })
  )

  // Citus removes no trigger of a distributed table.
  it.effect.skipIf(store === "citus")("is in all that a worker records", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      for (const [trigger, table] of triggers) {
        yield* sql`drop trigger ${sql.literal(trigger)} on ${sql.literal(table)}`
      }
      const { team, uuid } = yield* aDelivery
      assert.deepStrictEqual(yield* teamsOf(uuid), [
        { of: "attempts", team: team.teamId, count: 2 },
        { of: "counts", team: team.teamId, count: 2 },
        { of: "failures", team: team.teamId, count: 1 }
      ])
    })
  )
})
