/** Runs the statements with `pgbench`, the tool of Postgres, if it is installed. */
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { promisify } from "node:util"
import * as Id from "../../src/core/Id.ts"
import { sample } from "../http/Comparison.ts"
import * as statements from "../peer/statements.ts"
import type { Work } from "./loop.ts"

const run = promisify(execFile)

// The maximum of pgbench, with a margin.
const maxScripts = 100

const debian = "/usr/lib/postgresql"

/** Its path: on the PATH, or where Debian installs it. */
export const find = async (): Promise<string | undefined> => {
  const versions = await readdir(debian).catch(() => [])
  const folders = [
    ...(process.env["PATH"] ?? "").split(delimiter),
    ...versions.map((version) => join(debian, version, "bin"))
  ]
  for (const folder of folders) {
    const program = join(folder, "pgbench")
    if (
      await run(program, ["--version"]).then(
        () => true,
        () => false
      )
    )
      return program
  }
  return undefined
}

const filled = (text: string, values: ReadonlyArray<string>) =>
  `${text
    .replaceAll(/\$(\d)/g, (_, number: string) => values[Number(number) - 1] ?? "")
    .replaceAll(/\s+/g, " ")
    .trim()};`

/** A script that reads one contact of one user. It contains the values, because variables of pgbench can only be numbers. */
const scriptOf = (teamId: string, token: string, id: string): string => {
  const hash = createHash("sha256").update(token).digest("hex")
  return [
    filled(statements.authenticate.text, [`'\\x${hash}'::bytea`, "clock_timestamp()", "1000000", "1000000"]),
    filled(statements.findContact.text, [`'${teamId}'::uuid`, `'${Id.toUuid("contact", id)}'::uuid`])
  ].join("\n")
}

/** Runs it for some seconds. Returns the reads per second. */
export const make = Effect.fnUntraced(function* (program: string, work: Work) {
  const folder = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "property-network-bench-"))),
    (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
  )
  const scripts = yield* Effect.promise(() =>
    Promise.all(
      sample(work.ids, maxScripts).map(async (id, index) => {
        const file = join(folder, `${index}.sql`)
        await writeFile(file, scriptOf(work.teamId, work.tokens[index % work.tokens.length] ?? "", id))
        return file
      })
    )
  )
  return (seconds: number) =>
    Effect.tryPromise({
      try: async () => {
        const { stdout } = await run(
          program,
          [
            "--no-vacuum",
            "--protocol=prepared",
            `--client=${work.loops}`,
            "--jobs=2",
            `--time=${seconds}`,
            ...scripts.map((file) => `--file=${file}`),
            work.url
          ],
          { maxBuffer: 16 * 2 ** 20 }
        )
        const [, rate] = /tps = ([\d.]+)/.exec(stdout) ?? []
        if (rate === undefined || /number of failed transactions: [^0]/.test(stdout)) throw new Error(stdout)
        return { rate: Number(rate) }
      },
      catch: (cause) => (cause instanceof Error ? cause : new Error(String(cause)))
    })
})
