/** The deliveries of a team that this worker has claimed: waiting, in flight, or with a result to write. */
import type { Lease } from "../../jobs/WorkerSession.ts"
import type { FinishedAttempt } from "./Recorder.ts"
import { concurrencyLimits, type DueDelivery } from "./rules.ts"
import { type EndpointQueue, nextQueue, prefetchLimit } from "./schedule.ts"

/** A delivery that this worker has claimed. */
export interface ClaimedDelivery {
  readonly delivery: DueDelivery
  /** The lease under which it was claimed. */
  readonly lease: Lease
  /** When it was claimed, in milliseconds. */
  readonly claimedAt: number
}

/** The deliveries to one endpoint. */
class Endpoint implements EndpointQueue {
  inFlight = 0
  slow = false
  /** The duration of the latest attempt in milliseconds; undefined if the endpoint did not accept it. */
  acceptedIn: number | undefined
  private readonly waiting: readonly [firstAttempts: Array<ClaimedDelivery>, retries: Array<ClaimedDelivery>] = [[], []]

  get firstAttempts() {
    return this.waiting[0].length
  }
  get retries() {
    return this.waiting[1].length
  }

  add(claimed: ClaimedDelivery) {
    const { attemptCount, replayedAttempts, slow } = claimed.delivery
    this.slow = slow
    this.waiting[attemptCount + replayedAttempts === 0 ? 0 : 1].push(claimed)
  }
  next(): ClaimedDelivery | undefined {
    return this.waiting[0].shift() ?? this.waiting[1].shift()
  }
  clear(): ReadonlyArray<ClaimedDelivery> {
    return this.waiting.flatMap((queue) => queue.splice(0))
  }
}

/**
 * The local queue of a team. A delivery is here from its claim until the database has its result or its release:
 * waiting → in flight → `finished` → written, or waiting → `released` → written.
 */
export class LocalQueue {
  readonly teamId: string
  inFlight = 0
  /** Finished attempts that no writer has taken yet. */
  readonly finished: Array<FinishedAttempt> = []
  /** Unsent deliveries whose claims no writer has released yet. */
  readonly released: Array<ClaimedDelivery> = []
  /** How many writers are recording results. */
  writers = 0
  private readonly endpoints = new Map<string, Endpoint>()
  /** The ids of deliveries that wait or are in flight. */
  private readonly active = new Set<string>()
  /** The ids of finished and released deliveries until they are written, with a count: one may have been claimed again. */
  private readonly unwritten = new Map<string, number>()

  constructor(teamId: string) {
    this.teamId = teamId
  }

  get isEmpty() {
    return this.active.size + this.unwritten.size === 0
  }

  /** Whether there are finished or released deliveries that no writer has taken yet. */
  get hasResults() {
    return this.finished.length + this.released.length > 0
  }

  has(id: string) {
    return this.active.has(id) || this.unwritten.has(id)
  }

  /** How many deliveries may be claimed of each endpoint that accepted its latest attempt: more than may be in flight. */
  get prefetchLimits() {
    return [...this.endpoints].flatMap(([id, { acceptedIn }]) =>
      acceptedIn === undefined ? [] : [{ id, limit: prefetchLimit(acceptedIn, concurrencyLimits) }]
    )
  }

  private endpoint(id: string): Endpoint {
    const existing = this.endpoints.get(id)
    if (existing !== undefined) return existing
    const endpoint = new Endpoint()
    this.endpoints.set(id, endpoint)
    return endpoint
  }

  /** Adds a claimed delivery. Ignores one that is already queued, claimed under an expired lease. */
  add(claimed: ClaimedDelivery) {
    if (this.active.has(claimed.delivery.id)) return
    this.active.add(claimed.delivery.id)
    this.endpoint(claimed.delivery.webhookId).add(claimed)
  }

  /** Takes the delivery to send next, which counts as in flight from now on; undefined if the limits allow none. */
  next(allowSlow: boolean): ClaimedDelivery | undefined {
    const endpoint = nextQueue(this.endpoints.values(), {
      inFlight: this.inFlight,
      limits: concurrencyLimits,
      allowSlow
    })
    const claimed = endpoint?.next()
    if (endpoint === undefined || claimed === undefined) return undefined
    endpoint.inFlight++
    this.inFlight++
    return claimed
  }

  private endFlight({ delivery }: ClaimedDelivery) {
    this.inFlight--
    this.endpoint(delivery.webhookId).inFlight--
  }

  private leave(id: string) {
    this.active.delete(id)
    this.unwritten.set(id, (this.unwritten.get(id) ?? 0) + 1)
  }

  /**
   * Ends an attempt. `acceptedIn` is its duration in milliseconds, or undefined if the endpoint did not accept it. Then the
   * deliveries that wait for the endpoint are released, so that the next claim reads its current limits.
   */
  finish(claimed: ClaimedDelivery, finished: FinishedAttempt, acceptedIn: number | undefined) {
    this.endFlight(claimed)
    this.leave(claimed.delivery.id)
    this.finished.push(finished)
    const endpoint = this.endpoint(claimed.delivery.webhookId)
    endpoint.acceptedIn = acceptedIn
    if (acceptedIn === undefined) this.release(endpoint.clear())
  }

  /** Releases a delivery that `next` returned, instead of sending it. */
  returnUnsent(claimed: ClaimedDelivery) {
    this.endFlight(claimed)
    this.release([claimed])
  }

  private release(claims: ReadonlyArray<ClaimedDelivery>) {
    for (const claimed of claims) {
      this.leave(claimed.delivery.id)
      this.released.push(claimed)
    }
  }

  /** Releases all deliveries that are not in flight. */
  releaseWaiting() {
    for (const endpoint of this.endpoints.values()) this.release(endpoint.clear())
  }

  /** Removes deliveries whose results or releases are in the database. */
  written(ids: Iterable<string>) {
    for (const id of ids) {
      const count = this.unwritten.get(id) ?? 0
      if (count > 1) this.unwritten.set(id, count - 1)
      else this.unwritten.delete(id)
    }
  }
}
