/** The operator's commands on webhooks. */
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { type ReportedWebhook, WebhookHealth } from "../webhooks/WebhookHealth.ts"
import { answer, tableOf } from "./Output.ts"

const age = (seconds: number): string => {
  if (seconds < 60) return `${Math.floor(seconds)} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`
}

// Rounded down, so that it never shows 100 % when a delivery failed.
const percent = (rate: number): string => `${Math.floor(rate * 1000) / 10} %`

const optional = <A>(value: A | null, text: (value: A) => string): string => (value === null ? "-" : text(value))

const headings = [
  "HEALTH",
  "DISABLED",
  "PENDING",
  "IN FLIGHT",
  "OLDEST DUE",
  "DELIVERED",
  "P95",
  "WEBHOOK",
  "TEAM",
  "NAME",
  "URL"
]

const cellsOf = (one: ReportedWebhook): ReadonlyArray<string> => [
  one.health,
  optional(one.disabledUtc, (at) => `${at.slice(0, 16)}Z ${one.disabledReason ?? ""}`.trimEnd()),
  String(one.pending),
  String(one.inFlight),
  optional(one.oldestDueSeconds, age),
  optional(one.successRate, percent),
  optional(one.p95Ms, (millis) => `${millis} ms`),
  one.id,
  one.teamId,
  one.name ?? "-",
  one.url
]

const table = (webhooks: ReadonlyArray<ReportedWebhook>): ReadonlyArray<string> =>
  webhooks.length === 0 ? ["None."] : tableOf([headings, ...webhooks.map(cellsOf)])

const status = Command.make(
  "status",
  {
    team: Flag.String("team").pipe(
      Flag.withDescription("The team's id (by default all teams; `team list` shows it)"),
      Flag.optional
    )
  },
  ({ team }) =>
    answer(
      Effect.flatMap(WebhookHealth, (health) => health.status(Option.getOrUndefined(team))),
      undefined,
      table
    )
).pipe(
  Command.withDescription(
    "List webhooks with their health and their pending deliveries, the least healthy first. DELIVERED is the share of the deliveries attempted in the last 24 hours that succeeded. P95 is the 95th percentile of the duration of their attempts"
  ),
  Command.withExamples([{ command: "webhooks status" }, { command: "webhooks status --json --team team_…" }])
)

/** `webhooks …` */
export const webhooks = Command.make("webhooks").pipe(
  Command.withDescription("The health of webhooks"),
  Command.withSubcommands([status])
)
