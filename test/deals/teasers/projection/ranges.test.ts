/** The grid of ranges. */
import fc from "fast-check"
import { assert, describe, it } from "@effect/vitest"
import { onGrid, toDecades } from "../../../../src/deals/teasers/projection/investorView.ts"

const exact = (value: number) => ({ min: value, max: value })

const amount = fc.integer({ min: 0, max: 999_999_999_999 }).map((units) => units / 10_000)

const isOnGrid = (value: number) => value === 0 || /^-?[125]e/.test(value.toExponential())

describe("Ranges", () => {
  it("are the cells of 1, 2, 5, 10, 20, 50 and so on, a value on the grid being the first of its cell", () => {
    const cells = [
      [46_500_000, 20_000_000, 50_000_000],
      [5_000_000, 5_000_000, 10_000_000],
      [1_000_000, 1_000_000, 2_000_000],
      [2_000, 2_000, 5_000],
      [1_999.9999, 1_000, 2_000],
      [999.99, 0, 1_000],
      [0, 0, 1_000],
      [999_999_999_999_999, 500_000_000_000_000, 1_000_000_000_000_000]
    ] as const
    for (const [value, min, max] of cells) assert.deepStrictEqual(onGrid(exact(value), 1_000), { min, max })
    assert.deepStrictEqual(onGrid(exact(4.3), 0.1), { min: 2, max: 5 })
    assert.deepStrictEqual(onGrid(exact(0.1), 0.1), { min: 0.1, max: 0.2 })
    assert.deepStrictEqual(onGrid(exact(0.05), 0.1), { min: 0, max: 0.1 })
  })

  it("mirror negative values", () => {
    assert.deepStrictEqual(onGrid(exact(-4.3), 0.1), { min: -5, max: -2 })
    assert.deepStrictEqual(onGrid(exact(-5), 0.1), { min: -10, max: -5 })
    assert.deepStrictEqual(onGrid(exact(-0.05), 0.1), { min: -0.1, max: 0 })
    assert.deepStrictEqual(onGrid({ min: -3, max: 3 }, 0.1), { min: -5, max: 5 })
  })

  it("contain what they are made of, are never exact, and say nothing but the cell", () => {
    fc.assert(
      fc.property(amount, amount, fc.constantFrom(0.1, 10, 1_000), (a, b, least) => {
        const ends = { min: Math.min(a, b), max: Math.max(a, b) }
        const { max, min } = onGrid(ends, least)
        assert.isTrue(min <= ends.min && ends.max <= max && min < max)
        assert.isTrue(isOnGrid(min) && isOnGrid(max))
        // Any other value of a cell is shown alike, so nobody can narrow it by looking again.
        const cell = onGrid(exact(a), least)
        const inside = Math.min(cell.min + (cell.max - cell.min) * 0.999, cell.max)
        assert.deepStrictEqual(onGrid(exact(cell.min), least), cell)
        if (inside < cell.max) assert.deepStrictEqual(onGrid(exact(inside), least), cell)
      })
    )
  })

  it("of years are decades", () => {
    assert.deepStrictEqual(toDecades(exact(1998)), { min: 1990, max: 2000 })
    assert.deepStrictEqual(toDecades(exact(2000)), { min: 2000, max: 2010 })
    assert.deepStrictEqual(toDecades({ min: 1998, max: 2016 }), { min: 1990, max: 2020 })
  })
})
