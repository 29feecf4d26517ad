/**
 * `npm run bench:isolation`: how much receivers that hang delay healthy ones. Phases with and without them alternate on one running
 * service, and the result is the ratio of adjacent phases. See bench/README.md.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, Layer, Random } from "effect"
import { Command, Flag } from "effect/cli"
import { SecureRandom } from "effect/crypto"
import { Database } from "../../src/platform/db/Database.ts"
import { duration, median, quantile, table } from "../Figures.ts"
import * as Service from "../Service.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import * as Subscribers from "./Subscribers.ts"
import { say } from "../Progress.ts"

const flags = {
  rate: Flag.Int("rate").pipe(Flag.withDescription("Events a second in each of the two teams"), Flag.withDefault(4)),
  healthy: Flag.Int("healthy").pipe(
    Flag.withDescription("Healthy endpoints of the team that has the sick ones; each gets every event"),
    Flag.withDefault(15)
  ),
  sick: Flag.Int("sick").pipe(Flag.withDescription("How many are sick when several are"), Flag.withDefault(5)),
  backlog: Flag.Int("backlog").pipe(
    Flag.withDescription("How many deliveries wait for each sick endpoint"),
    Flag.withDefault(2000)
  ),
  seconds: Flag.Int("seconds").pipe(Flag.withDescription("How long a phase lasts"), Flag.withDefault(60)),
  rounds: Flag.Int("rounds").pipe(Flag.withDescription("How often the phases come round"), Flag.withDefault(2))
}

type Options = { readonly [Name in keyof typeof flags]: number }

// By then, the first attempts have reached the deadline of 10 seconds, and the service knows which receivers are slow.
const knownAfter = 15_000

/** The latencies of a phase, from an event to its delivery, in milliseconds. */
interface Phase {
  readonly sick: number
  /** Healthy endpoints in the team of the failing ones. */
  readonly beside: ReadonlyArray<number>
  /** The same without the first seconds. */
  readonly known: ReadonlyArray<number>
  /** Healthy endpoints of another team. */
  readonly elsewhere: ReadonlyArray<number>
}

/** Creates events at intervals, without waiting for earlier responses. */
const drive = Effect.fnUntraced(function* (
  write: ReturnType<typeof Load.writer>,
  { rate, seconds }: { readonly rate: number; readonly seconds: number }
) {
  const began = performance.now()
  yield* Effect.forEach(
    Array.from({ length: rate * seconds }, (_, number) => number),
    (number) =>
      Effect.sleep(`${Math.max(0, began + (number * 1000) / rate - performance.now())} millis`).pipe(
        Effect.andThen(Effect.promise(() => write("contact.created")))
      ),
    { concurrency: "unbounded", discard: true }
  )
})

const untilClosed = (webhookIds: ReadonlyArray<string>) =>
  Effect.repeat(Effect.delay(Ledger.open(webhookIds), "200 millis"), {
    until: ({ claimed, fanOuts, waiting }) => waiting + claimed + fanOuts === 0
  })

const untilIdle = (webhookIds: ReadonlyArray<string>) =>
  Effect.repeat(Effect.delay(Ledger.open(webhookIds), "200 millis"), { until: ({ claimed }) => claimed === 0 })

const latencies = Effect.fnUntraced(function* (subscribers: ReadonlyArray<Subscribers.Subscriber>, from: Date) {
  const rows = yield* Effect.forEach(subscribers, ({ uuid }) => Ledger.deliveriesOf(uuid))
  return rows
    .flat()
    .flatMap(({ deliveredAt, occurredAt }) =>
      deliveredAt === null || occurredAt < from
        ? []
        : [{ after: occurredAt.getTime() - from.getTime(), latency: deliveredAt.getTime() - occurredAt.getTime() }]
    )
})

const measure = Effect.fnUntraced(function* (service: Service.Service, options: Options) {
  const sql = yield* Database
  const [here, there] = [yield* Subscribers.team, yield* Subscribers.team]
  const healthy = { kind: "healthy", events: ["contact.created"] } as const
  const beside = yield* Effect.replicateEffect(Subscribers.subscribe(service, here, healthy), options.healthy)
  const elsewhere = yield* Effect.replicateEffect(Subscribers.subscribe(service, there, healthy), 5)
  const sick = yield* Effect.replicateEffect(
    Subscribers.subscribe(service, here, { kind: "hangs", events: ["company.created"] }),
    options.sick
  )
  const well = [...beside, ...elsewhere].map(({ uuid }) => uuid)
  const workers = yield* Effect.all([service.worker, service.worker], { concurrency: 2 })

  yield* Subscribers.setStatus(service, sick, "paused")
  const [write, writeThere] = [Load.writer(service, here, 1), Load.writer(service, there, 1)]
  const fill = Load.writer(service, here, 100)
  for (let made = 0; made < options.backlog; made += 100) {
    yield* Effect.promise(() => fill("company.created"))
    // Without analyze, Postgres would plan for an empty table until autovacuum runs.
    yield* sql`analyze companies`
  }
  yield* Effect.repeat(Effect.delay(Ledger.states(sick.map(({ uuid }) => uuid)), "200 millis"), {
    until: ({ deliveries }) => deliveries >= options.backlog * sick.length
  })
  // Opens the connections, and updates the statistics of the tables.
  yield* drive(write, { rate: options.rate, seconds: 5 })
  yield* sql`analyze`

  const phase = Effect.fnUntraced(function* (count: number) {
    yield* untilClosed(well)
    const some = sick.slice(0, count)
    // As if they had just begun to hang: a receiver that is known to be slow gets few attempts from the start.
    yield* sql`update webhooks set slow = false where id = any(${some.map(({ uuid }) => uuid)}::uuid[])`
    const from = new Date()
    yield* Subscribers.setStatus(service, some, "active")
    yield* Effect.all([drive(write, options), drive(writeThere, options)], { concurrency: 2 })
    yield* untilClosed(well)
    yield* Subscribers.setStatus(service, some, "paused")
    yield* untilIdle(some.map(({ uuid }) => uuid))
    const [near, far] = [yield* latencies(beside, from), yield* latencies(elsewhere, from)]
    const measured: Phase = {
      sick: count,
      beside: near.map(({ latency }) => latency),
      known: near.filter(({ after }) => after > knownAfter).map(({ latency }) => latency),
      elsewhere: far.map(({ latency }) => latency)
    }
    yield* say(
      `${count} sick: p95 ${duration(quantile(measured.beside, 0.95))}, later ${duration(
        quantile(measured.known, 0.95)
      )}, of the other team ${duration(quantile(measured.elsewhere, 0.95))}, of ${measured.beside.length} deliveries`
    )
    return measured
  })

  const pairs: Array<{ readonly without: Phase; readonly with: Phase }> = []
  for (let round = 0; round < options.rounds; round++) {
    for (const count of [1, options.sick]) pairs.push({ without: yield* phase(0), with: yield* phase(count) })
  }
  return { pairs, complaints: [...service.api.complaints, ...workers.flatMap(({ complaints }) => complaints)] }
})

type Pair = Effect.Success<ReturnType<typeof measure>>["pairs"][number]

const groups = ["beside", "known", "elsewhere"] as const

const names: Readonly<Record<(typeof groups)[number], string>> = {
  beside: "in their team",
  known: `in their team, after ${knownAfter / 1000} s`,
  elsewhere: "in another team"
}

const p95 = (values: ReadonlyArray<number>) => quantile(values, 0.95)

const rowOf = (pairs: ReadonlyArray<Pair>, group: (typeof groups)[number]) => {
  const ratios = pairs.map((pair) => p95(pair.with[group]) / p95(pair.without[group]))
  const of = (which: "with" | "without", share: number) =>
    duration(median(pairs.map((pair) => quantile(pair[which][group], share))))
  return [
    `${pairs[0]?.with.sick ?? 0}, healthy ${names[group]}`,
    of("without", 0.5),
    of("with", 0.5),
    of("without", 0.95),
    of("with", 0.95),
    ratios.map((ratio) => ratio.toFixed(2)).join(", ")
  ]
}

const isolation = Command.make("isolation", flags, (options) =>
  Effect.scoped(
    Effect.gen(function* () {
      const service = yield* Service.make()
      const { complaints, pairs } = yield* measure(service, options).pipe(
        Random.withSeed("isolation"),
        Effect.provide(
          Layer.merge(
            Database.layer({ url: service.url, applicationName: "property-network bench" }),
            SecureRandom.layerWebCrypto
          )
        )
      )
      const rows = [1, options.sick].flatMap((count) =>
        groups.map((group) =>
          rowOf(
            pairs.filter((pair) => pair.with.sick === count),
            group
          )
        )
      )
      yield* Console.log(
        table(
          ["Sick receivers", "p50 without", "p50 with", "p95 without", "p95 with", "Ratio of p95, each round"],
          rows
        ).join("\n")
      )
      yield* say(`${complaints.length} warnings and errors were logged`)
      for (const line of complaints.slice(0, 50)) yield* Console.error(line)
    })
  )
).pipe(Command.withDescription("Compare the latency of healthy receivers without and with others that hang"))

NodeRuntime.runMain(Command.run(isolation, { version: "" }).pipe(Effect.provide(NodeServices.layer)))
