/**
 * The operator's command line: `npm run -s admin -- <command>`. It uses the database of `DATABASE_URL`, else the
 * embedded one of `DATA_DIR`, whether the service runs or not.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as CommandRun from "./cli/CommandRun.ts"
import { Cause, Console, Effect, Exit, Layer, Logger } from "effect"
import { CliConfig, CliError, CliOutput, Command, GlobalFlag } from "effect/cli"
import { app, client, grant } from "./cli/apps.ts"
import { audit } from "./cli/audit.ts"
import { backup } from "./cli/backup.ts"
import { cell, migrate, secrets } from "./cli/database.ts"
import { doctor } from "./cli/doctor.ts"
import { exporting, importing } from "./cli/transfer.ts"
import { deliveries } from "./cli/deliveries.ts"
import { listen } from "./cli/listen.ts"
import { member, team } from "./cli/teams.ts"
import { call, file, message } from "./cli/messages.ts"
import { mcp } from "./cli/mcp.ts"
import { bid, im } from "./cli/milestones.ts"
import { Answered, AsJson, documentOf, lineOf } from "./cli/Output.ts"
import { privacy } from "./cli/privacy.ts"
import { questions } from "./cli/questions.ts"
import { restore } from "./cli/restore.ts"
import { offer } from "./cli/offers.ts"
import { room } from "./cli/rooms.ts"
import { session, token, user } from "./cli/users.ts"
import { teaser } from "./cli/teasers.ts"
import { CommandLine } from "./platform/SystemUser.ts"
import { webhooks } from "./cli/webhooks.ts"

/** All commands. */
export const admin = Command.make("admin").pipe(
  Command.withDescription("Manage this installation of Property Network"),
  Command.withSubcommands([
    team,
    user,
    member,
    session,
    token,
    client,
    app,
    grant,
    teaser,
    offer,
    room,
    questions,
    message,
    file,
    call,
    im,
    bid,
    webhooks,
    audit,
    privacy,
    deliveries,
    secrets,
    backup,
    doctor,
    cell,
    importing,
    exporting,
    restore,
    listen,
    mcp,
    migrate
  ]),
  Command.withGlobalFlags([AsJson])
)

// An error is one line on stderr (`report`), and not the whole help on stdout, where programs read the answer.
const presenter = CliOutput.layerPresenter({
  present: (event) => (event._tag === "InvalidInvocation" ? Effect.void : CliOutput.defaultPresenter.present(event))
})

const services = Layer.mergeAll(
  NodeServices.layer,
  presenter,
  CliConfig.layer({ builtIns: [GlobalFlag.Help] }),
  // Standard output is for answers only.
  Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)])
)

/** Whether the command printed its help instead of an answer. */
const isHelp = (cause: Cause.Cause<unknown>) => {
  const error = Cause.squash(cause)
  return CliError.isCliError(error) && error._tag === "ShowHelp" && error.errors.length === 0
}

// Looks at the raw arguments, because there is no parsed flag when another argument is invalid.
const isForPrograms = (args: ReadonlyArray<string>) => {
  const end = args.indexOf("--")
  return args.slice(0, end === -1 ? undefined : end).some((arg) => arg === "--json" || arg === "--json=true")
}

const report = Effect.fnUntraced(function* (cause: Cause.Cause<unknown>, forPrograms: boolean) {
  if (Cause.hasInterruptsOnly(cause) || Cause.squash(cause) instanceof Answered) return
  if (!isHelp(cause)) yield* Console.error(lineOf(cause))
  if (forPrograms) yield* Console.log(documentOf(cause))
})

/** Runs a command line. Fails with the error after printing it: one line on stderr, and JSON on stdout with `--json`. */
export const run = (args: ReadonlyArray<string>) =>
  Command.runWith(admin, { version: "" })(args).pipe(
    Effect.provideService(CommandLine, args),
    CommandRun.run(admin, args),
    Effect.tapCause((cause) => report(cause, isForPrograms(args))),
    Effect.provide(services)
  )

if (import.meta.main) {
  NodeRuntime.runMain(run(process.argv.slice(2)), {
    disableErrorReporting: true,
    // Ctrl-C is the normal end of `listen`.
    teardown: (exit, onExit) => onExit(Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? 0 : 1)
  })
}
