/** A team's deliveries that this worker has claimed: those that wait, those in flight, and those that are still to be written. */
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
  /** How many milliseconds it took to accept the latest attempt; undefined when it did not accept it. */
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
  /** Attempts that have ended and are not recorded yet. */
  readonly finished: Array<FinishedAttempt> = []
  /** Deliveries that were not sent and whose claims are not released yet. */
  readonly released: Array<ClaimedDelivery> = []
  /** How many writers record what has finished. */
  writers = 0
  private readonly endpoints = new Map<string, Endpoint>()
  /** Those that wait or are in flight. */
  private readonly active = new Set<string>()
  /** Those that have finished or are released, until `written`. One may be here twice, claimed again meanwhile. */
  private readonly unwritten = new Map<string, number>()

  constructor(teamId: string) {
    this.teamId = teamId
  }

  get isEmpty() {
    return this.active.size + this.unwritten.size === 0
  }

  /** Whether something has finished or is released that no writer has taken yet. */
  get hasResults() {
    return this.finished.length + this.released.length > 0
  }

  has(id: string) {
    return this.active.has(id) || this.unwritten.has(id)
  }

  /** Of which endpoints more may be claimed than may be in flight, and how many: those that accepted the latest attempt. */
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

  /** Adds what was claimed. One that is here already, claimed under a lease that has ended, is not added again. */
  add(claimed: ClaimedDelivery) {
    if (this.active.has(claimed.delivery.id)) return
    this.active.add(claimed.delivery.id)
    this.endpoint(claimed.delivery.webhookId).add(claimed)
  }

  /** What is sent next, in flight from now on; undefined when the limits allow none of what waits. */
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

  private land({ delivery }: ClaimedDelivery) {
    this.inFlight--
    this.endpoint(delivery.webhookId).inFlight--
  }

  private leave(id: string) {
    this.active.delete(id)
    this.unwritten.set(id, (this.unwritten.get(id) ?? 0) + 1)
  }

  /**
   * An attempt has ended. `acceptedIn`: how many milliseconds its endpoint took to accept it. When it did not, what waits for
   * the endpoint is released, so that its limits are looked up again.
   */
  finish(claimed: ClaimedDelivery, finished: FinishedAttempt, acceptedIn: number | undefined) {
    this.land(claimed)
    this.leave(claimed.delivery.id)
    this.finished.push(finished)
    const endpoint = this.endpoint(claimed.delivery.webhookId)
    endpoint.acceptedIn = acceptedIn
    if (acceptedIn === undefined) this.release(endpoint.clear())
  }

  /** Releases what `next` answered, instead of sending it. */
  returnUnsent(claimed: ClaimedDelivery) {
    this.land(claimed)
    this.release([claimed])
  }

  private release(claims: ReadonlyArray<ClaimedDelivery>) {
    for (const claimed of claims) {
      this.leave(claimed.delivery.id)
      this.released.push(claimed)
    }
  }

  /** Releases all that is not in flight. */
  releaseWaiting() {
    for (const endpoint of this.endpoints.values()) this.release(endpoint.clear())
  }

  /** The database has the results or releases of these: they are here no longer. */
  written(ids: Iterable<string>) {
    for (const id of ids) {
      const count = this.unwritten.get(id) ?? 0
      if (count > 1) this.unwritten.set(id, count - 1)
      else this.unwritten.delete(id)
    }
  }
}
