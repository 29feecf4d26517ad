import { assert, describe, it } from "@effect/vitest"
import { ignored } from "../../src/transfer/Choices.ts"
import { kinds } from "../../src/transfer/ConsoleImport.ts"
import { labelOf, memberMeant, offeredMembers } from "../../src/transfer/ColumnTexts.ts"

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
