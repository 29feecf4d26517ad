/** Changes the category, priority and assignee of questions (docs/behaviour/questions.md#states). */
import * as Mutation from "../../../core/mutation/Mutation.ts"
import * as Id from "../../../core/Id.ts"
import * as MergePatch from "../../../core/usecase/MergePatch.ts"
import * as QuestionSteps from "./QuestionSteps.ts"
import { Effect } from "effect"
import { Members } from "../../../identity/teams/Members.ts"
import { assigneeOf, withoutSameAssignee } from "../../../identity/teams/rules.ts"
import { all, bodyFault } from "../../../core/usecase/Input.ts"
import { InvalidRequest } from "../../../core/usecase/Problem.ts"
import type { UnvalidatedJson } from "../../../core/usecase/UnvalidatedJson.ts"
import type { UseCaseRequest } from "../../../core/usecase/UseCaseRequest.ts"
import { toQuestion } from "./projection.ts"
import { Question } from "./Question.ts"
import { QuestionPatch } from "./QuestionInput.ts"
import { QuestionsRepo } from "./QuestionsRepo.ts"
import { changedFieldsOf, dueAt, type Triage } from "./rules.ts"

const decodePatch = MergePatch.make(QuestionPatch, Question.fields)

const unknownAssignee = bodyFault(
  "/assignee",
  "invalid_reference",
  "Must be the id of an active member of the team, `me`, or null."
)

/** Makes the use-case. It needs the `broker` capability. */
export const make = Effect.gen(function* () {
  const repo = yield* QuestionsRepo
  const members = yield* Members
  const mutation = yield* Mutation.make
  const { follow, loadIn, lock } = yield* QuestionSteps.make

  /** Validates a patch of a question as it is; null when it changes nothing. */
  const decide = Effect.fnUntraced(function* (
    request: UseCaseRequest,
    loaded: QuestionSteps.LoadedQuestion,
    body: UnvalidatedJson
  ) {
    const { actor, question } = loaded
    const current = toQuestion(question)
    const document = withoutSameAssignee(body, current)
    const sent = assigneeOf(document)
    const present = Id.toUuid("user", question.assignee?.id ?? "") ?? null
    const isOther = typeof sent === "string" && sent !== question.assignee?.id
    const member = isOther ? yield* members.named(actor, sent) : present
    const [, input] = yield* all(request.query, decodePatch(document, current)).pipe(
      Effect.mapError((invalid) => (member === undefined ? invalid.and([unknownAssignee]) : invalid))
    )
    if (member === undefined) return yield* InvalidRequest.of([unknownAssignee])
    const before: Triage = { category: question.category, priority: question.priority, assigneeUuid: present }
    const after: Triage = {
      category: input.category ?? before.category,
      priority: input.priority ?? before.priority,
      assigneeUuid: input.assignee === null ? null : member
    }
    const changedFields = changedFieldsOf(before, after)
    if (changedFields.length === 0) return null
    yield* QuestionSteps.requireMove(loaded, "update")
    return { after, changedFields }
  })

  /** Changes members of a question; a patch that changes nothing leaves no trace. */
  return Effect.fn("Questions.patch")((params: QuestionSteps.QuestionParams, request: UseCaseRequest) =>
    mutation.change({
      request,
      authorize: "broker",
      load: (actor) => loadIn(actor, params),
      body: request.body,
      etagOf: ({ question }) => question.audit.etag,
      decide: ({ body, loaded }) => decide(request, loaded, body),
      lock,
      commit: (change, { decision: { after, changedFields }, loaded: { question, room } }) =>
        Effect.gen(function* () {
          const written = yield* repo.update(change, question.uuid, {
            ...after,
            due: dueAt(question.asked, after.priority)
          })
          const entry = { event: "room.question_updated", details: { changedFields } } as const
          yield* follow(change, room, { before: question, after: written, entry })
          return written
        }),
      answer: ({ committed, loaded }) => Effect.succeed(toQuestion(committed ?? loaded.question))
    })
  )
})
