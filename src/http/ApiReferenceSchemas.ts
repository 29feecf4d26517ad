/** Schemas as the page `/docs` needs them: it takes a moment for each member of each object of the document. */
import { isObject } from "./OpenApiSpec.ts"

const isNull = (schema: unknown): boolean =>
  isObject(schema) && schema["type"] === "null" && Object.keys(schema).length === 1

const isDisjoint = (one: object, other: object): boolean => Object.keys(one).every((key) => !(key in other))

/** `anyOf` of a schema with a type and of null is that schema with two types. */
const withNull = (schema: { readonly [key: string]: unknown }): { readonly [key: string]: unknown } => {
  const { anyOf, ...others } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema
  const [value, nothing]: ReadonlyArray<unknown> = anyOf
  return isNull(nothing) &&
    isObject(value) &&
    typeof value["type"] === "string" &&
    !("enum" in value) &&
    isDisjoint(value, others)
    ? { ...value, type: [value["type"], "null"], ...others }
    : schema
}

/** Conditions in `allOf` stand as well beside the type, unless one is there. */
const withConditions = (schema: { readonly [key: string]: unknown }): { readonly [key: string]: unknown } => {
  const { allOf, ...others } = schema
  if (!Array.isArray(allOf) || allOf.length !== 1) return schema
  const [conditions]: ReadonlyArray<unknown> = allOf
  return isObject(conditions) && !("$ref" in conditions) && isDisjoint(conditions, others)
    ? { ...others, ...conditions }
    : schema
}

/** A schema without the examples of its members, in as few parts as possible: operations have examples of whole bodies. */
export const simplified = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(simplified)
  if (!isObject(schema)) return schema
  const { examples, ...others } = schema
  // A member of this name is no example.
  const kept = Array.isArray(examples) || examples === undefined ? others : schema
  const parts = Object.fromEntries(Object.entries(kept).map(([key, value]) => [key, simplified(value)]))
  return withNull(withConditions(parts))
}
