/** What the broker sets for the questions of a room (docs/behaviour/questions.md#asking). */
import * as Mutation from "../../../core/mutation/Mutation.ts"
import * as UnvalidatedJson from "../../../core/usecase/UnvalidatedJson.ts"
import { Effect } from "effect"
import type { Actor } from "../../../core/auth/CurrentActor.ts"
import { now } from "../../../platform/Time.ts"
import { endOf } from "../../prospects/projection.ts"
import { all, bodyFault } from "../../../core/usecase/Input.ts"
import { InvalidRequest } from "../../../core/usecase/Problem.ts"
import type { UseCaseRequest } from "../../../core/usecase/UseCaseRequest.ts"
import { roomRecord } from "../rules.ts"
import { questionCategories, type RoomQa, RoomRefused } from "../Room.ts"
import { Rooms } from "../Rooms.ts"
import { isSameSettings, type QaSettings, toQa } from "./rules.ts"
import { QaRepo, QuestionsRepo } from "./QuestionsRepo.ts"
import { QaSettingsPatch } from "./Question.ts"
import { openedAt, type OpenedRoom } from "./QuestionChanges.ts"

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

/** Makes the use-case. It needs the `broker` capability. */
export const makeQaSettings = Effect.gen(function* () {
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
