import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { beginnings, endings, nameKeyOf } from "../../../src/network/companies/naming.ts"

const keys = (names: { readonly [name: string]: string }) => {
  for (const [name, key] of Object.entries(names)) expect(`${name} = ${nameKeyOf(name)}`).toBe(`${name} = ${key}`)
}

describe("The key of a company's name", () => {
  test("ignores case, accents and punctuation", () => {
    keys({
      "Crédit Foncier – Île-de-France": "credit foncier ile de france",
      LÄNSFÖRSÄKRINGAR: "lansforsakringar",
      "L’Oréal": "loreal",
      "Škoda Žižkov": "skoda zizkov",
      "Łódź Gdańsk": "lodz gdansk",
      "A.B.C. Immobilien": "abc immobilien",
      "E.ON": "e on"
    })
  })

  test("is the same for ä, ae and a, ø, oe and o, ß and ss", () => {
    for (const name of ["Müller Bau", "Mueller Bau", "Muller Bau"]) expect(nameKeyOf(name)).toBe("muller bau")
    for (const name of ["Ørsted", "Oersted", "Orsted"]) expect(nameKeyOf(name)).toBe("orsted")
    for (const name of ["Mærsk", "Maersk", "Marsk"]) expect(nameKeyOf(name)).toBe("marsk")
    expect(nameKeyOf("Weißstraße")).toBe(nameKeyOf("Weissstrasse"))
  })

  test("keeps ue and oe that are not umlauts", () => {
    keys({ Bauer: "bauer", "Neue Quelle": "neue quelle", "Blue Avenue": "blue avenue", Monroe: "monroe" })
  })

  test("has no legal form, in any spelling", () => {
    keys({
      "Vonovia SE": "vonovia",
      "Siemens Aktiengesellschaft": "siemens",
      "Bauwerk Gesellschaft mit beschränkter Haftung": "bauwerk",
      "Bauwerk Ges.m.b.H.": "bauwerk",
      "Bauwerk UG (haftungsbeschränkt)": "bauwerk",
      "Bauwerk GmbH & Co. KG": "bauwerk",
      "Bauwerk GmbH und Co. KGaA": "bauwerk",
      "Landsec PLC": "landsec",
      "Foncière Lyonnaise S.A.": "fonciere lyonnaise",
      "Logicor Europe S.à r.l.": "logicor europe",
      "Logicor Europe SARL": "logicor europe",
      "Logicor Europe S. à r. l.": "logicor europe",
      "Wereldhave N.V.": "wereldhave",
      "Beni Stabili S.p.A.": "beni stabili",
      "Inmuebles del Sur, S.L.U.": "inmubles del sur",
      "Echo Investment Sp. z o.o.": "echo investment",
      "Echo Investment Spółka z ograniczoną odpowiedzialnością": "echo investment",
      "Echo Sp. z o.o. Sp. k.": "echo",
      "CPI Property a.s.": "cpi property",
      "Jeudan A/S": "jeudan",
      "Entra ASA": "entra",
      "Citycon Oyj": "citycon",
      "Fastighets AB Balder (publ)": "fastighets balder",
      "Sonae SGPS, S.A.": "sonae",
      "Prologis, Inc.": "prologis",
      "Ford Motor Company": "ford motor",
      "Hamilton Lane Advisors, L.L.C.": "hamilton lane advisors"
    })
  })

  test("has no legal form at the beginning, where countries write it there", () => {
    keys({
      "AB Volvo": "volvo",
      "Oy Karl Fazer Ab": "karl fazer",
      "SCI Les Lilas": "les lilas",
      "N.V. Nederlandse Gasunie": "nederlandse gasunie",
      "SAS Institute": "sas institute",
      "AG Insurance": "ag insurance"
    })
  })

  test("has no legal form in the middle, if it cannot be anything else", () => {
    keys({
      "Wohnbau-Aktiengesellschaft Berlin": "wohnbau berlin",
      "Bauwerk GmbH & Co. Objekt 7 KG": "bauwerk objekt 7",
      "Kiinteistö Oy Helsingin Katu 3": "kiinteisto helsingin katu 3",
      "Banca SE Nord": "banca se nord"
    })
  })

  test("keeps a legal form that is the whole name", () => {
    keys({ AG: "ag", GmbH: "gmbh", "S.A.": "sa", "AB AG": "ab", "!!!": "!!!" })
  })

  test("treats & as and, und, et, y, e, och, og", () => {
    for (const and of ["&", "+", "and", "und", "et", "y", "e", "och", "og"]) {
      expect(nameKeyOf(`Krone ${and} Sohn`)).toBe("krone sohn")
    }
    keys({ "Plan E GmbH": "plan e", "Plan E": "plan e", "A & B": "a b" })
  })

  test("is its own key, and empty for blank names only", () => {
    const word = fc.oneof(
      fc.constantFrom(...endings, ...beginnings, "und", "e", "y", "&", "s", "a", "ae", "oee", "S.", "ß", "Öe", "İ"),
      fc.string({ unit: "grapheme", maxLength: 8 })
    )
    const name = fc.array(word, { minLength: 1, maxLength: 7 }).map((words) => words.join(" "))
    fc.assert(
      fc.property(name, (text) => {
        const key = nameKeyOf(text)
        expect(nameKeyOf(key)).toBe(key)
        expect(key === "").toBe(text.trim() === "")
      }),
      { numRuns: 5000 }
    )
  })

  test("has at most 300 characters, even if one character expands to many", () => {
    const key = nameKeyOf("ﷺ".repeat(200))
    expect(key.length).toBeGreaterThan(200)
    expect(key.length).toBeLessThanOrEqual(300)
    expect(nameKeyOf(key)).toBe(key)
  })

  test("ignores case and a legal form at the end", () => {
    const name = fc.constantFrom("Castellum", "Kungsleden Väst", "Immobilien Union 12", "Nordea", "Ørsted Vind")
    fc.assert(
      fc.property(name, fc.constantFrom(...endings), (text, form) => {
        expect(nameKeyOf(`${text} ${form}`)).toBe(nameKeyOf(text.toUpperCase()))
      })
    )
  })
})
