import { Duration } from "effect"
import { describe, expect, test } from "vitest"
import {
  evaluate,
  type FinishedAttempt,
  hasResponse,
  withoutResponse
} from "../../../src/webhooks/deliveries/evaluation.ts"
import { retryDelays } from "../../../src/webhooks/deliveries/rules.ts"

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
