/** Who receives offers: late investors, people in two roles, and what happens to the broker's records. */
import * as Tenant from "../../support/Tenant.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { asOperator } from "../../../src/core/auth/CurrentActor.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import { Teams } from "../../../src/identity/teams/Teams.ts"
import { Users } from "../../../src/identity/users/Users.ts"
import { faultsOf } from "../../support/faults.ts"
import { TestService } from "../../support/TestService.ts"
import { broker, deal, investor } from "./OffersClient.ts"

const capability = (email: string, status: "active" | "pending" | null) =>
  Effect.flatMap(Users, (users) => asOperator(users.setCapabilities({ email, investor: status })))

layer(TestService.layer, { excludeTestServices: true })("A teaser", (it) => {
  it.effect("waits for a person who becomes an investor after it was communicated", () =>
    Effect.gen(function* () {
      const seller = yield* broker()
      const buyer = yield* investor({ investor: "pending" })
      yield* seller.prospectFor(buyer.email)
      assert.deepStrictEqual((yield* seller.communicate()).communicated[0]?.offerIds, [])
      assert.strictEqual((yield* buyer.list()).status, 403)
      yield* capability(buyer.email, "active")
      yield* capability(buyer.email, "active")
      const [offer, ...others] = yield* buyer.offers()
      assert.deepInclude(offer, { status: "unanswered", category: "buying" })
      assert.deepStrictEqual(others, [])
      assert.strictEqual((yield* buyer.accept(offer?.id ?? "")).status, "accepted")
    })
  )

  it.effect("waits for a person who joins a first team, or is created, after it was communicated", () =>
    Effect.gen(function* () {
      const seller = yield* broker()
      const home = yield* Tenant.make({ broker: null })
      const [invited, created] = [`invited-${home.userId}@example.com`, `created-${home.userId}@example.com`]
      const { request } = yield* TestService
      const [users, teams] = [yield* Users, yield* Teams]
      const sql = yield* Database
      const person = (email: string) =>
        asOperator(users.create({ email, name: "Nora Lind", teamId: home.team, role: "member", investor: "active" }))
      yield* person(invited)
      yield* Effect.orDie(sql`
        delete from memberships where user_id = (select id from users where email = ${invited})`)
      yield* seller.prospectFor(invited.toUpperCase())
      yield* seller.prospectFor(created)
      yield* seller.communicate()
      yield* capability(home.email, "active")
      const offers = Effect.map(
        request<{ readonly data: ReadonlyArray<{ readonly recipient: { readonly name: string } }> }>(
          "GET",
          "/api/v1/offers",
          {
            token: home.token
          }
        ),
        ({ body }) => body.data.length
      )
      assert.strictEqual(yield* offers, 0)
      yield* person(created)
      assert.strictEqual(yield* offers, 1)
      yield* asOperator(teams.invite({ teamId: home.team, email: invited, role: "member" }))
      assert.strictEqual(yield* offers, 1)
      yield* asOperator(teams.accept({ teamId: home.team, email: invited }))
      assert.strictEqual(yield* offers, 2)
    })
  )

  it.effect("does not wait on a closed project or for a removed prospect, until it is open or restored again", () =>
    Effect.gen(function* () {
      const seller = yield* broker()
      const [one, two] = [yield* investor({ investor: null }), yield* investor({ investor: null })]
      const [first] = [yield* seller.prospectFor(one.email), yield* seller.prospectFor(two.email)]
      yield* seller.communicate()
      yield* seller.ask("POST", `${seller.path}/${first.id}/remove`)
      yield* capability(one.email, "active")
      assert.deepStrictEqual(yield* one.offers(), [])
      const restored = yield* seller.ask("POST", `${seller.path}/${first.id}/restore`)
      assert.strictEqual((yield* one.offers()).length, 1)
      assert.strictEqual((yield* seller.prospect(first.id)).etag, restored.body["etag"])
      yield* seller.ask("POST", `/api/v1/projects/${seller.projectId}/close`)
      yield* capability(two.email, "active")
      assert.deepStrictEqual(yield* two.offers(), [])
      yield* seller.ask("POST", `/api/v1/projects/${seller.projectId}/reopen`)
      assert.strictEqual((yield* two.offers()).length, 1)
    })
  )

  it.effect("reaches a broker of one team who is an investor in another one, and each team sees its side only", () =>
    Effect.gen(function* () {
      const seller = yield* broker({ investor: "active" })
      const sql = yield* Database
      const home = yield* investor()
      const userId = yield* Effect.orDie(
        sql<{ readonly id: string }>`update users set email_confirmed = true where email = ${seller.email} returning id`
      )
      const user = userId[0]?.id ?? ""
      // Their primary team is the investor's.
      yield* Effect.orDie(sql`update memberships set is_primary = false where user_id = ${user}`)
      yield* Effect.orDie(sql`
        insert into memberships (team_id, user_id, role, status, is_primary, joined_at, sort_name)
        values (${home.teamId}, ${user}, 'member', 'active', true, now(), 'anna')`)
      const prospect = yield* seller.prospectFor(seller.email)
      const sent = yield* seller.communicate({ all: true }, seller.projectId, seller.team)
      const offerId = sent.communicated[0]?.offerIds[0] ?? ""
      assert.deepStrictEqual((yield* seller.ask("GET", "/api/v1/offers")).body["data"], [])
      assert.strictEqual((yield* seller.ask("GET", `/api/v1/offers/${offerId}`)).status, 404)
      const [offer] = yield* home.offers()
      assert.deepInclude(offer, { id: offerId, brokerContact: null })
      yield* home.accept(offerId)
      assert.isTrue((yield* seller.prospect(prospect.id)).accepted)
      const { text } = yield* home.actions(offerId)
      for (const secret of [prospect.id, seller.projectId, prospect.contactId, seller.team])
        assert.notInclude(text, secret)
    })
  )

  it.effect(
    "to an address that two contacts share reaches its one user for each prospect, and each has its answer",
    () =>
      Effect.gen(function* () {
        const seller = yield* broker()
        const buyer = yield* investor()
        const [first, second] = [
          yield* seller.prospectFor(buyer.email),
          yield* seller.prospectFor(buyer.email.toUpperCase(), { lastName: "Berg" })
        ]
        const company = yield* seller.companyFor([buyer.email, buyer.email.toUpperCase()])
        const sent = yield* seller.communicate()
        const offerOf = (id: string) => sent.communicated.find(({ prospectId }) => prospectId === id)?.offerIds ?? []
        assert.deepStrictEqual(
          [first, second, company].map(({ id }) => offerOf(id).length),
          [1, 1, 1]
        )
        assert.strictEqual((yield* buyer.offers()).length, 3)
        yield* buyer.accept(offerOf(first.id)[0] ?? "")
        yield* buyer.reject(offerOf(second.id)[0] ?? "")
        const answers = yield* Effect.forEach([first, second, company], ({ id }) => seller.prospect(id))
        assert.deepStrictEqual(
          answers.map(({ accepted, interest }) => [accepted, interest]),
          [
            [true, null],
            [false, "not_interested"],
            [false, null]
          ]
        )
        // No second user can have the address, whatever its case, and take the offers of the first one.
        const users = yield* Users
        const home = yield* Tenant.make({ broker: null })
        const other = { name: "Nora Lind", teamId: home.team, role: "member" as const, investor: "active" as const }
        const refused = yield* Effect.flip(asOperator(users.create({ ...other, email: buyer.email.toUpperCase() })))
        assert.deepInclude(refused as object, { status: 409 })
      })
  )

  it.effect("reaches the seller of the project, who sees it once it is accepted", () =>
    Effect.gen(function* () {
      const seller = yield* broker()
      const owner = yield* investor()
      const buyer = yield* investor()
      yield* seller.prospectFor(buyer.email)
      const contact = yield* seller.ask<{ readonly id: string }>("POST", "/api/v1/network/contacts", {
        lastName: "Lind",
        email: owner.email
      })
      const project = `/api/v1/projects/${seller.projectId}`
      const refused = yield* seller.ask("PATCH", project, { sellerContactId: "contact_x" })
      assert.deepStrictEqual(faultsOf(refused), ["body /sellerContactId invalid_reference"])
      const patched = yield* seller.ask("PATCH", project, { sellerContactId: contact.body.id })
      assert.strictEqual(patched.body["sellerContactId"], contact.body.id)
      assert.deepStrictEqual(
        (yield* seller.brokerEvents).filter(({ event }) => event === "project.updated").at(-1)?.["changed_fields"],
        ["seller_contact_id"]
      )
      yield* seller.communicate()
      yield* seller.communicate()
      const [offer, ...others] = yield* owner.offers()
      assert.deepStrictEqual(others, [])
      assert.deepInclude(offer, { category: "selling", status: "pending", expiresUtc: null, brokerContact: null })
      assert.deepStrictEqual(yield* owner.offers("selling"), [])
      assert.deepStrictEqual(yield* owner.offers("invitations"), [])
      const accepted = yield* owner.accept(offer?.id ?? "")
      assert.deepInclude(accepted, { status: "accepted", capabilities: [], roomId: null })
      assert.deepStrictEqual(
        (yield* owner.offers("selling")).map(({ id }) => id),
        [accepted.id]
      )
      assert.deepStrictEqual(
        (yield* buyer.offers()).map(({ category }) => category),
        ["buying"]
      )
    })
  )

  it.effect("is withdrawn with a deleted contact, and comes back with nothing", () =>
    Effect.gen(function* () {
      const { buyer, offerId, prospect, seller } = yield* deal()
      yield* seller.ask("DELETE", `/api/v1/network/contacts/${prospect.contactId}`)
      const { body } = yield* buyer.get(offerId)
      assert.strictEqual(body.status, "removed")
      assert.deepStrictEqual(yield* buyer.offers(), [])
      const gone = yield* deal()
      assert.strictEqual((yield* gone.seller.ask("DELETE", `${gone.seller.path}/${gone.prospect.id}`)).status, 204)
      assert.strictEqual((yield* gone.buyer.get(gone.offerId)).body.status, "removed")
      assert.deepInclude(yield* Effect.flip(gone.buyer.accept(gone.offerId)), {
        code: "offer_not_open",
        offerStatus: "removed"
      })
      assert.strictEqual((yield* buyer.get(offerId)).body.brokerContact, null)
    })
  )
})
