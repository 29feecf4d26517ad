/** Bulk classification (docs/behaviour/projects-and-prospects.md#bulk-classification). */
import * as Mutation from "../../core/mutation/Mutation.ts"
import * as Transaction from "../../platform/db/Transaction.ts"
import * as Id from "../../core/Id.ts"
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import { Context, Effect, Layer } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import type { EventType } from "../../core/mutation/Event.ts"
import { Timelines } from "../../core/mutation/Timelines.ts"
import { Projects } from "../projects/Projects.ts"
import { Quotas } from "../../core/quotas/Quotas.ts"
import { all } from "../../core/usecase/Input.ts"
import { NotFound, ProspectRemoved } from "../../core/usecase/Problem.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { type Classified, ProspectClassify } from "./Classification.ts"
import { namesOfSubjects } from "../../core/mutation/Events.ts"
import { subjectsOf } from "./entries.ts"
import type { ProspectRef } from "./ProspectState.ts"
import { ProspectsRepo, type StoredProspect } from "./ProspectsRepo.ts"
import { ProspectWrites, stateOf } from "./ProspectWrites.ts"
import { classify } from "./rules.ts"

const decodeClassify = UnvalidatedJson.decoder(ProspectClassify)

type Failure = Classified["failed"][number]

const notFound = new NotFound({ detail: "There is no prospect with this id on the project." })

const internalError = {
  code: "internal_error",
  detail: "The prospect could not be classified because of an internal error."
}

const noteFailed = { code: "note_failed", detail: "The prospect is classified, but its note could not be written." }

const failureOf = (id: string, { code, detail }: Omit<Failure, "id">): Failure => ({ id, code, detail })

const make = Effect.gen(function* () {
  const repo = yield* ProspectsRepo
  const writes = yield* ProspectWrites
  const projects = yield* Projects
  const quotas = yield* Quotas
  const timelines = yield* Timelines
  const mutation = yield* Mutation.make

  /** Turns what the database rejects into `undefined`, and logs it. */
  const logRejected = <A, E, R>(effect: Effect.Effect<A, E, R>, what: string) =>
    Effect.catchCauseIf(effect, Transaction.isRejected, (cause) =>
      Effect.as(Effect.logError(`${what} could not be written.`, cause), undefined)
    )

  /** Writes the note of a classification, whose event is `causedBy`. */
  const writeNote = (change: Change, ref: ProspectRef, message: string, causedBy: EventType) =>
    change.attempt(
      Effect.fnUntraced(function* (savepoint) {
        const { teamId } = savepoint.actor
        yield* quotas.requireOfResource(teamId, "notes_of_resource", (atMost) =>
          timelines.countNotes({ teamId, type: "prospect", id: ref.uuid }, atMost)
        )
        const id = yield* savepoint.newId
        const subjects = subjectsOf(ref)
        savepoint.record({
          change: "created",
          resource: { type: "act", id },
          subjects,
          timeline: { type: "note", id, message, contentFormat: null, supersedes: null },
          names: namesOfSubjects(subjects),
          cause: { event: causedBy, resource: { type: "prospect", id: ref.uuid } }
        })
        return Id.fromUuid("act", id)
      })
    )

  /** Classifies a locked prospect in a savepoint, with its note in a savepoint inside. */
  const classifyOne = (change: Change, projectUuid: string, stored: StoredProspect, input: ProspectClassify) =>
    change.attempt(
      Effect.fnUntraced(function* (savepoint) {
        const { classification, note } = input
        const isChanged = classification !== stateOf(stored).classification
        const noteId =
          note === undefined
            ? undefined
            : yield* writeNote(
                savepoint,
                { uuid: stored.uuid, projectUuid },
                note,
                isChanged ? "prospect.updated" : "prospect.classified"
              ).pipe(
                Effect.catchTag("QuotaExceeded", () => Effect.undefined),
                (writing) => logRejected(writing, "The note of a classification")
              )
        const { emitted, state } = classify(stateOf(stored), classification, { noteId })
        const counted = noteId === undefined ? state : { ...state, noteCount: state.noteCount + 1 }
        yield* writes.writeLocked(savepoint, projectUuid, stored, { state: counted, emitted })
        return { noteId: noteId ?? null, isNoteMissing: note !== undefined && noteId === undefined }
      })
    )

  /** Classifies prospects of a project; one that fails does not affect the others. */
  const classifyAll = Effect.fnUntraced(function* (change: Change, projectUuid: string, input: ProspectClassify) {
    const ids = [...new Set(input.prospectIds)]
    const locked = yield* repo.lock(
      change.actor.teamId,
      ids.flatMap((id) => Id.toUuid("prospect", id) ?? [])
    )
    const projectId = Id.fromUuid("project", projectUuid)
    const onProject = locked.filter(({ deleted, resource }) => !deleted && resource.projectId === projectId)
    const storedById = new Map(onProject.map((stored) => [stored.resource.id, stored]))
    const classified: Array<Classified["classified"][number]> = []
    const failed: Array<Failure> = []
    for (const id of ids) {
      const stored = storedById.get(id)
      if (stored === undefined) {
        failed.push(failureOf(id, notFound))
        continue
      }
      if (stored.resource.removedUtc !== null) {
        failed.push(failureOf(id, ProspectRemoved.rejection()))
        continue
      }
      const outcome = yield* logRejected(classifyOne(change, projectUuid, stored, input), "A classification")
      if (outcome === undefined) failed.push(failureOf(id, internalError))
      else if (outcome.isNoteMissing) failed.push(failureOf(id, noteFailed))
      else classified.push({ id, classification: input.classification, noteId: outcome.noteId })
    }
    return { classified, failed } satisfies Classified
  })

  /** Classifies up to a hundred prospects of a project. */
  const bulkClassify = Effect.fn("Classifications.classify")((projectId: string, request: UseCaseRequest) =>
    mutation.create({
      request,
      authorize: "broker",
      load: (actor) => projects.load(actor, projectId),
      decide: ({ body }) =>
        Effect.map(all(request.query, decodeClassify(body), request.idempotencyKey), ([, input, key]) => ({
          input,
          key
        })),
      commit: (creation) =>
        mutation.once(creation, (change) => classifyAll(change, creation.loaded.uuid, creation.decision.input))
    })
  )

  return { classify: bulkClassify }
})

/** Classifies prospects. It needs the `broker` capability. */
export class Classifications extends Context.Service<Classifications, Effect.Success<typeof make>>()(
  "deals/prospects/Classifications"
) {
  static readonly layer = Layer.effect(Classifications, make)
}
