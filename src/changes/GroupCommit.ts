/**
 * Group commit: what one team wants written while another write of theirs is under way waits for it, and goes in the next
 * transaction together with all else that waited. Who writes one thing at a time does not notice; of a team that writes
 * many at once, the database does a few transactions instead of as many as there are requests.
 */
import { type Array, type Cause, Effect, Exit, Fiber, type Result } from "effect"
import { isRejected, timedOut } from "../db/Transaction.ts"

/** How many transactions of one group there are at a time: one that waits for a lock does not keep the others waiting. */
const atOnce = 2

/** How many go together at the most. */
const maxBatch = 100

// Not what took too long: each would take as long again, and those that come after would wait for all of them.
const isOfOne = (cause: Cause.Cause<unknown>) => isRejected(cause) && !timedOut(cause)

/** A running transaction, and how many still want to know what came of it. */
interface Running {
  asking: number
  stop: Effect.Effect<void>
}

interface Waiting<Item, A, E> {
  readonly item: Item
  readonly resume: (answer: Effect.Effect<A, E>) => void
  /** Once its turn has come. */
  running?: Running
  isGone: boolean
}

interface Group<Item, A, E> {
  readonly waiting: Array<Waiting<Item, A, E>>
  transactions: number
}

const unanswered = Effect.die(new Error("a group commit answered for fewer than it wrote"))

/**
 * Makes the write of one item of `write`, which writes many in one transaction and answers for each, in their order: what is
 * refused of one must not keep the others from being written. `groupOf` names what may go together.
 *
 * A transaction runs in the context of who came first. It goes on when one of several callers is gone, and is rolled back when all
 * are. When the database refuses a statement of several, each is written again alone.
 */
export const make = <Item, A, E>(options: {
  readonly groupOf: (item: Item) => string
  readonly write: (items: Array.NonEmptyReadonlyArray<Item>) => Effect.Effect<ReadonlyArray<Result.Result<A, E>>>
}): ((item: Item) => Effect.Effect<A, E>) => {
  const groups = new Map<string, Group<Item, A, E>>()

  /** Writes in one transaction, and answers how it ended. */
  const transact = (first: Waiting<Item, A, E>, others: ReadonlyArray<Waiting<Item, A, E>>) =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(options.write([first.item, ...others.map(({ item }) => item)]))
      const running = { asking: 1 + others.length, stop: Fiber.interrupt(fiber) }
      first.running = running
      for (const other of others) other.running = running
      return yield* Fiber.await(fiber)
    })

  const settle = (together: ReadonlyArray<Waiting<Item, A, E>>): Effect.Effect<void> => {
    const [first, ...others] = together.filter(({ isGone }) => !isGone)
    if (first === undefined) return Effect.void
    return Effect.flatMap(transact(first, others), (exit) => {
      if (Exit.isFailure(exit)) {
        if (others.length > 0 && isOfOne(exit.cause)) {
          return Effect.forEach([first, ...others], (one) => settle([one]), { discard: true })
        }
        for (const { resume } of [first, ...others]) resume(Effect.failCause(exit.cause))
        return Effect.void
      }
      for (const [index, { resume }] of [first, ...others].entries()) {
        const answer = exit.value[index]
        resume(answer === undefined ? unanswered : Effect.fromResult(answer))
      }
      return Effect.void
    })
  }

  /** Writes what waits in a group until nothing does. */
  const drain = (name: string, group: Group<Item, A, E>): Effect.Effect<void> =>
    Effect.suspend(() => settle(group.waiting.splice(0, maxBatch))).pipe(
      Effect.repeat({ while: () => group.waiting.length > 0 }),
      Effect.ensuring(
        Effect.sync(() => {
          group.transactions--
          if (group.transactions === 0 && group.waiting.length === 0) groups.delete(name)
        })
      )
    )

  const leave = (group: Group<Item, A, E>, one: Waiting<Item, A, E>) =>
    Effect.suspend(() => {
      one.isGone = true
      const place = group.waiting.indexOf(one)
      if (place >= 0) group.waiting.splice(place, 1)
      if (one.running === undefined) return Effect.void
      one.running.asking--
      return one.running.asking === 0 ? one.running.stop : Effect.void
    })

  return (item) =>
    Effect.flatMap(Effect.context<never>(), (context) =>
      Effect.callback<A, E>((resume) => {
        const name = options.groupOf(item)
        const group: Group<Item, A, E> = groups.get(name) ?? { waiting: [], transactions: 0 }
        groups.set(name, group)
        const one: Waiting<Item, A, E> = { item, resume, isGone: false }
        group.waiting.push(one)
        if (group.transactions < atOnce) {
          group.transactions++
          // What comes in this turn of the event loop goes with it.
          Effect.runForkWith(context)(Effect.andThen(Effect.yieldNow, drain(name, group)))
        }
        return leave(group, one)
      })
    )
}
