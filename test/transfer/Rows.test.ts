/** Reads the rows of files in batches. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { type Batch, batchesOf, type ReadOptions } from "../../src/transfer/Rows.ts"
import { header, rowOf } from "../support/people.ts"

const reading: ReadOptions = {
  kind: "contacts",
  format: "csv",
  delimiter: undefined,
  separator: ";",
  map: ["externalId=CRM ID"],
  ignore: [],
  ignoreUnknown: false,
  namespace: "crm",
  currency: undefined,
  decimal: undefined
}

const all = async (batches: AsyncIterable<Batch>) => {
  const found: Array<Batch> = []
  for await (const batch of batches) found.push(batch)
  return found
}

async function* file(rows: number) {
  yield Buffer.from(header)
  for (let index = 0; index < rows; index += 10) {
    yield Buffer.concat(Array.from({ length: Math.min(10, rows - index) }, (_, of) => rowOf(index + of, 50)))
  }
}

describe("The batches of a file", () => {
  it("are read on demand, and the file is closed when reading stops", async () => {
    let pulled = 0
    let isClosed = false
    const endless = (async function* () {
      try {
        for await (const chunk of file(Infinity)) {
          pulled++
          yield chunk
        }
      } finally {
        isClosed = true
      }
    })()
    let batches = 0
    for await (const { rows } of batchesOf("people.csv", reading, endless, 0)) {
      assert.strictEqual(rows.length, 100)
      if (++batches === 20) break
    }
    // The header, and one chunk of ten rows.
    assert.isAtMost(pulled, 1 + 20 * 10 + 1)
    assert.isTrue(isClosed)
  })

  it("are the same wherever reading starts", async () => {
    const whole = await all(batchesOf("people.csv", reading, file(330), 0))
    const growing = (number: number) => 100 + 50 * number
    const larger = await all(batchesOf("people.csv", reading, file(330), 1, growing))
    assert.deepStrictEqual(
      larger.map(({ number, rows }) => [number, rows.length, rows[0]?.line]),
      [
        [1, 150, whole[1]?.rows[0]?.line],
        [2, 80, whole[2]?.rows[50]?.line]
      ]
    )
    const rest = await all(batchesOf("people.csv", reading, file(330), 2))
    assert.deepStrictEqual(
      whole.map(({ number, rows }) => [number, rows.length]),
      [
        [0, 100],
        [1, 100],
        [2, 100],
        [3, 30]
      ]
    )
    assert.deepStrictEqual(rest, whole.slice(2))
  })

  it("have the empty rows of a file, except those after its last row, and cells behind its last column", async () => {
    const lines =
      "E-Mail,Phone,,\n,,,\na@example.com,1,,\n,,,\n\nb@example.com,2\nc@example.com,3,,,,\nd@example.com,4,,x\n,,,\n,,,,,\n"
    const chunks = (async function* () {
      yield Buffer.from(lines)
    })()
    const options = { ...reading, map: [], namespace: undefined }
    const [batch] = await all(batchesOf("people.csv", options, chunks, 0))
    assert.deepStrictEqual(
      batch?.rows.map(({ item, line, reported }) => [
        line,
        Result.isFailure(item) ? item.failure.code : item.success["email"],
        ...reported.map(({ code, column, value }) => `${column} ${code} ${value}`)
      ]),
      [
        [2, "empty_row"],
        [3, "a@example.com"],
        [4, "empty_row"],
        [6, "b@example.com"],
        [7, "c@example.com"],
        [8, "d@example.com", "#4 no_name x"]
      ]
    )
  })

  it("of NDJSON contain its bad lines", async () => {
    const lines = Buffer.concat([
      Buffer.from('{"email":"a@example.com"}\n\n{"email":\n'),
      Buffer.from('{"email":"ä@example.com"}\r\n', "latin1"),
      Buffer.from('{"email":"b@example.com"}')
    ])
    const chunks = (async function* () {
      yield lines
    })()
    const [batch] = await all(batchesOf("people.ndjson", { ...reading, map: [], format: "ndjson" }, chunks, 0))
    assert.deepStrictEqual(
      batch?.rows.map(({ item, line }) => [line, Result.isFailure(item) ? item.failure.code : item.success["email"]]),
      [
        [1, "a@example.com"],
        [3, "malformed_json"],
        [4, "invalid_encoding"],
        [5, "b@example.com"]
      ]
    )
  })

  it("of vCards set members by their properties, as the options say, and tell what they leave out", async () => {
    const file = `BEGIN:VCARD
VERSION:3.0
UID:1
N:Berg;Anna;;;
EMAIL:anna@example.com
EMAIL:a@example.com
TITLE:Partner
NOTE:'=1
TEL:+49 30 1
END:VCARD
BEGIN:VCARD
VERSION:3.0
FN:Bo
END:VCARD`
    const chunks = () =>
      (async function* () {
        yield Buffer.from(file)
      })()
    const options = { ...reading, format: "vcard" as const, map: [], namespace: undefined }
    const [batch] = await all(batchesOf("people.vcf", options, chunks(), 0))
    const [first, second] = batch?.rows ?? []
    assert.deepStrictEqual(
      first?.item,
      Result.succeed({
        firstName: "Anna",
        lastName: "Berg",
        email: "anna@example.com",
        phone: "+49 30 1",
        externalRefs: [{ namespace: "vcard", externalId: "1" }]
      })
    )
    assert.deepStrictEqual(
      first?.reported.map(({ column, value }) => [column, value]),
      [["EMAIL", "a@example.com"]]
    )
    assert.deepInclude(
      batch?.columns.find(({ name }) => name === "NOTE"),
      {
        leftOut: "sets no member unless --map says so"
      }
    )
    assert.deepStrictEqual([second?.line, second?.item._tag], [11, "Failure"])

    const chosen = { ...options, map: ["strategy=NOTE"], ignore: ["TEL"], namespace: "phone" }
    const [other] = await all(batchesOf("people.vcf", chosen, chunks(), 0))
    assert.deepStrictEqual(
      other?.rows[0]?.item,
      Result.succeed({
        firstName: "Anna",
        lastName: "Berg",
        email: "anna@example.com",
        strategy: "'=1",
        externalRefs: [{ namespace: "phone", externalId: "1" }]
      })
    )
  })
})
