/** The lines of an export, which an import reads back unchanged. */
import * as fc from "fast-check"
import { assert, describe, it } from "@effect/vitest"
import { parse } from "csv-parse/sync"
import { Result } from "effect"
import { countryCodes } from "../../src/core/fields/Place.ts"
import { audienceOf } from "../../src/transfer/audience.ts"
import { exportHeadOf, exportLinesOf, type Writing } from "../../src/transfer/Export.ts"
import { batchesOf } from "../../src/transfer/Rows.ts"
import type { PropertyFields } from "../../src/market/properties/Property.ts"
import { blank, normalize } from "../../src/market/properties/rules.ts"
import { propertyFields } from "./exportedProperties.ts"

const text = fc
  .oneof(
    fc.string({
      unit: fc.constantFrom("'", "=", "-", "+", "\\", "N", ";", ",", "|", '"', "\n", "\r", "\t", "a", ":"),
      maxLength: 10
    }),
    fc.string({ unit: "binary", maxLength: 10 })
  )
  .map((value) => value.trim())
  .filter((value) => value !== "" && value.isWellFormed() && !value.includes("\0"))

const contact = fc.record({
  id: fc.constant("contact_01kb3n7x2ferwt5z8q4j6m9d0c"),
  name: text,
  firstName: fc.option(text),
  lastName: fc.option(text),
  email: fc.option(text),
  phone: fc.option(text),
  primaryLanguage: fc.option(text),
  primaryCompanyId: fc.option(text),
  tags: fc.array(text, { maxLength: 3 }),
  strategy: fc.option(text),
  linkedInUrl: fc.option(text),
  profilePictureUrl: fc.option(text),
  externalRefs: fc.array(
    fc.record({ namespace: text.map((value) => `n${value.replaceAll(":", "").trim()}`), externalId: text }),
    { maxLength: 3 }
  ),
  etag: fc.constant('"v1"')
})

const readBack = async (writing: Writing, file: string) => {
  const reading = {
    ...writing,
    delimiter: undefined,
    map: [],
    ignore: [],
    ignoreUnknown: false,
    namespace: undefined,
    currency: undefined,
    decimal: undefined
  }
  const items: Array<unknown> = []
  const chunks = (async function* () {
    yield Buffer.from(file)
  })()
  for await (const { rows } of batchesOf("export", reading, chunks, 0)) {
    for (const { item } of rows) items.push(Result.getOrThrow(item))
  }
  return items
}

const property = fc.record({
  id: fc.constant("property_01kb3n7x2ferwt5z8q4j6m9d0c"),
  externalRefs: fc.constant([{ namespace: "crm", externalId: "1" }]),
  fields: propertyFields(text)
})

const amount = fc.integer({ min: 0, max: 1_000_000_000 }).map((cents) => cents / 100)

const ends = (end: fc.Arbitrary<number>) =>
  fc
    .tuple(fc.option(end), fc.option(end))
    .map(([min, max]) => (min === null && max === null ? { min: 1, max: null } : { min, max }))

const rangeWith = <A extends object>(end: fc.Arbitrary<number>, others: fc.Arbitrary<A>) =>
  fc.option(fc.tuple(ends(end), others).map(([range, more]) => ({ ...range, ...more })))

const priceRange = rangeWith(
  amount,
  fc.record({ currency: fc.constantFrom("EUR", "CHF"), scale: fc.constantFrom("unit", "thousand", "million") })
)
const areaRange = rangeWith(amount, fc.constant({ unit: "sqm" }))
const percentRange = rangeWith(
  fc.integer({ min: 0, max: 10_000 }).map((part) => part / 100),
  fc.constant({ unit: "percent" })
)
const wholeRange = rangeWith(fc.integer({ min: 1000, max: 2200 }), fc.constant({}))

const degrees = (limit: number) =>
  fc.double({ min: -limit, max: limit, noNaN: true }).map((value) => Math.round(value * 1e7) / 1e7 + 0)

const outline = {
  type: "Polygon",
  coordinates: [
    [
      [-11.36, 48.06],
      [11.72, 48.06],
      [11.72, 48.25],
      [-11.36, 48.06]
    ]
  ]
}

const place = fc.oneof(
  fc.constant({ geography: null, near: null, radius: null }),
  fc.constant({ geography: outline, near: null, radius: null }),
  fc.record({
    geography: fc.constant(outline),
    near: fc.record({ latitude: degrees(90), longitude: degrees(180) }),
    radius: fc.integer({ min: 1, max: 1_000_000 })
  })
)

const some = <const Values extends ReadonlyArray<string>>(...values: Values) =>
  fc.uniqueArray(fc.constantFrom(...values))

const mandate = fc
  .record({
    id: fc.constant("mandate_01kb3n7x2ferwt5z8q4j6m9d0c"),
    name: text,
    description: fc.option(text),
    status: fc.constantFrom("active", "paused", "closed"),
    validUntilUtc: fc.option(fc.constant("2027-12-31T23:00:00.000Z")),
    investor: fc.option(
      fc.constantFrom<object>(
        { contactId: "contact_01kb3n7x2ferwt5z8q4j6m9d0c" },
        { companyId: "company_01kb3n7x2ferwt5z8q4j6m9d0c" }
      )
    ),
    categories: some("office", "logistics"),
    subcategories: some("business_park"),
    lifecycleStages: fc.constant([]),
    tenures: some("freehold"),
    dealStructures: some("asset", "share"),
    conversions: fc.constant([]),
    riskProfiles: some("core", "core_plus", "value_add", "opportunistic"),
    investmentSize: priceRange,
    yearBuilt: wholeRange,
    parcelArea: areaRange,
    lettableArea: areaRange,
    zoningGfa: areaRange,
    netInitialYield: percentRange,
    vacancyRate: percentRange,
    targetIrr: percentRange,
    wault: rangeWith(amount, fc.constant({ unit: "years" })),
    unitCount: wholeRange,
    pricePerSqm: priceRange,
    worstEnergyClass: fc.option(fc.constantFrom("a", "a_plus", "d")),
    country: fc.option(fc.constantFrom("DE", "GB")),
    positiveTags: some("motorway_access"),
    negativeTags: some("contaminated_land"),
    externalRefs: contact.map(({ externalRefs }) => externalRefs)
  })
  .chain((own) => place.map((where) => ({ ...own, ...where })))

/** For programs, and for the people of each language. */
const audience = fc.constantFrom<Pick<Writing, "audience">>(
  {},
  { audience: audienceOf({ language: "en", culture: "en-GB" }) },
  { audience: audienceOf({ language: "de", culture: "de-DE" }) }
)

const names = new Map([
  ["contact_01kb3n7x2ferwt5z8q4j6m9d0c", "=Ada"],
  ["company_01kb3n7x2ferwt5z8q4j6m9d0c", "Nord;kapital"]
])

const says = (value: unknown) => value !== null && !(Array.isArray(value) && value.length === 0)

describe("An export", () => {
  it("as CSV contains every member, and an import reads it back", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(contact, { maxLength: 4 }),
        fc.constantFrom(";", "|"),
        audience,
        async (contacts, separator, whom) => {
          const writing: Writing = { kind: "contacts", format: "csv", separator, ...whom }
          const items = await readBack(writing, exportHeadOf(writing) + exportLinesOf(writing, contacts, names))
          assert.deepStrictEqual(
            items,
            contacts.map(({ etag: _etag, name: _name, ...own }) =>
              Object.fromEntries(Object.entries(own).filter(([, value]) => says(value)))
            )
          )
        }
      )
    ))

  it("of companies for people has every country by its name, and an import reads it back", async () => {
    const records = countryCodes.map((country, index) => ({ id: `company_${index}`, name: "a", country }))
    for (const language of ["en", "de"] as const) {
      const audience = audienceOf({ language, culture: language })
      const writing: Writing = { kind: "companies", format: "csv", separator: ";", audience }
      assert.deepStrictEqual(await readBack(writing, exportHeadOf(writing) + exportLinesOf(writing, records)), records)
    }
  })

  it("of links contains every member, and an import reads it back", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            id: fc.constant("link_01kb3n7x2ferwt5z8q4j6m9d0c"),
            contactId: fc.constant("contact_01kb3n7x2ferwt5z8q4j6m9d0c"),
            companyId: fc.constant("company_01kb3n7x2ferwt5z8q4j6m9d0c"),
            jobTitle: fc.option(text),
            externalRefs: contact.map(({ externalRefs }) => externalRefs)
          }),
          { maxLength: 4 }
        ),
        fc.constantFrom("csv" as const, "ndjson" as const),
        fc.constantFrom(";", "|"),
        audience,
        async (links, format, separator, whom) => {
          const writing: Writing = { kind: "links", format, separator, ...whom }
          const items = await readBack(writing, exportHeadOf(writing) + exportLinesOf(writing, links, names))
          assert.deepStrictEqual(
            items,
            format === "ndjson"
              ? links
              : links.map((own) => Object.fromEntries(Object.entries(own).filter(([, value]) => says(value))))
          )
        }
      )
    ))

  it("of mandates contains every member, a circle as near and radius alone, and an import reads it back", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(mandate, { maxLength: 3 }),
        fc.constantFrom("csv" as const, "ndjson" as const),
        fc.constantFrom(";", "|"),
        audience,
        async (mandates, format, separator, whom) => {
          const writing: Writing = { kind: "mandates", format, separator, ...whom }
          const items = await readBack(writing, exportHeadOf(writing) + exportLinesOf(writing, mandates, names))
          const sent = mandates.map(({ geography, ...others }) =>
            others.near === null ? { ...others, geography } : others
          )
          assert.deepStrictEqual(
            items,
            format === "ndjson"
              ? sent
              : sent.map((own) => Object.fromEntries(Object.entries(own).filter(([, value]) => says(value))))
          )
        }
      ),
      { numRuns: 50 }
    ))

  it("as CSV keeps the + of phone numbers, and guards the other columns against formulas", () => {
    const record = { id: "1", firstName: "+49 30 5550199", phone: "+49 30 5550199" }
    assert.match(
      exportLinesOf({ kind: "contacts", format: "csv", separator: ";" }, [record]),
      /^1,'\+49 30 5550199,,,\+49 30 5550199,/
    )
  })

  it("as CSV has no formula in any cell, whatever separator a spreadsheet takes it for", () => {
    const cells = (strategy: string) => {
      const record = { id: "1", firstName: "a", strategy, tags: ["x", strategy] }
      const line = exportLinesOf({ kind: "contacts", format: "csv", separator: "|" }, [record])
      return [",", ";", "\t", "|"].flatMap((delimiter) =>
        // Spreadsheets take a quote for a quotation only where a cell begins.
        parse(line, { delimiter, relax_quotes: true, relax_column_count: true }).flat()
      )
    }
    for (const separator of [";", "\t", "|", "\n", "\r", "\r\n"]) {
      for (const sign of ["=", "+", "-", "@", "＝"]) {
        for (const between of ["", "'", '"']) {
          const text = `a${separator}${between}${sign}cmd|'/c calc'!A1`
          for (const cell of cells(text)) assert.notMatch(cell, /^"*[=+\-@＝]/, JSON.stringify([text, cell]))
        }
      }
    }
  })

  it("as CSV leaves ordinary texts as they are", () => {
    for (const strategy of [
      "Core+, 4-5 %",
      "Tel. +49 30 5550199; Fax -",
      "a; -b",
      "x = y",
      "a|b",
      "-",
      "Mitte - Nord"
    ]) {
      const line = exportLinesOf({ kind: "contacts", format: "csv", separator: ";" }, [{ id: "1", strategy }])
      const [row = []] = parse(line) as ReadonlyArray<ReadonlyArray<string>>
      assert.strictEqual(row[8], strategy === "-" ? "'-" : strategy)
    }
  })

  it("as CSV quotes every cell that holds a common separator or a line break", () => {
    for (const character of [",", ";", "\t", "|", "\n", "\r", "\u2028"]) {
      const line = exportLinesOf({ kind: "contacts", format: "csv", separator: ";" }, [
        { id: "1", firstName: `a${character}b` }
      ])
      assert.isTrue(line.startsWith(`1,"a${character}b",`), JSON.stringify(line))
    }
  })

  it("of properties contains every member, and a patch by an import changes nothing", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(property, { maxLength: 3 }),
        fc.constantFrom("csv" as const, "ndjson" as const),
        fc.constantFrom(";", "|"),
        audience,
        async (properties, format, separator, whom) => {
          const writing: Writing = { kind: "properties", format, separator, ...whom }
          const records = properties.map(({ externalRefs, fields, id }) => ({ id, ...fields, externalRefs }))
          const items = await readBack(writing, exportHeadOf(writing) + exportLinesOf(writing, records))
          for (const [index, { externalRefs, fields, id }] of properties.entries()) {
            const {
              id: idRead,
              externalRefs: refsRead,
              ...sent
            } = items[index] as Partial<PropertyFields> & { id: string }
            assert.deepStrictEqual([idRead, refsRead], [id, externalRefs])
            assert.deepStrictEqual({ ...fields, ...normalize(sent, fields) }, fields)
            const created = { ...blank, ...normalize(sent, blank) }
            assert.deepStrictEqual({ ...created, projectIds: fields.projectIds }, { ...fields, externalRefs: [] })
          }
        }
      ),
      { numRuns: 30 }
    ))

  it("as NDJSON contains every member, and an import reads it back", () =>
    fc.assert(
      fc.asyncProperty(fc.array(contact, { maxLength: 4 }), async (contacts) => {
        const writing: Writing = { kind: "contacts", format: "ndjson", separator: ";" }
        const items = await readBack(writing, exportLinesOf(writing, contacts))
        assert.deepStrictEqual(
          items,
          contacts.map(({ etag: _etag, name: _name, ...own }) => own)
        )
      })
    ))
})
