/** Teams that the operator deletes, restores and purges. */
import * as Id from "../../src/core/Id.ts"
import * as Tenant from "../support/Tenant.ts"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { asOperator } from "../../src/core/auth/CurrentActor.ts"
import { Rooms } from "../../src/deals/rooms/Rooms.ts"
import { teamStateOf, teamTransitions, type TeamMove, type TeamState } from "../../src/identity/teams/rules.ts"
import { inEach, inTeam } from "../../src/platform/db/Cells.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { tablesOf } from "../../src/platform/db/TeamTables.ts"
import { byWhatItHas } from "../../src/tenancy/PurgeRepo.ts"
import { TeamLifecycle } from "../../src/tenancy/TeamLifecycle.ts"
import { join } from "../core/auth/fixtures.ts"
import { runToEnd } from "../support/Admin.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { TestService } from "../support/TestService.ts"
import { aClient, isAccepted } from "../identity/oauth/fixture.ts"
import { dealingTeam } from "./dealingTeam.ts"

describe("A team", () => {
  it("changes its state as the table of docs/state-machines.md lists, and in no other way", () => {
    const states: ReadonlyArray<TeamState> = ["active", "deleted", "purging"]
    const moves: ReadonlyArray<TeamMove> = ["delete", "restore", "purge"]
    const table = states.flatMap((state) => moves.map((move) => `${state} ${move} ${teamTransitions[state][move]}`))
    assert.deepStrictEqual(table, [
      "active delete deleted",
      "active restore active",
      "active purge refused",
      "deleted delete deleted",
      "deleted restore active",
      "deleted purge purging",
      "purging delete purging",
      "purging restore refused",
      "purging purge purging"
    ])
    const at = new Date()
    assert.deepStrictEqual(
      [
        teamStateOf({ deletedAt: null, purgeBeganAt: null }),
        teamStateOf({ deletedAt: at, purgeBeganAt: null }),
        teamStateOf({ deletedAt: at, purgeBeganAt: at })
      ],
      states
    )
  })
})

/** Tables with no rows of teams, or with such as end with what they refer to, or with a person. */
const ofNoTeam = [
  "apps",
  "attempts",
  "authorization_codes",
  "cells",
  "change_ids",
  "file_space",
  "grant_families",
  "job_runs",
  "offer_cells",
  "passwords",
  "refresh_tokens",
  "saved_filters",
  // What operators asked for: an archive may outlive its team for a day.
  "team_runs",
  "schema_migrations",
  "secret_key_fingerprint",
  "server_timelines",
  "sessions",
  "sign_in_links",
  "teams",
  "upstream_subjects",
  "users"
]

const codeOf = (token: string, path = "/api/v1/auth/me") =>
  Effect.gen(function* () {
    const { request } = yield* TestService
    const { body, status } = yield* request<{ code?: string }>("GET", path, { token })
    return status === 200 ? 200 : `${status} ${body.code}`
  })

const lifecycle = <A, E, R>(use: (teams: TeamLifecycle["Service"]) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(TeamLifecycle, (teams) => asOperator(use(teams)))

const atOnce = { now: false, confirm: undefined }

/** How many rows each table has that are of a team, whatever the code knows of them. */
const rowsOf = (teamId: string) =>
  Effect.gen(function* () {
    const sql = yield* Database
    const tables = yield* sql<{ readonly name: string }>`
      select table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
      where table_schema = 'public' and table_type = 'BASE TABLE' and column_name = 'team_id' order by 1`
    const counts: { [table: string]: number } = {}
    // The audit log outlives the team.
    for (const { name } of tables.filter(({ name }) => !name.startsWith("audit_"))) {
      const [row] = yield* inTeam(teamId)(
        sql.unsafe<{ readonly count: number }>(`select count(*)::int as count from ${name} where team_id = $1`, [
          teamId
        ])
      )
      if ((row?.count ?? 0) > 0) counts[name] = row?.count ?? 0
    }
    return counts
  })

layer(TestService.layer, { excludeTestServices: true })("A deleted team", (it) => {
  it.effect("is closed to everybody at once, and comes back as it was when it is restored", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { buyer, project, roomId, seller, webhookId } = yield* dealingTeam
      const { projectId } = project
      const room = `/api/v1/projects/${projectId}/rooms/${roomId}`
      const state = Effect.gen(function* () {
        const shown = yield* seller.ask<Record<string, unknown>>("GET", `/api/v1/projects/${projectId}`)
        const webhook = yield* seller.ask<Record<string, unknown>>("GET", `/api/v1/webhooks/${webhookId}`)
        const opened = yield* seller.ask<Record<string, unknown>>("GET", room)
        const offer = yield* buyer.get(project.offerId)
        return [shown.body["status"], webhook.body["status"], opened.body["status"], offer.body.status]
      })
      const before = yield* state
      assert.deepStrictEqual(before, ["open", "active", "open", "accepted"])

      const dry = yield* runToEnd(["team", "delete", seller.team, "--dry-run", "--json"])
      assert.deepInclude(JSON.parse(dry.out).result, {
        id: seller.team,
        state: "deleted",
        closedProjects: 1,
        members: 2
      })
      assert.deepStrictEqual(yield* state, before)

      const deleted = yield* lifecycle((teams) => teams.delete(seller.team, atOnce))
      assert.deepInclude(deleted, { state: "deleted", closedProjects: 1, stoppedWebhooks: 1 })
      assert.strictEqual(yield* codeOf(seller.token), "401 team_deleted")
      assert.strictEqual((yield* buyer.get(project.offerId)).body.status, "closed")
      const other = yield* Tenant.make()
      yield* join(seller.teamId, other.userId)
      const { request } = yield* TestService
      const me = yield* request("GET", "/api/v1/auth/me", { token: other.token })
      assert.notInclude(me.text, seller.team)
      const shown = yield* lifecycle((teams) => teams.show(seller.team))
      assert.deepInclude(shown, { state: "deleted", plan: "plus" })
      assert.deepInclude(shown.webhooks[0], { status: "disabled", disabledReason: "team_deleted" })
      assert.deepInclude(shown.records, { projects: 1, rooms: 2, questions: 3 })
      assert.isAbove(shown.storageBytes, 0)
      const refused = yield* runToEnd([
        "client",
        "create",
        "--team",
        seller.team,
        "--name",
        "x",
        "--bot",
        "y",
        "--json"
      ])
      assert.strictEqual(JSON.parse(refused.out).error.code, "team_deleted")
      const again = yield* lifecycle((teams) => teams.delete(seller.team, atOnce))
      assert.deepInclude(again, { deletedUtc: shown.deletedUtc, stoppedWebhooks: 0 })

      // Twenty days later, when its rooms have wound down.
      const [times] = yield* sql<{ readonly at: Date }>`
        update teams set deleted_at = deleted_at - interval '20 days', purge_at = purge_at - interval '20 days'
        where id = ${seller.teamId} returning deleted_at as at`
      yield* inTeam(seller.teamId)(sql`
        update rooms set winding_down_at = ${new Date((times?.at.getTime() ?? 0) + 1000)}
        where team_id = ${seller.teamId} and winding_down_at is not null`)
      yield* Effect.flatMap(Rooms, ({ closeWoundDown }) => closeWoundDown(1000))
      const restored = yield* lifecycle((teams) => teams.restore(seller.team))
      assert.deepInclude(restored, { state: "active", deletedUtc: null, reopenedProjects: 1, startedWebhooks: 1 })
      assert.deepStrictEqual(yield* state, before)
      const [row] = yield* sql`select purge_at, open_projects from teams where id = ${seller.teamId}`
      assert.deepStrictEqual(row, { purge_at: null, open_projects: null })
    })
  )

  it.effect("refuses its clients, until it is restored", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const client = yield* aClient
      const { access_token } = yield* client.issue
      const [row] = yield* sql<{ team_id: string }>`select team_id from clients where id = ${client.id}`
      const team = Id.fromUuid("team", row?.team_id ?? "")
      yield* lifecycle((teams) => teams.delete(team, atOnce))
      assert.strictEqual(yield* codeOf(access_token), "401 team_deleted")
      assert.strictEqual((yield* Effect.flip(client.issue)).error, "invalid_client")
      yield* lifecycle((teams) => teams.restore(team))
      assert.isTrue(yield* isAccepted(access_token))
    })
  )

  it.effect("is purged with all that it has when its grace is over, and nothing of others", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { buyer, project, seller } = yield* dealingTeam
      const client = yield* runToEnd([
        "client",
        "create",
        "--team",
        seller.team,
        "--name",
        "x",
        "--bot",
        "Bot",
        "--json"
      ])
      assert.isTrue(client.ok, client.err)
      // A member who has another team, too.
      const person = yield* Tenant.make()
      yield* sql`update memberships set is_primary = false where user_id = ${person.userId}`
      yield* join(seller.teamId, person.userId, { primary: true })
      const before = yield* rowsOf(seller.teamId)
      for (const table of ["actions", "clients", "contacts", "files", "messages", "questions", "tokens", "webhooks"]) {
        assert.isAbove(before[table] ?? 0, 0, table)
      }
      const contents = yield* inTeam(seller.teamId)(sql<{ readonly content: string }>`
        select content from files where team_id = ${seller.teamId}`)
      const ofBuyer = yield* rowsOf(buyer.teamId)
      yield* lifecycle((teams) => teams.delete(seller.team, atOnce))
      yield* Effect.flatMap(TeamLifecycle, ({ finish }) => finish())
      assert.isAbove((yield* rowsOf(seller.teamId))["contacts"] ?? 0, 0, "the grace is not over")
      yield* sql`update teams set purge_at = now() where id = ${seller.teamId}`
      yield* Effect.flatMap(TeamLifecycle, ({ finish }) => finish())
      assert.deepStrictEqual(yield* rowsOf(seller.teamId), {})
      assert.strictEqual((yield* Effect.flip(lifecycle((teams) => teams.show(seller.team)))).code, "not_found")
      assert.strictEqual((yield* Effect.flip(lifecycle((teams) => teams.restore(seller.team)))).code, "not_found")
      assert.lengthOf(yield* sql`select from users where name = 'Bot' and is_bot and created_at is null`, 0)
      const left = yield* inEach(
        sql,
        Effect.orDie(sql`select from files where content = any(${contents.map(({ content }) => content)}::uuid[])`)
      )
      assert.lengthOf(left, 0)
      const [primary] = yield* sql<{ team_id: string }>`
        select team_id from memberships where user_id = ${person.userId} and is_primary`
      assert.strictEqual(primary?.team_id, person.teamId)
      const offer = yield* buyer.get(project.offerId)
      assert.deepInclude(offer.body, { id: project.offerId, status: "closed" })
      assert.strictEqual((yield* buyer.list("?filter=all")).status, 200)
      const { events: _, ...rows } = yield* rowsOf(buyer.teamId)
      assert.containsAllKeys(rows, ["offers", "memberships"])
      assert.strictEqual(rows["offers"], ofBuyer["offers"])
    })
  )

  it.effect("is purged at once only by its name", () =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      const { team, teamId, token } = yield* Tenant.make()
      assert.strictEqual(
        (yield* request("POST", "/api/v1/network/contacts", { token, json: { lastName: "Berg" } })).status,
        201
      )
      const remove = (...args: ReadonlyArray<string>) =>
        Effect.map(runToEnd(["team", "delete", team, "--now", "--json", ...args]), ({ out }) => JSON.parse(out))
      assert.strictEqual((yield* remove()).error.code, "confirmation_required")
      assert.strictEqual((yield* remove("--confirm", "Berg")).error.code, "confirmation_required")
      assert.deepInclude((yield* remove("--confirm", "Berg & Co", "--dry-run")).result, { has: { contacts: 1 } })
      assert.isAbove((yield* rowsOf(teamId))["contacts"] ?? 0, 0)
      const purged = yield* remove("--confirm", "Berg & Co")
      assert.deepInclude(purged, { state: "purged", name: "Berg & Co" })
      assert.strictEqual(purged.removed.contacts, 1)
      assert.deepStrictEqual(yield* rowsOf(teamId), {})
      assert.strictEqual(yield* codeOf(token), "401 unauthorized")
      const sql = yield* Database
      const recorded = yield* sql<{ readonly action: string }>`
        select action from audit_log where team_id = ${teamId} and action like 'team.%' order by id`
      assert.deepStrictEqual(
        recorded.map(({ action }) => action),
        ["team.deleted", "team.purged"]
      )
    })
  )

  it.effect(
    "is purged once by two who purge it at the same time, so that none removes what an archive brings back",
    () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const { team, teamId } = yield* Tenant.make()
        const purge = Effect.exit(lifecycle((teams) => teams.delete(team, { now: true, confirm: "Berg & Co" })))
        yield* Effect.all([purge, purge], { concurrency: 2 })
        assert.deepStrictEqual(yield* rowsOf(teamId), {})
        assert.lengthOf(yield* sql`select from audit_log where team_id = ${teamId} and action = 'team.purged'`, 1)
      })
  )
})

// Not that of all tests, some of which make tables.
layer(TestDatabase.layer)("The list of tables with rows of teams", (it) => {
  it.effect("has every table with a team, each before those that its rows refer to, and knows its key", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const found = yield* sql<{ readonly name: string }>`
        select distinct table_name as name
        from information_schema.columns join information_schema.tables using (table_schema, table_name)
        where table_schema = 'public' and table_type = 'BASE TABLE' and column_name = 'team_id' order by 1`
      const tables = yield* tablesOf(sql, "public")
      assert.deepStrictEqual(tables.map(({ name }) => name).toSorted(), found.map(({ name }) => name).toSorted())
      const others = yield* sql<{ readonly name: string }>`
        select table_name as name from information_schema.tables
        where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> all(${found.map(({ name }) => name)}::text[])
        order by 1`
      assert.deepStrictEqual(
        others.map(({ name }) => name).filter((name) => !ofNoTeam.includes(name) && !(name in byWhatItHas)),
        [],
        "say in src/tenancy/PurgeRepo.ts which of their rows are of a team, or here that none is"
      )
      // Rows of a table without a primary key are removed all at once.
      assert.deepStrictEqual(
        tables.flatMap(({ key, name }) => (key.length === 0 ? [name] : [])),
        ["mandate_boxes"]
      )
    })
  )
})
