/** The operator's commands on apps. */
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Apps } from "../identity/apps/Apps.ts"
import { dryRunFlag, ofIdentity } from "./onBehalf.ts"

const create = Command.make(
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

const list = Command.make("list", { dryRun: dryRunFlag }, ({ dryRun }) =>
  ofIdentity(
    dryRun,
    Effect.flatMap(Apps, (apps) => apps.list)
  )
).pipe(Command.withDescription("List all apps, the oldest first"))

const revoke = Command.make(
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
  Command.withSubcommands([create, list, revoke])
)
