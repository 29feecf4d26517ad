/** What texts, e-mail addresses and URLs are accepted, and the form in which they are stored. */
import fc from "fast-check"
import { assert, describe, it } from "@effect/vitest"
import { canonicalEmail, parseWebUrl } from "../../../src/core/fields/InternetAddress.ts"
import { isBlank } from "../../../src/core/fields/Text.ts"

describe("A text", () => {
  it("is blank if nothing of it shows", () => {
    const invisible = [
      ["white space", " \t\n\u00a0\u2003\u3000"],
      ["format characters", "\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u202e\u2066\u{e0041}"],
      ["default-ignorable letters and marks", "\u3164\u115f\u1160\uffa0\u034f\ufe0f\u180e"],
      ["control characters", "\u0001\u001f\u007f\u0085"],
      ["the blank of Braille", "\u2800"]
    ] as const
    for (const [what, characters] of invisible) {
      for (const character of characters) assert.isTrue(isBlank(character), `${what} ${character.codePointAt(0)}`)
      assert.isTrue(isBlank(characters), what)
      assert.isFalse(isBlank(`${characters}x`), what)
    }
    assert.isTrue(isBlank(""))
    for (const visible of ["a", "-", "山", "🏢", "ع", "\u0301", "👩‍🚀", "0"]) assert.isFalse(isBlank(visible), visible)
  })
})

describe("An e-mail address", () => {
  it("has a local part in UTF-8 and a domain in its ASCII form", () => {
    for (const [sent, stored] of [
      ["Anna.Berg@Example.COM", "Anna.Berg@Example.COM"],
      ["anna@münchen.de", "anna@xn--mnchen-3ya.de"],
      ["anna@MÜNCHEN.de", "anna@xn--mnchen-3ya.de"],
      ["anna@xn--mnchen-3ya.de", "anna@xn--mnchen-3ya.de"],
      ["jürgen@example.com", "jürgen@example.com"],
      ["ju\u0308rgen@example.com", "jürgen@example.com"],
      ["用户@例子.中国", "用户@xn--fsqu00a.xn--fiqs8s"],
      ["anna@ex。ample.com", "anna@ex.ample.com"],
      ["a+b@mail", "a+b@mail"]
    ] as const) {
      assert.strictEqual(canonicalEmail(sent), stored, sent)
    }
  })

  it("has no white space, invisible characters, paths or ports", () => {
    for (const text of [
      "",
      "anna",
      "@example.com",
      "anna@",
      "anna berg@example.com",
      "anna\u00a0berg@example.com",
      "anna\u200b@example.com",
      "anna\u3164@example.com",
      "\u202eanna@example.com",
      "anna@exam ple.com",
      "anna@münchen.de:25",
      "anna@münchen.de/x",
      "anna@mün chen.de",
      "anna@münchen..de",
      "anna@exa_mple.com",
      "an<na@example.com",
      "Anna <anna@example.com>",
      "anna@exa%6dplé.com"
    ]) {
      assert.isUndefined(canonicalEmail(text), JSON.stringify(text))
    }
  })

  it("is stored in a form that is stored as it is", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.constantFrom("example.com", "münchen.de", "例子.中国"),
        (local, domain) => {
          const stored = canonicalEmail(`${local}@${domain}`)
          if (stored !== undefined) assert.strictEqual(canonicalEmail(stored), stored)
        }
      )
    )
  })
})

describe("A web address", () => {
  it("is stored as the parser writes it", () => {
    for (const [sent, stored] of [
      ["https://Example.COM", "https://example.com/"],
      ["HTTPS://example.com:443/a/../b?q=ä#f", "https://example.com/b?q=%C3%A4#f"],
      ["http://münchen.de/straße", "http://xn--mnchen-3ya.de/stra%C3%9Fe"],
      ["https://نامه\u200cای.com/", "https://xn--mgba3gch31f060k.com/"],
      ["https://example.com/\u200b", "https://example.com/%E2%80%8B"],
      ["https://example.com/a?b={c}|d", "https://example.com/a?b={c}|d"]
    ] as const) {
      assert.strictEqual(parseWebUrl(sent)?.href, stored)
      assert.strictEqual(parseWebUrl(stored)?.href, stored)
    }
  })

  it("is refused if the parser has to mend it", () => {
    for (const text of [
      "",
      "example.com",
      "ht\ntps://example.com",
      "https://exam\tple.com",
      "https://example.com/a\r\nb",
      "https://example.com/a b",
      "https://example.com/a\u00a0b",
      "https://example.com/a\u0000b",
      "https:example.com",
      "https:/example.com",
      "https:///example.com",
      "https:\\\\example.com",
      "https://example.com\\a",
      "https://example.com/a?b\\c",
      "https://?x",
      "https://",
      "ftp://example.com",
      "javascript:alert(1)",
      "https://exa mple.com",
      "https://example.com:99999",
      "https://exam\u200bple.com",
      "https://exam\u00adple.com/a",
      "https://user@example.com\ufeff:8080/"
    ]) {
      assert.isUndefined(parseWebUrl(text), JSON.stringify(text))
    }
  })
})
