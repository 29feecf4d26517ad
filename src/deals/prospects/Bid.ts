/** A bid of an investor (docs/behaviour/messages.md#moves). */
import { Schema } from "effect"
import { Currency, Decimal, maxAmount } from "../../core/fields/Measure.ts"

/** A bid to record. */
export const Bid = Schema.Struct({ amount: Decimal({ minimum: 0.01, maximum: maxAmount }), currency: Currency })
export type Bid = typeof Bid.Type

/** The amount for people, as the timeline shows it to the broker. */
export const amountOf = ({ amount, currency }: Bid): string => `${amount} ${currency}`
