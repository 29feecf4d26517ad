import { assert, describe, it } from "@effect/vitest"
import { parseTimestamp } from "../../../src/core/fields/Timestamp.ts"

const parsed = (text: string) => parseTimestamp(text)?.toISOString()

describe("A timestamp of a client", () => {
  it("is ISO 8601 with an offset", () => {
    assert.strictEqual(parsed("2026-11-21T09:30:00Z"), "2026-11-21T09:30:00.000Z")
    assert.strictEqual(parsed("2026-11-21T09:30Z"), "2026-11-21T09:30:00.000Z")
    assert.strictEqual(parsed("2026-11-21t09:30:00.123456z"), "2026-11-21T09:30:00.123Z")
    assert.strictEqual(parsed("2026-11-21T09:30:00,5+01:00"), "2026-11-21T08:30:00.500Z")
    assert.strictEqual(parsed("2026-11-21T09:30:00-0530"), "2026-11-21T15:00:00.000Z")
    assert.strictEqual(parsed("2026-11-21T09:30:00+01"), "2026-11-21T08:30:00.000Z")
  })

  it("may be a date alone, which means midnight UTC", () => {
    assert.strictEqual(parsed("2026-11-21"), "2026-11-21T00:00:00.000Z")
    assert.strictEqual(parsed("2024-02-29"), "2024-02-29T00:00:00.000Z")
    assert.strictEqual(parsed("0001-01-01"), "0001-01-01T00:00:00.000Z")
    assert.strictEqual(parsed("9999-12-31"), "9999-12-31T00:00:00.000Z")
    assert.strictEqual(parsed("2026-12-31T24:00:00Z"), "2027-01-01T00:00:00.000Z")
  })

  it("has no other form", () => {
    for (const text of [
      "",
      "2026-11-21T09:30:00",
      "2026-02-29",
      "2026-02-30T00:00:00Z",
      "2026-13-01",
      "2026-00-10",
      "2026-11-00",
      "2026-11-21T24:01:00Z",
      "2026-11-21T09:60:00Z",
      "2026-11-21T09:30:00+25:00",
      "9999-12-31T23:59:59-01:00",
      "0000-01-01T00:00:00+01:00",
      // Postgres has no year 0: before 0001 is 0001 BC.
      "0000-12-31",
      "0000-12-31T23:59:59Z",
      "0001-01-01T00:00:00+01:00",
      "-0001-01-01",
      "+12026-01-01",
      "infinity",
      "21.11.2026",
      "1763718600",
      "now",
      "2026-11-21T09:30:00 Z"
    ])
      assert.isUndefined(parsed(text), text)
  })
})
