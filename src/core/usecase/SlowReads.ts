/**
 * Reads that can be slow: searches, and lists that read more rows than they answer. They have connections of their own, a time
 * limit, and a bound for each team, so that one team's do not stop anybody else's requests: docs/behaviour/http.md#slow-reads.
 */
import { Cause, Effect } from "effect"
import { isSqlError } from "effect/sql/SqlError"
import { inTeam } from "../../platform/db/Cells.ts"
import { Database } from "../../platform/db/Database.ts"
import { DatabaseUnavailable, orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { atStandby, CurrentStandby } from "../../platform/db/Standbys.ts"
import { onWallClock } from "../../platform/Time.ts"
import { RateLimited } from "./Problem.ts"
import { QueryTooExpensive } from "./QueryTooExpensive.ts"
import { inTurn as inTurnOf, type Size, TeamBudget } from "./TeamBudget.ts"

/** How long a read waits for its turn, in milliseconds. */
const maxWaitMs = 5_000

const tooMany = ({ team }: Size) =>
  new RateLimited({
    detail: `Of one team, ${team} searches run at a time, and as many more wait as can run within ${maxWaitMs / 1000} s. Send fewer at a time.`
  })

const allBusy = new DatabaseUnavailable({ cause: "all connections for slow reads are busy" })

const timedOut = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some(
    (reason) =>
      Cause.isDieReason(reason) &&
      reason.defect instanceof DatabaseUnavailable &&
      isSqlError(reason.defect.cause) &&
      reason.defect.cause.reason._tag === "StatementTimeoutError"
  )

/** Makes the function that runs slow reads. */
export const make = Effect.gen(function* () {
  const sql = yield* Database
  const { slowReads: lane } = yield* TeamBudget

  /** Lets `read` begin when it is its turn, and not at all if that takes too long. `begin` is run when it is. */
  const inTurn = <A, E, R>(teamId: string, read: (begin: () => void) => Effect.Effect<A, E, R>) =>
    Effect.suspend((): Effect.Effect<A, E | RateLimited, R> => {
      if (lane.isFull(teamId)) return Effect.fail(tooMany(lane.size))
      let waitsFor: "turn" | "connection" | undefined = "turn"
      const tooLate = Effect.andThen(
        onWallClock(Effect.sleep(maxWaitMs)),
        Effect.suspend(() =>
          waitsFor === undefined
            ? Effect.never
            : waitsFor === "turn"
              ? Effect.fail(tooMany(lane.size))
              : Effect.die(allBusy)
        )
      )
      const inTime = inTurnOf(
        lane,
        teamId,
        1,
        Effect.suspend(() => {
          waitsFor = "connection"
          return read(() => {
            waitsFor = undefined
          })
        })
      )
      return Effect.raceFirst(inTime, tooLate)
    })

  /**
   * Runs a read of a team, which writes nothing. If one of its statements takes too long, it fails and says how to `narrow` it. A
   * read whose caller is interrupted ends at once.
   */
  return <A, E, R>(
    teamId: string,
    narrow: string,
    read: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | QueryTooExpensive | RateLimited, R> =>
    Effect.gen(function* () {
      const { slowReads, transactionService } = sql
      const inTransaction = (yield* Effect.serviceOption(transactionService))._tag === "Some"
      // In memory there is one session.
      if (inTransaction || slowReads === undefined) return yield* read
      const { timeoutMs } = slowReads
      const reading = inTurn(teamId, (begin) =>
        Effect.gen(function* () {
          const standby = yield* CurrentStandby
          const reserved = yield* orDie(inTeam(teamId)(standby?.slowReads ?? slowReads.connection))
          begin()
          // As in a transaction, but for the BEGIN: all statements of the read are sent on this connection.
          return yield* Effect.provideService(read, transactionService, [reserved, 0])
        }).pipe(Effect.scoped)
      )
      return yield* atStandby(
        Effect.catchCauseIf(reading, timedOut, () =>
          Effect.fail(new QueryTooExpensive({ detail: `The query took longer than ${timeoutMs} ms. ${narrow}` }))
        )
      )
    })
})

/** Runs slow reads. */
export type SlowReads = Effect.Success<typeof make>
