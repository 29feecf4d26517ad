/** The operator's commands on teams. */
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Id from "../Id.ts"
import { Teams } from "../identity/teams/Teams.ts"
import { answer } from "./Output.ts"

/** All teams, the oldest first. */
export const allTeams = Effect.flatMap(Teams, (teams) => teams.oldest(2 ** 31 - 1))

const create = Command.make(
  "create",
  {
    name: Argument.String("name").pipe(Argument.withDescription("The name of the team")),
    plan: Flag.Literals("plan", ["free", "professional", "plus"]).pipe(Flag.withDescription("The plan of the team"))
  },
  (team) =>
    answer(
      Effect.flatMap(Teams, (teams) => teams.create(team)),
      { name: "NAME" }
    )
).pipe(
  Command.withDescription("Create a team"),
  Command.withExamples([{ command: 'team create "Berg Partners" --plan professional' }])
)

const list = Command.make("list", {}, () =>
  answer(Effect.map(allTeams, (teams) => teams.map(({ name, uuid }) => ({ id: Id.fromUuid("team", uuid), name }))))
).pipe(Command.withDescription("List all teams with their ids, the oldest first"))

const setPlan = Command.make(
  "set-plan",
  {
    id: Argument.String("id").pipe(Argument.withDescription("The team's id (`team list` shows it)")),
    plan: Argument.Literals("plan", ["free", "professional", "plus"]).pipe(Argument.withDescription("The new plan"))
  },
  ({ id, plan }) =>
    answer(
      Effect.flatMap(Teams, (teams) => teams.setPlan(id, plan)),
      { teamId: "ID" }
    )
).pipe(
  Command.withDescription("Give a team another plan. The free one shows less in teasers, and keeps what was chosen"),
  Command.withExamples([{ command: "team set-plan team_… professional" }])
)

/** `team …` */
export const team = Command.make("team").pipe(
  Command.withDescription("Teams, the tenants of this installation"),
  Command.withSubcommands([create, list, setPlan])
)
