import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import {
  worstFirst,
  type Health,
  healthOf,
  type WebhookCounts,
  successRate
} from "../../../src/webhooks/endpoints/healthRules.ts"

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

describe("The health of an endpoint", () => {
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

describe("The order of endpoints", () => {
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
