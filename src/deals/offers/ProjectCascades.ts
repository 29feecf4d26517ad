/** What happens to offers when their project is closed or deleted, or comes back (docs/behaviour/offers.md#cascades). */
import { Effect, Layer } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import { Invitations } from "../prospects/Invitations.ts"
import { ProjectOffers } from "../projects/ProjectOffers.ts"
import { CommunicationsRepo } from "./CommunicationsRepo.ts"
import { OfferChanges } from "./OfferChanges.ts"
import { OffersRepo } from "./OffersRepo.ts"
import type { OfferMove } from "./rules.ts"

const make = Effect.gen(function* () {
  const repo = yield* OffersRepo
  const communications = yield* CommunicationsRepo
  const changes = yield* OfferChanges
  const invitations = yield* Invitations

  const moveAll = Effect.fnUntraced(function* (change: Change, project: string, move: OfferMove) {
    const { teamId } = change.actor
    const invited = (yield* repo.findOf(teamId, { project })).flatMap(({ state: { category, prospectId } }) =>
      category === "invitation" && prospectId !== null ? [prospectId] : []
    )
    yield* invitations.lock(change, invited)
    yield* changes.moveAll(change, yield* repo.lockOf(teamId, { project }), () => move)
    yield* changes.followInvitations(change, invited)
  })

  const closed = Effect.fn("ProjectCascades.closed")((change: Change, projectUuid: string) =>
    moveAll(change, projectUuid, { type: "close" })
  )

  const reopened = Effect.fn("ProjectCascades.reopened")(function* (change: Change, projectUuid: string) {
    yield* communications.holdInvestors()
    yield* moveAll(change, projectUuid, { type: "reopen" })
    // For those who became investors in the meantime.
    yield* changes.receive(change, { project: projectUuid })
  })

  return ProjectOffers.of({ closed, reopened })
})

/** The offers of projects, for the module of projects. */
export const layer = Layer.effect(ProjectOffers, make)
