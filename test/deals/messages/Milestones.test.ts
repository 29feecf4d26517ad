/** The moves `im share` and `bid record`. */
import * as fixture from "../prospects/fixture.ts"
import * as Tenant from "../../support/Tenant.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../../src/platform/db/Database.ts"
import type { Prospect } from "../../../src/deals/prospects/Prospect.ts"
import { TestService } from "../../support/TestService.ts"
import { move } from "./fixture.ts"

layer(TestService.layerOwn, { excludeTestServices: true })("A milestone that a broker records", (it) => {
  it.effect("raises the stage: the memorandum that was shared, and then a bid", () =>
    Effect.gen(function* () {
      const { email, prospect, prospects, user } = yield* fixture.make()
      const { id } = yield* prospect()
      const shared = yield* move<Prospect>({ email }, "im", "share", id)
      assert.isTrue(shared.ok, shared.err)
      assert.deepInclude(shared.answer, { id, stage: "im", changeOrigin: "app" })
      const recorded = yield* move<Prospect>(
        { email },
        "bid",
        "record",
        id,
        "--amount",
        "12500000.5",
        "--currency",
        "EUR"
      )
      assert.strictEqual(recorded.answer.stage, "bid", recorded.err)
      assert.deepStrictEqual(recorded.answer, (yield* prospects.get(id)).body)
      const { body } = yield* prospects.actions(id, "?page_size=2")
      assert.deepStrictEqual<unknown>(
        body.data.map(({ actor, details, event, type }) => ({ actor, details, event, type })),
        [
          {
            actor: { id: user, name: "Anna Berg" },
            details: { kind: "audit", from: "im", to: "bid", message: "12500000.5 EUR" },
            event: "prospect.bid_recorded",
            type: "audit"
          },
          {
            actor: { id: user, name: "Anna Berg" },
            details: { kind: "audit", from: "not_contacted", to: "im" },
            event: "prospect.im_shared",
            type: "audit"
          }
        ]
      )
    })
  )

  it.effect("has its amount in no event", () =>
    Effect.gen(function* () {
      const { email, prospect, teamId } = yield* fixture.make()
      const { id } = yield* prospect()
      yield* move<Prospect>({ email }, "bid", "record", id, "--amount", "98765432.1", "--currency", "CHF")
      const sql = yield* Database
      const events = yield* Effect.orDie(sql<{ readonly type: string; readonly body: string }>`
        select type, body from events where team_id = ${teamId} order by seq`)
      assert.includeMembers(
        events.map(({ type }) => type),
        ["prospect.bid_recorded", "prospect.updated"]
      )
      assert.notMatch(JSON.stringify(events), /98765432|CHF/)
    })
  )

  it.effect("is recorded once for each idempotency key, and not at all by a dry run", () =>
    Effect.gen(function* () {
      const { email, prospect, prospects } = yield* fixture.make()
      const { id } = yield* prospect()
      const bid = ["bid", "record", id, "--amount", "1000000", "--currency", "EUR"]
      const dry = yield* move<{ readonly result: Prospect; readonly events: ReadonlyArray<unknown> }>(
        { email },
        ...bid,
        "--dry-run"
      )
      assert.strictEqual(dry.answer.result.stage, "bid")
      assert.deepStrictEqual<unknown>(dry.answer.events, [
        { event: "prospect.updated", resource_id: id },
        { event: "prospect.bid_recorded", resource_id: id }
      ])
      assert.strictEqual((yield* prospects.get(id)).body.stage, "not_contacted")
      const keyed = [...bid, "--idempotency-key", "first"]
      const [once, again] = [yield* move<Prospect>({ email }, ...keyed), yield* move<Prospect>({ email }, ...keyed)]
      assert.deepStrictEqual(again.answer, once.answer)
      assert.lengthOf((yield* prospects.actions(id, "?type=audit&include_rollups=false")).body.data, 2)
      const other = yield* move<Prospect>({ email }, ...keyed.map((arg) => arg.replace("1000000", "2000000")))
      assert.strictEqual(other.answer.error.code, "idempotency_key_reused")
    })
  )

  it.effect(
    "is refused for prospects off the list, of other teams, without the capability, and with an invalid amount",
    () =>
      Effect.gen(function* () {
        const { email, prospect, prospects } = yield* fixture.make()
        const { id } = yield* prospect()
        const bid = (as: string, amount = "5", currency = "EUR") =>
          Effect.map(
            move({ email: as }, "bid", "record", id, "--amount", amount, "--currency", currency),
            ({ answer, err, ok }) => [ok, answer.error.code, err] as const
          )
        assert.deepStrictEqual(yield* bid(email, "0", "euro"), [
          false,
          "invalid_request",
          "--amount: Must be from 0.01 to 999999999999999. --currency: Must be an ISO 4217 code in upper case, such as EUR."
        ])
        const [other, investor] = [yield* Tenant.make(), yield* Tenant.make({ broker: null, investor: "active" })]
        assert.strictEqual((yield* bid(other.email))[1], "not_found")
        assert.strictEqual((yield* bid(investor.email))[1], "capability_required")
        yield* prospects.removeFromList(id)
        assert.match((yield* bid(email))[2], /Restore it first/)
        const shared = yield* move<Prospect>({ email }, "im", "share", id)
        assert.match(shared.err, /Restore it first/)
      })
  )
})
