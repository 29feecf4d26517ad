import * as Transaction from "../../../src/platform/db/Transaction.ts"
import { assert, describe, layer } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit } from "effect"
import { isSqlError } from "effect/sql/SqlError"
import { Database } from "../../../src/platform/db/Database.ts"
import { DatabaseUnavailable, orDie } from "../../../src/platform/db/DatabaseUnavailable.ts"
import { store, TestDatabase } from "../../support/TestDatabase.ts"

const raise = (state: string) =>
  Effect.flatMap(Database, (sql) => sql.unsafe(`do $$ begin raise exception 'x' using errcode = '${state}'; end $$`))

const defectOf = <A, E>(exit: Exit.Exit<A, E>): unknown => (Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined)

layer(TestDatabase.layerShared)("A transaction", (it) => {
  it.effect("commits on success, and rolls back on a failure, which it passes on", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      yield* sql`create table outcomes (id int)`
      yield* Transaction.run(sql`insert into outcomes values (1)`)
      const exit = yield* Effect.exit(
        Transaction.run(Effect.andThen(sql`insert into outcomes values (2)`, Effect.fail("no")))
      )
      assert.deepStrictEqual(exit, Exit.fail("no"))
      assert.deepStrictEqual(yield* sql`select id from outcomes`, [{ id: 1 }])
    })
  )

  for (const state of ["40001", "40P01"]) {
    it.effect(`is retried after a conflict (${state})`, () =>
      Effect.gen(function* () {
        const sql = yield* Database
        yield* sql`create table ${sql(`raced_${state}`)} (attempt int)`
        let attempts = 0
        yield* Transaction.run(
          Effect.gen(function* () {
            attempts++
            yield* sql`insert into ${sql(`raced_${state}`)} values (${attempts})`
            if (attempts < 3) yield* raise(state)
          })
        )
        assert.deepStrictEqual(yield* sql`select attempt from ${sql(`raced_${state}`)}`, [{ attempt: 3 }])
      })
    )
  }

  it.effect("gives up after three more attempts", () =>
    Effect.gen(function* () {
      let attempts = 0
      const exit = yield* Effect.exit(
        Transaction.run(
          Effect.andThen(
            Effect.sync(() => attempts++),
            raise("40001")
          )
        )
      )
      assert.strictEqual(attempts, 4)
      assert.isTrue(isSqlError(defectOf(exit)))
    })
  )

  it.effect("is retried as a whole when a conflict became a defect inside it", () =>
    Effect.gen(function* () {
      let outer = 0
      let inner = 0
      yield* Transaction.run(
        Effect.andThen(
          Effect.sync(() => outer++),
          Transaction.run(Effect.suspend(() => (++inner < 2 ? orDie(raise("40P01")) : Effect.void)))
        )
      )
      assert.deepStrictEqual([outer, inner], [2, 2])
    })
  )

  it.effect("rolls back a failed savepoint and keeps the rest", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      yield* sql`create table parts (id int)`
      yield* Transaction.run(
        Effect.gen(function* () {
          yield* sql`insert into parts values (1)`
          yield* Effect.ignore(Transaction.run(Effect.andThen(sql`insert into parts values (2)`, Effect.fail("no"))))
        })
      )
      assert.deepStrictEqual(yield* sql`select id from parts`, [{ id: 1 }])
    })
  )

  it.effect("runs what is sent together in its order, each on what came before, and none of it if one fails", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      yield* sql`create table sent (id int primary key)`
      const insert = (id: number) => sql`insert into sent values (${id})`
      const count = sql`select count(*)::int as count from sent`
      const [, before, , after] = yield* Transaction.run(Transaction.together(insert(1), count, insert(2), count))
      assert.deepStrictEqual([before, after], [[{ count: 1 }], [{ count: 2 }]])
      const defect = defectOf(
        yield* Effect.exit(Transaction.run(Transaction.together(insert(3), insert(1), insert(4), count)))
      )
      assert.isTrue(isSqlError(defect) && defect.reason._tag === "UniqueViolation")
      assert.deepStrictEqual(yield* count, [{ count: 2 }])
    })
  )

  it.effect("dies of any other database error", () =>
    Effect.gen(function* () {
      const defect = defectOf(yield* Effect.exit(Transaction.run(raise("22012"))))
      assert.isTrue(isSqlError(defect))
    })
  )

  describe("when the database is unavailable", () => {
    for (const state of ["57P01", "57P02", "57P03", "53300", "57014", "08006", "25P03", "25006", "55P03"]) {
      it.effect(`dies of DatabaseUnavailable (${state})`, () =>
        Effect.gen(function* () {
          const defect = defectOf(yield* Effect.exit(Transaction.run(raise(state))))
          assert.instanceOf(defect, DatabaseUnavailable)
        })
      )
    }
  })

  describe("when a statement is rejected", () => {
    // An undefined table, column, function and schema, a syntax error, a refused privilege, a failed check, a value
    // that does not fit, a sequence without a value.
    for (const state of ["42P01", "42703", "42883", "3F000", "42601", "42501", "23514", "22P02", "55000"]) {
      it.effect(`dies of the SqlError (${state})`, () =>
        Effect.gen(function* () {
          const defect = defectOf(yield* Effect.exit(Transaction.run(raise(state))))
          assert.isTrue(isSqlError(defect))
          assert.notInstanceOf(defect, DatabaseUnavailable)
        })
      )
    }
  })

  it.effect.runIf(store === "postgres")("is run again when it was the victim of a deadlock", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      yield* sql`create table deadlocked (id int primary key, times int not null)`
      yield* sql`insert into deadlocked values (1, 0), (2, 0)`
      const both = [yield* Deferred.make<void>(), yield* Deferred.make<void>()] as const
      const lock = (id: number) => sql`update deadlocked set times = times + 1 where id = ${id}`
      const transaction = (first: 1 | 2, second: 1 | 2) =>
        Transaction.run(
          Effect.gen(function* () {
            yield* lock(first)
            yield* Deferred.succeed(both[first - 1]!, undefined)
            yield* Deferred.await(both[second - 1]!)
            yield* lock(second)
          })
        )
      yield* Effect.all([transaction(1, 2), transaction(2, 1)], { concurrency: 2 })
      assert.deepStrictEqual(yield* sql`select times from deadlocked order by id`, [{ times: 2 }, { times: 2 }])
    })
  )
})
