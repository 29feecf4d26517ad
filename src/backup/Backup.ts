/**
 * Makes a backup: the rows of all tables as of one moment, by `COPY`, and the content of the files that they name
 * (docs/operations.md#backups-and-restore). It reads only, so that any role can make one that may read all tables.
 */
import * as ErasureList from "../privacy/ErasureList.ts"
import * as Manifest from "./Manifest.ts"
import type { Client } from "pg"
import { createHash } from "node:crypto"
import { createWriteStream } from "node:fs"
import { mkdir, open as openFile, readdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Transform } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import { Effect, type Redacted, Stream } from "effect"
import { FileStore } from "../platform/fileStore/FileStore.ts"
import { now } from "../platform/Time.ts"
import { version } from "../platform/version.ts"
import { type CatalogTable, nameIn, quoted, sequencesOf, tablesOf } from "./Catalog.ts"
import { copyOut } from "./Copy.ts"
import { BackupRefused, type Content, type Table } from "./Manifest.ts"
import { attempt, open } from "./Session.ts"

/** Tells how far a backup or a restore is, in one line. */
export type Progress = (line: string) => Effect.Effect<void>

/** Passes bytes on, and knows their checksum and how many they were. */
export const measured = () => {
  const hash = createHash("sha256")
  let size = 0
  const stream = new Transform({
    transform(chunk: Uint8Array, _, callback) {
      hash.update(chunk)
      size += chunk.length
      callback(null, chunk)
    }
  })
  return { stream, size: () => size, sha256: () => hash.digest("hex") }
}

/** Where the content of a file is in a backup. */
export const contentPath = (folder: string, id: string): string => join(folder, "files", id.slice(-2), id)

/** Where the list of erasures is in a backup (docs/behaviour/erasure.md#replay). */
export const erasuresPath = (folder: string): string => join(folder, "erasures.list")

const statementOf = (table: CatalogTable) => `copy ${nameIn(table)} (${table.columns.map(quoted).join(", ")}) to stdout`

/** The number of rows of a table, and the checksum of their text. */
export const digestOf = async (client: Client, table: CatalogTable) => {
  const { rows, stream } = copyOut(client, statementOf(table))
  const hash = createHash("sha256")
  for await (const chunk of stream) hash.update(chunk)
  return { rows: rows(), sha256: hash.digest("hex") }
}

const copyTable = async (client: Client, folder: string, table: CatalogTable): Promise<Table> => {
  const file = join("database", `${table.schema}.${table.name}.copy.gz`)
  const { rows, stream } = copyOut(client, statementOf(table))
  const [text, compressed] = [measured(), measured()]
  await pipeline(
    stream,
    text.stream,
    // Level 1 is three times faster than the default, and takes a fifth more space.
    createGzip({ level: 1 }),
    compressed.stream,
    createWriteStream(join(folder, file), { flags: "wx", mode: 0o600, flush: true })
  )
  return { ...table, rows: rows(), sha256: text.sha256(), file, fileSha256: compressed.sha256() }
}

const oneOf = async <Row extends object>(client: Client, statement: string): Promise<Row> => {
  const [row] = (await client.query<Row>(statement)).rows
  if (row === undefined) throw new Error("The database is not that of this service.")
  return row
}

const transactionsOf = async (client: Client, tables: ReadonlyArray<CatalogTable>) => {
  const maxima = tables.flatMap((table) =>
    table.columns
      .slice(0, table.transactionColumns)
      .map((column) => `(select max(${quoted(column)}) from ${nameIn(table)})`)
  )
  const { latest } = await oneOf<{ readonly latest: string }>(
    client,
    `select greatest('0'::xid8, ${maxima.join(", ")})::text as latest`
  )
  const { earliest } = await oneOf<{ readonly earliest: string | null }>(
    client,
    "select min(transaction_id)::text as earliest from fan_outs"
  )
  return { latest, earliestPending: earliest }
}

const refuseCells = async (client: Client) => {
  const { cells } = await oneOf<{ readonly cells: number }>(client, "select count(*)::int as cells from cells")
  if (cells === 0) return
  throw new BackupRefused({
    code: "not_supported",
    detail:
      "The tables of teams are in cells of Citus, which these backups do not cover: back up each server with pg_basebackup " +
      "and its log, as docs/operations.md says."
  })
}

const makeFolder = async (folder: string) => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const found = await readdir(folder)
  if (found.includes("manifest.json")) {
    throw new BackupRefused({ code: "backup_exists", detail: `${folder} has a backup already: choose another folder.` })
  }
  if (found.length > 0) {
    throw new BackupRefused({
      code: "backup_exists",
      detail: `${folder} is not empty: choose another folder, or remove what an interrupted backup has left there.`
    })
  }
  await mkdir(join(folder, "database"), { mode: 0o700 })
  await mkdir(join(folder, "files"), { mode: 0o700 })
}

/** All rows as of one moment, and what the manifest says of them. */
const copyDatabase = (client: Client, folder: string, progress: Progress) =>
  Effect.gen(function* () {
    const ask = <A>(question: () => Promise<A>) => attempt("The database cannot be read", question)
    yield* ask(() => client.query("begin isolation level repeatable read read only"))
    yield* ask(() => refuseCells(client))
    const found = yield* ask(() => tablesOf(client))
    const transactions = yield* ask(() => transactionsOf(client, found))
    const tables: Array<Table> = []
    for (const table of found) {
      const copied = yield* ask(() => copyTable(client, folder, table))
      tables.push(copied)
      if (copied.rows >= 10_000) yield* progress(`${table.name}: ${copied.rows} rows`)
    }
    const migrations = (yield* ask(() =>
      client.query<{ readonly file: string; readonly checksum: string }>(
        "select file, checksum from schema_migrations order by file"
      )
    )).rows
    const queue = yield* ask(() =>
      oneOf<{ readonly version: number }>(client, "select max(id)::int as version from graphile_worker.migrations")
    )
    const key = (yield* ask(() =>
      client.query<{ readonly key: string }>("select encode(fingerprint, 'hex') as key from secret_key_fingerprint")
    )).rows[0]
    const space = yield* ask(() => oneOf<{ readonly id: string }>(client, "select id from file_space"))
    const server = yield* ask(() =>
      oneOf<{ readonly postgres: string }>(client, "select current_setting('server_version') as postgres")
    )
    const files = (yield* ask(() =>
      client.query<Content>(
        "select content::text as id, size::float8 as size, encode(sha256, 'hex') as sha256 from files order by content"
      )
    )).rows
    yield* ask(() => client.query("commit"))
    // They only grow, so that later values fit the rows, too.
    const sequences = yield* ask(() => sequencesOf(client))
    return {
      files,
      known: {
        postgres: server.postgres,
        schemaVersion: migrations.at(-1)?.file ?? "",
        migrations,
        queueVersion: queue.version,
        keyFingerprint: key?.key ?? null,
        transactions,
        tables,
        sequences,
        fileSpace: space.id
      }
    }
  })

/** Copies the content of a file out of the store. Returns whether it was there, with its checksum. */
const copyContent = (folder: string, namespace: string, { id, sha256, size }: Content) =>
  Effect.gen(function* () {
    const store = yield* FileStore
    const path = contentPath(folder, id)
    const hash = createHash("sha256")
    let copied = 0
    const file = yield* Effect.acquireRelease(
      attempt("A file cannot be copied", async () => {
        await mkdir(join(path, ".."), { recursive: true, mode: 0o700 })
        return openFile(path, "wx", 0o600)
      }),
      (opened) => Effect.promise(() => opened.close())
    )
    yield* Stream.runForEach(store.read({ namespace, id }, undefined), (bytes) =>
      attempt("A file cannot be copied", async () => {
        hash.update(bytes)
        copied += bytes.length
        await file.writeFile(bytes)
      })
    )
    yield* attempt("A file cannot be copied", () => file.sync())
    return copied === size && hash.digest("hex") === sha256
  }).pipe(
    Effect.catchTag("FileStoreFailure", () => Effect.succeed(false)),
    Effect.scoped,
    Effect.tap((isWhole) =>
      isWhole ? Effect.void : Effect.promise(() => rm(contentPath(folder, id), { force: true }))
    )
  )

/** Makes a backup of the database at `url`, and of the file store, in a folder that is empty or does not exist. */
export const create = Effect.fn("Backup.create")(function* (
  url: Redacted.Redacted<string>,
  folder: string,
  progress: Progress
) {
  const createdUtc = (yield* now).toISOString()
  const client = yield* open(url)
  yield* attempt(`${folder} cannot be used`, () => makeFolder(folder))
  const { files, known } = yield* copyDatabase(client, folder, progress)
  const missingFiles: Array<string> = []
  const kept: Array<Content> = []
  yield* Effect.forEach(
    files,
    (content) =>
      Effect.map(copyContent(folder, known.fileSpace, content), (isWhole) => {
        if (isWhole) kept.push(content)
        else missingFiles.push(content.id)
      }),
    { concurrency: 4, discard: true }
  )
  const erased = yield* Effect.mapError(
    ErasureList.copyOut(known.fileSpace),
    ({ message: detail }) => new BackupRefused({ code: "backup_failed", detail })
  )
  yield* attempt(`${folder} cannot be written`, () =>
    writeFile(erasuresPath(folder), erased, { flag: "wx", mode: 0o600, flush: true })
  )
  const manifest: Manifest.Manifest = {
    format: 1,
    version,
    createdUtc,
    ...known,
    erasuresSha256: createHash("sha256").update(erased).digest("hex"),
    files: kept.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    missingFiles: missingFiles.toSorted()
  }
  yield* attempt(`${folder} cannot be written`, () => Manifest.write(folder, manifest))
  return manifest
}, Effect.scoped)
