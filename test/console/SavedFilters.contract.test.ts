/** Saved filters of lists, as a browser without scripts sees them. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestService } from "../support/TestService.ts"
import { signedIn } from "./people.ts"

layer(TestService.layer, { excludeTestServices: true })("Saved filters", (it) => {
  it.effect("are kept by each person for a list, applied by a link, replaced by their name, and deleted", () =>
    Effect.gen(function* () {
      const { browser, team } = yield* signedIn
      const contacts = `/console/${team.id}/contacts`
      const list = yield* browser.get(`${contacts}?tags=ros&cursor=`)
      const saved = yield* browser.submit(list.text, "/console/account/filters", { name: "<b>Ros</b>" })
      assert.strictEqual(saved.headers.get("location"), `${contacts}?tags=ros`, saved.text)
      const again = yield* browser.get(contacts)
      assert.include(again.text, `href="${contacts}?tags=ros"`)
      assert.include(again.text, "&lt;b&gt;Ros&lt;/b&gt;")
      assert.notInclude((yield* browser.get(`/console/${team.id}/companies`)).text, "Ros")
      const other = yield* browser.get(`${contacts}?tags=rossi`)
      yield* browser.submit(other.text, "/console/account/filters", { name: "<b>Ros</b>" })
      const replaced = yield* browser.get(contacts)
      assert.include(replaced.text, `href="${contacts}?tags=rossi"`)
      assert.notInclude(replaced.text, `href="${contacts}?tags=ros"`)
      const deleted = yield* browser.submit(replaced.text, "/console/account/filters/delete")
      assert.strictEqual(deleted.headers.get("location"), contacts)
      assert.notInclude((yield* browser.get(contacts)).text, "rossi")
    })
  )

  it.effect("take a list of the console alone, and no filter of somebody else", () =>
    Effect.gen(function* () {
      const { browser, team } = yield* signedIn
      const contacts = `/console/${team.id}/contacts`
      const list = yield* browser.get(`${contacts}?tags=ros`)
      const away = { name: "Away", page: "https://elsewhere.example/" }
      assert.strictEqual((yield* browser.submit(list.text, "/console/account/filters", away)).status, 400)
      yield* browser.submit(list.text, "/console/account/filters", { name: "Mine" })
      const [, id = ""] = /name="id" value="([0-9a-f-]{36})"/.exec((yield* browser.get(contacts)).text) ?? []
      const stranger = yield* signedIn
      const theirs = yield* stranger.browser.get(`/console/${stranger.team.id}/contacts?tags=a`)
      yield* stranger.browser.submit(theirs.text, "/console/account/filters", { name: "Theirs" })
      const shown = yield* stranger.browser.get(`/console/${stranger.team.id}/contacts`)
      const refused = yield* stranger.browser.submit(shown.text, "/console/account/filters/delete", { id })
      assert.strictEqual(refused.status, 404)
    })
  )
})
