/** Who serves a cluster now: what `postmaster.pid` says, checked against the process itself. */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { type Cluster, isAlive, readPassword } from "./Cluster.ts"
import { withClient } from "./Client.ts"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"
import { poll } from "./poll.ts"
import { signalServer } from "./Program.ts"

export interface Postmaster {
  readonly pid: number
  /** Unknown for a moment while a server starts. */
  readonly port: number | undefined
  /** `starting`, `ready`, `stopping`: the last line of the file. */
  readonly status: string
  /** The process of ours that started it, as its command line says. */
  readonly owner: number | undefined
  /** Its owner is gone: it is shutting down, or (without a death signal) waits for somebody to tell it so. */
  readonly orphaned: boolean
}

/** The setting by which a server names the process that started it. */
export const ownerSetting = "property_network.owner"

/** The server that serves the cluster, `undefined` when none does. */
export const findPostmaster = async (cluster: Cluster): Promise<Postmaster | undefined> => {
  const file = await readPidFile(cluster)
  if (file === undefined || !isAlive(file.pid)) return undefined
  const known = process.platform === "linux" ? await askProc(cluster, file.pid) : await askServer(cluster, file)
  return known === undefined ? undefined : { ...file, ...known }
}

/** The server that can be attached to, now or in a moment: one that is neither stopping nor an orphan. */
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

/** Reads `postmaster.pid`: line 1 is the process, 4 the port, 8 the status. */
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

/** The id may long belong to another program: only a postgres on this very folder counts. */
const askProc = async (cluster: Cluster, pid: number) => {
  const commandLine = await fs.readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")
  const [program = "", ...args] = commandLine.split("\0")
  if (path.basename(program) !== "postgres" || !args.includes(cluster.folder)) return undefined
  const owner = Number(args.find((arg) => arg.startsWith(`${ownerSetting}=`))?.split("=")[1]) || undefined
  const status = await fs.readFile(`/proc/${pid}/status`, "utf8").catch(() => "")
  const parent = Number(/^PPid:\s*(\d+)/m.exec(status)?.[1])
  return { owner, orphaned: owner !== undefined && parent !== owner }
}

/** Where processes cannot be looked at, the server behind the port answers for itself. */
const askServer = async (cluster: Cluster, file: PidFile) => {
  const { port } = file
  // Younger than its own fourth line: Postgres itself refuses to start a second one.
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
    // "The database system is starting up" or "is shutting down": it is a Postgres, and ours by its password file.
    const unavailable = cause instanceof Error && "code" in cause && cause.code === "57P03"
    return unavailable ? { owner: undefined, orphaned: false } : undefined
  }
}

/**
 * Waits until the cluster is free. A server whose owner was killed, or that is stopping, is awaited; one that a live
 * process still needs fails with that process's id.
 */
export const awaitFree = async (cluster: Cluster, pgCtl: string, signal: AbortSignal): Promise<void> => {
  for (const request of ["SIGINT", "SIGQUIT"] as const) {
    let asked = false
    const free = await poll(
      async () => {
        const server = await findPostmaster(cluster)
        if (server === undefined) return true
        if (isServing(server)) throw inUse(cluster, server)
        if (server.orphaned && !asked) signalServer(server.pid, request, pgCtl)
        asked = true
        return undefined
      },
      { every: 20, within: 6000, signal }
    )
    if (free) return forgetReusedPid(cluster)
  }
  throw new EmbeddedPostgresError({ message: `The previous database server of ${cluster.dataDir} does not stop.` })
}

/** The refusal to serve a folder twice. It names our process, not Postgres's: that is the one to stop. */
export const inUse = (cluster: Cluster, server: Postmaster): EmbeddedPostgresError =>
  new EmbeddedPostgresError({
    message: `${cluster.dataDir} is in use by process ${server.owner ?? server.pid}; stop it or choose another DATA_DIR`
  })

/**
 * Postgres clears a dead server's file itself, with checks that we would lose; but it takes any live process of that id
 * and of its own user for a server, and would never start.
 */
const forgetReusedPid = async (cluster: Cluster): Promise<void> => {
  const file = await readPidFile(cluster)
  if (file !== undefined && isAlive(file.pid) && (await findPostmaster(cluster)) === undefined) {
    await fs.rm(path.join(cluster.folder, "postmaster.pid"), { force: true })
  }
}
