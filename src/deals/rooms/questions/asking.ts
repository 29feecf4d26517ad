/** Whether a room takes a question of a prospect (docs/behaviour/questions.md#asking). Pure. */
import type { QuestionCategory } from "./Question.ts"

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
