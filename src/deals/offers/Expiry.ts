/** Offers end without an answer. Answers follow the clock at once (rules.ts); this records the end, and tells the teams. */
import { Context, Effect, Layer } from "effect"
import { systemOf } from "../../core/auth/Operator.ts"
import { type Change, Changes } from "../../core/mutation/Changes.ts"
import { crossInto } from "../../core/mutation/Crossing.ts"
import { now } from "../../platform/Time.ts"
import * as TeamParts from "../../core/TeamParts.ts"
import { Invitations } from "../prospects/Invitations.ts"
import { OfferChanges } from "./OfferChanges.ts"
import { OffersRepo } from "./OffersRepo.ts"
import type { StoredOffer } from "./OfferState.ts"

const make = Effect.gen(function* () {
  const repo = yield* OffersRepo
  const offers = yield* OfferChanges
  const invitations = yield* Invitations
  const changes = yield* Changes

  /** Records the end of offers of one broker's prospects, whose invitations they no longer have. */
  const recordEnds = Effect.fnUntraced(function* (change: Change, ended: ReadonlyArray<StoredOffer>) {
    const invited = ended.flatMap(({ state: { category, prospectId } }) =>
      category === "invitation" && prospectId !== null ? [prospectId] : []
    )
    yield* invitations.lock(change, invited)
    // Some may have been answered since they were found.
    const locked = yield* repo.lockAll(
      change.actor.teamId,
      ended.map(({ uuid }) => uuid)
    )
    const recorded = yield* offers.moveAll(change, locked, () => ({ type: "expire" }))
    yield* offers.followInvitations(change, invited)
    return recorded
  })

  const recordAll = Effect.fn("Expiry.recordAll")(function* (limit: number) {
    const moment = yield* now
    return yield* TeamParts.runParts("Recording the ends of offers", (failed) =>
      Effect.map(repo.ended(moment, { limit, failed }), (ended) =>
        TeamParts.byTeam(
          ended,
          ({ state }) => state.brokerTeamId,
          (teamId, some) =>
            changes.commit(systemOf(teamId), (change) =>
              crossInto(change, teamId, (ofBroker) => recordEnds(ofBroker, some))
            )
        )
      )
    )
  })

  return { recordAll }
})

/** Records that offers ended. */
export class Expiry extends Context.Service<
  Expiry,
  {
    /** Records the end of at most `limit` offers, and returns how many it recorded. It is for a job; a broker's failure does not stop the others. */
    readonly recordAll: (limit: number) => Effect.Effect<number>
  }
>()("deals/offers/Expiry") {
  static readonly layer = Layer.effect(Expiry, make)
}
