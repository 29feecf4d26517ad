/** Every form of the console that shows a secret: its answer is kept by nobody, and no address has the secret. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { asOperator } from "../../src/core/auth/CurrentActor.ts"
import { Users } from "../../src/identity/users/Users.ts"
import { pages } from "../../src/Pages.ts"
import { TestService } from "../support/TestService.ts"
import * as Browser from "./Browser.ts"
import { signedIn } from "./people.ts"

/** What secrets and links that are good once look like. */
const secret = /\b(?:pn[a-z]_\w{30,}|whsec_[\w+/=]{30,})/

interface Kind {
  /** The page that has the form. */
  readonly at: string
  /** Where the form leads; by default the page itself. */
  readonly action?: string
  readonly fields: Browser.Fields
}

layer(TestService.layer, { excludeTestServices: true })("What a form shows once", (it) => {
  it.effect("is stored by nobody, sent to no other site, and never shown by its address", () =>
    Effect.gen(function* () {
      const { browser, email, team } = yield* signedIn
      yield* asOperator(Effect.flatMap(Users, ({ setOperator }) => setOperator(email, true)))
      const base = `/console/${team.id}`
      const operation = "/console/operation"
      const shown: Array<string> = []
      const show = Effect.fnUntraced(function* ({ action, at, fields }: Kind) {
        const page = yield* browser.get(at)
        assert.notMatch(page.text, secret, `${at} shows a secret before it is made`)
        const path = action ?? at
        const answer = yield* browser.submit(page.text, path, fields)
        assert.strictEqual(answer.status, 200, `${path}: ${answer.text}`)
        const [found] = secret.exec(answer.text) ?? assert.fail(`${path} shows no secret`)
        assert.strictEqual(answer.headers.get("cache-control"), "no-store", path)
        assert.strictEqual(answer.headers.get("referrer-policy"), "no-referrer", path)
        for (const header of ["location", "set-cookie"]) {
          assert.notInclude(answer.headers.get(header) ?? "", found, `${path}: ${header}`)
        }
        const again = yield* browser.get(at)
        assert.notInclude(again.text, found, at)
        shown.push(path)
        return answer.text
      })
      const url = "http://127.0.0.1:9/in"
      yield* show({ at: "/console/account/tokens", fields: { name: "laptop", team: team.id } })
      yield* show({ at: base, fields: {} })
      yield* show({ at: `${base}/members/invite`, fields: { email: `x.${email}`, role: "member" } })
      const client = yield* show({ at: `${base}/clients/new`, fields: { name: "CRM sync" } })
      const [clientId = ""] = /client_\w{26}/.exec(client) ?? []
      yield* show({ at: `${base}/clients/${clientId}`, action: `${base}/clients/${clientId}/rotate`, fields: {} })
      const webhook = yield* show({
        at: `${base}/webhooks/new`,
        action: `${base}/webhooks`,
        fields: { url, events: "contact.*" }
      })
      const [webhookId = ""] = /webhook_\w{26}/.exec(webhook) ?? []
      const hook = `${base}/webhooks/${webhookId}`
      yield* show({ at: `${hook}/settings`, action: `${hook}/secret`, fields: {} })
      yield* show({
        at: `${operation}/apps/new`,
        fields: { name: "Radar", redirects: "https://radar.example.com/callback" }
      })
      yield* show({ at: `${operation}/teams/${team.id}/clients/new`, fields: { name: "Sync" } })
      yield* show({
        at: `${operation}/clients/${clientId}`,
        action: `${operation}/clients/${clientId}/rotate`,
        fields: { overlap: "1h" }
      })
      const users = yield* Users
      const other = yield* asOperator(users.create({ email: `y.${email}`, name: "Y", teamId: team.id, role: "member" }))
      const at = `${operation}/users/${other.id}`
      yield* show({ at, action: `${at}/link`, fields: {} })
      // The token of the reference goes to its script.
      const session = yield* browser.get("/console/docs/session")
      const { formToken } = JSON.parse(session.text) as { readonly formToken: string }
      const token = yield* browser.post("/console/docs/token", { form_token: formToken, team: team.id })
      assert.match(token.text, secret)
      assert.strictEqual(token.headers.get("cache-control"), "no-store")
      shown.push("/console/docs/token")

      // A form whose path says that it makes or changes something secret is among them.
      const forms = pages.filter(({ method }) => method === "POST").map(({ path }) => path)
      // As the router does: a segment that is named counts before one that may be anything.
      const byParameters = forms.toSorted((a, b) => a.split(":").length - b.split(":").length)
      const routeOf = (path: string) =>
        byParameters.find((route) => new RegExp(`^${route.replaceAll(/:\w+/g, "[^/]+")}$`).test(path))
      const covered = new Set(shown.map(routeOf))
      const secretive = forms.filter((path) => /\/(?:link|rotate|secret|token)$/.test(path))
      assert.deepStrictEqual(
        secretive.filter((path) => !covered.has(path)),
        []
      )
    })
  )
})

layer(TestService.layer, { excludeTestServices: true })("A form from elsewhere", (it) => {
  it.effect("is refused with a code that leads to its help, and the id of the request, before the sign-in too", () =>
    Effect.gen(function* () {
      const { browser } = yield* signedIn
      const page = yield* browser.get("/console/account")
      const token = Browser.formsOf(page.text)[0]?.fields["form_token"] ?? ""
      const signIn = yield* Browser.open
      const tokenBefore = Browser.formsOf((yield* signIn.get("/signin")).text)[0]?.fields["form_token"] ?? ""
      const own = { "sec-fetch-site": "same-origin", origin: "null" }
      for (const [who, path, known] of [
        [browser, "/console/account/theme", token],
        [signIn, "/signin", tokenBefore]
      ] as const) {
        for (const [what, fields, headers] of [
          ["no token", {}, own],
          ["a foreign token", { form_token: path === "/signin" ? token : tokenBefore }, own],
          ["another origin", { form_token: known }, { origin: "https://attacker.example" }],
          ["another site", { form_token: known }, { ...own, "sec-fetch-site": "cross-site" }]
        ] as const) {
          const { headers: sent, status, text } = yield* who.post(path, { theme: "dark", ...fields }, headers)
          assert.strictEqual(status, 403, `${path}: ${what}`)
          assert.include(text, '<a href="/help/foreign-form"><code>foreign_form</code></a>', `${path}: ${what}`)
          assert.include(text, sent.get("x-request-id") ?? "no id", `${path}: ${what}`)
        }
      }
      const help = yield* browser.get("/help/foreign-form")
      assert.strictEqual(help.status, 200)
    })
  )
})
