import * as Id from "../../../src/core/Id.ts"
import * as MemoryWorker from "../../../src/platform/jobs/MemoryWorker.ts"
import * as Tenant from "../../support/Tenant.ts"
import * as Receiver from "../../core/outbound/Receiver.ts"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { expect } from "vitest"
import { Database } from "../../../src/platform/db/Database.ts"
import type { Page } from "../../../src/core/usecase/Page.ts"
import { Worker } from "../../../src/platform/jobs/Worker.ts"
import {
  maxReplayed,
  type WebhookDelivery,
  type WebhookDeliveryDetails,
  type WebhookReplayed
} from "../../../src/webhooks/deliveries/Delivery.ts"
import { Dispatcher } from "../../../src/webhooks/deliveries/Dispatcher.ts"
import type { Webhook } from "../../../src/webhooks/Webhook.ts"
import { handlers } from "../../../workers/handlers.ts"
import { faultsOf } from "../../support/faults.ts"
import { TestService } from "../../support/TestService.ts"
import { type Committed, fanOut } from "../fanOut.ts"

const webhooks = "/api/v1/webhooks"

const drain = Effect.flatMap(Worker, (worker) => worker.drain)

const refused = { status: 500, body: "down for maintenance" }

/** A team with a webhook, and a receiver that responds with the current `answer`. */
const aSubscriber = Effect.fnUntraced(function* (first: { readonly status: number; readonly body: string } = refused) {
  const { request } = yield* TestService
  const answer = { ...first }
  const receiver = yield* Receiver.make((response) =>
    response.writeHead(answer.status, { "x-served-by": "crm-7" }).end(answer.status === 204 ? undefined : answer.body)
  )
  const { teamId, token } = yield* Tenant.make()
  const { body: webhook } = yield* request<Webhook>("POST", webhooks, {
    token,
    json: { url: `http://127.0.0.1:${receiver.port}/in`, events: ["contact.created"] }
  })
  const path = `${webhooks}/${webhook.id}`
  const log = Effect.map(
    request<Page<WebhookDelivery>>("GET", `${path}/deliveries?limit=100`, { token }),
    ({ body }) => body.data
  )
  return {
    answer,
    receiver,
    request,
    teamId,
    token,
    webhook,
    path,
    uuid: Id.toUuid("webhook", webhook.id) ?? "",
    log,
    latest: Effect.flatMap(log, ([delivery]) =>
      delivery === undefined ? Effect.die("no delivery") : Effect.succeed(delivery)
    ),
    addContact: request("POST", "/api/v1/network/contacts", { token, json: { firstName: "Anna" } }),
    details: (id: string) => request<WebhookDeliveryDetails>("GET", `${path}/deliveries/${id}`, { token }),
    retry: (id: string, headers: Record<string, string> = {}) =>
      request<WebhookDelivery>("POST", `${path}/deliveries/${id}/retry`, { token, headers }),
    replay: (json: unknown, headers: Record<string, string> = {}) =>
      request<WebhookReplayed>("POST", `${path}/replay`, { token, json, headers }),
    pause: request("PATCH", path, { token, json: { status: "paused" } }),
    activate: request("PATCH", path, { token, json: { status: "active" } })
  }
})

const idOf = (request: Receiver.Received | undefined) => request?.headers["webhook-id"]

const longAgo = "2020-01-01"

// A service of its own, because its worker would run the jobs of other test files as well.
const service = MemoryWorker.layer(handlers).pipe(Layer.provideMerge(TestService.layerOwn))

layer(service, { excludeTestServices: true })("The log of a webhook", (it) => {
  describe("of a delivery shows", () => {
    it.effect("the request as it was sent, and every attempt with its response", () =>
      Effect.gen(function* () {
        const team = yield* aSubscriber()
        yield* team.addContact
        yield* drain
        const [sent] = team.receiver.received
        const delivery = yield* team.latest
        const { body, status } = yield* team.details(delivery.id)
        assert.strictEqual(status, 200)
        const { attempts, request, ...rest } = body
        assert.deepStrictEqual(rest, delivery)
        assert.strictEqual(request.body, sent?.body.toString())
        for (const [name, value] of Object.entries(request.headers)) {
          assert.strictEqual(sent?.headers[name.toLowerCase()], value, name)
        }
        assert.includeMembers(Object.keys(request.headers), [
          "Content-Type",
          "User-Agent",
          "webhook-id",
          "webhook-timestamp",
          "webhook-signature",
          "X-Service-Event"
        ])
        const [attempt, ...others] = attempts
        assert.isEmpty(others)
        expect(attempt).toMatchObject({
          number: 1,
          startedUtc: delivery.lastAttemptUtc,
          statusCode: 500,
          error: "The receiver answered 500.",
          responseBody: "down for maintenance"
        })
        assert.strictEqual(attempt?.durationMs, delivery.lastDurationMs)
        assert.strictEqual(attempt?.responseHeaders?.["x-served-by"], "crm-7")
      })
    )

    it.effect("when the next attempt is due, but not while the webhook is paused", () =>
      Effect.gen(function* () {
        const team = yield* aSubscriber()
        yield* team.addContact
        yield* drain
        const failed = yield* team.latest
        const wait = Date.parse(failed.nextAttemptUtc ?? "") - Date.parse(failed.lastAttemptUtc ?? "")
        assert.isAtLeast(wait, 3000)
        assert.isBelow(wait, 4000)
        yield* team.pause
        assert.deepInclude(yield* team.latest, { status: "failed", nextAttemptUtc: null })
      })
    )

    it.effect("before the first attempt, the headers that do not depend on its time", () =>
      Effect.gen(function* () {
        const team = yield* aSubscriber()
        yield* team.pause
        yield* team.addContact
        yield* drain
        const delivery = yield* team.latest
        assert.deepInclude(delivery, { status: "pending", attemptCount: 0, nextAttemptUtc: null, lastAttemptUtc: null })
        const { attempts, request } = (yield* team.details(delivery.id)).body
        assert.isEmpty(attempts)
        assert.deepStrictEqual(request.headers, {
          "Content-Type": "application/json",
          "User-Agent": "PropertyNetwork-Webhooks/1",
          "webhook-id": delivery.eventId,
          "X-Service-Event": "contact.created"
        })
        assert.strictEqual(JSON.parse(request.body).event, "contact.created")
      })
    )

    it.effect("nothing under another webhook or to another team", () =>
      Effect.gen(function* () {
        const team = yield* aSubscriber()
        const other = yield* aSubscriber()
        yield* team.addContact
        yield* drain
        const { id } = yield* team.latest
        assert.strictEqual((yield* other.details(id)).status, 404)
        assert.strictEqual((yield* other.retry(id)).status, 404)
        assert.strictEqual(
          (yield* team.request("GET", `${team.path}/deliveries/${id}`, { token: other.token })).status,
          404
        )
      })
    )
  })

  describe("offers a retry, which", () => {
    it.effect("sends the same message of a failed delivery at once, resets its count and keeps its attempts", () =>
      Effect.gen(function* () {
        const team = yield* aSubscriber()
        yield* team.addContact
        yield* drain
        const failed = yield* team.latest
        team.answer.status = 204
        const { body, status } = yield* team.retry(failed.id)
        assert.strictEqual(status, 200)
        assert.deepInclude(body, { id: failed.id, status: "pending", attemptCount: 0, deliveredUtc: null })
        yield* drain
        assert.lengthOf(team.receiver.received, 2)
        assert.strictEqual(idOf(team.receiver.received[1]), idOf(team.receiver.received[0]))
        assert.deepInclude(yield* team.latest, { status: "delivered", attemptCount: 1, nextAttemptUtc: null })
        const { attempts } = (yield* team.details(failed.id)).body
        assert.deepStrictEqual(
          attempts.map(({ number, statusCode }) => [number, statusCode]),
          [
            [1, 500],
            [2, 204]
          ]
        )
      })
    )

    it.effect("sends a delivered, a refused or an exhausted delivery again", () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const team = yield* aSubscriber({ status: 204, body: "" })
        for (const state of ["delivered", "refused", "exhausted"]) {
          team.answer.status = state === "delivered" ? 204 : state === "refused" ? 400 : 500
          yield* team.addContact
          if (state === "exhausted") yield* sql`update deliveries set attempt_count = 8 where attempt_count = 0`
          yield* drain
          const before = yield* team.latest
          if (state === "exhausted") {
            yield* sql`update deliveries set status = 'exhausted', attempt_count = 9 where id = ${Id.toUuid("dlv", before.id)}`
          }
          team.answer.status = 204
          const received = team.receiver.received.length
          assert.strictEqual((yield* team.retry(before.id)).status, 200, state)
          yield* drain
          assert.lengthOf(team.receiver.received, received + 1)
          assert.deepInclude(yield* team.latest, { id: before.id, status: "delivered", attemptCount: 1 })
        }
      })
    )

    it.effect("repeats a delivery in flight, unless that attempt delivers it", () =>
      Effect.gen(function* () {
        for (const [first, attempts] of [
          [400, [400, 204]],
          [204, [204]]
        ] as const) {
          const answers: Array<() => void> = []
          const status = { next: 500 }
          const { port, untilReceived } = yield* Receiver.make((response) =>
            status.next === 500
              ? response.writeHead(500).end()
              : void answers.push(() => response.writeHead(status.next).end())
          )
          const team = yield* aSubscriber()
          yield* team.request("PATCH", team.path, { token: team.token, json: { url: `http://127.0.0.1:${port}/in` } })
          yield* team.addContact
          yield* drain
          const { id } = yield* team.latest
          status.next = first
          // The second attempt is due.
          yield* (yield* Dispatcher).due({ teamId: team.teamId, at: new Date(Date.now() + 60_000).toISOString() })
          yield* untilReceived(2)
          assert.strictEqual((yield* team.retry(id)).status, 200)
          answers.shift()?.()
          if (first === 400) yield* untilReceived(3)
          status.next = 204
          for (const answer of answers) answer()
          yield* drain
          assert.deepInclude(yield* team.latest, { status: "delivered" })
          const made = (yield* team.details(id)).body.attempts.map(({ statusCode }) => statusCode)
          assert.deepStrictEqual(made, [500, ...attempts])
        }
      })
    )

    it.effect("does not change a pending delivery", () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const team = yield* aSubscriber()
        yield* team.addContact
        yield* drain
        const failed = yield* team.latest
        yield* sql`
          update deliveries set status = 'pending', next_attempt_at = now() + interval '1 hour'
          where id = ${Id.toUuid("dlv", failed.id)}`
        const { body } = yield* team.retry(failed.id)
        assert.deepInclude(body, { status: "pending", attemptCount: 1 })
        yield* drain
        assert.lengthOf(team.receiver.received, 1)
      })
    )

    it.effect("is refused while the webhook is not active", () =>
      Effect.gen(function* () {
        const team = yield* aSubscriber()
        yield* team.addContact
        yield* drain
        const { id } = yield* team.latest
        yield* team.pause
        for (const reply of [yield* team.retry(id), yield* team.replay({ since: longAgo })]) {
          assert.strictEqual(reply.status, 409)
          expect(reply.body).toMatchObject({ code: "webhook_not_active", webhookStatus: "paused" })
        }
      })
    )

    it.effect("sends nothing in a dry run", () =>
      Effect.gen(function* () {
        const team = yield* aSubscriber()
        yield* team.addContact
        yield* drain
        const failed = yield* team.latest
        const headers = { prefer: "dry-run" }
        expect((yield* team.retry(failed.id, headers)).body).toMatchObject({
          wouldAnswer: 200,
          result: { status: "pending" },
          affected: [{ type: "delivery", id: failed.id, change: "updated" }]
        })
        expect((yield* team.replay({ since: longAgo }, headers)).body).toMatchObject({
          wouldAnswer: 200,
          result: { replayed_count: 1 }
        })
        yield* drain
        assert.lengthOf(team.receiver.received, 1)
        assert.deepStrictEqual(yield* team.latest, failed)
      })
    )
  })

  describe("offers a replay, which", () => {
    /** Inserts failed deliveries, created a second apart from 2026-01-01. */
    const fill = (team: Effect.Success<ReturnType<typeof aSubscriber>>, count: number) =>
      Effect.flatMap(
        Database,
        (sql) =>
          sql`
          with inserted as (
            insert into events (id, transaction_id, team_id, message_id, type, resource_type, resource_id, occurred_at, body)
            select gen_random_uuid(), pg_current_xact_id(), ${team.teamId}::uuid, 'msg_' || lpad(n::text, 4, '0'), 'contact.created', 'contact',
              gen_random_uuid(), '2026-01-01Z'::timestamptz + n * interval '1 second', '{}'
            from generate_series(1, ${count}) n
            returning id, occurred_at
          )
          insert into deliveries (
            id, team_id, webhook_id, event_id, event_type, status, attempt_count, last_status_code, created_at
          )
          select gen_random_uuid(), ${team.teamId}::uuid, ${team.uuid}::uuid, id, 'contact.created',
            case when extract(second from occurred_at)::int % 2 = 0 then 'failed' else 'exhausted' end, 9, 500, occurred_at
          from inserted`
      )

    it.effect("queues failed and exhausted deliveries, a hundred at a time, the oldest first, until none is left", () =>
      Effect.gen(function* () {
        const team = yield* aSubscriber({ status: 204, body: "" })
        yield* team.addContact
        yield* drain
        yield* fill(team, 130)
        const first = yield* team.replay({ since: "2026-01-01T00:00:06Z" })
        assert.strictEqual(first.status, 200)
        const next = "2026-01-01T00:01:46.000Z"
        assert.deepStrictEqual(first.body, {
          replayed_count: maxReplayed,
          remaining_count: 25,
          next_since: next,
          message: `100 deliveries were queued. 25 remain: continue with since=${next}.`
        })
        yield* drain
        const ids = () =>
          team.receiver.received
            .slice(1)
            .map((request) => String(idOf(request)))
            .sort()
        assert.deepStrictEqual([ids().at(0), ids().at(-1), ids().length], ["msg_0006", "msg_0105", 100])
        const second = yield* team.replay({ since: next })
        assert.deepStrictEqual(second.body, {
          replayed_count: 25,
          remaining_count: 0,
          next_since: null,
          message: "25 deliveries were queued."
        })
        yield* drain
        assert.strictEqual(ids().at(-1), "msg_0130")
        assert.strictEqual(new Set(ids()).size, 125)
        // Deliveries from before `since` do not change.
        const counts = yield* Effect.flatMap(
          Database,
          (sql) =>
            sql`select status, count(*)::int as count from deliveries where webhook_id = ${team.uuid} group by 1 order by 1`
        )
        assert.deepStrictEqual(counts, [
          { status: "delivered", count: 126 },
          { status: "exhausted", count: 3 },
          { status: "failed", count: 2 }
        ])
      })
    )

    it.effect("gives a delivery in flight nine new attempts, the first at once", () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const answers: Array<() => void> = []
        const { port, untilReceived } = yield* Receiver.make(
          (response) => void answers.push(() => response.writeHead(500).end())
        )
        const team = yield* aSubscriber()
        yield* team.request("PATCH", team.path, { token: team.token, json: { url: `http://127.0.0.1:${port}/in` } })
        yield* team.pause
        yield* team.addContact
        yield* drain
        yield* sql`update deliveries set status = 'failed', attempt_count = 8 where webhook_id = ${team.uuid}`
        yield* team.activate
        yield* untilReceived(1)
        // Without the replay, this is the last of nine attempts.
        assert.deepInclude((yield* team.replay({ since: longAgo })).body, { replayed_count: 1 })
        answers.shift()?.()
        yield* untilReceived(2)
        assert.deepInclude(yield* team.latest, { status: "pending", attemptCount: 0 })
        answers.shift()?.()
        yield* drain
        assert.deepInclude(yield* team.latest, { status: "failed", attemptCount: 1 })
        const { attempts } = (yield* team.details((yield* team.latest).id)).body
        assert.deepStrictEqual(
          attempts.map(({ number }) => number),
          [9, 10]
        )
      })
    )

    it.effect("reaches all deliveries of a cascade, although they were created at one time and fail repeatedly", () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const team = yield* aSubscriber({ status: 400, body: "no" })
        const [change] = yield* sql<Committed>`
          with inserted as (
            insert into events (id, transaction_id, team_id, message_id, type, resource_type, resource_id, occurred_at, body)
            select gen_random_uuid(), pg_current_xact_id(), ${team.teamId}::uuid, 'msg_' || gen_random_uuid(), 'contact.created', 'contact',
              gen_random_uuid(), date_trunc('milliseconds', now()), '{}'
            from generate_series(1, 250)
            returning transaction_id, occurred_at
          )
          select ${team.teamId} as "teamId", transaction_id::text as "transactionId",
            to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
          from inserted`
        if (change !== undefined) yield* fanOut(change)
        yield* drain
        let since: string | null = longAgo
        const counts: Array<number> = []
        while (since !== null && counts.length < 9) {
          const { body }: { readonly body: WebhookReplayed } = yield* team.replay({ since })
          counts.push(body.replayed_count)
          since = body.next_since
          yield* drain
        }
        assert.isBelow(counts.length, 9)
        const again = yield* sql<{ count: number }>`
          select count(*)::int as count from deliveries where webhook_id = ${team.uuid} and replayed_attempts > 0`
        assert.deepStrictEqual(again, [{ count: 250 }])
      })
    )

    it.effect("refuses a since that is no timestamp", () =>
      Effect.gen(function* () {
        const team = yield* aSubscriber()
        assert.deepStrictEqual(faultsOf(yield* team.replay({})), ["body /since required"])
        assert.deepStrictEqual(faultsOf(yield* team.replay({ since: "yesterday" })), ["body /since invalid_timestamp"])
        assert.deepStrictEqual(faultsOf(yield* team.replay({ sinse: longAgo })), [
          "body /sinse unknown_member",
          "body /since required"
        ])
      })
    )
  })
})
