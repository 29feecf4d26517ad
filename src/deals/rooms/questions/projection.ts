/** What is answered of a question: all of it to the broker, and what `AskedQuestion` lists to the investor who asked. Pure. */
import * as Id from "../../../core/Id.ts"
import type { RoomQa } from "../Room.ts"
import type { QaSettings } from "./asking.ts"
import type { AskedQuestion, Question } from "./Question.ts"
import type { QuestionCounts, StoredQuestion } from "./QuestionState.ts"
import { publicStateOf } from "./rules.ts"

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
