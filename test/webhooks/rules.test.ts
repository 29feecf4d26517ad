import fc from "fast-check"
import { assert, describe, expect, it } from "@effect/vitest"
import { Duration } from "effect"
import { eventTypes } from "../../src/core/mutation/Event.ts"
import {
  afterDelivery,
  afterRequest,
  afterRotation,
  type Health,
  healthOf,
  lastExpiry,
  newWebhookStatus,
  successRate,
  toTestResult,
  transition,
  validAt,
  type WebhookCounts,
  type WebhookEvent,
  type WebhookState,
  type WebhookStatus,
  worstFirst
} from "../../src/webhooks/rules.ts"
import { testedType } from "../../src/webhooks/Webhooks.ts"
import { exhaustionsToDisable, maxSecrets } from "../../src/webhooks/Webhook.ts"
import { parseDuration } from "../../src/platform/Time.ts"

const at = new Date("2026-11-21T09:30:00Z")
const states: ReadonlyArray<WebhookState> = ["active", "paused", "disabled"]
const disabled: WebhookStatus = {
  state: "disabled",
  disabledReason: "receiver_gone",
  disabledUtc: "2026-11-20T00:00:00.000Z",
  consecutiveExhausted: 4
}

describe("the state of a webhook", () => {
  const table: Record<WebhookEvent, ReadonlyArray<WebhookState | null>> = {
    activate: [null, "active", "active"],
    pause: ["paused", null, "paused"],
    gone: ["disabled", "disabled", null],
    tenth_exhaustion: ["disabled", "disabled", null],
    team_deleted: ["disabled", null, null]
  }

  it("changes only by the documented transitions", () => {
    for (const [event, targets] of Object.entries(table)) {
      expect(
        states.map((state) => transition(state, event as WebhookEvent)),
        event
      ).toEqual(targets)
    }
  })
})

describe("a client's request", () => {
  it.each(["paused", "disabled"] as const)("activates a %s webhook, and clears its count and its reason", (status) => {
    expect(afterRequest({ ...disabled, state: status }, "active")).toEqual(newWebhookStatus)
  })

  it("pauses an active webhook and keeps its count", () => {
    expect(afterRequest({ ...newWebhookStatus, consecutiveExhausted: 3 }, "paused")).toEqual({
      ...newWebhookStatus,
      state: "paused",
      consecutiveExhausted: 3
    })
  })

  it("pauses a disabled webhook", () => {
    expect(afterRequest(disabled, "paused")).toEqual({ ...newWebhookStatus, state: "paused", consecutiveExhausted: 4 })
  })

  it("for the current state changes nothing", () => {
    const active = { ...newWebhookStatus, consecutiveExhausted: 3 }
    expect(afterRequest(active, "active")).toBe(active)
  })
})

describe("the end of a delivery", () => {
  it("counts if the delivery is exhausted, and disables the webhook at the tenth in a row", () => {
    let status: WebhookStatus = newWebhookStatus
    for (let count = 1; count < exhaustionsToDisable; count++) {
      status = afterDelivery(status, "exhausted", at)
      expect(status).toEqual({ ...newWebhookStatus, consecutiveExhausted: count })
    }
    expect(afterDelivery(status, "exhausted", at)).toEqual({
      state: "disabled",
      disabledReason: "deliveries_exhausted",
      disabledUtc: at.toISOString(),
      consecutiveExhausted: 10
    })
  })

  it("resets the count if the delivery succeeded", () => {
    expect(afterDelivery({ ...newWebhookStatus, consecutiveExhausted: 9 }, "delivered", at)).toEqual(newWebhookStatus)
  })

  it.each(["active", "paused"] as const)("disables a webhook that is %s at once after a 410", (status) => {
    expect(afterDelivery({ ...newWebhookStatus, state: status }, "gone", at)).toEqual({
      state: "disabled",
      disabledReason: "receiver_gone",
      disabledUtc: at.toISOString(),
      consecutiveExhausted: 0
    })
  })

  it("does not disable a webhook a second time", () => {
    expect(afterDelivery(disabled, "gone", at)).toBe(disabled)
    expect(afterDelivery({ ...disabled, consecutiveExhausted: 10 }, "exhausted", at)).toEqual({
      ...disabled,
      consecutiveExhausted: 11
    })
  })
})

describe("the rotation of a secret", () => {
  const hours = (count: number) => new Date(at.getTime() + count * 3_600_000).toISOString()
  const previous = [
    { sealed: "b", until: hours(2) },
    { sealed: "a", until: hours(0) }
  ]

  it("keeps no earlier secret without an overlap", () => {
    expect(afterRotation({ replaced: "c", previous, overlap: undefined, now: at })).toEqual([])
  })

  it("keeps the last secret for the overlap, and earlier ones until their own ends", () => {
    expect(afterRotation({ replaced: "c", previous, overlap: Duration.hours(1), now: at })).toEqual([
      { sealed: "c", until: hours(1) },
      { sealed: "b", until: hours(2) }
    ])
  })

  it("drops the earlier secrets that end first if there are too many", () => {
    const full = [7, 3, 5, 2].map((count) => ({ sealed: `${count}`, until: hours(count) }))
    for (const count of [1, 4, 8]) {
      const after = afterRotation({ replaced: "new", previous: full, overlap: Duration.hours(count), now: at })
      expect(after.map(({ sealed }) => sealed)).toEqual(["new", "7", "3", "5"])
    }
  })

  it("keeps only secrets that sign, in their order, and none that ends before a dropped one", () => {
    const secret = fc.record({
      sealed: fc.uuid(),
      until: fc.integer({ min: -48, max: 168 }).map(hours)
    })
    fc.assert(
      fc.property(fc.array(secret, { maxLength: 8 }), fc.integer({ min: 1, max: 168 }), (before, length) => {
        const [first, ...kept] = afterRotation({
          replaced: "replaced",
          previous: before,
          overlap: Duration.hours(length),
          now: at
        })
        expect(first).toEqual({ sealed: "replaced", until: hours(length) })
        const signing = validAt(before, at)
        expect(kept.length).toBe(Math.min(signing.length, maxSecrets - 2))
        expect(kept).toEqual(signing.filter((one) => kept.includes(one)))
        const dropped = signing.filter((one) => !kept.includes(one))
        for (const gone of dropped) for (const one of kept) expect(gone.until <= one.until).toBe(true)
      })
    )
  })

  it("reports the last end, past or not", () => {
    expect(lastExpiry([])).toBeNull()
    expect(lastExpiry(previous)).toBe(hours(2))
    expect(lastExpiry([...previous, { sealed: "0", until: hours(9) }])).toBe(hours(9))
  })

  it("ends a secret exactly at its time", () => {
    const signing = (now: string) => validAt(previous, new Date(now)).map(({ sealed }) => sealed)
    expect(signing(new Date(Date.parse(hours(2)) - 1).toISOString())).toEqual(["b"])
    expect(signing(hours(2))).toEqual([])
  })

  it("accepts minutes, hours and days only", () => {
    const read = (text: string) => {
      const overlap = parseDuration(text)
      return overlap === undefined ? undefined : Duration.toMillis(overlap) / 60_000
    }
    expect(["1m", "90m", "24h", "7d"].map(read)).toEqual([1, 90, 1440, 10_080])
    for (const text of ["", "24", "h", "1.5h", "-1h", "+1h", "1 h", "1H", "1s", "1w", "PT24H", "1h30m", "1e3m"]) {
      expect(read(text), text).toBeUndefined()
    }
  })
})

describe("a test delivery", () => {
  const timed = { startedAt: at, durationMs: 12 }
  const request = { headers: { "x-service-test": "true" }, body: new TextEncoder().encode("{}") }
  const sent = { request_headers: request.headers, request_body: "{}" }
  const answered = (statusCode: number) =>
    toTestResult({ ...timed, outcome: "answered", statusCode, responseHeaders: {}, responseBody: "" }, request)
  const answer = { ...sent, response_headers: {}, response_body: "" }

  it("sends the requested type, or the first that the webhook subscribes to", () => {
    expect(testedType("prospect.deleted", ["link.created"])).toBe("prospect.deleted")
    for (const type of eventTypes) expect(testedType(undefined, [type, "contact.created"])).toBe(type)
  })

  it("succeeds with a 2xx only", () => {
    for (const status of [200, 204, 299]) {
      expect(answered(status)).toEqual({
        success: true,
        status_code: status,
        duration_ms: 12,
        error: null,
        ...answer
      })
    }
    for (const status of [301, 400, 404, 410, 429, 500, 503]) {
      const error = `The receiver answered ${status}.`
      expect(answered(status)).toEqual({ success: false, status_code: status, duration_ms: 12, error, ...answer })
    }
  })

  it("reports why there was no response, or no complete one", () => {
    const failed = { ...timed, outcome: "failed" as const, error: "No answer in time." }
    const none = { ...sent, response_headers: null, response_body: null }
    const result = { success: false, duration_ms: 12, error: "No answer in time.", ...none }
    expect(toTestResult(failed, request)).toEqual({ ...result, status_code: null })
    expect(toTestResult({ ...failed, statusCode: 200 }, request)).toEqual({ ...result, status_code: 200 })
  })
})

const now = new Date("2026-11-21T12:00:00Z")
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000)

const well: WebhookCounts = {
  status: "active",
  consecutiveExhausted: 0,
  pending: 0,
  oldestDueAt: null,
  attempted: 0,
  delivered: 0
}

describe("The health of a webhook", () => {
  const cases: ReadonlyArray<readonly [says: string, measured: Partial<WebhookCounts>, health: Health]> = [
    ["is well that never had an event", {}, "healthy"],
    ["is well of which 95 % arrive", { attempted: 20, delivered: 19 }, "healthy"],
    ["fails of which fewer arrive", { attempted: 21, delivered: 19 }, "failing"],
    [
      "fails that used up the attempts of the latest delivery",
      { attempted: 200, delivered: 199, consecutiveExhausted: 1 },
      "failing"
    ],
    ["is well with an attempt due for a minute", { oldestDueAt: ago(60) }, "healthy"],
    ["is late with one due for longer", { oldestDueAt: ago(61) }, "late"],
    ["fails rather than being late", { oldestDueAt: ago(61), attempted: 1 }, "failing"],
    ["is paused whatever came before", { status: "paused", attempted: 9, consecutiveExhausted: 3 }, "paused"],
    ["is disabled", { status: "disabled", consecutiveExhausted: 10 }, "disabled"]
  ]
  for (const [says, measured, health] of cases) {
    it(`${says}: ${health}`, () => assert.strictEqual(healthOf({ ...well, ...measured }, now), health))
  }

  it("has no success rate without attempts", () => {
    assert.isNull(successRate(well))
    assert.strictEqual(successRate({ attempted: 4, delivered: 3 }), 0.75)
  })
})

describe("The order of webhooks", () => {
  const measured = fc
    .record({
      status: fc.constantFrom("active", "paused", "disabled"),
      consecutiveExhausted: fc.nat(2),
      pending: fc.nat(3),
      oldestDueAt: fc.option(fc.nat(120).map(ago)),
      attempted: fc.nat(4)
    })
    .chain((some) => fc.nat(some.attempted).map((delivered): WebhookCounts => ({ ...some, delivered })))

  it("puts the worst first", () => {
    const order: ReadonlyArray<Health> = ["disabled", "failing", "late", "paused", "healthy"]
    fc.assert(
      fc.property(fc.array(measured), (some) => {
        const sorted = some.toSorted(worstFirst(now))
        const ranks = sorted.map((one) => order.indexOf(healthOf(one, now)))
        assert.deepStrictEqual(
          ranks,
          ranks.toSorted((one, other) => one - other)
        )
        const key = (one: WebhookCounts) => [healthOf(one, now), successRate(one) ?? 1, one.pending]
        assert.deepStrictEqual(some.toReversed().toSorted(worstFirst(now)).map(key), sorted.map(key))
      })
    )
  })

  it("orders equal health by success rate, then by pending deliveries", () => {
    const failing = { ...well, attempted: 4 }
    const sorted = [
      { ...failing, delivered: 2 },
      { ...failing, pending: 1 },
      { ...failing, pending: 5 }
    ].toSorted(worstFirst(now))
    assert.deepStrictEqual(
      sorted.map(({ delivered, pending }) => [delivered, pending]),
      [
        [0, 5],
        [0, 1],
        [2, 0]
      ]
    )
  })
})
