/** The offers that waited for somebody to become an investor (docs/behaviour/offers.md#recipients). */
import { Effect, Layer } from "effect"
import { operatorOf } from "../../core/auth/Operator.ts"
import { Changes } from "../../core/mutation/Changes.ts"
import { NewInvestors } from "../../identity/teams/Teams.ts"
import { CommunicationsRepo } from "./CommunicationsRepo.ts"
import { OfferChanges } from "./OfferChanges.ts"

const make = Effect.gen(function* () {
  const communications = yield* CommunicationsRepo
  const offers = yield* OfferChanges
  const changes = yield* Changes

  const arrived = Effect.fn("Arrivals.arrived")((user: string) =>
    changes.commit(
      operatorOf(),
      Effect.fnUntraced(function* (change) {
        // What is being sent now was addressed before the user was an investor.
        yield* communications.holdCommunications()
        yield* offers.receive(change, { user })
      })
    )
  )

  return NewInvestors.of({ arrived })
})

/** The offers of new investors, for the module of users. */
export const layer = Layer.effect(NewInvestors, make)
