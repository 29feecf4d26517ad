import { makeBatchedQuery, refreshStatistics } from "../../../src/platform/db/SetStatements.ts"
import { assert, layer } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber } from "effect"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { CurrentCell } from "../../../src/platform/db/Cells.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

/** Runs the garbage collector. */
const collect = Effect.gen(function* () {
  setFlagsFromString("--expose-gc")
  const gc = runInNewContext("gc") as () => void
  // A WeakRef keeps its target until the end of the turn that dereferenced it.
  yield* Effect.yieldNow
  yield* Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))
  gc()
})

layer(TestDatabase.layerShared)("Concurrent loads", (it) => {
  it.effect("share a statement, and each gets its own value", () =>
    Effect.gen(function* () {
      const asked: Array<ReadonlyArray<number>> = []
      const double = yield* makeBatchedQuery((keys: ReadonlyArray<number>) =>
        Effect.sync(() => {
          asked.push(keys)
          return keys.map((key) => key * 2)
        })
      )
      const answers = yield* Effect.forEach([1, 2, 3], double, { concurrency: "unbounded" })
      assert.deepStrictEqual(answers, [2, 4, 6])
      assert.deepStrictEqual(asked, [[1, 2, 3]])
      // On Citus, those in cells do not.
    }).pipe(Effect.provideService(CurrentCell, undefined))
  )

  it.effect("fail, and say so, when the statement has fewer or more values than keys", () =>
    Effect.gen(function* () {
      for (const values of [[1], [1, 2, 3]]) {
        const load = yield* makeBatchedQuery(() => Effect.succeed(values))
        const exits = yield* Effect.forEach([1, 2], (key) => Effect.exit(load(key)), { concurrency: "unbounded" })
        for (const exit of exits) {
          assert.isTrue(Exit.isFailure(exit) && Cause.pretty(exit.cause).includes("a batched query has"), String(exit))
        }
      }
    }).pipe(Effect.provideService(CurrentCell, undefined))
  )

  it.effect("do not retain their results", () =>
    Effect.gen(function* () {
      const made = yield* Effect.forEach(
        Array.from({ length: 10 }),
        () =>
          Effect.gen(function* () {
            const double = yield* makeBatchedQuery((keys: ReadonlyArray<number>) =>
              Effect.succeed(keys.map((key) => key * 2))
            )
            const fiber = yield* Effect.forkDetach(Effect.map(double(1), (answer) => ({ answer })))
            return new WeakRef(yield* Fiber.join(fiber))
          }),
        { concurrency: "unbounded" }
      )
      // One collection may miss an object that a busy machine still refers to from a stack.
      const retained = yield* collect.pipe(
        Effect.map(() => made.filter((one) => one.deref() !== undefined).length),
        Effect.repeat({ until: (count) => count === 0, times: 20 })
      )
      assert.strictEqual(retained, 0)
    })
  )
})

layer(TestDatabase.layer)("Statistics of a table", (it) => {
  it.effect("are refreshed when it has doubled, until it has a thousand rows", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      yield* sql`create table grown (number int) with (autovacuum_enabled = false)`
      const counted = Effect.map(
        sql<{ readonly rows: number }>`select reltuples::int as rows from pg_class where relname = 'grown'`,
        ([row]) => row?.rows
      )
      const grow = (rows: number) => sql`insert into grown select generate_series(1, ${rows}::int)`
      const refreshed = Effect.andThen(refreshStatistics(["grown", "never_made"]), counted)
      yield* grow(10)
      assert.strictEqual(yield* refreshed, 10)
      yield* grow(700)
      assert.strictEqual(yield* refreshed, 710)
      yield* grow(200)
      assert.strictEqual(yield* refreshed, 710)
      yield* grow(800)
      assert.strictEqual(yield* refreshed, 1710)
      yield* grow(5000)
      assert.strictEqual(yield* refreshed, 1710)
    })
  )
})
