/** Two at the same instant: one comes first, and the other one learns what it is now. */
import * as UseCaseRequest from "../../../src/core/usecase/UseCaseRequest.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Result } from "effect"
import { asOperator } from "../../../src/core/auth/CurrentActor.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import { Users } from "../../../src/identity/users/Users.ts"
import { inTurn } from "../../support/locks.ts"
import { TestService } from "../../support/TestService.ts"
import { as, broker, deal, investor } from "./OffersClient.ts"
import { OfferLifecycle } from "../../../src/deals/lifecycle/OfferLifecycle.ts"

const request = UseCaseRequest.make({ operation: "test", query: {}, body: {} })

const together = <E1, R1, E2, R2, E3 = never, R3 = never>(
  ...moves: readonly [Effect.Effect<unknown, E1, R1>, Effect.Effect<unknown, E2, R2>, Effect.Effect<unknown, E3, R3>?]
) =>
  Effect.all(
    (moves as ReadonlyArray<Effect.Effect<unknown, E1 | E2 | E3, R1 | R2 | R3>>).map((move) => Effect.result(move)),
    { concurrency: "unbounded" }
  )

layer(TestService.layer, { excludeTestServices: true })("Of two at the same instant,", (it) => {
  it.effect("two users of a team who answer differently: one answer counts, and the other user learns it", () =>
    Effect.gen(function* () {
      const { buyer, offerId, prospect, seller } = yield* deal()
      const colleague = yield* investor()
      const sql = yield* Database
      yield* Effect.orDie(sql`update memberships set team_id = ${buyer.teamId} where user_id = ${colleague.userId}`)
      const { reject } = yield* OfferLifecycle
      const results = yield* together(buyer.accept(offerId), as(colleague.email, reject(offerId, request)))
      const refused = results.filter((result) => Result.isFailure(result))
      assert.strictEqual(refused.length, 1)
      const { body } = yield* buyer.get(offerId)
      const [failure] = refused
      assert.isTrue(failure !== undefined && Result.isFailure(failure))
      assert.deepInclude(Result.isFailure(failure as never) ? (failure as { failure: object }).failure : {}, {
        code: "offer_answered",
        answer: body.status
      })
      assert.strictEqual((yield* seller.prospect(prospect.id)).accepted, body.status === "accepted")
      const answers = (yield* seller.rows(prospect.id)).filter(({ event }) =>
        ["prospect.accepted", "prospect.rejected"].includes(String(event))
      )
      assert.deepStrictEqual(
        answers.map(({ event }) => event),
        [`prospect.${body.status}`]
      )
    })
  )

  it.effect("two users who accept: both have accepted, and it happened once", () =>
    Effect.gen(function* () {
      const { buyer, offerId, prospect, seller } = yield* deal()
      const results = yield* together(buyer.accept(offerId), buyer.accept(offerId), buyer.accept(offerId))
      assert.isTrue(results.every((result) => Result.isSuccess(result)))
      const rows = yield* seller.rows(prospect.id)
      assert.strictEqual(rows.filter(({ event }) => event === "prospect.accepted").length, 1)
    })
  )

  it.effect(
    "investors of two teams who answer differently: each answer is that of its team, and the broker sees both",
    () =>
      Effect.gen(function* () {
        const seller = yield* broker()
        const [one, two] = [yield* investor(), yield* investor()]
        const prospect = yield* seller.companyFor([one.email, two.email])
        yield* seller.communicate()
        const [[mine], [theirs]] = [yield* one.offers(), yield* two.offers()]
        const results = yield* together(one.accept(mine?.id ?? ""), two.reject(theirs?.id ?? ""))
        assert.isTrue(results.every((result) => Result.isSuccess(result)))
        assert.strictEqual((yield* one.get(mine?.id ?? "")).body.status, "accepted")
        assert.strictEqual((yield* two.get(theirs?.id ?? "")).body.status, "rejected")
        assert.deepInclude(yield* seller.prospect(prospect.id), { accepted: true, interest: "not_interested" })
        assert.sameMembers(
          (yield* seller.rows(prospect.id)).slice(0, 3).map(({ event }) => event),
          ["prospect.accepted", "prospect.rejected", "prospect.interest_changed"]
        )
      })
  )

  it.effect("acceptance beside removal: the offer is removed, and accepted only if that came first", () =>
    Effect.gen(function* () {
      const race = Effect.fnUntraced(function* (remover: "broker" | "colleague", isAcceptedFirst: boolean) {
        const { buyer, offerId, prospect, seller } = yield* deal()
        const accepting = Effect.match(buyer.accept(offerId), {
          onSuccess: ({ status }): unknown => status,
          onFailure: (problem) => {
            const { code, offerStatus } = problem as { readonly code?: unknown; readonly offerStatus?: unknown }
            return [code, offerStatus]
          }
        })
        const removing =
          remover === "broker"
            ? Effect.map(seller.ask("POST", `${seller.path}/${prospect.id}/remove`), ({ status }): unknown => status)
            : Effect.map(buyer.remove(offerId), ({ status }): unknown => status)
        const moves = isAcceptedFirst ? [accepting, removing] : [removing, accepting]
        const answers = yield* Effect.forEach(yield* inTurn(prospect.id, moves), (exit) => exit)
        const { accepted, chat } = yield* seller.prospect(prospect.id)
        const removed = (yield* buyer.get(offerId)).body.status
        yield* seller.ask("POST", `${seller.path}/${prospect.id}/restore`)
        return { answers, accepted, chat, removed, restored: (yield* buyer.get(offerId)).body.status }
      })
      const refused = ["offer_not_open", "removed"]
      const [isFirst, isSecond] = [
        { accepted: true, chat: true, removed: "removed" },
        { accepted: false, chat: false, removed: "removed" }
      ]
      assert.deepStrictEqual(yield* race("broker", true), {
        ...isFirst,
        answers: ["accepted", 204],
        restored: "accepted"
      })
      assert.deepStrictEqual(yield* race("broker", false), {
        ...isSecond,
        answers: [204, refused],
        restored: "unanswered"
      })
      // What a colleague of the investor removed stays removed.
      assert.deepStrictEqual(yield* race("colleague", true), {
        ...isFirst,
        answers: ["accepted", "removed"],
        restored: "removed"
      })
      assert.deepStrictEqual(yield* race("colleague", false), {
        ...isSecond,
        answers: ["removed", refused],
        restored: "removed"
      })
    })
  )

  it.effect("a project that closes between reading and accepting: the offer is closed, and says so", () =>
    Effect.gen(function* () {
      const { buyer, offerId, prospect, seller } = yield* deal()
      assert.strictEqual((yield* buyer.get(offerId)).body.status, "unanswered")
      yield* seller.ask("POST", `/api/v1/projects/${seller.projectId}/close`)
      assert.deepInclude(yield* Effect.flip(buyer.accept(offerId)), { code: "offer_not_open", offerStatus: "closed" })
      assert.isFalse((yield* seller.prospect(prospect.id)).accepted)
      for (let round = 0; round < 4; round++) {
        const race = yield* deal()
        const [accepted] = yield* together(
          race.buyer.accept(race.offerId),
          race.seller.ask("POST", `/api/v1/projects/${race.seller.projectId}/close`)
        )
        assert.strictEqual((yield* race.buyer.get(race.offerId)).body.status, "closed")
        const isAccepted = accepted !== undefined && Result.isSuccess(accepted)
        assert.strictEqual((yield* race.seller.prospect(race.prospect.id)).accepted, isAccepted)
      }
    })
  )

  for (const [what, code, status] of [
    ["prospect", "not_found", "removed"],
    ["contact", "prospect_removed", "removed"],
    ["remove", "prospect_removed", "removed"],
    ["close", "project_closed", "closed"]
  ] as const) {
    it.effect(
      `communication beside an end (${what}): an offer that came first ends with it, and none comes after`,
      () =>
        Effect.gen(function* () {
          const race = Effect.fnUntraced(function* (isCommunicatedFirst: boolean) {
            const seller = yield* broker()
            const buyer = yield* investor()
            const prospect = yield* seller.prospectFor(buyer.email)
            const end = {
              prospect: seller.ask("DELETE", `${seller.path}/${prospect.id}`),
              contact: seller.ask("DELETE", `/api/v1/network/contacts/${prospect.contactId}`),
              remove: seller.ask("POST", `${seller.path}/${prospect.id}/remove`),
              close: seller.ask("POST", `/api/v1/projects/${seller.projectId}/close`)
            }[what]
            const communicating = Effect.match(seller.communicate({ prospectIds: [prospect.id] }), {
              onSuccess: ({ communicated, failed }): unknown => failed[0]?.code ?? communicated.length,
              onFailure: (problem) => (problem as { readonly code?: unknown }).code
            })
            const ending = Effect.map(end, ({ status }): unknown => status < 300)
            const moves = isCommunicatedFirst ? [communicating, ending] : [ending, communicating]
            const exits = yield* inTurn(what === "close" ? seller.projectId : prospect.id, moves)
            const answers = yield* Effect.forEach(exits, (exit) => exit)
            const offers = [...(yield* buyer.offers()), ...(yield* buyer.offers("removed"))]
            return { answers, offers: offers.map((offer) => offer.status) }
          })
          assert.deepStrictEqual(yield* race(true), { answers: [1, true], offers: [status] })
          assert.deepStrictEqual(yield* race(false), { answers: [true, code], offers: [] })
        })
    )
  }

  it.effect("communication and the deletion of its project: the one that comes second is refused", () =>
    Effect.gen(function* () {
      const race = Effect.fnUntraced(function* (first: "communicate" | "delete") {
        const seller = yield* broker()
        const buyer = yield* investor()
        yield* seller.prospectFor(buyer.email)
        const communicating = Effect.matchEffect(seller.communicate(), {
          onSuccess: () => Effect.succeed<unknown>("communicated"),
          onFailure: (problem) => Effect.succeed((problem as { readonly code?: unknown }).code)
        })
        const deleting = Effect.map(
          seller.ask("DELETE", `/api/v1/projects/${seller.projectId}`),
          ({ body, status }): unknown => (status === 204 ? "deleted" : body["code"])
        )
        const moves = first === "communicate" ? [communicating, deleting] : [deleting, communicating]
        const answers = yield* Effect.forEach(yield* inTurn(seller.projectId, moves), (exit) => exit)
        return { answers, offers: (yield* buyer.offers()).map(({ status }) => status) }
      })
      assert.deepStrictEqual(yield* race("communicate"), {
        answers: ["communicated", "project_shared"],
        offers: ["unanswered"]
      })
      assert.deepStrictEqual(yield* race("delete"), { answers: ["deleted", "not_found"], offers: [] })
    })
  )

  it.effect("two communications, and a new investor beside a communication: each team has one offer", () =>
    Effect.gen(function* () {
      const seller = yield* broker()
      const buyers = yield* Effect.forEach(Array.from({ length: 5 }), () => investor())
      for (const { email } of buyers) yield* seller.prospectFor(email)
      const results = yield* together(seller.communicate(), seller.communicate(), seller.communicate())
      assert.isTrue(results.every((result) => Result.isSuccess(result)))
      for (const buyer of buyers) {
        assert.strictEqual((yield* buyer.offers()).length, 1)
        assert.strictEqual((yield* buyer.events).length, 1)
      }
      for (let round = 0; round < 4; round++) {
        const [other, late] = [yield* broker(), yield* investor({ investor: null })]
        yield* other.prospectFor(late.email)
        const users = yield* Users
        yield* together(
          other.communicate(),
          asOperator(users.setCapabilities({ email: late.email, investor: "active" }))
        )
        assert.strictEqual((yield* late.offers()).length, 1)
      }
    })
  )
})
