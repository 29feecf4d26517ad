/**
 * Postgres in WebAssembly, in this process: the database of `property-network/testing` and of fast tests, on an image of the migrated one.
 * Its client speaks through a socket that ends in memory.
 */
import * as Migrations from "./Migrations.ts"
import { migrationsFolder, readMigrations } from "./Migrations.ts"
import { PGlite } from "@electric-sql/pglite"
import { PgClient, type PgConnection } from "@effect/sql-pg"
import { Effect, Layer, Queue } from "effect"
import { Reactivity } from "effect/reactivity"
import { Database, withTransactionalNotify } from "./Database.ts"
import { onWallClock } from "../Time.ts"
import { btree_gin } from "@electric-sql/pglite/contrib/btree_gin"
import { btree_gist } from "@electric-sql/pglite/contrib/btree_gist"
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm"
import { createHash, randomUUID } from "node:crypto"
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { findPackageJSON } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Duplex } from "node:stream"

// The client's own `listen` reserves a connection, and there is only one.
const listen = (pglite: PGlite, sql: PgClient.PgClient) => (channel: string) =>
  Effect.gen(function* () {
    const queue = yield* Effect.acquireRelease(Queue.unbounded<PgConnection.Notification>(), Queue.shutdown)
    yield* Effect.acquireRelease(
      Effect.sync(() =>
        pglite.onNotification((name, payload) => {
          if (name === channel) Queue.offerUnsafe(queue, { processId: 0, channel, payload })
        })
      ),
      (off) => Effect.sync(off)
    )
    yield* sql`listen ${sql(channel)}`
    return queue
  })

/**
 * Postgres compiled to WebAssembly, behind the client that production uses. It has one connection: transactions run one
 * after the other, and a query outside a transaction waits for the end of the current one, so that a transaction must
 * not wait for such a query.
 */
export const make = Effect.fn("MemoryDatabase.make")(function* (folder: URL = migrationsFolder) {
  const pglite = yield* Effect.acquireRelease(openImage(folder), (pglite) => Effect.promise(() => pglite.close()))
  const sql = yield* PgClient.make({
    stream: () => new PgliteSocket(pglite),
    ssl: false,
    username: "postgres",
    database: "postgres",
    minConnections: 1,
    maxConnections: 1
  }).pipe(onWallClock)
  return Object.assign(withTransactionalNotify(sql), { listen: listen(pglite, sql) })
})

/** A database for each build of the layer, in memory, with the migrations of sql/ applied. */
export const layer: Layer.Layer<Database> = Layer.effect(Database, make()).pipe(
  Layer.provide(Reactivity.layer),
  Layer.orDie
)

const packageText = (name: string): Promise<string> => {
  const path = findPackageJSON(name, import.meta.url)
  return path === undefined ? Promise.resolve("") : readFile(path, "utf8")
}

const extensions = { btree_gin, btree_gist, pg_trgm }

// Nobody creates databases from them, and every start copies all files: without them it takes a sixth less time.
const dropTemplates = [
  "update pg_database set datistemplate = false where datname in ('template0', 'template1')",
  "drop database template0",
  "drop database template1"
]

const build = Effect.fn("MemoryDatabase.build")(function* (folder: URL) {
  const pglite = yield* Effect.acquireRelease(
    Effect.promise(() => PGlite.create({ extensions })),
    (pglite) => Effect.promise(() => pglite.close())
  )
  yield* Migrations.runWith({ stream: () => new PgliteSocket(pglite) }, folder)
  for (const statement of dropTemplates) yield* Effect.promise(() => pglite.exec(statement))
  return yield* Effect.promise(() => pglite.dumpDataDir("none"))
}, Effect.scoped)

const cache = join(tmpdir(), "property-network-memory")

const dayAgo = () => Date.now() - 86_400_000

// An image has 40 MB, and every change of a migration leads to a new one.
const removeOld = async () => {
  for (const name of await readdir(cache)) {
    const file = join(cache, name)
    if ((await stat(file)).mtimeMs < dayAgo()) await rm(file, { force: true })
  }
}

// Written under another name and renamed, so that other processes never read half an image.
const save = (path: string, image: Blob) =>
  Effect.promise(async () => {
    const draft = `${path}.${randomUUID()}`
    await mkdir(cache, { recursive: true })
    await removeOld()
    await writeFile(draft, image.stream())
    await rename(draft, path)
  })

/**
 * The path of a folder's image. Its name is a hash of the migrations, of what is left out, and of the versions of PGlite
 * and graphile-worker.
 */
export const imagePathOf = Effect.fn("MemoryDatabase.pathOf")(function* (folder: URL) {
  const files = yield* readMigrations(folder)
  return yield* Effect.promise(async () => {
    const hash = createHash("sha256")
    for (const file of files) hash.update(`${file.name} ${file.checksum}\n`)
    for (const name of ["@electric-sql/pglite", "graphile-worker"]) hash.update(await packageText(name))
    hash.update(dropTemplates.join())
    return join(cache, `${hash.digest("hex").slice(0, 32)}.tar`)
  })
})

const load = (path: string): Promise<Blob | undefined> =>
  readFile(path).then(
    (bytes) => new Blob([bytes]),
    () => undefined
  )

const start = (image: Blob) => Effect.promise(() => PGlite.create({ loadDataDir: image, extensions }))

/**
 * Starts a database from the image of a migrated one, in a third of a second. The image is cached in the temporary
 * folder; it is rebuilt when it is missing or broken.
 */
export const openImage = Effect.fn("MemoryDatabase.open")(function* (folder: URL) {
  const path = yield* imagePathOf(folder)
  const rebuilt = Effect.gen(function* () {
    const image = yield* build(folder)
    yield* Effect.ignoreCause(save(path, image))
    return yield* start(image)
  })
  const cached = yield* Effect.promise(() => load(path))
  return yield* cached === undefined ? rebuilt : Effect.catchCause(start(cached), () => rebuilt)
})

// Connects Postgres clients to a PGlite in the same process. Why not `@electric-sql/pglite-socket`:
// docs/adr/0009-pglite-in-memory.md.

const CANCEL_REQUEST = 80877102

/** Encodes a message of Postgres' wire protocol: a tag, its length, its body. */
const message = (tag: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5)
  head.write(tag, "latin1")
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const simpleQuery = (sql: string): Buffer => message("Q", Buffer.from(`${sql}\0`))

// The messages by which a server accepts a client.
const greeting = Buffer.concat([
  message("R", Buffer.alloc(4)),
  ...[
    ["client_encoding", "UTF8"],
    ["server_encoding", "UTF8"],
    ["standard_conforming_strings", "on"]
  ].map((pair) => message("S", Buffer.from(`${pair.join("\0")}\0`))),
  message("K", Buffer.alloc(8)),
  message("Z", Buffer.from("I"))
])

/** The number of bytes of the first message in `bytes`; 0 when it is incomplete. */
const frameLength = (bytes: Buffer, started: boolean): number => {
  const head = started ? 1 : 0
  if (bytes.length < head + 4) return 0
  const length = head + bytes.readInt32BE(head)
  return bytes.length >= length ? length : 0
}

/**
 * A socket whose other end is a PGlite: Postgres' own wire protocol, without a network.
 *
 * So the clients (@effect/sql-pg, pg) use memory exactly as they use a server: the same encoders and decoders, the same
 * errors, the same transactions. There is only one session: opening a second socket ends the transaction of the first,
 * so pools over it must have one connection.
 */
class PgliteSocket extends Duplex {
  private readonly pglite: PGlite
  private pending: Buffer = Buffer.alloc(0)
  private started = false

  constructor(pglite: PGlite) {
    super()
    this.pglite = pglite
  }

  /** `pg` calls this and the methods below on its socket. */
  connect(): this {
    process.nextTick(() => this.emit("connect"))
    return this
  }
  setNoDelay(): this {
    return this
  }
  setKeepAlive(): this {
    return this
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.pending = this.pending.length === 0 ? chunk : Buffer.concat([this.pending, chunk])
    this.answer().then(() => done(), done)
  }

  override _final(done: (error?: Error | null) => void): void {
    this.push(null)
    done()
  }

  private async answer(): Promise<void> {
    if (!this.started) {
      const length = frameLength(this.pending, false)
      if (length === 0) return
      const code = this.pending.readInt32BE(4)
      this.pending = this.pending.subarray(length)
      if (code === CANCEL_REQUEST) {
        // Statements run one after the other to their end, so there is never one to cancel.
        this.destroy()
        return
      }
      this.started = true
      // A new session: reset what the previous one left open. `listen` stays, since PGlite handles it itself.
      for (const sql of ["rollback", "select pg_advisory_unlock_all()", "deallocate all"]) {
        await this.execute(simpleQuery(sql))
      }
      this.push(greeting)
    }
    let end = 0
    for (;;) {
      const length = frameLength(this.pending.subarray(end), true)
      if (length === 0) break
      end += length
    }
    if (end === 0) return
    const messages = this.pending.subarray(0, end)
    this.pending = this.pending.subarray(end)
    const response = await this.execute(messages)
    if (!this.destroyed && response.length > 0) this.push(response)
  }

  private execute(request: Uint8Array): Promise<Uint8Array> {
    return this.pglite.runExclusive(() => this.pglite.execProtocolRaw(request))
  }
}
