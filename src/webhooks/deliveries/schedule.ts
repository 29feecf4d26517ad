/** What a process sends next of the deliveries that it holds, and how many it may hold. */
import type { Room as ConcurrencyLimits } from "./rules.ts"

/** What waits for an endpoint in this process, and what it is doing. */
export interface EndpointQueue {
  /** Attempts that are being made. */
  readonly flying: number
  readonly slow: boolean
  /** First attempts, and others, that wait. */
  readonly firsts: number
  readonly retries: number
}

/**
 * Which of a team's endpoints gets the next attempt; undefined when there is no room for what waits. Each gets its
 * `least`; beyond, first attempts go before others, and endpoints in turn. `maySlow`: slow receivers may be called now.
 */
export const nextOf = <L extends EndpointQueue>(
  lines: Iterable<L>,
  options: { readonly flying: number; readonly room: ConcurrencyLimits; readonly maySlow: boolean }
): L | undefined => {
  const { flying, maySlow, room } = options
  let best: L | undefined
  for (const line of lines) {
    if (line.firsts + line.retries === 0 || (line.slow && !maySlow)) continue
    if (line.flying >= (line.slow ? room.least : room.endpoint)) continue
    if (line.flying >= room.least && flying >= room.team) continue
    if (best === undefined || goesBefore(line, best, room)) best = line
  }
  return best
}

const goesBefore = (one: EndpointQueue, other: EndpointQueue, { least }: ConcurrencyLimits): boolean => {
  if (one.flying < least !== other.flying < least) return one.flying < least
  if (one.firsts > 0 !== other.firsts > 0) return one.firsts > 0
  return one.flying < other.flying
}

// What is held is to be sent within half a second: it is looked at again after one.
const heldMillis = 500
const maxHeld = 500

/**
 * How many deliveries of an endpoint a process may hold that holds a team's alone, so that the endpoint need not wait
 * while what was done is recorded: what it takes in half a second, given how long it took to accept the latest one.
 */
export const stockOf = (durationMs: number, { endpoint }: ConcurrencyLimits): number =>
  Math.max(endpoint, Math.min(maxHeld, Math.floor((endpoint * heldMillis) / Math.max(1, durationMs))))

/** How long something may be held, in milliseconds, before it is looked at again: its webhook may send no more. */
export const maxHoldTime = 1000
