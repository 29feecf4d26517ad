/** The requests and answers of the token endpoint, and its metadata: docs/behaviour/authorization.md#tokens. */
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { SecretText } from "../../core/fields/Text.ts"
import { IdOf } from "../../core/Id.ts"
import { accessSeconds } from "../tokens/Token.ts"

const credentials = {
  client_id: Schema.optionalKey(
    Schema.String.annotate({
      description: "Required together with `client_secret` if the request has no Basic authorization.",
      examples: ["client_01kb3n7x2ferwt5z8q4j6m9d0c"]
    })
  ),
  client_secret: Schema.optionalKey(
    Schema.String.annotate({
      description: "The secret from the creation of the client.",
      examples: ["pns_…"]
    })
  )
}

const hint = Schema.optionalKey(
  Schema.String.annotate({
    description: "Accepted and ignored.",
    examples: ["access_token"]
  })
)

const parameter = (description: string, example: string) =>
  Schema.optionalKey(Schema.String.annotate({ description, examples: [example] }))

/** The form of a token request. */
export const TokenRequest = Schema.Struct({
  grant_type: Schema.String.annotate({
    description: "`client_credentials`, `authorization_code` or `refresh_token`.",
    examples: ["client_credentials"]
  }),
  scope: Schema.optionalKey(
    Schema.String.annotate({
      description:
        "Scopes, separated by spaces: `api:public` or `api:read`. Defaults to all scopes of the client, or to those that the person granted. A refresh may ask for fewer.",
      examples: ["api:public"]
    })
  ),
  code: parameter("With `authorization_code`: the code. It is valid for a minute and once.", "pnc_…"),
  redirect_uri: parameter(
    "With `authorization_code`: the redirect URI of the authorization request.",
    "https://radar.example.com/callback"
  ),
  code_verifier: parameter(
    "With `authorization_code`: the verifier of PKCE.",
    "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
  ),
  refresh_token: parameter("With `refresh_token`: the refresh token.", "pnr_…"),
  resource: parameter(
    "What the tokens are for (RFC 8707), if it is named: as in the authorization request.",
    "https://api.example.com"
  ),
  ...credentials
})
  .pipe(HttpApiSchema.asFormUrlEncoded())
  .annotate({ identifier: "TokenRequest" })

/** The form of a revocation or an introspection. */
export const TokenQuestion = Schema.Struct({
  token: Schema.String.annotate({ description: "An access token of this client.", examples: ["pna_…"] }),
  token_type_hint: hint,
  ...credentials
})
  .pipe(HttpApiSchema.asFormUrlEncoded())
  .annotate({ identifier: "TokenQuestion" })

/** The answer to a token request (RFC 6749 §5.1). */
export const IssuedToken = Schema.Struct({
  access_token: SecretText.annotate({ description: "The token, for `Authorization: Bearer`.", examples: ["pna_…"] }),
  token_type: Schema.Literal("Bearer").annotate({ description: "The type of the token.", examples: ["Bearer"] }),
  expires_in: Schema.Int.annotate({ description: "Seconds until it expires.", examples: [accessSeconds] }),
  scope: Schema.String.annotate({ description: "The scopes of the token.", examples: ["api:public"] }),
  refresh_token: Schema.optionalKey(
    SecretText.annotate({
      description:
        "For new tokens: only if the authorization request had the scope `offline_access`. It replaces the one that was sent.",
      examples: ["pnr_…"]
    })
  )
}).annotate({ identifier: "IssuedToken", description: "A new access token." })
export type IssuedToken = typeof IssuedToken.Type

/** The answer to an introspection (RFC 7662 §2.2). Has only `active` if the token is not valid or belongs to another client. */
export const Introspection = Schema.Struct({
  active: Schema.Boolean.annotate({
    description: "Whether the token is valid and was issued to the client that asks.",
    examples: [true]
  }),
  scope: Schema.optionalKey(
    Schema.String.annotate({ description: "The scopes of the token.", examples: ["api:public"] })
  ),
  client_id: Schema.optionalKey(
    Schema.String.annotate({
      description: "The client, or the app: its id, which for some apps is a URL.",
      examples: ["client_01kb3n7x2ferwt5z8q4j6m9d0c"]
    })
  ),
  token_type: Schema.optionalKey(
    Schema.String.annotate({ description: "The type of the token.", examples: ["Bearer"] })
  ),
  sub: Schema.optionalKey(IdOf("user")),
  iss: Schema.optionalKey(
    Schema.String.annotate({
      description: "The issuer of the token.",
      examples: ["https://api.example.com"]
    })
  ),
  jti: Schema.optionalKey(IdOf("token")),
  iat: Schema.optionalKey(
    Schema.Int.annotate({
      description: "The time of issue, in Unix seconds.",
      examples: [1_795_253_400]
    })
  ),
  exp: Schema.optionalKey(
    Schema.Int.annotate({
      description: "The expiry, in Unix seconds.",
      examples: [1_795_257_000]
    })
  )
}).annotate({ identifier: "Introspection", description: "The state of a token." })
export type Introspection = typeof Introspection.Type

/** All error codes of the token endpoint. */
export const oauthErrors = [
  "invalid_request",
  "invalid_client",
  "invalid_grant",
  "unauthorized_client",
  "unsupported_grant_type",
  "invalid_scope",
  "invalid_target",
  "rate_limited"
] as const

/** The body of an error (RFC 6749 §5.2), which is not a problem document. */
export const OAuthError = Schema.Struct({
  error: Schema.Literals(oauthErrors).annotate({
    description: "The reason of the refusal, for programs.",
    examples: ["invalid_request"]
  }),
  error_description: Schema.String.annotate({
    description: "The reason of the refusal, for people.",
    examples: ["grant_type is required."]
  })
}).annotate({ identifier: "OAuthError", description: "An error as RFC 6749 defines it." })
export type OAuthError = typeof OAuthError.Type

/** RFC 8414. */
export const ServerMetadata = Schema.Struct({
  issuer: Schema.String.annotate({ description: "The base URL.", examples: ["https://api.example.com"] }),
  authorization_endpoint: Schema.String.annotate({ examples: ["https://api.example.com/openid/authorize"] }),
  token_endpoint: Schema.String.annotate({ examples: ["https://api.example.com/openid/token"] }),
  token_endpoint_auth_methods_supported: Schema.Array(Schema.String).annotate({ examples: [["client_secret_basic"]] }),
  revocation_endpoint: Schema.String.annotate({ examples: ["https://api.example.com/openid/revoke"] }),
  revocation_endpoint_auth_methods_supported: Schema.Array(Schema.String).annotate({
    examples: [["client_secret_basic"]]
  }),
  introspection_endpoint: Schema.String.annotate({ examples: ["https://api.example.com/openid/introspect"] }),
  introspection_endpoint_auth_methods_supported: Schema.Array(Schema.String).annotate({
    examples: [["client_secret_basic"]]
  }),
  grant_types_supported: Schema.Array(Schema.String).annotate({ examples: [["client_credentials"]] }),
  response_types_supported: Schema.Array(Schema.String).annotate({ examples: [["code"]] }),
  code_challenge_methods_supported: Schema.Array(Schema.String).annotate({ examples: [["S256"]] }),
  authorization_response_iss_parameter_supported: Schema.Boolean.annotate({ examples: [true] }),
  client_id_metadata_document_supported: Schema.Boolean.annotate({
    description: "Whether a `client_id` may be the URL of a document that describes the app.",
    examples: [true]
  }),
  registration_endpoint: Schema.optionalKey(
    Schema.String.annotate({
      description: "Where apps register themselves (RFC 7591), if the operator allows it.",
      examples: ["https://api.example.com/openid/register"]
    })
  ),
  scopes_supported: Schema.Array(Schema.String).annotate({
    description: "`offline_access` is for refresh tokens: without it, an app gets none.",
    examples: [["api:public"]]
  }),
  service_documentation: Schema.String.annotate({
    description: "Where developers read how apps get tokens.",
    examples: ["https://api.example.com/docs/behaviour/authorization.md"]
  })
}).annotate({ identifier: "AuthorizationServerMetadata", description: "RFC 8414 metadata." })
export type ServerMetadata = typeof ServerMetadata.Type

/** The choice of tools in the address of the MCP endpoint. */
export const McpResourceQuery = Schema.Struct({
  readonly: parameter("As in the address of the MCP endpoint.", "true"),
  toolsets: parameter("As in the address of the MCP endpoint.", "network,projects")
})

/** RFC 9728. */
export const ResourceMetadata = Schema.Struct({
  resource: Schema.String.annotate({
    description: "The base URL, or for the MCP endpoint the address that the client calls.",
    examples: ["https://api.example.com"]
  }),
  resource_name: Schema.String.annotate({ examples: ["Property Network"] }),
  authorization_servers: Schema.Array(Schema.String).annotate({ examples: [["https://api.example.com"]] }),
  scopes_supported: Schema.Array(Schema.String).annotate({ examples: [["api:public"]] }),
  bearer_methods_supported: Schema.Array(Schema.String).annotate({ examples: [["header"]] })
}).annotate({ identifier: "ProtectedResourceMetadata", description: "RFC 9728 metadata." })
export type ResourceMetadata = typeof ResourceMetadata.Type
