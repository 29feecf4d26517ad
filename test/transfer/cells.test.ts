/** Reads values from CSV cells, and writes them. */
import * as fc from "fast-check"
import * as Cells from "../../src/transfer/cells.ts"
import countries from "i18n-iso-countries/index.js"
import { assert, describe, it } from "@effect/vitest"
import { converted, digitsOf, languageOf, ofNumber, readCell, readerOf, writeCell } from "../../src/transfer/cells.ts"
import { Result } from "effect"
import { countryOf } from "../../src/core/fields/Place.ts"
import { readingsOf } from "../../src/core/fields/writtenNumbers.ts"

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

// Numbers as people write them.

describe("A number", () => {
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

// Reads cells as people and other programs write them.

/** What a cell of a member says: its value, or the failure; and the code of the note. */
const read = (member: string, cell: string) =>
  Result.match(readCell(readerOf(member), cell), {
    onFailure: (detail) => ({ detail }),
    onSuccess: ({ note, value }) => (note === undefined ? value : [value, note.code])
  })

const codes = Object.keys(countries.getAlpha2Codes()).filter((code) => code !== "XK")

describe("A country", () => {
  it("is read by its codes, and its names in six languages and its own", () => {
    for (const code of codes) {
      assert.strictEqual(countryOf(code), code)
      assert.strictEqual(countryOf((countries.alpha2ToAlpha3(code) ?? "").toLowerCase()), code)
      for (const language of ["en", "de", "fr", "es", "it", "nl"]) {
        const name = new Intl.DisplayNames([language], { type: "region" }).of(code) ?? code
        assert.strictEqual(countryOf(name), code, `${language}: ${name}`)
      }
    }
    for (const [name, code] of Object.entries({
      日本: "JP",
      Россия: "RU",
      Ελλάδα: "GR",
      Polska: "PL",
      Magyarország: "HU",
      Suomi: "FI",
      Éire: "IE",
      Svizzera: "CH",
      مصر: "EG",
      한국: "KR",
      대한민국: "KR"
    })) {
      assert.strictEqual(countryOf(name), code, name)
    }
  })

  it("is read by the names that people use", () => {
    for (const [code, names] of Object.entries({
      GB: ["UK", "U.K.", "Great Britain", "Großbritannien", "GROSSBRITANNIEN", "England", "Royaume-Uni", "Reino Unido"],
      ES: ["España", "Espana", "Espagne", "E"],
      CH: ["Suisse", "Schweiz / Suisse"],
      CZ: ["Czech Republic", "Tschechien", "Česká republika"],
      HK: ["Hong Kong", "Hongkong"],
      DE: ["D", "Germany", "Allemagne", "Alemania", "Germania", "Duitsland", "germany ", "Germany (DE)", "BRD"],
      US: ["USA", "U.S.A.", "U.S.", "United States", "Etats-Unis", "EE.UU.", "Verenigde Staten"],
      NL: ["The Netherlands", "Holland", "Niederlande", "Pays-Bas"],
      AE: ["UAE", "VAE", "Vereinigte Arabische Emirate"],
      KR: ["South Korea", "Korea, Republic of", "Südkorea"],
      CI: ["Cote d'Ivoire", "Ivory Coast"],
      NA: ["NA", "Namibia"]
    })) {
      for (const name of names) assert.strictEqual(read("country", name), code, name)
    }
    for (const name of ["Kosovo", "Atlantis", "Berlin", "x".repeat(10_000), "Germany (FR)", "Deutschland/Frankreich"]) {
      assert.match((read("country", name) as { detail: string }).detail, /^Must be a country/)
    }
  })
})

describe("A language", () => {
  it("is read by its tag, or its name with or without a country", () => {
    for (const [tag, names] of Object.entries({
      de: ["German", "Deutsch", "de", "DE", "deu", "Allemand", "tedesco", "Duits", "Alemán"],
      "de-DE": ["de_DE", "de-de", "de_DE.UTF-8", "German (Germany)"],
      "de-CH": ["Deutsch (Schweiz)", "German - Switzerland"],
      "en-US": ["English (US)", "English (United States)", "American English"],
      fr: ["Français", "francais", "Französisch"],
      ja: ["日本語", "Japanese"]
    })) {
      for (const name of names) assert.strictEqual(languageOf(name), tag, name)
    }
    assert.deepStrictEqual(read("primaryLanguage", "German, English"), ["de", "further_values"])
    assert.match((read("primaryLanguage", "klingonish-!") as { detail: string }).detail, /^Must be a language/)
  })
})

describe("The cell of a contact or company", () => {
  it("is an e-mail address, whatever is around it; of several, the first", () => {
    for (const cell of [
      "a@x.example",
      " <a@x.example> ",
      "Anna <a@x.example>",
      "Anna Berg <mailto:a@x.example>",
      '"Berg, Anna" <a@x.example>',
      "mailto:a@x.example",
      "MAILTO:a@x.example?subject=Hi",
      "a@x.example;",
      "'a@x.example'"
    ]) {
      assert.strictEqual(read("email", cell), "a@x.example", cell)
    }
    for (const cell of [
      "a@x.example; b@x.example",
      "a@x.example,b@x.example",
      "a@x.example ::: b@x.example",
      "a@x.example b@x.example",
      "Anna <a@x.example>, Bo <b@x.example>",
      "a@@x; a@x.example"
    ]) {
      assert.deepStrictEqual(read("email", cell), ["a@x.example", "further_values"], cell)
    }
    assert.deepStrictEqual(read("email", "/o=ExchangeLabs/ou=X/cn=Recipients/cn=anna"), [undefined, "no_address"])
    assert.deepStrictEqual(read("primaryCompanyId", "4711"), [undefined, "no_id"])
    assert.deepStrictEqual(read("email", "a@x.example (privat)"), ["a@x.example", "read_in_part"])
    for (const cell of ["nobody at home", "a@", "o'brien+tag@x.example", "{a|b}@x.example"]) {
      assert.strictEqual(read("email", cell), cell)
    }
  })

  it("is a web address without a scheme, or a domain with one", () => {
    for (const [cell, url] of [
      ["www.firma.example", "https://www.firma.example"],
      ["firma.example/über-uns?x=1#y", "https://firma.example/über-uns?x=1#y"],
      ["//firma.example", "https://firma.example"],
      ["müller.example:8080/", "https://müller.example:8080/"],
      ["http://firma.example", "http://firma.example"],
      ["<https://firma.example>", "https://firma.example"]
    ] as const) {
      assert.strictEqual(read("homepageUrl", cell), url)
    }
    assert.strictEqual(read("linkedInUrl", "linkedin.com/in/x"), "https://linkedin.com/in/x")
    assert.strictEqual(read("linkedInUrl", "in/anna-berg"), "https://www.linkedin.com/in/anna-berg")
    assert.deepStrictEqual(read("homepageUrl", "a.example; https://b.example"), ["https://a.example", "further_values"])
    for (const cell of [
      "Firma",
      "info@firma.example",
      "javascript:alert(1)",
      "https:host",
      "a b.example c",
      "localhost"
    ]) {
      assert.strictEqual(read("homepageUrl", cell), cell)
    }
    assert.strictEqual(read("domain", "https://www.firma.example/kontakt"), "www.firma.example")
    assert.strictEqual(read("domain", "@firma.example"), "@firma.example".slice(1))
    assert.deepStrictEqual(read("domain", "a.example, b.example"), ["a.example", "further_values"])
    assert.strictEqual(read("domain", "info@firma.example"), "info@firma.example")
  })

  it("is the first of several phone numbers, and none that a spreadsheet rounded", () => {
    assert.strictEqual(read("phone", "tel:+49 30 1234567"), "+49 30 1234567")
    assert.strictEqual(read("phone", "49301234567.0"), "49301234567")
    for (const between of ["; ", " ::: ", " / ", " oder ", "\n", ", "]) {
      assert.deepStrictEqual(read("phone", `+49 30 123456${between}030 7654321`), ["+49 30 123456", "further_values"])
    }
    for (const cell of ["+49 (0)30 5550199", "030/5550199", "555-0199 ext. 7", "030 12345, Zimmer 7"]) {
      assert.strictEqual(read("phone", cell), cell)
    }
    for (const cell of ["4.93012E+11", "4,93012E+11", "4.93e11", "+4.9E+10"]) {
      assert.match((read("phone", cell) as { detail: string }).detail, /^Was rounded by a spreadsheet/)
    }
  })

  it("that marks absence is left out and reported, where the mark has no meaning of its own", () => {
    for (const member of [
      "firstName",
      "email",
      "phone",
      "homepageUrl",
      "domain",
      "country",
      "primaryLanguage",
      "name"
    ]) {
      for (const mark of ["n/a", "-", "k. A.", "auf Anfrage", "auf Nachfrage", "http://", "https://www."])
        assert.deepStrictEqual(read(member, mark), [undefined, "absent"])
    }
    assert.strictEqual(read("lastName", "Null"), "Null")
    assert.deepStrictEqual(read("lastName", "NULL"), [undefined, "absent"])
    assert.strictEqual(read("phone", "\\N"), null)
    assert.strictEqual(read("phone", " "), undefined)
  })

  it("has the value that an export wrote, whatever its reader would make of it", () => {
    const special = fc.constantFrom(
      "n/a",
      "-",
      "Null",
      "NA",
      "german",
      "UK",
      "4.93E+11",
      "+49 30 123456; +49 30 7654321",
      "030 12345;+49 30 12345",
      "www.x.example",
      "a@x.example; b@x.example",
      "Anna <a@x.example>",
      "\\N",
      "=1+1"
    )
    const value = fc
      .oneof(
        fc.tuple(fc.constantFrom("", "'", "''", '"', "+"), special).map(([before, text]) => `${before}${text}`),
        fc.string({
          unit: fc.constantFrom("'", "=", "+", "-", "@", "1", "2", ";", " ", ".", "a", "x", "/", ":", "e"),
          maxLength: 16
        })
      )
      .map((text) => text.trim())
      .filter((text) => text !== "")
    const member = fc.constantFrom(
      "firstName",
      "email",
      "phone",
      "primaryLanguage",
      "homepageUrl",
      "linkedInUrl",
      "domain",
      "country",
      "strategy"
    )
    fc.assert(
      fc.property(member, value, (name, text) => {
        assert.strictEqual(read(name, writeCell(name, text)), text)
      }),
      { numRuns: 2000 }
    )
    assert.strictEqual(writeCell("phone", "+49 30 5550199"), "+49 30 5550199")
    assert.strictEqual(writeCell("country", "NA"), "NA")
    assert.strictEqual(writeCell("lastName", "N/A"), "'N/A")
  })
})
