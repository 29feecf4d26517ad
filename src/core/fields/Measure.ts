/** Exact decimals, money, values with units, and ranges of them: docs/behaviour/http.md#values-with-units. */
import { Schema } from "effect"
import { check, OpenEnum } from "./Text.ts"
import { CalendarDate } from "./Timestamp.ts"

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

const currencies = new Set(Intl.supportedValuesOf("currency"))

/** An ISO 4217 code in upper case: docs/behaviour/http.md#text. */
export const Currency = Schema.String.check(
  check(
    "invalid_currency",
    "Must be an ISO 4217 code in upper case, such as EUR.",
    (value: string) => currencies.has(value),
    { pattern: "^[A-Z]{3}$" }
  )
).annotate({ description: "The ISO 4217 code of the currency.", examples: ["EUR"] })

// Values with a unit. A write replaces the whole value: docs/behaviour/http.md#values-with-units.

const areaStandards = ["ipms1", "ipms2", "ipms3_1", "ipms3_2", "gea", "gia", "nia", "gla", "local"] as const

const standardMeaning =
  "How it was measured: a part of the International Property Measurement Standards (`ipms1` to `ipms3_2`), gross external, gross internal or net internal area, gross leasable area, or by local rules."

const areaMembers = {
  value: Decimal({ minimum: 0, maximum: maxAmount }).annotate({
    description: "The area, exact to four decimal places.",
    examples: [12_450.5]
  }),
  unit: Schema.Literal("sqm").annotate({ description: "Square metres.", examples: ["sqm"] })
}

const measuredOn = CalendarDate.annotate({ description: "When it was measured.", examples: ["2025-03-01"] })

/** An area in a request. */
export const AreaInput = Schema.Struct({
  ...areaMembers,
  standard: Schema.optionalKey(Schema.NullOr(Schema.Literals(areaStandards))).annotate({
    description: `${standardMeaning} Null as if omitted.`,
    examples: ["gia"]
  }),
  measuredOn: Schema.optionalKey(Schema.NullOr(measuredOn)).annotate({
    description: "When it was measured. Null as if omitted."
  })
}).annotate({
  identifier: "AreaInput",
  description: "An area in square metres. `unit` is required, so that nobody sends square feet by mistake."
})
export type AreaInput = typeof AreaInput.Type

/** An area in a response. */
export const Area = Schema.Struct({
  ...areaMembers,
  standard: Schema.optionalKey(OpenEnum(areaStandards, standardMeaning)),
  measuredOn: Schema.optionalKey(measuredOn)
}).annotate({
  identifier: "Area",
  description: "An area in square metres. `standard` and `measuredOn` are missing where they are not known."
})
export type Area = typeof Area.Type

/** An area as it is kept and answered: members that are not known are left out. */
export const areaOf = ({ measuredOn, standard, unit, value }: AreaInput): Area => ({
  value,
  unit,
  ...(standard === undefined || standard === null ? {} : { standard }),
  ...(measuredOn === undefined || measuredOn === null ? {} : { measuredOn })
})

const amount = (minimum: number) =>
  Decimal({ minimum, maximum: maxAmount }).annotate({
    description: "The amount, exact to four decimal places.",
    examples: [1_250_000]
  })

/** An amount of money. */
export const Money = Schema.Struct({ value: amount(0), currency: Currency }).annotate({
  identifier: "Money",
  description: "An amount of money."
})
export type Money = typeof Money.Type

/** An amount of money, which is negative for a loss. */
export const SignedMoney = Schema.Struct({ value: amount(-maxAmount), currency: Currency }).annotate({
  identifier: "SignedMoney",
  description: "An amount of money; negative for a loss."
})
export type SignedMoney = typeof SignedMoney.Type

/** A percentage within these bounds; `name` is its name in the OpenAPI document. */
const percentOf = (name: string, description: string, minimum: number, maximum: number) =>
  Schema.Struct({
    value: Decimal({ minimum, maximum }).annotate({
      description: "In percent: 4.75 is 4.75 %.",
      examples: [4.75]
    }),
    unit: Schema.Literal("percent").annotate({ description: "Percent.", examples: ["percent"] })
  }).annotate({ identifier: name, description })

/** A percentage that is part of a whole. */
export const Share = percentOf("Share", "A part of a whole in percent, from 0 to 100.", 0, 100)
export type Share = typeof Share.Type

/** A percentage. */
export const Percent = percentOf("Percent", "A percentage, such as a yield.", -1_000, 1_000)
export type Percent = typeof Percent.Type

/** A duration in years. */
export const Years = Schema.Struct({
  value: Decimal({ minimum: 0, maximum: 1_000 }).annotate({ description: "In years.", examples: [5.5] }),
  unit: Schema.Literal("years").annotate({ description: "Years.", examples: ["years"] })
}).annotate({ identifier: "Years", description: "A duration in years." })
export type Years = typeof Years.Type

// Ranges of amounts; null is an open end: docs/behaviour/http.md#values-with-units.

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
