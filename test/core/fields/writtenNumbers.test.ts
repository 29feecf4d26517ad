/** Reads numbers as people write them, where the language is known and where it is not. */
import { assert, describe, it } from "@effect/vitest"
import { meantBy, numbersOf, readingsOf } from "../../../src/core/fields/writtenNumbers.ts"

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

  it("means one thing to who writes decimals after a comma, and to who writes them after a point", () => {
    for (const [text, german, english] of [
      ["45.500", "45500", "45.5"],
      ["45,500", "45.5", "45500"],
      ["45.500.000", "45500000", "45500000"],
      ["45,500,000", "45500000", "45500000"],
      ["1.234,5", "1234.5", "1234.5"],
      ["1,234.5", "1234.5", "1234.5"],
      ["1'234.5", "1234.5", "1234.5"],
      ["1 234,5", "1234.5", "1234.5"],
      ["-5.000", "-5000", "-5"],
      ["5000", "5000", "5000"],
      [" 0,5 ", "0.5", undefined],
      ["0.500", undefined, "0.5"],
      ["45,5", "45.5", undefined],
      ["1.23", undefined, "1.23"],
      ["1234.567", undefined, "1234.567"],
      ...["4,55,00", "4.55.00", "1,234,5", "1.23.456", "12 34", "1e6", "45 EUR", "Infinity", "0x10", "", "."].map(
        (none) => [none, undefined, undefined] as const
      )
    ] as const) {
      for (const [sign, decimal] of [
        [",", german],
        [".", english]
      ] as const) {
        const meant = meantBy(text, sign)
        assert.strictEqual("decimal" in meant ? meant.decimal : undefined, decimal, `${text} with ${sign}`)
      }
    }
  })

  it("with a lone separator of another language may be a slip, so that one says what is meant", () => {
    assert.deepStrictEqual(meantBy("1.23", ","), { mayBe: ["1,23", "123"] })
    assert.deepStrictEqual(meantBy("-45,5", "."), { mayBe: ["-45.5", "-455"] })
    assert.deepStrictEqual(meantBy("0.5", ","), { mayBe: ["0,5"] })
    assert.deepStrictEqual(meantBy("4,55,00", "."), { mayBe: [] })
  })
})
