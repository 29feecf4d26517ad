/**
 * What prospects report to offers. The offers module imports this one, so the operations are declared here and implemented there
 * (`offers/ProspectCascades.ts`).
 */
import { Context, type Effect } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import type { MergedProspects } from "./ProspectState.ts"

/** What happens to the offers of prospects (UUIDs), which the change has locked. */
export class ProspectOffers extends Context.Service<
  ProspectOffers,
  {
    /** They left the list, or were deleted: their offers are removed. */
    readonly removed: (change: Change, prospectUuids: ReadonlyArray<string>) => Effect.Effect<void>
    /** They are back on the list: their offers are what they were. */
    readonly restored: (change: Change, prospectUuids: ReadonlyArray<string>) => Effect.Effect<void>
    /** They became part of others, which take over their offers. Called after the others were written. */
    readonly merged: (change: Change, merged: MergedProspects) => Effect.Effect<void>
  }
>()("deals/prospects/ProspectOffers") {}
