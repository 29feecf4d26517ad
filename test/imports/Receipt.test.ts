/** Receipts of rows, and the progress of an import. */
import { assert, describe, it } from "@effect/vitest"
import { lineOf, type State } from "../../src/imports/Progress.ts"
import * as Receipt from "../../src/imports/Receipt.ts"

const fault = {
  in: "body" as const,
  pointer: "/items/3/email",
  code: "invalid_email",
  detail: "Must be an e-mail address."
}
const problem = {
  type: "x",
  title: "Not valid.",
  status: 400,
  code: "invalid_request",
  detail: "body /items/3/email: …",
  errors: [fault]
}
const names = new Map([["email", "E-Mail"]])

describe("A receipt", () => {
  it("names the wrong column, not the pointer in the batch", () => {
    assert.deepStrictEqual(
      Receipt.ofResult(17, { index: 3, status: "failed", id: null, etag: null, problem }, names, false),
      {
        line: 17,
        status: "failed",
        id: null,
        problem: {
          code: "invalid_request",
          detail: "E-Mail: Must be an e-mail address.",
          errors: [{ pointer: "/email", column: "E-Mail", code: "invalid_email", detail: "Must be an e-mail address." }]
        }
      }
    )
  })

  it("names the column of a member at any depth, or that of what it is part of", () => {
    const columns = new Map([
      ["pricing.askingPrice", "Kaufpreis"],
      ["tags", "Merkmale"]
    ])
    const errors = ["/items/3/pricing/askingPrice/value", "/items/3/tags/0", "/items/3/pricing"].map((pointer) => ({
      in: "body" as const,
      pointer,
      code: "out_of_range",
      detail: "Is wrong."
    }))
    const result = { index: 3, status: "failed", id: null, etag: null, problem: { ...problem, errors } } as const
    assert.strictEqual(
      Receipt.ofResult(2, result, columns, false).problem?.detail,
      "Kaufpreis: Is wrong. Merkmale: Is wrong. pricing: Is wrong."
    )
  })

  it("of a dry run has no id for a record that was not created", () => {
    const answer = { index: 0, id: "contact_1", etag: '"v1"' }
    assert.strictEqual(Receipt.ofResult(2, { ...answer, status: "created" }, names, true).id, null)
    assert.strictEqual(Receipt.ofResult(2, { ...answer, status: "updated" }, names, true).id, "contact_1")
    assert.strictEqual(Receipt.ofResult(2, { ...answer, status: "created" }, names, false).id, "contact_1")
  })

  it("is read back from its line, and other lines are refused", () => {
    const receipt: Receipt.Receipt = { line: 2, status: "created", id: "contact_1" }
    assert.deepStrictEqual(Receipt.parse(JSON.stringify(receipt)), receipt)
    for (const text of [
      "",
      "{",
      "[]",
      '{"line":2,"status":"created"',
      '{"finished":{}}',
      '{"line":2,"status":"x","id":null}'
    ]) {
      assert.strictEqual(Receipt.parse(text), undefined)
    }
  })
})

describe("The progress line", () => {
  const state: State = { rows: 1500, before: 500, failed: 20, share: 0.5, shareBefore: 0.25 }

  it("shows the share, the rate and the remaining time", () => {
    assert.strictEqual(lineOf(state, 10, { bar: false }), "50%, 1,500 rows, 20 bad, 100 rows/s, 20 s left")
    assert.strictEqual(
      lineOf(state, 10, { bar: true }),
      "[############------------] 50%, 1,500 rows, 20 bad, 100 rows/s, 20 s left"
    )
  })

  it("leaves out what is not known yet", () => {
    assert.strictEqual(lineOf({ ...state, share: undefined, failed: 0 }, 10, { bar: true }), "1,500 rows, 100 rows/s")
    assert.strictEqual(lineOf({ ...state, shareBefore: 0.5 }, 0, { bar: false }), "50%, 1,500 rows, 20 bad, 0 rows/s")
    assert.strictEqual(lineOf({ ...state, share: 1 }, 7200, { bar: false }), "100%, 1,500 rows, 20 bad, 0 rows/s")
  })
})
