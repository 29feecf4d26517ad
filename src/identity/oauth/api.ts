/** The REST contract of the token endpoint and its metadata. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { InternalError, InvalidRequest, Unavailable } from "../../core/usecase/Problem.ts"
import {
  Introspection,
  IssuedToken,
  McpResourceQuery,
  OAuthError,
  ResourceMetadata,
  ServerMetadata,
  TokenQuestion,
  TokenRequest
} from "./Grant.ts"

/** The paths of the operations. */
export const paths = {
  authorize: "/openid/authorize",
  token: "/openid/token",
  revoke: "/openid/revoke",
  introspect: "/openid/introspect",
  register: "/openid/register",
  server: "/.well-known/oauth-authorization-server",
  resource: "/.well-known/oauth-protected-resource",
  mcpResource: "/.well-known/oauth-protected-resource/mcp"
} as const

/** Paths of the metadata that the contract does not have, because they are for clients that look only there. */
export const furtherPaths = {
  mcpResource: `${paths.mcpResource}/`,
  server: `${paths.server}/mcp`,
  openId: [
    "/.well-known/openid-configuration",
    "/.well-known/openid-configuration/mcp",
    "/mcp/.well-known/openid-configuration"
  ],
  keys: "/.well-known/jwks.json"
} as const

const headers = Schema.Struct({
  authorization: Schema.optionalKey(
    Schema.String.annotate({
      description:
        "`Basic` with the client's id and secret, each form-urlencoded (RFC 6749 §2.3.1). Send the credentials either in this header or in the form.",
      examples: ["Basic Y2xpZW50XzAxa2I6cG5zX+KApg=="]
    })
  )
})

const refused = [
  OAuthError.pipe(HttpApiSchema.status(400)),
  OAuthError.annotate({
    identifier: "OAuthClientError",
    description:
      "`invalid_client`: the credentials are missing or wrong. The response has `WWW-Authenticate: Basic` if the request used Basic."
  }).pipe(HttpApiSchema.status(401)),
  // Errors of the service are problems, as everywhere.
  InternalError,
  Unavailable
]

/** The client authenticates by Basic, or in the form. */
const clientSecurity = { security: [{ client: [] }, {}] }

/** The token endpoint. Its requests are forms, and its refusals are those of RFC 6749. */
export const oauth = HttpApiGroup.make("oauth")
  .add(
    HttpApiEndpoint.post("issueToken", paths.token, {
      headers,
      payload: TokenRequest,
      success: IssuedToken,
      error: refused
    }).annotateMerge(
      OpenApi.annotations({
        override: clientSecurity,
        summary: "Issue an access token",
        description:
          "RFC 6749. With client credentials, the token is valid for an hour and acts as the client's bot; there is no refresh token. With an authorization code or a refresh token, it acts for the person who granted it, with PKCE (RFC 7636); the answer has a refresh token only if the authorization request had the scope `offline_access`. Send each parameter once, in the form and not in the query."
      })
    ),
    HttpApiEndpoint.post("revokeToken", paths.revoke, {
      headers,
      payload: TokenQuestion,
      success: HttpApiSchema.Empty(200),
      error: refused
    }).annotateMerge(
      OpenApi.annotations({
        override: clientSecurity,
        summary: "Revoke an access token",
        description:
          "RFC 7009. Revokes one of the client's own tokens, with immediate effect. Any other text gets the same answer and has no effect."
      })
    ),
    HttpApiEndpoint.post("introspectToken", paths.introspect, {
      headers,
      payload: TokenQuestion,
      success: Introspection,
      error: refused
    }).annotateMerge(
      OpenApi.annotations({
        override: clientSecurity,
        summary: "Introspect an access token",
        description: 'RFC 7662. Describes one of the client\'s own tokens. Any other text answers `{"active": false}`.'
      })
    ),
    HttpApiEndpoint.get("getServerMetadata", paths.server, {
      success: ServerMetadata,
      error: [InvalidRequest]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Get the authorization server's metadata",
        description:
          "RFC 8414: the token endpoints, and how clients authenticate there. An app that asks for no `scope` gets `api:public` and no refresh token: one that stays connected asks for `offline_access` as well."
      })
    ),
    HttpApiEndpoint.get("getResourceMetadata", paths.resource, {
      success: ResourceMetadata,
      error: [InvalidRequest]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Get the protected resource's metadata",
        description: "RFC 9728: which authorization server the API trusts."
      })
    ),
    HttpApiEndpoint.get("getMcpResourceMetadata", paths.mcpResource, {
      query: McpResourceQuery,
      success: ResourceMetadata,
      error: [InvalidRequest]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Get the MCP endpoint's metadata",
        description:
          "RFC 9728: which authorization server `/mcp` trusts, and the `resource` that its tokens are for: the address that the client calls, with the parameters that choose tools."
      })
    )
  )
  .annotateMerge(
    OpenApi.annotations({
      title: "OAuth",
      description: "Access tokens for OAuth clients. These operations take no bearer token."
    })
  )
