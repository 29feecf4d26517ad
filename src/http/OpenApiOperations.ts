/** The operations of the OpenAPI document: what their endpoints say in schemas and annotations that effect does not read. */
import { Context, Schema } from "effect"
import { type HttpApiEndpoint, type HttpApiGroup, OpenApi } from "effect/http-api"
import { hasOptionalBody, type Needed, Needs, OnlyReads } from "./Contract.ts"
import { withReport } from "./OpenApiDryRun.ts"
import { exampleRequestId } from "./OpenApiProblems.ts"
import { type Header, isObject, mapValues, type Operation, type Parameter } from "./OpenApiSpec.ts"

const needs: Record<Needed, string> = {
  public: "No token is needed.",
  none: "Needs no capability; a pending membership of the team is enough.",
  member: "Needs an active membership of the team, and no capability.",
  broker: "Needs the `broker` capability and an active membership of the team.",
  investor: "Needs the `investor` capability and an active membership of the team.",
  "broker-or-investor":
    "Needs the `investor` capability, approved or only requested, or the approved `broker` capability, and an active membership of the team.",
  "either-active": "Needs the `broker` or the `investor` capability and an active membership of the team.",
  "admin-or-broker":
    "Needs an active membership of the team, with the role `admin` or the `broker` capability. Other callers get 403 `capability_required`."
}

/** The decoded values of parameters: a page size is an integer, though it is sent as text. Effect documents the text. */
const decodedParameters = (endpoint: HttpApiEndpoint.Top): { readonly [name: string]: unknown } =>
  Object.assign(
    {},
    ...[endpoint.query, endpoint.headers, endpoint.params].map(
      (schema) => schema && Schema.toJsonSchemaDocument(Schema.toType(schema)).schema["properties"]
    )
  )

/** The names of deprecated parameters of the query. */
const deprecatedParameters = ({ query }: HttpApiEndpoint.Top): ReadonlySet<string> => {
  const isDeprecated = (property: unknown): boolean =>
    isObject(property) &&
    (property["deprecated"] === true || (Array.isArray(property["allOf"]) && property["allOf"].some(isDeprecated)))
  const includeAnnotationKey = (key: string) => key === "deprecated"
  const properties =
    query && Schema.toJsonSchemaDocument(Schema.toType(query), { includeAnnotationKey }).schema["properties"]
  return new Set(Object.entries(properties ?? {}).flatMap(([name, property]) => (isDeprecated(property) ? [name] : [])))
}

const headerName = (name: string) => name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())

const parameterOf = (parameter: Parameter, decoded: unknown, deprecated: boolean): Parameter => {
  const { description, examples, ...schema } = isObject(decoded) ? decoded : parameter.schema
  const { in: place, name, required } = parameter
  // Documentation pages fill in parameters that have an example. A first request should have neither dry run nor filters.
  const isExample = Array.isArray(examples) && (required || name === "page_size")
  return {
    name: place === "header" ? headerName(name) : name,
    in: place,
    schema,
    required,
    ...(deprecated ? { deprecated } : {}),
    ...(typeof description === "string" ? { description } : {}),
    ...(isExample ? { example: examples[0] as unknown } : {})
  }
}

const header = (description: string, ...examples: ReadonlyArray<string>): Header => ({
  description,
  required: true,
  schema: { type: "string", ...(examples.length === 0 ? {} : { examples }) }
})

const rateHeaders = {
  "ratelimit-policy": header("The caller's budget: `q` requests in each window of `w` seconds.", '"pat";q=60;w=60'),
  ratelimit: header("The rest of the budget: `r` requests for the next `t` seconds.", '"pat";r=59;t=42')
}

const exampleConsistencyToken = "1m3z9fq0c7v5k.1.2dq4g8"

const requestIdHeader = {
  "x-request-id": header(
    "The request's id: the one that the client sent, if it is well-formed, or else a new one.",
    exampleRequestId
  )
}

const consistencyHeader = {
  "x-consistency-token": {
    ...header(
      "Where copies of the database answer reads: send it with a read that must show this write. Absent without copies.",
      exampleConsistencyToken
    ),
    required: false
  }
}

const consistencyParameter: Parameter = {
  name: "X-Consistency-Token",
  in: "header",
  schema: { type: "string" },
  required: false,
  description:
    "The `X-Consistency-Token` of your latest write, or several with commas in between: the answer shows these writes. Without it, a list, a search or a timeline may be some seconds old where copies of the database answer reads."
}

const retryAfter = header("The seconds to wait before a retry.", "42")

/** The headers that the edge and the adapter send with a status, whatever the operation. */
const statusHeaders: Readonly<Record<string, Readonly<Record<string, Header>>>> = {
  "304": { etag: header("The resource's strong validator.") },
  "401": { "www-authenticate": header("How to authenticate.", 'Bearer error="invalid_token"') },
  "415": {
    "accept-patch": {
      ...header(
        "On PATCH: the media types that the operation accepts.",
        "application/merge-patch+json, application/json"
      ),
      required: false
    }
  },
  "416": { "content-range": header("The size of the file in bytes.", "bytes */4096") },
  "429": { "retry-after": retryAfter },
  "503": { "retry-after": retryAfter }
}

const headersOf = (
  status: string,
  { isAuthorized, isRead }: { readonly isAuthorized: boolean; readonly isRead: boolean }
) => ({
  ...requestIdHeader,
  ...(isAuthorized && !isRead && status.startsWith("2") ? consistencyHeader : {}),
  ...(isAuthorized && status !== "401" && status !== "503" ? rateHeaders : {}),
  // OAuth clients that send no `Authorization` get no challenge.
  ...mapValues(statusHeaders[status] ?? {}, (header, name) =>
    name === "www-authenticate" ? { ...header, required: isAuthorized } : header
  )
})

/** The id of an endpoint's operation: `resource.verb`, such as `contacts.addNote`. */
export const operationIdOf = (group: HttpApiGroup.Constraint, endpoint: HttpApiEndpoint.Top): string =>
  Context.getOrElse(endpoint.annotations, OpenApi.Identifier, () => `${group.identifier}.${endpoint.identifier}`)

/** The operation of an endpoint, completed. */
export const completeOperation = (operation: Operation, endpoint: HttpApiEndpoint.Top): Operation => {
  const decoded = decodedParameters(endpoint)
  const deprecated = deprecatedParameters(endpoint)
  const needed = Context.get(endpoint.annotations, Needs)
  const parameters = operation.parameters.map((parameter) =>
    withReport(parameterOf(parameter, decoded[parameter.name], deprecated.has(parameter.name)))
  )
  const isAuthorized = operation.security.some((requirement) => "bearer" in requirement)
  const isRead = endpoint.method === "GET" || Context.get(endpoint.annotations, OnlyReads)
  const { requestBody } = operation
  return {
    ...operation,
    description: `${operation.description} ${needs[needed]}`,
    parameters: isAuthorized && isRead ? [...parameters, consistencyParameter] : parameters,
    // A client may send an access token that it got by OAuth as its bearer token. Effect knows no such scheme.
    security: isAuthorized ? [...operation.security, { oauth2: ["api:public"] }] : operation.security,
    responses: mapValues(operation.responses, (response, status) => ({
      ...response,
      headers: {
        ...response.headers,
        ...headersOf(status, { isAuthorized, isRead })
      }
    })),
    ...(requestBody === undefined ? {} : { requestBody: { ...requestBody, required: !hasOptionalBody(endpoint) } }),
    "x-capability": needed
  }
}
