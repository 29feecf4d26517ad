/** A Postgres primary with a synchronous standby, each on a machine of its own, and what an operator's tool does with them. */
import { Effect } from "effect"
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import * as Files from "./Files.ts"
import type { Machine } from "./Network.ts"

const port = 5432

const debian = "/usr/lib/postgresql"

/** The folder of Postgres' programs: `PG_BIN`, or the newest of Debian's. */
export const binaries = (): string | undefined => {
  const newest = existsSync(debian)
    ? readdirSync(debian)
        .sort((a, b) => Number(a) - Number(b))
        .at(-1)
    : undefined
  const folder = process.env["PG_BIN"] ?? (newest === undefined ? undefined : join(debian, newest, "bin"))
  return folder !== undefined && existsSync(join(folder, "pg_basebackup")) ? folder : undefined
}

const idOf = (option: "-u" | "-g") => Number(execFileSync("id", [option, "postgres"], { encoding: "utf8" }))

/** A process and its children. */
const familyOf = (parent: number): ReadonlyArray<number> => [
  parent,
  ...readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
        return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === parent
      } catch {
        return false
      }
    })
]

/** A Postgres on a machine. Its disk has 400 MB, so that it can be filled. */
export interface Node {
  readonly name: string
  readonly machine: Machine
  readonly url: string
  readonly query: <Row extends pg.QueryResultRow>(text: string) => Promise<Array<Row>>
  readonly start: () => Promise<void>
  /** Sends a signal to all of its processes. */
  readonly signal: (signal: NodeJS.Signals) => void
  /** Ends all of its processes at once, as a loss of power does. */
  readonly kill: () => Promise<void>
  /** Makes it a standby of another node, from a new copy of that one. */
  readonly copyFrom: (primary: Node) => Promise<void>
  readonly fillDisk: () => void
  readonly freeDisk: () => void
}

/** What both have. The server must notice the loss of the other within a second or two, and end sessions that vanished. */
const settings = {
  listen_addresses: "*",
  wal_level: "replica",
  max_connections: "150",
  shared_buffers: "64MB",
  min_wal_size: "32MB",
  max_wal_size: "64MB",
  wal_keep_size: "64MB",
  hot_standby: "on",
  wal_sender_timeout: "3s",
  wal_receiver_timeout: "3s",
  wal_retrieve_retry_interval: "500ms",
  tcp_keepalives_idle: "2",
  tcp_keepalives_interval: "1",
  tcp_keepalives_count: "3"
}

const makeNode = (name: string, machine: Machine, folder: string, bin: string): Node => {
  const data = join(folder, "data")
  const log = join(folder, "log")
  const user = { uid: idOf("-u"), gid: idOf("-g") }
  const url = `postgres://app@${machine.address}:${port}/postgres`
  let postmaster: ChildProcess | undefined

  const on = (program: string, ...args: ReadonlyArray<string>): readonly [string, ReadonlyArray<string>] => {
    const [first = "", ...rest] = [
      ...machine.prefix,
      "setpriv",
      `--reuid=${user.uid}`,
      `--regid=${user.gid}`,
      "--clear-groups",
      join(bin, program),
      ...args
    ]
    return [first, rest]
  }
  const runOn = (program: string, ...args: ReadonlyArray<string>) => {
    const [command, all] = on(program, ...args)
    execFileSync(command, all, { cwd: folder, stdio: ["ignore", "ignore", "pipe"], env: { PATH: process.env["PATH"] } })
  }
  const query: Node["query"] = async <Row extends pg.QueryResultRow>(text: string) => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000, query_timeout: 2000 })
    client.on("error", () => {})
    try {
      await client.connect()
      return (await client.query<Row>(text)).rows
    } finally {
      await client.end().catch(() => {})
    }
  }
  const signal = (which: NodeJS.Signals) => {
    if (postmaster?.pid === undefined || postmaster.exitCode !== null || postmaster.signalCode !== null) return
    for (const pid of familyOf(postmaster.pid)) {
      try {
        process.kill(pid, which)
      } catch {
        // It has ended.
      }
    }
  }
  const kill = async () => {
    if (postmaster === undefined || postmaster.exitCode !== null || postmaster.signalCode !== null) return
    const ended = once(postmaster, "exit")
    signal("SIGKILL")
    await ended
  }
  const start = async () => {
    await kill()
    rmSync(join(data, "postmaster.pid"), { force: true })
    const file = openSync(log, "a")
    const setting = ([key, value]: readonly [string, string]) => ["-c", `${key}=${value}`]
    const [command, args] = on(
      "postgres",
      "-D",
      data,
      "-p",
      String(port),
      ...Object.entries({ ...settings, cluster_name: name, unix_socket_directories: folder }).flatMap(setting)
    )
    postmaster = spawn(command, args, {
      cwd: folder,
      stdio: ["ignore", file, file],
      env: { PATH: process.env["PATH"] }
    })
    for (let tries = 0; tries < 300; tries++) {
      const there = await query("select 1").then(
        () => true,
        () => false
      )
      if (there) return
      await sleep(100)
    }
    throw new Error(`${name} did not start:\n${readFileSync(log, "utf8").slice(-2000)}`)
  }
  const initialize = () => {
    runOn("initdb", "-D", data, "-U", "app", "--auth=trust", "--locale=C.UTF-8", "--encoding=UTF8")
    writeFileSync(
      join(data, "pg_hba.conf"),
      "local all all trust\nhost all all all trust\nhost replication all all trust\n"
    )
  }
  return {
    name,
    machine,
    url,
    query,
    start: async () => {
      if (!existsSync(join(data, "PG_VERSION"))) initialize()
      await start()
    },
    signal,
    kill,
    copyFrom: async (primary) => {
      await kill()
      rmSync(data, { recursive: true, force: true })
      const [command, args] = on(
        "pg_basebackup",
        "-D",
        data,
        "-R",
        "--checkpoint=fast",
        "--wal-method=stream",
        "-d",
        `host=${primary.machine.address} port=${port} user=app application_name=${name} connect_timeout=3`
      )
      const child = spawn(command, args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] })
      const [code] = await once(child, "close")
      if (code !== 0) throw new Error(`${name} could not be copied from ${primary.name}`)
      await start()
    },
    fillDisk: () => Files.fill(folder),
    freeDisk: () => Files.free(folder)
  }
}

/** Both nodes. Who is the primary changes. */
export interface Cluster {
  readonly nodes: readonly [Node, Node]
  readonly primary: () => Node
  readonly standby: () => Node
  /** Whether every commit waits for the standby. */
  readonly setSynchronous: (isSynchronous: boolean) => Promise<void>
  /** Whether the standby streams, and has what was committed so far. */
  readonly isSynchronous: () => Promise<boolean>
  /** Makes the standby the primary. The former one must be at its end. */
  readonly promote: () => Promise<void>
  /** Makes the other node a standby of the primary again, from a new copy, and waits until commits wait for it. */
  readonly rebuild: () => Promise<void>
}

const until = async (what: string, condition: () => Promise<boolean>, seconds = 60) => {
  const end = Date.now() + seconds * 1000
  while (!(await condition().catch(() => false))) {
    if (Date.now() > end) throw new Error(`It took too long: ${what}`)
    await sleep(100)
  }
}

/** Starts the primary and its standby, for the scope. */
export const make = Effect.fnUntraced(function* (machines: readonly [Machine, Machine], bin: string) {
  const node = (name: string, machine: Machine) =>
    Effect.gen(function* () {
      const folder = yield* Files.disk(name, 400, String(idOf("-u")))
      return yield* Effect.acquireRelease(
        Effect.sync(() => makeNode(name, machine, folder, bin)),
        ({ kill }) => Effect.promise(kill)
      )
    })
  const nodes = [yield* node("a", machines[0]), yield* node("b", machines[1])] as const
  let primary: Node = nodes[0]
  const standby = () => (primary === nodes[0] ? nodes[1] : nodes[0])
  const setSynchronous = async (on: boolean) => {
    await primary.query(`alter system set synchronous_standby_names = '${on ? standby().name : ""}'`)
    await primary.query("select pg_reload_conf()")
  }
  const isSynchronous = async () => {
    const rows = await primary.query(
      "select from pg_stat_replication where state = 'streaming' and sync_state = 'sync'"
    )
    return rows.length === 1
  }
  const cluster: Cluster = {
    nodes,
    primary: () => primary,
    standby,
    setSynchronous,
    isSynchronous,
    promote: async () => {
      const next = standby()
      await next.query("select pg_promote(true, 30)")
      primary = next
      await setSynchronous(false)
    },
    rebuild: async () => {
      await standby().copyFrom(primary)
      await setSynchronous(true)
      await until("the standby is synchronous", isSynchronous)
    }
  }
  yield* Effect.promise(async () => {
    await primary.start()
    await cluster.rebuild()
  })
  return cluster
})
