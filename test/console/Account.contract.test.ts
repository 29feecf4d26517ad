/** The account pages: profile, colours, password, sessions, tokens and apps, as a browser without scripts sees them. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SignInAttempts } from "../../src/identity/signIn/SignInAttempts.ts"
import { TestService } from "../support/TestService.ts"
import * as Browser from "./Browser.ts"
import { password, signedIn } from "./people.ts"

const paths = {
  profile: "/console/account",
  theme: "/console/account/theme",
  security: "/console/account/security",
  tokens: "/console/account/tokens",
  revoke: "/console/account/tokens/revoke",
  endSession: "/console/account/sessions/end",
  endOthers: "/console/account/sessions/end-others",
  endAll: "/console/account/sessions/end-all"
}

const profile = {
  name: "Eva von Brandt",
  phone: "+49 40 123456",
  language: "de",
  culture: "de-AT",
  timeZone: "Europe/Vienna",
  region: "AT"
}

/** Another browser in which a person signs in with a password. */
const alsoSignedIn = (email: string, secret = password) =>
  Effect.gen(function* () {
    const browser = yield* Browser.open
    const page = yield* browser.get("/signin")
    const reply = yield* browser.submit(page.text, "/signin", { email, password: secret })
    return { browser, reply }
  })

const isIn = (browser: Browser.Browser) => Effect.map(browser.get(paths.profile), ({ status }) => status === 200)

const fieldOf = (page: string, id: string) => new RegExp(`<(?:input|select)\\s+id="${id}"[^>]*>`).exec(page)?.[0] ?? ""

const faultOf = (page: string, id: string) => new RegExp(`id="${id}-fault">([^<]*)<`).exec(page)?.[1]

layer(TestService.layer, { excludeTestServices: true })("The account", (it) => {
  it.effect("has a profile, which the API answers and which decides the language of the console", () =>
    Effect.gen(function* () {
      const { browser, team } = yield* signedIn
      const { request } = yield* TestService
      const page = yield* browser.get(paths.profile)
      assert.include(fieldOf(page.text, "profile-name"), `value="Eva Brandt"`)
      const saved = yield* browser.submit(page.text, paths.profile, profile)
      assert.deepStrictEqual([saved.status, saved.headers.get("location")], [303, paths.profile])
      const german = yield* browser.get(paths.profile)
      assert.match(german.text, /<html lang="de"/)
      for (const shown of ["Gespeichert.", "Abmelden", "Zeitzone"]) assert.include(german.text, shown)
      assert.notInclude((yield* browser.get(paths.profile)).text, "Gespeichert.", "it is said once")
      const refused = yield* browser.submit(german.text, paths.profile, { ...profile, name: "n".repeat(201) })
      assert.strictEqual(faultOf(refused.text, "profile-name"), "Darf höchstens 200 Zeichen haben.")
      const elsewhere = yield* browser.get("/console/team_01kb3n7x2ferwt5z8q4j6m9d0c")
      assert.strictEqual(elsewhere.status, 404)
      assert.include(elsewhere.text, "Das gibt es nicht oder nicht mehr")
      const tokens = yield* browser.get(paths.tokens)
      const made = yield* browser.submit(tokens.text, paths.tokens, { name: "Skript", team: team.id })
      const me = yield* request("GET", "/api/v1/auth/me", { token: /pnp_\w+/.exec(made.text)?.[0] ?? "" })
      assert.deepInclude(me.body, {
        name: "Eva von Brandt",
        firstName: "Eva",
        lastName: "von Brandt",
        phone: "+49 40 123456",
        culture: "de-AT",
        uiCulture: "de",
        timeZone: "Europe/Vienna",
        region: "AT"
      })
    })
  )

  it.effect("lets dates follow the language where nobody chose them, and asks where somebody did", () =>
    Effect.gen(function* () {
      const { browser } = yield* signedIn
      const own = { ...profile, region: "DE" }
      const save = (values: Browser.Fields) =>
        Effect.flatMap(browser.get(paths.profile), ({ text }) =>
          browser.submit(text, paths.profile, { ...own, ...values })
        )
      const cultureNow = Effect.map(
        browser.get(paths.profile),
        ({ text }) => /id="profile-culture"[\s\S]*?value="([^"]+)" selected/.exec(text)?.[1]
      )
      const first = yield* cultureNow
      yield* save({ language: "de", culture: first ?? "" })
      assert.include((yield* browser.get(paths.profile)).text, "Datum und Zahlen folgen: Deutsch (Deutschland)")
      assert.strictEqual(yield* cultureNow, "de-DE")
      yield* save({ language: "de", culture: "fr-FR" })
      const asked = yield* save({ language: "en", culture: "fr-FR", region: "GB" })
      assert.strictEqual(yield* cultureNow, "fr-FR", "what was chosen stays")
      const offer = yield* browser.get(asked.headers.get("location") ?? "")
      assert.include(offer.text, "Write them as in: English (United Kingdom)")
      yield* browser.submit(offer.text, "/console/account/culture")
      assert.strictEqual(yield* cultureNow, "en-GB")
    })
  )

  it.effect("refuses a profile that is wrong at the fields, and keeps what was typed", () =>
    Effect.gen(function* () {
      const { browser } = yield* signedIn
      const page = yield* browser.get(paths.profile)
      const wrong = { name: "n".repeat(201), phone: "4".repeat(65), timeZone: "Mars/Phobos", culture: "", region: "QQ" }
      const refused = yield* browser.submit(page.text, paths.profile, { ...profile, ...wrong })
      assert.strictEqual(refused.status, 400)
      for (const name of Object.keys(wrong)) assert.isDefined(faultOf(refused.text, `profile-${name}`), name)
      for (const name of ["name", "phone"] as const) {
        assert.include(fieldOf(refused.text, `profile-${name}`), `value="${wrong[name]}"`)
      }
      assert.match(refused.text, /value="AT" selected|value="de" selected/)
      assert.include(yield* Effect.map(browser.get(paths.profile), ({ text }) => text), "Eva Brandt")
    })
  )

  it.effect("keeps the choice of colours in the browser, until it follows the system again", () =>
    Effect.gen(function* () {
      const { browser } = yield* signedIn
      const themeNow = Effect.map(
        browser.get(paths.profile),
        ({ text }) => /<html[^>]*data-theme="(\w+)"/.exec(text)?.[1]
      )
      const choose = (theme: string) =>
        Effect.flatMap(browser.get(paths.profile), ({ text }) => browser.submit(text, paths.theme, { theme }))
      assert.isUndefined(yield* themeNow)
      yield* choose("dark")
      assert.strictEqual(yield* themeNow, "dark")
      yield* choose("auto")
      assert.isUndefined(yield* themeNow)
    })
  )

  it.effect("changes the password for who knows the present one, and ends all other sessions", () =>
    Effect.gen(function* () {
      const { browser, email } = yield* signedIn
      const other = yield* alsoSignedIn(email)
      const page = yield* browser.get(paths.security)
      const change = (present: string, next: string) => browser.submit(page.text, paths.security, { present, next })
      const unknown = yield* change("something else", "a new pass phrase")
      assert.deepStrictEqual(
        [unknown.status, faultOf(unknown.text, "present")],
        [422, "This is not your present password."]
      )
      const weak = yield* change(password, "short")
      assert.match(faultOf(weak.text, "next") ?? "", /at least 12 characters/)
      assert.notInclude(weak.text, password)
      assert.isTrue(yield* isIn(other.browser))
      const changed = yield* change(password, "a new pass phrase")
      assert.deepStrictEqual([changed.status, changed.headers.get("location")], [303, paths.security])
      assert.deepStrictEqual([yield* isIn(browser), yield* isIn(other.browser)], [true, false])
      assert.strictEqual((yield* alsoSignedIn(email)).reply.status, 422)
      assert.strictEqual((yield* alsoSignedIn(email, "a new pass phrase")).reply.status, 303)
    })
  )

  it.effect("does not let the present password be guessed", () =>
    Effect.gen(function* () {
      const { browser, email } = yield* signedIn
      const page = yield* browser.get(paths.security)
      const change = browser.submit(page.text, paths.security, { present: password, next: "a new pass phrase" })
      const { count } = yield* SignInAttempts
      for (let attempt = 1; attempt <= 10; attempt += 1) {
        yield* Effect.ignore(count([{ kind: "account", name: email }]))
      }
      assert.include((yield* change).text, "Try again in 15 minutes")
    })
  )

  it.effect(
    "ends single sessions, all others, or all at once, each out at its next request, and touches nobody else's",
    () =>
      Effect.gen(function* () {
        const { browser, email } = yield* signedIn
        const stranger = yield* signedIn
        const others = yield* Effect.forEach([1, 2, 3], () => Effect.map(alsoSignedIn(email), (one) => one.browser))
        const page = yield* browser.get(paths.security)
        assert.strictEqual((yield* browser.submit(page.text, paths.endSession)).status, 303)
        assert.lengthOf(
          (yield* Effect.forEach(others, isIn)).filter((one) => one),
          2
        )
        const [form] = Browser.formsOf(page.text).filter(({ action }) => action === paths.endSession)
        const ofStranger = yield* stranger.browser.get(paths.security)
        const theirs = { ...Browser.formsOf(ofStranger.text)[0]?.fields, id: form?.fields["id"] ?? "" }
        assert.strictEqual((yield* stranger.browser.post(paths.endSession, theirs)).status, 404)
        yield* browser.submit((yield* browser.get(paths.security)).text, paths.endOthers)
        const left = Effect.forEach([browser, stranger.browser, ...others], isIn)
        assert.deepStrictEqual(yield* left, [true, true, false, false, false])
        const out = yield* browser.submit((yield* browser.get(paths.security)).text, paths.endAll)
        assert.deepStrictEqual([out.status, out.headers.get("location")], [303, "/signin"])
        assert.include((yield* browser.get("/signin")).text, "You are signed out in all browsers.")
        assert.notInclude((yield* browser.get("/signin")).text, "You are signed out in all browsers.")
        assert.deepStrictEqual(yield* left, [false, true, false, false, false])
      })
  )

  it.effect("creates a token that calls the API, shows it to its form alone, and revokes it", () =>
    Effect.gen(function* () {
      const { browser, team } = yield* signedIn
      const { request } = yield* TestService
      const { text } = yield* browser.get(paths.tokens)
      const sent = { name: "Nightly <import>", team: team.id }
      const created = yield* browser.submit(text, paths.tokens, sent)
      assert.deepStrictEqual([created.status, created.headers.get("cache-control")], [200, "no-store"])
      const [token] = /pnp_\w+/.exec(created.text) ?? assert.fail(created.text)
      const later = yield* browser.get(paths.tokens)
      assert.notInclude(later.text, token)
      assert.include(later.text, "Nightly &lt;import&gt;")
      assert.include(later.text, "Never")
      const me = () => request("GET", "/api/v1/auth/me", { token })
      assert.strictEqual((yield* me()).status, 200)
      assert.notInclude((yield* browser.get(paths.tokens)).text, "Never")
      const refused = yield* browser.submit(later.text, paths.tokens, { name: " a\0b ", team: team.id })
      assert.strictEqual(refused.status, 400)
      assert.include(fieldOf(refused.text, "name"), "aria-invalid")
      const revoked = yield* browser.submit(later.text, paths.revoke)
      assert.strictEqual(revoked.status, 303)
      assert.strictEqual((yield* me()).status, 401)
    })
  )

  it.effect("creates one token with a form, however often it is sent, and shows it again to that form", () =>
    Effect.gen(function* () {
      const { browser, team } = yield* signedIn
      const { text } = yield* browser.get(paths.tokens)
      const send = (name = "Import") => browser.submit(text, paths.tokens, { name, team: team.id })
      const shown = ({ text: page }: { readonly text: string }) => /pnp_\w+/.exec(page)?.[0]
      // What was refused was not sent for good.
      assert.strictEqual((yield* send(" ")).status, 400)
      const first = shown(yield* send())
      assert.isDefined(first)
      assert.strictEqual(shown(yield* send()), first)
      const other = yield* send("Another name")
      assert.deepStrictEqual([other.status, shown(other)], [422, undefined])
      const listed = yield* browser.get(paths.tokens)
      assert.lengthOf(
        Browser.formsOf(listed.text).filter(({ action }) => action === paths.revoke),
        1
      )
    })
  )
})

layer(TestService.layer, { excludeTestServices: true })("Pages before anyone is signed in", (it) => {
  it.effect("are in German for a browser that asks for it", () =>
    Effect.gen(function* () {
      const browser = yield* Browser.open
      const headers = { "accept-language": "de-AT,de;q=0.9,en;q=0.5" }
      for (const [path, shown] of [
        ["/signin", "Passwort"],
        ["/signin/password?link=x", "Dieser Link gilt nicht"],
        ["/openid/authorize?client_id=x", "Diese App fragt so, dass man ihr nicht antworten kann"],
        ["/console/no/such/page", "Das gibt es nicht oder nicht mehr"]
      ] as const) {
        const { headers: answered, text } = yield* browser.send("GET", path, { headers })
        assert.match(text, /<html lang="de"/, path)
        assert.include(text, shown)
        assert.deepStrictEqual(
          [answered.get("cache-control"), answered.get("referrer-policy")],
          ["no-store", "no-referrer"]
        )
      }
    })
  )
})
