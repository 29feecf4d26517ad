/** Starts the programs of the service, each in its own process. */
import { Effect, Option, Schedule, type Scope } from "effect"
import { type ChildProcess, fork as forkProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, openSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

const root = resolve(import.meta.dirname, "..")

// Shared between runs; it halves the time of a start.
const compileCache = join(tmpdir(), "property-network-compile-cache")

/** A running program. */
export interface Program {
  readonly pid: number
  /** Waits until a line on stderr matches, and returns the match. Dies if the program exits before. */
  readonly ready: (matching: RegExp) => Effect.Effect<RegExpExecArray>
  /** The warnings and errors that it logged; empty if its log goes to a file. */
  readonly complaints: ReadonlyArray<string>
  /** Sends a signal, such as SIGSTOP. */
  readonly signal: (signal: NodeJS.Signals) => void
  /** Sends SIGTERM, and waits for the exit; returns its code, null after a signal. */
  readonly stop: Effect.Effect<number | null>
  /** Sends SIGKILL, and waits for the exit. */
  readonly kill: Effect.Effect<void>
}

// Log lines are JSON documents if stderr is no terminal.
const complaint = /"level":"(?:WARN|ERROR|FATAL)"/

/** How to start a program. */
export interface Options {
  /** Arguments after the entry. */
  readonly args?: ReadonlyArray<string>
  /** The folder of the program; by default that of this project. */
  readonly folder?: string
  /** Redirects stderr to this file, as in a shell. By default, this process reads it. */
  readonly log?: string
}

// With the Node options of `npm run`.
const { config } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly config?: { readonly node?: string }
}
const flagsOf = (entry: string) =>
  entry.startsWith("bench/") ? [] : (config?.node ?? "").split(" ").filter((flag) => flag !== "")

const launch = (
  entry: string,
  env: Readonly<Record<string, string>>,
  { args = [], folder = root, log }: Options
): Program => {
  const file = log === undefined ? undefined : openSync(log, "a")
  const child = spawn(process.execPath, [...flagsOf(entry), entry, ...args], {
    cwd: folder,
    env: { PATH: process.env["PATH"], NODE_COMPILE_CACHE: compileCache, ...env },
    // With an IPC channel, the process ends when this one is killed (src/process/OrphanGuard.ts).
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

  const signal = (name: NodeJS.Signals) => void child.kill(name)

  const stop = Effect.promise(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM")
    await ended
    return child.exitCode
  })

  return { pid: child.pid ?? 0, ready, complaints, signal, stop, kill }
}

/** Starts an entry point with `PATH` as the only inherited variable, and kills it at the end of the scope. */
export const start = (
  entry: string,
  env: Readonly<Record<string, string>>,
  options: Options = {}
): Effect.Effect<Program, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => launch(entry, env, options)),
    ({ kill }) => kill
  )

/** Starts a program of the benchmark, waits until it is ready, and disconnects it at the end of the scope, which ends it. */
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
