import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Result } from "effect"
import { readFile } from "node:fs/promises"
import { load, periods, standardPeriods } from "../../src/platform/Retention.ts"
import { housekeeping } from "../../workers/housekeeping.ts"

const loadedFrom = (env: Readonly<Record<string, string>>) =>
  load.pipe(Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env }))), Effect.result)

const definitions = Object.values(periods)

describe("Retention", () => {
  it.effect("has the standard periods without settings, and each setting sets its own", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* loadedFrom({}), Result.succeed(standardPeriods))
      for (const [kind, { max, setting }] of Object.entries(periods)) {
        const found = yield* loadedFrom({
          RETENTION_TOMBSTONES_DAYS: "3650",
          RETENTION_JOURNAL_DAYS: "3650",
          [setting]: String(max)
        })
        assert.isTrue(Result.isSuccess(found))
        if (Result.isSuccess(found)) assert.strictEqual({ ...found.success }[kind], max)
      }
    })
  )

  it.effect("refuses what is out of range, or longer than what it refers to", () =>
    Effect.gen(function* () {
      const cases = [
        ...definitions.map(({ max, setting }) => ({ [setting]: String(max + 1) })),
        { RETENTION_DELIVERIES_DAYS: "0" },
        { RETENTION_DELIVERIES_DAYS: "1.5" },
        { RETENTION_DELETED_CONTENT_DAYS: "8", RETENTION_TOMBSTONES_DAYS: "7" },
        { RETENTION_DELIVERIES_DAYS: "91" },
        { RETENTION_CLOSED_PROJECTS_DAYS: "29" }
      ]
      for (const env of cases) {
        const found = yield* loadedFrom(env)
        assert.isTrue(Result.isFailure(found), JSON.stringify(env))
        if (Result.isFailure(found)) assert.property(env, found.failure.variable)
      }
    })
  )

  it("names jobs that exist", () => {
    const names = new Set(housekeeping.map(({ job }) => job.name))
    for (const { jobs } of definitions) for (const job of jobs) assert.isTrue(names.has(`housekeeping/${job}`), job)
  })

  it.effect("is what docs/operations.md says", () =>
    Effect.gen(function* () {
      const text = yield* Effect.promise(() => readFile("docs/operations.md", "utf8"))
      const rows = text.split("\n").filter((line) => line.startsWith("| `RETENTION_"))
      const number = new Intl.NumberFormat("en-US")
      const expected = definitions.map(
        ({ jobs, max, min, setting, standard, what }) =>
          `| \`${setting}\` | \`${standard}\` | ${number.format(min)} to ${number.format(max)} | ${what} | ${jobs.map((job) => `\`${job}\``).join(", ")} |`
      )
      assert.deepStrictEqual(rows, expected)
    })
  )
})
