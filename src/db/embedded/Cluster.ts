/** The files of the embedded Postgres in a data folder: the cluster, its password and its log. */
import { randomBytes } from "node:crypto"
import { execFile } from "node:child_process"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { promisify } from "node:util"
import type { Binaries } from "./Binaries.ts"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"
import { spawnProgram } from "./Program.ts"
import type { ServerUser } from "./ServerUser.ts"

export interface Cluster {
  /** The data folder as it was given, for messages. */
  readonly dataDir: string
  /** Absolute and without symbolic links, so that two names of one folder are one cluster. */
  readonly folder: string
  readonly passwordFile: string
  readonly logFile: string
}

export const superuser = "postgres"

export const database = "property_network"

const is =
  (code: string) =>
  (cause: unknown): boolean =>
    cause instanceof Error && "code" in cause && cause.code === code

const statIfThere = (file: string) =>
  fs.stat(file).catch((cause) => {
    if (is("ENOENT")(cause)) return undefined
    throw cause
  })

/** The cluster of a data folder, whether or not either exists. */
export const clusterOf = async (dataDir: string): Promise<Cluster> => {
  const root = await fs.realpath(dataDir).catch(() => path.resolve(dataDir))
  return {
    dataDir,
    folder: path.join(root, "postgres"),
    passwordFile: path.join(root, "postgres.password"),
    logFile: path.join(root, "postgres.log")
  }
}

/** Makes the data folder, and lets the server's user through it. */
export const openDataDir = async (dataDir: string): Promise<Cluster> => {
  await fs.mkdir(dataDir, { recursive: true, mode: 0o711 })
  return clusterOf(dataDir)
}

interface Making {
  readonly cluster: Cluster
  readonly binaries: Binaries
  readonly user: ServerUser
  /** Whether the new files must outlive a power cut: it costs a moment. */
  readonly durable: boolean
  readonly signal: AbortSignal
}

/** Makes the cluster when there is none, and gives the server's user what the server needs. */
export const ensureCluster = async (making: Making): Promise<void> => {
  const { cluster, user } = making
  await removeHalfMade(cluster)
  const made = await statIfThere(path.join(cluster.folder, "PG_VERSION"))
  if (made === undefined) {
    await ensurePassword(cluster, user)
    return createCluster(making)
  }
  if ((await statIfThere(cluster.passwordFile)) === undefined) {
    throw new EmbeddedPostgresError({
      message:
        `The database in ${cluster.folder} is there, but not its password in ${cluster.passwordFile}. ` +
        "Restore that file, or choose another DATA_DIR."
    })
  }
  if (user !== undefined && made.uid !== user.uid) {
    await promisify(execFile)("chown", ["-R", `${user.uid}:${user.gid}`, cluster.folder])
  }
}

/** Reads the password of the superuser. */
export const readPassword = async (cluster: Cluster): Promise<string> => {
  const password = (await fs.readFile(cluster.passwordFile, "utf8")).trim()
  if (password !== "") return password
  throw new EmbeddedPostgresError({
    message: `${cluster.passwordFile} is empty: it must hold the database's password.`
  })
}

/** Drafts of this process, which may share its id with a dead one: in a container ids start over. */
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
    // A link never replaces: of two processes that start at once both go on with the same password.
    await fs.link(draft, cluster.passwordFile).catch((cause) => {
      if (!is("EEXIST")(cause)) throw cause
    })
  } finally {
    await fs.rm(draft, { force: true })
  }
}

/** Made elsewhere and renamed: a kill in the middle leaves nothing that looks like a cluster. */
const createCluster = async (making: Making): Promise<void> => {
  const { cluster, user } = making
  const draft = draftOf(`${cluster.folder}.new`)
  await fs.mkdir(draft, { mode: 0o700 })
  try {
    if (user !== undefined) await fs.chown(draft, user.uid, user.gid)
    await initdb(draft, making)
    await fs.rename(draft, cluster.folder).catch((cause) => {
      // Another process was faster. Its cluster has our password: `ensurePassword` saw to that.
      if (!is("ENOTEMPTY")(cause) && !is("EEXIST")(cause)) throw cause
    })
  } finally {
    await fs.rm(draft, { recursive: true, force: true })
  }
}

/** macOS and Windows have no C.UTF-8 of their own; Postgres's built-in one serves there. */
const locale =
  process.platform === "linux"
    ? ["--locale=C.UTF-8"]
    : ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]

const initdb = (draft: string, { binaries, cluster, durable, signal, user }: Making) =>
  new Promise<void>((resolve, reject) => {
    const fail = (why: string) =>
      reject(new EmbeddedPostgresError({ message: `Postgres could not make a database in ${cluster.folder}: ${why}` }))
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

/** Removes the drafts whose maker is gone. */
const removeHalfMade = async (cluster: Cluster): Promise<void> => {
  const root = path.dirname(cluster.folder)
  for (const name of await fs.readdir(root)) {
    const maker = /^postgres\.(?:new|password)-(\d+)-[0-9a-f]{8}$/.exec(name)?.[1]
    if (maker === undefined) continue
    const draft = path.join(root, name)
    const wanted = Number(maker) === process.pid ? drafts.has(draft) : isAlive(Number(maker))
    if (!wanted) await fs.rm(draft, { recursive: true, force: true })
  }
}

/** Whether a process of that id exists, whoever's it is. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return is("EPERM")(cause)
  }
}
