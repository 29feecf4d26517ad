import * as Id from "../../src/core/Id.ts"
import * as MemoryWorker from "../../src/platform/jobs/MemoryWorker.ts"
import * as Tenant from "../support/Tenant.ts"
import * as Receiver from "../core/outbound/Receiver.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Webhook as Verifier } from "standardwebhooks"
import type { Page } from "../../src/core/usecase/Page.ts"
import { Worker } from "../../src/platform/jobs/Worker.ts"
import type { Contact } from "../../src/network/contacts/Contact.ts"
import type { WebhookDelivery } from "../../src/webhooks/deliveries/Delivery.ts"
import { maxPerTeam, type Webhook, type WebhookWithSecret } from "../../src/webhooks/Webhook.ts"
import { handlers } from "../../workers/handlers.ts"
import { aClient } from "../core/auth/fixtures.ts"
import { faultsOf } from "../support/faults.ts"
import { TestService } from "../support/TestService.ts"

const webhooks = "/api/v1/webhooks"
const contacts = "/api/v1/network/contacts"
const contactEvents = ["contact.created", "contact.updated", "contact.deleted"]

const drain = Effect.flatMap(Worker, (worker) => worker.drain)

/** A receiver that responds with 204. */
const aReceiver = Effect.map(
  Receiver.make((response) => response.writeHead(204).end()),
  ({ port, received }) => ({ received, url: `http://127.0.0.1:${port}/in?source=property-network` })
)

/** A client of the API with a token. */
const caller = Effect.fnUntraced(function* (token: string) {
  const { request } = yield* TestService
  return {
    subscribe: (json: unknown, headers: Record<string, string> = {}) =>
      request<WebhookWithSecret>("POST", webhooks, { token, json, headers }),
    webhook: (id: string) => request<Webhook>("GET", `${webhooks}/${id}`, { token }),
    webhooks: request<Page<Webhook>>("GET", webhooks, { token }),
    change: (id: string, json: unknown) => request<Webhook>("PATCH", `${webhooks}/${id}`, { token, json }),
    unsubscribe: (id: string) => request("DELETE", `${webhooks}/${id}`, { token }),
    log: (id: string) => request<Page<WebhookDelivery>>("GET", `${webhooks}/${id}/deliveries`, { token }),
    create: (json: unknown) => request<Contact>("POST", contacts, { token, json }),
    patch: (id: string, json: unknown) => request<Contact>("PATCH", `${contacts}/${id}`, { token, json }),
    delete: (id: string) => request("DELETE", `${contacts}/${id}`, { token })
  }
})

/** A tenant with its user, and an OAuth client of the team with its access token. */
const aTenant = Effect.gen(function* () {
  const { request } = yield* TestService
  const tenant = yield* Tenant.make()
  const client = yield* aClient(tenant.teamId)
  const clientId = Id.fromUuid("client", client.id)
  const issued = yield* request<{ readonly access_token: string }>("POST", "/openid/token", {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    text: new URLSearchParams({
      grant_type: "client_credentials",
      client_id: clientId,
      client_secret: client.secret
    }).toString()
  })
  return {
    person: { ...(yield* caller(tenant.token)), id: tenant.user },
    client: { ...(yield* caller(issued.body.access_token)), id: clientId, bot: Id.fromUuid("user", client.botId) }
  }
})

/** Verifies a request with a secret, and returns its payload with the members in their order. */
const verified = (secret: string | undefined, { body, headers }: Receiver.Received) =>
  new Verifier(secret ?? "").verify(body, {
    "webhook-id": String(headers["webhook-id"]),
    "webhook-timestamp": String(headers["webhook-timestamp"]),
    "webhook-signature": String(headers["webhook-signature"])
  }) as { readonly [member: string]: unknown }

const service = MemoryWorker.layer(handlers).pipe(Layer.provideMerge(TestService.layerOwn))

layer(service, { excludeTestServices: true })("Webhooks, from the subscription to the receiver,", (it) => {
  it.effect("send exactly the documented members for changes of a user and of an OAuth client", () =>
    Effect.gen(function* () {
      const { client, person } = yield* aTenant
      const receiver = yield* aReceiver
      const subscribed = yield* person.subscribe({ url: receiver.url, events: contactEvents, name: "CRM sync" })
      assert.strictEqual(subscribed.status, 201, subscribed.text)

      const expected: Array<Record<string, unknown>> = []
      const expect = (event: string, resource_id: string, timestamp: string | undefined, by: object, more = {}) =>
        expected.push({ event, resource_type: "contact", resource_id, timestamp, ...by, ...more })
      const byPerson = { actor_user_id: person.id, change_initiator: null }
      const byClient = {
        actor_user_id: client.bot,
        change_initiator: { type: "oauth_client", client_id: client.id }
      }
      for (const { by, who } of [
        { who: person, by: byPerson },
        { who: client, by: byClient }
      ]) {
        const created = yield* who.create({ firstName: "Maria", lastName: "Rossi", tags: ["logistics"] })
        assert.strictEqual(created.status, 201, created.text)
        const { id } = created.body
        expect("contact.created", id, created.body.createdUtc, by)
        const patched = yield* who.patch(id, {
          lastName: "Bianchi",
          email: "maria@example.com",
          primaryLanguage: "it-IT",
          profilePictureUrl: "https://cdn.example.com/maria.png",
          tags: ["office"]
        })
        const changed_fields = ["email", "last_name", "primary_language", "profile_picture", "tags"]
        expect("contact.updated", id, patched.body.updatedUtc, by, { changed_fields })
        // An update that changes nothing emits no event.
        yield* who.patch(id, { lastName: "Bianchi" })
        assert.strictEqual((yield* who.delete(id)).status, 204)
        expect("contact.deleted", id, undefined, by)
      }
      yield* drain

      const payloads = receiver.received
        .map((request) => ({ request, payload: verified(subscribed.body.secret, request) }))
        .sort((a, b) => Number(a.payload["action_id"]) - Number(b.payload["action_id"]))
      assert.lengthOf(payloads, expected.length)
      for (const [index, { payload, request }] of payloads.entries()) {
        const { action_id, changed_fields, timestamp, ...rest } = payload
        const { changed_fields: fields, timestamp: at, ...others } = expected[index] ?? {}
        assert.deepStrictEqual(rest, others)
        assert.isTrue(Number.isSafeInteger(action_id))
        assert.match(String(timestamp), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
        if (at !== undefined) assert.strictEqual(timestamp, at)
        assert.deepStrictEqual(Array.isArray(changed_fields) ? [...changed_fields].sort() : changed_fields, fields)
        assert.deepStrictEqual(Object.keys(payload), [
          "event",
          "resource_type",
          "resource_id",
          "timestamp",
          "action_id",
          "actor_user_id",
          "change_initiator",
          ...(fields === undefined ? [] : ["changed_fields"])
        ])
        assert.deepInclude(request, { method: "POST", path: "/in?source=property-network" })
      }
      assert.strictEqual(new Set(payloads.map(({ payload }) => payload["action_id"])).size, expected.length)
    })
  )

  it.effect("send the documented headers, and verify with the subscriber's secret only", () =>
    Effect.gen(function* () {
      const { person } = yield* aTenant
      const receiver = yield* aReceiver
      const mine = yield* person.subscribe({ url: receiver.url, events: ["contact.created"] })
      const other = yield* person.subscribe({ url: receiver.url, events: ["link.created"] })
      yield* person.create({ firstName: "Maria" })
      yield* drain
      assert.lengthOf(receiver.received, 1)
      const request = receiver.received[0]!
      const { host, connection, "content-length": length, ...headers } = request.headers
      assert.strictEqual(Number(length), request.body.length)
      assert.strictEqual(host, new URL(receiver.url).host)
      assert.oneOf(connection, ["close", "keep-alive"])
      assert.deepStrictEqual(Object.keys(headers).sort(), [
        "content-type",
        "user-agent",
        "webhook-id",
        "webhook-signature",
        "webhook-timestamp",
        "x-service-event"
      ])
      assert.deepInclude(headers, {
        "content-type": "application/json",
        "user-agent": "PropertyNetwork-Webhooks/1",
        "x-service-event": "contact.created"
      })
      assert.match(String(headers["webhook-id"]), /^msg_[A-Za-z0-9_-]{20,}$/)
      assert.match(String(headers["webhook-signature"]), /^v1,[A-Za-z0-9+/]{43}=$/)
      assert.approximately(Number(headers["webhook-timestamp"]), Date.now() / 1000, 30)
      verified(mine.body.secret, request)
      assert.throws(() => verified(other.body.secret, request))
      assert.throws(() => verified(mine.body.secret, { ...request, body: Buffer.from(`${request.body} `) }))
    })
  )

  it.effect("show each delivery in the log, newest first, with the id that the receiver got", () =>
    Effect.gen(function* () {
      const { person } = yield* aTenant
      const receiver = yield* aReceiver
      const {
        body: { id }
      } = yield* person.subscribe({ url: receiver.url, events: contactEvents })
      const contact = yield* person.create({ firstName: "Maria" })
      yield* drain
      yield* person.delete(contact.body.id)
      yield* drain
      const log = (yield* person.log(id)).body.data
      assert.deepStrictEqual(
        log.map(({ eventType }) => eventType),
        ["contact.deleted", "contact.created"]
      )
      assert.deepStrictEqual(
        log.map(({ eventId }) => eventId),
        receiver.received.map(({ headers }) => headers["webhook-id"]).reverse()
      )
      for (const delivery of log) {
        assert.deepInclude(delivery, { status: "delivered", attemptCount: 1, lastStatusCode: 204, lastError: null })
        assert.isNotNull(delivery.deliveredUtc)
      }
    })
  )

  it.effect("send nothing to subscribers of other events or of other teams", () =>
    Effect.gen(function* () {
      const { person } = yield* aTenant
      const stranger = (yield* aTenant).person
      const receiver = yield* aReceiver
      const other = yield* person.subscribe({ url: receiver.url, events: ["contact.deleted", "company.created"] })
      const strangers = yield* stranger.subscribe({ url: receiver.url, events: contactEvents })
      const {
        body: { id }
      } = yield* person.create({ firstName: "Maria" })
      yield* person.patch(id, { firstName: "Mary" })
      yield* drain
      assert.isEmpty(receiver.received)
      assert.isEmpty((yield* person.log(other.body.id)).body.data)
      assert.isEmpty((yield* stranger.log(strangers.body.id)).body.data)
      assert.strictEqual((yield* stranger.log(other.body.id)).status, 404)
    })
  )

  it.effect("hold deliveries while they are paused, and send them after the activation", () =>
    Effect.gen(function* () {
      const { person } = yield* aTenant
      const receiver = yield* aReceiver
      const subscribed = yield* person.subscribe({ url: receiver.url, events: ["contact.created"] })
      const { id, secret } = subscribed.body
      assert.deepInclude((yield* person.change(id, { status: "paused" })).body, { status: "paused" })
      const contact = yield* person.create({ firstName: "Maria" })
      yield* drain
      assert.isEmpty(receiver.received)
      assert.deepInclude((yield* person.log(id)).body.data[0], { status: "pending", attemptCount: 0 })
      assert.deepInclude((yield* person.change(id, { status: "active" })).body, { status: "active" })
      yield* drain
      assert.lengthOf(receiver.received, 1)
      assert.strictEqual(verified(secret, receiver.received[0]!)["resource_id"], contact.body.id)
      assert.deepInclude((yield* person.log(id)).body.data[0], { status: "delivered", attemptCount: 1 })
    })
  )

  it.effect("send nothing after their deletion", () =>
    Effect.gen(function* () {
      const { person } = yield* aTenant
      const receiver = yield* aReceiver
      const {
        body: { id }
      } = yield* person.subscribe({ url: receiver.url, events: contactEvents })
      assert.strictEqual((yield* person.unsubscribe(id)).status, 204)
      yield* person.create({ firstName: "Maria" })
      yield* drain
      assert.isEmpty(receiver.received)
      assert.strictEqual((yield* person.webhook(id)).status, 404)
    })
  )

  it.effect("show their secret only in the response to the creation and its repetition", () =>
    Effect.gen(function* () {
      const { person } = yield* aTenant
      const json = { url: "http://127.0.0.1:9/in", events: ["contact.created"] }
      const created = yield* person.subscribe(json, { "idempotency-key": "k" })
      assert.match(created.body.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
      const repeated = yield* person.subscribe(json, { "idempotency-key": "k" })
      assert.deepStrictEqual([repeated.status, repeated.headers.get("idempotency-replayed")], [201, "true"])
      assert.deepStrictEqual(repeated.body, created.body)
      const { id } = created.body
      for (const { text } of [
        yield* person.webhook(id),
        yield* person.webhooks,
        yield* person.change(id, { name: "CRM" }),
        yield* person.log(id)
      ]) {
        assert.notInclude(text, "secret")
        assert.notInclude(text, created.body.secret)
      }
    })
  )

  it.effect("show no secret in a dry run", () =>
    Effect.gen(function* () {
      const { person } = yield* aTenant
      const json = { url: "http://127.0.0.1:9/in", events: ["contact.created"] }
      const key = { "idempotency-key": "k" }
      const rehearsed = yield* person.subscribe(json, { prefer: "dry-run" })
      assert.deepInclude(rehearsed.body as object, { wouldAnswer: 201 })
      yield* person.subscribe(json, key)
      const repeated = yield* person.subscribe(json, { prefer: "dry-run", ...key })
      assert.strictEqual(repeated.status, 200)
      for (const { text } of [rehearsed, repeated]) {
        assert.include(text, "webhook_")
        assert.notInclude(text, "secret")
        assert.notInclude(text, "whsec_")
      }
    })
  )

  it.effect("are limited to twenty for a team", () =>
    Effect.gen(function* () {
      const { client, person } = yield* aTenant
      const json = { url: "http://127.0.0.1:9/in", events: ["contact.created"] }
      for (let count = 0; count < maxPerTeam; count++) {
        assert.strictEqual((yield* (count % 2 === 0 ? person : client).subscribe(json)).status, 201)
      }
      const refused = yield* person.subscribe(json)
      assert.strictEqual(refused.status, 409)
      const problem: object = refused.body
      assert.deepInclude(problem, { code: "webhook_limit_reached", limit: 20 })
      yield* person.unsubscribe((yield* person.webhooks).body.data[0]?.id ?? "")
      assert.strictEqual((yield* person.subscribe(json)).status, 201)
    })
  )

  it.effect("refuse addresses that are not public", () =>
    Effect.gen(function* () {
      const { person } = yield* aTenant
      const events = ["contact.created"]
      const {
        body: { id }
      } = yield* person.subscribe({ url: "http://127.0.0.1:9/in", events })
      const refused = [
        "https://10.0.0.1/in",
        "https://172.16.0.1/in",
        "https://192.168.1.1/in",
        "https://100.64.0.1/in",
        "https://169.254.169.254/latest/meta-data",
        "https://224.0.0.1/in",
        "https://0.0.0.0/in",
        "https://0x0a000001/in",
        "https://[::ffff:10.0.0.1]/in",
        "https://[fd00::1]/in",
        "https://[fe80::1]/in",
        "https://[64:ff9b::a00:1]/in",
        "https://[2002:a00:1::]/in",
        "https://user:password@127.0.0.1/in",
        "https://127.0.0.1/in#part",
        "ftp://127.0.0.1/in",
        "127.0.0.1/in",
        ""
      ]
      for (const url of refused) {
        for (const reply of [yield* person.subscribe({ url, events }), yield* person.change(id, { url })]) {
          assert.strictEqual(reply.status, 400, `${url} ${reply.text}`)
          assert.lengthOf(faultsOf(reply), 1)
          assert.match(faultsOf(reply)[0] ?? "", /^body \/url /)
        }
      }
      assert.lengthOf((yield* person.webhooks).body.data, 1)
    })
  )
})
