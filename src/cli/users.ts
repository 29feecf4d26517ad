/** The operator's commands on users. */
import * as Config from "../platform/Config.ts"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { baseUrlOf } from "../platform/Config.ts"
import { Passwords } from "../identity/signIn/Passwords.ts"
import { UpstreamSignIn } from "../identity/signIn/UpstreamSignIn.ts"
import { Users } from "../identity/users/Users.ts"
import { paths } from "../console/SignInPages.ts"
import { capability, capabilityOrNone, email, role, team } from "./flags.ts"
import { dryRunFlag, ofIdentity } from "./onBehalf.ts"
import { answer, given } from "./Output.ts"

const create = Command.make(
  "create",
  {
    email,
    team,
    role,
    name: Flag.String("name").pipe(Flag.withDescription("First and last name")),
    broker: capability("broker"),
    investor: capability("investor")
  },
  ({ broker, email, investor, name, role, team }) =>
    answer(
      Effect.flatMap(Users, (users) =>
        users.create({ email, name, teamId: team, role, ...given({ broker, investor }) })
      )
    )
).pipe(
  Command.withDescription("Create a user as a member of a team"),
  Command.withExamples([
    {
      command: 'user create anna@example.com --team team_… --role admin --name "Anna Berg" --broker active'
    }
  ])
)

const approve = Command.make(
  "approve",
  {
    email,
    broker: capabilityOrNone("broker", "unchanged by default"),
    investor: capabilityOrNone("investor", "unchanged by default")
  },
  ({ broker, email, investor }) =>
    answer(Effect.flatMap(Users, (users) => users.setCapabilities({ email, ...given({ broker, investor }) })))
).pipe(
  Command.withDescription("Set the capabilities of a user"),
  Command.withExamples([{ command: "user approve anna@example.com --broker active --investor none" }])
)

const signInLink = Command.make("sign-in-link", { email, dryRun: dryRunFlag }, ({ dryRun, email }) =>
  Effect.gen(function* () {
    const settings = yield* Config.load
    yield* ofIdentity(
      dryRun,
      Effect.flatMap(Passwords, ({ createLink }) =>
        Effect.map(createLink(email), ({ expiresUtc, link }) => ({
          url: `${baseUrlOf(settings, settings.port)}${paths.password}?link=${link}`,
          expiresUtc
        }))
      )
    )
  })
).pipe(
  Command.withDescription(
    "Make a link by which a user sets a password and signs in, once and within 15 minutes; earlier links end. It begins with BASE_URL"
  ),
  Command.withExamples([{ command: "user sign-in-link anna@example.com" }])
)

const unbind = Command.make("unbind", { email }, ({ email }) =>
  answer(Effect.flatMap(UpstreamSignIn, ({ unbind }) => unbind(email)))
).pipe(
  Command.withDescription(
    "Forget which account at the OpenID provider is that of a user: the next sign-in there decides by the e-mail address again. Sessions go on"
  ),
  Command.withExamples([{ command: "user unbind anna@example.com" }])
)

/** `user …` */
export const user = Command.make("user").pipe(
  Command.withDescription("Users and their capabilities"),
  Command.withSubcommands([create, approve, signInLink, unbind])
)
