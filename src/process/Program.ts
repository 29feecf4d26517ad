/**
 * How the programs of the service run: on which layers, until a signal ends them, with the time that they have to stop, and no longer
 * than the `run.mjs` that started them.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Listening from "./Listening.ts"
import * as Metrics from "./Metrics.ts"
import { prettyCause } from "../platform/telemetry/Stacks.ts"
import * as Tracing from "../platform/telemetry/Tracing.ts"
import * as DatabaseWatch from "./DatabaseStart.ts"
import * as StorageWatch from "./StorageWatch.ts"
import { Installed } from "./Environment.ts"
import * as Logging from "./Logging.ts"
import { Cause, Context, Effect, Exit, Layer, type Redacted, type Scope } from "effect"
import { SettingRefused } from "../platform/Setting.ts"
import { MigrationError } from "../platform/db/Migrations.ts"
import { EmbeddedPostgresError } from "../platform/db/embedded/EmbeddedPostgres.ts"
import type { Settings } from "../platform/Config.ts"
import { Database, type Replicas } from "../platform/db/Database.ts"

const terminate = () => {
  process.kill(process.pid, "SIGTERM")
}

/** Watches the channel to `run.mjs` for as long as the scope lasts. */
const watch: Effect.Effect<void, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => {
    if (process.send === undefined) return
    process.on("disconnect", terminate)
    // After adding the listener, which would keep the process alive: a command must exit when it is done.
    process.channel?.unref()
    if (!process.connected) terminate()
  }),
  () => Effect.sync(() => process.removeListener("disconnect", terminate))
)

/** The guard for programs that npm scripts start: `watch` for a scope, `layer` for a program made of layers. */
export const OrphanGuard = { watch, layer: Layer.effectDiscard(watch) } as const

// Runs a process: an error of the operator is reported in one line, and a requested stop exits with 0.

/** The default time between a request to stop and the exit, in milliseconds. */
const defaultStopTimeout = 4500

/** The message of an error that the operator can fix; `undefined` for one that needs a stack trace. */
const oneLine = (error: unknown): string | undefined => {
  if (error instanceof SettingRefused || error instanceof MigrationError || error instanceof EmbeddedPostgresError) {
    return error.message
  }
  return Listening.refusal(error, { port: "PORT", host: "HOST" })?.message
}

const report = (cause: Cause.Cause<unknown>): void => {
  const line = oneLine(Cause.squash(cause))
  process.stderr.write(`${line ?? prettyCause(cause)}\n`)
}

/** The time between a request to stop and the exit, for a program that may need more of it. */
export class StopTimeout extends Context.Service<
  StopTimeout,
  { readonly extendBy: (millis: number) => Effect.Effect<void> }
>()("process/StopTimeout") {}

const limitStop = (stopTimeout: () => number): void => {
  const end = () => {
    setTimeout(() => process.exit(0), stopTimeout()).unref()
  }
  process.once("SIGINT", end)
  process.once("SIGTERM", end)
}

/**
 * Runs a process until it ends or fails. After SIGINT or SIGTERM it has `stopTimeout` milliseconds to finish, and by how much it has
 * extended them.
 */
export const run = <A, E>(
  program: Effect.Effect<A, E, StopTimeout>,
  options: { readonly stopTimeout?: number } = {}
): void => {
  let millis = options.stopTimeout ?? defaultStopTimeout
  limitStop(() => millis)
  const stopTimeout = StopTimeout.of({
    extendBy: (more) =>
      Effect.sync(() => {
        millis += more
      })
  })
  NodeRuntime.runMain(Effect.provideService(program, StopTimeout, stopTimeout), {
    disableErrorReporting: true,
    teardown: (exit, onExit) => {
      if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return onExit(0)
      report(exit.cause)
      onExit(1)
    }
  })
}

// What the service stands on in every process, and what each process reports about itself.

/** The database with the standbys that answer reads, traces and logs. Postgres shows the `applicationName` beside the connections. */
export const platformLayer = (
  settings: Settings,
  database: {
    readonly url: Redacted.Redacted<string>
    readonly replicas?: Replicas | undefined
    readonly applicationName?: string
  }
) =>
  Database.layer({
    ...database,
    citus: settings.citus,
    slowQueryMs: settings.slowQueryMs,
    slowReadMs: settings.searchTimeoutMs
  }).pipe(
    Layer.provideMerge(Layer.succeed(Installed, { settings, databaseUrl: database.url })),
    Layer.provideMerge(Tracing.layer(settings.telemetry)),
    Layer.provideMerge(Logging.layer(settings.logLevel))
  )

/** Metrics, and log lines about the database, about full disks and about webhooks that are off. */
export const reports = (settings: Settings) =>
  Layer.mergeAll(Metrics.layer(settings), DatabaseWatch.layer, StorageWatch.layer, Listening.webhooksOff(settings))
