/** The operator's commands on webhooks. */
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { type WebhookHealth, Health } from "../webhooks/health/Health.ts"
import { answer, tableOf } from "./Output.ts"

const age = (seconds: number): string => {
  if (seconds < 60) return `${Math.floor(seconds)} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`
}

// Never 100 % where something did not arrive.
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

const cellsOf = (one: WebhookHealth): ReadonlyArray<string> => [
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

const table = (endpoints: ReadonlyArray<WebhookHealth>): ReadonlyArray<string> =>
  endpoints.length === 0 ? ["None."] : tableOf([headings, ...endpoints.map(cellsOf)])

const status = Command.make(
  "status",
  {
    team: Flag.String("team").pipe(
      Flag.withDescription("The team's id (all teams unless given; `team list` shows it)"),
      Flag.optional
    )
  },
  ({ team }) =>
    answer(
      Effect.flatMap(Health, (health) => health.status(Option.getOrUndefined(team))),
      undefined,
      table
    )
).pipe(
  Command.withDescription(
    "List webhooks with their state and what waits for them, the sickest first. DELIVERED is the share of the attempted deliveries of the last 24 hours that arrived; P95 is what 95 % of their attempts took no longer than"
  ),
  Command.withExamples([{ command: "webhooks status" }, { command: "webhooks status --json --team team_…" }])
)

/** `webhooks …` */
export const webhooks = Command.make("webhooks").pipe(
  Command.withDescription("How the receivers of events are"),
  Command.withSubcommands([status])
)
