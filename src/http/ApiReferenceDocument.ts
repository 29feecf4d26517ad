/**
 * The document that `/docs` renders: the OpenAPI document without what would only slow the page down. Programs read the whole
 * one at `/openapi.json`.
 */
import { simplified } from "./ApiReferenceSchemas.ts"
import { type Document, isObject, mapValues } from "./OpenApiSpec.ts"

/** The refusals that every operation shares: the introduction names them once. */
const everywhere = ["401", "429", "500", "503"]

/** The headers that every answer has: the introduction tells of them. */
const headersEverywhere = ["x-request-id", "ratelimit", "ratelimit-policy"]

const isShared = (response: unknown): boolean => isObject(response) && "$ref" in response

/** A response without the headers that every answer has. */
const withoutHeaders = (response: unknown): unknown => {
  if (!isObject(response) || !isObject(response["headers"])) return response
  const { headers, ...others } = response
  const own = Object.entries(headers).filter(([name]) => !headersEverywhere.includes(name))
  return own.length === 0 ? others : { ...others, headers: Object.fromEntries(own) }
}

/** An operation without the shared refusals, and with its samples under the name that the page reads. */
const shortened = (operation: object): object => {
  const { "x-codeSamples": samples, responses, ...others } = operation as Readonly<Record<string, unknown>>
  return {
    ...others,
    ...(samples === undefined ? {} : { "x-code-samples": samples }),
    responses: Object.fromEntries(
      Object.entries(isObject(responses) ? responses : {})
        .filter(([status, response]) => !(everywhere.includes(status) && isShared(response)))
        .map(([status, response]) => [status, withoutHeaders(response)])
    )
  }
}

const note = `

## This page

It leaves out what every operation can answer: ${everywhere.join(", ")}, of which [all problems](/help) tells, and the headers of every answer: ${headersEverywhere.map((name) => `\`${name}\``).join(", ")}. The [OpenAPI document](/openapi.json) has every answer of every operation.`

/** The document of the page for the API of `document`. */
export const make = (document: Document): object => ({
  ...document,
  info: { ...document.info, description: `${document.info.description ?? ""}${note}` },
  paths: mapValues(document.paths, (item) => mapValues(item, shortened)),
  components: {
    ...document.components,
    schemas: mapValues(document.components.schemas, simplified),
    responses: mapValues(document.components.responses, withoutHeaders)
  }
})
