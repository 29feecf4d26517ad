/** Examples of whole bodies, made of the examples of their members. */
import { eventTypes } from "../changes/Event.ts"
import {
  type Content,
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
  if (isObject(properties))
    return mapValues(properties, (member) => (isObject(member) ? exampleOf(member, schemas) : null))
  if (schema["type"] === "array") return isObject(items) ? [exampleOf(items, schemas)] : []
  return schema["type"] === "object" ? {} : (fallback[String(schema["type"])] ?? null)
}

/** The resources that a write answers with, or else the last that its path names, and what becomes of them. */
const affectedBy = (operation: Operation, path: string, method: string, result: unknown) => {
  if (isObject(result) && Array.isArray(result["results"])) {
    return result["results"].filter(isObject).map(({ id, status }) => ({ id: String(id), change: String(status) }))
  }
  if (isObject(result)) return [{ id: String(result["id"]), change: "created" }]
  const id = String(operation.parameters.findLast((parameter) => parameter.in === "path")?.example)
  return [{ id, change: method === "delete" && path.endsWith("}") ? "deleted" : "updated" }]
}

/** The report of a dry run of a create, of a batch, or of a write without a response body. */
const reportOf = (operation: Operation, path: string, method: string, schemas: Schemas): unknown => {
  const status = ["201", "207"].find((status) => status in operation.responses) ?? "204"
  const body = operation.responses[status]?.content?.["application/json"]
  // A dry run shows no secret.
  const { secret: _, ...members } = body === undefined ? {} : Object(exampleOf(body.schema, schemas))
  const result: unknown = body === undefined ? null : members
  const affected = affectedBy(operation, path, method, result).map(({ change, id }) => ({
    type: id.slice(0, id.lastIndexOf("_")),
    id,
    change
  }))
  const events = affected
    .map(({ change, id, type }) => ({ event: `${type}.${change}`, resource_id: id }))
    .filter(({ event }) => eventTypes.some((type) => type === event))
  return { wouldAnswer: Number(status), result, events, affected }
}

/** The operation with an example of each body. */
export const withExamples = (operation: Operation, path: string, method: string, schemas: Schemas): Operation => {
  const exampleOfBody = (schema: Schema) =>
    referenceOf(schema) === "DryRunReport" ? reportOf(operation, path, method, schemas) : exampleOf(schema, schemas)
  const exemplified = <A extends { readonly content?: Content }>(message: A): A =>
    message.content === undefined
      ? message
      : {
          ...message,
          content: mapValues(message.content, ({ schema }) => ({ schema, example: exampleOfBody(schema) }))
        }
  return {
    ...operation,
    ...(operation.requestBody === undefined ? {} : { requestBody: exemplified(operation.requestBody) }),
    responses: mapValues(operation.responses, exemplified)
  }
}
