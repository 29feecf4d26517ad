/** What is held about a person, in the console: as operators and administrators without scripts ask for it. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { asOperator } from "../../src/core/auth/CurrentActor.ts"
import { Users } from "../../src/identity/users/Users.ts"
import * as Browser from "../console/Browser.ts"
import { linkOf, password, signedIn } from "../console/people.ts"
import { TestService } from "../support/TestService.ts"

/** An administrator and broker, who has a contact, and whom `isOperator` makes an operator. */
const withContact = Effect.fnUntraced(function* (isOperator = false) {
  const person = yield* signedIn
  const { browser, email: own, team } = person
  if (isOperator) yield* asOperator(Effect.flatMap(Users, ({ setOperator }) => setOperator(own, true)))
  const base = `/console/${team.id}`
  const email = `maria.${team.id}@rossi.example`
  const form = yield* browser.get(`${base}/contacts/new`)
  const made = yield* browser.submit(form.text, `${base}/contacts/new`, {
    firstName: "Maria",
    lastName: "Rossi",
    email
  })
  assert.strictEqual(made.status, 303, made.text)
  return { ...person, base, contact: email, address: made.headers.get("location") ?? "" }
})

const actionsIn = (log: string) =>
  log
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { readonly action: string; readonly actor: { readonly name: string | null } })

layer(TestService.layer, { excludeTestServices: true })("Privacy in the console", (it) => {
  it.effect("shows operators what an erasure would erase, and erases once the name is typed again", () =>
    Effect.gen(function* () {
      const { address, base, browser, contact, team } = yield* withContact(true)
      const root = "/console/operation/privacy"
      const page = yield* browser.get(root)
      const forms = Browser.formsOf(page.text)
      const erase = (fields: Browser.Fields) =>
        browser.post(`${root}/erase`, {
          ...forms.find(({ action }) => action === `${root}/erase`)?.fields,
          person: contact,
          ...fields
        })
      const unknown = yield* erase({ person: "nobody" })
      assert.strictEqual(unknown.status, 400)
      assert.include(unknown.text, 'value="nobody"')
      assert.strictEqual((yield* erase({ person: "no-one-of-this-test@example.com" })).status, 404)
      const rehearsal = yield* erase({ team: team.id })
      assert.strictEqual(rehearsal.headers.get("cache-control"), "no-store")
      assert.match(rehearsal.text, /This would be erased[\s\S]*<dt>Contacts<\/dt>\s*<dd>1<\/dd>/)
      assert.strictEqual((yield* browser.get(address)).status, 200, "a rehearsal erases nothing")
      const wrong = yield* browser.submit(rehearsal.text, `${root}/erase`, { confirm: "maria" })
      assert.strictEqual(wrong.status, 400)
      assert.include(wrong.text, "This is not the same.")
      assert.strictEqual((yield* browser.get(address)).status, 200)
      const done = yield* browser.submit(rehearsal.text, `${root}/erase`, { confirm: contact })
      assert.match(done.text, /This was erased[\s\S]*<dt>Contacts<\/dt>\s*<dd>1<\/dd>/)
      assert.include(done.text, address.split("/").at(-1) ?? "")
      assert.strictEqual((yield* browser.get(address)).status, 404)
      const log = yield* browser.get(`${base}/audit/export?action=privacy.*`)
      assert.deepStrictEqual(
        actionsIn(log.text).map(({ action, actor }) => [action, actor.name]),
        [["privacy.erased", "Eva Brandt"]]
      )
    })
  )

  it.effect("gives a copy, which nothing stores", () =>
    Effect.gen(function* () {
      const { base, browser, contact } = yield* withContact()
      const root = `${base}/privacy`
      const page = yield* browser.get(root)
      assert.notInclude(page.text, 'name="team"', "a team asks for itself alone")
      const copy = yield* browser.submit(page.text, `${root}/export`, { person: contact })
      assert.strictEqual(copy.status, 200)
      assert.strictEqual(copy.headers.get("content-type"), "application/zip")
      assert.strictEqual(copy.headers.get("cache-control"), "no-store")
      assert.match(copy.headers.get("content-disposition") ?? "", /attachment; filename="person\.zip"/)
      for (const name of ["index.json", "contacts.json", "README.txt"]) assert.include(copy.text, name)
      const log = yield* browser.get(`${base}/audit/export?action=privacy.*`)
      assert.deepStrictEqual(
        actionsIn(log.text).map(({ action }) => action),
        ["privacy.exported"]
      )
      const nobody = yield* browser.submit(page.text, `${root}/export`, { person: "nobody@example.com" })
      assert.strictEqual(nobody.status, 404)
    })
  )

  it.effect("is for administrators, of their team alone", () =>
    Effect.gen(function* () {
      const { base, browser, contact, email, team } = yield* withContact()
      const other = yield* withContact()
      const page = yield* browser.get(`${base}/privacy`)
      // The team that a form adds is not asked.
      const foreign = yield* browser.submit(page.text, `${base}/privacy/erase`, {
        person: other.contact,
        team: other.team.id
      })
      assert.strictEqual(foreign.status, 404)
      assert.strictEqual((yield* browser.get("/console/operation/privacy")).status, 404)
      const users = yield* Users
      const second = `second.${email}`
      yield* asOperator(
        users.create({ email: second, name: "Second", teamId: team.id, role: "member", broker: "active" })
      )
      const member = yield* Browser.open
      yield* member.submit((yield* member.get(yield* linkOf(second))).text, "/signin/password", { password })
      const refused = yield* member.get(`${base}/privacy`)
      assert.strictEqual(refused.status, 403)
      assert.include(refused.text, "administrator_required")
      const token = Browser.formsOf(refused.text)[0]?.fields["form_token"] ?? ""
      for (const form of ["export", "erase"]) {
        const answer = yield* member.post(`${base}/privacy/${form}`, {
          form_token: token,
          person: contact,
          confirm: contact
        })
        assert.strictEqual(answer.status, 403, form)
      }
    })
  )
})
