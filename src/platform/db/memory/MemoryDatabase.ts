import * as MigrationFiles from "../MigrationFiles.ts"
import * as MemoryImage from "./MemoryImage.ts"
import type { PGlite } from "@electric-sql/pglite"
import { PgClient, type PgConnection } from "@effect/sql-pg"
import { Effect, Layer, Queue } from "effect"
import { Reactivity } from "effect/reactivity"
import { Database, withTransactionalNotify } from "../Database.ts"
import { onWallClock } from "../WallClock.ts"
import { PgliteSocket } from "./PgliteSocket.ts"

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
export const make = Effect.fn("MemoryDatabase.make")(function* (folder: URL = MigrationFiles.directory) {
  const pglite = yield* Effect.acquireRelease(MemoryImage.open(folder), (pglite) =>
    Effect.promise(() => pglite.close())
  )
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
