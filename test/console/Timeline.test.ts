/** Timelines as sentences: every type of row, in both languages. */
import { assert, describe, it } from "@effect/vitest"
import { changedFieldNames } from "../../src/core/mutation/Event.ts"
import type { Action } from "../../src/core/mutation/Timeline.ts"
import { html } from "../../src/console/Html.ts"
import { memberName } from "../../src/console/memberNames.ts"
import { sentenceOf, timeline, timelineEvents } from "../../src/console/Timeline.ts"
import type { Reader } from "../../src/console/Texts.ts"

const english: Reader = { language: "en", culture: "en-GB", timeZone: "UTC" }
const german: Reader = { language: "de", culture: "de-DE", timeZone: "Europe/Berlin" }

const row = (event: string | null, more: Partial<Action> = {}): Action => ({
  id: "act_01kb3n7x2ferwt5z8q4j6m9d0c",
  type: "audit",
  event,
  occurredUtc: "2026-11-21T09:30:00.000Z",
  actor: { id: "user_01kb3n7x2ferwt5z8q4j6m9d0c", name: "Eva" },
  details: { kind: "audit" },
  ...more
})

const prospect = "prospect_01kb3n7x2ferwt5z8q4j6m9d0c"

const names = { self: "Speicher <Nord>", others: new Map([[prospect, "Nordkapital"]]) }

const plain = (text: string) => text.replaceAll(/<[^>]*>/g, "")

const said = (reader: Reader, one: Action) => plain(sentenceOf(reader, one, names).text)

describe("The sentences of timelines", () => {
  it.each(timelineEvents)("have one for %s in both languages, which escapes what it names", (event) => {
    const of = row(event, { details: { kind: "audit", changedFields: ["name", "description"], from: "im", to: "bid" } })
    for (const reader of [english, german]) {
      const sentence = sentenceOf(reader, of, names).text
      assert.notInclude(sentence, event)
      assert.notMatch(sentence, /undefined|null|<Nord>/)
      assert.match(sentence, /Eva|Speicher/)
    }
    assert.notStrictEqual(said(english, of), said(german, of))
  })

  it("say who moved whom where, and what it was before", () => {
    const moved = row("prospect.stage_overridden", {
      subject: "prospect",
      subjectId: prospect,
      details: { kind: "audit", from: "teaser", to: "data_room", message: "Met at the fair" }
    })
    assert.strictEqual(said(english, moved), "Eva moved Nordkapital to Data room")
    assert.strictEqual(said(german, moved), "Eva hat Nordkapital nach Datenraum verschoben")
    const shown = plain(timeline(english, [moved], names).text)
    assert.include(shown, "Before: Teaser")
    assert.include(shown, "Met at the fair")
  })

  it("say once that access was given, and until when", () => {
    const details = { kind: "audit", message: "2026-12-28T09:30:00.000Z" } as const
    const given = row("prospect.room_access_granted", { subject: "prospect", subjectId: prospect, details })
    const ends = row("prospect.access_expiry_changed", { subject: "prospect", subjectId: prospect, details })
    assert.strictEqual(said(english, given), "Eva gave Nordkapital access to a data room until 28 Dec 2026")
    assert.strictEqual(said(german, given), "Eva hat Nordkapital bis 28.12.2026 Zugang zu einem Datenraum gegeben")
    assert.strictEqual(said(english, ends), "Eva changed the end of the access of Nordkapital to 28 Dec 2026")
    const later = { ...ends, occurredUtc: "2026-11-22T09:30:00.000Z" }
    const shown = plain(timeline(english, [later, ends, given], names).text)
    assert.strictEqual(shown.match(/changed the end/g)?.length, 1, "what came with the access is not said again")
    assert.notInclude(shown, "T09:30")
  })

  it("say that records were merged, without ids, which nobody knows", () => {
    const message =
      "Became part of this contact: contact_01kb3n7x2ferwt5z8q4j6m9d0c, contact_01kb3n7x2ferwt5z8q4j6m9d0d."
    const merged = row("contact.updated", { details: { kind: "audit", changedFields: [], message } })
    assert.strictEqual(said(english, merged), "Eva merged 2 other records into Speicher &lt;Nord&gt;")
    assert.notInclude(timeline(german, [merged], names).text, "contact_")
  })

  it("tell a link that a merge moved from one that a person changed", () => {
    const link = (member: string) => row("link.updated", { details: { kind: "audit", changedFields: [member] } })
    assert.strictEqual(said(english, link("contactId")), "Eva moved a link between person and company by merging")
    assert.strictEqual(said(english, link("jobTitle")), "Eva changed job title of a link")
  })

  it("name the members that changed as people do", () => {
    const changed = row("project.updated", {
      details: { kind: "audit", changedFields: ["name", "propertyCount", "exclusivity"] }
    })
    assert.strictEqual(
      said(english, changed),
      "Eva changed name, number of properties and exclusivity of Speicher &lt;Nord&gt;"
    )
    const all = Object.values(changedFieldNames).flatMap((members) => Object.keys(members))
    for (const member of all) {
      for (const reader of [english, german]) {
        assert.notMatch(memberName(reader, member), /^[a-z]+[A-Z]/, `${member} has no name`)
      }
    }
  })

  it("tell messages of investors from those of brokers", () => {
    const chat = (sender: string) =>
      row("prospect.message_sent", {
        type: "chat",
        actor: { id: null, name: sender === "broker" ? "Eva" : null },
        subject: "prospect",
        subjectId: prospect,
        details: { kind: "chat", sender }
      })
    assert.strictEqual(said(english, chat("investor")), "Nordkapital wrote a message")
    assert.strictEqual(said(english, chat("broker")), "Eva wrote to Nordkapital")
  })

  it("show notes with their text and where their versions are, and what nobody did as the system's", () => {
    const note = row(null, {
      type: "note",
      actor: { id: null, name: null },
      details: { kind: "note", message: "Looks for <b>logistics</b>", archivedAt: null },
      archivedAt: null,
      supersedesActivityId: "act_01kb3n7x2ferwt5z8q4j6m9d0d"
    })
    const shown = timeline(english, [note], { self: html`<em>Nordkapital</em>` }).text
    assert.include(plain(shown), "The system wrote a note on Nordkapital")
    assert.include(shown, "Looks for &lt;b&gt;logistics&lt;/b&gt;")
    assert.include(shown, 'href="#act_01kb3n7x2ferwt5z8q4j6m9d0d"')
  })

  it("say an event of a later release by its name, and a record that is gone by its kind", () => {
    assert.strictEqual(said(english, row("prospect.danced")), "Eva: prospect.danced")
    assert.strictEqual(
      said(english, row("prospect.removed", { subject: "prospect" })),
      "Eva removed an investor from the list"
    )
  })
})
