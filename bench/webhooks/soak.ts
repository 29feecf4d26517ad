/**
 * `npm run bench:soak`: a soak test of deliveries, with two workers, kills, and failing receivers among healthy ones. It checks
 * every delivery at the end. See bench/README.md.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, Layer, Random } from "effect"
import { Command, Flag } from "effect/cli"
import { SecureRandom } from "effect/crypto"
import { Database } from "../../src/platform/db/Database.ts"
import * as Service from "../Service.ts"
import * as Accounts from "./Comparison.ts"
import * as Kills from "./Kills.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import type { Kind } from "./Receivers.ts"
import * as soakReport from "./soakReport.ts"
import * as Subscribers from "./Subscribers.ts"
import { say } from "../Progress.ts"

const kinds: ReadonlyArray<Kind> = ["healthy", "hangs", "fails", "busy"]

// The first three delays are the defaults. The later ones are cut to 10 seconds, so that deliveries use up their attempts and
// webhooks are disabled during the soak.
const retryDelays = "3s,10s,30s,10s,10s,10s,10s,10s"

/** The endpoints of each team. Every event type has a healthy one, so that every event must arrive somewhere. */
const endpoints: ReadonlyArray<Subscribers.Wanted> = [
  { kind: "healthy", events: ["contact.created"] },
  { kind: "healthy", events: ["contact.created"] },
  { kind: "healthy", events: ["contact.updated"] },
  { kind: "healthy", events: ["contact.updated"] },
  { kind: "healthy", events: ["contact.deleted"] },
  { kind: "healthy", events: ["contact.deleted"] },
  { kind: "healthy", events: ["company.created"] },
  { kind: "hangs", events: ["contact.updated"] },
  { kind: "fails", events: ["contact.deleted"] },
  { kind: "busy", events: ["company.created"] }
]

const teamsInAll = 5

const flags = {
  events: Flag.Int("events").pipe(Flag.withDescription("How many events"), Flag.withDefault(20_000)),
  rate: Flag.Int("rate").pipe(Flag.withDescription("How many of them a second"), Flag.withDefault(40)),
  batch: Flag.Int("batch").pipe(Flag.withDescription("How many in one transaction"), Flag.withDefault(10)),
  killEvery: Flag.Int("kill-every").pipe(Flag.withDescription("Seconds from kill to kill"), Flag.withDefault(20)),
  patience: Flag.Int("patience").pipe(
    Flag.withDescription("Seconds after the last event in which the healthy receivers must have all"),
    Flag.withDefault(600)
  ),
  seed: Flag.String("seed").pipe(
    Flag.withDescription("Which worker is killed, and how long answers take, follow from it"),
    Flag.withDefault("soak")
  )
}

type Options = { readonly [Name in keyof typeof flags]: Name extends "seed" ? string : number }

const uuidsOf = (subscribers: ReadonlyArray<Subscribers.Subscriber>, ...some: ReadonlyArray<Kind>) =>
  subscribers.filter(({ receiver }) => some.includes(receiver.kind)).map(({ uuid }) => uuid)

const statusesOf = (subscribers: ReadonlyArray<Subscribers.Subscriber>) =>
  Effect.forEach(kinds, (kind) => {
    const uuids = uuidsOf(subscribers, kind)
    return Effect.map(Ledger.states(uuids), (states) => ({ kind, endpoints: uuids.length, ...states }))
  })

/** Waits until the webhooks have no open deliveries, for at most some seconds. Returns what is open then. */
const untilClosed = Effect.fnUntraced(function* (webhookIds: ReadonlyArray<string>, seconds: number) {
  const end = Date.now() + seconds * 1000
  let said = 0
  for (;;) {
    const open = yield* Ledger.open(webhookIds)
    if (open.waiting + open.claimed + open.fanOuts === 0 || Date.now() > end) return open
    if (Date.now() - said > 10_000) {
      yield* say(
        `${open.waiting} deliveries wait, ${open.claimed} have their turn, ${open.fanOuts} fan-outs are to be done`
      )
      said = Date.now()
    }
    yield* Effect.sleep("500 millis")
  }
})

const countsOf = (
  events: ReadonlyArray<Load.Acknowledged | { readonly type: string; readonly resourceId: string }>
) => {
  const counts = new Map<string, number>()
  for (const { resourceId, type } of events)
    counts.set(`${type} ${resourceId}`, (counts.get(`${type} ${resourceId}`) ?? 0) + 1)
  return counts
}

const measure = Effect.fnUntraced(function* (service: Service.Service, options: Options) {
  const teams = yield* Effect.all(Array.from({ length: teamsInAll }, () => Subscribers.team))
  const subscribers = yield* Effect.forEach(
    teams.flatMap((team) => endpoints.map((wanted) => ({ team, wanted }))),
    ({ team, wanted }) => Subscribers.subscribe(service, team, wanted)
  )
  const all = subscribers.map(({ uuid }) => uuid)
  const workers = yield* Kills.make(service, options.killEvery)

  yield* say(
    `${options.events} events at ${options.rate} a second for ${subscribers.length} endpoints of ${teams.length} teams`
  )
  const began = Date.now()
  const acknowledged = yield* Load.run(service, teams, {
    events: options.events,
    rate: options.rate,
    size: options.batch
  })
  const loaded = Date.now()
  yield* say(`All events are committed after ${Math.round((loaded - began) / 1000)} s`)
  const late = yield* untilClosed(uuidsOf(subscribers, "healthy"), options.patience)
  const settled = Date.now()
  yield* workers.stop
  // Another worker takes over the claims of the last killed one within 2 seconds, and its jobs within 5.
  yield* Effect.sleep("12 seconds")
  const before = yield* statusesOf(subscribers)
  const openBefore = yield* Ledger.open(all)
  const disabled = yield* Ledger.disabled
  const arrivals = subscribers
    .filter(({ receiver }) => receiver.kind === "healthy")
    .flatMap(({ receiver }) => receiver.received.map(({ receivedAt }) => receivedAt))

  yield* say("The failing receivers recover, and disabled webhooks are activated")
  for (const { receiver } of subscribers) receiver.cure()
  // Attempts in flight may disable more webhooks.
  yield* Effect.sleep("2 seconds")
  const ill = yield* Ledger.disabled
  yield* Subscribers.setStatus(
    service,
    subscribers.filter(({ uuid }) => ill.some(({ id }) => id === uuid)),
    "active"
  )
  const openAfter = yield* untilClosed(all, options.patience)
  yield* say("Accounting")
  const after = yield* statusesOf(subscribers)
  const fanOut = yield* Ledger.fanOut
  const abandoned = yield* Ledger.abandonedJobs
  const committed = yield* Ledger.events
  const accounts = yield* Effect.forEach(subscribers, (subscriber) => Accounts.of(subscriber, workers.kills))

  const expected = countsOf(acknowledged)
  const found = countsOf(committed)
  const differing = [...new Set([...expected.keys(), ...found.keys()])].filter(
    (key) => expected.get(key) !== found.get(key)
  )
  const faults = accounts.flatMap((account) => account.faults)
  const duplicates = accounts.flatMap((account) => account.duplicates)
  const lost = after.reduce((sum, one) => sum + one.pending + one.failed, 0)
  const checks: ReadonlyArray<soakReport.Check> = [
    {
      demand: "Each change that the API acknowledged is one event, and there is no other",
      met: differing.length === 0 && committed.length === options.events,
      detail: `${committed.length} events, ${differing.length} differ`
    },
    {
      demand: "Each event has exactly one delivery for each webhook that wants it, and at least one",
      met: fanOut.missing === 0 && fanOut.surplus === 0 && fanOut.unheard === 0 && fanOut.wanted > 0,
      detail: `${fanOut.wanted} wanted, ${fanOut.missing} missing, ${fanOut.surplus} too many, ${fanOut.unheard} events without`
    },
    {
      demand: "All deliveries to healthy receivers are delivered, in spite of the kills and of the failing ones",
      met: late.waiting + late.fanOuts === 0 && (before[0]?.delivered ?? 0) === (before[0]?.deliveries ?? -1),
      detail: `${before[0]?.delivered} of ${before[0]?.deliveries}`
    },
    {
      demand: "Every claimed delivery is held by a live worker",
      met: openBefore.orphaned === 0,
      detail: `${openBefore.claimed} claimed, ${openBefore.orphaned} without such a worker`
    },
    {
      demand: "After the recovery, each receiver gets everything that is not exhausted",
      met: lost === 0 && openAfter.claimed === 0,
      detail: `${lost} left, ${openAfter.claimed} claimed`
    },
    {
      demand: "The log and what the receivers saw agree, and every duplicate belongs to a kill",
      met: faults.length === 0,
      detail: `${faults.length} faults, ${duplicates.length} duplicates`
    }
  ]

  const seconds = (settled - began) / 1000
  const attempts = before.reduce((sum, one) => sum + one.attempts, 0)
  const lines = [
    `## With ${workers.kills.length} kills, before the recovery`,
    "",
    ...soakReport.statusTable(before),
    "",
    `${disabled.length} webhooks were disabled: ${[...new Set(disabled.map(({ reason }) => reason))].join(", ") || "-"}.`,
    `${attempts} attempts in ${seconds.toFixed(0)} s: ${(attempts / seconds).toFixed(0)} a second, ` +
      `${((before[0]?.delivered ?? 0) / seconds).toFixed(0)} of them delivered to healthy receivers. ` +
      `The last healthy delivery was ${((settled - loaded) / 1000).toFixed(1)} s after the last event.`,
    "",
    "## After the recovery",
    "",
    ...soakReport.statusTable(after),
    "",
    `${abandoned} jobs are left that nobody will do.`,
    "",
    "## What the receivers saw",
    "",
    ...soakReport.seen(accounts, kinds),
    "",
    "## Latency of the healthy",
    "",
    ...soakReport.latencies(accounts),
    "",
    "## Kills",
    "",
    ...soakReport.recoveries(workers.kills, accounts, arrivals, options.killEvery),
    "",
    "## Demands",
    "",
    ...soakReport.checks(checks)
  ]
  yield* Console.log(lines.join("\n"))
  for (const fault of faults.slice(0, 50)) yield* Console.error(fault)
  for (const { unseen } of accounts) {
    for (const attempt of unseen.slice(0, 5)) yield* Console.error(`Not seen: ${JSON.stringify(attempt)}`)
  }
  const complaints = [...workers.complaints(), ...service.api.complaints]
  yield* say(`${complaints.length} warnings and errors were logged`)
  for (const line of complaints.slice(0, 100)) yield* Console.error(line)
  if (checks.some(({ met }) => !met)) return yield* Effect.fail(new Error("A demand is not met"))
})

const soak = Command.make("soak", flags, (options) =>
  Effect.scoped(
    Effect.gen(function* () {
      const service = yield* Service.make({ WEBHOOK_RETRY_DELAYS: retryDelays })
      yield* measure(service, options).pipe(
        Random.withSeed(options.seed),
        Effect.provide(
          Layer.merge(
            Database.layer({ url: service.url, applicationName: "property-network bench" }),
            SecureRandom.layerWebCrypto
          )
        )
      )
    })
  )
).pipe(Command.withDescription("Deliver events while workers are killed and receivers are sick, and account for each"))

NodeRuntime.runMain(Command.run(soak, { version: "" }).pipe(Effect.provide(NodeServices.layer)))
