/** A running Postgres server: its process, its log and its shutdown. */
import * as fs from "node:fs/promises"
import { once } from "node:events"
import { closeSync, openSync } from "node:fs"
import { createServer } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import type { Binaries } from "./Binaries.ts"
import type { Cluster } from "./Cluster.ts"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"
import { findServing, inUse, ownerSetting, poll, readPidFile } from "./Postmaster.ts"
import { signalServer, spawnProgram } from "./Program.ts"
import type { ServerUser } from "./ServerUser.ts"

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
    ...options.settings,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
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
