/** A subscriber: a tenant with a webhook whose receiver the test controls, and checks of its deliveries. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Webhook as Verifier } from "standardwebhooks"
import type { Page } from "../../src/core/usecase/Page.ts"
import type { WebhookDelivery, WebhookDeliveryDetails } from "../../src/webhooks/deliveries/Delivery.ts"
import type { Webhook, WebhookWithSecret } from "../../src/webhooks/Webhook.ts"
import * as Tenant from "../support/Tenant.ts"
import { pollUntil } from "../support/polling.ts"
import { TestService } from "../support/TestService.ts"
import * as Receiver from "../core/outbound/Receiver.ts"

const webhooks = "/api/v1/webhooks"

/** The path of contacts. */
export const contacts = "/api/v1/network/contacts"

/** The behaviour of a receiver for the n-th request with a message: its status, and whether it waits for the test first. */
interface ReceiverOptions {
  readonly status?: (times: number) => number
  readonly holds?: (times: number) => boolean
}

const makeReceiver = Effect.fnUntraced(function* ({ holds = () => false, status = () => 204 }: ReceiverOptions) {
  const times = new Map<string, number>()
  const held: Array<() => void> = []
  const { port, received, until } = yield* Receiver.make((response, request) => {
    const id = String(request.headers["webhook-id"])
    const time = (times.get(id) ?? 0) + 1
    times.set(id, time)
    const answer = () => void response.writeHead(status(time)).end()
    if (holds(time)) held.push(answer)
    else answer()
  })
  return {
    url: `http://127.0.0.1:${port}/in`,
    received,
    /** The number of requests by message. */
    times,
    /** Completes when exactly `count` requests wait for their responses. */
    holding: (count: number) => until(`${count} unanswered requests`, () => held.length === count),
    release: Effect.sync(() => {
      for (const answer of held.splice(0)) answer()
    })
  }
})

/** The expected state of a delivery. */
interface Expected {
  readonly status: WebhookDelivery["status"]
  /** The numbers of its recorded attempts. */
  readonly attempts: ReadonlyArray<number>
  /** How often the receiver gets its message. */
  readonly requests: number
  /** The minimum of `requests`, where the number depends on timing. */
  readonly least?: number
}

/** Creates a tenant with a webhook and its own receiver. */
export const makeSubscriber = Effect.fnUntraced(function* (answering: ReceiverOptions = {}) {
  const service = yield* TestService
  const receiver = yield* makeReceiver(answering)
  const { teamId, token } = yield* Tenant.make()
  const ask = <Body>(method: string, path: string, json?: unknown, headers: Record<string, string> = {}) =>
    service.request<Body>(method, path, { token, json, headers })
  const subscribed = yield* ask<WebhookWithSecret>("POST", webhooks, { url: receiver.url, events: ["contact.created"] })
  assert.strictEqual(subscribed.status, 201, subscribed.text)
  const { id, secret } = subscribed.body

  /** Adds contacts in one transaction. */
  const add = Effect.fnUntraced(function* (count: number) {
    const items = Array.from({ length: count }, (_, n) => ({ firstName: `Person ${n}` }))
    const added = yield* ask<{ readonly results: ReadonlyArray<{ readonly id: string }> }>(
      "POST",
      `${contacts}/batch/upsert`,
      { items }
    )
    assert.strictEqual(added.status, 207, added.text)
  })

  const log = Effect.map(
    ask<Page<WebhookDelivery>>("GET", `${webhooks}/${id}/deliveries?limit=100`),
    ({ body }) => body.data
  )

  /** Completes when the log has exactly `count` deliveries, all with this status. */
  const settled = (count: number, status: WebhookDelivery["status"]) =>
    pollUntil(
      `${count} deliveries that are ${status}`,
      log,
      (rows) => rows.length === count && rows.every((row) => row.status === status),
      20_000
    )

  const verified = ({ body, headers }: Receiver.Received) =>
    new Verifier(secret).verify(body, {
      "webhook-id": String(headers["webhook-id"]),
      "webhook-timestamp": String(headers["webhook-timestamp"]),
      "webhook-signature": String(headers["webhook-signature"])
    }) as { readonly resource_id: string }

  /**
   * Waits until every delivery is in the expected state, and asserts it: one delivery for each contact, its attempts, and
   * how often the receiver got its message. All requests of a message have the same id and body.
   */
  const assertAll = Effect.fnUntraced(function* ({ attempts, least, requests, status }: Expected) {
    const people = (yield* ask<Page<{ readonly id: string }>>("GET", `${contacts}?page_size=100`)).body.data
    yield* settled(people.length, status)
    const found = yield* Effect.forEach(yield* log, (row) =>
      ask<WebhookDeliveryDetails>("GET", `${webhooks}/${id}/deliveries/${row.id}`)
    )
    const expected = { status, attemptCount: attempts.length, attempts }
    assert.deepStrictEqual(
      found.map(({ body }) => ({
        status: body.status,
        attemptCount: body.attemptCount,
        attempts: body.attempts.map(({ number }) => number)
      })),
      people.map(() => expected)
    )
    for (const {
      body: { eventId }
    } of found) {
      const times = receiver.times.get(eventId) ?? 0
      assert.isAtMost(times, requests)
      assert.isAtLeast(times, least ?? requests)
    }
    const resourceOf = new Map(
      found.map(({ body: { eventId, request } }) => [
        eventId,
        (JSON.parse(request.body) as { readonly resource_id: string }).resource_id
      ])
    )
    assert.deepStrictEqual([...resourceOf.values()].toSorted(), people.map((person) => person.id).toSorted())
    for (const request of receiver.received) {
      assert.strictEqual(verified(request).resource_id, resourceOf.get(String(request.headers["webhook-id"])))
    }
  })

  const webhook = Effect.map(ask<Webhook>("GET", `${webhooks}/${id}`), ({ body }) => body)

  return { teamId, token, ask, add, webhook, assertAll, receiver }
})
