import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { randomBytes, randomUUID } from "node:crypto"
import { CallersRepo } from "../../../src/core/auth/CallersRepo.ts"
import { TokensRepo } from "../../../src/identity/tokens/TokensRepo.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { aClient, after, aMember, aTeam, aToken, join, start } from "../../core/auth/fixtures.ts"

const fixture = Layer.merge(CallersRepo.layer, TokensRepo.layer).pipe(Layer.provideMerge(TestDatabase.layer))

const limits = { pat: 3, client: 5, session: 5 }

const authenticate = (hash: Uint8Array, now: Date) =>
  Effect.flatMap(CallersRepo, (callers) => Effect.map(callers.authenticate([hash], now, limits), ([found]) => found))

/** The number of requests in a caller's window after a request at each of these times. */
const counts = (hash: Uint8Array, seconds: ReadonlyArray<number>) =>
  Effect.forEach(seconds, (second) => Effect.map(authenticate(hash, after(second)), (found) => found?.requests))

const windowsOf = (subject: string) =>
  Effect.flatMap(Database, (sql) => sql`select opened_at, requests from rate_windows where subject = ${subject}`)

const personal = Effect.gen(function* () {
  const teamId = yield* aTeam()
  const userId = yield* aMember(teamId, { role: "admin", broker: "active", investor: "pending" })
  return { teamId, userId, ...(yield* aToken({ teamId, userId })) }
})

layer(fixture)("A token", (it) => {
  it.effect("identifies its user, team, role and capabilities", () =>
    Effect.gen(function* () {
      const { hash, teamId, userId } = yield* personal
      const found = yield* authenticate(hash, start)
      assert.deepStrictEqual(found?.actor, {
        userId,
        teamId,
        clientId: null,
        role: "admin",
        membership: "active",
        broker: "active",
        investor: "pending",
        scopes: ["api:public"]
      })
      assert.deepStrictEqual([found?.policy, found?.requests, found?.openedAt], ["pat", 1, start])
      assert.deepStrictEqual(Buffer.from(found?.hash ?? []), Buffer.from(hash))
    })
  )

  it.effect("of a client identifies the bot and the client", () =>
    Effect.gen(function* () {
      const teamId = yield* aTeam()
      const client = yield* aClient(teamId)
      const { hash } = yield* aToken({ teamId, userId: client.botId, clientId: client.id })
      const found = yield* authenticate(hash, start)
      assert.strictEqual(found?.actor.userId, client.botId)
      assert.strictEqual(found?.actor.clientId, client.id)
      assert.strictEqual(found?.policy, "client")
    })
  )

  it.effect("of an invited user is valid, with a pending membership", () =>
    Effect.gen(function* () {
      const teamId = yield* aTeam()
      const userId = yield* aMember(teamId, { status: "pending" })
      const { hash } = yield* aToken({ teamId, userId })
      assert.strictEqual((yield* authenticate(hash, start))?.actor.membership, "pending")
    })
  )

  it.effect("that is unknown has no caller and counts no request", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const before = yield* sql`select count(*)::int as n from rate_windows`
      assert.isUndefined(yield* authenticate(randomBytes(32), start))
      assert.deepStrictEqual(yield* sql`select count(*)::int as n from rate_windows`, before)
    })
  )

  it.effect("is valid until its expiry, exclusively", () =>
    Effect.gen(function* () {
      const teamId = yield* aTeam()
      const userId = yield* aMember(teamId)
      const { hash, id } = yield* aToken({ teamId, userId, expiresAt: after(10) })
      assert.isDefined(yield* authenticate(hash, after(9.999)))
      assert.isUndefined(yield* authenticate(hash, after(10)))
      assert.strictEqual((yield* windowsOf(id))[0]?.["requests"], 1)
    })
  )

  it.effect("stops working when it is revoked", () =>
    Effect.gen(function* () {
      const { hash, id } = yield* personal
      const tokens = yield* TokensRepo
      assert.deepInclude(yield* tokens.revokePersonal(id, start), { isNew: true })
      assert.isUndefined(yield* authenticate(hash, start))
      assert.deepInclude(yield* tokens.revokePersonal(id, after(1)), { isNew: false }, "again, too")
      assert.isUndefined(yield* tokens.revokePersonal(randomUUID(), start))
    })
  )

  it.effect("stops working when its user leaves the team, in that team only", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* aTeam(), yield* aTeam()]
      const userId = yield* aMember(one)
      yield* join(other, userId)
      const [left, stayed] = [yield* aToken({ teamId: one, userId }), yield* aToken({ teamId: other, userId })]
      const sql = yield* Database
      yield* sql`delete from memberships where team_id = ${one} and user_id = ${userId}`
      assert.isUndefined(yield* authenticate(left.hash, start))
      assert.strictEqual((yield* authenticate(stayed.hash, start))?.actor.teamId, other)
    })
  )

  it.effect("is deleted with its rate-limit window some time after its expiry", () =>
    Effect.gen(function* () {
      const teamId = yield* aTeam()
      const userId = yield* aMember(teamId)
      const old = yield* aToken({ teamId, userId, expiresAt: after(-100) })
      const older = yield* aToken({ teamId, userId, expiresAt: after(-200) })
      yield* authenticate(older.hash, after(-300))
      const tokens = yield* TokensRepo
      assert.strictEqual(yield* tokens.purge(after(-50), 1), 1)
      assert.deepStrictEqual(yield* windowsOf(older.id), [])
      assert.isUndefined(yield* authenticate(older.hash, after(-300)))
      assert.isDefined(yield* authenticate(old.hash, after(-300)))
      assert.strictEqual(yield* tokens.purge(after(-100), 10), 0)
    })
  )

  it.effect("stops working when its client is revoked", () =>
    Effect.gen(function* () {
      const teamId = yield* aTeam()
      const client = yield* aClient(teamId)
      const { hash } = yield* aToken({ teamId, userId: client.botId, clientId: client.id })
      assert.isDefined(yield* authenticate(hash, start))
      const sql = yield* Database
      yield* sql`update clients set revoked_at = ${start} where id = ${client.id}`
      assert.isUndefined(yield* authenticate(hash, start))
    })
  )
})

layer(fixture)("The window of a caller", (it) => {
  it.effect("opens with the first request and lasts 60 seconds", () =>
    Effect.gen(function* () {
      const { hash } = yield* personal
      assert.deepStrictEqual(yield* counts(hash, [0, 30, 59.999, 60, 60, 119.999, 120]), [1, 2, 3, 1, 2, 3, 1])
    })
  )

  it.effect("stops counting above the limit, so that it never overflows", () =>
    Effect.gen(function* () {
      const { hash } = yield* personal
      assert.deepStrictEqual(yield* counts(hash, [0, 1, 2, 3, 4, 5]), [1, 2, 3, 4, 4, 4])
    })
  )

  it.effect("is kept when another host opened it slightly in the future", () =>
    Effect.gen(function* () {
      const { hash } = yield* personal
      assert.deepStrictEqual(yield* counts(hash, [2, 0, 1]), [1, 2, 3])
    })
  )

  it.effect("is replaced when a wrong clock opened it far in the future", () =>
    Effect.gen(function* () {
      const { hash, id } = yield* personal
      assert.deepStrictEqual(yield* counts(hash, [3000, 0, 1]), [1, 1, 2])
      assert.deepStrictEqual((yield* windowsOf(id))[0]?.["opened_at"], start)
    })
  )

  it.effect("is separate for each personal token", () =>
    Effect.gen(function* () {
      const { hash, teamId, userId } = yield* personal
      const other = yield* aToken({ teamId, userId })
      assert.deepStrictEqual(yield* counts(hash, [0, 0]), [1, 2])
      assert.deepStrictEqual(yield* counts(other.hash, [0]), [1])
    })
  )

  it.effect("is shared by all tokens of a client", () =>
    Effect.gen(function* () {
      const teamId = yield* aTeam()
      const client = yield* aClient(teamId)
      const holder = { teamId, userId: client.botId, clientId: client.id }
      const [one, other] = [yield* aToken(holder), yield* aToken(holder)]
      assert.deepStrictEqual(yield* counts(one.hash, [0, 0]), [1, 2])
      assert.deepStrictEqual(yield* counts(other.hash, [0]), [3])
      assert.deepStrictEqual(yield* windowsOf(client.id), [{ opened_at: start, requests: 3 }])
    })
  )

  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

  it.effect("counts all of many concurrent requests", () =>
    Effect.gen(function* () {
      const { hash } = yield* personal
      const callers = yield* CallersRepo
      const all = yield* Effect.forEach(
        upTo(40),
        (index) => callers.authenticate([hash], after(index % 3), { pat: 100, client: 100, session: 100 }),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        all
          .flat()
          .map((found) => found?.requests ?? 0)
          .sort((a, b) => a - b),
        upTo(40)
      )
    })
  )

  it.effect("counts several requests of one batch in their order", () =>
    Effect.gen(function* () {
      const teamId = yield* aTeam()
      const client = yield* aClient(teamId)
      const holder = { teamId, userId: client.botId, clientId: client.id }
      const [one, other] = [yield* aToken(holder), yield* aToken(holder)]
      const mine = yield* personal
      const unknown = new Uint8Array(randomBytes(32))
      const callers = yield* CallersRepo
      const asked = [one.hash, mine.hash, unknown, other.hash, one.hash, mine.hash]
      const together = (second: number) =>
        Effect.map(callers.authenticate(asked, after(second), limits), (all) => all.map((found) => found?.requests))
      assert.deepStrictEqual(yield* together(0), [1, 1, undefined, 2, 3, 2])
      assert.deepStrictEqual(yield* together(1), [4, 3, undefined, 5, 6, 4])
      // Requests above the limit are not counted, so that the counter never overflows.
      assert.deepStrictEqual(yield* together(2), [6, 4, undefined, 7, 8, 5])
      assert.deepStrictEqual(yield* together(60), [1, 1, undefined, 2, 3, 2])
    })
  )

  it.effect("is counted by concurrent batches of many callers without a deadlock", () =>
    Effect.gen(function* () {
      const tenants = yield* Effect.forEach(upTo(10), () => personal)
      const callers = yield* CallersRepo
      const hashes = tenants.map(({ hash }) => hash)
      const all = yield* Effect.forEach(
        upTo(30),
        (index) =>
          callers.authenticate(index % 2 === 0 ? hashes : hashes.toReversed(), start, {
            pat: 100,
            client: 100,
            session: 100
          }),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        all.map((found) => found.length),
        Array.from({ length: 30 }, () => 10)
      )
      const windows = yield* Effect.forEach(tenants, ({ id }) => windowsOf(id))
      assert.deepStrictEqual(
        windows.map(([window]) => window?.["requests"]),
        Array.from({ length: 10 }, () => 30)
      )
    })
  )
})
