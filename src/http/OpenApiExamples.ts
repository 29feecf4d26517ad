/** Examples of whole bodies, made of the examples of their members. */
import {
  type Content,
  type Example,
  isObject,
  mapValues,
  type Operation,
  referenceOf,
  type Schema,
  type Schemas
} from "./OpenApiSpec.ts"

const fallback: Readonly<Record<string, unknown>> = { string: "text", integer: 1, number: 1, boolean: true }

const alternativesOf = (schema: Schema): ReadonlyArray<Schema> =>
  [schema["anyOf"], schema["oneOf"]].flatMap((schemas) => (Array.isArray(schemas) ? schemas.filter(isObject) : []))

/** An item of each kind, in the order of a batch: receipts have an `index`. */
const itemsOf = (items: Schema, schemas: Schemas): ReadonlyArray<unknown> => {
  const alternatives = alternativesOf(items)
  const kinds =
    alternatives.some((kind) => referenceOf(kind) === undefined) || alternatives.length === 0 ? [items] : alternatives
  return kinds.map((kind, index) => {
    const example = exampleOf(kind, schemas)
    return isObject(example) && "index" in example ? { ...example, index } : example
  })
}

/** Whether examples of `schema` go without a member: nobody should use one that is deprecated and may be absent. */
const isLeftOut = (name: string, member: unknown, { required }: Schema): boolean =>
  isObject(member) && member["deprecated"] === true && !(Array.isArray(required) && required.includes(name))

/** An example of a value of `schema`, made of the first example, default or known value of each part. */
export const exampleOf = (schema: Schema, schemas: Schemas): unknown => {
  const { allOf, examples, items, properties } = schema
  if (Array.isArray(examples) && examples.length > 0) return examples[0]
  const target = schemas[referenceOf(schema) ?? ""]
  if (target !== undefined) return exampleOf(target, schemas)
  if (Array.isArray(schema["enum"])) return schema["enum"][0]
  if ("default" in schema) return schema["default"]
  const alternative = alternativesOf(schema).find(({ type }) => type !== "null")
  if (alternative !== undefined) return exampleOf(alternative, schemas)
  if (Array.isArray(allOf)) {
    return exampleOf({ ...schema, allOf: undefined, ...(Object.assign({}, ...allOf) as Schema) }, schemas)
  }
  if (isObject(properties)) {
    const shown = Object.entries(properties).filter(([name, member]) => !isLeftOut(name, member, schema))
    return mapValues(Object.fromEntries(shown), (member) => (isObject(member) ? exampleOf(member, schemas) : null))
  }
  if (schema["type"] === "array") return isObject(items) ? itemsOf(items, schemas) : []
  return schema["type"] === "object" ? {} : (fallback[String(schema["type"])] ?? null)
}

/** The examples of a body by the names of its components: one for each problem that a refusal can be. */
const examplesOf = (schema: Schema, schemas: Schemas): Readonly<Record<string, Example>> =>
  Object.fromEntries(
    (Array.isArray(schema["anyOf"]) ? schema["anyOf"].filter(isObject) : [schema]).map((alternative) => [
      referenceOf(alternative) ?? "example",
      { value: exampleOf(alternative, schemas) }
    ])
  )

/** The operation with examples of each body. */
export const withExamples = (operation: Operation, schemas: Schemas): Operation => {
  const exemplified = <A extends { readonly content?: Content }>(message: A): A =>
    message.content === undefined
      ? message
      : {
          ...message,
          content: mapValues(message.content, ({ schema }) => ({ schema, examples: examplesOf(schema, schemas) }))
        }
  return {
    ...operation,
    ...(operation.requestBody === undefined ? {} : { requestBody: exemplified(operation.requestBody) }),
    responses: mapValues(operation.responses, exemplified)
  }
}
