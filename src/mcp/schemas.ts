/** JSON Schemas of tools, as short as they can be: an agent reads all of them before its first call. */
import { Predicate, Schema } from "effect"

/** A JSON Schema. */
export type JsonSchema = { readonly [keyword: string]: unknown }

type Document = ReturnType<typeof Schema.toJsonSchemaDocument>

// What a refused call explains better than a schema that is read with each conversation.
const left = new Set([
  "additionalProperties",
  "examples",
  "pattern",
  "format",
  "minLength",
  "maxLength",
  "title",
  "default",
  "minItems",
  "maxItems"
])

const isNull = (schema: unknown) => Predicate.hasProperty(schema, "type") && schema.type === "null"

const withDescription = (schema: JsonSchema, description: unknown): JsonSchema =>
  description === undefined ? schema : { ...schema, description }

// The bounds of all integers that JSON keeps: `integer` says enough.
const isSafeBound = (keyword: string, value: unknown) =>
  (keyword === "minimum" || keyword === "maximum") && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER

/** Nullable types as a list of types, where that says the same. */
const nullable = (schema: JsonSchema): JsonSchema => {
  const { type } = schema
  if (typeof type !== "string") return { anyOf: [schema, { type: "null" }] }
  const { enum: values, ...rest } = schema
  return { ...rest, type: [type, "null"], ...(Array.isArray(values) ? { enum: [...values, null] } : {}) }
}

const compact = (value: unknown, definitions: Document["definitions"], drop: ReadonlySet<string>): unknown => {
  if (Array.isArray(value)) return value.map((item) => compact(item, definitions, drop))
  if (!Predicate.isObject(value)) return value
  const schema = value as JsonSchema
  if (typeof schema["$ref"] === "string") {
    const target = definitions[schema["$ref"].slice("#/$defs/".length)]
    return compact({ ...target, ...withDescription({}, schema["description"]) }, definitions, drop)
  }
  const { allOf, anyOf, properties, ...rest } = schema
  // Checks of one value; each only adds keywords.
  const parts: ReadonlyArray<JsonSchema> = Array.isArray(allOf) ? allOf : []
  const own: Record<string, unknown> = {}
  for (const [keyword, item] of Object.entries(Object.assign({}, ...parts, rest) as JsonSchema)) {
    if (drop.has(keyword) || isSafeBound(keyword, item)) continue
    own[keyword] = keyword === "items" ? compact(item, definitions, drop) : item
  }
  if (Predicate.isObject(properties)) {
    own["properties"] = Object.fromEntries(
      Object.entries(properties).map(([name, item]) => [name, compact(item, definitions, drop)])
    )
  }
  if (!Array.isArray(anyOf)) return own
  const alternatives = anyOf
    .filter((item) => !isNull(item))
    .map((item) => compact(item, definitions, drop) as JsonSchema)
  const [only, ...others] = alternatives
  if (only === undefined || others.length > 0) {
    return { ...own, anyOf: [...alternatives, ...(alternatives.length < anyOf.length ? [{ type: "null" }] : [])] }
  }
  return { ...(alternatives.length < anyOf.length ? nullable(only) : only), ...own }
}

/** The schema of a tool's arguments: closed, each member described, without what only a refusal needs to say. */
export const inputSchema = (schema: Schema.Top): JsonSchema => {
  const { definitions, schema: root } = Schema.toJsonSchemaDocument(schema)
  // Of an object without members, Effect says only that it is not null. Hosts expect `properties`.
  const { not: _, ...own } = compact(root, definitions, left) as JsonSchema
  return { type: "object", ...("properties" in own ? own : { ...own, properties: {} }), additionalProperties: false }
}

const leftOfOutput = new Set([...left, "description", "enum", "minimum", "maximum"])

/** Objects in objects without their members, but for the rows of a page: the answer itself shows them. */
const shallow = (schema: JsonSchema, depth: number): JsonSchema => {
  const { items, properties, required, ...rest } = schema
  if (Predicate.isObject(items)) return { ...rest, items: shallow(items as JsonSchema, depth) }
  if (!Predicate.isObject(properties) || depth === 0) return rest
  const inner = Object.entries(properties as JsonSchema).map(([name, item]) => [
    name,
    shallow(item as JsonSchema, (item as JsonSchema)["type"] === "array" ? depth - 1 : 0)
  ])
  return { ...rest, ...(depth < 2 ? {} : { required }), properties: Object.fromEntries(inner) }
}

/**
 * The schema of a tool's answers. It is open, since clients refuse answers with members that they do not know where it is closed; and it
 * holds for an error, too, because older clients validate errors as well.
 */
export const outputSchema = (schema: Schema.Top): JsonSchema => {
  const { definitions, schema: root } = Schema.toJsonSchemaDocument(schema)
  const { properties, required, ...rest } = shallow(compact(root, definitions, leftOfOutput) as JsonSchema, 2)
  return {
    type: "object",
    ...rest,
    properties: { ...(properties as JsonSchema), error: { type: "object" } },
    anyOf: [{ required: required ?? [] }, { required: ["error"] }]
  }
}
