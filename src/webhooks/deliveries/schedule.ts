/** Which claimed delivery a worker sends next, and how many it may prefetch: pure. See docs/behaviour/webhooks.md#isolation. */
import type { ConcurrencyLimits } from "./rules.ts"

/** The deliveries to one endpoint that this worker has claimed. */
export interface EndpointQueue {
  /** Attempts in flight. */
  readonly inFlight: number
  readonly slow: boolean
  /** Waiting first attempts. */
  readonly firstAttempts: number
  /** Waiting retries. */
  readonly retries: number
}

/**
 * The endpoint of a team that gets the next attempt; undefined if the limits allow none. An endpoint below its guaranteed number
 * precedes all others. Otherwise first attempts precede retries, and the endpoint with the fewest attempts in flight comes
 * first. `allowSlow`: whether slow receivers may be called now.
 */
export const nextQueue = <Q extends EndpointQueue>(
  queues: Iterable<Q>,
  options: { readonly inFlight: number; readonly limits: ConcurrencyLimits; readonly allowSlow: boolean }
): Q | undefined => {
  const { allowSlow, inFlight, limits } = options
  let best: Q | undefined
  for (const queue of queues) {
    if (queue.firstAttempts + queue.retries === 0 || (queue.slow && !allowSlow)) continue
    if (queue.inFlight >= (queue.slow ? limits.guaranteed : limits.perEndpoint)) continue
    if (queue.inFlight >= limits.guaranteed && inFlight >= limits.perTeam) continue
    if (best === undefined || goesBefore(queue, best, limits)) best = queue
  }
  return best
}

const goesBefore = (one: EndpointQueue, other: EndpointQueue, { guaranteed }: ConcurrencyLimits): boolean => {
  if (one.inFlight < guaranteed !== other.inFlight < guaranteed) return one.inFlight < guaranteed
  if (one.firstAttempts > 0 !== other.firstAttempts > 0) return one.firstAttempts > 0
  return one.inFlight < other.inFlight
}

// Prefetched deliveries should be sent within half a second. After `maxQueueTime` they are released instead.
const prefetchMillis = 500
const maxPrefetched = 500

/**
 * How many deliveries of an endpoint a worker may claim if no other worker has claims in the team: as many as the endpoint
 * accepts in half a second, given the duration of its latest attempt. So the worker keeps sending while it records results.
 */
export const prefetchLimit = (durationMs: number, { perEndpoint }: ConcurrencyLimits): number =>
  Math.max(perEndpoint, Math.min(maxPrefetched, Math.floor((perEndpoint * prefetchMillis) / Math.max(1, durationMs))))

/** How long a delivery may wait in a worker, in milliseconds. Then it is released, because its webhook may have been paused. */
export const maxQueueTime = 1000
