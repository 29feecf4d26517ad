/** Values with a unit. A write replaces the whole value: docs/behaviour/http.md#values-with-units. */
import { Schema } from "effect"
import { CalendarDate } from "./CalendarDate.ts"
import { Currency } from "./Currency.ts"
import { Decimal, maxAmount } from "./Decimal.ts"
import { OpenEnum } from "./OpenEnum.ts"

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
