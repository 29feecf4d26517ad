/** The metrics of refused sign-ins and credentials. */
import * as Tenant from "../../support/Tenant.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { PrometheusMetrics } from "effect/observability"
import * as Refusals from "../../../src/core/auth/Refusals.ts"
import { Passwords } from "../../../src/identity/signIn/Passwords.ts"
import { UpstreamSignIn } from "../../../src/identity/signIn/UpstreamSignIn.ts"
import { TestService } from "../../support/TestService.ts"

/** All series of refusals. */
const counts = Effect.map(PrometheusMetrics.format(), (text) =>
  Object.fromEntries(
    [...text.matchAll(/^property_network_(\w+_refusals_total\{.*\}) (\d+)$/gm)].map(([, series = "", value]) => [
      series,
      Number(value)
    ])
  )
)

layer(TestService.layerOwn)("Refusals", (it) => {
  it.effect("are counted by reason and by kind of credential, from 0", () =>
    Effect.gen(function* () {
      yield* Refusals.beginMetrics
      const { request } = yield* TestService
      const before = yield* counts
      assert.lengthOf(Object.keys(before), 7)
      /** The series that an action increases by one. */
      const moved = Effect.fnUntraced(function* <A, E, R>(action: Effect.Effect<A, E, R>) {
        const from = yield* counts
        yield* Effect.exit(action)
        const to = yield* counts
        return Object.keys(to).filter((series) => to[series] === (from[series] ?? 0) + 1)
      })
      const { token } = yield* Tenant.make()
      const me = (bearer?: string) => request("GET", "/api/v1/network/contacts", { token: bearer })
      assert.deepStrictEqual(yield* moved(me(token)), [])
      assert.deepStrictEqual(yield* moved(me()), [])
      assert.deepStrictEqual(yield* moved(me("pnp_wrong")), ['credential_refusals_total{credential="token"}'])
      const ask = (fields: Readonly<Record<string, string>>, headers: Record<string, string> = {}) =>
        request("POST", "/openid/token", {
          text: new URLSearchParams(fields).toString(),
          headers: { "content-type": "application/x-www-form-urlencoded", ...headers }
        })
      assert.deepStrictEqual(
        yield* moved(ask({ grant_type: "client_credentials", client_id: "client_x", client_secret: "pns_x" })),
        ['credential_refusals_total{credential="client"}']
      )
      const { verify } = yield* Passwords
      const signIn = verify({ email: "nobody@example.com", password: Redacted.make("wrong"), address: null })
      assert.deepStrictEqual(yield* moved(signIn), ['sign_in_refusals_total{reason="password"}'])
      yield* Effect.repeat(Effect.exit(signIn), { times: 20 })
      assert.deepStrictEqual(yield* moved(signIn), ['sign_in_refusals_total{reason="throttled"}'])
      const { finish } = yield* UpstreamSignIn
      assert.deepStrictEqual(yield* moved(finish(undefined, new URL("https://example.com/callback"))), [
        'sign_in_refusals_total{reason="provider"}'
      ])
    })
  )
})
