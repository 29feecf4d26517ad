import { describe, expect, it } from "@effect/vitest"
import { eventsWithSentences, sentenceOf } from "../../../src/content/activities/sentences.ts"
import { eventTypes } from "../../../src/core/mutation/Event.ts"
import type { Action } from "../../../src/core/mutation/Timeline.ts"

const row = (event: Action["event"], details: Action["details"] = { kind: "audit" }, type: Action["type"] = "audit") =>
  ({
    id: "act_01kb3n7x2ferwt5z8q4j6m9d0c",
    type,
    event,
    occurredUtc: "2026-11-21T09:30:00.000Z",
    actor: { id: "user_01kb3n7x2ferwt5z8q4j6m9d0c", name: "Eva" },
    details
  }) satisfies Action

describe("A row of a timeline", () => {
  it("has a sentence for every event that timelines have, in both languages", () => {
    const onNoTimeline = /^(?:audit|webhook)\./
    expect(eventTypes.filter((event) => !onNoTimeline.test(event) && !eventsWithSentences.includes(event))).toEqual([])
    for (const event of eventsWithSentences) {
      const [en, de] = (["en", "de"] as const).map((language) => sentenceOf(row(event), language).text)
      expect(en).toMatch(/^Eva [a-z]/)
      expect(de).toMatch(/^Eva h/)
    }
  })

  it("says who did what, to what, and what it was before", () => {
    const moved = row("prospect.stage_overridden", {
      kind: "audit",
      from: "teaser",
      to: "data_room",
      message: "They asked"
    })
    expect(sentenceOf(moved, "en")).toEqual({
      text: "Eva moved the prospect: to Data room (before: Teaser)",
      quote: "They asked"
    })
    expect(sentenceOf(moved, "de").text).toBe("Eva hat den Interessenten verschoben: zu Datenraum (vorher: Teaser)")
    const updated = row("contact.updated", { kind: "audit", changedFields: ["email", "phone"] })
    expect(sentenceOf(updated, "en").text).toBe("Eva changed the contact: email, phone")
  })

  it("says so where a text was erased, and names the service where nobody acted", () => {
    const note = row(null, { kind: "note", message: null, archivedAt: null, erased: true }, "note")
    expect(sentenceOf(note, "en")).toEqual({ text: "Eva wrote a note", quote: "The text was erased." })
    const expired = { ...row("offer.expired"), actor: { id: null, name: null } }
    expect(sentenceOf(expired, "en").text).toBe("The service let the offer expire")
  })
})
