/** Problems in the OpenAPI document, as they are sent. */
import type { JsonSchema } from "./OpenApiExamples.ts"
import type { Document } from "./OpenApiShape.ts"

/** An example of a request's id. */
export const exampleRequestId = "req_0b9e6ad1c0f84d0a9d1f3f0f6a4f7c11"

const first = (schema: JsonSchema | undefined): unknown =>
  Array.isArray(schema?.["enum"]) ? schema["enum"][0] : undefined

const alwaysSent = ["type", "status", "title", "requestId"]

/**
 * With an absolute type and the request's id, and without `instance`. What tells problems apart is `code`: the address
 * and the prose of this deployment are examples only.
 */
export const completeProblems = (document: Document, baseUrl: string): void => {
  for (const schema of Object.values(document.components.schemas)) {
    const properties = schema["properties"] as Record<string, JsonSchema> | undefined
    const path = first(properties?.["type"])
    if (properties === undefined || typeof path !== "string" || !path.startsWith("/help/")) continue
    const title = first(properties["title"])
    properties["type"] = {
      type: "string",
      format: "uri",
      description: "Leads to an explanation.",
      examples: [`${baseUrl}${path}`]
    }
    properties["title"] = { type: "string", description: "The kind of refusal, for people.", examples: [title] }
    properties["status"] = { ...properties["status"], description: "The status of the answer." }
    properties["detail"] = { ...properties["detail"], examples: [title] }
    properties["requestId"] = { ...properties["requestId"], examples: [exampleRequestId] }
    delete properties["instance"]
    schema["required"] = [...new Set([...(schema["required"] as ReadonlyArray<string>), ...alwaysSent])]
  }
}
