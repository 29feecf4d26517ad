/** Servers with streaming replication, for tests and benches: copies of a stopped cluster, so that nothing has to be copied from a running one. */
import pg from "pg"
import { Effect, type Scope } from "effect"
import { once } from "node:events"
import { openSync } from "node:fs"
import { appendFile, chown, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { locateBinaries, prepareUser, spawnProgram } from "../../src/platform/db/embedded/Programs.ts"
import { clusterOf, database, readPassword, urlOf } from "../../src/platform/db/embedded/Cluster.ts"
import { copyCluster } from "./runFolder.ts"

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  return typeof address === "object" && address !== null ? address.port : freePort()
}

/** A server of the set. */
export interface Server {
  readonly name: string
  readonly port: number
  readonly url: string
  /** The ids of its processes that run. */
  readonly processes: () => Promise<ReadonlyArray<number>>
  /** Runs a statement on a connection of its own. */
  readonly query: <Row extends pg.QueryResultRow>(text: string, values?: ReadonlyArray<unknown>) => Promise<Array<Row>>
  /** Kills it, and starts it again on its data. */
  readonly kill: () => Promise<void>
  readonly start: () => Promise<void>
  /** Stops all of its processes, as a machine does that hangs. */
  readonly freeze: () => Promise<void>
  readonly thaw: () => Promise<void>
  readonly promote: () => Promise<void>
  /** Has a standby follow the server on a port. */
  readonly follow: (port: number) => Promise<void>
}

const settings = {
  fsync: "off",
  full_page_writes: "off",
  wal_keep_size: "1GB",
  max_connections: "200",
  // A standby that does not hear of its primary tries again at once.
  wal_retrieve_retry_interval: "100ms",
  wal_receiver_status_interval: "100ms"
}

/** The processes of a server: the postmaster and its children. */
const processesOf = async (postmaster: number): Promise<ReadonlyArray<number>> => {
  const children = await Promise.all(
    (await readdir("/proc"))
      .filter((name) => /^\d+$/.test(name))
      .map(async (pid) => {
        const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")
        const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1])
        return parent === postmaster ? [Number(pid)] : []
      })
  )
  return [postmaster, ...children.flat()]
}

/** What a server is started from and with. */
export interface Options {
  /** The data folder with the stopped cluster that it is a copy of. */
  readonly source: string
  /** The folder in which it gets its own. */
  readonly parent: string
  /** The server whose standby it is. */
  readonly follows?: Server | undefined
  readonly settings?: Readonly<Record<string, string>>
}

const startServer = async (
  name: string,
  { follows, parent, settings: own = {}, source }: Options
): Promise<Server & { readonly end: () => Promise<void> }> => {
  const programs = await locateBinaries()
  const dataDir = await mkdtemp(join(parent, `${name}-`))
  await copyCluster(source, dataDir)
  const cluster = await clusterOf(dataDir)
  const { user } = await prepareUser(cluster.folder, programs.postgres)
  const password = await readPassword(cluster)
  const port = await freePort()
  const url = urlOf({ port, password, database })
  const ownFile = async (file: string, text: string) => {
    const path = join(cluster.folder, file)
    await writeFile(path, text)
    if (user !== undefined) await chown(path, user.uid, user.gid)
  }
  const conninfo = (of: number) =>
    `primary_conninfo = 'host=127.0.0.1 port=${of} user=postgres password=${password} application_name=${name}'\n`
  if (follows !== undefined) {
    await ownFile("standby.signal", "")
    await appendFile(join(cluster.folder, "postgresql.auto.conf"), conninfo(follows.port))
  }

  const query: Server["query"] = async <Row extends pg.QueryResultRow>(
    text: string,
    values: ReadonlyArray<unknown> = []
  ) => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 })
    client.on("error", () => {})
    try {
      await client.connect()
      return (await client.query<Row>(text, [...values])).rows
    } finally {
      await client.end().catch(() => {})
    }
  }
  let child: ReturnType<typeof spawnProgram> | undefined
  const start = async () => {
    const log = openSync(cluster.logFile, "a")
    const all = {
      ...settings,
      ...own,
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      logging_collector: "off"
    }
    child = spawnProgram(
      programs.postgres,
      [
        "-D",
        cluster.folder,
        "-p",
        String(port),
        ...Object.entries(all).flatMap(([setting, value]) => ["-c", `${setting}=${value}`])
      ],
      { user, cwd: cluster.folder, stdio: ["ignore", log, log] }
    )
    for (let tries = 0; ; tries++) {
      try {
        await query("select 1")
        return
      } catch (cause) {
        if (tries > 300 || child.exitCode !== null) {
          throw new Error(`${name} did not start: ${(await readFile(cluster.logFile, "utf8")).slice(-2000)}`, { cause })
        }
        await sleep(50)
      }
    }
  }
  const signalAll = async (signal: NodeJS.Signals) => {
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    for (const pid of await processesOf(child.pid)) {
      try {
        process.kill(pid, signal)
      } catch {
        // It has ended.
      }
    }
  }
  const kill = async () => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, "exit")
    await signalAll("SIGKILL")
    await exit
  }
  await start()
  return {
    name,
    port,
    url,
    processes: async () => (child?.pid === undefined ? [] : processesOf(child.pid)),
    query,
    start,
    kill,
    freeze: () => signalAll("SIGSTOP"),
    thaw: () => signalAll("SIGCONT"),
    promote: async () => void (await query("select pg_promote()")),
    follow: async (of) => {
      await query(`alter system set ${conninfo(of)}`)
      await query("select pg_reload_conf()")
    },
    end: async () => {
      await kill()
      await rm(dataDir, { recursive: true, force: true })
    }
  }
}

/** Starts a server for the scope: a standby if it `follows` another one. */
export const start = (name: string, options: Options): Effect.Effect<Server, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(() => startServer(name, options)),
    ({ end }) => Effect.promise(end)
  )

/** Waits until a standby has replayed what the primary has written so far. */
export const caughtUp = (primary: Server, standby: Server): Effect.Effect<void> =>
  Effect.promise(async () => {
    const [row] = await primary.query<{ lsn: string }>("select pg_current_wal_flush_lsn()::text as lsn")
    for (let tries = 0; tries < 400; tries++) {
      const [found] = await standby
        .query<{ passed: boolean }>("select pg_last_wal_replay_lsn() >= $1::pg_lsn as passed", [row?.lsn])
        .catch(() => [])
      if (found?.passed === true) return
      await sleep(25)
    }
    throw new Error(`${standby.name} does not catch up`)
  })
