/**
 * The migrations of sql/: which ones a database has, how the others are applied to `public` and to the cells, and whether the service can
 * work on it.
 */
import pg from "pg"
import { Data, Effect, type Redacted } from "effect"
import { createHash } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import { searchPathOf } from "./Cells.ts"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import type { Database } from "./Database.ts"
import { isOfStandby, sqlState } from "./DatabaseUnavailable.ts"
import { certificateFault, pgConfigOf } from "./Tls.ts"

/**
 * The reason why the schema could not be migrated.
 *
 * - `Misnamed`: a file of sql/ is not named `NNNN_name.sql`, or two have the same number
 * - `Changed`: a file was edited after it was applied
 * - `Missing`: an applied file does not exist (or this code is older than the database)
 * - `OutOfOrder`: a new file has a lower number than one that was applied
 * - `Cells`: a file changed a table of teams, but not those of the cells (which was rolled back)
 * - `Failed`: the database rejected a file (which was rolled back), or one of graphile-worker's own migrations
 * - `Unreachable`: the database did not answer
 */
export class MigrationError extends Data.TaggedError("MigrationError")<{
  readonly reason: "Misnamed" | "Changed" | "Missing" | "OutOfOrder" | "Cells" | "Failed" | "Unreachable"
  /** The file concerned, such as `0003_identity.sql`. */
  readonly file?: string
  readonly message: string
  readonly cause?: unknown
}> {}

/** A migration: a file of sql/. */
interface MigrationFile {
  /** `0003_identity.sql` */
  readonly name: string
  readonly text: string
  /** SHA-256 of the text, in hex. */
  readonly checksum: string
}

/** The default folder of the migrations. */
export const migrationsFolder: URL = new URL("../../../sql/", import.meta.url)

const misnamed = (file: string, message: string) => new MigrationError({ reason: "Misnamed", file, message })

// The result of all migrations, for people to read: `npm run schema` writes it.
const dump = "schema.sql"

/** Reads the migrations of a folder, in their order. */
export const readMigrations = Effect.fn("Migrations.read")(function* (folder: URL) {
  const entries = yield* Effect.tryPromise({
    try: () => readdir(folder),
    catch: (cause) => new MigrationError({ reason: "Missing", message: `The folder ${folder} cannot be read`, cause })
  })
  const names = entries.filter((name) => name.endsWith(".sql") && name !== dump).sort()
  for (const [index, name] of names.entries()) {
    if (!/^\d{4}_[a-z0-9_]+\.sql$/.test(name)) {
      return yield* misnamed(name, `sql/${name} must be named NNNN_name.sql`)
    }
    const before = names[index - 1]
    if (before?.slice(0, 4) === name.slice(0, 4)) {
      return yield* misnamed(name, `sql/${before} and sql/${name} have the same number`)
    }
  }
  return yield* Effect.forEach(names, (name) =>
    Effect.tryPromise({
      try: async (): Promise<MigrationFile> => {
        // A checkout on Windows may have other line ends, which must not change the checksum.
        const text = (await readFile(new URL(name, folder), "utf8")).replaceAll("\r\n", "\n")
        return { name, text, checksum: createHash("sha256").update(text).digest("hex") }
      },
      catch: (cause) =>
        new MigrationError({ reason: "Missing", file: name, message: `sql/${name} cannot be read`, cause })
    })
  )
})

// Arbitrary, but no other program may use it in this database.
const advisoryLock = 7_264_018_355

interface Applied {
  readonly file: string
  readonly checksum: string
}

/** What a migration did. */
export interface Report {
  /** The server: its version, and the database. */
  readonly postgres: string
  readonly database: string
  /** How many files of sql/ were applied before. */
  readonly known: number
  /** The files that were applied now, in their order. */
  readonly applied: ReadonlyArray<{ readonly file: string; readonly milliseconds: number }>
  /** How many migrations graphile-worker, whose queue the jobs are in, applied now. */
  readonly queue: { readonly applied: number; readonly milliseconds: number }
}

const timed = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<readonly [A, milliseconds: number], E, R> =>
  Effect.suspend(() => {
    const begun = performance.now()
    return Effect.map(effect, (value) => [value, Math.round(performance.now() - begun)] as const)
  })

const unreachable = (cause: unknown) =>
  new MigrationError({
    reason: "Unreachable",
    message: `The database cannot be reached: ${certificateFault(cause) ?? (cause instanceof Error ? cause.message : String(cause))}`,
    cause
  })

const failed = (what: string, file?: string) => (cause: unknown) =>
  new MigrationError({
    reason: "Failed",
    message: `${what} failed: ${cause instanceof Error ? cause.message : String(cause)}`,
    cause,
    ...(file === undefined ? {} : { file })
  })

/** The files that are not applied yet. Fails if those that are applied do not match. */
const unapplied = (
  files: ReadonlyArray<MigrationFile>,
  applied: ReadonlyArray<Applied>
): Effect.Effect<ReadonlyArray<MigrationFile>, MigrationError> => {
  const byName = new Map(files.map((file) => [file.name, file]))
  for (const row of applied) {
    const file = byName.get(row.file)
    if (file === undefined) {
      return Effect.fail(
        new MigrationError({
          reason: "Missing",
          file: row.file,
          message: `sql/${row.file} was applied to this database but is not here: is this code older than the database?`
        })
      )
    }
    if (file.checksum !== row.checksum) {
      return Effect.fail(
        new MigrationError({
          reason: "Changed",
          file: row.file,
          message: `sql/${row.file} was changed after it had been applied: restore it and add a new file instead`
        })
      )
    }
  }
  const appliedNames = new Set(applied.map((row) => row.file))
  const last = applied
    .map((row) => row.file)
    .sort()
    .at(-1)
  const rest = files.filter((file) => !appliedNames.has(file.name))
  const late = rest.find((file) => last !== undefined && file.name < last)
  return late === undefined
    ? Effect.succeed(rest)
    : Effect.fail(
        new MigrationError({
          reason: "OutOfOrder",
          file: late.name,
          message: `sql/${late.name} comes before sql/${last}, which was applied already: give it the next free number`
        })
      )
}

// Applies migrations to the tables of cells, which are copies of those of `public` (CellSchema.ts). A file that begins with
// {@link inEachCell} is applied in each of them, too; all others must leave the tables of teams as they are. Citus takes one statement
// at a time, so that empty lines separate those of such a file, and are nowhere else.

/** The first line of a file that changes tables of teams. */
const inEachCell = "-- In each cell."

const statementsIn = (text: string): ReadonlyArray<string> =>
  text.split(/\n[ \t]*\n/).filter((paragraph) => paragraph.replaceAll(/^\s*--.*$/gm, "").trim() !== "")

const cellsOf = async (client: pg.PoolClient): Promise<ReadonlyArray<string>> => {
  const found = await client.query<{ readonly exists: boolean }>(
    "select to_regclass('public.cells') is not null as exists"
  )
  if (found.rows[0]?.exists !== true) return []
  return (await client.query<{ readonly name: string }>("select name from public.cells order by name")).rows.map(
    ({ name }) => name
  )
}

// Columns that a table of a cell lacks, or has beside those of its model.
const difference = `
  select coalesce(model.table_name, own.table_name) || '.' || coalesce(model.column_name, own.column_name) as name
  from (select table_name, column_name, data_type, is_nullable from information_schema.columns where table_schema = 'public'
    and table_name in (select table_name from information_schema.tables where table_schema = $1)) as model
  full join (select table_name, column_name, data_type, is_nullable from information_schema.columns where table_schema = $1
    and table_name in (select table_name from information_schema.tables where table_schema = 'public')) as own
    using (table_name, column_name, data_type, is_nullable)
  where model.column_name is null or own.column_name is null
  order by 1 limit 1`

/** Applies a file to the cells, in the transaction in which it was applied to `public`. */
const applyInEachCell = async (client: pg.PoolClient, { name, text }: MigrationFile): Promise<void> => {
  for (const cell of await cellsOf(client)) {
    if (text.startsWith(inEachCell)) {
      await client.query(`set local search_path to ${searchPathOf(cell)}; set local citus.enable_unsafe_triggers to on`)
      for (const statement of statementsIn(text)) await client.query(statement)
      await client.query("set local search_path to default")
    }
    const { rows } = await client.query<{ readonly name: string }>(difference, [cell])
    if (rows[0] !== undefined) {
      throw new MigrationError({
        reason: "Cells",
        file: name,
        message: `sql/${name} leaves ${rows[0].name} different in ${cell}: a file that changes tables of teams begins with "${inEachCell}"`
      })
    }
  }
}

const apply = (client: pg.PoolClient, file: MigrationFile) =>
  Effect.tryPromise({
    try: async () => {
      await client.query("begin")
      try {
        await client.query(file.text)
        await applyInEachCell(client, file)
        await client.query("insert into schema_migrations (file, checksum) values ($1, $2)", [file.name, file.checksum])
        await client.query("commit")
      } catch (error) {
        await client.query("rollback")
        throw error
      }
    },
    catch: (cause) => (cause instanceof MigrationError ? cause : failed(`sql/${file.name}`, file.name)(cause))
  })

const prepare = async (client: pg.PoolClient): Promise<ReadonlyArray<Applied>> => {
  // A wait for another process that migrates may be long. A wait for the lock of a table must be short, because every
  // later query of the table would wait behind it.
  await client.query("set statement_timeout = 0; set lock_timeout = 0")
  await client.query("select pg_advisory_lock($1)", [advisoryLock])
  await client.query("set lock_timeout = '10s'")
  await client.query(`create table if not exists schema_migrations (
    file text primary key,
    checksum text not null,
    applied_at timestamptz not null default now()
  )`)
  return (await client.query<Applied>("select file, checksum from schema_migrations")).rows
}

const describe = async (client: pg.PoolClient) =>
  (
    await client.query<Pick<Report, "database" | "postgres">>(
      "select current_setting('server_version') as postgres, current_database() as database"
    )
  ).rows[0]

/** How many migrations of graphile-worker are applied. */
const queueMigrations = async (client: pg.PoolClient): Promise<number> => {
  const { rows } = await client.query<{ readonly exists: boolean }>(
    "select to_regclass('graphile_worker.migrations') is not null as exists"
  )
  if (rows[0]?.exists !== true) return 0
  const counted = await client.query<{ readonly count: number }>(
    "select count(*)::int as count from graphile_worker.migrations"
  )
  return counted.rows[0]?.count ?? 0
}

/** Does what `run` does, through a `pg` pool of these settings. It needs two connections. `upTo` is the last file that it applies. */
export const runWith = Effect.fn("Migrations.run")(function* (
  config: pg.PoolConfig,
  folder: URL,
  upTo?: string
): Effect.fn.Return<Report, MigrationError, never> {
  const files = yield* readMigrations(folder)
  return yield* Effect.scoped(
    Effect.gen(function* () {
      const pool = yield* Effect.acquireRelease(
        Effect.sync(() =>
          new pg.Pool({ ...config, max: 2 })
            // A connection that breaks fails its query too, which reports it.
            .on("error", () => {})
            .on("connect", (client) => client.on("error", () => {}))
        ),
        (pool) => Effect.promise(() => pool.end())
      )
      const client = yield* Effect.acquireRelease(
        Effect.tryPromise({ try: () => pool.connect(), catch: unreachable }),
        // Closed instead of returned to the pool, because the end of the session releases the lock.
        (client) => Effect.sync(() => client.release(true))
      )
      const applied = yield* Effect.tryPromise({
        try: () => prepare(client),
        catch: failed("Preparing to migrate")
      })
      const newFiles = yield* unapplied(files, applied)
      const ask = <A>(question: (client: pg.PoolClient) => Promise<A>) =>
        Effect.tryPromise({ try: () => question(client), catch: failed("Preparing to migrate") })
      const server = yield* ask(describe)
      const queueBefore = yield* ask(queueMigrations)
      // First, so that the service's migrations may refer to its schema.
      const [, queueTime] = yield* timed(
        Effect.tryPromise({
          // Loaded here, because processes of the API do without it.
          try: async () => {
            const { Logger, runMigrations } = await import("graphile-worker")
            await runMigrations({ pgPool: pool, logger: new Logger(() => () => {}) })
          },
          catch: failed("The migrations of graphile-worker")
        })
      )
      const report: Report = {
        postgres: server?.postgres ?? "",
        database: server?.database ?? "",
        known: applied.length,
        queue: { applied: (yield* ask(queueMigrations)) - queueBefore, milliseconds: queueTime },
        applied: yield* Effect.forEach(
          newFiles.filter(({ name }) => upTo === undefined || name <= upTo),
          (file) => Effect.map(timed(apply(client, file)), ([, milliseconds]) => ({ file: file.name, milliseconds }))
        )
      }
      return report
    })
  )
})

/**
 * Migrates the schema: first graphile-worker's tables, then the files of sql/ in their order, each in a transaction of
 * its own. If several processes do so at the same time, one migrates and the others wait for it. Returns what this one did.
 */
export const run = (
  url: Redacted.Redacted<string>,
  folder: URL = migrationsFolder,
  upTo?: string
): Effect.Effect<Report, MigrationError> =>
  runWith({ ...pgConfigOf(url), application_name: "property-network migrations" }, folder, upTo)

/**
 * Reads the folder, and returns a function that tells whether one of its files is not applied to a database. The
 * function runs one query.
 */
export const makePending = (folder: URL = migrationsFolder) =>
  Effect.map(
    readMigrations(folder),
    (files) =>
      (sql: Database["Service"]): Effect.Effect<boolean, SqlError> =>
        sql<Applied>`select file, checksum from schema_migrations`.pipe(
          Effect.map((applied) => {
            const checksums = new Map(applied.map((row) => [row.file, row.checksum]))
            return files.some((file) => checksums.get(file.name) !== file.checksum)
          }),
          // The table does not exist: no migration was ever applied.
          Effect.catchIf(
            (error) => sqlState(error) === "42P01",
            () => Effect.succeed(true)
          )
        )
  )

const pendingHere = Effect.runSync(Effect.cached(makePending()))

/** Whether a file of sql/ is not applied to this database. Runs one query. */
export const pending = (sql: Database["Service"]): Effect.Effect<boolean, SqlError | MigrationError> =>
  Effect.flatMap(pendingHere, (check) => check(sql))

/** Whether a service can work on a database, or why not: it is a standby, which takes no writes, or not migrated. */
export type Readiness = "ready" | "standby" | "unmigrated"

/** Asks a database that answers. */
export const checkReadiness = Effect.fnUntraced(
  function* (sql: Database["Service"]): Effect.fn.Return<Readiness, MigrationError | SqlError> {
    // It fails on a standby, whose connection is given up then: the next one may lead to the primary.
    yield* sql`select pg_current_wal_insert_lsn() is not null as is_primary`
    return (yield* pending(sql)) ? ("unmigrated" as const) : ("ready" as const)
  },
  Effect.catchIf(
    (error) => isSqlError(error) && isOfStandby(error),
    () => Effect.succeed("standby" as const)
  )
)
