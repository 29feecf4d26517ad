/** The schemas of the OpenAPI document: objects that are open to unknown members. */
import {
  isObject,
  mapOperations,
  mapValues,
  operationsOf,
  type Paths,
  referenceOf,
  type Schemas
} from "./OpenApiSpec.ts"

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
