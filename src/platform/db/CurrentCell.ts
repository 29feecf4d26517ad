/**
 * Whose rows statements read and write. On plain Postgres it makes no difference; with Citus, the teams of a cell have their tables in
 * a schema of their own (docs/adr/0031-cells.md).
 */
import { Context, Effect } from "effect"

/** A team (UUID), or all teams of a cell. */
export type RowsOf = { readonly team: string } | { readonly cell: string }

/** Whose rows the running statements are about. Undefined for what belongs to no team, such as users, tokens and jobs. */
export const CurrentCell = Context.Reference<RowsOf | undefined>("platform/db/CurrentCell", {
  defaultValue: () => undefined
})

/** Runs an effect whose statements are about the rows of a team (UUID). */
export const inTeam =
  (team: string) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.provideService(self, CurrentCell, { team })
