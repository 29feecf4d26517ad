/** Access tokens of an OAuth client (RFC 6749, client credentials), renewed before they expire. */
import * as oauth from "oauth4webapi"
import { errorOf } from "./ApiError.ts"
import { fetchRetrying } from "./retrying.ts"

/** An OAuth client of the team, as the operator registered it. */
export interface ClientCredentials {
  /** Where the service is, such as `https://api.example.com`. */
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly fetch?: typeof globalThis.fetch
}

/** What a client tells when it asks for a token. */
export interface TokenOptions {
  /** A token that the API has just refused, though it may not have expired: another one is needed. */
  readonly refused?: string
}

// Long enough for a request that begins with the token to arrive.
const renewBeforeSeconds = 60

/** Makes a function that answers a valid token, or fails with an `ApiError`: pass it as `token` to `createClient`. */
export const clientCredentials = ({
  baseUrl,
  clientId,
  clientSecret,
  fetch = globalThis.fetch
}: ClientCredentials): ((options?: TokenOptions) => Promise<string>) => {
  const issuer = baseUrl.replace(/\/+$/, "")
  const server: oauth.AuthorizationServer = { issuer, token_endpoint: `${issuer}/openid/token` }
  const client: oauth.Client = { client_id: clientId }
  const request = async () => {
    const response = await oauth.clientCredentialsGrantRequest(
      server,
      client,
      oauth.ClientSecretBasic(clientSecret),
      {},
      // The base URL is the operator's choice; plain http is for a service on the same machine.
      {
        [oauth.customFetch]: (url: string, init: object) =>
          fetchRetrying(new Request(url, init), fetch, {}, { isRepeatable: true, isTimed: true }),
        [oauth.allowInsecureRequests]: issuer.startsWith("http:")
      }
    )
    if (!response.ok) throw errorOf(response, await response.json().catch(() => undefined))
    const { access_token, expires_in = 0 } = await oauth.processClientCredentialsResponse(server, client, response)
    return { token: access_token, renewAt: Date.now() + Math.max(0, expires_in - renewBeforeSeconds) * 1000 }
  }
  let current: ReturnType<typeof request> | undefined
  let renewAt = 0
  let latest: string | undefined
  return async ({ refused } = {}) => {
    const isRefused = refused !== undefined && refused === latest
    if (current !== undefined && (isRefused || Date.now() >= renewAt)) current = undefined
    if (current === undefined) {
      renewAt = Number.POSITIVE_INFINITY
      current = request()
    }
    // One request for all that wait, and another one after a failure.
    const asked = current
    try {
      const issued = await asked
      if (current === asked) ({ renewAt, token: latest } = issued)
      return issued.token
    } catch (error) {
      if (current === asked) current = undefined
      throw error
    }
  }
}
