/** Merged records in the OpenAPI document: reads of what is now another's are sent on to that one. */
import type { Document, Operation } from "./OpenApiShape.ts"

const merged = "#/components/schemas/Merged"

/** Takes the refusal as merged from an operation; answers whether it was there. */
const withoutRefusal = (operation: Operation): boolean => {
  const refused = operation.responses["409"]
  const media = refused?.content?.["application/problem+json"]
  if (refused === undefined || media === undefined) return false
  const isMerged = ({ $ref }: { readonly [key: string]: unknown }) => $ref === merged
  if (isMerged(media.schema)) {
    delete operation.responses["409"]
    return true
  }
  const kinds = (media.schema["anyOf"] ?? []) as ReadonlyArray<{ readonly [key: string]: unknown }>
  const index = kinds.findIndex(isMerged)
  if (index < 0) return false
  media.schema = { anyOf: kinds.toSpliced(index, 1) }
  refused.description = refused.description.split(" | ").toSpliced(index, 1).join(" | ")
  return true
}

/** Below which paths there are records that can become part of others. */
const mergeable = (document: Document): ReadonlyArray<string> =>
  Object.keys(document.paths)
    .filter((path) => path.endsWith("/merge"))
    .map((path) => path.slice(0, -"/merge".length))

/** Lets reads answer 301 where contracts say that they are refused as merged (see RestAdapter.ts). */
export const addMoves = (document: Document): void => {
  const records = mergeable(document)
  for (const [path, { get }] of Object.entries(document.paths)) {
    if (get === undefined || !withoutRefusal(get)) continue
    const record = records.find((one) => path === one || path.startsWith(`${one}/`))
    if (record === undefined) continue
    const example = get.parameters
      .filter((one) => one.in === "path")
      .reduce((filled, { example: id, name }) => filled.replace(`{${name}}`, String(id)), path)
    get.responses["301"] = {
      description: "The record has become part of another: what was asked for is at the same place below that one.",
      headers: {
        location: {
          description: "The same path and query, with the other record's id.",
          required: true,
          schema: { type: "string", examples: [example] }
        }
      }
    }
  }
}
