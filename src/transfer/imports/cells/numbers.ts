/**
 * Numbers as people write them: `1.250.000,50`, `1,250,000.50`, `1 250 000`, `1'250'000`. The language of a file is not known, so a
 * number can have two readings: `1.250` is 1250 in German and 1.25 in English. Pure.
 */

// No-break, figure, thin and narrow spaces group digits, and so do spaces.
const spaces = /[\s\u00a0\u2007\u2009\u202f]+/g
const plain = /^\d+(?:[.,](\d+))?$/

/** Digits in groups of three, by the character between the groups; the decimal separator is another one. */
const groupings = [
  { groups: /^[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?$/, group: "." },
  { groups: /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/, group: "," },
  { groups: /^[1-9]\d{0,2}(?: \d{3})+(?:[.,]\d+)?$/, group: " " },
  { groups: /^[1-9]\d{0,2}(?:'\d{3})+(?:[.,]\d+)?$/, group: "'" }
] as const

/** A decimal in its shortest form: without zeros around it, and with a point. */
const shortest = (digits: string): string => {
  const [whole = "", places = ""] = digits.replace(",", ".").split(".")
  const kept = places.replace(/0+$/, "")
  return `${whole.replace(/^0+(?=\d)/, "")}${kept === "" ? "" : `.${kept}`}`
}

/** The decimal separator of a file. */
export type DecimalSeparator = "." | ","

/** A number that a text can mean, as a decimal in its shortest form. */
interface Reading {
  readonly decimal: string
  /** The decimal separator with which the text means it; undefined if with any. */
  readonly separator: string | undefined
  /** Whether digits are grouped. */
  readonly isGrouped: boolean
}

const allReadings = (text: string): ReadonlyArray<Reading> => {
  const normal = text.trim().replaceAll(spaces, " ").replaceAll("’", "'").replace(/^[−–]/, "-")
  const sign = normal.startsWith("-") ? "-" : ""
  const body = normal.slice(sign.length).trim()
  return [
    ...(plain.test(body) ? [{ digits: body, group: undefined }] : []),
    ...groupings.flatMap(({ group, groups }) =>
      groups.test(body) ? [{ digits: body.replaceAll(group, ""), group }] : []
    )
  ].map(({ digits, group }) => {
    const value = shortest(digits)
    const separator = /[.,]/.exec(digits)?.[0] ?? (group === "." ? "," : group === "," ? "." : undefined)
    return { decimal: value === "0" ? value : `${sign}${value}`, separator, isGrouped: group !== undefined }
  })
}

/**
 * The numbers that a text can mean: none, one, or two if the decimal separator of the file is not known. `contrary` are those that it
 * means with the other separator, if it means none with this one, or if it has groups of digits then: `1,360` is written like a whole
 * number, also where the comma is the decimal separator.
 */
export const numbersOf = (
  text: string,
  decimal?: DecimalSeparator
): { readonly readings: ReadonlyArray<string>; readonly contrary: ReadonlyArray<string> } => {
  const all = allReadings(text)
  const isOf = ({ separator }: Reading) => decimal === undefined || separator === undefined || separator === decimal
  const readings = [...new Set(all.filter(isOf).map((one) => one.decimal))]
  const others = all.filter((one) => !isOf(one) && (one.isGrouped || readings.length === 0))
  return { readings, contrary: [...new Set(others.map((one) => one.decimal))] }
}

/** The numbers that a text can mean: {@link numbersOf}. */
export const readingsOf = (text: string, decimal?: DecimalSeparator): ReadonlyArray<string> =>
  numbersOf(text, decimal).readings

/** A number without exponent, which numbers of JSON have below 1e-6. */
const withoutExponent = (value: number): string => {
  const [digits = "", exponent] = String(Math.abs(value)).split("e-")
  return exponent === undefined ? digits : `0.${"0".repeat(Number(exponent) - 1)}${digits.replace(".", "")}`
}

/** Writes a number so that it has one reading: with a point, and never with exactly three places that could be a group. */
export const ofNumber = (value: number): string => {
  const text = `${value < 0 ? "-" : ""}${withoutExponent(value)}`
  return readingsOf(text).length > 1 ? `${text}0` : text
}

/** A decimal as a whole number of `10 ** -places`. */
const parse = (decimal: string): { readonly units: bigint; readonly places: number } => {
  const [whole = "", places = ""] = decimal.split(".")
  return { units: BigInt(`${whole}${places}`), places: places.length }
}

/** A factor: `times`, divided by `over`. */
export interface Ratio {
  readonly times: string
  readonly over?: bigint
}

/** A decimal times all these factors: exact, and then rounded to four places, half away from zero. */
export const converted = (decimal: string, ratios: ReadonlyArray<Ratio>): string => {
  const factors = [decimal, ...ratios.map(({ times }) => times)].map(parse)
  const exact = factors.reduce((product, { units }) => product * units, 1n)
  const over = ratios.reduce((all, { over: one = 1n }) => all * one, 1n)
  const divisor = over * 10n ** BigInt(factors.reduce((all, { places }) => all + places, 0))
  const size = (exact < 0n ? -exact : exact) * 10_000n
  const rounded = (size * 2n + divisor) / (divisor * 2n)
  const digits = rounded.toString().padStart(5, "0")
  return `${exact < 0n && rounded > 0n ? "-" : ""}${shortest(`${digits.slice(0, -4)}.${digits.slice(-4)}`)}`
}

/** How many digits a decimal has, without the zeros before it. */
export const digitsOf = (decimal: string): number => decimal.replace(/^[-0.]+/, "").replace(".", "").length
