/**
 * A Postgres that comes with the service: nothing to install, all data in one folder, and it ends with this process.
 */
import { awaitFree, findServing, launch, makeKeptServer, poll, PortTaken, SessionsLeft } from "./Server.ts"
import { Effect, Schedule, type Scope } from "effect"
import { attempt, type Binaries, EmbeddedPostgresError, locateBinaries, prepareUser } from "./Programs.ts"
import {
  type Address,
  type Cluster,
  clusterOf,
  database,
  ensureCluster,
  openDataDir,
  readPassword,
  urlOf,
  withClient
} from "./Cluster.ts"
import { onWallClock } from "../../Time.ts"

export { EmbeddedPostgresError } from "./Programs.ts"

export interface EmbeddedPostgresOptions {
  /** The data folder, absolute or relative; the cluster lives in its folder `postgres`. */
  readonly dataDir: string
  /** The port; defaults to a free one. */
  readonly port?: number | undefined
  /** Server settings, such as `{ fsync: "off" }` for tests. */
  readonly settings?: Readonly<Record<string, string>> | undefined
  /** Postgres's programs; defaults to those that come with the service. */
  readonly binaries?: Binaries | undefined
}

export interface RunningPostgres {
  /** `postgres://…`, of the database `property_network`, with its password: not for logs. */
  readonly url: string
  readonly port: number
  /** Stops the server before its scope does. Has no effect on a server that another process started. */
  readonly stop: Effect.Effect<void>
  /**
   * Starts the server again on its port whenever it ends by itself. Fails when that failed twice in a row. It does nothing for a
   * server that another process started, and never succeeds.
   */
  readonly keepRunning: Effect.Effect<never, EmbeddedPostgresError>
  /** What the start changed on this machine so that root can run it, for the operator; empty for every other user. */
  readonly changes: ReadonlyArray<string>
}

// A statement that runs while the server is killed ends only with it, at the latest at its timeout of 10 seconds.
const sessionsEnd = { schedule: Schedule.spaced("200 millis"), times: 75 } as const

/**
 * Starts Postgres for as long as the scope lasts, and creates its cluster the first time.
 *
 * The server also ends when this process does, `kill -9` included; the next start waits for its end.
 */
const start = Effect.fn("EmbeddedPostgres.start")(function* (
  options: EmbeddedPostgresOptions
): Effect.fn.Return<RunningPostgres, EmbeddedPostgresError, Scope.Scope> {
  const prepared = yield* attempt(async (signal) => {
    const binaries = options.binaries ?? (await locateBinaries())
    const cluster = await openDataDir(options.dataDir)
    const { changes, user } = await prepareUser(cluster.folder, binaries.postgres)
    await awaitFree(cluster, binaries.pgCtl, signal)
    await ensureCluster({ cluster, binaries, user, durable: options.settings?.["fsync"] !== "off", signal })
    return { binaries, changes, cluster, user }
  })

  const launchOn = (port: number | undefined) =>
    Effect.acquireRelease(
      attempt(() => launch({ ...prepared, port, settings: options.settings ?? {} })),
      (server) => Effect.promise(server.stop)
    ).pipe(Effect.tap((server) => attempt(server.awaitReady).pipe(Effect.onError(() => Effect.promise(server.stop)))))
  const server = yield* launchOn(options.port).pipe(
    // Another program can take the free port before Postgres listens on it.
    Effect.retry({
      times: options.port === undefined ? 3 : 0,
      while: (error: EmbeddedPostgresError) => error instanceof PortTaken
    })
  )
  const address = { port: server.port, password: yield* attempt(() => readPassword(prepared.cluster)), database }
  yield* attempt(() => ensureDatabase(prepared.cluster, address)).pipe(
    Effect.onError(() => Effect.promise(server.stop))
  )

  const { keepRunning, stop } = yield* makeKeptServer(
    server,
    attempt((signal) => awaitFree(prepared.cluster, prepared.binaries.pgCtl, signal)).pipe(
      Effect.andThen(launchOn(server.port)),
      Effect.retry({ ...sessionsEnd, while: (error: EmbeddedPostgresError) => error instanceof SessionsLeft })
    )
  )
  return {
    url: urlOf(address),
    port: server.port,
    stop,
    keepRunning: onWallClock(keepRunning),
    changes: prepared.changes
  }
})

/** The URL of the server that another process runs on this data folder. */
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
    // Of two concurrent processes, one starts the server, and the other finds the folder in use.
    Effect.catch((error) =>
      Effect.flatMap(attach(options.dataDir), (late) => (late === undefined ? error : Effect.succeed(late)))
    )
  )
})

/** An embedded Postgres: `start` one, `connect` to a running one, or `attachOrStart`. */
export const EmbeddedPostgres = { start, connect, attachOrStart } as const

const attach = (dataDir: string): Effect.Effect<RunningPostgres | undefined, EmbeddedPostgresError> =>
  attempt(async (signal) => {
    const cluster = await clusterOf(dataDir)
    if ((await findServing(cluster)) === undefined) return undefined
    // The server may be starting, or its owner about to create the database.
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
    return { url: urlOf(address), port: address.port, stop: Effect.void, keepRunning: Effect.never, changes: [] }
  })

/** The server is starting, or the database is not created yet; any other state is an error. */
const notReadyStates = ["57P03", "3D000"]

const codeOf = (cause: unknown): unknown => (cause instanceof Error && "code" in cause ? cause.code : undefined)

const isConnectable = (address: Address): Promise<boolean> =>
  withClient(address, async () => true).catch((cause) => {
    if (notReadyStates.includes(String(codeOf(cause)))) return false
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
