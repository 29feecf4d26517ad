import * as fc from "fast-check"
import { Duration } from "effect"
import { describe, expect, it, test } from "vitest"
import {
  attemptOutcome,
  classify,
  concurrencyLimits,
  type DeliveryEvent,
  deliveryEvent,
  type DeliveryState,
  type WebhookQueue,
  evaluate,
  failureKindOf,
  type FinishedAttempt,
  hasResponse,
  needsEarlier,
  nextDelay,
  nextQueue,
  nextWakeUp,
  postponement,
  prefetchLimit,
  type RecordedAttempt,
  retryDelays,
  tallyOf,
  transition,
  type Verdict,
  withoutResponse
} from "../../../src/webhooks/deliveries/rules.ts"
import {
  type Attempt,
  closedEarly,
  NameServersAway,
  networkError,
  timeoutError,
  tooMuch
} from "../../../src/core/outbound/rules.ts"
import { notPublic } from "../../../src/core/outbound/OutboundGuard.ts"

const maxAttempts = retryDelays.length + 1

const timed = { startedAt: new Date(0), durationMs: 1 }
const answered = (statusCode: number): Attempt => ({
  ...timed,
  outcome: "answered",
  statusCode,
  responseHeaders: {},
  responseBody: ""
})

const expectedVerdict = (statusCode: number): Verdict => {
  if (statusCode === 410) return "gone"
  if (statusCode === 429) return "retry"
  return ({ 2: "delivered", 3: "retry", 4: "final", 5: "retry" } as const)[Math.floor(statusCode / 100)] ?? "retry"
}

describe("an attempt", () => {
  it("has a verdict for every status", () => {
    for (let status = 200; status < 1000; status++) {
      expect(classify(answered(status)), String(status)).toBe(expectedVerdict(status))
    }
  })

  it.each([
    [204, "delivered"],
    [301, "retry"],
    [400, "final"],
    [408, "final"],
    [410, "gone"],
    [429, "retry"],
    [500, "retry"]
  ])("answered with %i is %s", (status, verdict) => {
    expect(classify(answered(status))).toBe(verdict)
  })

  it("is retried after a network error, even if the head of a 2xx arrived", () => {
    expect(classify({ ...timed, outcome: "failed", error: "Timeout." })).toBe("retry")
    expect(classify({ ...timed, outcome: "failed", error: "Timeout.", statusCode: 200 })).toBe("retry")
  })

  it("is postponed after a fault of the service itself", () => {
    expect(classify({ ...timed, outcome: "failed", error: "No network.", ownFault: true })).toBe("postponed")
  })
})

const seconds = (delay: Duration.Duration | null) => (delay === null ? null : Duration.toSeconds(delay))
const after = (attempt: number, more: { jitter?: number; statusCode?: number; retryAfterSeconds?: number } = {}) =>
  seconds(nextDelay({ attempt, delays: retryDelays, jitter: 0, ...more }))

describe("the delay before the next attempt", () => {
  it("follows the documented schedule, and ends after the ninth attempt", () => {
    const waits = Array.from({ length: maxAttempts }, (_, index) => after(index + 1))
    expect(waits).toEqual([3, 10, 30, 300, 1800, 7200, 28_800, 86_400, null])
    expect(after(10)).toBeNull()
  })

  it("is lengthened by jitter of up to a tenth, and never shortened", () => {
    for (let attempt = 1; attempt < maxAttempts; attempt++) {
      const plain = after(attempt) ?? 0
      expect(after(attempt, { jitter: 0.5 })).toBeCloseTo(plain * 1.05, 3)
      const most = after(attempt, { jitter: 0.999_999 }) ?? 0
      expect(most).toBeGreaterThan(plain)
      expect(most).toBeLessThanOrEqual(plain * 1.1)
    }
  })

  it.each([429, 503])("is lengthened by a Retry-After on %i", (statusCode) => {
    expect(after(1, { statusCode, retryAfterSeconds: 120 })).toBe(120)
  })

  it("is never shortened by a Retry-After", () => {
    expect(after(4, { statusCode: 503, retryAfterSeconds: 1 })).toBe(300)
    expect(after(4, { statusCode: 503, retryAfterSeconds: 0, jitter: 0.5 })).toBe(315)
  })

  it("respects a Retry-After of at most 24 hours", () => {
    expect(after(1, { statusCode: 429, retryAfterSeconds: Number.MAX_SAFE_INTEGER })).toBe(86_400)
    expect(after(8, { statusCode: 429, retryAfterSeconds: 1e9, jitter: 0.5 })).toBe(90_720)
  })

  it.each([undefined, 200, 302, 500, 502, 504])("ignores a Retry-After on %s", (statusCode) => {
    expect(after(1, { retryAfterSeconds: 120, ...(statusCode === undefined ? {} : { statusCode }) })).toBe(3)
  })

  it("does not exist after the last attempt, even with a Retry-After", () => {
    expect(after(9, { statusCode: 503, retryAfterSeconds: 60 })).toBeNull()
  })
})

describe("the state of a delivery", () => {
  const states: ReadonlyArray<DeliveryState> = ["pending", "failed", "exhausted", "delivered"]
  const table: Record<DeliveryEvent, ReadonlyArray<DeliveryState | null>> = {
    delivered: ["delivered", "delivered", null, null],
    failed_retriable: ["failed", "failed", null, null],
    failed_finally: ["failed", "failed", null, null],
    attempts_used_up: ["exhausted", "exhausted", null, null],
    replayed: [null, "pending", "pending", null],
    retried: [null, "pending", "pending", "pending"]
  }

  it("changes only by the documented transitions", () => {
    for (const [event, targets] of Object.entries(table)) {
      expect(
        states.map((state) => transition(state, event as DeliveryEvent)),
        event
      ).toEqual(targets)
    }
  })

  it("follows from the verdict and from whether another attempt follows", () => {
    const delay = Duration.seconds(3)
    expect(deliveryEvent("delivered", null)).toBe("delivered")
    expect(deliveryEvent("retry", delay)).toBe("failed_retriable")
    expect(deliveryEvent("retry", null)).toBe("attempts_used_up")
    expect(deliveryEvent("final", delay)).toBe("failed_finally")
    expect(deliveryEvent("final", null)).toBe("failed_finally")
    expect(deliveryEvent("gone", null)).toBe("failed_finally")
  })

  it("is failed eight times and exhausted after the ninth failure", () => {
    const seen: Array<DeliveryState> = []
    let state: DeliveryState = "pending"
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      state = transition(state, deliveryEvent("retry", nextDelay({ attempt, delays: retryDelays, jitter: 0 }))) ?? state
      seen.push(state)
    }
    expect(seen).toEqual([...Array<DeliveryState>(8).fill("failed"), "exhausted"])
  })
})

describe("The delay of a postponed attempt", () => {
  const occurredAt = new Date("2026-11-22T12:00:00.000Z")
  const after = (seconds: number, jitter = 0) =>
    Duration.toMillis(postponement({ occurredAt, at: new Date(occurredAt.getTime() + seconds * 1000), jitter })) / 1000

  it("doubles from 5 seconds to 5 minutes, with jitter of up to a tenth", () => {
    expect([-60, 0, 4, 5, 10, 20, 40, 299, 300, 86_400].map((seconds) => after(seconds))).toEqual([
      5, 5, 5, 5, 10, 20, 40, 299, 300, 300
    ])
    expect(after(3600, 0.999)).toBeGreaterThan(329)
    expect(after(3600, 0.999)).toBeLessThan(330)
  })
})

describe("a team's wake-up", () => {
  const at = new Date(1_000_000)
  const after = (millis: number) => new Date(at.getTime() + millis)
  const wakeUp = (nextDue: number | null, set: number | null, fired?: number) => {
    const next = nextWakeUp({
      at,
      nextDue: nextDue === null ? null : after(nextDue),
      wakeUp: set === null ? null : after(set),
      fired: fired === undefined ? undefined : after(fired)
    })
    return next === null ? null : next.getTime() - at.getTime()
  }

  it("is set for the next due retry, unless it is set earlier", () => {
    expect(wakeUp(3000, null)).toBe(3000)
    expect(wakeUp(3000, 5000)).toBe(3000)
    expect(wakeUp(3000, 3000)).toBe(3000)
    expect(wakeUp(3000, 2000)).toBe(2000)
    expect(wakeUp(null, null)).toBe(null)
    expect(wakeUp(null, 2000)).toBe(2000)
  })

  it("fires at most five times a second", () => {
    expect(wakeUp(1, null)).toBe(200)
    expect(wakeUp(1, 150)).toBe(150)
  })

  it("that has fired is replaced by its own job, or by others when that job is overdue", () => {
    expect(wakeUp(3000, -10)).toBe(-10)
    expect(wakeUp(3000, -10, -10)).toBe(3000)
    expect(wakeUp(3000, -10, -20)).toBe(-10)
    expect(wakeUp(null, -10, -10)).toBe(null)
    expect(wakeUp(3000, -30_001)).toBe(3000)
    expect(wakeUp(null, -30_001)).toBe(null)
  })
})

describe("The outcome of an attempt", () => {
  it("follows from its verdict, and from whether it is retried", () => {
    const outcomes = (["delivered", "final", "gone", "retry", "postponed"] as const).map((verdict) =>
      [false, true].map((again) => attemptOutcome(verdict, again))
    )
    expect(outcomes).toEqual([
      ["delivered", "delivered"],
      ["refused", "refused"],
      ["gone", "gone"],
      ["exhausted", "retried"],
      ["postponed", "postponed"]
    ])
  })
})

const queue = fc.record({
  inFlight: fc.nat(concurrencyLimits.perWebhook + 2),
  slow: fc.boolean(),
  firstAttempts: fc.nat(3),
  retries: fc.nat(3)
})

const teams = fc.array(queue, { maxLength: 8 })

const capOf = ({ slow }: WebhookQueue) => (slow ? concurrencyLimits.guaranteed : concurrencyLimits.perWebhook)

const sum = (queues: ReadonlyArray<WebhookQueue>) => queues.reduce((count, { inFlight }) => count + inFlight, 0)

describe("The next delivery", () => {
  test("belongs to a webhook below its limit, in a team below its limit or with a guaranteed slot", () => {
    fc.assert(
      fc.property(teams, fc.boolean(), (queues, allowSlow) => {
        const inFlight = sum(queues)
        const next = nextQueue(queues, { inFlight, limits: concurrencyLimits, allowSlow })
        const possible = queues.filter(
          (one) =>
            one.firstAttempts + one.retries > 0 &&
            (allowSlow || !one.slow) &&
            one.inFlight < capOf(one) &&
            (one.inFlight < concurrencyLimits.guaranteed || inFlight < concurrencyLimits.perTeam)
        )
        if (next === undefined) expect(possible).toStrictEqual([])
        else expect(possible).toContain(next)
      })
    )
  })

  test("has a guaranteed slot, else is a first attempt, else belongs to the webhook with the fewest in flight", () => {
    fc.assert(
      fc.property(teams, (queues) => {
        const inFlight = sum(queues)
        const next = nextQueue(queues, { inFlight, limits: concurrencyLimits, allowSlow: true })
        const rank = (one: WebhookQueue) =>
          (one.inFlight < concurrencyLimits.guaranteed ? 0 : 1000) + (one.firstAttempts > 0 ? 0 : 100) + one.inFlight
        for (const one of queues) {
          const mayGo =
            one.firstAttempts + one.retries > 0 &&
            one.inFlight < capOf(one) &&
            (one.inFlight < concurrencyLimits.guaranteed || inFlight < concurrencyLimits.perTeam)
          if (next !== undefined && mayGo) expect(rank(next)).toBeLessThanOrEqual(rank(one))
        }
      })
    )
  })

  test("never exceeds the limits, however many deliveries wait", () => {
    fc.assert(
      fc.property(fc.array(queue, { minLength: 1, maxLength: 20 }), (queues) => {
        const team = queues.map((one) => ({ ...one, inFlight: 0, firstAttempts: 50 }))
        for (;;) {
          const next = nextQueue(team, { inFlight: sum(team), limits: concurrencyLimits, allowSlow: true })
          if (next === undefined) break
          next.inFlight++
          if (next.firstAttempts > 0) next.firstAttempts--
          else next.retries--
        }
        for (const one of team) expect(one.inFlight).toBeLessThanOrEqual(capOf(one))
        expect(sum(team)).toBeLessThanOrEqual(
          Math.max(concurrencyLimits.perTeam, team.length * concurrencyLimits.guaranteed)
        )
        for (const one of team) expect(one.inFlight).toBeGreaterThanOrEqual(concurrencyLimits.guaranteed)
      })
    )
  })
})

describe("The prefetch limit of a webhook", () => {
  test("is what it accepts in half a second, at least its limit and at most 500", () => {
    expect(
      [0, 1, 5, 25, 50, 100, 250, 500, 3000].map((millis) => prefetchLimit(millis, concurrencyLimits))
    ).toStrictEqual([500, 500, 500, 200, 100, 50, 20, 10, 10])
  })
})

const at = new Date("2026-11-22T12:00:00.000Z")

const finished = (
  statusCode: number,
  more: { readonly attemptCount?: number; readonly wasRequeued?: boolean } = {}
): FinishedAttempt => ({
  delivery: {
    id: "delivery",
    teamId: "team",
    webhookId: "webhook",
    status: "failed",
    attemptCount: more.attemptCount ?? 1,
    replayedAttempts: 0,
    occurredAt: at,
    messageId: "msg_1",
    eventType: "contact.created",
    body: "{}",
    url: "https://receiver.example/",
    secretSealed: new Uint8Array(),
    previousSecrets: [],
    slow: false
  },
  sent: {
    attempt: { outcome: "answered", statusCode, startedAt: at, durationMs: 5, responseHeaders: {}, responseBody: "no" },
    requestHeaders: { "webhook-id": "msg_1" }
  },
  wasRequeued: more.wasRequeued ?? false
})

const resultOf = (attempt: FinishedAttempt) => evaluate(attempt, { at, delays: retryDelays, jitter: 0 })

describe("The result of an attempt", () => {
  test("delivers the delivery, and counts for the webhook, after a 2xx", () => {
    const { outcome, record } = resultOf(finished(204))
    expect(record).toMatchObject({
      status: "delivered",
      isCounted: true,
      deliveredAt: at,
      nextAttemptAt: null,
      error: null
    })
    expect(outcome).toBe("delivered")
  })

  test("schedules a retry after a 5xx", () => {
    const { outcome, record } = resultOf(finished(500))
    const nextAttemptAt = new Date(at.getTime() + Duration.toMillis(Duration.seconds(10)))
    expect(record).toMatchObject({ status: "failed", nextAttemptAt, error: "The receiver answered 500." })
    expect(outcome).toBeUndefined()
  })

  test("exhausts the delivery, and counts for the webhook, after the ninth failure", () => {
    const { outcome, record } = resultOf(finished(500, { attemptCount: 8 }))
    expect(record).toMatchObject({ status: "exhausted", nextAttemptAt: null })
    expect(outcome).toBe("exhausted")
  })

  test("postpones the delivery, counts for nothing and changes no state, after a fault of the service", () => {
    const failed = { outcome: "failed", error: "No network.", ownFault: true, startedAt: at, durationMs: 1 } as const
    for (const wasRequeued of [false, true]) {
      const attempt = finished(500, { attemptCount: 8, wasRequeued })
      const { outcome, record } = resultOf({ ...attempt, sent: { ...attempt.sent, attempt: failed } })
      expect(record).toMatchObject({ status: "failed", isCounted: false, isMade: false, error: "No network." })
      expect(record.nextAttemptAt).toEqual(new Date(at.getTime() + 5000))
      expect(outcome).toBeUndefined()
    }
  })

  test("fails the delivery without a retry after a 4xx, and disables the webhook after a 410", () => {
    expect(resultOf(finished(400)).record).toMatchObject({ status: "failed", nextAttemptAt: null })
    expect(resultOf(finished(400)).outcome).toBeUndefined()
    expect(resultOf(finished(410)).outcome).toBe("gone")
  })

  test("does not count if a client has queued the delivery again, unless it delivered", () => {
    const superseded = resultOf(finished(500, { attemptCount: 8, wasRequeued: true }))
    expect(superseded.record).toMatchObject({ status: "failed", isCounted: false, nextAttemptAt: at })
    expect(superseded.outcome).toBeUndefined()
    expect(resultOf(finished(410, { wasRequeued: true })).outcome).toBe("gone")
    expect(resultOf(finished(204, { wasRequeued: true })).record).toMatchObject({
      status: "delivered",
      isCounted: true
    })
  })

  test("can be reduced to one without the response", () => {
    const evaluated = resultOf(finished(500))
    expect(hasResponse(evaluated)).toBe(true)
    expect(hasResponse(withoutResponse(evaluated))).toBe(false)
  })
})

describe("What attempts add to the counts of webhooks", () => {
  const first = new Date("2026-11-22T11:59:59.999Z")
  const attemptOf = (
    delivery: { readonly attemptCount: number; readonly replayedAttempts: number },
    more: Partial<RecordedAttempt> = {}
  ): RecordedAttempt => ({
    ...resultOf(finished(204)).record,
    startedAt: at,
    webhookId: "webhook",
    ...more,
    delivery: { id: "delivery", teamId: "team", status: "failed", ...delivery }
  })
  const tallied = (attempt: RecordedAttempt, wasDelivered?: boolean) => {
    const earlier = wasDelivered === undefined ? [] : [{ deliveryId: "delivery", startedAt: first, wasDelivered }]
    return tallyOf([attempt], needsEarlier(attempt) ? earlier : []).map(({ attempts, delivered, first, hour }) => [
      hour.toISOString().slice(11, 16),
      attempts,
      first,
      delivered
    ])
  }
  const never = { attemptCount: 0, replayedAttempts: 0 }
  const once = { attemptCount: 1, replayedAttempts: 0 }
  const failed = { status: "failed" } as const

  it("is an attempt, and a delivery in the hour of its first one", () => {
    expect(tallied(attemptOf(never))).toEqual([["12:00", 1, 1, 1]])
    expect(tallied(attemptOf(never, failed))).toEqual([["12:00", 1, 1, 0]])
    expect(tallied(attemptOf(once, failed), false)).toEqual([["12:00", 1, 0, 0]])
    expect(tallied(attemptOf(once), false)).toEqual([
      ["12:00", 1, 0, 0],
      ["11:00", 0, 0, 1]
    ])
  })

  it("is no delivery for one that had arrived before", () => {
    expect(tallied(attemptOf({ attemptCount: 0, replayedAttempts: 2 }), true)).toEqual([["12:00", 1, 0, 0]])
  })

  it("is nothing for an attempt that was not made, after which the first one has another number", () => {
    expect(tallied(attemptOf(never, { ...failed, isMade: false }))).toEqual([])
    expect(tallied(attemptOf({ attemptCount: 0, replayedAttempts: 1 }))).toEqual([["12:00", 1, 1, 1]])
    expect(tallied(attemptOf({ attemptCount: 0, replayedAttempts: 1 }, failed))).toEqual([["12:00", 1, 1, 0]])
  })

  it("is one row for each hour and duration", () => {
    const slow = { durationMs: 77 }
    const attempts = [attemptOf(never), attemptOf(never), attemptOf(never, slow)]
    expect(tallyOf(attempts, []).map(({ attempts, duration }) => [attempts, duration])).toEqual([
      [2, 5],
      [1, 80]
    ])
  })
})

describe("the kind of a failure", () => {
  const coded = (code: string) => networkError(Object.assign(new Error("x"), { code }))

  test.each([
    ["answered", "The receiver answered 503."],
    ["timeout", timeoutError("tls", 10_000)],
    ["tls", coded("CERT_HAS_EXPIRED")],
    ["refused", coded("ECONNREFUSED")],
    ["closed", coded("ECONNRESET")],
    ["closed", closedEarly],
    ["unreachable", coded("EHOSTUNREACH")],
    ["invalid", coded("UND_ERR_HEADERS_OVERFLOW")],
    ["invalid", tooMuch],
    ["own", coded("ENETDOWN")],
    ["own", networkError(new NameServersAway())],
    ["own", "The service could not record the result of the attempt."],
    ["forbidden", notPublic.reason],
    ["forbidden", "The URL must begin with https://."],
    ["other", coded("EWHATEVER")]
  ])("is %s by its sentence: %s", (kind, error) => {
    expect(failureKindOf(error)).toBe(kind)
  })
})
