import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, References } from "effect"
import { Database } from "../../../src/platform/db/Database.ts"
import { TestDatabase, testUrl } from "../../support/TestDatabase.ts"

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
      }),
    30_000
  )

  it.live(
    "is one that exceeds the configured time",
    () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* loggedLines(Infinity), [])
      }),
    30_000
  )
})
