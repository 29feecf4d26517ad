/**
 * The operations on projects that properties need. The projects module imports this one, so they are declared here and implemented
 * there (`projects/PropertyCascades.ts`).
 */
import { Context, type Effect } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"

/** Operations on the projects that list properties (UUIDs). */
export class PropertyProjects extends Context.Service<
  PropertyProjects,
  {
    /** The ids of the projects that are not closed and list one of these properties, by the UUID of the property. */
    readonly openOf: (
      teamId: string,
      propertyUuids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, ReadonlyArray<string>>>
    /** Takes properties that the change deletes off all projects, closed ones included. Locks these, so call it before properties are locked. */
    readonly unlink: (change: Change, propertyUuids: ReadonlyArray<string>) => Effect.Effect<void>
  }
>()("market/properties/PropertyProjects") {}
