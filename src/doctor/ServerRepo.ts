/** The SQL of the doctor: what Postgres says of itself, and of who uses it. */
import { Context, Effect, Layer } from "effect"
import { inEach } from "../platform/db/Cells.ts"
import { Database } from "../platform/db/Database.ts"
import { orDie } from "../platform/db/DatabaseUnavailable.ts"
import type { Held } from "./rules.ts"

interface Server {
  readonly version: number
  readonly fsync: string
  readonly fullPageWrites: string
  readonly maxConnections: number
  readonly connections: number
  readonly isStandby: boolean
  readonly isEncrypted: boolean
}

/** A worker, as its session shows it. */
export interface SeenWorker {
  readonly pid: number
  readonly address: string | null
  readonly since: Date
}

/** What Postgres has counted of a statement. */
export interface MeasuredStatement {
  readonly id: string
  readonly text: string
  readonly calls: number
  readonly totalMs: number
  readonly meanMs: number
  readonly maxMs: number
  readonly rows: number
}

/** A statement that runs. */
export interface RunningStatement {
  readonly pid: number
  readonly program: string
  readonly state: string
  readonly waits: string | null
  readonly text: string
  readonly seconds: number
}

const make = Effect.gen(function* () {
  const sql = yield* Database

  /** The server, and the connection to it. */
  const server = orDie(sql<Server>`
    select current_setting('server_version_num')::int as version, current_setting('fsync') as fsync,
      current_setting('full_page_writes') as "fullPageWrites", current_setting('max_connections')::int as "maxConnections",
      (select count(*)::int from pg_stat_activity where backend_type is null or backend_type = 'client backend') as connections,
      pg_is_in_recovery() as "isStandby",
      coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as "isEncrypted"`).pipe(
    Effect.flatMap(([found]) =>
      found === undefined ? Effect.die(new Error("Postgres says nothing of itself")) : Effect.succeed(found)
    )
  )

  /** The clock of the server, in milliseconds since 1970. */
  const clock = orDie(
    sql<{ readonly at: number }>`select extract(epoch from clock_timestamp())::float8 * 1000 as at`
  ).pipe(Effect.map(([row]) => row?.at ?? 0))

  /** Open and prepared transactions of all databases of the server, and replication slots that nobody reads. */
  const held = orDie(sql<Held>`
    select case when state like 'idle in transaction%' then 'idle' else 'open' end as kind,
      coalesce(nullif(application_name, ''), 'unnamed') || ', process ' || pid || ' in ' || coalesce(datname, '-') as name,
      extract(epoch from now() - xact_start)::float8 as seconds
    from pg_stat_activity
    where xact_start is not null and pid <> pg_backend_pid() and coalesce(backend_type, '') not like 'autovacuum%'
    union all
    select 'prepared', gid || ' in ' || database, extract(epoch from now() - prepared)::float8 from pg_prepared_xacts
    union all
    select 'slot', slot_name::text, 0 from pg_replication_slots where not active
    order by seconds desc`)

  /** How many workers are connected: each has a session that shows that it is alive. */
  const workers = orDie(sql<{ readonly count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and application_name = 'property-network worker lock'`).pipe(
    Effect.map(([row]) => row?.count ?? 0)
  )

  /** The workers that are connected: since when, and from where. */
  const workersSeen = orDie(sql<SeenWorker>`
    select pid, host(client_addr) as address, backend_start as "since" from pg_stat_activity
    where datname = current_database() and application_name = 'property-network worker lock'
    order by backend_start`)

  /** The migration that was applied last, and how many were. */
  const applied = orDie(sql<{ readonly count: number; readonly latest: string | null; readonly at: Date | null }>`
    select count(*)::int as count, max(file) as latest, max(applied_at) as at from schema_migrations`).pipe(
    Effect.map(([row]) => row ?? { count: 0, latest: null, at: null })
  )

  /** Whether Postgres keeps statistics of statements, and this role may read them. */
  const hasStatistics = orDie(sql<{ readonly is: boolean }>`
    select exists (select from pg_extension where extname = 'pg_stat_statements')
      and to_regclass('pg_stat_statements') is not null as is`).pipe(Effect.map(([row]) => row?.is === true))

  /** The statements that took the most time in all, at most `limit`; null if Postgres keeps no statistics. */
  const statements = Effect.fn("ServerRepo.statements")(function* (limit: number) {
    if (!(yield* hasStatistics)) return null
    return yield* sql<MeasuredStatement>`
      select queryid::text as id, query as text, calls::float8 as calls, total_exec_time as "totalMs",
        mean_exec_time as "meanMs", max_exec_time as "maxMs", rows::float8 as rows
      from pg_stat_statements s join pg_database d on d.oid = s.dbid and d.datname = current_database()
      where queryid is not null
      order by total_exec_time desc limit ${limit}`.pipe(
      // The extension is there, but the server does not load it.
      Effect.catch(() => Effect.succeed(null))
    )
  })

  /** The statements that run now, the longest first. Of other roles a role without special rights does not see the text. */
  const running = orDie(sql<RunningStatement>`
    select pid, coalesce(nullif(application_name, ''), '-') as program, coalesce(state, '-') as state,
      wait_event_type || ': ' || wait_event as waits, coalesce(query, '') as text,
      greatest(0, extract(epoch from clock_timestamp() - query_start))::float8 as seconds
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'
    order by query_start limit 100`)

  /** Whether the server is a standby, and how late. */
  const standby = orDie(sql<{ readonly isStandby: boolean; readonly lagSeconds: number }>`
    select pg_is_in_recovery() as "isStandby", coalesce(case
      when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
      else extract(epoch from now() - pg_last_xact_replay_timestamp())::float8
    end, 0) as "lagSeconds"`).pipe(Effect.map(([row]) => row ?? null))

  /** Some files: those whose content was stored first, and last. With the space of the store that they are in. */
  const someFiles = Effect.gen(function* () {
    const [space] = yield* orDie(sql<{ readonly id: string }>`select id from file_space`)
    const files = yield* inEach(
      sql,
      orDie(sql<{ readonly id: string; readonly size: number }>`
        (select content::text as id, size::float8 as size from files order by content limit 10)
        union
        (select content::text, size::float8 from files order by content desc limit 10)`)
    )
    return { namespace: space?.id ?? "", files }
  })

  return { applied, clock, held, running, server, someFiles, standby, statements, workers, workersSeen }
})

/** What Postgres says of itself. */
export class ServerRepo extends Context.Service<ServerRepo, Effect.Success<typeof make>>()("doctor/ServerRepo") {
  static readonly layer = Layer.effect(ServerRepo, make)
}
