/** What happens to offers when prospects leave the list, come back, or become one (docs/behaviour/offers.md#cascades). */
import { Effect, Layer } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import { OfferFiles } from "../../content/files/OfferFiles.ts"
import { Invitations } from "../prospects/Invitations.ts"
import { ProspectOffers } from "../prospects/ProspectOffers.ts"
import type { MergedProspects } from "../prospects/ProspectState.ts"
import { CommunicationsRepo } from "./CommunicationsRepo.ts"
import { OfferChanges } from "./OfferChanges.ts"
import { OffersRepo } from "./OffersRepo.ts"
import { planMerge } from "./mergePlan.ts"

const make = Effect.gen(function* () {
  const repo = yield* OffersRepo
  const communications = yield* CommunicationsRepo
  const changes = yield* OfferChanges
  const files = yield* OfferFiles
  const invitations = yield* Invitations

  const removed = Effect.fn("ProspectCascades.removed")(function* (change: Change, prospects: ReadonlyArray<string>) {
    if (prospects.length === 0) return
    yield* changes.moveAll(change, yield* repo.lockOf(change.actor.teamId, { prospects }), () => ({ type: "withdraw" }))
  })

  const restored = Effect.fn("ProspectCascades.restored")(function* (change: Change, prospects: ReadonlyArray<string>) {
    if (prospects.length === 0) return
    yield* communications.holdInvestors()
    yield* changes.moveAll(change, yield* repo.lockOf(change.actor.teamId, { prospects }), () => ({ type: "restore" }))
    // For those who became investors in the meantime.
    yield* changes.receiveRestored(change, prospects)
  })

  const merged = Effect.fn("ProspectCascades.merged")(function* (change: Change, prospects: MergedProspects) {
    const { moves, suspended } = prospects
    if (moves.length === 0) return
    const { teamId } = change.actor
    yield* communications.move(
      teamId,
      moves.filter(({ from }) => !suspended.has(from))
    )
    const uuids = [...new Set(moves.flatMap(({ from, to }) => [from, to]))]
    const plan = planMerge(yield* repo.lockOf(teamId, { prospects: uuids }), prospects, change.at)
    yield* changes.merge(change, plan)
    yield* files.move(change, plan.files)
    // Survivors were given the invitations of all, and some of these did not stay.
    const { invited, of } = plan.invitations
    if (of.length > 0) yield* invitations.write(change, of, invited)
  })

  return ProspectOffers.of({ removed, restored, merged })
})

/** The offers of prospects, for the module of prospects. */
export const layer = Layer.effect(ProspectOffers, make)
