/**
 * The lifecycle of projects (docs/behaviour/projects-and-prospects.md#project-lifecycle): close, reopen, delete, restore and purge, each
 * with its effects on the prospects.
 */
import { Context, Effect, Exit, Layer } from "effect"
import type { Actor } from "../../core/auth/CurrentActor.ts"
import type { Change } from "../../core/mutation/Changes.ts"
import * as Mutation from "../../core/mutation/Mutation.ts"
import type { OfTeam } from "../../core/mutation/purgeListed.ts"
import { Timelines } from "../../core/mutation/Timelines.ts"
import { daysAgo, now } from "../../platform/Time.ts"
import { runParts } from "../../core/TeamParts.ts"
import { lockLatest } from "../../core/records/SaveRecords.ts"
import type { Stored } from "../../core/records/Table.ts"
import { byId } from "../../core/usecase/Lookup.ts"
import { ConcurrencyConflict } from "../../core/usecase/Problem.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { ProjectNotDeleted, ProjectShared, restorableDays } from "./Project.ts"
import { ProjectOffers } from "./ProjectOffers.ts"
import { ProjectProspects } from "./ProjectProspects.ts"
import { ProjectTeasers } from "./ProjectTeasers.ts"
import { ProjectRecords } from "./ProjectRecords.ts"
import { ProjectRooms } from "./ProjectRooms.ts"
import { ProjectsRepo } from "./ProjectsRepo.ts"
import { ProspectDeletions } from "./ProspectDeletions.ts"
import { answerOf, type ProjectMove, type ProjectRecord, stateOf, toChangeRecord, transitions } from "./rules.ts"

type StoredProject = Stored<ProjectRecord>

type MoveRequest = Pick<UseCaseRequest, "ifMatch" | "query">

const projectShared = new ProjectShared({
  detail: "Investors have seen this project, so it cannot be deleted. Close it instead: that keeps its history."
})

const projectNotDeleted = new ProjectNotDeleted({ detail: "Only a deleted project can be restored." })

const make = Effect.gen(function* () {
  const repo = yield* ProjectsRepo
  const records = yield* ProjectRecords
  const prospects = yield* ProjectProspects
  const deletions = yield* ProspectDeletions
  const teasers = yield* ProjectTeasers
  const offers = yield* ProjectOffers
  const rooms = yield* ProjectRooms
  const timelines = yield* Timelines
  const mutation = yield* Mutation.make

  const find = (actor: Actor, id: string) => byId("project", id, (uuid) => repo.find(actor.teamId, uuid))

  const findRestorable = (actor: Actor, id: string) =>
    Effect.flatMap(daysAgo(restorableDays), (since) =>
      byId("project", id, (uuid) => repo.findRestorable(actor.teamId, uuid, since))
    )

  /** The steps that all moves share. */
  const stepsOf = (id: string, request: MoveRequest) => ({
    request,
    authorize: "broker" as const,
    load: (actor: Actor) => find(actor, id),
    etagOf: ({ resource }: StoredProject) => resource.etag,
    lock: (change: Change, locking: Mutation.Locking<StoredProject>) =>
      lockLatest({ type: "project", repo }, change, locking)
  })

  /** Decides a move to another state; null if the project is in that state already. Whether it is shared does not matter. */
  const decideMove = (request: MoveRequest, { resource }: StoredProject, move: ProjectMove) => {
    const state = stateOf(resource, false)
    return Effect.as(request.query, transitions[state][move] === state ? null : move)
  }

  /** Closes a project; a closed one stays as it is. */
  const close = Effect.fn("Lifecycle.close")((id: string, request: MoveRequest) =>
    mutation.change({
      ...stepsOf(id, request),
      decide: ({ loaded }) => decideMove(request, loaded, "close"),
      commit: (change, { loaded }) =>
        Effect.tap(
          records.patchLocked(change, [loaded], () => ({ closedUtc: change.at.toISOString() })),
          Effect.andThen(rooms.closed(change, loaded.uuid), offers.closed(change, loaded.uuid))
        ),
      answer: ({ committed: [closed] = [], loaded }) => Effect.succeed(answerOf((closed ?? loaded).resource))
    })
  )

  /** Reopens a closed project, and removes prospects whose investor was deleted in the meantime; an open one stays as it is. */
  const reopen = Effect.fn("Lifecycle.reopen")((id: string, request: MoveRequest) =>
    mutation.change({
      ...stepsOf(id, request),
      decide: ({ loaded }) => decideMove(request, loaded, "reopen"),
      commit: (change, { loaded }) =>
        Effect.tap(
          Effect.flatMap(records.sellerOf(change, { ...loaded.resource, closedUtc: null }), (sellerContactId) =>
            records.patchLocked(change, [loaded], () => ({ closedUtc: null, sellerContactId }))
          ),
          prospects
            .removeOrphans(change, loaded.uuid)
            .pipe(
              Effect.andThen(rooms.reopened(change, loaded.uuid)),
              Effect.andThen(offers.reopened(change, loaded.uuid))
            )
        ),
      answer: ({ committed: [reopened] = [], loaded }) => Effect.succeed(answerOf((reopened ?? loaded).resource))
    })
  )

  /** Deletes a project that was not shared, with its prospects; it can be restored for {@link restorableDays} days. */
  const deleteProject = Effect.fn("Lifecycle.delete")((id: string, request: MoveRequest) =>
    mutation.change({
      ...stepsOf(id, request),
      decide: () => Effect.as(request.query, "delete" as const),
      commit: (change, { loaded: { resource, uuid, version } }) =>
        Effect.gen(function* () {
          const state = stateOf(resource, yield* rooms.hasMembers(change, uuid))
          if (transitions[state].delete === "refused") return yield* projectShared
          yield* deletions.deleteProspects(change, uuid)
          yield* rooms.deleted(change, uuid)
          yield* offers.closed(change, uuid)
          yield* repo.delete(change, [{ uuid, readVersion: version, version: version + 1, fields: resource }])
          yield* records.releaseRefs(change, uuid)
          change.record(toChangeRecord("deleted", resource, uuid, []))
          yield* records.followLists(change, [uuid])
        }),
      answer: () => Effect.void
    })
  )

  /** Restores a deleted project with its prospects, its external references and theirs. */
  const restore = Effect.fn("Lifecycle.restore")((id: string, request: MoveRequest) =>
    mutation.change({
      ...stepsOf(id, request),
      load: (actor: Actor) => findRestorable(actor, id),
      decide: ({ loaded }) =>
        Effect.andThen(
          request.query,
          transitions[stateOf(loaded.resource, false)].restore === "refused"
            ? Effect.fail(projectNotDeleted)
            : Effect.succeed("restore" as const)
        ),
      commit: (change, { loaded }) =>
        Effect.gen(function* () {
          const { resource, uuid } = loaded
          if (!(yield* repo.restore(change, loaded))) return yield* ConcurrencyConflict.of("project")
          // Recorded before what happens to its prospects.
          change.record(toChangeRecord("restored", resource, uuid, []))
          yield* prospects.restoreAll(change, uuid)
          yield* rooms.restored(change, uuid)
          if (resource.closedUtc === null) yield* offers.reopened(change, uuid)
          yield* records.reclaimRefs(change, uuid, resource.externalRefs)
          yield* records.relink(change, uuid)
          return yield* repo.find(change.actor.teamId, uuid)
        }),
      answer: ({ committed }) =>
        committed === undefined
          ? Effect.die(new Error("another transaction wrote a locked project"))
          : Effect.succeed(answerOf(committed.resource))
    })
  )

  const purgeCleared = Effect.fnUntraced(function* (cleared: OfTeam, limit: number) {
    const purgedTeasers = yield* teasers.purge(cleared)
    if (purgedTeasers > 0) return purgedTeasers
    const purgedRooms = yield* rooms.purge(cleared, limit)
    if (purgedRooms > 0) return purgedRooms
    const purgedProspects = yield* prospects.purge(cleared, limit)
    if (purgedProspects > 0) return purgedProspects
    const purgedRows = yield* timelines.clear(cleared, limit)
    return purgedRows > 0 ? purgedRows : yield* repo.markPurged(cleared, yield* now)
  })

  /**
   * Runs one step of purging what belonged to projects of one team that can no longer be restored: at most `limit` rows. Returns the
   * number of rows; 0 when nothing is left. A step that failed is repeated by the next one, after those of other teams. The tombstone of the project stays.
   */
  const purgeContent = Effect.fn("Lifecycle.purgeContent")(function* (limit: number) {
    // The content first: without it, the project cannot be restored half purged.
    const until = yield* daysAgo(restorableDays)
    const clearing = yield* Effect.exit(
      runParts("Clearing projects", (failed) =>
        Effect.map(repo.findClearable(until, { limit, failed }), (found) =>
          found === undefined ? [] : [{ teamId: found.teamId, run: repo.clearContent(until, found) }]
        )
      )
    )
    if (Exit.isSuccess(clearing) && clearing.value > 0) return clearing.value
    const purged = yield* runParts("Purging what belonged to projects", (failed) =>
      Effect.map(repo.findCleared({ limit, failed }), (cleared) =>
        cleared === undefined ? [] : [{ teamId: cleared.teamId, run: purgeCleared(cleared, limit) }]
      )
    )
    // One that cannot be cleared does not keep those of other teams.
    if (purged === 0) yield* clearing
    return purged
  })

  return { close, reopen, delete: deleteProject, restore, purgeContent, purgeTombstones: records.purge }
})

/** Moves projects through their lifecycle. The use-cases need the `broker` capability; both purges are for a job. */
export class Lifecycle extends Context.Service<Lifecycle, Effect.Success<typeof make>>()("deals/projects/Lifecycle") {
  static readonly layer = Layer.effect(Lifecycle, make)
}
