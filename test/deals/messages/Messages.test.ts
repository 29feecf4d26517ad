/** Messages and calls: docs/behaviour/messages.md. */
import * as Id from "../../../src/core/Id.ts"
import * as UseCaseRequest from "../../../src/core/usecase/UseCaseRequest.ts"
import * as Tenant from "../../support/Tenant.ts"
import { assert, layer } from "@effect/vitest"
import { Cause, Effect, Exit, Layer, Logger, References } from "effect"
import type { Action } from "../../../src/core/mutation/Timeline.ts"
import { Timelines } from "../../../src/core/mutation/Timelines.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import { logDefects, orDie } from "../../../src/platform/db/DatabaseUnavailable.ts"
import { Messages } from "../../../src/deals/messages/Messages.ts"
import { untilSettled } from "../../support/RecordsClient.ts"
import { TestService } from "../../support/TestService.ts"
import { accept, as, investor, make, move, type Person } from "./fixture.ts"

/** The chat of an offer's timeline. */
const chatOf = ({ teamId }: Person, offer: string) =>
  Effect.gen(function* () {
    const { read } = yield* Timelines
    const id = Id.toUuid("offer", offer) ?? ""
    return (yield* Effect.orDie(read({ teamId, type: "offer", id }, { type: "chat" }))).data
  })

/** The rows of all tables in which a text occurs, by table. */
const occurrencesOf = (text: string) =>
  Effect.gen(function* () {
    const sql = yield* Database
    const tables = yield* orDie(sql<{ readonly schema: string; readonly name: string }>`
      select schemaname as schema, tablename as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`)
    const found: Array<string> = []
    for (const { name, schema } of tables) {
      const rows = yield* orDie(sql<{ readonly row: string }>`
        select row_to_json(found)::text as row from ${sql(schema)}.${sql(name)} as found
        where strpos(row_to_json(found)::text, ${text}) > 0`)
      found.push(...rows.map(() => name))
    }
    return found
  })

/** The log of the service, with all that its lines say. */
const logged: Array<string> = []

const recorder = Logger.make<unknown, void>(({ cause, fiber, message }) => {
  const annotations = fiber.getRef(References.CurrentLogAnnotations)
  logged.push([...[message].flat().map(String), Cause.pretty(cause), JSON.stringify(annotations)].join(" "))
})

const recorded = Layer.merge(Logger.layer([recorder]), Layer.succeed(References.MinimumLogLevel, "All"))

layer(TestService.layerWith(recorded), { excludeTestServices: true })("A message", (it) => {
  it.effect("is a row of the timelines of both sides, without its text", () =>
    Effect.gen(function* () {
      const [broker, maria] = [yield* make(), yield* investor]
      const { id, offer } = yield* broker.acceptedBy(maria)
      const sent = yield* move<Action>(broker, "message", "send", id, "--text", "The rent roll is in the room.")
      assert.isTrue(sent.ok, sent.err)
      const answered = yield* move<Action>(maria, "message", "send", offer, "--text", "Thank you.")
      assert.isTrue(answered.ok, answered.err)
      const ofBroker = (yield* broker.prospects.actions(id, "?type=chat")).body.data
      const chat = { type: "chat", event: "prospect.message_sent" }
      assert.deepStrictEqual<unknown>(
        ofBroker.map(({ id: _, occurredUtc: _o, ...row }) => row),
        [
          { ...chat, actor: { id: null, name: null }, details: { kind: "chat", sender: "investor" } },
          { ...chat, actor: { id: broker.user, name: "Anna Berg" }, details: { kind: "chat", sender: "broker" } }
        ]
      )
      assert.deepStrictEqual<unknown>(sent.answer, ofBroker[1])
      const ofInvestor = yield* chatOf(maria, offer)
      assert.deepStrictEqual(
        ofInvestor.map(({ id: _, occurredUtc: _o, ...row }) => row),
        [
          { ...chat, actor: { id: maria.user, name: "Anna Berg" }, details: { kind: "chat" } },
          { ...chat, actor: { id: null, name: null }, details: { kind: "chat" } }
        ]
      )
      assert.deepStrictEqual(answered.answer as Action, ofInvestor[0])
      // On the project's timeline, rolled up.
      const { body } = yield* broker.ask<{ readonly data: ReadonlyArray<Action> }>(
        "GET",
        `/api/v1/projects/${broker.projectId}/actions?type=chat`
      )
      assert.deepStrictEqual(
        body.data.map(({ subject, subjectId }) => [subject, subjectId]),
        [
          ["prospect", id],
          ["prospect", id]
        ]
      )
    })
  )

  it.effect(
    "has its text in no answer, event, timeline, search, job, idempotency key, dry run or line on standard error",
    () =>
      Effect.gen(function* () {
        const [broker, maria] = [yield* make(), yield* investor]
        const { id, offer } = yield* broker.acceptedBy(maria)
        const secret = (who: string) => `xq7${who}zt${id.slice(-6)}`
        const texts = ["broker", "investor", "call", "dry", "refused"].map(secret)
        const [ofBroker = "", ofInvestor = "", ofCall = "", ofDryRun = "", ofRefusal = ""] = texts
        const commands: ReadonlyArray<readonly [Person, ...Array<string>]> = [
          [broker, "message", "send", id, "--text", ofBroker, "--idempotency-key", "one"],
          [broker, "message", "send", id, "--text", ofBroker, "--idempotency-key", "one"],
          [maria, "message", "send", offer, "--text", ofInvestor, "--idempotency-key", "two"],
          [broker, "call", "log", id, "--note", ofCall, "--idempotency-key", "three"],
          [broker, "message", "send", id, "--text", ofDryRun, "--dry-run"],
          [maria, "message", "send", offer, "--text", ofDryRun, "--dry-run"],
          [broker, "message", "send", id, "--text", ofRefusal.padEnd(20_001, "x")],
          [maria, "message", "send", id, "--text", ofRefusal]
        ]
        const outputs: Array<string> = []
        for (const [person, ...args] of commands) {
          const { err, out } = yield* move(person, ...args)
          outputs.push(out, err)
        }
        yield* untilSettled("events")
        for (const { token } of [broker, maria]) {
          for (const path of [
            `/api/v1/projects/${broker.projectId}/prospects/${id}/actions?type=chat`,
            `/api/v1/projects/${broker.projectId}/prospects/${id}`,
            `/api/v1/projects/${broker.projectId}/actions`,
            "/api/v1/changes?types=*"
          ]) {
            outputs.push((yield* broker.request("GET", path, { token })).text)
          }
        }
        outputs.push(
          (yield* broker.ask("POST", "/api/v1/network/contacts:search", { query: ofBroker })).text.replaceAll(
            ofBroker,
            ""
          )
        )
        for (const text of texts) assert.notInclude([...outputs, ...logged].join("\n"), text)
        const occurrences = yield* Effect.forEach(texts, occurrencesOf)
        assert.deepStrictEqual(occurrences, [["messages"], ["messages"], ["messages"], [], []])
      })
  )

  it.effect("has its text in no line that a process logs, also where storing it fails", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { send } = yield* Messages
      const [broker, maria] = [yield* make(), yield* investor]
      const { id, offer } = yield* broker.acceptedBy(maria)
      const secret = `xq8failing${id.slice(-6)}`
      // Postgres tells the values of a row that breaks a constraint.
      yield* orDie(
        sql`
          alter table messages add constraint none_fails check (strpos(text, 'xq8failing') = 0) not valid`.unprepared
      )
      const ran = yield* Effect.forEach(
        [
          [broker, "message", "send", id, "--text", secret],
          [maria, "message", "send", offer, "--text", secret],
          [broker, "call", "log", id, "--note", secret]
        ] as const,
        ([person, ...args]) => move(person, ...args)
      )
      const request = UseCaseRequest.make({ operation: "send", query: {}, body: { text: secret } })
      // As the edge of HTTP logs what it answers with 500.
      const fault = yield* as(broker, send(id, request)).pipe(
        Effect.tapCause((cause) => logDefects("A request", cause)),
        Effect.provide(recorded),
        Effect.exit
      )
      yield* orDie(sql`alter table messages drop constraint none_fails`.unprepared)
      for (const { answer, err, ok, out } of ran) {
        assert.deepStrictEqual([ok, answer.error.code], [false, "internal_error"])
        assert.notInclude(err + out, secret)
      }
      assert.isTrue(Exit.isFailure(fault))
      assert.include(logged.join("\n"), "none_fails")
      assert.notInclude(logged.join("\n"), secret)
    })
  )

  it.effect("is refused until the offer is accepted, and once it is removed or the project is closed", () =>
    Effect.gen(function* () {
      const [broker, maria] = [yield* make(), yield* investor]
      const { id, offer } = yield* broker.offeredTo(maria)
      const codes = Effect.gen(function* () {
        const refused = [
          yield* move(broker, "message", "send", id, "--text", "Hello"),
          yield* move(maria, "message", "send", offer, "--text", "Hello")
        ]
        return refused.map(({ answer, ok }) => (ok ? "sent" : answer.error.code))
      })
      assert.deepStrictEqual(yield* codes, ["chat_not_open", "chat_not_open"])
      yield* accept(maria, offer)
      assert.deepStrictEqual(yield* codes, ["sent", "sent"])
      yield* broker.ask("POST", `/api/v1/projects/${broker.projectId}/close`)
      assert.deepStrictEqual(yield* codes, ["chat_not_open", "chat_not_open"])
      yield* broker.ask("POST", `/api/v1/projects/${broker.projectId}/reopen`)
      yield* broker.prospects.removeFromList(id)
      assert.deepStrictEqual(yield* codes, ["prospect_removed", "chat_not_open"])
      yield* broker.prospects.restore(id)
      assert.deepStrictEqual(yield* codes, ["sent", "sent"])
      yield* broker.prospects.delete(id)
      assert.deepStrictEqual(yield* codes, ["not_found", "chat_not_open"])
    })
  )

  it.effect("is for the two sides only", () =>
    Effect.gen(function* () {
      const [broker, maria, paolo, other] = [yield* make(), yield* investor, yield* investor, yield* Tenant.make()]
      const { id, offer } = yield* broker.acceptedBy(maria)
      const paolos = yield* broker.offeredTo(paolo)
      for (const [person, target, code] of [
        [other, id, "not_found"],
        [paolo, offer, "not_found"],
        [maria, id, "capability_required"],
        [broker, offer, "capability_required"],
        [maria, paolos.offer, "not_found"],
        [broker, "nothing", "not_found"]
      ] as const) {
        const { answer } = yield* move(person, "message", "send", target, "--text", "Hello")
        assert.strictEqual(answer.error.code, code, `${target} ${answer.error.detail}`)
      }
    })
  )

  it.effect("reaches those only who accepted, of several investors of one prospect", () =>
    Effect.gen(function* () {
      const [broker, maria, paolo] = [yield* make(), yield* investor, yield* investor]
      const company = yield* broker.company()
      for (const { email } of [maria, paolo]) {
        const contact = yield* broker.contact({ email })
        yield* broker.links.create({ contactId: contact.id, companyId: company.id })
      }
      const { body } = yield* broker.prospects.add({ companyId: company.id })
      const [marias = "", paolos = ""] = yield* broker.offered(body.id, [maria, paolo])
      yield* accept(maria, marias)
      yield* move(broker, "message", "send", body.id, "--text", "Hello")
      yield* move(maria, "message", "send", marias, "--text", "Hello")
      assert.lengthOf(yield* chatOf(maria, marias), 2)
      assert.lengthOf(yield* chatOf(paolo, paolos), 0)
      yield* accept(paolo, paolos)
      yield* move(maria, "message", "send", marias, "--text", "Hello again")
      assert.lengthOf(yield* chatOf(paolo, paolos), 0)
    })
  )
})

layer(TestService.layerOwn, { excludeTestServices: true })("A call that a broker logs", (it) => {
  it.effect("is a row of the broker's timelines only, before acceptance, too", () =>
    Effect.gen(function* () {
      const [broker, maria] = [yield* make(), yield* investor]
      const { id, offer } = yield* broker.offeredTo(maria)
      const logged = yield* move<Action>(broker, "call", "log", id, "--note", "Wants a second visit")
      assert.isTrue(logged.ok, logged.err)
      const { body } = yield* broker.prospects.actions(id, "?type=chat")
      assert.deepStrictEqual<unknown>(body.data, [logged.answer])
      assert.deepInclude<unknown>(logged.answer, {
        event: "prospect.call_logged",
        details: { kind: "chat", sender: "broker" }
      })
      const sql = yield* Database
      const [row] = yield* orDie(sql<{ readonly count: number }>`
        select count(*)::int as count from actions where team_id = ${maria.teamId} and event = 'prospect.call_logged'`)
      assert.deepStrictEqual([row?.count, yield* chatOf(maria, offer)], [0, []])
      yield* broker.prospects.removeFromList(id)
      assert.strictEqual(
        (yield* move(broker, "call", "log", id, "--note", "Again")).answer.error.code,
        "prospect_removed"
      )
    })
  )
})
