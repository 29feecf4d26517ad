/** The pure decisions on questions (docs/behaviour/questions.md). */
import type { Audience, QuestionCategory, QuestionMove, QuestionPriority, QuestionState } from "./Question.ts"

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
