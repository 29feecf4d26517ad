/** The tools of properties. */
import * as Tool from "../../mcp/Tool.ts"
import { Effect, Predicate, Result, Schema, Struct } from "effect"
import { Country } from "../../core/fields/Place.ts"
import { Currency } from "../../core/fields/Measure.ts"
import { LongText, Name } from "../../core/fields/Text.ts"
import { findingIn, reference, References } from "../../mcp/References.ts"
import { cutLists } from "../../mcp/text.ts"
import { bodyFault, type Json } from "../../core/usecase/Input.ts"
import { type Fault, InvalidRequest } from "../../core/usecase/Problem.ts"
import { categories, propertyTags } from "./members/vocabulary.ts"
import { Properties } from "./Properties.ts"
import type { Property } from "./Property.ts"

const text = Schema.NullOr(Schema.String)

const texts = Schema.Array(Schema.String)

const line = { id: Schema.String, name: text, categories: texts, tags: texts }

const written = { id: Schema.String, etag: Schema.String, name: text }

// The characters of JSON that a long list may take, so that an answer has room for all of them.
const rooms = {
  tenants: 6_000,
  parcels: 3_500,
  areasByUse: 3_500,
  certifications: 3_500,
  projectIds: 3_500,
  externalRefs: 3_500
}

const answerOf = (property: Property) =>
  cutLists({ ...viewOf(property), externalRefs: Tool.refTexts(property.externalRefs) }, rooms)

// Bounds are left to the use-case: an agent reads a tool with each conversation, and a refusal only when it needs one.
const kinds = {
  description: [LongText, "Free text."],
  ownerId: [Schema.String, "User or me."],
  country: [Country, "ISO alpha-2."],
  locality: [Name, "Town."],
  street: [Name, "Street."],
  houseNumber: [Name, "84a"],
  postalCode: [Name, "Postcode."],
  lettableAreaSqm: [Schema.Finite, "In m²."],
  passingRent: [Schema.Finite, "Per year."],
  askingPrice: [Schema.Finite, "In currency."]
} as const

// The vocabulary of tags leaves a new property no room for these.
const laterKinds = {
  yearBuilt: [Schema.Int, "Year."],
  vacancyRatePercent: [Schema.Finite, "7.2 is 7.2 %."],
  netInitialYieldPercent: [Schema.Finite, "4.3 is 4.3 %."]
} as const

const lists = {
  currency: Schema.optionalKey(Currency.annotate({ description: "ISO 4217." })),
  categories: Schema.optionalKey(Schema.Array(Schema.Literals(categories)).annotate({ description: "Whole list." })),
  externalRefs: Tool.externalRefs
}

const tagsOf = (description: string) =>
  Schema.optionalKey(Schema.Array(Schema.Literals(propertyTags)).annotate({ description }))

// Spelt out once more, the vocabulary would leave no room for other members: the use-case checks it.
const namedTags = Schema.optionalKey(Schema.Array(Schema.String)).annotate({
  description: "Tags of create_property: whole list."
})

const bodyOfArguments = ({
  externalRefs,
  ...members
}: {
  readonly [argument: string]: Json
  readonly externalRefs?: ReadonlyArray<string>
}) =>
  Effect.fromResult(bodyOf(members)).pipe(
    Effect.map((body) => ({ ...body, ...Tool.refsOf(externalRefs) })),
    Effect.mapError((faults) => InvalidRequest.of(faults))
  )

/** Finds properties by an external reference. */
export const finder = Effect.map(Properties, ({ list }) => findingIn(list))

/** The tools of properties. They need the `broker` capability. */
export const tools = Effect.gen(function* () {
  const properties = yield* Properties
  const { resolve } = yield* References
  const find = (argument: string) => resolve("property", "property", argument)
  return [
    Tool.list({
      name: "list_properties",
      title: "List properties",
      description: "The broker's properties, the latest last. query finds them by name or address.",
      toolset: "properties",
      input: { query: Tool.query, tags: tagsOf("With one of these.") },
      items: "properties",
      item: line,
      rows: ({ query, tags = [] }, page) =>
        query === undefined
          ? properties.list(page.request({ tags }))
          : properties.search(page.search({ query, filter: tags.length === 0 ? undefined : { tags: { in: tags } } })),
      concise: lineOf,
      detailed: answerOf
    }),
    Tool.read({
      name: "get_property",
      title: "Get a property",
      description:
        "One property: its members that have a value, and its etag. leftOut counts the rest of long lists: REST has it.",
      toolset: "properties",
      input: { property: reference("property") },
      output: { ...line, etag: Schema.String },
      read: ({ property }) => Effect.map(Effect.flatMap(find(property), properties.get), answerOf)
    }),
    Tool.create({
      name: "create_property",
      title: "Create a property",
      description: "Adds one; update_property sets more.",
      toolset: "properties",
      input: { name: Tool.name, ...Tool.members(kinds), ...lists, tags: tagsOf("Whole list.") },
      renamed,
      output: written,
      write: (input, given) =>
        Effect.flatMap(bodyOfArguments(input), (body) =>
          Effect.map(properties.create(given.request({ body })), ({ value }) => answerOf(value))
        )
    }),
    Tool.update({
      name: "update_property",
      title: "Update a property",
      description: "Changes the members that are sent. Areas keep their standard, and amounts their currency.",
      toolset: "properties",
      input: {
        property: reference("property"),
        name: Schema.optionalKey(Tool.name),
        ...Tool.clearables({ ...kinds, ...laterKinds }),
        ...lists,
        tags: namedTags
      },
      renamed,
      output: written,
      write: ({ property, ...input }, given) =>
        Effect.flatMap(Effect.all([find(property), bodyOfArguments(input)]), ([id, body]) =>
          Effect.map(properties.patchValues(id, given.request({ about: [id], body })), answerOf)
        )
    })
  ]
})

// Properties as agents write and read them: members of objects and values with units are flat arguments. Pure.

type Unit = "sqm" | "percent" | "currency"

/** Where the members go that are no arguments themselves: the path in the body, and the unit of a value. */
const places: { readonly [argument: string]: readonly [path: string, unit?: Unit] } = {
  street: ["address/street"],
  houseNumber: ["address/houseNumber"],
  postalCode: ["address/postalCode"],
  lettableAreaSqm: ["lettableArea", "sqm"],
  passingRent: ["income/passingRent", "currency"],
  vacancyRatePercent: ["income/vacancyRate", "percent"],
  askingPrice: ["pricing/askingPrice", "currency"],
  netInitialYieldPercent: ["pricing/netInitialYield", "percent"]
}

const amounts = Object.keys(places).filter((argument) => places[argument]?.[1] === "currency")

/** The arguments for members of the body, by their paths. */
export const renamed: { readonly [path: string]: string } = Object.fromEntries(
  Object.entries(places).flatMap(([argument, [path, unit]]) => [
    [path, argument],
    ...(unit === undefined ? [] : [[`${path}/value`, argument]]),
    ...(unit === "currency" ? [[`${path}/currency`, "currency"]] : [])
  ])
)

const valueOf = (value: Json, unit: Unit | undefined, currency: Json | undefined): Json => {
  if (value === null || unit === undefined) return value
  if (unit !== "currency") return { value, unit }
  return currency === undefined ? { value } : { value, currency }
}

/** The body of a write, as REST has it, from flat arguments. A currency needs an amount. */
export const bodyOf = ({
  currency,
  ...members
}: {
  readonly [argument: string]: Json
}): Result.Result<{ readonly [member: string]: Json }, ReadonlyArray<Fault>> => {
  if (currency !== undefined && !amounts.some((amount) => members[amount] !== undefined)) {
    return Result.fail([
      bodyFault("/currency", "not_allowed", `Is the currency of ${amounts.join(" and ")}: send one.`)
    ])
  }
  const body: Record<string, Json> = {}
  for (const [argument, sent] of Object.entries(members)) {
    const [path, unit] = places[argument] ?? [argument]
    const value = valueOf(sent, unit, currency)
    const [member = "", inner] = path.split("/")
    body[member] = inner === undefined ? value : { ...(body[member] as object | undefined), [inner]: value }
  }
  return Result.succeed(body)
}

const isUnknown = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0)

/** A value without members that are null or empty, at every depth. */
const known = (value: unknown): Json => {
  if (Array.isArray(value)) return value.map(known)
  if (!Predicate.isObject(value)) return value as Json
  return Object.fromEntries(
    Object.entries(value).flatMap(([member, item]) => (isUnknown(item) ? [] : [[member, known(item)]]))
  )
}

const always = ({ categories, country, id, locality, name, tags }: Property) => ({
  id,
  name,
  country,
  locality,
  categories,
  tags
})

/** What an agent needs to choose a property. */
export const lineOf = (property: Property) => {
  const { lettableArea, pricing } = property
  const { askingPrice = null } = pricing ?? {}
  return {
    ...always(property),
    ...(lettableArea === null ? {} : { lettableArea }),
    ...(askingPrice === null ? {} : { pricing: { askingPrice } })
  }
}

/** The members of a property that have a value. */
export const viewOf = (property: Property) => ({
  ...(known(Struct.omit(property, ["externalRefs", "changeType", "changeOrigin", "deletedUtc"])) as {
    readonly [member: string]: Json
  }),
  ...always(property),
  etag: property.etag
})
