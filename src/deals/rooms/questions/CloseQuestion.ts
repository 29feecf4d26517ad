/** Closes questions (docs/behaviour/questions.md#states). */
import * as Mutation from "../../../core/mutation/Mutation.ts"
import * as QuestionSteps from "./QuestionSteps.ts"
import { Effect } from "effect"
import type { UseCaseRequest } from "../../../core/usecase/UseCaseRequest.ts"
import { toQuestion } from "./projection.ts"
import type { Question } from "./Question.ts"
import { QuestionsRepo } from "./QuestionsRepo.ts"

/** Makes the use-case. It needs the `broker` capability. */
export const make = Effect.gen(function* () {
  const repo = yield* QuestionsRepo
  const mutation = yield* Mutation.make
  const { follow, load, lock } = yield* QuestionSteps.make

  /** Closes a question; closing a closed one leaves no trace. */
  return Effect.fn("Questions.close")((questionId: string, request: Pick<UseCaseRequest, "query">) =>
    mutation.changeLatest({
      authorize: "broker",
      load: (actor) => load(actor, questionId),
      decide: ({ loaded }) =>
        Effect.gen(function* () {
          yield* request.query
          if (loaded.question.state === "closed") return null
          yield* QuestionSteps.requireMove(loaded, "close")
          return "closed" as const
        }),
      lock,
      commit: (change, { loaded: { question, room } }) =>
        Effect.gen(function* () {
          const written = yield* repo.close(change, question.uuid)
          yield* follow(change, room, { before: question, after: written, entry: { event: "room.question_closed" } })
          return written
        }),
      answer: ({ committed, loaded }): Effect.Effect<Question> =>
        Effect.succeed(toQuestion(committed ?? loaded.question))
    })
  )
})
