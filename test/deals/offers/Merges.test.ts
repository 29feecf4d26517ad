/** What becomes of offers whose prospects become one (docs/behaviour/offers.md#cascades). */
import * as UseCaseRequest from "../../../src/core/usecase/UseCaseRequest.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Messages } from "../../../src/deals/messages/Messages.ts"
import { TestService } from "../../support/TestService.ts"
import { as, broker, type Broker, deal, investor } from "./OffersClient.ts"

/** A prospect with its contact. */
interface Listed {
  readonly id: string
  readonly contactId: string
}

const merge = (seller: Broker, { contactId }: Listed, ...from: ReadonlyArray<Listed>) =>
  Effect.map(
    seller.ask("POST", `/api/v1/network/contacts/${contactId}/merge`, { from: from.map((one) => one.contactId) }),
    ({ status, text }) => assert.strictEqual(status, 200, text)
  )

/** Sends a message to the investor of a prospect; the code of the refusal, if it is refused. */
const send = (seller: Broker, { id }: Listed) =>
  Effect.flatMap(Messages, (messages) =>
    Effect.match(
      as(
        seller.email,
        messages.send(id, UseCaseRequest.make({ operation: "send", query: {}, body: { text: "Hello" } }))
      ),
      { onSuccess: () => "sent", onFailure: ({ code }): string => code }
    )
  )

layer(TestService.layer, { excludeTestServices: true })("A teaser", (it) => {
  it.effect("of a contact that is merged goes to the prospect that survives, with an acceptance of either", () =>
    Effect.gen(function* () {
      const seller = yield* broker()
      const [one, two] = [yield* investor(), yield* investor()]
      const [first, second] = [yield* seller.prospectFor(one.email), yield* seller.prospectFor(two.email)]
      yield* seller.communicate()
      const [[mine], [theirs]] = [yield* one.offers(), yield* two.offers()]
      const merged = yield* seller.ask("POST", `/api/v1/network/contacts/${first.contactId}/merge`, {
        from: [second.contactId]
      })
      assert.strictEqual(merged.status, 200)
      assert.strictEqual((yield* two.get(theirs?.id ?? "")).body.status, "unanswered")
      yield* two.accept(theirs?.id ?? "")
      assert.isTrue((yield* seller.prospect(first.id)).accepted)
      assert.strictEqual((yield* one.get(mine?.id ?? "")).body.status, "unanswered")

      // Two prospects of one team become one.
      const other = yield* deal()
      const twin = yield* other.seller.prospectFor(other.buyer.email, { lastName: "Twin" })
      yield* other.seller.communicate()
      const [, twins] = (yield* other.buyer.offers()).map(({ id }) => id).toSorted()
      yield* other.buyer.accept(twins ?? "")
      yield* other.seller.ask("POST", `/api/v1/network/contacts/${other.prospect.contactId}/merge`, {
        from: [twin.contactId]
      })
      const [kept, ...rest] = yield* other.buyer.offers()
      assert.deepInclude(kept, { id: other.offerId, status: "accepted" })
      assert.deepStrictEqual(rest, [])
      assert.strictEqual((yield* other.buyer.get(twins ?? "")).body.status, "removed")
      // What was sent to the merged address is kept for the survivor.
      assert.deepStrictEqual(
        (yield* other.seller.communicate()).communicated.map(({ prospectId }) => prospectId),
        [other.prospect.id]
      )
    })
  )

  for (const isRemovedAbsorbing of [false, true]) {
    it.effect(
      `of a prospect that was removed stays removed after ${isRemovedAbsorbing ? "absorbing" : "its merge into"} one on the list, until it is sent again`,
      () =>
        Effect.gen(function* () {
          const { buyer, offerId, prospect: removed, seller } = yield* deal()
          yield* buyer.accept(offerId)
          yield* seller.ask("POST", `${seller.path}/${removed.id}/remove`)
          const again = yield* seller.prospectFor(buyer.email, { lastName: "Again" })
          yield* isRemovedAbsorbing ? merge(seller, removed, again) : merge(seller, again, removed)
          // Whoever took the first one off the list ended the acceptance, and a message would reach nobody.
          assert.deepInclude(yield* seller.prospect(again.id), { accepted: false, chat: false, communicated: true })
          assert.strictEqual(yield* send(seller, again), "chat_not_open")
          assert.deepStrictEqual(yield* buyer.offers(), [])
          const [sent] = (yield* seller.communicate()).communicated
          const [offer, ...others] = yield* buyer.offers()
          assert.deepStrictEqual(others, [])
          assert.deepInclude(offer, { status: "unanswered", category: "buying" })
          assert.deepStrictEqual(sent, { prospectId: again.id, offerIds: [offer?.id ?? ""] })
          assert.strictEqual((yield* buyer.get(offerId)).body.status, "removed")
          yield* buyer.accept(offer?.id ?? "")
          assert.strictEqual(yield* send(seller, again), "sent")
          assert.deepInclude((yield* buyer.events).at(-1), { resource_id: offer?.id, action: { type: "message_sent" } })
        })
    )
  }

  it.effect("of merged prospects stays where its investor can see it, whichever of their offers is older", () =>
    Effect.gen(function* () {
      const { buyer, offerId, prospect: removed, seller } = yield* deal()
      yield* seller.ask("POST", `${seller.path}/${removed.id}/remove`)
      const twin = yield* seller.prospectFor(buyer.email, { lastName: "Twin" })
      yield* seller.communicate()
      const [live] = yield* buyer.offers()
      yield* buyer.accept(live?.id ?? "")
      const survivor = yield* seller.prospectFor("nobody@example.com")
      yield* merge(seller, survivor, removed, twin)
      const offers = yield* Effect.map(buyer.offers(), (all) => all.map(({ id, status }) => [id, status]))
      assert.deepStrictEqual(offers, [[live?.id, "accepted"]])
      assert.strictEqual((yield* buyer.get(offerId)).body.status, "removed")
      assert.deepInclude(yield* seller.prospect(survivor.id), { accepted: true, chat: true })
      assert.strictEqual(yield* send(seller, survivor), "sent")
      assert.deepInclude((yield* buyer.events).at(-1), { resource_id: live?.id, action: { type: "message_sent" } })
    })
  )

  it.effect("of the survivor that its investor removed gives way to another one, which they accepted", () =>
    Effect.gen(function* () {
      const { buyer, offerId, prospect, seller } = yield* deal()
      const twin = yield* seller.prospectFor(buyer.email, { lastName: "Twin" })
      yield* seller.communicate()
      const other = (yield* buyer.offers()).find(({ id }) => id !== offerId)?.id ?? ""
      yield* buyer.remove(offerId)
      yield* buyer.accept(other)
      const before = (yield* buyer.events).length
      yield* merge(seller, prospect, twin)
      // They see no difference.
      assert.lengthOf(yield* buyer.events, before)
      assert.strictEqual((yield* buyer.get(other)).body.status, "accepted")
      assert.strictEqual((yield* buyer.get(offerId)).body.status, "removed")
      assert.isTrue((yield* seller.prospect(prospect.id)).accepted)
      assert.strictEqual(yield* send(seller, prospect), "sent")
      assert.deepInclude((yield* buyer.events).at(-1), { resource_id: other, action: { type: "message_sent" } })
      yield* seller.ask("POST", `${seller.path}/${prospect.id}/remove`)
      assert.strictEqual((yield* buyer.get(other)).body.status, "removed")
      yield* seller.ask("POST", `${seller.path}/${prospect.id}/restore`)
      assert.deepStrictEqual(
        (yield* buyer.offers()).map(({ id, status }) => [id, status]),
        [[other, "accepted"]]
      )
    })
  )

  it.effect(
    "that a merge makes an accepted one tells its team, on its timeline and by an event that names nothing of the broker's",
    () =>
      Effect.gen(function* () {
        const { buyer, offerId, prospect, seller } = yield* deal()
        const twin = yield* seller.prospectFor(buyer.email, { lastName: "Twin" })
        yield* seller.communicate()
        const other = (yield* buyer.offers()).find(({ id }) => id !== offerId)?.id ?? ""
        yield* buyer.accept(other)
        const before = (yield* buyer.events).length
        yield* merge(seller, prospect, twin)
        const sent = (yield* buyer.events).slice(before)
        const changed = ["status", "capabilities", "broker_contact", "answered_utc"]
        assert.sameDeepMembers(
          sent.map(({ action, changed_fields, event, resource_id }) => [event, resource_id, action, changed_fields]),
          [
            ["offer.updated", offerId, { type: "merged" }, changed],
            ["offer.updated", other, { type: "removed" }, ["status"]],
            ["offer.removed", other, { type: "removed" }, undefined]
          ]
        )
        // Not even of what these events follow from.
        for (const { contactId, id } of [prospect, twin]) {
          for (const secret of [contactId, id, seller.projectId]) assert.notInclude(JSON.stringify(sent), secret)
        }
        const [row] = (yield* buyer.actions(offerId)).body.data
        assert.deepInclude(row, {
          event: "offer.updated",
          details: { kind: "audit", changedFields: ["status", "capabilities", "brokerContact", "answeredUtc"] }
        })
      })
  )

  it.effect("takes the place of an invitation in a merge, and the invitation of the survivor ends", () =>
    Effect.gen(function* () {
      for (const isSurvivorInvited of [false, true]) {
        const { buyer, offerId, prospect, seller } = yield* deal()
        const invited = yield* seller.prospectFor(buyer.email, { lastName: "Twin" })
        yield* seller.invite(invited.id)
        assert.isTrue((yield* seller.prospect(invited.id)).invitation)
        const [teaser] = (yield* buyer.offers()).filter(({ id }) => id === offerId)
        const [survivor, absorbed] = isSurvivorInvited ? [invited, prospect] : [prospect, invited]
        yield* merge(seller, survivor, absorbed)
        const [offer, ...others] = yield* buyer.offers()
        assert.deepStrictEqual(others, [])
        assert.strictEqual(offer?.id === offerId, !isSurvivorInvited)
        assert.deepInclude(offer, {
          status: "unanswered",
          category: "buying",
          teaser: teaser?.teaser ?? null,
          expiresUtc: teaser?.expiresUtc ?? null
        })
        assert.isFalse((yield* seller.prospect(survivor.id)).invitation)
        // The same teaser again changes nothing.
        const before = (yield* buyer.events).length
        yield* seller.communicate()
        assert.lengthOf(yield* buyer.events, before)
        assert.lengthOf(
          (yield* seller.rows(survivor.id)).filter(({ event }) => event === "prospect.teaser_communicated"),
          1
        )
      }
    })
  )
})
