/**
 * Reads values from CSV cells and writes them, so that an import can read what an export wrote. Pure.
 *
 * Four spellings are special. An empty cell leaves the member out, and so does a mark of absence (`n/a`, `-`). `\N` clears the member.
 * And what a spreadsheet would evaluate as a formula is preceded by an apostrophe, unless it is a phone number in a column of them. That
 * may be the whole value, or what follows a separator or a line break within it: a spreadsheet that takes another character than the
 * comma for the separator begins a cell there, even inside of quotes. A value that would read as a mark of absence is preceded by an
 * apostrophe, too.
 */
import { isAbsence } from "../../../core/fields/absence.ts"

/** What is said of one cell: why it was refused, left out, or read in part. */
export interface Remark {
  /** The name of its column. */
  readonly column: string
  /** `invalid_cell`, or what happened to a cell of a row that was kept. */
  readonly code: string
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
  text.startsWith("'") && isBareMark(text) ? text.slice(1) : text.replaceAll(guardedFormulas, "$1")

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
export const isEmpty = (cell: string): boolean => cell.trim() === ""

/** Reads a value: undefined leaves the member out, null clears it. */
export const toText = (cell: string): string | null | undefined => {
  const text = cell.trim()
  if (text === "" || isAbsence(text)) return undefined
  if (text === clearMark) return null
  if (escapedClear.test(text)) return text.slice(1)
  return quotedFormula.exec(text)?.[1] ?? unguard(text)
}

/** Writes several values. A backslash escapes separators and backslashes inside a value. */
export const ofList = (values: ReadonlyArray<string>, separator: string): string =>
  values.map((value) => guard(value).replaceAll("\\", "\\\\").replaceAll(separator, `\\${separator}`)).join(separator)

const splitAt = (cell: string, separator: string): ReadonlyArray<string> => {
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
