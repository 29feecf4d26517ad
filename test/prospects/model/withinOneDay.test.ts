import { expect, test } from "vitest"
import { withinOneDay } from "./withinOneDay.ts"

/** A clock that shows these days, one at each look, and then the last one. */
const clockOf = (...days: ReadonlyArray<string>) => {
  const remaining = [...days]
  return () => (remaining.length > 1 ? remaining.shift() : remaining[0]) ?? ""
}

/** A run that fails the given number of times, and counts its runs. */
const failing = (times: number) => {
  let runs = 0
  return {
    run: async () => {
      if (++runs <= times) throw new Error(`run ${runs} failed`)
      return runs
    },
    runs: () => runs
  }
}

test("A failure is reported at once on the day on which the run began", async () => {
  const { run, runs } = failing(1)
  await expect(withinOneDay(run, clockOf("2026-11-21"))).rejects.toThrow("run 1 failed")
  expect(runs()).toBe(1)
})

test("A run that failed across midnight is repeated, and passes if only midnight was at fault", async () => {
  const { run } = failing(1)
  expect(await withinOneDay(run, clockOf("2026-11-21", "2026-11-22"))).toBe(2)
})

test("A failure after midnight is reported, too", async () => {
  const { run, runs } = failing(2)
  await expect(withinOneDay(run, clockOf("2026-11-21", "2026-11-22"))).rejects.toThrow("run 2 failed")
  expect(runs()).toBe(2)
})
