/** Decimals of matches, beside exact ones. */
import fc from "fast-check"
import { describe, expect, it } from "@effect/vitest"
import { BigDecimal } from "effect"
import { isAtMost, quotientOf } from "../../../src/market/matches/rules.ts"

const amount = fc.oneof(
  fc.integer({ min: 0, max: 10_000_000 }).map((value) => value / 10_000),
  fc.integer({ min: 0, max: 999_999_999_999_999 }),
  fc.constantFrom(0.0001, 0.1, 0.3, 1.005, 4.35, 1_000, 1e6)
)

const exact = BigDecimal.fromNumberUnsafe

describe("products", () => {
  it("are compared exactly", () => {
    const factors = fc.array(amount, { minLength: 1, maxLength: 4 })
    const product = (some: ReadonlyArray<number>) => BigDecimal.multiplyAll(some.map(exact))
    fc.assert(
      fc.property(factors, factors, (some, others) => {
        expect(isAtMost(some, others)).toBe(BigDecimal.isLessThanOrEqualTo(product(some), product(others)))
        // Equal products, which floating-point numbers often miss.
        expect(isAtMost(some, some.toReversed())).toBe(true)
        expect(isAtMost([...some, 10], [...some.toReversed(), 9])).toBe(some.includes(0))
      })
    )
    expect(4.35 * 100 === 435).toBe(false)
    expect(isAtMost([435], [4.35, 100]) && isAtMost([4.35, 100], [435])).toBe(true)
  })

  it("are compared beyond what floating-point numbers hold", () => {
    expect(isAtMost([1e200, 1e200], [1e200, 1e201])).toBe(true)
    expect(isAtMost([1e200, 1e201], [1e200, 1e200])).toBe(false)
    expect(isAtMost([1e-200, 1e-200], [1e-200, 1e-201])).toBe(false)
    expect(isAtMost([1e200, 1e200, 0], [0])).toBe(true)
  })
})

describe("quotients", () => {
  it("are rounded half up to four places", () => {
    fc.assert(
      fc.property(amount, amount, (dividend, divisor) => {
        const quotient = quotientOf(dividend, divisor)
        if (quotient === undefined || divisor === 0) {
          expect([quotient, divisor]).toStrictEqual([undefined, 0])
          return
        }
        if (quotient > 999_999_999) return
        const twice = BigDecimal.multiply(exact(quotient), exact(2))
        const between = (half: number) => BigDecimal.multiply(BigDecimal.sum(twice, exact(half)), exact(divisor))
        const whole = BigDecimal.multiply(exact(dividend), exact(2))
        expect(BigDecimal.isLessThanOrEqualTo(between(-0.0001), whole)).toBe(true)
        expect(BigDecimal.isLessThan(whole, between(0.0001))).toBe(true)
      })
    )
    expect([
      quotientOf(1, 3),
      quotientOf(2, 3),
      quotientOf(0.0001, 2),
      quotientOf(5, 5),
      quotientOf(1, 0)
    ]).toStrictEqual([0.3333, 0.6667, 0.0001, 1, undefined])
  })
})
