/** The use-cases of notes, on resources of any type: docs/behaviour/timelines-notes-files.md#notes. */
import * as Mutation from "../../core/mutation/Mutation.ts"
import * as Id from "../../core/Id.ts"
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import { required, type UseCaseRequest, versionEtag } from "../../core/usecase/UseCaseRequest.ts"
import { Context, Effect, Layer } from "effect"
import type { Actor } from "../../core/auth/CurrentActor.ts"
import type { NoteAction, NoteListQuery, Subject } from "../../core/mutation/Timeline.ts"
import { namesOfSubjects, type TimelineSubject } from "../../core/mutation/ChangeRecord.ts"
import { type Change, following } from "../../core/mutation/Changes.ts"
import { Timelines } from "../../core/mutation/Timelines.ts"
import { Retention } from "../../platform/Retention.ts"
import { daysAgo } from "../../platform/Time.ts"
import { Quotas } from "../../core/quotas/Quotas.ts"
import { Subjects, type SubjectsOf } from "../Subjects.ts"
import { all } from "../../core/usecase/Input.ts"
import { InvalidRequest, NotFound } from "../../core/usecase/Problem.ts"
import { NoteCreate, NoteMoveRefused, NoteRevision } from "./Note.ts"
import { NotesRepo, type StoredNote } from "./NotesRepo.ts"
import {
  activeCountDelta,
  eventOfMove,
  faultsOf,
  type NoteText,
  rejectionOf,
  replaceText,
  textOf,
  transitions
} from "./rules.ts"

/** The result of a revision. */
export interface RevisionResult {
  /** The ETag of the note or, after `supersede`, of its new revision. */
  readonly etag: string
  /** The id of the new revision, if there is one. */
  readonly successorId: string | undefined
}

const decodeCreate = UnvalidatedJson.decoder(NoteCreate)
const decodeRevision = UnvalidatedJson.decoder(NoteRevision)

/** The body of a request that requires `If-Match` (428). */
const bodyAndIfMatch = (request: UseCaseRequest) => Effect.tap(request.body, required(request.ifMatch))

const make = Effect.gen(function* () {
  const { notes: days } = yield* Retention
  const repo = yield* NotesRepo
  const subjects = yield* Subjects
  const timelines = yield* Timelines
  const quotas = yield* Quotas
  const mutation = yield* Mutation.make

  /** Fails if a resource has as many notes as it may have. */
  const requireRoom = (subject: Subject) =>
    quotas.requireOfResource(subject.teamId, "notes_of_resource", (atMost) => timelines.countNotes(subject, atMost))

  const load = Effect.fnUntraced(function* (subject: Subject, id: string) {
    const uuid = Id.toUuid("act", id)
    const stored = uuid === undefined ? undefined : yield* repo.find(subject, uuid)
    return stored ?? (yield* new NotFound({ detail: "There is no note with this id on this resource." }))
  })

  /** Records a note on timelines; its author is the actor of `change`. */
  const recordNote = Effect.fnUntraced(function* (
    change: Change,
    options: {
      readonly uuid: string
      readonly timelineSubjects: ReadonlyArray<TimelineSubject>
      readonly text: NoteText
      /** The UUID of the note that this one replaces. */
      readonly supersedes: string | null
    }
  ) {
    const { supersedes, text, timelineSubjects, uuid } = options
    const { userId } = change.actor
    change.record({
      change: "created",
      resource: { type: "act", id: uuid },
      subjects: timelineSubjects,
      timeline: { type: "note", id: uuid, ...text, supersedes },
      names: namesOfSubjects(timelineSubjects)
    })
    const note: NoteAction = {
      id: Id.fromUuid("act", uuid),
      type: "note",
      event: null,
      occurredUtc: change.at.toISOString(),
      actor: { id: Id.fromUuidOrNull("user", userId), name: yield* repo.nameOf(userId) },
      details: { kind: "note", message: text.message, archivedAt: null },
      etag: versionEtag(1),
      archivedAt: null,
      contentFormat: text.contentFormat,
      ...(supersedes === null ? {} : { supersedesActivityId: Id.fromUuid("act", supersedes) })
    }
    return note
  })

  /** Locks all timelines that a note is on. While this waits for a lock, a merge may move the note to another timeline. */
  const lockTimelines = Effect.fnUntraced(function* (actor: Actor, uuid: string) {
    const locked = new Set<string>()
    while (true) {
      const timelineSubjects = yield* repo.subjectsOf(actor.teamId, uuid)
      const unlocked = timelineSubjects.map(({ id }) => id).filter((id) => !locked.has(id))
      if (unlocked.length === 0) return timelineSubjects
      yield* timelines.lockForShare(unlocked)
      for (const id of unlocked) locked.add(id)
    }
  })

  /** Replaces a note by a new revision with this UUID, on all its timelines. */
  const supersede = Effect.fnUntraced(function* (change: Change, stored: StoredNote, uuid: string, text: NoteText) {
    const timelineSubjects = yield* lockTimelines(change.actor, stored.uuid)
    yield* repo.mark(change, stored, "superseded", uuid)
    const caused = following(change, () => ({
      event: "note.superseded",
      resource: { type: "act", id: stored.uuid }
    }))
    return yield* recordNote(caused, { timelineSubjects, uuid, text, supersedes: stored.uuid })
  })

  /** The use-cases for resources of one type; `Params` are the public ids that name one. */
  const notesOn = <Params, Query, ReadError, WriteError>(type: SubjectsOf<Params, Query, ReadError, WriteError>) => {
    /** Returns one note, even if it is archived or superseded. */
    const get = Effect.fn("Notes.get")(function* (params: Params, noteId: string) {
      const { subject } = yield* type.authorizeRead(params)
      return (yield* load(subject, noteId)).note
    })

    /** A page of the notes of a resource, newest first. */
    const list = Effect.fn("Notes.list")(function* (
      params: Params,
      request: Pick<UseCaseRequest<NoteListQuery>, "query">
    ) {
      const { subject } = yield* type.authorizeRead(params)
      return yield* timelines.notes(subject, yield* request.query)
    })

    /** Adds a note to a resource. */
    const create = Effect.fn("Notes.create")((params: Params, request: UseCaseRequest) =>
      mutation.create({
        request,
        authorize: "broker",
        load: () => type.authorizeRead(params),
        decide: ({ body }) =>
          Effect.map(all(request.query, decodeCreate(body), request.idempotencyKey), ([, input, key]) => ({
            text: textOf(input),
            key
          })),
        commit: (creation) =>
          mutation.once(creation, (change) =>
            Effect.gen(function* () {
              const { addToNoteCount, timelineSubjects } = yield* type.authorizeWrite(params)
              yield* requireRoom(creation.loaded.subject)
              const uuid = yield* change.newId
              const { text } = creation.decision
              const note = yield* recordNote(change, { timelineSubjects, uuid, text, supersedes: null })
              yield* addToNoteCount(change, activeCountDelta([], ["active"]))
              yield* timelines.lockForShare([creation.loaded.subject.id])
              // Again under the locks: a concurrent merge may have absorbed the resource.
              yield* type.authorizeWrite(params)
              return note
            })
          )
      })
    )

    /** Archives, unarchives or supersedes a note that the caller has seen in its current state. */
    const revise = Effect.fn("Notes.revise")((params: Params, noteId: string, request: UseCaseRequest) =>
      mutation.change({
        request,
        authorize: "broker",
        load: () => Effect.flatMap(type.authorizeRead(params), ({ subject }) => load(subject, noteId)),
        body: bodyAndIfMatch(request),
        etagOf: ({ note }) => note.etag,
        pinWildcard: true,
        decide: ({ body, loaded: { state } }) =>
          Effect.gen(function* () {
            const [, revision] = yield* all(request.query, decodeRevision(body))
            const faults = faultsOf(revision)
            if (faults.length > 0) return yield* InvalidRequest.of(faults)
            const { action, supersede: replacement = {} } = revision
            const next = transitions[state][action]
            if (next === "refused") {
              return yield* new NoteMoveRefused({ detail: rejectionOf(state, action), state, action })
            }
            const { addToNoteCount, subject, timelineSubjects } = yield* type.authorizeWrite(params)
            return next === state ? null : { action, next, replacement, addToNoteCount, subject, timelineSubjects }
          }),
        commit: (change, { decision, loaded: stored }) =>
          Effect.gen(function* () {
            const { action, addToNoteCount, next, replacement, subject, timelineSubjects } = decision
            const successor = yield* change.newId
            change.record({
              change: "updated",
              resource: { type: "act", id: stored.uuid },
              subjects: [],
              event: eventOfMove(action, Id.fromUuid("act", successor)),
              names: namesOfSubjects(timelineSubjects)
            })
            const statesAfter = action === "supersede" ? [next, "active" as const] : [next]
            yield* addToNoteCount(change, activeCountDelta([stored.state], statesAfter))
            if (action === "supersede") {
              yield* requireRoom(subject)
              const note = yield* supersede(change, stored, successor, replaceText(stored.text, replacement))
              return { etag: note.etag, successorId: note.id }
            }
            const version = yield* repo.mark(change, stored, next)
            return { etag: versionEtag(version), successorId: undefined }
          }),
        answer: ({ committed, loaded }) =>
          Effect.succeed<RevisionResult>(committed ?? { etag: loaded.note.etag, successorId: undefined })
      })
    )

    return { list, get, create, revise }
  }

  /** Removes the texts of notes past their retention, of at most `limit` at once; returns how many. Without one, of none. */
  const purge = Effect.fn("Notes.purge")(function* (limit: number) {
    return days === 0 ? 0 : yield* repo.redact(yield* daysAgo(days), limit)
  })

  return {
    purge,
    contact: notesOn(subjects.contact),
    company: notesOn(subjects.company),
    property: notesOn(subjects.property),
    project: notesOn(subjects.project),
    prospect: notesOn(subjects.prospect)
  }
})

/** The use-cases of notes by the type of their resource. A caller who may read a resource may read, add and change its notes. */
export class Notes extends Context.Service<Notes, Effect.Success<typeof make>>()("content/notes/Notes") {
  static readonly layer = Layer.effect(Notes, make).pipe(Layer.provide(NotesRepo.layer))
}
