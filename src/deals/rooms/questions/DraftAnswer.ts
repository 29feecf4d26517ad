/** Drafts answers, which are internal to the broker's team (docs/behaviour/questions.md#states). */
import * as Mutation from "../../../core/mutation/Mutation.ts"
import * as UnvalidatedJson from "../../../core/usecase/UnvalidatedJson.ts"
import * as QuestionSteps from "./QuestionSteps.ts"
import { Effect } from "effect"
import { all } from "../../../core/usecase/Input.ts"
import type { UseCaseRequest } from "../../../core/usecase/UseCaseRequest.ts"
import { toQuestion } from "./projection.ts"
import { DraftAnswerInput } from "./QuestionInput.ts"
import { QuestionsRepo } from "./QuestionsRepo.ts"

const decodeDraft = UnvalidatedJson.decoder(DraftAnswerInput)

/** Makes the use-case. It needs the `broker` capability. */
export const make = Effect.gen(function* () {
  const repo = yield* QuestionsRepo
  const mutation = yield* Mutation.make
  const { follow, loadIn, lock } = yield* QuestionSteps.make

  /** Replaces the draft of the answer to a question. Its text is in no timeline row and no event. */
  return Effect.fn("Questions.draft")((params: QuestionSteps.QuestionParams, request: UseCaseRequest) =>
    mutation.change({
      request,
      authorize: "broker",
      load: (actor) => loadIn(actor, params),
      body: request.body,
      etagOf: ({ question }) => question.audit.etag,
      decide: ({ body, loaded }) =>
        Effect.gen(function* () {
          const [, { contentFormat: format = "plaintext", text }] = yield* all(request.query, decodeDraft(body))
          const { draft } = loaded.question
          if (draft !== null && draft.text === text && draft.format === format) return null
          yield* QuestionSteps.requireMove(loaded, "draft")
          return { text, format }
        }),
      lock,
      commit: (change, { decision, loaded: { question, room } }) =>
        Effect.gen(function* () {
          const written = yield* repo.draft(change, question.uuid, decision)
          yield* follow(change, room, { before: question, after: written, entry: { event: "room.answer_drafted" } })
          return written
        }),
      answer: ({ committed, loaded }) => Effect.succeed(toQuestion(committed ?? loaded.question))
    })
  )
})
