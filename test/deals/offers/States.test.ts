/** Every status of an offer and every move: by use-cases, over HTTP, and from two statuses on the command line. */
import * as Id from "../../../src/core/Id.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { inTeam } from "../../../src/platform/db/Cells.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import { OfferLifecycle } from "../../../src/deals/lifecycle/OfferLifecycle.ts"
import { type OfferStatus, offerStatuses } from "../../../src/deals/offers/Offer.ts"
import { type OfferMove, type Refusal, transitions } from "../../../src/deals/offers/rules.ts"
import { move } from "../messages/fixture.ts"
import { TestService } from "../../support/TestService.ts"
import { broker, deal, investor } from "./OffersClient.ts"

const invitation = Effect.gen(function* () {
  const seller = yield* broker()
  const buyer = yield* investor()
  const prospect = yield* seller.prospectFor(buyer.email)
  yield* seller.invite(prospect.id)
  const [offer] = yield* buyer.offers()
  return { seller, buyer, prospect, offerId: offer?.id ?? "" }
})

type Deal = Effect.Success<typeof invitation>

/** The offer of a seller, with a prospect for whom nobody can answer. */
const selling = Effect.gen(function* () {
  const seller = yield* broker()
  const buyer = yield* investor()
  const contact = yield* seller.ask("POST", "/api/v1/network/contacts", { lastName: "Seller", email: buyer.email })
  yield* seller.ask("PATCH", `/api/v1/projects/${seller.projectId}`, { sellerContactId: contact.body["id"] })
  const prospect = yield* seller.prospectFor(`nobody-${seller.teamId}@example.com`)
  yield* seller.communicate()
  const [offer] = yield* buyer.offers()
  assert.strictEqual(offer?.category, "selling")
  return { seller, buyer, prospect, offerId: offer?.id ?? "" }
})

const expire = ({ buyer, offerId, seller }: Deal) =>
  Effect.gen(function* () {
    const sql = yield* Database
    const uuid = Id.toUuid("offer", offerId) ?? ""
    const [ended] = yield* inTeam(buyer.teamId)(
      Effect.orDie(sql<{ readonly prospect_id: string; readonly expires_at: Date }>`
        update offers set expires_at = now() - interval '1 second' where id = ${uuid} returning prospect_id, expires_at`)
    )
    yield* inTeam(seller.teamId)(
      Effect.orDie(sql`
        update communications set expires_at = ${ended?.expires_at ?? null}::timestamptz
        where prospect_id = ${ended?.prospect_id ?? null}::uuid`)
    )
  })

/** Makes an offer of each status. */
const made = (status: OfferStatus) =>
  Effect.gen(function* () {
    const made: Deal = status === "pending" ? yield* invitation : yield* deal()
    const { buyer, offerId, prospect, seller } = made
    if (status === "accepted") yield* buyer.accept(offerId)
    if (status === "rejected") yield* buyer.reject(offerId)
    if (status === "expired") yield* expire(made)
    if (status === "removed") yield* seller.ask("POST", `${seller.path}/${prospect.id}/remove`)
    if (status === "closed") yield* seller.ask("POST", `/api/v1/projects/${seller.projectId}/close`)
    return made
  })

/** The code with which a command or a use-case was refused; undefined if it was not. */
const refusedWith = <E, R>(moved: Effect.Effect<unknown, E, R>): Effect.Effect<string | undefined, never, R> =>
  Effect.match(moved, {
    onSuccess: () => undefined,
    onFailure: (error) => (error as { readonly code?: string }).code ?? String(error)
  })

/** Runs a command in the name of a person; returns the code of its refusal. */
const command = (email: string, ...args: ReadonlyArray<string>) =>
  Effect.map(move({ email }, ...args), ({ answer, ok }) => (ok ? undefined : answer.error.code))

// A command builds services of its own, which takes longer than the move: each is tried where it succeeds and where it is refused.
const byCommand: ReadonlyArray<OfferStatus> = ["unanswered", "closed"]

/** Runs a move on an offer with this status; returns the code of its refusal. */
const run = ({ buyer, offerId, prospect, seller }: Deal, name: OfferMove["type"], status?: OfferStatus) => {
  const post = (path: string) => Effect.as(seller.ask("POST", path), undefined)
  const isCommand = status !== undefined && byCommand.includes(status)
  switch (name) {
    case "accept":
    case "reject":
    case "remove":
      return isCommand ? command(buyer.email, "offer", name, offerId) : refusedWith(buyer[name](offerId))
    case "withdraw":
      return post(`${seller.path}/${prospect.id}/remove`)
    case "restore":
      return post(`${seller.path}/${prospect.id}/restore`)
    case "close":
      return post(`/api/v1/projects/${seller.projectId}/close`)
    case "reopen":
      return post(`/api/v1/projects/${seller.projectId}/reopen`)
    case "communicate":
      return isCommand
        ? command(seller.email, "teaser", "communicate", seller.projectId, "--all")
        : refusedWith(seller.communicate())
    case "expire":
      return Effect.flatMap(OfferLifecycle, ({ recordEnds }) => Effect.as(recordEnds(1000), undefined))
  }
}

type Destination = OfferStatus | Refusal | "as_before" | "open"

const statusAfter = (from: OfferStatus, to: Destination): OfferStatus =>
  to === "as_before" || to === "open" ? "unanswered" : to === "answered" || to === "not_open" ? from : to

const refusals: { readonly [to: string]: string } = { answered: "offer_answered", not_open: "offer_not_open" }

/** The code of the refusal: on a closed project, the broker's own. */
const refusalOf = (from: OfferStatus, move: OfferMove["type"], to: string) =>
  from === "closed" && move === "communicate" ? "project_closed" : refusals[to]

layer(TestService.layer, { excludeTestServices: true })("An offer", (it) => {
  /** Runs each move on an offer of its own. `ofProspect` is whether the offer is that of a prospect on the broker's list. */
  const moves = <E, R>(
    status: OfferStatus,
    making: Effect.Effect<Deal, E, R>,
    table: { readonly [move in OfferMove["type"]]?: Destination },
    { ofProspect = true } = {}
  ) =>
    Effect.forEach(
      Object.entries(table) as ReadonlyArray<[OfferMove["type"], Destination]>,
      ([name, to]) =>
        Effect.gen(function* () {
          const offer = yield* making
          const { body: before } = yield* offer.buyer.get(offer.offerId)
          assert.strictEqual(before.status, status)
          const code = yield* run(offer, name, status)
          const { body: after } = yield* offer.buyer.get(offer.offerId)
          const expected = statusAfter(status, to)
          assert.deepStrictEqual([name, after.status, code], [name, expected, refusalOf(status, name, to)])
          // The job, which another case runs, may record the end; communicating shows the present teaser.
          if (expected === status && name !== "communicate" && status !== "expired") {
            assert.deepStrictEqual(after, before, name)
          }
          // What it means for the broker's list.
          const prospect = yield* offer.seller.prospect(offer.prospect.id)
          const isAccepted = status === "accepted" || (name === "accept" && after.status === "accepted")
          assert.strictEqual(prospect.accepted, ofProspect && isAccepted)
          const isInvitation = status === "pending" && ["expire", "reopen", "restore", "withdraw"].includes(name)
          assert.strictEqual(prospect.invitation, ofProspect && isInvitation, name)
        }),
      { concurrency: 3, discard: true }
    )

  for (const status of offerStatuses) {
    it.effect(`that is ${status} moves as the table says`, () => moves(status, made(status), transitions[status]))
  }

  it.effect("of a seller moves as one that is pending, stays one of a seller, and follows no prospect", () =>
    moves(
      "pending",
      selling,
      { ...transitions.pending, withdraw: "pending", communicate: "pending" },
      { ofProspect: false }
    )
  )

  it.effect("that the investor removed stays removed when its prospect is restored", () =>
    Effect.forEach(
      [[], ["withdraw"]] as const,
      (earlier) =>
        moves(
          "removed",
          Effect.gen(function* () {
            const offer = yield* deal()
            yield* run(offer, "remove")
            for (const move of earlier) yield* run(offer, move)
            return offer
          }),
          { restore: "removed" }
        ),
      { discard: true }
    )
  )

  it.effect("whose end has come is recorded as expired once, and tells its team", () =>
    Effect.gen(function* () {
      const offer = yield* deal()
      const { buyer, offerId } = offer
      yield* expire(offer)
      assert.strictEqual((yield* buyer.offers("inactive"))[0]?.status, "expired")
      assert.deepStrictEqual(yield* buyer.offers("active"), [])
      const { recordEnds } = yield* OfferLifecycle
      yield* recordEnds(1000)
      yield* recordEnds(1000)
      assert.deepStrictEqual(
        (yield* buyer.events).map(({ event }) => event),
        ["offer.created", "offer.updated", "offer.expired"]
      )
      const { body } = yield* buyer.actions(offerId)
      assert.deepStrictEqual(
        body.data.map(({ event }) => event),
        ["offer.expired", "offer.created"]
      )
      const invited = yield* invitation
      assert.isTrue((yield* invited.seller.prospect(invited.prospect.id)).invitation)
      yield* expire(invited)
      yield* recordEnds(1000)
      assert.isFalse((yield* invited.seller.prospect(invited.prospect.id)).invitation)
    })
  )
})
