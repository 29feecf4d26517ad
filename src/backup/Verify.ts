/**
 * Verifies a backup: all checksums, then a restore beside the installation, whose rows are compared with those of the manifest. The database
 * for it is on a Postgres of its own, where this program brings one; else a temporary one on the server of the installation.
 */
import * as Manifest from "./Manifest.ts"
import * as Migrations from "../platform/db/Migrations.ts"
import type { Client } from "pg"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Redacted } from "effect"
import { isAlive } from "../platform/db/embedded/Cluster.ts"
import { EmbeddedPostgres } from "../platform/db/embedded/EmbeddedPostgres.ts"
import { digestOf, type Progress } from "./Backup.ts"
import { quoted, sequencesOf } from "./Catalog.ts"
import { BackupRefused } from "./Manifest.ts"
import { checkFiles, checkProgram, load } from "./Restore.ts"
import { attempt, open } from "./Session.ts"

/** Where a backup is restored for the comparison. */
interface Beside {
  readonly url: Redacted.Redacted<string>
  readonly where: string
}

// What is lost when the machine stops is made again by the next attempt.
const fast = { fsync: "off", full_page_writes: "off", autovacuum: "off", max_wal_size: "4GB", shared_buffers: "256MB" }

const prefix = "property-network-verify-"

/** Removes what a verification that was killed has left: a copy of everything. */
const removeAbandoned = Effect.promise(async () => {
  for (const name of await readdir(tmpdir())) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length).split("-")[0]) : NaN
    if (Number.isInteger(pid) && !isAlive(pid))
      await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {})
  }
})

const onOwnServer = Effect.gen(function* () {
  yield* removeAbandoned
  const dataDir = yield* Effect.acquireRelease(
    attempt("A temporary folder cannot be made", () => mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`))),
    // What is being stopped may still write.
    (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))
  )
  const { url } = yield* EmbeddedPostgres.start({ dataDir, settings: fast })
  const beside: Beside = { url: Redacted.make(url), where: "a temporary Postgres of its own" }
  return beside
})

const onServerOf = Effect.fnUntraced(function* (url: Redacted.Redacted<string>) {
  const name = `property_network_verify_${process.pid}`
  const client = yield* open(url)
  yield* Effect.acquireRelease(
    attempt("A temporary database cannot be made, for which the role needs CREATEDB", () =>
      client.query(`create database ${quoted(name)} template template0`)
    ),
    () => Effect.promise(() => client.query(`drop database if exists ${quoted(name)} with (force)`).catch(() => {}))
  )
  const address = new URL(Redacted.value(url))
  address.pathname = `/${name}`
  const beside: Beside = { url: Redacted.make(address.href), where: `the temporary database ${name}` }
  return beside
})

const besideOf = (url: Redacted.Redacted<string> | undefined) =>
  onOwnServer.pipe(
    Effect.catchTag("EmbeddedPostgresError", (error) =>
      url === undefined
        ? Effect.fail(
            new BackupRefused({
              code: "backup_failed",
              detail: `There is no Postgres to restore to: ${error.message} Set DATABASE_URL to one whose role may create databases.`
            })
          )
        : onServerOf(url)
    )
  )

const differences = async (client: Client, manifest: Manifest.Manifest, leftOut: ReadonlyArray<string>) => {
  const found: Array<string> = []
  for (const table of manifest.tables) {
    const name = `${table.schema}.${table.name}`
    if (leftOut.includes(name) || name === "graphile_worker.migrations") continue
    const { rows, sha256 } = await digestOf(client, table)
    if (rows !== table.rows) found.push(`${name} has ${rows} rows instead of ${table.rows}`)
    else if (sha256 !== table.sha256) found.push(`${name} has other rows`)
  }
  const values = new Map((await sequencesOf(client)).map(({ name, schema, value }) => [`${schema}.${name}`, value]))
  for (const { name, schema, value } of manifest.sequences) {
    const restored = values.get(`${schema}.${name}`)
    if (leftOut.length === 0 && restored !== value) found.push(`${schema}.${name} is ${restored} instead of ${value}`)
  }
  return found
}

/** Whether this program has no further migrations. */
const isOfThisVersion = ({ migrations }: Manifest.Manifest) =>
  Effect.map(Migrations.readMigrations(Migrations.migrationsFolder), (files) => files.length === migrations.length)

/** What a verification found. */
export interface Verified {
  readonly verified: true
  readonly createdUtc: string
  readonly version: string
  readonly schemaVersion: string
  readonly restoredTo: string
  readonly tables: number
  readonly rows: number
  readonly files: number
  /** Files whose content the store had lost when the backup was made. */
  readonly missingFiles: ReadonlyArray<string>
  /** Tables of jobs that this version of the program would leave out. */
  readonly leftOut: ReadonlyArray<string>
  /** Migrations that a restore by this program adds. */
  readonly migrations: number
}

/** Verifies the backup in a folder. `url` is the installation's database, if there is one: it is left as it is. */
export const run = Effect.fn("Verify.run")(function* (
  folder: string,
  url: Redacted.Redacted<string> | undefined,
  progress: Progress
) {
  const manifest = yield* Manifest.read(folder)
  yield* checkProgram(manifest)
  yield* checkFiles(folder, manifest)
  yield* progress(`checksums of ${manifest.tables.length} tables and ${manifest.files.length} files`)
  return yield* Effect.gen(function* () {
    const beside = yield* besideOf(url)
    const client = yield* open(beside.url)
    // Migrations need all of them.
    const indexes = (yield* isOfThisVersion(manifest)) ? "unique" : "all"
    const leftOut = yield* load(client, beside.url, folder, manifest, { ids: "kept", indexes }, progress)
    const found = yield* attempt("The rows cannot be compared", () => differences(client, manifest, leftOut))
    if (found.length > 0) {
      return yield* new BackupRefused({
        code: "backup_damaged",
        detail: `The restored database differs from the backup: ${found.join(", ")}.`
      })
    }
    const { applied } = yield* Migrations.run(beside.url)
    const verified: Verified = {
      verified: true,
      createdUtc: manifest.createdUtc,
      version: manifest.version,
      schemaVersion: manifest.schemaVersion,
      restoredTo: beside.where,
      tables: manifest.tables.length,
      rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
      files: manifest.files.length,
      missingFiles: manifest.missingFiles,
      leftOut,
      migrations: applied.length
    }
    return verified
  }).pipe(Effect.scoped)
})
