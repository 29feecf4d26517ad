/** Maps columns to members. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { columnsOf, type Mapping } from "../../src/transfer/Columns.ts"
import { membersOf } from "../../src/transfer/Members.ts"

const asked: Mapping = { kind: "contacts", map: [], ignore: [], ignoreUnknown: false, namespace: undefined }

const meant = (header: ReadonlyArray<string>, choices: Partial<Mapping> = {}) =>
  Result.map(columnsOf({ ...asked, ...choices }, header), (columns) =>
    columns.map(({ targets }) =>
      targets
        .map((target) =>
          "member" in target ? target.member : target.is === "refsOf" ? `refs of ${target.namespace}` : "refs"
        )
        .join("+")
    )
  )

const refusal = (header: ReadonlyArray<string>, choices: Partial<Mapping> = {}) => {
  const result = meant(header, choices)
  return Result.isFailure(result) ? result.failure : ""
}

describe("A column", () => {
  it("maps to the member of its name, in any spelling", () => {
    for (const kind of ["contacts", "companies"] as const) {
      assert.isTrue(Result.isSuccess(columnsOf({ ...asked, kind }, membersOf(kind))))
    }
    assert.deepStrictEqual(
      meant([
        "First Name",
        "last_name",
        "E-Mail",
        "TELEFON",
        "language",
        "Labels",
        "LinkedIn",
        "externalRefs.HubSpot",
        "external_refs"
      ]),
      Result.succeed([
        "firstName",
        "lastName",
        "email",
        "phone",
        "primaryLanguage",
        "tags",
        "linkedInUrl",
        "refs of HubSpot",
        "refs"
      ])
    )
    assert.deepStrictEqual(meant(["Firma", "Website"], { kind: "companies" }), Result.succeed(["name", "homepageUrl"]))
  })

  it("maps to the member that the operator chooses, to which no other column then maps", () => {
    assert.deepStrictEqual(
      meant(["Email", "Work e-mail", "Record ID"], {
        map: ["email=Work e-mail", "externalId=Record ID"],
        namespace: "hubspot"
      }),
      Result.succeed(["", "email", "refs of hubspot"])
    )
    assert.deepStrictEqual(meant(["E-Mail", "Email"], { map: ["email=Email"] }), Result.succeed(["", "email"]))
    assert.deepStrictEqual(
      meant(["Login"], { map: ["email=Login", "externalRefs.sso=Login"] }),
      Result.succeed(["email+refs of sso"])
    )
  })

  it("that is unknown is refused by name, unless the operator excludes it", () => {
    assert.match(
      refusal(["emial", "Shoe size", "phone"]),
      /"emial" \(did you mean email\?\), "Shoe size"\. .*--ignore-unknown/
    )
    assert.deepStrictEqual(meant(["Shoe size", "phone"], { ignore: ["shoe size"] }), Result.succeed(["", "phone"]))
    assert.deepStrictEqual(meant(["Shoe size", "phone"], { ignoreUnknown: true }), Result.succeed(["", "phone"]))
    assert.match(refusal(["externalId"]), /externalId needs --namespace NAME/)
  })

  it("is refused when it is missing or appears twice", () => {
    assert.match(refusal(["Vorname", "First name"]), /"Vorname", "First name" both map to firstName\. Choose one/)
    // Of several addresses the first that is filled counts.
    assert.deepStrictEqual(meant(["Email", "E-Mail"]), Result.succeed(["email", "email"]))
    assert.match(refusal(["Email"], { map: ["phone=Mobile"] }), /has no column "Mobile"\. It has: "Email"/)
    assert.match(refusal(["Email"], { ignore: ["Mobile"] }), /has no column "Mobile"/)
    assert.match(refusal(["Shoe size"], { ignoreUnknown: true }), /No column of the file maps to a member/)
  })

  it("that stands twice in the header is named by its place, and one without a name is left out", () => {
    assert.deepStrictEqual(
      meant(["Phone", "Phone", "Email", "", ""]),
      Result.succeed(["phone", "phone", "email", "", ""])
    )
    assert.deepStrictEqual(
      Result.map(columnsOf(asked, ["Phone", "Phone", "Email", "", ""]), (columns) => columns.map(({ name }) => name)),
      Result.succeed(["Phone", "Phone#2", "Email", "#4", "#5"])
    )
    assert.match(refusal(["Vorname", "Vorname"]), /"Vorname", "Vorname#2" both map to firstName/)
    assert.deepStrictEqual(
      meant(["Vorname", "Vorname", "Phone"], { map: ["firstName=Vorname#2"] }),
      Result.succeed(["", "firstName", "phone"])
    )
    assert.deepStrictEqual(meant(["Phone", "Phone"], { ignore: ["Phone#2"] }), Result.succeed(["phone", ""]))
    assert.deepStrictEqual(
      meant(["Email", "", "x"], { map: ["phone=#2"], ignore: ["x"] }),
      Result.succeed(["email", "phone", ""])
    )
  })

  it("cannot be mapped to an unknown member, nor two columns to one member", () => {
    assert.match(
      refusal(["Email"], { map: ["mail address=Email", "x"] }),
      /--map x: Must be member=Column|There is no member mail address/
    )
    assert.match(
      refusal(["Email"], { map: ["shoe=Email"] }),
      /There is no member shoe\. The members are: id, firstName/
    )
    assert.match(refusal(["a", "b"], { map: ["email=a", "email=b"] }), /Another --map already maps a column to email/)
    assert.match(refusal(["a"], { map: ["externalId=a"] }), /--namespace NAME/)
  })
})
