/** The SQL that removes all that a team has, some rows at a time: of the cell of the team, where there are cells, and of no cell. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../platform/db/Database.ts"
import { orDie } from "../platform/db/DatabaseUnavailable.ts"
import { parentsFirst, tablesOf, type TeamTable } from "../platform/db/TeamTables.ts"

/** The tables whose rows of a team stay until all others are removed: they lead to it, and count what it has. */
const removedLast = ["memberships", "team_cells", "team_usage"]

/** The tables whose rows outlive their team, until their own retention ends. */
export const outlivingTables: ReadonlyArray<string> = ["audit_counts", "audit_log"]

const callersOfTeam = `
  select id from clients where team_id = $1 union all
  select id from tokens where team_id = $1 union all
  select id from grants where team_id = $1`

/** Tables whose rows name a team only by what it has, and which rows are its own. What refers to such rows by a constraint is not here. */
export const byWhatItHas: { readonly [table: string]: string } = {
  client_addresses: "client_id in (select id from clients where team_id = $1)",
  rate_windows: `subject in (${callersOfTeam})`,
  request_days: `subject in (${callersOfTeam})`
}

/** How far the removal from a table is: the rows before this key are looked at; undefined once there are no more. */
export interface RemovedRows {
  readonly removed: number
  /** Of files: where their content was. */
  readonly contents: ReadonlyArray<string>
  readonly next: ReadonlyArray<string> | undefined
}

const make = Effect.gen(function* () {
  const sql = yield* Database
  const run = <Row extends object>(statement: string, ...parameters: ReadonlyArray<unknown>) =>
    orDie(sql.unsafe<Row>(statement, parameters).unprepared)

  /** The tables to remove rows from, each before those that its rows refer to. */
  const tables = Effect.map(tablesOf(sql), (found) =>
    parentsFirst(found)
      .toReversed()
      .filter(({ name }) => !removedLast.includes(name) && !outlivingTables.includes(name))
  )

  const counted = (table: TeamTable, where: string, ...parameters: ReadonlyArray<unknown>) =>
    Effect.map(
      run<{ readonly removed: number; readonly contents: ReadonlyArray<string> | null }>(
        `with gone as (
          delete from ${table.name} where ${where} returning ${table.name === "files" ? "content::text" : "null::text as content"}
        )
        select count(*)::int as removed, array_agg(content) filter (where content is not null) as contents from gone`,
        ...parameters
      ),
      ([row]) => ({ removed: row?.removed ?? 0, contents: row?.contents ?? [] })
    )

  const keyOf = ({ key }: TeamTable) => `(${key.map(({ name }) => name).join(", ")})`

  /**
   * Removes rows of a team from a table: where an index finds them, at most `limit`; else those among the next `pageSize` rows of all
   * teams, in the order of the primary key.
   */
  const removeSome = Effect.fn("PurgeRepo.removeSome")(function* (
    teamId: string,
    table: TeamTable,
    after: ReadonlyArray<string>,
    { limit, pageSize }: { readonly limit: number; readonly pageSize: number }
  ) {
    if (table.key.length === 0) {
      const all: RemovedRows = { ...(yield* counted(table, "team_id = $1", teamId)), next: undefined }
      return all
    }
    const key = keyOf(table)
    if (table.byTeam) {
      const some = yield* counted(
        table,
        `team_id = $1 and ${key} in (select ${key.slice(1, -1)} from ${table.name} where team_id = $1 limit ${limit})`,
        teamId
      )
      const found: RemovedRows = { ...some, next: some.removed < limit ? undefined : [] }
      return found
    }
    const values = (first: number) =>
      `(${table.key.map(({ type }, index) => `$${first + index}::text::${type}`).join(", ")})`
    const begins = after.length === 0 ? "true" : `${key} > ${values(1)}`
    const [last] = yield* run<{ readonly key: ReadonlyArray<string> }>(
      `select array[${table.key.map(({ name }) => `${name}::text`).join(", ")}] as key from ${table.name}
      where ${begins} order by ${key.slice(1, -1)} offset ${pageSize - 1} limit 1`,
      ...after
    )
    const range = after.length === 0 ? "" : ` and ${key} > ${values(2)}`
    const end = last === undefined ? "" : ` and ${key} <= ${values(2 + after.length)}`
    const page: RemovedRows = {
      ...(yield* counted(table, `team_id = $1${range}${end}`, teamId, ...after, ...(last?.key ?? []))),
      next: last?.key
    }
    return page
  })

  /** Removes the rows that name a team only by what it has. Call it before that is removed. */
  const removeByWhatItHas = Effect.fn("PurgeRepo.removeByWhatItHas")(function* (teamId: string) {
    for (const [table, where] of Object.entries(byWhatItHas)) yield* run(`delete from ${table} where ${where}`, teamId)
  })

  /** Removes the memberships of a team, its bots, and the team itself, of which nothing else is left. Its people get another primary team. */
  const removeTeam = Effect.fn("PurgeRepo.removeTeam")(function* (teamId: string) {
    yield* orDie(sql`
      with left_team as (
        delete from memberships where team_id = ${teamId} returning user_id, is_primary
      )
      update memberships m set is_primary = true
      from (
        select distinct on (o.user_id) o.user_id, o.team_id from memberships o
        join left_team l on l.user_id = o.user_id and l.is_primary
        where o.team_id <> ${teamId} and o.status = 'active'
        order by o.user_id, o.joined_at, o.team_id
      ) as next
      where m.user_id = next.user_id and m.team_id = next.team_id`)
    yield* orDie(sql`delete from offer_cells where broker_team_id = ${teamId}`)
    yield* orDie(sql`delete from team_usage where team_id = ${teamId}`)
    yield* orDie(sql`delete from teams where id = ${teamId}`)
    yield* orDie(sql`delete from team_cells where team_id = ${teamId}`)
  })

  /** The bots (UUIDs) of a team. */
  const botsOf = Effect.fn("PurgeRepo.botsOf")(function* (teamId: string) {
    const rows = yield* orDie(sql<{ readonly id: string }>`
      select u.id from memberships m join users u on u.id = m.user_id where m.team_id = ${teamId} and u.is_bot`)
    return rows.map(({ id }) => id)
  })

  /** Removes those of these bots that belong to no team. What they wrote for others stays, and so does their id then. */
  const removeBots = Effect.fn("PurgeRepo.removeBots")(function* (bots: ReadonlyArray<string>) {
    if (bots.length === 0) return
    // Rows of cells refer to users without a constraint.
    const isUnused =
      sql.cells === undefined
        ? sql`and not exists (select from messages where user_id = u.id)
            and not exists (select from offers where user_id = u.id)`
        : sql``
    yield* orDie(sql`
      delete from users u where id = any(${bots}::uuid[]) and is_bot
        and not exists (select from memberships where user_id = u.id) ${isUnused}`)
  })

  return { tables, removeSome, removeByWhatItHas, removeTeam, botsOf, removeBots }
})

/** Removes what teams have. Call it for the rows of the team (`inTeam`). */
export class PurgeRepo extends Context.Service<PurgeRepo, Effect.Success<typeof make>>()("tenancy/PurgeRepo") {
  static readonly layer = Layer.effect(PurgeRepo, make)
}
