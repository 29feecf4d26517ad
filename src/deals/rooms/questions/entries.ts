/** The change records of questions: rows of the room, rolled up, and events that name the question and its asker. Pure. */
import * as Id from "../../../core/Id.ts"
import type { ActionDetails } from "../../../core/mutation/Action.ts"
import type { ChangeRecord } from "../../../core/mutation/ChangeRecord.ts"
import type { EventType } from "../../../core/mutation/Event.ts"
import { roomRecord, type RoomRef } from "../rules.ts"

/** The asker of a question as events name it: the UUID of the prospect, and the id of its contact or company, if it has one still. */
export interface AskerRef {
  readonly prospectUuid: string
  readonly contactId: string | null
  readonly companyId: string | null
}

/** One thing that happened to a question. */
export interface QuestionEntry {
  readonly event: Extract<EventType, `room.question_${string}` | "room.answer_drafted">
  readonly details?: Omit<Extract<ActionDetails, { readonly kind: "audit" }>, "kind" | "questionId">
}

const namesOf = ({ companyId, contactId, prospectUuid }: AskerRef) => ({
  prospect_id: Id.fromUuid("prospect", prospectUuid),
  ...(contactId === null ? {} : { contact_id: contactId }),
  ...(companyId === null ? {} : { company_id: companyId })
})

/** What happened to a question (UUID), on the timelines of its room, of the project and of the asker, if that was not purged. */
export const questionRecord = (
  room: RoomRef,
  uuid: string,
  asker: AskerRef | null,
  { details, event }: QuestionEntry
): ChangeRecord => {
  const questionId = Id.fromUuid("question", uuid)
  return roomRecord(room, event, {
    details: { questionId, ...details },
    names: { question_id: questionId, ...(asker === null ? {} : namesOf(asker)) },
    alsoOn: asker === null ? [] : [{ type: "prospect", id: asker.prospectUuid, rollUp: "room" }]
  })
}

/** The question itself, which only dry runs list: no timeline row and no event. */
export const silentRecord = (uuid: string, change: "created" | "updated"): ChangeRecord => ({
  change,
  resource: { type: "question", id: uuid },
  subjects: []
})
