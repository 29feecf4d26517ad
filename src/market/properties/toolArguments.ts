/** Properties as agents write and read them: members of objects and values with units are flat arguments. Pure. */
import { Predicate, Result, Struct } from "effect"
import { bodyFault, type Json } from "../../core/usecase/Input.ts"
import type { Fault } from "../../core/usecase/Problem.ts"
import type { Property } from "./Property.ts"

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
