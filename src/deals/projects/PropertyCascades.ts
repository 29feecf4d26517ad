/** What deletions of properties do to projects (docs/behaviour/properties.md#projects). */
import { Effect, Layer } from "effect"
import { deletionOf, following } from "../../core/mutation/Causes.ts"
import type { Change } from "../../core/mutation/Changes.ts"
import * as Id from "../../core/Id.ts"
import { PropertyProjects } from "../../market/properties/PropertyProjects.ts"
import * as ChangeLocked from "../../core/records/ChangeLocked.ts"
import { ProjectsRepo } from "./ProjectsRepo.ts"
import { blank, normalize, toChangeRecord } from "./rules.ts"

const make = Effect.gen(function* () {
  const repo = yield* ProjectsRepo
  // Without the copies of ProjectRecords.ts: the only properties whose projects change are those that are deleted.
  const { lock, patchLocked } = yield* ChangeLocked.make({ type: "project", blank, repo, normalize, toChangeRecord })

  const unlink = Effect.fn("PropertyCascades.unlink")(function* (change: Change, propertyUuids: ReadonlyArray<string>) {
    const locked = yield* lock(change, yield* repo.listing(change.actor.teamId, propertyUuids))
    const deleted = new Set<string>(propertyUuids.map((uuid) => Id.fromUuid("property", uuid)))
    const living = locked.filter((project) => !project.deleted)
    const causes = new Map(
      living.map(({ resource, uuid }) => [uuid, resource.propertyIds.find((id) => deleted.has(id))])
    )
    const caused = following(change, ({ resource }) => deletionOf("property", causes.get(resource.id)))
    yield* patchLocked(caused, living, ({ resource }) => ({
      propertyIds: resource.propertyIds.filter((id) => !deleted.has(id))
    }))
  })

  return PropertyProjects.of({ openOf: repo.openListing, unlink })
})

/** The projects that list properties, for the module of properties. */
export const layer = Layer.effect(PropertyProjects, make)
