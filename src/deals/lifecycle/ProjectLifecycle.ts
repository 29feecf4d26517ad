/**
 * The life of a project (docs/behaviour/projects-and-prospects.md#project-lifecycle): it is closed, reopened, deleted, restored and purged.
 * What follows for its prospects, offers and rooms comes first, as set-based writes of each; then the moves, in the order of the locks:
 * project, prospects, rooms, offers.
 */
import { Retention } from "../../platform/Retention.ts"
import * as Id from "../../core/Id.ts"
import * as Mutation from "../../core/mutation/Mutation.ts"
import { Context, Effect, Exit, Layer } from "effect"
import { actAs, type Actor, initiatorOf, onBehalfOf, systemOf } from "../../core/auth/CurrentActor.ts"
import { ExternalRefsRepo } from "../../core/externalRefs/ExternalRefsRepo.ts"
import { type Change, Changes, deletionOf, following, restoreOf } from "../../core/mutation/Changes.ts"
import { DryRun } from "../../core/mutation/ChangeRecord.ts"
import type { EventType } from "../../core/mutation/Event.ts"
import type { OfTeam } from "../../core/mutation/Delta.ts"
import { Timelines } from "../../core/mutation/Timelines.ts"
import { makeChangeLocked, makePurge } from "../../core/records/ChangeRecords.ts"
import { DeletedRecords, type KeptEffect } from "../../core/records/DeletedRecords.ts"
import type { Returned } from "../../core/records/RecordKind.ts"
import { notRestoredOf } from "../../core/records/RestoreRecords.ts"
import { lockLatest } from "../../core/records/SaveRecords.ts"
import type { Stored } from "../../core/records/Table.ts"
import { runParts } from "../../core/TeamParts.ts"
import { byId, type UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { ConcurrencyConflict, ExternalReferenceTaken } from "../../core/usecase/Problem.ts"
import { DeletionLimits } from "../../core/deletions/DeletionLimits.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { daysAgo, now } from "../../platform/Time.ts"
import { AccessRepo } from "../access/AccessRepo.ts"
import { CommunicationsRepo } from "../offers/CommunicationsRepo.ts"
import { OfferChanges } from "../offers/OfferChanges.ts"
import { OffersRepo } from "../offers/OffersRepo.ts"
import type { OfferMove } from "../offers/rules.ts"
import { continueDeletion } from "../projects/jobs.ts"
import { ProjectNotDeleted, ProjectShared } from "../projects/Project.ts"
import { Projects } from "../projects/Projects.ts"
import { ProjectsRepo } from "../projects/ProjectsRepo.ts"
import {
  answerOf,
  blank,
  type FormerList,
  isAsLeft,
  listedAgain,
  normalize,
  type ProjectMove,
  type ProjectRecord,
  stateOf,
  toChangeRecord,
  transitions
} from "../projects/rules.ts"
import { changeRecordOf, deletedEntry, removalsOf, removedEntry } from "../prospects/rules.ts"
import { ProspectSetsRepo } from "../prospects/ProspectSetsRepo.ts"
import { ProspectsRepo } from "../prospects/ProspectsRepo.ts"
import type { ProspectSubject } from "../prospects/Prospect.ts"
import { QuestionsRepo } from "../rooms/questions/QuestionsRepo.ts"
import { type RoomRow, RoomsRepo } from "../rooms/RoomsRepo.ts"
import { Rooms } from "../rooms/Rooms.ts"
import { TeasersRepo } from "../teasers/TeasersRepo.ts"
import { OfferArrivals } from "./OfferLifecycle.ts"
import { PropertyDeals } from "../../market/properties/Properties.ts"

type StoredProject = Stored<ProjectRecord>

type MoveRequest = Pick<UseCaseRequest, "ifMatch" | "query">

const projectShared = new ProjectShared({
  detail: "Investors have seen this project, so it cannot be deleted. Close it instead: that keeps its history."
})

const projectNotDeleted = new ProjectNotDeleted({ detail: "Only a deleted project can be restored." })

/** How many prospects of a project one transaction deletes. */
export const ProspectsPerStep = Context.Reference<number>("deals/lifecycle/ProjectLifecycle/ProspectsPerStep", {
  defaultValue: () => 2000
})

/** The change, for what follows from an event of the project. */
const followingProject = (change: Change, projectUuid: string, event: EventType): Change =>
  following(change, () => ({ event, resource: { type: "project", id: projectUuid } }))

const make = Effect.gen(function* () {
  const limits = yield* DeletionLimits
  const { closedProjects: closedDays, deletedContent: restorable } = yield* Retention
  const repo = yield* ProjectsRepo
  const projects = yield* Projects
  const prospects = yield* ProspectsRepo
  const prospectSets = yield* ProspectSetsRepo
  const refs = yield* ExternalRefsRepo
  const deletedRecords = yield* DeletedRecords
  const teasers = yield* TeasersRepo
  const offers = yield* OffersRepo
  const offerChanges = yield* OfferChanges
  const arrivals = yield* OfferArrivals
  const communications = yield* CommunicationsRepo
  const rooms = yield* RoomsRepo
  const roomMoves = yield* Rooms
  const access = yield* AccessRepo
  const questions = yield* QuestionsRepo
  const timelines = yield* Timelines
  const changes = yield* Changes
  const jobs = yield* Jobs
  const purgeStep = yield* makePurge
  const mutation = yield* Mutation.make

  // What follows for the prospects of a project (UUID).

  /** Records that orphans were removed from the list, and withdraws their offers. */
  const recordRemoved = Effect.fnUntraced(function* (caused: Change, orphans: ReadonlyArray<ProspectSubject>) {
    for (const orphan of orphans) caused.record(changeRecordOf(orphan, removedEntry))
    yield* deletedRecords.keepEffects(caused, "prospect", removalsOf(orphans))
    yield* offerChanges.withdraw(
      caused,
      orphans.map(({ uuid }) => uuid)
    )
  })

  /**
   * Removes from the list the prospects whose contact or company was deleted while the project was closed, because a closed project keeps
   * its list.
   */
  const removeOrphans = Effect.fnUntraced(function* (change: Change, projectUuid: string) {
    const orphans = yield* prospectSets.removeOrphans(change, projectUuid)
    yield* recordRemoved(followingProject(change, projectUuid, "project.updated"), orphans)
  })

  /** Has the rest of a deletion done after the transaction. A dry run reports how much it is. */
  const continueLater = Effect.fnUntraced(function* (change: Change, projectUuid: string) {
    const dryRun = yield* DryRun
    if (dryRun === undefined) {
      return yield* jobs.enqueue(
        continueDeletion,
        { ...initiatorOf(change.actor), project: projectUuid },
        { jobKey: `projects/deletion ${projectUuid}` }
      )
    }
    const count = yield* prospectSets.countOn(change.actor.teamId, projectUuid)
    dryRun.later = [...dryRun.later, { type: "prospect", change: "deleted", count }]
  })

  /**
   * Deletes prospects of a locked project, removed ones too, as many as a step takes; a job deletes the rest. They keep their content, so
   * that the project can be restored.
   */
  const deleteProspects = Effect.fnUntraced(function* (change: Change, projectUuid: string) {
    const caused = followingProject(change, projectUuid, "project.deleted")
    const { left, taken } = yield* prospectSets.deleteSome(change, projectUuid, yield* ProspectsPerStep)
    for (const deleted of taken) caused.record(changeRecordOf(deleted, deletedEntry(deleted.refs)))
    if (left === "more") yield* continueLater(change, projectUuid)
  })

  const restoreProspectRefs: (teamId: string, projectUuid: string) => Effect.Effect<void, ExternalReferenceTaken> =
    Effect.fnUntraced(function* (teamId: string, projectUuid: string) {
      const unavailable = yield* prospectSets.restoreRefs(teamId, projectUuid)
      if (unavailable.length === 0) return
      const [taken] = yield* refs.holders({ teamId, type: "prospect" }, unavailable)
      // The holder has released the reference since the statement above: retry.
      if (taken === undefined) return yield* restoreProspectRefs(teamId, projectUuid)
      const { externalId, holder, namespace } = taken
      return yield* new ExternalReferenceTaken({
        namespace,
        externalId,
        holderId: Id.fromUuid("prospect", holder),
        detail: `A prospect of this project had ${namespace}:${externalId}, which now belongs to another prospect.`
      })
    })

  /**
   * Brings back the prospects that were deleted with the project, and their external references. Fails when another prospect has taken one
   * of these references. Unless the project is closed, prospects whose contact or company was deleted in the meantime come back
   * removed from the list.
   */
  const restoreProspects = Effect.fnUntraced(function* (change: Change, projectUuid: string) {
    yield* prospectSets.lockDeletedWithProject(change.actor.teamId, projectUuid)
    yield* restoreProspectRefs(change.actor.teamId, projectUuid)
    const restored = yield* prospectSets.restoreAll(change, projectUuid)
    for (const { uuid } of restored) {
      // Listed by dry runs only: no timeline row and no event.
      change.record({ change: "restored", resource: { type: "prospect", id: uuid }, subjects: [] })
    }
    // Of those, too, that no step of a large deletion had come to.
    const others = yield* prospectSets.removeOrphans(change, projectUuid)
    yield* recordRemoved(followingProject(change, projectUuid, "project.restored"), [
      ...restored.filter(({ isRemoved }) => isRemoved),
      ...others
    ])
  })

  // What follows for its offers.

  const moveOffers = Effect.fnUntraced(function* (change: Change, project: string, move: OfferMove) {
    const { teamId } = change.actor
    const invited = (yield* offers.findOf(teamId, { project })).flatMap(({ state: { category, prospectId } }) =>
      category === "invitation" && prospectId !== null ? [prospectId] : []
    )
    yield* prospects.lock(teamId, invited)
    yield* offerChanges.moveAll(change, yield* offers.lockOf(teamId, { project }), () => move)
    yield* arrivals.followInvitations(change, invited)
  })

  /** The project was closed or deleted: its offers are closed, accepted ones too. */
  const closeOffers = (change: Change, projectUuid: string) => moveOffers(change, projectUuid, { type: "close" })

  /** It is open again: its offers are what they were. */
  const reopenOffers = Effect.fnUntraced(function* (change: Change, projectUuid: string) {
    yield* communications.holdInvestors()
    yield* moveOffers(change, projectUuid, { type: "reopen" })
    // For those who became investors in the meantime.
    yield* arrivals.receive(change, { project: projectUuid })
  })

  // What follows for its rooms.

  /** It was closed: its rooms wind down. Or it is open again: rooms that still wind down are open, too. */
  const moveRooms = Effect.fnUntraced(function* (
    change: Change,
    projectUuid: string,
    event: "project_closed" | "project_reopened"
  ) {
    const caused = followingProject(change, projectUuid, "project.updated")
    yield* roomMoves.move(caused, yield* rooms.lockOf(change, projectUuid), event)
  })

  /** Listed by dry runs only: no timeline row and no event. */
  const recordSilently = (change: Change, some: ReadonlyArray<RoomRow>, kind: "deleted" | "restored") => {
    for (const { uuid } of some) {
      change.record({ change: kind, resource: { type: "room", id: uuid }, subjects: [] })
    }
    return some.map(({ uuid }) => uuid)
  }

  /** It was deleted: its rooms are, too. They keep their content, so that the project can be restored. */
  const deleteRooms = Effect.fnUntraced(function* (change: Change, projectUuid: string) {
    const locked = yield* rooms.lockOf(change, projectUuid)
    yield* rooms.delete(change, recordSilently(change, locked, "deleted"))
    if (locked.length > 0) yield* questions.deleteAll(change, projectUuid)
  })

  /** It was restored: its rooms are back, as they were. */
  const restoreRooms = Effect.fnUntraced(function* (change: Change, projectUuid: string) {
    const locked = yield* rooms.lockOf(change, projectUuid, true)
    yield* rooms.restore(change, recordSilently(change, locked, "restored"))
    if (locked.length > 0) yield* questions.restoreAll(change, projectUuid)
  })

  // The moves of a project.

  const find = (actor: Actor, id: string) => byId("project", id, (uuid) => repo.find(actor.teamId, uuid))

  const findRestorable = (actor: Actor, id: string) =>
    Effect.flatMap(daysAgo(restorable), (since) =>
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
  const close = Effect.fn("ProjectLifecycle.close")((id: string, request: MoveRequest) =>
    mutation.change({
      ...stepsOf(id, request),
      decide: ({ loaded }) => decideMove(request, loaded, "close"),
      commit: (change, { loaded }) =>
        Effect.tap(
          projects.patchLocked(change, [loaded], () => ({ closedUtc: change.at.toISOString() })),
          Effect.andThen(moveRooms(change, loaded.uuid, "project_closed"), closeOffers(change, loaded.uuid))
        ),
      answer: ({ committed: [closed] = [], loaded }) => Effect.succeed(answerOf((closed ?? loaded).resource))
    })
  )

  /** Reopens a closed project, and removes prospects whose investor was deleted in the meantime; an open one stays as it is. */
  const reopen = Effect.fn("ProjectLifecycle.reopen")((id: string, request: MoveRequest) =>
    mutation.change({
      ...stepsOf(id, request),
      decide: ({ loaded }) => decideMove(request, loaded, "reopen"),
      commit: (change, { loaded }) =>
        Effect.tap(
          Effect.flatMap(
            projects.sellerOf(change, loaded.uuid, { ...loaded.resource, closedUtc: null }),
            (sellerContactId) => projects.patchLocked(change, [loaded], () => ({ closedUtc: null, sellerContactId }))
          ),
          removeOrphans(change, loaded.uuid).pipe(
            Effect.andThen(moveRooms(change, loaded.uuid, "project_reopened")),
            Effect.andThen(reopenOffers(change, loaded.uuid))
          )
        ),
      answer: ({ committed: [reopened] = [], loaded }) => Effect.succeed(answerOf((reopened ?? loaded).resource))
    })
  )

  // What the deletion of the team does to its projects (docs/behaviour/identity.md#deleted-teams).

  /** The open projects (UUIDs) of a team. */
  const openOf = Effect.fn("ProjectLifecycle.openOf")((teamId: string) => repo.openOf(teamId))

  const idOf = (uuid: string) => Id.fromUuid("project", uuid)

  const noRequest: MoveRequest = { ifMatch: Effect.undefined, query: Effect.void }
  const succeeded = { onFailure: () => false, onSuccess: () => true }

  /** Closes a project (UUID) because its team was deleted; false if it cannot be closed. */
  const closeWithTeam = Effect.fn("ProjectLifecycle.closeWithTeam")((teamId: string, uuid: string) =>
    actAs(systemOf(teamId))(Effect.match(close(idOf(uuid), noRequest), succeeded))
  )

  /** Reopens a project (UUID) that was closed with its team at `since`; false if it cannot be reopened. */
  const reopenWithTeam = Effect.fn("ProjectLifecycle.reopenWithTeam")(
    function* (teamId: string, uuid: string, since: Date) {
      yield* rooms.windDownAgain(teamId, uuid, { since, now: yield* now })
      return yield* Effect.match(reopen(idOf(uuid), noRequest), succeeded)
    },
    (effect, teamId) => actAs(systemOf(teamId))(effect)
  )

  const deleteLocked = Effect.fnUntraced(function* (change: Change, { resource, uuid, version }: StoredProject) {
    yield* deleteProspects(change, uuid)
    yield* deleteRooms(change, uuid)
    yield* closeOffers(change, uuid)
    yield* repo.delete(change, [{ uuid, readVersion: version, version: version + 1, fields: resource }])
    yield* projects.releaseRefs(change, uuid)
    change.record(toChangeRecord("deleted", resource, uuid, []))
    yield* projects.followLists(change, [uuid])
  })

  /** Deletes a project that was not shared, with its prospects; it can be restored for a while. */
  const deleteProject = Effect.fn("ProjectLifecycle.delete")((id: string, request: MoveRequest) =>
    mutation
      .change({
        ...stepsOf(id, request),
        decide: () => Effect.as(request.query, "delete" as const),
        commit: (change, { loaded }) =>
          Effect.gen(function* () {
            const hasMembers = yield* access.hasMembers(change.actor.teamId, loaded.uuid, change.at)
            if (transitions[stateOf(loaded.resource, hasMembers)].delete === "refused") return yield* projectShared
            yield* limits.require(change)
            yield* deleteLocked(change, loaded)
          }),
        answer: () => Effect.void
      })
      .pipe(limits.announcing)
  )

  /** One step of a deletion that began. A project that was restored since keeps its prospects. */
  const deletionStep = Effect.fn("ProjectLifecycle.deletionStep")(
    ({ project, ...initiator }: (typeof continueDeletion)["payload"]["Type"]) =>
      changes.commit(onBehalfOf(initiator), (change) =>
        Effect.gen(function* () {
          const [stored] = yield* repo.lock(initiator.teamId, [project])
          if (stored?.deleted === true) yield* deleteProspects(change, project)
        })
      )
  )

  /** Restores a deleted project with its prospects, its external references and theirs. */
  const restore = Effect.fn("ProjectLifecycle.restore")((id: string, request: MoveRequest) =>
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
          yield* restoreProspects(change, uuid)
          yield* restoreRooms(change, uuid)
          if (resource.closedUtc === null) yield* reopenOffers(change, uuid)
          yield* projects.reclaimRefs(change, uuid, resource.externalRefs)
          yield* projects.relink(change, uuid)
          return yield* repo.find(change.actor.teamId, uuid)
        }),
      answer: ({ committed }) =>
        committed === undefined
          ? Effect.die(new Error("another transaction wrote a locked project"))
          : Effect.succeed(answerOf(committed.resource))
    })
  )

  const purgeCleared = Effect.fnUntraced(function* (cleared: OfTeam, limit: number) {
    const purgedTeasers = yield* teasers.purgeOfProjects(cleared)
    if (purgedTeasers > 0) return purgedTeasers
    const purgedRooms = yield* purgeStep(
      { lock: (max) => rooms.lockForPurge(cleared, max), remove: rooms.purge },
      limit
    )
    if (purgedRooms > 0) return purgedRooms
    const purgedProspects = yield* purgeStep(
      { lock: (max) => prospectSets.lockForPurge(cleared, max), remove: prospects.purge },
      limit
    )
    if (purgedProspects > 0) return purgedProspects
    const purgedRows = yield* timelines.clear(cleared, limit)
    return purgedRows > 0 ? purgedRows : yield* repo.markPurged(cleared, yield* now)
  })

  /**
   * Runs one step of purging what belonged to projects of one team that can no longer be restored: at most `limit` rows. Returns the
   * number of rows; 0 when nothing is left. A step that failed is repeated by the next one, after those of other teams. The tombstone of
   * the project stays.
   */
  const purgeContent = Effect.fn("ProjectLifecycle.purgeContent")(function* (limit: number) {
    // The content first: without it, the project cannot be restored half purged.
    const until = yield* daysAgo(restorable)
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

  const expire = (teamId: string, uuid: string, until: Date) =>
    Mutation.retryOnConflict(
      changes.commit(systemOf(teamId), (change) =>
        Effect.gen(function* () {
          const [stored] = yield* repo.lock(teamId, [uuid])
          // It may have been reopened, or closed again.
          const closed = stored === undefined || stored.deleted ? null : stored.resource.closedUtc
          if (stored === undefined || closed === null || new Date(closed) >= until) return false
          yield* deleteLocked(change, stored)
          return true
        })
      )
    )

  /**
   * Deletes closed projects past their retention, shared ones too, at most `limit` of one team at once; without a period, none. What
   * investors have of their offers stays theirs. Returns how many.
   */
  const expireClosed = Effect.fn("ProjectLifecycle.expireClosed")(function* (limit: number) {
    if (closedDays === 0) return 0
    const until = yield* daysAgo(closedDays)
    return yield* runParts("Deleting closed projects", (failed) =>
      Effect.map(repo.findClosed(until, { limit, failed }), (found) =>
        found === undefined
          ? []
          : [
              {
                teamId: found.teamId,
                run: Effect.map(
                  Effect.forEach(found.uuids, (uuid) => expire(found.teamId, uuid, until)),
                  (counts) => counts.filter((isDeleted) => isDeleted).length
                )
              }
            ]
      )
    )
  })

  return {
    close,
    reopen,
    expireClosed,
    delete: deleteProject,
    deletionStep,
    restore,
    openOf,
    closeWithTeam,
    reopenWithTeam,
    purgeContent,
    purgeTombstones: projects.purge
  }
})

/**
 * Moves projects through their life. The use-cases need the `broker` capability; `deletionStep` and both purges are for jobs, and what is
 * done with the team for its module.
 */
export class ProjectLifecycle extends Context.Service<ProjectLifecycle, Effect.Success<typeof make>>()(
  "deals/lifecycle/ProjectLifecycle"
) {
  static readonly layer = Layer.effect(ProjectLifecycle, make).pipe(
    Layer.provide([
      AccessRepo.layer,
      CommunicationsRepo.layer,
      OfferArrivals.layer,
      OfferChanges.layer,
      OffersRepo.layer,
      Projects.layer,
      ProjectsRepo.layer,
      ProspectSetsRepo.layer,
      ProspectsRepo.layer,
      QuestionsRepo.layer,
      Rooms.layer,
      RoomsRepo.layer,
      TeasersRepo.layer
    ])
  )
}

/** What a deletion of properties does to the projects that list them, and to their teasers (docs/behaviour/properties.md#projects). */
const makePropertyDeals = Effect.gen(function* () {
  const repo = yield* ProjectsRepo
  const deletedRecords = yield* DeletedRecords
  const teasers = yield* TeasersRepo
  // Without the copies of Projects.ts: the only properties whose projects change are those that are deleted.
  const { lock, patchLocked } = yield* makeChangeLocked({ type: "project", blank, repo, normalize, toChangeRecord })

  const deleted = Effect.fn("PropertyDeals.deleted")(function* (change: Change, propertyUuids: ReadonlyArray<string>) {
    const locked = yield* lock(change, yield* repo.listing(change.actor.teamId, propertyUuids))
    const ids = new Set<string>(propertyUuids.map((uuid) => Id.fromUuid("property", uuid)))
    const living = locked.filter((project) => !project.deleted)
    const causes = new Map(living.map(({ resource, uuid }) => [uuid, resource.propertyIds.find((id) => ids.has(id))]))
    const caused = following(change, ({ resource }) => deletionOf("property", causes.get(resource.id)))
    yield* patchLocked(caused, living, ({ resource }) => ({
      propertyIds: resource.propertyIds.filter((id) => !ids.has(id))
    }))
    yield* deletedRecords.keepEffects(
      change,
      "project",
      living.flatMap(({ resource: { propertyIds }, uuid }) =>
        propertyIds
          .filter((id) => ids.has(id))
          .map((id) => ({ cause: Id.toUuid("property", id) ?? "", uuid, fields: { propertyIds } }))
      )
    )
    // A deleted project keeps its teaser, for when it is restored. That of a property is kept with what the property held.
    const removed = yield* teasers.removeOfProperties(change.actor.teamId, propertyUuids)
    yield* deletedRecords.keepEffects(
      change,
      "teaser",
      removed.map(({ fields, uuid }) => ({ cause: uuid, uuid, fields }))
    )
  })

  /** Which projects list restored properties again, the latest deletion first, as if each were restored alone. */
  const planLists = Effect.fnUntraced(function* (change: Change, effects: ReadonlyArray<KeptEffect>) {
    const listBefore = ({ cause, fields }: KeptEffect): FormerList => ({
      propertyId: Id.fromUuid("property", cause),
      ...(fields as Pick<FormerList, "propertyIds">)
    })
    const locked = yield* lock(change, [...new Set(effects.map(({ uuid }) => uuid))])
    const living = yield* repo.existingProperties(change.actor.teamId, [
      ...new Set(effects.flatMap((effect) => listBefore(effect).propertyIds))
    ])
    const lists = new Map(locked.flatMap((one) => (one.deleted ? [] : [[one.uuid, one.resource.propertyIds] as const])))
    const returned: Array<KeptEffect> = []
    const changed: Array<{ readonly effect: KeptEffect; readonly code: "changed" | "not_found" }> = []
    for (const effect of effects.toSorted((a, b) => b.changedAt.getTime() - a.changedAt.getTime())) {
      const list = lists.get(effect.uuid)
      const former = listBefore(effect)
      const isDeleted = (id: string) => !living.has(id) && list?.includes(id) !== true
      if (list === undefined) changed.push({ effect, code: "not_found" })
      else if (!isAsLeft(list, former, isDeleted)) changed.push({ effect, code: "changed" })
      else {
        returned.push(effect)
        lists.set(effect.uuid, listedAgain(list, former))
      }
    }
    return { locked, lists, returned, changed, listBefore }
  })

  const returning = Effect.fn("PropertyDeals.returning")(function* (
    change: Change,
    propertyUuids: ReadonlyArray<string>
  ) {
    const all = Number.MAX_SAFE_INTEGER
    const { taken } = yield* deletedRecords.takeEffects(change, "project", propertyUuids, all)
    const { changed, listBefore, lists, locked, returned } = yield* planLists(change, taken)
    const written = new Map(returned.map((effect) => [effect.uuid, effect]))
    const finish = Effect.gen(function* () {
      const caused = following(change, ({ resource }) => restoreOf("property", written.get(resource.id)?.cause ?? ""))
      yield* patchLocked(
        caused,
        locked.filter(({ uuid }) => written.has(uuid)),
        ({ uuid }) => ({ propertyIds: lists.get(uuid) ?? [] })
      )
      // Others that were deleted find the lists as these left them.
      const others = yield* deletedRecords.effectsOn(change, "project", [...written.keys()])
      yield* deletedRecords.keepEffects(
        change,
        "project",
        others.flatMap((other) => {
          const { propertyIds } = other.fields as Partial<FormerList>
          if (propertyIds === undefined) return []
          const amended = returned
            .filter(({ uuid }) => uuid === other.uuid)
            .reduce<ReadonlyArray<string>>((list, effect) => listedAgain(list, listBefore(effect)), propertyIds)
          return [{ cause: other.cause, uuid: other.uuid, fields: { propertyIds: amended } }]
        })
      )
      const { taken: removed } = yield* deletedRecords.takeEffects(change, "teaser", propertyUuids, all)
      yield* teasers.bringBack(
        change,
        removed.map(({ fields }) => fields)
      )
      const answer: Returned = { left: "nothing", notRestored: notRestoredOf("project", changed) }
      return answer
    })
    const projectIdsOf = (uuid: string) =>
      returned.filter(({ cause }) => cause === uuid).map((effect) => Id.fromUuid("project", effect.uuid))
    return { projectIdsOf, finish }
  })

  return PropertyDeals.of({ openOf: repo.openListing, deleted, returning })
})

/** The deals of properties, for their module, which is below this one. */
export const propertyDeals = Layer.effect(PropertyDeals, makePropertyDeals).pipe(
  Layer.provide([ProjectsRepo.layer, TeasersRepo.layer])
)
