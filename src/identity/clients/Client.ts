/** OAuth clients, the integrations of a team. Each acts as a bot: docs/behaviour/identity.md#oauth-clients. */
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { SecretText } from "../../fields/SecretText.ts"
import { Name } from "../../fields/Text.ts"
import { Timestamp } from "../../fields/Timestamp.ts"
import { IdOf } from "../../Id.ts"
import { publicScope } from "../../auth/CurrentActor.ts"

/** All scopes. */
export const scopes = [publicScope] as const

/** The lifetime of an access token, in seconds. */
export const accessSeconds = 3600

const CapabilityStatus = Schema.Literals(["active", "pending"])

/** The input for a new client: exactly one of `botName` and `botId`. */
export const ClientCreate = Schema.Struct({
  teamId: Schema.String.annotate({ description: "The id of the client's team." }),
  name: Name.annotate({ description: "The name of the integration.", examples: ["CRM sync"] }),
  botName: Schema.optionalKey(
    Name.annotate({
      description: "Creates a bot with this name, as which the client acts.",
      examples: ["Sync Bot"]
    })
  ),
  botId: Schema.optionalKey(Schema.String.annotate({ description: "The id of an existing bot of the team." })),
  broker: Schema.optionalKey(Schema.NullOr(CapabilityStatus)),
  investor: Schema.optionalKey(Schema.NullOr(CapabilityStatus))
})
export type ClientCreate = typeof ClientCreate.Type

/** A client as it is shown after its creation, without its secret. */
export const Client = Schema.Struct({
  id: IdOf("client"),
  name: Schema.String,
  bot: Schema.Struct({ id: IdOf("user"), name: Schema.String }),
  scopes: Schema.Array(Schema.String),
  createdUtc: Timestamp,
  revokedUtc: Schema.NullOr(Timestamp)
})
export type Client = typeof Client.Type

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

/** The form of a token request. */
export const TokenRequest = Schema.Struct({
  grant_type: Schema.String.annotate({ description: "`client_credentials`.", examples: ["client_credentials"] }),
  scope: Schema.optionalKey(
    Schema.String.annotate({
      description: "Scopes, separated by spaces. Defaults to all scopes of the client.",
      examples: ["api:public"]
    })
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
  scope: Schema.String.annotate({ description: "The scopes of the token.", examples: ["api:public"] })
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
  client_id: Schema.optionalKey(IdOf("client")),
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
export const oauthErrors = ["invalid_request", "invalid_client", "unsupported_grant_type", "invalid_scope"] as const

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
  response_types_supported: Schema.Array(Schema.String).annotate({ examples: [[]] }),
  scopes_supported: Schema.Array(Schema.String).annotate({ examples: [[...scopes]] })
}).annotate({ identifier: "AuthorizationServerMetadata", description: "RFC 8414 metadata." })
export type ServerMetadata = typeof ServerMetadata.Type

/** RFC 9728. */
export const ResourceMetadata = Schema.Struct({
  resource: Schema.String.annotate({ description: "The base URL.", examples: ["https://api.example.com"] }),
  resource_name: Schema.String.annotate({ examples: ["Property Network"] }),
  authorization_servers: Schema.Array(Schema.String).annotate({ examples: [["https://api.example.com"]] }),
  scopes_supported: Schema.Array(Schema.String).annotate({ examples: [[...scopes]] }),
  bearer_methods_supported: Schema.Array(Schema.String).annotate({ examples: [["header"]] })
}).annotate({ identifier: "ProtectedResourceMetadata", description: "RFC 9728 metadata." })
export type ResourceMetadata = typeof ResourceMetadata.Type
