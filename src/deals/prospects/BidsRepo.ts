/** The SQL of bids. Their rows belong to rows of timelines. */
import { Context, Effect, Layer } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import type { Bid } from "./Bid.ts"

/** The amounts of bids. */
export class BidsRepo extends Context.Service<
  BidsRepo,
  {
    /** Keeps the amount of a bid, of which the timeline row with this UUID tells. */
    readonly insert: (change: Change, actionUuid: string, bid: Bid) => Effect.Effect<void>
  }
>()("deals/prospects/BidsRepo") {
  static readonly layer = Layer.effect(
    BidsRepo,
    Effect.gen(function* () {
      const sql = yield* Database

      const insert = Effect.fn("BidsRepo.insert")(function* (
        change: Change,
        actionUuid: string,
        { amount, currency }: Bid
      ) {
        yield* orDie(sql`
          insert into bids (action_id, team_id, amount, currency, created_at)
          values (${actionUuid}, ${change.actor.teamId}, ${amount}, ${currency}, ${change.at})`)
      })

      return BidsRepo.of({ insert })
    })
  )
}
