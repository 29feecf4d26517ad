/** The use-cases of questions: reads, and what the broker sets for those of a room; other changes are in QuestionChanges.ts. */
import * as DeltaList from "../../../core/mutation/DeltaList.ts"
import * as Id from "../../../core/Id.ts"
import * as Mutation from "../../../core/mutation/Mutation.ts"
import * as UnvalidatedJson from "../../../core/usecase/UnvalidatedJson.ts"
import { makeSlowReads } from "../../../core/usecase/TeamBudget.ts"
import {
  makeAnswerQuestion,
  makeAskQuestion,
  makeCloseQuestion,
  makeDraftAnswer,
  makePatchQuestion,
  makeQuestionSteps,
  openedAt,
  type OpenedRoom,
  type QuestionParams,
  type RoomParams
} from "./QuestionChanges.ts"
import { Context, Effect, Layer } from "effect"
import { type Actor, authorize } from "../../../core/auth/CurrentActor.ts"
import { now } from "../../../platform/Time.ts"
import { Cursors } from "../../../core/usecase/Page.ts"
import type { UseCaseRequest } from "../../../core/usecase/UseCaseRequest.ts"
import { Rooms } from "../Rooms.ts"
import { isSameSettings, type QaSettings, toQa, toQuestion } from "./rules.ts"
import { QaSettingsPatch, type QuestionListQuery } from "./Question.ts"
import { QaRepo, QuestionsRepo } from "./QuestionsRepo.ts"
import { endOf } from "../../prospects/projection.ts"
import { all, bodyFault } from "../../../core/usecase/Input.ts"
import { InvalidRequest } from "../../../core/usecase/Problem.ts"
import { roomRecord } from "../rules.ts"
import { questionCategories, type RoomQa, RoomRefused } from "../Room.ts"
import { Documents } from "../Documents.ts"
import { Members } from "../../../identity/teams/Teams.ts"
import { OfferChanges } from "../../offers/OfferChanges.ts"
import { Prospects } from "../../prospects/Prospects.ts"

// What the broker sets for the questions of a room (docs/behaviour/questions.md#asking).

interface LoadedRoom {
  readonly actor: Actor
  readonly room: OpenedRoom
}

const decodePatch = UnvalidatedJson.decoder(QaSettingsPatch)

const invalidDeadline = bodyFault(
  "/deadline",
  "invalid_deadline",
  "Must be a number of seconds, hours, days, weeks or months (10s, 2h, 30d, 2w, 1m), or an ISO 8601 date or date and time."
)

/** Makes the use-case that changes the settings. It needs the `broker` capability. */
const makeQaSettings = Effect.gen(function* () {
  const repo = yield* QuestionsRepo
  const qa = yield* QaRepo
  const rooms = yield* Rooms
  const mutation = yield* Mutation.make

  /** The settings after a patch; null if they stay. */
  const decide = Effect.fnUntraced(function* (
    request: UseCaseRequest,
    { actor, room: { status, uuid } }: LoadedRoom,
    body: UnvalidatedJson.UnvalidatedJson
  ) {
    const [, { categories, deadline: text, ...input }] = yield* all(request.query, decodePatch(body))
    const deadline = typeof text === "string" ? endOf(text, yield* now) : text
    if (typeof text === "string" && deadline === undefined) return yield* InvalidRequest.of([invalidDeadline])
    const before = yield* qa.settingsOf(actor.teamId, uuid)
    const after: QaSettings = {
      ...before,
      ...input,
      ...(deadline === undefined ? {} : { deadline }),
      ...(categories === undefined ? {} : { categories: categories ?? questionCategories })
    }
    if (isSameSettings(before, after)) return null
    return status === "closed"
      ? yield* new RoomRefused({ detail: "The room is closed: it takes no questions." })
      : after
  })

  /** Changes what is set for the questions of a room; a patch that changes nothing leaves no trace. */
  return Effect.fn("Questions.set")((roomId: string, request: UseCaseRequest) =>
    mutation.changeLatest({
      authorize: "broker",
      load: (actor) =>
        Effect.gen(function* () {
          const loaded: LoadedRoom = { actor, room: openedAt(yield* rooms.find(actor, roomId), yield* now) }
          return loaded
        }),
      body: request.body,
      decide: ({ body, loaded }) => decide(request, loaded, body),
      lock: (change, { loaded }) =>
        Effect.map(rooms.lock(change, loaded.room), (room) => ({ ...loaded, room: openedAt(room, change.at) })),
      commit: (change, { decision, loaded: { room } }) =>
        Effect.gen(function* () {
          yield* qa.write(change, room.uuid, decision)
          change.record(roomRecord(room, "room.updated", { details: { changedFields: ["qa"] } }))
        }),
      answer: ({
        loaded: {
          actor,
          room: { uuid }
        }
      }): Effect.Effect<RoomQa> =>
        Effect.gen(function* () {
          const settings = yield* qa.settingsOf(actor.teamId, uuid)
          return toQa(settings, yield* repo.counts(actor.teamId, uuid, yield* now))
        })
    })
  )
})

// Reads, and all use-cases.

/** The UUID of a user; null for no id. */
const userOf = (id: string) => Id.toUuid("user", id) ?? null

const make = Effect.gen(function* () {
  const repo = yield* QuestionsRepo
  const rooms = yield* Rooms
  const cursors = yield* Cursors
  const slowReads = yield* makeSlowReads
  const { load, loadIn } = yield* makeQuestionSteps

  /** A page of a room's questions. */
  const list = Effect.fn("Questions.list")(function* (
    { projectId, roomId }: RoomParams,
    request: Pick<UseCaseRequest<QuestionListQuery>, "query">
  ) {
    const actor = yield* authorize("broker")
    const { teamId, userId } = actor
    const { uuid: roomUuid } = yield* rooms.load(actor, projectId, roomId)
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

/** The use-cases of questions. `ask` and `waitingOfOwn` need the capability of investors, all others `broker`. */
export class Questions extends Context.Service<Questions, Effect.Success<typeof make>>()(
  "deals/rooms/questions/Questions"
) {
  static readonly layer = Layer.effect(Questions, make).pipe(
    Layer.provide([
      Documents.layer,
      Members.layer,
      OfferChanges.layer,
      Prospects.layer,
      QaRepo.layer,
      QuestionsRepo.layer,
      Rooms.layer
    ])
  )
}
