/** Ranges of amounts; null is an open end: docs/behaviour/http.md#ranges. */
import { Schema } from "effect"
import { Currency } from "./Currency.ts"
import { check } from "./Text.ts"

interface Ends {
  readonly min: number | null
  readonly max: number | null
}

const inOrder = check(
  "invalid_range",
  "`min` must not be greater than `max`.",
  (range: Ends) => range.min === null || range.max === null || range.min <= range.max
)

const end = (meaning: string, example: number) =>
  Schema.NullOr(
    Schema.Finite.check(
      check("out_of_range", "Must not be negative.", (value: number) => value >= 0, {
        minimum: 0
      })
    )
  ).annotate({ description: `${meaning}; null when this end is open.`, examples: [example] })

const wholeEnd = (meaning: string, example: number) =>
  Schema.NullOr(
    Schema.Int.check(
      check("out_of_range", "Must not be negative.", (value: number) => value >= 0, {
        minimum: 0
      })
    )
  ).annotate({ description: `${meaning}; null when this end is open.`, examples: [example] })

/** A range of prices. An exact price has `min` equal to `max`. */
export const PriceRange = Schema.Struct({
  min: end("The lowest price", 5),
  max: end("The highest price", 25),
  currency: Currency,
  scale: Schema.Literals(["unit", "thousand", "million"]).annotate({
    description: "The unit of the two prices: units, thousands or millions of the currency.",
    examples: ["million"]
  })
})
  .check(inOrder)
  .annotate({ identifier: "PriceRange", description: "A range of prices; either end may be open." })
export type PriceRange = typeof PriceRange.Type

/** A range of areas in square metres. */
export const AreaRange = Schema.Struct({
  min: end("The smallest area", 2_000),
  max: end("The largest area", 20_000),
  unit: Schema.Literal("sqm").annotate({ description: "Square metres.", examples: ["sqm"] })
})
  .check(inOrder)
  .annotate({ identifier: "AreaRange", description: "A range of areas; either end may be open." })
export type AreaRange = typeof AreaRange.Type

/** A range of counts. */
export const UnitRange = Schema.Struct({
  min: wholeEnd("The smallest number", 1),
  max: wholeEnd("The largest number", 12)
})
  .check(inOrder)
  .annotate({ identifier: "UnitRange", description: "A range of counts; either end may be open." })
export type UnitRange = typeof UnitRange.Type
