/** What access, rooms, questions and messages write on the timelines of offers. */
import { Context, Effect, Layer } from "effect"
import type { Actor } from "../../core/auth/CurrentActor.ts"
import { type Change, inTeams } from "../../core/mutation/Changes.ts"
import { now } from "../../platform/Time.ts"
import { byId } from "../../core/usecase/UseCaseRequest.ts"
import { NotFound } from "../../core/usecase/Problem.ts"
import { isChat, type OfferRow, rowRecord } from "./entries.ts"
import type { OfferStatus } from "./Offer.ts"
import { OffersRepo } from "./OffersRepo.ts"
import { statusOf } from "./rules.ts"

/** An offer as its investor's moves need it, by UUIDs; the members but the first are the broker's. */
export interface OfferRef {
  readonly offerUuid: string
  readonly prospectUuid: string
  readonly projectUuid: string
  readonly brokerTeamId: string
  /** Who has the address. */
  readonly userUuid: string
  readonly status: OfferStatus
}

const make = Effect.gen(function* () {
  const repo = yield* OffersRepo

  /**
   * Writes a row on the timelines of the offers of these prospects (UUIDs), in the teams of their investors, and sends them
   * `offer.updated`. `change` is that of the broker's team. Offers whose prospect left the list get none, and chat is only for accepted
   * ones.
   */
  const tell = Effect.fn("OfferWrites.tell")(function* (
    change: Change,
    prospectUuids: ReadonlyArray<string>,
    row: OfferRow
  ) {
    const offers = yield* repo.findOf(change.actor.teamId, { prospects: prospectUuids })
    const reached = offers.filter(
      ({ state }) => state.withdrawnAt === null && (!isChat(row) || state.answer === "accepted")
    )
    const of = yield* inTeams(
      change,
      reached.map(({ teamId }) => teamId)
    )
    for (const { teamId, uuid } of reached) of(teamId).record(rowRecord(uuid, row))
  })

  /**
   * As {@link tell}, for something that the investor does, whose change it is: a row on the one offer, with the UUID `rowUuid` if it is
   * given.
   */
  const tellOwn = Effect.fn("OfferWrites.tellOwn")(
    (change: Change, { offerUuid }: OfferRef, row: OfferRow, rowUuid?: string) =>
      Effect.sync(() => change.record(rowRecord(offerUuid, row, rowUuid)))
  )

  /** An offer of the actor's team, by its id. `actor` is authorized already. */
  const offerRef = Effect.fn("OfferWrites.offerRef")(function* (actor: Actor, offerId: string) {
    const { state, uuid } = yield* byId("offer", offerId, (uuid) => repo.find(actor.teamId, uuid))
    if (state.prospectId === null) return yield* new NotFound({ detail: "The seller's offer has no prospect." })
    const ref: OfferRef = {
      offerUuid: uuid,
      prospectUuid: state.prospectId,
      projectUuid: state.projectId,
      brokerTeamId: state.brokerTeamId,
      userUuid: state.userId,
      status: statusOf(state, yield* now)
    }
    return ref
  })

  return { tell, tellOwn, offerRef }
})

/** Writes timelines of offers, for modules that have authorized their caller. */
export class OfferWrites extends Context.Service<OfferWrites, Effect.Success<typeof make>>()(
  "deals/offers/OfferWrites"
) {
  static readonly layer = Layer.effect(OfferWrites, make)
}
