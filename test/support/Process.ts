/** Runs the entry points of the service as separate processes. */
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { bundled } from "../../bundle.mjs"

const root = resolve(import.meta.dirname, "../..")

// Shared between test runs; it halves the time of a start.
const compileCache = join(tmpdir(), "property-network-compile-cache")

/** Starts Node with `args`. The process inherits `PATH` and no other environment variable. */
export const start = (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>,
  options: { readonly detached?: boolean } = {}
) => {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH: process.env["PATH"], NODE_COMPILE_CACHE: compileCache, ...env },
    // With an IPC channel, the process ends when this one is killed (src/process/Program.ts).
    stdio: options.detached === true ? ["ignore", "pipe", "pipe"] : ["ignore", "pipe", "pipe", "ipc"],
    detached: options.detached === true
  })
  const output = { stdout: "", stderr: "" }
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => (output.stdout += chunk))
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => (output.stderr += chunk))
  const ended = once(child, "close").then(([code, signal]: Array<unknown>) => ({ code, signal }))
  return { child, ended, output }
}

/** A running program. */
export type Program = ReturnType<typeof start>

/** Sends SIGKILL, and waits for the exit. */
export const kill = ({ child, ended }: Program) =>
  Effect.promise(() => {
    child.kill("SIGKILL")
    return ended
  })

/** Sends SIGTERM; returns how the process exited, and after how many milliseconds. */
export const stop = ({ child, ended }: Program) => {
  const stopSent = performance.now()
  child.kill("SIGTERM")
  return ended.then((end) => ({ ...end, after: performance.now() - stopSent }))
}

/** Runs an entry point as `npm run` does, and kills it at the end of the scope. */
export const run = (entry: string, env: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.sync(() => start([bundled(entry)], env)),
    kill
  )
