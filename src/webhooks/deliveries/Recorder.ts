/** Decides what attempts mean for their deliveries and webhooks, one by one, and writes the results in batches. */
import { Context, Duration, Effect, Layer, Random } from "effect"
import { afterDelivery, type WebhookOutcome } from "../endpoints/rules.ts"
import { WebhookStatusRepo } from "../endpoints/WebhookStatusRepo.ts"
import type { Attempt } from "../outbound/Attempt.ts"
import { type AttemptRecord, AttemptsRepo } from "./AttemptsRepo.ts"
import * as DeliveryMetrics from "./DeliveryMetrics.ts"
import {
  attemptOutcome,
  classify,
  type DeliveryEvent,
  deliveryEvent,
  type DueDelivery,
  isSlow,
  nextDelay,
  retryDelays,
  transition,
  type Verdict
} from "./rules.ts"
import type { SendResult } from "./Sender.ts"

/** The delays after failed attempts. Defaults to `retryDelays`. */
export const RetryDelays = Context.Reference<ReadonlyArray<Duration.Duration>>("webhooks/deliveries/RetryDelays", {
  defaultValue: () => retryDelays
})

/** A finished attempt. */
export interface FinishedAttempt {
  /** The delivery as it was when it was last read. */
  readonly delivery: DueDelivery
  readonly sent: SendResult
  /** Whether a client has queued the delivery again since the attempt began. */
  readonly wasRequeued: boolean
}

/** A finished attempt with its verdict and the rows to write. */
export interface EvaluatedAttempt {
  readonly finished: FinishedAttempt
  readonly verdict: Verdict
  /** The effect on the status of the webhook, if any. */
  readonly outcome: WebhookOutcome | undefined
  readonly record: AttemptRecord
}

/** Why the attempt failed, as a sentence; null if it did not. */
const errorOf = (attempt: Attempt, verdict: Verdict): string | null => {
  if (attempt.outcome === "failed") return attempt.error
  return verdict === "delivered" ? null : `The receiver answered ${attempt.statusCode}.`
}

/** The effect of an ended delivery on the status of its webhook, if any. */
const outcomeOf = (event: DeliveryEvent, verdict: Verdict): WebhookOutcome | undefined => {
  if (event === "delivered") return "delivered"
  if (event === "attempts_used_up") return "exhausted"
  return verdict === "gone" ? "gone" : undefined
}

const webhookIds = (attempts: ReadonlyArray<EvaluatedAttempt>) => [
  ...new Set(attempts.map(({ finished }) => finished.delivery.webhookId))
]

const make = Effect.gen(function* () {
  const repo = yield* AttemptsRepo
  const webhooks = yield* WebhookStatusRepo
  const delays = yield* RetryDelays

  const delayAfter = Effect.fnUntraced(function* (delivery: DueDelivery, attempt: Attempt) {
    return nextDelay({
      attempt: delivery.attemptCount + 1,
      delays,
      jitter: yield* Random.next,
      ...(attempt.statusCode === undefined ? {} : { statusCode: attempt.statusCode }),
      ...(attempt.outcome === "answered" && attempt.retryAfterSeconds !== undefined
        ? { retryAfterSeconds: attempt.retryAfterSeconds }
        : {})
    })
  })

  /**
   * Evaluates an attempt that ended before `at`. If a client has queued the delivery again since the attempt began, the attempt
   * does not count, and the delivery is attempted again at once, unless this attempt delivered it.
   */
  const evaluate = Effect.fnUntraced(function* (finished: FinishedAttempt, at: Date) {
    const { delivery, sent, wasRequeued } = finished
    const { attempt, requestHeaders } = sent
    const verdict = classify(attempt)
    const isSuperseded = wasRequeued && verdict !== "delivered"
    const delay = isSuperseded ? Duration.zero : verdict === "retry" ? yield* delayAfter(delivery, attempt) : null
    const event = deliveryEvent(verdict, delay)
    // The delivery was open when it was read, so the transition exists.
    const status = isSuperseded ? delivery.status : (transition(delivery.status, event) ?? delivery.status)
    const evaluated: EvaluatedAttempt = {
      finished,
      verdict,
      outcome: !isSuperseded ? outcomeOf(event, verdict) : verdict === "gone" ? verdict : undefined,
      record: {
        delivery,
        status,
        isCounted: !isSuperseded,
        nextAttemptAt: delay === null ? null : new Date(at.getTime() + Duration.toMillis(delay)),
        deliveredAt: status === "delivered" ? at : null,
        startedAt: attempt.startedAt,
        durationMs: attempt.durationMs,
        statusCode: attempt.statusCode ?? null,
        error: errorOf(attempt, verdict),
        requestHeaders,
        responseHeaders: attempt.responseHeaders ?? null,
        responseBody: attempt.responseBody ?? null
      }
    }
    return evaluated
  })

  /** Marks webhooks whose receivers have become slow or fast. The latest attempt decides. */
  const setSlow = Effect.fnUntraced(function* (attempts: ReadonlyArray<EvaluatedAttempt>) {
    const latest = new Map<string, boolean>()
    const changed = new Set<string>()
    for (const {
      finished: { delivery, sent }
    } of attempts) {
      latest.set(delivery.webhookId, isSlow(sent.attempt))
      if (isSlow(sent.attempt) !== delivery.slow) changed.add(delivery.webhookId)
    }
    for (const slow of [true, false]) {
      yield* repo.setSlow(
        [...changed].filter((id) => latest.get(id) === slow),
        slow
      )
    }
  })

  /**
   * Writes evaluated attempts and their effects on webhooks, within the caller's transaction. Skips deliveries that have changed
   * since they were read. Returns the ids of the recorded ones. Locks webhooks before deliveries, as a resumption does.
   */
  const write = Effect.fn("Recorder.write")(function* (attempts: ReadonlyArray<EvaluatedAttempt>, at: Date) {
    const meaningful = attempts.filter(({ outcome }) => outcome !== undefined)
    const statuses =
      meaningful.length === 0
        ? undefined
        : yield* webhooks.lockStatuses({
            all: webhookIds(meaningful.filter(({ outcome }) => outcome !== "delivered")),
            counting: webhookIds(meaningful)
          })
    yield* setSlow(attempts)
    const recorded = yield* repo.record(attempts.map(({ record }) => record))
    for (const [id, status] of statuses ?? []) {
      const after = meaningful
        .filter(({ finished: { delivery } }) => delivery.webhookId === id && recorded.has(delivery.id))
        .reduce((folded, { outcome }) => (outcome === undefined ? folded : afterDelivery(folded, outcome, at)), status)
      if (after !== status) yield* webhooks.setStatus(id, after, at)
    }
    return recorded
  })

  /** Counts an attempt as failed whose result cannot be written. It does not appear in the log. */
  const writeFailure = Effect.fn("Recorder.writeFailure")(function* (delivery: DueDelivery, at: Date) {
    const delay = nextDelay({ attempt: delivery.attemptCount + 1, delays, jitter: 0 })
    yield* repo.recordUnlogged(delivery, {
      status: delay === null ? "exhausted" : "failed",
      at,
      nextAttemptAt: delay === null ? null : new Date(at.getTime() + Duration.toMillis(delay)),
      error: "The service could not record the result of the attempt."
    })
  })

  /** Counts a recorded attempt in the metrics. */
  const countOutcome = Effect.fnUntraced(function* (
    { finished: { delivery }, record, verdict }: EvaluatedAttempt,
    at: Date
  ) {
    const outcome = record.isCounted ? attemptOutcome(verdict, record.nextAttemptAt !== null) : "retried"
    yield* DeliveryMetrics.attemptEnded({ outcome, durationMs: record.durationMs })
    if (outcome === "retried") return
    yield* DeliveryMetrics.deliveryEnded({
      outcome,
      latencyMs: delivery.replayedAttempts === 0 ? at.getTime() - delivery.occurredAt.getTime() : null
    })
  })

  /** Returns those of the unrecorded attempts whose deliveries a client has queued again. The others had been recorded before. */
  const findRequeued = Effect.fn("Recorder.findRequeued")(function* (unrecorded: ReadonlyArray<EvaluatedAttempt>) {
    if (unrecorded.length === 0) return []
    const open = new Map(
      (yield* repo.findOpen(unrecorded.map(({ finished }) => finished.delivery.id))).map(
        (one) => [one.id, one] as const
      )
    )
    const attemptsOf = (delivery: DueDelivery) => delivery.attemptCount + delivery.replayedAttempts
    return unrecorded.flatMap(({ finished }): ReadonlyArray<FinishedAttempt> => {
      const present = open.get(finished.delivery.id)
      if (present === undefined || attemptsOf(present) !== attemptsOf(finished.delivery)) return []
      const wasRequeued = present.replayedAttempts !== finished.delivery.replayedAttempts
      return [{ delivery: present, sent: finished.sent, wasRequeued }]
    })
  })

  return { evaluate, write, writeFailure, countOutcome, findRequeued }
})

/** Whether the record contains parts of the response. */
export const hasResponse = ({ record }: EvaluatedAttempt): boolean =>
  record.responseHeaders !== null || record.responseBody !== null

/** The attempt without its response, for when the database rejects that. */
export const withoutResponse = (evaluated: EvaluatedAttempt): EvaluatedAttempt => ({
  ...evaluated,
  record: {
    ...evaluated.record,
    error: evaluated.record.error === null ? null : "The attempt failed, and its response could not be stored.",
    responseHeaders: null,
    responseBody: null
  }
})

/** Evaluates and records attempts. */
export class Recorder extends Context.Service<Recorder, Effect.Success<typeof make>>()("webhooks/deliveries/Recorder") {
  static readonly layer = Layer.effect(Recorder, make)
}
