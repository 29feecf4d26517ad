/** The operator's commands on teams. */
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Teams } from "../identity/teams/Teams.ts"
import { answer } from "./Output.ts"

const create = Command.make(
  "create",
  {
    name: Argument.String("name").pipe(Argument.withDescription("What the team is called")),
    plan: Flag.Literals("plan", ["free", "professional", "plus"]).pipe(Flag.withDescription("What the team pays for"))
  },
  (team) => answer(Effect.flatMap(Teams, (teams) => teams.create(team)))
).pipe(
  Command.withDescription("Make a team"),
  Command.withExamples([{ command: "team create \"Berg Partners\" --plan professional" }])
)

/** `team …` */
export const team = Command.make("team").pipe(
  Command.withDescription("Teams, the tenants of this installation"),
  Command.withSubcommands([create])
)
