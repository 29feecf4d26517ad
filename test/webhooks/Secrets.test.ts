/** Which secrets sign at which time, on the test clock, for all event types. */
import ajv2020 from "@redocly/ajv/dist/2020.js"
import * as UseCaseRequest from "../../src/core/usecase/UseCaseRequest.ts"
import * as Receiver from "../core/outbound/Receiver.ts"
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { Webhook as Verifier } from "standardwebhooks"
import { vi } from "vitest"
import { type EventType, eventTypes } from "../../src/core/mutation/Event.ts"
import { Database } from "../../src/platform/db/Database.ts"
import type { Json } from "../../src/core/usecase/Input.ts"
import { eventSchemas } from "../../src/http/WebhookContract.ts"
import { Worker } from "../../src/platform/jobs/Worker.ts"
import { advance } from "../support/advance.ts"
import { Webhooks } from "../../src/webhooks/Webhooks.ts"
import { Outbound } from "../../src/core/outbound/Outbound.ts"
import { aTeam, serviceWithWorker } from "./fixture.ts"

const drain = Effect.flatMap(Worker, (worker) => worker.drain)

/** A team with a webhook for `contact.created` and a receiver. */
const aSubscriber = Effect.gen(function* () {
  const { port, received } = yield* Receiver.make((response) => response.writeHead(204).end())
  const team = yield* aTeam()
  const webhooks = yield* Webhooks
  const url = `http://hooks.example.com:${port}/in`
  const { value } = yield* team.subscribe({ url, events: ["contact.created"] })
  const { id, secret } = value
  return {
    id,
    secret,
    team,
    received,
    rotate: (body: Json) =>
      team
        .as(webhooks.rotate(id, UseCaseRequest.make({ operation: "POST secret", query: {}, body })))
        .pipe(Effect.map(({ value }) => value)),
    test: (type: EventType) =>
      team.as(webhooks.test(id, UseCaseRequest.make({ operation: "POST test", query: {}, body: { event_type: type } })))
  }
})

const signaturesOf = (request: Receiver.Received | undefined) =>
  String(request?.headers["webhook-signature"]).split(" ").length

/** Whether the reference implementation accepts the last request with each of the secrets. */
const taken = Effect.fnUntraced(function* (
  received: ReadonlyArray<Receiver.Received>,
  ...secrets: ReadonlyArray<string>
) {
  const request = received.at(-1)
  if (request === undefined) return assert.fail("nothing came")
  vi.setSystemTime(yield* Clock.currentTimeMillis)
  const results = secrets.map((secret) => {
    try {
      new Verifier(secret).verify(request.body, {
        "webhook-id": String(request.headers["webhook-id"]),
        "webhook-timestamp": String(request.headers["webhook-timestamp"]),
        "webhook-signature": String(request.headers["webhook-signature"])
      })
      return true
    } catch {
      return false
    }
  })
  vi.useRealTimers()
  return results
})

/** Validates payloads against the published schemas of events, without unknown members. */
const validator = () => {
  const ajv = new ajv2020.default({
    strict: false,
    allErrors: true,
    formats: { "date-time": (text) => !Number.isNaN(Date.parse(text)) }
  })
  return (type: EventType, body: unknown) => {
    const name = `${type.replaceAll(/(?:^|[._])[a-z]/g, (letter) => letter.slice(-1).toUpperCase())}Event`
    const valid = ajv.validate(
      { components: { schemas: eventSchemas }, ...eventSchemas[name], unevaluatedProperties: false },
      body
    )
    assert.isTrue(valid, `${type}: ${ajv.errorsText()} ${JSON.stringify(body)}`)
  }
}

layer(serviceWithWorker)("The secrets of a webhook", (it) => {
  it.effect("both sign during an overlap, and the new one alone afterwards", () =>
    Effect.gen(function* () {
      const { received, rotate, secret, team, test, id } = yield* aSubscriber
      const rotated = yield* rotate({ overlap: "24h" })
      assert.match(rotated.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
      assert.notStrictEqual(rotated.secret, secret)
      const until = new Date((yield* Clock.currentTimeMillis) + 86_400_000).toISOString()
      assert.deepInclude(rotated, { previousSecretsExpireUtc: until, etag: '"v2"', changeType: "updated" })

      const validate = validator()
      for (const type of eventTypes) {
        assert.deepInclude(yield* test(type), { success: true, status_code: 204, error: null })
        assert.deepStrictEqual(yield* taken(received, rotated.secret, secret), [true, true], type)
        const body: unknown = JSON.parse(received.at(-1)?.body.toString() ?? "")
        assert.deepInclude(body, { event: type, resource_type: type.split(".")[0], _test: true })
        validate(type, body)
      }
      yield* team.addContact
      yield* drain
      assert.lengthOf(received, eventTypes.length + 1)
      assert.deepStrictEqual(yield* taken(received, rotated.secret, secret), [true, true])

      yield* advance("86399999 millis")
      yield* test("contact.created")
      assert.deepStrictEqual(yield* taken(received, rotated.secret, secret), [true, true])
      yield* advance("1 millis")
      for (const type of eventTypes) {
        yield* test(type)
        assert.deepStrictEqual(yield* taken(received, rotated.secret, secret), [true, false], type)
      }
      yield* team.addContact
      yield* drain
      assert.deepStrictEqual(yield* taken(received, rotated.secret, secret), [true, false])
      // The webhook has not changed: `previousSecretsExpireUtc` now lies in the past.
      assert.deepInclude(yield* team.webhook(id), { previousSecretsExpireUtc: until, etag: '"v2"' })
    })
  )

  it.effect("end at once without an overlap, including earlier ones", () =>
    Effect.gen(function* () {
      const { received, rotate, secret, team } = yield* aSubscriber
      const second = yield* rotate({ overlap: "7d" })
      const third = yield* rotate({})
      assert.isNull(third.previousSecretsExpireUtc)
      yield* team.addContact
      yield* drain
      assert.strictEqual(signaturesOf(received[0]), 1)
      assert.deepStrictEqual(yield* taken(received, third.secret, second.secret, secret), [true, false, false])
    })
  )

  it.effect("end each at its own time, and the newest signs first", () =>
    Effect.gen(function* () {
      const { received, rotate, secret, test } = yield* aSubscriber
      const second = yield* rotate({ overlap: "2h" })
      const third = yield* rotate({ overlap: "60m" })
      assert.strictEqual(third.previousSecretsExpireUtc, second.previousSecretsExpireUtc)
      const all = [third.secret, second.secret, secret]
      yield* test("contact.created")
      assert.deepStrictEqual(yield* taken(received, ...all), [true, true, true])
      const [first] = String(received.at(-1)?.headers["webhook-signature"]).split(" ")
      const newest = { ...received[0]!, headers: { ...received[0]?.headers, "webhook-signature": first } }
      assert.deepStrictEqual(yield* taken([newest], ...all), [true, false, false])
      yield* advance("60 minutes")
      yield* test("contact.created")
      assert.deepStrictEqual(yield* taken(received, ...all), [true, false, true])
      yield* advance("1 hour")
      yield* test("contact.created")
      assert.deepStrictEqual(yield* taken(received, ...all), [true, false, false])
    })
  )

  it.effect("are at most five, however many rotations overlap", () =>
    Effect.gen(function* () {
      const { received, rotate, secret, test } = yield* aSubscriber
      const secrets = [secret]
      for (let count = 0; count < 6; count++) {
        secrets.unshift((yield* rotate({ overlap: "24h" })).secret)
        yield* advance("1 minute")
      }
      yield* test("contact.created")
      assert.strictEqual(signaturesOf(received[0]), 5)
      assert.deepStrictEqual(yield* taken(received, ...secrets), [true, true, true, true, true, false, false])
    })
  )

  it.effect("are stored sealed, and erased when the webhook is deleted", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { id, rotate, secret, team } = yield* aSubscriber
      const second = yield* rotate({ overlap: "24h" })
      const [row] = yield* sql<{ everything: string }>`
        select encode(secret_sealed, 'escape') || ' ' || encode(secret_sealed, 'base64') || previous_secrets::text
          || encode(decode(previous_secrets -> 0 ->> 'sealed', 'base64'), 'escape') as everything
        from webhooks where team_id = ${team.teamId}`
      assert.isNotEmpty(row?.everything)
      for (const one of [secret, second.secret]) assert.notInclude(row?.everything, one.slice("whsec_".length, 30))
      yield* team.unsubscribe(id)
      assert.deepStrictEqual(
        yield* sql`select length(secret_sealed) as secret, previous_secrets as previous from webhooks where team_id = ${team.teamId}`,
        [{ secret: 0, previous: [] }]
      )
    })
  )
})

// A short deadline, because the test of a timeout would take ten seconds.
const withShortDeadline = Layer.fresh(Webhooks.layer).pipe(
  Layer.provide(Outbound.layer({ allowHttp: true, allowedNetworks: ["127.0.0.1/32"], deadlineMillis: 50 })),
  Layer.provideMerge(serviceWithWorker)
)

layer(withShortDeadline)("A test delivery", (it) => {
  it.effect("reports a timeout if the receiver does not respond in time", () =>
    Effect.gen(function* () {
      const { port } = yield* Receiver.make(() => {})
      const team = yield* aTeam()
      const webhooks = yield* Webhooks
      const { value } = yield* team.subscribe({ url: `http://127.0.0.1:${port}/`, events: ["contact.created"] })
      const result = yield* team.as(
        webhooks.test(value.id, UseCaseRequest.make({ operation: "POST test", query: {}, body: {} }))
      )
      assert.deepInclude(result, { success: false, status_code: null })
      assert.match(result.error ?? "", /.+\.$/)
    })
  )
})
