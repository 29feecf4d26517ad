import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Logger, References } from "effect"
import { Database } from "../../../src/platform/db/Database.ts"
import { TestDatabase, testUrl } from "../../support/TestDatabase.ts"
import type { SqlError } from "effect/sql"
import { pollUntil } from "../../support/polling.ts"

interface Line {
  readonly level: string
  readonly statement: unknown
  readonly requestId: unknown
}

const loggedLines = (slowQueryMs: number) =>
  Effect.gen(function* () {
    const lines: Array<Line> = []
    const recorder = Logger.make<unknown, void>(({ fiber, logLevel }) => {
      const { durationMs, requestId, statement, waitedMs } = fiber.getRef(References.CurrentLogAnnotations)
      assert.isNumber(durationMs)
      assert.isNumber(waitedMs)
      lines.push({ level: logLevel, statement, requestId })
    })
    const url = yield* testUrl
    yield* Effect.gen(function* () {
      const sql = yield* Database
      yield* sql`select ${"Annabella"}::text,
          1 as   one`
      yield* sql`select ${sql.literal(`'${"x".repeat(600)}'`)}`.unprepared
      yield* Effect.ignore(sql.withTransaction(sql`select ${"Annabella"}::uuid`))
    }).pipe(
      Effect.annotateLogs("requestId", "mine-1"),
      Effect.provide(Database.layer({ url, slowQueryMs }).pipe(Layer.provide(Logger.layer([])))),
      Effect.provide(Logger.layer([recorder]))
    )
    return lines
  }).pipe(Effect.provide(TestDatabase.layerPostgres))

describe("A slow statement", () => {
  it.live(
    "is logged with the request id, abbreviated and without parameters, even if it fails or ends a transaction",
    () =>
      Effect.gen(function* () {
        const lines = yield* loggedLines(0)
        assert.deepStrictEqual(
          lines.map(({ statement }) => statement),
          ["select $1::text, 1 as one", `select '${"x".repeat(491)}…`, "BEGIN", "select $1::uuid", "ROLLBACK"]
        )
        for (const { level, requestId } of lines) assert.deepStrictEqual([level, requestId], ["Warn", "mine-1"])
      })
  )

  it.live("is one that exceeds the configured time", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* loggedLines(Infinity), [])
    })
  )
})

// Statements whose callers are gone, as Postgres sees them.

const timeout = { timeout: 30_000 }

// This one watches the statements of others.
const watcher = Layer.unwrap(Effect.map(testUrl, (url) => Database.layer({ url }))).pipe(
  Layer.provideMerge(TestDatabase.layerPostgres)
)

/** A client whose statements share one connection, and how many of its statements with a text run. */
const makeClient = Effect.gen(function* () {
  const watching = yield* Database
  const url = yield* testUrl
  const built = yield* Layer.build(Database.layer({ url, maxConnections: 1, applicationName: "watched" }))
  const running = (text: string) =>
    Effect.map(
      watching<{ count: number }>`
        select count(*)::int from pg_stat_activity
        where datname = current_database() and application_name = 'watched' and state = 'active'
          and strpos(query, ${text}) > 0 and strpos(query, 'pg_cancel_backend') = 0`,
      ([row]) => row?.count ?? 0
    )
  /** Sends statements, and interrupts their callers as soon as one runs. Within a second, none runs. */
  const abandon = Effect.fnUntraced(function* (
    text: string,
    statements: ReadonlyArray<Effect.Effect<unknown, SqlError.SqlError>>
  ) {
    const fibers = yield* Effect.forEach(statements, (statement) =>
      Effect.forkChild(statement, { startImmediately: true })
    )
    yield* pollUntil("a statement that runs", running(text), (count) => count > 0)
    // They are not awaited, as those of requests that were answered are not.
    for (const fiber of fibers) fiber.interruptUnsafe()
    yield* pollUntil("the end of the statements", running(text), (count) => count === 0, 1000)
    yield* Fiber.awaitAll(fibers)
  })
  return { sql: Context.get(built, Database), watching, running, abandon }
})

layer(watcher, { excludeTestServices: true, timeout: 60_000 })("A statement whose caller is gone", (it) => {
  it.effect(
    "ends within a second on a shared connection, as do those behind it, and others go on",
    () =>
      Effect.gen(function* () {
        const { abandon, sql } = yield* makeClient
        const abandoned = Array.from({ length: 8 }, () => sql`select pg_sleep(20), 'abandoned ü'`)
        const behind = yield* Effect.forkChild(sql`select 1 as found`)
        yield* abandon("abandoned ü", abandoned)
        assert.deepStrictEqual(yield* Fiber.join(behind), [{ found: 1 }])
      }),
    timeout
  )

  it.effect(
    "ends within a second in a transaction, whose connection goes on",
    () =>
      Effect.gen(function* () {
        const { abandon, sql } = yield* makeClient
        yield* abandon("in a transaction", [sql.withTransaction(sql`select pg_sleep(20), 'in a transaction'`)])
        assert.deepStrictEqual(yield* sql`select 1 as found`, [{ found: 1 }])
      }),
    timeout
  )

  it.effect(
    "of a transaction that has ended is not sent into the next one",
    () =>
      Effect.gen(function* () {
        const { sql } = yield* makeClient
        const ended = yield* sql.withTransaction(Effect.context<never>())
        const exit = yield* Effect.exit(Effect.provideContext(sql`select 1`, ended))
        assert.include(String(exit), "after the end of its transaction")
      }),
    timeout
  )

  it.effect(
    "is canceled without harm: another one that is hit is repeated",
    () =>
      Effect.gen(function* () {
        const { running, sql, watching } = yield* makeClient
        const hit = yield* Effect.forkChild(sql`select pg_sleep(0.3)::text as slept, 'hit'`, { startImmediately: true })
        yield* pollUntil("a statement that runs", running("'hit'"), (count) => count > 0)
        const [row] = yield* watching`
            select pg_cancel_backend(pid) as canceled from pg_stat_activity
            where datname = current_database() and application_name = 'watched' and state = 'active'`
        assert.deepStrictEqual(row, { canceled: true })
        assert.strictEqual((yield* Fiber.join(hit)).length, 1)
      }),
    timeout
  )
})
