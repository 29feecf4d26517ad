/** A Postgres that the service brings along: nothing to install, its data in one folder, gone when we are. */
import { Effect, type Scope } from "effect"
import { locateBinaries } from "./embedded/Binaries.ts"
import { type Address, urlOf, withClient } from "./embedded/Client.ts"
import { type Cluster, clusterOf, database, ensureCluster, openDataDir, readPassword } from "./embedded/Cluster.ts"
import { attempt, EmbeddedPostgresError } from "./embedded/EmbeddedPostgresError.ts"
import { poll } from "./embedded/poll.ts"
import { awaitFree, findServing } from "./embedded/Postmaster.ts"
import { launch, PortTaken, type Server } from "./embedded/Server.ts"
import { serverUser } from "./embedded/ServerUser.ts"

export { EmbeddedPostgresError } from "./embedded/EmbeddedPostgresError.ts"

export interface EmbeddedPostgresOptions {
  /** The data folder, absolute or relative; the cluster lives in its folder `postgres`. */
  readonly dataDir: string
  /** A fixed port; a free one unless given. */
  readonly port?: number | undefined
  /** Server settings, such as `{ fsync: "off" }` for tests. */
  readonly settings?: Readonly<Record<string, string>> | undefined
}

export interface RunningPostgres {
  /** `postgres://…`, of the database `property_network`, with its password: not for logs. */
  readonly url: string
  readonly port: number
  /** Stops the server before its scope does. Does nothing to a server that another process started. */
  readonly stop: Effect.Effect<void>
}

/**
 * Starts Postgres for as long as the scope lasts, making its cluster the first time.
 *
 * It also ends when this process does, `kill -9` included; the next start waits until it has.
 */
const start = Effect.fn("EmbeddedPostgres.start")(function* (
  options: EmbeddedPostgresOptions
): Effect.fn.Return<RunningPostgres, EmbeddedPostgresError, Scope.Scope> {
  const prepared = yield* attempt(async (signal) => {
    const binaries = await locateBinaries()
    const cluster = await openDataDir(options.dataDir)
    const user = await serverUser(cluster.folder, binaries.postgres)
    await awaitFree(cluster, binaries.pgCtl, signal)
    await ensureCluster({ cluster, binaries, user, durable: options.settings?.["fsync"] !== "off", signal })
    return { binaries, cluster, user }
  })

  const launched = Effect.acquireRelease(
    attempt(() => launch({ ...prepared, port: options.port, settings: options.settings ?? {} })),
    (server) => Effect.promise(server.stop)
  ).pipe(
    Effect.tap((server) => attempt(server.awaitReady).pipe(Effect.onError(() => Effect.promise(server.stop)))),
    // Between finding a free port and listening on it, another program can take it.
    Effect.retry({
      times: options.port === undefined ? 3 : 0,
      while: (error: EmbeddedPostgresError) => error instanceof PortTaken
    })
  )
  const server = yield* launched
  yield* reportDeath(server).pipe(Effect.forkScoped)

  const address = { port: server.port, password: yield* attempt(() => readPassword(prepared.cluster)), database }
  yield* attempt(() => ensureDatabase(prepared.cluster, address)).pipe(
    Effect.onError(() => Effect.promise(server.stop))
  )
  return { url: urlOf(address), port: server.port, stop: Effect.promise(server.stop) }
})

/** The address of the server that another process runs on this data folder. */
const connect = Effect.fn("EmbeddedPostgres.connect")(function* (
  dataDir: string
): Effect.fn.Return<string, EmbeddedPostgresError> {
  const attached = yield* attach(dataDir)
  if (attached !== undefined) return attached.url
  return yield* new EmbeddedPostgresError({
    message: `No database server runs on ${dataDir}: start the service first, or check DATA_DIR`
  })
})

/** Uses the server that another process runs on this data folder, else starts one for the scope. */
const attachOrStart = Effect.fn("EmbeddedPostgres.attachOrStart")(function* (
  options: EmbeddedPostgresOptions
): Effect.fn.Return<RunningPostgres, EmbeddedPostgresError, Scope.Scope> {
  const attached = yield* attach(options.dataDir)
  if (attached !== undefined) return attached
  return yield* start(options).pipe(
    // Two of these at once: one starts it, the other finds the folder taken.
    Effect.catch((error) =>
      Effect.flatMap(attach(options.dataDir), (late) => (late === undefined ? error : Effect.succeed(late)))
    )
  )
})

/** An embedded Postgres: `start` one, `connect` to one that runs, or `attachOrStart`. */
export const EmbeddedPostgres = { start, connect, attachOrStart } as const

const attach = (dataDir: string): Effect.Effect<RunningPostgres | undefined, EmbeddedPostgresError> =>
  attempt(async (signal) => {
    const cluster = await clusterOf(dataDir)
    if ((await findServing(cluster)) === undefined) return undefined
    // The server may be starting, and its first owner about to create the database.
    const address = await poll(
      async () => {
        const server = await findServing(cluster)
        if (server === undefined) return "gone" as const
        if (server.port === undefined || server.status !== "ready") return undefined
        const candidate = { port: server.port, password: await readPassword(cluster), database }
        return (await isConnectable(candidate)) ? candidate : undefined
      },
      { every: 20, within: 10_000, signal }
    )
    if (address === "gone") return undefined
    if (address === undefined) {
      throw new EmbeddedPostgresError({
        message: `The database server of ${dataDir} runs, but accepts no connections (see ${cluster.logFile})`
      })
    }
    return { url: urlOf(address), port: address.port, stop: Effect.void }
  })

/** Starting up, or not yet created; anything else is worth an error. */
const notYet = ["57P03", "3D000"]

const codeOf = (cause: unknown): unknown => (cause instanceof Error && "code" in cause ? cause.code : undefined)

const isConnectable = (address: Address): Promise<boolean> =>
  withClient(address, async () => true).catch((cause) => {
    if (notYet.includes(String(codeOf(cause)))) return false
    throw cause
  })

const ensureDatabase = async (cluster: Cluster, address: Address): Promise<void> => {
  try {
    if (await isConnectable(address)) return
    await withClient({ ...address, database: "postgres" }, (client) => client.query(`create database "${database}"`))
  } catch (cause) {
    if (codeOf(cause) !== "28P01") throw cause
    throw new EmbeddedPostgresError({
      message:
        `The password in ${cluster.passwordFile} is not that of the database in ${cluster.folder}. ` +
        "Restore that file, or choose another DATA_DIR."
    })
  }
}

/** A server that nobody stopped takes the service with it: its last words are what one looks for then. */
const reportDeath = (server: Server): Effect.Effect<void> =>
  Effect.gen(function* () {
    const reason = yield* Effect.promise(() => server.ended)
    if (server.isStopping()) return
    const lines = yield* Effect.promise(() => server.lastLines().catch(() => ""))
    yield* Effect.logError(`The embedded Postgres ended by itself (${reason}). Its last lines:\n${lines}`)
  })
