import { describe, expect, it } from "@effect/vitest"
import { Duration } from "effect"
import {
  alarmFor,
  attemptsInAll,
  classify,
  type DeliveryEvent,
  type DeliveryState,
  eventOf,
  move,
  nextDelay,
  retryDelays,
  type Verdict
} from "../../../src/webhooks/deliveries/rules.ts"
import type { Attempt } from "../../../src/webhooks/outbound/Attempt.ts"

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
  it("is judged by the class of its status, for every status", () => {
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

  it("that failed on the network is retried, even if the head of a 2xx had come", () => {
    expect(classify({ ...timed, outcome: "failed", error: "Timeout." })).toBe("retry")
    expect(classify({ ...timed, outcome: "failed", error: "Timeout.", statusCode: 200 })).toBe("retry")
  })
})

const seconds = (delay: Duration.Duration | null) => (delay === null ? null : Duration.toSeconds(delay))
const after = (attempt: number, more: { jitter?: number; statusCode?: number; retryAfterSeconds?: number } = {}) =>
  seconds(nextDelay({ attempt, delays: retryDelays, jitter: 0, ...more }))

describe("the wait before the next attempt", () => {
  it("follows the schedule of the specification, and ends after the ninth attempt", () => {
    const waits = Array.from({ length: attemptsInAll }, (_, index) => after(index + 1))
    expect(waits).toEqual([3, 10, 30, 300, 1800, 7200, 28_800, 86_400, null])
    expect(after(10)).toBeNull()
  })

  it("is lengthened by up to a tenth, and never shortened, by the jitter", () => {
    for (let attempt = 1; attempt < attemptsInAll; attempt++) {
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

  it("believes a Retry-After up to 24 hours", () => {
    expect(after(1, { statusCode: 429, retryAfterSeconds: Number.MAX_SAFE_INTEGER })).toBe(86_400)
    expect(after(8, { statusCode: 429, retryAfterSeconds: 1e9, jitter: 0.5 })).toBe(90_720)
  })

  it.each([undefined, 200, 302, 500, 502, 504])("ignores a Retry-After on %s", (statusCode) => {
    expect(after(1, { retryAfterSeconds: 120, ...(statusCode === undefined ? {} : { statusCode }) })).toBe(3)
  })

  it("does not come back for a Retry-After after the last attempt", () => {
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

  it("moves as the specification says, and in no other way", () => {
    for (const [event, targets] of Object.entries(table)) {
      expect(
        states.map((state) => move(state, event as DeliveryEvent)),
        event
      ).toEqual(targets)
    }
  })

  it("follows from the verdict on an attempt and from whether another follows", () => {
    const delay = Duration.seconds(3)
    expect(eventOf("delivered", null)).toBe("delivered")
    expect(eventOf("retry", delay)).toBe("failed_retriable")
    expect(eventOf("retry", null)).toBe("attempts_used_up")
    expect(eventOf("final", delay)).toBe("failed_finally")
    expect(eventOf("final", null)).toBe("failed_finally")
    expect(eventOf("gone", null)).toBe("failed_finally")
  })

  it("is failed eight times and exhausted after the ninth failure", () => {
    const seen: Array<DeliveryState> = []
    let state: DeliveryState = "pending"
    for (let attempt = 1; attempt <= attemptsInAll; attempt++) {
      state = move(state, eventOf("retry", nextDelay({ attempt, delays: retryDelays, jitter: 0 }))) ?? state
      seen.push(state)
    }
    expect(seen).toEqual([...Array<DeliveryState>(8).fill("failed"), "exhausted"])
  })
})

describe("a team's alarm", () => {
  const at = new Date(1_000_000)
  const after = (millis: number) => new Date(at.getTime() + millis)
  const alarm = (nextDue: number | null, set: number | null, rang?: number) => {
    const next = alarmFor({
      at,
      nextDue: nextDue === null ? null : after(nextDue),
      alarm: set === null ? null : after(set),
      rang: rang === undefined ? undefined : after(rang)
    })
    return next === null ? null : next.getTime() - at.getTime()
  }

  it("is set for what is due next, unless it rings before", () => {
    expect(alarm(3000, null)).toBe(3000)
    expect(alarm(3000, 5000)).toBe(3000)
    expect(alarm(3000, 3000)).toBe(3000)
    expect(alarm(3000, 2000)).toBe(2000)
    expect(alarm(null, null)).toBe(null)
    expect(alarm(null, 2000)).toBe(2000)
  })

  it("rings five times a second at most", () => {
    expect(alarm(1, null)).toBe(200)
    expect(alarm(1, 150)).toBe(150)
  })

  it("that has rung is set again, or not, by its own job, or when that is overdue", () => {
    expect(alarm(3000, -10)).toBe(-10)
    expect(alarm(3000, -10, -10)).toBe(3000)
    expect(alarm(3000, -10, -20)).toBe(-10)
    expect(alarm(null, -10, -10)).toBe(null)
    expect(alarm(3000, -30_001)).toBe(3000)
    expect(alarm(null, -30_001)).toBe(null)
  })
})
