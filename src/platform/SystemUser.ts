/**
 * Which system user the files of an installation belong to. What a command writes, the service must be able to write, too: as root, it
 * gets the owner of the folder that it is in; any other user than the owner is refused.
 */
import { Context, Effect } from "effect"
import { execFileSync } from "node:child_process"
import { chown, stat } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { SettingRefused } from "./Setting.ts"

/** The numbers of a system user and of its group. */
export interface Owner {
  readonly uid: number
  readonly gid: number
}

const isRoot = () => process.getuid?.() === 0

/** The owner of a file or folder; undefined if there is none. Dies if it cannot be asked for. */
export const ownerOf = (path: string): Promise<Owner | undefined> =>
  stat(path).then(
    ({ gid, uid }) => ({ uid, gid }),
    (error: { readonly code?: string }) => {
      if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined
      throw error
    }
  )

/** As root, the folders on the way to `folder`, itself included, that do not exist, from the top; for other users none. */
export const missingFolders = async (folder: string): Promise<ReadonlyArray<string>> => {
  const missing: Array<string> = []
  if (!isRoot()) return missing
  for (let at = resolve(folder); (await ownerOf(at)) === undefined; at = dirname(at)) missing.unshift(at)
  return missing
}

/** As root, gives what was created to the owner of the folder that it is in, in the order of `paths`. Other users create their own. */
export const handOver = async (...paths: ReadonlyArray<string>): Promise<void> => {
  if (!isRoot()) return
  for (const path of paths) {
    const owner = await ownerOf(dirname(resolve(path)))
    if (owner !== undefined && owner.uid !== 0) await chown(path, owner.uid, owner.gid)
  }
}

/** The name of a system user, or `#` and its number if it has none: `sudo -u` takes both. */
export const nameOf = (uid: number): string => {
  try {
    const name = execFileSync("id", ["-un", String(uid)], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
    return name.trim()
  } catch {
    return `#${uid}`
  }
}

/** The arguments of the operator's command that this process runs. */
export const CommandLine = Context.Reference<ReadonlyArray<string>>("platform/SystemUser/CommandLine", {
  defaultValue: () => []
})

const kept = ["DATABASE_URL", "DATA_DIR", "FILE_STORE", "SECRET_KEY", "SECRET_KEY_PREVIOUS", "AWS_SECRET_ACCESS_KEY"]

const quoted = (text: string) => (/^[\w./:=@,…-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

/** This command as the system user `name` runs it, ready to paste. The settings of this environment go with it. */
const commandAs = (name: string, args: ReadonlyArray<string>) => {
  const variables = kept.filter((variable) => process.env[variable] !== undefined)
  const settings = variables.length === 0 ? "" : `--preserve-env=${variables.join(",")} `
  return `sudo ${settings}-u ${quoted(name)} npm run -s admin -- ${args.length === 0 ? "…" : args.map(quoted).join(" ")}`
}

/**
 * Fails if the folder of a setting belongs to another system user than the one that runs this command. Root may go on, because what it
 * writes is handed over; so may whoever finds a folder of root's, which says nothing about the service.
 */
export const refuseOther = (variable: string, folder: string) =>
  Effect.gen(function* () {
    const uid = process.getuid?.()
    if (uid === undefined || uid === 0) return
    const owner = yield* Effect.promise(() => ownerOf(folder).catch(() => undefined))
    if (owner === undefined || owner.uid === 0 || owner.uid === uid) return
    const name = nameOf(owner.uid)
    return yield* new SettingRefused({
      variable,
      reason:
        `${folder} belongs to the system user ${name}, and ${name} could not change what ${nameOf(uid)} writes. ` +
        `Run it as that user: ${commandAs(name, yield* CommandLine)}`
    })
  })
