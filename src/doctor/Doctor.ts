/** Looks an installation over: docs/operations.md#doctor. Each check stands by itself, so that one that cannot be made stops no other. */
import * as Environment from "../process/Environment.ts"
import * as Migrations from "../platform/db/Migrations.ts"
import * as PrivateTables from "../platform/jobs/PrivateTables.ts"
import { DateTime, Effect, type Redacted, Redacted as Redact, Stream } from "effect"
import { stat } from "node:fs/promises"
import { join } from "node:path"
import { inEach } from "../platform/db/Cells.ts"
import { Database } from "../platform/db/Database.ts"
import { FileStore } from "../platform/fileStore/FileStore.ts"
import { fingerprintOf } from "../platform/secrets/SecretKeys.ts"
import { FingerprintRepo } from "../platform/secrets/FingerprintRepo.ts"
import type { Settings } from "../platform/Config.ts"
import { WebhookHealth } from "../webhooks/WebhookHealth.ts"
import { asOperator } from "../core/auth/CurrentActor.ts"
import { type Check, failed, type Finding, named, ok, together, warning } from "./Check.ts"
import { judgeDisks, judgeLeftovers, judgeStores, type Place } from "./Stores.ts"
import * as rules from "./rules.ts"

const filesOfPostgres = ["postgres", "postgres.log", "postgres.password"]

/** The folders of an installation on this machine. */
const placesOf = ({ databaseUrl, dataDir, fileStore }: Settings): ReadonlyArray<Place> => [
  ...(databaseUrl === undefined || fileStore === undefined
    ? [{ variable: "DATA_DIR" as const, path: dataDir, others: filesOfPostgres }]
    : []),
  ...(fileStore?.kind === "folder" ? [{ variable: "FILE_STORE" as const, path: fileStore.path, others: [] }] : [])
]

/** The checks that need no database. */
export const ofFiles = (settings: Settings, fix: boolean): Effect.Effect<ReadonlyArray<Check>> => {
  const places = placesOf(settings)
  return Effect.all([
    named(
      "store",
      Effect.promise(async () => {
        const stores = await judgeStores(places, fix)
        return settings.databaseUrl === undefined
          ? together([stores, await judgeLeftovers(settings.dataDir, fix)])
          : stores
      })
    ),
    named(
      "disk",
      Effect.promise(() => judgeDisks(places))
    )
  ])
}

/** How the process is connected. */
interface Server {
  readonly version: number
  readonly fsync: string
  readonly full_page_writes: string
  readonly max_connections: number
  readonly connections: number
  readonly is_standby: boolean
  readonly is_encrypted: boolean
}

const server = Effect.gen(function* () {
  const sql = yield* Database
  const [found] = yield* sql<Server>`
    select current_setting('server_version_num')::int as version, current_setting('fsync') as fsync,
      current_setting('full_page_writes') as full_page_writes, current_setting('max_connections')::int as max_connections,
      (select count(*)::int from pg_stat_activity where backend_type is null or backend_type = 'client backend') as connections,
      pg_is_in_recovery() as is_standby,
      coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as is_encrypted`
  if (found === undefined) return yield* Effect.die(new Error("Postgres says nothing of itself"))
  return found
})

const clock = Effect.gen(function* () {
  const sql = yield* Database
  const ask = Effect.gen(function* () {
    const before = yield* DateTime.now
    const [row] = yield* sql<{ readonly at: number }>`select extract(epoch from clock_timestamp())::float8 * 1000 as at`
    const after = yield* DateTime.now
    return (DateTime.toEpochMillis(before) + DateTime.toEpochMillis(after)) / 2 - (row?.at ?? 0)
  })
  // The first one may have opened the connection.
  return rules.judgeClock(yield* Effect.andThen(ask, ask))
})

const transactions = Effect.gen(function* () {
  const sql = yield* Database
  return rules.judgeTransactions(
    yield* sql<rules.Held>`
      select case when state like 'idle in transaction%' then 'idle' else 'open' end as kind,
        coalesce(nullif(application_name, ''), 'unnamed') || ', process ' || pid || ' in ' || coalesce(datname, '-') as name,
        extract(epoch from now() - xact_start)::float8 as seconds
      from pg_stat_activity
      where xact_start is not null and pid <> pg_backend_pid() and coalesce(backend_type, '') not like 'autovacuum%'
      union all
      select 'prepared', gid || ' in ' || database, extract(epoch from now() - prepared)::float8 from pg_prepared_xacts
      union all
      select 'slot', slot_name::text, 0 from pg_replication_slots where not active
      order by seconds desc`
  )
})

const keyOf = Effect.fnUntraced(function* (settings: Settings) {
  const stored = yield* Effect.flatMap(FingerprintRepo, ({ get }) => get)
  const keys = yield* Environment.existingKeys(settings)
  const file = join(settings.dataDir, "secret.key")
  const mode =
    settings.databaseUrl === undefined && settings.secretKey === undefined
      ? yield* Effect.promise(() =>
          stat(file).then(
            (found) => found.mode,
            () => 0
          )
        )
      : 0
  if ((mode & 0o077) !== 0) return failed(`Others can read ${file}.`, `Run chmod 600 ${file}.`)
  if (keys.length === 0)
    return warning("SECRET_KEY is not set here.", "Run the doctor with the settings of the service.")
  if (stored === undefined) return ok("The database has no key yet: the first start gives it one.")
  return keys.some((key) => Buffer.compare(fingerprintOf(key), stored) === 0)
    ? ok("SECRET_KEY is the key of the database.")
    : failed(
        "SECRET_KEY is not the key of the database.",
        "Set the key that was used with it (docs/operations.md#secret-keys)."
      )
})

/** Whether the tables are those of this version. */
export const isMigrated = Effect.flatMap(Database, Migrations.pending).pipe(
  Effect.map((isPending) => !isPending),
  Effect.orElseSucceed(() => false)
)

const migrations = Effect.gen(function* () {
  const sql = yield* Database
  return (yield* Migrations.pending(sql))
    ? failed("The database is not migrated.", "Run `npm run migrate`.")
    : ok("All migrations are applied.")
})

const jobs = Effect.gen(function* () {
  const failing = yield* PrivateTables.failed
  const failedJobs = failing.flatMap(({ givenUp, name }) => (givenUp === 0 ? [] : [{ name, count: givenUp }]))
  const { oldestDueSeconds } = yield* PrivateTables.backlog
  return rules.judgeJobs(failedJobs, oldestDueSeconds)
})

const workers = Effect.gen(function* () {
  const sql = yield* Database
  const [row] = yield* sql<{ readonly count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and application_name = 'property-network worker lock'`
  return rules.judgeWorkers(row?.count ?? 0)
})

const receivers = Effect.gen(function* () {
  const health = yield* WebhookHealth
  return rules.judgeReceivers(yield* asOperator(health.status(undefined)))
})

const hostOf = (url: Redacted.Redacted<string>): string => {
  const { hostname, searchParams } = new URL(Redact.value(url))
  return searchParams.get("host") ?? hostname
}

const standby = (url: Redacted.Redacted<string>): Effect.Effect<rules.Standby> =>
  Effect.gen(function* () {
    const sql = yield* Database
    const [row] = yield* sql<{ readonly isStandby: boolean; readonly lagSeconds: number }>`
      select pg_is_in_recovery() as "isStandby", coalesce(case
        when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
        else extract(epoch from now() - pg_last_xact_replay_timestamp())::float8
      end, 0) as "lagSeconds"`
    return { host: hostOf(url), answer: row ?? null }
  }).pipe(
    Effect.provide(Database.layer({ url, maxConnections: 1, applicationName: "property-network doctor" })),
    Effect.catchCause(() => Effect.succeed({ host: hostOf(url), answer: null }))
  )

// Those that were stored first, and last.
const files = Effect.gen(function* () {
  const [sql, store] = [yield* Database, yield* FileStore]
  const [space] = yield* sql<{ readonly id: string }>`select id from file_space`
  const sample = yield* inEach(
    sql,
    sql<{ readonly id: string; readonly size: number }>`
      (select content::text as id, size::float8 as size from files order by content limit 10)
      union
      (select content::text, size::float8 from files order by content desc limit 10)`
  )
  const lost = yield* Effect.filter(
    sample,
    ({ id, size }) =>
      store.read({ namespace: space?.id ?? "", id }, size === 0 ? undefined : { first: size - 1, last: size - 1 }).pipe(
        Stream.runFold(
          () => 0,
          (read, bytes) => read + bytes.length
        ),
        Effect.map((read) => read !== Math.min(size, 1)),
        Effect.catch(() => Effect.succeed(true))
      ),
    { concurrency: 4 }
  )
  return lost.length === 0
    ? ok(`${sample.length} files that were looked at are in the store.`)
    : failed(
        `${lost.length} of ${sample.length} files that were looked at are not in the store, such as ${lost[0]?.id}.`,
        "Check FILE_STORE, and restore its content from a backup."
      )
})

/** The checks of a database that `url` leads to. */
export const ofDatabase = Effect.fnUntraced(function* (settings: Settings, url: Redacted.Redacted<string>) {
  const mode = new URL(Redact.value(url)).searchParams.get("sslmode") ?? ""
  const { replicas } = settings
  const needsTables = <E, R>(name: string, look: Effect.Effect<Finding, E, R>) =>
    named(
      name,
      Effect.flatMap(isMigrated, (yes): Effect.Effect<Finding, E, R> =>
        yes ? look : Effect.succeed(warning("Not checked: the database is not migrated.", "Run `npm run migrate`."))
      )
    )
  return yield* Effect.all([
    named(
      "database",
      Effect.map(server, (found) =>
        rules.judgeServer({
          version: found.version,
          fsync: found.fsync,
          fullPageWrites: found.full_page_writes,
          maxConnections: found.max_connections,
          connections: found.connections,
          isStandby: found.is_standby
        })
      )
    ),
    named(
      "tls",
      Effect.map(server, ({ is_encrypted }) => rules.judgeTls(hostOf(url), mode, is_encrypted))
    ),
    named("migrations", migrations),
    needsTables("key", keyOf(settings)),
    named("clock", clock),
    named("transactions", transactions),
    needsTables("jobs", jobs),
    named("workers", workers),
    needsTables("receivers", receivers),
    named(
      "replicas",
      Effect.map(Effect.forEach(replicas?.urls ?? [], standby, { concurrency: 4 }), (standbys) =>
        rules.judgeReplicas(standbys, (replicas?.maxLagMs ?? 0) / 1000)
      )
    ),
    needsTables("files", files)
  ])
})
