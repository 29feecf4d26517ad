/** Accounts that the operator deactivates, activates and deletes. */
import * as Id from "../../../src/core/Id.ts"
import * as Tenant from "../../support/Tenant.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Result } from "effect"
import { asOperator } from "../../../src/core/auth/CurrentActor.ts"
import { Authentication } from "../../../src/core/auth/Authentication.ts"
import { Passwords } from "../../../src/identity/signIn/Passwords.ts"
import { Teams } from "../../../src/identity/teams/Teams.ts"
import { Tokens } from "../../../src/identity/tokens/Tokens.ts"
import { Users } from "../../../src/identity/users/Users.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import { runToEnd } from "../../support/Admin.ts"
import { TestService } from "../../support/TestService.ts"
import { aMember } from "../../core/auth/fixtures.ts"
import * as Browser from "../../console/Browser.ts"
import { password, signedIn } from "../../console/people.ts"
import { aClient, anApp } from "../oauth/fixture.ts"

const codeOf = (token: string) =>
  Effect.gen(function* () {
    const { request } = yield* TestService
    const { body, status } = yield* request<{ code?: string }>("GET", "/api/v1/auth/me", { token })
    return status === 200 ? 200 : `${status} ${body.code}`
  })

const refusalOf = <A, E extends { readonly code: string }, R>(self: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.result(self), (result) => (Result.isFailure(result) ? result.failure.code : "accepted"))

layer(TestService.layer, { excludeTestServices: true })("A deactivated account", (it) => {
  it.effect("signs nobody in and answers no token, until it is activated", () =>
    Effect.gen(function* () {
      const [users, tokens, passwords] = [yield* Users, yield* Tokens, yield* Passwords]
      const { browser, email, team, user } = yield* signedIn
      const { token } = yield* asOperator(tokens.create({ email, name: "script" }))
      assert.strictEqual(yield* codeOf(token), 200)
      const deactivated = yield* asOperator(users.deactivate(email))
      assert.deepInclude(deactivated, { id: user.id, state: "deactivated", endedSessions: 1 })
      assert.strictEqual(
        (yield* browser.get("/console/account")).headers.get("location"),
        "/signin?next=%2Fconsole%2Faccount"
      )
      assert.strictEqual(yield* codeOf(token), "401 user_deactivated")
      const { request } = yield* TestService
      const mcp = yield* request<{ code?: string }>("POST", "/mcp", { token, json: {} })
      assert.deepStrictEqual([mcp.status, mcp.body.code], [401, "user_deactivated"])
      assert.strictEqual(yield* refusalOf(asOperator(passwords.createLink(email))), "user_deactivated")
      assert.strictEqual(yield* refusalOf(asOperator(tokens.create({ email, name: "other" }))), "user_deactivated")
      assert.strictEqual(yield* refusalOf(asOperator(users.actorOf(email, undefined))), "user_deactivated")
      const another = yield* Browser.open
      const page = yield* another.get("/signin")
      const reply = yield* another.submit(page.text, "/signin", { email, password })
      assert.strictEqual(reply.status, 403)
      assert.include(reply.text, "This account is deactivated.")
      const again = yield* asOperator(users.deactivate(user.id))
      assert.deepInclude(again, { endedSessions: 0, deactivatedUtc: deactivated.deactivatedUtc })
      assert.deepStrictEqual(
        again.teams.map(({ id }) => id),
        [team.id]
      )
      assert.strictEqual((yield* asOperator(users.activate(email))).state, "active")
      assert.strictEqual(yield* codeOf(token), 200)
      assert.strictEqual((yield* another.submit(page.text, "/signin", { email, password })).status, 303)
      const shown = yield* asOperator(users.show(email))
      assert.deepInclude(shown, { state: "active", password: true, mfa: "none", openIdProviders: [] })
      assert.deepStrictEqual([shown.sessions.length, shown.tokens.map(({ name }) => name)], [1, ["script"]])
      assert.isNotNull(shown.lastSignInUtc)
    })
  )

  it.effect("refuses the tokens of apps and of clients, which work again afterwards", () =>
    Effect.gen(function* () {
      const users = yield* Users
      const app = yield* anApp
      const issued = yield* Effect.flatMap(app.allow, app.exchange)
      yield* asOperator(users.deactivate(app.email))
      assert.strictEqual(yield* codeOf(issued.access_token), "401 user_deactivated")
      const refused = yield* Effect.flip(app.refresh(issued.refresh_token ?? ""))
      assert.strictEqual(refused.error, "invalid_grant")
      yield* asOperator(users.activate(app.email))
      assert.strictEqual(yield* codeOf(issued.access_token), 200)
      assert.property(yield* app.refresh(issued.refresh_token ?? ""), "access_token")

      const client = yield* aClient
      const token = yield* client.issue
      const { actor } = yield* Effect.flatMap(Authentication, ({ authenticate }) => authenticate(token.access_token))
      const bot = Id.fromUuid("user", actor.userId ?? "")
      yield* asOperator(users.deactivate(bot))
      assert.strictEqual(yield* codeOf(token.access_token), "401 user_deactivated")
      assert.strictEqual((yield* Effect.flip(client.issue)).error, "invalid_client")
    })
  )
})

layer(TestService.layer, { excludeTestServices: true })("A deleted account", (it) => {
  it.effect("is an id without a name: what it wrote and owns stays, all else is gone", () =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      const sql = yield* Database
      const users = yield* Users
      const { browser, email, team, user } = yield* signedIn
      const { token } = yield* Effect.flatMap(Tokens, (tokens) => asOperator(tokens.create({ email, name: "script" })))
      const teamId = Id.toUuid("team", team.id) ?? ""
      yield* sql`update teams set contact_person_id = ${Id.toUuid("user", user.id) ?? ""} where id = ${teamId}`
      const post = (path: string, json: unknown) => request<{ id: string }>("POST", path, { token, json })
      const contact = (yield* post("/api/v1/network/contacts", { email: `c.${email}` })).body.id
      yield* post(`/api/v1/network/contacts/${contact}/notes`, { message: "Prefers mornings." })
      const project = (yield* post("/api/v1/projects", { name: "Alpha", ownerId: user.id })).body.id
      const other = yield* aMember(teamId, { name: "Bo", broker: "active", role: "member" })
      const refused = yield* Effect.flip(asOperator(users.removeNamed(email)))
      assert.strictEqual(refused.code, "only_administrator")
      assert.include(refused.detail, `admin member set-role EMAIL --team ${team.id} --role admin`)
      const [{ email: otherEmail = "" } = {}] = yield* sql<{
        email: string
      }>`select email from users where id = ${other}`
      yield* Effect.flatMap(Teams, (teams) =>
        asOperator(teams.setRole({ email: otherEmail, teamId: team.id, role: "admin" }))
      )
      const receipt = yield* asOperator(users.removeNamed(email))
      assert.deepStrictEqual(receipt, {
        id: user.id,
        deleted: true,
        removed: { sessions: 1, tokens: 1, grants: 0, memberships: 1 },
        stays: { projects: 1, properties: 0, prospects: 0, openTasks: 0, openQuestions: 0 }
      })
      assert.strictEqual(yield* codeOf(token), "401 unauthorized")
      assert.strictEqual((yield* browser.get("/console/account")).status, 303)
      assert.deepInclude(yield* asOperator(users.show(user.id)), {
        name: null,
        email: null,
        state: "deleted",
        teams: [],
        lastSignInUtc: null,
        password: false
      })
      const [row] = yield* sql<{ readonly text: string }>`
        select row_to_json(u)::text as text from users u where id = ${Id.toUuid("user", user.id) ?? ""}`
      for (const marker of ["Eva", "Brandt", email]) assert.notInclude(row?.text, marker)
      const successor = yield* Effect.flatMap(Tokens, (tokens) =>
        asOperator(tokens.create({ email: otherEmail, name: "successor" }))
      )
      const timeline = yield* request<{ data: ReadonlyArray<{ actor: unknown }> }>(
        "GET",
        `/api/v1/network/contacts/${contact}/actions`,
        { token: successor.token }
      )
      assert.isAbove(timeline.body.data.length, 1)
      for (const { actor } of timeline.body.data) assert.deepStrictEqual(actor, { id: user.id, name: null })
      const kept = yield* request("GET", `/api/v1/projects/${project}`, { token: successor.token })
      assert.deepInclude(kept.body, { ownerId: user.id })
      assert.strictEqual(yield* refusalOf(asOperator(users.activate(user.id))), "user_deleted")
      const repeated = yield* asOperator(users.remove(Id.toUuid("user", user.id) ?? ""))
      assert.deepStrictEqual(repeated.removed, { sessions: 0, tokens: 0, grants: 0, memberships: 0 })
      const again = yield* asOperator(
        users.create({ email, name: "Eva Brandt", teamId: team.id, role: "member", broker: "active" })
      )
      assert.notStrictEqual(again.id, user.id, "the address is free for another account")
    })
  )

  it.effect("is not that of a bot, which has none", () =>
    Effect.gen(function* () {
      const users = yield* Users
      const { teamId } = yield* Tenant.make()
      const bot = yield* aMember(teamId, { name: "Sync Bot", isBot: true })
      assert.strictEqual(yield* refusalOf(asOperator(users.remove(bot))), "conflict")
      assert.strictEqual(yield* refusalOf(asOperator(users.show("nobody@example.com"))), "not_found")
    })
  )
})

layer(TestService.layer, { excludeTestServices: true })("The commands on accounts", (it) => {
  it.effect("list people and bots, and change nothing in a dry run", () =>
    Effect.gen(function* () {
      const { email, team, teamId, user } = yield* Tenant.make()
      yield* aMember(teamId, { name: "Sync Bot", isBot: true })
      const table = yield* runToEnd(["user", "list", "--team", team])
      assert.isTrue(table.ok, table.err)
      const [head = "", ...rows] = table.out.split("\n")
      assert.deepStrictEqual(head.split(/ {2,}/), [
        "ID",
        "NAME",
        "E-MAIL",
        "STATE",
        "CAPABILITIES",
        "TEAMS",
        "LAST SIGN-IN"
      ])
      assert.deepStrictEqual(rows.length, 2)
      assert.include(table.out, "(bot)")
      const dry = yield* runToEnd(["user", "deactivate", email, "--dry-run", "--json"])
      assert.deepInclude(JSON.parse(dry.out).result, { id: user, state: "deactivated" })
      const list = (...args: ReadonlyArray<string>) =>
        Effect.map(runToEnd(["user", "list", "--team", team, "--json", ...args]), ({ out }) => JSON.parse(out))
      assert.lengthOf(yield* list("--inactive"), 0)
      assert.isTrue((yield* runToEnd(["user", "deactivate", email])).ok)
      assert.deepInclude((yield* list("--inactive"))[0], { id: user, email, state: "deactivated" })
      assert.lengthOf(yield* list(), 2)
      assert.isTrue((yield* runToEnd(["user", "activate", user])).ok)
      const deleted = yield* runToEnd(["user", "delete", email, "--dry-run", "--json"])
      assert.deepInclude(JSON.parse(deleted.out).result, { id: user, deleted: true })
      const shown = yield* runToEnd(["user", "show", email, "--json"])
      assert.deepInclude(JSON.parse(shown.out), { id: user, state: "active", capabilities: { broker: "active" } })
      const unknown = yield* runToEnd(["user", "show", "nobody@example.com", "--json"])
      assert.strictEqual(JSON.parse(unknown.out).error.code, "not_found")
    })
  )
})
