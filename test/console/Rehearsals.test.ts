/** What would happen, in sentences of both languages. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { whatWouldHappen } from "../../src/console/Rehearsals.ts"
import type { Language } from "../../src/console/Texts.ts"
import { actAs, systemOf } from "../../src/core/auth/CurrentActor.ts"
import * as Id from "../../src/core/Id.ts"
import type { NamedRecord } from "../../src/market/related/Related.ts"
import type { Outcome } from "../../src/core/mutation/ChangeRecord.ts"

const uuidOf = (index: number) => `0199aaaa-bbbb-7ccc-8ddd-${String(index).padStart(12, "0")}`
const idsOf = (type: "company" | "room" | "task", count: number) =>
  Array.from({ length: count }, (_, index) => Id.fromUuid(type, uuidOf(index)))

const [company = "company_", other = "company_"] = idsOf("company", 2)
const [made = "room_"] = idsOf("room", 1)
const tasks = idsOf("task", 1250)
const on = { projectId: null, prospectId: null, about: null }
const ofTask = { projectId: "project_1", prospectId: "prospect_2", about: "Nordkapital" }

const outcome: Outcome = {
  events: [],
  affected: [
    { type: "company", id: company, change: "deleted" },
    { type: "company", id: other, change: "deleted" },
    { type: "room", id: made, change: "created" },
    ...tasks.map((id) => ({ type: "task", id, change: "updated" }) as const)
  ],
  later: [
    { type: "task", change: "updated", count: 1 },
    { type: "teaser", change: "updated", count: 94_000 }
  ]
}

/** What a reader sees, and how many names were asked for, each time. */
const shownTo = (language: Language, of: Outcome) => {
  const asked: Array<number> = []
  const named = (ids: ReadonlyArray<string>) => {
    asked.push(ids.length)
    return Effect.succeed(
      new Map<string, NamedRecord>([
        [company, { type: "company", name: "Nord & Süd", ...on }],
        [other, { type: "company", name: "West", ...on }],
        ...tasks.map((id): [string, NamedRecord] => [id, { type: "task", name: "call", ...ofTask }])
      ])
    )
  }
  const reader = { language, culture: language === "en" ? "en-GB" : "de-DE", timeZone: "UTC" }
  return whatWouldHappen({ base: "/console/team_1", reader }, of, Effect.succeed({ named })).pipe(
    actAs(systemOf(uuidOf(0))),
    Effect.map(({ text }) => ({
      asked,
      text,
      lines: [...text.matchAll(/<li>([\s\S]*?)<\/li>/g)].map(([, line = ""]) =>
        line
          .replaceAll(/<[^>]*>/g, "")
          .replaceAll(/\s+/g, " ")
          .trim()
      )
    }))
  )
}

describe("What would happen", () => {
  it.effect("names the first ten records of each kind with their pages, and counts the others", () =>
    Effect.gen(function* () {
      const ten = (task: string) => Array.from({ length: 10 }, () => `${task} (Nordkapital)`).join(", ")
      const english = yield* shownTo("en", outcome)
      assert.deepStrictEqual(english.lines, [
        "2 companies deleted: Nord &amp; Süd and West",
        "1 data room created",
        `1,250 tasks changed: ${ten("Call")} and 1,240 more; 1 task changed, later, step by step`,
        "94,000 teasers changed, later, step by step"
      ])
      assert.deepStrictEqual(english.asked, [13], "in one query")
      assert.include(english.text, `<a href="/console/team_1/companies/${company}">Nord &amp; Süd</a>`)
      assert.include(english.text, `<a href="/console/team_1/projects/project_1/prospects?open=prospect_2">Call`)
      assert.deepStrictEqual((yield* shownTo("de", outcome)).lines, [
        "2 Firmen gelöscht: Nord &amp; Süd und West",
        "1 Datenraum angelegt",
        `1.250 Aufgaben geändert: ${ten("Anruf")} und 1.240 weitere; 1 Aufgabe geändert, später, Schritt für Schritt`,
        "94.000 Teaser geändert, später, Schritt für Schritt"
      ])
    })
  )
})
