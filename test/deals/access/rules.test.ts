/** The states of access over all events, its ends, and grants. */
import * as fc from "fast-check"
import { assert, describe, it } from "@effect/vitest"
import {
  accessEvents,
  accessStateAt,
  accessStates,
  accessTransitions,
  activeEnd,
  decideGrant,
  followEnd,
  lastingAccess,
  laterEnd,
  type RoomAccess
} from "../../../src/deals/access/rules.ts"
import { roomStatuses } from "../../../src/deals/access/Access.ts"

const now = new Date("2026-11-10T09:00:00Z")
const days = (count: number) => new Date(now.getTime() + count * 86_400_000)

const end = fc.option(fc.integer({ min: -3, max: 3 }).map(days), { nil: null })

const access: fc.Arbitrary<RoomAccess> = fc.record({
  roomUuid: fc.uuid(),
  roomStatus: fc.constantFrom(...roomStatuses),
  expiresAt: end,
  revokedAt: fc.constantFrom(null, days(-1)),
  expiredAt: fc.constantFrom(null, null, days(-1))
})

const accesses = fc.uniqueArray(access, { selector: ({ roomUuid }) => roomUuid, maxLength: 5 })

describe("the states of access", () => {
  it("lead where the table says", () => {
    const table = Object.fromEntries(
      accessStates.map((from) => [
        from,
        accessEvents.map((event) => `${event} ${accessTransitions[from][event]}`).join(", ")
      ])
    )
    assert.deepStrictEqual(table, {
      none: "grant active, revoke none, end_passed none, extend none, clear none",
      active: "grant active, revoke revoked, end_passed expired, extend active, clear active",
      expired: "grant active, revoke revoked, end_passed expired, extend active, clear expired",
      revoked: "grant active, revoke revoked, end_passed revoked, extend revoked, clear revoked"
    })
  })

  it("follow the clock, whether the end was recorded or not", () => {
    const times = { expiresAt: now, revokedAt: null, expiredAt: null }
    assert.strictEqual(accessStateAt(undefined, now), "none")
    assert.strictEqual(accessStateAt(times, new Date(now.getTime() - 1)), "active")
    assert.strictEqual(accessStateAt(times, now), "expired")
    assert.strictEqual(accessStateAt({ ...times, expiredAt: now }, days(-1)), "expired")
    assert.strictEqual(accessStateAt({ ...times, revokedAt: now }, days(-1)), "revoked")
    assert.strictEqual(accessStateAt({ ...times, expiresAt: null }, days(1_000)), "active")
  })
})

describe("a new end of access", () => {
  it("keeps what is active, records what is over, and brings it back with a later end, if nothing else is active", () => {
    fc.assert(
      fc.property(accesses, end, (all, newEnd) => {
        const { expired, kept, resumed } = followEnd(all, newEnd, now)
        for (const one of all) {
          const state = accessStateAt(one, now)
          const hasActive = all.some((other) => accessStateAt(other, now) === "active")
          const isLater = newEnd !== null && newEnd > now
          const isBack = state === "expired" && isLater && !hasActive && one.roomStatus === "open"
          assert.strictEqual(kept.includes(one.roomUuid), state === "active")
          assert.strictEqual(resumed.includes(one.roomUuid), isBack)
          assert.strictEqual(expired.includes(one.roomUuid), state === "expired" && one.expiredAt === null && !isBack)
        }
      })
    )
  })
})

describe("the accesses of prospects that become one", () => {
  const member = (uuid: string, grantedAt: number) => ({ prospectUuid: uuid, grantedAt: days(grantedAt) })
  const times = {
    active: { expiresAt: days(2), revokedAt: null, expiredAt: null },
    "active without end": { expiresAt: null, revokedAt: null, expiredAt: null },
    "expired, not recorded": { expiresAt: days(-1), revokedAt: null, expiredAt: null },
    expired: { expiresAt: days(-1), revokedAt: null, expiredAt: days(-1) },
    withdrawn: { expiresAt: days(3), revokedAt: days(-1), expiredAt: null },
    "withdrawn, expired": { expiresAt: days(-1), revokedAt: days(-1), expiredAt: days(-1) }
  }
  const rank = ["active", "expired", "revoked"]

  for (const [own, ownTimes] of Object.entries(times)) {
    it(`leave the one that lasts: ${own}, and each other`, () => {
      for (const otherTimes of Object.values(times)) {
        const [a, b] = [
          { ...ownTimes, ...member("absorbing", 0) },
          { ...otherTimes, ...member("absorbed", -1) }
        ]
        const isOwn = rank.indexOf(accessStateAt(a, now)) <= rank.indexOf(accessStateAt(b, now))
        assert.strictEqual(lastingAccess([a, b], "absorbing", now), isOwn ? a : b)
        assert.strictEqual(lastingAccess([b, a], "absorbing", now), isOwn ? a : b)
      }
    })
  }

  it("end with the latest active one, whatever else was withdrawn or has expired", () => {
    fc.assert(
      fc.property(accesses, (all) => {
        const ends = all.filter((one) => accessStateAt(one, now) === "active").map(({ expiresAt }) => expiresAt)
        const latest = ends.includes(null) ? null : (ends.toSorted((a, b) => Number(a) - Number(b)).at(-1) ?? undefined)
        assert.deepStrictEqual(activeEnd(all, now), latest)
      })
    )
  })
})

describe("a grant", () => {
  const roomUuid = "00000000-0000-7000-8000-000000000001"
  const prospectUuid = "00000000-0000-7000-8000-000000000002"

  it("is new unless access is active, and has the end that is named", () => {
    fc.assert(
      fc.property(accesses, fc.option(access, { nil: undefined }), end, end, (others, own, until, current) => {
        const all = own === undefined ? others : [...others, { ...own, roomUuid }]
        const granted = decideGrant(
          { prospectUuid, accesses: all, end: current },
          roomUuid,
          { until, defaultEnd: days(30) },
          now
        )
        assert.deepStrictEqual(granted, {
          prospectUuid,
          isNew: accessStateAt(own, now) !== "active",
          end: until
        })
      })
    )
  })

  it("without an end has the room's, is never shorter than other access, and leaves active access as it is", () => {
    fc.assert(
      fc.property(accesses, fc.option(access, { nil: undefined }), end, end, (others, own, defaultEnd, current) => {
        const all = own === undefined ? others : [...others, { ...own, roomUuid }]
        const granted = decideGrant(
          { prospectUuid, accesses: all, end: current },
          roomUuid,
          { until: undefined, defaultEnd },
          now
        )
        const hasActive = all.some((one) => accessStateAt(one, now) === "active")
        const expected = !granted.isNew ? current : hasActive ? laterEnd(defaultEnd, current) : defaultEnd
        assert.deepStrictEqual(granted.end, expected)
      })
    )
  })
})
