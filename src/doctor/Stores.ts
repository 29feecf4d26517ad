/** The doctor on files: their owners and modes, room on their disks, and what stopped processes have left. */
import { chmod, lchown, lstat, readdir, rm, statfs, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { randomUUID } from "node:crypto"
import { failed, type Finding, judgeDisk, ok, together, warning } from "./rules.ts"
import { isAlive } from "../platform/db/embedded/Cluster.ts"
import { nameOf, type Owner, ownerOf } from "../platform/SystemUser.ts"

/** A folder of the installation. */
export interface Place {
  readonly variable: "DATA_DIR" | "FILE_STORE"
  readonly path: string
  /** Names below it that belong to somebody else, such as the user of Postgres. */
  readonly others: ReadonlyArray<string>
}

interface Wrong {
  readonly path: string
  readonly owner: Owner | undefined
  readonly mode: number | undefined
}

/** The owner of a folder; of one that is root's that of what is in it, if that is another's. */
const expectedOwner = async ({ others, path }: Place, own: Owner): Promise<Owner> => {
  if (own.uid !== 0) return own
  for (const name of (await readdir(path)).sort()) {
    const owner = others.includes(name) ? undefined : await ownerOf(join(path, name))
    if (owner !== undefined && owner.uid !== 0) return owner
  }
  return own
}

async function* pathsIn(folder: string, others: ReadonlyArray<string>): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (others.includes(entry.name)) continue
    const path = join(folder, entry.name)
    yield path
    if (entry.isDirectory()) yield* pathsIn(path, [])
  }
}

const wrongsIn = async (place: Place, owner: Owner): Promise<ReadonlyArray<Wrong>> => {
  const wrongs: Array<Wrong> = []
  for await (const path of pathsIn(place.path, place.others)) {
    const found = await lstat(path).catch(() => undefined)
    // It was removed meanwhile.
    if (found === undefined) continue
    const needed = found.isDirectory() ? 0o700 : 0o600
    const isModeRight = found.isSymbolicLink() || ((found.mode & needed) === needed && (found.mode & 0o007) === 0)
    const isOwnerRight = found.uid === owner.uid
    if (isModeRight && isOwnerRight) continue
    wrongs.push({
      path,
      owner: isOwnerRight ? undefined : owner,
      mode: isModeRight ? undefined : (found.mode & 0o770) | needed
    })
  }
  return wrongs
}

const heal = async (wrongs: ReadonlyArray<Wrong>): Promise<number> => {
  let healed = 0
  for (const { mode, owner, path } of wrongs) {
    try {
      if (owner !== undefined) await lchown(path, owner.uid, owner.gid)
      if (mode !== undefined) await chmod(path, mode)
      healed++
    } catch {
      // Only root changes owners: what is left is reported.
    }
  }
  return healed
}

const countOf = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`

const isWritable = async (path: string): Promise<boolean> => {
  const file = join(path, `.doctor-${randomUUID()}`)
  try {
    await writeFile(file, "", { flag: "wx", mode: 0o600 })
    await rm(file)
    return true
  } catch {
    return false
  }
}

const judgeFolder = async (place: Place, fix: boolean): Promise<Finding> => {
  const { path, variable } = place
  const own = await ownerOf(path)
  if (own === undefined) return ok(`${variable}: ${path} does not exist yet.`)
  const owner = await expectedOwner(place, own)
  const before = await wrongsIn(place, owner)
  const healed = fix ? await heal(before) : 0
  const left = fix ? await wrongsIn(place, owner) : before
  const done = healed === 0 ? "" : ` Healed ${countOf(healed, "path")}.`
  const name = nameOf(owner.uid)
  if (left.length > 0) {
    const owners = left.filter((wrong) => wrong.owner !== undefined).length
    const what =
      owners > 0 ? `belong to another system user than ${name}` : "can be read by others, or not by their owner"
    return failed(
      `${variable}: ${countOf(left.length, "path")} below ${path} ${what}, such as ${left[0]?.path}.${done}`,
      "Run `admin doctor --fix` as root."
    )
  }
  if (!(await isWritable(path))) {
    return failed(
      `${variable}: ${nameOf(process.getuid?.() ?? 0)} cannot write to ${path}.${done}`,
      `Run the service as ${name}.`
    )
  }
  return ok(`${variable}: ${path} belongs to ${name}.${done}`)
}

/** Owners and modes of everything in these folders, and whether they can be written to. */
export const judgeStores = async (places: ReadonlyArray<Place>, fix: boolean): Promise<Finding> =>
  places.length === 0
    ? ok("The files are in a bucket.")
    : together(await Promise.all(places.map((place) => judgeFolder(place, fix))))

/** The room on the disks of these folders. */
export const judgeDisks = async (places: ReadonlyArray<Place>): Promise<Finding> => {
  const findings: Array<Finding> = []
  for (const { path } of places) {
    if ((await ownerOf(path)) === undefined) continue
    const { bavail, blocks, bsize } = await statfs(path)
    findings.push(judgeDisk(path, bavail * bsize, blocks * bsize))
  }
  return findings.length === 0 ? ok("Nothing is stored on this machine.") : together(findings)
}

const draft = /^(?:secret\.key|postgres\.password|postgres\.new)-(\d+)-[0-9a-f]{8}$/

/** What processes that were killed have left in the data folder. */
export const judgeLeftovers = async (dataDir: string, fix: boolean): Promise<Finding> => {
  const names = await readdir(dataDir).catch(() => [])
  const left = names.filter((name) => {
    const pid = draft.exec(name)?.[1]
    return pid !== undefined && !isAlive(Number(pid))
  })
  if (left.length === 0) return ok("Killed processes have left nothing.")
  if (!fix) return warning(`Killed processes have left ${left.join(", ")}.`, "Run `admin doctor --fix`.")
  for (const name of left) await rm(join(dataDir, name), { recursive: true, force: true })
  return ok(`Removed what killed processes had left: ${left.join(", ")}.`)
}
