/** The REST handlers of the token endpoint. */
import { Effect, type Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerRespondable, HttpServerResponse } from "effect/http"
import { BaseUrl } from "../../platform/Config.ts"
import { appScopes as scopesToAskFor, choiceIn, isReadOnly } from "../../http/Authorization.ts"
import { forEverybody } from "../../http/StaticContent.ts"
import { readBytes, readForm } from "../../http/Body.ts"
import { addressOfClient } from "../../http/RequestState.ts"
import { unknownName } from "../../core/usecase/Input.ts"
import { InvalidRequest, NotFound } from "../../core/usecase/Problem.ts"
import { memberNames } from "../../http/Contract.ts"
import { furtherPaths, paths } from "./api.ts"
import { McpResourceQuery, type OAuthError, type ResourceMetadata, type ServerMetadata } from "./Grant.ts"
import { OAuth, type OAuthRequest, type Supported } from "./OAuth.ts"
import { appScopes, refuse, type Refused } from "./rules.ts"

/** The most bytes of the metadata that an app registers. */
const maxMetadataBytes = 16 * 1024

// Answers contain secrets, and an error may be gone with the next request.
const notStored = { "cache-control": "no-store", pragma: "no-cache" }

const json = (
  body: object,
  status: number = 200,
  headers: { readonly [name: string]: string } = notStored
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(JSON.stringify(body), { status, headers, contentType: "application/json" })

const statusOf = (error: Refused["error"]) => (error === "invalid_client" ? 401 : error === "rate_limited" ? 429 : 400)

const refusal = ({ basic, description, error, retryAfterSeconds }: Refused): HttpServerResponse.HttpServerResponse => {
  const body: OAuthError = { error, error_description: description }
  return json(body, statusOf(error), {
    ...notStored,
    ...(retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) }),
    ...(error === "invalid_client" && basic ? { "www-authenticate": 'Basic realm="Property Network"' } : {})
  })
}

const invalid = (description: string) => Effect.fail(refuse("invalid_request", description))

const readRequest = (
  request: HttpServerRequest.HttpServerRequest,
  baseUrl: string
): Effect.Effect<OAuthRequest, Refused> =>
  Effect.gen(function* () {
    if (request.url.includes("?")) return yield* invalid("Send the parameters in the form, not in the query.")
    const form = yield* Effect.catchTag(readForm(request), "FormRefused", ({ detail }) => invalid(detail))
    return { authorization: request.headers["authorization"], form, baseUrl, address: yield* addressOfClient(request) }
  })

/** A handler that parses the form, calls `use`, and turns its refusal into a response. */
const formOf =
  (baseUrl: string) =>
  (use: (request: OAuthRequest) => Effect.Effect<HttpServerResponse.HttpServerResponse, Refused>) =>
  (request: HttpServerRequest.HttpServerRequest) =>
    readRequest(request, baseUrl).pipe(
      Effect.flatMap(use),
      Effect.catch((refused) => Effect.succeed(refusal(refused)))
    )

// Apps without a secret send their id alone.
const authMethods = ["client_secret_basic", "client_secret_post", "none"]

const serverMetadata = (baseUrl: string, { documents, registration }: Supported): ServerMetadata => ({
  issuer: baseUrl,
  authorization_endpoint: baseUrl + paths.authorize,
  token_endpoint: baseUrl + paths.token,
  token_endpoint_auth_methods_supported: authMethods,
  revocation_endpoint: baseUrl + paths.revoke,
  revocation_endpoint_auth_methods_supported: authMethods,
  introspection_endpoint: baseUrl + paths.introspect,
  introspection_endpoint_auth_methods_supported: authMethods,
  ...(registration ? { registration_endpoint: baseUrl + paths.register } : {}),
  grant_types_supported: ["authorization_code", "refresh_token", "client_credentials"],
  response_types_supported: ["code"],
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: documents,
  scopes_supported: appScopes,
  service_documentation: `${baseUrl}/docs/behaviour/authorization.md`
})

/**
 * The same for clients that look where OpenID providers have it. This service is none: it signs no id tokens, and so it names no algorithm,
 * and its list of keys is empty. Clients need the members.
 */
const openIdMetadata = (server: ServerMetadata) => ({
  ...server,
  jwks_uri: server.issuer + furtherPaths.keys,
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: []
})

const resourceMetadata = (
  baseUrl: string,
  resource: string,
  name: string,
  scopes: ReadonlyArray<string> = appScopes
): ResourceMetadata => ({
  resource,
  resource_name: name,
  authorization_servers: [baseUrl],
  scopes_supported: scopes,
  bearer_methods_supported: ["header"]
})

/** A handler of metadata. Rejects query parameters other than these. */
const metadata = (
  documentOf: (url: string) => object,
  known: ReadonlyArray<string> = []
): Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  never,
  HttpServerRequest.HttpServerRequest | HttpServerRequest.ParsedSearchParams
> =>
  Effect.gen(function* () {
    const names = Object.keys(yield* HttpServerRequest.ParsedSearchParams).filter((name) => !known.includes(name))
    const { url } = yield* HttpServerRequest.HttpServerRequest
    return names.length === 0
      ? json(documentOf(url), 200, forEverybody)
      : yield* HttpServerRespondable.toResponse(
          InvalidRequest.of(names.map((name) => unknownName("query", [name], known)))
        )
  })

/** The metadata of the MCP endpoint under one of its paths, for the choice of tools that a client makes in its address. */
const mcpMetadata = (baseUrl: string, path: string) =>
  metadata((url) => {
    const choice = choiceIn(url)
    const scopes = isReadOnly(new URLSearchParams(choice)) ? scopesToAskFor(true) : appScopes
    return resourceMetadata(baseUrl, `${baseUrl}${path}${choice}`, "Property Network MCP", scopes)
  }, memberNames(McpResourceQuery))

/** The body of a registration; undefined if it is no JSON, or too large. */
const readMetadata = (request: HttpServerRequest.HttpServerRequest) =>
  /^application\/json\b/i.test(request.headers["content-type"] ?? "")
    ? readBytes(request, maxMetadataBytes).pipe(
        Effect.flatMap((bytes) => Effect.try(() => JSON.parse(new TextDecoder().decode(bytes)) as unknown)),
        Effect.orElseSucceed(() => undefined)
      )
    : Effect.succeed(undefined)

const refuseRegistration = (status: number, error: string, description: string, retryAfterSeconds?: number) =>
  json({ error, error_description: description }, status, {
    ...notStored,
    ...(retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) })
  })

/** `POST /openid/register`. Not part of the contract: clients find it in the metadata, where it is on. */
const register = Effect.fnUntraced(function* (oauth: OAuth["Service"], request: HttpServerRequest.HttpServerRequest) {
  if (!oauth.supported.registration) {
    return yield* HttpServerRespondable.toResponse(
      new NotFound({ detail: "Apps do not register themselves at this service." })
    )
  }
  const sent = yield* readMetadata(request)
  return yield* oauth.register(sent, yield* addressOfClient(request)).pipe(
    Effect.map((registered) => json(registered, 201)),
    Effect.catch((refused) =>
      Effect.succeed(
        "error" in refused
          ? refuseRegistration(400, refused.error, refused.description)
          : refuseRegistration(
              429,
              "rate_limited",
              `Too many registrations. Try again in ${refused.retryAfterSeconds} s.`,
              refused.retryAfterSeconds
            )
      )
    )
  )
})

/** The methods and paths that the contract does not have. */
export const methods = [
  { method: "POST", path: paths.register },
  ...Object.values(furtherPaths)
    .flat()
    .map((path) => ({ method: "GET", path }))
]

export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter | OAuth | BaseUrl> = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const oauth = yield* OAuth
    const baseUrl = yield* BaseUrl
    const form = formOf(baseUrl)
    yield* router.add(
      "POST",
      paths.token,
      form((request) => Effect.map(oauth.issue(request), (token) => json(token)))
    )
    yield* router.add(
      "POST",
      paths.revoke,
      form((request) => Effect.as(oauth.revoke(request), HttpServerResponse.empty({ status: 200, headers: notStored })))
    )
    yield* router.add(
      "POST",
      paths.introspect,
      form((request) =>
        Effect.map(oauth.introspect(request), (answer) => json(answer.active ? { ...answer, iss: baseUrl } : answer))
      )
    )
    yield* router.add("POST", paths.register, (request) => register(oauth, request))
    const server = serverMetadata(baseUrl, oauth.supported)
    const openId = openIdMetadata(server)
    for (const path of [paths.server, furtherPaths.server])
      yield* router.add(
        "GET",
        path,
        metadata(() => server)
      )
    for (const path of furtherPaths.openId)
      yield* router.add(
        "GET",
        path,
        metadata(() => openId)
      )
    yield* router.add(
      "GET",
      furtherPaths.keys,
      metadata(() => ({ keys: [] }))
    )
    yield* router.add(
      "GET",
      paths.resource,
      metadata(() => resourceMetadata(baseUrl, baseUrl, "Property Network"))
    )
    yield* router.add("GET", paths.mcpResource, mcpMetadata(baseUrl, "/mcp"))
    yield* router.add("GET", furtherPaths.mcpResource, mcpMetadata(baseUrl, "/mcp/"))
  })
)
