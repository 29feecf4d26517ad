/** Offers over HTTP: who receives them, what they show, and what the answers do. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestService } from "../support/TestService.ts"
import { deal } from "./OffersClient.ts"

layer(TestService.layer, { excludeTestServices: true })("An offer", (it) => {
  it.effect("reaches the investor when the teaser is communicated, and shows the teaser alone", () =>
    Effect.gen(function* () {
      const { buyer, offerId, prospect, seller } = yield* deal()
      const [offer] = yield* buyer.offers()
      assert.deepInclude(offer, {
        id: offerId,
        status: "unanswered",
        category: "buying",
        capabilities: [],
        brokerContact: null,
        recipient: { id: buyer.user, name: "Anna Berg" },
        roomId: null,
        matchedMandateIds: [],
        readUtc: null,
        answeredUtc: null,
        rejectionReason: null
      })
      assert.deepInclude(offer?.teaser, { title: "Office, Germany", country: "DE", region: null, locality: null })
      const after = yield* seller.prospect(prospect.id)
      assert.deepInclude(after, { stage: "teaser", communicated: true, accepted: false, chat: false })
    })
  )
})
