/** The official conformance suite of MCP. */
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { fileURLToPath } from "node:url"

const program = fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js"))

/** What the suite found out about one requirement. */
export interface Check {
  readonly scenario: string
  readonly id: string
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO"
  readonly errorMessage?: string
}

/** The scenario whose checks are in a file: its folder is named for the kind of program under test, the scenario and the time. */
const scenarioOf = (path: string) =>
  /^(?:(?:server|client|authorization-server)-)?(.+?)(?:-\d{4}-\d\d-\d\dT[^/]*)?(?:\/|$)/.exec(path)?.[1] ?? path

/** Runs a command of the suite, and returns its checks. `onOutput` gets what it has printed, each time that it prints. */
export const run = Effect.fnUntraced(function* (
  command: ReadonlyArray<string>,
  onOutput: (printed: string) => void = () => {}
) {
  const folder = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(`${tmpdir()}/conformance-`)),
    (path) => Effect.promise(() => rm(path, { recursive: true }))
  )
  // It exits with 1 for failures, also for those that are expected.
  yield* Effect.promise(
    (signal) =>
      new Promise<void>((resolve) => {
        const child = execFile(process.execPath, [program, ...command, "-o", folder], { signal }, () => resolve())
        let printed = ""
        child.stdout?.on("data", (text: string) => onOutput((printed += text)))
      })
  )
  return yield* Effect.promise(async () => {
    const files = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith("checks.json"))
    const checks = await Promise.all(
      files.map(async (path) => {
        const found = JSON.parse(await readFile(`${folder}/${path}`, "utf8")) as ReadonlyArray<Omit<Check, "scenario">>
        return found.map((check): Check => ({ ...check, scenario: scenarioOf(path) }))
      })
    )
    return checks.flat()
  })
})
