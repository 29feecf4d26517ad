/** Our own programs, each in a process of its own. */
import { Effect, Option, Schedule, type Scope } from "effect"
import { type ChildProcess, fork as forkProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, openSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

const root = resolve(import.meta.dirname, "..")

// Kept from run to run: it halves the time in which a process is there.
const compileCache = join(tmpdir(), "property-network-compile-cache")

/** A running program. */
export interface Program {
  readonly pid: number
  /** Waits until it has written this to stderr, as one of the first lines, and answers what matched. Dies when it ends before. */
  readonly ready: (matching: RegExp) => Effect.Effect<RegExpExecArray>
  /** Warnings and errors that it logged; none of a program whose log goes to a file. */
  readonly complaints: ReadonlyArray<string>
  /** Ends it with SIGKILL, and waits until it is gone. */
  readonly kill: Effect.Effect<void>
}

// Log lines are JSON documents where stderr is no terminal.
const complaint = /"level":"(?:WARN|ERROR|FATAL)"/

/** How a program is started. */
export interface Options {
  /** Arguments after the entry. */
  readonly args?: ReadonlyArray<string>
  /** The file that stderr is redirected to, as an operator's shell does it: nobody reads along. Else it comes here. */
  readonly log?: string
}

// As `npm run` starts it.
const { config } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly config?: { readonly node?: string }
}
const flagsOf = (entry: string) =>
  entry.startsWith("bench/") ? [] : (config?.node ?? "").split(" ").filter((flag) => flag !== "")

const launch = (entry: string, env: Readonly<Record<string, string>>, { args = [], log }: Options): Program => {
  const file = log === undefined ? undefined : openSync(log, "a")
  const child = spawn(process.execPath, [...flagsOf(entry), entry, ...args], {
    cwd: root,
    env: { PATH: process.env["PATH"], NODE_COMPILE_CACHE: compileCache, ...env },
    // The channel takes it along should this process be killed (src/OrphanGuard.ts).
    stdio: ["ignore", "ignore", file ?? "pipe", "ipc"]
  })
  if (file !== undefined) closeSync(file)
  const complaints: Array<string> = []
  const ended = once(child, "close")
  let stderr = ""
  let unended = ""
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (unended + chunk).split("\n")
    unended = lines.pop() ?? ""
    complaints.push(...lines.filter((line) => complaint.test(line)))
    stderr = (stderr + chunk).slice(-20_000)
  })
  const written = () => (log === undefined ? stderr : readFileSync(log, "utf8"))

  const ready = (matching: RegExp) =>
    Effect.suspend(() => {
      const found = matching.exec(written())
      if (found !== null) return Effect.succeedSome(found)
      return child.exitCode === null && child.signalCode === null
        ? Effect.succeedNone
        : Effect.fail(new Error(`${entry} ended:\n${written()}`))
    }).pipe(
      Effect.repeat({ schedule: Schedule.spaced("10 millis"), until: Option.isSome }),
      Effect.flatMap(Effect.fromOption),
      Effect.orDie
    )

  const kill = Effect.promise(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL")
    await ended
  })

  return { pid: child.pid ?? 0, ready, complaints, kill }
}

/** Starts one of our entries with nothing of this environment but `PATH`; it is killed when the scope ends. */
export const start = (
  entry: string,
  env: Readonly<Record<string, string>>,
  options: Options = {}
): Effect.Effect<Program, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => launch(entry, env, options)),
    ({ kill }) => kill
  )

/** Starts a program of the bench's own, which says when it is ready and ends when it is let go, at the end of the scope. */
export const fork = (file: string, args: ReadonlyArray<string> = []): Effect.Effect<ChildProcess, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const child = forkProcess(file, args, { stdio: ["ignore", "inherit", "inherit", "ipc"] })
      await once(child, "message")
      return child
    }),
    (child) =>
      Effect.promise(async () => {
        if (child.exitCode !== null || child.signalCode !== null) return
        const ended = once(child, "exit")
        child.disconnect()
        await ended
      })
  )
