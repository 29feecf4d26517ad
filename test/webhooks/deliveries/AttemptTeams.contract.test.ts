/** Attempts, their counts and the latest failures have the team of their webhook. */
import * as Id from "../../../src/core/Id.ts"
import * as Receiver from "../../core/outbound/Receiver.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../../src/platform/db/Database.ts"
import { Worker } from "../../../src/platform/jobs/Worker.ts"
import { advance } from "../../support/advance.ts"
import { aTeam, serviceWithWorker } from "../fixture.ts"

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
  return { team, uuid: Id.toUuid("webhook", id) ?? "" }
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

layer(serviceWithWorker)("The team of attempts", (it) => {
  it.effect("is in all that a worker records", () =>
    Effect.gen(function* () {
      const { team, uuid } = yield* aDelivery
      assert.deepStrictEqual(yield* teamsOf(uuid), [
        { of: "attempts", team: team.teamId, count: 2 },
        { of: "counts", team: team.teamId, count: 2 },
        { of: "failures", team: team.teamId, count: 1 }
      ])
    })
  )
})
