/** How values are written for people, who open a file in a spreadsheet: in their words, and with the numbers that it reads. Pure. */
import { common, countryName, type Language, type Reader } from "../console/Texts.ts"
import { label } from "../console/Vocabulary.ts"
import { ofNumber } from "./cells.ts"

/** The people whom a file is for; a file without them is for programs, and has values as the API has them. */
export interface Audience {
  readonly language: Language
  /** The decimal separator of their spreadsheet. */
  readonly decimal: "," | "."
}

/** The people who read as this one. */
export const audienceOf = ({ culture, language }: Pick<Reader, "culture" | "language">): Audience => ({
  language,
  decimal: new Intl.NumberFormat(culture)
    .formatToParts(0.5)
    .some(({ type, value }) => type === "decimal" && value === ",")
    ? ","
    : "."
})

/** The character between the cells of a file: where a comma is the decimal separator, spreadsheets expect a semicolon. */
export const delimiterFor = (audience: Audience | undefined): string => (audience?.decimal === "," ? ";" : ",")

/** A number, with one reading. */
export const numberFor = (audience: Audience | undefined, value: number): string =>
  audience === undefined ? ofNumber(value) : ofNumber(value).replace(".", audience.decimal)

/** A value of a vocabulary. */
export const wordFor = (audience: Audience | undefined, value: string): string =>
  audience === undefined ? value : label(audience, value)

/** A country by its code. */
export const countryFor = (audience: Audience | undefined, code: string): string =>
  audience === undefined
    ? code
    : (countryName({ ...audience, culture: audience.language, timeZone: "UTC" }, code) ?? code)

/** True or false. */
export const truthFor = (audience: Audience | undefined, value: boolean): string =>
  audience === undefined ? String(value) : common[audience.language][value ? "yes" : "no"]

const midnight = /^(\d{4}-\d{2}-\d{2})T00:00:00(?:\.0+)?Z$/

/** A date, or a moment, which is a date where it is midnight in UTC: spreadsheets know dates alone. */
export const dateFor = (audience: Audience | undefined, value: string): string =>
  audience === undefined ? value : value.replace(midnight, "$1")
