/** Exact decimals: docs/behaviour/http.md#exact-decimals. */
import { Schema } from "effect"
import { check } from "./Text.ts"

const maxPlaces = 4

// Every decimal of up to 15 digits has a double of its own, from which it is read back as it was written.
const maxDigits = 15

/** Whether a number of JSON is a decimal of at most 4 places and 15 digits. */
export const isExactDecimal = (value: number): boolean => {
  const text = value.toFixed(maxPlaces)
  const [whole = "", places = ""] = text.replace(/^-/, "").replace(/0+$/, "").split(".")
  return Number(text) === value && whole.length + places.length <= maxDigits
}

const isExact = check(
  "too_precise",
  `Must have at most ${maxPlaces} decimal places, and ${maxDigits} digits in all.`,
  isExactDecimal
)

/** A decimal of up to four places, which is kept and compared exactly, within these bounds. */
export const Decimal = ({ maximum, minimum }: { readonly minimum: number; readonly maximum: number }) =>
  Schema.Finite.check(
    check(
      "out_of_range",
      `Must be from ${minimum} to ${maximum}.`,
      (value: number) => value >= minimum && value <= maximum,
      { minimum, maximum }
    ),
    isExact
  )

/** The greatest amount: more digits than any price or area needs. */
export const maxAmount = 999_999_999_999_999
