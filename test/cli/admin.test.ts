import * as Id from "../../src/core/Id.ts"
import * as Admin from "../support/Admin.ts"
import { assert, describe, it, layer } from "@effect/vitest"
import { Clock, ConfigProvider, Console, Effect, Exit, Layer, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { bundled } from "../../bundle.mjs"
import { run } from "../../src/admin.ts"
import { Authentication } from "../../src/core/auth/Authentication.ts"
import { asOperator } from "../../src/core/auth/CurrentActor.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { Teams } from "../../src/identity/teams/Teams.ts"
import { Users } from "../../src/identity/users/Users.ts"
import { fixture } from "../core/auth/fixture.ts"
import { start } from "../support/Process.ts"
import { testUrl } from "../support/TestDatabase.ts"

type Members = Readonly<Record<string, string>>

/** Runs a command line against the test's database; `answer` is the JSON document on the last line. */
const admin = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
  const url = Redacted.value(yield* testUrl)
  const lines = { out: [] as Array<string>, err: [] as Array<string> }
  const exit = yield* Effect.exit(run(args)).pipe(
    // As in a process of its own, with services of its own.
    Effect.provideService(Layer.CurrentMemoMap, yield* Layer.makeMemoMap),
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown({ DATABASE_URL: url })),
    Effect.provideService(Console.Console, {
      ...globalThis.console,
      log: (line: string) => void lines.out.push(line),
      error: (line: string) => void lines.err.push(line)
    })
  )
  const last = lines.out.join("\n").split("\n").at(-1) ?? ""
  return {
    ok: Exit.isSuccess(exit),
    out: lines.out.join("\n"),
    err: lines.err.join("\n"),
    answer: (last.startsWith("{") || last.startsWith("[") ? JSON.parse(last) : {}) as Members
  }
})

/** A team and its admin, with a new e-mail address. */
const aTeam = Effect.fnUntraced(function* (email: string) {
  const { id } = yield* Effect.flatMap(Teams, (teams) =>
    asOperator(teams.create({ name: "Berg Partners", plan: "plus" }))
  )
  yield* Effect.flatMap(Users, (users) =>
    asOperator(users.create({ email, name: "Anna Berg", teamId: id, role: "admin", broker: "active" }))
  )
  return id
})

layer(fixture)("The operator's command line", (it) => {
  it.effect("creates a team, a user and a valid token", () =>
    Effect.gen(function* () {
      const created = yield* admin("team", "create", "Berg Partners", "--plan", "plus", "--json")
      const team = created.answer["id"] ?? ""
      const person = ["--role", "admin", "--name", "Anna Berg", "--broker", "active"]
      yield* admin("user", "create", "anna@example.com", "--team", team, ...person)
      const token = yield* admin("token", "create", "--user", "anna@example.com", "--name", "import", "--json")
      assert.deepStrictEqual(Object.keys(token.answer), ["id", "token", "expiresUtc"])
      assert.strictEqual(token.err, "")
      const { actor } = yield* Effect.flatMap(Authentication, (authentication) =>
        authentication.authenticate(token.answer["token"] ?? "")
      )
      assert.strictEqual(Id.fromUuid("team", actor.teamId), team)
      assert.deepInclude(actor, { role: "admin", broker: "active", investor: null })
    })
  )

  it.effect("creates a client and shows its secret once", () =>
    Effect.gen(function* () {
      const team = yield* aTeam("client@example.com")
      const client = yield* admin("client", "create", "--team", team, "--name", "CRM", "--bot", "Sync Bot", "--json")
      assert.deepStrictEqual(Object.keys(client.answer), ["client_id", "client_secret"])
      const listed = yield* admin("client", "list", "--team", team)
      assert.include(listed.out, `id: ${client.answer["client_id"]}`)
      assert.include(listed.out, "Sync Bot")
      assert.notInclude(listed.out, "pns_")
      const revoked = yield* admin("client", "revoke", client.answer["client_id"] ?? "", "--json")
      assert.strictEqual(revoked.out, JSON.stringify({ id: client.answer["client_id"], revoked: true }))
    })
  )

  it.effect("invites, accepts and removes members, and sets their capabilities", () =>
    Effect.gen(function* () {
      const home = yield* aTeam("guest@example.com")
      const host = yield* aTeam("host@example.com")
      const at = ["guest@example.com", "--team", host] as const
      assert.strictEqual(
        (yield* admin("member", "invite", ...at, "--role", "member", "--json")).answer["status"],
        "pending"
      )
      assert.strictEqual((yield* admin("member", "accept", ...at, "--json")).answer["status"], "active")
      assert.strictEqual((yield* admin("member", "remove", ...at, "--json")).answer["status"], "removed")
      assert.isFalse((yield* admin("member", "remove", ...at)).ok)
      const approved = yield* admin("user", "approve", "guest@example.com", "--broker", "none", "--investor", "active")
      assert.include(approved.out, "capabilities: investor active")
      assert.notStrictEqual(home, host)
    })
  )

  it.effect("lists a user's tokens and revokes one", () =>
    Effect.gen(function* () {
      yield* aTeam("lists@example.com")
      assert.strictEqual((yield* admin("token", "list", "--user", "lists@example.com")).out, "None.")
      const { answer } = yield* admin("token", "create", "--user", "lists@example.com", "--name", "import", "--json")
      const listed = yield* admin("token", "list", "--user", "lists@example.com", "--json")
      assert.include(listed.out, answer["id"] ?? "")
      assert.isTrue((yield* admin("token", "revoke", answer["id"] ?? "")).ok)
      assert.strictEqual((yield* admin("token", "list", "--user", "lists@example.com", "--json")).out, "[]")
    })
  )

  it.effect("forgets who a user is at an OpenID provider", () =>
    Effect.gen(function* () {
      yield* aTeam("bound@example.com")
      const sql = yield* Database
      yield* sql`insert into upstream_subjects (issuer, subject, user_id, created_at)
        select 'https://id.example.com', 'bound', id, now() from users where email = 'bound@example.com'`
      const unbind = admin("user", "unbind", "bound@example.com", "--json")
      assert.strictEqual((yield* unbind).out, '{"unbound":1}')
      assert.strictEqual((yield* unbind).out, '{"unbound":0}')
    })
  )

  it.effect("makes links to sign in, and lists and ends sessions, apps and what people granted them", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const email = "signs-in@example.com"
      const team = yield* aTeam(email)
      const { answer: link } = yield* admin("user", "sign-in-link", email, "--json")
      assert.match(link["url"] ?? "", /^http:\/\/127\.0\.0\.1:3000\/signin\/password\?link=pnl_/)
      const at = yield* Clock.currentTimeMillis
      assert.strictEqual(new Date(link["expiresUtc"] ?? "").getTime() - at, 15 * 60_000)

      const redirect = "https://radar.example.com/callback"
      const { answer: app } = yield* admin("app", "create", "--name", "Radar", "--redirect", redirect, "--json")
      assert.match(app["client_secret"] ?? "", /^pns_/)
      const apps = yield* admin("app", "list", "--json")
      assert.include(apps.out, app["client_id"] ?? "none")
      assert.notInclude(apps.out, "pns_")
      assert.match(
        (yield* admin("app", "create", "--name", "x", "--redirect", "http://a.example/")).err,
        /^--redirect\/0: /
      )
      assert.match(
        (yield* admin("app", "create", "--name", "x", "--redirect", "https://*.example/cb")).err,
        /^--redirect\/0: .*wildcard/
      )

      for (const [table, columns, values] of [
        ["sessions", "hash, last_used_at, expires_at", sql`'\\x00', now(), now() + interval '1 day'`],
        [
          "grants",
          "app_id, team_id, scopes, updated_at",
          sql`${Id.toUuid("client", app["client_id"] ?? "")}::uuid, ${Id.toUuid("team", team)}::uuid, '{api:read}', now()`
        ]
      ] as const) {
        yield* sql`
          insert into ${sql.literal(table)} (id, user_id, created_at, ${sql.literal(columns)})
          select gen_random_uuid(), id, now(), ${values} from users where email = ${email}`
      }
      const idIn = (out: string) => (JSON.parse(out) as ReadonlyArray<Members>)[0]?.["id"] ?? ""
      const sessions = yield* admin("session", "list", email, "--json")
      const { answer: ended } = yield* admin("session", "revoke", idIn(sessions.out), "--json")
      assert.deepStrictEqual<unknown>(ended, { id: idIn(sessions.out), revoked: true })
      assert.deepStrictEqual<unknown>((yield* admin("session", "revoke", "--all-of", email, "--json")).answer, {
        ended: 0
      })

      const granted = yield* admin("grant", "list", "--user", email, "--json")
      assert.strictEqual((yield* admin("grant", "list", "--team", team, "--json")).out, granted.out)
      assert.isTrue((yield* admin("grant", "revoke", idIn(granted.out))).ok)
      assert.strictEqual((yield* admin("grant", "list", "--team", team)).out, "None.")
      assert.isFalse((yield* admin("grant", "revoke", "x")).ok)
      assert.isTrue((yield* admin("app", "revoke", app["client_id"] ?? "")).ok)
      const [revoked] = yield* sql<{ readonly at: Date | null }>`
        select revoked_at as at from apps where id = ${Id.toUuid("client", app["client_id"] ?? "") ?? null}`
      assert.isNotNull(revoked?.at)
    })
  )

  it.effect("makes an operator, until their account ends or it says so", () =>
    Effect.gen(function* () {
      const email = "operator@example.com"
      yield* aTeam(email)
      const isOperator = Effect.map(admin("user", "show", email, "--json"), ({ answer }) => "isOperator" in answer)
      yield* admin("user", "operator", email, "on", "--dry-run")
      assert.isFalse(yield* isOperator)
      assert.isTrue((yield* admin("user", "operator", email, "on")).ok)
      assert.isTrue(yield* isOperator)
      yield* admin("user", "operator", email, "off")
      yield* admin("user", "operator", email, "off")
      assert.isFalse(yield* isOperator)
      yield* admin("user", "operator", email, "on")
      yield* admin("user", "deactivate", email)
      assert.match((yield* admin("user", "operator", email, "on")).err, /deactivated/)
      yield* admin("user", "activate", email)
      assert.isFalse(yield* isOperator)
      const { out } = yield* admin("audit", "list", "--user", email, "--action", "operator.*", "--json")
      const entries = JSON.parse(out) as ReadonlyArray<Members>
      assert.deepStrictEqual(
        // The clock of the test stands still, so that they have no order.
        entries.map(({ action }) => action).sort(),
        ["operator.appointed", "operator.appointed", "operator.dismissed", "operator.dismissed"]
      )
    })
  )

  it.effect("creates an app without a secret", () =>
    Effect.gen(function* () {
      const redirect = ["--redirect", "http://127.0.0.1/callback", "--redirect", "com.example.radar:/callback"]
      const { answer } = yield* admin("app", "create", "--name", "Radar CLI", ...redirect, "--public", "--json")
      assert.deepStrictEqual(Object.keys(answer), ["client_id"])
      const apps = JSON.parse((yield* admin("app", "list", "--json")).out) as ReadonlyArray<Members>
      const created = apps.find(({ id }) => id === answer["client_id"])
      assert.deepInclude<unknown>(created, {
        kind: "public",
        redirectUris: ["http://127.0.0.1/callback", "com.example.radar:/callback"]
      })
    })
  )

  it.effect("shows with --dry-run what links, apps, grants, sessions and plans would be, and changes nothing", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const email = "tries@example.com"
      const team = yield* aTeam(email)
      const redirect = ["--redirect", "https://radar.example.com/callback"]
      const { answer: app } = yield* admin("app", "create", "--name", "Radar", ...redirect, "--json")
      const id = app["client_id"] ?? ""
      const [session, grant] = [randomUUID(), randomUUID()]
      yield* sql`
        insert into sessions (id, hash, user_id, created_at, last_used_at, expires_at)
        select ${session}::uuid, '\\x01', id, now(), now(), now() + interval '1 day' from users where email = ${email}`
      yield* sql`
        insert into grants (id, user_id, app_id, team_id, scopes, created_at, updated_at)
        select ${grant}::uuid, id, ${Id.toUuid("client", id) ?? null}::uuid, ${Id.toUuid("team", team) ?? null}::uuid,
          '{api:read}', now(), now()
        from users where email = ${email}`
      const tables = ["apps", "grants", "sessions", "sign_in_links", "teams"]
      const contents = Effect.forEach(
        tables,
        (table) => sql`select t::text from ${sql.literal(table)} t order by t::text`
      )
      const before = yield* contents
      const commands: ReadonlyArray<readonly [args: ReadonlyArray<string>, shown: RegExp]> = [
        [["user", "sign-in-link", email], /^{"url":"http.*link=pnl_/],
        [["team", "set-plan", team, "free"], /"plan":"free"/],
        [["app", "create", "--name", "Tried", ...redirect], /^{"client_id":"client_.*"client_secret":"pns_/],
        [["app", "list"], /"name":"Radar"/],
        [["app", "revoke", id], /"revoked":true/],
        [["grant", "list", "--user", email], new RegExp(grant)],
        [["grant", "revoke", grant], /"revoked":true/],
        [["session", "list", email], new RegExp(session)],
        [["session", "revoke", session], /"revoked":true/],
        [["session", "revoke", "--all-of", email], /^{"ended":1}$/]
      ]
      for (const [args, shown] of commands) {
        const { err, ok, out } = yield* admin(...args, "--dry-run", "--json")
        assert.isTrue(ok, err)
        const { result, ...report } = JSON.parse(out) as { readonly result: unknown }
        assert.match(JSON.stringify(result), shown)
        assert.deepStrictEqual<unknown>(report, { events: [], affected: [] })
      }
      assert.deepStrictEqual(yield* contents, before)
      const refused = yield* admin("grant", "revoke", randomUUID(), "--dry-run")
      assert.deepStrictEqual([refused.ok, refused.err], [false, "There is no grant with this id."])
      assert.match(
        (yield* admin("app", "create", "--name", "x", "--redirect", "x", "--dry-run")).err,
        /^--redirect\/0: /
      )
    })
  )

  it.effect("rejects a wrong value in one line and leaves nothing behind", () =>
    Effect.gen(function* () {
      const team = yield* aTeam("taken@example.com")
      const sql = yield* Database
      const count = sql`select (select count(*) from teams)::int as teams, (select count(*) from users)::int as users,
        (select count(*) from tokens)::int as tokens, (select count(*) from clients)::int as clients`
      const before = yield* count
      const wrong: ReadonlyArray<readonly [says: string, ...args: ReadonlyArray<string>]> = [
        ["plan", "team", "create", "X", "--plan", "gold"],
        ["plan", "team", "create", "X"],
        ["NAME: ", "team", "create", " ", "--plan", "free"],
        ["nonsense", "team", "create", "X", "--plan", "free", "--nonsense"],
        ["teem", "teem", "create"],
        ["e-mail", "user", "create", "taken@example.com", "--team", team, "--role", "member", "--name", "X"],
        ["--team: ", "user", "create", "new@example.com", "--team", "team_x", "--role", "member", "--name", "X"],
        ["role", "user", "create", "new@example.com", "--team", team, "--role", "boss", "--name", "X"],
        ["EMAIL: ", "user", "create", "new", "--team", team, "--role", "member", "--name", "X"],
        [
          "--user: There is no user with the e-mail address nobody@example.com",
          "token",
          "create",
          "--user",
          "nobody@example.com",
          "--name",
          "x"
        ],
        ["--name: ", "token", "create", "--user", "taken@example.com", "--name", ""],
        ["personal token", "token", "revoke", "token_x"],
        ["--bot: Name one bot: either --bot or --bot-id", "client", "create", "--team", team, "--name", "X"],
        ["--team: ", "client", "create", "--team", "team_x", "--name", "X", "--bot", "B"],
        ["client", "client", "revoke", "client_x"]
      ]
      for (const [says, ...args] of wrong) {
        const { err, ok, out } = yield* admin(...args, "--json")
        assert.isFalse(ok, args.join(" "))
        assert.include(err, says)
        assert.lengthOf(err.split("\n"), 1, err)
        const { error } = JSON.parse(out) as { readonly error: Members }
        assert.deepStrictEqual(Object.keys(error), ["code", "detail"])
        assert.strictEqual(error["detail"], err)
        assert.match(error["code"] ?? "", /^(?:invalid_request|not_found|conflict)$/)
      }
      for (const args of [
        ["team", "create", "X"],
        ["token", "revoke", "token_x"]
      ]) {
        const { ok, out } = yield* admin(...args)
        assert.deepStrictEqual([ok, out], [false, ""])
      }
      assert.deepStrictEqual(yield* count, before)
    })
  )

  it.effect("lists all teams with their ids", () =>
    Effect.gen(function* () {
      const team = yield* aTeam("listed@example.com")
      const { out } = yield* admin("team", "list", "--json")
      assert.deepInclude(JSON.parse(out), { id: team, name: "Berg Partners" })
    })
  )

  it.effect("gives a team another plan", () =>
    Effect.gen(function* () {
      const team = yield* aTeam("plan@example.com")
      const { out } = yield* admin("team", "set-plan", team, "free", "--json")
      assert.deepStrictEqual(JSON.parse(out), { id: team, name: "Berg Partners", plan: "free" })
      const teams = yield* Teams
      assert.strictEqual(yield* teams.planOf(Id.toUuid("team", team) ?? ""), "free")
      assert.isFalse((yield* admin("team", "set-plan", team, "gold")).ok)
      assert.match((yield* admin("team", "set-plan", "team_x", "plus")).err, /There is no team with this id/)
    })
  )

  it.effect("shows and sets the quotas of a team", () =>
    Effect.gen(function* () {
      const team = yield* aTeam("quotas@example.com")
      const { out: set } = yield* admin("team", "set-quota", team, "contacts", "20000", "--json")
      const contacts = { kind: "contacts", quota: 20_000, isDefault: false, used: 0, percent: 0 }
      assert.deepStrictEqual(JSON.parse(set), [contacts])
      const { out: shown } = yield* admin("team", "usage", team, "--json")
      assert.deepInclude(JSON.parse(shown), contacts)
      const { out: table } = yield* admin("team", "usage", team)
      assert.match(table, /^contacts +0 +20,000 +0 % +\(default 5,000,000\)$/m)
      assert.match(table, /^notes_of_resource +- +10,000 +-$/m)
      yield* admin("team", "set-quota", team, "contacts", "default")
      assert.match((yield* admin("team", "usage", team)).out, /^contacts +0 +5,000,000 +0 %$/m)
      for (const wrong of ["-1", "1.5", "many", "1e30"]) {
        assert.isFalse((yield* admin("team", "set-quota", team, "contacts", "--", wrong)).ok, wrong)
      }
      assert.isFalse((yield* admin("team", "set-quota", team, "elephants", "5")).ok)
      assert.match((yield* admin("team", "usage", "team_x")).err, /There is no team with this id/)
    })
  )

  it.effect("has help for every command", () =>
    Effect.gen(function* () {
      for (const path of [[], ["team"], ["user", "create"], ["token", "create"], ["client", "create"], ["migrate"]]) {
        const { ok, out } = yield* admin(...path, "--help")
        assert.isTrue(ok)
        assert.include(out, "DESCRIPTION")
        assert.include(out, "--json")
      }
    })
  )

  it.effect("says what to paste to connect an agent, and shows no token", () =>
    Effect.gen(function* () {
      const env = { BASE_URL: "https://api.example.com" }
      const url = "https://api.example.com/mcp"
      const signIn = yield* Admin.runToEnd(["mcp", "config", "--json"], env)
      const connections = JSON.parse(signIn.out) as ReadonlyArray<{ readonly client: string; readonly text: string }>
      const textOf = (name: string) => connections.find(({ client }) => client === name)?.text ?? ""
      assert.strictEqual(textOf("claude"), `claude mcp add --transport http property-network ${url}`)
      assert.deepStrictEqual(JSON.parse(textOf("cursor")), { mcpServers: { "property-network": { url } } })
      assert.deepStrictEqual(JSON.parse(textOf("vscode")), { servers: { "property-network": { type: "http", url } } })
      assert.include(textOf("inspector"), `--transport http --server-url ${url}`)
      const cursor = yield* Admin.runToEnd(["mcp", "config", "--client", "cursor", "--token"], env)
      assert.include(cursor.out, "cursor: paste into ~/.cursor/mcp.json")
      assert.include(cursor.out, '"Authorization": "Bearer ${env:PROPERTY_NETWORK_TOKEN}"')
      const vscode = yield* Admin.runToEnd(["mcp", "config", "--client", "vscode", "--token", "--json"], env)
      const [pasted] = JSON.parse(vscode.out) as typeof connections
      assert.deepStrictEqual(JSON.parse(pasted?.text ?? ""), {
        inputs: [
          { type: "promptString", id: "property-network", description: "Personal access token", password: true }
        ],
        servers: {
          "property-network": { type: "http", url, headers: { Authorization: "Bearer ${input:property-network}" } }
        }
      })
      const inspector = yield* Admin.runToEnd(["mcp", "config", "--client", "inspector", "--token"], env)
      assert.include(inspector.out, `--server-url ${url} --header "Authorization: Bearer $PROPERTY_NETWORK_TOKEN"`)
      const local = yield* Admin.runToEnd(["mcp", "config", "--client", "claude", "--token"], { PORT: "4000" })
      assert.include(local.out, 'http://127.0.0.1:4000/mcp --header "Authorization: Bearer $PROPERTY_NETWORK_TOKEN"')
      const unknown = yield* Admin.runToEnd(["mcp", "config"], { PORT: "0" })
      assert.deepStrictEqual([unknown.ok, unknown.err.startsWith("BASE_URL: ")], [false, true])
    })
  )

  it.effect("can migrate repeatedly, and says what was done", () =>
    Effect.gen(function* () {
      const answer = JSON.parse((yield* admin("migrate", "--json")).out)
      assert.deepInclude(answer, { migrated: true, applied: [] })
      assert.strictEqual(answer.queue.applied, 0)
      const { known, postgres } = answer
      const { out } = yield* admin("migrate")
      assert.match(out, new RegExp(`^Postgres ${postgres} at [^ ]+, database [^ ]+: ${known} of ${known} files `))
      assert.isTrue(out.trimEnd().endsWith("Nothing was to do."), out)
    })
  )
})

describe("The program", () => {
  it("exits with 1 when it fails, and prints the error in one line on stderr, and as JSON on stdout with --json", async () => {
    const { ended, output } = start([bundled("src/admin.ts"), "team", "list", "--json"], {
      DATABASE_URL: "postgres://nobody@127.0.0.1:1/none"
    })
    assert.strictEqual((await ended).code, 1)
    assert.match(output.stderr, /^The database cannot be reached: [^\n]+\n$/)
    assert.deepStrictEqual(JSON.parse(output.stdout), {
      error: { code: "unavailable", detail: output.stderr.trimEnd() }
    })
  })
})
