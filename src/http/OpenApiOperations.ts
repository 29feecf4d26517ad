/**
 * The operations of the OpenAPI document: what their endpoints say in schemas and annotations that effect does not read, examples of whole
 * bodies, and a command for each that can be run as it stands.
 */
import { Context, Schema } from "effect"
import { type HttpApiEndpoint, type HttpApiGroup, OpenApi } from "effect/http-api"
import { hasOptionalBody, type Needed, Needs, OnlyReads } from "./Contract.ts"
import {
  type Content,
  type Examples,
  type Header,
  headerName,
  isObject,
  mapValues,
  type Operation,
  type Parameter,
  partsIn,
  referenceOf,
  type Schema as JsonSchema,
  type Schemas
} from "./OpenApiSpec.ts"

/** An example of a request's id. */
export const exampleRequestId = "req_0b9e6ad1c0f84d0a9d1f3f0f6a4f7c11"

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
const decodedIn = (parameters: Schema.Top | undefined, options?: Schema.ToJsonSchemaOptions) => {
  const decoded = parameters && Schema.toJsonSchemaDocument(Schema.toType(parameters), options).schema["properties"]
  return isObject(decoded) ? decoded : {}
}

const isDeprecated = (property: unknown): boolean =>
  isObject(property) && (property["deprecated"] === true || partsIn(property["allOf"]).some(isDeprecated))

const parameterOf = (parameter: Parameter, decoded: unknown, deprecated: boolean): Parameter => {
  const { description, examples, ...schema } = isObject(decoded) ? decoded : parameter.schema
  const { in: place, name, required } = parameter
  // Documentation pages fill in parameters that have an example. A first request should have neither dry run nor filters.
  const isExample = Array.isArray(examples) && (required || name === "page_size")
  return {
    name: place === "header" ? headerName(name) : name,
    in: place,
    // It leads to the report of a dry run: `$defs` has no effect on the values of the header.
    schema:
      name === "prefer"
        ? { ...schema, $defs: { DryRunReport: { $ref: "#/components/schemas/DryRunReport" } } }
        : schema,
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
      "1m3z9fq0c7v5k.1.2dq4g8"
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

const headersOf = (status: string, isAuthorized: boolean, isRead: boolean) => ({
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
  const { annotations, headers, method, params, query } = endpoint
  const decoded = { ...decodedIn(query), ...decodedIn(headers), ...decodedIn(params) }
  const annotated = decodedIn(query, { includeAnnotationKey: (key) => key === "deprecated" })
  const parameters = operation.parameters.map((parameter) =>
    parameterOf(parameter, decoded[parameter.name], isDeprecated(annotated[parameter.name]))
  )
  const needed = Context.get(annotations, Needs)
  const isAuthorized = operation.security.some((requirement) => "bearer" in requirement)
  const isRead = method === "GET" || Context.get(annotations, OnlyReads)
  const { requestBody } = operation
  return {
    ...operation,
    description: `${operation.description} ${needs[needed]}`,
    parameters: isAuthorized && isRead ? [...parameters, consistencyParameter] : parameters,
    // A client may send an access token that it got by OAuth as its bearer token. Effect knows no such scheme.
    security: isAuthorized ? [...operation.security, { oauth2: ["api:public"] }] : operation.security,
    responses: mapValues(operation.responses, (response, status) => ({
      ...response,
      headers: { ...response.headers, ...headersOf(status, isAuthorized, isRead) }
    })),
    ...(requestBody === undefined ? {} : { requestBody: { ...requestBody, required: !hasOptionalBody(endpoint) } }),
    "x-capability": needed
  }
}

const fallback: Readonly<Record<string, unknown>> = { string: "text", integer: 1, number: 1, boolean: true }

const alternativesOf = ({ anyOf, oneOf }: JsonSchema) => [...partsIn(anyOf), ...partsIn(oneOf)]

/** An item of each kind, in the order of a batch: receipts have an `index`. */
const itemsOf = (items: JsonSchema, schemas: Schemas): ReadonlyArray<unknown> => {
  const alternatives = alternativesOf(items)
  const isOneKind = alternatives.length === 0 || alternatives.some((kind) => referenceOf(kind) === undefined)
  return (isOneKind ? [items] : alternatives).map((kind, index) => {
    const example = exampleOf(kind, schemas)
    return isObject(example) && "index" in example ? { ...example, index } : example
  })
}

/** Whether examples of `schema` go without a member: nobody should use one that is deprecated and may be absent. */
const isLeftOut = (name: string, member: unknown, { required }: JsonSchema): boolean =>
  isObject(member) && member["deprecated"] === true && !(Array.isArray(required) && required.includes(name))

/** An example of a value of `schema`, made of the first example, default or known value of each part. */
export const exampleOf = (schema: JsonSchema, schemas: Schemas): unknown => {
  const { allOf, examples, items, properties } = schema
  if (Array.isArray(examples) && examples.length > 0) return examples[0]
  const target = schemas[referenceOf(schema) ?? ""]
  if (target !== undefined) return exampleOf(target, schemas)
  if (Array.isArray(schema["enum"])) return schema["enum"][0]
  if ("default" in schema) return schema["default"]
  const alternative = alternativesOf(schema).find(({ type }) => type !== "null")
  if (alternative !== undefined) return exampleOf(alternative, schemas)
  if (Array.isArray(allOf)) {
    return exampleOf({ ...schema, allOf: undefined, ...(Object.assign({}, ...allOf) as JsonSchema) }, schemas)
  }
  if (isObject(properties)) {
    const shown = Object.entries(properties).filter(([name, member]) => !isLeftOut(name, member, schema))
    return mapValues(Object.fromEntries(shown), (member) => (isObject(member) ? exampleOf(member, schemas) : null))
  }
  if (schema["type"] === "array") return isObject(items) ? itemsOf(items, schemas) : []
  return schema["type"] === "object" ? {} : (fallback[String(schema["type"])] ?? null)
}

/** The examples of a body by the names of its components: one for each problem that a refusal can be. */
const examplesOf = (schema: JsonSchema, schemas: Schemas): Examples =>
  Object.fromEntries(
    (schema["anyOf"] === undefined ? [schema] : partsIn(schema["anyOf"])).map((alternative) => [
      referenceOf(alternative) ?? "example",
      { value: exampleOf(alternative, schemas) }
    ])
  )

/** The operation with examples of each body. */
export const withExamples = (operation: Operation, schemas: Schemas): Operation => {
  const exemplified = <A extends { readonly content?: Content }>(message: A): A =>
    message.content === undefined
      ? message
      : {
          ...message,
          content: mapValues(message.content, ({ schema }) => ({ schema, examples: examplesOf(schema, schemas) }))
        }
  return {
    ...operation,
    ...(operation.requestBody === undefined ? {} : { requestBody: exemplified(operation.requestBody) }),
    responses: mapValues(operation.responses, exemplified)
  }
}

/**
 * A request that an operation takes, with required parameters and `page_size` only. Values that only the caller knows are variables of the
 * shell.
 */
export interface Sample {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The id and the secret of an OAuth client, with a colon between. */
  readonly user?: string
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>>
  /** The files of a form: their names. */
  readonly files?: Readonly<Record<string, string>>
}

/** The name of the file in samples: the caller replaces it by one that exists. */
const sampleFile = "terms.txt"

/** A variable of the shell in place of an example that is shortened. */
const valueOf = (name: string, example: unknown): string =>
  String(example).includes("…") ? `$${name.toUpperCase()}` : String(example)

const sampleBodyOf = ({ requestBody }: Operation, schemas: Schemas) => {
  const [entry] = Object.entries(requestBody?.content ?? {})
  if (entry === undefined) return {}
  const [type, { examples, schema }] = entry
  const [example] = Object.values(examples ?? {}).map(({ value }) => value)
  const { required = [] } = schemas[referenceOf(schema) ?? ""] ?? schema
  const names = Array.isArray(required) ? required.map(String) : []
  // curl writes the type of a form with files, with its boundary.
  if (type === "multipart/form-data") return { files: Object.fromEntries(names.map((name) => [name, sampleFile])) }
  if (type !== "application/x-www-form-urlencoded" || !isObject(example)) return { type, json: example }
  const members = Object.entries(example).filter(([name]) => names.includes(name))
  return { type, form: Object.fromEntries(members.map(([name, value]) => [name, valueOf(name, value)])) }
}

/** The sample of an operation with examples, sent to a service at `baseUrl`. */
export const sampleOf = (
  operation: Operation,
  path: string,
  method: string,
  schemas: Schemas,
  baseUrl: string
): Sample => {
  const values = (place: string, isSent: (parameter: Parameter) => boolean) =>
    operation.parameters
      .filter((parameter) => parameter.in === place && isSent(parameter))
      .map(({ example, name }): [string, string] => [name, String(example)])
  const filled = values("path", () => true).reduce(
    (filled, [name, value]) => filled.replace(`{${name}}`, encodeURIComponent(value)),
    path
  )
  const query = new URLSearchParams(values("query", ({ name, required }) => required || name === "page_size"))
  const { type, ...body } = sampleBodyOf(operation, schemas)
  const takes = (scheme: string) => operation.security.some((requirement) => scheme in requirement)
  return {
    method: method.toUpperCase(),
    url: `${baseUrl}${filled}${query.size === 0 ? "" : `?${query}`}`,
    headers: {
      ...(takes("bearer") ? { Authorization: "Bearer $TOKEN" } : {}),
      ...(type === undefined ? {} : { "Content-Type": type }),
      ...Object.fromEntries(values("header", ({ required }) => required))
    },
    ...(takes("client") ? { user: "$CLIENT_ID:$CLIENT_SECRET" } : {}),
    ...body
  }
}

const literal = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** In double quotes, if the text has a variable for the shell to expand. */
const quoted = (text: string): string =>
  /\$[A-Z_]+/.test(text) ? `"${text.replaceAll(/["\\`]/g, "\\$&")}"` : literal(text)

/** The sample as a command. */
export const curlOf = ({ files, form, headers, json, method, url, user }: Sample): string =>
  [
    `curl${method === "GET" ? "" : ` -X ${method}`} ${literal(url)}`,
    ...(user === undefined ? [] : [`-u ${quoted(user)}`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...Object.entries(form ?? {}).map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`),
    ...Object.entries(files ?? {}).map(([name, file]) => `-F ${literal(`${name}=@${file}`)}`),
    ...(json === undefined ? [] : [`-d ${literal(JSON.stringify(json, null, 2))}`])
  ].join(" \\\n  ")

/** The operation with its sample, which documentation pages show instead of one with every parameter left blank. */
export const withSample = (
  operation: Operation,
  path: string,
  method: string,
  schemas: Schemas,
  baseUrl: string
): Operation => {
  const source = curlOf(sampleOf(operation, path, method, schemas, baseUrl))
  return { ...operation, "x-codeSamples": [{ lang: "Shell", label: "curl", source }] }
}
