import { Clock, Effect } from "effect"
import { Database } from "../db/Database.ts"
import { orDie } from "../db/DatabaseUnavailable.ts"

// No further than one can see that they are too many.
const maxCounted = 100_000

interface Row {
  readonly due: number
  readonly waiting: number
  readonly first: Date | null
}

/**
 * How many jobs wait that nobody does yet: those that are `due`, and those `waiting` for their time, both counted up to
 * 100,000; and how long the oldest is due, in seconds, 0 when none is. Goes from priority to priority by the index.
 */
export const backlog = Effect.gen(function* () {
  const sql = yield* Database
  const now = new Date(yield* Clock.currentTimeMillis)
  const [row] = yield* orDie(sql<Row>`
    with recursive priorities as (
      (select priority from graphile_worker._private_jobs where is_available order by priority limit 1)
      union all
      select (
        select jobs.priority from graphile_worker._private_jobs jobs
        where jobs.is_available and jobs.priority > priorities.priority order by jobs.priority limit 1
      ) from priorities where priorities.priority is not null
    )
    select counted.due, counted.waiting, (
      select min(earliest.run_at) from priorities cross join lateral (
        select jobs.run_at from graphile_worker._private_jobs jobs
        where jobs.is_available and jobs.priority = priorities.priority order by jobs.run_at limit 1
      ) earliest where earliest.run_at <= ${now}
    ) as first
    from (
      select count(*) filter (where few.run_at <= ${now})::int as due,
        count(*) filter (where few.run_at > ${now})::int as waiting
      from (
        select run_at from graphile_worker._private_jobs where is_available order by priority, run_at limit ${maxCounted}
      ) few
    ) counted`)
  const first = row?.first ?? null
  return {
    due: row?.due ?? 0,
    waiting: row?.waiting ?? 0,
    oldestDueSeconds: first === null ? 0 : (now.getTime() - first.getTime()) / 1000
  }
})
