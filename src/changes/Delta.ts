/**
 * Delta sync (decisions §1): what changed since a moment, without gaps. `begin_change` gives transactions their ids
 * and times in one order, so every change that is older than the oldest open writer is there to be read, and what is
 * younger is held back until that writer ends.
 */
import { Effect } from "effect"
import type { Database } from "../db/Database.ts"
import { ResyncRequired } from "../usecase/Problem.ts"

/** How long tombstones are kept, in days. */
export const tombstoneDays = 90

/** The SQL of the horizon of this moment: the oldest transaction that is open. All before it have ended. */
export const horizonNow = (sql: Database["Service"]) => sql`pg_snapshot_xmin(pg_current_snapshot())`

/**
 * The SQL condition on a row's `transaction_id` that holds back what is younger than an open writer. An id that this
 * server has not given out yet is of a row that was restored from another one's dump: its writer ended long ago.
 *
 * All pages of one delta have the `horizon` of the first. By one of its own, a later page would show what is younger
 * than a row that settled in between, at the very time where the page before ended, and that the cursor has passed: the
 * reader would go on from there and never see it.
 */
export const settled = (sql: Database["Service"], horizon: string | undefined) =>
  sql`(
    transaction_id < ${horizon === undefined ? horizonNow(sql) : sql`${horizon}::xid8`}
    or transaction_id >= pg_snapshot_xmax(pg_current_snapshot())
  )`

/** Refuses a delta that reaches back to where tombstones are no longer kept. */
export const checkReach = (since: Date, includeDeleted: boolean, now: number): Effect.Effect<void, ResyncRequired> =>
  includeDeleted && since.getTime() < now - tombstoneDays * 86_400_000
    ? Effect.fail(
        new ResyncRequired({
          detail: `Deletions are kept for ${tombstoneDays} days. Read everything anew with updated_since=1970-01-01 and without include_deleted, then go on from the greatest updatedUtc.`
        })
      )
    : Effect.void
