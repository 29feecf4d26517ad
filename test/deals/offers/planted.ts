/** Projects whose values are unique, and those of them that their teasers hide, for a random teaser and plan. */
import fc from "fast-check"

/** The modes of the parts of a teaser. */
const modes = {
  // A teaser without a country or a category is not published.
  location: ["country", "region", "locality", "address"],
  price: ["hidden", "range", "exact"],
  yield: ["hidden", "range", "exact"],
  area: ["hidden", "range", "exact"],
  zoning: ["hidden", "range", "exact"],
  wault: ["hidden", "shown"],
  tenants: ["hidden", "sector", "named"],
  yearBuilt: ["hidden", "range", "exact"],
  categories: ["shown"],
  tenure: ["hidden", "shown"],
  tags: ["hidden", "shown"],
  conversions: ["hidden", "shown"],
  energy: ["hidden", "shown"]
} as const

/** What titles call the countries and uses of properties. */
export const named = {
  country: { DE: "Germany", FR: "France" },
  category: { office: "office", hotel: "hotel", retail: "retail" }
} as const

type Country = keyof typeof named.country
type Category = keyof typeof named.category

const countries = Object.keys(named.country) as ReadonlyArray<Country>
const categories = Object.keys(named.category) as ReadonlyArray<Category>
const energyClasses = ["a", "c", "g"] as const

/** Some of these codes, of which there are no unique ones. */
const someOf = <Code extends string>(...codes: ReadonlyArray<Code>) => fc.subarray([...codes])

/** The plans of teams. */
export const plans = ["free", "professional", "plus"] as const
export type Plan = (typeof plans)[number]

/** Which members a property has. */
const property = fc.record({
  lettableArea: fc.boolean(),
  grossFloorArea: fc.boolean(),
  zoning: fc.boolean(),
  wault: fc.boolean(),
  tenants: fc.boolean(),
  price: fc.boolean(),
  yield: fc.boolean(),
  categories: fc.subarray([...categories], { minLength: 1 }),
  tenure: fc.constantFrom(null, "freehold", "leasehold"),
  tags: someOf("multi_tenant", "waterfront", "long_lease"),
  conversions: someOf("to_hotel", "demolition"),
  energy: fc.constantFrom(null, ...energyClasses),
  // None is an end of a decade, as ranges have.
  yearBuilt: fc.option(fc.integer({ min: 1951, max: 2019 }).filter((year) => year % 10 !== 0))
})

/** A teaser of one or two properties. */
export const samples = fc.record({
  options: fc.record({
    location: fc.constantFrom(...modes.location),
    price: fc.constantFrom(...modes.price),
    yield: fc.constantFrom(...modes.yield),
    area: fc.constantFrom(...modes.area),
    zoning: fc.constantFrom(...modes.zoning),
    wault: fc.constantFrom(...modes.wault),
    tenants: fc.constantFrom(...modes.tenants),
    yearBuilt: fc.constantFrom(...modes.yearBuilt),
    categories: fc.constantFrom(...modes.categories),
    tenure: fc.constantFrom(...modes.tenure),
    tags: fc.constantFrom(...modes.tags),
    conversions: fc.constantFrom(...modes.conversions),
    energy: fc.constantFrom(...modes.energy)
  }),
  properties: fc.array(property, { minLength: 1, maxLength: 2 }),
  country: fc.constantFrom(...countries),
  /** How far the places of two properties agree: to the country, the region or the town. */
  agreed: fc.constantFrom(0, 1, 2)
})
export type Sample = typeof samples extends fc.Arbitrary<infer Value> ? Value : never

/** Digits of the property with this number, which no other property, range, id or time has by accident. */
const digitsOf = (number: number) => 1_234_561 + ((number * 79_190) % 7_000_000)

const propertyOf = (
  { agreed, country, properties }: Sample,
  has: Sample["properties"][number],
  { mark, number, position }: { readonly mark: string; readonly number: number; readonly position: number }
) => {
  const digits = digitsOf(number)
  const own = `${mark}p${position}z`
  const sqm = (more: number) => ({ value: digits + more, unit: "sqm" })
  const shared = (level: number) => (properties.length === 1 || agreed >= level ? `${mark}z` : own)
  return {
    name: `name-${own}`,
    description: `description-${own}`,
    country,
    locality: `locality-${shared(2)}`,
    address: {
      street: `street-${own}`,
      houseNumber: `house-${own}`,
      postalCode: `postal-${own}`,
      region: `region-${shared(1)}`
    },
    coordinates: { latitude: Number(`48.13${digits}`), longitude: Number(`11.57${digits}`) },
    categories: has.categories,
    tenure: has.tenure,
    tags: has.tags,
    conversions: has.conversions,
    energy: has.energy === null ? null : { class: has.energy, country },
    yearBuilt: has.yearBuilt,
    lettableArea: has.lettableArea ? sqm(0) : null,
    grossFloorArea: has.grossFloorArea ? sqm(1) : null,
    parcelArea: sqm(2),
    zoning: { gfa: has.zoning ? sqm(3) : null, planReference: `plan-${own}` },
    income: {
      waultToBreak: has.wault ? { value: Number(`7.${String(digits).slice(-4)}`), unit: "years" } : null,
      passingRent: { value: digits + 5, currency: "EUR" }
    },
    tenants: has.tenants
      ? [{ name: `tenant-${own}`, use: "office", annualRent: { value: digits + 6, currency: "EUR" } }]
      : [],
    pricing: {
      askingPrice: has.price
        ? { value: Number(`9${[...String(digits)].toReversed().join("")}`), currency: "EUR" }
        : null,
      netInitialYield: has.yield ? { value: Number(`4.${String(digits).slice(-4)}`), unit: "percent" } : null
    },
    externalRefs: [{ namespace: "crm", externalId: `property-ref-${own}` }]
  }
}

/** The values that are codes and years, of which there are no unique ones: what its teaser shows of them on this plan. */
const codesOf = ({ country, options, properties }: Sample, plan: Plan) => {
  const isShown = (part: "categories" | "conversions" | "energy" | "tags" | "tenure") =>
    plan !== "free" && options[part] === "shown"
  const all = (part: "categories" | "conversions" | "tags"): ReadonlyArray<string> =>
    isShown(part) ? [...new Set<string>(properties.flatMap((one) => one[part]))].toSorted() : []
  const years = properties.flatMap(({ yearBuilt }) => yearBuilt ?? [])
  const [first, last] = [Math.min(...years), Math.max(...years)]
  const [tenure = null, otherTenure = tenure] = properties.map((one) => one.tenure)
  const worst = energyClasses.findLast((code) => properties.some(({ energy }) => energy === code))
  return {
    country,
    categories: all("categories"),
    tags: all("tags"),
    conversions: all("conversions"),
    tenure: isShown("tenure") && tenure === otherTenure ? tenure : null,
    energy: isShown("energy") && worst !== undefined ? { class: worst } : null,
    yearBuilt:
      years.length === 0 || options.yearBuilt === "hidden"
        ? null
        : options.yearBuilt === "exact" && plan !== "free"
          ? { min: first, max: last }
          : { min: Math.floor(first / 10) * 10, max: Math.ceil(last / 10) * 10 }
  }
}

/**
 * The properties of a project with unique values, and those of these values that its teaser hides on this plan; `shown` are the others, and `codes` the parts without unique values.
 * `mark` is the project's own, `first` the number of its first property.
 */
export const planted = (
  sample: Sample,
  plan: Plan,
  { first, mark }: { readonly mark: string; readonly first: number }
) => {
  const { agreed, options } = sample
  const made = sample.properties.map((has, position) =>
    propertyOf(sample, has, { mark, number: first + position, position })
  )
  const isSingle = made.length === 1
  const shows = (mode: string, wanted: string) => plan !== "free" && mode === wanted
  const valuesOf = (values: ReadonlyArray<{ readonly value: number } | null | undefined>) =>
    values.flatMap((one) => (one === null || one === undefined ? [] : [String(one.value)]))
  // A mode that is not in the template stays the most discreet one: the country.
  const wanted = modes.location.indexOf(options.location)
  const places = plan === "free" || wanted > (isSingle ? 3 : agreed) ? 0 : wanted
  const hidden: Array<string> = []
  const shown: Array<string> = []
  const divide = (values: ReadonlyArray<string>, isShown: boolean) => (isShown ? shown : hidden).push(...values)
  /** Of several values, their sum is shown. */
  const divideSum = (values: ReadonlyArray<string>, mode: string) =>
    divide(values, shows(mode, "exact") && values.length === 1)

  const areas = made.map(({ grossFloorArea, lettableArea, parcelArea }) => lettableArea ?? grossFloorArea ?? parcelArea)
  divideSum(valuesOf(areas), options.area)
  divideSum(valuesOf(made.map(({ zoning }) => zoning.gfa)), options.zoning)
  divideSum(valuesOf(made.map(({ pricing }) => pricing.askingPrice)), options.price)
  divide(valuesOf(made.map(({ pricing }) => pricing.netInitialYield)), shows(options.yield, "exact"))
  divide(valuesOf(made.map(({ income }) => income.waultToBreak)), shows(options.wault, "shown"))
  for (const one of made) {
    const { address, grossFloorArea, income, lettableArea, parcelArea, tenants } = one
    const area = lettableArea ?? grossFloorArea ?? parcelArea
    divide(
      tenants.map(({ name }) => name),
      shows(options.tenants, "named")
    )
    divide([address.region], places >= 1)
    divide([one.locality], places >= 2)
    divide([address.street, address.houseNumber, address.postalCode], places >= 3)
    hidden.push(
      one.name,
      one.description,
      String(one.coordinates.latitude),
      String(one.coordinates.longitude),
      one.zoning.planReference,
      String(income.passingRent.value),
      ...valuesOf(tenants.map(({ annualRent }) => annualRent)),
      ...valuesOf([lettableArea, grossFloorArea, parcelArea].filter((other) => other !== area)),
      ...one.externalRefs.map(({ externalId }) => externalId)
    )
  }
  return { properties: made, hidden, shown, codes: codesOf(sample, plan) }
}
