/** The change records of offers, in the team of the investor: their timeline rows and events. */
import { changedFieldNames, namesOf } from "../../core/mutation/ChangedFields.ts"
import type { ChangeRecord } from "../../core/mutation/ChangeRecord.ts"
import type { OfferState } from "./OfferState.ts"
import { moveEvents, type OfferRow, timelineRowOf } from "./rows.ts"
import { isSameProjection, type RecordedMove, statusOf } from "./rules.ts"

type Member = keyof typeof changedFieldNames.offer

/** The members of the answer that differ between two states. */
export const changedMembers = (before: OfferState, after: OfferState, at: Date): ReadonlyArray<Member> => {
  const isChanged: { readonly [Name in Member]: boolean } = {
    status: statusOf(before, at) !== statusOf(after, at),
    category: before.category !== after.category,
    capabilities: before.answer !== after.answer,
    teaser: !isSameProjection(before.projection, after.projection),
    brokerContact: before.answer !== after.answer,
    recipient: before.userId !== after.userId,
    roomId: false,
    matchedMandateIds: !isSameProjection(before.projection, after.projection),
    receivedUtc: false,
    readUtc: before.readAt?.getTime() !== after.readAt?.getTime(),
    answeredUtc: before.answeredAt?.getTime() !== after.answeredAt?.getTime(),
    expiresUtc: before.expiresAt?.getTime() !== after.expiresAt?.getTime(),
    rejectionReason: before.rejectionReason !== after.rejectionReason
  }
  return (Object.keys(isChanged) as Array<Member>).filter((member) => isChanged[member])
}

const recordOf = (uuid: string, record: Pick<ChangeRecord, "change" | "event" | "timeline">): ChangeRecord => ({
  ...record,
  resource: { type: "offer", id: uuid },
  subjects: [{ type: "offer", id: uuid }]
})

/** The change record of a new offer. */
export const createdRecord = (uuid: string): ChangeRecord =>
  recordOf(uuid, {
    change: "created",
    timeline: { event: "offer.created", details: { kind: "audit" } },
    event: { type: "offer.created", extras: {} }
  })

const actionTypeOf = ({ type }: RecordedMove): string => {
  if (type === "communicate") return "communicated"
  return type === "merge" ? "merged" : moveEvents[type].slice("offer.".length)
}

/** The change record of a move or merge; undefined if the investor sees no difference. */
export const movedRecord = (
  uuid: string,
  move: RecordedMove,
  { after, at, before }: { readonly before: OfferState; readonly after: OfferState; readonly at: Date }
): ChangeRecord | undefined => {
  // The job records an end that answers have shown since it came.
  const changed = move.type === "expire" ? (["status"] as const) : changedMembers(before, after, at)
  if (changed.length === 0) return undefined
  const event = moveEvents[move.type]
  const { rejectionReason } = after
  return recordOf(uuid, {
    change: "updated",
    timeline: {
      event,
      details: {
        kind: "audit",
        ...(event === "offer.updated" ? { changedFields: changed } : {}),
        ...(move.type === "reject" && rejectionReason !== null ? { message: rejectionReason } : {})
      }
    },
    event: {
      type: "offer.updated",
      extras: {
        changed_fields: namesOf(changedFieldNames.offer, changed),
        action: { type: actionTypeOf(move) }
      }
    }
  })
}

/** The change record of the first look at an offer. */
export const readRecord = (uuid: string): ChangeRecord =>
  recordOf(uuid, {
    change: "updated",
    timeline: { event: "offer.read", details: { kind: "audit" } },
    event: {
      type: "offer.updated",
      extras: { changed_fields: namesOf(changedFieldNames.offer, ["readUtc"]), action: { type: "read" } }
    }
  })

/** Whether a row changes where the investor has access. */
const changesAccess = ({ type }: OfferRow): boolean =>
  type === "access_granted" || type === "access_revoked" || type === "access_expired"

/** The change record of a row of the timeline. */
export const rowRecord = (uuid: string, row: OfferRow, rowUuid?: string): ChangeRecord =>
  recordOf(uuid, {
    change: "updated",
    timeline: { ...timelineRowOf(row), ...(rowUuid === undefined ? {} : { id: rowUuid }) },
    event: {
      type: "offer.updated",
      extras: {
        changed_fields: changesAccess(row) ? namesOf(changedFieldNames.offer, ["roomId"]) : null,
        action: { type: row.type }
      }
    }
  })
