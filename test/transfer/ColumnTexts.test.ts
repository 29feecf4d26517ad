import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { ignored } from "../../src/transfer/Choices.ts"
import { columnsOf, keyOf } from "../../src/transfer/Columns.ts"
import { kinds } from "../../src/transfer/ConsoleImport.ts"
import { labelOf, offeredMembers } from "../../src/transfer/ColumnLabels.ts"
import { memberMeant } from "../../src/transfer/ColumnTexts.ts"
import { columnsForPeople, nameColumnsOf } from "../../src/transfer/Members.ts"
import { systemOf } from "../../src/transfer/systems.ts"

describe("The labels of members in files", () => {
  for (const language of ["en", "de"] as const) {
    it(`name each member of each kind once, and mean it (${language})`, () => {
      for (const kind of kinds) {
        const members = offeredMembers(kind)
        const labels = members.map((member) => labelOf({ language }, member))
        assert.deepStrictEqual(
          labels.filter((label, index) => labels.indexOf(label) !== index),
          []
        )
        // No name of the API is left.
        assert.deepStrictEqual(
          labels.filter((label) => /[a-z][A-Z]|\./.test(label.replaceAll(/LinkedIn|kWh|kVA|kN/g, ""))),
          []
        )
        for (const [index, label] of labels.entries()) {
          assert.strictEqual(memberMeant({ language }, kind, label), members[index])
        }
      }
    })
  }

  it("are the headings of a file for people, which an import knows, whatever else it knows by such a name", () => {
    for (const kind of kinds) {
      const columns = columnsForPeople(kind)
      for (const language of ["en", "de"] as const) {
        const headings = columns.map((column) => labelOf({ language }, column))
        assert.isUndefined(systemOf(headings))
        const mapping = { kind, map: [], ignore: [], ignoreUnknown: false, namespace: undefined }
        const read = Result.getOrThrow(columnsOf(mapping, headings))
        assert.deepStrictEqual(
          read.map(({ targets, why }) => targets.map(keyOf).join() || why),
          columns.map((column) => (nameColumnsOf(kind).includes(column) ? "name_of_id" : column))
        )
      }
    }
  })

  it("have the record before the member, and the system of an id", () => {
    assert.strictEqual(labelOf({ language: "en" }, "income.passingRent.currency"), "Income: passing rent: currency")
    assert.strictEqual(labelOf({ language: "de" }, "address.street"), "Adresse: Straße")
    assert.strictEqual(labelOf({ language: "en" }, "contact.externalRefs.hubspot"), "Contact: id in hubspot")
    assert.strictEqual(labelOf({ language: "en" }, "link.jobTitle"), "Job title")
  })

  it("leave out, and take what the API calls a member", () => {
    assert.strictEqual(memberMeant({ language: "de" }, "contacts", "weglassen"), ignored)
    assert.strictEqual(memberMeant({ language: "en" }, "contacts", "externalRefs.hubspot"), "externalRefs.hubspot")
  })
})
