/** Our own programs, each in a process of its own. */
import { Effect, Option, Schedule, type Scope } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

const root = resolve(import.meta.dirname, "..")

// Kept from run to run: it halves the time in which a process is there.
const compileCache = join(tmpdir(), "property-network-compile-cache")

/** A running program. */
export interface Program {
  readonly pid: number
  /** Waits until it has written this to stderr, and answers what matched. Dies when it ends before. */
  readonly ready: (matching: RegExp) => Effect.Effect<RegExpExecArray>
  /** Warnings and errors that it logged. */
  readonly complaints: ReadonlyArray<string>
  /** Ends it with SIGKILL, and waits until it is gone. */
  readonly kill: Effect.Effect<void>
}

// Log lines are JSON documents where stderr is no terminal.
const complaint = /"level":"(?:WARN|ERROR|FATAL)"/

const launch = (entry: string, env: Readonly<Record<string, string>>): Program => {
  const child = spawn(process.execPath, [entry], {
    cwd: root,
    env: { PATH: process.env["PATH"], NODE_COMPILE_CACHE: compileCache, ...env },
    // The channel takes it along should this process be killed (src/OrphanGuard.ts).
    stdio: ["ignore", "ignore", "pipe", "ipc"]
  })
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

  const ready = (matching: RegExp) =>
    Effect.suspend(() => {
      const found = matching.exec(stderr)
      if (found !== null) return Effect.succeedSome(found)
      return child.exitCode === null && child.signalCode === null
        ? Effect.succeedNone
        : Effect.fail(new Error(`${entry} ended:\n${stderr}`))
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
  env: Readonly<Record<string, string>>
): Effect.Effect<Program, never, Scope.Scope> =>
  Effect.acquireRelease(Effect.sync(() => launch(entry, env)), ({ kill }) => kill)
