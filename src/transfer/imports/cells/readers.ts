/**
 * How cells are read as values of the members of contacts and companies, in the spellings of people and of other programs: one reader a
 * kind of value, for all importers. What can be read is changed to what the API takes; what was left out is said. Pure.
 *
 * A value that its reader would change is preceded by an apostrophe in an export: `write` writes what `read` reads back.
 */
import * as Cells from "./Cells.ts"
import { Result, Schema } from "effect"
import { canonicalDomain, SentEmail } from "../../../core/fields/InternetAddress.ts"
import { isAbsence } from "../../../core/fields/absence.ts"
import { countryOf, noCountry } from "../../../core/fields/Place.ts"
import { languageOf, noLanguage } from "./languages.ts"

/** What is said of a cell whose row is kept. */
export type Note = Pick<Cells.Remark, "code" | "detail">

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
    const note = { code: "no_address", detail: "Is a name in Exchange, and no e-mail address: left out." }
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

/** A phone number. Of several, the first. */
export const phone: Reader = (cell) => {
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
  const content = Cells.toText(trimmed)
  if (content === undefined || content === null) return Result.succeed({ value: content })
  if (!trimmed.startsWith("'")) return reader(content)
  const guarded = Cells.toText(trimmed.slice(1)) ?? ""
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
  const written = reader === phone ? Cells.ofPhone(value) : Cells.ofText(value)
  const isGuarded = written.startsWith("'") && !value.startsWith("'")
  return !isGuarded && changes(reader, value) ? `'${written}` : written
}

/** Writes the value of a member so that {@link readCell} reads it back. */
export const writeCell = (member: string, value: string | null): string =>
  value === null ? "" : writeWith(readerOf(member), value)
