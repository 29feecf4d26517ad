/** The operator's commands on what people granted to apps. */
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Grants } from "../identity/oauth/Grants.ts"
import { dryRunFlag, ofIdentity } from "./onBehalf.ts"

const list = Command.make(
  "list",
  {
    user: Flag.String("user").pipe(Flag.withDescription("The e-mail address of a user"), Flag.optional),
    team: Flag.String("team").pipe(Flag.withDescription("The id of a team"), Flag.optional),
    dryRun: dryRunFlag
  },
  ({ dryRun, team, user }) =>
    ofIdentity(
      dryRun,
      Effect.flatMap(Grants, (grants) =>
        grants.listOf({
          ...(Option.isSome(user) ? { email: user.value } : {}),
          ...(Option.isSome(team) ? { teamId: team.value } : {})
        })
      ),
      { email: "--user" }
    )
).pipe(Command.withDescription("List the apps that a user, or the members of a team, let act for them"))

const revoke = Command.make(
  "revoke",
  {
    id: Argument.String("id").pipe(Argument.withDescription("The grant's id (`grant list` shows it)")),
    dryRun: dryRunFlag
  },
  ({ dryRun, id }) =>
    ofIdentity(
      dryRun,
      Effect.flatMap(Grants, (grants) => Effect.as(grants.revoke(id), { id, revoked: true }))
    )
).pipe(Command.withDescription("End a grant with all its tokens, with immediate effect"))

/** `grant …` */
export const grant = Command.make("grant").pipe(
  Command.withDescription("What people granted to apps"),
  Command.withSubcommands([list, revoke])
)
