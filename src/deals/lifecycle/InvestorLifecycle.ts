/**
 * The life of investors, the contacts and companies of the network, as far as deals follow it: what happens to prospects and to the
 * projects that a contact sells when one is changed, deleted, or merged into another one
 * (docs/behaviour/network.md#deletion, docs/behaviour/projects-and-prospects.md#merged-investors). Everything is set-based, runs inside
 * the transaction of `change`, and is done in steps if it is too much for one (docs/adr/0026-large-cascades-in-steps.md).
 */
import * as Id from "../../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import { FileWrites } from "../../content/files/FileWrites.ts"
import { type Change, deletionOf, following, restoreOf } from "../../core/mutation/Changes.ts"
import { type TimelineMove, Timelines } from "../../core/mutation/Timelines.ts"
import { makeChangeLocked } from "../../core/records/ChangeRecords.ts"
import { DeletedRecords } from "../../core/records/DeletedRecords.ts"
import { type Returned, StepSize } from "../../core/records/RecordKind.ts"
import { leftOut } from "../../core/records/Restored.ts"
import { notRestoredOf, planReturn } from "../../core/records/RestoreRecords.ts"
import { AccessRepo, type StoredAccess } from "../access/AccessRepo.ts"
import { accessStateAt, activeEnd, lastingAccess } from "../access/rules.ts"
import { CommunicationsRepo } from "../offers/CommunicationsRepo.ts"
import { type MergedProspects, planMerge as planOffers } from "../offers/rules.ts"
import { OfferChanges } from "../offers/OfferChanges.ts"
import { OffersRepo } from "../offers/OffersRepo.ts"
import { ProjectsRepo } from "../projects/ProjectsRepo.ts"
import { blank, normalize, toChangeRecord } from "../projects/rules.ts"
import {
  changeRecordOf,
  isSameAnswer,
  removalsOf,
  removedEntry,
  restoredEntry,
  silentUpdate
} from "../prospects/rules.ts"
import { writeInvitations } from "../prospects/ProspectWrites.ts"
import {
  competingNextTasks,
  mergedEntry,
  overfull,
  planMerge,
  type ProspectMerge,
  type Reassignment,
  removedIn,
  suspendedIn
} from "../prospects/mergePlan.ts"
import { ProspectSetsRepo } from "../prospects/ProspectSetsRepo.ts"
import { ProspectsRepo } from "../prospects/ProspectsRepo.ts"
import type { InvestorUuids } from "../prospects/Prospect.ts"
import { QuestionsRepo } from "../rooms/questions/QuestionsRepo.ts"

const investorsOf = (type: Reassignment["type"], uuids: ReadonlyArray<string>): InvestorUuids =>
  type === "contact" ? { contacts: uuids } : { companies: uuids }

const make = Effect.gen(function* () {
  const projects = yield* ProjectsRepo
  const deletedRecords = yield* DeletedRecords
  const repo = yield* ProspectsRepo
  const sets = yield* ProspectSetsRepo
  const offers = yield* OfferChanges
  const offersRepo = yield* OffersRepo
  const communications = yield* CommunicationsRepo
  const access = yield* AccessRepo
  const questions = yield* QuestionsRepo
  const files = yield* FileWrites
  const timelines = yield* Timelines
  // Without the copies of Projects.ts: properties do not depend on who sells.
  const ofProjects = yield* makeChangeLocked({ type: "project", blank, repo: projects, normalize, toChangeRecord })

  /** Locks the projects of these contacts or companies, as all writers do before they lock a prospect. */
  const lockProjects = (change: Change, investors: InvestorUuids) =>
    sets.lockProjectsForShare(change.actor.teamId, investors)

  /** Brings the copies of these contacts or companies in their prospects up to date. */
  const updateCopies = Effect.fn("InvestorLifecycle.updateCopies")(function* (
    change: Change,
    investors: InvestorUuids
  ) {
    // A concurrent deletion or restore of a project has either finished before this lock, or sees the copies.
    yield* sets.lockProjectsForShare(change.actor.teamId, investors)
    for (const uuid of yield* sets.updateCopies(change, investors)) change.record(silentUpdate(uuid))
  })

  /** Removes these deleted contacts or companies from lists of projects that are not closed, as many as a step takes. */
  const removeFromLists = Effect.fn("InvestorLifecycle.removeFromLists")(function* (
    change: Change,
    investors: InvestorUuids
  ) {
    // A concurrent reopen or restore of a project has either finished before this lock, or looks for orphans itself.
    yield* sets.lockProjectsForShare(change.actor.teamId, investors)
    const size = yield* StepSize
    const removed = yield* sets.removeFromLists(change, investors, size)
    for (const one of removed) change.record(changeRecordOf(one, removedEntry))
    yield* deletedRecords.keepEffects(change, "prospect", removalsOf(removed))
    yield* offers.withdraw(
      change,
      removed.map(({ uuid }) => uuid)
    )
    // A full step may have been the last one: the next one finds out.
    return removed.length < size ? ("nothing" as const) : ("more" as const)
  })

  const lockSoldBy = Effect.fnUntraced(function* (change: Change, contacts: ReadonlyArray<string>, closed: boolean) {
    const { left, taken } = yield* projects.soldBy(change.actor.teamId, contacts, { limit: yield* StepSize, closed })
    const locked = yield* ofProjects.lock(change, taken)
    // While the lock waited, some may have been deleted or have got another seller.
    const ids = new Set<string | null>(contacts.map((uuid) => Id.fromUuid("contact", uuid)))
    return { locked: locked.filter(({ deleted, resource }) => !deleted && ids.has(resource.sellerContactId)), left }
  })

  /**
   * Locks the projects that a step of a merge takes of those whose seller is one of these contacts (UUIDs). Call it before contacts are
   * locked, as all writers do.
   */
  const lockSold = Effect.fn("InvestorLifecycle.lockSold")(function* (change: Change, contacts: ReadonlyArray<string>) {
    yield* lockSoldBy(change, contacts, true)
  })

  /** Gives projects of merged contacts to the one that they are merged into (UUIDs), closed ones included, as many as a step takes. */
  const moveSold = Effect.fn("InvestorLifecycle.moveSold")(function* (
    change: Change,
    from: ReadonlyArray<string>,
    to: string
  ) {
    const { left, locked } = yield* lockSoldBy(change, from, true)
    yield* ofProjects.patchLocked(change, locked, () => ({ sellerContactId: Id.fromUuid("contact", to) }))
    return left
  })

  /** Takes deleted contacts (UUIDs) off projects that are not closed, as many as a step takes. */
  const clearSold = Effect.fn("InvestorLifecycle.clearSold")(function* (
    change: Change,
    contacts: ReadonlyArray<string>
  ) {
    const { left, locked: sold } = yield* lockSoldBy(change, contacts, false)
    const locked = sold.filter(({ resource }) => resource.closedUtc === null)
    const sellers = new Map(locked.map(({ resource, uuid }) => [uuid, resource.sellerContactId]))
    const caused = following(change, ({ resource }) => deletionOf("contact", sellers.get(resource.id)))
    yield* deletedRecords.keepEffects(
      change,
      "project",
      locked.map(({ resource: { sellerContactId }, uuid }) => ({
        cause: Id.toUuid("contact", sellerContactId ?? "") ?? "",
        uuid,
        fields: { sellerContactId }
      }))
    )
    yield* ofProjects.patchLocked(caused, locked, () => ({ sellerContactId: null }))
    return left
  })

  /** Makes contacts (UUIDs) that live again the sellers of projects again, as many as a step takes, unless somebody wrote the seller since. */
  const returnSold = Effect.fn("InvestorLifecycle.returnSold")(function* (
    change: Change,
    contacts: ReadonlyArray<string>
  ) {
    const { left, taken } = yield* deletedRecords.takeEffects(change, "project", contacts, yield* StepSize)
    const locked = yield* ofProjects.lock(
      change,
      taken.map(({ uuid }) => uuid)
    )
    const { changed, deleted, returned } = planReturn(taken, locked, ({ sellerContactId }) => sellerContactId === null)
    const causes = new Map(returned.map(({ effect, stored }) => [stored.uuid, effect.cause]))
    const caused = following(change, ({ resource }) => restoreOf("contact", causes.get(resource.id) ?? ""))
    yield* ofProjects.patchLocked(
      caused,
      returned.map(({ stored }) => stored),
      ({ uuid }) => ({ sellerContactId: Id.fromUuidOrNull("contact", causes.get(uuid) ?? null) })
    )
    const gone = deleted.map((effect) => ({ effect, code: "not_found" as const }))
    const answer: Returned = { left, notRestored: notRestoredOf("project", [...changed, ...gone]) }
    return answer
  })

  /** Puts the prospects of contacts or companies that live again back on the lists of projects that are not closed, as many as a step takes. */
  const returnToLists = Effect.fn("InvestorLifecycle.returnToLists")(function* (
    change: Change,
    investors: InvestorUuids
  ) {
    const [type, causes] =
      "contacts" in investors ? (["contact", investors.contacts] as const) : (["company", investors.companies] as const)
    const { left, taken } = yield* deletedRecords.takeEffects(change, "prospect", causes, yield* StepSize)
    if (taken.length === 0) return { left, notRestored: [] } satisfies Returned
    // Nobody closes, reopens or deletes one of the projects until the transaction ends.
    yield* sets.lockProjectsForShare(change.actor.teamId, investors)
    const causeOf = new Map(taken.map(({ cause, uuid }) => [uuid, cause]))
    const { back, gone } = yield* sets.returnToLists(change, taken)
    const caused = following(change, ({ resource }) => restoreOf(type, causeOf.get(resource.id) ?? ""))
    for (const one of back) caused.record(changeRecordOf(one, restoredEntry))
    yield* offers.restore(
      caused,
      back.map(({ uuid }) => uuid)
    )
    const answer: Returned = {
      left,
      notRestored: gone.map(({ code, uuid }) => [
        causeOf.get(uuid) ?? "",
        leftOut("prospect", Id.fromUuid("prospect", uuid), code)
      ])
    }
    return answer
  })

  /** When the active access of prospects ends, null: never. Those without active access are left out. */
  const activeEndsOf = Effect.fnUntraced(function* (change: Change, prospectUuids: ReadonlyArray<string>) {
    const accesses = yield* access.lockOfProspects(change.actor.teamId, prospectUuids, true)
    const ends = new Map<string, string | null>()
    for (const [uuid, ofProspect] of Map.groupBy(accesses, ({ prospectUuid }) => prospectUuid)) {
      const end = activeEnd(ofProspect, change.at)
      if (end !== undefined) ends.set(uuid, end === null ? null : end.toISOString())
    }
    return ends
  })

  /** Locks the prospects that a step of a merge takes, and plans it. */
  const lockAndPlan = Effect.fnUntraced(function* (
    change: Change,
    reassignment: Reassignment,
    { isFirstStep }: { readonly isFirstStep: boolean }
  ) {
    const { teamId } = change.actor
    const { from, to, type } = reassignment
    const investors = investorsOf(type, [...from, to])
    // Each of the merged ones may have a prospect on each project.
    const limit = Math.max(1, Math.floor((yield* StepSize) / from.length))
    const { left, taken: projects } = yield* sets.findProjects(teamId, investorsOf(type, from), limit)
    if (isFirstStep && left === "more") {
      const project = yield* sets.findOverfull(teamId, investors)
      if (project !== undefined) return yield* overfull(Id.fromUuid("project", project))
    }
    yield* sets.lockProjects(teamId, projects)
    const locked = yield* repo.findAll(teamId, yield* sets.lockRestorable(teamId, investors, projects))
    const taskTimes = yield* sets.taskTimes(
      teamId,
      competingNextTasks(locked).flatMap((id) => Id.toUuid("task", id) ?? [])
    )
    const createdUtcById = new Map(
      taskTimes.map(({ created_at, id }) => [Id.fromUuid("task", id), created_at.toISOString()])
    )
    const activeEnds = yield* activeEndsOf(
      change,
      locked.map(({ uuid }) => uuid)
    )
    const context = { createdUtcById, activeEnds, mayExceed: !isFirstStep }
    return { left, merges: yield* Effect.fromResult(planMerge(locked, reassignment, context)) }
  })

  /** Deletes the absorbed prospects; those that were deleted with their project are not restored with it any more. */
  const deleteAbsorbed = Effect.fnUntraced(function* (change: Change, merges: ReadonlyArray<ProspectMerge>) {
    const absorbed = merges.flatMap((merge) => merge.absorbed)
    yield* repo.delete(
      change,
      absorbed.flatMap(({ deleted, resource, uuid, version }) =>
        deleted ? [] : [{ uuid, readVersion: version, version: version + 1, fields: resource }]
      )
    )
    yield* sets.excludeFromRestore(
      change.actor.teamId,
      absorbed.flatMap(({ deleted, uuid }) => (deleted ? [uuid] : []))
    )
  })

  /** Writes the merged states. A prospect whose answer stays the same keeps its version. */
  const writeSurvivors = Effect.fnUntraced(function* (
    change: Change,
    reassignment: Reassignment,
    merges: ReadonlyArray<ProspectMerge>
  ) {
    const written = merges
      .filter(({ isChanged }) => isChanged)
      .map(({ state, survivor: { deleted, resource, uuid } }) => ({
        uuid,
        isDeleted: deleted,
        state,
        isSameAnswer: isSameAnswer(resource, state)
      }))
    const withNewVersion = written.filter(({ isSameAnswer }) => !isSameAnswer)
    yield* sets.writeMerged(change, reassignment, withNewVersion)
    for (const { isDeleted, uuid } of withNewVersion) if (!isDeleted) change.record(silentUpdate(uuid))
    yield* repo.updateInPlace(
      change,
      written.filter(({ isSameAnswer }) => isSameAnswer)
    )
  })

  /** Gives the access of absorbed prospects to the survivors, which were written, but for that of the `suspended` ones. */
  const moveAccess = Effect.fnUntraced(function* (
    change: Change,
    moves: ReadonlyArray<TimelineMove>,
    suspended: ReadonlySet<string>
  ) {
    if (moves.length === 0) return
    const absorbing = new Map(moves.map(({ from, to }) => [from, to]))
    const toOf = ({ prospectUuid }: StoredAccess) => absorbing.get(prospectUuid) ?? prospectUuid
    const uuids = [...new Set(moves.flatMap(({ from, to }) => [from, to]))]
    const accesses = yield* access.lockOfProspects(change.actor.teamId, uuids, true)
    const taken = accesses.filter(({ prospectUuid }) => !suspended.has(prospectUuid))
    const byMember = Map.groupBy(taken, (one) => `${one.roomUuid} ${toOf(one)}`)
    const lasting = [...byMember.values()].flatMap((group) => {
      const one = group[0] && lastingAccess(group, toOf(group[0]), change.at)
      return one ?? []
    })
    yield* access.move(change, {
      lasting: lasting.map((one) => ({
        ...one,
        to: toOf(one),
        isActive: accessStateAt(one, change.at) === "active"
      })),
      removed: accesses.filter((one) => !lasting.includes(one))
    })
  })

  /** Gives the offers of absorbed prospects to the survivors, which were written, with what was shared in them. */
  const mergeOffers = Effect.fnUntraced(function* (change: Change, merged: MergedProspects) {
    const { moves, suspended } = merged
    if (moves.length === 0) return
    const { teamId } = change.actor
    yield* communications.move(
      teamId,
      moves.filter(({ from }) => !suspended.has(from))
    )
    const uuids = [...new Set(moves.flatMap(({ from, to }) => [from, to]))]
    const plan = planOffers(yield* offersRepo.lockOf(teamId, { prospects: uuids }), merged, change.at)
    yield* offers.merge(change, plan)
    yield* files.moveEach(change, "offer", plan.files)
    // Survivors were given the invitations of all, and some of these did not stay.
    const { invited, of } = plan.invitations
    if (of.length > 0) yield* writeInvitations(repo, change, of, invited)
  })

  /** Moves tasks, references, timelines, access, questions, offers and files of absorbed prospects to the survivors. */
  const moveAttachments = Effect.fnUntraced(function* (change: Change, merges: ReadonlyArray<ProspectMerge>) {
    const moves = merges.flatMap(({ absorbed, survivor }) =>
      absorbed.map(({ uuid }) => ({ from: uuid, to: survivor.uuid }))
    )
    yield* sets.moveTasks(change, moves)
    yield* sets.moveRefs(
      change.actor.teamId,
      merges.flatMap(({ absorbed, state, survivor }) =>
        absorbed.length === 0 || survivor.deleted ? [] : [{ uuid: survivor.uuid, refs: state.externalRefs }]
      )
    )
    yield* timelines.moveEach(change, "prospect", moves)
    const suspended = suspendedIn(merges)
    yield* moveAccess(change, moves, suspended)
    yield* questions.moveAsked(change, moves)
    yield* mergeOffers(change, { moves, suspended, removed: removedIn(merges) })
    yield* files.moveEach(change, "prospect", moves)
  })

  /** Records the entries of the survivors, and then the deletion of each absorbed prospect. */
  const recordMerges = (change: Change, merges: ReadonlyArray<ProspectMerge>) => {
    for (const { emitted, state, survivor } of merges) {
      const projectUuid = Id.toUuid("project", state.projectId)
      if (projectUuid === undefined) continue
      for (const entry of emitted) change.record(changeRecordOf({ ...state, uuid: survivor.uuid, projectUuid }, entry))
    }
    for (const { absorbed, survivor } of merges) {
      for (const { deleted, resource, uuid } of absorbed) {
        const projectUuid = Id.toUuid("project", resource.projectId)
        if (deleted || projectUuid === undefined) continue
        change.record({
          // The row goes on the survivor's timeline: nobody reads the timeline of an absorbed prospect.
          ...changeRecordOf(
            { ...resource, uuid: survivor.uuid, projectUuid },
            mergedEntry(resource, survivor.resource.id)
          ),
          resource: { type: "prospect", id: uuid }
        })
      }
    }
  }

  /**
   * Gives prospects of merged contacts or companies to the one that absorbs them, on as many projects as a step takes. Of several
   * prospects on one project one survives (see {@link planMerge}), and the others are deleted.
   */
  const mergeProspects = Effect.fn("InvestorLifecycle.mergeProspects")(function* (
    change: Change,
    reassignment: Reassignment,
    step: { readonly isFirstStep: boolean }
  ) {
    const { left, merges } = yield* lockAndPlan(change, reassignment, step)
    yield* deleteAbsorbed(change, merges)
    yield* writeSurvivors(change, reassignment, merges)
    yield* moveAttachments(change, merges)
    recordMerges(change, merges)
    return left
  })

  return {
    lockProjects,
    updateCopies,
    removeFromLists,
    returnToLists,
    lockSold,
    moveSold,
    clearSold,
    returnSold,
    mergeProspects
  }
})

/**
 * What deals make of changes, deletions and merges of investors, for the modules of contacts and companies, which have authorized their
 * caller.
 */
export class InvestorLifecycle extends Context.Service<InvestorLifecycle, Effect.Success<typeof make>>()(
  "deals/lifecycle/InvestorLifecycle"
) {
  static readonly layer = Layer.effect(InvestorLifecycle, make).pipe(
    Layer.provide([
      AccessRepo.layer,
      CommunicationsRepo.layer,
      FileWrites.layer,
      OfferChanges.layer,
      OffersRepo.layer,
      ProjectsRepo.layer,
      ProspectSetsRepo.layer,
      ProspectsRepo.layer,
      QuestionsRepo.layer
    ])
  )
}
