/** The operator's commands on memberships. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { Teams } from "../identity/teams/Teams.ts"
import { email, role, team } from "./flags.ts"
import { answer } from "./Output.ts"

const invite = Command.make("invite", { email, team, role }, ({ email, role, team }) =>
  answer(Effect.flatMap(Teams, (teams) => teams.invite({ email, teamId: team, role })))
).pipe(Command.withDescription("Invite a user to a team: create a pending membership"))

const accept = Command.make("accept", { email, team }, ({ email, team }) =>
  answer(Effect.flatMap(Teams, (teams) => teams.accept({ email, teamId: team })))
).pipe(Command.withDescription("Accept an invitation for a user: make the membership active"))

const remove = Command.make("remove", { email, team }, ({ email, team }) =>
  answer(Effect.flatMap(Teams, (teams) => teams.remove({ email, teamId: team })))
).pipe(
  Command.withDescription(
    "End a membership or withdraw an invitation. The user's tokens for the team stop working at once"
  )
)

/** `member …` */
export const member = Command.make("member").pipe(
  Command.withDescription("The members of a team"),
  Command.withSubcommands([invite, accept, remove])
)
