/** The operator's commands on sessions in browsers. */
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Sessions } from "../identity/signIn/Sessions.ts"
import { InvalidRequest } from "../core/usecase/Problem.ts"
import { email } from "./flags.ts"
import { dryRunFlag, ofIdentity } from "./onBehalf.ts"

const list = Command.make("list", { email, dryRun: dryRunFlag }, ({ dryRun, email }) =>
  ofIdentity(
    dryRun,
    Effect.flatMap(Sessions, ({ listOf }) => listOf(email))
  )
).pipe(Command.withDescription("List the valid sessions of a user, the latest first"))

const oneOrAll = InvalidRequest.of([
  {
    in: "body",
    pointer: "/id",
    code: "required",
    detail: "Needs the id of a session, or --all-of with an e-mail address."
  }
])

const revoke = Command.make(
  "revoke",
  {
    id: Argument.String("id").pipe(Argument.withDescription("The session's id"), Argument.optional),
    allOf: Flag.String("all-of").pipe(
      Flag.withDescription("The e-mail address of the user whose sessions all end"),
      Flag.optional
    ),
    dryRun: dryRunFlag
  },
  ({ allOf, dryRun, id }) =>
    ofIdentity(
      dryRun,
      Effect.gen(function* () {
        const { revoke, revokeAllOf } = yield* Sessions
        if (Option.isSome(allOf) === Option.isSome(id)) return yield* oneOrAll
        if (Option.isSome(allOf)) return yield* revokeAllOf(allOf.value)
        const session = Option.getOrElse(id, () => "")
        yield* revoke(session)
        return { id: session, revoked: true }
      }),
      { email: "--all-of", id: "ID" }
    )
).pipe(
  Command.withDescription("End a session, or all sessions of a user, with immediate effect"),
  Command.withExamples([{ command: "session revoke --all-of anna@example.com" }])
)

/** `session …` */
export const session = Command.make("session").pipe(
  Command.withDescription("Sessions in browsers"),
  Command.withSubcommands([list, revoke])
)
