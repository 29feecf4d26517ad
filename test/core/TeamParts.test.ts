import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Logger, References } from "effect"
import * as Id from "../../src/core/Id.ts"
import { byTeam, runParts } from "../../src/core/TeamParts.ts"

const teams = Array.from({ length: 30 }, (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`)
const [broken = "", sound = "", other = ""] = teams

interface Row {
  readonly team: string
}

/** A job whose rows are due in this order, some of whose teams fail. It finds at most `limit` rows. */
const jobOf = (due: ReadonlyArray<string>, isBroken: (team: string) => boolean, limit = 1000) => {
  const rows: Array<Row> = due.map((team) => ({ team }))
  const logged: Array<{ readonly level: string; readonly message: unknown; readonly team: unknown }> = []
  const round = runParts("Testing", (failed) =>
    Effect.sync(() =>
      byTeam(
        rows.filter(({ team }) => !failed.includes(team)).slice(0, limit),
        ({ team }) => team,
        (team, some) =>
          isBroken(team)
            ? Effect.die(new Error("broken"))
            : Effect.sync(() => {
                for (const row of some) rows.splice(rows.indexOf(row), 1)
                return some.length
              })
      )
    )
  ).pipe(
    Effect.provide(
      Logger.layer([
        Logger.make(({ fiber, logLevel, message }) => {
          logged.push({ level: logLevel, message, team: fiber.getRef(References.CurrentLogAnnotations)["team"] })
        })
      ])
    )
  )
  return { left: () => rows.map(({ team }) => team), logged, round }
}

const isBroken = (team: string) => team === broken

describe("The parts of teams in a job", () => {
  it.effect("stand alone: one that fails is logged with its team, and stops no other", () =>
    Effect.gen(function* () {
      const { left, logged, round } = jobOf([broken, sound, broken, other], isBroken)
      assert.strictEqual(yield* round, 2)
      assert.deepStrictEqual(left(), [broken, broken])
      assert.deepStrictEqual(
        logged.map(({ level, team }) => [level, team]),
        [["Error", Id.fromUuid("team", broken)]]
      )
    })
  )

  it.effect("are found behind those of a team that fails, however many rows it has", () =>
    Effect.gen(function* () {
      const { left, round } = jobOf([broken, broken, broken, sound, other], isBroken, 2)
      assert.strictEqual(yield* round, 2)
      assert.deepStrictEqual(left(), [broken, broken, broken])
    })
  )

  it.effect("make the job fail that has nothing else to do than what failed", () =>
    Effect.gen(function* () {
      const { round } = jobOf([broken, sound], isBroken)
      assert.strictEqual(yield* round, 1)
      const exit = yield* Effect.exit(round)
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
      assert.strictEqual(yield* jobOf([], isBroken).round, 0)
    })
  )

  it.effect("are left alone once it is clear that every one fails", () =>
    Effect.gen(function* () {
      const { logged, round } = jobOf(teams, () => true)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(round)))
      assert.strictEqual(logged.length, 20)
    })
  )
})
