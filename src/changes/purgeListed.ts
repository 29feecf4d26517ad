/** Removes the tombstones of a list with deltas for good, so that deltas know what they cannot list any more. */
import type { Fragment } from "effect/sql/Statement"
import type { Database } from "../db/Database.ts"
import { orDie } from "../db/DatabaseUnavailable.ts"

/** The rows of a table, by the lists that they are on. */
export interface Purged {
  readonly table: string
  /** The type of the resources, as `purged_tombstones` has it. */
  readonly type: string
  /** The column of the record whose list a row is on, besides that of its team. */
  readonly listedBy?: string | undefined
}

/** Removes the tombstones of any team that meet a condition, and records the latest of each list. */
export const purgeListed = (sql: Database["Service"], { listedBy, table, type }: Purged, condition: Fragment) => {
  const lists = sql.literal(["team_id", ...(listedBy === undefined ? [] : [listedBy])].join("), ("))
  return orDie(sql`
    with purged as (
      delete from ${sql.literal(table)} where ${condition} returning *
    )
    insert into purged_tombstones as former (team_id, resource_type, list_id, updated_at, transaction_id)
    select distinct on (lists.id) team_id, ${type}, lists.id, updated_at, transaction_id
    from purged, lateral (values (${lists})) as lists (id)
    order by lists.id, updated_at desc, transaction_id desc
    on conflict (team_id, resource_type, list_id) do update
      set updated_at = excluded.updated_at, transaction_id = excluded.transaction_id
      where (excluded.updated_at, excluded.transaction_id) > (former.updated_at, former.transaction_id)`)
}
