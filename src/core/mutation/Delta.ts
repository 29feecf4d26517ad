/**
 * Delta sync (docs/behaviour/http.md#delta-sync): what changed since a moment, without gaps. `begin_change` gives transactions their
 * ids and times in one order. A delta therefore shows all changes that are older than the oldest open transaction, and holds
 * younger ones back until that transaction ends (docs/adr/0002-transaction-id-horizon.md).
 */
import type { Fragment } from "effect/sql/Statement"
import type { Database } from "../../platform/db/Database.ts"

/** The number of days for which tombstones are kept. */
export const tombstoneDays = 90

/** A moment as SQL: the oldest transaction that was open then, and the next id that the server would have assigned. */
export interface Moment {
  readonly horizon: Fragment
  readonly next: Fragment
}

/** The moment of the statement. All transactions before its horizon have ended. */
export const thisMoment = (sql: Database["Service"]): Moment => ({
  horizon: sql`pg_snapshot_xmin(pg_current_snapshot())`,
  next: sql`pg_snapshot_xmax(pg_current_snapshot())`
})

/**
 * The SQL condition on a row's `transaction_id` that holds back rows of the horizon and younger ones. An id that this server has not
 * assigned yet belongs to a row from the dump of another server, whose transaction ended long ago.
 *
 * All pages of one delta use the `horizon` of the first, or that of a server that is behind it. With a horizon of its own, a later page could show rows while an older row
 * that settled in between lies before the cursor: the reader would continue after it and never see it.
 */
export const settled = (sql: Database["Service"], { horizon, next }: Moment = thisMoment(sql)): Fragment =>
  sql`(transaction_id < ${horizon} or transaction_id >= ${next})`
