/**
 * Reads that a standby may answer: lists, deltas, searches, timelines and the journal. Where they are read is decided here, and for the
 * whole read: repositories do not know of it. See docs/adr/0028-read-replicas.md.
 */
import { Cause, Context, Effect, Fiber } from "effect"
import { isSqlError } from "effect/sql/SqlError"
import { DatabaseUnavailable } from "./DatabaseUnavailable.ts"
import type { Needs } from "./StandbyChoice.ts"
import type { WalPosition } from "./WalPosition.ts"
import type { SqlConnection } from "effect/sql"
import type { Connections } from "./PoolUsage.ts"

/** A standby that answers reads. */
export interface Standby {
  /** Its host and port, for logs. */
  readonly address: string
  readonly connections: Connections
  /** A connection of the caller's own for a read that can be slow (see usecase/SlowReads.ts). */
  readonly slowReads: SqlConnection.Acquirer
  /** The name of the primary that it follows (see WalPosition.ts). */
  readonly serverName: string
  /** Calls `listener` when the standby stops answering. Returns a function that forgets the listener. */
  readonly onLoss: (listener: () => void) => () => void
}

/** The standby that the running read is sent to. Statements in transactions are sent to the primary all the same. */
export const CurrentStandby = Context.Reference<Standby | undefined>("platform/db/CurrentStandby", {
  defaultValue: () => undefined
})

/** The standbys of a process. */
export interface Standbys {
  /** One that meets the needs of a read; undefined if none does. */
  readonly choose: (needs: Needs) => Standby | undefined
}

/** Leave to read from standbys. Without it, everything is read from the primary. */
export interface Leave {
  readonly standbys: Standbys
  /** The writes that the caller must see; undefined where they are not known, which leaves the primary. */
  readonly writes: ReadonlyArray<WalPosition> | undefined
}

/** The leave of the running request. */
export const StandbyLeave = Context.Reference<Leave | undefined>("platform/db/StandbyLeave", {
  defaultValue: () => undefined
})

const isOfDatabase = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some(
    (reason) => Cause.isDieReason(reason) && (reason.defect instanceof DatabaseUnavailable || isSqlError(reason.defect))
  )

/** Waits for a read at a standby. It is given up when the standby is lost: one that hangs reports no error. */
const unlessLost = <A, E>(fiber: Fiber.Fiber<A, E>, standby: Standby): Effect.Effect<A, E> => {
  const already = fiber.pollUnsafe()
  if (already !== undefined) return already
  return Effect.callback<A, E>((resume) => {
    const forget = standby.onLoss(() => {
      resume(Effect.die(new DatabaseUnavailable({ cause: "the standby does not answer" })))
      // Not awaited: a hanging statement needs seconds to stop.
      fiber.interruptUnsafe()
    })
    fiber.addObserver((exit) => {
      forget()
      resume(exit)
    })
    return Effect.suspend(() => {
      forget()
      return Fiber.interrupt(fiber)
    })
  })
}

const readAt = <A, E, R>(standby: Standby, read: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(
    Effect.forkDetach(Effect.provideService(read, CurrentStandby, standby), { startImmediately: true }),
    (fiber) => unlessLost(fiber, standby)
  )

/**
 * Runs a read at a standby if the request may do so and one shows what it has `seen`, else on the primary. `accept` gets the read at the
 * standby, which is run on the primary if the database fails there, and the read on the primary.
 */
const orPrimary = <A, E, R>(
  read: Effect.Effect<A, E, R>,
  seen: Needs["seen"],
  accept: (answered: Effect.Effect<A, E, R>, onPrimary: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) => {
    const leave = fiber.getRef(StandbyLeave)
    if (leave === undefined || fiber.getRef(CurrentStandby) !== undefined) return read
    const standby = leave.standbys.choose({ writes: leave.writes, seen })
    // Decided for all of the read: a part of it would not know what it must show.
    const onPrimary = Effect.provideService(read, StandbyLeave, undefined)
    if (standby === undefined) return onPrimary
    const answered = Effect.catchCauseIf(readAt(standby, read), isOfDatabase, (cause) =>
      Effect.logDebug("A standby failed; the primary answers.", cause).pipe(
        Effect.annotateLogs("standby", standby.address),
        Effect.andThen(onPrimary)
      )
    )
    return accept(answered, onPrimary)
  })

/**
 * Runs a read at a standby if the request may do so and one shows what the caller has `seen`, else on the primary. If the database
 * fails there, for whatever reason, it is run again on the primary: it must write nothing.
 */
export const atStandby = <A, E, R>(read: Effect.Effect<A, E, R>, seen: Needs["seen"] = []): Effect.Effect<A, E, R> =>
  orPrimary(read, seen, (answered) => answered)

/** Runs a read as {@link atStandby} does, and again on the primary if what a standby answers does not suffice, or is a refusal. */
export const atStandbyIf = <A, E, R>(
  read: Effect.Effect<A, E, R>,
  suffices: (value: A) => boolean
): Effect.Effect<A, E, R> =>
  orPrimary(read, [], (answered, onPrimary) =>
    Effect.matchEffect(answered, {
      onFailure: () => onPrimary,
      onSuccess: (value) => (suffices(value) ? Effect.succeed(value) : onPrimary)
    })
  )
