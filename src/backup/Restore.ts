/**
 * Loads a backup into a database: the migrations that it was made at, then the rows, then what they were loaded without. It needs the
 * owner of the database, who need not be a superuser.
 */
import type * as Manifest from "./Manifest.ts"
import * as Migrations from "../platform/db/Migrations.ts"
import type { Client } from "pg"
import { createReadStream } from "node:fs"
import { join } from "node:path"
import { Transform } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGunzip } from "node:zlib"
import { Effect, type Redacted, Stream } from "effect"
import { sha256OfFile } from "../platform/FileDigest.ts"
import { FileStore } from "../platform/fileStore/FileStore.ts"
import { asideOf, nameIn, quoted, schemas, tablesOf } from "./Catalog.ts"
import { contentPath, erasuresPath, measured, type Progress } from "./Backup.ts"
import { copyIn } from "./Copy.ts"
import { BackupRefused, type Table } from "./Manifest.ts"
import { attempt } from "./Session.ts"

/** Fails unless the folder has everything that the manifest names, as it was written. */
export const checkFiles = Effect.fn("Restore.checkFiles")(function* (folder: string, manifest: Manifest.Manifest) {
  const parts = [
    { path: erasuresPath(folder), sha256: manifest.erasuresSha256 },
    ...manifest.tables.map(({ file, fileSha256 }) => ({ path: join(folder, file), sha256: fileSha256 })),
    ...manifest.files.map(({ id, sha256 }) => ({ path: contentPath(folder, id), sha256 }))
  ]
  const damaged = (yield* Effect.forEach(
    parts,
    ({ path, sha256 }) =>
      Effect.promise(() =>
        sha256OfFile(path).then(
          (found) => (found === sha256 ? [] : [`${path} has changed`]),
          () => [`${path} cannot be read`]
        )
      ),
    { concurrency: 4 }
  )).flat()
  if (damaged.length === 0) return
  return yield* new BackupRefused({
    code: "backup_damaged",
    detail: `The backup is damaged: ${damaged.slice(0, 3).join(", ")}${damaged.length > 3 ? `, and ${damaged.length - 3} more` : ""}.`
  })
})

/** Fails if this program is older than the backup, or knows its migrations otherwise. */
export const checkProgram = Effect.fn("Restore.checkProgram")(function* (manifest: Manifest.Manifest) {
  const own = yield* Migrations.readMigrations(Migrations.migrationsFolder)
  const checksums = new Map(own.map(({ checksum, name }) => [name, checksum]))
  const unknown = manifest.migrations.find(({ checksum, file }) => checksums.get(file) !== checksum)
  if (unknown === undefined) return
  return yield* new BackupRefused({
    code: "backup_newer",
    detail:
      `The backup was made by version ${manifest.version}, with the migration ${unknown.file}, which this program does not ` +
      "have: restore it with that version or a later one."
  })
})

// Ids of transactions say something on their own server only (docs/adr/0002-transaction-id-horizon.md). Where the rows name later ones than
// the server has given, deltas and the journal would hold the rows back until it has. So all ids are moved back by the same number,
// so that the latest one is that of the transaction that loads the rows. Their order stays; those from before all others become
// the first that a server gives.

const first = 3n

const moved = (id: string, by: bigint) => {
  if (id === "\\N") return id
  const number = BigInt(id)
  if (number === 0n) return id
  return String(number - by < first ? first : number - by)
}

/** Moves the ids of transactions back, which begin each row. */
export const moveTransactions = (columns: number, by: bigint) => {
  let rest = ""
  const mapped = (row: string) => {
    const values = row.split("\t", columns)
    const length = values.reduce((sum, value) => sum + value.length, columns - 1)
    return values.map((value) => moved(value, by)).join("\t") + row.slice(length)
  }
  return new Transform({
    // Rows are text in UTF-8, whose ends and tabs are bytes of their own: as Latin-1, every byte stays as it is.
    transform(chunk: Buffer, _, callback) {
      const rows = (rest + chunk.toString("latin1")).split("\n")
      rest = rows.pop() ?? ""
      callback(null, rows.length === 0 ? undefined : Buffer.from(`${rows.map(mapped).join("\n")}\n`, "latin1"))
    },
    flush(callback) {
      callback(null, rest === "" ? undefined : Buffer.from(mapped(rest), "latin1"))
    }
  })
}

const currentTransaction = async (client: Client): Promise<bigint> =>
  BigInt((await client.query<{ readonly id: string }>("select pg_current_xact_id()::text as id")).rows[0]?.id ?? "0")

const burnAtOnce = 10_000

/** Draws ids of transactions, which nothing names, until so many have been given. */
const burn = async (client: Client, count: bigint): Promise<void> => {
  for (let left = count; left > 0n; left -= BigInt(burnAtOnce)) {
    const now = left < BigInt(burnAtOnce) ? Number(left) : burnAtOnce
    await client.query(`do $$ begin
      for i in 1..${now} loop
        begin
          insert into change_ids default values;
          raise sqlstate 'PN001';
        exception when sqlstate 'PN001' then null;
        end;
      end loop;
    end $$`)
  }
}

/** By how much ids of transactions are moved back. Makes room for those that must stay apart: changes without fan-out have one each. */
const moveOf = async (client: Client, { earliestPending, latest }: Manifest.Manifest["transactions"]) => {
  const span = earliestPending === null ? 0n : BigInt(latest) - BigInt(earliestPending)
  const current = await currentTransaction(client)
  if (BigInt(latest) <= current) return 0n
  if (current - span <= first) await burn(client, span + first - current + 1n)
  return BigInt(latest) - (await currentTransaction(client))
}

/** How rows are loaded. */
interface LoadOptions {
  /** How they get their ids of transactions: as they are in the backup, or as the server of the database needs them. */
  readonly ids: "kept" | "moved"
  /** Which indexes they get in the end. */
  readonly indexes: "all" | "unique"
}

const loadTable = async (
  client: Client,
  folder: string,
  { columns, file, name, rows, schema, sha256, transactionColumns }: Table,
  by: bigint
): Promise<void> => {
  const copy = copyIn(client, `copy ${nameIn({ schema, name })} (${columns.map(quoted).join(", ")}) from stdin`)
  const text = measured()
  const source = [createReadStream(join(folder, file)), createGunzip({ chunkSize: 256 * 1024 }), text.stream] as const
  await (by === 0n || transactionColumns === 0
    ? pipeline(...source, copy.stream)
    : pipeline(...source, moveTransactions(transactionColumns, by), copy.stream))
  if (copy.rows() === rows && text.sha256() === sha256) return
  throw new BackupRefused({ code: "backup_damaged", detail: `${file} does not have the rows that the manifest names.` })
}

const isLoaded =
  ({ queueVersion }: Manifest.Manifest, queueNow: number) =>
  (table: Table) =>
    table.schema !== "graphile_worker" || (queueVersion === queueNow && table.name !== "migrations")

/**
 * Loads the rows into the database of `client`, whose address is `url`: it has no tables yet. Returns the tables that were left out: jobs,
 * where the queue has another version. What they were for is found again by itself.
 */
export const load = Effect.fn("Restore.load")(function* (
  client: Client,
  url: Redacted.Redacted<string>,
  folder: string,
  manifest: Manifest.Manifest,
  { ids, indexes }: LoadOptions,
  progress: Progress
) {
  const ask = <A>(question: () => Promise<A>) => attempt("The backup cannot be loaded", question)
  const report = yield* Migrations.run(url, Migrations.migrationsFolder, manifest.schemaVersion)
  yield* progress(`${report.applied.length} migrations`)
  const by = ids === "kept" ? 0n : yield* ask(() => moveOf(client, manifest.transactions))
  const queue = yield* ask(async () => {
    const { rows } = await client.query<{ readonly version: number }>(
      "select max(id)::int as version from graphile_worker.migrations"
    )
    return rows[0]?.version ?? 0
  })
  const loaded = manifest.tables.filter(isLoaded(manifest, queue))
  const aside = yield* ask(() => asideOf(client, indexes))
  yield* ask(async () => {
    await client.query("begin")
    for (const statement of aside.away) await client.query(statement)
    await client.query(`truncate ${loaded.map(nameIn).join(", ")}`)
  })
  for (const table of loaded) {
    yield* ask(() => loadTable(client, folder, table, by))
    if (table.rows >= 10_000) yield* progress(`${table.name}: ${table.rows} rows`)
  }
  yield* ask(async () => {
    for (const { isCalled, name, schema, value } of manifest.sequences) {
      if (schema === "graphile_worker" && queue !== manifest.queueVersion) continue
      await client.query("select setval($1, $2, $3)", [nameIn({ schema, name }), value, isCalled])
    }
    for (const statement of aside.back) await client.query(statement)
    await client.query("commit")
    await client.query("analyze")
  })
  yield* progress("indexes and references")
  return queue === manifest.queueVersion
    ? []
    : manifest.tables.flatMap(({ name, schema }) => (schema === "graphile_worker" ? [`${schema}.${name}`] : []))
})

/** Whether nobody has used the database: it has no tables of the service, or those have no team. */
export const isUnused = async (client: Client): Promise<boolean> => {
  const tables = await tablesOf(client)
  if (!tables.some(({ name, schema }) => schema === "public" && name === "teams")) {
    return !tables.some(({ schema }) => schema === "public")
  }
  const { rows } = await client.query<{ readonly used: boolean }>("select exists (select from teams) as used")
  return rows[0]?.used === false
}

/** The processes of the service that are connected to the database. */
export const processesOn = async (client: Client): Promise<ReadonlyArray<string>> =>
  (
    await client.query<{ readonly name: string }>(
      `select distinct application_name as name from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name like 'property-network%'
      order by 1`
    )
  ).rows.map(({ name }) => name)

/** Removes everything that is in the database. */
export const clear = async (client: Client): Promise<void> => {
  if ((await tablesOf(client)).length === 0) return
  await client.query("begin")
  for (const schema of schemas) await client.query(`drop schema if exists ${schema} cascade`)
  await client.query("create schema public")
  await client.query("commit")
}

/** Copies the content of files into the store. */
export const copyContents = Effect.fn("Restore.copyContents")(function* (folder: string, manifest: Manifest.Manifest) {
  const store = yield* FileStore
  yield* Effect.forEach(
    manifest.files,
    ({ id, sha256 }) =>
      Effect.gen(function* () {
        const content = Stream.fromAsyncIterable<Uint8Array, BackupRefused>(
          createReadStream(contentPath(folder, id)),
          (cause) => new BackupRefused({ code: "backup_damaged", detail: String(cause) })
        )
        const digest = yield* store.put({ namespace: manifest.fileSpace, id }, content)
        if (digest.sha256 === sha256) return
        return yield* new BackupRefused({ code: "backup_failed", detail: `The file ${id} did not arrive as it was.` })
      }),
    { concurrency: 4, discard: true }
  )
})
