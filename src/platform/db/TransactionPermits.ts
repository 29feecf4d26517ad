/** Shares the connections of a process among the tenants that run transactions (docs/adr/0025-permits-per-tenant.md). */
import { Cause, Context, Data, Effect } from "effect"

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
type WithPermit = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

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

/** The bounds of a queue. */
export interface Bounds {
  /** How many run at the same time. */
  readonly running: number
  /** How many of them may be of one owner. */
  readonly runningPerOwner: number
  /** How many of one owner may wait. */
  readonly waitingPerOwner: number
}

interface Owner<Entry> {
  readonly running: Set<Entry>
  /** In the order in which they came. */
  readonly waiting: Set<Entry>
}

/**
 * Decides who runs and who waits, without effects. Owners that wait take turns: whoever was served goes behind all the others, so that
 * the wait of one owner depends on the number of the others and not on how much they want. An owner at its bound is passed over and
 * keeps its turn.
 */
export class TurnQueue<Entry> {
  private readonly bounds: Bounds
  private readonly owners = new Map<string, Owner<Entry>>()
  // The owners that wait: the first one is next.
  private readonly turns = new Set<string>()
  private running = 0

  constructor(bounds: Bounds) {
    this.bounds = bounds
  }

  /** Whether a new entry of an owner runs, waits, or is refused because too many of this owner wait. */
  enter(name: string, entry: Entry): "runs" | "waits" | "refused" {
    const owner = this.owners.get(name) ?? { running: new Set(), waiting: new Set() }
    if (this.mayRun(owner)) {
      this.start(owner, entry)
      this.owners.set(name, owner)
      return "runs"
    }
    if (owner.waiting.size >= this.bounds.waitingPerOwner) return "refused"
    owner.waiting.add(entry)
    this.owners.set(name, owner)
    this.turns.add(name)
    return "waits"
  }

  /** Removes an entry that runs or waits; returns the one that runs in its place, if any. */
  leave(name: string, entry: Entry): Entry | undefined {
    const owner = this.owners.get(name)
    if (owner === undefined) return undefined
    if (owner.waiting.delete(entry)) {
      this.forgetIfIdle(name, owner)
      return undefined
    }
    if (!owner.running.delete(entry)) return undefined
    this.running--
    const next = this.startNext()
    this.forgetIfIdle(name, owner)
    return next
  }

  /** How many wait. */
  get waiting(): number {
    let count = 0
    for (const name of this.turns) count += this.owners.get(name)?.waiting.size ?? 0
    return count
  }

  /** Whether nobody runs or waits. */
  get isEmpty(): boolean {
    return this.owners.size === 0
  }

  private mayRun({ running }: Owner<Entry>): boolean {
    return this.running < this.bounds.running && running.size < this.bounds.runningPerOwner
  }

  private start(owner: Owner<Entry>, entry: Entry): void {
    owner.running.add(entry)
    this.running++
  }

  private startNext(): Entry | undefined {
    for (const name of this.turns) {
      const owner = this.owners.get(name)
      const entry = owner?.waiting.values().next().value
      if (owner === undefined || entry === undefined || !this.mayRun(owner)) continue
      owner.waiting.delete(entry)
      this.start(owner, entry)
      this.turns.delete(name)
      if (owner.waiting.size > 0) this.turns.add(name)
      return entry
    }
    return undefined
  }

  private forgetIfIdle(name: string, { running, waiting }: Owner<Entry>): void {
    if (waiting.size > 0) return
    this.turns.delete(name)
    if (running.size === 0) this.owners.delete(name)
  }
}
