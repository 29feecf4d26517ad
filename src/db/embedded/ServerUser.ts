/** Whom Postgres runs as: it refuses to run as root, so that root hands it to another user. */
import { execFile } from "node:child_process"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { promisify } from "node:util"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"

const run = promisify(execFile)

/** `undefined` where Postgres runs as the user we are. */
export type ServerUser =
  | {
      readonly uid: number
      readonly gid: number
      /** Whether it is root, who is shown to Postgres as somebody else (see {@link disguised}). */
      readonly disguised?: true
    }
  | undefined

/**
 * Root in a user namespace of its own, where root has another number: what root alone can reach, Postgres can too, and
 * it does not see that it runs as root (nor has it any of root's power there).
 */
const disguised: ServerUser = { uid: 0, gid: 0, disguised: true }

/** The command that disguises root. */
export const disguise = ["unshare", "--user", "--map-user=1000", "--map-group=1000"] as const

/**
 * As root: the owner of an existing cluster (it may have been made when the service ran as an ordinary user), else the
 * user `postgres`, who is created when absent. Where these cannot reach what they need, because a folder on the way is
 * closed to them: root, disguised, if the kernel lets us.
 */
export const serverUser = async (cluster: string, program: string): Promise<ServerUser> => {
  if (process.getuid?.() !== 0) return undefined
  const owner = await fs.stat(cluster).catch(() => undefined)
  const user =
    owner !== undefined && owner.uid !== 0
      ? { uid: owner.uid, gid: owner.gid }
      : ((await findUser()) ?? (await createUser()))
  await letThrough(path.dirname(cluster))
  try {
    await assertReachable(cluster, user)
    await assertReachable(program, user)
    return user
  } catch (cause) {
    const [command, ...args] = disguise
    return await run(command, [...args, "true"]).then(
      () => disguised,
      () => Promise.reject(cause)
    )
  }
}

/** Names in the folder stay unlisted: the server's user may only pass through. */
const letThrough = async (folder: string): Promise<void> => {
  const { mode } = await fs.stat(folder)
  if ((mode & 0o001) === 0) await fs.chmod(folder, mode | 0o011)
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
    // A group of that name without its user.
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
        `the folder ${folder} is closed (mode ${(mode & 0o7777).toString(8).padStart(4, "0")}). Run the service as an ` +
        `ordinary user, move it to an open folder, run chmod a+x ${folder}, or set DATABASE_URL.`
    })
  }
}
