/**
 * What changes questions (docs/behaviour/questions.md): asking, drafting, answering, patching and closing, and how each loads, locks and
 * records.
 */
import * as Id from "../../../core/Id.ts"
import * as Mutation from "../../../core/mutation/Mutation.ts"
import * as UnvalidatedJson from "../../../core/usecase/UnvalidatedJson.ts"
import { makeMergePatch } from "../../../core/usecase/UnvalidatedJson.ts"
import { Effect } from "effect"
import { type Actor, authorize } from "../../../core/auth/CurrentActor.ts"
import { inTeam } from "../../../platform/db/Cells.ts"
import { type Change, crossInto } from "../../../core/mutation/Changes.ts"
import { now } from "../../../platform/Time.ts"
import { type LoadedProspect, Prospects } from "../../prospects/Prospects.ts"
import { byId, type UseCaseRequest } from "../../../core/usecase/UseCaseRequest.ts"
import { ConcurrencyConflict, InvalidRequest, NotFound } from "../../../core/usecase/Problem.ts"
import { type RoomRef, type RoomTimes, stateAt } from "../rules.ts"
import { RoomRefused } from "../Room.ts"
import type { RoomStatus } from "../../access/Access.ts"
import { Rooms } from "../Rooms.ts"
import {
  changedFieldsOf,
  dueAt,
  isWaiting,
  type QuestionEntry,
  questionRecord,
  refusalOf,
  rejectionOf,
  repeats,
  silentRecord,
  toAsked,
  toQuestion,
  transitions,
  type Triage,
  type WantedAnswer
} from "./rules.ts"
import { QaRepo, QuestionsRepo } from "./QuestionsRepo.ts"
import {
  AnswerInput,
  AskerWithoutAccess,
  DraftAnswerInput,
  NoRoomAccess,
  Question,
  QuestionCreate,
  QuestionCreateFor,
  QuestionLimitReached,
  type QuestionMove,
  QuestionMoveRefused,
  QuestionPatch,
  QuestionsNotTaken,
  type StoredQuestion
} from "./Question.ts"
import { Quotas } from "../../../core/quotas/Quotas.ts"
import { all, bodyFault } from "../../../core/usecase/Input.ts"
import { Documents } from "../Documents.ts"
import { OfferChanges } from "../../offers/OfferChanges.ts"
import { Members } from "../../../identity/teams/Teams.ts"
import { assigneeOf, withoutSameAssignee } from "../../../identity/teams/rules.ts"

/** The public ids that name a room. */
export interface RoomParams {
  readonly projectId: string
  readonly roomId: string
}

/** The public ids that name a question. */
export interface QuestionParams extends RoomParams {
  readonly questionId: string
}

/** A room with its state at the moment when it was loaded. */
export interface OpenedRoom extends RoomRef {
  readonly status: RoomStatus
}

/** The room as it is at a moment: one that wound down long enough is closed, also before a job records it. */
export const openedAt = (stored: RoomRef & RoomTimes, at: Date): OpenedRoom => ({
  uuid: stored.uuid,
  projectUuid: stored.projectUuid,
  status: stateAt(stored, at).status
})

/** A question with its room. */
export interface LoadedQuestion {
  readonly actor: Actor
  readonly room: OpenedRoom
  readonly question: StoredQuestion
}

const notFound = new NotFound({ detail: "There is no question with this id in the room." })

/** Rejects what the question's state, or that of its room, does not allow. */
export const requireMove = (
  { question, room }: LoadedQuestion,
  move: QuestionMove
): Effect.Effect<void, QuestionMoveRefused | RoomRefused> => {
  const { state } = question
  if ((state === "answered" || state === "closed") && transitions[state][move] === "refused") {
    return Effect.fail(new QuestionMoveRefused({ detail: rejectionOf(state, move), from: state, move }))
  }
  return room.status === "closed"
    ? Effect.fail(new RoomRefused({ detail: "The room is closed: its questions can be read, and do not change." }))
    : Effect.void
}

/** The steps that the use-cases of questions share. */
export const makeQuestionSteps = Effect.gen(function* () {
  const repo = yield* QuestionsRepo
  const qa = yield* QaRepo
  const rooms = yield* Rooms
  const prospects = yield* Prospects

  /** A question of a room, both by their ids. `actor` is authorized already. */
  const loadIn = Effect.fnUntraced(function* (actor: Actor, { projectId, questionId, roomId }: QuestionParams) {
    const room = openedAt(yield* rooms.load(actor, projectId, roomId), yield* now)
    const question = yield* byId("question", questionId, (uuid) => repo.find(actor.teamId, uuid))
    const loaded: LoadedQuestion = { actor, room, question }
    return question.roomUuid === room.uuid ? loaded : yield* notFound
  })

  /** A question by its own id. `actor` is authorized already. */
  const load = Effect.fnUntraced(function* (actor: Actor, questionId: string) {
    const question = yield* byId("question", questionId, (uuid) => repo.find(actor.teamId, uuid))
    const room = yield* rooms.find(actor, Id.fromUuid("room", question.roomUuid))
    const loaded: LoadedQuestion = { actor, room: openedAt(room, yield* now), question }
    return loaded
  })

  /** Locks the room of a question, and then the question; fails when the question is `pinned` and was changed. */
  const lock = Effect.fnUntraced(function* (
    change: Change,
    { loaded, pinned }: Mutation.Locking<LoadedQuestion>
  ): Effect.fn.Return<LoadedQuestion, ConcurrencyConflict> {
    const room = openedAt(yield* rooms.lock(change, loaded.room), change.at)
    const question = yield* repo.lock(change.actor.teamId, loaded.question.uuid)
    if (question === undefined || (pinned && question.audit.etag !== loaded.question.audit.etag)) {
      return yield* ConcurrencyConflict.of("question")
    }
    return { ...loaded, room, question }
  })

  /** The asker as events name it; without its contact or company once it was deleted. */
  const askerOf = Effect.fnUntraced(function* (change: Change, { projectUuid }: OpenedRoom, { asker }: StoredQuestion) {
    if (asker === null) return null
    const { prospectUuid } = asker
    const found = yield* prospects
      .load(change.actor, Id.fromUuid("project", projectUuid), Id.fromUuid("prospect", prospectUuid))
      .pipe(Effect.orElseSucceed(() => undefined))
    return {
      prospectUuid,
      contactId: found?.stored.resource.contactId ?? null,
      companyId: found?.stored.resource.companyId ?? null
    }
  })

  /** Records what a change did to a question of a locked room, which makes the next version of the room. */
  const follow = Effect.fnUntraced(function* (
    change: Change,
    room: OpenedRoom,
    {
      after,
      before,
      entry
    }: {
      /** Undefined for a new question. */
      readonly before: StoredQuestion | undefined
      readonly after: StoredQuestion
      readonly entry: QuestionEntry
    }
  ) {
    const [was, is] = [before !== undefined && isWaiting(before.state), isWaiting(after.state)]
    yield* qa.follow(change, room.uuid, was === is ? 0 : is ? 1 : -1)
    change.record(silentRecord(after.uuid, before === undefined ? "created" : "updated"))
    const asker = yield* askerOf(change, room, after)
    change.record(questionRecord(room, after.uuid, asker, entry))
  })

  return { load, loadIn, lock, follow }
})

// Asks questions: the investor who has access to the room, or the broker for them (docs/behaviour/questions.md#asking).

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
export const makeAskQuestion = Effect.gen(function* () {
  const repo = yield* QuestionsRepo
  const qa = yield* QaRepo
  const rooms = yield* Rooms
  const documents = yield* Documents
  const prospects = yield* Prospects
  const quotas = yield* Quotas
  const mutation = yield* Mutation.make
  const { follow } = yield* makeQuestionSteps

  /** The document of a room that a question names, or null. It may be any version. */
  const documentOf = Effect.fnUntraced(function* (
    teamId: string,
    room: OpenedRoom,
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
    room: OpenedRoom,
    prospect: LoadedProspect,
    input: QuestionCreate,
    callerTeamId: string
  ) {
    const { teamId } = change.actor
    const { category = "other", text } = input
    if (prospect.stored.resource.erasedUtc !== null) {
      return yield* new NoRoomAccess({ detail: "The person was erased, and asks no more." })
    }
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
            const room = openedAt(yield* rooms.lockLiving(change, creation.loaded), change.at)
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
              const room = openedAt(stored, change.at)
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

  /** The questions of an investor who has access to the room that wait for an answer. A draft of one is the broker's. */
  const waitingOfOwn = Effect.fn("Questions.waitingOfOwn")(function* (roomId: string) {
    const actor = yield* authorize("investor")
    const { brokerTeamId, prospectUuid, roomUuid } = yield* accessOf(actor, roomId, yield* now)
    const waiting = yield* inTeam(brokerTeamId)(repo.waitingOf(brokerTeamId, roomUuid, prospectUuid))
    return waiting.map(({ created_at, id, text }) => ({
      id: Id.fromUuid("question", id),
      text,
      askedUtc: created_at.toISOString()
    }))
  })

  return { ask, askFor, waitingOfOwn }
})

// Drafts answers, which are internal to the broker's team (docs/behaviour/questions.md#states).

const decodeDraft = UnvalidatedJson.decoder(DraftAnswerInput)

/** Makes the use-case. It needs the `broker` capability. */
export const makeDraftAnswer = Effect.gen(function* () {
  const repo = yield* QuestionsRepo
  const mutation = yield* Mutation.make
  const { follow, loadIn, lock } = yield* makeQuestionSteps

  /** Replaces the draft of the answer to a question. Its text is in no timeline row and no event. */
  return Effect.fn("Questions.draft")((params: QuestionParams, request: UseCaseRequest) =>
    mutation.change({
      request,
      authorize: "broker",
      load: (actor) => loadIn(actor, params),
      body: request.body,
      etagOf: ({ question }) => question.audit.etag,
      decide: ({ body, loaded }) =>
        Effect.gen(function* () {
          const [, { contentFormat: format = "plaintext", text }] = yield* all(request.query, decodeDraft(body))
          const { draft } = loaded.question
          if (draft !== null && draft.text === text && draft.format === format) return null
          yield* requireMove(loaded, "draft")
          return { text, format }
        }),
      lock,
      commit: (change, { decision, loaded: { question, room } }) =>
        Effect.gen(function* () {
          const written = yield* repo.draft(change, question.uuid, decision)
          yield* follow(change, room, { before: question, after: written, entry: { event: "room.answer_drafted" } })
          return written
        }),
      answer: ({ committed, loaded }) => Effect.succeed(toQuestion(committed ?? loaded.question))
    })
  )
})

// Publishes answers (docs/behaviour/questions.md#states).

const decodeAnswer = UnvalidatedJson.decoder(AnswerInput)

/** Makes the use-case. It needs the `broker` capability. */
export const makeAnswerQuestion = Effect.gen(function* () {
  const repo = yield* QuestionsRepo
  const rooms = yield* Rooms
  const offers = yield* OfferChanges
  const mutation = yield* Mutation.make
  const { follow, load, lock } = yield* makeQuestionSteps

  /** The prospects (UUIDs) whom an answer for this audience reaches: of those who have access at that moment. */
  const recipientsOf = Effect.fnUntraced(function* (
    { actor, question: { asker }, room }: LoadedQuestion,
    audience: WantedAnswer["audience"],
    at: Date
  ) {
    const members = yield* rooms.membersOf(actor.teamId, room.uuid, at)
    return audience === "all" ? members : members.filter((uuid) => uuid === asker?.prospectUuid)
  })

  /** Validates an answer; null when it repeats the published one. */
  const decide = Effect.fnUntraced(function* (
    request: UseCaseRequest,
    loaded: LoadedQuestion,
    body: UnvalidatedJson.UnvalidatedJson
  ) {
    const [, { audience = "asker", text }] = yield* all(request.query, decodeAnswer(body))
    const wanted: WantedAnswer = { text, audience }
    if (repeats(loaded.question.answer, wanted)) return null
    yield* requireMove(loaded, "answer")
    if (audience === "asker" && (yield* recipientsOf(loaded, audience, yield* now)).length === 0) {
      return yield* new AskerWithoutAccess({
        detail:
          "The asker has no access to the room, so that the answer would reach nobody. Grant access again, publish it for all, or close the question."
      })
    }
    return wanted
  })

  const publish = Effect.fnUntraced(function* (change: Change, wanted: WantedAnswer, loaded: LoadedQuestion) {
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

// Changes the category, priority and assignee of questions (docs/behaviour/questions.md#states).

const decodePatch = makeMergePatch(QuestionPatch, Question.fields)

const unknownAssignee = bodyFault(
  "/assignee",
  "invalid_reference",
  "Must be the id of an active member of the team, `me`, or null."
)

/** Makes the use-case. It needs the `broker` capability. */
export const makePatchQuestion = Effect.gen(function* () {
  const repo = yield* QuestionsRepo
  const members = yield* Members
  const mutation = yield* Mutation.make
  const { follow, loadIn, lock } = yield* makeQuestionSteps

  /** Validates a patch of a question as it is; null when it changes nothing. */
  const decide = Effect.fnUntraced(function* (
    request: UseCaseRequest,
    loaded: LoadedQuestion,
    body: UnvalidatedJson.UnvalidatedJson
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
    yield* requireMove(loaded, "update")
    return { after, changedFields }
  })

  /** Changes members of a question; a patch that changes nothing leaves no trace. */
  return Effect.fn("Questions.patch")((params: QuestionParams, request: UseCaseRequest) =>
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

// Closes questions (docs/behaviour/questions.md#states).

/** Makes the use-case. It needs the `broker` capability. */
export const makeCloseQuestion = Effect.gen(function* () {
  const repo = yield* QuestionsRepo
  const mutation = yield* Mutation.make
  const { follow, load, lock } = yield* makeQuestionSteps

  /** Closes a question; closing a closed one leaves no trace. */
  return Effect.fn("Questions.close")((questionId: string, request: Pick<UseCaseRequest, "query">) =>
    mutation.changeLatest({
      authorize: "broker",
      load: (actor) => load(actor, questionId),
      decide: ({ loaded }) =>
        Effect.gen(function* () {
          yield* request.query
          if (loaded.question.state === "closed") return null
          yield* requireMove(loaded, "close")
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
