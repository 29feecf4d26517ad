import { assert, describe, it } from "@effect/vitest"
import { daysAfter, dueDatesOf, expiryOf, isOverdue, prospectEtag } from "../../../src/deals/prospects/projection.ts"
import { resolvePatch } from "../../../src/deals/prospects/rules.ts"
import { blank } from "../../../src/deals/prospects/Prospect.ts"

describe("Days", () => {
  it("of a week go from today to Sunday, on every day of it", () => {
    // 2026-11-16 is a Monday.
    for (let day = 0; day < 7; day++) {
      const today = daysAfter("2026-11-16", day)
      assert.deepStrictEqual(dueDatesOf("this_week", today), { from: today, to: "2026-11-22" })
      assert.deepStrictEqual(dueDatesOf("today", today), { from: today, to: today })
      assert.strictEqual(dueDatesOf("overdue", today).to, daysAfter(today, -1))
    }
  })

  it("follow each other over months and years", () => {
    assert.strictEqual(daysAfter("2026-12-31", 1), "2027-01-01")
    assert.strictEqual(daysAfter("2028-03-01", -1), "2028-02-29")
  })

  it("make a task overdue from the day after it is due", () => {
    assert.isFalse(isOverdue({ due: "2026-11-21" }, "2026-11-21"))
    assert.isTrue(isOverdue({ due: "2026-11-21" }, "2026-11-22"))
    assert.isFalse(isOverdue(null, "2026-11-22"))
  })

  it("change the ETag with the answer, before the row is written", () => {
    const nextTask = { id: "task_1", type: "call", due: "2026-11-21", assigneeId: "user_1" }
    const row = { etag: '"v3"', nextTask, overdueWhenWritten: false }
    assert.strictEqual(prospectEtag(row, "2026-11-21"), '"v3"')
    assert.strictEqual(prospectEtag(row, "2026-11-22"), '"v3-overdue"')
    assert.strictEqual(prospectEtag({ ...row, etag: '"v4"', overdueWhenWritten: true }, "2026-11-22"), '"v4"')
  })
})

describe("An expiry", () => {
  const now = new Date("2026-01-31T10:00:00Z")
  const meant = (text: string) => expiryOf(text, now)?.toISOString()

  it("is so many days, weeks or months from now, or a moment", () => {
    assert.strictEqual(meant("3d"), "2026-02-03T10:00:00.000Z")
    assert.strictEqual(meant("2w"), "2026-02-14T10:00:00.000Z")
    assert.strictEqual(meant("1m"), "2026-02-28T10:00:00.000Z")
    assert.strictEqual(meant("tomorrow"), "2026-02-01T10:00:00.000Z")
    assert.strictEqual(meant("next_week"), "2026-02-07T10:00:00.000Z")
    assert.strictEqual(meant("next_month"), "2026-02-28T10:00:00.000Z")
    assert.strictEqual(meant("2026-03-01"), "2026-03-01T00:00:00.000Z")
    assert.strictEqual(meant("2026-03-01T12:00:00+01:00"), "2026-03-01T11:00:00.000Z")
  })

  it("is nothing else", () => {
    for (const text of [
      "",
      "3",
      "d",
      "3y",
      "-3d",
      "3.5d",
      "12345d",
      "yesterday",
      "2026-02-30",
      "2026-03-01T12:00:00"
    ]) {
      assert.isUndefined(meant(text), text)
    }
  })

  it("lies in the future, and needs a room", () => {
    const faults = (accessExpiry: string | null, roomAccessUtc: string | null) =>
      resolvePatch(
        { accessExpiry },
        { ...blank, roomAccessUtc },
        { now, ownerId: undefined, isMember: () => true }
      ).faults.map(({ code }) => code)
    assert.deepStrictEqual(faults("3d", "2026-01-01T00:00:00.000Z"), [])
    assert.deepStrictEqual(faults("0d", "2026-01-01T00:00:00.000Z"), ["not_in_future"])
    assert.deepStrictEqual(faults("2026-01-31", null), ["not_in_future", "no_room"])
    assert.deepStrictEqual(faults("soon", null), ["invalid_expiry", "no_room"])
    assert.deepStrictEqual(faults(null, null), [])
  })
})
