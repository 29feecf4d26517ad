/**
 * What projects report to offers. The offers module imports this one, so the operations are declared here and implemented there
 * (`offers/ProjectCascades.ts`).
 */
import { Context, type Effect } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"

/** What happens to the offers of a project (UUID), which the change has locked. */
export class ProjectOffers extends Context.Service<
  ProjectOffers,
  {
    /** It was closed or deleted: its offers are closed, accepted ones too. */
    readonly closed: (change: Change, projectUuid: string) => Effect.Effect<void>
    /** It is open again: its offers are what they were. */
    readonly reopened: (change: Change, projectUuid: string) => Effect.Effect<void>
  }
>()("deals/projects/ProjectOffers") {}
