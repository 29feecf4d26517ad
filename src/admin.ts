/**
 * The operator's command line: `npm run -s admin -- <command>`. It uses the database of `DATABASE_URL`, else the
 * embedded one of `DATA_DIR`, whether the service runs or not.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Console, Effect, Exit, Layer, Logger } from "effect"
import { CliConfig, CliError, CliOutput, Command, GlobalFlag } from "effect/cli"
import { client } from "./admin/clients.ts"
import { exporting } from "./admin/export.ts"
import { importing } from "./admin/import.ts"
import { listen } from "./admin/listen.ts"
import { member } from "./admin/members.ts"
import { migrate } from "./admin/migrate.ts"
import { AsJson, documentOf, lineOf } from "./admin/Output.ts"
import { project } from "./admin/projects.ts"
import { secrets } from "./admin/secrets.ts"
import { team } from "./admin/teams.ts"
import { token } from "./admin/tokens.ts"
import { user } from "./admin/users.ts"
import { webhooks } from "./admin/webhooks.ts"

/** All commands. */
export const admin = Command.make("admin").pipe(
  Command.withDescription("Manage this installation of Property Network"),
  Command.withSubcommands([
    team,
    user,
    member,
    token,
    client,
    project,
    webhooks,
    secrets,
    importing,
    exporting,
    listen,
    migrate
  ]),
  Command.withGlobalFlags([AsJson])
)

// A refusal is one line on stderr (see `tell`), not the whole help on stdout, where a program looks for an answer.
const presenter = CliOutput.layerPresenter({
  present: (event) => (event._tag === "InvalidInvocation" ? Effect.void : CliOutput.defaultPresenter.present(event))
})

const services = Layer.mergeAll(
  NodeServices.layer,
  presenter,
  CliConfig.layer({ builtIns: [GlobalFlag.Help] }),
  // Nothing but answers on stdout.
  Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)])
)

/** Whether the help was printed in place of an answer. */
const isHelp = (cause: Cause.Cause<unknown>) => {
  const error = Cause.squash(cause)
  return CliError.isCliError(error) && error._tag === "ShowHelp" && error.errors.length === 0
}

// Not by the parsed flag: there is none when the rest of the line cannot be parsed.
const isForPrograms = (args: ReadonlyArray<string>) => {
  const end = args.indexOf("--")
  return args.slice(0, end === -1 ? undefined : end).some((arg) => arg === "--json" || arg === "--json=true")
}

const tell = Effect.fnUntraced(function* (cause: Cause.Cause<unknown>, forPrograms: boolean) {
  if (Cause.hasInterruptsOnly(cause)) return
  if (!isHelp(cause)) yield* Console.error(lineOf(cause))
  if (forPrograms) yield* Console.log(documentOf(cause))
})

/** Runs a command line; a refusal is said in one line on stderr, for programs on stdout too, and fails. */
export const run = (args: ReadonlyArray<string>) =>
  Command.runWith(admin, { version: "" })(args).pipe(
    Effect.tapCause((cause) => tell(cause, isForPrograms(args))),
    Effect.provide(services)
  )

if (import.meta.main) {
  NodeRuntime.runMain(run(process.argv.slice(2)), {
    disableErrorReporting: true,
    // Ctrl-C is how `listen` is meant to end.
    teardown: (exit, onExit) => onExit(Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? 0 : 1)
  })
}
