import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { randomBytes } from "node:crypto"
import { TestClock } from "effect/testing"
import { Authentication } from "../../../src/core/auth/Authentication.ts"
import { rateOf } from "../../../src/core/auth/rules.ts"
import { CallersRepo } from "../../../src/core/auth/CallersRepo.ts"
import * as Secret from "../../../src/core/auth/Secret.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { aClient, after, aMember, aTeam, aToken, start } from "./fixtures.ts"

const fixture = Authentication.layer.pipe(
  Layer.provideMerge(CallersRepo.layer),
  Layer.provideMerge(TestDatabase.layerShared)
)

const authenticate = (bearer: string) =>
  Effect.flatMap(Authentication, (authentication) => authentication.authenticate(bearer))

const at = (seconds: number) => TestClock.setTime(after(seconds).getTime())

layer(fixture)("A caller", (it) => {
  it.effect("is the user of the token, with the origin api", () =>
    Effect.gen(function* () {
      yield* at(0)
      const teamId = yield* aTeam()
      const userId = yield* aMember(teamId, { broker: "active" })
      const { token } = yield* aToken({ teamId, userId })
      const { actor, rate } = yield* authenticate(token)
      assert.deepInclude(actor, { userId, teamId, clientId: null, broker: "active", investor: null, origin: "api" })
      assert.deepStrictEqual(rate, { policy: "pat", limit: 60, remaining: 59, resetSeconds: 60, exceeded: false })
    })
  )

  it.effect("has 60 requests a minute with a personal token", () =>
    Effect.gen(function* () {
      yield* at(0)
      const teamId = yield* aTeam()
      const { token } = yield* aToken({ teamId, userId: yield* aMember(teamId) })
      for (let request = 1; request <= 60; request++) {
        const { rate } = yield* authenticate(token)
        assert.deepInclude(rate, { remaining: 60 - request, exceeded: false })
      }
      yield* at(42.5)
      assert.deepInclude((yield* authenticate(token)).rate, { remaining: 0, resetSeconds: 18, exceeded: true })
      yield* at(60)
      assert.deepInclude((yield* authenticate(token)).rate, { remaining: 59, resetSeconds: 60, exceeded: false })
    })
  )

  it.effect("has 600 requests a minute as a client", () =>
    Effect.gen(function* () {
      yield* at(0)
      const teamId = yield* aTeam()
      const client = yield* aClient(teamId)
      const { token } = yield* aToken({ teamId, userId: client.botId, clientId: client.id })
      assert.deepInclude((yield* authenticate(token)).rate, { policy: "client", limit: 600, remaining: 599 })
    })
  )

  it.effect("is refused with the same message for every invalid token", () =>
    Effect.gen(function* () {
      yield* at(0)
      const teamId = yield* aTeam()
      const userId = yield* aMember(teamId)
      const expired = yield* aToken({ teamId, userId, expiresAt: start })
      const client = yield* aClient(teamId)
      const refusals = yield* Effect.forEach(
        [
          expired.token,
          client.secret,
          Secret.make("personal", randomBytes(32)),
          "pnp_",
          "x",
          `${expired.token} `,
          "\u0000"
        ],
        (bearer) => Effect.flip(authenticate(bearer))
      )
      assert.strictEqual(new Set(refusals.map((refusal) => refusal.detail)).size, 1)
      assert.deepStrictEqual([...new Set(refusals.map((refusal) => refusal.code))], ["unauthorized"])
    })
  )
})

describe("The rate of a caller", () => {
  const limits = { pat: 60, client: 600, session: 600 }
  const counted = { policy: "pat", requests: 61, openedAt: start } as const

  it("resets in whole seconds from 1 to 60, even when clocks differ", () => {
    const resets = [-3000, 0, 1, 999, 1000, 59_000, 59_001, 59_999, 60_000, 90_000].map(
      (millis) => rateOf(counted, limits, start.getTime() + millis).resetSeconds
    )
    assert.deepStrictEqual(resets, [60, 60, 60, 60, 59, 1, 1, 1, 1, 1])
  })

  it("is exceeded by the first request over the limit", () => {
    const rates = [59, 60, 61].map((requests) => rateOf({ ...counted, requests }, limits, start.getTime()))
    assert.deepStrictEqual(
      rates.map(({ exceeded, remaining }) => [remaining, exceeded]),
      [
        [1, false],
        [0, false],
        [0, true]
      ]
    )
  })
})
