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

/** An end between two bounds; `of` is the kind of its numbers. */
const endWithin =
  (
    of: typeof Schema.Finite | typeof Schema.Int,
    { maximum, minimum }: { readonly minimum: number; readonly maximum: number }
  ) =>
  (meaning: string, example: number) =>
    Schema.NullOr(
      of.check(
        check(
          "out_of_range",
          `Must be from ${minimum} to ${maximum}.`,
          (value: number) => value >= minimum && value <= maximum,
          { minimum, maximum }
        )
      )
    ).annotate({ description: `${meaning}; null when this end is open.`, examples: [example] })

const yearEnd = endWithin(Schema.Int, { minimum: 1000, maximum: 2200 })

const percentEnd = endWithin(Schema.Finite, { minimum: 0, maximum: 100 })

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

/** A range of years of the calendar. */
export const YearRange = Schema.Struct({
  min: yearEnd("The first year", 1990),
  max: yearEnd("The last year", 2015)
})
  .check(inOrder)
  .annotate({ identifier: "YearRange", description: "A range of years of the calendar; either end may be open." })
export type YearRange = typeof YearRange.Type

/** A range of percentages. */
export const PercentRange = Schema.Struct({
  min: percentEnd("The lowest percentage", 4.5),
  max: percentEnd("The highest percentage", 6),
  unit: Schema.Literal("percent").annotate({ description: "Percent.", examples: ["percent"] })
})
  .check(inOrder)
  .annotate({ identifier: "PercentRange", description: "A range of percentages; either end may be open." })
export type PercentRange = typeof PercentRange.Type

/** A range of durations in years. */
export const YearsRange = Schema.Struct({
  min: end("The shortest duration", 3),
  max: end("The longest duration", 10),
  unit: Schema.Literal("years").annotate({ description: "Years.", examples: ["years"] })
})
  .check(inOrder)
  .annotate({ identifier: "YearsRange", description: "A range of durations in years; either end may be open." })
export type YearsRange = typeof YearsRange.Type
