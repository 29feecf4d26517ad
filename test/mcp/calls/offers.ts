import { Effect } from "effect"
import { Database } from "../../../src/platform/db/Database.ts"
import * as OffersClient from "../../deals/offers/OffersClient.ts"
import type { Calls, World } from "./Call.ts"

/** A new offer of the world: the teaser of another team, communicated to the user. */
export const anOffer = Effect.fnUntraced(function* ({ userId }: Pick<World, "userId">) {
  const sql = yield* Database
  yield* Effect.orDie(sql`update users set email_confirmed = true where id = ${userId}`)
  const seller = yield* OffersClient.broker()
  yield* seller.prospectFor(`${userId}@example.com`)
  const { communicated } = yield* Effect.orDie(seller.communicate())
  return communicated[0]?.offerIds[0] ?? ""
})

export const offers: Calls = {
  list_offers: () => Effect.succeed({ filter: "active" }),
  get_offer: (world) => Effect.map(anOffer(world), (offer) => ({ offer }))
}
