/** Bulk classification, with a comment that becomes a note (specification, Prospects; decisions §6). */
import { Context, Effect, Layer } from "effect"
import { type Change, Changes } from "../changes/Changes.ts"
import * as Transaction from "../db/Transaction.ts"
import type { UseCaseRequest } from "../usecase/UseCaseRequest.ts"
import * as UnvalidatedJson from "../usecase/UnvalidatedJson.ts"
import { Idempotency } from "../usecase/Idempotency.ts"
import { all } from "../usecase/Input.ts"
import { NotFound } from "../usecase/Problem.ts"
import * as Id from "../Id.ts"
import { Projects } from "../projects/Projects.ts"
import { type Classified, ProspectClassify } from "./Classification.ts"
import { ProspectRemoved } from "./Prospect.ts"
import { ProspectsRepo, type StoredProspect } from "./ProspectsRepo.ts"
import { ProspectWrites, stateOf } from "./ProspectWrites.ts"
import type { ProspectRef } from "./ProspectState.ts"
import { classified, subjectsOf } from "./rules.ts"

const decodeClassify = UnvalidatedJson.decoder(ProspectClassify)

const failure = (id: string, { code, detail }: { readonly code: string; readonly detail: string }) => ({
  id,
  code,
  detail
})

const make = Effect.gen(function* () {
  const repo = yield* ProspectsRepo
  const writes = yield* ProspectWrites
  const projects = yield* Projects
  const changes = yield* Changes
  const idempotency = yield* Idempotency

  /** What a part of a change comes to that the database would not write: `undefined`, and a line in the log. */
  const orUnwritten = <A, E, R>(part: Effect.Effect<A, E, R>, what: string) =>
    Effect.catchCauseIf(part, Transaction.refusedAlone, (cause) =>
      Effect.as(Effect.logError(`${what} could not be written.`, cause), undefined)
    )

  const writeNote = (change: Change, ref: ProspectRef, message: string) =>
    change.attempt(
      Effect.fnUntraced(function* (part) {
        const id = yield* part.newId
        part.record({
          change: "created",
          resource: { type: "act", id },
          subjects: subjectsOf(ref),
          timeline: { type: "note", id, message, contentFormat: null, supersedes: null }
        })
        return Id.fromUuid("act", id)
      })
    )

  /** Classifies one prospect, which the change has locked: on a savepoint, and its note on another inside. */
  const classifyOne = (
    change: Change,
    projectUuid: string,
    stored: StoredProspect,
    wanted: { readonly classification: string; readonly note?: string }
  ) =>
    change.attempt(
      Effect.fnUntraced(function* (part) {
        const ref = { uuid: stored.uuid, projectUuid }
        const { classification, note } = wanted
        const noteId =
          note === undefined
            ? undefined
            : yield* orUnwritten(writeNote(part, ref, note), "The note of a classification")
        const { state, emitted } = classified(stateOf(stored), classification, { noteId })
        const counted = noteId === undefined ? state : { ...state, noteCount: state.noteCount + 1 }
        // It is locked and keeps its references, so nobody comes first.
        yield* Effect.orDie(writes.commit(part, projectUuid, stored, { state: counted, emitted }))
        return { noteId: noteId ?? null, isNoteMissing: note !== undefined && noteId === undefined }
      })
    )

  /** Classifies up to a hundred prospects of a project; one that cannot be stops no other. */
  const classify = Effect.fn("Classifications.classify")(function* (projectId: string, request: UseCaseRequest) {
    const { actor, uuid: projectUuid } = yield* projects.authorizeRead(projectId)
    const document = yield* request.body
    const [, input, key] = yield* all(request.query, decodeClassify(document), request.idempotencyKey)
    const ids = [...new Set(input.prospectIds)]
    const write = Effect.fnUntraced(function* (change: Change) {
      const locked = yield* repo.lock(
        actor.teamId,
        ids.flatMap((id) => Id.toUuid("prospect", id) ?? [])
      )
      const found = new Map(
        locked
          .filter(({ deleted, resource }) => !deleted && resource.projectId === Id.fromUuid("project", projectUuid))
          .map((stored) => [stored.resource.id, stored])
      )
      const done: Array<Classified["classified"][number]> = []
      const failed: Array<Classified["failed"][number]> = []
      for (const id of ids) {
        const stored = found.get(id)
        if (stored === undefined) {
          failed.push(failure(id, new NotFound({ detail: "There is no prospect with this id on the project." })))
          continue
        }
        if (stored.resource.removedUtc !== null) {
          failed.push(failure(id, ProspectRemoved.refusal()))
          continue
        }
        const outcome = yield* orUnwritten(classifyOne(change, projectUuid, stored, input), "A classification")
        if (outcome === undefined) {
          failed.push(failure(id, { code: "internal_error", detail: "It could not be classified: a fault of ours." }))
        } else if (outcome.isNoteMissing) {
          failed.push(
            failure(id, { code: "note_failed", detail: "It is classified, but the note could not be written." })
          )
        } else done.push({ id, classification: input.classification, noteId: outcome.noteId })
      }
      const answer: Classified = { classified: done, failed }
      return answer
    })
    return yield* changes.commit(actor, (change) =>
      idempotency.once({ actor, operation: request.operation, key, body: document.sent, now: change.at }, write(change))
    )
  })

  return { classify }
})

/** Classifies prospects. It needs the `broker` capability. */
export class Classifications extends Context.Service<Classifications, Effect.Success<typeof make>>()(
  "prospects/Classifications"
) {
  static readonly layer = Layer.effect(Classifications, make)
}
