/** A failing receiver is seen: by the client that reads its webhook, by the team's other webhooks, and by the operator. */
import * as Receiver from "../core/outbound/Receiver.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import { Database } from "../../src/platform/db/Database.ts"
import { Worker } from "../../src/platform/jobs/Worker.ts"
import { WebhookHealth } from "../../src/webhooks/WebhookHealth.ts"
import { aTeam, serviceWithWorker } from "./fixture.ts"

const logged: Array<string> = []

const logger = Logger.make<unknown, void>(({ message }) => {
  logged.push(String(Array.isArray(message) ? message[0] : message))
})

/** A receiver that answers with a given status. */
const aReceiver = Effect.gen(function* () {
  const answer = { status: 204 }
  const { port, received } = yield* Receiver.make((response) => response.writeHead(answer.status).end())
  const events = () => received.map(({ body }) => JSON.parse(body.toString()) as Readonly<Record<string, unknown>>)
  return { answer, events, url: `http://127.0.0.1:${port}/` }
})

/** The hours with counters of the webhooks of a team. */
const countedHours = (teamId: string) =>
  Effect.flatMap(
    Database,
    (sql) => sql`
      select hour from webhook_attempts where team_id = ${teamId}`
  )

const purge = Effect.flatMap(WebhookHealth, (health) => health.purge())

const drain = Effect.flatMap(Worker, (worker) => worker.drain)
const minute = Effect.andThen(
  Effect.flatMap(WebhookHealth, (health) => health.watch()),
  drain
)

layer(serviceWithWorker.pipe(Layer.provideMerge(Logger.layer([logger]))))("The health of a webhook", (it) => {
  it.effect("is shown with what was counted, and leaves the ETag alone", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-11-21T12:00:00.000Z"))
      const team = yield* aTeam()
      const receiver = yield* aReceiver
      const { value: webhook } = yield* team.subscribe({ url: receiver.url, events: ["contact.created"] })
      const none = { status: "healthy", delivered24h: 0, p95Ms: null, lastFailure: null }
      assert.deepStrictEqual(webhook.health, none)
      assert.deepStrictEqual((yield* team.webhook(webhook.id)).health, none)
      for (let index = 0; index < 3; index++) yield* team.addContact
      yield* drain
      const healthy = yield* team.webhook(webhook.id)
      assert.deepInclude(healthy.health, { status: "healthy", delivered24h: 3, lastFailure: null })
      assert.isNumber(healthy.health.p95Ms)
      assert.strictEqual(healthy.etag, webhook.etag)
      receiver.answer.status = 500
      yield* team.addContact
      yield* drain
      const failing = yield* team.webhook(webhook.id)
      assert.deepInclude(failing.health, { status: "failing", delivered24h: 3 })
      assert.deepStrictEqual(failing.health.lastFailure, {
        utc: "2026-11-21T12:00:00.000Z",
        statusCode: 500,
        error: "The receiver answered 500."
      })
      assert.strictEqual(failing.etag, webhook.etag)
      assert.deepStrictEqual((yield* team.list({})).data, [failing])
      // What a client read it can send back, though the health changes by itself.
      const { secret: _, ...read } = webhook
      assert.strictEqual((yield* team.patch(webhook.id, read as never)).etag, webhook.etag)
      assert.deepInclude((yield* team.patch(webhook.id, { status: "paused" })).health, { status: "paused" })
    })
  )

  it.effect("that becomes failing is announced once to the others of the team, until it was healthy again", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-11-22T12:00:00.000Z"))
      const team = yield* aTeam()
      const [failing, watcher] = [yield* aReceiver, yield* aReceiver]
      failing.answer.status = 500
      const { value: webhook } = yield* team.subscribe({ url: failing.url, events: ["contact.created", "webhook.*"] })
      yield* team.subscribe({ url: watcher.url, events: ["webhook.failing", "webhook.disabled"] })
      logged.length = 0
      yield* team.addContact
      yield* drain
      yield* minute
      yield* minute
      const announced = watcher.events()
      assert.lengthOf(announced, 1)
      assert.deepInclude(announced[0], {
        event: "webhook.failing",
        resource_type: "webhook",
        resource_id: webhook.id,
        actor_user_id: null,
        action: { type: "failing" }
      })
      assert.isTrue(failing.events().every(({ event }) => event === "contact.created"))
      assert.lengthOf(
        logged.filter((line) => line.includes(webhook.id) && line.includes("is failing")),
        1
      )
      // Healthy again: after the retry arrives, enough others do, and a day has passed.
      failing.answer.status = 204
      yield* TestClock.adjust("4 seconds")
      yield* drain
      yield* minute
      failing.answer.status = 500
      yield* TestClock.adjust("25 hours")
      yield* team.addContact
      yield* drain
      yield* minute
      assert.deepStrictEqual(
        watcher.events().map(({ event }) => event),
        ["webhook.failing", "webhook.failing"]
      )
    })
  )

  it.effect("that the service disables is announced in the transaction that disables it", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-11-24T12:00:00.000Z"))
      const team = yield* aTeam()
      const [gone, watcher] = [yield* aReceiver, yield* aReceiver]
      gone.answer.status = 410
      const { value: webhook } = yield* team.subscribe({ url: gone.url, events: ["*"] })
      yield* team.subscribe({ url: watcher.url, events: ["webhook.disabled"] })
      logged.length = 0
      yield* team.addContact
      yield* drain
      yield* drain
      assert.deepInclude(yield* team.webhook(webhook.id), { status: "disabled", disabledReason: "receiver_gone" })
      assert.lengthOf(watcher.events(), 1)
      assert.deepInclude(watcher.events()[0], {
        event: "webhook.disabled",
        resource_id: webhook.id,
        action: { type: "disabled", reason: "receiver_gone" }
      })
      assert.lengthOf(
        logged.filter((line) => line.includes(webhook.id) && line.includes("was disabled: receiver_gone")),
        1
      )
      assert.lengthOf(gone.events(), 1)
    })
  )

  it.effect("counts a delivery in the hour of its first attempt, so a replay of old ones hides no new failure", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-11-25T12:00:00.000Z"))
      const team = yield* aTeam()
      const receiver = yield* aReceiver
      const { value: webhook } = yield* team.subscribe({ url: receiver.url, events: ["contact.created"] })
      receiver.answer.status = 400
      for (let index = 0; index < 30; index++) yield* team.addContact
      yield* drain
      // The counters of the hour in which they failed are purged.
      yield* TestClock.adjust("3 days")
      yield* purge
      receiver.answer.status = 204
      assert.deepInclude(yield* team.replay(webhook.id, "2026-11-25T12:00:00.000Z"), { replayed_count: 30 })
      yield* drain
      assert.lengthOf(receiver.events(), 60)
      assert.deepInclude((yield* team.webhook(webhook.id)).health, { status: "healthy", delivered24h: 0 })
      yield* team.addContact
      yield* drain
      receiver.answer.status = 400
      yield* team.addContact
      yield* drain
      assert.deepInclude((yield* team.webhook(webhook.id)).health, { status: "failing", delivered24h: 1 })
      yield* TestClock.adjust("3 days")
      yield* purge
      assert.deepStrictEqual(yield* countedHours(team.teamId), [])
    })
  )

  it.effect("counts a delivery once, however often it arrives", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-12-05T12:00:00.000Z"))
      const team = yield* aTeam()
      const receiver = yield* aReceiver
      const { value: webhook } = yield* team.subscribe({ url: receiver.url, events: ["contact.created"] })
      yield* team.addContact
      yield* drain
      receiver.answer.status = 500
      yield* team.addContact
      yield* drain
      receiver.answer.status = 204
      yield* TestClock.adjust("4 seconds")
      yield* drain
      assert.deepInclude((yield* team.webhook(webhook.id)).health, { status: "healthy", delivered24h: 2 })
      const { data: delivered } = yield* team.log(webhook.id)
      for (const again of [204, 400, 204]) {
        receiver.answer.status = again
        for (const { id } of delivered) yield* team.retry(webhook.id, id)
        yield* drain
      }
      assert.lengthOf(receiver.events(), 3 + 6)
      assert.deepInclude((yield* team.webhook(webhook.id)).health, { status: "healthy", delivered24h: 2 })
      receiver.answer.status = 400
      yield* team.addContact
      yield* drain
      assert.deepInclude((yield* team.webhook(webhook.id)).health, { status: "failing", delivered24h: 2 })
    })
  )
})
