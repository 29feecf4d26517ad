/** The start page, the first call, and what the palette finds, as a browser without scripts sees them. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { signedIn } from "../console/people.ts"
import { TestService } from "../support/TestService.ts"

layer(TestService.layer, { excludeTestServices: true })("The start page", (it) => {
  it.effect("says what the person is and what waits, and makes a first call with a token, once", () =>
    Effect.gen(function* () {
      const { browser, team } = yield* signedIn
      const { request } = yield* TestService
      const path = `/console/${team.id}`
      assert.strictEqual((yield* browser.get("/console")).headers.get("location"), path)
      const page = yield* browser.get(path)
      assert.strictEqual(page.status, 200, page.text)
      for (const shown of ["Administrator", "Broker", "Your open tasks"]) assert.include(page.text, shown)
      assert.notInclude(page.text, "Offers to answer")
      const called = yield* browser.submit(page.text, path)
      assert.deepStrictEqual([called.status, called.headers.get("cache-control")], [200, "no-store"], called.text)
      const [token = ""] = /pnp_\w+/.exec(called.text) ?? []
      assert.include(called.text, "&quot;hasMore&quot;: false")
      assert.strictEqual((yield* request("GET", "/api/v1/auth/me", { token })).status, 200)
      const again = yield* browser.submit(page.text, path)
      assert.strictEqual(/pnp_\w+/.exec(again.text)?.[0], token)
      assert.notMatch((yield* browser.get(path)).text, /pnp_/)
    })
  )

  it.effect("begins with the work of a broker, and lets them hide the first steps of developers", () =>
    Effect.gen(function* () {
      const { browser, team } = yield* signedIn
      const path = `/console/${team.id}`
      const fresh = (yield* browser.get(path)).text
      assert.include(fresh, "No open project yet")
      assert.include(fresh, `href="${path}/imports?kind=contacts"`)
      assert.isBelow(fresh.indexOf("Import contacts"), fresh.indexOf("A first call of the API"))
      // Nothing waits at a webhook, so that nothing is said of deliveries.
      assert.notInclude(fresh, "Deliveries that wait")
      yield* browser.submit((yield* browser.get(`${path}/projects/new`)).text, `${path}/projects`, { name: "Sale <A>" })
      const open = (yield* browser.get(path)).text
      assert.match(open, /<a href="[^"]+\/projects\/project_\w+">Sale &lt;A&gt;<\/a>/)
      assert.strictEqual((yield* browser.submit(open, "/console/account/filters")).status, 303)
      const hidden = (yield* browser.get(path)).text
      assert.notInclude(hidden, "A first call of the API")
      assert.strictEqual((yield* browser.submit(hidden, "/console/account/filters/delete")).status, 303)
      assert.include((yield* browser.get(path)).text, "A first call of the API")
    })
  )

  it.effect("is the page on which records are found by name, and the JSON of the palette", () =>
    Effect.gen(function* () {
      const { browser, team } = yield* signedIn
      const path = `/console/${team.id}/find?q=${encodeURIComponent("<b>nobody</b>")}`
      const page = yield* browser.get(path)
      assert.include(page.text, "Nothing has that name")
      assert.include(page.text, 'value="&lt;b&gt;nobody&lt;/b&gt;"')
      const found = yield* browser.send("GET", path, { headers: { accept: "application/json" } })
      assert.deepStrictEqual([found.status, found.text], [200, "[]"])
      const { request } = yield* TestService
      const start = yield* browser.get(`/console/${team.id}`)
      const [token = ""] = /pnp_\w+/.exec((yield* browser.submit(start.text, `/console/${team.id}`)).text) ?? []
      const json = { firstName: "Zoë", lastName: "Quist" }
      const { body } = yield* request<{ readonly id: string }>("POST", "/api/v1/network/contacts", { token, json })
      const named = yield* browser.send("GET", `/console/${team.id}/find?q=quist`, {
        headers: { accept: "application/json" }
      })
      assert.deepStrictEqual(JSON.parse(named.text), [
        { href: `/console/${team.id}/contacts/${body.id}`, text: "Zoë Quist · Contact" }
      ])
      const others = yield* browser.get("/console/team_01kb3n7x2ferwt5z8q4j6m9d0c/find?q=a")
      assert.strictEqual(others.status, 404)
    })
  )
})
