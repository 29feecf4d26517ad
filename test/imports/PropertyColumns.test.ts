/** Columns of properties: their names in other programs, numbers, and cells that are written and read again. */
import { Result } from "effect"
import fc from "fast-check"
import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { columnsOf, type Mapping } from "../../src/imports/Columns.ts"
import * as Items from "../../src/imports/Items.ts"
import { membersOf, plain, spellings } from "../../src/imports/Members.ts"
import * as Numbers from "../../src/imports/Numbers.ts"
import * as PropertyColumns from "../../src/imports/PropertyColumns.ts"
import * as propertySpellings from "../../src/imports/propertySpellings.ts"

const mapping: Mapping = { kind: "properties", map: [], ignore: [], ignoreUnknown: false, namespace: "crm" }

/** The item of a row with these cells by their columns, or the problem of the row. */
const itemOf = (cells: { readonly [column: string]: string }, choices: Partial<Mapping> = {}) => {
  const targets = Result.getOrThrow(columnsOf({ ...mapping, ...choices }, Object.keys(cells)))
  return Result.merge(Items.ofCells("properties", targets, Object.values(cells), ";"))
}

describe("The columns of properties", () => {
  test("are named by their path with dots, and each spelling means one of them", () => {
    const names = membersOf("properties")
    expect(names).toContain("address.postalCode")
    expect(names).not.toContain("address.country")
    const known = Object.entries(spellings.properties).flatMap(([name, others]) => [name, ...others].map(plain))
    const others = ["externalId", "currency"].flatMap((name) => [name, ...propertySpellings.of(name)].map(plain))
    const converted = Object.keys(propertySpellings.inOtherUnits).map(plain)
    const counts = Object.entries(Object.groupBy([...known, ...others, ...converted], (name) => name))
    const owners = (wanted: string) =>
      Object.entries(spellings.properties).filter(([name, all]) => [name, ...all].some((one) => plain(one) === wanted))
    expect(counts.filter(([name]) => owners(name).length > 1).map(([name]) => name)).toStrictEqual([])
  })

  test("have other names that are published in the documentation", () => {
    const docs = readFileSync(new URL("../../docs/behaviour/imports-and-exports.md", import.meta.url), "utf8")
    const quoted = (names: ReadonlyArray<string> = []) => names.map((name) => `\`${name}\``).join(", ")
    for (const [column, { common, openImmo, reso }] of Object.entries(propertySpellings.table)) {
      expect(docs).toContain(`| \`${column}\` | ${quoted(reso)} | ${quoted(openImmo)} | ${quoted(common)} |`)
    }
  })

  test("have the names of the RESO Data Dictionary, with areas in square metres", () => {
    expect(
      itemOf({
        ListingKey: "k-1",
        BuildingName: "Tower",
        ListPrice: "1250000",
        currency: "USD",
        YearBuilt: "1998",
        LotSizeSquareFeet: "10,763.9104",
        City: "Austin",
        StateOrProvince: "TX",
        Country: "US",
        CapRate: "5.25"
      })
    ).toStrictEqual({
      externalRefs: [{ namespace: "crm", externalId: "k-1" }],
      name: "Tower",
      pricing: {
        askingPrice: { value: 1_250_000, currency: "USD" },
        netInitialYield: { value: 5.25, unit: "percent" }
      },
      yearBuilt: 1998,
      parcelArea: { value: 1_000, unit: "sqm" },
      locality: "Austin",
      address: { region: "TX" },
      country: "US"
    })
  })

  test("have the names of OpenImmo", () => {
    expect(
      itemOf({
        objektnr_extern: "17",
        objekttitel: "Turm",
        kaufpreis: "1.250.000,50",
        iso_waehrung: "EUR",
        grundstuecksflaeche: "4180",
        nutzflaeche: "812,5",
        baujahr: "1998",
        strasse: "Am Turm",
        hausnummer: "1a",
        plz: "01067",
        ort: "Dresden",
        iso_land: "DEU",
        denkmalgeschuetzt: "ja",
        wertklasse: "A+"
      })
    ).toStrictEqual({
      externalRefs: [{ namespace: "crm", externalId: "17" }],
      name: "Turm",
      pricing: { askingPrice: { value: 1_250_000.5, currency: "EUR" } },
      parcelArea: { value: 4_180, unit: "sqm" },
      internalArea: { value: 812.5, unit: "sqm" },
      yearBuilt: 1998,
      address: { street: "Am Turm", houseNumber: "1a", postalCode: "01067" },
      locality: "Dresden",
      country: "DE",
      heritageListed: true,
      energy: { class: "a_plus" }
    })
  })

  test("clear with \\N, leave out empty cells, and take vocabularies in any spelling", () => {
    expect(
      itemOf({
        id: "property_1",
        "zoning.gfa": "\\N",
        "pricing.askingPrice": "",
        Tags: "Multi-tenant; prime location",
        "income.vacancyRate": "0"
      })
    ).toStrictEqual({
      id: "property_1",
      zoning: { gfa: null },
      tags: ["multi_tenant", "prime_location"],
      income: { vacancyRate: { value: 0, unit: "percent" } }
    })
  })

  test("refuse cells that are no numbers, ambiguous ones, and rows that nothing identifies", () => {
    const codeOf = (cells: { readonly [column: string]: string }) => {
      const { code, detail } = itemOf(cells) as { readonly code: string; readonly detail: string }
      return `${code}: ${detail}`
    }
    expect(codeOf({ id: "property_1", yearBuilt: "old" })).toBe("invalid_cell: yearBuilt: Must be a number.")
    expect(codeOf({ id: "property_1", plotArea: "1,234" })).toMatch(
      /^invalid_cell: parcelArea: Could be 1234 or 1\.234/
    )
    expect(codeOf({ id: "property_1", heritageListed: "perhaps" })).toMatch(/^invalid_cell/)
    expect(codeOf({ id: "property_1", tenants: "{" })).toMatch(/^invalid_cell/)
    expect(codeOf({ name: "Turm" })).toMatch(/^no_key/)
    const unnamed = columnsOf({ ...mapping, namespace: undefined }, ["ListingKey"])
    expect(Result.isFailure(unnamed) && unnamed.failure).toMatch(/ListingKey needs --namespace NAME/)
  })

  test("are read as they were written", () => {
    const area = { value: 12.5, unit: "sqm", standard: "gia", measuredOn: "2025-01-01" }
    const record = {
      id: "property_1",
      name: "=Turm",
      locality: "Köln",
      lettableArea: area,
      tags: ["single_tenant"],
      heritageListed: false,
      zoning: { uses: ["mixed"], floorAreaRatio: 2.4 },
      pricing: { askingPrice: { value: 1, currency: "SEK" } },
      tenants: [{ name: "Tal; AG", annualRent: { value: 1, currency: "EUR" } }]
    }
    const cells = PropertyColumns.write(record, ";")
    const filled = PropertyColumns.names.flatMap((name, index) =>
      cells[index] === "" ? [] : [[name, cells[index] ?? ""]]
    )
    expect(itemOf(Object.fromEntries(filled) as { readonly [column: string]: string })).toStrictEqual(record)
  })
})

describe("A number", () => {
  test("of JSON is read as it is", () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e11, max: 1e11 }), fc.nat({ max: 9_999 }), (whole, places) => {
        const text = `${whole}.${String(places).padStart(4, "0")}`
        expect(Numbers.parse(text, true)).toStrictEqual(Result.succeed(Number(text)))
        expect(Numbers.parse(Numbers.write(whole / 1_000), true)).toStrictEqual(Result.succeed(whole / 1_000))
      })
    )
  })

  test.each([
    ["1,234,567.5", 1_234_567.5],
    ["1.234.567,5", 1_234_567.5],
    ["1 234 567", 1_234_567],
    ["1'234.50", 1_234.5],
    ["1234,5", 1_234.5],
    ["0,125", 0.125],
    ["-3,5", -3.5]
  ])("%s", (text, value) => {
    expect(Numbers.parse(text)).toStrictEqual(Result.succeed(value))
  })

  test.each(["", "x", "1.2.3", "1,23,4", "12 EUR", "1,234"])("is not %s", (text) => {
    expect(Result.isFailure(Numbers.parse(text))).toBe(true)
  })

  test("of an area or of money is not 1.234, which is 1234 in German", () => {
    expect(Result.isFailure(Numbers.parse("1.234", true))).toBe(true)
    expect(Numbers.parse("1.234")).toStrictEqual(Result.succeed(1.234))
  })
})
