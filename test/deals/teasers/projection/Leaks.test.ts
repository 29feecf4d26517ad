/** What investors never see: every value of a property is planted, and looked for in the bytes of the projection. */
import fc from "fast-check"
import { assert, describe, it } from "@effect/vitest"
import {
  type ChosenOptions,
  modes,
  type Options,
  type Part,
  parts,
  Projection
} from "../../../../src/deals/teasers/projection/Projection.ts"
import { inLanguage, namesOfCountry } from "../../../../src/deals/teasers/projection/investorView.ts"
import { Property } from "../../../../src/market/properties/Property.ts"
import { propertyTags } from "../../../../src/market/properties/members/vocabulary.ts"
import { made } from "./samples.ts"

/** A property with a value of its own in each member; `n` tells properties apart. */
const planted = (n: 1 | 2) => {
  const text = (name: string) => `Zq${n}${name}`
  const money = (value: number, currency: string) => ({ value: value + n / 100, currency })
  const sqm = (value: number) => ({
    value: value + n / 100,
    unit: "sqm",
    standard: "ipms2",
    measuredOn: `2011-03-0${n}`
  })
  const percent = (value: number) => ({ value: value + n / 1_000, unit: "percent" })
  const years = (value: number) => ({ value: value + n / 1_000, unit: "years" })
  const date = (year: number) => `${year}-07-1${n}`
  const place = { country: n === 1 ? "IS" : "FJ", locality: text("locality") }
  return {
    id: `property_01kb3n7x2ferwt5z8q4j6m9d0${n}`,
    name: text("name"),
    ownerId: `user_01kb3n7x2ferwt5z8q4j6m9d0${n}`,
    projectIds: [`project_01kb3n7x2ferwt5z8q4j6m9d0${n}`],
    externalRefs: [{ namespace: text("namespace"), externalId: text("reference") }],
    description: text("description"),
    ...place,
    address: {
      street: text("street"),
      houseNumber: text("house"),
      postalCode: text("code"),
      region: text("region"),
      ...place
    },
    coordinates: { latitude: 48.1371 + n / 100_000, longitude: 11.5391 + n / 100_000 },
    parcels: [{ cadastralId: text("cadastre"), register: text("register"), area: sqm(3_101) }],
    categories: ["data_centre"],
    subcategories: ["cold_storage"],
    lifecycleStage: "pre_development",
    tenure: "share_of_freehold",
    groundLease: { expiresOn: date(2091), annualRent: money(84_013, "XCD") },
    ownershipShare: percent(73.113),
    dealStructure: "either",
    parcelArea: sqm(4_187),
    grossFloorArea: sqm(12_457),
    internalArea: sqm(11_207),
    lettableArea: sqm(10_647),
    rentedArea: sqm(9_871),
    vacantArea: sqm(776),
    areasByUse: [{ use: text("use"), area: sqm(8_413), rentedArea: sqm(7_633) }],
    zoning: {
      gfa: sqm(14_113),
      uses: ["agricultural"],
      useClass: text("class"),
      status: "unzoned",
      planReference: text("plan"),
      floorAreaRatio: 2.4137 + n / 10_000,
      siteCoverageRatio: 0.6137 + n / 10_000,
      planningPermission: "pending"
    },
    conversions: ["to_senior_living"],
    tags: ["waterfront", "fossil_heating"],
    yearBuilt: 1972 + n,
    yearRenovated: 1986 + n,
    buildingCount: 313 + n,
    floorCount: 617 + n,
    unitCount: 713 + n,
    parkingSpaces: 913 + n,
    grade: "b",
    condition: "needs_refurbishment",
    heritageListed: true,
    industrial: {
      clearHeightM: 10.5137 + n / 10_000,
      dockDoors: 241 + n,
      driveInDoors: 271 + n,
      floorLoadKnPerSqm: 51.137 + n / 1_000,
      powerKva: 1_613 + n,
      yardDepthM: 35.137 + n / 1_000
    },
    hotel: { roomCount: 1_481 + n, stars: 4.137 + n / 1_000, contractType: "owner_operated" },
    income: {
      asOf: date(2026),
      passingRent: money(2_310_137, "XOF"),
      marketRent: money(2_480_137, "XOF"),
      nonRecoverableCosts: money(185_137, "XOF"),
      netOperatingIncome: money(2_125_137, "XOF"),
      vacancyRate: percent(7.213),
      occupancyRate: percent(92.813),
      waultToBreak: years(4.113),
      waultToExpiry: years(5.613),
      tenantCount: 1_993 + n,
      leaseType: "modified_gross",
      indexation: "fixed_steps"
    },
    tenants: [
      {
        name: text("tenant"),
        use: text("headquarters"),
        area: sqm(2_153),
        annualRent: money(610_137, "XAF"),
        breakOn: date(2029),
        expiresOn: date(2031)
      }
    ],
    pricing: {
      askingPrice: money(46_513_137, "EUR"),
      qualifier: "offers_around",
      purchaserCosts: percent(6.513),
      netInitialYield: percent(4.313),
      toppedUpNetInitialYield: percent(4.513),
      grossInitialYield: percent(4.973),
      reversionaryYield: percent(5.113),
      rentMultiplier: 20.137 + n / 1_000,
      vatTreatment: "exclusive"
    },
    energy: {
      class: "a_plus",
      country: "NO",
      certificateNumber: text("certificate"),
      validUntil: date(2034),
      basis: "consumption",
      primaryKwhPerSqmYear: 128.413 + n / 1_000,
      finalKwhPerSqmYear: 96.213 + n / 1_000,
      co2KgPerSqmYear: 24.813 + n / 1_000
    },
    certifications: [{ scheme: "miljobyggnad", level: text("level"), phase: text("phase"), validUntil: date(2028) }],
    euTaxonomyAligned: true,
    strandingYear: 2_037 + n
  }
}

type Planted = ReturnType<typeof planted>

const reaches = ({ location }: Options, precision: Options["location"]) =>
  modes.location.indexOf(location) >= modes.location.indexOf(precision)

/** When the value at a path may be seen. What has no line here is never seen. */
const visible: { readonly [path: string]: (options: Options) => boolean } = {
  country: (options) => reaches(options, "country"),
  "address.region": (options) => reaches(options, "region"),
  locality: (options) => reaches(options, "locality"),
  "address.locality": (options) => reaches(options, "locality"),
  "address.country": (options) => reaches(options, "country"),
  "address.street": (options) => reaches(options, "address"),
  "address.houseNumber": (options) => reaches(options, "address"),
  "address.postalCode": (options) => reaches(options, "address"),
  categories: ({ categories }) => categories === "shown",
  tenure: ({ tenure }) => tenure === "shown",
  conversions: ({ conversions }) => conversions === "shown",
  tags: ({ tags }) => tags === "shown",
  lettableArea: ({ area }) => area === "exact",
  grossFloorArea: ({ area }) => area === "exact",
  parcelArea: ({ area }) => area === "exact",
  "zoning.gfa": ({ zoning }) => zoning === "exact",
  yearBuilt: ({ yearBuilt }) => yearBuilt === "exact",
  "income.waultToBreak": ({ wault }) => wault === "shown",
  "income.waultToExpiry": ({ wault }) => wault === "shown",
  "tenants.name": ({ tenants }) => tenants === "named",
  "pricing.askingPrice": ({ price }) => price === "exact",
  "pricing.askingPrice.currency": ({ price }) => price !== "hidden",
  "pricing.netInitialYield": ({ yield: mode }) => mode === "exact",
  "energy.class": ({ energy }) => energy === "shown"
}

interface Leaf {
  readonly path: string
  readonly value: string | number
}

// Not values of the property: units, and a letter that is in every word.
const untold = new Set(["sqm", "percent", "years", "b"])

const leavesOf = (value: unknown, path: string): ReadonlyArray<Leaf> => {
  if (typeof value === "string" || typeof value === "number") return untold.has(String(value)) ? [] : [{ path, value }]
  if (Array.isArray(value)) return value.flatMap((item) => leavesOf(item, path))
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    leavesOf(inner, name === "value" ? path : path === "" ? name : `${path}.${name}`)
  )
}

const isIn = (text: string, value: string | number) =>
  typeof value === "number"
    ? new RegExp(`(?<![\\d.])${String(value).replace(".", "\\.")}(?![\\d.])`).test(text)
    : text.includes(/^[a-zA-Z_]{1,3}$|^[a-z_]+$/.test(value) ? `"${value}"` : value)

const optionsArbitrary: fc.Arbitrary<ChosenOptions> = fc.record(
  Object.fromEntries(parts.map((part) => [part, fc.constantFrom<string>(...modes[part])])),
  { requiredKeys: [] }
)

/** A property of which some members are missing. */
const some = (n: 1 | 2) =>
  fc.subarray(Object.keys(Property.fields)).map((missing) => ({
    ...planted(n),
    ...Object.fromEntries(
      missing
        .filter((name) => name !== "id" && name in planted(n))
        .map((name) => [name, Array.isArray(planted(n)[name as keyof Planted]) ? [] : null])
    )
  }))

const properties = fc.oneof(
  fc.tuple(some(1)),
  fc.tuple(some(1), some(2)),
  fc.constant([planted(1)]),
  fc.constant([planted(1), planted(2)])
)

/** Titles that name something. */
const titles = fc.option(
  fc.constantFrom("name", "locality", "region", "street", "code", "tenant").map((name) => `Core, Zq1${name}!`)
)

const design = fc.record({
  options: optionsArbitrary,
  tags: fc.option(fc.subarray([...propertyTags])),
  title: titles
})

/** All members of a value, at every depth. */
const namesIn = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value)
    ? value.flatMap(namesIn)
    : typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)])
      : []

const membersOfProjection = Object.keys(Projection.fields)
const innerMembers = "street houseNumber postalCode min max unit currency scale gfa class name sector".split(" ")

describe("A projection", () => {
  it("is tested with a value in every member of a property", () => {
    const audit = ["createdUtc", "updatedUtc", "etag", "changeType", "changeOrigin", "deletedUtc"]
    assert.sameMembers([...Object.keys(planted(1)), ...audit], Object.keys(Property.fields))
    for (const path of Object.keys(visible)) {
      assert.isTrue(
        leavesOf(planted(1), "").some((leaf) => leaf.path === path),
        path
      )
    }
  })

  it("contains no value that the options hide, whatever the property, the options, the plan and the language", () => {
    fc.assert(
      fc.property(
        properties,
        design,
        fc.constantFrom("free" as const, "professional" as const, "plus" as const),
        fc.constantFrom("en", "de", "fr"),
        (sources, chosen, plan, language) => {
          const { options, projection } = made(sources, chosen, { plan, language })
          const texts = [projection, inLanguage(projection, "de")].map((shown) => JSON.stringify(shown))
          for (const source of sources) {
            for (const { path, value } of leavesOf(source, "")) {
              if (visible[path]?.(options) === true || (path === "tags" && options.tags === "shown")) continue
              // A code can be that of another part, such as a pinned tag.
              for (const text of texts) assert.isFalse(isIn(text, value), `${path}: ${value} in ${text}`)
            }
            if (!reaches(options, "country")) {
              const names = source.country === null ? [] : namesOfCountry(source.country)
              for (const text of texts) for (const name of names) assert.notInclude(text, name)
            }
          }
          for (const part of parts) assert.include<Part | string>(modes[part], options[part])
        }
      ),
      { numRuns: 500 }
    )
  })

  it("has the members of its schema, and no others at any depth", () => {
    fc.assert(
      fc.property(properties, design, (sources, chosen) => {
        const { projection } = made(sources, chosen)
        assert.sameMembers(Object.keys(projection), membersOfProjection)
        const inner = Object.values(projection).flatMap(namesIn)
        assert.includeMembers(innerMembers, inner)
      })
    )
  })

  it("has ranges that are never exact", () => {
    fc.assert(
      fc.property(properties, (sources) => {
        const { projection } = made(sources)
        for (const range of [projection.area, projection.yield, projection.yearBuilt, ...projection.prices]) {
          if (range !== null) assert.notStrictEqual(range.min, range.max)
        }
      })
    )
  })
})
