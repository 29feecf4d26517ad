/** The metrics of the queues in the database: read on demand, and cached so that frequent scrapes cost little. */
import { Effect, Exit, Metric } from "effect"
import { Database } from "../../platform/db/Database.ts"
import { runWithin } from "../../http/Deadline.ts"
import { backlog } from "../../platform/jobs/PrivateTables.ts"
import { Health } from "../../webhooks/health/Health.ts"

/** For how long the values are cached. */
const cacheTtl = "10 seconds"

/** After how many milliseconds without an answer the database counts as unavailable. */
const queryTimeout = 2000

const database = Metric.gauge("property_network_database_up", {
  description: "Whether the database answered the queries of the queue metrics; if not, those metrics are left out."
})

const inState = (name: string, description: string) => (state: string) =>
  Metric.gauge(name, { description, attributes: { state } })

const deliveries = inState(
  "property_network_webhook_queue_deliveries",
  "Unfinished deliveries by state, each counted up to 100000: waiting for their time, due, in_flight, or held until their webhook is active. The same from every process."
)
const jobs = inState(
  "property_network_queue_jobs",
  "Unclaimed jobs by state, each counted up to 100000: waiting for their time, or due. The same from every process."
)

const gauges = {
  waiting: deliveries("waiting"),
  due: deliveries("due"),
  inFlight: deliveries("in_flight"),
  held: deliveries("held"),
  oldestDelivery: Metric.gauge("property_network_webhook_oldest_due_delivery_age_seconds", {
    description: "For how long the oldest unfinished attempt has been due; 0 when none is. The same from every process."
  }),
  jobsWaiting: jobs("waiting"),
  jobsDue: jobs("due"),
  oldestJob: Metric.gauge("property_network_queue_oldest_due_job_age_seconds", {
    description: "For how long the oldest unclaimed job has been due; 0 when none is. The same from every process."
  })
}

type Values = Readonly<Record<keyof typeof gauges, number>>

const names = Object.keys(gauges) as ReadonlyArray<keyof typeof gauges>

const publish = Effect.fnUntraced(function* (result: Exit.Exit<Values>) {
  yield* Metric.update(database, Exit.isSuccess(result) ? 1 : 0)
  yield* Effect.forEach(
    names,
    (name) => (Exit.isSuccess(result) ? Metric.update(gauges[name], result.value[name]) : Metric.remove(gauges[name])),
    { discard: true }
  )
})

/** Returns an effect that updates the gauges, unless their values are recent. */
export const refresher = Effect.gen(function* () {
  const health = yield* Health
  const sql = yield* Database
  const query = Effect.gen(function* () {
    const { oldestDueSeconds: oldestDelivery, ...queue } = yield* health.queue()
    const { due: jobsDue, oldestDueSeconds: oldestJob, waiting: jobsWaiting } = yield* backlog
    const values: Values = { ...queue, oldestDelivery, jobsDue, jobsWaiting, oldestJob }
    return values
  }).pipe(Effect.provideService(Database, sql))
  return yield* runWithin(query, queryTimeout, () => Exit.die("The queries timed out.")).pipe(
    Effect.flatMap(publish),
    Effect.cachedWithTTL(cacheTtl)
  )
})
