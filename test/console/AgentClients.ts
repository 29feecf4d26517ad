/** The official clients of MCP, which get their tokens by themselves. */
import { assert } from "@effect/vitest"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { Effect } from "effect"
import { TestService } from "../support/TestService.ts"
import { aPerson, linkOf, password, signInAndAllow } from "./people.ts"
import * as Browser from "./Browser.ts"

/** Where the clients return to; their documents name it without a port. */
const callback = "http://127.0.0.1:33418/callback"

interface Stored {
  information?: { readonly client_id: string }
  tokens?: { readonly access_token: string; readonly refresh_token?: string; readonly scope?: string }
  verifier?: string
  discovery?: unknown
  /** Where the client sends the person. */
  asked?: URL | undefined
}

/** What a program that uses a client keeps for it. `clientMetadataUrl` is its document, if it has one. */
const providerOf = (stored: Stored, clientMetadataUrl: string | undefined) => ({
  redirectUrl: callback,
  ...(clientMetadataUrl === undefined ? {} : { clientMetadataUrl }),
  clientMetadata: { client_name: "Agent", redirect_uris: [callback], token_endpoint_auth_method: "none" },
  clientInformation: () => stored.information,
  saveClientInformation: (information: NonNullable<Stored["information"]>) => void (stored.information = information),
  tokens: () => stored.tokens,
  saveTokens: (tokens: NonNullable<Stored["tokens"]>) => void (stored.tokens = tokens),
  codeVerifier: () => stored.verifier ?? "",
  saveCodeVerifier: (verifier: string) => void (stored.verifier = verifier),
  discoveryState: () => stored.discovery,
  saveDiscoveryState: (discovery: unknown) => void (stored.discovery = discovery),
  redirectToAuthorization: (url: URL) => void (stored.asked = url),
  invalidateCredentials: (scope: string) => {
    if (scope === "tokens" || scope === "all") delete stored.tokens
  }
})

const info = { name: "test", version: "1" }

/** A connection of a client, before it is open. `finish` gets the address to which the person returned. */
type Connect = (
  endpoint: URL,
  provider: ReturnType<typeof providerOf>
) => {
  readonly open: () => Promise<void>
  readonly finish: (answer: URL) => Promise<void>
  readonly callTool: (call: { readonly name: string; readonly arguments: Record<string, unknown> }) => Promise<unknown>
  readonly close: () => Promise<void>
}

/** The clients. */
export const clients: { readonly [name: string]: Connect } = {
  "the first client": (endpoint, provider) => {
    const client = new FirstClient(info)
    const transport = new FirstTransport(endpoint, { authProvider: provider as never })
    return {
      open: () => client.connect(transport as never),
      finish: ({ searchParams }) => transport.finishAuth(searchParams.get("code") ?? ""),
      callTool: (call) => client.callTool(call),
      close: () => client.close()
    }
  },
  "the second client": (endpoint, provider) => {
    const client = new Client(info, { versionNegotiation: { mode: "auto" } })
    const transport = new StreamableHTTPClientTransport(endpoint, { authProvider: provider as never })
    return {
      open: () => client.connect(transport),
      finish: ({ searchParams }) => transport.finishAuth(searchParams),
      callTool: (call) => client.callTool(call),
      close: () => client.close()
    }
  }
}

const failure = (attempt: () => Promise<unknown>) =>
  Effect.map(Effect.flip(Effect.tryPromise(attempt)), ({ cause }) => (cause as Error).constructor.name)

/** All that a client does with a person who lets it act, from the first refusal to the last: returns its id. */
export const wholeAuthorization = Effect.fnUntraced(function* (connect: Connect, clientMetadataUrl?: string) {
  const { baseUrl, request } = yield* TestService
  const person = yield* aPerson
  const setting = yield* Browser.open
  yield* setting.submit((yield* setting.get(yield* linkOf(person.email))).text, "/signin/password", { password })
  const stored: Stored = {}
  const provider = providerOf(stored, clientMetadataUrl)
  const make = () => connect(new URL(`${baseUrl}/mcp`), provider)

  const refused = make()
  assert.strictEqual(yield* failure(refused.open), "UnauthorizedError")
  assert.isDefined(stored.asked, "the client found no place to sign in")
  assert.strictEqual(stored.asked.searchParams.get("resource"), `${baseUrl}/mcp`)
  const answer = yield* signInAndAllow(stored.asked, person)
  yield* Effect.promise(() => refused.finish(answer))

  const allowed = make()
  const whoAmI = () => allowed.callTool({ name: "get_me", arguments: {} })
  yield* Effect.promise(allowed.open)
  assert.include(JSON.stringify(yield* Effect.promise(whoAmI)), person.email)

  const first = stored.tokens
  assert.isDefined(first?.refresh_token)
  // As if it had expired: the client refreshes it, and repeats the call.
  stored.tokens = { ...first, access_token: "pna_expired" }
  assert.include(JSON.stringify(yield* Effect.promise(whoAmI)), person.email)
  const { access_token: token = "", refresh_token: refreshToken = "" } = stored.tokens
  assert.notInclude(["pna_expired", first.access_token], token)
  assert.notStrictEqual(refreshToken, first.refresh_token)

  const { client_id: clientId = "" } = stored.information ?? {}
  const revoked = yield* request("POST", "/openid/revoke", {
    text: new URLSearchParams({ client_id: clientId, token: refreshToken }).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" }
  })
  assert.strictEqual(revoked.status, 200)
  stored.asked = undefined
  assert.strictEqual(yield* failure(whoAmI), "UnauthorizedError")
  assert.isDefined(stored.asked, "the client asks the person again")
  yield* Effect.promise(() => Promise.all([refused.close(), allowed.close()]))
  return clientId
})
