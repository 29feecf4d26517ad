/** The operator's commands on apps, OAuth clients, and what people granted to apps. */
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Apps } from "../identity/apps/Apps.ts"
import { capabilityOrNoneFlag, dryRunFlag, ofIdentity, teamFlag } from "./Command.ts"
import { Clients } from "../identity/clients/Clients.ts"
import { answer, given, linesOf, tableOf } from "./Output.ts"
import { ClientWebhooks } from "../webhooks/clients/ClientWebhooks.ts"
import { Grants } from "../identity/oauth/Grants.ts"

const createApp = Command.make(
  "create",
  {
    name: Flag.String("name").pipe(Flag.withDescription("The name that people see")),
    redirect: Flag.String("redirect").pipe(
      Flag.withDescription(
        "Where the app takes people back: https, http to this machine (any port), or a scheme of its own. May be repeated"
      ),
      Flag.atLeast(1)
    ),
    public: Flag.Boolean("public").pipe(
      Flag.withDescription("The app cannot keep a secret: it runs on the machines of people, or in their browsers"),
      Flag.withDefault(false)
    ),
    dryRun: dryRunFlag
  },
  ({ dryRun, name, public: isPublic, redirect }) =>
    ofIdentity(
      dryRun,
      Effect.flatMap(Apps, (apps) => apps.create({ name, redirectUris: [...redirect], confidential: !isPublic })),
      { redirectUris: "--redirect" }
    )
).pipe(
  Command.withDescription("Create an app that people can let act for them, and show its secret, only this once"),
  Command.withExamples([{ command: 'app create --name "Deal Radar" --redirect https://radar.example.com/callback' }])
)

const listApps = Command.make("list", { dryRun: dryRunFlag }, ({ dryRun }) =>
  ofIdentity(
    dryRun,
    Effect.flatMap(Apps, (apps) => apps.list)
  )
).pipe(Command.withDescription("List all apps, the oldest first"))

const revokeApp = Command.make(
  "revoke",
  { id: Argument.String("id").pipe(Argument.withDescription("The app's id")), dryRun: dryRunFlag },
  ({ dryRun, id }) =>
    ofIdentity(
      dryRun,
      Effect.flatMap(Apps, (apps) => Effect.as(apps.revoke(id), { id, revoked: true }))
    )
).pipe(Command.withDescription("Revoke an app and all that people granted it, with immediate effect"))

/** `app …` */
export const app = Command.make("app").pipe(
  Command.withDescription("Apps that act for people"),
  Command.withSubcommands([createApp, listApps, revokeApp])
)

// The operator's commands on OAuth clients.

type ShownClient = Effect.Success<ReturnType<ClientWebhooks["Service"]["show"]>>

const createClient = Command.make(
  "create",
  {
    team: teamFlag,
    name: Flag.String("name").pipe(Flag.withDescription("The name of the integration")),
    bot: Flag.String("bot").pipe(Flag.withDescription("The name of a new bot that the client acts as"), Flag.optional),
    botId: Flag.String("bot-id").pipe(
      Flag.withDescription("The id of an existing bot of the team, instead of --bot"),
      Flag.optional
    ),
    broker: capabilityOrNoneFlag("broker", "of a new bot; active by default"),
    investor: capabilityOrNoneFlag("investor", "of a new bot; active by default")
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

const listClients = Command.make("list", { team: teamFlag }, ({ team }) =>
  answer(Effect.flatMap(Clients, (clients) => clients.list(team)))
).pipe(Command.withDescription("List a team's clients"))

const clientArgument = Argument.String("id").pipe(Argument.withDescription("The client's id (`client list` shows it)"))

const revokeClient = Command.make(
  "revoke",
  {
    id: clientArgument,
    withWebhooks: Flag.Boolean("with-webhooks").pipe(
      Flag.withDescription("Delete the webhooks that it made, too: nothing more is sent to them"),
      Flag.withDefault(false)
    ),
    dryRun: dryRunFlag
  },
  ({ dryRun, id, withWebhooks }) =>
    ofIdentity(
      dryRun,
      Effect.gen(function* () {
        const [clients, made] = [yield* Clients, yield* ClientWebhooks]
        const webhooks = withWebhooks ? yield* made.revoke(id) : yield* Effect.as(clients.revoke(id), undefined)
        return { id, revoked: true, ...(webhooks === undefined ? {} : { webhooks }) }
      })
    )
).pipe(
  Command.withDescription("Revoke a client: its secret and its access tokens, with immediate effect"),
  Command.withExamples([{ command: "client revoke client_… --with-webhooks" }])
)

const linesOfClient = ({ addresses, requestsByDay, webhooks, ...members }: ShownClient): ReadonlyArray<string> => {
  const used = requestsByDay.filter(({ requests }) => requests > 0)
  return [
    ...linesOf(members),
    "",
    ...(addresses.length === 0
      ? ["It called from no address yet."]
      : tableOf([
          ["ADDRESS", "FIRST", "LAST"],
          ...addresses.map(({ address, firstUtc, lastUtc }) => [address, firstUtc, lastUtc])
        ])),
    "",
    ...(used.length === 0
      ? [`No requests in ${requestsByDay.length} days.`]
      : tableOf([["DAY", "REQUESTS"], ...used.map(({ day, requests }) => [day, String(requests)])])),
    "",
    ...(webhooks.length === 0
      ? ["It made no webhooks."]
      : tableOf([
          ["WEBHOOK", "STATUS", "CREATED", "NAME", "URL"],
          ...webhooks.map(({ createdUtc, id, name, status, url }) => [id, status, createdUtc, name ?? "-", url])
        ]))
  ]
}

const showClient = Command.make("show", { id: clientArgument }, ({ id }) =>
  answer(
    Effect.flatMap(ClientWebhooks, ({ show }) => show(id)),
    undefined,
    linesOfClient
  )
).pipe(
  Command.withDescription(
    "Show a client: its team and bot, when and from which addresses it was used, its requests by day, and the webhooks that it made"
  ),
  Command.withExamples([{ command: "client show client_…" }])
)

const rotateClient = Command.make(
  "rotate",
  {
    id: clientArgument,
    overlap: Flag.String("overlap").pipe(
      Flag.withDescription("For how long the present secret is good, too, such as 24h. Without it, it ends at once"),
      Flag.optional
    ),
    dryRun: dryRunFlag
  },
  ({ dryRun, id, overlap }) =>
    ofIdentity(
      dryRun,
      Effect.flatMap(Clients, ({ rotate }) => rotate(id, Option.getOrUndefined(overlap))),
      { overlap: "--overlap" }
    )
).pipe(
  Command.withDescription("Give a client another secret and show it, only this once. Its access tokens go on"),
  Command.withExamples([{ command: "client rotate client_… --overlap 24h" }])
)

/** `client …` */
export const client = Command.make("client").pipe(
  Command.withDescription("OAuth clients, the integrations of a team"),
  Command.withSubcommands([createClient, listClients, showClient, rotateClient, revokeClient])
)

// The operator's commands on what people granted to apps.

const listGrants = Command.make(
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

const revokeGrant = Command.make(
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
  Command.withSubcommands([listGrants, revokeGrant])
)
