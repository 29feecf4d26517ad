/** Reads values from CSV cells, and writes them. */
import * as fc from "fast-check"
import * as Cells from "../../../../src/transfer/cells.ts"
import { assert, describe, it } from "@effect/vitest"

// Values as records have them: trimmed, and none of them blank. Mostly of the characters that mean something here.
const value = fc
  .oneof(
    fc.string({
      unit: fc.constantFrom("'", "=", "+", "-", "@", "＝", "\\", "N", ";", ",", '"', "\n", "\r", "a", " "),
      maxLength: 12
    }),
    fc.string({ unit: "binary", maxLength: 12 }),
    // What reads as a mark of absence, also behind the guard of an export.
    fc
      .tuple(
        fc.constantFrom("", "'", "''", '"'),
        fc.constantFrom("n/a", "-", "N/A", "k. A.", "auf Anfrage", "--", "null", "#N/A")
      )
      .map(([before, mark]) => `${before}${mark}`)
  )
  .map((text) => text.trim())
  .filter((text) => text !== "")

const separator = fc.constantFrom(";", "|", ",", "n", "'", "=")

describe("A cell", () => {
  it("returns the value that was written", () => {
    fc.assert(
      fc.property(value, (text) => {
        assert.strictEqual(Cells.toText(Cells.ofText(text)), text)
      })
    )
  })

  it("returns a list of values, whatever characters they contain", () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 5 }), separator, (texts, between) => {
        assert.deepStrictEqual(Cells.toList(Cells.ofList(texts, between), between), texts)
      })
    )
  })

  it("never begins like a formula of a spreadsheet", () => {
    fc.assert(
      fc.property(value, separator, (text, between) => {
        for (const cell of [Cells.ofText(text), Cells.ofList([text, text], between)])
          assert.notMatch(cell, /^[=+\-@＝＋－＠]/u)
      })
    )
    assert.strictEqual(Cells.ofText("=cmd|' /C calc'!A0"), "'=cmd|' /C calc'!A0")
    assert.strictEqual(Cells.ofText("+49 30 1234567"), "'+49 30 1234567")
    assert.strictEqual(Cells.ofList(["a", "=1+1"], ";"), "a;'=1+1")
  })

  it("of a phone number is the number as it is, unless it is more than a number", () => {
    for (const phone of ["+4930", "+49 30 5550199", "+1 (212) 555-0100", "+49.30/555"]) {
      assert.strictEqual(Cells.ofPhone(phone), phone)
      assert.strictEqual(Cells.toText(Cells.ofPhone(phone)), phone)
    }
    for (const other of ["+1+cmd|' /C calc'!A0", "=1+1", "-1", "@A1", "+", "+A1", "+1+1", "++49", "＋49", "+1*2"]) {
      assert.strictEqual(Cells.ofPhone(other), `'${other}`)
    }
    assert.strictEqual(Cells.ofPhone("+1\n=2"), "'+1\n'=2")
    fc.assert(
      fc.property(
        fc.oneof(value, fc.string({ unit: fc.constantFrom("+", "1", " ", "(", ")", "-", "/", "=", "A") })),
        (text) => {
          fc.pre(text.trim() === text && text !== "")
          assert.strictEqual(Cells.toText(Cells.ofPhone(text)), text)
          assert.match(Cells.ofPhone(text), /^(?:[^=+\-@＝＋－＠]|\+\d[\d ()./-]*$)/u)
        }
      )
    )
    assert.strictEqual(Cells.ofPhone(null), "")
  })

  it("that is empty leaves the member out, and \\N sets null", () => {
    assert.strictEqual(Cells.toText("  "), undefined)
    assert.strictEqual(Cells.toList("", ";"), undefined)
    assert.strictEqual(Cells.toText(" \\N "), null)
    assert.deepStrictEqual(Cells.toList("\\N", ";"), [])
    assert.strictEqual(Cells.ofText(null), "")
    assert.strictEqual(Cells.ofText("\\N"), "\\\\N")
  })

  it("that marks absence is none, in a list too, and its text is guarded", () => {
    for (const mark of [
      "n/a",
      "-",
      "–",
      "k. A.",
      "k.A.",
      "Auf Anfrage",
      "N/V",
      "NULL",
      "#N/A",
      "n.c.",
      "s/d",
      "n.v.t.",
      "su richiesta"
    ]) {
      assert.strictEqual(Cells.toText(` ${mark} `), undefined, mark)
      assert.strictEqual(Cells.toList(mark, ";"), undefined, mark)
      assert.deepStrictEqual(Cells.toList(`a;${mark};b`, ";"), ["a", "b"])
      assert.strictEqual(Cells.ofText(mark), `'${mark}`)
    }
    assert.strictEqual(Cells.ofList(["x", "N/A"], ";"), "x;'N/A")
    for (const text of ["Nan Na", "none of these", "A", "x-", "N", "no", "0", "?", "5"])
      assert.strictEqual(Cells.toText(text), text)
    assert.strictEqual(Cells.toText('="00123"'), "00123")
  })

  it("keeps text that only resembles special syntax", () => {
    assert.strictEqual(Cells.toText("\\\\server\\share"), "\\\\server\\share")
    assert.strictEqual(Cells.toText("'tis"), "'tis")
    assert.strictEqual(Cells.toText("+49 30 1234567"), "+49 30 1234567")
    assert.deepStrictEqual(Cells.toList(" a ; ;b\\;c;C:\\d", ";"), ["a", "b;c", "C:\\d"])
  })
})
