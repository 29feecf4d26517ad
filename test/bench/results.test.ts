import { describe, expect, test } from "vitest"
import { isMet, type Line, ratioOf } from "../../bench/Measurement.ts"
import { type Kept, merged, render } from "../../bench/Results.ts"

const machine = {
  processor: "A processor",
  cores: 2,
  memory: 8,
  kernel: "linux 6 x64",
  node: "v24",
  postgres: "18.4",
  syncsPerSecond: 1234
}

const line = (name: string, median: number): Line => ({
  name,
  work: `the work of ${name}`,
  ours: "200 /s",
  theirs: "100 /s",
  ratio: { median, least: median - 0.5, greatest: median + 0.5 },
  target: { least: 1.3 }
})

const kept = (name: string, median: number, commit = "abc", day = "2026-11-20"): Kept => ({
  ...line(name, median),
  measurement: name,
  origin: { at: `${day}T10:00:00.000Z`, commit, machine }
})

describe("a result", () => {
  test("is the median of the ratios of its rounds, not the ratio of the medians", () => {
    expect(ratioOf([10, 40, 90], [10, 20, 30])).toEqual({ median: 2, least: 1, greatest: 3 })
  })

  test("meets a target that it reaches exactly, and has nothing to meet without one", () => {
    expect(isMet(line("read", 1.3))).toBe(true)
    expect(isMet(line("read", 1.29))).toBe(false)
    const start: Line = { name: "start", work: "start", ours: "2.5 s", value: { amount: 2.5, unit: "s" } }
    expect(isMet({ ...start, target: { most: 2.5 } })).toBe(true)
    expect(isMet({ ...start, target: { most: 2.4 } })).toBe(false)
    expect(isMet(start)).toBeUndefined()
  })

  test("replaces the lines of its own measurement only, in the order of the table", () => {
    const all = merged(
      [kept("create", 1), kept("read", 1)],
      "read",
      [kept("read", 2), kept("list", 3)],
      ["read", "list", "create"]
    )
    expect(all.map(({ name, ratio }) => [name, ratio?.median])).toEqual([
      ["read", 2],
      ["list", 3],
      ["create", 1]
    ])
  })

  test("says of what commit it is where that is not the newest", () => {
    const page = render([kept("read", 1.5, "new", "2026-11-21"), kept("create", 1, "old")], {
      read: { amount: 0.7, commit: "first", at: "2026-11-01" }
    })
    expect(page).toContain("Commit new, 2026-11-21 10:00 UTC")
    expect(page).toContain(
      "| read | the work of read | – | 200 /s | 100 /s | 1.50 (1.00–2.00) | – | ≥ 1.3 | yes | 0.70 |"
    )
    expect(page).toContain("| create [1] |")
    expect(page).toContain("| **no** | – |")
    expect(page).toContain("[1] Measured at commit old, 2026-11-20, A processor, 2 cores.")
  })
})
