/** Writes of offers inside a running change, and what they mean for the prospects of the broker. */
import { Context, Effect, Layer, Result } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import { crossInto, inTeams } from "../../core/mutation/Crossing.ts"
import { Invitations } from "../prospects/Invitations.ts"
import { CommunicationsRepo, type Receivable, type SentOf } from "./CommunicationsRepo.ts"
import { createdRecord, movedRecord } from "./entries.ts"
import type { OfferMerge } from "./mergePlan.ts"
import type { OfferState, StoredOffer } from "./OfferState.ts"
import { OffersRepo } from "./OffersRepo.ts"
import { apply, type OfferMove, type RecordedMove } from "./rules.ts"

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
  const invitations = yield* Invitations

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

  /**
   * Brings `invitation` of prospects (UUIDs) up to date: whether they have an invitation that can be answered. `change` is that of the
   * broker's team, and has locked the prospects before any offer.
   */
  const followInvitations = Effect.fn("OfferChanges.followInvitations")(function* (
    change: Change,
    uuids: ReadonlyArray<string>
  ) {
    if (uuids.length === 0) return
    yield* invitations.write(change, uuids, yield* repo.invited(change.actor.teamId, uuids, change.at))
  })

  /** Makes the offers that somebody can receive and has not got yet, in their teams; returns the invited prospects of each broker's team. */
  const create = Effect.fnUntraced(function* (change: Change, of: SentOf) {
    const receivable = yield* communications.receivable(change.actor.teamId, of, change.at)
    const invitedOf = Map.groupBy(
      receivable.filter(({ category }) => category === "invitation"),
      ({ brokerTeamId }) => brokerTeamId
    )
    const uuidsOf = (some: ReadonlyArray<Receivable>) => some.flatMap(({ prospectId }) => prospectId ?? [])
    // All at once, before the first of them locks anything.
    yield* inTeams(change, [...invitedOf.keys()])
    for (const [teamId, some] of invitedOf) {
      yield* crossInto(change, teamId, (ofBroker) => invitations.lock(ofBroker, uuidsOf(some)))
    }
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
    return [...invitedOf].map(([teamId, some]) => ({ teamId, uuids: uuidsOf(some) }))
  })

  /** Makes the offers that somebody can receive and has not got yet, in their teams. */
  const receive = Effect.fn("OfferChanges.receive")(function* (change: Change, of: SentOf) {
    for (const { teamId, uuids } of yield* create(change, of)) {
      yield* crossInto(change, teamId, (ofBroker) => followInvitations(ofBroker, uuids))
    }
  })

  /** As {@link receive}, of prospects that the change restores, which keep what they say of invitations. */
  const receiveRestored = Effect.fn("OfferChanges.receiveRestored")(
    (change: Change, prospects: ReadonlyArray<string>) => Effect.asVoid(create(change, { prospects }))
  )

  return { writeOwn, moveAll, merge, followInvitations, receive, receiveRestored }
})

/** Writes offers, for the use-cases and cascades that change them. */
export class OfferChanges extends Context.Service<OfferChanges, Effect.Success<typeof make>>()(
  "deals/offers/OfferChanges"
) {
  static readonly layer = Layer.effect(OfferChanges, make)
}
