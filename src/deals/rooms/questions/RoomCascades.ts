/** What happens to questions when something happens to their rooms, and the `qa` block of a room. */
import { Effect, Layer } from "effect"
import { RoomQuestions } from "../RoomQuestions.ts"
import { toQa } from "./projection.ts"
import { QaRepo } from "./QaRepo.ts"
import { QuestionsRepo } from "./QuestionsRepo.ts"

const make = Effect.gen(function* () {
  const repo = yield* QuestionsRepo
  const qa = yield* QaRepo

  const qaOf = Effect.fn("RoomCascades.qaOf")(function* (teamId: string, roomUuid: string, now: Date) {
    return toQa(yield* qa.settingsOf(teamId, roomUuid), yield* repo.counts(teamId, roomUuid, now))
  })

  return RoomQuestions.of({
    qaOf,
    deleteAll: repo.deleteAll,
    restoreAll: repo.restoreAll,
    moveAsked: repo.moveAsked
  })
})

/** The questions of rooms, for the module of rooms. */
export const layer = Layer.effect(RoomQuestions, make)
