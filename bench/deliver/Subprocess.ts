/** A separate process of the measurement, which exchanges messages with this one. */
import { Effect, type Scope } from "effect"
import { type ChildProcess, fork } from "node:child_process"
import { join } from "node:path"

/** The process and its messages. */
export interface Subprocess<Order extends object, Report> {
  /** Sends a command. */
  readonly order: (order: Order) => void
  /** Waits for the next message. Dies if the process exits before. */
  readonly next: Effect.Effect<Report>
}

const launch = <Report>(file: string) => {
  const child = fork(join(import.meta.dirname, file), { stdio: ["ignore", "inherit", "inherit", "ipc"] })
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

const end = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once("exit", () => resolve())
    child.kill("SIGKILL")
  })

/** Starts a file of this folder, and ends it with the scope. */
export const start = <Order extends object, Report>(
  file: string
): Effect.Effect<Subprocess<Order, Report>, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => launch<Report>(file)),
    ({ child }) => Effect.promise(() => end(child))
  ).pipe(
    Effect.map(({ child, next }) => ({
      order: (order) => child.send(order),
      next: Effect.promise(next)
    }))
  )
