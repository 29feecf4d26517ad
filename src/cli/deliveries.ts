/** The operator's commands on deliveries to webhooks, of all teams. */
import type { FaultCode } from "../core/fields/FaultCode.ts"
import * as UseCaseRequest from "../core/usecase/UseCaseRequest.ts"
import * as Installation from "./Installation.ts"
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { asOperator } from "../core/auth/CurrentActor.ts"
import { eventTypes } from "../core/mutation/Event.ts"
import { bodyFault } from "../core/usecase/Input.ts"
import { type Fault, InvalidRequest } from "../core/usecase/Problem.ts"
import { now } from "../platform/Time.ts"
import { Deliveries } from "../webhooks/deliveries/Deliveries.ts"
import {
  type DeliveryAttempt,
  type ReportedDelivery,
  type ReportedDeliveryDetails,
  statuses
} from "../webhooks/deliveries/Delivery.ts"
import { dryRunFlag, onBehalf, timeFlag } from "./Command.ts"
import { answer, linesOf, print, tableOf, withFlagNames } from "./Output.ts"

const webhookFlag = Flag.String("webhook").pipe(
  Flag.withDescription("The webhook's id (`webhooks status` shows it)"),
  Flag.optional
)

const optional = (value: string | number | null): string => (value === null ? "-" : String(value))

const toSecond = (at: string | null): string => (at === null ? "-" : `${at.slice(0, 19)}Z`)

// `deliveries list`

const headings = ["STATUS", "ATTEMPTS", "LAST", "ERROR", "NEXT", "CREATED", "EVENT", "DELIVERY", "WEBHOOK", "TEAM"]

const cellsOf = (one: ReportedDelivery): ReadonlyArray<string> => [
  one.status,
  String(one.attemptCount),
  optional(one.lastStatusCode),
  optional(one.lastError),
  toSecond(one.nextAttemptUtc),
  toSecond(one.createdUtc),
  one.eventType,
  one.id,
  one.webhookId,
  one.teamId
]

const table = (found: ReadonlyArray<ReportedDelivery>): ReadonlyArray<string> =>
  found.length === 0 ? ["None."] : tableOf([headings, ...found.map(cellsOf)])

/** How many rows are read at once. */
const portion = 500

const list = Command.make(
  "list",
  {
    team: Flag.String("team").pipe(
      Flag.withDescription("The team's id (by default all teams; `team list` shows it)"),
      Flag.optional
    ),
    webhook: webhookFlag,
    outcome: Flag.Literals("outcome", statuses).pipe(
      Flag.withDescription("Deliveries in this state; without it, in any"),
      Flag.optional
    ),
    event: Flag.String("event").pipe(
      Flag.filter(
        (type) => eventTypes.some((known) => known === type),
        () => "a type that docs/behaviour/webhooks.md#event-types lists"
      ),
      Flag.withDescription("Deliveries of this type of event, such as contact.created"),
      Flag.optional
    ),
    since: Flag.optional(timeFlag("since", "Deliveries that were created since this time")),
    limit: Flag.Int("limit").pipe(
      Flag.filter(
        (limit) => limit > 0,
        () => "1 or more"
      ),
      Flag.withDescription("How many to list, the newest first"),
      Flag.withDefault(20)
    ),
    ndjson: Flag.Boolean("ndjson").pipe(
      Flag.withDescription("Answer with a JSON document for each delivery, on a line of its own"),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function* ({ event, limit, ndjson, outcome, since, team, webhook }) {
    const at = yield* now
    const query = {
      teamId: Option.getOrUndefined(team),
      webhookId: Option.getOrUndefined(webhook),
      status: Option.getOrUndefined(outcome),
      eventType: Option.getOrUndefined(event),
      since: Option.getOrUndefined(since)?.(at)
    }
    const found: Array<ReportedDelivery> = []
    const read = Effect.gen(function* () {
      const { report } = yield* Deliveries
      let left = limit
      let after: ReportedDelivery | undefined
      while (left > 0) {
        const asked = Math.min(portion, left)
        const page = yield* report(query, { after, limit: asked })
        if (ndjson) for (const one of page) yield* Console.log(JSON.stringify(one))
        else found.push(...page)
        after = page.at(-1)
        left = page.length < asked ? 0 : left - asked
      }
    })
    yield* asOperator(read).pipe(withFlagNames(), Effect.provide(Installation.identity))
    if (!ndjson) yield* print(found, table)
  })
).pipe(
  Command.withDescription(
    "List deliveries of all teams, the newest first. NEXT is when the next attempt is due, and - if none follows, or none before the webhook is active again"
  ),
  Command.withExamples([
    { command: "deliveries list --outcome failed --since 2h" },
    { command: "deliveries list --webhook webhook_… --event contact.created --limit 1000 --ndjson" }
  ])
)

// `deliveries show`

const excerptLength = 200

const excerptOf = (body: string | null): string =>
  body === null || body.length <= excerptLength ? optional(body) : `${body.slice(0, excerptLength)}…`

const attemptCells = (one: DeliveryAttempt): ReadonlyArray<string> => [
  String(one.number),
  one.startedUtc,
  optional(one.statusCode),
  `${one.durationMs} ms`,
  optional(one.error),
  excerptOf(one.responseBody)
]

const details = ({ attempts, request, ...members }: ReportedDeliveryDetails): ReadonlyArray<string> => [
  ...linesOf(members),
  "",
  ...(attempts.length === 0
    ? ["No attempt was made yet."]
    : tableOf([["ATTEMPT", "BEGAN", "STATUS", "TOOK", "ERROR", "RESPONSE"], ...attempts.map(attemptCells)])),
  "",
  ...Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`),
  "",
  request.body
]

const show = Command.make(
  "show",
  { id: Argument.String("id").pipe(Argument.withDescription("The delivery's id (`deliveries list` shows it)")) },
  ({ id }) =>
    answer(
      Effect.flatMap(Deliveries, (deliveries) => deliveries.show(id)),
      undefined,
      details
    )
).pipe(
  Command.withDescription(
    "Show a delivery of any team: its attempts with the answers of the receiver, and the request, whose body is the last line. With --json the body is byte for byte what is sent; without, control characters are escaped"
  ),
  Command.withExamples([{ command: "deliveries show dlv_…" }, { command: "deliveries show dlv_… --json" }])
)

// `deliveries retry`

/** What a retry did: how many wait for an attempt now, and those that are refused. */
interface Retried {
  readonly queued: number
  readonly refused: ReadonlyArray<{ readonly id: string; readonly code: string; readonly detail: string }>
}

const retryOne = (id: string) =>
  Effect.flatMap(Deliveries, ({ retryOfAny }) =>
    retryOfAny(id, UseCaseRequest.make({ operation: "deliveries retry", query: {} }))
  )

/** Queues one or several again. A refusal of the only one is that of the command. */
const retryThese = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
  const [only] = ids
  if (only !== undefined && ids.length === 1) {
    yield* retryOne(only)
    const one: Retried = { queued: 1, refused: [] }
    return one
  }
  const results = yield* Effect.forEach(new Set(ids), (id) =>
    Effect.match(retryOne(id), {
      onSuccess: () => undefined,
      onFailure: ({ code, detail }) => ({ id, code, detail })
    })
  )
  const refused = results.filter((result) => result !== undefined)
  const all: Retried = { queued: results.length - refused.length, refused }
  return all
})

/** Queues the failed deliveries of a webhook again; in a dry run it counts them. */
const retryFailed = (webhook: string, since: Date) =>
  Effect.flatMap(Deliveries, ({ replayAllOfAny }) =>
    Effect.map(replayAllOfAny(webhook, since), (queued): Retried => ({ queued, refused: [] }))
  )

const faults = (ids: ReadonlyArray<string>, flags: { webhook: boolean; failed: boolean; since: boolean }) => {
  const fault = (name: string, code: FaultCode, detail: string): Fault => bodyFault(`/${name}`, code, detail)
  const isBulk = flags.webhook || flags.failed || flags.since
  if (ids.length > 0) return isBulk ? [fault("ID", "excluded", "Name deliveries, or a webhook, but not both.")] : []
  if (!isBulk) return [fault("ID", "required", "Name deliveries, or a webhook with --failed and --since.")]
  return [
    ...(flags.webhook ? [] : [fault("--webhook", "required", "Is required with --failed and --since.")]),
    ...(flags.failed ? [] : [fault("--failed", "required", "Is required with --webhook: only those are sent again.")]),
    ...(flags.since ? [] : [fault("--since", "required", "Is required with --webhook.")])
  ]
}

const retried = ({ queued, refused }: Retried): ReadonlyArray<string> => [
  `${queued} ${queued === 1 ? "delivery was" : "deliveries were"} queued.`,
  ...refused.map(({ detail, id }) => `${id}: ${detail}`)
]

const retry = Command.make(
  "retry",
  {
    ids: Argument.String("id").pipe(
      Argument.withDescription("The ids of deliveries, whatever their state"),
      Argument.variadic()
    ),
    webhook: webhookFlag,
    failed: Flag.Boolean("failed").pipe(
      Flag.withDescription("All deliveries of the webhook that are failed or exhausted"),
      Flag.withDefault(false)
    ),
    since: Flag.optional(timeFlag("since", "Those that were created since this time")),
    dryRun: dryRunFlag
  },
  Effect.fnUntraced(function* ({ dryRun, failed, ids, since, webhook }) {
    const at = yield* now
    const found = faults(ids, { webhook: Option.isSome(webhook), failed, since: Option.isSome(since) })
    if (found.length > 0) return yield* InvalidRequest.of(found)
    const useCase = Effect.gen(function* () {
      return Option.isSome(webhook) && Option.isSome(since)
        ? yield* retryFailed(webhook.value, since.value(at))
        : yield* retryThese(ids)
    })
    yield* onBehalf({ dryRun }, useCase, { since: "--since" }, retried)
  })
).pipe(
  Command.withDescription(
    "Send deliveries of any team again: the same messages with the same webhook-id, with nine new attempts each. Their webhooks must be active, and a worker must be running. A delivery that waits for its first attempt stays as it is"
  ),
  Command.withExamples([
    { command: "deliveries retry dlv_… dlv_…" },
    { command: "deliveries retry --webhook webhook_… --failed --since 2026-11-20T10:00Z --dry-run" }
  ])
)

/** `deliveries …` */
export const deliveries = Command.make("deliveries").pipe(
  Command.withDescription(
    "The deliveries to the webhooks of all teams: what was sent, what failed, and sending it again"
  ),
  Command.withSubcommands([list, show, retry])
)
