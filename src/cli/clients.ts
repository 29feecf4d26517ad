/** The operator's commands on OAuth clients. */
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Clients } from "../identity/clients/Clients.ts"
import { capabilityOrNone, team } from "./flags.ts"
import { answer, given } from "./Output.ts"

const create = Command.make(
  "create",
  {
    team,
    name: Flag.String("name").pipe(Flag.withDescription("The name of the integration")),
    bot: Flag.String("bot").pipe(Flag.withDescription("The name of a new bot that the client acts as"), Flag.optional),
    botId: Flag.String("bot-id").pipe(
      Flag.withDescription("The id of an existing bot of the team, instead of --bot"),
      Flag.optional
    ),
    broker: capabilityOrNone("broker", "of a new bot; active by default"),
    investor: capabilityOrNone("investor", "of a new bot; active by default")
  },
  ({ bot, botId, broker, investor, name, team }) =>
    answer(
      Effect.flatMap(Clients, (clients) =>
        clients.create({ teamId: team, name, ...given({ botName: bot, botId, broker, investor }) })
      )
    )
).pipe(
  Command.withDescription("Create a client for an integration and show its secret, only this once"),
  Command.withExamples([{ command: 'client create --team team_… --name "CRM sync" --bot "Sync Bot"' }])
)

const list = Command.make("list", { team }, ({ team }) =>
  answer(Effect.flatMap(Clients, (clients) => clients.list(team)))
).pipe(Command.withDescription("List a team's clients"))

const revoke = Command.make(
  "revoke",
  { id: Argument.String("id").pipe(Argument.withDescription("The client's id")) },
  ({ id }) => answer(Effect.flatMap(Clients, (clients) => Effect.as(clients.revoke(id), { id, revoked: true })))
).pipe(Command.withDescription("Revoke a client: its secret and its access tokens, with immediate effect"))

/** `client …` */
export const client = Command.make("client").pipe(
  Command.withDescription("OAuth clients, the integrations of a team"),
  Command.withSubcommands([create, list, revoke])
)
