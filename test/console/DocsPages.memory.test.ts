/** The API reference for who is signed in: a token of 15 minutes to try operations with. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { asOperator } from "../../src/core/auth/CurrentActor.ts"
import { Tokens } from "../../src/identity/tokens/Tokens.ts"
import { TestService } from "../support/TestService.ts"
import * as Browser from "./Browser.ts"
import { signedIn } from "./people.ts"

interface Session {
  readonly teams: ReadonlyArray<{ readonly id: string }>
  readonly formToken: string
}

layer(TestService.layer, { excludeTestServices: true })("The API reference", (it) => {
  it.effect("makes a token of 15 minutes for who is signed in, by a form, which nothing stores", () =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      const { browser, email, team } = yield* signedIn
      const session = yield* browser.get("/console/docs/session")
      assert.strictEqual(session.headers.get("cache-control"), "no-store")
      const { formToken, teams } = session.body as unknown as Session
      assert.deepStrictEqual(
        teams.map(({ id }) => id),
        [team.id]
      )
      const made = yield* browser.post("/console/docs/token", { form_token: formToken, team: team.id })
      assert.deepStrictEqual(
        [made.status, made.headers.get("cache-control"), made.headers.get("referrer-policy")],
        [200, "no-store", "no-referrer"]
      )
      const token = String(made.body["token"])
      const me = yield* request("GET", "/api/v1/auth/me", { token })
      assert.deepStrictEqual([me.status, me.body["email"]], [200, email])
      const [listed] = yield* asOperator(Effect.flatMap(Tokens, ({ list }) => list(email)))
      const minutes = (Date.parse(listed?.expiresUtc ?? "") - Date.parse(listed?.createdUtc ?? "")) / 60_000
      assert.strictEqual(minutes, 15)
    })
  )

  it.effect("makes none without a session, without the form's token, and for a team of others", () =>
    Effect.gen(function* () {
      const { browser } = yield* signedIn
      const { team: other } = yield* signedIn
      const { formToken } = (yield* browser.get("/console/docs/session")).body as unknown as Session
      const refused = yield* browser.post("/console/docs/token", { form_token: formToken, team: other.id })
      assert.strictEqual(refused.status, 400)
      assert.strictEqual((yield* browser.post("/console/docs/token", { team: other.id })).status, 403)
      const stranger = yield* Browser.open
      const asked = yield* stranger.get("/console/docs/session")
      assert.deepStrictEqual([asked.status, asked.headers.get("location")?.startsWith("/signin")], [303, true])
    })
  )
})
