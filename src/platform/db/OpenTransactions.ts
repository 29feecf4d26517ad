/** How long transactions of the server have been open. One that stays open holds back deltas and the journal (docs/behaviour/http.md#horizon). */
import { Effect } from "effect"
import { Database } from "./Database.ts"
import { orDie } from "./DatabaseUnavailable.ts"

/**
 * Makes what returns the age of the oldest one, in seconds. A role without special rights sees only when its own began. Of others it sees
 * the oldest id that is still open, in any database of the server: that one has been open at least since this was first asked while it was.
 */
export const makeOldestAge = () => {
  let horizon = { id: "", since: 0 }
  return Effect.gen(function* () {
    const sql = yield* Database
    const [row] = yield* orDie(sql<{ readonly oldest: string; readonly isHeld: boolean; readonly age: number }>`
      select pg_snapshot_xmin(snapshot)::text as oldest,
        pg_snapshot_xmin(snapshot) <> pg_snapshot_xmax(snapshot) as "isHeld",
        greatest(0, extract(epoch from clock_timestamp() - (
          select min(began) from (
            select xact_start from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'
            union all
            select prepared from pg_prepared_xacts
          ) as open (began)
        )))::float8 as age
      from pg_current_snapshot() as snapshot`)
    if (row === undefined) return 0
    const at = performance.now()
    const id = row.isHeld ? row.oldest : ""
    if (id !== horizon.id) horizon = { id, since: at }
    return Math.max(row.age, id === "" ? 0 : (at - horizon.since) / 1000)
  })
}
