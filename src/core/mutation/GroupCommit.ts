/**
 * Group commit (docs/adr/0004-group-commit.md): writes that callers of one group send while transactions of this group are running wait,
 * and are committed together in the next one. A caller that writes one thing at a time does not wait; callers that write many at
 * once cost a few transactions.
 */
import { Array, type Cause, Effect, Exit, Fiber, type Result } from "effect"
import { isRejected, timedOut } from "../../platform/db/Transaction.ts"

/** How many transactions of a group run at the same time. With two, one that waits for a lock does not block the others. */
const maxTransactions = 2

/** How many requests one transaction commits. */
const maxBatch = 100

/** A transaction that runs, and the number of its callers that have not been interrupted. */
interface Transaction {
  callers: number
  readonly interrupt: Effect.Effect<void>
}

interface Request<Item, A, E> {
  readonly item: Item
  readonly resume: (answer: Effect.Effect<A, E>) => void
  /** The transaction that commits the item, once it runs. */
  transaction?: Transaction
  isInterrupted: boolean
}

interface Group<Item, A, E> {
  readonly queue: Array<Request<Item, A, E>>
  transactions: number
}

/**
 * Whether the database may have rejected a transaction because of one of its items. A transaction that took too long is not split:
 * each item might take as long again, and those behind them would wait for all of them.
 */
const mayBeSplit = (cause: Cause.Cause<unknown>) => isRejected(cause) && !timedOut(cause)

const answerOf = <A, E>(exit: Exit.Exit<ReadonlyArray<Result.Result<A, E>>>, index: number): Effect.Effect<A, E> => {
  if (Exit.isFailure(exit)) return Effect.failCause(exit.cause)
  const result = exit.value[index]
  return result === undefined
    ? Effect.die(new Error("a group commit has fewer results than items"))
    : Effect.fromResult(result)
}

/**
 * Makes the function that commits one item. `write` writes several in one transaction and returns a result for each, in their order;
 * a rejected item must not fail the transaction. `groupOf` names the group of an item.
 *
 * A transaction runs in the context of its first caller. It continues while one of its callers waits, and is interrupted when all
 * were. When the database rejects a transaction of several items, each of them is written again in a transaction of its own.
 */
export const make = <Item, A, E>(options: {
  readonly groupOf: (item: Item) => string
  readonly write: (items: Array.NonEmptyReadonlyArray<Item>) => Effect.Effect<ReadonlyArray<Result.Result<A, E>>>
}): ((item: Item) => Effect.Effect<A, E>) => {
  const groups = new Map<string, Group<Item, A, E>>()

  /** Commits the queue of a group, one batch after another, until it is empty. */
  const drain = (name: string, group: Group<Item, A, E>) =>
    Effect.gen(function* () {
      const { queue } = group
      const split: Array<Request<Item, A, E>> = []
      // The first batch has all requests of this turn of the event loop.
      yield* Effect.yieldNow
      while (split.length + queue.length > 0) {
        const next = split.length > 0 ? split.splice(0, 1) : queue.splice(0, maxBatch)
        const batch = next.filter(({ isInterrupted }) => !isInterrupted)
        if (!Array.isArrayNonEmpty(batch)) continue
        const fiber = yield* Effect.forkChild(options.write(Array.map(batch, ({ item }) => item)))
        const transaction: Transaction = { callers: batch.length, interrupt: Fiber.interrupt(fiber) }
        for (const request of batch) request.transaction = transaction
        const exit = yield* Fiber.await(fiber)
        if (Exit.isFailure(exit) && batch.length > 1 && mayBeSplit(exit.cause)) split.push(...batch)
        else for (const [index, { resume }] of batch.entries()) resume(answerOf(exit, index))
      }
    }).pipe(
      Effect.ensuring(
        Effect.sync(() => {
          group.transactions--
          if (group.transactions === 0 && group.queue.length === 0) groups.delete(name)
        })
      )
    )

  const interrupt = ({ queue }: Group<Item, A, E>, request: Request<Item, A, E>) =>
    Effect.suspend(() => {
      request.isInterrupted = true
      const index = queue.indexOf(request)
      if (index >= 0) queue.splice(index, 1)
      const { transaction } = request
      if (transaction === undefined) return Effect.void
      transaction.callers--
      return transaction.callers === 0 ? transaction.interrupt : Effect.void
    })

  return (item) =>
    Effect.flatMap(Effect.context<never>(), (context) =>
      Effect.callback<A, E>((resume) => {
        const name = options.groupOf(item)
        const group: Group<Item, A, E> = groups.get(name) ?? { queue: [], transactions: 0 }
        groups.set(name, group)
        const request: Request<Item, A, E> = { item, resume, isInterrupted: false }
        group.queue.push(request)
        if (group.transactions < maxTransactions) {
          group.transactions++
          Effect.runForkWith(context)(drain(name, group))
        }
        return interrupt(group, request)
      })
    )
}
