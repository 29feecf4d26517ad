/** The rows of an offer's timeline: an allow-list, by their events. What is not listed here is on no offer. */
import type { Action, ActionDetails } from "../../core/mutation/Timeline.ts"
import type { AuditTimelineRow, ChangeRecord, ChatTimelineRow } from "../../core/mutation/ChangeRecord.ts"
import { changedFieldNames, type EventType, namesOf } from "../../core/mutation/Event.ts"
import { isSameProjection, type RecordedMove, statusOf } from "./rules.ts"
import type { OfferState } from "./Offer.ts"

/** A file that the investor can read: its public id and name. */
export interface SharedFile {
  readonly id: string
  readonly name: string
}

/** A part of a conversation, which needs acceptance. */
export type ChatRow = { readonly type: "message_sent" } | { readonly type: "file_shared"; readonly file: SharedFile }

/** Something that the broker or the investor did, as the investor's timeline shows it. */
export type OfferRow =
  | ChatRow
  | { readonly type: "access_granted" | "access_revoked" | "access_expired" }
  | { readonly type: "file_uploaded"; readonly file: SharedFile }
  | {
      readonly type: "answer_published"
      /** What was published, without who asked. */
      readonly question: { readonly number: number; readonly text: string; readonly answer: string }
    }

/** Whether a row is part of a conversation. */
export const isChat = ({ type }: OfferRow): boolean => type === "message_sent" || type === "file_shared"

const rowEvents = {
  access_granted: "room.access_granted",
  access_revoked: "room.access_revoked",
  access_expired: "room.access_expired",
  file_uploaded: "room.file_uploaded",
  answer_published: "room.question_answered",
  message_sent: "prospect.message_sent",
  file_shared: "prospect.file_shared"
} as const satisfies { readonly [Type in OfferRow["type"]]: EventType }

const fileOf = ({ id, name }: SharedFile) => ({ id, name, downloadPath: `/api/v1/files/${id}/content` })

/** The timeline row. The event of the offer tells subscribers about it: these rows are not events of the team. */
export const timelineRowOf = (row: OfferRow): AuditTimelineRow | ChatTimelineRow => {
  const event = rowEvents[row.type]
  switch (row.type) {
    case "message_sent":
      return { type: "chat", event, details: { kind: "chat" }, isEvent: false }
    case "file_shared":
      return { type: "chat", event, details: { kind: "chat", file: fileOf(row.file) }, isEvent: false }
    case "file_uploaded":
      return { event, details: { kind: "audit", file: fileOf(row.file) }, isEvent: false }
    case "answer_published":
      return { event, details: { kind: "audit", question: row.question }, isEvent: false }
    default:
      return { event, details: { kind: "audit" }, isEvent: false }
  }
}

/** The event of each move of an offer, and of a merge. */
export const moveEvents = {
  accept: "offer.accepted",
  reject: "offer.rejected",
  expire: "offer.expired",
  remove: "offer.removed",
  withdraw: "offer.removed",
  restore: "offer.restored",
  close: "offer.closed",
  reopen: "offer.restored",
  communicate: "offer.updated",
  merge: "offer.updated"
} as const satisfies { readonly [Move in RecordedMove["type"]]: EventType }

/** The events whose rows the timeline of an offer shows. */
const visibleEvents: ReadonlySet<string> = new Set<EventType>([
  "offer.created",
  "offer.read",
  ...Object.values(moveEvents),
  ...Object.values(rowEvents)
])

/** The events by which the broker's side acts: they name the broker once the offer is accepted. */
const brokerEvents: ReadonlySet<string> = new Set<EventType>([
  "offer.created",
  "offer.updated",
  ...Object.values(rowEvents)
])

type Details = Extract<ActionDetails, { readonly kind: "audit" }> & Extract<ActionDetails, { readonly kind: "chat" }>

/** The details that an investor sees: what no member here lets through is left out. */
const visibleDetails = (details: ActionDetails): ActionDetails => {
  const { changedFields, file, message, question } = details as Partial<Details>
  const shared = file === undefined ? {} : { file }
  return details.kind === "chat"
    ? { kind: "chat", ...shared }
    : {
        kind: "audit",
        ...(changedFields === undefined ? {} : { changedFields }),
        ...(message === undefined ? {} : { message }),
        ...(question === undefined ? {} : { question }),
        ...shared
      }
}

/**
 * A row as the investor sees it; undefined if it is not for them. `broker` is the name by which rows of the broker's side name them, if
 * any may.
 */
export const visibleRow = (
  { actor, details, event, id, occurredUtc, type }: Action,
  broker: string | null
): Action | undefined =>
  event === null || !visibleEvents.has(event)
    ? undefined
    : {
        id,
        type,
        event,
        occurredUtc,
        actor: actor.id === null && brokerEvents.has(event) ? { id: null, name: broker } : actor,
        details: visibleDetails(details)
      }

// The change records of offers, in the team of the investor: their timeline rows and events.

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
