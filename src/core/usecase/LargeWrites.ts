/** Writes of much text take turns within their team, since Postgres folds and indexes it for seconds: docs/behaviour/http.md#batches. */
import type { Effect } from "effect"
import { sizeOf } from "./sizeOf.ts"
import * as TeamTurns from "./TeamTurns.ts"

/** The bytes from which a write takes a turn. A batch of a hundred ordinary records has fewer. */
const largeBytes = 256 * 1024

const turns = TeamTurns.make(1)

/** Runs a write of these values when no other large one of its team runs. */
export const inTurnOfTeam = <A, E, R>(
  teamId: string,
  values: ReadonlyArray<unknown>,
  write: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => (sizeOf(values) < largeBytes ? write : turns.inTurn(teamId, 1, write))
