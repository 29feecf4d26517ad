import { describe, expect, test } from "vitest"
import { localTime, momentAt, type Reader } from "../../src/console/Texts.ts"

const reader = (timeZone: string): Reader => ({ language: "en", culture: "en-GB", timeZone })

describe("The clock of a reader", () => {
  test("shows a moment, and what it shows leads back to the moment", () => {
    for (const timeZone of ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Chatham"]) {
      for (const utc of ["2026-01-15T10:30:00.000Z", "2026-07-01T23:59:00.000Z", "2026-03-29T03:00:00.000Z"]) {
        expect(momentAt(reader(timeZone), localTime(reader(timeZone), utc))).toBe(utc)
      }
    }
    expect(localTime(reader("Europe/Berlin"), "2026-07-01T23:59:00.000Z")).toBe("2026-07-02T01:59")
  })

  test("reads nothing else than a date with a time", () => {
    for (const text of ["", "2026-07-01", "yesterday", "2026-13-01T00:00", "2026-07-01T10:00Z"]) {
      expect(momentAt(reader("Europe/Berlin"), text)).toBeUndefined()
    }
  })
})
