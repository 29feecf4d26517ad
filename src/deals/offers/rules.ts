/** The pure decisions on offers (docs/behaviour/offers.md#status). */
import * as Id from "../../core/Id.ts"
import { Result } from "effect"
import type { Address, Offer, OfferState, OfferStatus, SentTo, StoredOffer } from "./Offer.ts"
import type { Projection } from "../teasers/projection/Projection.ts"
import { inLanguage } from "../teasers/projection/title.ts"

/** What a status follows from. */
type StatusSources = Pick<OfferState, "answer" | "category" | "closedAt" | "expiresAt" | "removedAt" | "withdrawnAt">

/** The status at a time. Only a removal hides that the project was closed, and an answer stays valid after the end of an offer. */
export const statusOf = (state: StatusSources, now: Date): OfferStatus => {
  if (state.removedAt !== null || state.withdrawnAt !== null) return "removed"
  if (state.closedAt !== null) return "closed"
  if (state.answer !== null) return state.answer
  if (state.expiresAt !== null && state.expiresAt <= now) return "expired"
  return state.category === "buying" ? "unanswered" : "pending"
}

/** Whether the team of an offer reads what was shared with it: once accepted, until the prospect leaves the broker's list. */
export const sharesFiles = ({ answer, withdrawnAt }: Pick<OfferState, "answer" | "withdrawnAt">): boolean =>
  answer === "accepted" && withdrawnAt === null

/** What happens to an offer. */
export type OfferMove =
  | { readonly type: "accept" }
  | { readonly type: "reject"; readonly reason: string | null }
  /** The job records that the offer ended without an answer. */
  | { readonly type: "expire" }
  /** The investor removes it. */
  | { readonly type: "remove" }
  /** The prospect leaves the broker's list, or comes back. */
  | { readonly type: "withdraw" }
  | { readonly type: "restore" }
  /** The project is closed or deleted, or comes back. */
  | { readonly type: "close" }
  | { readonly type: "reopen" }
  /** The teaser is communicated again, or for the first time after an invitation. */
  | { readonly type: "communicate"; readonly projection: Projection; readonly expiresAt: Date | null }

/** What is recorded of an offer: a move, or that it took something over from another offer of its team (mergePlan.ts). */
export type RecordedMove = OfferMove | { readonly type: "merge" }

/** Why a move is refused: the investor gave the other answer, or the offer is removed, closed or expired. */
export type Refusal = "answered" | "not_open"

/**
 * The status that each move leads to. The same status: nothing changes, but for `communicate`, which shows the present teaser.
 * `as_before`: the status that the offer had before it was removed or closed. `open`: it can be answered again.
 */
export const transitions: {
  readonly [from in OfferStatus]: {
    readonly [move in OfferMove["type"]]: OfferStatus | Refusal | "as_before" | "open"
  }
} = {
  unanswered: {
    accept: "accepted",
    reject: "rejected",
    expire: "unanswered",
    remove: "removed",
    withdraw: "removed",
    restore: "unanswered",
    close: "closed",
    reopen: "unanswered",
    communicate: "unanswered"
  },
  pending: {
    accept: "accepted",
    reject: "rejected",
    expire: "pending",
    remove: "removed",
    withdraw: "removed",
    restore: "pending",
    close: "closed",
    reopen: "pending",
    communicate: "open"
  },
  accepted: {
    accept: "accepted",
    reject: "answered",
    expire: "accepted",
    remove: "removed",
    withdraw: "removed",
    restore: "accepted",
    close: "closed",
    reopen: "accepted",
    communicate: "accepted"
  },
  rejected: {
    accept: "answered",
    reject: "rejected",
    expire: "rejected",
    remove: "removed",
    withdraw: "removed",
    restore: "rejected",
    close: "closed",
    reopen: "rejected",
    communicate: "rejected"
  },
  expired: {
    accept: "not_open",
    reject: "not_open",
    expire: "expired",
    remove: "removed",
    withdraw: "removed",
    restore: "expired",
    close: "closed",
    reopen: "expired",
    communicate: "open"
  },
  removed: {
    accept: "not_open",
    reject: "not_open",
    expire: "removed",
    remove: "removed",
    withdraw: "removed",
    restore: "as_before",
    close: "removed",
    reopen: "removed",
    communicate: "removed"
  },
  closed: {
    accept: "not_open",
    reject: "not_open",
    expire: "closed",
    remove: "removed",
    withdraw: "removed",
    restore: "closed",
    close: "closed",
    reopen: "as_before",
    communicate: "closed"
  }
}

// Who answers has read it, on a page of the app if not through the API.
const answered = (state: OfferState, to: "accepted" | "rejected", reason: string | null, at: Date): OfferState =>
  state.answer === to
    ? state
    : { ...state, answer: to, answeredAt: at, rejectionReason: reason, readAt: state.readAt ?? at }

/** Ends that differ by less are the same, so that a span that is sent again does not move an end. */
const sameEndMillis = 60_000

/** Whether two ends of an offer are the same, but for the moment at which the span was sent. */
export const isSameEnd = (a: Date | null, b: Date | null): boolean =>
  a === null || b === null ? a === b : Math.abs(a.getTime() - b.getTime()) < sameEndMillis

/** Whether two projections show the same, whatever the order of their members. */
export const isSameProjection = (a: Projection | null, b: Projection | null): boolean => canonical(a) === canonical(b)

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member
  )

const communicated = (
  state: OfferState,
  { expiresAt, projection }: Extract<OfferMove, { readonly type: "communicate" }>
): OfferState => {
  const end = isSameEnd(state.expiresAt, expiresAt) ? state.expiresAt : expiresAt
  const isSame =
    isSameProjection(state.projection, projection) && end === state.expiresAt && state.category !== "invitation"
  if (isSame) return state
  return {
    ...state,
    category: state.category === "invitation" ? "buying" : state.category,
    projection,
    expiresAt: end,
    expiredAt: null
  }
}

/** What a move makes of an offer: the same state where nothing changes. */
export const apply = (state: OfferState, move: OfferMove, at: Date): Result.Result<OfferState, Refusal> => {
  const status = statusOf(state, at)
  const to = transitions[status][move.type]
  if (to === "answered" || to === "not_open") return Result.fail(to)
  switch (move.type) {
    case "accept":
      return Result.succeed(answered(state, "accepted", null, at))
    case "reject":
      return Result.succeed(answered(state, "rejected", move.reason, at))
    case "expire":
      return Result.succeed(status === "expired" && state.expiredAt === null ? { ...state, expiredAt: at } : state)
    case "remove":
      return Result.succeed(status === "removed" ? state : { ...state, removedAt: at })
    case "withdraw":
      return Result.succeed(state.withdrawnAt === null ? { ...state, withdrawnAt: at } : state)
    case "restore":
      return Result.succeed(state.withdrawnAt === null ? state : { ...state, withdrawnAt: null })
    case "close":
      return Result.succeed(state.closedAt === null ? { ...state, closedAt: at } : state)
    case "reopen":
      return Result.succeed(state.closedAt === null ? state : { ...state, closedAt: null })
    case "communicate":
      return Result.succeed(communicated(state, move))
  }
}

// What an investor sees of an offer: the allow-list. Everything else that is stored, above all the ids of the broker's side, stays out
// of answers (docs/behaviour/offers.md#members). Pure.

/** What an answer shows besides the stored offer. */
export interface OfferContext {
  readonly now: Date
  /** The language of the reader, as a BCP-47 tag. */
  readonly language: string
  /** The name of the recipient. */
  readonly recipientName: string
  /** Whom the broker names, if anybody. Shown once the offer is accepted. */
  readonly brokerContact: Offer["brokerContact"]
  /** The id of the room to which the prospect has access now. */
  readonly roomId: string | null
  /** The ids of the team's own mandates that the teaser fits. */
  readonly matchedMandateIds: ReadonlyArray<string>
}

/** Whether an offer names the broker: from its acceptance on, whatever happens later. */
export const namesBroker = ({ state }: StoredOffer): boolean => state.answer === "accepted"

/** The answer for an offer, without its ETag. */
export const visibleOffer = (offer: StoredOffer, context: OfferContext): Omit<Offer, "etag"> => {
  const { changeOrigin, changeType, createdAt, state, updatedAt, uuid } = offer
  const status = statusOf(state, context.now)
  return {
    id: Id.fromUuid("offer", uuid),
    status,
    category: state.category,
    capabilities: status === "accepted" && state.prospectId !== null ? ["chat"] : [],
    teaser: state.projection === null ? null : inLanguage(state.projection, context.language),
    brokerContact: namesBroker(offer) ? context.brokerContact : null,
    recipient: { id: Id.fromUuid("user", state.userId), name: context.recipientName },
    roomId: status === "removed" ? null : context.roomId,
    matchedMandateIds: context.matchedMandateIds,
    receivedUtc: createdAt.toISOString(),
    readUtc: state.readAt?.toISOString() ?? null,
    answeredUtc: state.answeredAt?.toISOString() ?? null,
    expiresUtc: state.expiresAt?.toISOString() ?? null,
    rejectionReason: state.rejectionReason,
    createdUtc: createdAt.toISOString(),
    updatedUtc: updatedAt.toISOString(),
    changeType,
    changeOrigin,
    deletedUtc: null
  }
}

// The pure decisions on communicating a teaser (docs/behaviour/offers.md#communicating).

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
