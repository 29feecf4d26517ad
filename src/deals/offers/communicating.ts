/** The pure decisions on communicating a teaser (docs/behaviour/offers.md#communicating). */
import type { Address, SentTo } from "./Communication.ts"
import type { Projection } from "../teasers/projection/Projection.ts"
import type { OfferState } from "./OfferState.ts"
import { isSameEnd, isSameProjection } from "./rules.ts"

/** For how long an offer can be answered by default. */
export const defaultDays = 30

/** A communication: what it shows, until when it can be answered if the broker said so, and its time. */
export interface Communicating {
  readonly projectId: string
  readonly projection: Projection
  readonly end: Date | undefined
  readonly at: Date
}

/** The end of an offer: what the broker says, else the end that it has, unless it is over, else the default. */
const endAfter = (
  present: Pick<OfferState, "category" | "expiresAt"> | undefined,
  { at, end }: Pick<Communicating, "at" | "end">
): Date => {
  if (end !== undefined) return end
  const current = present?.category === "invitation" ? null : (present?.expiresAt ?? null)
  return current !== null && current > at ? current : new Date(at.getTime() + defaultDays * 86_400_000)
}

/** The move of an offer whose prospect is communicated again. */
export const moveOf = (state: OfferState, communicating: Communicating) =>
  ({
    type: "communicate",
    projection: communicating.projection,
    expiresAt: endAfter(state, communicating)
  }) as const

/** What has to be sent to addresses that got `sent` before: nothing to those that got the same. */
export const toSend = (
  addresses: ReadonlyArray<Address>,
  sent: ReadonlyArray<SentTo>,
  communicating: Communicating
): ReadonlyArray<SentTo> => {
  const before = new Map(sent.map((one) => [`${one.prospectId} ${one.email}`, one]))
  return addresses.flatMap(({ email, prospectId }) => {
    const present = before.get(`${prospectId} ${email}`)
    const expiresAt = endAfter(present, communicating)
    const isSame =
      present?.category === "buying" &&
      isSameProjection(present.projection, communicating.projection) &&
      isSameEnd(present.expiresAt, expiresAt)
    const { projectId, projection } = communicating
    return isSame ? [] : [{ email, projectId, prospectId, category: "buying" as const, projection, expiresAt }]
  })
}
