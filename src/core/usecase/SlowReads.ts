/**
 * Reads that can be slow: searches, and lists that read more rows than they answer. They have connections of their own, a time
 * limit, and a bound for each team, so that one team's do not stop anybody else's requests: docs/behaviour/http.md#slow-reads.
 */
import { Cause, Effect } from "effect"
import { isSqlError } from "effect/sql/SqlError"
import { inCellOf } from "../../platform/db/CurrentCell.ts"
import { Database } from "../../platform/db/Database.ts"
import { DatabaseUnavailable, orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { CurrentStandby } from "../../platform/db/CurrentStandby.ts"
import { atStandby } from "../../platform/db/StandbyReads.ts"
import { onWallClock } from "../../platform/db/WallClock.ts"
import { RateLimited } from "./Problem.ts"
import { QueryTooExpensive } from "./QueryTooExpensive.ts"
import * as TeamTurns from "./TeamTurns.ts"

/** How many reads of one team run at a time: fewer than there are connections. */
export const maxRunning = 2

/** How many more reads of one team wait for their turn. */
export const maxWaiting = 32

/** How long a read waits for its turn, in milliseconds. */
const maxWaitMs = 5_000

// All use-cases of a process share the connections.
const turnsOfDatabases = new WeakMap<Database["Service"], TeamTurns.TeamTurns>()

const turnsOf = (sql: Database["Service"]): TeamTurns.TeamTurns => {
  const turns = turnsOfDatabases.get(sql) ?? TeamTurns.make(maxRunning)
  turnsOfDatabases.set(sql, turns)
  return turns
}

const tooMany = new RateLimited({
  detail: `Of one team, ${maxRunning} searches run at a time, and as many more wait as can run within ${maxWaitMs / 1000} s. Send fewer at a time.`
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
export const make = Effect.map(Database, (sql) => {
  const turns = turnsOf(sql)

  /** Lets `read` begin when it is its turn, and not at all if that takes too long. `begin` is run when it is. */
  const inTurn = <A, E, R>(teamId: string, read: (begin: () => void) => Effect.Effect<A, E, R>) =>
    Effect.suspend((): Effect.Effect<A, E | RateLimited, R> => {
      if (turns.entered(teamId) >= maxRunning + maxWaiting) return Effect.fail(tooMany)
      let waitsFor: "turn" | "connection" | undefined = "turn"
      const tooLate = Effect.andThen(
        onWallClock(Effect.sleep(maxWaitMs)),
        Effect.suspend(() =>
          waitsFor === undefined ? Effect.never : waitsFor === "turn" ? Effect.fail(tooMany) : Effect.die(allBusy)
        )
      )
      const inTime = turns.inTurn(
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
          const reserved = yield* orDie(inCellOf(teamId)(standby?.slowReads ?? slowReads.connection))
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
