/** Digests of everything that a team has stored, by which tests see that nothing was written. */
import { Effect } from "effect"
import { Database } from "../../src/platform/db/Database.ts"

let tables: ReadonlyArray<string> | undefined

/** The tables whose rows belong to teams. All databases of tests have the same, and the catalog takes longer to read than the rows. */
const tablesOfTeams = Effect.gen(function* () {
  const sql = yield* Database
  const found = yield* sql<{ readonly name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'team_id' and table_name in (
      select table_name from information_schema.tables where table_type = 'BASE TABLE'
    ) and table_name not in ('tokens') order by 1`
  return found.map(({ name }) => name)
})

/** A digest of all rows of a team, by table, and of the jobs of the service. */
export const digestOf = Effect.fnUntraced(function* (teamId: string) {
  const sql = yield* Database
  tables ??= yield* tablesOfTeams
  const digests = tables.map(
    (name) =>
      `select '${name}' as name, md5(string_agg(t::text, '|' order by t::text)) as digest from ${name} t where team_id = $1`
  )
  digests.push(`select 'jobs', md5(string_agg(j::text, '|' order by j::text)) from graphile_worker.jobs j`)
  // One text for all teams, so that Postgres plans it a few times only.
  const rows = yield* sql.unsafe<{ readonly name: string; readonly digest: string | null }>(
    digests.join(" union all "),
    [teamId]
  )
  return Object.fromEntries(rows.map(({ digest, name }) => [name, digest]))
})
