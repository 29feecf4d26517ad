import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Logger } from "effect"
import { SqlError } from "effect/sql"
import { DatabaseUnavailable, logDefects, TeamIsMoving } from "../../../src/platform/db/DatabaseUnavailable.ts"

const unavailable = (cause: unknown) =>
  new DatabaseUnavailable({
    cause: new SqlError.SqlError({ reason: new SqlError.ConnectionError({ cause, operation: "query" }) })
  })

/** What is logged of a request that died, and whether the database was unavailable. */
const logged = Effect.fnUntraced(function* (defect: unknown) {
  const lines: Array<string> = []
  const logger = Logger.make(({ cause, logLevel, message }) => {
    lines.push(`${logLevel} ${String(message)}${cause.reasons.length > 0 ? " with its cause" : ""}`)
  })
  const unavailable = yield* Effect.provide(logDefects("A request", Cause.die(defect)), Logger.layer([logger]))
  return { isUnavailable: unavailable !== undefined, lines }
})

describe("A request that died", () => {
  it.effect("is logged as an error, with its cause", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* logged(new Error("a bug")), {
        isUnavailable: false,
        lines: ["Error A request failed unexpectedly. with its cause"]
      })
      assert.deepStrictEqual(yield* logged(unavailable(new Error("ECONNREFUSED"))), {
        isUnavailable: true,
        lines: ["Error The database cannot be reached. with its cause"]
      })
    })
  )

  it.effect("because its team is being moved is no error: an operator moves it", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* logged(unavailable(new TeamIsMoving())), {
        isUnavailable: true,
        lines: ["Info A request was refused for now: its team is being moved to another cell."]
      })
    })
  )
})
