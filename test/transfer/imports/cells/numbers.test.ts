/** Numbers as people write them. */
import * as fc from "fast-check"
import { assert, describe, it } from "@effect/vitest"
import { converted, digitsOf, numbersOf, ofNumber, readingsOf } from "../../../../src/transfer/cells.ts"

describe("A number", () => {
  it("is read with points, commas, spaces or apostrophes between groups of three digits", () => {
    for (const [text, ...readings] of [
      ["1250", "1250"],
      ["1.250.000,50", "1250000.5"],
      ["1,250,000.50", "1250000.5"],
      ["1 250 000,5", "1250000.5"],
      ["1\u202f250\u00a0000", "1250000"],
      ["1’250’000.25", "1250000.25"],
      ["12.5", "12.5"],
      ["12,5", "12.5"],
      ["0,125", "0.125"],
      ["12450.125", "12450.125"],
      ["−3", "-3"],
      ["- 3,0", "-3"],
      ["-0", "0"],
      ["007", "7"]
    ]) {
      assert.deepStrictEqual(readingsOf(text ?? ""), readings, text)
    }
  })

  it("with three digits after its only separator has two readings", () => {
    assert.deepStrictEqual(readingsOf("1.250"), ["1.25", "1250"])
    assert.deepStrictEqual(readingsOf("-999,000"), ["-999", "-999000"])
  })

  it("has one reading where the decimal separator is known", () => {
    assert.deepStrictEqual(readingsOf("1.250", ","), ["1250"])
    assert.deepStrictEqual(readingsOf("1.250", "."), ["1.25"])
    assert.deepStrictEqual(readingsOf("1.250,5", "."), [])
    assert.deepStrictEqual(readingsOf("1.250.000", "."), [])
    assert.deepStrictEqual(readingsOf("1'250,5", ","), ["1250.5"])
    assert.deepStrictEqual(readingsOf("12", ","), ["12"])
  })

  it("contradicts a decimal separator that stands where groups of three digits do, or that is another one", () => {
    for (const [text, decimal, readings, contrary] of [
      ["1,360", ",", ["1.36"], ["1360"]],
      ["1.250", ".", ["1.25"], ["1250"]],
      ["-1.250", ".", ["-1.25"], ["-1250"]],
      ["1.250", ",", ["1250"], []],
      ["1,250.50", ",", [], ["1250.5"]],
      ["1.250.000", ".", [], ["1250000"]],
      ["0,360", ",", ["0.36"], []],
      ["1234,567", ",", ["1234.567"], []],
      ["1.250,500", ",", ["1250.5"], []],
      ["12,5", ",", ["12.5"], []],
      ["12.5", ",", [], ["12.5"]],
      ["1 250", ",", ["1250"], []],
      ["1'250'000", ".", ["1250000"], []]
    ] as const) {
      assert.deepStrictEqual(numbersOf(text, decimal), { readings: [...readings], contrary: [...contrary] }, text)
    }
  })

  it("is none with groups of other sizes, several decimal separators, or anything else", () => {
    for (const text of ["", "1.25.000", "1,250,5", "1.250,000,5", "12,50,000", ".5", "5.", "1e6", "(5)", "+5", "a"]) {
      assert.deepStrictEqual(readingsOf(text), [], text)
    }
  })

  it("is written so that it has one reading", () =>
    fc.assert(
      fc.property(
        fc.oneof(
          fc.double({ min: -1e15, max: 1e15, noNaN: true }),
          fc.integer({ min: -9_999_999, max: 9_999_999 }).map((value) => value / 1000)
        ),
        (value) => {
          const readings = readingsOf(ofNumber(value))
          assert.strictEqual(readings.length, 1)
          assert.strictEqual(Number(readings[0]), value === 0 ? 0 : value)
        }
      )
    ))

  it("is multiplied exactly, and rounded to four places half away from zero", () => {
    assert.strictEqual(converted("10000", [{ times: "0.09290304" }]), "929.0304")
    assert.strictEqual(converted("1", [{ times: "0.09290304" }]), "0.0929")
    assert.strictEqual(converted("50000.5", [{ times: "0.09290304" }]), "4645.1985")
    assert.strictEqual(converted("2.5", [{ times: "4046.8564224" }]), "10117.1411")
    assert.strictEqual(converted("0.5", [{ times: "0.0001" }]), "0.0001")
    assert.strictEqual(converted("-0.5", [{ times: "0.0001" }]), "-0.0001")
    assert.strictEqual(converted("999999999999999", [{ times: "0.09290304" }]), "92903039999999.9071")
    assert.strictEqual(converted("121", [{ times: "400", over: 121n }]), "400")
    assert.strictEqual(converted("1", [{ times: "400", over: 121n }]), "3.3058")
    assert.strictEqual(converted("1.25", [{ times: "1000000" }, { times: "12" }]), "15000000")
    assert.strictEqual(converted("7", []), "7")
    assert.deepStrictEqual(["0.0100", "10.5", "-1200"].map(digitsOf), [3, 3, 4])
  })
})
