import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../../src/platform/db/Database.ts"
import { trySessionLock } from "../../../src/platform/db/Transaction.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

const acquireOnce = (name: string) => Effect.scoped(trySessionLock(name))

layer(TestDatabase.layer)("A session lock", (it) => {
  it.effect("is held until the scope ends, by one session at a time", () =>
    Effect.gen(function* () {
      yield* Effect.scoped(
        Effect.gen(function* () {
          assert.isTrue(yield* trySessionLock("a file"))
          assert.isFalse(yield* acquireOnce("a file"))
          assert.isTrue(yield* acquireOnce("another file"))
        })
      )
      assert.isTrue(yield* acquireOnce("a file"))
    })
  )

  it.effect("is free once the session of its holder has ended, in whatever way", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const sql = yield* Database
        assert.isTrue(yield* trySessionLock("a file"))
        // Of this database alone: other tests hold locks on the same server.
        yield* sql`
          select pg_terminate_backend(pid) from pg_locks
          where locktype = 'advisory' and pid <> pg_backend_pid()
            and database = (select oid from pg_database where datname = current_database())`
        assert.isTrue(yield* acquireOnce("a file"))
      })
    )
  )
})
