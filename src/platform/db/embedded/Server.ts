/**
 * A server of a cluster: its process, its log and its shutdown; how the one is found that serves a cluster already; and how one is started
 * again that ends by itself.
 */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { once } from "node:events"
import { closeSync, openSync } from "node:fs"
import { createServer } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { type Binaries, EmbeddedPostgresError, type ServerUser, signalServer, spawnProgram } from "./Programs.ts"
import { type Cluster, isAlive, readPassword, withClient } from "./Cluster.ts"
import { Effect, Scope } from "effect"

export interface Server {
  readonly port: number
  /** Resolves with the reason when the process ends, whether or not it was stopped. */
  readonly ended: Promise<string>
  readonly isRunning: () => boolean
  /** Whether `stop` was called. */
  readonly isStopping: () => boolean
  readonly awaitReady: (signal: AbortSignal) => Promise<void>
  /**
   * Fast shutdown (SIGINT): ends the sessions and keeps what is committed. Immediate shutdown (SIGQUIT) after 4 seconds,
   * SIGKILL after 4 more.
   */
  readonly stop: () => Promise<void>
  /** The last lines of its log. */
  readonly lastLines: () => Promise<string>
}

const maxLogBytes = 8 * 1024 * 1024

/** Starts the server, and does not wait until it is ready. */
export const launch = async (options: {
  readonly cluster: Cluster
  readonly binaries: Binaries
  readonly user: ServerUser
  readonly port: number | undefined
  readonly settings: Readonly<Record<string, string>>
}): Promise<Server> => {
  const { binaries, cluster, user } = options
  const port = options.port ?? (await freePort())
  const settings = {
    timezone: "UTC",
    log_timezone: "UTC",
    unix_socket_directories: "",
    ...options.settings,
    listen_addresses: "127.0.0.1",
    logging_collector: "off",
    [ownerSetting]: String(process.pid)
  }
  const log = await openLog(cluster, user)
  const child = spawnProgram(
    binaries.postgres,
    [
      "-D",
      cluster.folder,
      "-p",
      String(port),
      ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])
    ],
    { user, cwd: cluster.folder, stdio: ["ignore", log.descriptor, log.descriptor] }
  )
  closeSync(log.descriptor)

  let running = true
  let stopping = false
  const ended = new Promise<string>((resolve) => {
    child.once("error", (cause) => resolve(cause.message))
    child.once("exit", (code, signal) => resolve(signal === null ? `exit code ${code}` : signal))
  }).finally(() => {
    running = false
    process.removeListener("exit", stopOnExit)
  })
  const send = (signal: NodeJS.Signals) => {
    if (running && child.pid !== undefined) signalServer(child.pid, signal, binaries.pgCtl)
  }
  // process.exit() runs no finalizers. On Linux the parent-death signal stops the server even then; elsewhere only this
  // handler does.
  const stopOnExit = () => send("SIGINT")
  process.once("exit", stopOnExit)

  const lastLines = () => readLastLines(cluster.logFile, log.startOffset)

  return {
    port,
    ended,
    isRunning: () => running,
    isStopping: () => stopping,
    lastLines,
    awaitReady: async (signal) => {
      const ready = await poll(
        async () => {
          if (!running) throw await startFailure(cluster, port, await lastLines())
          const file = await readPidFile(cluster)
          return file?.pid === child.pid && file?.status === "ready" ? true : undefined
        },
        // Recovery after a crash can take a long time.
        { every: 10, within: 120_000, signal }
      )
      if (ready === undefined) throw await startFailure(cluster, port, await lastLines())
    },
    stop: async () => {
      stopping = true
      for (const signal of ["SIGINT", "SIGQUIT", "SIGKILL"] as const) {
        if (!running) return
        send(signal)
        const timeout = new AbortController()
        await Promise.race([ended, sleep(4000, undefined, { signal: timeout.signal }).catch(() => {})])
        timeout.abort()
      }
    }
  }
}

/** The server did not start because another program uses its port. A free port can be taken before the server binds it. */
export class PortTaken extends EmbeddedPostgresError {}

/** The server did not start because sessions of the previous one, which was killed, still run. */
export class SessionsLeft extends EmbeddedPostgresError {}

const startFailure = async (cluster: Cluster, port: number, log: string): Promise<EmbeddedPostgresError> => {
  const other = await findServing(cluster)
  if (other !== undefined) return inUse(cluster, other)
  if (/could not bind IPv4 address/.test(log)) {
    return new PortTaken({ message: `Port ${port} of 127.0.0.1 is in use by another program.` })
  }
  if (/pre-existing shared memory block .* is still in use/.test(log)) {
    return new SessionsLeft({ message: `Sessions of the previous database server of ${cluster.dataDir} still run.` })
  }
  const reason = log.split("\n").findLast((line) => /\b(?:FATAL|PANIC):/.test(line)) ?? log
  return new EmbeddedPostgresError({
    message: `Postgres did not start in ${cluster.folder}: ${reason.trim() || "its log is empty"} (see ${cluster.logFile})`
  })
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  return typeof address === "object" && address !== null ? address.port : freePort()
}

const openLog = async ({ logFile }: Cluster, user: ServerUser) => {
  const size = await fs.stat(logFile).then(
    (stat) => stat.size,
    () => 0
  )
  if (size > maxLogBytes) await fs.truncate(logFile)
  const descriptor = openSync(logFile, "a", 0o600)
  // Next time the owner of the cluster may start the service without root, and must be able to write to this log.
  if (user !== undefined) await fs.chown(logFile, user.uid, user.gid)
  return { descriptor, startOffset: size > maxLogBytes ? 0 : size }
}

const readLastLines = async (file: string, startOffset: number): Promise<string> => {
  const handle = await fs.open(file, "r")
  try {
    const { size } = await handle.stat()
    const from = Math.max(startOffset, size - 4096)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - from), 0, size - from, from)
    return buffer.toString("utf8", 0, bytesRead).trim().split("\n").slice(-10).join("\n")
  } finally {
    await handle.close()
  }
}

// Finds the process that serves a cluster: `postmaster.pid` names it, and the process itself is checked.

interface Postmaster {
  readonly pid: number
  /** Unknown for a moment while a server starts. */
  readonly port: number | undefined
  /** `starting`, `ready`, `stopping`: the last line of the file. */
  readonly status: string
  /** The process of this service that started it, from its command line. */
  readonly owner: number | undefined
  /** Whether its owner has ended. The server then shuts down, or must be stopped where there is no death signal. */
  readonly orphaned: boolean
}

/** The server setting that names the process that started the server. */
const ownerSetting = "property_network.owner"

/** The server of the cluster; `undefined` when none is running. */
const findPostmaster = async (cluster: Cluster): Promise<Postmaster | undefined> => {
  const file = await readPidFile(cluster)
  if (file === undefined || !isAlive(file.pid)) return undefined
  const details =
    process.platform === "linux" ? await inspectProcess(cluster, file.pid) : await queryServer(cluster, file)
  return details === undefined ? undefined : { ...file, ...details }
}

/** The server if one can attach to it, now or in a moment: it is neither stopping nor an orphan. */
export const findServing = async (cluster: Cluster): Promise<Postmaster | undefined> => {
  const server = await findPostmaster(cluster)
  return server !== undefined && isServing(server) ? server : undefined
}

const isServing = (server: Postmaster): boolean => !server.orphaned && server.status !== "stopping"

interface PidFile {
  readonly pid: number
  readonly port: number | undefined
  readonly status: string
}

/** Reads `postmaster.pid`: line 1 is the process id, 4 the port, 8 the status. */
const readPidFile = async (cluster: Cluster): Promise<PidFile | undefined> => {
  const text = await fs.readFile(path.join(cluster.folder, "postmaster.pid"), "utf8").catch((cause) => {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return ""
    throw cause
  })
  const lines = text.split("\n")
  const pid = Number(lines[0])
  if (!(pid > 0)) return undefined
  return { pid, port: Number(lines[3]) || undefined, status: lines[7]?.trim() ?? "starting" }
}

/** The process id may have been reused by another program: only a postgres on this folder counts. */
const inspectProcess = async (cluster: Cluster, pid: number) => {
  const commandLine = await fs.readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")
  const [program = "", ...args] = commandLine.split("\0")
  if (path.basename(program) !== "postgres" || !args.includes(cluster.folder)) return undefined
  const owner = Number(args.find((arg) => arg.startsWith(`${ownerSetting}=`))?.split("=")[1]) || undefined
  const status = await fs.readFile(`/proc/${pid}/status`, "utf8").catch(() => "")
  const parent = Number(/^PPid:\s*(\d+)/m.exec(status)?.[1])
  return { owner, orphaned: owner !== undefined && parent !== owner }
}

/** Where /proc does not exist, queries the server behind the port. */
const queryServer = async (cluster: Cluster, file: PidFile) => {
  const { port } = file
  // The server has not written its port yet. Postgres itself refuses to start a second one.
  if (port === undefined) return { owner: undefined, orphaned: false }
  try {
    const password = await readPassword(cluster)
    const row = await withClient({ port, password, database: "postgres" }, async (client) => {
      const result = await client.query<{ folder: string; owner: string | null }>(
        `select current_setting('data_directory') as folder, current_setting('${ownerSetting}', true) as owner`
      )
      return result.rows[0]
    })
    if (row === undefined || path.resolve(row.folder) !== cluster.folder) return undefined
    const owner = Number(row.owner) || undefined
    return { owner, orphaned: owner !== undefined && !isAlive(owner) }
  } catch (cause) {
    // "The database system is starting up" or "is shutting down": it is the Postgres of this password file.
    const unavailable = cause instanceof Error && "code" in cause && cause.code === "57P03"
    return unavailable ? { owner: undefined, orphaned: false } : undefined
  }
}

/**
 * Waits for the end of a server whose owner was killed, or that is stopping. Fails with the id of the owner if the
 * server of a live process uses the cluster.
 */
export const awaitFree = async (cluster: Cluster, pgCtl: string, signal: AbortSignal): Promise<void> => {
  for (const request of ["SIGINT", "SIGQUIT"] as const) {
    let signalled = false
    const free = await poll(
      async () => {
        const server = await findPostmaster(cluster)
        if (server === undefined) return true
        if (isServing(server)) throw inUse(cluster, server)
        if (server.orphaned && !signalled) signalServer(server.pid, request, pgCtl)
        signalled = true
        return undefined
      },
      { every: 20, within: 6000, signal }
    )
    if (free) return removeStalePidFile(cluster)
  }
  throw new EmbeddedPostgresError({ message: `The previous database server of ${cluster.dataDir} does not stop.` })
}

/**
 * The error for a data folder that is in use. It names the process of the service and not the server's: that is the one
 * to stop.
 */
const inUse = (cluster: Cluster, server: Postmaster): EmbeddedPostgresError =>
  new EmbeddedPostgresError({
    message: `${cluster.dataDir} is in use by process ${server.owner ?? server.pid}; stop it or choose another DATA_DIR`
  })

/**
 * Postgres removes the file of a dead server itself, with checks of its own. But it mistakes any live process of that
 * id and of its own user for a server, and would never start: only that case is handled here.
 */
const removeStalePidFile = async (cluster: Cluster): Promise<void> => {
  const file = await readPidFile(cluster)
  if (file !== undefined && isAlive(file.pid) && (await findPostmaster(cluster)) === undefined) {
    await fs.rm(path.join(cluster.folder, "postmaster.pid"), { force: true })
  }
}

/**
 * Calls `check` every `every` milliseconds until it returns a value, and returns that; `undefined` after `within`
 * milliseconds.
 *
 * It uses the machine's clock and not Effect's, because it waits for other processes, which a test's clock does not
 * move.
 */
export const poll = async <A>(
  check: () => A | undefined | Promise<A | undefined>,
  options: { readonly every: number; readonly within: number; readonly signal: AbortSignal }
): Promise<A | undefined> => {
  const deadline = performance.now() + options.within
  while (true) {
    const value = await check()
    if (value !== undefined || performance.now() >= deadline) return value
    await sleep(options.every, undefined, { signal: options.signal })
  }
}

// Keeps a server running: one that ends by itself, by a kill or a crash, is started again on the same port.

/** After so many starts in a row that failed, the server counts as lost. */
const maxFailedStarts = 2

/** A server that ends by itself sooner after it was started again, in milliseconds, counts as one that failed to start. */
const settledMillis = 10_000

const pause = "1 second"

/** A server that is started again when it ends by itself. */
interface KeptServer {
  /** Stops it for good. */
  readonly stop: Effect.Effect<void>
  /** Starts the server again whenever it ends by itself. Never succeeds; fails when that failed twice in a row. */
  readonly keepRunning: Effect.Effect<never, EmbeddedPostgresError>
}

const lastLines = (server: Server) => Effect.promise(() => server.lastLines().catch(() => ""))

/** Of `first`, in whose place `startAgain` starts others, which also stop with the scope. */
export const makeKeptServer = Effect.fnUntraced(function* (
  first: Server,
  startAgain: Effect.Effect<Server, EmbeddedPostgresError, Scope.Scope>
): Effect.fn.Return<KeptServer, never, Scope.Scope> {
  const scope = yield* Effect.scope
  let server = first
  let isStopping = false

  /** Starts a server in place of the one that ended, after `failed` starts in a row that failed, the last of them for `reason`. */
  const replace = (failed: number, reason: string): Effect.Effect<number, EmbeddedPostgresError> => {
    if (failed >= maxFailedStarts) {
      return Effect.fail(
        new EmbeddedPostgresError({
          message: `The embedded Postgres ended by itself and could not be started again: ${reason}`
        })
      )
    }
    return Effect.sleep(failed === 0 ? 0 : pause).pipe(
      Effect.andThen(Scope.provide(startAgain, scope)),
      Effect.map((started) => {
        server = started
        return failed
      }),
      Effect.catch(({ message }) =>
        Effect.andThen(
          Effect.logError(`The embedded Postgres could not be started again: ${message}`),
          replace(failed + 1, message)
        )
      )
    )
  }

  const keepRunning = Effect.gen(function* () {
    let failed = 0
    let startedAt = -Infinity
    for (;;) {
      const reason = yield* Effect.promise(() => server.ended)
      if (server.isStopping()) return yield* Effect.never
      const lines = yield* lastLines(server)
      yield* Effect.logError(
        `The embedded Postgres ended by itself (${reason}) and is started again. Its last lines:\n${lines}`
      )
      failed = yield* replace(performance.now() - startedAt < settledMillis ? failed + 1 : 0, reason)
      startedAt = performance.now()
      if (isStopping) yield* Effect.promise(server.stop)
      else yield* Effect.logWarning("The embedded Postgres runs again.")
    }
  })

  return {
    stop: Effect.suspend(() => {
      isStopping = true
      return Effect.promise(server.stop)
    }),
    keepRunning
  }
})
