/** The metrics of the process itself, with the names that Prometheus' client libraries use. */
import { Effect, Metric, type Scope } from "effect"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { version } from "../../platform/version.ts"
import { gauge, registerComputed } from "./computed.ts"

// The sampling interval of the event loop's delay, in milliseconds. Each measured delay includes it.
const resolution = 10

const loopDelay = Effect.acquireRelease(
  Effect.sync(() => {
    const histogram = monitorEventLoopDelay({ resolution })
    histogram.enable()
    return histogram
  }),
  (histogram) => Effect.sync(() => histogram.disable())
)

// The histogram reports NaN as long as it is empty.
const seconds = (nanoseconds: number) => (Number.isFinite(nanoseconds) ? nanoseconds / 1e9 : 0)

const processorTime = () => {
  const { system, user } = process.cpuUsage()
  return { count: (system + user) / 1e6, incremental: true }
}

/**
 * Registers the metrics for as long as the scope lasts. Returns an effect that resets the delays of the event loop, to
 * run after each read.
 */
export const register: Effect.Effect<Effect.Effect<void>, never, Scope.Scope> = Effect.gen(function* () {
  const delay = yield* loopDelay
  const startedAt = Date.now() / 1000 - process.uptime()
  yield* registerComputed(
    Metric.counter("process_cpu_seconds_total", { description: "CPU time used, in seconds." }),
    processorTime
  )
  yield* gauge("process_start_time_seconds", "The start time of the process, in seconds since 1970.", () => startedAt)
  yield* gauge("process_resident_memory_bytes", "The resident memory of the process.", () => process.memoryUsage.rss())
  yield* gauge("nodejs_heap_size_used_bytes", "The heap memory in use.", () => process.memoryUsage().heapUsed)
  yield* gauge("property_network_build_info", "1, with the version of the service.", () => 1, { version })
  const since = "The delay of the event loop since the last read:"
  yield* gauge("nodejs_eventloop_lag_mean_seconds", `${since} the average.`, () => seconds(delay.mean))
  yield* gauge("nodejs_eventloop_lag_p99_seconds", `${since} the 99th percentile.`, () => seconds(delay.percentile(99)))
  yield* gauge("nodejs_eventloop_lag_max_seconds", `${since} the longest.`, () => seconds(delay.max))
  return Effect.sync(() => delay.reset())
})
