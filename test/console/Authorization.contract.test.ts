/** The authorization code grant: an app asks, a person decides on a page, and tokens act for them. */
import * as oauth from "oauth4webapi"
import * as Secret from "../../src/core/auth/Secret.ts"
import * as Agent from "../support/Agent.ts"
import * as Browser from "./Browser.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { asOperator } from "../../src/core/auth/CurrentActor.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { Apps } from "../../src/identity/apps/Apps.ts"
import { Grants } from "../../src/identity/oauth/Grants.ts"
import { Teams } from "../../src/identity/teams/Teams.ts"
import { pollUntil } from "../support/polling.ts"
import { TestService } from "../support/TestService.ts"
import { callback, make } from "./App.ts"
import { password, signedIn } from "./people.ts"

layer(TestService.layer, { excludeTestServices: true })("An authorization", (it) => {
  it.effect(
    "leads from sign-in and consent to tokens that act for the person, with an independent client library",
    () =>
      Effect.gen(function* () {
        const { app, baseUrl, browser, email, team } = yield* make()
        const options = { [oauth.allowInsecureRequests]: true }
        const server = yield* Effect.promise(async () =>
          oauth.processDiscoveryResponse(
            new URL(baseUrl),
            await oauth.discoveryRequest(new URL(baseUrl), { algorithm: "oauth2", ...options })
          )
        )
        assert.deepInclude(server, {
          response_types_supported: ["code"],
          code_challenge_methods_supported: ["S256"],
          authorization_response_iss_parameter_supported: true
        })
        const client: oauth.Client = { client_id: app.client_id }
        const verifier = oauth.generateRandomCodeVerifier()
        const url = new URL(server.authorization_endpoint ?? "")
        const challenge = yield* Effect.promise(() => oauth.calculatePKCECodeChallenge(verifier))
        for (const [name, value] of Object.entries({
          client_id: app.client_id,
          redirect_uri: callback,
          response_type: "code",
          scope: "api:public offline_access",
          state: "state",
          code_challenge: challenge,
          code_challenge_method: "S256"
        })) {
          url.searchParams.set(name, value)
        }
        // A browser without a session signs in first, and comes back.
        const other = yield* Browser.open
        const sent = yield* other.get(`${url.pathname}${url.search}`)
        assert.strictEqual(sent.status, 303)
        const signIn = yield* other.get(sent.headers.get("location") ?? "")
        const back = yield* other.submit(signIn.text, "/signin", { email, password })
        const page = yield* other.get(back.headers.get("location") ?? "")
        for (const shown of [
          "Deal &lt;Radar&gt;",
          email,
          "radar.example.com",
          "Süd &lt;Brokers&gt;",
          "Only let it read"
        ]) {
          assert.include(page.text, shown)
        }
        assert.include(
          page.headers.get("content-security-policy") ?? "",
          "form-action 'self' https://radar.example.com;"
        )
        const allowed = yield* other.submit(page.text, "/openid/authorize", {
          decision: "allow",
          team: team.id,
          only_reads: ""
        })
        const { request } = yield* TestService
        const me = (token: string) => request("GET", "/api/v1/auth/me", { token })
        const authenticate = oauth.ClientSecretBasic(app.client_secret ?? "")
        const tokens = yield* Effect.promise(async () => {
          const parameters = oauth.validateAuthResponse(
            server,
            client,
            new URL(allowed.headers.get("location") ?? ""),
            "state"
          )
          const issued = await oauth.processAuthorizationCodeResponse(
            server,
            client,
            await oauth.authorizationCodeGrantRequest(
              server,
              client,
              authenticate,
              parameters,
              callback,
              verifier,
              options
            )
          )
          const refreshed = await oauth.processRefreshTokenResponse(
            server,
            client,
            await oauth.refreshTokenGrantRequest(server, client, authenticate, issued.refresh_token ?? "", options)
          )
          return { issued, refreshed }
        })
        assert.strictEqual((yield* me(tokens.refreshed.access_token)).body["email"], email)
        const account = yield* browser.get("/console/account/apps")
        assert.include(account.text, "Deal &lt;Radar&gt;")
        assert.include(account.text, "Reads and changes")
        yield* Effect.promise(async () =>
          oauth.processRevocationResponse(
            await oauth.revocationRequest(server, client, authenticate, tokens.refreshed.refresh_token ?? "", options)
          )
        )
        for (const { access_token: token } of [tokens.issued, tokens.refreshed]) {
          assert.strictEqual((yield* me(token)).status, 401)
        }
      })
  )

  it.effect("acts in the team that the person chose, and writes as the app", () =>
    Effect.gen(function* () {
      const { app, call, status, tokens } = yield* make()
      const { access_token: token, scope } = yield* tokens()
      assert.strictEqual(scope, "api:public offline_access")
      const created = yield* call("POST", "/network/contacts", token, { firstName: "Maria" })
      assert.strictEqual(created.status, 201, created.text)
      // The open transactions of other tests hold the journal back.
      const initiators = yield* pollUntil(
        "the change of the app",
        Effect.map(call("GET", "/changes?after=0", token), ({ body }) =>
          (body["data"] as ReadonlyArray<{ change_initiator: unknown }>).map(({ change_initiator }) => change_initiator)
        ),
        (found) => found.length > 0
      )
      assert.deepStrictEqual(initiators.slice(-1), [{ type: "oauth_client", client_id: app.client_id }])
      assert.strictEqual(yield* status(token), 200)
    })
  )

  it.effect("without the scope of refresh tokens ends after an hour, which the page says", () =>
    Effect.gen(function* () {
      const { allow, ask, exchange } = yield* make()
      const notice = /Stay connected for an hour/
      assert.notMatch((yield* ask()).text, notice)
      for (const scope of ["", "api:public", "api:read"]) {
        assert.match((yield* ask({ scope })).text, notice)
        const { body } = yield* exchange((yield* allow({ scope })).code ?? "")
        assert.notProperty(body, "refresh_token")
        assert.strictEqual(body.scope, scope === "" ? "api:public" : scope)
      }
    })
  )

  it.effect("comes back to a redirect URI with its query as it was registered", () =>
    Effect.gen(function* () {
      const registered = `${callback}?flag&y=a/b%20c&state=own`
      const { ask, browser, exchange, returned, team } = yield* make({ redirectUris: [registered] })
      const kept = `${callback}?flag&y=a/b%20c&`
      for (const [decision, name] of [
        ["allow", "code"],
        ["deny", "error"]
      ] as const) {
        const page = yield* ask()
        const reply = yield* browser.submit(page.text, "/openid/authorize", { decision, team: team.id, only_reads: "" })
        const location = reply.headers.get("location") ?? ""
        assert.isTrue(location.startsWith(`${kept}${name}=`), location)
        assert.strictEqual(location.match(/[?&]state=/g)?.length, 1)
        const { code } = returned(reply).answer
        if (code !== undefined) assert.strictEqual((yield* exchange(code)).status, 200)
      }
    })
  )

  it.effect("with the right to read alone, reads and searches, and writes nothing", () =>
    Effect.gen(function* () {
      const { call, tokens } = yield* make()
      for (const issued of [
        yield* tokens({ scope: "api:read" }),
        yield* tokens({ scope: "api:public" }, { only_reads: "yes" })
      ]) {
        const token = issued.access_token
        assert.deepStrictEqual([issued.scope, issued.refresh_token], ["api:read", undefined])
        for (const [path, json] of [
          ["/network/contacts:search", { query: "a" }],
          ["/network/contacts/batch/get", { ids: ["contact_x"] }],
          ["/companies/find-duplicates", { name: "Rossi" }],
          ["/mandates/search", { location: "Munich" }]
        ] as const) {
          const reply = yield* call("POST", path, token, json)
          assert.isBelow(reply.status, 300, `${path}: ${reply.text}`)
        }
        assert.strictEqual((yield* call("GET", "/network/contacts", token)).status, 200)
        const refused = yield* call("POST", "/network/contacts", token, { firstName: "Maria" })
        assert.deepStrictEqual([refused.status, refused.body["code"]], [403, "insufficient_scope"])
        assert.match(refused.headers.get("www-authenticate") ?? "", /error="insufficient_scope", scope="api:public"$/)
        assert.strictEqual((yield* call("DELETE", "/network/contacts/x", token)).status, 403)
      }
    })
  )

  it.effect("returns with what is wrong, or with nothing at all to an address that is not the app's", () =>
    Effect.gen(function* () {
      const { ask, baseUrl, returned } = yield* make({ redirectUris: [callback, "http://127.0.0.1/cb"] })
      for (const [changed, error] of [
        [{ response_type: "token" }, "unsupported_response_type"],
        [{ code_challenge: "" }, "invalid_request"],
        [{ code_challenge_method: "plain" }, "invalid_request"],
        [{ code_challenge_method: "" }, "invalid_request"],
        [{ code_challenge: "short" }, "invalid_request"],
        [{ scope: "api:public admin" }, "invalid_scope"],
        [{ scope: "offline_access" }, "invalid_scope"],
        [{ resource: "https://other.example.com" }, "invalid_target"],
        [{ prompt: "none" }, "login_required"]
      ] as const) {
        const { answer, url } = returned(yield* ask(changed))
        assert.strictEqual(url.origin + url.pathname, callback)
        assert.deepInclude(answer, { error, state: "s&t=1", iss: baseUrl })
        assert.notProperty(answer, "code")
      }
      for (const redirect_uri of [
        `${callback}/`,
        `${callback}?a=1`,
        `${callback}/../callback`,
        callback.toUpperCase(),
        "https://radar.example.com:443/callback",
        "https://radar.example.com.evil.example/callback",
        "https://radar.example.com@evil.example/callback",
        "https://radar.example.com/%63allback",
        "http://radar.example.com/callback",
        "http://127.0.0.1.evil.example/cb",
        "http://localhost/cb",
        "http://user@127.0.0.1/cb",
        "javascript:alert(1)",
        ""
      ]) {
        const reply = yield* ask({ redirect_uri })
        assert.strictEqual(reply.status, 400, redirect_uri)
        assert.isNull(reply.headers.get("location"))
      }
      for (const port of ["", ":1234", ":61023"]) {
        const reply = yield* ask({ redirect_uri: `http://127.0.0.1${port}/cb` })
        assert.strictEqual(reply.status, 200, reply.text)
        assert.include(reply.text, "on your own machine")
      }
      assert.strictEqual((yield* ask({ client_id: "client_unknown" })).status, 400)
    })
  )

  it.effect("is given only on the page, by the person who is signed in", () =>
    Effect.gen(function* () {
      const { asked, ask, browser, returned, team } = yield* make()
      const page = yield* ask()
      const denied = yield* browser.submit(page.text, "/openid/authorize", { decision: "deny" })
      assert.strictEqual(returned(denied).answer["error"], "access_denied")
      const [form] = Browser.formsOf(page.text).filter(({ action }) => action === "/openid/authorize")
      const fields = { ...form?.fields, decision: "allow", team: team.id }
      const foreign = yield* browser.post("/openid/authorize", fields, {
        "sec-fetch-site": "cross-site",
        origin: "https://evil.example"
      })
      assert.strictEqual(foreign.status, 403)
      assert.strictEqual((yield* browser.post("/openid/authorize", { ...fields, form_token: "x" })).status, 403)
      const stranger = yield* signedIn
      const theirs = yield* stranger.browser.get("/console/account")
      const token = Browser.formsOf(theirs.text)[0]?.fields["form_token"] ?? ""
      const inMyTeam = yield* stranger.browser.post("/openid/authorize", { ...fields, form_token: token })
      assert.strictEqual(returned(inMyTeam).answer["error"], "access_denied")
      const evil = new URLSearchParams({ ...asked, redirect_uri: "https://evil.example/" }).toString()
      assert.strictEqual((yield* browser.post("/openid/authorize", { ...fields, request: evil })).status, 400)
    })
  )
})

layer(TestService.layer, { excludeTestServices: true })("A code", (it) => {
  it.effect("is good once; used again, it ends what it led to", () =>
    Effect.gen(function* () {
      const { allow, exchange, refresh, status } = yield* make()
      const { code = "" } = yield* allow()
      const first = yield* exchange(code)
      assert.strictEqual(first.status, 200)
      const again = yield* exchange(code)
      assert.deepStrictEqual([again.status, again.body.error], [400, "invalid_grant"])
      assert.strictEqual(yield* status(first.body.access_token), 401)
      assert.strictEqual((yield* refresh(first.body.refresh_token ?? "")).body.error, "invalid_grant")
    })
  )

  it.effect("is good for a minute", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { allow, exchange } = yield* make()
      const { code = "" } = yield* allow()
      yield* sql`
        update authorization_codes set expires_at = expires_at - interval '1 minute' where hash = ${Secret.hash(code)}`
      const late = yield* exchange(code)
      assert.deepStrictEqual([late.status, late.body.error], [400, "invalid_grant"])
    })
  )

  it.effect("is exchanged once by twenty who try at the same time", () =>
    Effect.gen(function* () {
      const { allow, exchange } = yield* make()
      const { code = "" } = yield* allow()
      const replies = yield* Effect.forEach(Array.from({ length: 20 }), () => exchange(code), { concurrency: 20 })
      assert.strictEqual(replies.filter(({ status }) => status === 200).length, 1)
    })
  )

  it.effect("needs the verifier, the redirect URI and the app that it was made for", () =>
    Effect.gen(function* () {
      const one = yield* make()
      const other = yield* make()
      for (const changed of [
        { code_verifier: other.verifier },
        { redirect_uri: `${callback}/` },
        { client_id: other.app.client_id, client_secret: other.app.client_secret ?? "" }
      ]) {
        const { code = "" } = yield* one.allow()
        const refused = yield* one.exchange(code, changed)
        assert.deepStrictEqual([refused.status, refused.body.error], [400, "invalid_grant"], JSON.stringify(changed))
        if (!("client_id" in changed)) assert.strictEqual((yield* one.exchange(code)).status, 400, "it is used up")
      }
      const { code = "" } = yield* one.allow()
      assert.strictEqual((yield* one.exchange(code, { code_verifier: "" })).body.error, "invalid_request")
      assert.strictEqual((yield* one.exchange(code, { client_secret: "pns_wrong" })).status, 401)
      assert.strictEqual((yield* one.exchange(code, { client_secret: "" })).status, 401)
      assert.strictEqual((yield* one.exchange("pnc_unknown")).body.error, "invalid_grant")
      assert.strictEqual((yield* one.exchange(code)).status, 200)
    })
  )

  it.effect("comes to an app without a secret by its id alone, on any port of this machine", () =>
    Effect.gen(function* () {
      const { allow, credentials, exchange, status } = yield* make({
        confidential: false,
        redirectUris: ["http://127.0.0.1/cb"]
      })
      assert.deepStrictEqual(Object.keys(credentials), ["client_id"])
      const redirect_uri = "http://127.0.0.1:51234/cb"
      const { code = "" } = yield* allow({ redirect_uri })
      assert.strictEqual((yield* exchange(code, { client_secret: "x" })).status, 401)
      assert.strictEqual((yield* exchange(code)).body.error, "invalid_grant")
      const { code: next = "" } = yield* allow({ redirect_uri })
      const issued = yield* exchange(next, { redirect_uri })
      assert.strictEqual(yield* status(issued.body.access_token), 200)
    })
  )
})

layer(TestService.layer, { excludeTestServices: true })("A refresh token", (it) => {
  it.effect("is replaced at each use, and asks for no more than was granted", () =>
    Effect.gen(function* () {
      const { refresh, status, tokens } = yield* make()
      const first = yield* tokens()
      const second = (yield* refresh(first.refresh_token ?? "")).body
      assert.notStrictEqual(second.refresh_token, first.refresh_token)
      assert.deepStrictEqual([yield* status(first.access_token), yield* status(second.access_token)], [200, 200])
      const less = yield* refresh(second.refresh_token ?? "", { scope: "api:read" })
      assert.strictEqual(less.body.scope, "api:read")
      const more = yield* make()
      const read = yield* more.tokens({ scope: "api:read offline_access" })
      const refused = yield* more.refresh(read.refresh_token ?? "", { scope: "api:public" })
      assert.deepStrictEqual([refused.status, refused.body.error], [400, "invalid_scope"])
    })
  )

  it.effect("is good for clients that race", () =>
    Effect.gen(function* () {
      const { refresh, status, tokens } = yield* make()
      const { refresh_token: token = "" } = yield* tokens()
      const replies = yield* Effect.forEach([1, 2, 3, 4], () => refresh(token), { concurrency: 4 })
      for (const { body } of replies) assert.strictEqual(yield* status(body.access_token), 200)
    })
  )

  it.effect("that comes again more than two minutes after it was replaced ends all tokens of its sign-in", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { refresh, status, tokens } = yield* make()
      const [first, other] = [yield* tokens(), yield* tokens()]
      const { refresh_token: stolen = "" } = first
      const second = (yield* refresh(stolen)).body
      yield* sql`
        update refresh_tokens set replaced_at = replaced_at - interval '2 minutes' where hash = ${Secret.hash(stolen)}`
      const replayed = yield* refresh(stolen)
      assert.deepStrictEqual([replayed.status, replayed.body.error], [400, "invalid_grant"])
      for (const { access_token: token } of [first, second]) assert.strictEqual(yield* status(token), 401)
      assert.strictEqual((yield* refresh(second.refresh_token ?? "")).body.error, "invalid_grant")
      assert.strictEqual(yield* status(other.access_token), 200)
    })
  )

  it.effect("ends with its access tokens when the app revokes it, or an access token", () =>
    Effect.gen(function* () {
      const { refresh, send, status, tokens } = yield* make()
      for (const kind of ["refresh_token", "access_token"] as const) {
        const issued = yield* tokens()
        const other = yield* tokens()
        assert.strictEqual((yield* send("/openid/revoke", { token: issued[kind] ?? "" })).status, 200)
        assert.strictEqual(yield* status(issued.access_token), 401)
        assert.strictEqual((yield* refresh(issued.refresh_token ?? "")).body.error, "invalid_grant")
        assert.strictEqual(yield* status(other.access_token), 200)
      }
      const stranger = yield* make()
      const mine = yield* tokens()
      assert.strictEqual((yield* stranger.send("/openid/revoke", { token: mine.access_token })).status, 200)
      assert.strictEqual(yield* status(mine.access_token), 200)
      const introspected = yield* send("/openid/introspect", { token: mine.access_token })
      assert.deepInclude(introspected.body as object, { active: true, scope: "api:public" })
      assert.deepStrictEqual(
        (yield* stranger.send("/openid/introspect", { token: mine.access_token })).body as object,
        { active: false }
      )
    })
  )
})

layer(TestService.layer, { excludeTestServices: true })("A grant", (it) => {
  it.effect("ends at once when the person disconnects the app, or the operator ends it or the app", () =>
    Effect.gen(function* () {
      for (const how of ["person", "operator", "app"] as const) {
        const { app, browser, email, refresh, status, tokens } = yield* make()
        const issued = yield* tokens()
        const grants = yield* Grants
        const [grant] = yield* asOperator(grants.listOf({ email }))
        assert.deepStrictEqual(grant?.app.id, app.client_id)
        if (how === "person")
          yield* browser.submit((yield* browser.get("/console/account/apps")).text, "/console/account/apps/disconnect")
        if (how === "operator") yield* asOperator(grants.revoke(grant?.id ?? ""))
        if (how === "app") yield* asOperator((yield* Apps).revoke(app.client_id))
        assert.strictEqual(yield* status(issued.access_token), 401, how)
        assert.strictEqual((yield* refresh(issued.refresh_token ?? "")).status >= 400, true, how)
        assert.deepStrictEqual(yield* asOperator(grants.listOf({ email })), [])
        assert.include((yield* browser.get("/console/account/apps")).text, "No app acts in your name")
      }
    })
  )

  it.effect("ends for good when the person leaves the team, also if they come back", () =>
    Effect.gen(function* () {
      const { browser, email, refresh, status, tokens } = yield* make()
      const teams = yield* Teams
      const second = yield* asOperator(teams.create({ name: "Nord", plan: "plus" }))
      const join = asOperator(
        Effect.andThen(
          teams.invite({ teamId: second.id, email, role: "member" }),
          teams.accept({ teamId: second.id, email })
        )
      )
      yield* join
      const issued = yield* tokens({}, { team: second.id })
      assert.strictEqual(yield* status(issued.access_token), 200)
      yield* asOperator(teams.remove({ teamId: second.id, email }))
      assert.strictEqual(yield* status(issued.access_token), 401)
      assert.strictEqual((yield* refresh(issued.refresh_token ?? "")).body.error, "invalid_grant")
      yield* join
      assert.strictEqual(yield* status(issued.access_token), 401)
      assert.strictEqual((yield* refresh(issued.refresh_token ?? "")).body.error, "invalid_grant")
      assert.include((yield* browser.get("/console/account/apps")).text, "No app acts in your name")
      const fresh = yield* tokens({}, { team: second.id })
      assert.deepStrictEqual([yield* status(fresh.access_token), yield* status(issued.access_token)], [200, 401])
    })
  )

  it.effect("keeps its newest twenty access tokens", () =>
    Effect.gen(function* () {
      const { refresh, status, tokens } = yield* make()
      const first = yield* tokens()
      let token = first.refresh_token ?? ""
      const issued: Array<string> = [first.access_token]
      for (let times = 0; times < 20; times += 1) {
        const { body } = yield* refresh(token)
        token = body.refresh_token ?? ""
        issued.push(body.access_token)
      }
      const statuses = yield* Effect.forEach(issued, status)
      assert.deepStrictEqual(statuses, [401, ...Array.from({ length: 20 }, () => 200)])
    })
  )

  it.effect("that asks for tokens more than thirty times a minute waits", () =>
    Effect.gen(function* () {
      const { refresh, tokens } = yield* make()
      const other = yield* tokens()
      let { refresh_token: token = "" } = other
      for (let times = 0; times < 30; times += 1) token = (yield* refresh(token)).body.refresh_token ?? ""
      const refused = yield* refresh(token)
      assert.deepStrictEqual([refused.status, refused.body.error], [429, "rate_limited"])
      assert.isAbove(Number(refused.headers.get("retry-after")), 0)
      const stranger = yield* make()
      assert.isDefined((yield* stranger.tokens()).access_token)
    })
  )

  it.effect("has a rate limit of its own, which all its tokens share", () =>
    Effect.gen(function* () {
      const one = yield* make()
      const other = yield* make({ app: one.app })
      const left = Effect.fnUntraced(function* ({ call, tokens }: typeof one) {
        const { headers } = yield* call("GET", "/auth/me", (yield* tokens()).access_token)
        return Number(/^"client";r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1])
      })
      const first = yield* left(one)
      assert.deepStrictEqual([yield* left(one), yield* left(other)], [first - 1, first])
    })
  )

  it.effect("for the MCP endpoint alone is good for nothing else", () =>
    Effect.gen(function* () {
      const { baseUrl, call, request, tokens } = yield* make()
      const { headers, json } = Agent.message("tools/list")
      const tools = (token: string) =>
        Effect.map(request("POST", "/mcp", { token, json, headers }), ({ status }) => status)
      const { access_token: token } = yield* tokens({ resource: `${baseUrl}/mcp` })
      const refused = yield* call("GET", "/auth/me", token)
      assert.deepStrictEqual([refused.status, refused.body["code"]], [401, "unauthorized"])
      assert.strictEqual(yield* tools(token), 200)
      for (const resource of [`${baseUrl}/mcp/`, `${baseUrl}/mcp?readonly=true`, `${baseUrl}/mcp?toolsets=network`]) {
        const { access_token: bound } = yield* tokens({ resource })
        const path = resource.slice(baseUrl.length)
        assert.strictEqual((yield* request("POST", path, { token: bound, json, headers })).status, 200)
        assert.strictEqual((yield* call("GET", "/auth/me", bound)).status, 401)
      }
      const { access_token: both } = yield* tokens({ resource: baseUrl })
      assert.strictEqual((yield* call("GET", "/auth/me", both)).status, 200)
      assert.strictEqual(yield* tools(both), 200)
    })
  )

  it.effect("gives tokens for what the person was asked for, and for nothing else that is named afterwards", () =>
    Effect.gen(function* () {
      const { allow, baseUrl, exchange, refresh } = yield* make()
      const mcp = `${baseUrl}/mcp`
      for (const [asked, same, others] of [
        [{ resource: mcp }, [mcp, `${mcp}/`, `${mcp}?readonly=true`], [baseUrl, "https://other.example.com"]],
        [{ resource: baseUrl }, [baseUrl, `${baseUrl}/`], [mcp, "https://other.example.com"]],
        [{}, [baseUrl], [mcp, "nonsense"]]
      ] as const) {
        const { code = "" } = yield* allow(asked)
        for (const resource of others) {
          const refused = yield* exchange(code, { resource })
          assert.deepStrictEqual([refused.status, refused.body.error], [400, "invalid_target"], resource)
        }
        // The code is still good, and so is the refresh token.
        let { refresh_token: token = "" } = (yield* exchange(code, { resource: same[0] })).body
        for (const resource of others) {
          const refused = yield* refresh(token, { resource })
          assert.deepStrictEqual([refused.status, refused.body.error], [400, "invalid_target"], resource)
        }
        for (const resource of [...same, undefined]) {
          const { body, status } = yield* refresh(token, resource === undefined ? {} : { resource })
          assert.strictEqual(status, 200)
          token = body.refresh_token ?? ""
        }
      }
    })
  )
})
