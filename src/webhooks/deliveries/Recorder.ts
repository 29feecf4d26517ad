/** Evaluates attempts (see evaluation.ts), and writes their results and the effects on webhooks in batches. */
import * as DeliveryMetrics from "./DeliveryMetrics.ts"
import { Context, Duration, Effect, Layer, Random } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import { afterDelivery } from "../rules.ts"
import { WebhooksRepo } from "../WebhooksRepo.ts"
import { AttemptsRepo } from "./AttemptsRepo.ts"
import { evaluate as evaluateAttempt, type EvaluatedAttempt, type FinishedAttempt } from "./evaluation.ts"
import { attemptOutcome, type DueDelivery, isSlow, nextDelay, retryDelays } from "./rules.ts"

/** The delays after failed attempts. Defaults to `retryDelays`. */
export const RetryDelays = Context.Reference<ReadonlyArray<Duration.Duration>>("webhooks/deliveries/RetryDelays", {
  defaultValue: () => retryDelays
})

/** A webhook (its UUID) that the service disabled. */
export interface DisabledWebhook {
  readonly id: string
  readonly reason: string
}

/** Whether an attempt may disable its webhook, so that the change that records it must be able to emit events. */
export const mayDisable = ({ outcome }: EvaluatedAttempt): boolean => outcome === "exhausted" || outcome === "gone"

const webhookIds = (attempts: ReadonlyArray<EvaluatedAttempt>) => [
  ...new Set(attempts.map(({ finished }) => finished.delivery.webhookId))
]

const make = Effect.gen(function* () {
  const repo = yield* AttemptsRepo
  const webhooks = yield* WebhooksRepo
  const delays = yield* RetryDelays

  /** Evaluates an attempt that ended before `at`. */
  const evaluate = Effect.fnUntraced(function* (finished: FinishedAttempt, at: Date) {
    return evaluateAttempt(finished, { at, delays, jitter: yield* Random.next })
  })

  /** Marks webhooks whose receivers have become slow or fast. The latest attempt decides. */
  const setSlow = Effect.fnUntraced(function* (teamId: string, attempts: ReadonlyArray<EvaluatedAttempt>) {
    const latest = new Map<string, boolean>()
    const changed = new Set<string>()
    for (const {
      finished: { delivery, sent }
    } of attempts.filter(({ record }) => record.isMade)) {
      latest.set(delivery.webhookId, isSlow(sent.attempt))
      if (isSlow(sent.attempt) !== delivery.slow) changed.add(delivery.webhookId)
    }
    for (const slow of [true, false]) {
      yield* repo.setSlow(
        teamId,
        [...changed].filter((id) => latest.get(id) === slow),
        slow
      )
    }
  })

  /**
   * Writes evaluated attempts of a team and their effects on webhooks, within the caller's transaction. Skips deliveries that have
   * changed since they were read. Returns the ids of the recorded ones, and the webhooks that this disabled, which
   * `change` announces. Locks webhooks before deliveries, as a resumption does.
   */
  const write = Effect.fn("Recorder.write")(function* (
    teamId: string,
    attempts: ReadonlyArray<EvaluatedAttempt>,
    at: Date,
    change?: Change
  ) {
    const meaningful = attempts.filter(({ outcome }) => outcome !== undefined)
    const statuses =
      meaningful.length === 0
        ? undefined
        : yield* webhooks.lockStatuses(teamId, {
            all: webhookIds(meaningful.filter(({ outcome }) => outcome !== "delivered")),
            counting: webhookIds(meaningful)
          })
    yield* setSlow(teamId, attempts)
    const disabled: Array<DisabledWebhook> = []
    const recorded = yield* repo.record(attempts.map(({ record }) => record))
    for (const [id, status] of statuses ?? []) {
      const after = meaningful
        .filter(({ finished: { delivery } }) => delivery.webhookId === id && recorded.has(delivery.id))
        .reduce((folded, { outcome }) => (outcome === undefined ? folded : afterDelivery(folded, outcome, at)), status)
      if (after === status) continue
      yield* webhooks.setStatus(teamId, id, after, at)
      const { disabledReason: reason } = after
      if (after.state !== "disabled" || status.state === "disabled" || reason === null) continue
      disabled.push({ id, reason })
      change?.record({
        change: "updated",
        resource: { type: "webhook", id },
        subjects: [],
        event: { type: "webhook.disabled", extras: { action: { type: "disabled", reason } } }
      })
    }
    return { recorded, disabled }
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
    const outcome =
      record.isCounted || !record.isMade ? attemptOutcome(verdict, record.nextAttemptAt !== null) : "retried"
    yield* DeliveryMetrics.attemptEnded({ outcome, durationMs: record.durationMs })
    if (outcome === "retried" || outcome === "postponed") return
    yield* DeliveryMetrics.deliveryEnded({
      outcome,
      latencyMs: delivery.replayedAttempts === 0 ? at.getTime() - delivery.occurredAt.getTime() : null
    })
  })

  /** Returns those of the unrecorded attempts whose deliveries a client has queued again. The others had been recorded before. */
  const findRequeued = Effect.fn("Recorder.findRequeued")(function* (
    teamId: string,
    unrecorded: ReadonlyArray<EvaluatedAttempt>
  ) {
    if (unrecorded.length === 0) return []
    const open = new Map(
      (yield* repo.findOpen(
        teamId,
        unrecorded.map(({ finished }) => finished.delivery.id)
      )).map((one) => [one.id, one] as const)
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

/** Evaluates and records attempts. */
export class Recorder extends Context.Service<Recorder, Effect.Success<typeof make>>()("webhooks/deliveries/Recorder") {
  static readonly layer = Layer.effect(Recorder, make)
}
