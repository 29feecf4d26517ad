/**
 * What prospects report to files. The files module imports this one, so the operation is declared here and implemented there
 * (`files/ProspectCascades.ts`).
 */
import { Context, type Effect } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import type { ProspectMove } from "./ProspectState.ts"

/** What happens to the files of prospects (UUIDs), which the change has locked. */
export class ProspectFiles extends Context.Service<
  ProspectFiles,
  {
    /** They became part of others, which take over their files. */
    readonly merged: (change: Change, moves: ReadonlyArray<ProspectMove>) => Effect.Effect<void>
  }
>()("deals/prospects/ProspectFiles") {}
