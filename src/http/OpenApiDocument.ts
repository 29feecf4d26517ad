/**
 * The OpenAPI 3.1 document: what the contracts say, completed with what every operation shares: what it needs of its
 * caller, typed parameters, the headers that the edge and the authorisation add, and an example for each request and
 * answer.
 */
import { Context, Schema } from "effect"
import { type HttpApi, type HttpApiEndpoint, type HttpApiGroup, OpenApi } from "effect/http-api"
import { hasOptionalBody, type Needed, Needs } from "./Contract.ts"
import { markDeprecated } from "./OpenApiDeprecations.ts"
import { addDryRuns } from "./OpenApiDryRuns.ts"
import { exampleOf, type JsonSchema } from "./OpenApiExamples.ts"
import { addMoves } from "./OpenApiMoves.ts"
import { completeProblems, exampleRequestId } from "./OpenApiProblems.ts"
import { addSamples } from "./OpenApiSamples.ts"
import { type Document, type Operation, operationsOf } from "./OpenApiShape.ts"
import { addWebhooks } from "./OpenApiWebhooks.ts"
import { version } from "../version.ts"

const description = `The API of Property Network, for brokers' and investors' CRM integrations.

- **Authentication**: \`Authorization: Bearer <token>\`, a personal access token or one that \`POST /openid/token\` gives to a client.
- **Errors** are \`application/problem+json\` (RFC 9457): \`code\` is for programs, \`detail\` for people, \`errors\` lists all faults at once, \`type\` leads to an explanation.
- **Checks** come in one order: 401, 403 and 404, 415 and 400 (syntax), 428, 412, 400 (validation), 409.
- **Lists** page by \`cursor\`; \`updated_since\` turns them into a delta that never misses a change.
- **Updates** are merge patches with \`If-Match\`; **creates** are safe to repeat with \`Idempotency-Key\`; \`Prefer: dry-run\` rehearses any write.
- **Enumerations in answers are open**: new values may be added without notice.
- **Ids** are opaque.`

const rateHeaders = {
  "ratelimit-policy": {
    description: "The caller's budget: requests `q` per window of `w` seconds.",
    schema: { type: "string", examples: ['"pat";q=60;w=60'] }
  },
  ratelimit: {
    description: "What is left of it: `r` requests, for `t` seconds.",
    schema: { type: "string", examples: ['"pat";r=59;t=42'] }
  }
}

const requestId = {
  "x-request-id": {
    description: "The request's id: the one that was sent, if it was safe, else a new one.",
    schema: { type: "string", examples: [exampleRequestId] }
  }
}

const statusHeaders: Record<string, Record<string, unknown>> = {
  "401": {
    "www-authenticate": {
      description: "How to authenticate.",
      schema: { type: "string", examples: ['Bearer error="invalid_token"'] }
    }
  },
  "415": {
    "accept-patch": {
      description: "On PATCH: the types that are read.",
      schema: { type: "string", examples: ["application/merge-patch+json, application/json"] }
    }
  },
  "416": {
    "content-range": {
      description: "How many bytes there are.",
      schema: { type: "string", examples: ["bytes */4096"] }
    }
  },
  "429": {
    "retry-after": { description: "Seconds until the window ends.", schema: { type: "string", examples: ["42"] } }
  },
  "503": { "retry-after": { description: "Seconds to wait.", schema: { type: "string", examples: ["5"] } } }
}

const needs: Record<Needed, string> = {
  public: "No token is needed.",
  none: "Any caller may do this, with any capability or none, invited to the team or in it.",
  member: "Needs an active membership of the team, and no capability.",
  broker: "Needs the `broker` capability and an active membership of the team.",
  investor: "Needs the `investor` capability and an active membership of the team.",
  "investor-requested":
    "Needs the `investor` capability, approved or only requested, and an active membership of the team."
}

/** Without the suffixes that tell the two sides of a schema, or its two media types, apart. */
const renamed = (document: Document): Document => {
  const names = Object.keys(document.components.schemas)
  const plain = new Map<string, string>()
  for (const name of names) {
    const short = name.replace(/(?:Encoded|_\d+)+$/, "")
    if (short !== name) plain.set(name, short)
  }
  const text = JSON.stringify(document).replaceAll(/"#\/components\/schemas\/([^"]+)"/g, (match, name: string) =>
    plain.has(name) ? `"#/components/schemas/${plain.get(name)}"` : match
  )
  const result = JSON.parse(text) as Document
  for (const [name, short] of plain) {
    const schema = result.components.schemas[name]
    delete result.components.schemas[name]
    if (schema !== undefined) result.components.schemas[short] ??= schema
  }
  return result
}

const references = (value: unknown, found: Set<string>, schemas: Record<string, JsonSchema>): void => {
  if (typeof value !== "object" || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (key === "$ref" && typeof inner === "string") {
      const name = inner.slice(inner.lastIndexOf("/") + 1)
      if (!found.has(name)) {
        found.add(name)
        references(schemas[name], found, schemas)
      }
    } else references(inner, found, schemas)
  }
}

/** Answers may get new members, so only what clients send is closed. */
const openAnswers = (document: Document): void => {
  const sent = new Set<string>()
  for (const operation of operationsOf(document)) references(operation.requestBody, sent, document.components.schemas)
  const open = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return
    if ("additionalProperties" in value && value.additionalProperties === false) delete value.additionalProperties
    Object.values(value).forEach(open)
  }
  for (const [name, schema] of Object.entries(document.components.schemas)) if (!sent.has(name)) open(schema)
  for (const operation of operationsOf(document)) open(operation.responses)
}

const lenient = /Patch$|^Token(?:Request|Question)$/

/**
 * What a client has read may be sent back in a patch, read-only members included, and a form of OAuth may have members
 * that nobody knows: neither is closed.
 */
const openRequests = (document: Document): void => {
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    if (!lenient.test(name)) continue
    delete schema["additionalProperties"]
    if (name.endsWith("Patch")) schema["description"] = `${String(schema["description"])} Unknown members are refused.`
  }
}

/** The schemas of parameters as the values that they mean: a page size is an integer, though it is written as text. */
const parameterSchemas = (endpoint: HttpApiEndpoint.Top): Record<string, JsonSchema> => {
  const result: Record<string, JsonSchema> = {}
  for (const schema of [endpoint.query, endpoint.headers, endpoint.params]) {
    if (schema === undefined) continue
    const document = Schema.toJsonSchemaDocument(Schema.toType(schema))
    Object.assign(result, (document.schema as { properties?: Record<string, JsonSchema> }).properties ?? {})
  }
  return result
}

const moments = ["updated_since", "created_after", "created_before"]

/** What the text of a parameter has to look like. */
const describeText = (name: string, example: unknown): { readonly format?: string; readonly hint: string } => {
  if (moments.includes(name)) {
    return {
      format: "date-time",
      hint: ` A date, or a date and time with an offset, such as \`${String(example)}\`; in a URL, write \`+\` as \`%2B\`.`
    }
  }
  return { hint: name === "external_ref" ? ` Written NAMESPACE:ID, such as \`${String(example)}\`.` : "" }
}

const typeParameters = (operation: Operation, endpoint: HttpApiEndpoint.Top): void => {
  const schemas = parameterSchemas(endpoint)
  for (const parameter of operation.parameters) {
    const { description, ...schema } = schemas[parameter.name] ?? parameter.schema
    const [example]: ReadonlyArray<unknown> = Array.isArray(schema["examples"]) ? schema["examples"] : []
    const { hint, ...format } = describeText(parameter.name, example)
    parameter.schema = { ...schema, ...format }
    if (typeof description === "string") parameter.description = `${description}${hint}`
    // The documentation page sends what has an example, and a dry run or a filter is nobody's first request.
    if (example !== undefined && (parameter.required || parameter.name === "page_size")) parameter.example = example
    delete parameter.schema["examples"]
    if (parameter.in === "header") {
      parameter.name = parameter.name.replaceAll(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase())
    }
  }
}

const tellNeeds = (operation: Operation, endpoint: HttpApiEndpoint.Top): void => {
  const needed = Context.get(endpoint.annotations, Needs)
  operation["x-capability"] = needed
  operation.description = `${operation.description} ${needs[needed]}`
}

/** Completes each operation by what its endpoint says in other words than those of OpenAPI. */
const completeOperations = (document: Document, api: { readonly groups: Record<string, HttpApiGroup.Top> }): void => {
  const operations = new Map(operationsOf(document).map((operation) => [operation.operationId, operation]))
  for (const group of Object.values(api.groups)) {
    for (const endpoint of Object.values(group.endpoints)) {
      const operation = operations.get(`${group.identifier}.${endpoint.identifier}`)
      if (operation === undefined) continue
      typeParameters(operation, endpoint)
      tellNeeds(operation, endpoint)
      if (operation.requestBody !== undefined) operation.requestBody.required = !hasOptionalBody(endpoint)
    }
  }
}

const addHeaders = (document: Document): void => {
  for (const operation of operationsOf(document)) {
    for (const [status, response] of Object.entries(operation.responses)) {
      response.headers = {
        ...response.headers,
        ...requestId,
        ...(operation.security.length > 0 && status !== "401" && status !== "503" ? rateHeaders : {}),
        ...statusHeaders[status]
      }
    }
    if (operation.parameters.some((parameter) => parameter.name === "If-None-Match")) {
      operation.responses["304"] = {
        description: "Unchanged: the resource still has one of the ETags that `If-None-Match` lists.",
        headers: {
          etag: { description: "The resource's strong validator.", schema: { type: "string" } },
          ...requestId,
          ...rateHeaders
        }
      }
    }
  }
}

const addExamples = (document: Document): void => {
  const { schemas } = document.components
  for (const operation of operationsOf(document)) {
    for (const media of Object.values(operation.requestBody?.content ?? {})) {
      media.example ??= exampleOf(media.schema, schemas)
    }
    for (const response of Object.values(operation.responses)) {
      for (const media of Object.values(response.content ?? {})) {
        media.example ??= exampleOf(media.schema, schemas)
      }
    }
  }
}

/** A bearer token can be had by OAuth; the token endpoint itself takes the client's id and secret. */
const addSchemes = (document: Document, baseUrl: string): void => {
  const schemes = document.components.securitySchemes
  // Documentation pages know the scheme in lower case only.
  schemes["bearer"] = { ...schemes["bearer"], scheme: "bearer" }
  schemes["oauth2"] = {
    type: "oauth2",
    description: "An OAuth client of the team; the operator registers it.",
    flows: {
      clientCredentials: {
        tokenUrl: `${baseUrl}/openid/token`,
        scopes: { "api:public": "The whole API." }
      }
    }
  }
  schemes["client"] = {
    type: "http",
    scheme: "basic",
    description: "The client's id and secret; they may be in the form instead (`client_id`, `client_secret`)."
  }
  for (const [path, item] of Object.entries(document.paths)) {
    for (const operation of Object.values(item)) {
      if (operation.security.length > 0) operation.security.push({ oauth2: ["api:public"] })
      else if (path.startsWith("/openid/")) operation.security = [{ client: [] }, {}]
    }
  }
}

/** The document of an API that clients reach at `baseUrl`. */
export const make = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  baseUrl: string
): Document => {
  const plain: unknown = OpenApi.fromApi(api)
  const document = renamed(plain as Document)
  document.info = {
    title: "Property Network",
    version,
    description,
    license: { name: "MIT", url: "https://opensource.org/license/mit" }
  }
  document.servers = [{ url: baseUrl }]
  delete document.security
  completeProblems(document, baseUrl)
  markDeprecated(document)
  const groups: unknown = api
  completeOperations(document, groups as { readonly groups: Record<string, HttpApiGroup.Top> })
  openAnswers(document)
  openRequests(document)
  addDryRuns(document)
  addMoves(document)
  addHeaders(document)
  addSchemes(document, baseUrl)
  addExamples(document)
  addSamples(document, baseUrl)
  addWebhooks(document)
  return document
}
