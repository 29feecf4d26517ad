import { expect, test } from "vitest"
import { withinOneDay } from "./withinOneDay.ts"

/** A fake `today`: returns one of these days per call, and then keeps returning the last. */
const todayOf = (...days: ReadonlyArray<string>) => {
  const remaining = [...days]
  return () => (remaining.length > 1 ? remaining.shift() : remaining[0]) ?? ""
}

/** A function that fails this many times and then succeeds; `calls` counts its calls. */
const failing = (times: number) => {
  let calls = 0
  return {
    run: async () => {
      if (++calls <= times) throw new Error(`run ${calls} failed`)
      return calls
    },
    calls: () => calls
  }
}

test("A run that fails on the day it began is not repeated", async () => {
  const { calls, run } = failing(1)
  await expect(withinOneDay(run, todayOf("2026-11-21"))).rejects.toThrow("run 1 failed")
  expect(calls()).toBe(1)
})

test("A run that fails after midnight is repeated, and passes if the repetition does", async () => {
  const { run } = failing(1)
  expect(await withinOneDay(run, todayOf("2026-11-21", "2026-11-22"))).toBe(2)
})

test("A run that fails again on the new day is not repeated a second time", async () => {
  const { calls, run } = failing(2)
  await expect(withinOneDay(run, todayOf("2026-11-21", "2026-11-22"))).rejects.toThrow("run 2 failed")
  expect(calls()).toBe(2)
})
