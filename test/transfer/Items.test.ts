/** Turns rows into the items of a batch. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { absent } from "../../src/transfer/cells.ts"
import { columnsOf, type Mapping, parseMapping } from "../../src/transfer/Columns.ts"
import { lineColumns, ofCells, ofJson } from "../../src/transfer/Items.ts"

const asked: Mapping = { kind: "contacts", map: [], ignore: [], ignoreUnknown: false, namespace: undefined }

const reading = { kind: "contacts", separator: ";", currency: undefined, decimal: undefined } as const

const item = (row: { readonly [column: string]: string }, choices: Partial<Mapping> = {}) => {
  const mapping = { ...asked, ...choices }
  const names = Object.keys(row)
  const columns = Result.getOrThrow(columnsOf(mapping, names))
  return ofCells({ ...reading, kind: mapping.kind }, columns, Object.values(row)).item
}

const json = (text: string, choices: Partial<Mapping> = {}) => {
  const mapping = { ...reading, ...asked, ...choices }
  return ofJson(mapping, lineColumns(mapping, Result.getOrThrow(parseMapping(mapping))), text).item
}

const codeOf = (result: ReturnType<typeof json>) => (Result.isFailure(result) ? result.failure.code : "")

describe("A row", () => {
  it("sets the members of its cells, and leaves out empty ones", () => {
    assert.deepStrictEqual(
      item({
        email: "a@example.com",
        phone: "",
        strategy: "\\N",
        tags: "x;y",
        externalRefs: "crm:1;erp:2:3",
        "externalRefs.sso": "9"
      }),
      Result.succeed({
        email: "a@example.com",
        strategy: null,
        tags: ["x", "y"],
        externalRefs: [
          { namespace: "crm", externalId: "1" },
          { namespace: "erp", externalId: "2:3" },
          { namespace: "sso", externalId: "9" }
        ]
      })
    )
  })

  it("says which cells were left out or read in part, and keeps its other cells", () => {
    const columns = Result.getOrThrow(columnsOf(asked, ["email", "phone", "tags", "linkedInUrl", "strategy"]))
    assert.deepStrictEqual(
      ofCells(reading, columns, ["Anna <a@x.example>, b@x.example", "k. A.", "x;-", "linkedin.com/in/x", "n/a"]),
      {
        item: Result.succeed({ email: "a@x.example", linkedInUrl: "https://linkedin.com/in/x", tags: ["x"] }),
        reported: [
          { column: "tags", ...absent, value: "x;-" },
          {
            column: "email",
            code: "further_values",
            detail: "Has several values: the first was taken, 1 left out.",
            value: "Anna <a@x.example>, b@x.example"
          },
          { column: "phone", ...absent, value: "k. A." },
          { column: "strategy", ...absent, value: "n/a" }
        ]
      }
    )
  })

  it("needs a value by which a second run finds its record", () => {
    assert.strictEqual(codeOf(item({ firstName: "Anna", email: " " })), "no_key")
    assert.strictEqual(codeOf(item({ firstName: "Anna", email: "\\N" })), "no_key")
    assert.strictEqual(codeOf(item({ country: "DE", homepageUrl: "" }, { kind: "companies" })), "no_key")
    for (const key of [{ id: "contact_1" }, { email: "a@example.com" }, { "externalRefs.crm": "1" }]) {
      assert.isTrue(Result.isSuccess(item({ firstName: "Anna", ...key })))
    }
    assert.isTrue(Result.isSuccess(item({ name: "Rossi" }, { kind: "companies" })))
  })

  it("needs as many cells as the header, not all of them empty", () => {
    const columns = Result.getOrThrow(columnsOf(asked, ["email", "phone"]))
    assert.strictEqual(codeOf(ofCells(reading, columns, ["a@example.com"]).item), "wrong_number_of_cells")
    assert.strictEqual(codeOf(ofCells(reading, columns, ["", " "]).item), "empty_row")
  })

  it("of a company takes the domain from its homepage, so that a second run changes nothing", () => {
    const row = { name: "Rossi", homepageUrl: "https://www.rossi.example/it" }
    assert.deepStrictEqual(item({ ...row, domain: "rossi.test" }, { kind: "companies" }), Result.succeed(row))
    assert.deepStrictEqual(
      item({ ...row, domain: "Rossi.example" }, { kind: "companies" }),
      Result.succeed({ ...row, domain: "Rossi.example" })
    )
  })
})

describe("A line of NDJSON", () => {
  it("is an item of the API, except for mapped and excluded members", () => {
    const text = '{"id":"contact_1","tags":["a"],"nickname":null}'
    assert.deepStrictEqual(json(text), Result.succeed({ id: "contact_1", tags: ["a"], nickname: null }))
    assert.deepStrictEqual(json(text, { ignore: ["nickname"] }), Result.succeed({ id: "contact_1", tags: ["a"] }))
    assert.deepStrictEqual(json(text, { ignoreUnknown: true }), Result.succeed({ id: "contact_1", tags: ["a"] }))
    assert.deepStrictEqual(
      json('{"Mail":"a@example.com","key":7,"externalRefs":[{"namespace":"crm","externalId":"1"}]}', {
        map: ["externalId=key"],
        namespace: "erp"
      }),
      Result.succeed({
        email: "a@example.com",
        externalRefs: [
          { namespace: "crm", externalId: "1" },
          { namespace: "erp", externalId: "7" }
        ]
      })
    )
  })

  it("has strings that are read as cells in members with the names of columns", () => {
    assert.deepStrictEqual(
      json('{"E-Mail":"Anna <a@example.com>","Sprache":"Deutsch","Telefon":"n/a","lastName":"n/a"}'),
      Result.succeed({ email: "a@example.com", primaryLanguage: "de", lastName: "n/a" })
    )
  })

  it("is refused when it is not an object or nests too deeply", () => {
    for (const text of ["{", "[]", "7", "null", `{"a":${"[".repeat(5000)}${"]".repeat(5000)}}`]) {
      assert.strictEqual(codeOf(json(text)), "malformed_json")
    }
    assert.strictEqual(codeOf(json('{"firstName":"Anna"}')), "no_key")
  })

  it("is refused when two members map to the same one, unless a mapping decides", () => {
    const text = '{"email":"a@example.com","E-Mail":"b@example.com"}'
    assert.strictEqual(codeOf(json(text)), "ambiguous")
    assert.deepStrictEqual(json(text, { map: ["email=E-Mail"] }), Result.succeed({ email: "b@example.com" }))
  })
})
