import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { room } from "../../../src/webhooks/deliveries/rules.ts"
import { type EndpointQueue, nextOf, stockOf } from "../../../src/webhooks/deliveries/schedule.ts"

const line = fc.record({
  flying: fc.nat(room.endpoint + 2),
  slow: fc.boolean(),
  firsts: fc.nat(3),
  retries: fc.nat(3)
})

const teams = fc.array(line, { maxLength: 8 })

const capOf = ({ slow }: EndpointQueue) => (slow ? room.least : room.endpoint)

const sum = (lines: ReadonlyArray<EndpointQueue>) => lines.reduce((count, { flying }) => count + flying, 0)

describe("What is sent next", () => {
  test("waits, and goes to an endpoint that has room, in a team that has room or owes it its least", () => {
    fc.assert(
      fc.property(teams, fc.boolean(), (lines, maySlow) => {
        const flying = sum(lines)
        const next = nextOf(lines, { flying, room, maySlow })
        const possible = lines.filter(
          (one) =>
            one.firsts + one.retries > 0 &&
            (maySlow || !one.slow) &&
            one.flying < capOf(one) &&
            (one.flying < room.least || flying < room.team)
        )
        if (next === undefined) expect(possible).toStrictEqual([])
        else expect(possible).toContain(next)
      })
    )
  })

  test("is one that its endpoint is owed, then a first attempt, then one of the endpoint with the fewest", () => {
    fc.assert(
      fc.property(teams, (lines) => {
        const flying = sum(lines)
        const next = nextOf(lines, { flying, room, maySlow: true })
        const rank = (one: EndpointQueue) =>
          (one.flying < room.least ? 0 : 1000) + (one.firsts > 0 ? 0 : 100) + one.flying
        for (const one of lines) {
          const mayGo =
            one.firsts + one.retries > 0 && one.flying < capOf(one) && (one.flying < room.least || flying < room.team)
          if (next !== undefined && mayGo) expect(rank(next)).toBeLessThanOrEqual(rank(one))
        }
      })
    )
  })

  test("never brings more in flight than there is room for, however much waits", () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 20 }), (lines) => {
        const team = lines.map((one) => ({ ...one, flying: 0, firsts: 50 }))
        for (;;) {
          const next = nextOf(team, { flying: sum(team), room, maySlow: true })
          if (next === undefined) break
          next.flying++
          if (next.firsts > 0) next.firsts--
          else next.retries--
        }
        for (const one of team) expect(one.flying).toBeLessThanOrEqual(capOf(one))
        expect(sum(team)).toBeLessThanOrEqual(Math.max(room.team, team.length * room.least))
        for (const one of team) expect(one.flying).toBeGreaterThanOrEqual(room.least)
      })
    )
  })
})

describe("What a process may hold of an endpoint", () => {
  test("is what it accepts in half a second, at least its room, at most five hundred", () => {
    expect([0, 1, 5, 25, 50, 100, 250, 500, 3000].map((millis) => stockOf(millis, room))).toStrictEqual([
      500, 500, 500, 200, 100, 50, 20, 10, 10
    ])
  })
})
