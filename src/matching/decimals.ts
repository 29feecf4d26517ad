/** Exact comparisons of decimals, which are kept as floating-point numbers. Pure. */
import { BigDecimal } from "effect"

/** A number of factors that are multiplied. */
type Factors = ReadonlyArray<number>

const multiply = (factors: Factors): number => factors.reduce((product, factor) => product * factor, 1)

const multiplyExactly = (factors: Factors): BigDecimal.BigDecimal =>
  BigDecimal.multiplyAll(factors.map(BigDecimal.fromNumberUnsafe))

// Some multiplications cannot be further off than this.
const margin = 1e-9

/** Whether the product of some decimals is at most that of others: exact, where floating-point products may round. */
export const isAtMost = (factors: Factors, limit: Factors): boolean => {
  const [product, most] = [multiply(factors), multiply(limit)]
  // Nearly all products differ clearly, and exact ones take fifty times as long.
  return Math.abs(product - most) > margin * Math.max(Math.abs(product), Math.abs(most))
    ? product < most
    : BigDecimal.isLessThanOrEqualTo(multiplyExactly(factors), multiplyExactly(limit))
}

const places = 4

/** The quotient of two decimals, rounded half away from zero to four places; undefined when divided by 0. */
export const quotientOf = (dividend: number, divisor: number): number | undefined => {
  const quotient = BigDecimal.divide(BigDecimal.fromNumberUnsafe(dividend), BigDecimal.fromNumberUnsafe(divisor))
  return quotient._tag === "None"
    ? undefined
    : BigDecimal.toNumberUnsafe(BigDecimal.round(quotient.value, { scale: places, mode: "half-from-zero" }))
}
