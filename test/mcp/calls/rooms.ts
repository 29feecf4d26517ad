import { Effect } from "effect"
import { Access } from "../../../src/rooms/Access.ts"
import { Questions } from "../../../src/rooms/questions/Questions.ts"
import { requestOf } from "../../rooms/questions/fixture.ts"
import { as, open } from "../../rooms/fixture.ts"
import type { Calls, World } from "./Call.ts"
import { aProspect } from "./prospects.ts"

/** A new room of a new project of the world, with a prospect who has access. */
const aRoom = (world: World) =>
  Effect.gen(function* () {
    const { project, prospect } = yield* aProspect(world)
    const { id: room } = yield* open(world, project)
    yield* (yield* Access).grant(room, requestOf({ prospectIds: [prospect] })).pipe(as(world))
    return { project, prospect, room }
  }).pipe(Effect.orDie)

/** A new question in a new room of the world. */
const aQuestion = (world: World) =>
  Effect.gen(function* () {
    const { prospect, room } = yield* aRoom(world)
    const questions = yield* Questions
    const asked = questions.askFor(room, requestOf({ text: "Which tenants may leave?", prospectId: prospect }))
    const { value } = yield* as(world)(asked)
    return { room, question: value.id }
  }).pipe(Effect.orDie)

export const rooms: Calls = {
  list_rooms: (world) => Effect.map(aRoom(world), ({ project }) => ({ project })),
  get_room: (world) => Effect.map(aRoom(world), ({ room }) => ({ room })),
  list_questions: (world) => Effect.map(aQuestion(world), ({ room }) => ({ room })),
  get_question: (world) => Effect.map(aQuestion(world), ({ question }) => ({ question })),
  draft_answer: (world) => Effect.map(aQuestion(world), ({ question }) => ({ question, text: "To be confirmed." })),
  update_question: (world) => Effect.map(aQuestion(world), ({ question }) => ({ question, assigneeRef: "me" }))
}
