/** Publishes answers (docs/behaviour/questions.md#states). */
import * as Mutation from "../../../core/mutation/Mutation.ts"
import * as UnvalidatedJson from "../../../core/usecase/UnvalidatedJson.ts"
import * as QuestionSteps from "./QuestionSteps.ts"
import { Effect } from "effect"
import type { Change } from "../../../core/mutation/Changes.ts"
import { now } from "../../../platform/Time.ts"
import { OfferWrites } from "../../offers/OfferWrites.ts"
import { all } from "../../../core/usecase/Input.ts"
import type { UseCaseRequest } from "../../../core/usecase/UseCaseRequest.ts"
import { toQuestion } from "./projection.ts"
import { AskerWithoutAccess, type Question } from "./Question.ts"
import { AnswerInput } from "./QuestionInput.ts"
import { Rooms } from "../Rooms.ts"
import { QuestionsRepo } from "./QuestionsRepo.ts"
import { repeats, type WantedAnswer } from "./rules.ts"

const decodeAnswer = UnvalidatedJson.decoder(AnswerInput)

/** Makes the use-case. It needs the `broker` capability. */
export const make = Effect.gen(function* () {
  const repo = yield* QuestionsRepo
  const rooms = yield* Rooms
  const offers = yield* OfferWrites
  const mutation = yield* Mutation.make
  const { follow, load, lock } = yield* QuestionSteps.make

  /** The prospects (UUIDs) whom an answer for this audience reaches: of those who have access at that moment. */
  const recipientsOf = Effect.fnUntraced(function* (
    { actor, question: { asker }, room }: QuestionSteps.LoadedQuestion,
    audience: WantedAnswer["audience"],
    at: Date
  ) {
    const members = yield* rooms.membersOf(actor.teamId, room.uuid, at)
    return audience === "all" ? members : members.filter((uuid) => uuid === asker?.prospectUuid)
  })

  /** Validates an answer; null when it repeats the published one. */
  const decide = Effect.fnUntraced(function* (
    request: UseCaseRequest,
    loaded: QuestionSteps.LoadedQuestion,
    body: UnvalidatedJson.UnvalidatedJson
  ) {
    const [, { audience = "asker", text }] = yield* all(request.query, decodeAnswer(body))
    const wanted: WantedAnswer = { text, audience }
    if (repeats(loaded.question.answer, wanted)) return null
    yield* QuestionSteps.requireMove(loaded, "answer")
    if (audience === "asker" && (yield* recipientsOf(loaded, audience, yield* now)).length === 0) {
      return yield* new AskerWithoutAccess({
        detail:
          "The asker has no access to the room, so that the answer would reach nobody. Grant access again, publish it for all, or close the question."
      })
    }
    return wanted
  })

  const publish = Effect.fnUntraced(function* (
    change: Change,
    wanted: WantedAnswer,
    loaded: QuestionSteps.LoadedQuestion
  ) {
    const { question, room } = loaded
    const written = yield* repo.answer(change, question.uuid, wanted)
    const entry = { event: "room.question_answered", details: { message: wanted.text } } as const
    yield* follow(change, room, { before: question, after: written, entry })
    const { number, text } = question
    yield* offers.tell(change, yield* recipientsOf(loaded, wanted.audience, change.at), {
      type: "answer_published",
      question: { number, text, answer: wanted.text }
    })
    return written
  })

  /** Publishes the answer to a question; one that repeats the published answer leaves no trace. */
  return Effect.fn("Questions.answer")((questionId: string, request: UseCaseRequest) =>
    mutation.changeLatest({
      authorize: "broker",
      load: (actor) => load(actor, questionId),
      body: request.body,
      decide: ({ body, loaded }) => decide(request, loaded, body),
      lock,
      commit: (change, { decision, loaded }) => publish(change, decision, loaded),
      answer: ({ committed, loaded }): Effect.Effect<Question> =>
        Effect.succeed(toQuestion(committed ?? loaded.question))
    })
  )
})
