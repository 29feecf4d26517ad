/**
 * What properties report to teasers. The teasers module imports this one, so the operation is declared here and implemented there
 * (`teasers/SubjectCascades.ts`).
 */
import { Context, type Effect } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"

/** What happens to the teasers of properties (UUIDs). */
export class PropertyTeasers extends Context.Service<
  PropertyTeasers,
  {
    /** The change deletes the properties, and with them their teasers. */
    readonly deleted: (change: Change, propertyUuids: ReadonlyArray<string>) => Effect.Effect<void>
  }
>()("market/properties/PropertyTeasers") {}
