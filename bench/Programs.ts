/** The programs of the service and of the benchmark, each in its own process, and what these use of processor and memory. */
import { Effect, Option, Schedule, type Scope } from "effect"
import { execFile, execFileSync, fork as forkProcess, type Serializable, spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, openSync, readFileSync } from "node:fs"
import { platform, tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { bundled } from "../bundle.mjs"

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

// With the Node options and the environment of `npm run`.
const { config } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly config?: { readonly node?: string; readonly environment?: string }
}
const listed = (entry: string, name: "environment" | "node") =>
  entry.startsWith("bench/") ? [] : (config?.[name] ?? "").split(" ").filter((word) => word !== "")

const flagsOf = (entry: string) => listed(entry, "node")

const environmentOf = (entry: string, env: Readonly<Record<string, string>>) => ({
  PATH: process.env["PATH"],
  NODE_COMPILE_CACHE: compileCache,
  ...Object.fromEntries(listed(entry, "environment").map((variable) => variable.split("="))),
  ...env
})

const launch = (
  entry: string,
  env: Readonly<Record<string, string>>,
  { args = [], folder = root, log }: Options
): Program => {
  const file = log === undefined ? undefined : openSync(log, "a")
  const child = spawn(process.execPath, [...flagsOf(entry), folder === root ? bundled(entry) : entry, ...args], {
    cwd: folder,
    env: environmentOf(entry, env),
    // With an IPC channel, the process ends when this one is killed (src/process/Program.ts).
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

/** What a command that ended has written, and what it used. */
export interface Ended {
  readonly stdout: string
  readonly stderr: string
  /** Its processor time, in seconds. */
  readonly processor: number
  /** Its resident memory, every tenth of a second, in bytes. */
  readonly memory: ReadonlyArray<number>
}

/** Runs a command of the service to its end, with `PATH` as the only inherited variable. Fails if its exit code is not 0. */
export const runToEnd = (entry: string, args: ReadonlyArray<string>, env: Readonly<Record<string, string>>) =>
  Effect.callback<Ended, Error>((resume) => {
    const memory: Array<number> = []
    let processor = 0
    const child = execFile(
      process.execPath,
      [...flagsOf(entry), bundled(entry), ...args],
      { cwd: root, env: environmentOf(entry, env), maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        clearInterval(watch)
        resume(
          error === null
            ? Effect.succeed({ stdout, stderr, processor, memory })
            : Effect.fail(new Error(`${entry} ${args.join(" ")}:\n${stderr}`))
        )
      }
    )
    const watch = setInterval(() => {
      if (child.pid === undefined) return
      processor = secondsOf(child.pid) ?? processor
      memory.push(residentOf(child.pid))
    }, 100)
    return Effect.sync(() => {
      clearInterval(watch)
      child.kill("SIGKILL")
    })
  })

/**
 * Compiles an entry point and what it imports, as the Dockerfile does: without settings it ends at once, and then Node keeps what it
 * compiled. A process that finds nothing kept loads a compiler of TypeScript, which takes 19 MB.
 */
export const compile = (entry: string) => Effect.ignore(runToEnd(entry, [], {}))

/** A program of the benchmark in a process of its own, which exchanges messages with this one. */
export interface Helper<Order extends Serializable, Report> {
  readonly order: (order: Order) => void
  /** Waits for the next message. Dies if the process ends before. */
  readonly next: Effect.Effect<Report>
  readonly ask: (order: Order) => Effect.Effect<Report>
}

const launchHelper = <Report>(file: string, args: ReadonlyArray<string>) => {
  const child = forkProcess(file, args, { stdio: ["ignore", "inherit", "inherit", "ipc"] })
  const said: Array<Report> = []
  const waiting: Array<{ readonly resolve: (report: Report) => void; readonly reject: (error: Error) => void }> = []
  child.on("message", (report: Report) => {
    const first = waiting.shift()
    if (first === undefined) said.push(report)
    else first.resolve(report)
  })
  child.once("exit", () => {
    for (const { reject } of waiting) reject(new Error(`${file} ended`))
  })
  const next = () =>
    new Promise<Report>((resolve, reject) => {
      const earlier = said.shift()
      if (earlier !== undefined) resolve(earlier)
      else if (child.exitCode !== null) reject(new Error(`${file} ended`))
      else waiting.push({ resolve, reject })
    })
  return { child, next }
}

/** Starts a program of the benchmark, and disconnects it at the end of the scope, which ends it. */
export const fork = <Order extends Serializable, Report>(
  file: string,
  args: ReadonlyArray<string> = []
): Effect.Effect<Helper<Order, Report>, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => launchHelper<Report>(file, args)),
    ({ child }) =>
      Effect.promise(async () => {
        if (child.exitCode !== null || child.signalCode !== null) return
        const ended = once(child, "exit")
        child.disconnect()
        await ended
      })
  ).pipe(
    Effect.map(({ child, next }) => {
      const order = (one: Order) => void child.send(one)
      return {
        order,
        next: Effect.promise(next),
        ask: (one) =>
          Effect.andThen(
            Effect.sync(() => order(one)),
            Effect.promise(next)
          )
      }
    })
  )

// The clock ticks per second of Linux, on every platform that Node supports.
const ticksPerSecond = 100

/**
 * The processor time of all threads of a process so far, in seconds; `undefined` except on Linux. It depends less on other load of
 * the machine than rates do.
 */
export const secondsOf = (pid: number): number | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    // After the name, which may contain any character. User and system time are fields 14 and 15.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
  } catch {
    return undefined
  }
}

/**
 * The processor time of a process, of its children, and of those that ended, in seconds: that of a whole Postgres from the id of its
 * postmaster. 0 except on Linux.
 */
export const secondsOfAll = (pid: number): number => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    const own = [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0) / ticksPerSecond
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ")
    return children.filter((child) => child !== "").reduce((sum, child) => sum + (secondsOf(Number(child)) ?? 0), own)
  } catch {
    return 0
  }
}

/** The id of the parent of a process; 0 except on Linux. */
export const parentOf = (pid: number): number => {
  try {
    return Number(/PPid:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1])
  } catch {
    return 0
  }
}

/** The resident memory of a process, in bytes. */
export const residentOf = (pid: number): number =>
  platform() === "linux"
    ? Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024
    : Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) * 1024
