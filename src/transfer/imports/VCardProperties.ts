/**
 * Reads the properties of vCards: bytes in their character sets, versions 2.1, 3.0 and 4.0. ical.js reads what is in one property; it knows
 * neither bytes nor version 2.1. Pure.
 */
import { Result } from "effect"
import ICAL from "ical.js"
import { notUtf8 } from "./CsvRecords.ts"
import type { RowError } from "./Items.ts"
import type { Line } from "./Lines.ts"

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
export const beginningOf = ({ bytes, number }: Line): Property | undefined => {
  const [all, name = "", parameters = ""] = header.exec(Buffer.from(bytes.subarray(0, 1024)).toString("latin1")) ?? []
  return all === undefined
    ? undefined
    : { line: number, name: name.toUpperCase(), parameters, parts: [bytes.subarray(all.length)], size: bytes.length }
}

/** Whether a property may be a picture, a sound or a key in Base64. */
export const mayBeBinary = ({ name }: Property) => ["PHOTO", "LOGO", "SOUND", "KEY"].includes(name)

// Longer than any address: such values are not kept.
const maxAddress = 8192

/** Whether a property is a picture, a sound or a key: its value is not kept. */
export const isBinary = (property: Property) => mayBeBinary(property) && property.size > maxAddress

/** Whether the value of a property is in quoted-printable. */
export const isQuotedPrintable = ({ parameters }: Property) => /;(?:ENCODING=)?"?QUOTED-PRINTABLE/i.test(parameters)

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
