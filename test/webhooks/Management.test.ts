/** Managing webhooks over HTTP: secrets, test deliveries, preconditions, idempotency. */
import * as Tenant from "../support/Tenant.ts"
import * as Receiver from "../core/outbound/Receiver.ts"
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Webhook as Verifier } from "standardwebhooks"
import { eventTypes } from "../../src/core/mutation/Event.ts"
import { sampleOf } from "../../src/core/mutation/SampleEvent.ts"
import { Database } from "../../src/platform/db/Database.ts"
import type { Webhook, WebhookTestResult, WebhookWithSecret } from "../../src/webhooks/Webhook.ts"
import { faultsOf } from "../support/faults.ts"
import { type RequestOptions, TestService } from "../support/TestService.ts"

const path = "/api/v1/webhooks"

/** A webhook with a receiver that responds with `status`, and a client of its operations. */
const aWebhook = Effect.fnUntraced(function* (
  status = 204,
  events: ReadonlyArray<string> = ["link.updated", "contact.created"]
) {
  const { request } = yield* TestService
  const { teamId, token } = yield* Tenant.make({ broker: null })
  const { port, received } = yield* Receiver.make((response) =>
    response.writeHead(status, { location: "/other" }).end()
  )
  const url = `http://127.0.0.1:${port}/in`
  const created = yield* request<WebhookWithSecret>("POST", path, { token, json: { url, events } })
  const { id } = created.body
  return {
    created: created.body,
    teamId,
    token,
    received,
    get: (ask: RequestOptions = {}) => request<Webhook>("GET", `${path}/${id}`, { token, ...ask }),
    list: request("GET", path, { token }),
    log: request<{ readonly data: ReadonlyArray<unknown> }>("GET", `${path}/${id}/deliveries`, { token }),
    patch: (json: unknown, ask: RequestOptions = {}) =>
      request<Webhook>("PATCH", `${path}/${id}`, { token, json, ...ask }),
    rotate: (ask: RequestOptions = {}) => request<WebhookWithSecret>("POST", `${path}/${id}/secret`, { token, ...ask }),
    test: (ask: RequestOptions = {}) => request<WebhookTestResult>("POST", `${path}/${id}/test`, { token, ...ask })
  }
})

const verified = (secret: string, { body, headers }: Receiver.Received) =>
  new Verifier(secret).verify(body, {
    "webhook-id": String(headers["webhook-id"]),
    "webhook-timestamp": String(headers["webhook-timestamp"]),
    "webhook-signature": String(headers["webhook-signature"])
  })

layer(TestService.layer, { excludeTestServices: true })("A webhook", (it) => {
  describe("whose secret is replaced", () => {
    it.effect("shows the new secret in that response only, with or without a body", () =>
      Effect.gen(function* () {
        const { created, get, list, patch, rotate } = yield* aWebhook()
        const secrets = [created.secret]
        const empty = { text: "", headers: { "content-type": "application/json" } }
        for (const [index, ask] of [
          {},
          empty,
          { json: {} },
          { json: { overlap: "24h" } },
          { json: { overlap: "1m" } }
        ].entries()) {
          const { body, headers, status, text } = yield* rotate(ask)
          assert.strictEqual(status, 200, text)
          assert.match(body.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
          assert.deepStrictEqual([headers.get("etag"), body.etag], [`"v${index + 2}"`, `"v${index + 2}"`])
          const { secret: _, ...shown } = body
          const read = yield* get()
          assert.deepStrictEqual(read.body, shown)
          secrets.push(body.secret)
        }
        assert.strictEqual(new Set(secrets).size, 6)
        const { updatedUtc, previousSecretsExpireUtc } = (yield* get()).body
        assert.isAbove(Date.parse(previousSecretsExpireUtc ?? ""), Date.parse(updatedUtc) + 86_000_000)
        for (const { text } of [yield* get(), yield* list, yield* patch({ name: "CRM" })]) {
          assert.notInclude(text, "whsec_")
        }
      })
    )

    it.effect("signs with the new secret only, unless there is an overlap", () =>
      Effect.gen(function* () {
        const { created, received, rotate, test } = yield* aWebhook()
        const second = (yield* rotate({ json: { overlap: "7d" } })).body.secret
        yield* test()
        verified(created.secret, received[0]!)
        verified(second, received[0]!)
        const third = (yield* rotate()).body.secret
        yield* test()
        verified(third, received[1]!)
        for (const old of [created.secret, second]) assert.throws(() => verified(old, received[1]!))
      })
    )

    it.effect("accepts an overlap from one minute to seven days, and refuses others", () =>
      Effect.gen(function* () {
        const { get, rotate } = yield* aWebhook()
        const refused: ReadonlyArray<readonly [unknown, string]> = [
          [{ overlap: "tomorrow" }, "body /overlap invalid_format"],
          [{ overlap: "" }, "body /overlap invalid_format"],
          [{ overlap: "PT24H" }, "body /overlap invalid_format"],
          [{ overlap: "0h" }, "body /overlap out_of_range"],
          [{ overlap: "8d" }, "body /overlap out_of_range"],
          [{ overlap: "169h" }, "body /overlap out_of_range"],
          [{ overlap: 24 }, "body /overlap wrong_type"],
          [{ overlap: null }, "body /overlap wrong_type"],
          [{ overlp: "24h" }, "body /overlp unknown_member"]
        ]
        for (const [json, fault] of refused) {
          const reply = yield* rotate({ json })
          assert.strictEqual(reply.status, 400, reply.text)
          assert.deepStrictEqual(faultsOf(reply), [fault])
        }
        assert.include((yield* rotate({ json: { overlap: "8d" } })).text, "Must be from 1m to 7d.")
        assert.strictEqual(
          (yield* rotate({ text: "overlap=24h", headers: { "content-type": "text/plain" } })).status,
          415
        )
        const malformed = yield* rotate({ text: "{", headers: { "content-type": "application/json" } })
        assert.deepInclude(malformed.body as object, { code: "malformed_json" })
        assert.strictEqual((yield* get()).body.etag, '"v1"')
      })
    )

    it.effect("keeps the secret if If-Match fails and in a dry run, which shows none", () =>
      Effect.gen(function* () {
        const { created, get, received, rotate, test } = yield* aWebhook()
        const stale = yield* rotate({ json: {}, headers: { "if-match": '"v0"' } })
        assert.strictEqual(stale.status, 412)
        assert.deepInclude(stale.body as object, { code: "precondition_failed", currentEtag: '"v1"' })
        const rehearsed = yield* rotate({ json: { overlap: "1h" }, headers: { prefer: "dry-run" } })
        assert.deepStrictEqual([rehearsed.status, rehearsed.headers.get("preference-applied")], [200, "dry-run"])
        assert.deepInclude(rehearsed.body as object, {
          wouldAnswer: 200,
          events: [],
          affected: [{ type: "webhook", id: created.id, change: "updated" }]
        })
        assert.include(rehearsed.text, "previousSecretsExpireUtc")
        assert.notInclude(rehearsed.text, "whsec_")
        yield* test()
        verified(created.secret, received[0]!)
        assert.isNull((yield* get()).body.previousSecretsExpireUtc)
        assert.strictEqual((yield* rotate({ json: {}, headers: { "if-match": '"v1"' } })).status, 200)
      })
    )

    it.effect("accepts a patch with the whole resource, including previousSecretsExpireUtc", () =>
      Effect.gen(function* () {
        const { patch, rotate } = yield* aWebhook()
        yield* patch({ status: "paused" })
        const { body, status } = yield* rotate({ json: { overlap: "1h" } })
        assert.deepStrictEqual([status, body.status], [200, "paused"])
        const again = yield* patch(body)
        assert.deepStrictEqual([again.status, again.body.etag], [200, body.etag])
        const read = yield* patch({ previousSecretsExpireUtc: null })
        assert.deepStrictEqual(faultsOf(read), ["body /previousSecretsExpireUtc read_only"])
      })
    )
  })

  describe("that is tested", () => {
    it.effect("receives a signed sample of its first event type, marked as a test, with a new id each time", () =>
      Effect.gen(function* () {
        const { created, log, received, test } = yield* aWebhook()
        for (const ask of [{}, { json: {} }]) {
          const { body, status, text } = yield* test(ask)
          assert.strictEqual(status, 200, text)
          assert.deepStrictEqual(Object.keys(body), [
            "success",
            "status_code",
            "duration_ms",
            "error",
            "request_headers",
            "request_body",
            "response_headers",
            "response_body"
          ])
          assert.deepInclude(body, { success: true, status_code: 204, error: null })
          assert.isTrue(Number.isSafeInteger(body.duration_ms) && body.duration_ms >= 0)
        }
        assert.lengthOf(received, 2)
        for (const request of received) {
          const payload = verified(created.secret, request) as { readonly timestamp: string }
          assert.deepStrictEqual<object>(payload, {
            ...sampleOf("link.updated", new Date(payload.timestamp)),
            _test: true
          })
          assert.approximately(Date.parse(payload.timestamp), Date.now(), 30_000)
          assert.match(String(request.headers["webhook-id"]), /^msg_[A-Za-z0-9_-]{27}$/)
          assert.deepInclude(request.headers, {
            "content-type": "application/json",
            "x-service-event": "link.updated",
            "x-service-test": "true"
          })
        }
        assert.strictEqual(new Set(received.map(({ headers }) => headers["webhook-id"])).size, 2)
        assert.isEmpty((yield* log).body.data)
      })
    )

    it.effect(
      "receives any requested event type, and the refusal of an unknown one suggests one, or lists all once",
      () =>
        Effect.gen(function* () {
          const { received, test } = yield* aWebhook()
          yield* test({ json: { event_type: "prospect.deleted" } })
          assert.strictEqual(received[0]?.headers["x-service-event"], "prospect.deleted")
          const unknown = yield* test({ json: { event_type: "contact.renamed" } })
          assert.strictEqual(unknown.status, 400)
          assert.deepStrictEqual(faultsOf(unknown), ["body /event_type not_allowed"])
          assert.include(unknown.text, 'Did you mean \\"contact.created\\"?')
          const like = yield* test({ json: { event_type: "task.*" } })
          for (const type of eventTypes) assert.include(like.text, type)
          assert.strictEqual(like.text.split("webhook.disabled").length, 2, "listed once")
          const misspelt = yield* test({ json: { eventType: "contact.created" } })
          assert.deepStrictEqual(faultsOf(misspelt), ["body /eventType unknown_member"])
          assert.strictEqual((yield* test({ text: "x", headers: { "content-type": "text/plain" } })).status, 415)
          assert.lengthOf(received, 1)
        })
    )

    for (const status of [302, 404, 410, 429, 500]) {
      it.effect(`reports a ${status} of its receiver, without a retry and without a change of the webhook`, () =>
        Effect.gen(function* () {
          const { created, get, log, received, test } = yield* aWebhook(status)
          const { secret: _, ...before } = created
          const reply = yield* test()
          assert.strictEqual(reply.status, 200)
          assert.deepInclude(reply.body, {
            success: false,
            status_code: status,
            error: `The receiver answered ${status}.`
          })
          assert.lengthOf(received, 1)
          assert.isEmpty((yield* log).body.data)
          assert.deepStrictEqual<object>((yield* get()).body, before)
        })
      )
    }

    it.effect("reports a refused or broken connection", () =>
      Effect.gen(function* () {
        const { patch, test } = yield* aWebhook()
        const breaking = yield* Receiver.makeRaw((socket) => socket.end())
        for (const url of [`http://127.0.0.1:${breaking.port}/`, "http://127.0.0.1:9/"]) {
          yield* patch({ url })
          const { body } = yield* test()
          assert.deepInclude(body, { success: false, status_code: null })
          assert.match(body.error ?? "", /^[A-Z].+\.$/)
        }
      })
    )

    it.effect("is refused while it is not active", () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const { patch, received, teamId, test } = yield* aWebhook()
        for (const status of ["paused", "disabled"]) {
          yield* sql`update webhooks set status = ${status} where team_id = ${teamId}`
          const reply = yield* test()
          assert.strictEqual(reply.status, 409)
          assert.deepInclude(reply.body as object, { code: "webhook_not_active", status: 409, webhookStatus: status })
          // Faults of the request are reported first.
          assert.strictEqual((yield* test({ json: { event_type: "x" } })).status, 400)
        }
        assert.isEmpty(received)
        yield* patch({ status: "active" })
        assert.isTrue((yield* test()).body.success)
      })
    )
  })

  it.effect("shows why and when the service disabled it, until a client activates it", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { get, patch, teamId } = yield* aWebhook()
      for (const reason of ["receiver_gone", "deliveries_exhausted"]) {
        yield* sql`
          update webhooks set status = 'disabled', disabled_reason = ${reason}, consecutive_exhausted = 10,
            disabled_at = '2026-11-21T09:30:00Z'
          where team_id = ${teamId}`
        const disabled = { disabledReason: reason, disabledUtc: "2026-11-21T09:30:00.000Z", consecutiveExhausted: 10 }
        assert.deepInclude((yield* get()).body, { status: "disabled", ...disabled })
        const { body } = yield* patch({ status: "active" })
        assert.deepInclude(body, { status: "active", disabledReason: null, disabledUtc: null, consecutiveExhausted: 0 })
      }
    })
  )

  it.effect("accepts all concurrent patches without If-Match, and only one of those with the same If-Match", () =>
    Effect.gen(function* () {
      const { created, get, patch, rotate } = yield* aWebhook()
      const all = yield* Effect.all(
        [
          ...Array.from({ length: 12 }, (_, index) => patch({ name: `CRM ${index}` })),
          ...Array.from({ length: 4 }, () => rotate({ json: { overlap: "1h" } }))
        ],
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        all.map(({ status }) => status),
        Array(16).fill(200)
      )
      const { body } = yield* get()
      assert.strictEqual(body.etag, `"v17"`)
      const named = yield* Effect.all(
        Array.from({ length: 4 }, (_, index) =>
          patch({ name: `ERP ${index}` }, { headers: { "if-match": body.etag } })
        ),
        { concurrency: "unbounded" }
      )
      const statuses = named.map(({ status }) => status).sort()
      assert.strictEqual(statuses[0], 200)
      for (const status of statuses.slice(1)) assert.include([409, 412], status)
      assert.strictEqual((yield* get()).body.etag, `"v18"`)
      assert.notStrictEqual(created.etag, body.etag)
    })
  )

  it.effect("supports If-None-Match and If-Match", () =>
    Effect.gen(function* () {
      const { created, get, patch } = yield* aWebhook()
      const { etag } = created
      assert.strictEqual((yield* get({ headers: { "if-none-match": etag } })).status, 304)
      const changed = yield* patch({ name: "CRM" }, { headers: { "if-match": etag } })
      assert.deepStrictEqual([changed.status, changed.headers.get("etag")], [200, '"v2"'])
      const stale = yield* patch({ name: "ERP" }, { headers: { "if-match": etag } })
      assert.deepInclude(stale.body as object, { status: 412, currentEtag: '"v2"' })
      assert.strictEqual((yield* get({ headers: { "if-none-match": etag } })).body.name, "CRM")
    })
  )

  it.effect("is created once for an Idempotency-Key, which is refused with another body", () =>
    Effect.gen(function* () {
      const { list, token } = yield* aWebhook()
      const { request } = yield* TestService
      const create = (name: string) =>
        request<Webhook>("POST", path, {
          token,
          json: { url: "http://127.0.0.1:9/in", events: ["contact.created"], name },
          headers: { "idempotency-key": "k" }
        })
      const [first, second] = [yield* create("CRM"), yield* create("CRM")]
      assert.deepStrictEqual([first.status, second.status, second.text], [201, 201, first.text])
      assert.strictEqual(first.headers.get("location"), `${path}/${first.body.id}`)
      const other = yield* create("ERP")
      assert.deepInclude(other.body as object, { status: 422, code: "idempotency_key_reused" })
      assert.lengthOf((yield* list).body["data"] as ReadonlyArray<unknown>, 2)
    })
  )
})
