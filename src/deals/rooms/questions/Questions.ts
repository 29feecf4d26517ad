/** The use-cases of questions: reads here, one file for each change. */
import * as DeltaList from "../../../core/mutation/DeltaList.ts"
import * as Id from "../../../core/Id.ts"
import * as SlowReads from "../../../core/usecase/SlowReads.ts"
import {
  makeAnswerQuestion,
  makeAskQuestion,
  makeCloseQuestion,
  makeDraftAnswer,
  makePatchQuestion,
  makeQuestionSteps,
  type QuestionParams,
  type RoomParams
} from "./QuestionChanges.ts"
import { makeQaSettings } from "./QaSettings.ts"
import { Context, Effect, Layer } from "effect"
import { authorize } from "../../../core/auth/CurrentActor.ts"
import { now } from "../../../platform/Time.ts"
import { Cursors } from "../../../core/usecase/Page.ts"
import type { UseCaseRequest } from "../../../core/usecase/UseCaseRequest.ts"
import { Rooms } from "../Rooms.ts"
import { toQuestion } from "./rules.ts"
import type { QuestionListQuery } from "./Question.ts"
import { QuestionsRepo } from "./QuestionsRepo.ts"

const make = Effect.gen(function* () {
  const repo = yield* QuestionsRepo
  const rooms = yield* Rooms
  const cursors = yield* Cursors
  const slowReads = yield* SlowReads.make
  const { load, loadIn } = yield* makeQuestionSteps

  /** A page of a room's questions. */
  const list = Effect.fn("Questions.list")(function* (
    { projectId, roomId }: RoomParams,
    request: Pick<UseCaseRequest<QuestionListQuery>, "query">
  ) {
    const actor = yield* authorize("broker")
    const { teamId, userId } = actor
    const roomUuid = yield* rooms.idOf(actor, projectId, roomId)
    const query = yield* request.query
    const { category, overdue, priority, status } = query
    const assignee =
      query.assignee === "me" ? userId : query.assignee === "none" ? "none" : query.assignee && userOf(query.assignee)
    const at = yield* now
    return yield* DeltaList.read({
      list: "Questions",
      teamId,
      of: roomUuid,
      query,
      filters: { ...DeltaList.filtersOf(query), ...(query.assignee === "me" ? { assignee: userId } : {}) },
      cursors,
      slowReads,
      fetch: (range) =>
        repo.list(teamId, roomUuid, range, {
          state: status,
          category,
          priority,
          assignee,
          overdueAt: overdue === true ? at : undefined
        }),
      toItem: toQuestion
    })
  })

  /** One question of a room. */
  const get = Effect.fn("Questions.get")(function* (params: QuestionParams) {
    const { question } = yield* loadIn(yield* authorize("broker"), params)
    return toQuestion(question)
  })

  /** The ids of a question, its room and its project, for callers who are given the question's alone. */
  const locate = Effect.fn("Questions.locate")(function* (questionId: string) {
    const { room } = yield* load(yield* authorize("broker"), questionId)
    const projectId = Id.fromUuid("project", room.projectUuid)
    return { projectId, roomId: Id.fromUuid("room", room.uuid), questionId }
  })

  return {
    list,
    get,
    locate,
    locateRoom: rooms.locate,
    patch: yield* makePatchQuestion,
    draft: yield* makeDraftAnswer,
    ...(yield* makeAskQuestion),
    answer: yield* makeAnswerQuestion,
    close: yield* makeCloseQuestion,
    set: yield* makeQaSettings
  }
})

/** The UUID of a user; null for no id. */
const userOf = (id: string) => Id.toUuid("user", id) ?? null

/** The use-cases of questions. `ask` needs the capability of investors, all others `broker`. */
export class Questions extends Context.Service<Questions, Effect.Success<typeof make>>()(
  "deals/rooms/questions/Questions"
) {
  static readonly layer = Layer.effect(Questions, make)
}
