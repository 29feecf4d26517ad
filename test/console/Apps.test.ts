/** Apps and OAuth clients in the console: of operators, and of the administrators of a team. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Id from "../../src/core/Id.ts"
import { asOperator } from "../../src/core/auth/CurrentActor.ts"
import { Users } from "../../src/identity/users/Users.ts"
import { anAppOf, isAccepted } from "../identity/oauth/fixture.ts"
import { TestService } from "../support/TestService.ts"
import * as Browser from "./Browser.ts"
import { signedIn } from "./people.ts"

/** A colleague of a person, who lets an app act for them: its token. */
const connectedColleague = Effect.fnUntraced(function* (team: { readonly id: string }) {
  const users = yield* Users
  const email = `jan.${team.id}@example.com`
  const user = yield* asOperator(
    users.create({ email, name: "Jan <Vogt>", teamId: team.id, role: "member", broker: "active" })
  )
  const app = yield* anAppOf({ team, user })
  const { access_token: token } = (yield* app.exchange(yield* app.allow)) as { readonly access_token: string }
  assert.isTrue(yield* isAccepted(token))
  return { id: Id.fromUuid("client", app.appId), token, user }
})

const anOperator = Effect.gen(function* () {
  const person = yield* signedIn
  yield* asOperator(Effect.flatMap(Users, ({ setOperator }) => setOperator(person.email, true)))
  return person
})

const secretIn = (page: string) => /value="(pns_\w+)"/.exec(page)?.[1]

layer(TestService.layer, { excludeTestServices: true })("Apps in the console", (it) => {
  it.effect("of a colleague are disconnected by an administrator, and of another team by nobody", () =>
    Effect.gen(function* () {
      const { browser, team } = yield* signedIn
      const at = `/console/${team.id}/apps`
      const { token } = yield* connectedColleague(team)
      const other = yield* signedIn
      const foreign = yield* connectedColleague(other.team)
      const page = yield* browser.get(at)
      assert.include(page.text, "Jan &lt;Vogt&gt;")
      const forms = (text: string) => Browser.formsOf(text).filter(({ fields }) => "id" in fields)
      assert.lengthOf(forms(page.text), 1)
      const [own] = forms(page.text)
      const [others] = forms((yield* other.browser.get(`/console/${other.team.id}/apps`)).text)
      const wrong = yield* browser.post(own?.action ?? "", { ...own?.fields, id: others?.fields["id"] ?? "" })
      assert.strictEqual(wrong.status, 404)
      assert.isTrue(yield* isAccepted(foreign.token))
      assert.strictEqual((yield* browser.post(own?.action ?? "", own?.fields ?? {})).status, 303)
      assert.isFalse(yield* isAccepted(token))
      assert.lengthOf(forms((yield* browser.get(at)).text), 0)
      const log = yield* browser.get(`/console/${team.id}/audit?action=grant.revoked`)
      assert.include(log.text, `<a href="${at}">`)
    })
  )

  it.effect("are made by operators, with a secret that is shown once, and revoked by their name with all grants", () =>
    Effect.gen(function* () {
      const { browser, email } = yield* anOperator
      const root = "/console/operation/apps"
      const form = yield* browser.get(`${root}/new`)
      const values = { name: `Radar ${email.slice(11, 47)}`, redirects: "https://radar.example.com/callback" }
      const wrong = yield* browser.submit(form.text, `${root}/new`, {
        ...values,
        redirects: "http://radar.example.com"
      })
      assert.strictEqual(wrong.status, 400)
      assert.include(wrong.text, "http://radar.example.com")
      const made = yield* browser.submit(form.text, `${root}/new`, values)
      assert.strictEqual(made.status, 200, made.text)
      assert.strictEqual(made.headers.get("cache-control"), "no-store")
      assert.isDefined(secretIn(made.text))
      const again = yield* browser.submit(form.text, `${root}/new`, values)
      assert.strictEqual(again.status, 200, again.text)
      assert.strictEqual(secretIn(again.text), secretIn(made.text))
      const other = yield* browser.submit(form.text, `${root}/new`, {
        ...values,
        redirects: "https://radar.example.com"
      })
      assert.strictEqual(other.status, 422)
      const key = Browser.formsOf(form.text).find(({ action }) => action === `${root}/new`)?.fields["key"] ?? ""
      const colleague = yield* anOperator
      const theirs = yield* colleague.browser.get(`${root}/new`)
      const stolen = yield* colleague.browser.submit(theirs.text, `${root}/new`, { ...values, key })
      assert.strictEqual(stolen.status, 409)
      assert.isUndefined(secretIn(stolen.text))
      const found = yield* browser.get(`${root}?text=${encodeURIComponent(values.name.toUpperCase())}`)
      assert.lengthOf(found.text.match(/<tr id="client_/g) ?? [], 1)
      const { id, token, user } = yield* connectedColleague((yield* signedIn).team)
      const page = yield* browser.get(`${root}/${id}`)
      assert.include(page.text, `href="/console/operation/users/${user.id}"`)
      const confirm = yield* browser.get(`${root}/${id}/revoke`)
      assert.include(confirm.text, "Jan &lt;Vogt&gt;")
      const revoke = (name: string) => browser.submit(confirm.text, `${root}/${id}/revoke`, { confirm: name })
      assert.strictEqual((yield* revoke("Rad")).status, 400)
      assert.isTrue(yield* isAccepted(token))
      assert.strictEqual((yield* revoke("Radar")).status, 303)
      assert.isFalse(yield* isAccepted(token))
      const log = yield* browser.get(`/console/operation/audit?user=${email}&action=app.*`)
      assert.include(log.text, `<a href="${root}/${id}">`)
    })
  )

  it.effect("of one person are disconnected by operators", () =>
    Effect.gen(function* () {
      const { browser } = yield* anOperator
      const { id, token } = yield* connectedColleague((yield* signedIn).team)
      const at = `/console/operation/apps/${id}`
      const page = yield* browser.get(at)
      assert.strictEqual((yield* browser.submit(page.text, `${at}/grants`)).status, 303)
      assert.isFalse(yield* isAccepted(token))
      assert.include((yield* browser.get(at)).text, "For nobody.")
    })
  )
})

layer(TestService.layer, { excludeTestServices: true })("OAuth clients of any team", (it) => {
  it.effect("are made, rotated and revoked by operators; a form that is sent again shows the same secret", () =>
    Effect.gen(function* () {
      const { browser, email } = yield* anOperator
      const { team } = yield* signedIn
      const at = `/console/operation/teams/${team.id}`
      const path = `${at}/clients/new`
      assert.include((yield* browser.get(at)).text, path)
      const form = yield* browser.get(path)
      const values = { name: "CRM <sync>", botName: "Sync Bot" }
      const made = yield* browser.submit(form.text, path, values)
      assert.strictEqual(made.status, 200, made.text)
      assert.strictEqual(made.headers.get("cache-control"), "no-store")
      const again = yield* browser.submit(form.text, path, values)
      assert.strictEqual(secretIn(again.text), secretIn(made.text))
      const [, id = ""] = /value="(client_\w+)"/.exec(made.text) ?? []
      const of = `/console/operation/clients/${id}`
      assert.include((yield* browser.get(at)).text, of)
      const page = yield* browser.get(of)
      assert.include(page.text, "CRM &lt;sync&gt;")
      assert.include(page.text, `href="${at}"`)
      const rotated = yield* browser.submit(page.text, `${of}/rotate`, { overlap: "1h" })
      assert.strictEqual(rotated.headers.get("cache-control"), "no-store")
      assert.notStrictEqual(secretIn(rotated.text), secretIn(made.text))
      assert.isDefined(secretIn(rotated.text))
      const asked = yield* browser.submit(page.text, `${of}/revoke`)
      assert.strictEqual((yield* browser.submit(asked.text, `${of}/revoke`)).status, 303)
      assert.include((yield* browser.get(of)).text, "Revoked")
      const log = yield* browser.get(`/console/operation/audit/export?team=${team.id}&action=client.*&user=${email}`)
      assert.deepStrictEqual(
        log.text
          .trim()
          .split("\n")
          .map((line) => (JSON.parse(line) as { readonly action: string }).action),
        ["client.revoked", "client.rotated", "client.created"]
      )
    })
  )
})
