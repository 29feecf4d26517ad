import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Result } from "effect"
import { SqlError, UnknownError } from "effect/sql/SqlError"
import * as GroupCommit from "../../../src/core/mutation/GroupCommit.ts"
import { DatabaseUnavailable } from "../../../src/platform/db/DatabaseUnavailable.ts"

interface Item {
  readonly of: string
  readonly number: number
}

const item = (number: number, of = "one"): Item => ({ of, number })

/** A writer whose transactions wait for a gate, and the items that they got. */
const fixture = (outcome: (items: ReadonlyArray<Item>) => Effect.Effect<void> = () => Effect.void) =>
  Effect.sync(() => {
    const written: Array<ReadonlyArray<number>> = []
    let stopped = false
    const gates: Array<Deferred.Deferred<void>> = []
    const write = GroupCommit.make<Item, string, string>({
      groupOf: ({ of }) => of,
      write: (items) =>
        Effect.gen(function* () {
          const gate = yield* Deferred.make<void>()
          gates.push(gate)
          written.push(items.map(({ number }) => number))
          yield* Effect.onInterrupt(Deferred.await(gate), () => Effect.sync(() => void (stopped = true)))
          yield* outcome(items)
          return items.map(({ number }) =>
            number < 0 ? Result.fail(`refused ${number}`) : Result.succeed(`wrote ${number}`)
          )
        })
    })
    /** Submits these items at once, and waits until nothing more can start. */
    const begin = (items: ReadonlyArray<Item>) =>
      Effect.gen(function* () {
        const fibers = yield* Effect.forEach(items, (one) => Effect.forkChild(Effect.exit(write(one))))
        yield* settled
        return fibers
      })
    const settled = Effect.repeat(Effect.yieldNow, { times: 20 })
    const openGate = (place: number) => Effect.andThen(Deferred.succeed(gates[place]!, undefined), settled)
    /** Opens all gates until nothing waits. */
    const finish = Effect.gen(function* () {
      for (let place = 0; place < gates.length; place++) yield* openGate(place)
    })
    return { written, begin, openGate, finish, wasStopped: () => stopped }
  })

const answersOf = (fibers: ReadonlyArray<Fiber.Fiber<Exit.Exit<string, string>>>) =>
  Effect.forEach(fibers, (fiber) => Fiber.join(fiber))

describe("A group commit", () => {
  it.effect("commits concurrent items together, and answers each", () =>
    Effect.gen(function* () {
      const { begin, finish, written } = yield* fixture()
      const fibers = yield* begin([1, 2, 3].map((number) => item(number)))
      yield* finish
      assert.deepStrictEqual(written, [[1, 2, 3]])
      assert.deepStrictEqual(
        yield* answersOf(fibers),
        ["wrote 1", "wrote 2", "wrote 3"].map((text) => Exit.succeed(text))
      )
    })
  )

  it.effect("commits items that arrive while two transactions run together in the next one", () =>
    Effect.gen(function* () {
      const { begin, finish, openGate, written } = yield* fixture()
      yield* begin([item(1)])
      yield* begin([item(2)])
      yield* begin([item(3)])
      yield* begin([item(4)])
      assert.deepStrictEqual(written, [[1], [2]])
      yield* openGate(0)
      assert.deepStrictEqual(written, [[1], [2], [3, 4]])
      yield* finish
      yield* begin([item(5)])
      assert.deepStrictEqual(written, [[1], [2], [3, 4], [5]])
    })
  )

  it.effect("rejects one item without the others", () =>
    Effect.gen(function* () {
      const { begin, finish } = yield* fixture()
      const fibers = yield* begin([item(1), item(-2), item(3)])
      yield* finish
      assert.deepStrictEqual(yield* answersOf(fibers), [
        Exit.succeed("wrote 1"),
        Exit.fail("refused -2"),
        Exit.succeed("wrote 3")
      ])
    })
  )

  it.effect("does not let one group wait for another", () =>
    Effect.gen(function* () {
      const { begin, openGate, written } = yield* fixture()
      yield* begin([item(1), item(2, "another")])
      assert.deepStrictEqual(written, [[1], [2]])
      const [theirs] = yield* begin([item(3, "another")])
      yield* openGate(2)
      assert.deepStrictEqual(yield* Fiber.join(theirs!), Exit.succeed("wrote 3"))
    })
  )

  it.effect("commits each item alone when the database rejects a transaction of several", () =>
    Effect.gen(function* () {
      const refusal = new SqlError({ reason: new UnknownError({ cause: "a value that no column takes" }) })
      const { begin, finish, written } = yield* fixture((items) =>
        items.some(({ number }) => number === 2) ? Effect.die(refusal) : Effect.void
      )
      const fibers = yield* begin([1, 2, 3].map((number) => item(number)))
      yield* finish
      assert.deepStrictEqual(written, [[1, 2, 3], [1], [2], [3]])
      assert.deepStrictEqual(yield* answersOf(fibers), [
        Exit.succeed("wrote 1"),
        Exit.die(refusal),
        Exit.succeed("wrote 3")
      ])
    })
  )

  it.effect("fails for all callers while the database is unavailable, and commits later items", () =>
    Effect.gen(function* () {
      const away = new DatabaseUnavailable({ cause: "gone" })
      let isAway = true
      const { begin, finish } = yield* fixture(() => (isAway ? Effect.die(away) : Effect.void))
      const fibers = yield* begin([item(1), item(2)])
      yield* finish
      assert.deepStrictEqual(yield* answersOf(fibers), [Exit.die(away), Exit.die(away)])
      isAway = false
      const later = yield* begin([item(3)])
      yield* finish
      assert.deepStrictEqual(yield* answersOf(later), [Exit.succeed("wrote 3")])
    })
  )

  it.effect("leaves out the items of interrupted callers only", () =>
    Effect.gen(function* () {
      const { begin, finish, written } = yield* fixture()
      yield* begin([item(1)])
      yield* begin([item(2)])
      const [gone, stays] = yield* begin([item(3), item(4)])
      yield* Fiber.interrupt(gone!)
      yield* finish
      assert.deepStrictEqual(written, [[1], [2], [4]])
      assert.deepStrictEqual(yield* Fiber.join(stays!), Exit.succeed("wrote 4"))
    })
  )

  it.effect("continues when one of several callers is interrupted, and rolls back when all are", () =>
    Effect.gen(function* () {
      const { begin, finish, wasStopped, written } = yield* fixture()
      const [gone, stays] = yield* begin([item(1), item(2)])
      yield* Fiber.interrupt(gone!)
      assert.isFalse(wasStopped())
      yield* finish
      assert.deepStrictEqual(yield* Fiber.join(stays!), Exit.succeed("wrote 2"))
      const all = yield* begin([item(3), item(4)])
      yield* Effect.forEach(all, (fiber) => Fiber.interrupt(fiber))
      assert.isTrue(wasStopped())
      const [later] = yield* begin([item(5)])
      yield* finish
      assert.deepStrictEqual(yield* Fiber.join(later!), Exit.succeed("wrote 5"))
      assert.deepStrictEqual(written, [[1, 2], [3, 4], [5]])
    })
  )
})
