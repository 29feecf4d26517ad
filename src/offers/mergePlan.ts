/** The pure decision on the offers of prospects that become one (docs/behaviour/offers.md#cascades). */
import type { ProspectMove } from "../prospects/ProspectState.ts"
import type { OfferState, StoredOffer } from "./OfferState.ts"

/** What happens to the offers: the survivor's, which take over what the investor did, and those that are removed. */
export interface OfferMerge {
  readonly moved: ReadonlyArray<{
    readonly stored: StoredOffer
    readonly state: OfferState
    readonly isVisible: boolean
  }>
  readonly withdrawn: ReadonlyArray<StoredOffer>
}

/** Takes over the answer of another offer of the same team: an acceptance counts more than a rejection, and that more than none. */
const withAnswerOf = (state: OfferState, { answer, answeredAt, rejectionReason }: OfferState): OfferState =>
  answer === "accepted" && state.answer !== "accepted" ? { ...state, answer, answeredAt, rejectionReason } : state

/**
 * Plans the merge of offers: each follows its prospect, unless the team has an offer of the survivor; then that one stays, with an
 * acceptance of either, and the other one is removed.
 */
export const planMerge = (offers: ReadonlyArray<StoredOffer>, moves: ReadonlyArray<ProspectMove>): OfferMerge => {
  const survivorOf = new Map(moves.map(({ from, to }) => [from, to]))
  const kept = new Map<string, { readonly stored: StoredOffer; readonly state: OfferState }>()
  const withdrawn: Array<StoredOffer> = []
  const isSurvivors = ({ state }: StoredOffer) => !survivorOf.has(state.prospectId ?? "")
  for (const stored of offers.toSorted((a, b) => Number(isSurvivors(b)) - Number(isSurvivors(a)))) {
    const prospectId = survivorOf.get(stored.state.prospectId ?? "") ?? stored.state.prospectId
    const key = `${stored.teamId} ${prospectId}`
    const other = kept.get(key)
    if (other === undefined) {
      const state = prospectId === stored.state.prospectId ? stored.state : { ...stored.state, prospectId }
      kept.set(key, { stored, state })
    } else {
      kept.set(key, { ...other, state: withAnswerOf(other.state, stored.state) })
      withdrawn.push(stored)
    }
  }
  const moved = [...kept.values()].filter(({ state, stored }) => state !== stored.state)
  return { moved: moved.map((one) => ({ ...one, isVisible: one.state.answer !== one.stored.state.answer })), withdrawn }
}
