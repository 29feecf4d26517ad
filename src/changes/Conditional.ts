/** Changes of a resource that was read first, with optimistic concurrency (decisions §2). */
import { Effect } from "effect"
import { ConcurrencyConflict, type PreconditionFailed } from "../usecase/Problem.ts"
import * as Precondition from "../usecase/Precondition.ts"

/**
 * Loads, reads the body, checks `If-Match`, and changes, in this order, which is that of the refusals.
 *
 * `change` writes on condition of the version that was loaded and fails with `ConcurrencyConflict` when another came
 * first. A client that named a state with `If-Match` is told; one that named none gets its change on top of the other.
 * So does one that said `*`, which is any state, unless `pinWildcard` holds it to the one that it met. Where naming one is not
 * left to the client, `request.ifMatch` is `Precondition.demanded`. `change` is told whether the client named one.
 */
export const conditionally = <E0, Stored, E1, R1, Body, E2, R2, A, E3, R3>(options: {
  readonly request: { readonly ifMatch: Effect.Effect<Precondition.Tags | undefined, E0> }
  readonly load: Effect.Effect<Stored, E1, R1>
  readonly etagOf: (stored: Stored) => string
  readonly pinWildcard?: boolean
  readonly body: Effect.Effect<Body, E2, R2>
  readonly change: (stored: Stored, body: Body, hasPrecondition: boolean) => Effect.Effect<A, E3, R3>
}): Effect.Effect<A, E0 | E1 | E2 | E3 | PreconditionFailed, R1 | R2 | R3> =>
  Effect.gen(function* () {
    const stored = yield* options.load
    const body = yield* options.body
    const tags = yield* options.request.ifMatch
    yield* Precondition.check(options.etagOf(stored), tags)
    const hasPrecondition = tags !== undefined && (tags !== "*" || options.pinWildcard === true)
    return yield* options
      .change(stored, body, hasPrecondition)
      .pipe(Effect.mapError((error) => (hasPrecondition ? error : new Lost(error))))
  }).pipe(
    Effect.retry({ times: 4, while: (error) => error instanceof Lost && error.error instanceof ConcurrencyConflict }),
    Effect.mapError((error) => (error instanceof Lost ? error.error : error) as E0 | E1 | E2 | E3 | PreconditionFailed)
  )

// Marks what may be tried again: only a change that named no state.
class Lost<E> {
  readonly error: E
  constructor(error: E) {
    this.error = error
  }
}

// Another writer of the same references or pairs came first, and is there to be seen the next time.
const again = Effect.retry({
  times: 4,
  while: (error: unknown) => error instanceof ConcurrencyConflict
})

/** For writes that name no state: they are made again, and losing a race time and again is a fault of ours. */
export const retryOnConflict = <A, E, R>(
  self: Effect.Effect<A, E, R>
): Effect.Effect<A, Exclude<E, ConcurrencyConflict>, R> =>
  Effect.catchIf(again(self), (error) => error instanceof ConcurrencyConflict, Effect.die) as Effect.Effect<
    A,
    Exclude<E, ConcurrencyConflict>,
    R
  >
