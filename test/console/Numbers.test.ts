/** Numbers in forms: each culture writes them in its own way, and what a field shows is read back to the last digit. */
import * as fc from "fast-check"
import { assert, describe, it } from "@effect/vitest"
import { Form } from "../../src/console/Console.ts"
import { bodyOf, type Member } from "../../src/console/FormMembers.ts"
import { fieldNumber, numberAdvice, quantity, typedNumber } from "../../src/console/Numbers.ts"
import { number, type Reader } from "../../src/console/Texts.ts"

const readerOf = (culture: string): Reader => ({
  culture,
  language: culture.startsWith("de") ? "de" : "en",
  timeZone: "UTC"
})

const cultures = "de-DE en-GB de-AT de-CH en-IN en-ZA fr-FR fr-CH es-ES pl-PL sv-SE ar-EG fa-IR mr-IN ja-JP"
  .split(" ")
  .map(readerOf)

describe("A number in a form", () => {
  it("is read back as it was shown, in the field and anywhere else, whatever the culture", () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...cultures),
        fc.oneof(
          // Digits end at a hundred places, and no record has more than seventeen.
          fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => Math.abs(value) > 1e-80),
          fc.integer({ min: -999_999_999, max: 999_999_999 }).map((value) => value / 10_000),
          fc.integer()
        ),
        (reader, sent) => {
          const value = sent === 0 ? 0 : sent
          const shown = fieldNumber(reader, value)
          assert.strictEqual(typedNumber(reader, shown), value, shown)
          const rounded = Math.round(value)
          if (Math.abs(rounded) < 1e15) {
            const written = number(reader, rounded)
            assert.strictEqual(typedNumber(reader, written), rounded === 0 ? 0 : rounded, written)
          }
        }
      )
    ))

  it("is shown as the reader writes it, years without groups", () => {
    const [german, english] = [readerOf("de-DE"), readerOf("en-GB")]
    for (const [value, inGerman, inEnglish] of [
      [45_500, "45.500", "45,500"],
      [1998, "1998", "1998"],
      [12_450.5, "12.450,5", "12,450.5"],
      [-0.0001, "-0,0001", "-0.0001"],
      [999_999_999_999_999, "999.999.999.999.999", "999,999,999,999,999"]
    ] as const) {
      assert.deepStrictEqual([fieldNumber(german, value), fieldNumber(english, value)], [inGerman, inEnglish])
    }
  })

  it("that is unclear is answered with how to write it", () => {
    const [german, english] = [readerOf("de-DE"), readerOf("en-GB")]
    assert.strictEqual(numberAdvice(german, "1.23"), "Schreiben Sie 1,23 oder 123.")
    assert.strictEqual(numberAdvice(english, "1,23"), "Write 1.23 or 123.")
    assert.strictEqual(numberAdvice(english, "4,55,00"), "Write a number, such as 45,500 or 12.5.")
    assert.strictEqual(numberAdvice(german, "viel"), "Schreiben Sie eine Zahl, etwa 45.500 oder 12,5.")
    assert.strictEqual(typedNumber(readerOf("en-IN"), "4,55,000"), 455_000)
    assert.strictEqual(typedNumber(english, "4,55,000"), undefined)
  })

  it("is sent as the reader means it, in every kind of field; degrees have no groups", () => {
    const members: ReadonlyArray<Member> = [
      { name: "count", label: "", kind: "number" },
      { name: "rent", label: "", kind: "money" },
      { name: "area", label: "", kind: "measure", unit: "sqm" },
      { name: "size", label: "", kind: "range", unit: "sqm" },
      { name: "price", label: "", kind: "priceRange" },
      { name: "near.latitude", label: "", kind: "degrees" },
      { name: "near.longitude", label: "", kind: "degrees" },
      { name: "tenants", label: "", kind: "rows", members: [{ name: "area", label: "", kind: "measure", unit: "sqm" }] }
    ]
    const typed = {
      count: "1998",
      "rent.value": "45.500",
      "area.value": "5.000",
      "size.min": "1.234,5",
      "size.max": "1.23",
      "price.min": "20.000.000",
      "near.latitude": "52.520",
      "near.longitude": "13,405",
      "tenants.0.area.value": "2.500"
    }
    assert.deepStrictEqual(bodyOf(new Form(new URLSearchParams(typed), readerOf("de-DE")), members), {
      count: 1998,
      rent: { value: 45_500, currency: "EUR" },
      area: { value: 5000, unit: "sqm" },
      size: { min: 1234.5, max: "1.23", unit: "sqm" },
      price: { min: 20_000_000, max: null, currency: "EUR", scale: "unit" },
      near: { latitude: 52.52, longitude: 13.405 },
      tenants: [{ area: { value: 2500, unit: "sqm" } }]
    })
  })
})

describe("An amount or a measure", () => {
  it("is written with its unit, and a range of one value as that value", () => {
    const [german, english] = [readerOf("de-DE"), readerOf("en-GB")]
    for (const [value, inGerman, inEnglish] of [
      [{ value: 45_500, currency: "EUR" }, "45.500 EUR", "45,500 EUR"],
      [{ value: 45.5, currency: "EUR" }, "45,5 EUR", "45.5 EUR"],
      [{ min: 83_500_000, max: 83_500_000, currency: "EUR" }, "83.500.000 EUR", "83,500,000 EUR"],
      [{ min: 6.5, max: 6.5, unit: "years" }, "6,5 Jahre", "6.5 years"],
      [{ min: 3000, max: null, unit: "sqm" }, "ab 3.000 m²", "from 3,000 m²"],
      [{ min: null, max: 5, currency: "EUR", scale: "million" }, "bis 5 Mio. EUR", "up to 5 million EUR"],
      [{ min: 0, max: 4.25, unit: "percent" }, "0 – 4,25 %", "0 – 4.25 %"],
      [{ min: 1990, max: 2010 }, "1990 – 2010", "1990 – 2010"],
      [{ min: null, max: null, currency: "EUR" }, undefined, undefined]
    ] as const) {
      assert.deepStrictEqual([quantity(german, value), quantity(english, value)], [inGerman, inEnglish])
    }
  })
})
