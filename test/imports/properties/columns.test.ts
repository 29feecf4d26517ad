/** The columns of properties, and what their cells mean. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { readFile } from "node:fs/promises"
import { columnsOf, type Mapping, parseMapping } from "../../../src/imports/Columns.ts"
import { lineColumns, ofCells, ofJson } from "../../../src/imports/Items.ts"
import { columns } from "../../../src/imports/properties/columns.ts"
import { labels } from "../../../src/imports/properties/labels.ts"
import { keyOf, named } from "../../../src/imports/properties/targets.ts"
import { germanSpellings } from "../../../src/imports/cells/spelling.ts"
import type { Members } from "../../../src/properties/members/Member.ts"
import * as vocabulary from "../../../src/properties/members/vocabulary.ts"
import { propertyMembers } from "../../../src/properties/Property.ts"
import { tableOf } from "./table.ts"

type Choices = Partial<Mapping> & { readonly currency?: string; readonly decimal?: "." | "," }

const asked = { kind: "properties", map: [], ignore: [], ignoreUnknown: false, namespace: "crm" } as const

const headerOf = (names: ReadonlyArray<string>, choices: Choices = {}) => columnsOf({ ...asked, ...choices }, names)

const reading = (choices: Choices) => ({
  ...asked,
  separator: ";",
  currency: undefined,
  decimal: undefined,
  ...choices
})

/** The item of a row, without its reference. */
const item = (row: { readonly [column: string]: string }, choices: Choices = {}) => {
  const cells = { ...row, externalId: "p-1" }
  const header = Result.getOrThrow(headerOf(Object.keys(cells), choices))
  return Result.map(
    ofCells(reading(choices), header, Object.values(cells)).item,
    ({ externalRefs: _, ...rest }) => rest
  )
}

const reason = (row: { readonly [column: string]: string }, choices?: Choices) => {
  const result = item(row, choices)
  return Result.isFailure(result) ? `${result.failure.code}: ${result.failure.detail}` : JSON.stringify(result.success)
}

const refusal = (names: ReadonlyArray<string>, choices?: Choices) => {
  const result = headerOf(names, choices)
  return Result.isFailure(result) ? result.failure : ""
}

const pathsOf = (members: Members, above = ""): ReadonlyArray<string> =>
  Object.entries(members).flatMap(([name, { members: inner }]) =>
    inner === undefined ? [`${above}${name}`] : pathsOf(inner, `${above}${name}.`)
  )

describe("The columns of properties", () => {
  it("are all members, those in two places once", () => {
    const expected = ["id", "name", "ownerId", ...pathsOf(propertyMembers)]
    assert.deepStrictEqual(
      Object.keys(columns).sort(),
      expected.filter((path) => !["address.country", "address.locality"].includes(path)).sort()
    )
  })

  it("have names that no other column has", () => {
    const owners = new Map<string, string>()
    for (const [name, target] of named) {
      for (const spelled of germanSpellings(name)) {
        assert.strictEqual(owners.get(spelled) ?? keyOf(target), keyOf(target), name)
        owners.set(spelled, keyOf(target))
      }
    }
  })

  it("have labels of one value each", () => {
    for (const [name, ofValues] of Object.entries(labels)) {
      const { propertyTags: tags, ...others } = vocabulary
      const values: ReadonlyArray<string> =
        new Map<string, ReadonlyArray<string>>(Object.entries({ ...others, tags })).get(name) ?? []
      assert.isNotEmpty(values)
      const owners = new Map(values.map((value) => [value.replaceAll("_", ""), value]))
      for (const [value, some] of Object.entries(ofValues as Readonly<Record<string, ReadonlyArray<string>>>)) {
        for (const label of some.flatMap(germanSpellings)) {
          assert.strictEqual(owners.get(label) ?? value, value, `${name}: ${label}`)
          owners.set(label, value)
        }
      }
    }
  })

  it("are documented", async () => {
    const page = await readFile(new URL("../../../docs/behaviour/property-columns.md", import.meta.url), "utf8")
    assert.include(page, tableOf(columns), "Run `node run.mjs test/imports/properties/table.ts` for the table.")
  })

  it("are found by names of RESO, of OpenImmo, and of spreadsheets, in any spelling", () => {
    const members = (names: ReadonlyArray<string>) =>
      Result.getOrThrow(headerOf(names)).map(({ targets }) =>
        targets.map((target) => (target.is === "value" || target.is === "currency" ? keyOf(target) : target.is)).join()
      )
    assert.deepStrictEqual(members(["ListPrice", "year_built", "POSTALCODE", "StreetName", "ListingKey"]), [
      "pricing.askingPrice",
      "yearBuilt",
      "address.postalCode",
      "address.street",
      "refsOf"
    ])
    assert.deepStrictEqual(
      members(["grundstuecksflaeche", "kaufpreis", "waehrung", "breitengrad", "mieteinnahmen_ist"]),
      ["parcelArea", "pricing.askingPrice", "currency", "coordinates.latitude", "income.passingRent"]
    )
    assert.deepStrictEqual(
      members([
        "Objekt",
        "Straße",
        "Grundstücksfläche (m²)",
        "Mietflache in qm",
        "Jahresnettokaltmiete [EUR]",
        "Nutzungsart"
      ]),
      ["name", "address.street", "parcelArea", "lettableArea", "income.passingRent", "categories"]
    )
    assert.deepStrictEqual(members(["externalRefs.crm", "external references", "pricing.askingPrice.currency"]), [
      "refsOf",
      "refs",
      "pricing.askingPrice.currency"
    ])
  })

  it("are refused with both names when two are for one member, and when a unit or a name is not known", () => {
    assert.match(refusal(["Kaufpreis", "ListPrice"]), /"Kaufpreis", "ListPrice" both map to pricing\.askingPrice\./)
    assert.match(refusal(["Kaufpreis (T€)"]), /match no member: "Kaufpreis \(T€\)"\. .*property-columns\.md/)
    assert.match(refusal(["Mietfläche (km)"]), /match no member/)
    assert.match(refusal(["Kaltmiete"]), /match no member/)
    assert.match(refusal(["yearBuild"]), /did you mean yearBuilt\?/)
    assert.match(refusal(["Objektnummer"], { namespace: undefined }), /Objektnummer needs --namespace NAME/)
    assert.match(refusal(["BuildingAreaTotal"]), /"BuildingAreaTotal" needs the column BuildingAreaUnits/)
    assert.match(refusal(["x"], { map: ["rent=x"] }), /There is no member rent\. docs/)
  })
})

describe("A cell of a property", () => {
  it("sets its member at any depth, and clears it with \\N", () => {
    assert.deepStrictEqual(
      item({
        Objekt: "Haus",
        Straße: "Ring",
        PLZ: "01067",
        Ort: "\\N",
        Hausnummer: "",
        "zoning.uses": "Gewerbe;mixed",
        Merkmale: "\\N",
        Flurstück: "12/3;12/4",
        tenants: '[{"name":"A","area":{"value":1.125,"unit":"sqm"}}]'
      }),
      Result.succeed({
        name: "Haus",
        address: { street: "Ring", postalCode: "01067" },
        locality: null,
        zoning: { uses: ["commercial", "mixed"] },
        tags: null,
        parcels: [{ cadastralId: "12/3" }, { cadastralId: "12/4" }],
        tenants: [{ name: "A", area: { value: 1.125, unit: "sqm" } }]
      })
    )
    assert.match(reason({ tenants: `${"[".repeat(5000)}${"]".repeat(5000)}` }), /^malformed_json: /)
    assert.match(reason({ tenants: "Müller" }), /^invalid_cell: tenants: Must be a list of JSON objects/)
  })

  it("of an area is converted exactly from square feet, acres and hectares", () => {
    const area = (value: number) => Result.succeed({ lettableArea: { value, unit: "sqm" } })
    for (const row of [
      { "Lettable area (sq ft)": "10,000.00" },
      { lettable_area_sqft: "10000" },
      { gla_sqft: "10000" },
      { "Lettable area": "10 000 ft²" },
      { LeasableArea: "10000", LeasableAreaUnits: "SquareFeet" },
      { lettableArea: "929,0304", "lettableArea.unit": "" }
    ]) {
      assert.deepStrictEqual(item(row as never), area(929.0304))
    }
    assert.deepStrictEqual(
      item({ LotSizeAcres: "2.5" }),
      Result.succeed({ parcelArea: { value: 10117.1411, unit: "sqm" } })
    )
    assert.deepStrictEqual(
      item({ Area: "2,5" }, { map: ["parcelArea=Area"] }),
      Result.succeed({ parcelArea: { value: 2.5, unit: "sqm" } })
    )
    assert.deepStrictEqual(
      item({ "Area (ha)": "2,5" }, { map: ["parcelArea=Area (ha)"] }),
      Result.succeed({ parcelArea: { value: 25_000, unit: "sqm" } })
    )
    assert.deepStrictEqual(
      item({ GLA: "5.0 m²", "lettableArea.standard": "IPMS 3_1", "lettableArea.measuredOn": "1.3.2025" }),
      Result.succeed({ lettableArea: { value: 5, unit: "sqm", standard: "ipms3_1", measuredOn: "2025-03-01" } })
    )
  })

  it("of money has its currency in the cell, the header, a column of its own, that of the row, or the option", () => {
    const price = Result.succeed({ pricing: { askingPrice: { value: 1_250_000.5, currency: "EUR" } } })
    for (const [row, choices] of [
      [{ Kaufpreis: "1.250.000,50 €" }],
      [{ Kaufpreis: "EUR 1,250,000.50" }],
      [{ "Kaufpreis in EUR": "1.250.000,50" }],
      [{ "pricing.askingPrice": "1250000.5", "pricing.askingPrice.currency": "eur" }],
      [{ kaufpreis: "1250000.5", waehrung: "EUR" }],
      [{ "Kaufpreis (€)": "1250000.5", Währung: "CHF" }],
      [{ ListPrice: "1250000.5" }, { currency: "EUR" }]
    ] as const) {
      assert.deepStrictEqual(item(row, choices), price)
    }
    assert.deepStrictEqual(
      item({ "Jahresnettokaltmiete (EUR p.a.)": "100.000,-" }),
      Result.succeed({ income: { passingRent: { value: 100_000, currency: "EUR" } } })
    )
    assert.deepStrictEqual(
      item({ NOI: "-12.5", currency: "USD" }),
      Result.succeed({ income: { netOperatingIncome: { value: -12.5, currency: "USD" } } })
    )
  })

  it("is a percentage, a year, a date, a truth or a place as people write them", () => {
    assert.deepStrictEqual(
      item({
        Leerstandsquote: "0,5 %",
        CapRate: "4.75",
        "Kaufnebenkosten (%)": "0.5",
        WALE: "5,5 Jahre",
        x_fache: "20,13",
        Baujahr: "1.998",
        "income.asOf": "30.9.2026",
        Denkmalschutz: "x",
        "EU taxonomy": "nein",
        breitengrad: "48.138",
        laengengrad: "-0,1276",
        Land: "Deutschland",
        "energy.country": "AUT",
        "hotel.roomCount": "1.148"
      }),
      Result.succeed({
        income: {
          vacancyRate: { value: 0.5, unit: "percent" },
          waultToExpiry: { value: 5.5, unit: "years" },
          asOf: "2026-09-30"
        },
        pricing: {
          netInitialYield: { value: 4.75, unit: "percent" },
          purchaserCosts: { value: 0.5, unit: "percent" },
          rentMultiplier: 20.13
        },
        yearBuilt: 1998,
        heritageListed: true,
        euTaxonomyAligned: false,
        coordinates: { latitude: 48.138, longitude: -0.1276 },
        country: "DE",
        energy: { country: "AT" },
        hotel: { roomCount: 1148 }
      })
    )
  })

  it("is a value of a vocabulary by its name or a label", () => {
    assert.deepStrictEqual(
      item({
        Nutzungsart: "Büro; retail ;Mixed-Use",
        zustand: "GEPFLEGT",
        Energieklasse: "A+",
        epart: "BEDARF",
        dealStructure: "Share Deal",
        "pricing.qualifier": "auf Anfrage",
        grade: "A",
        tags: "Long Lease;unheard of"
      }),
      Result.succeed({
        categories: ["office", "retail", "mixed_use"],
        condition: "maintained",
        energy: { class: "a_plus", basis: "demand" },
        dealStructure: "share",
        pricing: { qualifier: "on_application" },
        grade: "a",
        tags: ["long_lease", "unheard of"]
      })
    )
  })

  it("that marks absence is left out and told, unless it is a value of the member", () => {
    const row = {
      Objekt: "n/a",
      "Kaufpreis (EUR)": "auf Anfrage",
      Leerstandsquote: "-",
      Denkmalschutz: "k. A.",
      "income.asOf": "--",
      Nutzungsart: "n/a",
      Merkmale: "Long Lease; -",
      Flurstück: "-",
      Land: "n/a",
      "zoning.planningPermission": "none",
      Indexierung: "None",
      "pricing.qualifier": "auf Anfrage",
      "energy.country": "NA",
      currency: "-"
    }
    const header = Result.getOrThrow(headerOf([...Object.keys(row), "externalId"]))
    const { item: read, told } = ofCells(reading({}), header, [...Object.values(row), "p-1"])
    assert.deepStrictEqual(
      Result.map(read, ({ externalRefs: _, ...rest }) => rest),
      Result.succeed({
        tags: ["long_lease"],
        zoning: { planningPermission: "none" },
        income: { indexation: "none" },
        pricing: { qualifier: "on_application" },
        energy: { country: "NA" }
      })
    )
    assert.deepStrictEqual(
      told.map(({ code, column, value }) => [column, value, code]),
      [
        ["Objekt", "n/a"],
        ["Kaufpreis (EUR)", "auf Anfrage"],
        ["Leerstandsquote", "-"],
        ["Denkmalschutz", "k. A."],
        ["income.asOf", "--"],
        ["Nutzungsart", "n/a"],
        ["Merkmale", "Long Lease; -"],
        ["Flurstück", "-"],
        ["Land", "n/a"]
      ].map((cell) => [...cell, "absent"])
    )
  })

  it("of a number has the decimal separator of the option, if there is one", () => {
    const row = { Mietfläche: "1.250", x_fache: "20,13" }
    assert.deepStrictEqual(
      item(row, { decimal: "," }),
      Result.succeed({ lettableArea: { value: 1250, unit: "sqm" }, pricing: { rentMultiplier: 20.13 } })
    )
    assert.match(reason(row, { decimal: "." }), /^invalid_cell: x_fache: Must be a number/)
  })

  it("that can mean two things, or nothing, is a reason with the name of its column, and never a guess", () => {
    for (const [row, says] of [
      [
        { "Kaufpreis (EUR)": "1.250" },
        "Kaufpreis (EUR): Can be read as 1.25 or as 1250. Write 1.25 or 1250, or use --decimal."
      ],
      [{ Mietfläche: "1,125" }, "Mietfläche: Can be read as 1.125 or as 1125. Write 1.1250 or 1125, or use --decimal."],
      [{ "Kaufpreis (EUR)": "1,2 Mio." }, "Kaufpreis (EUR): Mio. is no currency. Write the whole amount"],
      [{ Kaufpreis: "1250000" }, "Kaufpreis: Needs its currency: in the cell, in a column currency, or by --currency."],
      [{ Kaufpreis: "$ 1250000" }, "Kaufpreis: $ is no currency."],
      [{ "Kaufpreis (EUR)": "1250000 CHF" }, "Kaufpreis (EUR): Has several currencies: CHF and EUR."],
      [{ Leerstandsquote: "0.0475" }, "Leerstandsquote: Can be read as 0.0475 % or as 4.75 %. Write it with %."],
      [{ LeasableArea: "5000", LeasableAreaUnits: "" }, "LeasableArea: Needs its unit, in a column LeasableAreaUnits."],
      [{ LeasableArea: "5000", LeasableAreaUnits: "Tsubo" }, "LeasableArea: Tsubo is no unit of area."],
      [{ "Mietfläche (m²)": "5000 sq ft" }, "Mietfläche (m²): Has several units: sq ft and m²."],
      [{ "lettableArea.standard": "gia" }, "lettableArea.standard: Needs a value of lettableArea in the same row."],
      [{ Denkmalschutz: "?" }, "Denkmalschutz: Must be yes or no."],
      [{ Mietfläche: "1234567890123456.5" }, "Mietfläche: Must have at most 15 digits."],
      [{ Baujahr: "ca. 1900" }, "Baujahr: Must be a number"],
      [
        { Baujahr: "1900!", Etagen: "x" },
        'Baujahr: Must be a number, such as 1250000 or 1.250.000,50. Found "1900!". Etagen: Must be'
      ]
    ] as const) {
      const text = reason(row)
      assert.isTrue(text.startsWith(`invalid_cell: ${says}`), `${JSON.stringify(row)}: ${text}`)
    }
  })
})

describe("A line of NDJSON", () => {
  const line = (value: object, choices: Choices = {}) =>
    ofJson(
      reading(choices),
      lineColumns({ ...asked, ...choices }, Result.getOrThrow(parseMapping({ ...asked, ...choices }))),
      JSON.stringify(value)
    ).item

  it("is a property of the API, or has the names of columns", () => {
    const own = {
      id: "property_1",
      zoning: { useClass: "MK" },
      lettableArea: { value: 1, unit: "sqm" },
      pricing: { qualifier: null },
      tags: ["x"]
    }
    assert.deepStrictEqual(line(own), Result.succeed(own))
    assert.deepStrictEqual(
      line(
        { ListingKey: 7, ListPrice: 1.125, YearBuilt: 1998, City: "Köln", CurrentUse: ["Office"], Latitude: null },
        { currency: "EUR" }
      ),
      Result.succeed({
        pricing: { askingPrice: { value: 1.125, currency: "EUR" } },
        yearBuilt: 1998,
        locality: "Köln",
        categories: ["office"],
        coordinates: { latitude: null },
        externalRefs: [{ namespace: "crm", externalId: "7" }]
      })
    )
  })

  it("leaves out members whose strings are empty, like a cell", () => {
    assert.deepStrictEqual(
      line({ id: "property_1", BuildingName: "", ListPrice: " ", City: "Köln" }),
      Result.succeed({ id: "property_1", locality: "Köln" })
    )
  })

  it("is refused when it says a member twice", () => {
    for (const value of [
      { id: "property_1", pricing: {}, ListPrice: 1 },
      { id: "property_1", Objekt: "A", name: "B" }
    ]) {
      const result = line(value, { currency: "EUR" })
      assert.strictEqual(Result.isFailure(result) ? result.failure.code : "", "ambiguous")
    }
  })
})
