import fc from "fast-check"
import { assert, describe, it } from "vitest"
import type { Json } from "../../src/core/usecase/Input.ts"
import { excerpt, visible, visibleIn, writtenMembers } from "../../src/mcp/text.ts"

describe("Text that people wrote", () => {
  it("loses the characters that nobody sees", () => {
    const hidden = [..."ignore this"].map((letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0)))
    assert.strictEqual(visible(`Ro${hidden.join("")}ssi`), "Rossi")
    for (const code of [0x200b, 0x200d, 0x202e, 0x2066, 0x00ad, 0xfeff, 0xfe0f, 0xe0101, 0x3164, 0x115f, 0x7f, 0x1b]) {
      assert.strictEqual(visible(`a${String.fromCodePoint(code)}b`), "ab", code.toString(16))
    }
    for (const code of [0x061c, 0x200e, 0x200f, 0x202a, 0x2069, 0x2060, 0x2063, 0x034f, 0x180e, 0xfff9, 0xe01f0]) {
      const hidden = String.fromCodePoint(code)
      assert.strictEqual(visible(`می${hidden}خواهم 👩${hidden}💻`), "میخواهم 👩💻", code.toString(16))
    }
  })

  it("keeps the joiners and variation selectors that shape words and emoji", () => {
    for (const text of [
      "👩‍💻 👨‍👩‍👧‍👦 👩🏽‍⚕️ 🏳️‍🌈 ❤️‍🔥 🧑🏾‍🦰 🏴‍☠️",
      "☎️ ✔︎ 1️⃣ #️⃣ ©️",
      "می‌خواهم خانه‌ای کتاب‌ها",
      "क्‍ष क्‌ष শ্‍য ശ്‍രീ ന്‍ ශ්‍රී",
      "葛\u{e0100}城 辻\u{e0101}",
      "ᠠ\u180b",
      "\u0601١٢"
    ]) {
      assert.strictEqual(visible(text), text)
    }
  })

  it("loses joiners and variation selectors that shape nothing, and more of them than one", () => {
    for (const [text, shown] of [
      ["a\u200cb", "ab"],
      ["Ros\u200dsi", "Rossi"],
      [" \u200d ", "  "],
      ["\u200cسلام\u200c", "سلام"],
      ["می\u200c\u200c\u200dخواهم", "می\u200cخواهم"],
      ["👩\u200d\u200d💻", "👩\u200d💻"],
      ["👩\u200d", "👩"],
      ["👩\u200da", "👩a"],
      ["☎\ufe0f\ufe01\ufe0f", "☎\ufe0f"],
      ["1\ufe0f2", "12"],
      ["a\ufe00b\u{e0100}", "ab"],
      ["葛\u{e0100}\u{e0101}", "葛\u{e0100}"]
    ] as const) {
      assert.strictEqual(visible(text), shown, JSON.stringify(text))
    }
  })

  it("keeps what is seen: letters with their accents, signs, tabs and line breaks", () => {
    for (const text of ["Müller-Lüdenscheidt", "Mu\u0308ller", "東京 🏢", "नमस्ते", "a\tb\nc", "€ 1.200,50 – 3 %"]) {
      assert.strictEqual(visible(text), text)
    }
    assert.strictEqual(visible("a\r\nb"), "a\nb")
  })

  it("is found in every member that is not the service's own", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (name, comment) => {
        const answer = {
          externalId: "written, too",
          id: "contact_01kb3n7x2ferwt5z8q4j6m9d0c",
          etag: '"v1"',
          updatedUtc: "2026-01-01T00:00:00.000Z",
          name,
          rows: [{ id: "x", comment, empty: "" }]
        }
        assert.deepStrictEqual(writtenMembers(answer), ["comment", "externalId", "name"])
      })
    )
  })

  it("is cleaned wherever it is, and nothing else changes", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const cleaned = visibleIn(value as Json)
        assert.deepStrictEqual(visibleIn(cleaned), cleaned)
        const numbers = (json: Json): string => JSON.stringify(json).replaceAll(/"(?:[^"\\]|\\.)*"/g, "")
        assert.strictEqual(numbers(cleaned), numbers(value as Json))
      })
    )
  })

  it("is shortened without half a character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 2, max: 50 }), (text, length) => {
        const short = excerpt(text, length)
        assert.isAtMost(short.length, length)
        assert.isTrue(short.isWellFormed() || !text.isWellFormed())
        if (text.length <= length) assert.strictEqual(short, text)
        else assert.isTrue(short.endsWith("…"))
      })
    )
  })
})
