/**
 * Reads the cards of a vCard file as rows of a table with fixed columns: docs/behaviour/imports-and-exports.md#vcard-files.
 * Versions 3.0 and 4.0 (RFC 2426, RFC 6350), and 2.1 as phones and Outlook write it. A broken card does not affect others.
 */
import * as Cells from "./cells.ts"
import ICAL from "ical.js"
import { Result } from "effect"
import { isAbsence } from "../core/fields/absence.ts"
import { type Line, maxLineLength, notUtf8, tooLong } from "./CsvRecords.ts"
import type { RowError } from "./Items.ts"

/** The columns, and the member that each sets unless the operator says otherwise; null for none. */
const members = {
  UID: "externalId",
  "N.given": "firstName",
  "N.family": "lastName",
  EMAIL: "email",
  TEL: "phone",
  LANG: "primaryLanguage",
  CATEGORIES: "tags",
  LINKEDIN: "linkedInUrl",
  PHOTO: "profilePictureUrl",
  ORG: null,
  TITLE: null,
  URL: null,
  "ADR.country": null,
  NOTE: null
} as const

type Column = keyof typeof members

/** The columns of every file. */
export const columns: ReadonlyArray<string> = Object.keys(members)

/** The options of the operator for columns, as far as they concern cards. */
interface Choices {
  readonly map: ReadonlyArray<string>
  readonly ignore: ReadonlyArray<string>
  readonly ignoreUnknown: boolean
  readonly namespace: string | undefined
  readonly linkCompanies?: boolean
}

/** What the columns of a company say, if it becomes a link. */
const employment: Readonly<Record<string, string>> = {
  ORG: "company",
  TITLE: "jobTitle",
  URL: "companyDomain",
  "ADR.country": "companyCountry"
}

/** The options of the operator, and what the columns of a card mean where these say nothing. `UID` is an id of `vcard`. */
export const withDefaults = <Options extends Choices>(options: Options): Options => {
  const chosen = options.map.map((text) => text.split("="))
  const isSet = (member: string) => chosen.some(([one = ""]) => one.trim() === member)
  const isUsed = (column: string) =>
    [...options.ignore, ...chosen.map(([, ...name]) => name.join("="))].some(
      (name) => name.trim().toUpperCase() === column.toUpperCase()
    )
  const ofCompany = options.linkCompanies === true ? employment : {}
  const map = Object.entries({ ...members, ...ofCompany }).flatMap(([column, member]) =>
    member === null || isSet(member) || isUsed(column) ? [] : [`${member}=${column}`]
  )
  return {
    ...options,
    map: [...options.map, ...map],
    ignoreUnknown: true,
    namespace: options.namespace ?? "vcard"
  }
}

/** What a card says. */
export interface Card {
  /** The cells of {@link columns}. */
  readonly cells: ReadonlyArray<string>
  /** What no cell has: properties without a column, and further values. */
  readonly leftOut: ReadonlyArray<Cells.Remark>
}

const without = (column: string, value: string): Cells.Remark => ({
  column,
  code: "left_out",
  detail: "Sets no member.",
  value: Cells.shortened(value)
})

const further = (column: string, value: string): Cells.Remark => ({
  column,
  code: "left_out",
  detail: "Another value goes first.",
  value: Cells.shortened(value)
})

/** A card of a file. */
export interface FileCard {
  /** Its first line. */
  readonly line: number
  /** Its last line. */
  readonly lastLine: number
  /** The offset of its end in the file, in bytes. */
  readonly until: number
  /** What it says, or the reason why it cannot be read. */
  readonly content: Result.Result<Card, RowError>
}

/** The properties whose values are read. */
const read: ReadonlySet<string> = new Set(
  (
    "N FN KIND X-ADDRESSBOOKSERVER-KIND UID EMAIL TEL LANG CATEGORIES PHOTO NOTE ORG TITLE ROLE ADR URL " +
    "SOCIALPROFILE X-SOCIALPROFILE"
  ).split(" ")
)

/** Properties that concern the file or other properties. */
const technical: ReadonlySet<string> = new Set(
  "VERSION PRODID REV CLIENTPIDMAP SOURCE NAME PROFILE MAILER SORT-STRING X-ABLABEL X-ABADR X-ABUID X-ABSHOWAS".split(
    " "
  )
)

const isLinkedIn = (address: string) => /^(?:https?:\/\/)?(?:[\w-]+\.)*linkedin\.com\//i.test(address)

/** An address: versions 2.1 and 3.0 may escape characters that have no meaning in one. */
const addressOf = ({ parts: [value = ""] }: Pick<Value, "parts">): string => value.replaceAll(/\\([:;,])/g, "$1")

/** A phone number, which version 4.0 may have as an address. */
const phoneOf = (value: Value): string => {
  const [number = "", ...parameters] = addressOf(value).replace(/^tel:/i, "").split(";")
  const extension = parameters.find((parameter) => /^ext=/i.test(parameter))
  return extension === undefined ? number : `${number} ext. ${extension.slice(4)}`
}

/** The names of a person: those of `N`, else the words of the full name, unless it is that of the company. */
const namesOf = (
  [family = "", given = "", additional = ""]: ReadonlyArray<string>,
  fullName: string,
  company: string
): { readonly family: string; readonly given: string } => {
  if (family !== "" || given !== "" || additional !== "") return { family, given: given === "" ? additional : given }
  if (fullName === company || fullName.includes("@")) return { family: "", given: "" }
  const [before = "", after] = fullName.split(/\s*,\s*/)
  if (after !== undefined) return { family: before, given: after }
  const words = fullName.split(/\s+/)
  return { family: words.at(-1) ?? "", given: words.slice(0, -1).join(" ") }
}

const isFax = ({ types }: Value) => types.some((type) => /fax|pager|modem|telex/.test(type))

/** The cell of a value: as it is, so that it is read as any other cell, unless it would lose a guard that it does not have. */
const cellOf = (value: string): string =>
  isAbsence(value) || Cells.toText(value) === value.trim() ? value : Cells.ofText(value)

/** The cells of a card. */
const cardOf = (properties: ReadonlyArray<Property>, separator: string): Result.Result<Card, RowError> => {
  const version = properties.find(({ name }) => name === "VERSION")
  const written = version === undefined ? "3.0" : (textOf(version) ?? "").trim()
  const known = versions.find((one) => one === written)
  if (known === undefined) {
    return Result.fail(broken(`The card has version ${JSON.stringify(written)}. 2.1, 3.0 and 4.0 can be read.`))
  }
  const values: Array<Value> = []
  const leftOut: Array<Cells.Remark> = []
  for (const property of properties) {
    const { name } = property
    if (technical.has(name)) continue
    if (!read.has(name) || isBinary(property)) {
      leftOut.push(without(name, mayBeBinary(property) ? "" : (textOf(property) ?? "")))
      continue
    }
    const value = valueOf(property, known)
    if (Result.isFailure(value)) return Result.fail(value.failure)
    values.push(value.success)
  }
  /** The values of a property that has some, the preferred one first. */
  const of = (name: string) =>
    values
      .filter((value) => value.name === name && value.parts.some((part) => part !== ""))
      .sort((a, b) => a.rank - b.rank)
  const textIn = (name: string) => of(name)[0]?.parts[0] ?? ""
  const kind = (textIn("KIND") || textIn("X-ADDRESSBOOKSERVER-KIND")).toLowerCase()
  if (kind !== "" && kind !== "individual") {
    return Result.fail({ code: "not_a_person", detail: `The card is not one of a person, but of kind ${kind}.` })
  }
  const first = (column: string, several: ReadonlyArray<string>): string => {
    const [chosen = "", ...others] = new Set(several.filter((value) => value !== ""))
    leftOut.push(...others.map((value) => further(column, value)))
    return chosen
  }
  const pages = [...of("X-SOCIALPROFILE"), ...of("SOCIALPROFILE"), ...of("URL")]
  const isOfWork = ({ name, types }: Value) => name === "URL" && types.includes("work")
  const linkedIn = pages.map(addressOf).filter(isLinkedIn)
  const others = pages.filter((page) => !isLinkedIn(addressOf(page)))
  leftOut.push(...others.filter((page) => !isOfWork(page)).map((page) => without("URL", addressOf(page))))
  const pictures = of("PHOTO").map(addressOf)
  const isWeb = (address: string) => /^https?:/i.test(address)
  if (pictures.some((address) => !isWeb(address))) leftOut.push(without("PHOTO", ""))
  const names = namesOf(of("N")[0]?.parts ?? [], textIn("FN"), textIn("ORG"))
  const phones = of("TEL")
  const cells: { readonly [C in Column]: string } = {
    UID: Cells.ofList(textIn("UID") === "" ? [] : [textIn("UID")], separator),
    "N.given": cellOf(names.given),
    "N.family": cellOf(names.family),
    EMAIL: cellOf(first("EMAIL", of("EMAIL").map(addressOf)).replace(/^mailto:/i, "")),
    TEL: cellOf(first("TEL", [...phones.filter((one) => !isFax(one)), ...phones.filter(isFax)].map(phoneOf))),
    LANG: cellOf(first("LANG", of("LANG").map(addressOf))),
    CATEGORIES: Cells.ofList(
      of("CATEGORIES").flatMap(({ parts }) =>
        parts.filter((part) => part !== "" && !isAbsence(part) && part !== "myContacts")
      ),
      separator
    ),
    LINKEDIN: cellOf(first("LINKEDIN", linkedIn)),
    PHOTO: cellOf(first("PHOTO", pictures.filter(isWeb))),
    ORG: cellOf(textIn("ORG")),
    TITLE: cellOf(textIn("TITLE") || textIn("ROLE")),
    URL: cellOf(first("URL", others.filter(isOfWork).map(addressOf))),
    "ADR.country": cellOf(of("ADR").find(({ types }) => types.includes("work"))?.parts[6] ?? ""),
    NOTE: cellOf(textIn("NOTE"))
  }
  return Result.succeed({ cells: Object.values(cells), leftOut })
}

const isLine = (line: Line, text: string) =>
  line.bytes.length < 64 && Buffer.from(line.bytes).toString("latin1").trimEnd().toUpperCase() === text

const shown = ({ bytes }: Line) => JSON.stringify(Cells.shortened(Buffer.from(bytes.subarray(0, 256)).toString()))

/** Collects the lines of the card that begins on `first`. */
const collect = (first: Line) => {
  const properties: Array<Property> = []
  let failure: RowError | undefined
  let isOld = false
  let size = 0
  let last = first
  // How many cards of AGENT properties are open: versions 2.1 and 3.0 may have one within another.
  let nested = 0

  const fail = (error: RowError) => {
    failure ??= error
    properties.length = 0
  }

  /** Adds bytes to a property, unless they are those of a picture. */
  const extend = (property: Property, bytes: Uint8Array) => {
    property.size += bytes.length
    if (isBinary(property)) return
    property.parts.push(bytes)
    size += bytes.length
    if (size > maxLineLength) fail(tooLong)
  }

  /** Adds a line between the first and the last of the card. */
  const add = (line: Line) => {
    last = line
    const { bytes, cut } = line
    if (nested > 0 || failure !== undefined || bytes.length === 0) return
    const previous = properties.at(-1)
    if (previous !== undefined && isQuotedPrintable(previous)) {
      const part = previous.parts.at(-1)
      if (part?.at(-1) === 0x3d) {
        previous.parts[previous.parts.length - 1] = part.subarray(0, -1)
        return extend(previous, bytes)
      }
    }
    if (bytes[0] === 0x20 || bytes[0] === 0x09) {
      if (previous === undefined) return fail(broken(`Line ${line.number} continues no property: ${shown(line)}.`))
      // Version 2.1 folds where a space is, which belongs to the value.
      return extend(previous, isOld ? bytes : bytes.subarray(1))
    }
    const property = beginningOf(line)
    if (property === undefined) {
      // Some programs do not indent Base64.
      if (previous !== undefined && mayBeBinary(previous)) return extend(previous, bytes)
      return fail(broken(`Line ${line.number} is no property of a vCard: ${shown(line)}.`))
    }
    properties.push(property)
    if (property.name === "VERSION") isOld = textOf(property)?.trim() === "2.1"
    size += isBinary(property) ? 0 : property.size
    if (size > maxLineLength || (cut && !mayBeBinary(property))) fail(tooLong)
  }

  return {
    add,
    /** Opens the card of an AGENT, if the line before it says so. */
    isAgent: () => {
      const previous = properties.at(-1)
      if (nested === 0 && (previous?.name !== "AGENT" || previous.line !== last.number)) return false
      nested++
      return true
    },
    /** Ends a card; returns whether it is that of an AGENT. */
    endsAgent: (line: Line) => {
      last = line
      return nested > 0 && nested-- > 0
    },
    /** The card, which `error` broke if there is one. */
    finish: (separator: string, error?: RowError): FileCard => ({
      line: first.number,
      lastLine: last.number,
      until: last.until,
      content:
        (failure ?? error) === undefined ? cardOf(properties, separator) : Result.fail(failure ?? error ?? broken(""))
    })
  }
}

/**
 * The cards of a file. One that has no end ends where the next begins, and what is between cards is refused as if it were one. `separator`
 * is the character between the values of one cell.
 */
export async function* cardsOf(
  chunks: AsyncIterable<ReadonlyArray<Line>>,
  separator: string
): AsyncGenerator<ReadonlyArray<FileCard>> {
  let open: ReturnType<typeof collect> | undefined
  let stray: FileCard | undefined
  const withoutEnd = broken("The card has no line END:VCARD.")
  for await (const lines of chunks) {
    const cards: Array<FileCard> = []
    for (const line of lines) {
      if (isLine(line, "BEGIN:VCARD")) {
        if (open?.isAgent() === true) continue
        if (open !== undefined) cards.push(open.finish(separator, withoutEnd))
        stray = undefined
        open = collect(line)
      } else if (open === undefined) {
        if (line.bytes.length === 0 || stray !== undefined) continue
        stray = {
          line: line.number,
          lastLine: line.number,
          until: line.until,
          content: Result.fail(broken(`Line ${line.number} is in no card: ${shown(line)}.`))
        }
        cards.push(stray)
      } else if (isLine(line, "END:VCARD")) {
        if (open.endsAgent(line)) continue
        cards.push(open.finish(separator))
        open = undefined
      } else open.add(line)
    }
    yield cards
  }
  if (open !== undefined) yield [open.finish(separator, withoutEnd)]
}

// Reads the properties of vCards: bytes in their character sets, versions 2.1, 3.0 and 4.0. ical.js reads what is in one property; it knows
// neither bytes nor version 2.1. Pure.

/** A property, which may go on in several lines. */
export interface Property {
  /** Its first line. */
  readonly line: number
  /** In upper case, without its group. */
  readonly name: string
  readonly parameters: string
  /** Its value as it is in the file, from after the colon. */
  readonly parts: Array<Uint8Array>
  size: number
}

/** The reason why a card cannot be read. */
export const broken = (detail: string): RowError => ({ code: "invalid_card", detail })

// The name after a group, and the parameters, whose values may be quoted.
const header = /^(?:[\w-]+\.)?([\w-]+)((?:;[^":;]*(?:"[^"]*"[^":;]*)*)*):/

/** The beginning of a property; undefined if the line has none. */
const beginningOf = ({ bytes, number }: Line): Property | undefined => {
  const [all, name = "", parameters = ""] = header.exec(Buffer.from(bytes.subarray(0, 1024)).toString("latin1")) ?? []
  return all === undefined
    ? undefined
    : { line: number, name: name.toUpperCase(), parameters, parts: [bytes.subarray(all.length)], size: bytes.length }
}

/** Whether a property may be a picture, a sound or a key in Base64. */
const mayBeBinary = ({ name }: Property) => ["PHOTO", "LOGO", "SOUND", "KEY"].includes(name)

// Longer than any address: such values are not kept.
const maxAddress = 8192

/** Whether a property is a picture, a sound or a key: its value is not kept. */
const isBinary = (property: Property) => mayBeBinary(property) && property.size > maxAddress

/** Whether the value of a property is in quoted-printable. */
const isQuotedPrintable = ({ parameters }: Property) => /;(?:ENCODING=)?"?QUOTED-PRINTABLE/i.test(parameters)

const charsetOf = ({ parameters }: Property) => /;CHARSET="?([\w.:-]+)/i.exec(parameters)?.[1]

const decode = (bytes: Uint8Array, charset: string): string | undefined => {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const quotedPrintable = (bytes: Uint8Array): Uint8Array =>
  Buffer.from(
    Buffer.from(bytes)
      .toString("latin1")
      .replaceAll(/=([\dA-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1"
  )

/** The text of a property; undefined if it is not in its character set, or that is not known. */
export const textOf = (property: Property): string | undefined => {
  const bytes = Buffer.concat(property.parts)
  const charset = charsetOf(property)
  // A file whose encoding was known is UTF-8 here, whatever it says of itself.
  if (!isQuotedPrintable(property)) return decode(bytes, "utf-8") ?? decode(bytes, charset ?? "utf-8")
  const decoded = quotedPrintable(bytes)
  if (charset !== undefined) return decode(decoded, charset)
  // Outlook names none for what Windows calls ANSI.
  return decode(decoded, "utf-8") ?? decode(decoded, "windows-1252")
}

/** The versions that can be read. */
export const versions = ["2.1", "3.0", "4.0"] as const

type Version = (typeof versions)[number]

/** A value, and what it is for. */
export interface Value {
  readonly name: string
  /** In lower case, such as `work`. */
  readonly types: ReadonlyArray<string>
  /** From 1, which goes first, to 100. */
  readonly rank: number
  /** The parts of a name or an address, the values of a list, or one value. */
  readonly parts: ReadonlyArray<string>
}

/**
 * A value of version 2.1 as version 3.0 escapes it: only semicolons are escaped there, and lines are written by their characters in
 * quoted-printable.
 */
const escaped = (name: string, text: string): string => {
  const value = text.replaceAll(/\\(?![\\;,:nN])/g, "\\\\").replaceAll(/\r\n|\r|\n/g, "\\n")
  return name === "CATEGORIES" ? value : value.replaceAll(/(?<!\\),/g, "\\,")
}

/** Parameters as later versions write them: 2.1 leaves out `TYPE=`. The value is decoded already. */
const parametersOf = ({ parameters }: Property): string =>
  parameters
    .split(";")
    .filter((parameter) => parameter.trim() !== "" && !/^(?:CHARSET=|(?:ENCODING=)?"?(?:Q|7B|8B|B))/i.test(parameter))
    .map((parameter) => `;${parameter.includes("=") ? parameter : `TYPE=${parameter}`}`)
    .join("")

const textsOf = (value: unknown): ReadonlyArray<string> => (Array.isArray(value) ? value.map(String) : [String(value)])

/** The value of a property, or the reason why it has none. */
export const valueOf = (property: Property, version: Version): Result.Result<Value, RowError> => {
  const { line, name } = property
  const text = textOf(property)
  if (text === undefined) return Result.fail({ ...notUtf8, detail: `Line ${line}: ${notUtf8.detail}` })
  const content =
    version === "2.1"
      ? `${name}${parametersOf(property)}:${escaped(name, text)}`
      : isQuotedPrintable(property)
        ? `${name}${parametersOf(property)}:${text.replaceAll(/\r\n|\r|\n/g, "\\n")}`
        : `${name}${property.parameters}:${text}`
  try {
    const design = version === "4.0" ? ICAL.design.vcard : ICAL.design.vcard3
    const [, parameters, , ...values] = ICAL.parse.property(content, design) as [
      name: string,
      parameters: Readonly<Record<string, unknown>>,
      type: string,
      ...values: ReadonlyArray<unknown>
    ]
    const types = textsOf(parameters["type"] ?? []).flatMap((type) => type.toLowerCase().split(","))
    const rank = Number(parameters["pref"])
    const parts = Array.isArray(values[0]) ? values[0].map((part) => textsOf(part).join(" ")) : textsOf(values)
    return Result.succeed({
      name,
      types,
      rank: rank >= 1 && rank <= 100 ? rank : types.includes("pref") ? 1 : 100,
      parts: parts.map((part) => part.trim())
    })
  } catch (error) {
    return Result.fail(broken(`Line ${line}: ${error instanceof Error ? error.message : String(error)}.`))
  }
}
