/** The decisions on apps that register themselves (RFC 7591; docs/behaviour/authorization.md#registration): pure. */
import { Result, Schema } from "effect"
import { ClientMetadata, maxRedirectUris } from "./App.ts"
import { clientNameOf, redirectFaultOf, targetOf } from "./rules.ts"

/** Why a registration is refused (RFC 7591 §3.2.2). */
export interface RegistrationFault {
  readonly error: "invalid_redirect_uri" | "invalid_client_metadata"
  readonly description: string
}

const authMethods = ["none", "client_secret_basic", "client_secret_post"] as const
const grantTypes = ["authorization_code", "refresh_token"]

/** What an app registers. Its members are those of the RFC. */
export interface Registration {
  readonly client_name: string
  readonly redirect_uris: ReadonlyArray<string>
  readonly token_endpoint_auth_method: (typeof authMethods)[number]
  readonly grant_types: ReadonlyArray<string>
  readonly response_types: readonly ["code"]
}

const decode = Schema.decodeUnknownOption(ClientMetadata)

const invalid = (description: string) =>
  Result.fail<RegistrationFault>({ error: "invalid_client_metadata", description })

const invalidRedirect = (description: string) =>
  Result.fail<RegistrationFault>({ error: "invalid_redirect_uri", description })

/** What an app registers by the metadata that it sends; members that decide nothing here are ignored. */
export const registrationOf = (sent: unknown): Result.Result<Registration, RegistrationFault> => {
  const decoded = decode(sent)
  if (decoded._tag === "None") return invalid("Send a JSON object with redirect_uris, a list of URIs.")
  const { client_name, grant_types, redirect_uris, response_types, token_endpoint_auth_method } = decoded.value
  const redirectUris = [...new Set(redirect_uris)]
  if (redirectUris.length === 0) return invalidRedirect("redirect_uris needs at least one URI.")
  if (redirectUris.length > maxRedirectUris) return invalidRedirect(`redirect_uris may have ${maxRedirectUris} URIs.`)
  const wrong = redirectUris.find((uri) => redirectFaultOf(uri) !== undefined)
  if (wrong !== undefined) {
    return invalidRedirect(
      `${wrong.slice(0, 200)} must be https, http to 127.0.0.1, [::1] or localhost, or a scheme of the app's own such as com.example.app, have no wildcard, and be written as browsers write it.`
    )
  }
  const asked = token_endpoint_auth_method ?? "client_secret_basic"
  const method = authMethods.find((one) => one === asked)
  if (method === undefined) return invalid(`token_endpoint_auth_method must be one of ${authMethods.join(", ")}.`)
  const grants = grant_types ?? ["authorization_code"]
  if (!grants.includes("authorization_code")) return invalid("grant_types must include authorization_code.")
  if (response_types?.includes("code") === false) return invalid("response_types must include code.")
  return Result.succeed({
    client_name: clientNameOf(client_name) ?? targetOf(redirectUris[0] ?? ""),
    redirect_uris: redirectUris,
    token_endpoint_auth_method: method,
    grant_types: grantTypes.filter((type) => grants.includes(type)),
    response_types: ["code"]
  })
}
