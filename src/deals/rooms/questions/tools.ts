/** The tools of the questions in data rooms. None publishes an answer. */
import * as Tool from "../../../mcp/Tool.ts"
import { Effect, Schema, Struct } from "effect"
import { LongText } from "../../../core/fields/Text.ts"
import { reference, References } from "../../../mcp/References.ts"
import { excerpt } from "../../../mcp/text.ts"
import { DraftFormat, type Question, QuestionCategory, QuestionPriority, QuestionState } from "./Question.ts"
import { Questions } from "./Questions.ts"

const line = { id: Schema.String, number: Schema.Int, status: Schema.String, dueUtc: Schema.String }

const lineOf = (question: Question) => ({
  ...Struct.pick(question, ["id", "number", "category", "priority", "status", "assignee", "askedBy", "dueUtc"]),
  text: excerpt(question.text)
})

const viewOf = (question: Question) => Struct.omit(question, ["changeType", "changeOrigin", "deletedUtc"])

const written = { id: Schema.String, etag: Schema.String, status: Schema.String }

const writtenOf = (question: Question) =>
  Struct.pick(question, ["id", "etag", "number", "category", "priority", "status", "assignee", "dueUtc"])

const described = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.optionalKey(schema.annotate({ description }))

const hints = {
  question_move_refused: "Leave the question: it was answered or closed. get_question shows its answer.",
  room_refused: "Leave the question: its room is closed. Tell the person who connected you."
}

/** The tools of questions. They need the `broker` capability. */
export const tools = Effect.gen(function* () {
  const questions = yield* Questions
  const { resolve } = yield* References
  const paramsOf = (question: string) => Effect.flatMap(resolve("question", "question", question), questions.locate)
  const assigneeOf = (ref: string | undefined) =>
    ref === undefined || ref === "me" || ref === "none" ? Effect.succeed(ref) : resolve("user", "assigneeRef", ref)
  return [
    Tool.list({
      name: "list_questions",
      title: "List questions",
      description: "The questions that investors asked in a data room, the latest last. Filters combine.",
      toolset: "rooms",
      input: {
        room: reference("room"),
        status: described(QuestionState, "drafted: with a draft, not answered."),
        category: described(QuestionCategory, "What it is about."),
        priority: described(QuestionPriority, "How soon to answer."),
        assigneeRef: described(reference("user"), "Who answers: user id, me, or none."),
        overdue: described(Schema.Boolean, "true: only unanswered ones that are past dueUtc.")
      },
      items: "questions",
      item: line,
      rows: ({ assigneeRef, room, ...filters }, page) =>
        Effect.flatMap(
          Effect.all([Effect.flatMap(resolve("room", "room", room), questions.locateRoom), assigneeOf(assigneeRef)]),
          ([params, assignee]) => questions.list(params, page.request({ ...filters, assignee }))
        ),
      concise: lineOf,
      detailed: viewOf
    }),
    Tool.read({
      name: "get_question",
      title: "Get a question",
      description: "One question with its whole text, its draft or published answer, and its etag.",
      toolset: "rooms",
      input: { question: reference("question") },
      output: { ...line, projectId: Schema.String, roomId: Schema.String, etag: Schema.String },
      read: ({ question }) =>
        Effect.flatMap(paramsOf(question), (params) =>
          Effect.map(questions.get(params), (found) => ({ ...viewOf(found), projectId: params.projectId }))
        )
    }),
    Tool.update({
      name: "draft_answer",
      title: "Draft an answer",
      description:
        "Replaces the draft of the answer to a question. The draft is internal to the broker's team and never sent: a person publishes the answer.",
      toolset: "rooms",
      input: {
        question: reference("question"),
        text: LongText.annotate({ description: "The whole draft." }),
        contentFormat: described(DraftFormat, "plaintext by default.")
      },
      hints,
      output: written,
      write: ({ question, ...body }, given) =>
        Effect.flatMap(paramsOf(question), (params) =>
          Effect.map(questions.draft(params, given.request({ about: [params.questionId], body })), (drafted) => ({
            ...writtenOf(drafted),
            draftAnswer: drafted.draftAnswer
          }))
        )
    }),
    Tool.update({
      name: "update_question",
      title: "Update a question",
      description: "Changes the category, priority or assignee of a question, not its text or answer.",
      toolset: "rooms",
      input: {
        question: reference("question"),
        category: described(QuestionCategory, "What it is about."),
        priority: described(QuestionPriority, "How soon to answer: sets dueUtc."),
        assigneeRef: Schema.optionalKey(Schema.NullOr(reference("user"))).annotate({
          description: "Who answers: user id of a member, or me; null: nobody."
        })
      },
      hints,
      renamed: { assignee: "assigneeRef" },
      output: written,
      write: Effect.fnUntraced(function* ({ assigneeRef, question, ...members }, given) {
        const params = yield* paramsOf(question)
        const assignee = assigneeRef === null ? null : yield* assigneeOf(assigneeRef)
        const body = { ...members, ...(assignee === undefined ? {} : { assignee }) }
        return writtenOf(yield* questions.patch(params, given.request({ about: [params.questionId], body })))
      })
    })
  ]
})
