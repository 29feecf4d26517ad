/** The operator's commands on what is held about a person: docs/privacy.md. */
import * as Installation from "./Installation.ts"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { InvalidRequest } from "../core/usecase/Problem.ts"
import { bodyFault } from "../core/usecase/Input.ts"
import { asOperator } from "../core/auth/CurrentActor.ts"
import { PersonExports } from "../privacy/PersonExports.ts"
import type { Where } from "../privacy/People.ts"
import { DryRun, emptyOutcome } from "../core/mutation/ChangeRecord.ts"
import type { Receipt } from "../privacy/Erasure.ts"
import { Erasures } from "../privacy/Erasures.ts"
import { dryRunFlag, writeArchive } from "./Command.ts"
import { print, tableOf, withFlagNames } from "./Output.ts"

const person = Argument.String("person").pipe(
  Argument.withDescription("The person's e-mail address, or the id of a contact or a user")
)

const whereFlags = {
  team: Flag.String("team").pipe(Flag.withDescription("Only in this team (`team list` shows ids)"), Flag.optional),
  all: Flag.Boolean("all").pipe(Flag.withDescription("In every team, and the account"), Flag.withDefault(false))
}

const names = { person: "PERSON", teamId: "--team" }

const whereOf = ({ all, team }: { readonly all: boolean; readonly team: Option.Option<string> }) => {
  if (all === Option.isSome(team)) {
    return Effect.fail(InvalidRequest.of([bodyFault("/--team", "required", "Give either --team ID or --all.")]))
  }
  const where: Where = Option.isSome(team) ? { team: team.value } : { all: true }
  return Effect.succeed(where)
}

const exportPerson = Command.make(
  "export",
  {
    person,
    ...whereFlags,
    out: Flag.String("out").pipe(Flag.withDescription("The zip archive to write, which only you can read"))
  },
  ({ out, person, ...given }) =>
    Effect.gen(function* () {
      const where = yield* whereOf(given)
      const { services } = yield* Installation.everything
      const answer = yield* Effect.gen(function* () {
        const exports = yield* PersonExports
        const { account, bytes, teams } = yield* asOperator(exports.open(person, where))
        return { file: out, bytes: yield* writeArchive(bytes, out), teams, account }
      }).pipe(withFlagNames(names), Effect.provide(services))
      yield* print(answer)
    }).pipe(Effect.scoped)
).pipe(
  Command.withDescription(
    "Write everything that is held about a person to a zip archive: JSON of each kind of data, the content of files, and an index that says where each stands and for how long. There are no secrets in it"
  ),
  Command.withShortDescription("Export everything that is held about a person"),
  Command.withExamples([
    { command: "privacy export maria@example.com --team team_… --out maria.zip" },
    { command: "privacy export maria@example.com --all --out maria.zip" }
  ])
)

const receiptLines = (isDryRun: boolean, { account, contacts, remaining, what }: Receipt): ReadonlyArray<string> => [
  ...tableOf([
    [isDryRun ? "WOULD BE ERASED" : "ERASED", "ROWS"],
    ...what.map(({ count, kind }) => [kind, String(count)])
  ]),
  `${[...contacts, ...(account === null ? [] : [account])].join(", ") || "Nothing was left to erase."}`,
  ...(remaining.length === 0
    ? []
    : [
        "Other records name the person. Decide about each:",
        ...tableOf(
          remaining.map(({ excerpt, id, member, position, type }) => [type, id, `${member} ${position}`, excerpt])
        )
      ])
]

const erasePerson = Command.make(
  "erase",
  { person, ...whereFlags, dryRun: dryRunFlag },
  ({ dryRun, person, ...given }) =>
    Effect.gen(function* () {
      const where = yield* whereOf(given)
      const { services } = yield* Installation.everything
      const receipt = yield* Effect.gen(function* () {
        const erasures = yield* Erasures
        return yield* asOperator(erasures.erase(person, where))
      }).pipe(
        withFlagNames(names),
        Effect.provideService(DryRun, dryRun ? emptyOutcome() : undefined),
        Effect.provide(services)
      )
      yield* print(receipt, (answer) => receiptLines(dryRun, answer))
    }).pipe(Effect.scoped)
).pipe(
  Command.withDescription(
    "Erase a person for good: names, addresses and free text of the contact and of all that hangs on it, in a team, or with --all in every team and with the account. Ids and counts stay. The answer is a receipt, with the places elsewhere that name the person"
  ),
  Command.withShortDescription("Erase a person for good"),
  Command.withExamples([
    { command: "privacy erase maria@example.com --team team_… --dry-run" },
    { command: "privacy erase contact_… --all" }
  ])
)

/** `privacy …` */
export const privacy = Command.make("privacy").pipe(
  Command.withDescription("What is held about a person"),
  Command.withSubcommands([exportPerson, erasePerson])
)
