/**
 * Numbers as people write them: `1.250.000,50`, `1,250,000.50`, `1 250 000`, `1'250'000`. Where the language is not known, as of a file, a
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
export const shortest = (digits: string): string => {
  const [whole = "", places = ""] = digits.replace(",", ".").split(".")
  const kept = places.replace(/0+$/, "")
  return `${whole.replace(/^0+(?=\d)/, "")}${kept === "" ? "" : `.${kept}`}`
}

/** The decimal separator of a file, or of who writes. */
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

/** What somebody means by a text: a number, as a decimal in its shortest form, or the texts of those that they may have meant. */
export type Meant = { readonly decimal: string } | { readonly mayBe: ReadonlyArray<string> }

/**
 * What somebody means by a text who writes decimals after this separator. Numbers of other languages are understood as well if they can
 * mean nothing else, such as `1,250,000` and `1,250.5` where the comma is the decimal separator; `1.23` there may be a slip in either.
 */
export const meantBy = (text: string, decimal: DecimalSeparator): Meant => {
  const {
    contrary: [other],
    readings: [one]
  } = numbersOf(text, decimal)
  if (one !== undefined) return { decimal: one }
  if (other === undefined) return { mayBe: [] }
  const written = text.trim()
  if ((written.match(/(?<=\d)\D+(?=\d)/g) ?? []).length > 1) return { decimal: other }
  const mayBe = [decimal, ""].map((sign) => written.replace(/[.,]/, sign))
  return { mayBe: mayBe.filter((one) => !/^\D*0\d/.test(one)) }
}
