/** The command that runs: its name, who runs it, how it ends, and its entry in the audit log (docs/behaviour/audit-log.md). */
import * as RandomPool from "../platform/secrets/RandomPool.ts"
import { Cause, Context, Effect, Exit, type Fiber, Layer, Predicate } from "effect"
import { CliError, type Command } from "effect/cli"
import { userInfo } from "node:os"
import { type AuditContext, CurrentAuditContext, ofCommand } from "../core/auth/AuditContext.ts"
import { AuditLog } from "../core/audit/AuditLog.ts"
import { DatabaseUnavailable } from "../platform/db/DatabaseUnavailable.ts"
import { EmbeddedPostgresError } from "../platform/db/embedded/EmbeddedPostgres.ts"
import { MigrationError } from "../platform/db/Migrations.ts"
import { SettingRefused } from "../platform/Setting.ts"

/** The code of an error. */
export const codeOf = (error: unknown): string => {
  if (CliError.isCliError(error)) return "invalid_request"
  if (error instanceof SettingRefused) return "invalid_setting"
  if (error instanceof DatabaseUnavailable && error.isFull) return "storage_full"
  if (error instanceof DatabaseUnavailable || error instanceof EmbeddedPostgresError) return "unavailable"
  if (error instanceof MigrationError) return error.reason === "Unreachable" ? "unavailable" : "migration_failed"
  return Predicate.hasProperty(error, "code") &&
    Predicate.hasProperty(error, "detail") &&
    Predicate.isString(error.code)
    ? error.code
    : "internal_error"
}

/** The names of a command and its subcommands that arguments name, without the values of flags and arguments. */
export const nameOf = (
  { subcommands }: Pick<Command.Command.Any, "subcommands">,
  args: ReadonlyArray<string>
): string => {
  const [first, ...rest] = args
  if (first === undefined) return ""
  if (first.startsWith("-")) return nameOf({ subcommands }, rest)
  const found = subcommands
    .flatMap(({ commands }) => commands)
    .find(({ alias, name }) => name === first || alias === first)
  return found === undefined ? "" : `${found.name} ${nameOf(found, rest)}`.trim()
}

/** Who runs this process on this machine. */
const systemUser = (): AuditContext["systemUser"] => {
  try {
    const { uid, username } = userInfo()
    return { uid: uid < 0 ? null : uid, name: username }
  } catch {
    // Not every id has a name, as in a container.
    return { uid: process.getuid?.() ?? null, name: null }
  }
}

/** The command that runs; undefined in other processes. */
const Running = Context.Reference<{ readonly dryRun: boolean; isRecorded: boolean } | undefined>(
  "cli/CommandRun/Running",
  { defaultValue: () => undefined }
)

/** Runs a command line as a command whose entries in the audit log name it. */
export const run =
  (root: Pick<Command.Command.Any, "subcommands">, args: ReadonlyArray<string>) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() =>
      self.pipe(
        Effect.provideService(CurrentAuditContext, ofCommand(nameOf(root, args), systemUser())),
        Effect.provideService(Running, { dryRun: args.includes("--dry-run"), isRecorded: false })
      )
    )

const recordedOf = (exit: Exit.Exit<unknown, unknown>) => {
  // Ctrl-C is the normal end of `listen`.
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return { outcome: "success" as const }
  const code = codeOf(Cause.squash(exit.cause))
  return { outcome: code === "internal_error" ? ("failed" as const) : ("refused" as const), details: { code } }
}

/** For how long a command waits for its entry when it has ended, and when somebody ends it and waits, in milliseconds. */
const maxMillis = { ended: 5000, stopped: 500 }

const unavailable = new DatabaseUnavailable({ cause: "no answer in time" })

/** The end of a fiber, in an interrupted fiber, too: Ctrl-C ends a command that is recorded. */
const inTime = (fiber: Fiber.Fiber<unknown>, isStopped: boolean): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    const timer = setTimeout(
      () => {
        resume(Effect.die(unavailable))
        fiber.interruptUnsafe()
      },
      maxMillis[isStopped ? "stopped" : "ended"]
    )
    fiber.addObserver((exit) => {
      clearTimeout(timer)
      resume(Exit.asVoid(exit))
    })
  })

/** Records the command on the database that it works on, when it has ended there. */
export const recorded = Layer.effectDiscard(
  Effect.gen(function* () {
    const running = yield* Running
    const auditLog = yield* AuditLog
    if (running === undefined) return
    const context = yield* CurrentAuditContext
    const record = (exit: Exit.Exit<unknown, unknown>) => {
      const { details, outcome } = { details: {}, ...recordedOf(exit) }
      return auditLog.record({
        action: "command.run",
        outcome,
        details: { ...details, ...(running.dryRun ? { dryRun: true } : {}) }
      })
    }
    yield* Effect.addFinalizer((exit) =>
      Effect.suspend(() => {
        if (running.isRecorded) return Effect.void
        running.isRecorded = true
        // A database that hangs does not keep a command from ending.
        return Effect.flatMap(Effect.forkDetach(record(exit)), (fiber) =>
          inTime(fiber, Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause))
        )
      }).pipe(
        Effect.provideService(CurrentAuditContext, context),
        Effect.catchCause((cause) =>
          // The command says itself that the database is away.
          Cause.squash(cause) instanceof DatabaseUnavailable
            ? Effect.void
            : Effect.logError("The command could not be recorded in the audit log.", cause)
        )
      )
    )
  })
).pipe(Layer.provide(AuditLog.layer), Layer.provide(RandomPool.layer))
