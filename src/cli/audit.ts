/** The operator's commands on the audit log: docs/behaviour/audit-log.md. */
import * as Installation from "./Installation.ts"
import { Console, Effect, Option, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import type { AuditEntry } from "../core/audit/AuditEntry.ts"
import { AuditLog } from "../core/audit/AuditLog.ts"
import { asOperator } from "../core/auth/CurrentActor.ts"
import { now } from "../platform/Time.ts"
import { timeFlag } from "./Command.ts"
import { print, tableOf, withFlagNames } from "./Output.ts"

const headings = ["AT", "OUTCOME", "ACTION", "WHO", "VIA", "ADDRESS", "TARGET", "DETAILS"]

const named = (id: string | null, name: string | null): string =>
  id === null ? (name ?? "") : name === null ? id : `${name} (${id})`

const whoOf = ({ actor }: AuditEntry): string => `${actor.kind} ${named(actor.id, actor.name)}`.trim()

const viaOf = ({ via }: AuditEntry): string =>
  [
    via.command,
    via.client === null ? null : named(via.client.id, via.client.name),
    via.grant === null ? null : `grant ${via.grant}`,
    via.token,
    via.session === null ? null : `session ${via.session}`
  ]
    .filter((part) => part !== null)
    .join(", ")

const cellsOf = (entry: AuditEntry): ReadonlyArray<string> => [
  entry.at,
  entry.outcome,
  entry.action,
  whoOf(entry),
  viaOf(entry) || "-",
  entry.address ?? "-",
  entry.target === null ? "-" : named(entry.target.id, entry.target.name),
  Object.entries(entry.details)
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(" ") : String(value)}`)
    .join(", ") || "-"
]

const table = (entries: ReadonlyArray<AuditEntry>): ReadonlyArray<string> =>
  entries.length === 0 ? ["None."] : tableOf([headings, ...entries.map(cellsOf)])

const text = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

const list = Command.make(
  "list",
  {
    since: Flag.optional(timeFlag("since", "Entries since this time")),
    until: Flag.optional(timeFlag("until", "Entries before this time")),
    team: text("team", "Entries that concern this team (`team list` shows its id)"),
    client: text("client", "What this client or app did, and what was done to it (`client list` shows its id)"),
    user: text("user", "What this user did, and what was done to them: an e-mail address or id"),
    action: text("action", "Entries of this action, such as client.revoked, or of several: client.*"),
    limit: Flag.Int("limit").pipe(
      Flag.filter(
        (limit) => limit > 0,
        () => "Must be 1 or more."
      ),
      Flag.withDescription("How many to list, the latest first (100 by default, all with --ndjson)"),
      Flag.optional
    ),
    ndjson: Flag.Boolean("ndjson").pipe(
      Flag.withDescription("Answer with a JSON document for each entry, on a line of its own"),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function* ({ limit, ndjson, since, until, ...of }) {
    const at = yield* now
    const times = { since: Option.map(since, (time) => time(at)), until: Option.map(until, (time) => time(at)) }
    const asked = {
      ...optional("since", times.since),
      ...optional("until", times.until),
      ...optional("team", of.team),
      ...optional("client", of.client),
      ...optional("user", of.user),
      ...optional("action", of.action)
    }
    const read = Effect.gen(function* () {
      const auditLog = yield* AuditLog
      const found = yield* auditLog.listAll(
        asked,
        Option.getOrElse(limit, () => (ndjson ? Infinity : 100))
      )
      if (ndjson) return yield* Stream.runForEach(found, (entry) => Console.log(JSON.stringify(entry)))
      yield* print(yield* Stream.runCollect(found), table)
    })
    yield* asOperator(read).pipe(
      withFlagNames({ team: "--team", client: "--client", user: "--user", action: "--action" }),
      Effect.provide(Installation.identity)
    )
  })
).pipe(
  Command.withDescription("List who did what, the latest first: docs/behaviour/audit-log.md"),
  Command.withExamples([
    { command: "audit list --since 1d" },
    { command: "audit list --client client_… --action webhook.* --json" },
    { command: "audit list --team team_… --ndjson" }
  ])
)

const optional = <Name extends string, A>(name: Name, value: Option.Option<A>): { readonly [_ in Name]?: A } =>
  Option.isSome(value) ? ({ [name]: value.value } as { readonly [_ in Name]: A }) : {}

/** `audit …` */
export const audit = Command.make("audit").pipe(
  Command.withDescription("Who did what"),
  Command.withSubcommands([list])
)
