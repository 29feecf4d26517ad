/**
 * Delta sync (docs/behaviour/http.md#delta-sync): what changed since a moment, without gaps. `begin_change` gives transactions their
 * ids and times in one order. A delta therefore shows all changes that are older than the oldest open transaction, and holds
 * younger ones back until that transaction ends (docs/adr/0002-transaction-id-horizon.md).
 */
import { Effect } from "effect"
import type { Database } from "../db/Database.ts"
import { ResyncRequired } from "../usecase/Problem.ts"

/** The number of days for which tombstones are kept. */
export const tombstoneDays = 90

/** The SQL of the current horizon: the oldest open transaction. All transactions before it have ended. */
export const horizonNow = (sql: Database["Service"]) => sql`pg_snapshot_xmin(pg_current_snapshot())`

/**
 * The SQL condition on a row's `transaction_id` that holds back rows of the horizon and younger ones. An id that this server has not
 * assigned yet belongs to a row from the dump of another server, whose transaction ended long ago.
 *
 * All pages of one delta use the `horizon` of the first. With a horizon of its own, a later page could show rows while an older row
 * that settled in between lies before the cursor: the reader would continue after it and never see it.
 */
export const settled = (sql: Database["Service"], horizon: string | undefined) =>
  sql`(
    transaction_id < ${horizon === undefined ? horizonNow(sql) : sql`${horizon}::xid8`}
    or transaction_id >= pg_snapshot_xmax(pg_current_snapshot())
  )`

/** Rejects a delta that begins before the oldest tombstones that are kept. */
export const checkReach = (since: Date, includeDeleted: boolean, now: number): Effect.Effect<void, ResyncRequired> =>
  includeDeleted && since.getTime() < now - tombstoneDays * 86_400_000
    ? Effect.fail(
        new ResyncRequired({
          detail: `Tombstones are kept for ${tombstoneDays} days. Read everything again with updated_since=1970-01-01 and without include_deleted, then continue from the greatest updatedUtc.`
        })
      )
    : Effect.void
