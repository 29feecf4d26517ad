import { Effect } from "effect"
import { AccessLifecycle } from "../../../src/deals/lifecycle/AccessLifecycle.ts"
import { Questions } from "../../../src/deals/rooms/questions/Questions.ts"
import { requestOf } from "../../deals/rooms/questions/fixture.ts"
import { as, open } from "../../deals/rooms/fixture.ts"
import type { Calls, World } from "./Call.ts"
import { aProspect } from "./prospects.ts"

/** A new room of a new project of the world, with a prospect who has access. */
export const aRoom = (world: World) =>
  Effect.gen(function* () {
    const { project, prospect } = yield* aProspect(world)
    const { id: room } = yield* open(world, project)
    yield* (yield* AccessLifecycle).grant(room, requestOf({ prospectIds: [prospect] })).pipe(as(world))
    return { project, prospect, room }
  }).pipe(Effect.orDie)

/** What a prospect asks in a room of the world. */
export const ask = Effect.fnUntraced(function* (
  world: World,
  { prospect, room, ...asked }: { readonly room: string; readonly prospect: string; readonly text: string }
) {
  const questions = yield* Questions
  const { value } = yield* as(world)(questions.askFor(room, requestOf({ ...asked, prospectId: prospect })))
  return value.id
}, Effect.orDie)

/** A new question in a new room of the world. */
const aQuestion = (world: World) =>
  Effect.gen(function* () {
    const { prospect, room } = yield* aRoom(world)
    return { room, question: yield* ask(world, { prospect, room, text: "Which tenants may leave?" }) }
  })

export const rooms: Calls = {
  list_rooms: (world) => Effect.map(aRoom(world), ({ project }) => ({ project })),
  get_room: (world) => Effect.map(aRoom(world), ({ room }) => ({ room })),
  list_questions: (world) => Effect.map(aQuestion(world), ({ room }) => ({ room })),
  get_question: (world) => Effect.map(aQuestion(world), ({ question }) => ({ question })),
  draft_answer: (world) => Effect.map(aQuestion(world), ({ question }) => ({ question, text: "To be confirmed." })),
  update_question: (world) => Effect.map(aQuestion(world), ({ question }) => ({ question, assigneeRef: "me" }))
}
