/** The pure decision on the offers of prospects that become one (docs/behaviour/offers.md#cascades). */
import { Result } from "effect"
import type { OfferState, StoredOffer } from "./Offer.ts"
import { apply, statusOf } from "./rules.ts"

/** Prospects that became part of others, by their UUIDs. */
export interface MergedProspects {
  readonly moves: ReadonlyArray<{ readonly from: string; readonly to: string }>
  /** Those of them whose offers stay behind: somebody took them off the list, and the other one is on it. */
  readonly suspended: ReadonlySet<string>
  /** Those of the others that are not on the list. */
  readonly removed: ReadonlySet<string>
}

/** An offer with its state after a merge. */
export interface MergedOffer {
  readonly stored: StoredOffer
  readonly state: OfferState
}

/** What happens to the offers. */
export interface OfferMerge {
  /** The one of each team that stays, with what it takes over from the others. */
  readonly kept: ReadonlyArray<MergedOffer>
  /** The others, which are removed. */
  readonly withdrawn: ReadonlyArray<MergedOffer>
  /** The offers (UUIDs) whose files another one takes over. */
  readonly files: ReadonlyArray<{ readonly from: string; readonly to: string }>
  /** The prospects (UUIDs) that have invitations, and those of them that can answer one. */
  readonly invitations: { readonly of: ReadonlyArray<string>; readonly invited: ReadonlySet<string> }
}

/** How removed an offer is: not at all, by the investor, by the broker, or by both. */
const removalOf = ({ removedAt, withdrawnAt }: OfferState): number =>
  (withdrawnAt === null ? 0 : 2) + (removedAt === null ? 0 : 1)

/** Takes over an acceptance. A rejection stays with the offer that was rejected. */
const withAnswerOf = (state: OfferState, { answer, answeredAt, rejectionReason }: OfferState): OfferState =>
  answer === "accepted" && state.answer !== "accepted" ? { ...state, answer, answeredAt, rejectionReason } : state

const isOver = ({ expiresAt }: OfferState, at: Date): boolean => expiresAt !== null && expiresAt <= at

const isLaterEnd = (a: Date | null, b: Date | null): boolean => b !== null && (a === null || a > b)

/** Takes over the end if it leaves more time for an answer, or is that of the teaser that comes with it. */
const withEndOf = (state: OfferState, other: OfferState, at: Date): OfferState => {
  if (state.answer !== null || other.answer !== null || isOver(other, at)) return state
  const isTaken =
    isOver(state, at) ||
    (state.category === other.category ? isLaterEnd(other.expiresAt, state.expiresAt) : other.category === "buying")
  return isTaken ? { ...state, expiresAt: other.expiresAt, expiredAt: other.expiredAt } : state
}

/** Takes over the teaser if there was none. */
const withTeaserOf = (state: OfferState, { category, projection }: OfferState): OfferState =>
  state.category === "invitation" && category === "buying" ? { ...state, category, projection } : state

/** Takes over what the investor did with another offer of the team, and what it showed unless it is further removed. */
const takeOver = (state: OfferState, other: OfferState, at: Date): OfferState => {
  const answered = withAnswerOf(state, other)
  return removalOf(state) === removalOf(other) ? withTeaserOf(withEndOf(answered, other, at), other) : answered
}

const withdraw = (state: OfferState, at: Date): OfferState => Result.getOrThrow(apply(state, { type: "withdraw" }, at))

const ofProspect = (state: OfferState, prospectId: string): OfferState =>
  state.prospectId === prospectId ? state : { ...state, prospectId }

/**
 * Plans the merge of the offers of all these prospects. Each follows its prospect. Of several of one team, one stays: one that the investor
 * can see before a removed one, then the survivor's, then an accepted one, then the oldest. It takes over an acceptance, a teaser and a
 * later end, and the others are removed. Offers of a `suspended` prospect stay behind.
 */
export const planMerge = (
  offers: ReadonlyArray<StoredOffer>,
  { moves, removed, suspended }: MergedProspects,
  at: Date
): OfferMerge => {
  const survivorOf = new Map(moves.map(({ from, to }) => [from, to]))
  const prospectOf = ({ state }: StoredOffer) => state.prospectId ?? ""
  const targetOf = (offer: StoredOffer) => survivorOf.get(prospectOf(offer)) ?? prospectOf(offer)
  const order = (a: StoredOffer, b: StoredOffer) =>
    removalOf(a.state) - removalOf(b.state) ||
    Number(survivorOf.has(prospectOf(a))) - Number(survivorOf.has(prospectOf(b))) ||
    Number(b.state.answer === "accepted") - Number(a.state.answer === "accepted") ||
    a.createdAt.getTime() - b.createdAt.getTime() ||
    (a.uuid < b.uuid ? -1 : 1)

  const kept: Array<MergedOffer> = []
  const withdrawn: Array<MergedOffer> = []
  const files: Array<OfferMerge["files"][number]> = []
  const taken: Array<StoredOffer> = []
  for (const stored of offers) {
    if (!suspended.has(prospectOf(stored))) taken.push(stored)
    else withdrawn.push({ stored, state: withdraw(stored.state, at) })
  }
  for (const ofTeam of Map.groupBy(taken, (offer) => `${offer.teamId} ${targetOf(offer)}`).values()) {
    const [stored, ...others] = ofTeam.toSorted(order)
    if (stored === undefined) continue
    const target = targetOf(stored)
    const merged = ofProspect(
      others.reduce((state, other) => takeOver(state, other.state, at), stored.state),
      target
    )
    kept.push({ stored, state: removed.has(target) ? withdraw(merged, at) : merged })
    for (const other of others) {
      // The survivor's own gives way: a team has one offer of a prospect.
      const left = prospectOf(other) === target ? prospectOf(stored) : prospectOf(other)
      withdrawn.push({ stored: other, state: withdraw(ofProspect(other.state, left), at) })
      files.push({ from: other.uuid, to: stored.uuid })
    }
  }

  /** Whether an offer can be answered as an invitation, at the latest when its prospect is back on the list. */
  const isInvited = ({ state }: MergedOffer) =>
    state.category === "invitation" &&
    statusOf(removed.has(state.prospectId ?? "") ? { ...state, withdrawnAt: null } : state, at) === "pending"
  const of = new Set(taken.filter(({ state }) => state.category === "invitation").map(targetOf))
  const invited = new Set(kept.filter(isInvited).map(({ state }) => state.prospectId ?? ""))
  return { kept, withdrawn, files, invitations: { of: [...of], invited } }
}
