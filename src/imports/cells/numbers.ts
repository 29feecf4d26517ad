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

/**
 * The numbers that a text can mean, as decimals in their shortest form: none, one, or two if the decimal separator of the file is not
 * known.
 */
export const readingsOf = (text: string, decimal?: DecimalSeparator): ReadonlyArray<string> => {
  const normal = text.trim().replaceAll(spaces, " ").replaceAll("’", "'").replace(/^[−–]/, "-")
  const sign = normal.startsWith("-") ? "-" : ""
  const body = normal.slice(sign.length).trim()
  const readings = [
    ...(plain.test(body) ? [body] : []),
    ...groupings.flatMap(({ group, groups }) =>
      group !== decimal && groups.test(body) ? [body.replaceAll(group, "")] : []
    )
  ]
    .filter((digits) => decimal === undefined || !digits.includes(decimal === "," ? "." : ","))
    .map((digits) => {
      const value = shortest(digits)
      return value === "0" ? value : `${sign}${value}`
    })
  return [...new Set(readings)]
}

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

/** The product of two decimals, exact and then rounded to four places, half away from zero. */
export const product = (a: string, b: string): string => {
  const [left, right] = [parse(a), parse(b)]
  const places = left.places + right.places
  const exact = left.units * right.units
  const size = exact < 0n ? -exact : exact
  const scale = 10n ** BigInt(Math.max(0, places - 4))
  const rounded = places <= 4 ? size * 10n ** BigInt(4 - places) : (size + scale / 2n) / scale
  const digits = rounded.toString().padStart(5, "0")
  return `${exact < 0n && rounded > 0n ? "-" : ""}${shortest(`${digits.slice(0, -4)}.${digits.slice(-4)}`)}`
}

/** How many digits a decimal has, without the zeros before it. */
export const digitsOf = (decimal: string): number => decimal.replace(/^[-0.]+/, "").replace(".", "").length
