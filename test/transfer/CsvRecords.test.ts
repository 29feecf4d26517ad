import * as fc from "fast-check"
import { assert, describe, it } from "@effect/vitest"
import { stringify } from "csv-stringify/sync"
import {
  type CsvRecord,
  delimiterIn,
  delimiterOf,
  linesOf,
  maxLineLength,
  recordsOf
} from "../../src/transfer/CsvRecords.ts"

async function* chunksOf(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const read = async (file: string | Uint8Array, size = 65_536): Promise<ReadonlyArray<CsvRecord>> => {
  const found: Array<CsvRecord> = []
  const lines = linesOf(chunksOf(Buffer.from(file), size))
  for await (const records of recordsOf(lines, (first) => delimiterOf(Buffer.from(first).toString())))
    found.push(...records)
  return found
}

// The line of each record, with its cells or the code of its problem.
const linesAndContents = (
  records: ReadonlyArray<CsvRecord>
): ReadonlyArray<readonly [number, string | ReadonlyArray<string>]> =>
  records.map(({ content, line }) => [line, "code" in content ? content.code : content])

const cell = fc.string({ unit: fc.constantFrom("a", '"', ",", ";", "\n", "\r\n", "é", "𝒳", " "), maxLength: 8 })

describe("A CSV file", () => {
  it("gives the line on which each record begins, however its bytes are split into chunks", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom("\n", "\r\n"),
        async (rows, size, end) => {
          const header = `a,b,c${end}`
          const texts = rows.map((row) => stringify([row], { quoted: true, record_delimiter: end }))
          const records = await read(header + texts.join(""), size)
          const firstLines = texts.map((_, index) => (header + texts.slice(0, index).join("")).split("\n").length)
          assert.deepStrictEqual(
            linesAndContents(records).slice(1),
            rows.map((row, index) => [firstLines[index] ?? 0, [...row]])
          )
        }
      )
    )
  })

  it("may name its delimiter for spreadsheets in the first line", async () => {
    for (const [first, between] of [
      ["sep=;", ";"],
      ["sep=,", ","],
      ['"sep=|"', "|"],
      ["SEP=\t", "\t"]
    ] as const) {
      const found: Array<CsvRecord> = []
      const file = `${first}\r\na${between}b\r\n1${between}2\r\n`
      const delimiter = (line: Uint8Array) => delimiterIn(line) ?? "?"
      for await (const records of recordsOf(linesOf(chunksOf(Buffer.from(file), 7)), delimiter)) found.push(...records)
      assert.deepStrictEqual(linesAndContents(found), [
        [2, ["a", "b"]],
        [3, ["1", "2"]]
      ])
    }
  })

  it("reports broken quotes only for the record that has them", async () => {
    const file = [
      "a,b",
      '1,"x', // never closed: costs only its own line
      "2,y",
      '3,"z', // a quoted cell with a line break
      'z"',
      '4,"q" q', // text after the closing quote
      '5,1" pipe', // a quote in an unquoted cell
      '6,"ok"""', // an escaped quote
      '7,"never', // not closed before the end of the file
      "8,y",
      ""
    ].join("\n")
    assert.deepStrictEqual(linesAndContents(await read(file)), [
      [1, ["a", "b"]],
      [2, "broken_quoting"],
      [3, ["2", "y"]],
      [4, ["3", "z\nz"]],
      [6, "broken_quoting"],
      [7, "broken_quoting"],
      [8, ["6", 'ok"']],
      [9, "broken_quoting"],
      [10, ["8", "y"]]
    ])
  })

  it("reports only the records that are too long or not UTF-8", async () => {
    const latin = Buffer.from('a,b\n1,"Büro\nim Hof"\n2,Büro\n3,é\n', "latin1")
    const file = Buffer.concat([latin, Buffer.from(`4,${"x".repeat(maxLineLength)}\n5,é`)])
    assert.deepStrictEqual(linesAndContents(await read(file)), [
      [1, ["a", "b"]],
      [2, "invalid_encoding"],
      [4, "invalid_encoding"],
      [5, "invalid_encoding"],
      [6, "too_long"],
      [7, ["5", "é"]]
    ])
  })

  it("may contain blank lines", async () => {
    assert.deepStrictEqual(linesAndContents(await read("\n\r\na,b\n\n1,2\r\n\r\n")), [
      [3, ["a", "b"]],
      [5, ["1", "2"]]
    ])
  })

  it("is read with the delimiter that occurs most often in its header", () => {
    assert.strictEqual(delimiterOf("a,b"), ",")
    assert.strictEqual(delimiterOf('"a,b,c";d;e'), ";")
    assert.strictEqual(delimiterOf("a\tb"), "\t")
    assert.strictEqual(delimiterOf("email"), ",")
  })
})
