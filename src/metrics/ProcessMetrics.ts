/** What a process says of itself, under the names that Prometheus' clients give it. */
import { type Context, Effect, Metric, type Scope } from "effect"
import { monitorEventLoopDelay } from "node:perf_hooks"

// In milliseconds: how often the delay of the event loop is looked at. It is a part of each delay.
const resolution = 10

const loopDelay = Effect.acquireRelease(
  Effect.sync(() => {
    const histogram = monitorEventLoopDelay({ resolution })
    histogram.enable()
    return histogram
  }),
  (histogram) => Effect.sync(() => histogram.disable())
)

/** Makes a metric known whose state is looked up when somebody asks. */
const watch = <State>(metric: Metric.Metric<number, State>, get: () => State) =>
  Effect.acquireRelease(
    Effect.contextWith((context: Context.Context<never>) =>
      Effect.sync(() => Metric.registerUnsafe(metric, context, { get, update: () => {}, modify: () => {} }))
    ),
    (registration) => Effect.sync(() => registration.remove())
  )

const gauge = (name: string, description: string, value: () => number) =>
  watch(Metric.gauge(name, { description }), () => ({ value: value() }))

// Nothing was measured yet: not a number.
const seconds = (nanoseconds: number) => (Number.isFinite(nanoseconds) ? nanoseconds / 1e9 : 0)

const processorTime = () => {
  const { system, user } = process.cpuUsage()
  return { count: (system + user) / 1e6, incremental: true }
}

/**
 * Makes them known for as long as the scope lasts. The effect that it answers begins the delays of the event loop anew:
 * for after each look.
 */
export const begin: Effect.Effect<Effect.Effect<void>, never, Scope.Scope> = Effect.gen(function* () {
  const delay = yield* loopDelay
  const startedAt = Date.now() / 1000 - process.uptime()
  yield* watch(
    Metric.counter("process_cpu_seconds_total", { description: "Processor time spent, in seconds." }),
    processorTime
  )
  yield* gauge("process_start_time_seconds", "When the process began, in seconds since 1970.", () => startedAt)
  yield* gauge("process_resident_memory_bytes", "Memory that the process has.", () => process.memoryUsage.rss())
  yield* gauge("nodejs_heap_size_used_bytes", "Memory in use on the heap.", () => process.memoryUsage().heapUsed)
  const since = "Delay of the event loop since the last look:"
  yield* gauge("nodejs_eventloop_lag_mean_seconds", `${since} the average.`, () => seconds(delay.mean))
  yield* gauge("nodejs_eventloop_lag_p99_seconds", `${since} the 99th percentile.`, () => seconds(delay.percentile(99)))
  yield* gauge("nodejs_eventloop_lag_max_seconds", `${since} the longest.`, () => seconds(delay.max))
  return Effect.sync(() => delay.reset())
})
