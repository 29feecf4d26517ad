/** What the team and the other side see of a person who was erased: docs/behaviour/erasure.md. */
import * as Id from "../../src/core/Id.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type Actor, actAs, asOperator } from "../../src/core/auth/CurrentActor.ts"
import { DryRun, emptyOutcome } from "../../src/core/mutation/ChangeRecord.ts"
import { inTeam } from "../../src/platform/db/Cells.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { Erasures, StepRows } from "../../src/privacy/Erasures.ts"
import { buffer } from "node:stream/consumers"
import { PersonExports } from "../../src/privacy/PersonExports.ts"
import { unzip } from "./archive.ts"
import type { Where } from "../../src/privacy/People.ts"
import * as prospectsFixture from "../deals/prospects/fixture.ts"
import { deal } from "../deals/offers/OffersClient.ts"
import * as ContactsClient from "../support/ContactsClient.ts"
import { digestOf } from "../support/Digest.ts"
import { untilSettled } from "../support/RecordsClient.ts"
import * as Tenant from "../support/Tenant.ts"
import { TestService } from "../support/TestService.ts"

const erase = (person: string, where: Where) =>
  Effect.flatMap(Erasures, (erasures) => asOperator(erasures.erase(person, where)))

const yesterday = new Date(Date.now() - 86_400_000).toISOString()

const maria = { firstName: "Maria", lastName: "Rossi", email: "maria@rossi.example" }

layer(TestService.layer, { excludeTestServices: true })("An erased person", (it) => {
  it.effect("is a tombstone in deltas, has an event, and cannot be read by anything else", () =>
    Effect.gen(function* () {
      const { contacts, events, request, token, teamId } = yield* prospectsFixture.make()
      const { id } = (yield* contacts.create({ ...maria, externalRefs: [{ namespace: "crm", externalId: "7" }] })).body
      const team = Id.fromUuid("team", teamId)
      const receipt = yield* erase(maria.email, { team })
      assert.deepStrictEqual(receipt.contacts, [id])
      assert.deepInclude(receipt.what, { table: "contacts", kind: "Contacts", count: 1 })
      assert.strictEqual((yield* contacts.get(id)).status, 404)
      assert.strictEqual((yield* contacts.actions(id)).status, 404)
      const { data } = (yield* contacts.delta(`?updated_since=${yesterday}&include_deleted=true`)).body
      const tombstone = data.find((one) => one.id === id)
      assert.deepInclude(tombstone, { changeType: "erased", name: null, email: null, tags: [], externalRefs: [] })
      assert.isNotNull(tombstone?.deletedUtc)
      assert.deepInclude((yield* events).at(-1), { event: "contact.erased", resource_id: id })
      // Another one may have the address, and the reference is free.
      const next = { ...maria, externalRefs: [{ namespace: "crm", externalId: "7" }] }
      assert.strictEqual((yield* contacts.create(next)).status, 201)
      assert.strictEqual((yield* request("POST", `/api/v1/network/contacts/${id}/restore`, { token })).status, 404)
    })
  )

  it.effect("stays as a prospect on its lists, without a name, to be read only", () =>
    Effect.gen(function* () {
      const { contact, projectId, prospects, request, teamId, token } = yield* prospectsFixture.make()
      const { id: contactId } = yield* contact(maria)
      const { id } = (yield* prospects.add({ contactId, projectTags: ["first-round"] })).body
      yield* prospects.note(id, { message: "Maria called." })
      yield* prospects.patch(id, { classification: "interested", stage: "im", stageReason: "Met Maria" })
      yield* erase(contactId, { team: Id.fromUuid("team", teamId) })
      const { body } = yield* prospects.get(id)
      assert.deepStrictEqual(body.contact, { id: contactId as Id.Id<"contact">, name: null, email: null, erased: true })
      assert.deepInclude(body, { classification: "interested", stage: "im", projectTags: [], tags: [], noteCount: 1 })
      assert.deepStrictEqual(
        (yield* prospects.list()).body.data.map((one) => one.id),
        [id]
      )
      yield* untilSettled("prospects")
      const delta = yield* prospects.list(`?updated_since=${yesterday}`)
      assert.deepInclude(delta.body.data[0]?.contact, { erased: true })
      const rows = (yield* prospects.actions(id)).body.data
      assert.isAbove(rows.length, 3)
      for (const row of rows) {
        const details = row["details"] as { readonly erased?: boolean; readonly message?: string | null }
        assert.strictEqual(details.erased, true)
        assert.notTypeOf(details.message, "string")
        // The operator erased the contact, whose timeline is shown, too.
        assert.deepInclude(row["actor"], { name: row["event"] === "contact.erased" ? null : "Anna Berg" })
      }
      assert.deepInclude(rows.find((row) => row["event"] === "prospect.classified")?.["details"], {
        from: "not_contacted",
        to: "interested"
      })
      const refusals = [
        yield* prospects.patch(id, { interest: "maybe" }),
        yield* prospects.note(id, { message: "More" }),
        yield* prospects.task(id, { type: "call", dueDate: "2099-01-01" }),
        yield* prospects.removeFromList(id),
        yield* prospects.delete(id)
      ]
      assert.deepStrictEqual(
        refusals.map(({ body: problem, status }) => `${status} ${(problem as { readonly code?: string }).code}`),
        refusals.map(() => "409 prospect_erased")
      )
      // Whatever becomes of the project.
      const project = `/api/v1/projects/${projectId}`
      for (const moves of [
        ["close", "reopen"],
        ["delete", "restore"]
      ]) {
        for (const move of moves) {
          yield* move === "delete"
            ? request("DELETE", project, { token })
            : request("POST", `${project}/${move}`, { token })
        }
        const [listed] = (yield* prospects.list()).body.data
        assert.deepInclude(listed, { id, removedUtc: null }, moves.join())
        assert.deepInclude(listed?.contact, { name: null, erased: true })
      }
    })
  )

  it.effect("leaves an offer to the investor's team, which can answer it, but no messages", () =>
    Effect.gen(function* () {
      const { buyer, offerId, prospect, seller } = yield* deal()
      yield* erase(prospect.contactId, { team: seller.team })
      assert.deepInclude((yield* buyer.get(offerId)).body, { id: offerId, status: "unanswered" })
      yield* buyer.accept(offerId)
      assert.strictEqual((yield* buyer.get(offerId)).body.status, "accepted")
      assert.deepInclude((yield* seller.prospect(prospect.id)).contact, { name: null, erased: true })
      for (const row of (yield* buyer.actions(offerId)).body.data) {
        assert.notInclude(JSON.stringify(row), "Nora")
      }
    })
  )

  it.effect("is erased from the tombstones of deleted and of merged contacts, too, by any of their ids", () =>
    Effect.gen(function* () {
      const { contacts, request, team, token } = yield* ContactsClient.make().pipe(
        Effect.map((client) => ({ ...client, contacts: client }))
      )
      const [survivor = "", merged = "", deleted = ""] = yield* Effect.forEach(["a", "b", "c"], (name) =>
        Effect.map(contacts.create({ lastName: name, email: `${name}@rossi.example` }), ({ body }) => body.id)
      )
      yield* request("POST", `/api/v1/network/contacts/${survivor}/merge`, { token, json: { from: [merged] } })
      yield* contacts.delete(deleted)
      const receipt = yield* erase(merged, { team })
      assert.sameMembers([...receipt.contacts], [survivor, merged])
      // By its address, too, while it can be restored.
      assert.deepStrictEqual((yield* erase("c@rossi.example", { team })).contacts, [deleted])
      const restore = yield* request("POST", `/api/v1/network/contacts/${deleted}/restore`, { token })
      assert.strictEqual(restore.status, 404)
      const { data } = (yield* contacts.delta(`?updated_since=${yesterday}&include_deleted=true`)).body
      assert.deepStrictEqual(
        data.map(({ changeType }) => changeType),
        ["erased", "erased", "erased"]
      )
      // Again: nothing is left.
      assert.deepStrictEqual((yield* erase(merged, { team })).what, [])
    })
  )

  it.effect("is listed where other records name it, for a human to decide, and those stay", () =>
    Effect.gen(function* () {
      const { company, contact, request, teamId, token } = yield* prospectsFixture.make()
      yield* contact(maria)
      const { id } = yield* company({
        name: "Rossi SpA",
        strategy: "Ask Maria Rossi, or write to maria@rossi.example."
      })
      const path = `/api/v1/network/companies/${id}/notes`
      const note = yield* request("POST", path, {
        token,
        json: { message: "Met maria rossi at the fair: Rossi, Maria." }
      })
      const { remaining } = yield* erase(maria.email, { team: Id.fromUuid("team", teamId) })
      assert.sameDeepMembers(
        remaining.map(({ id, member, position, type }) => ({ id, member, position, type })),
        [
          { type: "company", id, member: "strategy", position: 4 },
          { type: "company", id, member: "strategy", position: 29 },
          { type: "note", id: String(note.body["id"]), member: "message", position: 4 },
          { type: "note", id: String(note.body["id"]), member: "message", position: 29 }
        ]
      )
      const [kept] = (yield* request<{ readonly data: ReadonlyArray<object> }>("GET", path, { token })).body.data
      assert.deepNestedInclude(kept, { "details.message": "Met maria rossi at the fair: Rossi, Maria." })
    })
  )

  it.effect("answers the same receipt in a dry run, which changes nothing, and a second run finds nothing", () =>
    Effect.gen(function* () {
      const { company, contact, prospects, request, teamId, token } = yield* prospectsFixture.make()
      const { id: contactId } = yield* contact(maria)
      const { id: companyId } = yield* company({ name: "Rossi & Figli" })
      const headers = { "idempotency-key": "one" }
      yield* request("POST", "/api/v1/network/links", { token, json: { contactId, companyId }, headers })
      const { id } = (yield* prospects.add({ contactId })).body
      yield* prospects.note(id, { message: "Maria called." })
      const team = Id.fromUuid("team", teamId)
      const before = yield* inTeam(teamId)(digestOf(teamId))
      const shown = yield* erase(contactId, { team }).pipe(Effect.provideService(DryRun, emptyOutcome()))
      assert.deepStrictEqual(yield* inTeam(teamId)(digestOf(teamId)), before)
      const done = yield* erase(contactId, { team })
      assert.deepStrictEqual([shown.what, shown.contacts], [done.what, done.contacts])
      assert.isAbove(shown.what.length, 2)
      assert.deepStrictEqual((yield* erase(contactId, { team })).what, [])
    })
  )

  it.effect("goes in steps where many rows tell of it, and a second run finishes what was interrupted", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { contact, request, teamId, token } = yield* prospectsFixture.make()
      const { id } = yield* contact(maria)
      for (let n = 0; n < 5; n++) {
        yield* request("POST", `/api/v1/network/contacts/${id}/notes`, { token, json: { message: `Maria ${n}` } })
      }
      const team = Id.fromUuid("team", teamId)
      const texts = inTeam(teamId)(
        Effect.orDie(sql`select id from actions where team_id = ${teamId} and details ->> 'message' like 'Maria%'`)
      )
      yield* erase(id, { team }).pipe(Effect.provideService(StepRows, 2))
      assert.lengthOf(yield* texts, 0)
      yield* inTeam(teamId)(sql`
        update actions set details = '{"kind": "note", "message": "Maria 1"}' where team_id = ${teamId} and type = 'note'`)
      const again = yield* erase(id, { team })
      assert.deepStrictEqual(again.what, [{ table: "actions", kind: "Timelines and notes", count: 5 }])
      assert.lengthOf(yield* texts, 0)
    })
  )

  it.effect("leaves nothing that others write at the same moment: it is erased, or refused", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { company, contact, projectId, request, teamId, token } = yield* prospectsFixture.make()
      const { id } = yield* contact(maria)
      const companies = yield* Effect.forEach([1, 2, 3, 4], (n) => company({ name: `No ${n}` }))
      const path = "/api/v1/network"
      const post = (to: string, json: object) => request("POST", to, { token, json })
      const writes = companies.flatMap((one, n) => [
        post(`${path}/contacts/${id}/notes`, { message: `Planted ${n}` }),
        post(`${path}/links`, { contactId: id, companyId: one.id, jobTitle: `Planted ${n}` }),
        post("/api/v1/mandates", { name: `Planted ${n}`, investor: { contactId: id } })
      ])
      const adds = post(`/api/v1/projects/${projectId}/prospects`, { contactId: id, projectTags: ["Planted"] })
      yield* Effect.all(
        [...writes.slice(0, 6), erase(id, { team: Id.fromUuid("team", teamId) }), adds, ...writes.slice(6)],
        {
          concurrency: 6
        }
      )
      const left = yield* inTeam(teamId)(
        Effect.orDie(sql`
          select details ->> 'message' as text from actions where team_id = ${teamId} and details ->> 'message' like 'Planted%'
          union all select job_title from links where team_id = ${teamId} and job_title is not null
          union all select name from mandates where team_id = ${teamId} and name is not null
          union all select name from prospects where team_id = ${teamId} and (name is not null or project_tags <> '{}')`)
      )
      assert.deepStrictEqual(left, [])
    })
  )

  it.effect("is erased in one team, or with --all in every team", () =>
    Effect.gen(function* () {
      const clients = yield* Effect.all([ContactsClient.make(), ContactsClient.make(), ContactsClient.make()])
      const [one, two, three] = clients
      const email = `${crypto.randomUUID()}@rossi.example`
      const ids = yield* Effect.forEach(clients, (client) =>
        Effect.map(client.create({ ...maria, email }), ({ body }) => body.id)
      )
      const stranger = (yield* three.create({ lastName: "Lind" })).body.id
      const statuses = Effect.forEach(clients, (client, index) =>
        Effect.map(client.get(ids[index] ?? ""), ({ status }) => status)
      )
      yield* erase(email, { team: one.team })
      assert.deepStrictEqual(yield* statuses, [404, 200, 200])
      const { contacts } = yield* erase(email, { all: true })
      assert.lengthOf(contacts, 2)
      assert.deepStrictEqual(yield* statuses, [404, 404, 404])
      assert.strictEqual((yield* three.get(stranger)).status, 200)
      assert.notStrictEqual(two.team, three.team)
    })
  )

  it.effect("has no name in stored answers either, once the account is erased", () =>
    Effect.gen(function* () {
      const { prospects, prospect, request, token, userId } = yield* prospectsFixture.make()
      const { id } = yield* prospect()
      const headers = { "idempotency-key": "k1" }
      yield* request("POST", `${prospects.path}/${id}/tasks`, {
        token,
        headers,
        json: { type: "call", dueDate: "2099-01-01" }
      })
      const exports = yield* PersonExports
      const exported = Effect.flatMap(
        asOperator(exports.open(Id.fromUuid("user", userId), { all: true })),
        ({ bytes }) =>
          Effect.promise(async () => (await unzip(await buffer(bytes))).get("account/stored-answers.json") ?? "")
      )
      assert.include(yield* exported, "Anna Berg")
      const { account, what } = yield* erase(Id.fromUuid("user", userId), { all: true })
      assert.strictEqual(account, Id.fromUuid("user", userId))
      assert.isAbove(what.find(({ table }) => table === "idempotency_keys")?.count ?? 0, 0)
      assert.notInclude(yield* exported, "Anna Berg")
    })
  )

  it.effect("is erased by operators and signed-in administrators of the team alone", () =>
    Effect.gen(function* () {
      const [own, other] = [yield* ContactsClient.make(), yield* ContactsClient.make()]
      const { id } = (yield* own.create(maria)).body
      const erasures = yield* Erasures
      const admin = { ...Tenant.actorOf(own), origin: "app" as const }
      const tried = (actor: Actor, where: Where) =>
        Effect.map(Effect.exit(actAs(actor)(erasures.erase(id, where))), (exit) => exit._tag)
      for (const [actor, where] of [
        [{ ...admin, origin: "api" }, { team: own.team }],
        [{ ...admin, clientId: crypto.randomUUID() }, { team: own.team }],
        [{ ...admin, role: "member" }, { team: own.team }],
        [{ ...Tenant.actorOf(other), origin: "app" }, { team: own.team }],
        [admin, { all: true }]
      ] as ReadonlyArray<[Actor, Where]>) {
        assert.strictEqual(yield* tried(actor, where), "Failure")
      }
      assert.strictEqual((yield* own.get(id)).status, 200)
      assert.strictEqual(yield* tried(admin, { team: own.team }), "Success")
      assert.strictEqual((yield* own.get(id)).status, 404)
    })
  )
})
