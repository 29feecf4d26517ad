/** Set-based side effects of a project's lifecycle on its prospects (docs/behaviour/projects-and-prospects.md#cascades). */
import { Effect, Layer } from "effect"
import type { Change } from "../../../core/mutation/Changes.ts"
import type { OfTeam } from "../../../core/mutation/purgeListed.ts"
import type { EventType } from "../../../core/mutation/Event.ts"
import { following } from "../../../core/mutation/Causes.ts"
import { ExternalRefsRepo } from "../../../core/externalRefs/ExternalRefsRepo.ts"
import * as Id from "../../../core/Id.ts"
import { ProjectProspects } from "../../projects/ProjectProspects.ts"
import * as Purge from "../../../core/records/Purge.ts"
import { ExternalReferenceTaken } from "../../../core/usecase/Problem.ts"
import { ProspectOffers } from "../ProspectOffers.ts"
import { ProspectsRepo } from "../ProspectsRepo.ts"
import type { ProspectSubject } from "../ProspectState.ts"
import { changeRecordOf, deletedEntry, removedEntry } from "../entries.ts"
import { ProjectCascadesRepo } from "./ProjectCascadesRepo.ts"

/** The change, for what follows from an event of the project. */
const followingProject = (change: Change, projectUuid: string, event: EventType): Change =>
  following(change, () => ({ event, resource: { type: "project", id: projectUuid } }))

const make = Effect.gen(function* () {
  const repo = yield* ProjectCascadesRepo
  const prospects = yield* ProspectsRepo
  const refs = yield* ExternalRefsRepo
  const offers = yield* ProspectOffers
  const purgeStep = yield* Purge.make

  /** Records that orphans were removed from the list, and removes their offers. */
  const recordRemoved = Effect.fnUntraced(function* (caused: Change, orphans: ReadonlyArray<ProspectSubject>) {
    for (const orphan of orphans) caused.record(changeRecordOf(orphan, removedEntry))
    yield* offers.removed(
      caused,
      orphans.map(({ uuid }) => uuid)
    )
  })

  const deleteSome = Effect.fn("ProjectCascades.deleteSome")(function* (
    change: Change,
    projectUuid: string,
    limit: number
  ) {
    const caused = followingProject(change, projectUuid, "project.deleted")
    const { left, taken } = yield* repo.deleteSome(change, projectUuid, limit)
    for (const deleted of taken) caused.record(changeRecordOf(deleted, deletedEntry(deleted.refs)))
    return left
  })

  const restoreRefs: (teamId: string, projectUuid: string) => Effect.Effect<void, ExternalReferenceTaken> =
    Effect.fnUntraced(function* (teamId: string, projectUuid: string) {
      const unavailable = yield* repo.restoreRefs(teamId, projectUuid)
      if (unavailable.length === 0) return
      const [taken] = yield* refs.holders({ teamId, type: "prospect" }, unavailable)
      // The holder has released the reference since the statement above: retry.
      if (taken === undefined) return yield* restoreRefs(teamId, projectUuid)
      const { externalId, holder, namespace } = taken
      return yield* new ExternalReferenceTaken({
        namespace,
        externalId,
        holderId: Id.fromUuid("prospect", holder),
        detail: `A prospect of this project had ${namespace}:${externalId}, which now belongs to another prospect.`
      })
    })

  const restoreAll = Effect.fn("ProjectCascades.restoreAll")(function* (change: Change, projectUuid: string) {
    yield* repo.lockDeletedWithProject(change.actor.teamId, projectUuid)
    yield* restoreRefs(change.actor.teamId, projectUuid)
    const restored = yield* repo.restoreAll(change, projectUuid)
    for (const { uuid } of restored) {
      // Listed by dry runs only: no timeline row and no event.
      change.record({ change: "restored", resource: { type: "prospect", id: uuid }, subjects: [] })
    }
    // Of those, too, that no step of a large deletion had come to.
    const others = yield* repo.removeOrphans(change, projectUuid)
    yield* recordRemoved(followingProject(change, projectUuid, "project.restored"), [
      ...restored.filter(({ isRemoved }) => isRemoved),
      ...others
    ])
  })

  const removeOrphans = Effect.fn("ProjectCascades.removeOrphans")(function* (change: Change, projectUuid: string) {
    const orphans = yield* repo.removeOrphans(change, projectUuid)
    yield* recordRemoved(followingProject(change, projectUuid, "project.updated"), orphans)
  })

  const purge = Effect.fn("ProjectCascades.purge")((projects: OfTeam, limit: number) =>
    purgeStep({ lock: (max) => repo.lockForPurge(projects, max), remove: prospects.purge }, limit)
  )

  return ProjectProspects.of({ deleteSome, count: repo.count, restoreAll, removeOrphans, purge })
})

/** The prospects of projects, for the module of projects. */
export const layer = Layer.effect(ProjectProspects, make)
