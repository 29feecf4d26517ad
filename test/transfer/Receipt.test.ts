/** Receipts of rows, and the progress of an import. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { lineOfProgress, type State } from "../../src/transfer/Import.ts"
import type { Remark } from "../../src/transfer/cells.ts"
import { positionsOf } from "../../src/transfer/Columns.ts"
import {
  countedReceipts,
  emptySummary,
  lineOfCause,
  listedCauses,
  maxCauses,
  noCounts,
  parseReceipt,
  type Receipt,
  receiptOfRefused,
  receiptOfResult,
  summaryWith
} from "../../src/transfer/Receipt.ts"
import type { Row } from "../../src/transfer/Rows.ts"

const fault = {
  in: "body" as const,
  pointer: "/items/3/email",
  code: "invalid_email" as const,
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
const columns = [{ name: "E-Mail", targets: [{ is: "text", member: "email" }] }] as const
const header = { columns, positions: positionsOf(columns) }
const row: Row = {
  line: 17,
  until: 0,
  cells: [" nobody at home "],
  item: Result.succeed({ email: "nobody at home" }),
  reported: []
}

describe("A receipt", () => {
  it("names the wrong column and shows its cell, not the pointer in the batch", () => {
    assert.deepStrictEqual(
      receiptOfResult(row, { index: 3, status: "failed", id: null, etag: null, problem }, header, false),
      {
        line: 17,
        status: "failed",
        id: null,
        row: "nobody at home",
        problem: {
          code: "invalid_request",
          detail: 'E-Mail: Must be an e-mail address. Found "nobody at home".',
          errors: [
            {
              pointer: "/email",
              column: "E-Mail",
              code: "invalid_email",
              detail: "Must be an e-mail address.",
              value: "nobody at home"
            }
          ]
        }
      }
    )
  })

  it("names a row that failed as people do, also where it could not be read", () => {
    const named = [
      { name: "Mail", targets: [{ is: "text", member: "email" }] },
      { name: "Nachname", targets: [{ is: "text", member: "lastName" }] },
      { name: "Vorname", targets: [{ is: "text", member: "firstName" }] }
    ] as const
    const unread = (cells: ReadonlyArray<string> | undefined) =>
      receiptOfRefused(
        { ...row, cells, item: Result.fail({ code: "invalid_cell", detail: "x" }) },
        { code: "invalid_cell", detail: "x" },
        { columns: named, positions: positionsOf(named) }
      ).row
    assert.strictEqual(unread(["sofie.maes", "Maes", " Sofie "]), "Sofie Maes")
    assert.strictEqual(unread(["sofie.maes", "", ""]), "sofie.maes")
    assert.strictEqual(unread(["", "", "", "blue", "2026", "x"]), "blue, 2026")
    assert.isUndefined(unread(undefined))
    const read = {
      ...row,
      cells: undefined,
      item: Result.succeed({ name: "Nordkapital", domain: "nordkapital.example" })
    }
    assert.strictEqual(receiptOfRefused(read, { code: "no_key", detail: "x" }, header).row, "Nordkapital")
  })

  it("shows no value of a problem of the whole row", () => {
    const errors = [
      {
        in: "body" as const,
        pointer: "/items/0",
        code: "required" as const,
        detail: "One of email and lastName is needed."
      }
    ]
    const problem = { type: "x", title: "x", status: 422, detail: "x", code: "invalid_request", errors }
    const receipt = receiptOfResult(row, { index: 0, status: "failed", id: null, etag: null, problem }, header, false)
    assert.strictEqual(receipt.problem?.detail, "One of email and lastName is needed.")
  })

  it("names the records and lines that a row looks like, and counts such rows and repeated ones among the failed", () => {
    const refusal = { type: "x", title: "x", status: 409, detail: "x" }
    const failed = { index: 0, status: "failed", id: null, etag: null } as const
    const others = [{ id: "contact_1" }, { id: "contact_2", line: 4 }, { line: 9 }]
    const duplicate = receiptOfResult(
      row,
      { ...failed, problem: { ...refusal, code: "duplicate" }, duplicateOf: others },
      header,
      false
    )
    assert.match(
      duplicate.problem?.detail ?? "",
      /^Looks like contact_1, contact_2 \(line 4\), line 9, but has another name/
    )
    assert.deepStrictEqual(duplicate.duplicateOf, others)
    // What --on-duplicate cannot do is not advised: it updates one record, and not that of another id.
    assert.match(duplicate.problem?.detail ?? "", /choose --on-duplicate create\.$/)
    const named = receiptOfResult(
      row,
      { ...failed, id: "contact_7", problem: { ...refusal, code: "duplicate" }, duplicateOf: [{ id: "contact_1" }] },
      header,
      false
    )
    assert.match(
      named.problem?.detail ?? "",
      /^Means contact_7, but also looks like contact_1\. .*--on-duplicate create/
    )
    const created = receiptOfResult(
      row,
      { index: 0, status: "created", id: "contact_3", etag: null, duplicateOf: [{ line: 9 }] },
      header,
      false
    )
    assert.deepStrictEqual(created, { line: 17, status: "created", id: "contact_3", duplicateOf: [{ line: 9 }] })
    const repeated = receiptOfRefused(row, { code: "repeated_row", detail: "x" }, header)
    // Also when they are read back from their file.
    for (const read of [(one: Receipt) => one, (one: Receipt) => parseReceipt(JSON.stringify(one))]) {
      assert.deepStrictEqual(
        countedReceipts(
          noCounts,
          [duplicate, repeated, created, receiptOfRefused(row, { code: "no_key", detail: "x" }, header)].flatMap(
            (one) => read(one) ?? []
          )
        ),
        { rows: 4, created: 1, updated: 0, unchanged: 0, failed: 3, duplicate: 1, repeated: 1 }
      )
    }
  })

  it("names the column of a member at any depth, or that of what it is part of", () => {
    const ofProperty = [
      { name: "Kaufpreis", targets: [{ is: "value", of: "properties", member: "pricing.askingPrice", part: "value" }] },
      { name: "Merkmale", targets: [{ is: "value", of: "properties", member: "tags", part: "value" }] }
    ] as const
    const errors = ["/items/3/pricing/askingPrice/value", "/items/3/tags/0", "/items/3/pricing"].map((pointer) => ({
      in: "body" as const,
      pointer,
      code: "out_of_range" as const,
      detail: "Is wrong."
    }))
    const result = { index: 3, status: "failed", id: null, etag: null, problem: { ...problem, errors } } as const
    assert.strictEqual(
      receiptOfResult(
        { ...row, cells: ["1 €", ""], item: Result.succeed({ pricing: { askingPrice: { value: 1 } } }) },
        result,
        { columns: ofProperty, positions: positionsOf(ofProperty) },
        false
      ).problem?.detail,
      'Kaufpreis: Is wrong. Found "1 €". Merkmale: Is wrong. pricing: Is wrong. Found "{"askingPrice":{"value":1}}".'
    )
  })

  it("of a dry run has no id for a record that was not created", () => {
    const answer = { index: 0, id: "contact_1", etag: '"v1"' }
    assert.strictEqual(receiptOfResult(row, { ...answer, status: "created" }, header, true).id, null)
    assert.strictEqual(receiptOfResult(row, { ...answer, status: "updated" }, header, true).id, "contact_1")
    assert.strictEqual(receiptOfResult(row, { ...answer, status: "created" }, header, false).id, "contact_1")
  })

  it("is read back from its line, and other lines are refused", () => {
    const receipt: Receipt = { line: 2, status: "created", id: "contact_1" }
    const remark = { column: "Web", code: "invalid_cell" as const, detail: "Is wrong.", value: "x" }
    const failed: Receipt = {
      line: 3,
      status: "failed",
      id: null,
      row: "Ada Lovelace",
      problem: { code: "invalid_cell", detail: "x", errors: [remark] },
      reported: [remark]
    }
    for (const one of [receipt, failed]) assert.deepStrictEqual(parseReceipt(JSON.stringify(one)), one)
    for (const text of [
      "",
      "{",
      "[]",
      '{"line":2,"status":"created"',
      '{"finished":{}}',
      '{"line":2,"status":"x","id":null}'
    ]) {
      assert.strictEqual(parseReceipt(text), undefined)
    }
  })
})

describe("The summary of a run", () => {
  const failed = (line: number, detail: string, errors: ReadonlyArray<Remark> = []): Receipt => ({
    line,
    status: "failed",
    id: null,
    problem: { code: "invalid_request", detail, errors }
  })
  const price = (value: string): Remark => ({
    column: "Price",
    code: "invalid_cell",
    detail: `Can be read as ${value} or as 1000.`,
    value
  })

  it("has each cause once, with its count, its first line and the value there", () => {
    const receipts = [
      { ...failed(2, "x", [price("1.5")]), row: "Speicher" },
      failed(3, 'Looks like contact_01kqp9c4xtf8br6w4q0n1yj5ze, "A".'),
      failed(4, "x", [price("2.25")]),
      failed(5, 'Looks like contact_01kqp9c4xtf8br6w4q0n1yj5zf, "B".'),
      { line: 6, status: "created" as const, id: "contact_1", reported: [price("3")] }
    ]
    const summary = summaryWith(summaryWith(emptySummary, receipts.slice(0, 2)), receipts.slice(2))
    assert.deepStrictEqual(listedCauses(summary.refused), [
      { line: 2, row: "Speicher", ...price("1.5"), count: 2 },
      {
        line: 3,
        code: "invalid_request",
        detail: 'Looks like contact_01kqp9c4xtf8br6w4q0n1yj5ze, "A".',
        count: 2
      }
    ])
    assert.deepStrictEqual(listedCauses(summary.reported), [{ line: 6, ...price("3"), count: 1 }])
    assert.strictEqual(
      lineOfCause(listedCauses(summary.refused)[0] ?? assert.fail()),
      '2 × Price: Can be read as 1.5 or as 1000. (line 2, for example "1.5")'
    )
  })

  it("keeps a bounded number of causes, and counts the others", () => {
    const many = Array.from({ length: maxCauses + 50 }, (_, index) => failed(index, `x${"y".repeat(index)}`))
    const { refused } = summaryWith(emptySummary, many)
    assert.strictEqual(refused.byKey.size, maxCauses)
    assert.strictEqual(refused.others, 50)
  })
})

describe("The progress line", () => {
  const state: State = { rows: 1500, before: 500, failed: 20, share: 0.5, shareBefore: 0.25 }

  it("shows the share, the rate and the remaining time", () => {
    assert.strictEqual(lineOfProgress(state, 10, { bar: false }), "50%, 1,500 rows, 20 bad, 100 rows/s, 20 s left")
    assert.strictEqual(
      lineOfProgress(state, 10, { bar: true }),
      "[############------------] 50%, 1,500 rows, 20 bad, 100 rows/s, 20 s left"
    )
  })

  it("leaves out what is not known yet", () => {
    assert.strictEqual(
      lineOfProgress({ ...state, share: undefined, failed: 0 }, 10, { bar: true }),
      "1,500 rows, 100 rows/s"
    )
    assert.strictEqual(
      lineOfProgress({ ...state, shareBefore: 0.5 }, 0, { bar: false }),
      "50%, 1,500 rows, 20 bad, 0 rows/s"
    )
    assert.strictEqual(
      lineOfProgress({ ...state, share: 1 }, 7200, { bar: false }),
      "100%, 1,500 rows, 20 bad, 0 rows/s"
    )
  })
})
