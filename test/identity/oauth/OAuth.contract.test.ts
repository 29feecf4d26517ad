import * as oauth from "oauth4webapi"
import * as Id from "../../../src/core/Id.ts"
import * as Tenant from "../../support/Tenant.ts"
import { assert, layer } from "@effect/vitest"
import { discoverAuthorizationServerMetadata } from "@modelcontextprotocol/client"
import { Effect } from "effect"
import { Clients } from "../../../src/identity/clients/Clients.ts"
import type { Introspection, IssuedToken, OAuthError } from "../../../src/identity/oauth/Grant.ts"
import { OAuth } from "../../../src/identity/oauth/OAuth.ts"
import { AccessTokens } from "../../../src/identity/tokens/Tokens.ts"
import { asOperator } from "../../../src/core/auth/CurrentActor.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import { TestService } from "../../support/TestService.ts"

type Members = { readonly [name: string]: string }

const encode = (members: Members) => new URLSearchParams(members).toString()

/** A client of a new team, and the endpoints with its credentials. */
const aClient = Effect.gen(function* () {
  const { baseUrl, request } = yield* TestService
  const tenant = yield* Tenant.make()
  const clients = yield* Clients
  const made = yield* asOperator(clients.create({ teamId: tenant.team, name: "CRM sync", botName: "Sync Bot" }))
  const credentials = { client_id: made.client_id, client_secret: made.client_secret }
  const send = <Body>(path: string, text: string, headers: Members = {}) =>
    request<Body>("POST", path, {
      text,
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers }
    })
  const issue = (members: Members = {}, headers?: Members) =>
    send<IssuedToken & OAuthError>(
      "/openid/token",
      encode({ grant_type: "client_credentials", ...credentials, ...members }),
      headers
    )
  const token = Effect.map(issue(), (issued) => issued.body.access_token)
  const introspect = (token: string) => send<Introspection>("/openid/introspect", encode({ ...credentials, token }))
  const revoke = (token: string) => send("/openid/revoke", encode({ ...credentials, token }))
  const status = (token: string) => Effect.map(request("GET", "/api/v1/auth/me", { token }), (reply) => reply.status)
  return { baseUrl, request, tenant, clients, credentials, send, issue, token, introspect, revoke, status }
})

const basic = ({ client_id, client_secret }: { client_id: string; client_secret: string }) => ({
  authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString("base64")}`
})

layer(TestService.layer, { excludeTestServices: true })("The token endpoint", (it) => {
  it.effect("issues a token for an hour that acts as the client's bot", () =>
    Effect.gen(function* () {
      const { credentials, issue, request } = yield* aClient
      const issued = yield* issue()
      assert.strictEqual(issued.status, 200)
      assert.match(issued.body.access_token, /^pna_/)
      assert.deepStrictEqual(
        { ...issued.body, access_token: "" },
        {
          access_token: "",
          token_type: "Bearer",
          expires_in: 3600,
          scope: "api:public"
        }
      )
      assert.strictEqual(issued.headers.get("cache-control"), "no-store")
      assert.strictEqual(issued.headers.get("pragma"), "no-cache")
      const me = yield* request("GET", "/api/v1/auth/me", { token: issued.body.access_token })
      assert.deepInclude(me.body, { name: "Sync Bot", isBot: true, email: null })
      assert.deepStrictEqual(me.body["capabilities"], { broker: "active", investor: "active" })
      assert.match(me.headers.get("ratelimit-policy") ?? "", /^"client";/)
      const sql = yield* Database
      const [row] = yield* sql<{ name: string }>`
        select c.name from tokens t join clients c on c.id = t.client_id
        where c.id = ${Id.toUuid("client", credentials.client_id)!}`
      assert.strictEqual(row?.name, "CRM sync")
    })
  )

  it.effect("works with an independent client library: discovery, issue, introspection and revocation", () =>
    Effect.gen(function* () {
      const { baseUrl, credentials } = yield* aClient
      yield* Effect.promise(async () => {
        const options = { [oauth.allowInsecureRequests]: true }
        const discovered = await oauth.discoveryRequest(new URL(baseUrl), { algorithm: "oauth2", ...options })
        const server = await oauth.processDiscoveryResponse(new URL(baseUrl), discovered)
        const client = { client_id: credentials.client_id }
        for (const auth of [oauth.ClientSecretBasic, oauth.ClientSecretPost]) {
          const proof = auth(credentials.client_secret)
          const answer = await oauth.clientCredentialsGrantRequest(
            server,
            client,
            proof,
            { scope: "api:public" },
            options
          )
          const issued = await oauth.processClientCredentialsResponse(server, client, answer)
          assert.strictEqual(issued.expires_in, 3600)
          const introspection = await oauth.processIntrospectionResponse(
            server,
            client,
            await oauth.introspectionRequest(server, client, proof, issued.access_token, options)
          )
          assert.deepInclude(introspection, {
            active: true,
            client_id: client.client_id,
            scope: "api:public",
            iss: baseUrl
          })
          await oauth.processRevocationResponse(
            await oauth.revocationRequest(server, client, proof, issued.access_token, options)
          )
        }
      })
    })
  )

  it.effect("can be discovered from the metadata of the API and of the MCP endpoint", () =>
    Effect.gen(function* () {
      const { baseUrl, request } = yield* aClient
      for (const path of ["", "/mcp"]) {
        const resource = yield* request("GET", `/.well-known/oauth-protected-resource${path}`)
        assert.deepInclude(resource.body, {
          resource: `${baseUrl}${path}`,
          authorization_servers: [baseUrl],
          bearer_methods_supported: ["header"],
          scopes_supported: ["api:read", "api:public", "offline_access"]
        })
      }
      const server = yield* request("GET", "/.well-known/oauth-authorization-server")
      assert.deepInclude(server.body, {
        issuer: baseUrl,
        token_endpoint: `${baseUrl}/openid/token`,
        revocation_endpoint: `${baseUrl}/openid/revoke`,
        introspection_endpoint: `${baseUrl}/openid/introspect`,
        response_types_supported: ["code"],
        grant_types_supported: ["authorization_code", "refresh_token", "client_credentials"],
        token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"]
      })
    })
  )

  it.effect("can be discovered by clients that look where OpenID providers have it, and claims no id tokens", () =>
    Effect.gen(function* () {
      const { baseUrl, request } = yield* aClient
      const server = (yield* request("GET", "/.well-known/oauth-authorization-server")).body
      assert.strictEqual(server["service_documentation"], `${baseUrl}/docs/behaviour/authorization.md`)
      assert.strictEqual((yield* request("GET", "/docs/behaviour/authorization.md")).status, 200)
      const atMcp = yield* request("GET", "/.well-known/oauth-authorization-server/mcp")
      assert.deepStrictEqual(atMcp.body, server)
      for (const path of [
        "/.well-known/openid-configuration",
        "/.well-known/openid-configuration/mcp",
        "/mcp/.well-known/openid-configuration"
      ]) {
        const { body, status } = yield* request("GET", path)
        assert.strictEqual(status, 200, path)
        assert.deepInclude(body, server)
        assert.deepInclude(body, { id_token_signing_alg_values_supported: [], subject_types_supported: ["public"] })
        assert.notInclude(body["scopes_supported"], "openid")
        assert.isFalse(Object.keys(body).some((name) => /userinfo|claims/.test(name)))
        const keys = yield* request("GET", String(body["jwks_uri"]).slice(baseUrl.length))
        assert.deepStrictEqual(keys.body, { keys: [] })
        assert.strictEqual((yield* request("POST", path)).headers.get("allow"), "GET, HEAD")
      }
      // Of the official clients, as if the service had its metadata there alone.
      const found = yield* Effect.promise(() =>
        discoverAuthorizationServerMetadata(baseUrl, {
          fetchFn: async (url, init) =>
            String(url).includes("oauth-authorization-server")
              ? new Response(null, { status: 404 })
              : await fetch(url, init)
        })
      )
      assert.strictEqual(found?.token_endpoint, `${baseUrl}/openid/token`)
      const library = yield* Effect.promise(async () =>
        oauth.processDiscoveryResponse(
          new URL(baseUrl),
          await oauth.discoveryRequest(new URL(baseUrl), { algorithm: "oidc", [oauth.allowInsecureRequests]: true })
        )
      )
      assert.strictEqual(library.issuer, baseUrl)
    })
  )

  it.effect("rejects wrong credentials and names the scheme only when it was used", () =>
    Effect.gen(function* () {
      const { credentials, issue, send } = yield* aClient
      const other = yield* aClient
      const grant = "grant_type=client_credentials"
      const refusals = [
        yield* issue({ client_secret: other.credentials.client_secret }),
        yield* issue({ client_secret: "pns_x" }),
        yield* issue({ client_id: "client_x" }),
        yield* issue({ client_id: "\u0000" }),
        yield* issue({ client_id: "https://example.com/\u0000" }),
        yield* send<OAuthError>("/openid/token", grant)
      ]
      for (const refused of refusals) {
        assert.strictEqual(refused.status, 401)
        assert.strictEqual(refused.body.error, "invalid_client")
        assert.isNull(refused.headers.get("www-authenticate"))
        assert.strictEqual(refused.headers.get("cache-control"), "no-store")
        assert.strictEqual(refused.headers.get("content-type"), "application/json")
      }
      const tried = yield* send<OAuthError>("/openid/token", grant, basic({ ...credentials, client_secret: "pns_x" }))
      assert.strictEqual(tried.status, 401)
      assert.match(tried.headers.get("www-authenticate") ?? "", /^Basic realm=/)
    })
  )

  it.effect("accepts form-urlencoded Basic credentials", () =>
    Effect.gen(function* () {
      const { credentials, send } = yield* aClient
      const escaped = (text: string) => [...text].map((c) => `%${c.charCodeAt(0).toString(16)}`).join("")
      const issued = yield* send<IssuedToken>(
        "/openid/token",
        "grant_type=client_credentials",
        basic({
          client_id: escaped(credentials.client_id),
          client_secret: escaped(credentials.client_secret)
        })
      )
      assert.strictEqual(issued.status, 200)
    })
  )

  it.effect("rejects malformed requests", () =>
    Effect.gen(function* () {
      const { credentials, issue, request, send } = yield* aClient
      const form = encode({ grant_type: "client_credentials", ...credentials })
      const replies = {
        "both methods": yield* issue({}, basic(credentials)),
        "a repeated parameter": yield* send<OAuthError>("/openid/token", `${form}&scope=api:public&scope=api:public`),
        "a parameter in the query": yield* send<OAuthError>("/openid/token?scope=api:public", form),
        "no grant type": yield* send<OAuthError>("/openid/token", encode(credentials)),
        "an empty grant type": yield* issue({ grant_type: "" }),
        JSON: yield* send<OAuthError>("/openid/token", "{}", { "content-type": "application/json" }),
        "no content type": yield* request<OAuthError>("POST", "/openid/token", {
          text: new TextEncoder().encode(form)
        }),
        "another charset": yield* send<OAuthError>("/openid/token", form, {
          "content-type": "application/x-www-form-urlencoded; charset=latin1"
        }),
        "a body of more than 64 KiB": yield* issue({ state: "x".repeat(64 * 1024) }),
        "broken UTF-8": yield* request<OAuthError>("POST", "/openid/token", {
          text: new Uint8Array([0x61, 0x3d, 0xff]),
          headers: { "content-type": "application/x-www-form-urlencoded" }
        }),
        "an empty body": yield* send<OAuthError>("/openid/token", "")
      }
      for (const [what, reply] of Object.entries(replies)) {
        assert.deepStrictEqual([reply.status, reply.body.error], [400, "invalid_request"], what)
        assert.strictEqual(reply.headers.get("cache-control"), "no-store", what)
      }
    })
  )

  it.effect("refuses a client that asks for a token with each request, and nobody else", () =>
    Effect.gen(function* () {
      const { issue } = yield* aClient
      const replies = yield* Effect.forEach(Array.from({ length: 61 }), () => issue(), { concurrency: 4 })
      const refused = replies.filter(({ status }) => status !== 200)
      assert.deepStrictEqual(
        refused.map(({ body, status }) => [status, body.error]),
        [[429, "rate_limited"]]
      )
      assert.isAbove(Number(refused[0]?.headers.get("retry-after")), 0)
      assert.strictEqual((yield* (yield* aClient).issue()).status, 200)
    })
  )

  it.effect("refuses an address that asks too often, whoever it says it is, and no other address", () =>
    Effect.gen(function* () {
      const { issue } = yield* OAuth
      const askFrom = (address: string) =>
        issue({ address, baseUrl: "http://localhost", authorization: undefined, form: new Map() }).pipe(
          Effect.flip,
          Effect.map(({ error }) => error)
        )
      const answers = yield* Effect.forEach(Array.from({ length: 601 }), () => askFrom("203.0.113.9"), {
        concurrency: 20
      })
      assert.lengthOf(
        answers.filter((error) => error === "rate_limited"),
        1
      )
      assert.strictEqual(yield* askFrom("203.0.113.10"), "invalid_request")
    })
  )

  it.effect("keeps the newest hundred tokens of a client", () =>
    Effect.gen(function* () {
      const { credentials, status, tenant, token } = yield* aClient
      const first = yield* token
      const tokens = yield* AccessTokens
      const acting = { userId: tenant.userId, teamId: tenant.teamId, scopes: ["api:public"] }
      const later = yield* Effect.forEach(Array.from({ length: 100 }), () =>
        tokens.issueToClient(Id.toUuid("client", credentials.client_id) ?? "", acting)
      )
      assert.deepStrictEqual(yield* Effect.forEach([first, later[0] ?? "", later[99] ?? ""], status), [401, 200, 200])
    })
  )

  it.effect("gives a client that asks for api:read a token that reads and does not write", () =>
    Effect.gen(function* () {
      const { issue } = yield* aClient
      const { request } = yield* TestService
      const { body } = yield* issue({ scope: "api:read" })
      assert.strictEqual(body.scope, "api:read")
      const token = body.access_token
      assert.strictEqual((yield* request("GET", "/api/v1/auth/me", { token })).status, 200)
      const written = yield* request("POST", "/api/v1/network/companies", { token, json: { name: "Rossi" } })
      assert.deepStrictEqual([written.status, written.body["code"]], [403, "insufficient_scope"])
    })
  )

  it.effect("gives clients one grant type and the scopes of the API", () =>
    Effect.gen(function* () {
      const { issue } = yield* aClient
      const error = (members: Members) => Effect.map(issue(members), ({ body, status }) => [status, body.error])
      assert.deepStrictEqual(yield* error({ grant_type: "password" }), [400, "unsupported_grant_type"])
      assert.deepStrictEqual(yield* error({ grant_type: "refresh_token" }), [400, "unauthorized_client"])
      assert.deepStrictEqual(yield* error({ scope: "api:admin" }), [400, "invalid_scope"])
      assert.deepStrictEqual(yield* error({ scope: "api:public api:admin" }), [400, "invalid_scope"])
      const issued = yield* issue({ scope: "" })
      assert.strictEqual(issued.body.scope, "api:public")
    })
  )
})

layer(TestService.layer, { excludeTestServices: true })("An access token", (it) => {
  it.effect("stops working when its client revokes it, and revoking it again answers 200", () =>
    Effect.gen(function* () {
      const client = yield* aClient
      const [token, other] = [yield* client.token, yield* client.token]
      assert.strictEqual((yield* client.revoke(token)).status, 200)
      assert.strictEqual(yield* client.status(token), 401)
      assert.strictEqual(yield* client.status(other), 200)
      assert.strictEqual((yield* client.revoke(token)).status, 200)
      assert.strictEqual((yield* client.revoke("anything")).status, 200)
    })
  )

  it.effect("can be neither introspected nor revoked by another client", () =>
    Effect.gen(function* () {
      const [client, other] = [yield* aClient, yield* aClient]
      const token = yield* client.token
      assert.deepStrictEqual((yield* other.introspect(token)).body, { active: false })
      assert.strictEqual((yield* other.revoke(token)).status, 200)
      assert.strictEqual(yield* client.status(token), 200)
      assert.deepStrictEqual((yield* client.introspect(client.tenant.token)).body, { active: false })
      assert.strictEqual((yield* client.revoke(client.tenant.token)).status, 200)
      assert.strictEqual(yield* client.status(client.tenant.token), 200)
    })
  )

  it.effect("can be introspected by its client while it is valid", () =>
    Effect.gen(function* () {
      const client = yield* aClient
      const token = yield* client.token
      const introspection = yield* client.introspect(token)
      assert.deepInclude(introspection.body, {
        active: true,
        token_type: "Bearer",
        client_id: client.credentials.client_id
      })
      assert.strictEqual((introspection.body.exp ?? 0) - (introspection.body.iat ?? 0), 3600)
      assert.strictEqual(introspection.headers.get("cache-control"), "no-store")
      yield* client.revoke(token)
      assert.deepStrictEqual((yield* client.introspect(token)).body, { active: false })
    })
  )

  it.effect("stops working, as does the client's secret, when the operator revokes the client", () =>
    Effect.gen(function* () {
      const client = yield* aClient
      const token = yield* client.token
      yield* asOperator(client.clients.revoke(client.credentials.client_id))
      assert.strictEqual(yield* client.status(token), 401)
      assert.strictEqual((yield* client.issue()).status, 401)
      const [listed] = yield* asOperator(client.clients.list(client.tenant.team))
      assert.isString(listed?.revokedUtc)
      assert.notInclude(JSON.stringify(listed), "pns_")
    })
  )

  it.effect("stops working when its bot leaves the team", () =>
    Effect.gen(function* () {
      const client = yield* aClient
      const token = yield* client.token
      const sql = yield* Database
      yield* sql`
        delete from memberships where team_id = ${client.tenant.teamId} and user_id <> ${client.tenant.userId}`
      assert.strictEqual(yield* client.status(token), 401)
      assert.strictEqual((yield* client.issue()).body.error, "invalid_client")
    })
  )
})

layer(TestService.layer, { excludeTestServices: true })("A client", (it) => {
  it.effect("is created with a new or existing bot, and a refused one leaves nothing behind", () =>
    Effect.gen(function* () {
      const { clients, tenant } = yield* aClient
      const [first] = yield* asOperator(clients.list(tenant.team))
      const botId = first?.bot.id ?? ""
      yield* asOperator(clients.create({ teamId: tenant.team, name: "second", botId }))
      const listed = yield* asOperator(clients.list(tenant.team))
      assert.deepStrictEqual(
        listed.map(({ bot, name }) => [name, bot.id]),
        [
          ["CRM sync", botId],
          ["second", botId]
        ]
      )
      const other = yield* aClient
      const sql = yield* Database
      const bots = sql`select count(*)::int as n from users where is_bot`
      const before = yield* bots
      const team = { teamId: tenant.team, name: "third" }
      const wrong = [
        team,
        { ...team, botName: "a", botId },
        { ...team, botId: tenant.user },
        { ...team, botName: " " },
        { ...team, teamId: "team_x", botName: "a" },
        { teamId: other.tenant.team, name: "third", botId }
      ]
      for (const input of wrong) {
        assert.strictEqual((yield* Effect.flip(asOperator(clients.create(input)))).status, 400)
      }
      assert.deepStrictEqual(yield* bots, before)
      assert.lengthOf(yield* asOperator(clients.list(tenant.team)), 2)
    })
  )
})
