import { Effect, Redacted } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { Logger, runMigrations } from "graphile-worker"
import pg from "pg"
import type { Database } from "./Database.ts"
import { sqlState } from "./DatabaseUnavailable.ts"
import { MigrationError } from "./MigrationError.ts"
import * as MigrationFiles from "./MigrationFiles.ts"
import type { MigrationFile } from "./MigrationFiles.ts"

// Arbitrary, but no other program may use it in this database.
const advisoryLock = 7_264_018_355

interface Applied {
  readonly file: string
  readonly checksum: string
}

const unreachable = (cause: unknown) =>
  new MigrationError({
    reason: "Unreachable",
    message: `The database cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`,
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

const apply = (client: pg.PoolClient, file: MigrationFile) =>
  Effect.tryPromise({
    try: async () => {
      await client.query("begin")
      try {
        await client.query(file.text)
        await client.query("insert into schema_migrations (file, checksum) values ($1, $2)", [file.name, file.checksum])
        await client.query("commit")
      } catch (error) {
        await client.query("rollback")
        throw error
      }
    },
    catch: failed(`sql/${file.name}`, file.name)
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

/** Does what `run` does, through a `pg` pool of these settings. It needs two connections. */
export const runWith = Effect.fn("Migrations.run")(function* (
  config: pg.PoolConfig,
  folder: URL
): Effect.fn.Return<void, MigrationError, never> {
  const files = yield* MigrationFiles.read(folder)
  yield* Effect.scoped(
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
      // First, so that the service's migrations may refer to its schema.
      yield* Effect.tryPromise({
        try: () => runMigrations({ pgPool: pool, logger: new Logger(() => () => {}) }),
        catch: failed("The migrations of graphile-worker")
      })
      yield* Effect.forEach(newFiles, (file) => apply(client, file), { discard: true })
    })
  )
})

/**
 * Migrates the schema: first graphile-worker's tables, then the files of sql/ in their order, each in a transaction of
 * its own. If several processes do so at the same time, one migrates and the others wait for it.
 */
export const run = (
  url: Redacted.Redacted<string>,
  folder: URL = MigrationFiles.directory
): Effect.Effect<void, MigrationError> =>
  runWith({ connectionString: Redacted.value(url), application_name: "property-network migrations" }, folder)

/**
 * Reads the folder, and returns a function that tells whether one of its files is not applied to a database. The
 * function runs one query.
 */
export const makePending = (folder: URL = MigrationFiles.directory) =>
  Effect.map(
    MigrationFiles.read(folder),
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
