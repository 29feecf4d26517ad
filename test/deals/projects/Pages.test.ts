/** The pages of projects. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Id from "../../../src/core/Id.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import { TestService } from "../../support/TestService.ts"
import { ProspectChanges } from "../../../src/deals/prospects/ProspectChanges.ts"
import { Properties } from "../../../src/market/properties/Properties.ts"
import { Contacts } from "../../../src/network/contacts/Contacts.ts"
import { Projects } from "../../../src/deals/projects/Projects.ts"
import { asked, broker } from "../console.ts"

describe("The pages of projects", () => {
  layer(TestService.layer, { excludeTestServices: true })((it) => {
    it.effect("create one, and show what is wrong at its field, with what was typed", () =>
      Effect.gen(function* () {
        const { base, browser, read, submit, user } = yield* broker
        const form = (yield* read("/projects/new")).text
        const refused = yield* submit(form, "/projects", {
          name: "Nord & <Süd>",
          propertyCount: "many",
          ownerId: user.id
        })
        assert.strictEqual(refused.status, 400)
        assert.include(refused.text, 'value="Nord &amp; &lt;Süd&gt;"')
        assert.include(refused.text, 'aria-invalid="true"')
        const created = yield* submit(refused.text, "/projects", {
          name: "Nord & <Süd>",
          propertyCount: "3",
          ownerId: user.id
        })
        assert.strictEqual(created.status, 200)
        assert.include(created.text, "The project was created.")
        assert.include(created.text, "<strong>Eva Brandt</strong> added <strong>Nord &amp; &lt;Süd&gt;</strong>")
        const [, id = ""] = /<code>(project_\w+)<\/code>/.exec(created.text) ?? []
        assert.match(created.text, /<dt>Portfolio<\/dt>\s*<dd>No<\/dd>/)
        const sql = yield* Database
        yield* sql`update projects set is_portfolio = null where id = ${Id.toUuid("project", id) ?? null}`
        assert.notInclude(
          (yield* read(`/projects/${id}`)).text,
          "<dt>Portfolio</dt>",
          "nobody has said that it is none"
        )
        const list = (yield* read("/projects?name=nord&owner=")).text
        assert.include(list, "Nord &amp; &lt;Süd&gt;</a>")
        assert.include((yield* read("/projects?state=open")).text, "Nothing matches")
        assert.include((yield* browser.get(base)).text, "Projects")
      })
    )

    it.effect("save an edit, and show both versions where somebody else was first", () =>
      Effect.gen(function* () {
        const { as, project, read, submit } = yield* broker
        const { patch } = yield* Projects
        const { id } = yield* project("Speicher")
        const form = (yield* read(`/projects/${id}/edit`)).text
        yield* as(patch(id, asked({ name: "Speicher Nord", description: "Fully let" })))
        const conflict = yield* submit(form, `/projects/${id}`, { name: "Speicher West", description: "Fully let" })
        assert.strictEqual(conflict.status, 412)
        assert.match(conflict.text, /<mark>Speicher Nord<\/mark>[\s\S]*<mark>Speicher West<\/mark>/)
        assert.notInclude(conflict.text, "<mark>Fully let")
        const saved = yield* submit(conflict.text, `/projects/${id}`, {
          name: "Speicher West",
          description: "Fully let"
        })
        assert.include(saved.text, "Saved.")
        assert.include(saved.text, "<h1>Speicher West</h1>")
        const again = yield* submit(conflict.text, `/projects/${id}`, {
          name: "Speicher West",
          description: "Fully let"
        })
        assert.include(again.text, "Saved.", "what was sent twice is no conflict")
        const unknown = yield* submit((yield* read(`/projects/${id}/edit`)).text, `/projects/${id}`, {
          sellerContactId: "nobody@example.com"
        })
        assert.strictEqual(unknown.status, 400)
        assert.match(unknown.text, /value="nobody@example\.com"[\s\S]*aria-invalid|aria-invalid[\s\S]*nobody@example/)
        yield* as((yield* Contacts).create(asked({ firstName: "Nora", lastName: "Lind" })))
        const sold = yield* submit(unknown.text, `/projects/${id}`, { sellerContactId: "nora li" })
        assert.match(sold.text, /<a href="[^"]*\/contacts\/contact_\w+">Nora Lind<\/a>/)
        assert.match((yield* read(`/projects/${id}/edit`)).text, /value="Nora Lind \(contact_\w+\)"/)
      })
    )

    it.effect("link the properties that one finds, and unlink them", () =>
      Effect.gen(function* () {
        const { as, project, read, submit } = yield* broker
        const { create } = yield* Properties
        const { id } = yield* project("Speicher")
        const { value } = yield* as(create(asked({ name: "Bürohaus <Nord>" })))
        const found = (yield* read(`/projects/${id}/properties?q=burohaus`)).text
        assert.include(found, "Bürohaus &lt;Nord&gt;")
        const linked = yield* submit(found, `/projects/${id}/properties/links`)
        assert.include(linked.text, `name="remove" value="${value.id}"`)
        const unlinked = yield* submit(linked.text, `/projects/${id}/properties/links`)
        assert.include(unlinked.text, "No properties yet")
      })
    )

    it.effect("say what closing, reopening and deleting would do before they do it, and restore", () =>
      Effect.gen(function* () {
        const { project, prospects, read, submit } = yield* broker
        const { id } = yield* project("Speicher")
        yield* prospects(id, ["Rossi", "Weber"])
        const shown = (yield* read(`/projects/${id}`)).text
        const asking = yield* submit(shown, `/projects/${id}/close`)
        assert.include(asking.text, "Close Speicher?")
        assert.match(asking.text, /1 project changed: <a [^>]+>Speicher<\/a>/)
        assert.include((yield* read(`/projects/${id}`)).text, "Draft", "nothing has happened yet")
        const closed = yield* submit(asking.text, `/projects/${id}/close`)
        assert.include(closed.text, "The project is closed.")
        assert.include(closed.text, "closed <strong>Speicher</strong>")
        const reopened = yield* submit(
          (yield* submit(closed.text, `/projects/${id}/reopen`)).text,
          `/projects/${id}/reopen`
        )
        assert.include(reopened.text, "The project is open again.")
        const warned = yield* submit(reopened.text, `/projects/${id}/delete`)
        assert.match(
          warned.text,
          /2 prospects deleted: <a href="[^"]*\/prospects\?open=prospect_\w+">Rossi<\/a> and <a [^>]+>Weber<\/a>/
        )
        const deleted = yield* submit(warned.text, `/projects/${id}/delete`)
        assert.include(deleted.text, "Within 30 days")
        const trash = (yield* read("/projects?state=deleted")).text
        assert.include(trash, "Speicher")
        const restored = yield* submit(trash, `/projects/${id}/restore`)
        assert.include(restored.text, "The project was restored.")
      })
    )

    it.effect("read their timeline as sentences, by its filters, with the notes of people and their versions", () =>
      Effect.gen(function* () {
        const { as, base, browser, project, prospects, read, submit } = yield* broker
        const { patch } = yield* ProspectChanges
        const { id } = yield* project("Speicher")
        const [prospect = ""] = yield* prospects(id, ["Nordkapital"])
        yield* as(patch(id, prospect, asked({ stage: "data_room", stageReason: "Met at the fair" })))
        const page = (yield* read(`/projects/${id}/timeline`)).text
        assert.match(page, /Eva Brandt<\/strong> moved <strong><a href="[^"]*">Nordkapital<\/a><\/strong> to Data room/)
        assert.include(page, "Met at the fair")
        assert.include(page, "Before: Not contacted")
        assert.notInclude((yield* read(`/projects/${id}/timeline?own=true`)).text, "Nordkapital")
        const noted = yield* submit(page, "/notes", { message: "Looks <b>good</b>" })
        assert.include(noted.text, "Looks &lt;b&gt;good&lt;/b&gt;")
        const revised = yield* submit(noted.text, "/notes/supersede", { message: "Looks better" })
        assert.include(revised.text, "Looks better")
        assert.notInclude(revised.text, "Looks &lt;b&gt;")
        const old = (yield* read(`/projects/${id}/timeline?old_notes=true`)).text
        assert.include(old, "Looks &lt;b&gt;")
        assert.include(old, "Its later version")
        assert.include((yield* browser.get(`${base}/projects/${id}/timeline?timeline=notes`)).text, "Looks better")
      })
    )
  })
})
