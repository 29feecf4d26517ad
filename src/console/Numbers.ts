/**
 * How a person writes numbers: as their culture does (`45.500,5` in German), in fields of forms and beside units. What a field shows is
 * read back as the same number, to the last digit.
 */
import { type DecimalSeparator, meantBy } from "../core/fields/writtenNumbers.ts"
import { cached, number, type Reader, texts } from "./Texts.ts"

const words = texts({
  from: [(text: string) => `from ${text}`, (text: string) => `ab ${text}`],
  million: ["million", "Mio."],
  noNumber: [
    (one: string, other: string) => `Write a number, such as ${one} or ${other}.`,
    (one: string, other: string) => `Schreiben Sie eine Zahl, etwa ${one} oder ${other}.`
  ],
  thousand: ["thousand", "Tsd."],
  upTo: [(text: string) => `up to ${text}`, (text: string) => `bis ${text}`],
  years: ["years", "Jahre"],
  write: [(texts: string) => `Write ${texts}.`, (texts: string) => `Schreiben Sie ${texts}.`],
  or: ["or", "oder"]
})

// Four digits have no groups, so that years look like years.
const fieldFormat = cached(
  (culture) => new Intl.NumberFormat(culture, { maximumFractionDigits: 100, useGrouping: "min2" })
)

/** A number in a field of a form: all of its digits, as the reader's culture writes it. */
export const fieldNumber = (reader: Reader, value: number): string => fieldFormat(reader).format(`${value}`)

/** Groups of two digits before the last three, as in India: `4,55,00,000`. */
const pairs = /^-?\d{1,2}(?:,\d{2})*,\d{3}(?:\.\d+)?$/

const signsOf = cached((culture) => {
  const format = new Intl.NumberFormat(culture)
  const parts = format.formatToParts(-12_345_678.9)
  const partOf = (type: "decimal" | "group") => parts.find((part) => part.type === type)?.value ?? ""
  const decimal: DecimalSeparator = partOf("decimal") === "," ? "," : "."
  const own = [...new Intl.NumberFormat(culture, { useGrouping: false }).format(9_876_543_210)]
  const latin = new Map(own.map((digit, index) => [digit, String(9 - index)]))
  if (!/[.,]/.test(partOf("decimal"))) latin.set(partOf("decimal"), ".").set(partOf("group"), ",")
  return { decimal, latin, hasPairs: format.format(1e7).startsWith(`${format.format(1)}${partOf("group")}`) }
})

const meant = (reader: Reader, text: string) => {
  const { decimal, hasPairs, latin } = signsOf(reader)
  // Some cultures write marks of direction around the sign.
  const plain = [...text.replaceAll(/\p{Cf}/gu, "")].map((sign) => latin.get(sign) ?? sign).join("")
  const said = plain.replace("−", "-")
  return meantBy(hasPairs && pairs.test(said) ? said.replaceAll(",", "") : said, decimal)
}

/** The separator of decimals in the reader's culture: a comma, or a point where it has another sign. */
export const decimalSeparator = (reader: Reader): DecimalSeparator => signsOf(reader).decimal

/** The number that a reader has typed; undefined if it is none, or if it is not sure which. */
export const typedNumber = (reader: Reader, text: string): number | undefined => {
  const found = meant(reader, text)
  return "decimal" in found ? Number(found.decimal) : undefined
}

/** How to write the number that was not understood. */
export const numberAdvice = (reader: Reader, text: string): string => {
  const found = meant(reader, text)
  const t = words[reader.language]
  return "mayBe" in found && found.mayBe.length > 0
    ? t.write(found.mayBe.join(` ${t.or} `))
    : t.noNumber(fieldNumber(reader, 45_500), fieldNumber(reader, 12.5))
}

/** A number alone; what may be a year has no groups. */
export const plainNumber = (reader: Reader, value: number): string =>
  Number.isInteger(value) && value > 1000 && value < 2300 ? String(value) : number(reader, value)

/** An amount, a measure or a range of them, as records have them. */
export interface Quantity {
  readonly value?: number
  readonly min?: number | null
  readonly max?: number | null
  readonly currency?: string | null
  readonly scale?: string
  readonly unit?: string
}

/** An amount, a measure or a range as people read it: `45,500 EUR`, `5,000 m²`, `from 3 million EUR`; undefined if it has no number. */
export const quantity = (
  reader: Reader,
  { currency, max, min, scale, unit = "", value }: Quantity
): string | undefined => {
  const t = words[reader.language]
  const scales: { readonly [scale: string]: string | undefined } = { thousand: t.thousand, million: t.million }
  const units: { readonly [unit: string]: string | undefined } = { sqm: "m²", percent: "%", years: t.years }
  const of = [scales[scale ?? ""], currency, units[unit] ?? unit].filter((part) => (part ?? "") !== "").join(" ")
  const shown = (one: number) => (of === "" ? plainNumber(reader, one) : number(reader, one))
  const measured = (text: string) => `${text} ${of}`.trim()
  const [from, to] = [value ?? min ?? undefined, value ?? max ?? undefined]
  if (from === undefined) return to === undefined ? undefined : t.upTo(measured(shown(to)))
  if (to === undefined) return t.from(measured(shown(from)))
  return measured(from === to ? shown(from) : `${shown(from)} – ${shown(to)}`)
}
