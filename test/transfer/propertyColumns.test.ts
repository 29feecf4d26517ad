/** The columns of properties, and what their cells mean. */
import * as vocabulary from "../../src/market/properties/members/vocabulary.ts"
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { readFile } from "node:fs/promises"
import { columnsOf, type Mapping, parseMapping } from "../../src/transfer/Columns.ts"
import { lineColumns, ofCells, ofJson } from "../../src/transfer/Items.ts"
import { columns } from "../../src/transfer/propertyColumns.ts"
import { label as labelInConsole } from "../../src/console/Vocabulary.ts"
import { allLanguages } from "../../src/console/Texts.ts"
import { labels } from "../../src/transfer/propertyLabels.ts"
import { withSigns } from "../../src/transfer/propertyTypes.ts"
import { keyOf, named, withUnitOf } from "../../src/transfer/propertyTargets.ts"
import { germanSpellings } from "../../src/core/fields/spelling.ts"
import type { Members } from "../../src/market/properties/members/Member.ts"
import { propertyMembers } from "../../src/market/properties/Property.ts"
import { tableOf } from "./propertyTable.ts"

type Choices = Partial<Mapping> & {
  readonly currency?: string
  readonly decimal?: "." | ","
  readonly forceDecimal?: boolean
}

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
      const own = ofValues as Readonly<Record<string, ReadonlyArray<string>>>
      for (const value of values) {
        const words = allLanguages.map((language) => labelInConsole({ language }, value))
        for (const label of [...(own[value] ?? []), ...words.map(withSigns)].flatMap(germanSpellings)) {
          assert.strictEqual(owners.get(label) ?? value, value, `${name}: ${label}`)
          owners.set(label, value)
        }
      }
    }
  })

  it("are documented", async () => {
    const page = await readFile(new URL("../../docs/behaviour/property-columns.md", import.meta.url), "utf8")
    assert.include(page, tableOf(columns), "Run `node run.mjs test/transfer/propertyTable.ts` for the table.")
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
    assert.match(refusal(["Kaufpreis (Fuder)"]), /match no member: "Kaufpreis \(Fuder\)"\. .*property-columns\.md/)
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
        tags: "Long Lease;fully let"
      }),
      Result.succeed({
        categories: ["office", "retail", "mixed_use"],
        condition: "maintained",
        energy: { class: "a_plus", basis: "demand" },
        dealStructure: "share",
        pricing: { qualifier: "on_application" },
        grade: "a",
        tags: ["long_lease", "fully_let"]
      })
    )
  })

  it("that marks absence is left out and reported, unless it is a value of the member", () => {
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
    const { item: read, reported } = ofCells(reading({}), header, [...Object.values(row), "p-1"])
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
      reported.map(({ code, column, value }) => [column, value, code]),
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
    assert.match(
      reason(row, { decimal: "." }),
      /^invalid_cell: Mietfläche: Contradicts --decimal point: .* x_fache: Contradicts --decimal point: it is written/
    )
  })

  it("that can mean two things, or nothing, is a reason with the name of its column, and never a guess", () => {
    for (const [row, says] of [
      [
        { "Kaufpreis (EUR)": "1.250" },
        "Kaufpreis (EUR): Can be read as 1.25 or as 1250. Write 1.25 or 1250, or use --decimal."
      ],
      [{ Mietfläche: "1,125" }, "Mietfläche: Can be read as 1.125 or as 1125. Write 1.1250 or 1125, or use --decimal."],
      [{ "Kaufpreis (EUR)": "1,2 Fuder" }, "Kaufpreis (EUR): fuder is no currency or scale. Write the whole amount"],
      [{ Kaufpreis: "1250000" }, "Kaufpreis: Needs its currency: in the cell, in a column currency, or by --currency."],
      [{ Kaufpreis: "$ 1250000" }, "Kaufpreis: $ is no currency alone, because several have it. Say which with"],
      [{ "Kaufpreis (EUR)": "1250000 CHF" }, "Kaufpreis (EUR): Has several currencies: CHF and EUR."],
      [{ Leerstandsquote: "0.0475" }, "Leerstandsquote: Can be read as 0.0475 % or as 4.75 %. Write it with %."],
      [{ LeasableArea: "5000", LeasableAreaUnits: "" }, "LeasableArea: Needs its unit, in a column LeasableAreaUnits."],
      [{ LeasableArea: "5000", LeasableAreaUnits: "Jo" }, "LeasableArea: jo is no unit of area."],
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

const listed = (...names: ReadonlyArray<string>) => names.flatMap((some) => some.split(" | "))

const price = "pricing.askingPrice"
const rent = "income.passingRent"
const size = "lettableArea"

/** What a cell of a column that the operator mapped to a member means: its number, with the currency of an amount; or why it has none. */
const meant = (member: string, name: string, cell: string, choices: Choices = {}) => {
  const header = headerOf([name, "externalId"], { ...choices, map: [`${member}=${name}`] })
  if (Result.isFailure(header)) return `refused: ${header.failure}`
  const { item: read } = ofCells(reading(choices), header.success, [cell, "1"])
  if (Result.isFailure(read)) return `refused: ${read.failure.detail}`
  const value = member
    .split(".")
    .reduce<unknown>((all, part) => new Map(Object.entries(all as object)).get(part), read.success)
  if (typeof value === "number") return String(value)
  const { currency, value: amount } = value as { readonly value: number; readonly currency?: string }
  return currency === undefined ? String(amount) : `${currency} ${amount}`
}

const expectAll = (
  member: string,
  cell: string,
  expected: { readonly [meaning: string]: ReadonlyArray<string> },
  choices: Choices = {}
) => {
  for (const [meaning, names] of Object.entries(expected)) {
    for (const name of names) assert.include(meant(member, name, cell, choices), meaning, name)
  }
}

describe("A unit in the name of a column", () => {
  it("scales a price, whoever chose its member, and is refused if it is not understood", () => {
    expectAll(price, "1250", {
      "EUR 1250000": listed(
        "Kaufpreis (T€) | Preis T€ | Preis in T€ | TEUR | Preis (TEUR) | price_teur | Price k€",
        "Price €k | Price (€000s) | Price EUR 000 | Preis (Tsd. €) | Preis (in Tausend Euro)",
        "Kaufpreis / T€ | PriceKEUR | Price (1,000 EUR) | Preis in 1000 EUR | Price EUR (x1000)",
        "Prix (k€) | Kaufpreis [kEUR]"
      ),
      "GBP 1250000": ["Price £'000", "Price ('000 GBP)", "Price GBP (000s)", "Price (GBPk)"],
      "EUR 1250000000": listed(
        "Price (EUR m) | Price EUR m | Price (Mio. €) | Preis in Mio. € | Preis (Mio €) (netto)",
        "Kaufpreis MioEUR | Prix en M€ | Price (EUR millions) | Price (MEUR) | Kaufpreis, Mio. EUR",
        "Price (EUR mn)"
      ),
      "USD 1250000000": ["price_usd_m", "Price (US$ m)", "Price MM USD"],
      "EUR 1250000000000": ["Price EUR bn", "Preis Mrd. €", "Prix (Md€)", "PriceBillionEUR"],
      "JPY 125000000000": ["価格（億円）", "Price (億円)", "売買価格億円"],
      "JPY 12500000": ["価格 (万円)"],
      "CNY 12500000": ["RMB 万元"],
      "INR 125000000": ["Price (₹ lakh)", "Price INR lacs"],
      "INR 12500000000": ["Price INR crore", "Price (₹ Cr)"],
      "PLN 1250": ["Cena w tys. PLN"],
      "EUR 1250": ["Price EUR", "Price 2024 (EUR, netto)", "Preis gesamt in EUR", "price all in EUR"],
      "refused: These columns cannot be read.": listed(
        "Preis €/m² | Preis (€/m²) | Price psf | Price per sq ft EUR | qm-Preis EUR",
        "Quadratmeterpreis EUR | Preis pro m² (EUR) | Price per room EUR | Price/key EUR",
        "Price (EUR p.a.) | Price (EUR/month) | Price (Fuder) | Preis (EUR) in Fuder | Preis (EUR) [T]",
        "Price (EUR T) | Preis in 100 TEUR | Price B | Price (ALL) | Price (EUR, USD)",
        "Price (TEUR) Mio. | Price (EUR incl. VAT)"
      ),
      "is no currency alone": ["Price ($m)", "Price (¥m)", "Pris (kr)"],
      "Needs its currency": ["Price (m)", "Price m", "Preis (Mrd)"]
    })
    expectAll(price, "1.25", { "USD 1250000": ["Price ($m)", "Price $ mn"] }, { currency: "USD" })
    expectAll(price, "1.25", { "Has several currencies: $ and EUR": ["Price ($m)"] }, { currency: "EUR" })
  })

  it("multiplies a rent by the periods of a year, and is refused for one per area, week or day", () => {
    expectAll(rent, "1250", {
      "EUR 15000": listed(
        "Rent p.m. EUR | Miete/Monat (EUR) | Miete (EUR/Monat) | Monatsmiete EUR | Miete monatlich EUR",
        "Rent pcm EUR | mtl. Miete (€) | Monthly rent EUR | Rent EUR per month | Rent EUR/mo",
        "Loyer mensuel EUR | Canone mensile EUR | Renta mensual EUR | Huur per maand EUR",
        "MonthlyRentEUR | rent_eur_pcm | Mthly rent EUR | Czynsz miesięczny EUR | 월세 EUR",
        "Månadshyra EUR | Hyra EUR/månad | Aluguel mensal EUR | Nájem měsíčně EUR | Kira (EUR, aylık)"
      ),
      "EUR 5000": ["Quarterly rent EUR", "Miete EUR pro Quartal", "Renta trimestral EUR", "Vierteljahresmiete EUR"],
      "EUR 2500": ["Halbjahresmiete EUR", "Loyer semestriel EUR"],
      "EUR 1250": ["Rent EUR p.a.", "Jahresmiete EUR", "Rent EUR", "Rent EUR year 1", "Rent (EUR per annum)", "EUR/a"],
      "EUR 1250000": ["Miete (T€ p.a.)", "Loyer annuel (k€)"],
      "EUR 15000000": ["Miete (TEUR/Monat)"],
      "JPY 150000000": ["月額 (万円)", "賃料 (万円/月)", "月額賃料（万円）", "賃料月額万円", "毎月の家賃 (万円)"],
      "CNY 15000": ["月租 (人民币)", "租金（人民币/月）"],
      "JPY 12500000": ["年間賃料（万円）", "賃料万円"],
      "refused: These columns cannot be read.": listed(
        "Rent psf EUR | Rent (€/m²) | Rent €/m² mtl. | 賃料（円/坪） | Rent ($/SF/yr) | 坪単価（円）",
        "Jahresmiete (EUR/Monat) | Rent EUR per unit | Rent EUR in place"
      ),
      "Is an amount per week. Write that of a year, or count 52 weeks with --per": listed(
        "Rent (EUR pw) | Weekly rent EUR | Loyer hebdomadaire EUR | Renta semanal EUR | Weekhuur EUR"
      ),
      "Is an amount per day": ["Rent EUR/day", "Tagesmiete EUR"]
    })
  })

  it("converts areas, lengths, percentages and durations, and is refused if they cannot have it", () => {
    expectAll(size, "1250", {
      "116128.8": ["000 sq ft", "GLA (000 sq ft)", "GLA sq ft (000s)", "Area (k sq ft)", "Area ksf"],
      "1250000": ["'000 sqm", "GLA '000 sqm", "Area k m²"],
      "116128800": ["Area (m sq ft)"],
      "4132.2314": ["Area (坪)", "面積（坪）", "Area tsubo", "坪数", "延床面積坪"],
      "116.1288": [
        "area_sqft",
        "AreaSqFt",
        "Area SF",
        "Area (Sq. Ft.)",
        "Area (NIA, sq ft)",
        "Area (sq-ft)",
        "Square footage"
      ],
      "1045.1592": ["Area (sq yd)"],
      "5058570.528": ["Area acres", "Acreage"],
      "12500000": ["Fläche (ha)"],
      "1250": listed(
        "Area m2 | Fläche qm | Fläche in Quadratmetern | Superficie (m²) | Surface (mètres carrés)",
        "面積（㎡） | Area [m^2] | Größe"
      ),
      "refused: These columns cannot be read.": listed(
        "Area ft | Area (ft) | Area m | Area (m) | Area (msf) | Area (畳) | Fläche (€/m²)",
        "Grundstück Morgen | Land area rai | Tatami",
        "Area in guntha | Area per floor (sq ft) | Area EUR | Area (sqm, sq ft) | Fläche (Fuder)"
      )
    })
    expectAll("industrial.clearHeightM", "32", {
      "32": ["Height (m)", "Höhe in Metern", "Height"],
      "9.7536": ["Height (ft)", "Height feet"],
      "0.32": ["Höhe cm"],
      "refused: These columns cannot be read.": ["Height (Fuder)", "Height (sq ft)", "Height (m, ft)"]
    })
    expectAll("pricing.netInitialYield", "475", {
      "4.75": ["Yield bps", "Yield (basis points)"],
      "475": ["Yield %", "Yield (% p.a.)", "yield_pct", "Yield"],
      "refused: These columns cannot be read.": ["Yield (EUR)", "Yield (Fuder)", "Yield (% per month)"]
    })
    expectAll("income.waultToExpiry", "66", {
      "5.5": ["WAULT (months)", "Restlaufzeit Monate"],
      "66": ["WAULT (years)", "WALT in Jahren", "WAULT"],
      "refused: These columns cannot be read.": ["WAULT (days)", "WAULT m", "WAULT (%)"]
    })
    expectAll("unitCount", "12", {
      "12000": ["Units (000s)"],
      "refused: These columns cannot be read.": ["Units (sq ft)", "Units per floor", "Units (EUR)"]
    })
    expectAll("energy.finalKwhPerSqmYear", "98", {
      "98": ["Energie (kWh/(m²·a))", "Energie kWh/m²", "Energie (kWh/m²a)", "Energie"],
      "refused: These columns cannot be read.": ["Energie (kBtu/sf)", "Energie (MJ)"]
    })
    expectAll("yearBuilt", "1998", { "1998": ["Year of construction", "Baujahr (ca.)", "Jahr"] })
  })

  it("is part of a known name, unless the amount then is another one", () => {
    const members = (names: ReadonlyArray<string>) => names.map((name) => refusal([name]))
    assert.deepStrictEqual(
      members(["Kaufpreis (T€)", "GLA 000 sq ft", "NOI (EUR/month)", "Kaufpreis in Mio. €", "clear height (ft)"]),
      ["", "", "", "", ""]
    )
    for (const name of ["Kaufpreis €/m²", "ERV psf", "Annual rent (monthly)", "Kaufpreis netto", "GLA (Fuder)"]) {
      assert.match(refusal([name]), /match no member/, name)
    }
    for (const [name, target] of named) assert.isTrue(Result.isSuccess(withUnitOf(target, name)), name)
  })
})

describe("A unit in a cell", () => {
  it("is understood as a whole, or its row is refused", () => {
    for (const [member, name, expected] of [
      [
        price,
        "Kaufpreis",
        {
          "EUR 1200000": listed("1.2m EUR | EUR 1.2 Mio | €1.2m | 1,2 Mio. € | TEUR 1.200,0 | 1200 T€ | EUR 1200k"),
          "USD 1200000000": ["US$ 1.2bn", "1.2 billion USD", "USD 1.2B"],
          "JPY 1200000000": ["12億円"],
          "INR 35000000": ["3,5 crore INR", "₹ 350 lakh"],
          "CHF 1250000": ["CHF 1'250'000.–"],
          "PLN 1250000": ["1 250 000 zł"],
          "refused: ": listed(
            "12,50 €/m² | EUR 100 p.a. | 100 EUR/month | 5 EUR VB | ca. 5 EUR | 5 EUR zzgl. MwSt. | 1億5000万円",
            "1250- EUR | (5) EUR | EUR 5-10 | 5 EUR* | 5 EUR + VAT | >5 EUR | 5 t EUR 2 | -€5 | $ 5 | 5 kr",
            "1250 all EUR | 5 EUR (VB"
          )
        }
      ],
      [
        rent,
        "passing rent",
        {
          "EUR 1200": ["100 EUR/Monat", "100 € mtl.", "EUR 100 pcm"],
          "EUR 100000": ["100 TEUR p.a.", "EUR 0.1m pa"],
          "refused: ": ["£100 pw", "€ 12,50/m²", "10.50 EUR/m²/Monat", "100 EUR/day", "100 EUR psf"]
        }
      ],
      [
        size,
        "GLA",
        {
          "33.0579": ["10 坪", "10 tsubo"],
          "929.0304": ["10k sq ft", "10 000 sq. ft."],
          "25000": ["2,5 ha", "25k m²"],
          "refused: ": listed("10 ft | 10 m | 10 €/m² | 10 Fuder | 10 m² + 5 | 2 x 10 m² | ca. 10 m² | 10 m² BGF")
        }
      ],
      [
        "pricing.netInitialYield",
        "NIY",
        { "4.75": ["475 bps", "4,75%", "4.75 % p.a."], "refused: ": ["0.0475", "5 EUR"] }
      ]
    ] as const) {
      for (const [meaning, cells] of Object.entries<ReadonlyArray<string>>(expected)) {
        for (const cell of cells) assert.include(meant(member, name, cell), meaning, cell)
      }
    }
  })

  it("agrees with that of its column, and never loses the scale of the column", () => {
    for (const [name, cell, says] of [
      ["Kaufpreis (T€)", "1250 T€", "EUR 1250000"],
      ["Kaufpreis (T€)", "1250", "EUR 1250000"],
      ["Kaufpreis (T€)", "1250 €", "Has a unit of its own, without the scale of its column."],
      ["Kaufpreis (T€)", "1,25 Mio.", "Has several scales"],
      ["Kaufpreis (T€)", "1250 CHF", "Has several currencies"],
      ["Kaufpreis ($m)", "1.25 USD", "Has a unit of its own"],
      ["Kaufpreis ($m)", "1.25m USD", "USD 1250000"]
    ] as const) {
      assert.include(meant(price, name, cell), says, `${name}: ${cell}`)
    }
  })

  it("has a separator that is not the one of --decimal: refused, unless it is forced", () => {
    for (const [member, cell, decimal] of [
      [price, "1,360 €", ","],
      [price, "1.250 EUR", "."],
      [size, "1,360", ","],
      ["pricing.netInitialYield", "1,360 %", ","],
      ["unitCount", "1.148", "."]
    ] as const) {
      assert.include(meant(member, "X", cell, { decimal }), "Contradicts --decimal", cell)
    }
    assert.strictEqual(meant(price, "X", "1,360 €", { decimal: ",", forceDecimal: true }), "EUR 1.36")
    assert.strictEqual(meant("pricing.netInitialYield", "X", "1.250 %", { decimal: ".", forceDecimal: true }), "1.25")
    assert.strictEqual(meant(price, "X", "1.360 €", { decimal: "," }), "EUR 1360")
    assert.strictEqual(meant("pricing.netInitialYield", "X", "0,360 %", { decimal: "," }), "0.36")
    assert.include(
      meant(price, "X", "1,250.50 EUR", { decimal: ",", forceDecimal: true }),
      "Contradicts --decimal comma"
    )
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
