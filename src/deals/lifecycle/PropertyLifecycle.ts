/** What a deletion of properties does to the projects that list them, and to their teasers (docs/behaviour/properties.md#projects). */
import * as Id from "../../core/Id.ts"
import { Effect, Layer } from "effect"
import { type Change, deletionOf, following } from "../../core/mutation/Changes.ts"
import { PropertyDeals } from "../../market/properties/Properties.ts"
import { makeChangeLocked } from "../../core/records/ChangeRecords.ts"
import { ProjectsRepo } from "../projects/ProjectsRepo.ts"
import { blank, normalize, toChangeRecord } from "../projects/rules.ts"
import { TeasersRepo } from "../teasers/TeasersRepo.ts"

const make = Effect.gen(function* () {
  const repo = yield* ProjectsRepo
  const teasers = yield* TeasersRepo
  // Without the copies of ProjectRecords.ts: the only properties whose projects change are those that are deleted.
  const { lock, patchLocked } = yield* makeChangeLocked({ type: "project", blank, repo, normalize, toChangeRecord })

  const deleted = Effect.fn("PropertyLifecycle.deleted")(function* (
    change: Change,
    propertyUuids: ReadonlyArray<string>
  ) {
    const locked = yield* lock(change, yield* repo.listing(change.actor.teamId, propertyUuids))
    const ids = new Set<string>(propertyUuids.map((uuid) => Id.fromUuid("property", uuid)))
    const living = locked.filter((project) => !project.deleted)
    const causes = new Map(living.map(({ resource, uuid }) => [uuid, resource.propertyIds.find((id) => ids.has(id))]))
    const caused = following(change, ({ resource }) => deletionOf("property", causes.get(resource.id)))
    yield* patchLocked(caused, living, ({ resource }) => ({
      propertyIds: resource.propertyIds.filter((id) => !ids.has(id))
    }))
    // A deleted project keeps its teaser, for when it is restored.
    yield* teasers.removeOfProperties(change.actor.teamId, propertyUuids)
  })

  return PropertyDeals.of({ openOf: repo.openListing, deleted })
})

/** The deals of properties, for their module, which is below this one. */
export const layer = Layer.effect(PropertyDeals, make)
