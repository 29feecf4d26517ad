/** Whom Postgres runs as: it refuses to run as root, so that root hands it to another user. */
import { execFile } from "node:child_process"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { promisify } from "node:util"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"

const run = promisify(execFile)

/** `undefined` where Postgres runs as the user we are. */
export type ServerUser = { readonly uid: number; readonly gid: number } | undefined

/**
 * As root: the owner of an existing cluster (it may have been made when the service ran as an ordinary user), else the
 * user `postgres`, who is created when absent.
 */
export const serverUser = async (cluster: string): Promise<ServerUser> => {
  if (process.getuid?.() !== 0) return undefined
  const owner = await fs.stat(cluster).catch(() => undefined)
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  return await findUser() ?? await createUser()
}

const findUser = async (): Promise<ServerUser> => {
  try {
    const [uid, gid] = await Promise.all([run("id", ["-u", "postgres"]), run("id", ["-g", "postgres"])])
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  } catch {
    return undefined
  }
}

const createUser = async (): Promise<ServerUser> => {
  const common = ["--system", "--no-create-home", "--shell", "/usr/sbin/nologin"]
  await run("useradd", [...common, "--user-group", "postgres"])
    // A group of that name without its user.
    .catch(() => run("useradd", [...common, "--gid", "postgres", "postgres"]))
    .catch(() => {})
  const user = await findUser()
  if (user === undefined) {
    throw new EmbeddedPostgresError({
      message: "Postgres refuses to run as root, and the user \"postgres\" could not be created. "
        + "Run the service as an ordinary user, create that user, or set DATABASE_URL."
    })
  }
  return user
}

/** Fails with the name of the first folder on the way to `target` that is closed to `user`. */
export const assertReachable = async (target: string, user: ServerUser): Promise<void> => {
  if (user === undefined) return
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
      message: `Postgres cannot reach ${target}: started by root it runs as another user (uid ${user.uid}), to whom `
        + `the folder ${folder} is closed (mode ${(mode & 0o7777).toString(8).padStart(4, "0")}). Run the service as an `
        + `ordinary user, move it to an open folder, run chmod a+x ${folder}, or set DATABASE_URL.`
    })
  }
}
