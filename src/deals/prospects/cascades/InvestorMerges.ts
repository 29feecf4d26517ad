/** Moves the prospects of merged contacts or companies to the survivor (docs/behaviour/projects-and-prospects.md#merged-investors). */
import { Context, Effect, Layer } from "effect"
import type { Change } from "../../../core/mutation/Changes.ts"
import { Timelines } from "../../../core/mutation/Timelines.ts"
import * as Id from "../../../core/Id.ts"
import { ProspectFiles } from "../ProspectFiles.ts"
import { ProspectOffers } from "../ProspectOffers.ts"
import { ProspectRooms } from "../ProspectRooms.ts"
import type { InvestorUuids } from "../ProspectState.ts"
import { StepSize } from "../../../core/records/Steps.ts"
import { ProspectsRepo } from "../ProspectsRepo.ts"
import { changeRecordOf, silentUpdate } from "../entries.ts"
import { isSameAnswer } from "../rules.ts"
import { InvestorCascadesRepo } from "./InvestorCascadesRepo.ts"
import { InvestorMergesRepo } from "./InvestorMergesRepo.ts"
import {
  competingNextTasks,
  mergedEntry,
  overfull,
  planMerge,
  removedIn,
  suspendedIn,
  type ProspectMerge,
  type Reassignment
} from "./mergePlan.ts"

const make = Effect.gen(function* () {
  const repo = yield* InvestorMergesRepo
  const cascades = yield* InvestorCascadesRepo
  const prospects = yield* ProspectsRepo
  const timelines = yield* Timelines
  const offers = yield* ProspectOffers
  const files = yield* ProspectFiles
  const rooms = yield* ProspectRooms

  const investorsOf = (type: Reassignment["type"], uuids: ReadonlyArray<string>): InvestorUuids =>
    type === "contact" ? { contacts: uuids } : { companies: uuids }

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
    const { left, taken: projects } = yield* repo.findProjects(teamId, investorsOf(type, from), limit)
    if (isFirstStep && left === "more") {
      const project = yield* repo.findOverfull(teamId, investors)
      if (project !== undefined) return yield* overfull(Id.fromUuid("project", project))
    }
    yield* cascades.lockThese(teamId, projects)
    const locked = yield* prospects.findAll(teamId, yield* repo.lockRestorable(teamId, investors, projects))
    const taskTimes = yield* repo.taskTimes(
      teamId,
      competingNextTasks(locked).flatMap((id) => Id.toUuid("task", id) ?? [])
    )
    const createdUtcById = new Map(
      taskTimes.map(({ created_at, id }) => [Id.fromUuid("task", id), created_at.toISOString()])
    )
    const activeEnds = yield* rooms.activeEnds(
      change,
      locked.map(({ uuid }) => uuid)
    )
    const context = { createdUtcById, activeEnds, mayExceed: !isFirstStep }
    return { left, merges: yield* Effect.fromResult(planMerge(locked, reassignment, context)) }
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
    for (const { isDeleted, uuid } of withNewVersion) if (!isDeleted) change.record(silentUpdate(uuid))
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
    const suspended = suspendedIn(merges)
    yield* rooms.merged(change, moves, suspended)
    yield* offers.merged(change, { moves, suspended, removed: removedIn(merges) })
    yield* files.merged(change, moves)
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
  const reassign = Effect.fn("InvestorMerges.reassign")(function* (
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

  return { reassign }
})

/** Merges the prospects of merged contacts and companies, inside the transaction of `change`. */
export class InvestorMerges extends Context.Service<InvestorMerges, Effect.Success<typeof make>>()(
  "deals/prospects/cascades/InvestorMerges"
) {
  static readonly layer = Layer.effect(InvestorMerges, make)
}
