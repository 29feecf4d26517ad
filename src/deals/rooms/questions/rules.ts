/** The pure decisions on questions (docs/behaviour/questions.md). */
import * as Id from "../../../core/Id.ts"
import type {
  AskedQuestion,
  Audience,
  Question,
  QuestionCategory,
  QuestionCounts,
  QuestionMove,
  QuestionPriority,
  QuestionState,
  StoredQuestion
} from "./Question.ts"
import type { RoomQa } from "../Room.ts"
import type { ActionDetails } from "../../../core/mutation/Timeline.ts"
import type { ChangeRecord } from "../../../core/mutation/ChangeRecord.ts"
import type { EventType } from "../../../core/mutation/Event.ts"
import { roomRecord, type RoomRef } from "../rules.ts"

/**
 * The state after a move in a state (docs/behaviour/questions.md#states). `refused`: 409. An answer to an answered question, and the
 * close of a closed one, change nothing if they repeat what was done; `repeats` decides that of answers.
 */
export const transitions: {
  readonly [from in QuestionState]: { readonly [move in QuestionMove]: QuestionState | "refused" }
} = {
  open: { update: "open", draft: "drafted", answer: "answered", close: "closed" },
  drafted: { update: "drafted", draft: "drafted", answer: "answered", close: "closed" },
  answered: { update: "answered", draft: "refused", answer: "refused", close: "closed" },
  closed: { update: "refused", draft: "refused", answer: "refused", close: "closed" }
}

/** The detail of a refused move: why the state does not allow it, and what to do instead. */
export const rejectionOf = (from: "answered" | "closed", move: QuestionMove): string => {
  if (from === "closed") return "The question is closed. What is still unclear is a new question."
  return move === "draft"
    ? "The answer was published. What is to be added is the answer to a new question."
    : "Another answer was published. What is to be added is the answer to a new question."
}

/** Whether a question in a state waits for an answer. */
export const isWaiting = (state: QuestionState): boolean => state === "open" || state === "drafted"

/** The state that an investor sees: drafts are the broker's alone. */
export const publicStateOf = (state: QuestionState): Exclude<QuestionState, "drafted"> =>
  state === "drafted" ? "open" : state

const daysToAnswer: { readonly [priority in QuestionPriority]: number } = { urgent: 1, high: 3, normal: 7, low: 14 }

/** When a question is to be answered. */
export const dueAt = (asked: Date, priority: QuestionPriority): Date =>
  new Date(asked.getTime() + daysToAnswer[priority] * 86_400_000)

/** Whether a question is overdue: it waits for an answer, and its due time has passed. */
export const isOverdue = (question: { readonly state: QuestionState; readonly due: Date }, now: Date): boolean =>
  isWaiting(question.state) && question.due.getTime() < now.getTime()

/** An answer, as it is asked for. */
export interface WantedAnswer {
  readonly text: string
  readonly audience: Audience
}

/** Whether an answer repeats the one that was published. */
export const repeats = (published: WantedAnswer | null, wanted: WantedAnswer): boolean =>
  published !== null && published.text === wanted.text && published.audience === wanted.audience

/** The members that patches write. */
export interface Triage {
  readonly category: QuestionCategory
  readonly priority: QuestionPriority
  readonly assigneeUuid: string | null
}

const triageMembers = { category: "category", priority: "priority", assigneeUuid: "assignee" } as const

/** The members of a patch that differ from the question, by their names in requests. */
export const changedFieldsOf = (before: Triage, after: Triage): ReadonlyArray<"category" | "priority" | "assignee"> =>
  (Object.keys(triageMembers) as Array<keyof Triage>)
    .filter((member) => before[member] !== after[member])
    .map((member) => triageMembers[member])

// Whether a room takes a question of a prospect (docs/behaviour/questions.md#asking).

/** What a room's broker set for its questions. */
export interface QaSettings {
  readonly enabled: boolean
  /** How many questions each prospect may ask; null for any number. */
  readonly limitPerProspect: number | null
  /** Until when questions are taken; null for as long as the room is open. */
  readonly deadline: Date | null
  /** The categories that questions may have. */
  readonly categories: ReadonlyArray<QuestionCategory>
}

/** Why a question is not taken. */
export type Refusal =
  | { readonly code: "questions_not_taken"; readonly detail: string }
  | { readonly code: "question_limit_reached"; readonly detail: string; readonly limit: number }
  | { readonly code: "category_not_taken"; readonly detail: string }

/** Why the room takes no further question of a prospect; undefined if it takes one. */
export const refusalOf = (
  room: { readonly status: string; readonly qa: QaSettings },
  question: { readonly category: QuestionCategory; readonly askedBefore: number; readonly now: Date }
): Refusal | undefined => {
  const { categories, deadline, enabled, limitPerProspect } = room.qa
  if (room.status !== "open") return { code: "questions_not_taken", detail: "The room is not open." }
  if (!enabled) return { code: "questions_not_taken", detail: "Questions are turned off in this room." }
  if (deadline !== null && deadline.getTime() <= question.now.getTime()) {
    return { code: "questions_not_taken", detail: `Questions were taken until ${deadline.toISOString()}.` }
  }
  if (!categories.includes(question.category)) {
    return { code: "category_not_taken", detail: `Must be one of ${categories.join(", ")}.` }
  }
  if (limitPerProspect !== null && question.askedBefore >= limitPerProspect) {
    return {
      code: "question_limit_reached",
      detail: `In this room, an investor may ask ${limitPerProspect === 1 ? "one question" : `${limitPerProspect} questions`}.`,
      limit: limitPerProspect
    }
  }
  return undefined
}

/** Whether two settings are the same. */
export const isSameSettings = (one: QaSettings, other: QaSettings): boolean =>
  one.enabled === other.enabled &&
  one.limitPerProspect === other.limitPerProspect &&
  one.deadline?.getTime() === other.deadline?.getTime() &&
  one.categories.length === other.categories.length &&
  one.categories.every((category) => other.categories.includes(category))

// What is answered of a question: all of it to the broker, and what `AskedQuestion` lists to the investor who asked.

/** The members that everybody sees who sees the question. */
const publishedOf = ({ asked, category, document, number, roomUuid, text, uuid }: StoredQuestion) => ({
  id: Id.fromUuid("question", uuid),
  roomId: Id.fromUuid("room", roomUuid),
  number,
  text,
  category,
  document:
    document === null
      ? null
      : { fileId: Id.fromUuid("file", document.fileUuid), name: document.name, page: document.page },
  askedUtc: asked.toISOString()
})

/** The answer for a question. */
export const toQuestion = (stored: StoredQuestion): Question => {
  const { answer, asker, assignee, audit, draft, due, priority, state } = stored
  return {
    ...publishedOf(stored),
    priority,
    status: state,
    assignee,
    askedBy: asker === null ? null : { prospectId: Id.fromUuid("prospect", asker.prospectUuid), name: asker.name },
    dueUtc: due.toISOString(),
    draftAnswer:
      draft === null
        ? null
        : {
            text: draft.text,
            contentFormat: draft.format,
            author: draft.author,
            updatedUtc: draft.updated.toISOString()
          },
    answer:
      answer === null
        ? null
        : { text: answer.text, audience: answer.audience, publishedUtc: answer.published.toISOString() },
    ...audit
  }
}

/** What the investor sees who asked it. */
export const toAsked = (stored: StoredQuestion): AskedQuestion => ({
  ...publishedOf(stored),
  status: publicStateOf(stored.state)
})

/** The `qa` block of a room. */
export const toQa = (
  { categories, deadline, enabled, limitPerProspect }: QaSettings,
  counts: QuestionCounts
): RoomQa => ({
  enabled,
  ...counts,
  limitPerProspect,
  deadlineUtc: deadline?.toISOString() ?? null,
  categories
})

// The change records of questions: rows of the room, rolled up, and events that name the question and its asker.

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
