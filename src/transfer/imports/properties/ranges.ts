/** How cells are read as the ranges and places of mandates, and written so that they are read back. Pure. */
import { Option, Predicate, Result, Schema } from "effect"
import type { Json } from "../../../core/usecase/Input.ts"
import { finder } from "../../../core/fields/spelling.ts"
import {
  area as oneArea,
  type ColumnType,
  type Ends,
  number,
  percent as onePercent,
  price,
  years as oneYears
} from "./types.ts"

/** The ends of a range, as the API has them. */
interface Range {
  readonly min: number | null
  readonly max: number | null
}

const isRange = (value: unknown): value is Range => Predicate.isObject(value) && "min" in value && "max" in value

/** A range whose ends are read by `end`; `of` makes it of them, which are null where it is open. */
const rangeOf = (end: ColumnType, parts: ColumnType["parts"], of: Ends["of"]): ColumnType => ({
  parts: ["min", "max", ...parts],
  isText: false,
  isList: false,
  units: end.units,
  read: end.read,
  ends: { end, of },
  write: (value) => {
    if (!isRange(value)) return {}
    const { max, min, ...others } = value
    const [first, last] = [min, max].map((one) => (one === null ? "" : end.write({ ...others, value: one }, "").value))
    return { min: first ?? "", max: last ?? "", ...others }
  }
})

const amountOf = (value: Json | null): number | null =>
  typeof value === "number"
    ? value
    : Predicate.isObject(value) && typeof value["value"] === "number"
      ? value["value"]
      : null

/** A range of numbers that are written with a unit, and of which the API knows that unit alone. */
const quantities = (end: ColumnType, unit: "sqm" | "percent" | "years"): ColumnType =>
  rangeOf(end, [], (min, max) => Result.succeed({ min: amountOf(min), max: amountOf(max), unit }))

/** A range of areas. */
export const areas: ColumnType = quantities(oneArea, "sqm")

/** A range of percentages. */
export const percents: ColumnType = quantities(onePercent, "percent")

/** A range of durations in years. */
export const durations: ColumnType = quantities(oneYears, "years")

/** A range of whole numbers, such as years of the calendar. */
export const numbers = (...names: ReadonlyArray<string>): ColumnType => {
  const end = number(...names)
  return {
    ...rangeOf(end, [], (min, max) => Result.succeed({ min: amountOf(min), max: amountOf(max) })),
    write: (value) => {
      if (!isRange(value)) return {}
      const [min, max] = [value.min, value.max].map((one) => (one === null ? "" : end.write(one, "").value))
      return { min: min ?? "", max: max ?? "" }
    }
  }
}

const scales = finder([
  ...["unit", "units", "one", "1", "Einheit", "Einheiten"].map((name) => [name, "unit"] as const),
  ...["thousand", "1000", "k", "T", "Tsd.", "Tausend"].map((name) => [name, "thousand"] as const),
  ...["million", "millions", "1000000", "m", "mn", "Mio.", "Million", "Millionen"].map(
    (name) => [name, "million"] as const
  )
])

const currencyIn = (value: Json | null): ReadonlyArray<string> =>
  Predicate.isObject(value) && typeof value["currency"] === "string" ? [value["currency"]] : []

const pricesOf = (end: ColumnType): ColumnType => ({
  ...rangeOf(end, ["currency", "scale"], (min, max, scale) => {
    const [currency, another] = new Set([...currencyIn(min), ...currencyIn(max)])
    if (another !== undefined) return Result.fail(`Has several currencies: ${currency} and ${another}.`)
    const known = scale === undefined ? "unit" : scales(scale)
    return known === undefined
      ? Result.fail(`The scale ${scale} is not known. Write unit, thousand or million.`)
      : Result.succeed({ min: amountOf(min), max: amountOf(max), currency: currency ?? null, scale: known })
  }),
  write: (value) => {
    if (!isRange(value)) return {}
    const { currency, max, min, scale } = value as Range & { readonly currency: string; readonly scale: string }
    const [first, last] = [min, max].map((one) => (one === null ? "" : end.write({ value: one, currency }, "").value))
    return { min: first ?? "", max: last ?? "", currency, scale }
  }
})

/** A range of prices. */
export const prices: ColumnType = pricesOf(price)

const perSqm = /\s*(?:\/|\bpro\b|\bper\b|\bje\b)\s*(?:m²|m2|qm|sqm|sq\.?\s?m)\s*$/i

/** A range of prices per square metre, which need not say so. */
export const pricesPerSqm: ColumnType = pricesOf({
  ...price,
  units:
    price.units === undefined
      ? undefined
      : {
          ...price.units,
          problemOf: (unit) => price.units?.problemOf({ ...unit, perArea: unit.perArea.filter((one) => one !== "sqm") })
        },
  read: (sent) =>
    price.read({
      ...sent,
      cell: sent.cell.replace(perSqm, ""),
      named: { ...sent.named, perArea: sent.named.perArea.filter((one) => one !== "sqm") }
    })
})

const decodeObject = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

/** An object, as JSON. */
export const object: ColumnType = {
  parts: ["value"],
  isText: false,
  isList: false,
  units: undefined,
  read: ({ cell }) =>
    Option.match(decodeObject(cell), {
      onNone: () => Result.fail("Must be a JSON object, as an export writes it."),
      onSome: (value) => Result.succeed(value as Json)
    }),
  write: (value) => ({ value: JSON.stringify(value) })
}

/** The two ends of a range in one cell, such as `5–25 Mio. €`, `ab 3.000 m²` and `bis 6 %`; undefined if it has none. */
export const endsIn = (cell: string): { readonly min?: string; readonly max?: string } | undefined => {
  if (cell.length > 200) return undefined
  const text = cell.trim().replace(/^(?:von|between|zwischen|from(?=.*\d.*\d))\s+/i, "")
  const two =
    /^(\D*\d[\d.,'’\s]*[^\d–—-]*?)\s*(?:[-–—]|\b(?:bis(?:\s+zu)?|to|until|und|and)\b)\s*([^\d–—-]{0,8}\d.*)$/i.exec(
      text
    )
  if (two !== null) {
    const [min = "", max = ""] = two.slice(1).map((one) => one.trim())
    // `5-25 Mio. €`: the unit is that of both.
    const unit = /[^\d.,'’\s][^\d]*$/.exec(max)?.[0] ?? ""
    return { min: /\d$/.test(min) ? `${min}${unit}` : min, max }
  }
  const low = /^(?:ab|from|min\.?|mind\.?|mindestens|minimum|at least|over|über|>=?|≥)\s*(.*\d.*)$/i.exec(text)?.[1]
  if (low !== undefined) return { min: low }
  const plus = /^(.*\d.*?)\s*\+$/.exec(text)?.[1]
  if (plus !== undefined) return { min: plus }
  const high = /^(?:bis(?:\s+zu)?|up to|max\.?|maximal|maximum|at most|under|unter|<=?|≤)\s*(.*\d.*)$/i.exec(text)?.[1]
  return high === undefined ? undefined : { max: high }
}
