/** Purges records: rows of their timelines first, then the records. */
import { Effect } from "effect"
import { tombstoneDays } from "../mutation/Delta.ts"
import type { DueRows, OfTeam } from "../mutation/purgeListed.ts"
import { Timelines } from "../mutation/Timelines.ts"
import { Database } from "../../platform/db/Database.ts"
import * as Transaction from "../../platform/db/Transaction.ts"
import { daysAgo } from "../../platform/Time.ts"
import { runParts } from "../TeamParts.ts"

/** The records to purge. */
export interface Purgeable {
  /** Locks at most `limit` of them, of one team, until the transaction ends; undefined if there are none. */
  readonly lock: (limit: number) => Effect.Effect<OfTeam | undefined>
  /** Removes records whose timelines are empty. */
  readonly remove: (found: OfTeam) => Effect.Effect<void>
}

/**
 * Makes the function that runs one step of a purge: at most `limit` rows of timelines, or `limit` records. It returns the number of
 * rows; 0 when nothing is left. Each step is a transaction in one team, and the next one continues where it ended.
 */
export const make = Effect.gen(function* () {
  const sql = yield* Database
  const timelines = yield* Timelines
  return ({ lock, remove }: Purgeable, limit: number): Effect.Effect<number> =>
    Effect.gen(function* () {
      // The lock excludes a merge or restore in the meantime, which would need the timelines.
      const found = yield* lock(limit)
      if (found === undefined || found.uuids.length === 0) return 0
      const rows = yield* timelines.clear(found, limit)
      if (rows > 0) return rows
      yield* remove(found)
      return found.uuids.length
    }).pipe(Transaction.run, Effect.provideService(Database, sql))
})

/** The statements by which the tombstones of a table are purged. */
interface TombstoneRepo {
  readonly findPurgeable: (until: Date, which: DueRows) => Effect.Effect<OfTeam | undefined>
  readonly lockPurgeable: (until: Date, found: OfTeam) => Effect.Effect<OfTeam>
  readonly purge: (found: OfTeam) => Effect.Effect<void>
}

/** Makes the function that runs one step of purging the tombstones that deltas no longer list, of one team whose step does not fail. */
export const makeTombstonePurge = (repo: TombstoneRepo) =>
  Effect.map(make, (step) =>
    Effect.fnUntraced(function* (limit: number) {
      const until = yield* daysAgo(tombstoneDays)
      return yield* runParts("Purging tombstones", (failed) =>
        Effect.map(repo.findPurgeable(until, { limit, failed }), (found) =>
          found === undefined
            ? []
            : [
                {
                  teamId: found.teamId,
                  run: step({ lock: () => repo.lockPurgeable(until, found), remove: repo.purge }, limit)
                }
              ]
        )
      )
    })
  )
