/** How the use-cases of questions load and lock a question, and record what happened to it. */
import type * as Mutation from "../../../core/mutation/Mutation.ts"
import * as Id from "../../../core/Id.ts"
import { Effect } from "effect"
import type { Actor } from "../../../core/auth/CurrentActor.ts"
import type { Change } from "../../../core/mutation/Changes.ts"
import { now } from "../../../platform/Time.ts"
import { Prospects } from "../../prospects/Prospects.ts"
import { byId } from "../../../core/usecase/UseCaseRequest.ts"
import { ConcurrencyConflict, NotFound } from "../../../core/usecase/Problem.ts"
import type { RoomRef } from "../entries.ts"
import { RoomRefused } from "../Room.ts"
import type { RoomStatus } from "../../access/Access.ts"
import { Rooms } from "../Rooms.ts"
import { type RoomTimes, stateAt } from "../rules.ts"
import { type QuestionEntry, questionRecord, silentRecord } from "./entries.ts"
import { QaRepo } from "./QaRepo.ts"
import { type QuestionMove, QuestionMoveRefused } from "./Question.ts"
import type { StoredQuestion } from "./QuestionState.ts"
import { QuestionsRepo } from "./QuestionsRepo.ts"
import { isWaiting, rejectionOf, transitions } from "./rules.ts"

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
export const make = Effect.gen(function* () {
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
