import { describe, expect, it } from "@effect/vitest"
import { Duration } from "effect"
import {
  attemptOutcome,
  classify,
  type DeliveryEvent,
  deliveryEvent,
  type DeliveryState,
  nextDelay,
  nextWakeUp,
  postponement,
  retryDelays,
  transition,
  type Verdict
} from "../../../src/webhooks/deliveries/rules.ts"
import type { Attempt } from "../../../src/core/outbound/rules.ts"

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
