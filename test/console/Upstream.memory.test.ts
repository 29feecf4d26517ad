/** Sign-in with an OpenID provider: `oidc-provider` on a free port is the provider. */
import * as http from "node:http"
import * as App from "../../src/App.ts"
import * as Browser from "./Browser.ts"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Logger, Redacted } from "effect"
import { once } from "node:events"
import { Provider } from "oidc-provider"
import { asOperator } from "../../src/core/auth/CurrentActor.ts"
import { layer as httpLayer } from "../../src/Http.ts"
import { UpstreamProvider, UpstreamSignIn } from "../../src/identity/signIn/UpstreamSignIn.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { Jobs } from "../../src/platform/jobs/Jobs.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { options, TestService } from "../support/TestService.ts"
import { aPerson, linkOf, password } from "./people.ts"

interface Account {
  readonly email?: string
  readonly email_verified?: boolean
}

const port = (server: http.Server) => {
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

/** An OpenID provider, which signs in the account that the test names in the browser's cookie. */
class Upstream extends Context.Service<
  Upstream,
  {
    readonly accounts: Map<string, Account>
    readonly state: { isReachable: boolean }
    readonly issuer: string
    /** Signs in as an account at the provider: the address to which the browser returns, beginning from that to which it was sent. */
    readonly signIn: (url: string, subject: string) => Effect.Effect<string>
  }
>()("test/Upstream") {
  static readonly layer = Layer.effect(
    Upstream,
    Effect.gen(function* () {
      const accounts = new Map<string, Account>()
      const state = { isReachable: false }
      const server = yield* Effect.acquireRelease(
        Effect.promise(async () => {
          const started = http.createServer().listen(0, "127.0.0.1")
          await once(started, "listening")
          return started
        }),
        (started) => Effect.sync(() => void (started.close(), started.closeAllConnections()))
      )
      const issuer = `http://127.0.0.1:${port(server)}`
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: "property-network",
            client_secret: "secret",
            redirect_uris: ["https://service.example/signin/openid/callback"],
            grant_types: ["authorization_code"],
            response_types: ["code"]
          }
        ],
        claims: { openid: ["sub"], email: ["email", "email_verified"] },
        findAccount: (_context, subject) => ({
          accountId: subject,
          claims: () => ({ sub: subject, ...accounts.get(subject) })
        }),
        features: { devInteractions: { enabled: true } },
        pkce: { required: () => true }
      })
      // The service has a free port, which is known only later.
      const Client = provider.Client as unknown as { prototype: { redirectUriAllowed: (uri: string) => boolean } }
      Client.prototype.redirectUriAllowed = (uri) => uri.endsWith("/signin/openid/callback")
      const answer = provider.callback()
      server.on("request", (request, response) => {
        if (state.isReachable) void answer(request, response)
        else response.writeHead(503).end()
      })
      const signIn = (url: string, subject: string) =>
        Effect.promise(async () => {
          const jar = new Map<string, string>()
          const visit = async (to: string, fields?: Record<string, string>) => {
            const reply = await fetch(new URL(to, issuer), {
              redirect: "manual",
              headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") },
              ...(fields === undefined ? {} : { method: "POST", body: new URLSearchParams(fields) })
            })
            for (const line of reply.headers.getSetCookie()) {
              const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
              jar.set(name, value)
            }
            return reply
          }
          let reply = await visit(url)
          for (let step = 0; step < 12; step++) {
            const location = reply.headers.get("location")
            if (location?.includes("/signin/openid/callback") === true) return location
            if (location !== null) {
              reply = await visit(location)
              continue
            }
            const text = await reply.text()
            const [, prompt] = /name="prompt" value="(\w+)"/.exec(text) ?? []
            const [, action = ""] = /<form[^>]* action="([^"]+)"/.exec(text) ?? []
            if (prompt === undefined) throw new Error(text)
            reply = await visit(action, { prompt, login: subject, password: "x" })
          }
          throw new Error("the provider never answered")
        })
      return { accounts, state, issuer, signIn }
    })
  )
}

const service = Layer.unwrap(
  Effect.map(Upstream, ({ issuer }) =>
    TestService.layerServer.pipe(
      Layer.provideMerge(httpLayer({ baseUrl: undefined, host: "127.0.0.1", port: 0, trustedProxies: 1 })),
      Layer.provideMerge(
        App.layer({
          ...options,
          identity: Layer.succeed(UpstreamProvider, {
            issuer,
            clientId: "property-network",
            clientSecret: Redacted.make("secret")
          })
        })
      ),
      Layer.provideMerge(Jobs.layerMemory),
      Layer.provideMerge(TestDatabase.layer),
      Layer.provide(Logger.layer([]))
    )
  )
).pipe(Layer.provideMerge(Upstream.layer))

const pathOf = (location: string) => {
  const { pathname, search } = new URL(location)
  return `${pathname}${search}`
}

/** Goes to the provider and signs in there: the browser, and the path with which it returns. `onTheWay` changes what is asked. */
const atProvider = Effect.fnUntraced(function* (
  subject: string,
  next = "",
  onTheWay: (asked: URLSearchParams) => void = () => {}
) {
  const { signIn } = yield* Upstream
  const browser = yield* Browser.open
  const sent = yield* browser.get(`/signin/openid${next}`)
  assert.strictEqual(sent.status, 303, sent.text)
  const url = new URL(sent.headers.get("location") ?? "")
  onTheWay(url.searchParams)
  return { browser, back: pathOf(yield* signIn(url.href, subject)) }
})

/** What a person sees who comes back. */
const comesBack = Effect.fnUntraced(function* (subject: string, next?: string) {
  const { back, browser } = yield* atProvider(subject, next)
  const reply = yield* browser.get(back)
  return { browser, back, reply, to: reply.headers.get("location") }
})

layer(service, { excludeTestServices: true })("Sign-in with an OpenID provider", (it) => {
  it.effect("is a page that says so while the provider cannot be reached, and works once it can", () =>
    Effect.gen(function* () {
      const { issuer, state } = yield* Upstream
      const browser = yield* Browser.open
      assert.include((yield* browser.get("/signin")).text, `Sign in with ${new URL(issuer).host}`)
      const reply = yield* browser.get("/signin/openid")
      assert.strictEqual(reply.status, 503)
      assert.include(reply.text, "cannot be reached")
      state.isReachable = true
      assert.strictEqual((yield* browser.get("/signin/openid")).status, 303)
    })
  )

  it.effect("signs in who has the verified address, and later the same person whatever their address is", () =>
    Effect.gen(function* () {
      const { accounts } = yield* Upstream
      const { email } = yield* aPerson
      accounts.set(email, { email: email.toUpperCase(), email_verified: true })
      const first = yield* comesBack(email, "?next=%2Fconsole%2Faccount%3Fa%3D1")
      assert.deepStrictEqual([first.reply.status, first.to], [303, "/console/account?a=1"], first.reply.text)
      assert.include((yield* first.browser.get("/console/account")).text, email)
      const other = yield* aPerson
      accounts.set(email, { email: other.email, email_verified: true })
      const later = yield* comesBack(email)
      assert.strictEqual(later.to, "/console")
      const account = yield* later.browser.get("/console/account")
      assert.include(account.text, email)
      assert.notInclude(account.text, other.email)
      // Who has the old address at the provider now is somebody else.
      accounts.set("newcomer", { email, email_verified: true })
      const newcomer = yield* comesBack("newcomer")
      assert.strictEqual(newcomer.reply.status, 403)
      assert.include(newcomer.reply.text, "Ask the operator")
      const { unbind } = yield* UpstreamSignIn
      assert.deepStrictEqual(yield* asOperator(unbind(email)), { unbound: 1 })
      assert.deepStrictEqual(yield* asOperator(unbind(email)), { unbound: 0 })
      assert.strictEqual((yield* Effect.flip(asOperator(unbind(`no.${email}`))))._tag, "InvalidRequest")
      assert.include((yield* later.browser.get("/console/account")).text, email)
      assert.strictEqual((yield* comesBack("newcomer")).to, "/console")
      assert.strictEqual((yield* comesBack(email)).to, "/console")
    })
  )

  it.effect("ends what gave access to an account before the provider vouched for its address", () =>
    Effect.gen(function* () {
      const { accounts } = yield* Upstream
      const { email } = yield* aPerson
      const sql = yield* Database
      yield* sql`update users set email_confirmed = false where email = ${email}`
      // Whoever was handed an invitation for the address, and set a password.
      const early = yield* Browser.open
      const page = yield* early.get(yield* linkOf(email))
      yield* early.submit(page.text, "/signin/password", { password })
      assert.strictEqual((yield* early.get("/console/account")).status, 200)
      accounts.set(email, { email, email_verified: true })
      const owner = yield* comesBack(email)
      assert.strictEqual((yield* owner.browser.get("/console/account")).status, 200)
      assert.strictEqual((yield* early.get("/console/account")).status, 303)
      const again = yield* early.get("/signin")
      assert.strictEqual((yield* early.submit(again.text, "/signin", { email, password })).status, 422)
    })
  )

  it.effect("refuses an address that is not verified or that nobody has, and makes no user", () =>
    Effect.gen(function* () {
      const { accounts } = yield* Upstream
      const { email } = yield* aPerson
      for (const [subject, account, says] of [
        ["unverified", { email, email_verified: false }, "has not verified your e-mail address"],
        ["unsaid", { email }, "has not verified your e-mail address"],
        ["nameless", {}, "has not verified your e-mail address"],
        ["stranger", { email: `no.${email}`, email_verified: true }, "to add you"]
      ] as const) {
        accounts.set(subject, account)
        const { browser, reply } = yield* comesBack(subject)
        assert.strictEqual(reply.status, 403, subject)
        assert.include(reply.text, says)
        assert.strictEqual((yield* browser.get("/console/account")).status, 303)
      }
    })
  )

  it.effect("takes an answer once, in the browser and for the attempt that it belongs to, from this provider", () =>
    Effect.gen(function* () {
      const { accounts } = yield* Upstream
      const { email } = yield* aPerson
      accounts.set(email, { email, email_verified: true })
      const refused = Effect.fnUntraced(function* (browser: Browser.Browser, path: string) {
        const reply = yield* browser.get(path)
        assert.strictEqual(reply.status, 403, reply.text)
        assert.strictEqual((yield* browser.get("/console/account")).status, 303)
      })
      const { back, browser } = yield* atProvider(email)
      yield* refused(yield* Browser.open, back)
      const victim = yield* atProvider(email)
      yield* refused(victim.browser, back)
      // Somebody else's code under the victim's own state.
      const injected = yield* atProvider(email)
      const mixed = new URLSearchParams(injected.back.split("?")[1])
      mixed.set("code", new URLSearchParams((yield* atProvider(email)).back.split("?")[1]).get("code") ?? "")
      yield* refused(injected.browser, `/signin/openid/callback?${mixed.toString()}`)
      const cookie = browser.jar.get("pn_upstream") ?? ""
      for (const [name, value] of [
        ["state", "x"],
        ["state", ""],
        ["iss", "https://evil.example"],
        ["iss", ""],
        ["code", "x"]
      ] as const) {
        const attempt = yield* atProvider(email)
        const changed = new URLSearchParams(attempt.back.split("?")[1])
        if (value === "") changed.delete(name)
        else changed.set(name, value)
        yield* refused(attempt.browser, `/signin/openid/callback?${changed.toString()}`)
      }
      for (const changed of [cookie.replace(/\.\d+\./, ".9999999999999."), `${cookie}Lw`, `x${cookie}`, "x"]) {
        const other = yield* Browser.open
        other.jar.set("pn_upstream", changed)
        yield* refused(other, back)
      }
      assert.strictEqual((yield* browser.get(back)).status, 303)
      assert.isFalse(browser.jar.has("pn_upstream"))
      browser.jar.clear()
      yield* refused(browser, back)
      browser.jar.set("pn_upstream", cookie)
      yield* refused(browser, back)
    })
  )

  it.effect("takes an ID token with the nonce of the attempt alone", () =>
    Effect.gen(function* () {
      const { accounts } = yield* Upstream
      const { email } = yield* aPerson
      accounts.set(email, { email, email_verified: true })
      const ways: ReadonlyArray<readonly [status: number, onTheWay: (asked: URLSearchParams) => void]> = [
        [403, (asked) => asked.set("nonce", "of-another-attempt")],
        [403, (asked) => asked.delete("nonce")],
        [303, () => {}]
      ]
      for (const [status, onTheWay] of ways) {
        const { back, browser } = yield* atProvider(email, "", onTheWay)
        const reply = yield* browser.get(back)
        assert.strictEqual(reply.status, status, reply.text)
        assert.strictEqual((yield* browser.get("/console/account")).status, status === 303 ? 200 : 303)
      }
    })
  )

  it.effect("never goes on to another site", () =>
    Effect.gen(function* () {
      const { accounts } = yield* Upstream
      const { email } = yield* aPerson
      accounts.set(email, { email, email_verified: true })
      for (const next of ["//evil.example", "https://evil.example/", "/\\evil.example"]) {
        assert.strictEqual((yield* comesBack(email, `?next=${encodeURIComponent(next)}`)).to, "/console")
      }
    })
  )
})
