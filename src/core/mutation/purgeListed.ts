/** Removes the tombstones of a list with deltas for good, so that deltas know what they cannot list any more. */
import type { Fragment } from "effect/sql/Statement"
import type { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"

/** The rows of a table, by the lists that they are on. */
export interface Purged {
  readonly table: string
  /** The type of the resources, as `purged_tombstones` has it. */
  readonly type: string
  /** The column of the record whose list a row is on, besides that of its team. */
  readonly listedBy?: string | undefined
}

/** Records of one team (UUIDs). */
export interface OfTeam {
  readonly teamId: string
  readonly uuids: ReadonlyArray<string>
}

/** Which rows a job looks for: at most `limit`, of other teams (UUIDs) than those whose parts failed. */
export interface DueRows {
  readonly limit: number
  readonly failed: ReadonlyArray<string>
}

/** Those of these rows that are of the team of the first one. Jobs look for rows of all teams, and write those of one at a time. */
export const ofFirstTeam = (
  rows: ReadonlyArray<{ readonly team_id: string; readonly id: string }>
): OfTeam | undefined => {
  const [first] = rows
  return first === undefined
    ? undefined
    : {
        teamId: first.team_id,
        uuids: rows.flatMap(({ id, team_id }) => (team_id === first.team_id ? [id] : []))
      }
}

/** Removes the tombstones of a team that meet a condition, and records the latest of each list. */
export const purgeListed = (
  sql: Database["Service"],
  { listedBy, table, type }: Purged,
  teamId: string,
  condition: Fragment
) => {
  const lists = sql.literal(["team_id", ...(listedBy === undefined ? [] : [listedBy])].join("), ("))
  return orDie(sql`
    with purged as (
      delete from ${sql.literal(table)} where team_id = ${teamId} and ${condition} returning *
    )
    insert into purged_tombstones as former (team_id, resource_type, list_id, updated_at, transaction_id)
    select distinct on (lists.id) team_id, ${type}, lists.id, updated_at, transaction_id
    from purged, lateral (values (${lists})) as lists (id)
    order by lists.id, updated_at desc, transaction_id desc
    on conflict (team_id, resource_type, list_id) do update
      set updated_at = excluded.updated_at, transaction_id = excluded.transaction_id
      where (excluded.updated_at, excluded.transaction_id) > (former.updated_at, former.transaction_id)`)
}
