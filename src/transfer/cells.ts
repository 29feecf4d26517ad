/**
 * Reads values from CSV cells and writes them, so that an import can read what an export wrote. Pure.
 *
 * Four spellings are special. An empty cell leaves the member out, and so does a mark of absence (`n/a`, `-`). `\N` clears the member.
 * And what a spreadsheet would evaluate as a formula is preceded by an apostrophe, unless it is a phone number in a column of them. That
 * may be the whole value, or what follows a separator or a line break within it: a spreadsheet that takes another character than the
 * comma for the separator begins a cell there, even inside of quotes. A value that would read as a mark of absence is preceded by an
 * apostrophe, too.
 */
import type { RowCode } from "./rowCodes.ts"
import { isAbsence } from "../core/fields/absence.ts"
import { canonicalLanguage } from "../core/fields/Text.ts"
import { countryOf, noCountry } from "../core/fields/Place.ts"
import { germanSpellings } from "../core/fields/spelling.ts"
import { readingsOf, shortest } from "../core/fields/writtenNumbers.ts"
import { Result, Schema } from "effect"
import { canonicalDomain, SentEmail } from "../core/fields/InternetAddress.ts"

/** What is said of one cell: why it was refused, left out, or read in part. */
export interface Remark {
  /** The name of its column. */
  readonly column: string
  /** `invalid_cell`, or what happened to a cell of a row that was kept. */
  readonly code: RowCode
  /** The reason, without the value. */
  readonly detail: string
  /** The beginning of the cell. */
  readonly value: string
  /** The JSON pointer of the member in the row, if the API refused it. */
  readonly pointer?: string
}

const maxShown = 60

/** The beginning of a text, for messages. */
export const shortened = (text: string): string => {
  const trimmed = text.trim()
  // Half of a character may be left of one that is cut.
  return trimmed.length <= maxShown ? trimmed : `${trimmed.slice(0, maxShown - 1).replace(/[\ud800-\udbff]$/, "")}…`
}

/** The sentence of a remark. */
export const sentenceOf = ({ column, detail, value }: Omit<Remark, "code">): string =>
  `${column === "" ? "" : `${column}: `}${detail}${value === "" ? "" : ` Found "${value}".`}`

/** The cell that clears a member. */
export const clearMark = "\\N"

// Some spreadsheets evaluate the full-width forms too. The doubled quotes of a quoted cell can precede a formula.
const formulas = /(^|[;|\t\r\n])(?=['"]*[=+\-@＝＋－＠])/gu
const guardedFormulas = /(^|[;|\t\r\n])'(?=['"]*[=+\-@＝＋－＠])/gu
const phoneNumber = /^\+\d[\d ()./-]*$/
const escapedClear = /^\\+N$/

const apostrophes = /^'+/
const formulaAtStart = /^['"]*[=+\-@＝＋－＠]/u

/** Whether a text is a mark of absence behind apostrophes, and no formula, which has its guard already. */
const isBareMark = (text: string): boolean => !formulaAtStart.test(text) && isAbsence(text.replace(apostrophes, ""))

const guard = (text: string): string => (isBareMark(text) ? `'${text}` : text.replaceAll(formulas, "$1'"))

const unguard = (text: string): string =>
  !text.includes("'")
    ? text
    : text.startsWith("'") && isBareMark(text)
      ? text.slice(1)
      : text.replaceAll(guardedFormulas, "$1")

// Spreadsheets keep the zeros of `="00123"`.
const quotedFormula = /^="([^"]*)"$/

/** Writes a value; null as the empty cell. */
export const ofText = (value: string | null): string => {
  if (value === null) return ""
  return escapedClear.test(value) ? `\\${value}` : guard(value)
}

/**
 * Writes a phone number. It may begin with `+`, because other programs would not recognize it behind an apostrophe, and
 * digits alone make no formula that calls or reads anything.
 */
export const ofPhone = (value: string | null): string =>
  value !== null && phoneNumber.test(value) ? value : ofText(value)

/** Whether a cell is empty. */
export const isEmpty = (cell: string): boolean => cell === "" || cell.trim() === ""

/** Reads a trimmed text that is neither empty nor a mark of absence: null clears the member. */
const contentOf = (text: string): string | null => {
  if (text === clearMark) return null
  if (escapedClear.test(text)) return text.slice(1)
  return (text.startsWith("=") ? quotedFormula.exec(text)?.[1] : undefined) ?? unguard(text)
}

/** Reads a value: undefined leaves the member out, null clears it. */
export const toText = (cell: string): string | null | undefined => {
  const text = cell.trim()
  return text === "" || isAbsence(text) ? undefined : contentOf(text)
}

/** Writes several values. A backslash escapes separators and backslashes inside a value. */
export const ofList = (values: ReadonlyArray<string>, separator: string): string =>
  values.map((value) => guard(value).replaceAll("\\", "\\\\").replaceAll(separator, `\\${separator}`)).join(separator)

const splitAt = (cell: string, separator: string): ReadonlyArray<string> => {
  if (!cell.includes("\\")) return cell.split(separator)
  const found: Array<string> = []
  let part = ""
  for (let index = 0; index < cell.length; index++) {
    const character = cell.charAt(index)
    const next = cell.charAt(index + 1)
    if (character === "\\" && (next === "\\" || next === separator)) {
      part += next
      index++
    } else if (character === separator) {
      found.push(part)
      part = ""
    } else part += character
  }
  return [...found, part]
}

const partsOf = (text: string, separator: string): ReadonlyArray<string> =>
  splitAt(text, separator)
    .map((part) => part.trim())
    .filter((part) => part !== "")

/** The values of a cell with several, and whether marks of absence are among them, which are no values. */
export interface ReadList {
  /** Undefined leaves the member out, an empty list clears it. */
  readonly values: ReadonlyArray<string> | undefined
  readonly hasAbsence: boolean
}

/** Reads several values. */
export const readList = (cell: string, separator: string): ReadList => {
  const text = cell.trim()
  if (text === "") return { values: undefined, hasAbsence: false }
  if (text === clearMark) return { values: [], hasAbsence: false }
  const parts = partsOf(text, separator)
  const values = parts.filter((part) => !isAbsence(part)).map(unguard)
  const isAbsent = parts.length > 0 && values.length === 0
  return { values: isAbsent ? undefined : values, hasAbsence: values.length < parts.length }
}

/** Reads several values: undefined leaves the member out, an empty list clears it. */
export const toList = (cell: string, separator: string): ReadonlyArray<string> | undefined =>
  readList(cell, separator).values

// Numbers, as imports and exports write and convert them. Pure.

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

// Languages by their tags and names. Pure.

const letters = [..."abcdefghijklmnopqrstuvwxyz"]

/** The languages whose names are known: those with a tag of two letters, and Filipino. */
const tags = (): ReadonlyArray<string> => {
  const english = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" })
  const two = letters.flatMap((first) => letters.map((second) => `${first}${second}`))
  return [...two, "fil"].filter((tag) => canonicalLanguage(tag) === tag && english.of(tag) !== undefined)
}

/** Names that the tables lack. */
const otherNames: ReadonlyArray<readonly [name: string, tag: string]> = [
  ["Mandarin", "zh"],
  ["Chinese (Simplified)", "zh-Hans"],
  ["Simplified Chinese", "zh-Hans"],
  ["Chinese (Traditional)", "zh-Hant"],
  ["Traditional Chinese", "zh-Hant"],
  ["Castilian", "es"],
  ["Castellano", "es"],
  ["Flemish", "nl-BE"],
  ["Flämisch", "nl-BE"],
  ["Vlaams", "nl-BE"],
  ["Swiss German", "gsw"],
  ["Schweizerdeutsch", "gsw"],
  ["British English", "en-GB"],
  ["American English", "en-US"],
  ["Farsi", "fa"],
  ["Persian", "fa"],
  ["Brazilian Portuguese", "pt-BR"],
  ["Norwegian", "no"],
  ["Norwegisch", "no"],
  ["Tagalog", "fil"]
]

const spellings = (name: string) => germanSpellings(name).filter((spelled) => spelled !== "")

const byName = (): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  const add = (name: string | undefined, tag: string) => {
    for (const spelled of name === undefined ? [] : spellings(name)) found.set(spelled, tag)
  }
  const known = tags()
  for (const tag of known) add(new Intl.DisplayNames([tag], { type: "language", fallback: "none" }).of(tag), tag)
  for (const language of ["nl", "it", "es", "fr", "de", "en"]) {
    const names = new Intl.DisplayNames([language], { type: "language", fallback: "none" })
    for (const tag of known) add(names.of(tag), tag)
  }
  for (const [name, tag] of otherNames) add(name, tag)
  return found
}

let cached: ReadonlyMap<string, string> | undefined

// A file has few languages in many rows.
const maxRead = 1000
const alreadyRead = new Map<string, string | undefined>()

const find = (name: string): string | undefined => {
  cached ??= byName()
  const known = cached
  return spellings(name)
    .map((spelled) => known.get(spelled))
    .find((tag) => tag !== undefined)
}

const tagged = /^[a-z]{2,3}(?:[-_][a-z0-9]{1,8})*$/i
const inCountry = /^(.+?)\s*(?:\(\s*([^()]+?)\s*\)|[-–,]\s*(.+))$/

const readLanguage = (text: string): string | undefined => {
  const name = text.trim().replace(/\.utf-?8$/i, "")
  const byItsName = find(name)
  if (byItsName !== undefined) return byItsName
  if (tagged.test(name)) return canonicalLanguage(name.replaceAll("_", "-"))
  const [, base = "", inParentheses, behind = ""] = inCountry.exec(name) ?? []
  const language = find(base)
  const country = countryOf(inParentheses ?? behind)
  return language === undefined || country === undefined ? undefined : `${language.split("-")[0]}-${country}`
}

/**
 * The BCP-47 tag of a language by its tag (`de`, `de_DE`, `deu`) or its name in English, German, French, Spanish, Italian, Dutch or the
 * language itself, also with a country (`English (US)`, `German - Switzerland`); undefined for other text.
 */
export const languageOf = (text: string): string | undefined => {
  // No name is longer.
  if (text.length > 80) return undefined
  if (alreadyRead.has(text)) return alreadyRead.get(text)
  const tag = readLanguage(text)
  if (alreadyRead.size < maxRead) alreadyRead.set(text, tag)
  return tag
}

/** What is wrong with a text that is no language. */
const noLanguage = "Must be a language: a BCP-47 tag or a name, such as de, en-US, German or Deutsch."

// How cells are read as values of the members of contacts and companies, in the spellings of people and of other programs: one reader a
// kind of value, for all importers. What can be read is changed to what the API takes; what was left out is said. Pure.
//
// A value that its reader would change is preceded by an apostrophe in an export: `write` writes what `read` reads back.

/** What is said of a cell whose row is kept. */
export type Note = Pick<Remark, "code" | "detail">

/** What a cell says: undefined leaves the member out, null clears it. */
export interface Read<A> {
  readonly value: A | null | undefined
  readonly note?: Note
}

/** Reads a text that is neither empty, a mark of absence, nor guarded. The failure is the reason why it is no value. */
export type Reader = (text: string) => Result.Result<Read<string>, string>

/** A cell that marks absence was left out. */
export const absent: Note = { code: "absent", detail: "Marks that there is no value: left out." }

const furtherValues = (values: ReadonlyArray<string>): Note | undefined =>
  values.length === 0
    ? undefined
    : { code: "further_values", detail: `Has several values: the first was taken, ${values.length} left out.` }

const read = (value: string, further: ReadonlyArray<string> = []): Result.Result<Read<string>, string> => {
  const note = furtherValues(further)
  return Result.succeed(note === undefined ? { value } : { value, note })
}

/** The parts of a text with several values. */
const split = (text: string, between: RegExp): ReadonlyArray<string> =>
  text
    .split(between)
    .map((part) => part.trim())
    .filter((part) => part !== "" && !isAbsence(part))

/** A text. */
export const text: Reader = (cell) => read(cell)

// `Null` and `Nan` are also names of people.
const names: ReadonlySet<string> = new Set(["Null", "Nil", "Nan"])

const looksLikeAddress = /^[^\s<>"(),;:|]+@[^\s<>"(),;:|]+$/
const addresses = /[^\s<>"(),;:|[\]]+@[^\s<>"(),;:|[\]]+/g
// What belongs to one address: `Anna Berg <a@x.de>`, `"Berg, Anna" <a@x.de>`, `mailto:a@x.de?subject=…`.
const around = /^(?:[^<>@]*<\s*(?:mailto:)?\s*>|mailto:)?[\s;,]*$/i
const isEmail = Schema.is(SentEmail)

// Outlook writes the names of colleagues in Exchange, such as `/o=ExchangeLabs/ou=…/cn=…`.
const exchangeName = /^\/o=/i

/** An e-mail address. Of several, the first that is one. */
export const email: Reader = (cell) => {
  if (exchangeName.test(cell)) {
    const note: Note = { code: "no_address", detail: "Is a name in Exchange, and no e-mail address: left out." }
    return Result.succeed({ value: undefined, note })
  }
  const bare = cell.replace(/^'(.+)'$/, "$1")
  if (looksLikeAddress.test(bare)) return read(bare)
  if (isEmail(cell)) return read(cell)
  const content = bare.replaceAll(/(mailto:[^\s<>?]+)\?[^\s<>]*/gi, "$1")
  const found = [...new Set(content.match(addresses))]
  const first = found.find((one) => isEmail(one))
  if (first === undefined) return read(cell)
  if (found.length > 1) return read(first, found.slice(1))
  return around.test(content.replace(first, ""))
    ? read(first)
    : Result.succeed({ value: first, note: { code: "read_in_part", detail: "Has text beside the address: left out." } })
}

const scheme = /^[a-z][a-z0-9+.-]*:/i
const host =
  /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+(?:\p{L}{2,}|xn--[a-z0-9-]+)\.?(?::\d{1,5})?(?:[/?#]\S*)?$/u

const webAddress = (one: string): string => {
  const bare = one.replace(/^<(.*)>$/, "$1").replace(/^\/\//, "")
  return !scheme.test(bare.replace(/:\d/, "")) && host.test(bare) ? `https://${bare}` : bare
}

const isWebAddress = (one: string): boolean => /^https?:\/\/\S+$/i.test(webAddress(one))

/** A web address, which may lack its scheme. Of several, the first. */
export const webUrl: Reader = (cell) => {
  if (isWebAddress(cell)) return read(webAddress(cell))
  const [first = "", ...others] = split(cell, /[;,|]\s+|;|\s+|\s*:::\s*/)
  return others.length > 0 && [first, ...others].every(isWebAddress) ? read(webAddress(first), others) : read(cell)
}

/** An address of LinkedIn, which may be the path of a profile alone. */
export const linkedInUrl: Reader = (cell) =>
  /^\/?(?:in|company|school|showcase)\/[^\s/]+\/?$/i.test(cell)
    ? read(`https://www.linkedin.com/${cell.replace(/^\//, "")}`)
    : webUrl(cell)

/** A domain, also as a web address. Of several, the first. */
export const domain: Reader = (cell) => {
  const hostOf = (one: string): string | undefined => {
    const bare = one.replace(/^@/, "")
    if (canonicalDomain(bare) !== undefined) return bare
    const url = isWebAddress(bare) ? URL.parse(webAddress(bare)) : null
    return url === null || canonicalDomain(url.hostname) === undefined ? undefined : url.hostname
  }
  const whole = hostOf(cell)
  if (whole !== undefined) return read(whole)
  const [first = "", ...others] = split(cell, /[;,|]\s*|\s+/)
  const found = hostOf(first)
  return found === undefined || !others.every((other) => hostOf(other) !== undefined) ? read(cell) : read(found, others)
}

const rounded = /^\+?\d+(?:[.,]\d+)?e\+?\d+$/i
const digitsIn = (one: string): number => one.replaceAll(/\D/g, "").length
const isPhone = (one: string): boolean => /^[+(\d][\d\s()./+-]*$/.test(one) && digitsIn(one) >= 5

// Nothing in it could be between two numbers, or has to be left out.
const onePhone = /^[+\d ()-]+$/

/** A phone number. Of several, the first. */
export const phone: Reader = (cell) => {
  if (onePhone.test(cell)) return read(cell)
  if (rounded.test(cell)) {
    return Result.fail(
      "Was rounded by a spreadsheet, and its last digits are lost. Export the file again, with the column as text."
    )
  }
  const bare = cell.replace(/^tel:\s*/i, "").replace(/^(\+?\d{7,})\.0$/, "$1")
  const parts = split(bare, /\s*(?:;|\||,|\n|:::|\s\/\s|\s(?:or|oder|ou|o|of|und|and)\s)\s*/i)
  const [first = "", ...others] = parts
  return others.length > 0 && parts.every(isPhone) ? read(first, others) : read(bare)
}

/** A language. Of several, the first. */
export const language: Reader = (cell) => {
  const tag = languageOf(cell)
  if (tag !== undefined) return read(tag)
  const [first = "", ...others] = split(cell, /[;,/|]|\s(?:and|und|et|y|e|en)\s/i)
  const found = languageOf(first)
  return found === undefined || others.length === 0 || others.some((other) => languageOf(other) === undefined)
    ? Result.fail(noLanguage)
    : read(found, others)
}

/** A country. */
export const country: Reader = (cell) => {
  const code = countryOf(cell)
  return code === undefined ? Result.fail(noCountry) : read(code)
}

/** A name of a person. */
const personName: Reader = (cell) => read(cell)

/** The id of a company, which other systems do not have. */
const companyId: Reader = (cell) =>
  cell.startsWith("company_")
    ? read(cell)
    : Result.succeed({ value: undefined, note: { code: "no_id", detail: "Is no id of a company here: left out." } })

const readers: { readonly [member: string]: Reader } = {
  firstName: personName,
  lastName: personName,
  email,
  phone,
  primaryLanguage: language,
  primaryCompanyId: companyId,
  linkedInUrl,
  profilePictureUrl: webUrl,
  homepageUrl: webUrl,
  domain,
  country
}

/** The reader of a member. */
export const readerOf = (member: string): Reader => readers[member] ?? text

/** Whether a cell that reads as a mark of absence has a meaning of its own. */
const means = (reader: Reader, cell: string): boolean =>
  reader === personName ? names.has(cell) : reader === country && countryOf(cell) !== undefined

/** Reads the cell of a column. */
export const readCell = (reader: Reader, cell: string): Result.Result<Read<string>, string> => {
  const trimmed = cell.trim()
  if (isAbsence(trimmed)) {
    return means(reader, trimmed) ? reader(trimmed) : Result.succeed({ value: undefined, note: absent })
  }
  if (trimmed === "") return Result.succeed({ value: undefined })
  const content = contentOf(trimmed)
  if (content === null) return Result.succeed({ value: null })
  if (!trimmed.startsWith("'")) return reader(content)
  const guarded = toText(trimmed.slice(1)) ?? ""
  if (writeWith(reader, guarded) === trimmed) return Result.succeed({ value: guarded })
  return content === trimmed ? reader(content) : Result.succeed({ value: content })
}

/** Whether a reader makes something else of a text, also without the apostrophes before it. */
const changes = (reader: Reader, value: string): boolean =>
  [value, value.replace(/^'+/, "")].some((one) => {
    const result = reader(one)
    return Result.isFailure(result) || result.success.value !== one
  })

const writeWith = (reader: Reader, value: string): string => {
  if (isAbsence(value) && means(reader, value)) return value
  const written = reader === phone ? ofPhone(value) : ofText(value)
  const isGuarded = written.startsWith("'") && !value.startsWith("'")
  return !isGuarded && changes(reader, value) ? `'${written}` : written
}

/** Writes the value of a member so that {@link readCell} reads it back. */
export const writeCell = (member: string, value: string | null): string =>
  value === null ? "" : writeWith(readerOf(member), value)
