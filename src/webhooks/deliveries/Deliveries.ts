/** The use-cases of deliveries: the log, and the worker's part, from a committed event to its last attempt. */
import { Clock, Context, Duration, Effect, Layer, Random } from "effect"
import { authorize } from "../../auth/CurrentActor.ts"
import { Database } from "../../db/Database.ts"
import * as Transaction from "../../db/Transaction.ts"
import { parseTimestamp } from "../../fields/Timestamp.ts"
import type { Call } from "../../http/Call.ts"
import { byId } from "../../http/Lookup.ts"
import { Cursors, read as readPage, timeAndId } from "../../http/Page.ts"
import { InvalidRequest } from "../../http/Problem.ts"
import * as Id from "../../Id.ts"
import { Jobs } from "../../jobs/Jobs.ts"
import { SecretBox } from "../../secrets/SecretBox.ts"
import { afterDelivery, type Outcome } from "../endpoints/rules.ts"
import { WebhooksRepo } from "../endpoints/WebhooksRepo.ts"
import type { Attempt } from "../outbound/Attempt.ts"
import { Outbound } from "../outbound/Outbound.ts"
import * as Signature from "../signing/Signature.ts"
import { DeliveriesRepo, type DueDelivery, type WaitingDelivery } from "./DeliveriesRepo.ts"
import { defaultLimit, type DeliveryListQuery } from "./Delivery.ts"
import { attempt as attemptJob, type fanOut as fanOutJob, resume as resumeJob } from "./jobs.ts"
import { classify, type DeliveryEvent, eventOf, move, nextDelay, retryDelays, type Verdict } from "./rules.ts"

/** The waits after failed attempts; the specification's unless the configuration has others. */
export const RetryDelays = Context.Reference<ReadonlyArray<Duration.Duration>>("webhooks/deliveries/RetryDelays", {
  defaultValue: () => retryDelays
})

/** How long deliveries are kept, in days. */
export const keptDays = 30

// As many jobs as one statement enqueues without its parameters getting out of hand.
const batch = 2000

// How many deliveries of a webhook that becomes active are taken in one transaction.
const resumedAtOnce = 1000

const now = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))

/** What went wrong, as a sentence; null when nothing did. */
const errorOf = (made: Attempt, verdict: Verdict): string | null => {
  if (made.outcome === "failed") return made.error
  return verdict === "delivered" ? null : `The receiver answered ${made.statusCode}.`
}

/** What the end of a delivery says about its webhook, if anything. */
const outcomeOf = (event: DeliveryEvent, verdict: Verdict): Outcome | undefined => {
  if (event === "delivered") return "delivered"
  if (event === "attempts_used_up") return "exhausted"
  return verdict === "gone" ? "gone" : undefined
}

const make = Effect.gen(function*() {
  const repo = yield* DeliveriesRepo
  const webhooks = yield* WebhooksRepo
  const jobs = yield* Jobs
  const outbound = yield* Outbound
  const box = yield* SecretBox
  const cursors = yield* Cursors
  const database = yield* Database
  const delays = yield* RetryDelays

  const transaction = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provideService(Transaction.run(effect), Database, database)

  // A key for each attempt: however often it is asked for, it waits once.
  const enqueued = (delivery: WaitingDelivery) => {
    const number = delivery.attempts + 1
    return { payload: { deliveryId: delivery.id, number }, jobKey: `attempt:${delivery.id}:${number}` }
  }

  const enqueueAll = Effect.fnUntraced(function*(waiting: ReadonlyArray<WaitingDelivery>) {
    for (let start = 0; start < waiting.length; start += batch) {
      yield* jobs.enqueueAll(attemptJob, waiting.slice(start, start + batch).map(enqueued))
    }
  })

  /** A page of a webhook's delivery log, newest first. */
  const list = Effect.fn("Deliveries.list")(function*(
    webhookId: string,
    call: Pick<Call<DeliveryListQuery>, "query">
  ) {
    const actor = yield* authorize("member")
    const webhook = yield* byId("webhook", webhookId, (uuid) => webhooks.find(actor.teamId, uuid))
    const query = yield* call.query
    const createdAfter = query.created_after === undefined ? undefined : parseTimestamp(query.created_after)
    const createdBefore = query.created_before === undefined ? undefined : parseTimestamp(query.created_before)
    if (createdAfter !== undefined && createdBefore !== undefined && createdAfter > createdBefore) {
      return yield* InvalidRequest.of([{
        in: "query",
        pointer: "/created_after",
        code: "invalid_range",
        detail: "Must not be later than created_before."
      }])
    }
    const binding = {
      list: "deliveries",
      teamId: actor.teamId,
      filters: {
        webhook: webhook.uuid,
        status: query.status,
        event_type: query.event_type,
        created_after: createdAfter?.toISOString(),
        created_before: createdBefore?.toISOString()
      }
    }
    return yield* readPage({
      cursors,
      binding,
      cursor: query.cursor,
      pageSize: query.limit ?? defaultLimit,
      fetch: (position, limit) =>
        repo.list(actor.teamId, webhook.uuid, {
          status: query.status,
          eventType: query.event_type,
          createdAfter,
          createdBefore,
          before: timeAndId(position),
          limit
        }),
      positionOf: (stored) => [stored.delivery.createdUtc, stored.uuid],
      toItem: (stored) => stored.delivery
    })
  })

  /** Makes the deliveries of one committed transaction, and asks for the first attempt of each. May run twice. */
  const fanOut = Effect.fn("Deliveries.fanOut")(function*(committed: typeof fanOutJob.payload.Type) {
    const at = yield* now
    yield* transaction(Effect.flatMap(repo.fanOut(committed, at), enqueueAll))
  })

  const post = Effect.fnUntraced(function*(due: DueDelivery) {
    const secret = yield* box.open(due.secretSealed, Id.fromUuid("webhook", due.webhookId))
    const body = new TextEncoder().encode(due.body)
    const headers = Signature.headers({
      id: due.messageId,
      timestampSeconds: Math.floor((yield* Clock.currentTimeMillis) / 1000),
      body,
      secrets: [secret],
      eventType: due.eventType
    })
    return yield* outbound.post({ url: due.url, headers, body })
  })

  /** Records how an attempt ended with all that follows from it, once. */
  const record = Effect.fnUntraced(function*(deliveryId: string, number: number, due: DueDelivery, made: Attempt) {
    const verdict = classify(made)
    const delay = verdict === "retry"
      ? nextDelay({
        attempt: number,
        delays,
        jitter: yield* Random.next,
        ...(made.statusCode === undefined ? {} : { statusCode: made.statusCode }),
        ...(made.outcome === "answered" && made.retryAfterSeconds !== undefined
          ? { retryAfterSeconds: made.retryAfterSeconds }
          : {})
      })
      : null
    const event = eventOf(verdict, delay)
    const status = move(due.status, event)
    // It was settled when it was found, and such a delivery is not attempted.
    if (status === null) return
    const outcome = outcomeOf(event, verdict)
    const at = yield* now
    const nextAttemptAt = delay === null ? null : new Date(at.getTime() + Duration.toMillis(delay))
    yield* transaction(Effect.gen(function*() {
      // The webhook before its delivery, which is the order of whoever resumes it.
      const standing = outcome === undefined
        ? undefined
        : yield* webhooks.lockStanding(due.webhookId, { counting: outcome === "delivered" })
      const recorded = yield* repo.record({
        deliveryId,
        number,
        status,
        nextAttemptAt,
        deliveredAt: status === "delivered" ? at : null,
        startedAt: made.startedAt,
        durationMs: made.durationMs,
        statusCode: made.statusCode ?? null,
        error: errorOf(made, verdict),
        responseHeaders: made.outcome === "answered" ? made.responseHeaders : null,
        responseBody: made.outcome === "answered" ? made.responseBody : null
      })
      if (!recorded) return
      if (nextAttemptAt !== null) {
        // Whatever became of the webhook meanwhile: the attempt itself finds out when its time has come.
        const { jobKey, payload } = enqueued({ id: deliveryId, attempts: number })
        yield* jobs.enqueue(attemptJob, payload, { runAt: nextAttemptAt, jobKey })
      }
      if (outcome !== undefined && standing !== undefined) {
        const after = afterDelivery(standing, outcome, at)
        if (after !== standing) yield* webhooks.setStanding(due.webhookId, after, at)
      }
    }))
  })

  const restUnlessSending = Effect.fnUntraced(function*(webhookId: string, deliveryId: string, number: number) {
    if ((yield* webhooks.hold(webhookId))?.sends === true) return false
    yield* repo.rest(deliveryId, number)
    return true
  })

  /**
   * Makes attempt `number` of a delivery, unless it was made before. A webhook that does not send leaves the delivery
   * as it is: it is sent when the webhook is activated.
   */
  const attempt = Effect.fn("Deliveries.attempt")(function*({ deliveryId, number }: typeof attemptJob.payload.Type) {
    for (;;) {
      const due = yield* repo.find(deliveryId)
      if (due === undefined || due.attemptCount !== number - 1) return
      if (due.status !== "pending" && due.status !== "failed") return
      if (due.webhookStatus === "active") return yield* record(deliveryId, number, due, yield* post(due))
      // If it was activated since, nobody else makes this attempt: what has its time is not resumed.
      if (yield* transaction(restUnlessSending(due.webhookId, deliveryId, number))) return
    }
  })

  /** Promises to send what waits for a webhook that becomes active; in its transaction. */
  const resume = (webhookId: string) => jobs.enqueue(resumeJob, { webhookId }, { jobKey: `resume:${webhookId}` })

  /**
   * Asks for the next attempt, now, of some of what waits for a webhook, the oldest first, and promises to go on if there
   * may be more; nothing of a webhook that does not send. May run twice.
   */
  const resumeSome = Effect.fn("Deliveries.resumeSome")(function*({ webhookId }: typeof resumeJob.payload.Type) {
    const at = yield* now
    yield* transaction(Effect.gen(function*() {
      const held = yield* webhooks.hold(webhookId)
      if (held?.sends !== true) return
      const { activatedAt } = held
      const resumed = yield* repo.resume(webhookId, { now: at, activatedAt, limit: resumedAtOnce })
      yield* enqueueAll(resumed)
      if (resumed.length === resumedAtOnce) yield* resume(webhookId)
    }))
  })

  /** Removes what is kept no longer, at most `limit`; answers how many there were. */
  const purge = Effect.fn("Deliveries.purge")(function*(limit: number) {
    const until = new Date((yield* Clock.currentTimeMillis) - keptDays * 86_400_000)
    return yield* repo.purge(until, limit)
  })

  return { list, fanOut, attempt, resume, resumeSome, purge }
})

/** What can be done with deliveries. `list` needs an active membership of the team; the rest is the service's own. */
export class Deliveries
  extends Context.Service<Deliveries, Effect.Success<typeof make>>()("webhooks/deliveries/Deliveries")
{
  static readonly layer = Layer.effect(Deliveries, make)
}
