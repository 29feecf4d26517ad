/** Records whose members are as long as the API takes them, by its OpenAPI document. */
import { Predicate } from "effect"
import { readFileSync } from "node:fs"

type Input = { readonly [member: string]: unknown }

interface Schema {
  readonly $ref?: string
  readonly allOf?: ReadonlyArray<Schema>
  readonly anyOf?: ReadonlyArray<Schema>
  readonly type?: string
  readonly enum?: ReadonlyArray<string>
  readonly examples?: ReadonlyArray<unknown>
  readonly items?: Schema
  readonly maxItems?: number
  readonly maxLength?: number
  readonly maximum?: number
  readonly properties?: { readonly [name: string]: Schema }
}

const document = JSON.parse(readFileSync(new URL("../../openapi.json", import.meta.url), "utf8")) as {
  readonly components: { readonly schemas: { readonly [name: string]: Schema } }
}

/** A text of quotes after its beginning: each takes two characters of JSON. */
export const fat = (length: number, beginning: string | number = "") => String(beginning).padEnd(length, '"')

/** A list of this many values. */
export const many = <A>(count: number, make: (index: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, index) => make(index))

const membersOf = ({ $ref, allOf = [], properties = {} }: Schema): { readonly [name: string]: Schema } =>
  Object.assign({}, $ref === undefined ? {} : membersOf(named($ref)), ...allOf.map(membersOf), properties) as {
    readonly [name: string]: Schema
  }

const named = (ref: string): Schema => document.components.schemas[ref.slice(ref.lastIndexOf("/") + 1)] ?? {}

/** The longest value of a schema; `index` makes those of a list differ. */
const fattest = (schema: Schema, index: number | "" = ""): unknown => {
  const members = membersOf(schema)
  if (Object.keys(members).length > 0) return fattestOf(members, index)
  const { $ref, anyOf, enum: values, examples, items, maxItems, maxLength, maximum, type } = schema
  if ($ref !== undefined) return fattest(named($ref), index)
  if (anyOf !== undefined) return fattest({ examples: examples ?? [], ...anyOf[0] }, index)
  if (values !== undefined) return values.toSorted((a, b) => b.length - a.length)[0]
  if (type === "array" && items !== undefined) {
    return items.enum ?? many(maxItems ?? 20, (at) => fattest(items, at))
  }
  if (type === "boolean") return true
  if (maximum !== undefined) return maximum
  // Addresses, dates and codes have a pattern or a format, and texts a limit alone.
  const isText = type === "string" && maxLength !== undefined && !("pattern" in schema) && !("format" in schema)
  return isText ? fat(maxLength, index) : examples?.[0]
}

const fattestOf = (members: { readonly [name: string]: Schema }, index: number | ""): Input =>
  Object.fromEntries(
    Object.entries(members)
      .map(([name, schema]) => [name, fattest(schema, index)] as const)
      .filter(([, value]) => value !== undefined)
  )

/** The longest body of a schema of the OpenAPI document, without these members. */
export const fattestBody = (schema: string, ...omitted: ReadonlyArray<string>): Input => {
  const body = fattest(named(schema))
  if (!Predicate.isObject(body)) throw new Error(`${schema} is no object`)
  return Object.fromEntries(Object.entries(body).filter(([name]) => !omitted.includes(name)))
}

let made = 0

/** As many external references as a record may have, which no other record has. */
export const fatRefs = () => {
  made++
  return many(20, (index) => ({ namespace: fat(200, `${made}-${index}`), externalId: fat(200) }))
}

/** A ring of this many positions, as GeoJSON; `altitude` is a third number of each, if any. */
export const outline = (positions: number, ...altitude: ReadonlyArray<number>) => {
  const at = (index: number) => {
    const angle = (index / (positions - 1)) * 2 * Math.PI
    return [Number((11 + Math.cos(angle)).toFixed(7)), Number((48 + Math.sin(angle)).toFixed(7)), ...altitude]
  }
  return { type: "Polygon", coordinates: [[...many(positions - 1, at), at(0)]] }
}
