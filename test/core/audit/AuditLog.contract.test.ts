import * as Id from "../../../src/core/Id.ts"
import * as Tenant from "../../support/Tenant.ts"
import * as Transaction from "../../../src/platform/db/Transaction.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Stream } from "effect"
import { TestClock } from "effect/testing"
import { AuditLog } from "../../../src/core/audit/AuditLog.ts"
import { CurrentAuditContext, ofCommand, ofRequest } from "../../../src/core/auth/AuditContext.ts"
import { actAs, asOperator } from "../../../src/core/auth/CurrentActor.ts"
import { Clients } from "../../../src/identity/clients/Clients.ts"
import { OwnTokens } from "../../../src/identity/tokens/Tokens.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import { fixture } from "../auth/fixture.ts"

const entriesOf = (team: string, action?: string) =>
  asOperator(
    Effect.flatMap(
      Effect.flatMap(AuditLog, (log) => log.listAll({ team, ...(action === undefined ? {} : { action }) }, 100)),
      Stream.runCollect
    )
  )

const macrotask = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

const eve = ofCommand("client create", { uid: 1000, name: "eve" })

layer(fixture)("The audit log", (it) => {
  it.effect("says who made and revoked a client, by which command, and names them when it is read", () =>
    Effect.gen(function* () {
      const { team } = yield* Tenant.make()
      const clients = yield* Clients
      const byEve = <A, E, R>(self: Effect.Effect<A, E, R>) =>
        asOperator(Effect.provideService(self, CurrentAuditContext, eve))
      const { client_id } = yield* byEve(clients.create({ teamId: team, name: "CRM sync", botName: "Sync Bot" }))
      yield* byEve(clients.revoke(client_id))
      yield* byEve(clients.revoke(client_id))
      const [revoked, created, ...others] = yield* entriesOf(team, "client.*")
      assert.deepStrictEqual(others, [])
      assert.strictEqual(revoked?.action, "client.revoked")
      assert.deepInclude(created, {
        teamId: team,
        actor: { kind: "operator", id: "1000", name: "eve" },
        via: { client: null, grant: null, token: null, command: "client create", session: null },
        address: null,
        action: "client.created",
        target: { type: "client", id: client_id, name: "CRM sync" },
        outcome: "success",
        requestId: null,
        details: { scopes: ["api:public"] }
      })
      assert.match(created?.id ?? "", /^audit_/)
    })
  )

  it.effect("says from which request and address a person acts", () =>
    Effect.gen(function* () {
      const { team, userId, user } = yield* Tenant.make()
      const tokens = yield* OwnTokens
      const context = ofRequest("req_1", () => "192.0.2.7")
      Object.assign(context, { userId, sessionId: userId })
      const made = yield* tokens
        .create(userId, { name: "mine", teamId: team }, "form")
        .pipe(Effect.provideService(CurrentAuditContext, context))
      const [entry] = yield* entriesOf(team)
      assert.deepInclude(entry, {
        actor: { kind: "user", id: user, name: "Anna Berg" },
        via: { client: null, grant: null, token: null, command: null, session: userId },
        address: "192.0.2.7",
        action: "token.created",
        target: { type: "token", id: made.id, name: null },
        requestId: "req_1"
      })
    })
  )

  it.effect("has nothing of a change that is rolled back", () =>
    Effect.gen(function* () {
      const { team } = yield* Tenant.make()
      const clients = yield* Clients
      yield* Transaction.runAndRollBack(asOperator(clients.create({ teamId: team, name: "CRM sync", botName: "Bot" })))
      assert.deepStrictEqual(yield* entriesOf(team), [])
    })
  )

  it.effect("refuses to be changed, emptied, or deleted before its retention ends", () =>
    Effect.gen(function* () {
      const { team, teamId } = yield* Tenant.make()
      const sql = yield* Database
      const log = yield* AuditLog
      yield* TestClock.setTime(Date.now())
      yield* log.record({ action: "team.created", teamId })
      const statements = [
        sql`update audit_log set address = null where team_id = ${teamId}`,
        sql`delete from audit_log where team_id = ${teamId}`,
        sql`truncate audit_log`
      ]
      for (const statement of statements) assert.isTrue(Exit.isFailure(yield* Effect.exit(statement)))
      assert.lengthOf(yield* entriesOf(team), 1)
    })
  )

  it.effect("is purged when its retention ends", () =>
    Effect.gen(function* () {
      const { team, teamId } = yield* Tenant.make()
      const sql = yield* Database
      yield* sql`
        insert into audit_log (id, at, keep_until, team_id, actor_kind, action, outcome, details)
        values (${teamId}, now() - interval '400 days', now() - interval '1 minute', ${teamId}, 'system', 'team.created', 'success', '{}')`
      const log = yield* AuditLog
      assert.lengthOf(yield* entriesOf(team), 1)
      yield* TestClock.setTime(Date.now())
      // Entries of other tests may have ended, too, and before this one.
      yield* Effect.repeat(log.purge(100), { until: (purged) => purged < 100 })
      assert.deepStrictEqual(yield* entriesOf(team), [])
    })
  )

  it.effect("has one entry for what a caller repeats within an hour, with the count", () =>
    Effect.gen(function* () {
      const { team, teamId } = yield* Tenant.make()
      const log = yield* AuditLog
      const refused = {
        action: "credentials.refused",
        outcome: "refused",
        teamId,
        details: { code: "expired" }
      } as const
      yield* Effect.all([log.count(refused), log.count(refused), log.count(refused)])
      const counted = Effect.map(entriesOf(team), (entries) => entries.map(({ details }) => details["count"]))
      // Nobody waits for what is counted, in no store.
      yield* Effect.repeat(Effect.andThen(macrotask, counted), { until: ([count]) => count === 3, times: 1000 })
      assert.deepStrictEqual(yield* counted, [3])
    })
  )

  it.effect("shows administrators the entries of their team, and others none", () =>
    Effect.gen(function* () {
      const mine = yield* Tenant.make()
      const other = yield* Tenant.make()
      const log = yield* AuditLog
      yield* log.record({ action: "team.created", teamId: mine.teamId })
      yield* log.record({ action: "team.created", teamId: other.teamId })
      const read = (role: "admin" | "member") => actAs({ ...Tenant.actorOf(mine), role })(log.list({}, 10))
      assert.deepStrictEqual(
        (yield* read("admin")).map(({ teamId }) => teamId),
        [mine.team]
      )
      assert.strictEqual((yield* Effect.flip(read("member"))).code, "administrator_required")
      assert.isTrue(Exit.isFailure(yield* Effect.exit(actAs(Tenant.actorOf(mine))(log.listAll({}, 10)))))
    })
  )

  it.effect("answers by time, client, user and action, a page after the other", () =>
    Effect.gen(function* () {
      const { team, teamId, user, userId } = yield* Tenant.make()
      const log = yield* AuditLog
      for (let index = 0; index < 3; index++) {
        yield* log.record({ action: "user.activated", teamId, target: { type: "user", id: user } })
        yield* log.record({ action: "session.started", teamId, userId })
      }
      const count = (asked: Parameters<typeof log.listAll>[0], limit = 100) =>
        asOperator(Effect.flatMap(log.listAll({ team, ...asked }, limit), Stream.runCount))
      assert.strictEqual(yield* count({ user }), 6)
      assert.strictEqual(yield* count({ user, action: "session.*" }), 3)
      assert.strictEqual(yield* count({ action: "user.activated" }), 3)
      assert.strictEqual(yield* count({}, 4), 4)
      assert.strictEqual(yield* count({ client: Id.fromUuid("client", userId) }), 0)
      assert.strictEqual(yield* count({ until: new Date(0) }), 0)
      assert.strictEqual(yield* count({ since: new Date(0) }), 6)
      const unknown = yield* Effect.flip(asOperator(log.listAll({ action: "contact.*" }, 1)))
      assert.strictEqual(unknown.errors[0]?.code, "unknown_action")
    })
  )
})
