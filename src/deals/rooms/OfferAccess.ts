/** The rooms that offers show their investors. */
import { Effect, Layer } from "effect"
import * as Id from "../../core/Id.ts"
import { OfferRooms } from "../offers/OfferRooms.ts"
import { AccessRepo } from "./AccessRepo.ts"

/** The rooms of prospects, for the module of offers: of several, the one with the latest grant. */
export const layer = Layer.effect(
  OfferRooms,
  Effect.map(AccessRepo, (repo) =>
    OfferRooms.of({
      accessOf: (members, now) =>
        Effect.map(
          repo.readableBy(members, now),
          // The first of a prospect wins: entries later in the list come first here.
          (found) =>
            new Map(
              found
                .toReversed()
                .map(({ prospectUuid, roomUuid }) => [prospectUuid, Id.fromUuid("room", roomUuid)] as const)
            )
        )
    })
  )
)
