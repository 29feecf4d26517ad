/** Digests of everything that a team has stored, by which tests see that nothing was written. */
import { Effect } from "effect"
import { Database } from "../../src/platform/db/Database.ts"

/** A digest of all rows of a team, by table, and of the jobs of the service. */
export const digestOf = Effect.fnUntraced(function* (teamId: string) {
  const sql = yield* Database
  const tables = yield* sql<{ readonly name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'team_id' and table_name in (
      select table_name from information_schema.tables where table_type = 'BASE TABLE'
    ) and table_name not in ('tokens') order by 1`
  const digests = tables.map(
    ({ name }) =>
      `select '${name}' as name, md5(string_agg(t::text, '|' order by t::text)) as digest from ${name} t where team_id = '${teamId}'`
  )
  digests.push(`select 'jobs', md5(string_agg(j::text, '|' order by j::text)) from graphile_worker.jobs j`)
  const rows = yield* sql.unsafe<{ readonly name: string; readonly digest: string | null }>(digests.join(" union all "))
  return Object.fromEntries(rows.map(({ digest, name }) => [name, digest]))
})
