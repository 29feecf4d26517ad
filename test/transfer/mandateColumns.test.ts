/** Reads rows of mandates. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { columnsOf, type Mapping } from "../../src/transfer/Columns.ts"
import { ofCells } from "../../src/transfer/Items.ts"

const mapping: Mapping = { kind: "mandates", map: [], ignore: [], ignoreUnknown: false, namespace: "crm" }

const row = (cells: Readonly<Record<string, string>>, currency?: string) => {
  const columns = Result.getOrThrow(columnsOf(mapping, ["externalId", ...Object.keys(cells)]))
  const reading = { kind: "mandates", separator: ";", currency, decimal: undefined } as const
  return ofCells(reading, columns, ["1", ...Object.values(cells)])
}

const item = (cells: Readonly<Record<string, string>>, currency?: string) => {
  const { item: read } = row(cells, currency)
  if (Result.isFailure(read)) throw new Error(read.failure.detail)
  const { externalRefs: _, ...members } = read.success
  return members
}

const refusal = (cells: Readonly<Record<string, string>>) => {
  const { item: read } = row(cells)
  return Result.isFailure(read) ? read.failure.detail : ""
}

describe("A row of a mandate", () => {
  it("has ranges in two columns, with the units of their names and cells", () => {
    assert.deepStrictEqual(
      item({
        "investmentSize.min": "5",
        "investmentSize.max": "25",
        "investmentSize.currency": "EUR",
        "investmentSize.scale": "million",
        "Min. Fläche (sq ft)": "1000",
        "Fläche bis (sq ft)": "",
        "Baujahr von": "1990",
        "Baujahr bis": "2015",
        "netInitialYield.min": "4,5 %",
        "wault.max": "5.5"
      }),
      {
        investmentSize: { min: 5, max: 25, currency: "EUR", scale: "million" },
        lettableArea: { min: 92.903, max: null, unit: "sqm" },
        yearBuilt: { min: 1990, max: 2015 },
        netInitialYield: { min: 4.5, max: null, unit: "percent" },
        wault: { min: null, max: 5.5, unit: "years" }
      }
    )
  })

  it("has ranges in one column, as people write them", () => {
    const size = (cell: string, name = "Ticketgröße") => item({ [name]: cell }, "EUR")["investmentSize"]
    const of = (min: number | null, max: number | null, currency = "EUR") => ({ min, max, currency, scale: "unit" })
    assert.deepStrictEqual(size("5-25 Mio. €"), of(5_000_000, 25_000_000))
    assert.deepStrictEqual(size("5 bis 25", "Ticketgröße (Mio. €)"), of(5_000_000, 25_000_000))
    assert.deepStrictEqual(size("EUR 5 – 25m"), of(5_000_000, 25_000_000))
    assert.deepStrictEqual(size("ab 5 Mio. EUR"), of(5_000_000, null))
    assert.deepStrictEqual(size("bis 25 Mio. CHF"), of(null, 25_000_000, "CHF"))
    assert.deepStrictEqual(size("> 750000"), of(750_000, null))
    assert.deepStrictEqual(size("10 Mio. €+"), of(10_000_000, null))
    assert.deepStrictEqual(item({ Mietfläche: "3000–20000 m²" })["lettableArea"], {
      min: 3000,
      max: 20_000,
      unit: "sqm"
    })
    assert.deepStrictEqual(item({ "Preis pro m²": "bis 2500 €/m²" })["pricePerSqm"], of(null, 2500))
    assert.deepStrictEqual(item({ Rendite: "4,5 % - 6 %" })["netInitialYield"], { min: 4.5, max: 6, unit: "percent" })
  })

  it("has vocabularies, places and dates in English and German", () => {
    assert.deepStrictEqual(
      item({
        Suchprofil: "Logistik Süd",
        Nutzungsarten: "Logistik; Büro",
        Risikoprofil: "Value-Add;Core+",
        Status: "pausiert",
        "gültig bis": "31.12.2027",
        Land: "Deutschland",
        Umkreis: "60 km",
        Breitengrad: "48.1372",
        Längengrad: "11,5755",
        Wunschmerkmale: "motorway_access",
        Energieklasse: "D"
      }),
      {
        name: "Logistik Süd",
        categories: ["logistics", "office"],
        riskProfiles: ["value_add", "core_plus"],
        status: "paused",
        validUntilUtc: "2027-12-31",
        country: "DE",
        radius: 60_000,
        near: { latitude: 48.1372, longitude: 11.5755 },
        positiveTags: ["motorway_access"],
        worstEnergyClass: "d"
      }
    )
    assert.deepStrictEqual(item({ Standort: "München" }), { location: "München" })
    const polygon = {
      type: "Polygon",
      coordinates: [
        [
          [1, 2],
          [3, 2],
          [3, 4],
          [1, 2]
        ]
      ]
    }
    assert.deepStrictEqual(item({ geography: JSON.stringify(polygon) }), { geography: polygon })
  })

  it("clears what \\N clears, and leaves out what is empty", () => {
    assert.deepStrictEqual(
      item({ "investmentSize.min": "\\N", "investmentSize.max": "\\N", radius: "\\N", "wault.min": "", status: "" }),
      { investmentSize: null, radius: null }
    )
    assert.deepStrictEqual(item({ Mietfläche: "n/a", name: "a" }), { name: "a" })
  })

  it("is refused where a range says nothing, or two things", () => {
    assert.include(refusal({ Ticketgröße: "5 Mio. €" }), "Must be a range")
    assert.include(refusal({ Ticketgröße: "5 Mio. € - 7 Mio. CHF" }), "several currencies")
    assert.include(refusal({ Ticketgröße: "5 € - 25 Mio. €" }), "at one end only")
    assert.include(
      refusal({ "investmentSize.min": "5 Mio. €", "investmentSize.scale": "million" }),
      "Has a scale, and another one"
    )
    assert.include(refusal({ "investmentSize.min": "5", "investmentSize.scale": "dozen" }), "currency")
    assert.include(refusal({ Mietfläche: "3-5 Kisten" }), "Kisten")
    assert.include(refusal({ geography: "[1]" }), "JSON object")
  })
})
