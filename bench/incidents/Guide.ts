/** docs/incidents.md as a program: the commands of its sections, word for word, in a shell like that of an operator. */
import { spawn } from "node:child_process"
import { Effect } from "effect"
import { chownSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { folder } from "../Service.ts"

const root = resolve(import.meta.dirname, "../..")

/** The commands of the page: the blocks of each section, by its heading. */
export const sections: ReadonlyMap<string, ReadonlyArray<string>> = (() => {
  const found = new Map<string, Array<string>>()
  let heading = ""
  let block: Array<string> | undefined
  for (const line of readFileSync(join(root, "docs/incidents.md"), "utf8").split("\n")) {
    const [, title] = /^#+ (.+)$/.exec(line) ?? []
    if (block === undefined && title !== undefined) heading = title
    else if (block === undefined && line.trim() === "```sh") block = []
    else if (block !== undefined && line.trim() === "```") {
      found.set(heading, [...(found.get(heading) ?? []), block.join("\n")])
      block = undefined
    } else block?.push(line)
  }
  return found
})()

/** A value that the operator fills in: `NAME=…`, where the dots may have text around them. */
const placeholder = /\b([A-Z_]+)=[^\s…]*…\S*/g

/** The commands with their placeholders filled in. Fails where a value is missing, or one is left over. */
const filled = (commands: string, values: Readonly<Record<string, string>>): string => {
  const unused = new Set(Object.keys(values))
  const text = commands.replace(placeholder, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`The page asks for ${name}:\n${commands}`)
    unused.delete(name)
    return `${name}='${value}'`
  })
  if (unused.size > 0) throw new Error(`The page does not ask for ${[...unused].join(", ")}:\n${commands}`)
  return text
}

/** What a block printed. */
export interface Printed {
  readonly out: string
  readonly err: string
}

/** A shell in which blocks run one after the other. */
export interface Shell {
  /** Runs the next block of a section. Dies if one of its commands fails. */
  readonly next: (section: string, values?: Readonly<Record<string, string>>) => Effect.Effect<Printed>
  /** Runs commands that are not on the page, to prepare and to check. */
  readonly run: (commands: string) => Effect.Effect<Printed>
  /** How many blocks of each section have run. */
  readonly done: Map<string, number>
}

/** How a shell is opened. */
export interface Options {
  /** What the page names that is elsewhere here. */
  readonly paths?: Readonly<Record<string, string>>
  /** The system user, by default that of this process, and further variables of its environment. */
  readonly user?: { readonly uid: number; readonly gid: number }
  readonly env?: Readonly<Record<string, string>>
}

/** Starts a shell for the scope. */
export const open = Effect.fnUntraced(function* ({ env = {}, paths = {}, user }: Options) {
  const scripts = yield* folder
  if (user !== undefined) chownSync(scripts, user.uid, user.gid)
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn("bash", [], {
        cwd: scripts,
        env: {
          PATH: process.env["PATH"],
          HOME: scripts,
          NODE_COMPILE_CACHE: join(tmpdir(), "property-network-compile-cache"),
          ...env
        },
        ...user,
        stdio: "pipe"
      })
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )
  let number = 0
  const run = (commands: string) =>
    Effect.promise(
      () =>
        new Promise<Printed>((finish, refuse) => {
          const file = join(scripts, `${++number}.sh`)
          const end = `-- ${number} ended`
          let out = ""
          const err = () => readFileSync(`${file}.err`, "utf8")
          const fail = () => refuse(new Error(`It failed:\n${commands}\n\n${out}${err()}`))
          const read = (chunk: string) => {
            out += chunk
            if (!out.includes(end)) return
            child.stdout.off("data", read)
            child.off("close", fail)
            finish({ out: out.slice(0, out.indexOf(end)), err: err() })
          }
          child.stdout.setEncoding("utf8").on("data", read)
          child.once("close", fail)
          const text = Object.entries(paths).reduce((text, [path, here]) => text.replaceAll(path, here), commands)
          writeFileSync(file, `${text}\n`)
          child.stdin.write(`set -euo pipefail; . ${file} < /dev/null 2> ${file}.err; echo "${end}"\n`)
        })
    )
  const done = new Map<string, number>()
  const next = Effect.fnUntraced(function* (section: string, values: Readonly<Record<string, string>> = {}) {
    const index = done.get(section) ?? 0
    const block = sections.get(section)?.[index]
    if (block === undefined) return yield* Effect.die(`docs/incidents.md has no block ${index + 1} under "${section}".`)
    done.set(section, index + 1)
    return yield* run(filled(block, values))
  })
  const shell: Shell = { next, run, done }
  return shell
})
