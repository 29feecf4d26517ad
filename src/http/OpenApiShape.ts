/** What the OpenAPI document is made of, as far as its parts need to know. */
import type { Needed } from "./Contract.ts"
import type { JsonSchema } from "./OpenApiExamples.ts"

/** A body of one media type. */
export interface Media {
  schema: JsonSchema
  example?: unknown
}

/** A parameter of the path, the query or the headers. */
export interface Parameter {
  name: string
  in: string
  schema: JsonSchema
  description?: string
  required: boolean
  example?: unknown
}

/** One method of one path. */
export interface Operation {
  operationId: string
  description: string
  "x-capability": Needed
  "x-codeSamples"?: ReadonlyArray<{ readonly lang: string; readonly label: string; readonly source: string }>
  parameters: Array<Parameter>
  responses: Record<
    string,
    {
      description: string
      headers?: Record<string, unknown>
      content?: Record<string, Media>
    }
  >
  requestBody?: { required: boolean; content: Record<string, Media> }
  security: Array<object>
}

/** The whole. */
export interface Document {
  openapi: string
  info: Record<string, unknown>
  servers?: Array<unknown>
  paths: Record<string, Record<string, Operation>>
  webhooks?: Record<string, object>
  components: { schemas: Record<string, JsonSchema>; securitySchemes: Record<string, object> }
  security?: Array<unknown>
}

/** Every operation of every path. */
export const operationsOf = (document: Document): ReadonlyArray<Operation> =>
  Object.values(document.paths).flatMap((item) => Object.values(item))
