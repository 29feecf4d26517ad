/** Apps that people let act for them: docs/behaviour/authorization.md#apps. */
import { Schema } from "effect"
import { Name } from "../../core/fields/Text.ts"
import { Timestamp } from "../../core/fields/Timestamp.ts"
import { IdOf } from "../../core/Id.ts"

/** The most redirect URIs of an app. */
export const maxRedirectUris = 20

/** The input for a new app. */
export const AppCreate = Schema.Struct({
  name: Name.annotate({ description: "The name that people see.", examples: ["Deal Radar"] }),
  redirectUris: Schema.Array(Schema.String).annotate({
    description: "Where the app takes people back.",
    examples: [["https://radar.example.com/callback"]]
  }),
  confidential: Schema.Boolean.annotate({ description: "Whether the app can keep a secret." })
})
export type AppCreate = typeof AppCreate.Type

/** What an app says of itself, in a document or when it registers (RFC 7591 §2). Members that decide nothing here are left out. */
export const ClientMetadata = Schema.Struct({
  redirect_uris: Schema.Array(Schema.String),
  client_name: Schema.optionalKey(Schema.String),
  token_endpoint_auth_method: Schema.optionalKey(Schema.String),
  grant_types: Schema.optionalKey(Schema.Array(Schema.String)),
  response_types: Schema.optionalKey(Schema.Array(Schema.String))
})
export type ClientMetadata = typeof ClientMetadata.Type

/** The document at the URL that is the id of an app. */
export const ClientDocument = Schema.Struct({ client_id: Schema.String, ...ClientMetadata.fields })

/** An app as the operator sees it, without its secret. */
export const App = Schema.Struct({
  id: IdOf("client"),
  name: Schema.String,
  kind: Schema.Literals(["confidential", "public", "document"]),
  redirectUris: Schema.Array(Schema.String),
  documentUrl: Schema.NullOr(Schema.String),
  isRegistered: Schema.Boolean,
  createdUtc: Timestamp,
  revokedUtc: Schema.NullOr(Timestamp)
})
export type App = typeof App.Type

/** An app as it is stored, that is not revoked. `id` is a UUID. */
export interface AppState {
  readonly id: string
  readonly name: string
  readonly kind: App["kind"]
  readonly secretHash: Uint8Array | null
  readonly redirectUris: ReadonlyArray<string>
  readonly documentUrl: string | null
  /** Whether it registered itself. */
  readonly isRegistered: boolean
}
