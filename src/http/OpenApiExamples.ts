/** Examples of whole documents, put together from the examples of their members. */

/** A JSON Schema, as OpenAPI has it. */
export type JsonSchema = { [key: string]: unknown }

const isSchema = (value: unknown): value is JsonSchema => typeof value === "object" && value !== null

const fallback: Record<string, unknown> = { string: "text", integer: 1, number: 1, boolean: true, null: null }

/** An example of a value of `schema`, made of the first example, default or known value of each part. */
export const exampleOf = (schema: JsonSchema, schemas: Readonly<Record<string, JsonSchema>>, depth = 0): unknown => {
  if (depth > 20) return null
  const inner = (part: JsonSchema) => exampleOf(part, schemas, depth + 1)
  if (Array.isArray(schema["examples"]) && schema["examples"].length > 0) return schema["examples"][0] as unknown
  if (typeof schema["$ref"] === "string") {
    const name = schema["$ref"].slice(schema["$ref"].lastIndexOf("/") + 1)
    const target = schemas[name]
    return target === undefined ? null : inner(target)
  }
  if ("const" in schema) return schema["const"]
  if (Array.isArray(schema["enum"])) return schema["enum"][0] as unknown
  if ("default" in schema) return schema["default"]
  for (const key of ["anyOf", "oneOf"]) {
    const options = schema[key]
    if (Array.isArray(options)) {
      const option = options.filter(isSchema).find((one) => one["type"] !== "null")
      if (option !== undefined) return inner(option)
    }
  }
  if (Array.isArray(schema["allOf"])) {
    const merged: JsonSchema = { ...schema, ...(Object.assign({}, ...schema["allOf"].filter(isSchema)) as JsonSchema) }
    delete merged["allOf"]
    return inner(merged)
  }
  const type = Array.isArray(schema["type"]) ? (schema["type"][0] as unknown) : schema["type"]
  if (type === "object" || isSchema(schema["properties"])) {
    const properties = isSchema(schema["properties"]) ? schema["properties"] : {}
    return Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, isSchema(property) ? inner(property) : null])
    )
  }
  if (type === "array") return isSchema(schema["items"]) ? [inner(schema["items"])] : []
  return fallback[String(type)] ?? null
}
