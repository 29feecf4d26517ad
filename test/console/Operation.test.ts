/** The pages of operators, and what they record. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { asOperator } from "../../src/core/auth/CurrentActor.ts"
import { pages } from "../../src/Pages.ts"
import { Users } from "../../src/identity/users/Users.ts"
import { TestService } from "../support/TestService.ts"
import * as Browser from "./Browser.ts"
import { linkOf, password, signedIn } from "./people.ts"

/** An operator, in a browser that is signed in. */
const anOperator = Effect.gen(function* () {
  const person = yield* signedIn
  yield* asOperator(Effect.flatMap(Users, ({ setOperator }) => setOperator(person.email, true)))
  return person
})

layer(TestService.layer, { excludeTestServices: true })("The console of operators", (it) => {
  it.effect("is not there for anybody else, whatever the address and the method", () =>
    Effect.gen(function* () {
      const { browser } = yield* signedIn
      const start = yield* browser.get((yield* browser.get("/console")).headers.get("location") ?? "")
      assert.notInclude(start.text, "/console/operation")
      const routes = pages.filter(({ path }) => path.startsWith("/console/operation"))
      assert.isAbove(routes.length, 1)
      for (const { method, path } of routes) {
        const at = path.replaceAll(/:\w+/g, "x")
        const reply = yield* method === "GET" ? browser.get(at) : browser.post(at, {})
        assert.strictEqual(reply.status, 404, `${method} ${path}`)
      }
    })
  )

  it.effect("shows the audit log of all teams, by filters, and exports it", () =>
    Effect.gen(function* () {
      const { browser, email, team, user } = yield* anOperator
      const found = yield* browser.get(`/console/operation/audit?user=${email}&action=user.*&outcome=success`)
      assert.strictEqual(found.status, 200, found.text)
      assert.include(found.text, "user.created")
      assert.notInclude(found.text, ">session.started</a>")
      const [, id = ""] = /<tr id="(audit_\w+)"/.exec(found.text) ?? []
      const opened = yield* browser.get(`/console/operation/audit?user=${email}&action=user.*&open=${id}`)
      assert.include(opened.text, user.id)
      assert.include(opened.text, "Eva Brandt")
      const lines = yield* browser.get(`/console/operation/audit/export?user=${email}&format=ndjson`)
      assert.strictEqual(lines.headers.get("content-type"), "application/x-ndjson")
      const entries = lines.text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as { readonly action: string })
      assert.include(
        entries.map(({ action }) => action),
        "operator.appointed"
      )
      const all = yield* browser.get(`/console/operation/audit/export?team=${team.id}&action=team.*&format=json`)
      assert.deepStrictEqual(
        (JSON.parse(all.text) as typeof entries).map(({ action }) => action),
        ["team.created"]
      )
      const wrong = yield* browser.get("/console/operation/audit?user=nobody@example.com&since=yesterday")
      assert.strictEqual(wrong.status, 400)
      assert.include(wrong.text, "nobody@example.com")
    })
  )

  it.effect("shows a team's own log to its administrators alone", () =>
    Effect.gen(function* () {
      const person = yield* signedIn
      const { browser, team } = person
      const users = yield* Users
      const other = yield* signedIn
      const page = yield* browser.get(`/console/${team.id}/audit`)
      assert.include(page.text, "team.created")
      assert.notInclude(page.text, other.user.id)
      assert.strictEqual((yield* browser.get(`/console/${other.team.id}/audit`)).status, 404)
      const email = `second.${person.email}`
      yield* asOperator(users.create({ email, name: "Second", teamId: team.id, role: "member" }))
      const member = yield* Browser.open
      yield* member.submit((yield* member.get(yield* linkOf(email))).text, "/signin/password", { password })
      assert.strictEqual((yield* member.get(`/console/${team.id}/audit`)).status, 403)
      assert.notInclude((yield* member.get(`/console/${team.id}`)).text, "/audit")
    })
  )
})
