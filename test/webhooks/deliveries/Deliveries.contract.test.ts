import * as Transaction from "../../../src/platform/db/Transaction.ts"
import * as Id from "../../../src/core/Id.ts"
import * as Receiver from "../../core/outbound/Receiver.ts"
import { assert, describe, layer } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { Webhook as Verifier } from "standardwebhooks"
import { vi } from "vitest"
import { Database } from "../../../src/platform/db/Database.ts"
import { Worker } from "../../../src/platform/jobs/Worker.ts"
import { Dispatcher } from "../../../src/webhooks/deliveries/Dispatcher.ts"
import { advance } from "../../support/advance.ts"
import { resumeDeliveries } from "../../../workers/handlers.ts"
import { store } from "../../support/TestDatabase.ts"
import { fanOut } from "../fanOut.ts"
import { aTeam, jitter, nameServers, serviceWithWorker } from "../fixture.ts"

const drain = Effect.flatMap(Worker, (worker) => worker.drain)

/** A receiver that responds with the current `answer.status` and these headers. */
const aReceiver = Effect.fnUntraced(function* (status = 204, headers: Record<string, string> = {}) {
  const answer = { status, headers }
  const receiver = yield* Receiver.make((response) => response.writeHead(answer.status, answer.headers).end())
  return { answer, received: receiver.received, url: `http://hooks.example.com:${receiver.port}/in` }
})

/** A team with a webhook for `contact.created` and a receiver. */
const aSubscriber = Effect.fnUntraced(function* (status = 204) {
  const receiver = yield* aReceiver(status)
  const team = yield* aTeam()
  const webhook = (yield* team.subscribe({ url: receiver.url, events: ["contact.created"] })).value
  return { receiver, team, webhook, log: Effect.map(team.log(webhook.id), ({ data }) => data) }
})

const secondsOf = (request: Receiver.Received) => Number(request.headers["webhook-timestamp"])

const waits = (received: ReadonlyArray<Receiver.Received>) =>
  received.slice(1).map((request, index) => secondsOf(request) - secondsOf(received[index]!))

const resourceOf = (request: Receiver.Received | undefined): unknown =>
  JSON.parse(request?.body.toString() ?? "{}").resource_id

const resources = (received: ReadonlyArray<Receiver.Received>) => received.map(resourceOf).sort()

/** Verifies a request at a time with the reference implementation of Standard Webhooks. */
const verified = (secret: string, request: Receiver.Received, at: number): unknown => {
  vi.setSystemTime(at)
  try {
    return new Verifier(secret).verify(request.body, {
      "webhook-id": String(request.headers["webhook-id"]),
      "webhook-timestamp": String(request.headers["webhook-timestamp"]),
      "webhook-signature": String(request.headers["webhook-signature"])
    })
  } finally {
    vi.useRealTimers()
  }
}

const thirtySixHours = "36 hours"

interface Committed {
  readonly teamId: string
  readonly transactionId: string
  readonly at: Date
}

/** The transaction of an event, as in the payload of the fan-out job. */
const committed = (event: Committed | undefined) => ({
  teamId: event?.teamId ?? "",
  transactionId: event?.transactionId ?? "",
  at: event?.at.toISOString() ?? ""
})

/** The transactions of a team's events, in their order. */
const transactionsOf = Effect.fnUntraced(function* (teamId: string) {
  const sql = yield* Database
  return yield* sql<Committed>`
    select team_id as "teamId", transaction_id::text as "transactionId", occurred_at as at from events where team_id = ${teamId} order by seq`
})

/** Fans all events of a team out again. */
const fanOutAgain = Effect.fnUntraced(function* (teamId: string) {
  const sql = yield* Database
  yield* sql`delete from deliveries where team_id = ${teamId}`
  for (const event of yield* transactionsOf(teamId)) yield* fanOut(committed(event))
  yield* drain
})

/** A paused webhook with waiting deliveries, created a millisecond apart, and queries for them. */
const aBacklog = Effect.fnUntraced(function* (size: number) {
  const sql = yield* Database
  const { receiver, team, webhook } = yield* aSubscriber()
  const id = Id.toUuid("webhook", webhook.id) ?? ""
  yield* team.patch(webhook.id, { status: "paused" })
  const events = yield* sql<{ id: string }>`
    insert into events (id, transaction_id, team_id, message_id, type, resource_type, resource_id, occurred_at, body)
    select gen_random_uuid(), pg_current_xact_id(), ${team.teamId}::uuid, 'msg_' || gen_random_uuid(), 'contact.created',
      'contact', gen_random_uuid(), now(), '{}'
    from generate_series(1, ${size})
    returning id`
  yield* sql`
    insert into deliveries (id, team_id, webhook_id, event_id, event_type, status, created_at)
    select gen_random_uuid(), ${team.teamId}::uuid, ${id}::uuid, id, 'contact.created', 'pending',
      now() + row_number() over () * interval '1 millisecond'
    from unnest(${events.map((event) => event.id)}::uuid[]) as inserted (id)`
  return {
    receiver,
    team,
    webhook,
    id,
    /** Writes the status only, by SQL. */
    setStatus: (status: string) => sql`update webhooks set status = ${status} where id = ${id}`,
    /** How many deliveries are due, how many of those are the oldest, and the jobs. */
    progress: Effect.map(
      sql<{ due: number; oldest: number; attempts: number; resumptions: number }>`
        select
          (select count(*)::int from deliveries where webhook_id = ${id} and next_attempt_at is not null) as due,
          (select count(*)::int from (
            select next_attempt_at from deliveries where webhook_id = ${id} order by created_at limit 1000
          ) as first where next_attempt_at is not null) as oldest,
          (select count(*)::int from deliveries where webhook_id = ${id} and claimed) as attempts,
          (select count(*)::int from graphile_worker.jobs
            where task_identifier = 'webhooks/resume' and key = ${`resume:${id}`}) as resumptions`,
      ([row]) => row
    ),
    /** The number of requests, and of different messages in them. */
    requestCounts: Effect.sync(() => [
      receiver.received.length,
      new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size
    ])
  }
})

layer(serviceWithWorker)("Deliveries", (it) => {
  describe("a delivery", () => {
    it.effect("posts the stored bytes of the event, signed, and is logged", () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const { log, receiver, team, webhook } = yield* aSubscriber()
        const contact = yield* team.addContact
        yield* drain
        assert.lengthOf(receiver.received, 1)
        const request = receiver.received[0]!
        const now = yield* Clock.currentTimeMillis
        const payload = verified(webhook.secret, request, now)
        assert.deepInclude(payload, { event: "contact.created", resource_type: "contact", resource_id: contact.id })
        const [event] = yield* sql<{ body: string; message_id: string }>`
          select body, message_id from events where team_id = ${team.teamId}`
        assert.strictEqual(request.body.toString(), event?.body)
        assert.deepInclude(request.headers, {
          "content-type": "application/json",
          "webhook-id": event?.message_id,
          "x-service-event": "contact.created"
        })
        const [delivery] = yield* log
        assert.deepInclude(delivery, {
          eventId: event?.message_id ?? "",
          eventType: "contact.created",
          status: "delivered",
          attemptCount: 1,
          lastStatusCode: 204,
          lastError: null,
          createdUtc: new Date(now).toISOString(),
          lastAttemptUtc: new Date(now).toISOString(),
          deliveredUtc: new Date(now).toISOString()
        })
        assert.match(delivery?.id ?? "", /^dlv_/)
      })
    )

    it.effect("does not verify with another secret or another body", () =>
      Effect.gen(function* () {
        const { receiver, team, webhook } = yield* aSubscriber()
        const other = (yield* team.subscribe({ url: receiver.url, events: ["link.created"] })).value
        yield* team.addContact
        yield* drain
        const request = receiver.received[0]!
        const now = yield* Clock.currentTimeMillis
        assert.throws(() => verified(other.secret, request, now))
        assert.throws(() => verified(webhook.secret, { ...request, body: Buffer.from(`${request.body} `) }, now))
        assert.throws(() => verified(webhook.secret, request, now + 301_000))
      })
    )

    it.effect("is attempted nine times with the documented delays, and is then exhausted", () =>
      Effect.gen(function* () {
        const { log, receiver, team, webhook } = yield* aSubscriber(500)
        yield* team.addContact
        yield* drain
        assert.deepInclude((yield* log)[0], {
          status: "failed",
          attemptCount: 1,
          lastStatusCode: 500,
          lastError: "The receiver answered 500."
        })
        yield* advance(thirtySixHours)
        assert.deepStrictEqual(waits(receiver.received), [3, 10, 30, 300, 1800, 7200, 28_800, 86_400])
        assert.deepInclude((yield* log)[0], { status: "exhausted", attemptCount: 9, deliveredUtc: null })
        assert.deepInclude(yield* team.webhook(webhook.id), { status: "active", consecutiveExhausted: 1 })
        // The same message every time, with a new signature.
        assert.lengthOf(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])), 1)
        assert.lengthOf(new Set(receiver.received.map(({ headers }) => headers["webhook-signature"])), 9)
        assert.lengthOf(new Set(receiver.received.map(({ body }) => body.toString())), 1)
        yield* advance(thirtySixHours)
        assert.lengthOf(receiver.received, 9)
      })
    )

    it.effect("adds up to a tenth of random jitter to each delay", () =>
      Effect.gen(function* () {
        jitter.value = 0.5
        const { receiver, team } = yield* aSubscriber(500)
        yield* team.addContact
        yield* advance("7 minutes")
        jitter.value = 0
        const sql = yield* Database
        const rows = yield* sql<{ started_at: Date }>`
          select started_at from delivery_attempts a join deliveries d on d.id = a.delivery_id
          where d.team_id = ${team.teamId} order by number`
        const starts = rows.map((row) => row.started_at.getTime())
        assert.deepStrictEqual(
          starts.slice(1).map((start, index) => start - starts[index]!),
          [3150, 10_500, 31_500, 315_000]
        )
        receiver.answer.status = 204
        yield* advance(thirtySixHours)
      })
    )

    it.effect("respects Retry-After", () =>
      Effect.gen(function* () {
        const { receiver, team } = yield* aSubscriber(503)
        receiver.answer.headers = { "retry-after": "3600" }
        yield* team.addContact
        yield* drain
        receiver.answer.status = 200
        yield* advance("2 hours")
        assert.deepStrictEqual(waits(receiver.received), [3600])
      })
    )

    it.effect("succeeds on a later attempt, and its log keeps every attempt", () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const { log, receiver, team } = yield* aSubscriber(503)
        yield* team.addContact
        yield* advance("5 seconds")
        receiver.answer.status = 200
        yield* advance("10 minutes")
        assert.deepInclude((yield* log)[0], {
          status: "delivered",
          attemptCount: 3,
          lastStatusCode: 200,
          lastError: null
        })
        assert.deepStrictEqual(
          yield* sql`
            select number, status_code, error from delivery_attempts a join deliveries d on d.id = a.delivery_id
            where d.team_id = ${team.teamId} order by number`,
          [
            { number: 1, status_code: 503, error: "The receiver answered 503." },
            { number: 2, status_code: 503, error: "The receiver answered 503." },
            { number: 3, status_code: 200, error: null }
          ]
        )
      })
    )

    it.effect("is retried if the connection fails", () =>
      Effect.gen(function* () {
        const { log, team, webhook } = yield* aSubscriber()
        // Nothing listens on this port.
        yield* team.patch(webhook.id, { url: "http://127.0.0.1:1/" })
        yield* team.addContact
        yield* advance("3 seconds")
        assert.deepInclude((yield* log)[0], {
          status: "failed",
          attemptCount: 2,
          lastStatusCode: null,
          lastError: "The receiver refused the connection (ECONNREFUSED)."
        })
        yield* team.unsubscribe(webhook.id)
        yield* advance(thirtySixHours)
      })
    )

    it.effect("that the service cannot make counts for nothing, and is made when the service can", () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const { log, receiver, team, webhook } = yield* aSubscriber()
        yield* Effect.acquireRelease(
          Effect.sync(() => void (nameServers.areAway = true)),
          () => Effect.sync(() => void (nameServers.areAway = false))
        )
        yield* team.addContact
        yield* advance("2 hours")
        assert.deepInclude((yield* log)[0], {
          status: "pending",
          attemptCount: 0,
          lastStatusCode: null,
          lastError: "The name servers of the service do not answer.",
          lastDurationMs: null
        })
        const { consecutiveExhausted, health, status } = yield* team.webhook(webhook.id)
        assert.deepStrictEqual([status, consecutiveExhausted], ["active", 0])
        assert.strictEqual(health.lastFailure?.error, "The name servers of the service do not answer.")
        assert.deepStrictEqual([health.status, health.delivered24h, health.p95Ms], ["late", 0, null])
        nameServers.areAway = false
        yield* advance("5 minutes")
        assert.lengthOf(receiver.received, 1)
        assert.deepInclude((yield* log)[0], { status: "delivered", attemptCount: 1, lastError: null })
        const after = (yield* team.webhook(webhook.id)).health
        assert.deepStrictEqual([after.status, after.delivered24h], ["healthy", 1])
        // It is attempted at growing intervals, and not shown as an attempt: no request was made.
        const attempts = yield* sql<{ number: number }>`
          select number from delivery_attempts a join deliveries d on d.id = a.delivery_id where d.team_id = ${team.teamId}`
        assert.lengthOf(attempts, 1)
        assert.isAbove(attempts[0]?.number ?? 0, 20)
        assert.isBelow(attempts[0]?.number ?? 0, 40)
      }).pipe(Effect.scoped)
    )

    it.effect("whose secret does not open disables nothing, though all others failed", () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const { log, receiver, team, webhook } = yield* aSubscriber(500)
        for (let count = 0; count < 10; count++) yield* team.addContact
        yield* drain
        const id = Id.toUuid("webhook", webhook.id) ?? ""
        // The next attempt would be the last one.
        yield* sql`update deliveries set attempt_count = 8 where webhook_id = ${id}`
        const [stored] = yield* sql<{
          sealed: Uint8Array
        }>`select secret_sealed as sealed from webhooks where id = ${id}`
        yield* sql`update webhooks set secret_sealed = set_byte(secret_sealed, 2, get_byte(secret_sealed, 2) # 1) where id = ${id}`
        yield* advance("1 hour")
        assert.lengthOf(receiver.received, 10)
        for (const delivery of yield* log) {
          assert.deepInclude(delivery, {
            status: "failed",
            attemptCount: 8,
            lastError: "The service could not make the request."
          })
        }
        assert.deepInclude(yield* team.webhook(webhook.id), { status: "active", consecutiveExhausted: 0 })
        yield* sql`update webhooks set secret_sealed = ${stored?.sealed ?? new Uint8Array()} where id = ${id}`
        receiver.answer.status = 204
        yield* advance("6 minutes")
        assert.lengthOf(receiver.received, 20)
        assert.isTrue((yield* log).every(({ status }) => status === "delivered"))
      })
    )

    it.effect("is not retried after a 4xx, not even when its webhook is paused and activated again", () =>
      Effect.gen(function* () {
        const { log, receiver, team, webhook } = yield* aSubscriber(400)
        yield* team.addContact
        yield* advance(thirtySixHours)
        yield* team.patch(webhook.id, { status: "paused" })
        yield* team.patch(webhook.id, { status: "active" })
        yield* advance(thirtySixHours)
        assert.lengthOf(receiver.received, 1)
        assert.deepInclude((yield* log)[0], { status: "failed", attemptCount: 1, lastStatusCode: 400 })
        assert.deepInclude(yield* team.webhook(webhook.id), { status: "active", consecutiveExhausted: 0 })
      })
    )

    it.effect("is created and attempted once, even if its jobs run several times", () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const dispatcher = yield* Dispatcher
        const { log, receiver, team } = yield* aSubscriber()
        yield* team.addContact
        yield* drain
        const [event] = yield* sql<Committed>`
          select team_id as "teamId", transaction_id::text as "transactionId", occurred_at as at from events where team_id = ${team.teamId}`
        yield* fanOut(committed(event))
        yield* dispatcher.due({ teamId: team.teamId, at: new Date(yield* Clock.currentTimeMillis).toISOString() })
        yield* advance(thirtySixHours)
        assert.lengthOf(yield* log, 1)
        assert.lengthOf(receiver.received, 1)
      })
    )

    it.effect("is recorded and retried once if two workers attempt it concurrently", () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const dispatcher = yield* Dispatcher
        const { receiver, team } = yield* aSubscriber(500)
        yield* team.addContact
        const [event] = yield* sql<Committed>`
          select team_id as "teamId", transaction_id::text as "transactionId", occurred_at as at from events where team_id = ${team.teamId}`
        yield* fanOut(committed(event))
        const [delivery] = yield* sql<{ id: string }>`select id from deliveries where team_id = ${team.teamId}`
        const job = { teamId: team.teamId, at: new Date(yield* Clock.currentTimeMillis).toISOString() }
        yield* Effect.all([dispatcher.due(job), dispatcher.due(job)], { concurrency: "unbounded" })
        yield* drain
        const before = receiver.received.length
        yield* advance("3 seconds")
        assert.lengthOf(receiver.received, before + 1)
        const rows = yield* sql<{ number: number }>`
          select number from delivery_attempts where delivery_id = ${delivery?.id ?? ""} order by number`
        assert.deepStrictEqual(
          rows.map(({ number }) => number),
          [1, 2]
        )
        receiver.answer.status = 204
        yield* advance(thirtySixHours)
      })
    )
  })

  describe("a webhook", () => {
    it.effect("receives only events of its own team and of the types that it subscribes to", () =>
      Effect.gen(function* () {
        const one = yield* aSubscriber()
        const other = yield* aSubscriber()
        const contact = yield* one.team.addContact
        yield* one.team.renameContact(contact.id, "Other")
        yield* drain
        assert.deepStrictEqual(resources(one.receiver.received), [contact.id])
        assert.isEmpty(other.receiver.received)
      })
    )

    it.effect.runIf(store === "postgres")(
      "is disabled by the tenth exhausted delivery in a row, and its queued deliveries wait",
      () =>
        Effect.gen(function* () {
          const { log, receiver, team, webhook } = yield* aSubscriber(500)
          yield* Effect.replicateEffect(team.addContact, 10)
          yield* advance("1 minute")
          // This one has attempts left when the others have none.
          const late = yield* team.addContact
          yield* advance(thirtySixHours)
          const disabled = yield* team.webhook(webhook.id)
          assert.deepInclude(disabled, {
            status: "disabled",
            disabledReason: "deliveries_exhausted",
            consecutiveExhausted: 10,
            changeOrigin: "system",
            changeType: "updated"
          })
          assert.notStrictEqual(disabled.etag, webhook.etag)
          assert.lengthOf(
            (yield* log).filter(({ status }) => status === "exhausted"),
            10
          )
          assert.lengthOf(receiver.received, 10 * 9 + 8)

          const meanwhile = yield* team.addContact
          yield* advance(thirtySixHours)
          assert.lengthOf(receiver.received, 10 * 9 + 8)
          assert.deepStrictEqual(
            (yield* log).slice(0, 2).map(({ status }) => status),
            ["pending", "failed"]
          )

          receiver.answer.status = 200
          const reactivated = yield* team.patch(webhook.id, { status: "active" })
          assert.deepInclude(reactivated, {
            status: "active",
            consecutiveExhausted: 0,
            disabledReason: null,
            disabledUtc: null
          })
          yield* drain
          assert.deepStrictEqual(resources(receiver.received.slice(-2)), [late.id, meanwhile.id].sort())
          assert.deepStrictEqual(
            (yield* log).slice(0, 2).map(({ status }) => status),
            ["delivered", "delivered"]
          )
          assert.lengthOf(receiver.received, 10 * 9 + 10)
        })
    )

    it.effect.runIf(store === "postgres")("resets the count of exhausted deliveries after a success", () =>
      Effect.gen(function* () {
        const { receiver, team, webhook } = yield* aSubscriber(500)
        yield* Effect.replicateEffect(team.addContact, 9)
        yield* advance(thirtySixHours)
        assert.deepInclude(yield* team.webhook(webhook.id), { status: "active", consecutiveExhausted: 9 })
        receiver.answer.status = 200
        yield* team.addContact
        yield* drain
        assert.deepInclude(yield* team.webhook(webhook.id), { status: "active", consecutiveExhausted: 0 })
        receiver.answer.status = 500
        yield* team.addContact
        yield* advance(thirtySixHours)
        assert.deepInclude(yield* team.webhook(webhook.id), { status: "active", consecutiveExhausted: 1 })
      })
    )

    it.effect("is disabled at once by a 410, and its deliveries are sent after the activation", () =>
      Effect.gen(function* () {
        const { log, receiver, team, webhook } = yield* aSubscriber(410)
        yield* team.addContact
        yield* drain
        const now = new Date(yield* Clock.currentTimeMillis).toISOString()
        assert.deepInclude(yield* team.webhook(webhook.id), {
          status: "disabled",
          disabledReason: "receiver_gone",
          disabledUtc: now
        })
        assert.deepInclude((yield* log)[0], { status: "failed", attemptCount: 1, lastStatusCode: 410 })
        const meanwhile = yield* team.addContact
        yield* advance(thirtySixHours)
        assert.lengthOf(receiver.received, 1)
        receiver.answer.status = 204
        yield* team.patch(webhook.id, { status: "active" })
        yield* advance(thirtySixHours)
        assert.deepStrictEqual(receiver.received.slice(1).map(resourceOf), [meanwhile.id])
      })
    )

    it.effect("collects deliveries while it is paused, and gets each once after the activation", () =>
      Effect.gen(function* () {
        const { log, receiver, team, webhook } = yield* aSubscriber()
        yield* team.patch(webhook.id, { status: "paused" })
        const contacts = [yield* team.addContact, yield* team.addContact]
        yield* advance(thirtySixHours)
        assert.isEmpty(receiver.received)
        assert.deepStrictEqual(
          (yield* log).map(({ attemptCount, status }) => [status, attemptCount]),
          [
            ["pending", 0],
            ["pending", 0]
          ]
        )
        yield* team.patch(webhook.id, { status: "active" })
        yield* advance(thirtySixHours)
        assert.deepStrictEqual(resources(receiver.received), contacts.map(({ id }) => id).sort())
      })
    )

    it.effect("paused between two attempts, gets the next attempt once after the activation", () =>
      Effect.gen(function* () {
        const { log, receiver, team, webhook } = yield* aSubscriber(500)
        yield* team.addContact
        yield* advance("1 minute")
        assert.lengthOf(receiver.received, 4)
        yield* team.patch(webhook.id, { status: "paused" })
        receiver.answer.status = 204
        yield* advance("1 minute")
        // Long before the fifth attempt was due.
        yield* team.patch(webhook.id, { status: "active" })
        yield* drain
        assert.lengthOf(receiver.received, 5)
        assert.deepInclude((yield* log)[0], { status: "delivered", attemptCount: 5 })
        yield* advance(thirtySixHours)
        assert.lengthOf(receiver.received, 5)
      })
    )

    it.effect("activated during a fan-out, misses no event", () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const { receiver, team, webhook } = yield* aSubscriber()
        for (let round = 1; round <= 10; round++) {
          yield* team.patch(webhook.id, { status: "paused" })
          const contact = yield* team.addContact
          yield* drain
          yield* sql`delete from deliveries where team_id = ${team.teamId}`
          const [event] = yield* sql<Committed>`
            select team_id as "teamId", transaction_id::text as "transactionId", occurred_at as at from events where team_id = ${team.teamId}
            order by seq desc limit 1`
          yield* Effect.all([team.patch(webhook.id, { status: "active" }), fanOut(committed(event))], {
            concurrency: "unbounded"
          })
          yield* drain
          assert.deepStrictEqual(resourceOf(receiver.received[round - 1]), contact.id)
          assert.lengthOf(receiver.received, round)
        }
      })
    )

    it.effect("receives events of a type from the time of its subscription, however late the fan-out is", () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const { log, receiver, team, webhook } = yield* aSubscriber()
        const contact = yield* team.addContact
        yield* team.renameContact(contact.id, "Before")
        yield* drain
        yield* advance("1 second")
        yield* team.patch(webhook.id, { events: ["contact.updated"] })
        yield* sql`delete from deliveries where team_id = ${team.teamId}`
        const events = yield* sql<Committed>`
          select team_id as "teamId", transaction_id::text as "transactionId", occurred_at as at from events where team_id = ${team.teamId} order by seq`
        for (const event of events) yield* fanOut(committed(event))
        yield* drain
        assert.deepStrictEqual(
          (yield* log).map(({ eventType }) => eventType),
          ["contact.created"]
        )

        yield* advance("1 second")
        yield* team.addContact
        yield* team.renameContact(contact.id, "After")
        yield* drain
        assert.deepStrictEqual(
          (yield* log).map(({ eventType }) => eventType),
          ["contact.updated", "contact.created"]
        )
        assert.strictEqual(receiver.received.at(-1)?.headers["x-service-event"], "contact.updated")
      })
    )

    it.effect("orders events and changes of its subscription within one millisecond by their transactions", () =>
      Effect.gen(function* () {
        const { log, team, webhook } = yield* aSubscriber()
        const before = yield* team.addContact
        const late = (yield* team.subscribe({ url: webhook.url, events: ["contact.created"] })).value
        yield* team.patch(webhook.id, { events: ["contact.deleted"] })
        yield* team.addContact
        yield* team.patch(webhook.id, { events: ["contact.created"] })
        yield* team.addContact
        yield* drain
        yield* fanOutAgain(team.teamId)
        assert.lengthOf(yield* log, 2)
        assert.lengthOf((yield* team.log(late.id)).data, 2)
        const sql = yield* Database
        const got = yield* sql<{ id: string }>`
          select resource_id as id from deliveries d join events e on e.id = d.event_id
          where d.webhook_id = ${Id.toUuid("webhook", webhook.id) ?? ""}`
        assert.include(
          got.map(({ id }) => Id.fromUuid("contact", id)),
          before.id
        )
      })
    )

    it.effect("misses no event after a restored database has started its transaction ids again", () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const { log, team, webhook } = yield* aSubscriber()
        yield* sql`update webhook_subscriptions set from_transaction = '900000000000' where team_id = ${team.teamId}`
        yield* advance("1 millis")
        yield* team.addContact
        yield* drain
        assert.lengthOf(yield* log, 1)
        yield* sql`update events set transaction_id = '900000000001' where team_id = ${team.teamId}`
        yield* advance("1 millis")
        yield* team.patch(webhook.id, { events: ["contact.deleted"] })
        yield* fanOutAgain(team.teamId)
        assert.lengthOf(yield* log, 1)
      })
    )

    it.effect.runIf(store === "postgres")(
      "enqueues one job for all waiting deliveries when it is activated, and that job sends them",
      () =>
        Effect.gen(function* () {
          const backlog = yield* aBacklog(50)
          const progress = yield* Transaction.run(
            Effect.gen(function* () {
              yield* backlog.team.patch(backlog.webhook.id, { status: "active" })
              yield* backlog.team.patch(backlog.webhook.id, { status: "paused" })
              yield* backlog.team.patch(backlog.webhook.id, { status: "active" })
              return yield* backlog.progress
            })
          )
          assert.deepStrictEqual(progress, { due: 0, oldest: 0, attempts: 0, resumptions: 1 })
          yield* drain
          assert.deepStrictEqual(yield* backlog.requestCounts, [50, 50])
        })
    )

    it.effect.runIf(store === "postgres")(
      "has its held deliveries made due in batches of a thousand, the oldest first",
      () =>
        Effect.gen(function* () {
          const sql = yield* Database
          const dispatcher = yield* Dispatcher
          const backlog = yield* aBacklog(1001)
          yield* backlog.setStatus("active")
          const progress = yield* Transaction.run(
            Effect.gen(function* () {
              yield* dispatcher.resumeSome({ webhookId: backlog.id, teamId: backlog.team.teamId })
              const progress = yield* backlog.progress
              // Five of those that wait for a slot are enough.
              yield* sql`
            delete from deliveries where webhook_id = ${backlog.id} and not claimed and id not in (
              select id from deliveries where webhook_id = ${backlog.id} and not claimed order by created_at desc limit 5
            )`
              return progress
            })
          )
          assert.deepStrictEqual(progress, { due: 1000, oldest: 1000, attempts: 10, resumptions: 1 })
          yield* drain
          assert.deepStrictEqual(yield* backlog.requestCounts, [15, 15])
          assert.deepInclude(yield* backlog.progress, { attempts: 0, resumptions: 0 })
        })
    )

    it.effect.runIf(store === "postgres")("keeps its backlog if it is no longer active when the job runs", () =>
      Effect.gen(function* () {
        const dispatcher = yield* Dispatcher
        const backlog = yield* aBacklog(30)
        yield* dispatcher.resumeSome({ webhookId: backlog.id, teamId: backlog.team.teamId })
        assert.deepStrictEqual(yield* backlog.progress, { due: 0, oldest: 0, attempts: 0, resumptions: 0 })
        yield* backlog.team.patch(backlog.webhook.id, { status: "active" })
        yield* backlog.team.patch(backlog.webhook.id, { status: "paused" })
        yield* drain
        yield* backlog.team.patch(backlog.webhook.id, { status: "active" })
        yield* drain
        assert.deepStrictEqual(yield* backlog.requestCounts, [30, 30])
      })
    )

    it.effect("gets its backlog once if two workers resume it concurrently", () =>
      Effect.gen(function* () {
        const dispatcher = yield* Dispatcher
        const backlog = yield* aBacklog(50)
        yield* backlog.setStatus("active")
        const job = dispatcher.resumeSome({ webhookId: backlog.id, teamId: backlog.team.teamId })
        yield* Effect.all([job, job, job], { concurrency: "unbounded" })
        yield* drain
        assert.deepStrictEqual(yield* backlog.requestCounts, [50, 50])
      })
    )

    it.effect("keeps its backlog if the job names another team", () =>
      Effect.gen(function* () {
        const backlog = yield* aBacklog(30)
        const { teamId } = yield* aTeam()
        yield* backlog.setStatus("active")
        yield* resumeDeliveries.run({ webhookId: backlog.id, teamId })
        yield* drain
        assert.deepStrictEqual(yield* backlog.requestCounts, [0, 0])
      })
    )

    it.effect("keeps the retry time of deliveries that fail after the activation", () =>
      Effect.gen(function* () {
        const dispatcher = yield* Dispatcher
        const backlog = yield* aBacklog(3)
        backlog.receiver.answer.status = 500
        yield* backlog.team.patch(backlog.webhook.id, { status: "active" })
        yield* drain
        assert.deepStrictEqual(yield* backlog.requestCounts, [3, 3])
        yield* dispatcher.resumeSome({ webhookId: backlog.id, teamId: backlog.team.teamId })
        yield* drain
        assert.deepStrictEqual(yield* backlog.requestCounts, [3, 3])
        backlog.receiver.answer.status = 204
        yield* advance("3 seconds")
        assert.deepStrictEqual(yield* backlog.requestCounts, [6, 3])
      })
    )

    it.effect("activated while an attempt finds it paused, gets that attempt", () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const dispatcher = yield* Dispatcher
        const backlog = yield* aBacklog(10)
        const waiting = yield* sql<{ id: string }>`select id from deliveries where webhook_id = ${backlog.id}`
        for (const { id } of waiting) {
          yield* sql`update deliveries set next_attempt_at = created_at where id = ${id}`
          yield* Effect.all(
            [
              backlog.team.patch(backlog.webhook.id, { status: "active" }),
              dispatcher.due({
                teamId: backlog.team.teamId,
                at: new Date(yield* Clock.currentTimeMillis).toISOString()
              })
            ],
            { concurrency: "unbounded" }
          )
          yield* drain
          assert.deepStrictEqual(yield* sql`select status from deliveries where id = ${id}`, [{ status: "delivered" }])
          yield* backlog.team.patch(backlog.webhook.id, { status: "paused" })
        }
        assert.deepStrictEqual(yield* backlog.requestCounts, [10, 10])
      })
    )

    it.effect("does not change its waiting deliveries when it is deleted", () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const backlog = yield* aBacklog(3)
        yield* sql`update deliveries set next_attempt_at = created_at where webhook_id = ${backlog.id}`
        yield* backlog.team.unsubscribe(backlog.webhook.id)
        assert.deepInclude(yield* backlog.progress, { due: 3 })
        yield* drain
        assert.deepStrictEqual(yield* backlog.requestCounts, [0, 0])
      })
    )

    it.effect("gets the next attempt at its new URL", () =>
      Effect.gen(function* () {
        const { receiver, team, webhook } = yield* aSubscriber(500)
        const moved = yield* aReceiver()
        yield* team.addContact
        yield* drain
        yield* team.patch(webhook.id, { url: moved.url })
        yield* advance("3 seconds")
        assert.lengthOf(receiver.received, 1)
        assert.lengthOf(moved.received, 1)
      })
    )

    it.effect("receives nothing after its deletion", () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const { receiver, team, webhook } = yield* aSubscriber(500)
        yield* team.addContact
        yield* advance("5 seconds")
        assert.lengthOf(receiver.received, 2)
        yield* team.unsubscribe(webhook.id)
        yield* team.addContact
        yield* advance(thirtySixHours)
        assert.lengthOf(receiver.received, 2)
        assert.deepStrictEqual(
          yield* sql`
            select count(*)::int as count, count(*) filter (where claimed)::int as claimed from deliveries
            where team_id = ${team.teamId}`,
          [{ count: 1, claimed: 0 }]
        )
      })
    )

    it.effect("gets no further attempt after a deletion during an attempt", () =>
      Effect.gen(function* () {
        const { receiver, team, webhook } = yield* aSubscriber(500)
        const gate = Promise.withResolvers<void>()
        const slow = yield* Receiver.make((response) => void gate.promise.then(() => response.writeHead(500).end()))
        yield* team.patch(webhook.id, { url: `http://hooks.example.com:${slow.port}/` })
        yield* team.addContact
        yield* slow.untilReceived(1)
        yield* team.unsubscribe(webhook.id)
        gate.resolve()
        yield* advance(thirtySixHours)
        assert.lengthOf(slow.received, 1)
        assert.isEmpty(receiver.received)
      })
    )
  })

  describe("the log", () => {
    it.effect("returns pages, the newest first, and applies filters", () =>
      Effect.gen(function* () {
        const { receiver, team, webhook } = yield* aSubscriber()
        yield* team.patch(webhook.id, { events: ["contact.created", "contact.deleted"] })
        for (let index = 0; index < 5; index++) {
          yield* advance("1 second")
          yield* team.addContact
        }
        yield* advance("1 second")
        receiver.answer.status = 400
        yield* team.removeContact((yield* team.addContact).id)
        yield* drain
        const whole = (yield* team.log(webhook.id)).data
        assert.lengthOf(whole, 7)
        const times = whole.map(({ createdUtc }) => createdUtc)
        assert.deepStrictEqual(times, [...times].sort().reverse())

        const first = yield* team.log(webhook.id, { page_size: 3 })
        assert.deepInclude(first.page, { hasMore: true, pageSize: 3 })
        const second = yield* team.log(webhook.id, { limit: 4, cursor: first.page.nextCursor ?? "" })
        assert.deepStrictEqual([...first.data, ...second.data], whole)
        assert.deepStrictEqual(second.page, { hasMore: false, nextCursor: null, pageSize: 4 })

        assert.deepStrictEqual(yield* team.log(webhook.id, { page_size: 3, limit: 3 }), first)
        const different = yield* Effect.flip(team.log(webhook.id, { page_size: 3, limit: 4 }))
        assert.strictEqual(different._tag, "InvalidRequest")

        const ids = (query: Parameters<typeof team.log>[1]) =>
          Effect.map(team.log(webhook.id, query), ({ data }) => data.map(({ id }) => id))
        assert.lengthOf(yield* ids({ status: "delivered" }), 5)
        assert.lengthOf(yield* ids({ status: "failed" }), 2)
        assert.lengthOf(yield* ids({ event_type: "contact.deleted", status: "failed" }), 1)
        assert.lengthOf(yield* ids({ last_error: "The receiver answered 400." }), 2)
        assert.lengthOf(yield* ids({ last_error: "The receiver answered 40." }), 0)
        const third = whole.at(-3)!
        assert.lengthOf(yield* ids({ created_after: third.createdUtc }), 5)
        assert.lengthOf(yield* ids({ created_before: third.createdUtc }), 2)
        const crossed = yield* Effect.flip(
          team.log(webhook.id, { created_after: whole[0]!.createdUtc, created_before: third.createdUtc })
        )
        assert.strictEqual(crossed._tag, "InvalidRequest")
        const misused = yield* Effect.flip(
          team.log(webhook.id, { status: "failed", cursor: first.page.nextCursor ?? "" })
        )
        assert.strictEqual(misused._tag, "InvalidCursor")
      })
    )

    it.effect("finds deliveries by a text in their body, in any case, page by page", () =>
      Effect.gen(function* () {
        const { team, webhook } = yield* aSubscriber()
        yield* team.patch(webhook.id, { events: ["contact.created", "contact.updated"] })
        const one = yield* team.addContact
        yield* team.addContact
        yield* advance("1 second")
        yield* team.renameContact(one.id, "Renamed")
        yield* drain
        const found = yield* team.log(webhook.id, { body_contains: one.id.toUpperCase() })
        assert.deepStrictEqual(
          found.data.map(({ eventType }) => eventType),
          ["contact.updated", "contact.created"]
        )
        assert.deepStrictEqual(found.page, { nextCursor: null, pageSize: 20, hasMore: false })
        const first = yield* team.log(webhook.id, { body_contains: one.id, page_size: 1 })
        const second = yield* team.log(webhook.id, {
          body_contains: one.id,
          page_size: 1,
          cursor: first.page.nextCursor ?? ""
        })
        assert.deepStrictEqual([...first.data, ...second.data], found.data)
        assert.isFalse(second.page.hasMore)
        assert.isEmpty((yield* team.log(webhook.id, { body_contains: "100%" })).data)
        const misused = yield* Effect.flip(
          team.log(webhook.id, { body_contains: "other", cursor: first.page.nextCursor ?? "" })
        )
        assert.strictEqual(misused._tag, "InvalidCursor")
      })
    )

    it.effect("returns 404 for a webhook of another team", () =>
      Effect.gen(function* () {
        const { webhook } = yield* aSubscriber()
        const stranger = yield* aTeam()
        assert.strictEqual((yield* Effect.flip(stranger.log(webhook.id)))._tag, "NotFound")
        const invited = yield* aTeam({ membership: "pending" })
        assert.strictEqual((yield* Effect.flip(invited.log(webhook.id)))._tag, "MembershipPending")
      })
    )
  })
})
