/** Writes of offers inside a running change (docs/behaviour/offers.md#cascades). */
import { Context, Effect, Layer, Result } from "effect"
import { type Change, inTeams } from "../../core/mutation/Changes.ts"
import { CommunicationsRepo, type Receivable } from "./CommunicationsRepo.ts"
import { createdRecord, movedRecord } from "./entries.ts"
import { apply, type OfferMerge, type OfferMove, type RecordedMove } from "./rules.ts"
import type { OfferState, StoredOffer } from "./Offer.ts"
import { OffersRepo } from "./OffersRepo.ts"

/** A locked offer with the state that a move or a merge leads to. */
export interface MovedOffer {
  readonly stored: StoredOffer
  readonly state: OfferState
  readonly move: RecordedMove
}

const newState = ({
  brokerTeamId,
  category,
  expiresAt,
  projectId,
  projection,
  prospectId,
  userId
}: Receivable): OfferState => ({
  userId,
  brokerTeamId,
  projectId,
  prospectId,
  category,
  projection,
  readAt: null,
  answer: null,
  answeredAt: null,
  rejectionReason: null,
  expiresAt,
  expiredAt: null,
  removedAt: null,
  withdrawnAt: null,
  closedAt: null
})

const make = Effect.gen(function* () {
  const repo = yield* OffersRepo
  const communications = yield* CommunicationsRepo

  /** Writes moved offers and records them: those of the investor whose change it is, or with the change as it is for their teams. */
  const write = Effect.fnUntraced(function* (change: Change, moved: ReadonlyArray<MovedOffer>, isOwn: boolean) {
    const written = moved
      .filter(({ state, stored }) => state !== stored.state)
      .map(({ move, state, stored }) => ({
        stored,
        state,
        record: movedRecord(stored.uuid, move, { before: stored.state, after: state, at: change.at })
      }))
    yield* repo.update(
      change,
      written.map(({ record, state, stored }) => ({ stored, state, isVisible: record !== undefined }))
    )
    const visible = written.flatMap(({ record, stored: { teamId } }) =>
      record === undefined ? [] : [{ record, teamId }]
    )
    const changeOf = isOwn
      ? () => change
      : yield* inTeams(
          change,
          visible.map(({ teamId }) => teamId)
        )
    for (const { record, teamId } of visible) changeOf(teamId).record(record)
    return written.length
  })

  /** Writes moves of the investor, whose change it is. */
  const writeOwn = Effect.fn("OfferChanges.writeOwn")((change: Change, moved: MovedOffer) =>
    write(change, [moved], true)
  )

  /** Moves locked offers, whosever they are; those that cannot be moved stay as they are. Nobody is named to their teams. Returns how many. */
  const moveAll = Effect.fn("OfferChanges.moveAll")(function* (
    change: Change,
    locked: ReadonlyArray<StoredOffer>,
    moveOf: (stored: StoredOffer) => OfferMove
  ) {
    const moved = locked.flatMap((stored): ReadonlyArray<MovedOffer> => {
      const move = moveOf(stored)
      const state = apply(stored.state, move, change.at)
      return Result.isSuccess(state) ? [{ stored, state: state.success, move }] : []
    })
    return yield* write(change, moved, false)
  })

  /** Writes the locked offers of prospects that became one. Nobody is named to their teams. */
  const merge = Effect.fn("OfferChanges.merge")(function* (change: Change, { kept, withdrawn }: OfferMerge) {
    yield* repo.makeRoom(
      change,
      withdrawn.filter(({ state, stored }) => state.prospectId !== stored.state.prospectId).map(({ stored }) => stored)
    )
    const moved = (merged: OfferMerge["kept"], move: RecordedMove) => merged.map((one) => ({ ...one, move }))
    yield* write(change, moved(kept, { type: "merge" }), false)
    yield* write(change, moved(withdrawn, { type: "withdraw" }), false)
  })

  /** Makes the offers of `receivable`, which somebody can receive and has not got yet, in their teams. */
  const insert = Effect.fn("OfferChanges.insert")(function* (change: Change, receivable: ReadonlyArray<Receivable>) {
    const offers = []
    for (const one of receivable) {
      offers.push({ uuid: yield* change.newId, teamId: one.teamId, state: newState(one) })
    }
    const inserted = yield* repo.insert(change, offers)
    const changeOf = yield* inTeams(
      change,
      inserted.map(({ teamId }) => teamId)
    )
    for (const { teamId, uuid } of inserted) changeOf(teamId).record(createdRecord(uuid))
  })

  /** Withdraws the offers of prospects (UUIDs) that left the list, or were deleted. */
  const withdraw = Effect.fn("OfferChanges.withdraw")(function* (change: Change, prospects: ReadonlyArray<string>) {
    if (prospects.length === 0) return
    yield* moveAll(change, yield* repo.lockOf(change.actor.teamId, { prospects }), () => ({ type: "withdraw" }))
  })

  /** Makes the offers of prospects (UUIDs) that are back on the list what they were. The change has locked the prospects. */
  const restore = Effect.fn("OfferChanges.restore")(function* (change: Change, prospects: ReadonlyArray<string>) {
    if (prospects.length === 0) return
    const { teamId } = change.actor
    yield* communications.holdInvestors()
    yield* moveAll(change, yield* repo.lockOf(teamId, { prospects }), () => ({ type: "restore" }))
    // For those who became investors in the meantime. The prospects keep what they say of invitations.
    yield* insert(change, yield* communications.receivable(teamId, { prospects }, change.at))
  })

  return { writeOwn, moveAll, merge, insert, withdraw, restore }
})

/** Writes offers, for the use-cases that change them. */
export class OfferChanges extends Context.Service<OfferChanges, Effect.Success<typeof make>>()(
  "deals/offers/OfferChanges"
) {
  static readonly layer = Layer.effect(OfferChanges, make)
}
