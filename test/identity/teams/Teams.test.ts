import * as Id from "../../../src/core/Id.ts"
import * as Tenant from "../../support/Tenant.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { asOperator } from "../../../src/core/auth/CurrentActor.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import type { Page } from "../../../src/core/usecase/Page.ts"
import type { Team, TeamMember } from "../../../src/identity/teams/Team.ts"
import { Teams } from "../../../src/identity/teams/Teams.ts"
import { Tokens } from "../../../src/identity/tokens/Tokens.ts"
import { faultsOf } from "../../support/faults.ts"
import { TestService } from "../../support/TestService.ts"
import { aMember } from "../../core/auth/fixtures.ts"

type Members = { readonly [name: string]: string }

/** A tenant with the admin Anna Berg, and the two endpoints with her token. */
const aTenant = Effect.fnUntraced(function* (options: Tenant.TenantOptions = {}) {
  const { request } = yield* TestService
  const tenant = yield* Tenant.make(options)
  const { token } = tenant
  return {
    ...tenant,
    request,
    get: (id: string = tenant.team, headers: Members = {}) =>
      request<Team>("GET", `/api/v1/teams/${id}`, { token, headers }),
    members: (query = "", id: string = tenant.team) =>
      request<Page<TeamMember>>("GET", `/api/v1/teams/${id}/members${query}`, { token })
  }
})

const names = (members: ReadonlyArray<TeamMember> | undefined) => members?.map(({ name }) => name)

layer(TestService.layer, { excludeTestServices: true })("A team", (it) => {
  it.effect("has all documented members", () =>
    Effect.gen(function* () {
      const { email, get, team, user } = yield* aTenant()
      const { body, status } = yield* get()
      assert.strictEqual(status, 200)
      const { createdUtc, members = [], ...rest } = body
      assert.match(createdUtc, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      assert.deepStrictEqual(rest, {
        id: team,
        name: "Berg & Co",
        plan: "plus",
        categories: [],
        membership: { status: "active", role: "admin" },
        contactPerson: null,
        country: null,
        description: null,
        homepageUrl: null,
        investmentCapacity: null,
        leasableArea: null,
        legalName: null,
        profilePictureUrl: null,
        propertyCount: null,
        propertyValue: null,
        restrictedInvestmentSize: null,
        strategy: null,
        vatNumber: null,
        memberCount: 1,
        hasMoreMembers: false
      })
      assert.lengthOf(members, 1)
      assert.deepStrictEqual(
        { ...members[0], joinedUtc: "" },
        {
          id: user,
          name: "Anna Berg",
          firstName: "Anna",
          lastName: "Berg",
          email,
          role: "admin",
          profilePictureUrl: null,
          joinedUtc: ""
        }
      )
    })
  )

  it.effect("has its profile and its contact person", () =>
    Effect.gen(function* () {
      const { get, teamId, user, userId } = yield* aTenant()
      const teams = yield* Teams
      const range = { min: 5, max: null, currency: "EUR", scale: "million" as const }
      const profile = {
        categories: ["family", "private_equity"],
        country: "DE",
        description: "Offices",
        homepageUrl: "https://www.example.com/",
        investmentCapacity: range,
        leasableArea: { min: 2000.5, max: 20_000, unit: "sqm" as const },
        legalName: "Berg GmbH",
        profilePictureUrl: "https://cdn.example.com/logo.png",
        propertyCount: { min: null, max: 12 },
        propertyValue: range,
        restrictedInvestmentSize: { ...range, min: 0.25, max: 0.25 },
        strategy: "Core",
        vatNumber: "DE123456789"
      }
      const made = yield* asOperator(teams.create({ name: "Berg", plan: "free", ...profile }))
      const sql = yield* Database
      const uuid = Id.toUuid("team", made.id)!
      yield* sql`
        insert into memberships (team_id, user_id, role, status, is_primary, joined_at, sort_name)
        values (${uuid}, ${userId}, 'member', 'active', false, now(), 'anna berg')`
      yield* sql`update teams set contact_person_id = ${userId} where id in (${uuid}, ${teamId})`
      const { body } = yield* get(made.id)
      assert.deepInclude(body, { name: "Berg", plan: "free", ...profile })
      assert.deepInclude(body.contactPerson, { id: user, name: "Anna Berg", phone: null, profilePictureUrl: null })
    })
  )

  it.effect("shows at most 50 members: admins first, then by display name without case and accents", () =>
    Effect.gen(function* () {
      const { get, teamId } = yield* aTenant()
      yield* aMember(teamId, { name: "zoe", role: "admin" })
      for (let index = 0; index < 47; index++) yield* aMember(teamId, { name: `M ${String(index).padStart(2, "0")}` })
      yield* aMember(teamId, { name: "invited", status: "pending" })
      yield* aMember(teamId, { name: "Aaron" })
      const full = yield* get()
      assert.deepInclude(full.body, { memberCount: 50, hasMoreMembers: false })
      yield* aMember(teamId, { name: "bert" })
      const { body } = yield* get()
      assert.deepInclude(body, { memberCount: 51, hasMoreMembers: true })
      assert.lengthOf(body.members ?? [], 50)
      assert.deepStrictEqual(names(body.members)?.slice(0, 5), ["Anna Berg", "zoe", "Aaron", "bert", "M 00"])
    })
  )

  it.effect("shows its details to an invited user, but not its members", () =>
    Effect.gen(function* () {
      const { get, members, team } = yield* aTenant({ membership: "pending" })
      const { body, status } = yield* get()
      assert.strictEqual(status, 200)
      assert.deepInclude(body, { id: team, name: "Berg & Co", membership: { status: "pending", role: "admin" } })
      assert.notProperty(body, "members")
      assert.notProperty(body, "memberCount")
      assert.notProperty(body, "hasMoreMembers")
      const refused = yield* members()
      assert.deepStrictEqual([refused.status, (refused.body as { code?: string }).code], [403, "membership_pending"])
    })
  )

  it.effect("answers 404 for other users and malformed ids", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* aTenant(), yield* aTenant()]
      const wrong = [
        other.team,
        "team_x",
        one.user,
        Id.fromUuid("team", randomUUID()),
        one.team.toUpperCase(),
        one.teamId
      ]
      for (const id of wrong) {
        assert.strictEqual((yield* one.get(id)).status, 404, id)
        assert.strictEqual((yield* one.members("", id)).status, 404, id)
      }
    })
  )

  it.effect("needs a token and no capability", () =>
    Effect.gen(function* () {
      const { get, request, team } = yield* aTenant({ broker: null })
      assert.strictEqual((yield* get()).status, 200)
      assert.strictEqual((yield* request("GET", `/api/v1/teams/${team}`)).status, 401)
      assert.strictEqual((yield* request("GET", `/api/v1/teams/${team}/members`)).status, 401)
    })
  )

  it.effect("has an ETag that changes with its members", () =>
    Effect.gen(function* () {
      const { get, teamId } = yield* aTenant()
      const etag = (yield* get()).headers.get("etag") ?? ""
      assert.match(etag, /^"[\w-]{27}"$/)
      const unchanged = yield* get(undefined, { "if-none-match": etag })
      assert.deepStrictEqual([unchanged.status, unchanged.text, unchanged.headers.get("etag")], [304, "", etag])
      yield* aMember(teamId, { name: "Berta" })
      const changed = yield* get(undefined, { "if-none-match": etag })
      assert.strictEqual(changed.status, 200)
      assert.notStrictEqual(changed.headers.get("etag"), etag)
    })
  )

  it.effect("rejects a misspelled parameter", () =>
    Effect.gen(function* () {
      const { members } = yield* aTenant()
      const refused = yield* members("?page_sze=5&role=boss")
      assert.strictEqual(refused.status, 400)
      assert.include(faultsOf(refused).join(" "), "page_sze")
      assert.include(faultsOf(refused).join(" "), "role")
    })
  )
})

layer(TestService.layer, { excludeTestServices: true })("The members of a team", (it) => {
  const aCrowd = Effect.gen(function* () {
    const tenant = yield* aTenant()
    yield* aMember(tenant.teamId, { name: "zoe", role: "admin" })
    for (const name of ["Émil", "emil", "EMIL", "Aaron", "bert"]) yield* aMember(tenant.teamId, { name })
    yield* aMember(tenant.teamId, { name: "invited", status: "pending" })
    yield* aMember(tenant.teamId, { name: "Sync Bot", isBot: true })
    return tenant
  })

  it.effect("are listed once each, in the same order for every page size", () =>
    Effect.gen(function* () {
      const { members } = yield* aCrowd
      const all = yield* members()
      assert.deepStrictEqual(
        names(all.body.data)?.map((name) => name.toLowerCase().replace("é", "e")),
        ["anna berg", "zoe", "aaron", "bert", "emil", "emil", "emil", "sync bot"]
      )
      for (const size of [1, 2, 3, 7, 8]) {
        const read: Array<TeamMember> = []
        let cursor: string | null = null
        do {
          const page: Page<TeamMember> = (yield* members(
            `?page_size=${size}${cursor === null ? "" : `&cursor=${cursor}`}`
          )).body
          read.push(...page.data)
          cursor = page.page.nextCursor
        } while (cursor !== null)
        assert.deepStrictEqual(read, all.body.data, `page size ${size}`)
      }
    })
  )

  it.effect("can be filtered by role", () =>
    Effect.gen(function* () {
      const { members } = yield* aCrowd
      assert.deepStrictEqual(names((yield* members("?role=admin")).body.data), ["Anna Berg", "zoe"])
      const first = yield* members("?role=member&page_size=2")
      assert.deepStrictEqual(names(first.body.data), ["Aaron", "bert"])
      assert.include(first.headers.get("link") ?? "", "role=member&page_size=2&cursor=")
      const cursor = first.body.page.nextCursor
      assert.strictEqual((yield* members(`?role=member&cursor=${cursor}`)).body.data.length, 4)
      assert.strictEqual((yield* members(`?role=admin&cursor=${cursor}`)).status, 400)
      assert.strictEqual((yield* members(`?cursor=${cursor}`)).status, 400)
    })
  )
})

layer(TestService.layer, { excludeTestServices: true })("A membership", (it) => {
  it.effect("begins with an invitation, is accepted, and ends", () =>
    Effect.gen(function* () {
      const [host, guest] = [yield* aTenant(), yield* aTenant()]
      const teams = yield* Teams
      const who = { email: guest.email, teamId: host.team }
      const status = Effect.map(guest.get(host.team), (reply) => reply.body.membership?.status ?? String(reply.status))
      assert.strictEqual((yield* Effect.flip(asOperator(teams.accept(who)))).status, 409)
      yield* asOperator(teams.invite({ ...who, role: "member" }))
      assert.strictEqual((yield* Effect.flip(asOperator(teams.invite({ ...who, role: "admin" })))).status, 409)
      assert.strictEqual(yield* status, "pending")
      yield* asOperator(teams.accept(who))
      assert.strictEqual(yield* status, "active")
      assert.strictEqual((yield* guest.members("", host.team)).body.data.length, 2)
      const sql = yield* Database
      yield* sql`update teams set contact_person_id = ${guest.userId} where id = ${host.teamId}`
      yield* asOperator(teams.remove(who))
      assert.strictEqual(yield* status, "404")
      assert.isNull((yield* host.get()).body.contactPerson)
      assert.strictEqual((yield* Effect.flip(asOperator(teams.remove(who)))).status, 409)
    })
  )

  it.effect("invalidates the tokens for the team when it ends, also for a later membership, and no others", () =>
    Effect.gen(function* () {
      const { email, get, team } = yield* aTenant()
      const { team: other } = yield* aTenant()
      const { request } = yield* TestService
      const teams = yield* Teams
      const tokens = yield* Tokens
      const isValid = (token: string) =>
        Effect.map(request("GET", "/api/v1/auth/me", { token }), ({ status }) => status === 200)
      const join = (teamId: string) =>
        asOperator(Effect.andThen(teams.invite({ email, teamId, role: "member" }), teams.accept({ email, teamId })))
      yield* join(other)
      const kept = yield* asOperator(tokens.create({ email, name: "other", teamId: other }))
      yield* asOperator(teams.remove({ email, teamId: team }))
      assert.strictEqual((yield* get()).status, 401)
      yield* join(team)
      assert.strictEqual((yield* get()).status, 401)
      assert.isTrue(yield* isValid(kept.token))
      const fresh = yield* asOperator(tokens.create({ email, name: "again", teamId: team }))
      assert.isTrue(yield* isValid(fresh.token))
    })
  )
})
