/** Writes of offers, and on their timelines, inside a running change (docs/behaviour/offers.md#cascades). */
import { Context, Effect, Layer, Result } from "effect"
import { type Change, inTeams } from "../../core/mutation/Changes.ts"
import { CommunicationsRepo, type Receivable } from "./CommunicationsRepo.ts"
import { createdRecord, isChat, movedRecord, type OfferRow, rowRecord } from "./entries.ts"
import { apply, type OfferMerge, type OfferMove, type RecordedMove, statusOf } from "./rules.ts"
import type { OfferState, OfferStatus, StoredOffer } from "./Offer.ts"
import { OffersRepo } from "./OffersRepo.ts"
import type { Actor } from "../../core/auth/CurrentActor.ts"
import { now } from "../../platform/Time.ts"
import { byId } from "../../core/usecase/UseCaseRequest.ts"
import { NotFound } from "../../core/usecase/Problem.ts"

/** A locked offer with the state that a move or a merge leads to. */
export interface MovedOffer {
  readonly stored: StoredOffer
  readonly state: OfferState
  readonly move: RecordedMove
}

/** An offer as its investor's moves need it, by UUIDs; the members but the first are the broker's. */
export interface OfferRef {
  readonly offerUuid: string
  readonly prospectUuid: string
  readonly projectUuid: string
  readonly brokerTeamId: string
  /** Who has the address. */
  readonly userUuid: string
  readonly status: OfferStatus
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

  /**
   * Moves locked offers, whosever they are; those that cannot be moved stay as they are. Nobody is named to their teams. Returns how
   * many.
   */
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

  // What access, rooms, questions and messages write on the timelines of offers.

  /**
   * Writes a row on the timelines of the offers of these prospects (UUIDs), in the teams of their investors, and sends them
   * `offer.updated`. `change` is that of the broker's team. Offers whose prospect left the list get none, and chat is only for accepted
   * ones.
   */
  const tell = Effect.fn("OfferChanges.tell")(function* (
    change: Change,
    prospectUuids: ReadonlyArray<string>,
    row: OfferRow
  ) {
    const offers = yield* repo.findOf(change.actor.teamId, { prospects: prospectUuids })
    const reached = offers.filter(
      ({ state }) => state.withdrawnAt === null && (!isChat(row) || state.answer === "accepted")
    )
    const of = yield* inTeams(
      change,
      reached.map(({ teamId }) => teamId)
    )
    for (const { teamId, uuid } of reached) of(teamId).record(rowRecord(uuid, row))
  })

  /**
   * As {@link tell}, for something that the investor does, whose change it is: a row on the one offer, with the UUID `rowUuid` if it is
   * given.
   */
  const tellOwn = Effect.fn("OfferChanges.tellOwn")(
    (change: Change, { offerUuid }: OfferRef, row: OfferRow, rowUuid?: string) =>
      Effect.sync(() => change.record(rowRecord(offerUuid, row, rowUuid)))
  )

  /** An offer of the actor's team, by its id. `actor` is authorized already. */
  const offerRef = Effect.fn("OfferChanges.offerRef")(function* (actor: Actor, offerId: string) {
    const { state, uuid } = yield* byId("offer", offerId, (uuid) => repo.find(actor.teamId, uuid))
    if (state.prospectId === null) return yield* new NotFound({ detail: "The seller's offer has no prospect." })
    const ref: OfferRef = {
      offerUuid: uuid,
      prospectUuid: state.prospectId,
      projectUuid: state.projectId,
      brokerTeamId: state.brokerTeamId,
      userUuid: state.userId,
      status: statusOf(state, yield* now)
    }
    return ref
  })

  return { writeOwn, moveAll, merge, insert, withdraw, restore, tell, tellOwn, offerRef }
})

/** Writes offers and their timelines, for use-cases that have authorized their caller. */
export class OfferChanges extends Context.Service<OfferChanges, Effect.Success<typeof make>>()(
  "deals/offers/OfferChanges"
) {
  static readonly layer = Layer.effect(OfferChanges, make).pipe(
    Layer.provide([CommunicationsRepo.layer, OffersRepo.layer])
  )
}
