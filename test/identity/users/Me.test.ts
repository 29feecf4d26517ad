import * as Id from "../../../src/core/Id.ts"
import * as Tenant from "../../support/Tenant.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Tracer } from "effect"
import { actAs, asOperator, operatorOf } from "../../../src/core/auth/CurrentActor.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import type { Me } from "../../../src/identity/users/User.ts"
import { Teams } from "../../../src/identity/teams/Teams.ts"
import { Users } from "../../../src/identity/users/Users.ts"
import { TestService } from "../../support/TestService.ts"
import { aMember, aTeam, join } from "../../core/auth/fixtures.ts"

const aTenant = Effect.fnUntraced(function* (options: Tenant.TenantOptions = {}) {
  const { request } = yield* TestService
  const tenant = yield* Tenant.make(options)
  return {
    ...tenant,
    me: (headers: { readonly [name: string]: string } = {}) =>
      request<Me>("GET", "/api/v1/auth/me", { token: tenant.token, headers })
  }
})

/** The number of statements that an effect sends to the database. */
const statements = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    let count = 0
    const tracer = Tracer.make({
      span: (options) => {
        if (options.kind === "client") count++
        return new Tracer.NativeSpan(options)
      }
    })
    yield* Effect.withTracer(self, tracer)
    return count
  })

layer(TestService.layer, { excludeTestServices: true })("Me", (it) => {
  it.effect("has all documented members", () =>
    Effect.gen(function* () {
      const { email, me, team, user } = yield* aTenant()
      const { body, status } = yield* me()
      assert.strictEqual(status, 200)
      const { primaryTeam, ...rest } = body
      assert.deepStrictEqual(rest, {
        id: user,
        name: "Anna Berg",
        firstName: "Anna",
        lastName: "Berg",
        email,
        emailConfirmed: false,
        phone: null,
        phoneConfirmed: false,
        profilePictureUrl: null,
        culture: "en-US",
        uiCulture: "en-US",
        region: "DE",
        timeZone: "Europe/Berlin",
        capabilities: { broker: "active" }
      })
      assert.deepInclude(primaryTeam, { id: team, memberCount: 1, membership: { status: "active", role: "admin" } })
      assert.lengthOf(primaryTeam?.members ?? [], 1)
    })
  )

  it.effect("has a capability only after it was requested", () =>
    Effect.gen(function* () {
      const capabilities = (options: Tenant.TenantOptions) =>
        Effect.flatMap(aTenant(options), ({ me }) => Effect.map(me(), ({ body }) => body.capabilities))
      assert.deepStrictEqual(yield* capabilities({ broker: null }), {})
      assert.deepStrictEqual(yield* capabilities({ broker: "pending", investor: "active" }), {
        broker: "pending",
        investor: "active"
      })
    })
  )

  it.effect("lists other teams and invitations in the order of joining", () =>
    Effect.gen(function* () {
      const { me, team, userId } = yield* aTenant()
      const [joined, invited] = [yield* aTeam("Joined"), yield* aTeam("Invited")]
      yield* aMember(joined, { name: "Berta" })
      yield* aMember(invited, { name: "Carl" })
      yield* join(invited, userId, { status: "pending" })
      yield* join(joined, userId)
      const { primaryTeam, secondaryTeams } = (yield* me()).body
      assert.strictEqual(primaryTeam?.id, team)
      assert.deepStrictEqual(
        secondaryTeams?.map(({ memberCount, membership, name }) => [name, membership.status, memberCount]),
        [
          ["Joined", "active", 2],
          ["Invited", "pending", undefined]
        ]
      )
      assert.deepStrictEqual(
        secondaryTeams?.[0]?.members?.map(({ name }) => name),
        ["Anna Berg", "Berta"]
      )
      assert.notProperty(secondaryTeams?.[1], "members")
    })
  )

  it.effect("has no primary team while it is only invited", () =>
    Effect.gen(function* () {
      const { me, team } = yield* aTenant({ membership: "pending" })
      const { body } = yield* me()
      assert.isNull(body.primaryTeam)
      assert.deepStrictEqual(
        body.secondaryTeams?.map(({ id }) => id),
        [team]
      )
    })
  )

  it.effect("has an ETag that changes with its content", () =>
    Effect.gen(function* () {
      const { email, me } = yield* aTenant()
      const etag = (yield* me()).headers.get("etag") ?? ""
      assert.match(etag, /^"[\w-]+"$/)
      assert.strictEqual((yield* me()).headers.get("etag"), etag)
      assert.strictEqual((yield* me({ "if-none-match": `"x", ${etag}` })).status, 304)
      const users = yield* Users
      const changed = yield* asOperator(users.setCapabilities({ email, broker: null, investor: "pending" }))
      assert.deepStrictEqual(changed.capabilities, { investor: "pending" })
      const after = yield* me({ "if-none-match": etag })
      assert.deepStrictEqual([after.status, after.body.capabilities], [200, { investor: "pending" }])
    })
  )

  it.effect("needs the same number of queries for many teams as for one", () =>
    Effect.gen(function* () {
      const { teamId, userId } = yield* aTenant()
      const users = yield* Users
      const actor = { ...operatorOf(teamId), userId, origin: "api" as const }
      const me = statements(actAs(actor)(users.me()))
      const before = yield* me
      assert.isAbove(before, 0)
      for (let index = 0; index < 12; index++) {
        const team = yield* aTeam(`Team ${index}`)
        yield* join(team, userId)
        yield* aMember(team)
      }
      assert.strictEqual(yield* me, before)
    })
  )
})

layer(TestService.layer, { excludeTestServices: true })("A user", (it) => {
  it.effect("is created as a member of the primary team, with given and family name", () =>
    Effect.gen(function* () {
      const { team } = yield* aTenant()
      const users = yield* Users
      const made = yield* asOperator(
        users.create({
          email: " Berta@Example.com ",
          name: "Berta von Berg",
          teamId: team,
          role: "member",
          phone: "+49 30 1234567",
          investor: "pending"
        })
      )
      assert.deepInclude(made, { email: "Berta@Example.com", name: "Berta von Berg", teamId: team, role: "member" })
      const actor = { ...operatorOf(), userId: Id.toUuid("user", made.id)!, origin: "api" as const }
      const me = yield* actAs(actor)(users.me())
      assert.deepInclude(me, {
        firstName: "Berta",
        lastName: "von Berg",
        emailConfirmed: true,
        phone: "+49 30 1234567",
        capabilities: { investor: "pending" }
      })
      assert.strictEqual(me.primaryTeam?.id, team)
      assert.deepStrictEqual(me.primaryTeam?.membership, { status: "active", role: "member" })
    })
  )

  it.effect("is refused with all faults at once and leaves nothing behind", () =>
    Effect.gen(function* () {
      const { email, team } = yield* aTenant()
      const [users, sql] = [yield* Users, yield* Database]
      const count = sql`select (select count(*) from users)::int as users, (select count(*) from memberships)::int as m`
      const before = yield* count
      const input = { email: "new@example.com", name: "New", teamId: team, role: "member" }
      const refusal = (change: Record<string, string>) =>
        Effect.map(Effect.flip(asOperator(users.create({ ...input, ...change }))), (problem) =>
          problem._tag === "InvalidRequest"
            ? problem.errors.map(({ code, pointer }) => `${pointer} ${code}`).sort()
            : [problem.code]
        )
      assert.deepStrictEqual(yield* refusal({ email: email.toUpperCase() }), ["conflict"])
      assert.deepStrictEqual(yield* refusal({ teamId: "team_x" }), ["/teamId invalid_reference"])
      assert.deepStrictEqual(yield* refusal({ email: "x", name: " ", role: "boss", broker: "yes", nme: "x" }), [
        "/broker not_allowed",
        "/email invalid_email",
        "/name blank",
        "/nme unknown_member",
        "/role not_allowed"
      ])
      assert.deepStrictEqual(yield* count, before)
    })
  )

  it.effect("is created once by concurrent requests", () =>
    Effect.gen(function* () {
      const { team } = yield* aTenant()
      const users = yield* Users
      const exits = yield* Effect.forEach(
        ["twin@example.com", "TWIN@example.com", "Twin@Example.com", "twin@EXAMPLE.com"],
        (email) => Effect.exit(asOperator(users.create({ email, name: "Twin", teamId: team, role: "member" }))),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(
        exits.filter((exit) => exit._tag === "Success"),
        1
      )
    })
  )

  it.effect("gets the team of the first accepted invitation as primary team", () =>
    Effect.gen(function* () {
      const { email, me, team } = yield* aTenant({ membership: "pending" })
      yield* Effect.flatMap(Teams, (teams) => asOperator(teams.accept({ email, teamId: team })))
      assert.strictEqual((yield* me()).body.primaryTeam?.id, team)
    })
  )
})
