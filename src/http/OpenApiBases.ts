/**
 * Schemas that have all members of another one: they refer to it, so that the document and the types that are generated from it
 * describe each member once. Effect repeats all members in each.
 */
import { isObject, mapValues, type Schema, type Schemas } from "./OpenApiSpec.ts"

/** An object that can be a base, or have one: its members, and what else it says. */
interface Members {
  readonly name: string
  readonly properties: { readonly [member: string]: unknown }
  readonly required: ReadonlyArray<string>
  readonly isClosed: boolean
  /** What describes it, which it keeps. */
  readonly about: Schema
  /** By member: to compare schemas as texts. */
  readonly texts: ReadonlyMap<string, string>
}

// Few members in common are a coincidence, and cost less than a reference.
const fewest = 8

const membersOf = (schema: Schema, name: string): Members | undefined => {
  const { additionalProperties, properties, required, type, ...about } = schema
  // Conditions of a base would apply to what refers to it.
  const isPlain = Object.keys(about).every((key) => key === "description" || key === "examples")
  if (type !== "object" || !isObject(properties) || !isPlain || Object.keys(properties).length < fewest)
    return undefined
  return {
    name,
    properties,
    required: Array.isArray(required) ? required.map(String) : [],
    isClosed: additionalProperties !== undefined,
    about,
    texts: new Map(Object.entries(properties).map(([member, value]) => [member, JSON.stringify(value)]))
  }
}

/** Sorts what demands less first: fewer members, fewer required ones, open before closed. */
const compare = (one: Members, other: Members): number =>
  one.texts.size - other.texts.size ||
  one.required.length - other.required.length ||
  Number(one.isClosed) - Number(other.isClosed) ||
  (one.name < other.name ? -1 : 1)

const isBaseOf = (base: Members, schema: Members): boolean =>
  !base.isClosed &&
  compare(base, schema) < 0 &&
  base.required.every((member) => schema.required.includes(member)) &&
  [...base.texts].every(([member, text]) => schema.texts.get(member) === text)

const extended = (base: Members, { about, isClosed, properties, required }: Members): Schema => {
  // Tools expect a required member beside `required`, so it is repeated where the base does not require it.
  const isOwn = (member: string) =>
    !base.texts.has(member) || (required.includes(member) && !base.required.includes(member))
  const own = Object.fromEntries(Object.entries(properties).filter(([member]) => isOwn(member)))
  const ownRequired = required.filter(isOwn)
  const members = { type: "object", properties: own, ...(ownRequired.length === 0 ? {} : { required: ownRequired }) }
  return {
    ...about,
    allOf: [{ $ref: `#/components/schemas/${base.name}` }, ...(Object.keys(own).length === 0 ? [] : [members])],
    ...(isClosed ? { unevaluatedProperties: false } : {})
  }
}

/** The schemas, each of which refers to the largest one whose members it has. */
export const withBases = (schemas: Schemas): Schemas => {
  const all = Object.entries(schemas).flatMap(([name, schema]) => membersOf(schema, name) ?? [])
  const byName = new Map(all.map((members) => [members.name, members]))
  const largestFirst = all.toSorted((one, other) => compare(other, one))
  return mapValues(schemas, (schema, name) => {
    const members = byName.get(name)
    const base = members && largestFirst.find((candidate) => isBaseOf(candidate, members))
    return members === undefined || base === undefined ? schema : extended(base, members)
  })
}
