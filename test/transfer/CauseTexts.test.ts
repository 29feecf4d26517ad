import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { columnsOf } from "../../src/transfer/Columns.ts"
import { causeText, withoutOptions } from "../../src/transfer/CauseTexts.ts"

const reader = { language: "en" } as const

describe("What an import says at a page", () => {
  it("names what one does there, and no option of the command", () => {
    const says = {
      "Looks like contact_1, but has another name. Give the row the id of the record that it means, or choose --on-duplicate update or create.":
        "Looks like contact_1, but has another name. Give the row the id of the record that it means, or choose under Options that it updates that record, or becomes one of its own.",
      'Found "abc". Left out (--keep-rows).': 'Found "abc". Left out.',
      "Can be read as 1250 or as 1.25. Write 1,250 or 1.250, or use --decimal.":
        "Can be read as 1250 or as 1.25. Write 1,250 or 1.250, or choose the decimal separator under Options.",
      'Has no unit. Say it with --unit "Size=sqft".': "Has no unit.",
      "Is no id of a company here. Name its system with --namespace NAME. Left out.":
        "Is no id of a company here. Name its system under Options. Left out.",
      "Must have at most 200 characters.": "Must have at most 200 characters."
    }
    for (const [detail, shown] of Object.entries(says)) {
      assert.strictEqual(causeText(reader, { code: "invalid_cell", detail }), shown)
    }
  })

  it("says so of columns that cannot be read", () => {
    const refused = (names: ReadonlyArray<string>, map: ReadonlyArray<string> = []) => {
      const found = columnsOf({ kind: "contacts", map, ignore: [], ignoreUnknown: true, namespace: undefined }, names)
      return Result.isFailure(found) ? withoutOptions(found.failure) : assert.fail("can be read")
    }
    assert.strictEqual(
      refused(["E-mail", "Colour"], ["colour=Colour"]),
      "There is nothing called colour to set. Choose from the list of the column."
    )
    assert.strictEqual(
      refused(["E-mail", "Key"], ["externalId=Key"]),
      "Name the system that the external ids are from."
    )
    assert.strictEqual(
      refused(["First name", "Name 2", "Name 3"], ["lastName=Name 2", "lastName=Name 3"]),
      "Another column sets the same as Name 3. Choose something else for one of them."
    )
    assert.strictEqual(
      refused(["First name", "Vorname", "E-mail"]),
      'The columns "First name", "Vorname" both set firstName. Leave one of them out.'
    )
  })
})
