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

/** A decimal of at most four places as a whole number of its ten-thousandths. */
const inUnits = (value: number): bigint => BigInt(value.toFixed(places).replace(".", ""))

/**
 * The quotient of two decimals of at most four places that are not negative, rounded half up to four places; undefined when divided by
 * 0. With whole numbers, because dividing by `BigDecimal` takes longer than all else in a match.
 */
export const quotientOf = (dividend: number, divisor: number): number | undefined => {
  const [numerator, denominator] = [inUnits(dividend), inUnits(divisor)]
  if (denominator === 0n) return undefined
  const rounded = (2n * numerator * 10n ** BigInt(places) + denominator) / (2n * denominator)
  return Number(rounded) / 10 ** places
}
