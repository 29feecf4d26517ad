/** Deprecated members in the OpenAPI document, marked where tools look for it. */
import type { JsonSchema } from "./OpenApiExamples.ts"
import type { Document } from "./OpenApiShape.ts"

const isRecord = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** What is said of a member that may be null, as a part that all its values match, goes to the member itself. */
const hoisted = (member: JsonSchema): JsonSchema => {
  const { allOf, ...others } = member
  if (!Array.isArray(allOf)) return member
  const parts: ReadonlyArray<unknown> = allOf
  const isMark = (part: unknown): part is JsonSchema => isRecord(part) && part["deprecated"] === true
  const rest = parts.filter((part) => !isMark(part))
  const marks = Object.assign({}, ...parts.filter(isMark)) as JsonSchema
  return { ...others, ...(rest.length === 0 ? {} : { allOf: rest }), ...marks }
}

/** Marks the members that are deprecated. */
export const markDeprecated = (document: Document): void => {
  for (const schema of Object.values(document.components.schemas)) {
    const properties = schema["properties"]
    if (!isRecord(properties)) continue
    for (const [name, member] of Object.entries(properties)) if (isRecord(member)) properties[name] = hoisted(member)
  }
}
