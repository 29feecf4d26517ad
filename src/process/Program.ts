/** How the processes begin and end: one line for what stops a start, and 0 for a stop that was asked for. */
import { NodeRuntime } from "@effect/platform-node"
import { Cause, type Effect, Exit, Predicate } from "effect"
import { SettingRefused } from "../Config.ts"
import { MigrationError } from "../db/MigrationError.ts"
import { EmbeddedPostgresError } from "../db/EmbeddedPostgres.ts"

/** The longest that a stop may take, in milliseconds; what has not ended by then is ended. */
const longestStop = 4500

const portInUse = (error: unknown): string | undefined => {
  const cause = Predicate.hasProperty(error, "cause") ? error.cause : undefined
  if (!Predicate.hasProperty(cause, "code") || !Predicate.hasProperty(cause, "port")) return undefined
  if (cause.code === "EADDRINUSE") return `PORT: ${String(cause.port)} is in use; choose another, or 0 for any free one`
  return cause.code === "EACCES" ? `PORT: ${String(cause.port)} is not ours to listen on` : undefined
}

const noHost = new Set<unknown>(["ENOTFOUND", "EAI_AGAIN", "EADDRNOTAVAIL"])

/** A `HOST` that cannot be listened on. Other things are asked of DNS, too: only what the server says counts. */
const hostRefused = (error: unknown): string | undefined => {
  const cause = Predicate.isTagged(error, "ServeError") && "cause" in error ? error.cause : undefined
  if (!Predicate.hasProperty(cause, "code") || !noHost.has(cause.code)) return undefined
  const host = "hostname" in cause ? cause.hostname : "address" in cause ? cause.address : ""
  return `HOST: "${String(host)}" is no address of this machine`
}

/** What to tell an operator of the failure, in one line; `undefined` for what needs a stack trace. */
const oneLine = (error: unknown): string | undefined => {
  if (error instanceof SettingRefused || error instanceof MigrationError || error instanceof EmbeddedPostgresError) {
    return error.message
  }
  return portInUse(error) ?? hostRefused(error)
}

const report = (cause: Cause.Cause<unknown>): void => {
  const line = oneLine(Cause.squash(cause))
  process.stderr.write(`${line ?? Cause.pretty(cause)}\n`)
}

const limitStop = (): void => {
  const end = () => {
    setTimeout(() => process.exit(0), longestStop).unref()
  }
  process.once("SIGINT", end)
  process.once("SIGTERM", end)
}

/** Runs a process until it is done, fails, or is told to stop. */
export const run = <A, E>(program: Effect.Effect<A, E>): void => {
  limitStop()
  NodeRuntime.runMain(program, {
    disableErrorReporting: true,
    teardown: (exit, onExit) => {
      if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return onExit(0)
      report(exit.cause)
      onExit(1)
    }
  })
}
