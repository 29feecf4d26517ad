/** Asks questions: the investor who has access to the room, or the broker for them (docs/behaviour/questions.md#asking). */
import * as Mutation from "../../../core/mutation/Mutation.ts"
import * as Id from "../../../core/Id.ts"
import * as UnvalidatedJson from "../../../core/usecase/UnvalidatedJson.ts"
import * as QuestionSteps from "./QuestionSteps.ts"
import { Effect } from "effect"
import type { Actor } from "../../../core/auth/CurrentActor.ts"
import { type Change, crossInto } from "../../../core/mutation/Changes.ts"
import { now } from "../../../platform/Time.ts"
import { type LoadedProspect, Prospects } from "../../prospects/Prospects.ts"
import { Quotas } from "../../../core/quotas/Quotas.ts"
import { all, bodyFault } from "../../../core/usecase/Input.ts"
import { byId, type UseCaseRequest } from "../../../core/usecase/UseCaseRequest.ts"
import { InvalidRequest } from "../../../core/usecase/Problem.ts"
import { Documents } from "../Documents.ts"
import { Rooms } from "../Rooms.ts"
import { refusalOf } from "./asking.ts"
import { toAsked, toQuestion } from "./projection.ts"
import { QaRepo } from "./QaRepo.ts"
import { NoRoomAccess, QuestionLimitReached, QuestionsNotTaken } from "./Question.ts"
import { QuestionCreate, QuestionCreateFor } from "./QuestionInput.ts"
import { QuestionsRepo } from "./QuestionsRepo.ts"
import { dueAt } from "./rules.ts"

const decodeOwn = UnvalidatedJson.decoder(QuestionCreate)
const decodeFor = UnvalidatedJson.decoder(QuestionCreateFor)

const unknownDocument = bodyFault("/documentId", "invalid_reference", "There is no document of the room with this id.")
const pageOfNothing = bodyFault("/page", "not_allowed", "Is only allowed together with a document.")
const unknownProspect = bodyFault(
  "/prospectId",
  "invalid_reference",
  "There is no prospect of the room's project with this id."
)

/** Makes the use-cases. `askFor` needs the `broker` capability, `ask` that of investors. */
export const make = Effect.gen(function* () {
  const repo = yield* QuestionsRepo
  const qa = yield* QaRepo
  const rooms = yield* Rooms
  const documents = yield* Documents
  const prospects = yield* Prospects
  const quotas = yield* Quotas
  const mutation = yield* Mutation.make
  const { follow } = yield* QuestionSteps.make

  /** The document of a room that a question names, or null. It may be any version. */
  const documentOf = Effect.fnUntraced(function* (
    teamId: string,
    room: QuestionSteps.OpenedRoom,
    { documentId, page }: QuestionCreate
  ) {
    if (documentId === undefined) return page === undefined ? null : yield* InvalidRequest.of([pageOfNothing])
    const fileUuid = Id.toUuid("file", documentId)
    const found = yield* documents.find(teamId, room.uuid, documentId)
    if (fileUuid === undefined || found === undefined) return yield* InvalidRequest.of([unknownDocument])
    return { fileUuid, name: found.name, page: page ?? null }
  })

  /**
   * Adds a question of a prospect who has access to a locked room. `change` is that of the broker's team, `callerTeamId` the team that
   * asks.
   */
  const insert = Effect.fnUntraced(function* (
    change: Change,
    room: QuestionSteps.OpenedRoom,
    prospect: LoadedProspect,
    input: QuestionCreate,
    callerTeamId: string
  ) {
    const { teamId } = change.actor
    const { category = "other", text } = input
    const refusal = refusalOf(
      { status: room.status, qa: yield* qa.settingsOf(teamId, room.uuid) },
      { category, askedBefore: yield* repo.countOf(teamId, room.uuid, prospect.uuid), now: change.at }
    )
    if (refusal !== undefined) {
      const { code, detail } = refusal
      if (code === "question_limit_reached") return yield* new QuestionLimitReached({ detail, limit: refusal.limit })
      if (code === "questions_not_taken") return yield* new QuestionsNotTaken({ detail })
      return yield* InvalidRequest.of([bodyFault("/category", code, detail)])
    }
    const document = yield* documentOf(teamId, room, input)
    yield* quotas.require(teamId, "questions", { callerTeamId })
    const asked = yield* repo.insert(change, {
      uuid: yield* change.newId,
      roomUuid: room.uuid,
      projectUuid: room.projectUuid,
      text,
      category,
      priority: "normal",
      asker: { prospectUuid: prospect.uuid, name: prospect.stored.resource.name },
      document,
      due: dueAt(change.at, "normal")
    })
    const entry = { event: "room.question_asked", details: { message: text } } as const
    yield* follow(change, room, { before: undefined, after: asked, entry })
    return asked
  })

  /** Asks for a prospect of the room, as the broker. */
  const askFor = Effect.fn("Questions.askFor")((roomId: string, request: UseCaseRequest) =>
    mutation.create({
      request,
      authorize: "broker",
      load: (actor) => rooms.find(actor, roomId),
      decide: ({ body }) =>
        Effect.map(all(request.query, decodeFor(body), request.idempotencyKey), ([, input, key]) => ({ input, key })),
      commit: (creation) =>
        mutation.once(creation, (change) =>
          Effect.gen(function* () {
            const { input } = creation.decision
            const room = QuestionSteps.openedAt(yield* rooms.lockLiving(change, creation.loaded), change.at)
            const prospect = yield* prospects
              .load(change.actor, Id.fromUuid("project", room.projectUuid), input.prospectId)
              .pipe(Effect.mapError(() => InvalidRequest.of([unknownProspect])))
            const members = yield* rooms.membersOf(change.actor.teamId, room.uuid, change.at)
            if (!members.includes(prospect.uuid)) {
              return yield* new NoRoomAccess({ detail: "The prospect has no access to the room. Grant it first." })
            }
            return toQuestion(yield* insert(change, room, prospect, input, change.actor.teamId))
          })
        )
    })
  )

  /** How an investor has access to a room at a moment, by an offer of their team. */
  const accessOf = (actor: Actor, roomId: string, at: Date) =>
    byId("room", roomId, () => rooms.asInvestor(actor, roomId, at))

  /** Asks as an investor who has access to the room. */
  const ask = Effect.fn("Questions.ask")((roomId: string, request: UseCaseRequest) =>
    mutation.create({
      request,
      authorize: "investor",
      load: (actor) => Effect.flatMap(now, (at) => accessOf(actor, roomId, at)),
      decide: ({ body }) =>
        Effect.map(all(request.query, decodeOwn(body), request.idempotencyKey), ([, input, key]) => ({ input, key })),
      commit: (creation) =>
        mutation.once(creation, (change) =>
          crossInto(change, creation.loaded.brokerTeamId, (ofBroker) =>
            Effect.gen(function* () {
              const stored = yield* rooms.lockLiving(ofBroker, { uuid: creation.loaded.roomUuid })
              const room = QuestionSteps.openedAt(stored, change.at)
              // The access may have ended before the room was locked.
              const { prospectUuid } = yield* accessOf(creation.actor, roomId, change.at)
              const prospect = yield* prospects.load(
                ofBroker.actor,
                Id.fromUuid("project", room.projectUuid),
                Id.fromUuid("prospect", prospectUuid)
              )
              return toAsked(yield* insert(ofBroker, room, prospect, creation.decision.input, creation.actor.teamId))
            })
          )
        )
    })
  )

  return { ask, askFor }
})
