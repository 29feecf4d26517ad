/** Shares the connections of a process among the tenants that run transactions (docs/adr/0025-permits-per-tenant.md). */
import { Cause, Context, Data, Effect } from "effect"
import { TurnQueue } from "./TurnQueue.ts"

/**
 * Whom transactions count for: a team, where the caller of a request or a job belongs to one; else what there may be many of, such as the
 * network address of a request without a caller. Whoever admits a caller sets it. Everything that has none is one tenant.
 */
export const Tenant = Context.Reference<string>("platform/db/TransactionPermits/Tenant", { defaultValue: () => "" })

/** The defect of a transaction that did not run because too many of its tenant wait already. */
export class TooManyTransactions extends Data.TaggedError("TooManyTransactions")<{ readonly tenant: string }> {}

/** Whether a request died because too many transactions of its tenant wait. */
export const isCrowded = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((reason) => Cause.isDieReason(reason) && reason.defect instanceof TooManyTransactions)

/** How many transactions of a tenant may wait. A client that waits for its answers never has so many. */
export const waitingPerTenant = 200

/** Runs an effect while it holds one of the permits. A caller that is interrupted while it waits leaves the queue. */
export type WithPermit = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** The permits of a process. */
export interface Permits {
  readonly withPermit: WithPermit
  /** How many effects wait for a permit. */
  readonly waiting: () => number
}

interface Waiter {
  isTurn: boolean
  resume: (() => void) | undefined
}

/** Makes as many permits, of which one tenant has at most half. */
export const make = (permits: number): Permits => {
  const queue = new TurnQueue<Waiter>({
    running: permits,
    runningPerOwner: Math.ceil(permits / 2),
    waitingPerOwner: waitingPerTenant
  })

  const turnOf = (waiter: Waiter) =>
    Effect.callback<void>((resume) => {
      if (waiter.isTurn) resume(Effect.void)
      else waiter.resume = () => resume(Effect.void)
    })

  const leave = (tenant: string, waiter: Waiter) =>
    Effect.sync(() => {
      const next = queue.leave(tenant, waiter)
      if (next === undefined) return
      next.isTurn = true
      // Not at once: resumed fibers run inside of this call, and could resume further ones.
      queueMicrotask(() => next.resume?.())
    })

  const withPermit: WithPermit = (effect) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(Tenant, (tenant) => {
        const waiter: Waiter = { isTurn: false, resume: undefined }
        const entered = queue.enter(tenant, waiter)
        if (entered === "refused") return Effect.die(new TooManyTransactions({ tenant }))
        const running = restore(effect)
        return Effect.ensuring(
          entered === "runs" ? running : Effect.andThen(restore(turnOf(waiter)), running),
          leave(tenant, waiter)
        )
      })
    )
  return { withPermit, waiting: () => queue.waiting }
}
