/** The deliveries of a team that this worker has claimed: waiting, in flight, or with a result to write. */
import type { Lease } from "../../platform/jobs/Worker.ts"
import type { FinishedAttempt } from "./evaluation.ts"
import { attemptNumber, concurrencyLimits, type DueDelivery } from "./rules.ts"
import { type EndpointQueue, nextQueue, prefetchLimit } from "./schedule.ts"

/** A delivery that this worker has claimed. */
export interface ClaimedDelivery {
  readonly delivery: DueDelivery
  /** The lease under which it was claimed. */
  readonly lease: Lease
  /** When it was claimed, in milliseconds. */
  readonly claimedAt: number
}

/** The claimed deliveries of one webhook. */
class WebhookQueue implements EndpointQueue {
  inFlight = 0
  slow = false
  /** The duration of the latest attempt in milliseconds; undefined before the first, and after one that failed or was slow. */
  healthyDurationMs: number | undefined
  private readonly waiting: readonly [firstAttempts: Array<ClaimedDelivery>, retries: Array<ClaimedDelivery>] = [[], []]

  get firstAttempts() {
    return this.waiting[0].length
  }
  get retries() {
    return this.waiting[1].length
  }

  add(claimed: ClaimedDelivery) {
    this.slow = claimed.delivery.slow
    this.waiting[attemptNumber(claimed.delivery) === 1 ? 0 : 1].push(claimed)
  }
  next(): ClaimedDelivery | undefined {
    return this.waiting[0].shift() ?? this.waiting[1].shift()
  }
  drain(): ReadonlyArray<ClaimedDelivery> {
    return this.waiting.flatMap((queue) => queue.splice(0))
  }
}

/**
 * The local queue of a team. A delivery is here from its claim until the database has its result or its release:
 *
 * - waiting → in flight → `finished` → written
 * - waiting → `released` → written
 * - waiting → returned by `next`, but not sent → `released` → written
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
  private readonly queues = new Map<string, WebhookQueue>()
  /** The ids of deliveries that wait or are in flight. */
  private readonly active = new Set<string>()
  /** How many unwritten results or releases each delivery has: more than one if it was claimed again before the first was written. */
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

  /** How many deliveries this worker may claim of each webhook whose latest attempt was delivered and not slow: more than may be in flight. */
  get prefetchLimits() {
    return [...this.queues].flatMap(([id, { healthyDurationMs }]) =>
      healthyDurationMs === undefined ? [] : [{ id, limit: prefetchLimit(healthyDurationMs, concurrencyLimits) }]
    )
  }

  private queueOf(webhookId: string): WebhookQueue {
    const existing = this.queues.get(webhookId)
    if (existing !== undefined) return existing
    const queue = new WebhookQueue()
    this.queues.set(webhookId, queue)
    return queue
  }

  /** Adds a claimed delivery. Ignores it if it is still waiting or in flight here from a claim under an earlier lease. */
  add(claimed: ClaimedDelivery) {
    if (this.active.has(claimed.delivery.id)) return
    this.active.add(claimed.delivery.id)
    this.queueOf(claimed.delivery.webhookId).add(claimed)
  }

  /** Takes the delivery to send next, which counts as in flight from now on; undefined if the limits allow none. */
  next(allowSlow: boolean): ClaimedDelivery | undefined {
    const queue = nextQueue(this.queues.values(), {
      inFlight: this.inFlight,
      limits: concurrencyLimits,
      allowSlow
    })
    const claimed = queue?.next()
    if (queue === undefined || claimed === undefined) return undefined
    queue.inFlight++
    this.inFlight++
    return claimed
  }

  private decrementInFlight({ delivery }: ClaimedDelivery) {
    this.inFlight--
    this.queueOf(delivery.webhookId).inFlight--
  }

  private markUnwritten(id: string) {
    this.active.delete(id)
    this.unwritten.set(id, (this.unwritten.get(id) ?? 0) + 1)
  }

  /**
   * Ends an attempt. `healthyDurationMs` is its duration, or undefined if it failed or was slow. Then the deliveries that
   * wait for this webhook are released, so that the next claim applies the webhook's current limits.
   */
  finish(claimed: ClaimedDelivery, finished: FinishedAttempt, healthyDurationMs: number | undefined) {
    this.decrementInFlight(claimed)
    this.markUnwritten(claimed.delivery.id)
    this.finished.push(finished)
    const queue = this.queueOf(claimed.delivery.webhookId)
    queue.healthyDurationMs = healthyDurationMs
    if (healthyDurationMs === undefined) this.release(queue.drain())
  }

  /** Releases a delivery that `next` returned, instead of sending it. */
  returnUnsent(claimed: ClaimedDelivery) {
    this.decrementInFlight(claimed)
    this.release([claimed])
  }

  private release(claims: ReadonlyArray<ClaimedDelivery>) {
    for (const claimed of claims) {
      this.markUnwritten(claimed.delivery.id)
      this.released.push(claimed)
    }
  }

  /** Releases all deliveries that are not in flight. */
  releaseWaiting() {
    for (const queue of this.queues.values()) this.release(queue.drain())
  }

  /** Removes deliveries whose results or releases are in the database. */
  removeWritten(ids: Iterable<string>) {
    for (const id of ids) {
      const count = this.unwritten.get(id) ?? 0
      if (count > 1) this.unwritten.set(id, count - 1)
      else this.unwritten.delete(id)
    }
  }
}
