import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { concurrencyLimits } from "../../../src/webhooks/deliveries/rules.ts"
import { type EndpointQueue, nextQueue, prefetchLimit } from "../../../src/webhooks/deliveries/schedule.ts"

const queue = fc.record({
  inFlight: fc.nat(concurrencyLimits.perEndpoint + 2),
  slow: fc.boolean(),
  firstAttempts: fc.nat(3),
  retries: fc.nat(3)
})

const teams = fc.array(queue, { maxLength: 8 })

const capOf = ({ slow }: EndpointQueue) => (slow ? concurrencyLimits.guaranteed : concurrencyLimits.perEndpoint)

const sum = (queues: ReadonlyArray<EndpointQueue>) => queues.reduce((count, { inFlight }) => count + inFlight, 0)

describe("The next delivery", () => {
  test("belongs to an endpoint below its limit, in a team below its limit or with a guaranteed slot", () => {
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

  test("has a guaranteed slot, else is a first attempt, else belongs to the endpoint with the fewest in flight", () => {
    fc.assert(
      fc.property(teams, (queues) => {
        const inFlight = sum(queues)
        const next = nextQueue(queues, { inFlight, limits: concurrencyLimits, allowSlow: true })
        const rank = (one: EndpointQueue) =>
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

describe("The prefetch limit of an endpoint", () => {
  test("is what it accepts in half a second, at least its limit and at most 500", () => {
    expect(
      [0, 1, 5, 25, 50, 100, 250, 500, 3000].map((millis) => prefetchLimit(millis, concurrencyLimits))
    ).toStrictEqual([500, 500, 500, 200, 100, 50, 20, 10, 10])
  })
})
