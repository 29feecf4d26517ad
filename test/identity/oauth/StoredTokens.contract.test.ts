/** What clients that ask for tokens again and again leave in the database. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Database } from "../../../src/platform/db/Database.ts"
import { Grants } from "../../../src/identity/oauth/Grants.ts"
import { serviceWithWorker } from "../../webhooks/fixture.ts"
import { aClient, anApp, isAccepted } from "./fixture.ts"

const start = TestClock.setTime(new Date("2026-11-21T09:00:00Z").getTime())

/** The rows of an app's grants: how many there are of each table. */
const rowsOf = (appId: string) =>
  Effect.gen(function* () {
    const sql = yield* Database
    const [rows] = yield* sql<{ readonly [table: string]: number }>`
      with family as (select f.id from grant_families f join grants g on g.id = f.grant_id where g.app_id = ${appId})
      select
        (select count(*)::int from family) as families,
        (select count(*)::int from authorization_codes join family on id = family_id) as codes,
        (select count(*)::int from refresh_tokens join family on id = family_id) as refreshes,
        (select count(*)::int from tokens join family on family.id = family_id) as tokens`
    return rows ?? {}
  })

const errorOf = <A, R>(refused: Effect.Effect<A, { readonly error: string }, R>) =>
  Effect.map(Effect.flip(refused), ({ error }) => error)

layer(serviceWithWorker)("A client that asks for a token with each request", (it) => {
  it.effect("has a hundred rows at the most, those of its newest tokens", () =>
    Effect.gen(function* () {
      yield* start
      const sql = yield* Database
      const { id, issue } = yield* aClient
      const issued: Array<string> = []
      for (let times = 0; times < 180; times += 1) {
        issued.push((yield* issue).access_token)
        yield* TestClock.adjust("1 second")
      }
      assert.deepStrictEqual(yield* sql`select count(*)::int as rows from tokens where client_id = ${id}`, [
        { rows: 100 }
      ])
      const accepted = yield* Effect.forEach([issued[0], issued[79], issued[80], issued[179]], (token = "") =>
        isAccepted(token)
      )
      assert.deepStrictEqual(accepted, [false, false, true, true])
    })
  )

  it.effect("has no more of them if it asks now and then", () =>
    Effect.gen(function* () {
      yield* start
      const sql = yield* Database
      const { id, issue } = yield* aClient
      for (let times = 0; times < 110; times += 1) {
        yield* issue
        yield* TestClock.adjust("1 hour")
      }
      assert.deepStrictEqual(yield* sql`select count(*)::int as rows from tokens where client_id = ${id}`, [
        { rows: 100 }
      ])
    })
  )
})

layer(serviceWithWorker)("An app that refreshes with each request", (it) => {
  it.effect("has twenty access tokens, and of refresh tokens the last and those of two minutes", () =>
    Effect.gen(function* () {
      yield* start
      const app = yield* anApp
      const first = yield* app.exchange(yield* app.allow)
      let last = first
      for (let times = 0; times < 150; times += 1) {
        yield* TestClock.adjust("3 seconds")
        last = yield* app.refresh(last.refresh_token ?? "")
      }
      assert.deepStrictEqual(yield* rowsOf(app.appId), { families: 1, codes: 1, refreshes: 41, tokens: 20 })
      assert.deepStrictEqual(
        [yield* isAccepted(first.access_token), yield* isAccepted(last.access_token)],
        [false, true]
      )
      // Whoever has the first one may have stolen it, or all the others.
      assert.strictEqual(yield* errorOf(app.refresh(first.refresh_token ?? "")), "invalid_grant")
      assert.strictEqual(yield* errorOf(app.refresh(last.refresh_token ?? "")), "invalid_grant")
      assert.isFalse(yield* isAccepted(last.access_token))
    })
  )

  it.effect("with the same token for as long as it is good fills no table either", () =>
    Effect.gen(function* () {
      yield* start
      const app = yield* anApp
      let token = (yield* app.exchange(yield* app.allow)).refresh_token ?? ""
      let last = token
      for (let minutes = 0; minutes < 6; minutes += 1) {
        for (let times = 0; times < 30; times += 1) last = (yield* app.refresh(token)).refresh_token ?? ""
        token = last
        yield* TestClock.adjust("1 minute")
      }
      // Two that were replaced in the last two minutes, and fifty that were not.
      assert.deepStrictEqual(yield* rowsOf(app.appId), { families: 1, codes: 1, refreshes: 52, tokens: 20 })
      assert.isTrue(yield* isAccepted((yield* app.refresh(last)).access_token))
    })
  )

  it.effect("can end the sign-in with a token that was replaced long ago, and no other sign-in", () =>
    Effect.gen(function* () {
      yield* start
      const [app, other] = [yield* anApp, yield* anApp]
      const [first, theirs] = [yield* app.exchange(yield* app.allow), yield* other.exchange(yield* other.allow)]
      let last = first
      for (let times = 0; times < 3; times += 1) {
        last = yield* app.refresh(last.refresh_token ?? "")
        yield* TestClock.adjust("5 minutes")
      }
      yield* other.revoke(first.refresh_token ?? "")
      assert.strictEqual(yield* errorOf(other.refresh(first.refresh_token ?? "")), "invalid_grant")
      assert.isTrue(yield* isAccepted(last.access_token))
      yield* app.revoke(first.refresh_token ?? "")
      assert.isFalse(yield* isAccepted(last.access_token))
      assert.isTrue(yield* isAccepted(theirs.access_token))
    })
  )
})

layer(serviceWithWorker)("What a sign-in at an app led to", (it) => {
  const purge = Effect.flatMap(Grants, (grants) => grants.purge(1000))

  it.effect("is kept as long as its refresh tokens are used, so that a code that comes again ends them", () =>
    Effect.gen(function* () {
      yield* start
      const app = yield* anApp
      const code = yield* app.allow
      let { refresh_token: token = "" } = yield* app.exchange(code)
      for (let months = 0; months < 3; months += 1) {
        yield* TestClock.adjust("29 days")
        yield* purge
        token = (yield* app.refresh(token)).refresh_token ?? ""
      }
      assert.deepInclude(yield* rowsOf(app.appId), { families: 1, codes: 1 })
      assert.strictEqual(yield* errorOf(app.exchange(code)), "invalid_grant")
      assert.strictEqual(yield* errorOf(app.refresh(token)), "invalid_grant")
    })
  )

  it.effect("is removed a week after the last of it ended", () =>
    Effect.gen(function* () {
      yield* start
      const app = yield* anApp
      const { refresh_token: token = "" } = yield* app.exchange(yield* app.allow)
      yield* app.allow
      yield* TestClock.adjust("8 days")
      yield* purge
      assert.deepStrictEqual(yield* rowsOf(app.appId), { families: 1, codes: 1, refreshes: 1, tokens: 1 })
      yield* app.refresh(token)
      yield* TestClock.adjust("36 days")
      yield* purge
      assert.deepInclude(yield* rowsOf(app.appId), { families: 1 })
      yield* TestClock.adjust("2 days")
      yield* purge
      assert.deepStrictEqual(yield* rowsOf(app.appId), { families: 0, codes: 0, refreshes: 0, tokens: 0 })
      const { access_token } = yield* app.exchange(yield* app.allow)
      assert.isTrue(yield* isAccepted(access_token))
    })
  )
})
