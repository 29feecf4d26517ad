/** Programs of ours in processes of their own. */
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { vi } from "vitest"

const root = resolve(import.meta.dirname, "../..")

// Kept from run to run: it halves the time in which a process is there.
const compileCache = join(tmpdir(), "property-network-compile-cache")

/** Waits, in real time, until something is so: `look` throws as long as it is not. */
export const eventually = <A>(look: () => A | Promise<A>, within = 15_000) =>
  Effect.promise(() => vi.waitFor(look, { timeout: within, interval: 20 }))

/** Starts Node on `args` with nothing of this environment but `PATH`. */
export const start = (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>,
  options: { readonly detached?: boolean } = {}
) => {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH: process.env["PATH"], NODE_COMPILE_CACHE: compileCache, ...env },
    // The channel takes it along should this process be killed (src/OrphanGuard.ts).
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

/** Kills it with SIGKILL, and waits until it is gone. */
export const kill = ({ child, ended }: Program) =>
  Effect.promise(() => {
    child.kill("SIGKILL")
    return ended
  })

/** Asks it to stop with SIGTERM; answers how it ended, and after how many milliseconds. */
export const stop = ({ child, ended }: Program) => {
  const asked = performance.now()
  child.kill("SIGTERM")
  return ended.then((end) => ({ ...end, after: performance.now() - asked }))
}

/** Runs one of our entries; it is killed when the scope ends, if it has not ended before. */
export const run = (entry: string, env: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.sync(() => start([entry], env)),
    kill
  )
