/**
 * The operations on data rooms that projects need. The rooms module imports this one, so they are declared here and implemented there
 * (`rooms/ProjectCascades.ts`).
 */
import { Context, type Effect } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import type { OfTeam } from "../../core/mutation/purgeListed.ts"

/** Operations on the rooms of a project (UUID). Callers that pass a `change` have locked the project in its transaction. */
export class ProjectRooms extends Context.Service<
  ProjectRooms,
  {
    /** Whether any prospect has access to one of its rooms at the time of the change. */
    readonly hasMembers: (change: Change, projectUuid: string) => Effect.Effect<boolean>
    /** It was closed: its rooms wind down. */
    readonly closed: (change: Change, projectUuid: string) => Effect.Effect<void>
    /** It is open again: rooms that still wind down are open, too. */
    readonly reopened: (change: Change, projectUuid: string) => Effect.Effect<void>
    /** It was deleted: its rooms are, too. They keep their content, so that the project can be restored. */
    readonly deleted: (change: Change, projectUuid: string) => Effect.Effect<void>
    /** It was restored: its rooms are back, as they were. */
    readonly restored: (change: Change, projectUuid: string) => Effect.Effect<void>
    /**
     * Runs one step of purging the rooms of these projects (UUIDs): rows of their timelines first, then the rooms with everything in
     * them, at most `limit` rows. Returns the number of rows; 0 when nothing is left.
     */
    readonly purge: (projects: OfTeam, limit: number) => Effect.Effect<number>
  }
>()("deals/projects/ProjectRooms") {}
