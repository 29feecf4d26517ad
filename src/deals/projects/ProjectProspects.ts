/**
 * The operations on prospects that projects need. The prospects module imports this one, so they are declared here and
 * implemented there (`prospects/cascades/ProjectCascades.ts`).
 */
import { Context, type Effect } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import type { OfTeam } from "../../core/mutation/purgeListed.ts"
import type { Left } from "../../core/records/Steps.ts"
import type { ExternalReferenceTaken } from "../../core/usecase/Problem.ts"

/** Operations on the prospects of a project (UUID). Callers that pass a `change` have locked the project in its transaction. */
export class ProjectProspects extends Context.Service<
  ProjectProspects,
  {
    /**
     * Deletes at most `limit` of the project's prospects, removed ones too. They keep their content, so that the project can be restored.
     */
    readonly deleteSome: (change: Change, projectUuid: string, limit: number) => Effect.Effect<Left>
    /** The number of prospects that are not deleted. */
    readonly count: (teamId: string, projectUuid: string) => Effect.Effect<number>
    /**
     * Brings back the prospects that were deleted with the project, and their external references. Fails when another
     * prospect has taken one of these references. Unless the project is closed, prospects whose contact or company was
     * deleted in the meantime come back removed from the list.
     */
    readonly restoreAll: (change: Change, projectUuid: string) => Effect.Effect<void, ExternalReferenceTaken>
    /**
     * Removes from the list the prospects whose contact or company was deleted while the project was closed, because a closed
     * project keeps its list.
     */
    readonly removeOrphans: (change: Change, projectUuid: string) => Effect.Effect<void>
    /**
     * Runs one step of purging the prospects of these projects (UUIDs): rows of their timelines first, then the prospects
     * and their tasks, at most `limit` rows. Returns the number of rows; 0 when nothing is left.
     */
    readonly purge: (projects: OfTeam, limit: number) => Effect.Effect<number>
  }
>()("deals/projects/ProjectProspects") {}
