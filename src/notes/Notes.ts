/** The use-cases of notes, whatever they are on. */
import { Context, Effect, Layer } from "effect"
import type { Actor } from "../auth/CurrentActor.ts"
import type { NoteAction } from "../changes/Action.ts"
import { type Change, Changes } from "../changes/Changes.ts"
import type { TimelineSubject } from "../changes/ChangeRecord.ts"
import { conditionally } from "../changes/Conditional.ts"
import { type Subject, Timelines } from "../changes/Timelines.ts"
import type { UseCaseRequest } from "../usecase/UseCaseRequest.ts"
import * as UnvalidatedJson from "../usecase/UnvalidatedJson.ts"
import { Idempotency } from "../usecase/Idempotency.ts"
import { all } from "../usecase/Input.ts"
import * as Precondition from "../usecase/Precondition.ts"
import { InvalidRequest, NotFound } from "../usecase/Problem.ts"
import * as Id from "../Id.ts"
import { Subjects, type SubjectsOf } from "../subjects/Subjects.ts"
import { NoteCreate, NoteMoveRefused, NoteRevision } from "./Note.ts"
import { NotesRepo, type StoredNote } from "./NotesRepo.ts"
import { countedMore, faultsOf, type NoteText, refusalOf, revised, textOf, transitions } from "./rules.ts"

/** What a note became. */
export interface Revised {
  /** Of the note or, when it was superseded, of its new revision. */
  readonly etag: string
  /** The new revision's id, when there is one. */
  readonly successorId: string | undefined
}

const decodeCreate = UnvalidatedJson.decoder(NoteCreate)
const decodeRevision = UnvalidatedJson.decoder(NoteRevision)

const make = Effect.gen(function* () {
  const repo = yield* NotesRepo
  const changes = yield* Changes
  const idempotency = yield* Idempotency
  const subjects = yield* Subjects
  const timelines = yield* Timelines

  const load = Effect.fnUntraced(function* (subject: Subject, id: string) {
    const uuid = Id.toUuid("act", id)
    const stored = uuid === undefined ? undefined : yield* repo.find(subject, uuid)
    return stored ?? (yield* new NotFound({ detail: "There is no note with this id here." }))
  })

  /** Writes a note on the timelines of `on`; `actor` is its author. */
  const write = Effect.fnUntraced(function* (
    change: Change,
    actor: Actor,
    options: {
      readonly on: ReadonlyArray<TimelineSubject>
      readonly uuid: string
      readonly text: NoteText
      readonly supersedes: string | null
    }
  ) {
    const { on, supersedes, text, uuid } = options
    const id = Id.fromUuid("act", uuid)
    change.record({
      change: "created",
      resource: { type: "act", id: uuid },
      subjects: on,
      timeline: { type: "note", id: uuid, ...text, supersedes }
    })
    const note: NoteAction = {
      id,
      type: "note",
      event: null,
      occurredUtc: change.at.toISOString(),
      actor: { id: Id.fromUuidOrNull("user", actor.userId), name: yield* repo.nameOf(actor.userId) },
      details: { kind: "note", message: text.message, archivedAt: null },
      etag: Precondition.versionEtag(1),
      archivedAt: null,
      contentFormat: text.contentFormat,
      ...(supersedes === null ? {} : { supersedesActivityId: Id.fromUuid("act", supersedes) })
    }
    return note
  })

  /** Holds all timelines that a note stands on. While one is waited for, the note may be moved to another. */
  const holdAll = Effect.fnUntraced(function* (actor: Actor, uuid: string) {
    const held = new Set<string>()
    while (true) {
      const on = yield* repo.subjectsOf(actor.teamId, uuid)
      const others = on.map(({ id }) => id).filter((id) => !held.has(id))
      if (others.length === 0) return on
      yield* timelines.hold(others)
      for (const id of others) held.add(id)
    }
  })

  /** Puts a new revision in the place of a note, on all its timelines. */
  const supersede = Effect.fnUntraced(function* (change: Change, actor: Actor, stored: StoredNote, text: NoteText) {
    const on = yield* holdAll(actor, stored.uuid)
    const uuid = yield* change.newId
    yield* repo.mark(change, stored, "superseded", uuid)
    return yield* write(change, actor, { on, uuid, text, supersedes: stored.uuid })
  })

  /** The notes on the resources of one type; `Ref` is how callers name one of these. */
  const on = <Ref, Unread, Unwritten>(type: SubjectsOf<Ref, Unread, Unwritten>) => {
    /** One note, archived and superseded ones included. */
    const get = Effect.fn("Notes.get")(function* (ref: Ref, noteId: string) {
      const { subject } = yield* type.authorizeRead(ref)
      return (yield* load(subject, noteId)).note
    })

    /** Adds a note to a subject. */
    const create = Effect.fn("Notes.create")(function* (ref: Ref, request: UseCaseRequest) {
      const { actor, subject } = yield* type.authorizeRead(ref)
      const document = yield* request.body
      const [, input, key] = yield* all(request.query, decodeCreate(document), request.idempotencyKey)
      return yield* changes.commit(actor, (change) =>
        idempotency.once(
          { actor, operation: request.operation, key, body: document.sent, now: change.at },
          Effect.gen(function* () {
            const { countNotes, standing } = yield* type.authorizeWrite(ref)
            // The note first, of which the rest follows; its row is written when all is held.
            const uuid = yield* change.newId
            const note = yield* write(change, actor, { on: standing, uuid, text: textOf(input), supersedes: null })
            yield* countNotes(change, countedMore([], ["active"]))
            yield* timelines.hold([subject.id])
            yield* type.authorizeWrite(ref)
            return note
          })
        )
      )
    })

    /** Archives, unarchives or supersedes a note that the caller has seen in its present state. */
    const revise = Effect.fn("Notes.revise")(function* (ref: Ref, noteId: string, request: UseCaseRequest) {
      const { actor, subject } = yield* type.authorizeRead(ref)
      return yield* conditionally({
        request: { ifMatch: Precondition.required(request.ifMatch) },
        load: load(subject, noteId),
        etagOf: (stored) => stored.note.etag,
        pinWildcard: true,
        body: request.body,
        change: Effect.fnUntraced(function* (stored: StoredNote, document: UnvalidatedJson.UnvalidatedJson) {
          const [, revision] = yield* all(request.query, decodeRevision(document))
          const faults = faultsOf(revision)
          if (faults.length > 0) return yield* InvalidRequest.of(faults)
          const { action, supersede: replacement = {} } = revision
          const next = transitions[stored.state][action]
          if (next === "refused") {
            return yield* new NoteMoveRefused({
              detail: refusalOf(stored.state, action),
              state: stored.state,
              action
            })
          }
          const { countNotes } = yield* type.authorizeWrite(ref)
          if (next === stored.state) return { etag: stored.note.etag, successorId: undefined }
          return yield* changes.commit(actor, (change) =>
            Effect.gen(function* () {
              change.record({ change: "updated", resource: { type: "act", id: stored.uuid }, subjects: [] })
              yield* countNotes(change, countedMore([stored.state], action === "supersede" ? [next, "active"] : [next]))
              if (action === "supersede") {
                const note = yield* supersede(change, actor, stored, revised(stored.text, replacement))
                return { etag: note.etag, successorId: note.id }
              }
              const version = yield* repo.mark(change, stored, next)
              return { etag: Precondition.versionEtag(version), successorId: undefined }
            })
          )
        })
      })
    })

    return { get, create, revise }
  }

  return {
    contact: on(subjects.contact),
    company: on(subjects.company),
    project: on(subjects.project),
    prospect: on(subjects.prospect)
  }
})

/** What can be done with notes, by the type of what they are on. A caller who may see the subject may see, add and change its notes. */
export class Notes extends Context.Service<Notes, Effect.Success<typeof make>>()("notes/Notes") {
  static readonly layer = Layer.effect(Notes, make)
}
