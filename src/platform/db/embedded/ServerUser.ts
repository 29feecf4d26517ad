/** Chooses the system user that Postgres runs as: it refuses to run as root, so a service started as root uses another user. */
import { execFile } from "node:child_process"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { promisify } from "node:util"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"

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
export interface PreparedUser {
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
export const unshareCommand = ["unshare", "--user", "--map-user=1000", "--map-group=1000"] as const

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
