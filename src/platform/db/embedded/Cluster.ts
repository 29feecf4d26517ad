/** The files of the embedded Postgres in a data folder: the cluster, its password and its log. */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { randomBytes } from "node:crypto"
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { type Binaries, EmbeddedPostgresError, type ServerUser, spawnProgram } from "./Programs.ts"
import { Client } from "pg"

export interface Cluster {
  /** The data folder as the settings have it, for messages. */
  readonly dataDir: string
  /** Absolute and without symbolic links, so that two paths to one folder are one cluster. */
  readonly folder: string
  readonly passwordFile: string
  readonly logFile: string
}

const superuser = "postgres"

export const database = "property_network"

const hasCode =
  (code: string) =>
  (cause: unknown): boolean =>
    cause instanceof Error && "code" in cause && cause.code === code

const statIfExists = (file: string) =>
  fs.stat(file).catch((cause) => {
    if (hasCode("ENOENT")(cause)) return undefined
    throw cause
  })

/** The cluster of a data folder. Neither has to exist. */
export const clusterOf = async (dataDir: string): Promise<Cluster> => {
  const root = await fs.realpath(dataDir).catch(() => path.resolve(dataDir))
  return {
    dataDir,
    folder: path.join(root, "postgres"),
    passwordFile: path.join(root, "postgres.password"),
    logFile: path.join(root, "postgres.log")
  }
}

/** Creates the data folder if necessary, with a mode that lets the server's user traverse it. */
export const openDataDir = async (dataDir: string): Promise<Cluster> => {
  await fs.mkdir(dataDir, { recursive: true, mode: 0o711 })
  return clusterOf(dataDir)
}

interface ClusterOptions {
  readonly cluster: Cluster
  readonly binaries: Binaries
  readonly user: ServerUser
  /** Whether initdb syncs the new files to disk. */
  readonly durable: boolean
  readonly signal: AbortSignal
}

/** Creates the cluster if there is none, and makes its files belong to the server's user. */
export const ensureCluster = async (options: ClusterOptions): Promise<void> => {
  const { cluster, user } = options
  await removeAbandonedDrafts(cluster)
  const existing = await statIfExists(path.join(cluster.folder, "PG_VERSION"))
  if (existing === undefined) {
    await ensurePassword(cluster, user)
    return createCluster(options)
  }
  if ((await statIfExists(cluster.passwordFile)) === undefined) {
    throw new EmbeddedPostgresError({
      message:
        `The database in ${cluster.folder} exists, but not its password in ${cluster.passwordFile}. ` +
        "Restore that file, or choose another DATA_DIR."
    })
  }
  if (user !== undefined && existing.uid !== user.uid) {
    await promisify(execFile)("chown", ["-R", `${user.uid}:${user.gid}`, cluster.folder])
  }
}

/** Reads the password of the superuser. */
export const readPassword = async (cluster: Cluster): Promise<string> => {
  const password = (await fs.readFile(cluster.passwordFile, "utf8")).trim()
  if (password !== "") return password
  throw new EmbeddedPostgresError({
    message: `${cluster.passwordFile} is empty: it must contain the database's password.`
  })
}

/**
 * The drafts of this process. Its id does not identify them, since a dead process may have had the same id: in a container,
 * ids start over.
 */
const drafts = new Set<string>()

const draftOf = (file: string): string => {
  const draft = `${file}-${process.pid}-${randomBytes(4).toString("hex")}`
  drafts.add(draft)
  return draft
}

const ensurePassword = async (cluster: Cluster, user: ServerUser): Promise<void> => {
  const draft = draftOf(cluster.passwordFile)
  try {
    await fs.writeFile(draft, randomBytes(24).toString("base64url") + "\n", { mode: 0o600, flag: "wx" })
    if (user !== undefined) await fs.chown(draft, user.uid, user.gid)
    // A link never replaces a file: two processes that start at the same time get the same password.
    await fs.link(draft, cluster.passwordFile).catch((cause) => {
      if (!hasCode("EEXIST")(cause)) throw cause
    })
  } finally {
    await fs.rm(draft, { force: true })
  }
}

/**
 * Creates the cluster under another name and renames it, so that a kill in the middle leaves nothing that looks like a
 * cluster.
 */
const createCluster = async (options: ClusterOptions): Promise<void> => {
  const { cluster, user } = options
  const draft = draftOf(`${cluster.folder}.new`)
  await fs.mkdir(draft, { mode: 0o700 })
  try {
    if (user !== undefined) await fs.chown(draft, user.uid, user.gid)
    await initdb(draft, options)
    await fs.rename(draft, cluster.folder).catch((cause) => {
      // Another process was faster. Its cluster has the same password (see `ensurePassword`).
      if (!hasCode("ENOTEMPTY")(cause) && !hasCode("EEXIST")(cause)) throw cause
    })
  } finally {
    await fs.rm(draft, { recursive: true, force: true })
  }
}

/** macOS and Windows have no C.UTF-8, so Postgres's built-in locale is used there. */
const locale =
  process.platform === "linux"
    ? ["--locale=C.UTF-8"]
    : ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]

const initdb = (draft: string, { binaries, cluster, durable, signal, user }: ClusterOptions) =>
  new Promise<void>((resolve, reject) => {
    const fail = (reason: string) =>
      reject(
        new EmbeddedPostgresError({ message: `Postgres could not create a database in ${cluster.folder}: ${reason}` })
      )
    const child = spawnProgram(
      binaries.initdb,
      [
        `--pgdata=${draft}`,
        `--username=${superuser}`,
        `--pwfile=${cluster.passwordFile}`,
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        ...locale,
        "--no-instructions",
        ...(durable ? [] : ["--no-sync"])
      ],
      { user, cwd: draft, stdio: ["ignore", "ignore", "pipe"] }
    )
    const stop = () => child.kill("SIGINT")
    signal.addEventListener("abort", stop, { once: true })
    let output = ""
    child.stderr?.setEncoding("utf8").on("data", (chunk: string) => (output += chunk))
    child.once("error", (cause) => fail(cause.message))
    child.once("close", (code, killedBy) => {
      signal.removeEventListener("abort", stop)
      if (code === 0) resolve()
      else fail(output.trim() || `initdb ended with ${code ?? killedBy}`)
    })
  })

/** Removes the drafts of processes that have ended. */
const removeAbandonedDrafts = async (cluster: Cluster): Promise<void> => {
  const root = path.dirname(cluster.folder)
  for (const name of await fs.readdir(root)) {
    const pid = /^postgres\.(?:new|password)-(\d+)-[0-9a-f]{8}$/.exec(name)?.[1]
    if (pid === undefined) continue
    const draft = path.join(root, name)
    const isInUse = Number(pid) === process.pid ? drafts.has(draft) : isAlive(Number(pid))
    if (!isInUse) await fs.rm(draft, { recursive: true, force: true })
  }
}

/** Whether a process of that id exists, of any user. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return hasCode("EPERM")(cause)
  }
}

// Short-lived connections to the embedded server, through `pg`.

export interface Address {
  readonly port: number
  readonly password: string
  readonly database: string
}

/** The URL of an address. The password is base64url, so nothing needs escaping. */
export const urlOf = ({ database, password, port }: Address): string =>
  `postgres://${superuser}:${password}@127.0.0.1:${port}/${database}`

/** Connects, runs `use`, and disconnects in every case. */
export const withClient = async <A>(address: Address, use: (client: Client) => Promise<A>): Promise<A> => {
  const client = new Client({ connectionString: urlOf(address), connectionTimeoutMillis: 5000 })
  // A server that ends meanwhile fails the query. Without a listener the event would also end the process.
  client.on("error", () => {})
  try {
    await client.connect()
    return await use(client)
  } finally {
    await client.end().catch(() => {})
  }
}
