/** What attempts make of their deliveries, and of their webhooks: judged one by one, and written many at once. */
import { Context, Duration, Effect, Layer, Random } from "effect"
import { afterDelivery, type Outcome } from "../endpoints/rules.ts"
import { WebhooksRepo } from "../endpoints/WebhooksRepo.ts"
import * as Measures from "../health/Measures.ts"
import { attemptOutcome } from "../health/rules.ts"
import type { Attempt } from "../outbound/Attempt.ts"
import { AttemptsRepo, type EndedAttempt } from "./AttemptsRepo.ts"
import {
  classify,
  type DeliveryEvent,
  type DueDelivery,
  eventOf,
  isSlow,
  move,
  nextDelay,
  retryDelays,
  type Verdict
} from "./rules.ts"
import type { Made } from "./Sender.ts"

/** The waits after failed attempts; the specification's unless the configuration has others. */
export const RetryDelays = Context.Reference<ReadonlyArray<Duration.Duration>>("webhooks/deliveries/RetryDelays", {
  defaultValue: () => retryDelays
})

/** An attempt that has ended. */
export interface Ended {
  /** Its delivery, as it was found. */
  readonly found: DueDelivery
  readonly made: Made
  /** Whether the delivery was queued again since the attempt began. */
  readonly isEarlier: boolean
}

/** What an attempt comes to. */
export interface Judged {
  readonly ended: Ended
  readonly verdict: Verdict
  /** What it says about the webhook, if anything. */
  readonly outcome: Outcome | undefined
  readonly row: EndedAttempt
}

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

const make = Effect.gen(function* () {
  const repo = yield* AttemptsRepo
  const webhooks = yield* WebhooksRepo
  const delays = yield* RetryDelays

  const delayAfter = Effect.fnUntraced(function* (found: DueDelivery, made: Attempt) {
    return nextDelay({
      attempt: found.attemptCount + 1,
      delays,
      jitter: yield* Random.next,
      ...(made.statusCode === undefined ? {} : { statusCode: made.statusCode }),
      ...(made.outcome === "answered" && made.retryAfterSeconds !== undefined
        ? { retryAfterSeconds: made.retryAfterSeconds }
        : {})
    })
  })

  /**
   * What an attempt makes of its delivery. One that was queued again since the attempt began is attempted again at once,
   * unless this attempt brought it.
   */
  const judge = Effect.fnUntraced(function* (ended: Ended, at: Date) {
    const {
      found,
      isEarlier,
      made: { attempt, requestHeaders }
    } = ended
    const verdict = classify(attempt)
    const isAgain = isEarlier && verdict !== "delivered"
    const delay = isAgain ? Duration.zero : verdict === "retry" ? yield* delayAfter(found, attempt) : null
    const event = eventOf(verdict, delay)
    // It was open when it was found, and every end of an attempt is possible then.
    const status = isAgain ? found.status : (move(found.status, event) ?? found.status)
    const judged: Judged = {
      ended,
      verdict,
      outcome: !isAgain ? outcomeOf(event, verdict) : verdict === "gone" ? verdict : undefined,
      row: {
        found,
        status,
        isCounted: !isAgain,
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
    return judged
  })

  /** Judges attempts that have ended, as of `at`. */
  const judgeAll = (ended: ReadonlyArray<Ended>, at: Date) => Effect.forEach(ended, (one) => judge(one, at))

  const setSlow = Effect.fnUntraced(function* (judged: ReadonlyArray<Judged>) {
    const latest = new Map<string, boolean>()
    const differing = new Set<string>()
    for (const {
      ended: {
        found,
        made: { attempt }
      }
    } of judged) {
      latest.set(found.webhookId, isSlow(attempt))
      if (isSlow(attempt) !== found.slow) differing.add(found.webhookId)
    }
    for (const slow of [true, false]) {
      yield* repo.setSlow(
        [...differing].filter((id) => latest.get(id) === slow),
        slow
      )
    }
  })

  /**
   * Writes what was judged, and what it means for the webhooks, once: deliveries that are no longer as they were found are
   * left out. Answers the ids of the others. In a transaction; the webhooks come before their deliveries, which is the order
   * of whoever resumes one.
   */
  const write = Effect.fn("Recorder.write")(function* (judged: ReadonlyArray<Judged>, at: Date) {
    const idsOf = (some: ReadonlyArray<Judged>) => [...new Set(some.map(({ ended }) => ended.found.webhookId))]
    const meant = judged.filter(({ outcome }) => outcome !== undefined)
    const standings =
      meant.length === 0
        ? undefined
        : yield* webhooks.lockStandings({
            all: idsOf(meant.filter(({ outcome }) => outcome !== "delivered")),
            counting: idsOf(meant)
          })
    yield* setSlow(judged)
    const recorded = yield* repo.record(judged.map(({ row }) => row))
    for (const [id, standing] of standings ?? []) {
      const after = meant
        .filter(({ ended: { found } }) => found.webhookId === id && recorded.has(found.id))
        .reduce(
          (folded, { outcome }) => (outcome === undefined ? folded : afterDelivery(folded, outcome, at)),
          standing
        )
      if (after !== standing) yield* webhooks.setStanding(id, after, at)
    }
    return recorded
  })

  /** Counts what was recorded: after the commit, for a transaction that is run again is counted once. */
  const measure = Effect.fnUntraced(function* ({ ended: { found }, row, verdict }: Judged, at: Date) {
    const outcome = row.isCounted ? attemptOutcome(verdict, row.nextAttemptAt !== null) : "retried"
    yield* Measures.attemptEnded({ outcome, durationMs: row.durationMs })
    if (outcome === "retried") return
    yield* Measures.deliveryEnded({
      outcome,
      latencyMs: found.replayedAttempts === 0 ? at.getTime() - found.occurredAt.getTime() : null
    })
  })

  /** Attempts of deliveries that were queued again meanwhile, which are to be judged anew. Others have been recorded. */
  const anew = Effect.fn("Recorder.anew")(function* (unrecorded: ReadonlyArray<Judged>) {
    if (unrecorded.length === 0) return []
    const open = new Map(
      (yield* repo.findOpen(unrecorded.map(({ ended }) => ended.found.id))).map((found) => [found.id, found] as const)
    )
    return unrecorded.flatMap(({ ended }): ReadonlyArray<Ended> => {
      const found = open.get(ended.found.id)
      const attemptsOf = (one: DueDelivery) => one.attemptCount + one.replayedAttempts
      return found === undefined || attemptsOf(found) !== attemptsOf(ended.found)
        ? []
        : [{ found, made: ended.made, isEarlier: found.replayedAttempts !== ended.found.replayedAttempts }]
    })
  })

  return { judgeAll, write, measure, anew }
})

/** Whether something is recorded that the receiver said. */
export const hasAnswer = ({ row }: Judged): boolean => row.responseHeaders !== null || row.responseBody !== null

/** What is left of an attempt of which the database refuses something that the receiver said. */
export const withoutAnswer = (judged: Judged): Judged => ({
  ...judged,
  row: {
    ...judged.row,
    error: judged.row.error === null ? null : "The attempt failed, and what was answered could not be kept.",
    responseHeaders: null,
    responseBody: null
  }
})

/** Records attempts. */
export class Recorder extends Context.Service<Recorder, Effect.Success<typeof make>>()("webhooks/deliveries/Recorder") {
  static readonly layer = Layer.effect(Recorder, make)
}
