/** What a person granted to an app, and how it ends, at two API processes. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as App from "../../src/App.ts"
import { callback, make } from "../console/App.ts"
import { runToEnd } from "../support/Admin.ts"
import * as Agent from "../support/Agent.ts"
import { TestService } from "../support/TestService.ts"
import { Apis } from "./fixture.ts"

const clientOf = (port: number) => TestService.clientOf(`http://127.0.0.1:${port}`)

/** Two processes, of which people and apps speak to the first, and the operator's use-cases. */
const fixture = Layer.merge(
  App.layerIdentity,
  Layer.effect(
    TestService,
    Effect.map(Apis, ({ a }) => clientOf(a.port))
  )
).pipe(Layer.provideMerge(Apis.layer({})))

type Connected = Effect.Success<ReturnType<typeof make>>

const succeeds = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
  const { err, ok, out } = yield* runToEnd([...args, "--json"])
  assert.isTrue(ok, err)
  return JSON.parse(out)
})

const ends = {
  "the person disconnects the app at one of them": ({ browser }: Connected) =>
    Effect.gen(function* () {
      const reply = yield* browser.submit(
        (yield* browser.get("/console/account/apps")).text,
        "/console/account/apps/disconnect"
      )
      assert.strictEqual(reply.status, 303)
    }),
  "the operator revokes it": ({ email }: Connected) =>
    Effect.gen(function* () {
      const [grant] = yield* succeeds("grant", "list", "--user", email)
      yield* succeeds("grant", "revoke", grant.id)
    }),
  "the operator revokes the app": ({ app }: Connected) => succeeds("app", "revoke", app.client_id),
  "the person leaves the team": ({ email, team }: Connected) => succeeds("member", "remove", email, "--team", team.id)
}

layer(fixture, { excludeTestServices: true, timeout: 60_000 })("A grant", (it) => {
  for (const [how, end] of Object.entries(ends)) {
    it.effect(`ends at once at both processes when ${how}`, () =>
      Effect.gen(function* () {
        const { a, b } = yield* Apis
        const processes = [clientOf(a.port), clientOf(b.port)]
        const connected = yield* make()
        const { allow, credentials, tokens, verifier } = connected
        const { access_token: token, refresh_token = "" } = yield* tokens()
        const { code = "" } = yield* allow()
        const { headers, json } = Agent.message("tools/list")
        const statuses = Effect.forEach(processes, ({ request }) =>
          Effect.map(
            Effect.all([
              request("GET", "/api/v1/auth/me", { token }),
              request("POST", "/mcp", { token, json, headers })
            ]),
            (replies) => replies.map(({ status }) => status)
          )
        )
        /** What the app gets for its refresh token and for a code that it has not used, at each process. */
        const exchanged = Effect.forEach(processes, ({ request }) =>
          Effect.forEach(
            [
              { grant_type: "refresh_token", refresh_token },
              { grant_type: "authorization_code", code, redirect_uri: callback, code_verifier: verifier }
            ],
            (members) =>
              Effect.map(
                request("POST", "/openid/token", {
                  text: new URLSearchParams({ ...credentials, ...members }).toString(),
                  headers: { "content-type": "application/x-www-form-urlencoded" }
                }),
                ({ body, status }) => [status, body["error"]]
              )
          )
        )
        assert.deepStrictEqual(yield* statuses, [
          [200, 200],
          [200, 200]
        ])
        yield* end(connected)
        assert.deepStrictEqual(yield* statuses, [
          [401, 401],
          [401, 401]
        ])
        // The credentials of an app that was revoked are wrong.
        const refused = how === "the operator revokes the app" ? [401, "invalid_client"] : [400, "invalid_grant"]
        assert.deepStrictEqual(yield* exchanged, [
          [refused, refused],
          [refused, refused]
        ])
      })
    )
  }
})
