/** How the processes begin and end: one line for what stops a start, and 0 for a stop that was asked for. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, type Effect, Exit } from "effect"
import { SettingRefused } from "../Setting.ts"
import { MigrationError } from "../db/MigrationError.ts"
import { EmbeddedPostgresError } from "../db/EmbeddedPostgres.ts"
import * as Listening from "./Listening.ts"

/** The longest that a stop may take, in milliseconds, unless told; what has not ended by then is ended. */
const usualStop = 4500

/** What to tell an operator of the failure, in one line; `undefined` for what needs a stack trace. */
const oneLine = (error: unknown): string | undefined => {
  if (error instanceof SettingRefused || error instanceof MigrationError || error instanceof EmbeddedPostgresError) {
    return error.message
  }
  return Listening.refusal(error, { port: "PORT", host: "HOST" })?.message
}

const report = (cause: Cause.Cause<unknown>): void => {
  const line = oneLine(Cause.squash(cause))
  process.stderr.write(`${line ?? Cause.pretty(cause)}\n`)
}

const limitStop = (stopTimeout: number): void => {
  const end = () => {
    setTimeout(() => process.exit(0), stopTimeout).unref()
  }
  process.once("SIGINT", end)
  process.once("SIGTERM", end)
}

/** Runs a process until it is done, fails, or is told to stop; then it has `stopTimeout` milliseconds to end. */
export const run = <A, E>(program: Effect.Effect<A, E>, options: { readonly stopTimeout?: number } = {}): void => {
  limitStop(options.stopTimeout ?? usualStop)
  NodeRuntime.runMain(program, {
    disableErrorReporting: true,
    teardown: (exit, onExit) => {
      if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return onExit(0)
      report(exit.cause)
      onExit(1)
    }
  })
}
