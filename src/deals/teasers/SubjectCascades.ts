/** What happens to teasers when their subjects go (docs/behaviour/teasers.md). A deleted project keeps its own, for when it is restored. */
import { Effect, Layer } from "effect"
import { ProjectTeasers } from "../projects/ProjectTeasers.ts"
import { PropertyTeasers } from "../../market/properties/PropertyTeasers.ts"
import { TeasersRepo } from "./TeasersRepo.ts"

const ofProperties = Layer.effect(
  PropertyTeasers,
  Effect.map(TeasersRepo, (repo) =>
    PropertyTeasers.of({
      deleted: Effect.fn("PropertyTeasers.deleted")((change, propertyUuids) =>
        repo.removeOfProperties(change.actor.teamId, propertyUuids)
      )
    })
  )
)

const ofProjects = Layer.effect(
  ProjectTeasers,
  Effect.map(TeasersRepo, (repo) =>
    ProjectTeasers.of({ purge: Effect.fn("ProjectTeasers.purge")((projects) => repo.purgeOfProjects(projects)) })
  )
)

/** The teasers of properties and projects, for their modules. */
export const layer = Layer.merge(ofProperties, ofProjects)
