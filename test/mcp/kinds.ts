/** The kinds of records that the tools and REST both create and change. */
import fc from "fast-check"

// Text as people write it, and some that no member takes.
const text = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }) },
  { weight: 1, arbitrary: fc.constantFrom("", "\t ", "a\u0000b", "x".repeat(201)) }
)
const amount = fc.oneof(fc.integer({ min: -1, max: 1_000_000_000 }), fc.constant(0.5))
const tags = fc.uniqueArray(text, { maxLength: 3 })
const currency = fc.constantFrom("EUR", "CHF", "XXY", "eur")
const country = fc.constantFrom("DE", "AT", "ZZ")
const categories = fc.subarray(["logistics", "office", "castle"])

export type Input = { readonly [member: string]: unknown }

/** An object of the members that were sent, under a name; nothing if none was. */
const nested = (name: string, members: Input, others: Input = {}): Input => {
  const sent = Object.entries(members).filter(([, value]) => value !== undefined)
  return sent.length === 0 ? {} : { [name]: { ...Object.fromEntries(sent), ...others } }
}

/** A kind of record that both create: members that REST and the tools take under the same names. */
export interface Kind {
  readonly path: string
  readonly one: "contact" | "company" | "property" | "mandate" | "project"
  readonly many: string
  readonly members: { readonly [member: string]: fc.Arbitrary<unknown> }
  /** The body of REST, where the tool's arguments are flat. */
  readonly bodyOf?: (input: Input) => Input
}

/** The kinds. */
export const kinds: ReadonlyArray<Kind> = [
  {
    path: "/api/v1/network/contacts",
    one: "contact",
    many: "contacts",
    members: { firstName: text, lastName: text, strategy: text, tags }
  },
  {
    path: "/api/v1/network/companies",
    one: "company",
    many: "companies",
    members: { name: text, legalName: text, country, strategy: text, tags }
  },
  {
    path: "/api/v1/properties",
    one: "property",
    many: "properties",
    members: {
      name: text,
      street: text,
      country,
      lettableAreaSqm: amount,
      askingPrice: amount,
      currency,
      categories,
      tags: fc.subarray(["value_add", "core", "tower"])
    },
    bodyOf: ({ askingPrice, country, currency, lettableAreaSqm, street, ...members }) => ({
      ...members,
      ...nested("address", { street, country }),
      ...nested("lettableArea", { value: lettableAreaSqm }, { unit: "sqm" }),
      ...nested("pricing", nested("askingPrice", { value: askingPrice }, { currency }))
    })
  },
  {
    path: "/api/v1/mandates",
    one: "mandate",
    many: "mandates",
    members: {
      name: text,
      description: text,
      investmentSizeMin: amount,
      investmentSizeMax: amount,
      currency,
      categories
    },
    bodyOf: ({ currency, investmentSizeMax, investmentSizeMin, ...members }) => ({
      ...members,
      ...(currency === undefined
        ? {}
        : {
            investmentSize: { min: investmentSizeMin ?? null, max: investmentSizeMax ?? null, currency, scale: "unit" }
          })
    })
  },
  {
    path: "/api/v1/projects",
    one: "project",
    many: "projects",
    members: {
      name: text,
      description: text,
      propertyCount: amount,
      exclusivity: fc.constantFrom("exclusive", "non_exclusive", "none")
    }
  }
]

/** Inputs of which REST refuses about every other one. An amount is sent with its currency, and neither without the other. */
export const inputsOf = ({ members }: Kind): fc.Arbitrary<Input> =>
  fc
    .record(members, { requiredKeys: ["name", "lastName", "currency"].filter((name) => name in members) })
    .map((input) => {
      const amounts = Object.keys(input).filter((name) => name === "askingPrice" || name.startsWith("investmentSize"))
      return amounts.length > 0 ? input : { ...input, currency: undefined }
    })

/** What changes a record: any of its members, and a text cleared. Of ranges, the tools take both ends or none. */
export const changesOf = ({ members }: Kind): { readonly [member: string]: fc.Arbitrary<unknown> } =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name,
      value === text && name !== "name" ? fc.option(value, { freq: 4 }) : value
    ])
  )

/** An input that sends amounts with their currency, and both ends of a range. */
export const wholeOf = (input: Input): Input => {
  const { askingPrice, currency, investmentSizeMax, investmentSizeMin, ...others } = input
  const hasRange = investmentSizeMin !== undefined && investmentSizeMax !== undefined && currency !== undefined
  const hasPrice = askingPrice !== undefined && currency !== undefined
  return {
    ...others,
    ...(hasRange ? { investmentSizeMin, investmentSizeMax, currency } : {}),
    ...(hasPrice ? { askingPrice, currency } : {})
  }
}
