/** What waits in the database, looked at when somebody asks, and not more often than it may cost. */
import { Effect, Exit, Metric } from "effect"
import { Database } from "../db/Database.ts"
import { within } from "../http/Deadline.ts"
import { backlog } from "../jobs/PrivateTables.ts"
import { Health } from "../webhooks/health/Health.ts"

/** For how long a look is good enough. */
const lookedAtFor = "10 seconds"

/** How long the database may take to answer, in milliseconds, before it counts as away. */
const lookTimeout = 2000

const database = Metric.gauge("property_network_database_up", {
  description: "Whether the database answered when it was asked what waits; if not, what waits is left out."
})

const inState = (name: string, description: string) => (state: string) =>
  Metric.gauge(name, { description, attributes: { state } })

const deliveries = inState(
  "property_network_webhook_queue_deliveries",
  "Deliveries that have not ended, by state, each counted up to 100000: waiting for their time, due, in_flight, or held until their webhook is active. The same from every process."
)
const jobs = inState(
  "property_network_queue_jobs",
  "Jobs that nobody does yet, by state, each counted up to 100000: waiting for their time, or due. The same from every process."
)

const gauges = {
  waiting: deliveries("waiting"),
  due: deliveries("due"),
  inFlight: deliveries("in_flight"),
  held: deliveries("held"),
  oldestDelivery: Metric.gauge("property_network_webhook_oldest_due_delivery_age_seconds", {
    description: "How long the oldest attempt is due that has not ended; 0 when none is. The same from every process."
  }),
  jobsWaiting: jobs("waiting"),
  jobsDue: jobs("due"),
  oldestJob: Metric.gauge("property_network_queue_oldest_due_job_age_seconds", {
    description: "How long the oldest job is due that nobody does; 0 when none is. The same from every process."
  })
}

type Values = Readonly<Record<keyof typeof gauges, number>>

const names = Object.keys(gauges) as ReadonlyArray<keyof typeof gauges>

const show = Effect.fnUntraced(function* (look: Exit.Exit<Values>) {
  yield* Metric.update(database, Exit.isSuccess(look) ? 1 : 0)
  yield* Effect.forEach(
    names,
    (name) => (Exit.isSuccess(look) ? Metric.update(gauges[name], look.value[name]) : Metric.remove(gauges[name])),
    { discard: true }
  )
})

/** Brings the gauges up to date, unless they are. */
export const refresher = Effect.gen(function* () {
  const health = yield* Health
  const sql = yield* Database
  const look = Effect.gen(function* () {
    const { oldestDueSeconds: oldestDelivery, ...queue } = yield* health.queue()
    const { due: jobsDue, oldestDueSeconds: oldestJob, waiting: jobsWaiting } = yield* backlog
    const values: Values = { ...queue, oldestDelivery, jobsDue, jobsWaiting, oldestJob }
    return values
  }).pipe(Effect.provideService(Database, sql))
  return yield* within(look, lookTimeout, () => Exit.die("no answer in time")).pipe(
    Effect.flatMap(show),
    Effect.cachedWithTTL(lookedAtFor)
  )
})
