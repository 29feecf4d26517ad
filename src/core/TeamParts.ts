/**
 * Jobs that look at all teams, and change something in each: every team's part stands alone, so that one that cannot be done stops no
 * other team's.
 */
import * as Id from "./Id.ts"
import { inTeam } from "../platform/db/Cells.ts"
import { Cause, Effect, Exit } from "effect"

/** What is due in one team (UUID). `run` returns how many rows it changed; it may be none. */
export interface TeamPart<E, R> {
  readonly teamId: string
  readonly run: Effect.Effect<number, E, R>
}

/** Rows by their teams, each with what is to be done with them. */
export const byTeam = <Row, E, R>(
  rows: ReadonlyArray<Row>,
  teamOf: (row: Row) => string,
  run: (teamId: string, ofTeam: ReadonlyArray<Row>) => Effect.Effect<number, E, R>
): ReadonlyArray<TeamPart<E, R>> =>
  [...Map.groupBy(rows, teamOf)].map(([teamId, ofTeam]) => ({ teamId, run: run(teamId, ofTeam) }))

/** When so many parts fail one after the other, it is not for their teams. */
const maxFailures = 20

/**
 * Runs the parts that `find` finds, and returns how many rows they changed. A part that fails is logged with its team. When none has
 * changed anything, it looks for those of other teams than the ones that failed, whose rows may be in front of theirs. Dies when nothing
 * was changed and parts failed: the job has done what it can, and is to be retried for the others. `what` is for the log and says what the
 * job does.
 */
export const runParts = <E, R, R2>(
  what: string,
  find: (failed: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<TeamPart<E, R>>, never, R2>
): Effect.Effect<number, never, R | R2> =>
  Effect.gen(function* () {
    const failed: Array<string> = []
    let changed = 0
    let failedInARow = 0
    let found = yield* find(failed)
    while (found.length > 0) {
      const before = failed.length
      for (const { run, teamId } of found) {
        const exit = yield* Effect.exit(inTeam(teamId)(run))
        if (Exit.isSuccess(exit)) {
          changed += exit.value
          failedInARow = 0
          continue
        }
        if (Cause.hasInterruptsOnly(exit.cause)) return yield* Effect.interrupt
        const team = Id.fromUuid("team", teamId)
        yield* Effect.annotateLogs(Effect.logError(`${what}: this failed for a team.`, exit.cause), { team })
        failed.push(teamId)
        failedInARow += 1
        if (failedInARow === maxFailures) return yield* Effect.die(new Error(`${what}: this fails for every team.`))
      }
      found = changed > 0 || failed.length === before ? [] : yield* find(failed)
    }
    return changed > 0 || failed.length === 0
      ? changed
      : yield* Effect.die(new Error(`${what}: this failed for ${failed.length} teams.`))
  })
