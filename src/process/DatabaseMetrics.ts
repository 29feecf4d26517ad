/**
 * Metrics of the whole installation, which are read from the database when they are asked for, and are the same from every process: what
 * waits, what failed, when housekeeping ran, how webhooks are, and which transaction holds the others back. Each costs one statement, on
 * an index where the table grows.
 */
import { Effect, Exit, Metric } from "effect"
import { Database } from "../platform/db/Database.ts"
import { checkReadiness, type Readiness } from "../platform/db/Migrations.ts"
import { makeOldestAge } from "../platform/db/OpenTransactions.ts"
import { all as jobRuns } from "../platform/jobs/JobRuns.ts"
import { backlog, failed as failedJobs } from "../platform/jobs/PrivateTables.ts"
import { CurrentStorageSpace } from "../platform/StorageSpace.ts"
import { runWithin } from "../platform/Time.ts"
import { WebhookHealth } from "../webhooks/WebhookHealth.ts"

/** For how long the values are cached, so that frequent scrapes cost little. */
const cacheTtl = "10 seconds"

/** After how many milliseconds without an answer the database counts as unavailable. */
const queryTimeout = 2000

const database = Metric.gauge("property_network_database_up", {
  description:
    "Whether the database answered the queries of the metrics that are read there; if not, those metrics are left out."
})

const ready = Metric.gauge("property_network_ready", {
  description:
    "Whether the process can serve: the database answers, is migrated, takes writes, and its disk is not known to be full."
})

/** The names of the metrics, and what they mean. */
const descriptions = {
  property_network_webhook_queue_deliveries:
    "Unfinished deliveries by state, each counted up to 100000: waiting for their time, due, in_flight, or held until their webhook is active. The same from every process.",
  property_network_webhook_oldest_due_delivery_age_seconds:
    "For how long the oldest unfinished attempt has been due; 0 when none is. The same from every process.",
  property_network_queue_jobs:
    "Unclaimed jobs by state, each counted up to 100000: waiting for their time, or due. The same from every process.",
  property_network_queue_oldest_due_job_age_seconds:
    "For how long the oldest unclaimed job has been due; 0 when none is. The same from every process.",
  property_network_queue_failed_jobs:
    "Jobs whose latest attempt failed, by task, counted up to 100000: waiting for a retry, or given_up. The same from every process.",
  property_network_housekeeping_last_run_timestamp_seconds:
    "When a recurring task began last, in seconds since 1970; left out before its first time. The same from every process.",
  property_network_housekeeping_last_success_timestamp_seconds:
    "When a recurring task last ended well, in seconds since 1970; before its first success, since when a worker knows it. The same from every process.",
  property_network_backup_last_success_timestamp_seconds:
    "When `backup create` last made a backup, in seconds since 1970; left out before. The same from every process.",
  property_network_webhooks: "Webhooks by health. The same from every process.",
  property_network_database_oldest_transaction_age_seconds:
    "For how long the oldest open transaction of the database server has been open, as far as the role of the service can see. The same from every process."
} as const

/** The value of a metric with these labels. */
interface Sample {
  readonly name: keyof typeof descriptions
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const sample = (name: Sample["name"], value: number, labels: Sample["labels"] = {}): Sample => ({ name, labels, value })

const seconds = (at: Date) => at.getTime() / 1000

const queues = Effect.gen(function* () {
  const health = yield* WebhookHealth
  const deliveries = yield* health.queue()
  const jobs = yield* backlog
  const ofDeliveries = (state: string, value: number) =>
    sample("property_network_webhook_queue_deliveries", value, { state })
  return [
    ofDeliveries("waiting", deliveries.waiting),
    ofDeliveries("due", deliveries.due),
    ofDeliveries("in_flight", deliveries.inFlight),
    ofDeliveries("held", deliveries.held),
    sample("property_network_webhook_oldest_due_delivery_age_seconds", deliveries.oldestDueSeconds),
    sample("property_network_queue_jobs", jobs.waiting, { state: "waiting" }),
    sample("property_network_queue_jobs", jobs.due, { state: "due" }),
    sample("property_network_queue_oldest_due_job_age_seconds", jobs.oldestDueSeconds)
  ]
})

const tasks = Effect.gen(function* () {
  const { backupAt, jobs: runs } = yield* jobRuns
  const failed = new Map((yield* failedJobs).map((one) => [one.name, one]))
  // At 0 from the beginning: what first appears at 1 hides its first increase.
  const names = new Set([...runs.map(({ name }) => name), ...failed.keys()])
  return [
    ...(backupAt === null ? [] : [sample("property_network_backup_last_success_timestamp_seconds", seconds(backupAt))]),
    ...runs.flatMap(({ knownSince, name: task, ranAt, succeededAt }) => [
      ...(ranAt === null
        ? []
        : [sample("property_network_housekeeping_last_run_timestamp_seconds", seconds(ranAt), { task })]),
      sample("property_network_housekeeping_last_success_timestamp_seconds", seconds(succeededAt ?? knownSince), {
        task
      })
    ]),
    ...[...names].flatMap((task) => [
      sample("property_network_queue_failed_jobs", failed.get(task)?.waiting ?? 0, { task, state: "waiting" }),
      sample("property_network_queue_failed_jobs", failed.get(task)?.givenUp ?? 0, { task, state: "given_up" })
    ])
  ]
})

const webhooks = Effect.gen(function* () {
  const health = yield* WebhookHealth
  return Object.entries(yield* health.countByHealth()).map(([health, count]) =>
    sample("property_network_webhooks", count, { health })
  )
})

const gauges = new Map<string, Metric.Gauge<number>>()

const gaugeOf = ({ labels, name }: Sample): Metric.Gauge<number> => {
  const key = JSON.stringify([name, labels])
  const known = gauges.get(key)
  if (known !== undefined) return known
  const made = Metric.gauge(name, { description: descriptions[name], attributes: labels })
  gauges.set(key, made)
  return made
}

/** Returns an effect that updates the gauges, unless their values are recent. */
export const refresher = Effect.gen(function* () {
  const health = yield* WebhookHealth
  const sql = yield* Database
  const oldestAge = makeOldestAge()
  const oldestTransaction = Effect.map(oldestAge, (age) => [
    sample("property_network_database_oldest_transaction_age_seconds", age)
  ])
  const readiness = Effect.orDie(checkReadiness(sql))
  const query = Effect.gen(function* () {
    const state = yield* readiness
    // Without its tables, nothing else can be read.
    if (state === "unmigrated") return { state, samples: [] }
    return { state, samples: (yield* Effect.all([queues, tasks, webhooks, oldestTransaction])).flat() }
  }).pipe(Effect.provideService(Database, sql), Effect.provideService(WebhookHealth, health))
  const space = yield* CurrentStorageSpace
  let shown: ReadonlySet<Metric.Gauge<number>> = new Set()
  const publish = Effect.fnUntraced(function* (
    result: Exit.Exit<{ readonly state: Readiness; readonly samples: ReadonlyArray<Sample> }>
  ) {
    yield* Metric.update(database, Exit.isSuccess(result) ? 1 : 0)
    const isReady = Exit.isSuccess(result) && result.value.state === "ready" && !space.isFull("database")
    yield* Metric.update(ready, isReady ? 1 : 0)
    const samples = Exit.isSuccess(result) ? result.value.samples : []
    const present = new Set<Metric.Gauge<number>>()
    for (const one of samples) {
      const gauge = gaugeOf(one)
      present.add(gauge)
      yield* Metric.update(gauge, one.value)
    }
    for (const gauge of shown) if (!present.has(gauge)) yield* Metric.remove(gauge)
    shown = present
  })
  return yield* runWithin(query, queryTimeout, () => Exit.die("The queries timed out.")).pipe(
    Effect.flatMap(publish),
    Effect.cachedWithTTL(cacheTtl)
  )
})
