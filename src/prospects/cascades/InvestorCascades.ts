/** Set-based side effects on prospects when their contacts or companies change (decisions §4, §6). */
import { Context, Effect, Layer } from "effect"
import type { Change } from "../../changes/Changes.ts"
import { Timelines } from "../../changes/Timelines.ts"
import * as Id from "../../Id.ts"
import type { InvestorUuids } from "../ProspectState.ts"
import { ProspectsRepo } from "../ProspectsRepo.ts"
import { changeRecordOf, removedEntry } from "../entries.ts"
import { isSameAnswer } from "../rules.ts"
import { InvestorCascadesRepo } from "./InvestorCascadesRepo.ts"
import { competingNextTasks, mergedEntry, planMerge, type ProspectMerge, type Reassignment } from "./mergePlan.ts"

const make = Effect.gen(function* () {
  const repo = yield* InvestorCascadesRepo
  const prospects = yield* ProspectsRepo
  const timelines = yield* Timelines

  /** Lists prospects in dry runs; writes no timeline row and no event. */
  const recordUpdates = (change: Change, uuids: ReadonlyArray<string>) => {
    for (const id of uuids) change.record({ change: "updated", resource: { type: "prospect", id }, subjects: [] })
  }

  /** Brings the copies of these contacts or companies in their prospects up to date. */
  const updateCopies = Effect.fn("InvestorCascades.updateCopies")(function* (change: Change, investors: InvestorUuids) {
    // A concurrent deletion or restore of a project has either finished before this lock, or sees the copies.
    yield* repo.lockProjectsForShare(change.actor.teamId, investors)
    recordUpdates(change, yield* repo.updateCopies(change, investors))
  })

  /** Removes these deleted contacts or companies from the lists of projects that are not closed. */
  const removeFromLists = Effect.fn("InvestorCascades.removeFromLists")(function* (
    change: Change,
    investors: InvestorUuids
  ) {
    // A concurrent reopen or restore of a project has either finished before this lock, or looks for orphans itself.
    yield* repo.lockProjectsForShare(change.actor.teamId, investors)
    for (const removed of yield* repo.removeFromLists(change, investors)) {
      change.record(changeRecordOf(removed, removedEntry))
    }
  })

  /** Locks the prospects of a merge and plans it. */
  const lockAndPlan = Effect.fnUntraced(function* (teamId: string, reassignment: Reassignment) {
    const uuids = [...reassignment.from, reassignment.to]
    const investors = reassignment.type === "contact" ? { contacts: uuids } : { companies: uuids }
    yield* repo.lockProjectsForShare(teamId, investors)
    const locked = yield* prospects.findAll(teamId, yield* repo.lockRestorable(teamId, investors))
    const taskTimes = yield* repo.taskTimes(
      teamId,
      competingNextTasks(locked).flatMap((id) => Id.toUuid("task", id) ?? [])
    )
    const createdUtcById = new Map(
      taskTimes.map(({ created_at, id }) => [Id.fromUuid("task", id), created_at.toISOString()])
    )
    return yield* Effect.fromResult(planMerge(locked, reassignment, createdUtcById))
  })

  /** Deletes the absorbed prospects; those that were deleted with their project are not restored with it any more. */
  const deleteAbsorbed = Effect.fnUntraced(function* (change: Change, merges: ReadonlyArray<ProspectMerge>) {
    const absorbed = merges.flatMap((merge) => merge.absorbed)
    yield* prospects.delete(
      change,
      absorbed.flatMap(({ deleted, resource, uuid, version }) =>
        deleted ? [] : [{ uuid, readVersion: version, version: version + 1, fields: resource }]
      )
    )
    yield* repo.excludeFromRestore(
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
    yield* repo.writeMerged(change, reassignment, withNewVersion)
    recordUpdates(
      change,
      withNewVersion.flatMap(({ isDeleted, uuid }) => (isDeleted ? [] : [uuid]))
    )
    yield* prospects.updateInPlace(
      change,
      written.filter(({ isSameAnswer }) => isSameAnswer)
    )
  })

  /** Moves tasks, references and timelines of absorbed prospects to the survivors. */
  const moveAttachments = Effect.fnUntraced(function* (change: Change, merges: ReadonlyArray<ProspectMerge>) {
    const moves = merges.flatMap(({ absorbed, survivor }) =>
      absorbed.map(({ uuid }) => ({ from: uuid, to: survivor.uuid }))
    )
    yield* repo.moveTasks(change, moves)
    yield* repo.moveRefs(
      change.actor.teamId,
      merges.flatMap(({ absorbed, state, survivor }) =>
        absorbed.length === 0 || survivor.deleted ? [] : [{ uuid: survivor.uuid, refs: state.externalRefs }]
      )
    )
    yield* timelines.moveEach(change, "prospect", moves)
  })

  /** Records the entries of the survivors, and then the deletion of each absorbed prospect. */
  const recordMerges = (change: Change, merges: ReadonlyArray<ProspectMerge>) => {
    for (const { emitted, state, survivor } of merges) {
      const projectUuid = Id.toUuid("project", state.projectId)
      if (projectUuid === undefined) continue
      for (const entry of emitted) change.record(changeRecordOf({ uuid: survivor.uuid, projectUuid }, entry))
    }
    for (const { absorbed, survivor } of merges) {
      for (const { deleted, resource, uuid } of absorbed) {
        const projectUuid = Id.toUuid("project", resource.projectId)
        if (deleted || projectUuid === undefined) continue
        change.record({
          // The row goes on the survivor's timeline: nobody reads the timeline of an absorbed prospect.
          ...changeRecordOf({ uuid: survivor.uuid, projectUuid }, mergedEntry(resource, survivor.resource.id)),
          resource: { type: "prospect", id: uuid }
        })
      }
    }
  }

  /**
   * Gives the prospects of merged contacts or companies to the one that absorbs them, on all projects. Of several prospects
   * on one project one survives (see {@link planMerge}), and the others are deleted.
   */
  const reassign = Effect.fn("InvestorCascades.reassign")(function* (change: Change, reassignment: Reassignment) {
    const merges = yield* lockAndPlan(change.actor.teamId, reassignment)
    yield* deleteAbsorbed(change, merges)
    yield* writeSurvivors(change, reassignment, merges)
    yield* moveAttachments(change, merges)
    recordMerges(change, merges)
  })

  return { updateCopies, removeFromLists, reassign }
})

/** Cascades of contacts and companies to their prospects. All of them run inside the transaction of `change`. */
export class InvestorCascades extends Context.Service<InvestorCascades, Effect.Success<typeof make>>()(
  "prospects/cascades/InvestorCascades"
) {
  static readonly layer = Layer.effect(InvestorCascades, make)
}
