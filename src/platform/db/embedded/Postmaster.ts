/** Finds the process that serves a cluster: `postmaster.pid` names it, and the process itself is checked. */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { type Cluster, isAlive, readPassword } from "./Cluster.ts"
import { withClient } from "./Client.ts"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"
import { signalServer } from "./Program.ts"

export interface Postmaster {
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
export const ownerSetting = "property_network.owner"

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
export const readPidFile = async (cluster: Cluster): Promise<PidFile | undefined> => {
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
export const inUse = (cluster: Cluster, server: Postmaster): EmbeddedPostgresError =>
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
