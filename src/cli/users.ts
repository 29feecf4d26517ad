/** The operator's commands on users, their sessions in browsers, and their personal access tokens. */
import * as Config from "../platform/Config.ts"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Passwords } from "../identity/signIn/Passwords.ts"
import { UpstreamSignIn } from "../identity/signIn/UpstreamSignIn.ts"
import { type Account, Users } from "../identity/users/Users.ts"
import { paths } from "../console/SignInPages.ts"
import {
  capabilityFlag,
  capabilityOrNoneFlag,
  dryRunFlag,
  emailFlag,
  ofIdentity,
  roleFlag,
  teamFlag,
  userArgument
} from "./Command.ts"
import { answer, given, tableOf } from "./Output.ts"
import { Sessions } from "../identity/signIn/Sessions.ts"
import { InvalidRequest } from "../core/usecase/Problem.ts"
import { Tokens } from "../identity/tokens/Tokens.ts"

const createUser = Command.make(
  "create",
  {
    email: emailFlag,
    team: teamFlag,
    role: roleFlag,
    name: Flag.String("name").pipe(Flag.withDescription("First and last name")),
    broker: capabilityFlag("broker"),
    investor: capabilityFlag("investor")
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

const approveUser = Command.make(
  "approve",
  {
    email: emailFlag,
    broker: capabilityOrNoneFlag("broker", "unchanged by default"),
    investor: capabilityOrNoneFlag("investor", "unchanged by default")
  },
  ({ broker, email, investor }) =>
    answer(Effect.flatMap(Users, (users) => users.setCapabilities({ email, ...given({ broker, investor }) })))
).pipe(
  Command.withDescription("Set the capabilities of a user"),
  Command.withExamples([{ command: "user approve anna@example.com --broker active --investor none" }])
)

const signInLink = Command.make("sign-in-link", { email: emailFlag, dryRun: dryRunFlag }, ({ dryRun, email }) =>
  Effect.gen(function* () {
    const settings = yield* Config.load
    yield* ofIdentity(
      dryRun,
      Effect.flatMap(Passwords, ({ createLink }) =>
        Effect.map(createLink(email), ({ expiresUtc, link }) => ({
          url: `${Config.baseUrlOf(settings, settings.port)}${paths.password}?link=${link}`,
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

const unbind = Command.make("unbind", { email: emailFlag }, ({ email }) =>
  answer(Effect.flatMap(UpstreamSignIn, ({ unbind }) => unbind(email)))
).pipe(
  Command.withDescription(
    "Forget which account at the OpenID provider is that of a user: the next sign-in there decides by the e-mail address again. Sessions go on"
  ),
  Command.withExamples([{ command: "user unbind anna@example.com" }])
)

const operator = Command.make(
  "operator",
  {
    email: emailFlag,
    state: Argument.Literals("state", ["on", "off"]).pipe(Argument.withDescription("Whether the user is an operator")),
    dryRun: dryRunFlag
  },
  ({ dryRun, email, state }) =>
    ofIdentity(
      dryRun,
      Effect.flatMap(Users, (users) => users.setOperator(email, state === "on"))
    )
).pipe(
  Command.withDescription(
    "Make a user an operator, who sees and does in the console across teams what this command line does, or end that. It also ends when the account is deactivated or deleted"
  ),
  Command.withShortDescription("Make a user an operator of the console, or end that"),
  Command.withExamples([{ command: "user operator anna@example.com on" }])
)

const dayOf = (moment: string | null) => moment?.slice(0, 10) ?? "-"

const accountsTable = (accounts: ReadonlyArray<Account>): ReadonlyArray<string> =>
  accounts.length === 0
    ? ["None."]
    : tableOf([
        ["ID", "NAME", "E-MAIL", "STATE", "CAPABILITIES", "TEAMS", "LAST SIGN-IN"],
        ...accounts.map(({ capabilities, email, id, isBot, lastSignInUtc, name, state, teams }) => [
          id,
          name ?? "-",
          isBot === true ? "(bot)" : (email ?? "-"),
          state,
          Object.entries(capabilities)
            .map(([capability, status]) => (status === "active" ? capability : `${capability} (${status})`))
            .join(", ") || "-",
          teams.map(({ name, role, status }) => `${name} (${status === "active" ? role : "invited"})`).join(", ") ||
            "-",
          dayOf(lastSignInUtc)
        ])
      ])

const listUsers = Command.make(
  "list",
  {
    team: Flag.String("team").pipe(Flag.withDescription("Only the members of the team with this id"), Flag.optional),
    inactive: Flag.Boolean("inactive").pipe(
      Flag.withDescription("Only accounts that are deactivated or were deleted"),
      Flag.withDefault(false)
    )
  },
  ({ inactive, team }) =>
    answer(
      Effect.flatMap(Users, (users) =>
        users.list({ inactive, ...(Option.isSome(team) ? { teamId: team.value } : {}) })
      ),
      {},
      accountsTable
    )
).pipe(
  Command.withDescription(
    "List people and bots with their teams, the oldest first. Accounts that were deleted are left out"
  ),
  Command.withShortDescription("List people and bots"),
  Command.withExamples([{ command: "user list --team team_…" }, { command: "user list --inactive --json" }])
)

const showUser = Command.make("show", { user: userArgument }, ({ user }) =>
  answer(Effect.flatMap(Users, (users) => users.show(user)))
).pipe(
  Command.withDescription(
    "Show an account: its teams, when it was last used, and the sessions, tokens and grants that it has"
  ),
  Command.withShortDescription("Show an account and what gives access to it"),
  Command.withExamples([{ command: "user show anna@example.com --json" }])
)

const deactivateUser = Command.make("deactivate", { user: userArgument, dryRun: dryRunFlag }, ({ dryRun, user }) =>
  ofIdentity(
    dryRun,
    Effect.flatMap(Users, (users) => users.deactivate(user))
  )
).pipe(
  Command.withDescription(
    "Deactivate an account until `user activate`: nobody signs in with it, its sessions end at once, and its tokens and grants are refused. It stays a member of its teams"
  ),
  Command.withShortDescription("Deactivate an account, which ends its sessions"),
  Command.withExamples([{ command: "user deactivate anna@example.com" }])
)

const activateUser = Command.make("activate", { user: userArgument, dryRun: dryRunFlag }, ({ dryRun, user }) =>
  ofIdentity(
    dryRun,
    Effect.flatMap(Users, (users) => users.activate(user))
  )
).pipe(Command.withDescription("Activate an account that was deactivated: its tokens and grants are good again"))

const deleteUser = Command.make("delete", { user: userArgument, dryRun: dryRunFlag }, ({ dryRun, user }) =>
  ofIdentity(
    dryRun,
    Effect.flatMap(Users, (users) => users.removeNamed(user))
  )
).pipe(
  Command.withDescription(
    "Delete the account of a person, for good: name, address, password, sessions, tokens, grants and memberships. What they wrote stays, without a name, and so do the records that they own, which the answer counts"
  ),
  Command.withShortDescription("Delete the account of a person, for good"),
  Command.withExamples([{ command: "user delete anna@example.com --dry-run" }])
)

/** `user …` */
export const user = Command.make("user").pipe(
  Command.withDescription("Users and their capabilities"),
  Command.withSubcommands([
    createUser,
    approveUser,
    operator,
    signInLink,
    unbind,
    listUsers,
    showUser,
    deactivateUser,
    activateUser,
    deleteUser
  ])
)

// The operator's commands on sessions in browsers.

const listSessions = Command.make("list", { email: emailFlag, dryRun: dryRunFlag }, ({ dryRun, email }) =>
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

const revokeSession = Command.make(
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
  Command.withSubcommands([listSessions, revokeSession])
)

// The operator's commands on personal access tokens.

const userFlag = Flag.String("user").pipe(Flag.withDescription("The e-mail address of the token's user"))

const createToken = Command.make(
  "create",
  {
    user: userFlag,
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

const listTokens = Command.make("list", { user: userFlag }, ({ user }) =>
  answer(
    Effect.flatMap(Tokens, (tokens) => tokens.list(user)),
    { email: "--user" }
  )
).pipe(Command.withDescription("List a user's valid tokens"))

const revokeToken = Command.make(
  "revoke",
  { id: Argument.String("id").pipe(Argument.withDescription("The token's id (not its text)")) },
  ({ id }) => answer(Effect.flatMap(Tokens, (tokens) => Effect.as(tokens.revoke(id), { id, revoked: true })))
).pipe(Command.withDescription("Revoke a token, with immediate effect"))

/** `token …` */
export const token = Command.make("token").pipe(
  Command.withDescription("Personal access tokens"),
  Command.withSubcommands([createToken, listTokens, revokeToken])
)
