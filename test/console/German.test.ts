/** What is refused, in German: the sentences are found by codes, and tell what the English ones tell. */
import { describe, expect, test } from "vitest"
import { faultText } from "../../src/console/faultTexts.ts"
import { html } from "../../src/console/Html.ts"
import { faultLabel } from "../../src/console/memberNames.ts"
import { problemDetail, problemTitle, reason, reasonText } from "../../src/console/problemTexts.ts"
import { decode } from "../../src/core/usecase/Input.ts"
import { Conflict, InvalidRequest, NotFound } from "../../src/core/usecase/Problem.ts"
import { exceeded } from "../../src/core/quotas/Quota.ts"
import { Email } from "../../src/core/fields/InternetAddress.ts"
import { Tags, Text } from "../../src/core/fields/Text.ts"
import { checkName, checkQuestion } from "../../src/doctor/CheckTexts.ts"
import { failureText } from "../../src/webhooks/deliveries/FailureText.ts"
import { causeText } from "../../src/transfer/CauseTexts.ts"
import { Result, Schema } from "effect"

const other = { culture: "en-GB", timeZone: "UTC" }
const [de, en] = [{ language: "de" }, { language: "en" }] as const

const Person = Schema.Struct({
  name: Text(200),
  email: Schema.optionalKey(Email),
  tags: Schema.optionalKey(Tags),
  age: Schema.optionalKey(Schema.Literals(["old", "new"])),
  rent: Schema.optionalKey(Schema.NullOr(Schema.Finite))
})

/** What is wrong with a person, by member. */
const faultsOf = (person: unknown, reader: typeof de | typeof en) => {
  const refused = decode(Person)(person)
  return Result.isSuccess(refused)
    ? {}
    : Object.fromEntries(refused.failure.errors.map((fault) => [fault.pointer, faultText(reader, fault)]))
}

describe("What is refused", () => {
  test("is said at its field, with the limits and choices that there are", () => {
    const person = { name: "x".repeat(201), email: "nobody", age: "young", hobby: "chess" }
    expect(faultsOf(person, de)).toEqual({
      "/name": "Darf höchstens 200 Zeichen haben.",
      "/email": "Muss eine E-Mail-Adresse sein, wie anna@example.com.",
      "/age": "Muss einer dieser Werte sein: old, new.",
      "/hobby": "Die Angabe „hobby“ gibt es nicht."
    })
    expect(faultsOf({ name: "x", rent: "much" }, de)).toEqual({ "/rent": "Muss eine Zahl sein." })
    expect(faultsOf({ name: "x", rent: "much" }, en)).toEqual({ "/rent": "Must be a number." })
    expect(faultsOf({}, de)).toEqual({ "/name": "Ist erforderlich." })
    expect(faultsOf({ name: " " }, de)).toEqual({ "/name": "Darf nicht leer sein." })
    const tags = Array.from({ length: 51 }, (_, index) => `t${index}`)
    expect(faultsOf({ name: "x", tags }, de)).toEqual({ "/tags": "Darf höchstens 50 Einträge haben." })
  })

  test("is about a member as people know it", () => {
    const [german, english] = [
      { ...de, ...other },
      { ...en, ...other }
    ]
    expect(faultLabel(german, "/investmentSize/min")).toBe("Investitionsvolumen: von")
    expect(faultLabel(english, "/tenants/1/annualRent/value")).toBe("Tenants 2: rent of a year")
    expect(faultLabel(english, "/noMemberOfOurs")).toBeUndefined()
  })

  test("stays English for others, and in answers of the API, which know nothing of it", () => {
    expect(faultsOf({ name: "x".repeat(201) }, en)).toEqual({ "/name": "Must have at most 200 characters." })
    const refused = decode(Person)({ name: "x".repeat(201) })
    const encoded = Result.isFailure(refused) && Schema.encodeUnknownSync(InvalidRequest)(refused.failure)
    expect(JSON.parse(JSON.stringify(encoded))).toMatchObject({
      errors: [{ in: "body", pointer: "/name", code: "too_long", detail: "Must have at most 200 characters." }]
    })
    expect(Object.keys((encoded as InvalidRequest).errors[0] ?? {})).toEqual(["in", "pointer", "code", "detail"])
    expect(Object.keys(Schema.encodeUnknownSync(Conflict)(Conflict.of("member", "x")))).not.toContain("reason")
  })

  test("says why, by the code and what else the problem tells", () => {
    const missing = new NotFound({ detail: "There is no team with this id." })
    expect(problemTitle(de, missing)).toBe("Nicht gefunden.")
    expect(problemDetail(de, missing)).toMatch(/^Das gibt es nicht/)
    expect(problemDetail(en, missing)).toBe(missing.detail)
    expect(problemDetail(de, Conflict.of("member", "x belongs to it"))).toMatch(/gehört schon zum Team/)
    expect(problemDetail(de, exceeded("contacts", { quota: 10, used: 10 }, true))).toMatch(/Erlaubt sind 10/)
    const other = { code: "of_a_plugin", title: "Other", detail: "Something else." }
    expect([problemTitle(de, other), problemDetail(de, other)]).toEqual(["Other", "Something else."])
  })

  test("is one sentence where lists have it, and for rows of a file", () => {
    expect(reasonText(de, new NotFound({ detail: "No." }))).toMatch(/^Das gibt es nicht/)
    expect(reasonText(de, { code: "team_exists", detail: "No." })).toBe("Ein Team mit dieser Id gibt es schon.")
    const note = { code: "note_failed", detail: "The prospect is classified, but its note could not be written." }
    expect(reasonText(de, note)).toMatch(/^Der Interessent ist eingestuft, aber die Notiz/)
    expect(reasonText(en, note)).toBe(note.detail)
    const older = { code: "of_an_older_version", detail: "Was not <kept>." }
    expect(reason(de, older)).toEqual(html`<span lang="en">Was not &lt;kept&gt;.</span>`)
    expect(reason(en, older)).toBe(older.detail)
    expect(reason(de, note)).toBe(reasonText(de, note))
    const detail = "Must be an e-mail address."
    expect(causeText(de, { code: "invalid_email", detail })).toMatch(/^Muss eine E-Mail-Adresse sein/)
    expect(causeText(de, { code: "repeated_row", detail })).toMatch(/^Derselbe Datensatz/)
    expect(causeText(de, { code: "duplicate", detail })).toMatch(/^Sehen Sie sich den vorhandenen an/)
    expect(causeText(en, { code: "invalid_email", detail })).toBe(detail)
  })

  test("names why a delivery did not arrive, with the status of an answer", () => {
    expect(failureText(de, "The receiver answered 503.")).toBe("Mit einem Fehler beantwortet (503)")
    expect(failureText(de, "The receiver refused the connection (ECONNREFUSED).")).toBe("Verbindung abgelehnt")
    expect(failureText(en, "The receiver answered 503.")).toBe("The receiver answered 503.")
    expect(failureText(de, null)).toBe(false)
  })

  test("names the checks of the doctor, and what each asks", () => {
    expect(checkName(de, "disk")).toBe("Datenträger")
    expect(checkQuestion(de, "disk")).toBe("Ist noch Platz?")
    expect(checkQuestion(en, "disk")).toBe("Is there space left?")
  })
})
