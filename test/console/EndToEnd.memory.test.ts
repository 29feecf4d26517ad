/** Whole authorizations with `openid-client` and the clients of MCP, and their end on every process. */
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import * as client from "openid-client"
import { Database } from "../../src/platform/db/Database.ts"
import * as App from "../../src/App.ts"
import { layer as httpLayer } from "../../src/Http.ts"
import { Jobs } from "../../src/platform/jobs/Jobs.ts"
import * as Agent from "../support/Agent.ts"
import { options, TestService } from "../support/TestService.ts"
import { clients, wholeAuthorization } from "./AgentClients.ts"
import { callback, make } from "./App.ts"
import * as Browser from "./Browser.ts"
import { signInAndAllow } from "./people.ts"

/** The origin of a page that may call the tools of the other process. */
const console = "https://console.example.com"

/** Another process of the same service, which people reach by https: it shares the database alone. */
const anotherProcess = Effect.gen(function* () {
  const database = Layer.succeed(Database, yield* Database)
  const built = yield* Layer.build(
    Layer.fresh(
      TestService.layerServer.pipe(
        Layer.provide(
          httpLayer({
            baseUrl: "https://api.example.com",
            host: "127.0.0.1",
            port: 0,
            trustedProxies: 1,
            mcpAllowedOrigins: [console]
          })
        ),
        Layer.provide(App.layer(options)),
        Layer.provide(Jobs.layerMemory),
        Layer.provide(database)
      )
    )
  )
  return Context.get(built, TestService)
})

layer(TestService.layer, { excludeTestServices: true })("An app", (it) => {
  it.effect("with openid-client discovers, is allowed, calls, refreshes and revokes", () =>
    Effect.gen(function* () {
      const { app, baseUrl, email, status, team } = yield* make()
      const config = yield* Effect.promise(() =>
        client.discovery(new URL(baseUrl), app.client_id, app.client_secret, undefined, {
          algorithm: "oauth2",
          execute: [client.allowInsecureRequests]
        })
      )
      const verifier = client.randomPKCECodeVerifier()
      const state = client.randomState()
      const challenge = yield* Effect.promise(() => client.calculatePKCECodeChallenge(verifier))
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: callback,
        scope: "api:public offline_access",
        resource: baseUrl,
        state,
        code_challenge: challenge,
        code_challenge_method: "S256"
      })
      const answer = yield* signInAndAllow(url, { email, team })
      // An answer of another server is one of a mix-up.
      const mixedUp = new URL(answer)
      mixedUp.searchParams.set("iss", "https://evil.example")
      const exchange = (answered: URL) =>
        client.authorizationCodeGrant(config, answered, { pkceCodeVerifier: verifier, expectedState: state })
      yield* Effect.flip(Effect.tryPromise(() => exchange(mixedUp)))
      const issued = yield* Effect.promise(() => exchange(answer))
      assert.strictEqual(yield* status(issued.access_token), 200)
      const refreshed = yield* Effect.promise(() => client.refreshTokenGrant(config, issued.refresh_token ?? ""))
      assert.strictEqual(yield* status(refreshed.access_token), 200)
      yield* Effect.promise(() => client.tokenRevocation(config, refreshed.refresh_token ?? ""))
      assert.strictEqual(yield* status(refreshed.access_token), 401)
      assert.strictEqual(yield* status(issued.access_token), 401)
    })
  )

  for (const [name, connect] of Object.entries(clients)) {
    it.effect(`that is ${name} of MCP goes from a 401 to registration, sign-in, calls, a refresh and the end`, () =>
      Effect.map(wholeAuthorization(connect), (id) => assert.match(id, /^client_/))
    )
  }

  it.effect("that is disconnected at one process gets nothing at another, at once", () =>
    Effect.gen(function* () {
      const other = yield* anotherProcess
      const { browser, credentials, tokens } = yield* make()
      const { access_token: token, refresh_token = "" } = yield* tokens()
      const call = Effect.map(other.request("GET", "/api/v1/auth/me", { token }), ({ status }) => status)
      assert.strictEqual(yield* call, 200)
      yield* browser.submit((yield* browser.get("/console/account/apps")).text, "/console/account/apps/disconnect")
      assert.strictEqual(yield* call, 401)
      const refreshed = yield* other.request("POST", "/openid/token", {
        text: new URLSearchParams({ ...credentials, grant_type: "refresh_token", refresh_token }).toString(),
        headers: { "content-type": "application/x-www-form-urlencoded" }
      })
      assert.strictEqual(refreshed.body["error"], "invalid_grant")
      // What only a service behind https, and its settings, show.
      const [cookie] = (yield* other.request("GET", "/signin")).headers.getSetCookie()
      assert.match(cookie ?? "", /^__Host-/)
      for (const attribute of ["HttpOnly", "Secure", "SameSite=Lax", "Path=/"]) assert.include(cookie, attribute)
      assert.notMatch(cookie ?? "", /Domain=/i)
      const { headers, json } = Agent.message("tools/list")
      const { access_token: fresh } = yield* tokens()
      for (const [origin, status] of [
        [console, 200],
        ["https://api.example.com", 200],
        [`${console}.evil.example`, 403]
      ] as const) {
        const listed = yield* other.request("POST", "/mcp", { token: fresh, json, headers: { ...headers, origin } })
        assert.strictEqual(listed.status, status, origin)
      }
    })
  )

  it.effect("gets no consent without a session, nor on a page that others may frame", () =>
    Effect.gen(function* () {
      const { ask, pathOf, team } = yield* make()
      const page = yield* ask()
      assert.strictEqual(page.headers.get("x-frame-options"), "DENY")
      assert.include(page.headers.get("content-security-policy") ?? "", "frame-ancestors 'none'")
      const [form] = Browser.formsOf(page.text).filter(({ action }) => action === "/openid/authorize")
      const stranger = yield* Browser.open
      const own = Browser.formsOf((yield* stranger.get("/signin")).text)[0]?.fields["form_token"] ?? ""
      const reply = yield* stranger.post("/openid/authorize", {
        ...form?.fields,
        form_token: own,
        decision: "allow",
        team: team.id
      })
      assert.strictEqual(reply.status, 303)
      assert.strictEqual(reply.headers.get("location"), `/signin?next=${encodeURIComponent(pathOf())}`)
    })
  )
})
