/** The operator's commands on teams and memberships. */
import * as Id from "../core/Id.ts"
import { Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { TeamQuotas, Teams } from "../identity/teams/Teams.ts"
import { definitions, kinds, type QuotaKind, type QuotaUsage } from "../core/quotas/Quota.ts"
import { TeamLifecycle } from "../tenancy/TeamLifecycle.ts"
import { TeamExports } from "../tenancy/TeamExports.ts"
import { TeamImports } from "../tenancy/TeamImports.ts"
import { byOperator, dryRunFlag, emailFlag, ofIdentity, onBehalf, roleFlag, teamFlag, writeArchive } from "./Command.ts"
import { answer, linesOf, tableOf } from "./Output.ts"

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
  answer(
    Effect.map(allTeams, (teams) =>
      teams.map(({ isDeleted, name, uuid }) => ({
        id: Id.fromUuid("team", uuid),
        name,
        ...(isDeleted ? { state: "deleted" } : {})
      }))
    )
  )
).pipe(Command.withDescription("List all teams with their ids, the oldest first"))

const id = Argument.String("id").pipe(Argument.withDescription("The team's id (`team list` shows it)"))

const setPlan = Command.make(
  "set-plan",
  {
    id,
    plan: Argument.Literals("plan", ["free", "professional", "plus"]).pipe(Argument.withDescription("The new plan")),
    dryRun: dryRunFlag
  },
  ({ dryRun, id, plan }) =>
    ofIdentity(
      dryRun,
      Effect.flatMap(Teams, (teams) => teams.setPlan(id, plan)),
      { teamId: "ID" }
    )
).pipe(
  Command.withDescription("Give a team another plan. The free one shows less in teasers, and keeps what was chosen"),
  Command.withExamples([{ command: "team set-plan team_… professional" }])
)

const number = new Intl.NumberFormat("en")

const defaultOf = (kind: QuotaKind): string => {
  const { quota } = definitions[kind]
  return quota === null ? "none" : number.format(quota)
}

const usageTable = (quotas: ReadonlyArray<QuotaUsage>): ReadonlyArray<string> =>
  tableOf([
    ["KIND", "USED", "QUOTA", "PERCENT", ""],
    ...quotas.map(({ isDefault, kind, percent, quota, used }) => [
      kind,
      used === null ? "-" : number.format(used),
      quota === null ? "none" : number.format(quota),
      percent === null ? "-" : `${percent} %`,
      isDefault ? "" : `(default ${defaultOf(kind)})`
    ])
  ])

const usage = Command.make("usage", { id }, ({ id }) =>
  answer(
    Effect.flatMap(TeamQuotas, (quotas) => quotas.usage(id)),
    { teamId: "ID" },
    usageTable
  )
).pipe(
  Command.withDescription(
    "Show a team's quotas and what it uses of them. Quotas of one record, resource or prospect are without a figure"
  ),
  Command.withExamples([{ command: "team usage team_…" }, { command: "team usage team_… --json" }])
)

const setQuota = Command.make(
  "set-quota",
  {
    id,
    kind: Argument.Literals("kind", kinds).pipe(Argument.withDescription("What the quota bounds")),
    quota: Argument.String("quota").pipe(
      Argument.withDescription("The new quota, in rows or bytes, or `default`"),
      Argument.withSchema(Schema.Union([Schema.Literal("default"), Schema.FiniteFromString]))
    )
  },
  ({ id, kind, quota }) =>
    answer(
      Effect.flatMap(TeamQuotas, (quotas) => quotas.set(id, { kind, quota: quota === "default" ? null : quota })),
      { teamId: "ID", quota: "QUOTA" },
      usageTable
    )
).pipe(
  Command.withDescription("Set a quota of a team, which holds at once"),
  Command.withExamples([
    { command: "team set-quota team_… contacts 50000000" },
    { command: "team set-quota team_… file_bytes default" }
  ])
)

// What is done with whole teams: docs/behaviour/identity.md#deleted-teams.

type ShownTeam = Effect.Success<ReturnType<TeamLifecycle["Service"]["show"]>>

const section = (title: string, rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> =>
  rows.length < 2 ? [] : ["", `${title}:`, ...tableOf(rows)]

const linesOfTeam = ({ clients, members, quotas, records: _, webhooks, ...team }: ShownTeam): ReadonlyArray<string> => [
  ...linesOf(team),
  ...section("members", [
    ["ID", "NAME", "E-MAIL", "ROLE", "STATUS"],
    ...members.map(({ deactivated, email, id, isBot, name, role, status }) => [
      id,
      name,
      isBot === true ? "(bot)" : (email ?? "-"),
      role,
      deactivated === true ? "deactivated" : status
    ])
  ]),
  ...section("clients", [
    ["ID", "NAME", "BOT", "CREATED", "REVOKED"],
    ...clients.map(({ bot, createdUtc, id, name, revokedUtc }) => [
      id,
      name,
      bot.name,
      createdUtc.slice(0, 10),
      revokedUtc?.slice(0, 10) ?? "-"
    ])
  ]),
  ...section("webhooks", [
    ["ID", "NAME", "STATUS", "HEALTH", "PENDING", "URL"],
    ...webhooks.map(({ health, id, name, pending, status, url }) => [
      id,
      name ?? "-",
      status,
      health,
      String(pending),
      url
    ])
  ]),
  "",
  ...usageTable(quotas)
]

const show = Command.make("show", { id }, ({ id }) =>
  onBehalf(
    { dryRun: false },
    Effect.flatMap(TeamLifecycle, (teams) => teams.show(id)),
    {},
    linesOfTeam
  )
).pipe(
  Command.withDescription("Show a team, deleted or not: its members, clients and webhooks, and how much it has"),
  Command.withShortDescription("Show a team and what it has"),
  Command.withExamples([{ command: "team show team_… --json" }])
)

const remove = Command.make(
  "delete",
  {
    id,
    now: Flag.Boolean("now").pipe(
      Flag.withDescription("Remove all that the team has at once, for good; needs --confirm"),
      Flag.withDefault(false)
    ),
    confirm: Flag.String("confirm").pipe(Flag.withDescription("The name of the team, for --now"), Flag.optional),
    dryRun: dryRunFlag
  },
  ({ confirm, dryRun, id, now }) =>
    byOperator(
      dryRun,
      Effect.flatMap(TeamLifecycle, (teams) => teams.delete(id, { now, confirm: Option.getOrUndefined(confirm) }))
    )
).pipe(
  Command.withDescription(
    "Delete a team: its members, clients and tokens are refused at once, its webhooks stop, and its projects are closed. `team restore` brings it back for 30 days; then all that it has is removed"
  ),
  Command.withShortDescription("Delete a team, which can be restored for 30 days"),
  Command.withExamples([
    { command: "team delete team_… --dry-run" },
    { command: 'team delete team_… --now --confirm "Berg Partners"' }
  ])
)

const restore = Command.make("restore", { id, dryRun: dryRunFlag }, ({ dryRun, id }) =>
  byOperator(
    dryRun,
    Effect.flatMap(TeamLifecycle, (teams) => teams.restore(id))
  )
).pipe(
  Command.withDescription("Restore a team that was deleted less than 30 days ago, with all that it had"),
  Command.withExamples([{ command: "team restore team_…" }])
)

const exportTeam = Command.make(
  "export",
  {
    id,
    out: Flag.String("out").pipe(Flag.withDescription("The zip archive to write, which only you can read"))
  },
  ({ id, out }) =>
    byOperator(
      false,
      Effect.flatMap(TeamExports, (exports) =>
        exports.write(id, (bytes) => Effect.map(writeArchive(bytes, out), (size) => ({ file: out, bytes: size })))
      )
    )
).pipe(
  Command.withDescription(
    "Write everything that a team has to a zip archive, which `team import` reads into another installation: as it is at one moment, while the service runs. There are no secrets in it"
  ),
  Command.withShortDescription("Write everything that a team has to an archive"),
  Command.withExamples([{ command: "team export team_… --out berg.zip" }])
)

const importTeam = Command.make(
  "import",
  { file: Argument.String("file").pipe(Argument.withDescription("The archive of `team export`")), dryRun: dryRunFlag },
  ({ dryRun, file }) =>
    byOperator(
      dryRun,
      Effect.flatMap(TeamImports, (imports) => imports.read(file))
    )
).pipe(
  Command.withDescription(
    "Read the archive of a team of another installation, with all its ids. People are matched by their e-mail addresses, or get an account without a password. Nothing is written unless all of it is"
  ),
  Command.withShortDescription("Read the archive of a team of another installation"),
  Command.withExamples([{ command: "team import berg.zip --dry-run" }])
)

/** `team …` */
export const team = Command.make("team").pipe(
  Command.withDescription("Teams, the tenants of this installation"),
  Command.withSubcommands([create, list, setPlan, usage, setQuota, show, remove, restore, exportTeam, importTeam])
)

// The operator's commands on memberships.

const invite = Command.make("invite", { email: emailFlag, team: teamFlag, role: roleFlag }, ({ email, role, team }) =>
  answer(Effect.flatMap(Teams, (teams) => teams.invite({ email, teamId: team, role })))
).pipe(Command.withDescription("Invite a user to a team: create a pending membership"))

const accept = Command.make("accept", { email: emailFlag, team: teamFlag }, ({ email, team }) =>
  answer(Effect.flatMap(Teams, (teams) => teams.accept({ email, teamId: team })))
).pipe(Command.withDescription("Accept an invitation for a user: make the membership active"))

const setRole = Command.make(
  "set-role",
  { email: emailFlag, team: teamFlag, role: roleFlag, dryRun: dryRunFlag },
  ({ dryRun, email, role, team }) =>
    ofIdentity(
      dryRun,
      Effect.flatMap(Teams, (teams) => teams.setRole({ email, teamId: team, role }))
    )
).pipe(
  Command.withDescription("Give a member another role in the team"),
  Command.withExamples([{ command: "member set-role anna@example.com --team team_… --role admin" }])
)

const removeMember = Command.make("remove", { email: emailFlag, team: teamFlag }, ({ email, team }) =>
  answer(Effect.flatMap(Teams, (teams) => teams.remove({ email, teamId: team })))
).pipe(
  Command.withDescription(
    "End a membership or withdraw an invitation. The user's tokens for the team stop working at once"
  )
)

/** `member …` */
export const member = Command.make("member").pipe(
  Command.withDescription("The members of a team"),
  Command.withSubcommands([invite, accept, setRole, removeMember])
)
