/**
 * Group commit: what one team wants written while another write of theirs is under way waits for it, and goes in the next
 * transaction together with all else that waited. Who writes one thing at a time does not notice; of a team that writes
 * many at once, the database does a few transactions instead of as many as there are requests.
 */
import { type Array, type Cause, Effect, Exit, type Result } from "effect"
import { refusedAlone, timedOut } from "../db/Transaction.ts"

/** How many transactions of one group there are at a time: one that waits for a lock does not keep the others waiting. */
const atOnce = 2

/** How many go together at the most. */
const most = 100

// Not what took too long: each would take as long again, and those that come after would wait for all of them.
const isOfOne = (cause: Cause.Cause<unknown>) => refusedAlone(cause) && !timedOut(cause)

interface Waiting<Item, A, E> {
  readonly item: Item
  readonly resume: (answer: Effect.Effect<A, E>) => void
}

interface Group<Item, A, E> {
  readonly waiting: Array<Waiting<Item, A, E>>
  running: number
}

/**
 * Makes the write of one item of `write`, which writes many in one transaction and answers for each, in their order: what is
 * refused of one must not keep the others from being written. `groupOf` names what may go together.
 *
 * A transaction runs in the context of who came first, and goes on when a caller is gone. When the database refuses a statement
 * of several, each is written again alone.
 */
export const make = <Item, A, E>(options: {
  readonly groupOf: (item: Item) => string
  readonly write: (items: Array.NonEmptyReadonlyArray<Item>) => Effect.Effect<ReadonlyArray<Result.Result<A, E>>>
}): (item: Item) => Effect.Effect<A, E> => {
  const groups = new Map<string, Group<Item, A, E>>()

  const settle = (
    together: ReadonlyArray<Waiting<Item, A, E>>
  ): Effect.Effect<void> => {
    const [first, ...others] = together
    if (first === undefined) return Effect.void
    return Effect.exit(options.write([first.item, ...others.map(({ item }) => item)])).pipe(
      Effect.flatMap((exit) => {
        if (Exit.isFailure(exit) && others.length > 0 && isOfOne(exit.cause)) {
          return Effect.forEach(together, (one) => settle([one]), { discard: true })
        }
        return Effect.sync(() => {
          for (const [index, { resume }] of together.entries()) {
            const answer = Exit.isSuccess(exit) ? exit.value[index] : undefined
            if (Exit.isFailure(exit)) resume(Effect.failCause(exit.cause))
            else resume(answer === undefined ? unanswered : Effect.fromResult(answer))
          }
        })
      })
    )
  }

  /** Writes what waits in a group until nothing does. */
  const drain = (name: string, group: Group<Item, A, E>): Effect.Effect<void> =>
    Effect.suspend(() => settle(group.waiting.splice(0, most))).pipe(
      Effect.repeat({ while: () => group.waiting.length > 0 }),
      Effect.ensuring(Effect.sync(() => {
        group.running--
        if (group.running === 0 && group.waiting.length === 0) groups.delete(name)
      }))
    )

  return (item) =>
    Effect.flatMap(Effect.context<never>(), (context) =>
      Effect.callback<A, E>((resume) => {
        const name = options.groupOf(item)
        const group: Group<Item, A, E> = groups.get(name) ?? { waiting: [], running: 0 }
        groups.set(name, group)
        const one = { item, resume }
        group.waiting.push(one)
        if (group.running < atOnce) {
          group.running++
          // What comes in this turn of the event loop goes with it.
          Effect.runForkWith(context)(Effect.andThen(Effect.yieldNow, drain(name, group)))
        }
        return Effect.sync(() => {
          const place = group.waiting.indexOf(one)
          if (place >= 0) group.waiting.splice(place, 1)
        })
      }))
}

const unanswered = Effect.die(new Error("a group commit answered for fewer than it wrote"))
