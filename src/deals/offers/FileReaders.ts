/** Who reads the files that a broker and an investor share: docs/behaviour/messages.md. */
import { Effect, Layer } from "effect"
import type { Actor } from "../../core/auth/CurrentActor.ts"
import { type FileOfTeam, SharedFiles } from "../../content/files/FileReaders.ts"
import { OffersRepo } from "./OffersRepo.ts"
import type { OfferState } from "./Offer.ts"

/** Whether the team of an offer reads what was shared with it: once accepted, until the prospect leaves the broker's list. */
const readsSharedFiles = ({ answer, withdrawnAt }: OfferState): boolean => answer === "accepted" && withdrawnAt === null

const make = Effect.gen(function* () {
  const offers = yield* OffersRepo

  const canRead = Effect.fn("SharedFiles.canRead")(function* (actor: Actor, { subject, teamId }: FileOfTeam) {
    if (subject.type === "offer") {
      const offer = yield* offers.find(actor.teamId, subject.id)
      return offer !== undefined && readsSharedFiles(offer.state)
    }
    const shared = yield* offers.findOf(teamId, { prospects: [subject.id] })
    return shared.some((offer) => offer.teamId === actor.teamId && readsSharedFiles(offer.state))
  })

  return SharedFiles.of({ canRead })
})

/** The investors who read shared files. */
export const layer = Layer.effect(SharedFiles, make)
