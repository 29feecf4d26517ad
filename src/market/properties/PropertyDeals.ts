/**
 * What properties ask of deals, which are above them: declared here, and implemented there (`deals/lifecycle/PropertyLifecycle.ts`).
 */
import { Context, type Effect } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"

/** The deals that properties (UUIDs) are part of. */
export class PropertyDeals extends Context.Service<
  PropertyDeals,
  {
    /** The ids of the projects that are not closed and list one of these properties, by the UUID of the property. */
    readonly openOf: (
      teamId: string,
      propertyUuids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, ReadonlyArray<string>>>
    /**
     * The change deletes the properties: takes them off all projects, closed ones included, and removes their teasers. Locks the projects,
     * so call it before properties are locked.
     */
    readonly deleted: (change: Change, propertyUuids: ReadonlyArray<string>) => Effect.Effect<void>
  }
>()("market/properties/PropertyDeals") {}
