/** Which of the deliveries that a worker has claimed it sends next, and how many it may claim ahead. */
import type { ConcurrencyLimits } from "./rules.ts"

/** The deliveries to one endpoint that this worker has claimed. */
export interface EndpointQueue {
  /** Attempts that are being made. */
  readonly inFlight: number
  readonly slow: boolean
  /** First attempts that wait. */
  readonly firstAttempts: number
  /** Retries that wait. */
  readonly retries: number
}

/**
 * Which of a team's endpoints gets the next attempt; undefined when the limits allow none of what waits. An endpoint below
 * its guaranteed number goes before all others; beyond that, first attempts go before retries, and the endpoint with the
 * fewest in flight goes first. `allowSlow`: whether slow receivers may be called now.
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

// What is prefetched should be sent within half a second: after `maxQueueTime` it is released instead.
const prefetchMillis = 500
const maxPrefetched = 500

/**
 * How many deliveries of an endpoint a worker may claim that alone has claims in the team: what the endpoint accepts in half
 * a second, given how many milliseconds it took to accept the latest one. So it need not wait while results are recorded.
 */
export const prefetchLimit = (durationMs: number, { perEndpoint }: ConcurrencyLimits): number =>
  Math.max(perEndpoint, Math.min(maxPrefetched, Math.floor((perEndpoint * prefetchMillis) / Math.max(1, durationMs))))

/** How long a delivery may wait in a worker, in milliseconds, before it is released: its webhook may have been paused meanwhile. */
export const maxQueueTime = 1000
