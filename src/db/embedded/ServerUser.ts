/** The system user that Postgres runs as: it refuses to run as root, so that root starts it as another user. */
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
      /** Whether it is root in a separate user namespace (see {@link disguised}). */
      readonly disguised?: true
    }
  | undefined

/** The user that the server runs as, and what had to be changed on this machine for it. */
export interface PreparedUser {
  readonly user: ServerUser
  /** For the operator, such as `created the system user "postgres"`. */
  readonly changes: ReadonlyArray<string>
}

/**
 * Root in a separate user namespace, in which it has another number: Postgres can read the files of root, does not notice
 * that it runs as root, and has none of its privileges.
 */
const disguised: ServerUser = { uid: 0, gid: 0, disguised: true }

/** The command that runs a program as root in disguise. */
export const disguise = ["unshare", "--user", "--map-user=1000", "--map-group=1000"] as const

/**
 * Chooses the user of the server, and makes the data folder passable for it. As root that is the owner of an existing
 * cluster (which an ordinary user may have made), else the user `postgres`, which is created when absent. Where a
 * folder on the way is closed to that user, it is root in disguise, if the kernel allows that.
 */
export const prepareUser = async (cluster: string, program: string): Promise<PreparedUser> => {
  if (process.getuid?.() !== 0) return { user: undefined, changes: [] }
  const changes: Array<string> = []
  const owner = await fs.stat(cluster).catch(() => undefined)
  const ownerUser = owner !== undefined && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : undefined
  const existing = ownerUser ?? (await findUser())
  const user = existing ?? (await createUser())
  if (existing === undefined) changes.push('created the system user "postgres"')
  changes.push(...(await makePassable(path.dirname(cluster))))
  try {
    await assertReachable(cluster, user)
    await assertReachable(program, user)
    return { user, changes }
  } catch (cause) {
    const [command, ...args] = disguise
    return await run(command, [...args, "true"]).then(
      () => ({ user: disguised, changes }),
      () => Promise.reject(cause)
    )
  }
}

const octal = (mode: number): string => (mode & 0o7777).toString(8).padStart(4, "0")

/** Lets other users pass through a folder without listing it. Returns the change, if one was necessary. */
const makePassable = async (folder: string): Promise<ReadonlyArray<string>> => {
  const { mode } = await fs.stat(folder)
  if ((mode & 0o001) !== 0) return []
  await fs.chmod(folder, mode | 0o011)
  return [`let other users pass through ${folder} (mode ${octal(mode | 0o011)}, it was ${octal(mode)})`]
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

/** Fails with the name of the first folder on the way to `target` that is closed to `user`. */
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
        `Postgres cannot reach ${target}: started by root it runs as another user (uid ${user.uid}), to whom ` +
        `the folder ${folder} is closed (mode ${octal(mode)}). Run the service as an ` +
        `ordinary user, move it to an open folder, run chmod a+x ${folder}, or set DATABASE_URL.`
    })
  }
}
