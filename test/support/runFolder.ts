/** The folder of a run of the tests, for what need not outlast it. */
import { execFile } from "node:child_process"
import { cp, mkdir, readdir, rm, stat, statfs } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"

/** The folder in it with a migrated cluster that nobody runs, to be copied. */
export const migrated = "migrated"

/** Copies a cluster that nobody runs, and its password, from one data folder to another. */
export const copyCluster = async (from: string, to: string): Promise<void> => {
  await cp(from, to, { recursive: true })
  if (process.getuid?.() !== 0) return
  // A copy is root's, but not root runs Postgres.
  const { gid, uid } = await stat(join(from, "postgres"))
  await promisify(execFile)("chown", ["-R", `${uid}:${gid}`, join(to, "postgres")])
}

const memory = "/dev/shm"
const prefix = "property-network-test-"
const room = 4 * 2 ** 30

// In memory, where there is much of it: there a database is copied in an eighth of the time that a disk takes.
const parentOf = (): Promise<string> =>
  statfs(memory).then(({ bavail, bsize }) => (bavail * bsize >= room ? memory : tmpdir()), tmpdir)

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

// A run that was killed has removed nothing.
const removeDead = async (parent: string): Promise<void> => {
  for (const name of await readdir(parent)) {
    const pid = Number(name.slice(prefix.length))
    if (!name.startsWith(prefix) || !Number.isInteger(pid) || isAlive(pid)) continue
    await rm(join(parent, name), { recursive: true, force: true })
  }
}

/** Makes the folder of the run that this process leads. Postgres, who may be another user, can pass through it. */
export const makeRunFolder = async (): Promise<string> => {
  const parent = await parentOf()
  await removeDead(parent)
  const folder = join(parent, `${prefix}${process.pid}`)
  await mkdir(folder, { recursive: true, mode: 0o711 })
  return folder
}
