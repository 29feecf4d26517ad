/** The log of API requests in the console: what programs asked, and how it ended. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { asOperator } from "../../src/core/auth/CurrentActor.ts"
import { RequestRecords } from "../../src/core/requests/RequestRecords.ts"
import { RequestRecordsRepo } from "../../src/core/requests/RequestRecordsRepo.ts"
import * as Id from "../../src/core/Id.ts"
import { Tokens } from "../../src/identity/tokens/Tokens.ts"
import { TestService } from "../support/TestService.ts"
import { signedIn } from "./people.ts"

/** A person at the requests of their team, and a program of theirs. */
const atRequests = Effect.gen(function* () {
  const { request } = yield* TestService
  const { browser, email, team } = yield* signedIn
  const { create } = yield* Tokens
  const { id, token } = yield* asOperator(create({ email, teamId: team.id, name: "Nightly <import>" }))
  const call = (method: string, path: string, json?: unknown) =>
    request(method, path, { token, ...(json === undefined ? {} : { json }) })
  return { browser, call, teamId: team.id, tokenId: id, path: `/console/${team.id}/requests` }
})

const countOf = (text: string, row: string) =>
  new RegExp(`<tr id="${row}"[\\s\\S]*?<td[^>]*\\bnum"[^>]*>\\s*(\\d+)\\s*</td>`).exec(text)?.[1]

layer(TestService.layer, { excludeTestServices: true })("The API requests of a team", (it) => {
  it.effect("are counted by problem, by client and by operation, and listed without what was sent", () =>
    Effect.gen(function* () {
      const { browser, call, path, tokenId } = yield* atRequests
      assert.include((yield* browser.get(path)).text, "No program has called the API")
      for (let times = 0; times < 12; times += 1) yield* call("GET", "/api/v1/network/contacts?tags=private-tag")
      yield* call("POST", "/api/v1/network/contacts", { firstName: 3 })
      yield* call("GET", "/api/v1/network/contacts/contact_01kb3n7x2ferwt5z8q4j6m9d0c")
      const { text } = yield* browser.get(path)
      assert.strictEqual(countOf(text, "problem-400-invalid_request"), "1")
      assert.strictEqual(countOf(text, "problem-404-not_found"), "1")
      assert.strictEqual(countOf(text, "route-GET-api-v1-network-contacts"), "12")
      assert.include(text, "Nightly &lt;import&gt;, Eva Brandt")
      assert.include(text, "GET /api/v1/network/contacts/:id")
      assert.strictEqual(text.match(/<tr id="request-/g)?.length, 7, "five of those that are alike")
      for (const secret of ["private-tag", "firstName", "contact_01kb"]) assert.notInclude(text, secret)
      const refused = yield* browser.get(`${path}?status=4xx&client=${tokenId}`)
      assert.strictEqual(refused.text.match(/<tr id="request-/g)?.length, 2)
      const one = yield* browser.get(`${path}?code=not_found&route=GET%20/api/v1/network/contacts/:id`)
      assert.strictEqual(one.text.match(/<tr id="request-/g)?.length, 1)
    })
  )

  it.effect("are of the team alone, and end after their retention", () =>
    Effect.gen(function* () {
      const { browser, call, path, teamId } = yield* atRequests
      const { browser: stranger } = yield* signedIn
      yield* call("GET", "/api/v1/auth/me")
      assert.strictEqual((yield* stranger.get(path)).status, 404)
      assert.include((yield* browser.get(path)).text, "GET /api/v1/auth/me")
      const { purge } = yield* RequestRecords
      const { insert } = yield* RequestRecordsRepo
      const old = {
        teamId: Id.toUuid("team", teamId) ?? "",
        at: new Date(Date.now() - 25 * 3_600_000),
        requestId: null,
        method: "GET",
        route: "/api/v1/old",
        tool: null,
        status: 200,
        code: null,
        durationMs: 1,
        clientId: null,
        tokenId: null,
        requests: 1
      }
      yield* insert([old])
      assert.notInclude((yield* browser.get(path)).text, "/api/v1/old")
      assert.isAtLeast(yield* purge(1000), 1)
      assert.include((yield* browser.get(path)).text, "GET /api/v1/auth/me")
    }).pipe(Effect.provide(RequestRecordsRepo.layer))
  )
})
