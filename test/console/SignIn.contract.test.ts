/** Sign-in pages, sessions and the account page, as a browser without scripts sees them. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../src/platform/db/Database.ts"
import { SignInAttempts } from "../../src/identity/signIn/SignInAttempts.ts"
import { TestService } from "../support/TestService.ts"
import * as Browser from "./Browser.ts"
import { aPerson, linkOf, password, signedIn } from "./people.ts"

const alertOf = (page: string) => /role="alert">\s*<div>([^<]*)</.exec(page)?.[1]

/** What is wrong with the first field that is refused. */
const faultOf = (page: string) => /<p class="fault"[^>]*>([^<]*)</.exec(page)?.[1]

layer(TestService.layer, { excludeTestServices: true })("Signing in", (it) => {
  it.effect("begins with a link, by which a person sets a password once", () =>
    Effect.gen(function* () {
      const { browser, email, reply } = yield* signedIn
      assert.deepStrictEqual([reply.status, reply.headers.get("location")], [303, "/console"])
      const account = yield* browser.get("/console/account")
      assert.strictEqual(account.status, 200)
      for (const shown of ["Eva Brandt", email, "Süd &lt;Brokers&gt; &amp; Co"]) assert.include(account.text, shown)
      const { text: security } = yield* browser.get("/console/account/security")
      for (const shown of ["Test browser", "this browser"]) assert.include(security, shown)
      const another = yield* Browser.open
      const path = yield* linkOf(email)
      const page = yield* another.get(path)
      assert.strictEqual((yield* another.submit(page.text, "/signin/password", { password })).status, 303)
      const used = yield* another.submit(page.text, "/signin/password", { password })
      assert.strictEqual(used.status, 403, "the session has another form token")
      assert.strictEqual((yield* (yield* Browser.open).get(path)).status, 410)
      // A new password ends all other sessions.
      assert.strictEqual(
        (yield* browser.get("/console/account")).headers.get("location"),
        "/signin?next=%2Fconsole%2Faccount"
      )
    })
  )

  it.effect("says that a new password ends other sessions only where there are others", () =>
    Effect.gen(function* () {
      const ends = "You will be signed out in all other browsers."
      const { email } = yield* aPerson
      const [browser, another] = [yield* Browser.open, yield* Browser.open]
      const first = yield* browser.get(yield* linkOf(email))
      assert.include(first.text, email)
      assert.notInclude(first.text, ends)
      yield* browser.submit(first.text, "/signin/password", { password })
      const path = yield* linkOf(email)
      assert.notInclude((yield* browser.get(path)).text, ends, "its own session is the only one")
      const elsewhere = yield* another.get(path)
      assert.include(elsewhere.text, ends)
      const refused = yield* another.submit(elsewhere.text, "/signin/password", { password: "short" })
      assert.include(refused.text, ends)
    })
  )

  it.effect("ends an earlier link when there is a new one", () =>
    Effect.gen(function* () {
      const { email } = yield* aPerson
      const first = yield* linkOf(email)
      const second = yield* linkOf(email)
      const browser = yield* Browser.open
      assert.deepStrictEqual([(yield* browser.get(first)).status, (yield* browser.get(second)).status], [410, 200])
      assert.strictEqual((yield* browser.get("/signin/password?link=pnl_nothing")).status, 410)
      assert.strictEqual((yield* browser.get("/signin/password")).status, 410)
    })
  )

  it.effect("rejects a password that is short, or little more than the name", () =>
    Effect.gen(function* () {
      const { email } = yield* aPerson
      const browser = yield* Browser.open
      const page = yield* browser.get(yield* linkOf(email))
      for (const [chosen, message] of [
        ["short", /at least 12 characters/],
        [email, /little more than your name/],
        ["x".repeat(257), /at most 256/]
      ] as const) {
        const reply = yield* browser.submit(page.text, "/signin/password", { password: chosen })
        assert.strictEqual(reply.status, 422)
        assert.match(faultOf(reply.text) ?? "", message)
        assert.notMatch(/<input[^>]*type="password"[^>]*>/.exec(reply.text)?.[0] ?? "value=", /value=/)
      }
      assert.strictEqual((yield* browser.submit(page.text, "/signin/password", { password })).status, 303)
    })
  )

  it.effect("takes address and password, goes on to where the person wanted to go, and signs out", () =>
    Effect.gen(function* () {
      const { email } = yield* signedIn
      const browser = yield* Browser.open
      const refused = yield* browser.get("/console/account")
      assert.strictEqual(refused.headers.get("location"), "/signin?next=%2Fconsole%2Faccount")
      const page = yield* browser.get("/signin?next=%2Fconsole%2Faccount%3Fa%3D1")
      const wrong = yield* browser.submit(page.text, "/signin", { email, password: `${password}.` })
      const unknown = yield* browser.submit(page.text, "/signin", { email: `no.${email}`, password })
      assert.deepStrictEqual([wrong.status, unknown.status], [422, 422])
      assert.strictEqual(faultOf(wrong.text), faultOf(unknown.text))
      const reply = yield* browser.submit(page.text, "/signin", { email: ` ${email.toUpperCase()} `, password })
      assert.deepStrictEqual([reply.status, reply.headers.get("location")], [303, "/console/account?a=1"])
      const account = yield* browser.get("/console/account")
      assert.strictEqual((yield* browser.get("/signin")).headers.get("location"), "/console")
      const secret = new Map(browser.jar)
      const out = yield* browser.submit(account.text, "/signout")
      assert.deepStrictEqual([out.status, out.headers.get("location")], [303, "/signin"])
      for (const [name, value] of secret) browser.jar.set(name, value)
      assert.strictEqual(
        (yield* browser.get("/console/account")).status,
        303,
        "the session has ended, not only its cookie"
      )
    })
  )

  it.effect("never goes on to another site", () =>
    Effect.gen(function* () {
      const { email } = yield* signedIn
      for (const next of [
        "//evil.example/",
        "https://evil.example",
        "/\\evil.example",
        "javascript:alert(1)",
        "/\t/evil.example"
      ]) {
        const browser = yield* Browser.open
        const page = yield* browser.get(`/signin?next=${encodeURIComponent(next)}`)
        const reply = yield* browser.post("/signin", {
          ...Browser.formsOf(page.text)[0]?.fields,
          next,
          email,
          password
        })
        assert.strictEqual(reply.headers.get("location"), "/console", next)
      }
    })
  )

  it.effect("is refused for a while after ten wrong passwords, also for an unknown address, and for nobody else", () =>
    Effect.gen(function* () {
      const { email } = yield* signedIn
      const other = yield* signedIn
      const browser = yield* Browser.open
      const page = yield* browser.get("/signin")
      for (const tried of [email, `no.${email}`]) {
        for (let attempt = 1; attempt <= 10; attempt += 1) {
          const wrong = yield* browser.submit(page.text, "/signin", { email: tried, password: "wrong" })
          assert.strictEqual(wrong.status, 422)
        }
        const reply = yield* browser.submit(page.text, "/signin", { email: tried, password })
        assert.strictEqual(reply.status, 429)
        assert.match(alertOf(reply.text) ?? "", /Try again in 15 minutes/)
        assert.approximately(Number(reply.headers.get("retry-after")), 900, 60)
      }
      assert.strictEqual((yield* browser.submit(page.text, "/signin", { email: other.email, password })).status, 303)
      // A new password opens the account again.
      const again = yield* Browser.open
      const link = yield* again.get(yield* linkOf(email))
      yield* again.submit(link.text, "/signin/password", { password })
      const fresh = yield* Browser.open
      const form = yield* fresh.get("/signin")
      assert.strictEqual((yield* fresh.submit(form.text, "/signin", { email, password })).status, 303)
    })
  )

  it.effect("is refused for a while after a hundred attempts from one address, whoever tries", () =>
    Effect.gen(function* () {
      const { email } = yield* signedIn
      const address = "2001:db8:3::1"
      const browser = yield* Browser.open
      const [form] = Browser.formsOf((yield* browser.get("/signin")).text)
      const tryFrom = (from: string) =>
        browser.post(
          "/signin",
          { ...form?.fields, email, password },
          { "sec-fetch-site": "same-origin", origin: "null", "x-forwarded-for": from }
        )
      const { count } = yield* SignInAttempts
      for (let attempt = 1; attempt <= 100; attempt += 1) {
        yield* Effect.ignore(count([{ kind: "address", name: address }]))
      }
      const refused = yield* tryFrom(address)
      assert.strictEqual(refused.status, 429)
      assert.isAbove(Number(refused.headers.get("retry-after")), 0)
      assert.strictEqual((yield* tryFrom("2001:db8:3:1::1")).status, 303)
    })
  )

  it.effect("accepts forms from its own pages only", () =>
    Effect.gen(function* () {
      const { browser } = yield* signedIn
      const { text } = yield* browser.get("/console/account")
      const [form] = Browser.formsOf(text).filter(({ action }) => action === "/signout")
      const fields = form?.fields ?? assert.fail("no form")
      for (const headers of [
        { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
        { "sec-fetch-site": "same-site", origin: browser.baseUrl },
        { "sec-fetch-site": "same-origin", origin: "https://evil.example" },
        { origin: "null" },
        { origin: `${browser.baseUrl}.evil.example` },
        {}
      ] as ReadonlyArray<Record<string, string>>) {
        assert.strictEqual((yield* browser.post("/signout", fields, headers)).status, 403, JSON.stringify(headers))
      }
      for (const token of ["", "x", `${fields["form_token"]}x`]) {
        assert.strictEqual((yield* browser.post("/signout", { ...fields, form_token: token })).status, 403)
      }
      const stranger = yield* Browser.open
      assert.strictEqual((yield* stranger.post("/signin", fields)).status, 403)
      assert.strictEqual((yield* browser.get("/console/account")).status, 200)
      assert.strictEqual((yield* browser.post("/signout", fields, { origin: browser.baseUrl })).status, 303)
    })
  )

  it.effect("answers pages that nobody may frame or extend, and of which nobody else keeps a copy", () =>
    Effect.gen(function* () {
      const { browser } = yield* signedIn
      for (const [path, caching, referrer] of [
        ["/console/account", "private, no-cache", "same-origin"],
        ["/signin/password?link=x", "no-store", "no-referrer"],
        ["/console/nothing", "private, no-cache", "same-origin"],
        ["/console/no/such/page", "no-store", "no-referrer"]
      ] as const) {
        const { headers, text } = yield* browser.get(path)
        const policy = headers.get("content-security-policy") ?? ""
        for (const directive of [
          "default-src 'none'",
          "frame-ancestors 'none'",
          "form-action 'self'",
          "base-uri 'none'",
          "require-trusted-types-for 'script'"
        ]) {
          assert.include(policy, directive)
        }
        assert.notInclude(policy, "unsafe")
        assert.notMatch(text, /<script(?![^>]* src="\/assets\/)|style="|\son\w+="/)
        assert.strictEqual(headers.get("cache-control"), caching)
        assert.strictEqual(headers.get("referrer-policy"), referrer)
        assert.strictEqual(headers.get("x-frame-options"), "DENY")
        assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
      }
      const style = /href="(\/assets\/[^"]+\.css)"/.exec((yield* browser.get("/signin/password?link=x")).text)?.[1]
      const css = yield* browser.get(style ?? "")
      assert.match(css.headers.get("content-type") ?? "", /^text\/css/)
      assert.strictEqual(css.headers.get("cache-control"), "public, max-age=31536000, immutable")
      const wrong = yield* browser.send("PUT", "/console/account")
      assert.deepStrictEqual([wrong.status, wrong.headers.get("allow")], [405, "GET, HEAD, POST"])
    })
  )

  it.effect("keeps passwords and secrets of sessions as hashes only", () =>
    Effect.gen(function* () {
      const { browser } = yield* signedIn
      const sql = yield* Database
      const [stored] = yield* sql<{ text: string }>`
        select concat((select string_agg(passwords::text, '') from passwords), (select string_agg(sessions::text, '') from sessions),
          (select string_agg(sign_in_links::text, '') from sign_in_links)) as text`
      assert.notInclude(stored?.text ?? "", password)
      assert.match(stored?.text ?? "", /\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
      const cookies = [...browser.jar]
      assert.isNotEmpty(cookies)
      for (const [, value] of cookies) assert.notInclude(stored?.text ?? "", value)
    })
  )
})
