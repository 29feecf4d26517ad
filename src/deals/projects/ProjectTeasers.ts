/**
 * What projects report to teasers. The teasers module imports this one, so the operation is declared here and implemented there
 * (`teasers/SubjectCascades.ts`).
 */
import { Context, type Effect } from "effect"
import type { OfTeam } from "../../core/mutation/purgeListed.ts"

/** What happens to the teasers of projects (UUIDs), and to those of their rooms. */
export class ProjectTeasers extends Context.Service<
  ProjectTeasers,
  {
    /** The projects are purged, and with them their teasers. Returns how many. */
    readonly purge: (projects: OfTeam) => Effect.Effect<number>
  }
>()("deals/projects/ProjectTeasers") {}
