/** The pure decisions on offers (docs/behaviour/offers.md#status). */
import * as Id from "../../core/Id.ts"
import { Result } from "effect"
import type { Address, Offer, OfferState, OfferStatus, SentTo, StoredOffer } from "./Offer.ts"
import type { Projection } from "../teasers/projection/Projection.ts"
import { inLanguage } from "../teasers/projection/investorView.ts"

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

/** What is recorded of an offer: a move, or that it took something over from another offer of its team. */
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
// of answers (docs/behaviour/offers.md#members).

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

// The pure decision on the offers of prospects that become one (docs/behaviour/offers.md#cascades).

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
