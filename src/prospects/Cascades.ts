/** What befalls prospects when their investor or their project changes, by the set (decisions §4, §6). */
import { Context, Effect, Layer } from "effect"
import type { Change } from "../changes/Changes.ts"
import { Timelines } from "../changes/Timelines.ts"
import { ExternalRefsRepo } from "../externalRefs/ExternalRefsRepo.ts"
import { ExternalReferenceTaken } from "../usecase/Problem.ts"
import * as Id from "../Id.ts"
import * as Purge from "../records/Purge.ts"
import type { Reassignment, Investors, ProspectRef } from "./Cascade.ts"
import { CascadesRepo } from "./CascadesRepo.ts"
import { planMerge, mergedEntry, rivalTasks } from "./reassignment.ts"
import { blank } from "./ProspectState.ts"
import { ProspectsRepo } from "./ProspectsRepo.ts"
import { deletedEntry, changeRecordOf, isSameAnswer, removed } from "./rules.ts"

const make = Effect.gen(function* () {
  const repo = yield* CascadesRepo
  const prospects = yield* ProspectsRepo
  const refs = yield* ExternalRefsRepo
  const timelines = yield* Timelines
  const stepOf = yield* Purge.make

  const tellRemovals = (change: Change, gone: ReadonlyArray<ProspectRef>) => {
    const { emitted } = removed(blank, change.at.toISOString())
    for (const one of gone) for (const what of emitted) change.record(changeRecordOf(one, what))
  }

  /** Of these (UUIDs) nothing is told, but that they are others than before. */
  const note = (change: Change, what: "restored" | "updated", uuids: ReadonlyArray<string>) => {
    for (const id of uuids) change.record({ change: what, resource: { type: "prospect", id }, subjects: [] })
  }

  /**
   * Deletes the prospects of a project (UUID) that is deleted, removed ones too; they keep their content for its restore.
   * The transaction of `change` holds the project.
   */
  const projectDeleted = Effect.fn("Cascades.projectDeleted")(function* (change: Change, projectUuid: string) {
    for (const deleted of yield* repo.deleteOf(change, projectUuid)) {
      change.record(changeRecordOf({ uuid: deleted.uuid, projectUuid }, deletedEntry(deleted.refs)))
    }
  })

  const putRefsBack: (teamId: string, projectUuid: string) => Effect.Effect<void, ExternalReferenceTaken> =
    Effect.fnUntraced(function* (teamId: string, projectUuid: string) {
      const missing = yield* repo.putRefsBack(teamId, projectUuid)
      if (missing.length === 0) return
      const [taken] = yield* refs.holders({ teamId, type: "prospect" }, missing)
      // Who held it a moment ago has let go of it.
      if (taken === undefined) return yield* putRefsBack(teamId, projectUuid)
      const { externalId, holder, namespace } = taken
      return yield* new ExternalReferenceTaken({
        namespace,
        externalId,
        holderId: Id.fromUuid("prospect", holder),
        detail: `${namespace}:${externalId}, which a prospect of the project had, belongs to another prospect by now.`
      })
    })

  /**
   * Brings back the prospects that went with the deletion of a project (UUID), and their references; fails when another
   * prospect has one of them by now. Those whose investor was deleted meanwhile come back removed, unless the project is
   * closed. The transaction of `change` holds the project.
   */
  const projectRestored = Effect.fn("Cascades.projectRestored")(function* (change: Change, projectUuid: string) {
    yield* repo.lockDeletedWith(change.actor.teamId, projectUuid)
    yield* putRefsBack(change.actor.teamId, projectUuid)
    const restored = yield* repo.restoreOf(change, projectUuid)
    note(
      change,
      "restored",
      restored.map(({ uuid }) => uuid)
    )
    tellRemovals(
      change,
      restored.filter(({ isGone }) => isGone)
    )
  })

  /**
   * Removes prospects whose investor was deleted while their project (UUID) was closed: closed projects keep their list.
   * The transaction of `change` holds the project.
   */
  const projectReopened = Effect.fn("Cascades.projectReopened")(function* (change: Change, projectUuid: string) {
    tellRemovals(change, yield* repo.removeOrphans(change, projectUuid))
  })

  /** Whether a prospect of a project (UUID) has access to a room, on its list or not. */
  const hasRoomMembers = Effect.fn("Cascades.hasRoomMembers")((teamId: string, projectUuid: string) =>
    repo.hasRoomMembers(teamId, projectUuid)
  )

  /**
   * A step of the removal for good of the prospects of these projects (UUIDs): rows of their timelines, and then they with
   * their tasks, at most `limit`. Answers how many there were; 0 when nothing is left.
   */
  const purge = Effect.fn("Cascades.purge")((projectUuids: ReadonlyArray<string>, limit: number) =>
    stepOf({ purgeCandidates: (most) => repo.lockIn(projectUuids, most), remove: prospects.purge })(limit)
  )

  /** Copies what these investors are now to their prospects, as far as something differs. Nothing is told of it. */
  const copy = Effect.fn("Cascades.copy")(function* (change: Change, of: Investors) {
    // Who deletes or restores a project comes before this looks for its prospects, or sees what was copied.
    yield* repo.shareProjects(change.actor.teamId, of)
    note(change, "updated", yield* repo.copy(change, of))
  })

  /** Removes these investors, which were deleted, from the lists of projects that are not closed. */
  const investorsDeleted = Effect.fn("Cascades.investorsDeleted")(function* (change: Change, of: Investors) {
    // Who reopens or restores a project meanwhile looks for deleted investors then, or else has done it before this looks.
    yield* repo.shareProjects(change.actor.teamId, of)
    tellRemovals(change, yield* repo.removeOf(change, of))
  })

  /**
   * Gives the prospects of contacts or companies to the one that these become part of, on all projects. Of several on one
   * project one stays (see {@link planMerge}), and the others are deleted.
   */
  const gather = Effect.fn("Cascades.gather")(function* (change: Change, gathering: Reassignment) {
    const { teamId } = change.actor
    const uuids = [...gathering.from, gathering.to]
    const of = gathering.type === "contact" ? { contacts: uuids } : { companies: uuids }
    yield* repo.shareProjects(teamId, of)
    const found = yield* prospects.findAll(teamId, yield* repo.lockOf(teamId, of))
    const times = yield* repo.taskTimes(
      teamId,
      rivalTasks(found).flatMap((id) => Id.toUuid("task", id) ?? [])
    )
    const kept = yield* Effect.fromResult(
      planMerge(
        found,
        gathering,
        new Map(times.map(({ created_at, id }) => [Id.fromUuid("task", id), created_at.toISOString()]))
      )
    )
    const drops = kept.flatMap(({ absorbed, stored }) => absorbed.map((dropped) => ({ dropped, into: stored })))
    const moves = drops.map(({ dropped, into }) => ({ from: dropped.uuid, to: into.uuid }))
    yield* prospects.remove(
      change,
      drops.flatMap(({ dropped: { deleted, resource, uuid, version } }) =>
        deleted ? [] : [{ uuid, readVersion: version, version: version + 1, fields: resource }]
      )
    )
    yield* repo.forget(
      teamId,
      drops.flatMap(({ dropped: { deleted, uuid } }) => (deleted ? [uuid] : []))
    )
    const written = kept
      .filter(({ isChanged }) => isChanged)
      .map(({ state, stored: { deleted, resource, uuid } }) => ({
        uuid,
        isDeleted: deleted,
        state,
        isAnswered: !isSameAnswer(resource, state)
      }))
    const given = written.filter(({ isAnswered }) => isAnswered)
    yield* repo.give(change, gathering, given)
    note(
      change,
      "updated",
      given.flatMap(({ isDeleted, uuid }) => (isDeleted ? [] : [uuid]))
    )
    yield* prospects.keep(
      change,
      written.filter(({ isAnswered }) => !isAnswered)
    )
    yield* repo.moveTasks(change, moves)
    yield* repo.giveRefs(
      teamId,
      kept.flatMap(({ absorbed, state, stored }) =>
        absorbed.length === 0 || stored.deleted ? [] : [{ uuid: stored.uuid, refs: state.externalRefs }]
      )
    )
    yield* timelines.moveEach(change, "prospect", moves)
    for (const {
      state,
      stored: { uuid },
      emitted
    } of kept) {
      const projectUuid = Id.toUuid("project", state.projectId)
      if (projectUuid !== undefined)
        for (const one of emitted) change.record(changeRecordOf({ uuid, projectUuid }, one))
    }
    for (const { dropped, into } of drops) {
      const projectUuid = Id.toUuid("project", dropped.resource.projectId)
      if (dropped.deleted || projectUuid === undefined) continue
      change.record({
        // Nobody looks at the timeline of what has become part of another.
        ...changeRecordOf({ uuid: into.uuid, projectUuid }, mergedEntry(dropped.resource, into.resource.id)),
        resource: { type: "prospect", id: dropped.uuid }
      })
    }
  })

  return {
    projectDeleted,
    projectRestored,
    projectReopened,
    hasRoomMembers,
    purge,
    copy,
    investorsDeleted,
    gather
  }
})

/** What follows for prospects, inside the transactions of others' changes. */
export class Cascades extends Context.Service<Cascades, Effect.Success<typeof make>>()("prospects/Cascades") {
  static readonly layer = Layer.effect(Cascades, make)
}
