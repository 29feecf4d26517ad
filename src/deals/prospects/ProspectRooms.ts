/**
 * What prospects report to data rooms. The rooms module imports this one, so the operations are declared here and implemented there
 * (`rooms/ProspectCascades.ts`).
 */
import { Context, type Effect } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import type { ProspectMove } from "./ProspectState.ts"

/** A prospect (UUID) with the end of its access to rooms; null: none. */
export interface AccessEndOf {
  readonly prospectUuid: string
  readonly accessExpiryUtc: string | null
}

/** What happens to the access of prospects, which the change has locked. */
export class ProspectRooms extends Context.Service<
  ProspectRooms,
  {
    /** The ends of their access changed. */
    readonly endsChanged: (change: Change, ends: ReadonlyArray<AccessEndOf>) => Effect.Effect<void>
    /** When the active access of these prospects (UUIDs) ends, null: never. Those without active access are left out. */
    readonly activeEnds: (
      change: Change,
      prospectUuids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, string | null>>
    /**
     * They became part of others, which take over their access, but for that of the `suspended` ones (UUIDs). Called after these were
     * written.
     */
    readonly merged: (
      change: Change,
      moves: ReadonlyArray<ProspectMove>,
      suspended: ReadonlySet<string>
    ) => Effect.Effect<void>
  }
>()("deals/prospects/ProspectRooms") {}
