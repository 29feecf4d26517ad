/** The operator's commands on personal access tokens. */
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Tokens } from "../identity/tokens/Tokens.ts"
import { answer, given } from "./Output.ts"

const user = Flag.String("user").pipe(Flag.withDescription("The e-mail address of the token's user"))

const create = Command.make(
  "create",
  {
    user,
    name: Flag.String("name").pipe(Flag.withDescription("What the token is for")),
    team: Flag.String("team").pipe(
      Flag.withDescription("The id of the team that the token acts in (by default the user's primary team)"),
      Flag.optional
    )
  },
  ({ name, team, user }) =>
    answer(
      Effect.flatMap(Tokens, (tokens) => tokens.create({ email: user, name, ...given({ teamId: team }) })),
      { email: "--user" }
    )
).pipe(
  Command.withDescription("Create a token that is valid for 30 days and show it, only this once"),
  Command.withExamples([{ command: 'token create --user anna@example.com --name "nightly import"' }])
)

const list = Command.make("list", { user }, ({ user }) =>
  answer(
    Effect.flatMap(Tokens, (tokens) => tokens.list(user)),
    { email: "--user" }
  )
).pipe(Command.withDescription("List a user's valid tokens"))

const revoke = Command.make(
  "revoke",
  { id: Argument.String("id").pipe(Argument.withDescription("The token's id (not its text)")) },
  ({ id }) => answer(Effect.flatMap(Tokens, (tokens) => Effect.as(tokens.revoke(id), { id, revoked: true })))
).pipe(Command.withDescription("Revoke a token, with immediate effect"))

/** `token …` */
export const token = Command.make("token").pipe(
  Command.withDescription("Personal access tokens"),
  Command.withSubcommands([create, list, revoke])
)
