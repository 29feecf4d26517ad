/** The moves by which a broker records a milestone: docs/behaviour/messages.md#moves. */
import * as Mutation from "../../core/mutation/Mutation.ts"
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import { Context, Effect, Layer } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import { all, type Input } from "../../core/usecase/Input.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { Bid } from "./Bid.ts"
import { BidsRepo } from "./BidsRepo.ts"
import { Prospects, requireOnList } from "./Prospects.ts"
import type { ProspectState } from "./ProspectState.ts"
import { ProspectWrites } from "./ProspectWrites.ts"
import { type Decision, reachMilestone, recordBid } from "./rules.ts"

const decodeBid = UnvalidatedJson.decoder(Bid)

const make = Effect.gen(function* () {
  const prospects = yield* Prospects
  const writes = yield* ProspectWrites
  const bids = yield* BidsRepo
  const mutation = yield* Mutation.make

  /** Writes what a move makes of a prospect that is on the list, once for each idempotency key. Answers the prospect. */
  const record = <A>(
    id: string,
    request: UseCaseRequest,
    decode: (body: UnvalidatedJson.UnvalidatedJson) => Input<A>,
    write: (change: Change, input: A) => Effect.Effect<(state: ProspectState) => Decision>
  ) =>
    mutation.create({
      request,
      authorize: "broker",
      load: (actor) => prospects.loadById(actor, id),
      decide: ({ body, loaded }) =>
        all(request.query, decode(body), request.idempotencyKey).pipe(
          Effect.map(([, input, key]) => ({ input, key })),
          Effect.tap(requireOnList(loaded))
        ),
      commit: (creation) =>
        mutation.once(creation, (change) =>
          Effect.gen(function* () {
            const decide = yield* write(change, creation.decision.input)
            yield* writes.updateOnList(change, creation.loaded, (state) =>
              Effect.succeed({ ...decide(state), value: undefined })
            )
            return yield* prospects.getById(id)
          })
        )
    })

  /** Records that the information memorandum was shared. */
  const shareMemorandum = Effect.fn("Milestones.shareMemorandum")((id: string, request: UseCaseRequest) =>
    record(
      id,
      request,
      () => Effect.void,
      (change) => Effect.succeed((state) => reachMilestone(state, "im_shared", change.at.toISOString()))
    )
  )

  /** Records a bid. Its amount is the broker's alone. */
  const receiveBid = Effect.fn("Milestones.receiveBid")((id: string, request: UseCaseRequest) =>
    record(id, request, decodeBid, (change, bid) =>
      Effect.gen(function* () {
        const rowUuid = yield* change.newId
        yield* bids.insert(change, rowUuid, bid)
        return (state) => recordBid(state, bid, rowUuid, change.at.toISOString())
      })
    )
  )

  return { shareMemorandum, receiveBid }
})

/** Records milestones. The use-cases need the `broker` capability. */
export class Milestones extends Context.Service<Milestones, Effect.Success<typeof make>>()(
  "deals/prospects/Milestones"
) {
  static readonly layer = Layer.effect(Milestones, make)
}
