/** The schemas of the OpenAPI document, where the service sends or takes something else than effect's codecs do. */
import {
  isObject,
  mapOperations,
  mapValues,
  operationsOf,
  type Paths,
  referenceOf,
  type Schemas
} from "./OpenApiSpec.ts"

/** An example of a request's id. */
export const exampleRequestId = "req_0b9e6ad1c0f84d0a9d1f3f0f6a4f7c11"

const valueOf = (member: unknown): unknown =>
  isObject(member) && Array.isArray(member["enum"]) ? member["enum"][0] : undefined

/**
 * Problems as the edge completes them: with an absolute `type` and the request's id. Clients tell problems apart by `code`:
 * the address and the prose of this deployment are examples.
 */
export const withProblems = (schemas: Schemas, baseUrl: string): Schemas =>
  mapValues(schemas, (schema) => {
    const { instance: _, ...members } = isObject(schema["properties"]) ? schema["properties"] : {}
    const path = valueOf(members["type"])
    if (typeof path !== "string" || !path.startsWith("/help/") || !Array.isArray(schema["required"])) return schema
    const title = valueOf(members["title"])
    const completed = {
      detail: { ...Object(members["detail"]), examples: [title] },
      requestId: { ...Object(members["requestId"]), examples: [exampleRequestId] },
      type: {
        type: "string",
        format: "uri",
        description: "The address of a page that explains the problem.",
        examples: [`${baseUrl}${path}`]
      },
      status: { ...Object(members["status"]), description: "The status code of the response." },
      title: { type: "string", description: "The kind of problem, for people.", examples: [title] }
    }
    const required = new Set([...schema["required"], "type", "status", "title", "requestId"])
    return { ...schema, properties: { ...members, ...completed }, required: [...required] }
  })

/** The names of the components that a part of the document refers to, directly or through others. */
const referencesIn = (part: unknown, schemas: Schemas, found: Set<string>): Set<string> => {
  if (typeof part !== "object" || part === null) return found
  const name = isObject(part) ? referenceOf(part) : undefined
  if (name !== undefined && !found.has(name)) referencesIn(schemas[name], schemas, found.add(name))
  for (const inner of Object.values(part)) referencesIn(inner, schemas, found)
  return found
}

const opened = <A>(part: A): A => {
  if (Array.isArray(part)) return part.map(opened) as A
  if (!isObject(part)) return part
  const { additionalProperties, ...others } = mapValues(part, opened)
  return (
    additionalProperties === undefined || additionalProperties === false ? others : { ...others, additionalProperties }
  ) as A
}

// A merge patch may repeat read-only members, and a form of OAuth may have any member.
const openTypes = ["application/merge-patch+json", "application/x-www-form-urlencoded"]

/**
 * Effect closes every object to unknown members. The service closes JSON bodies of requests only: responses may get new
 * members.
 */
export const withOpenObjects = (
  paths: Paths,
  schemas: Schemas
): { readonly paths: Paths; readonly schemas: Schemas } => {
  const bodies = operationsOf(paths).flatMap(({ requestBody }) => Object.entries(requestBody?.content ?? {}))
  const sent = referencesIn(bodies, schemas, new Set())
  const openBodies = new Set(
    bodies.filter(([type]) => openTypes.includes(type)).map(([, { schema }]) => referenceOf(schema))
  )
  return {
    paths: mapOperations(paths, (operation) => ({ ...operation, responses: opened(operation.responses) })),
    schemas: mapValues(schemas, (schema, name) => {
      if (!sent.has(name)) return opened(schema)
      const { additionalProperties: _, ...others } = schema
      return openBodies.has(name) ? others : schema
    })
  }
}
