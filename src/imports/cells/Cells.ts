/**
 * Reads values from CSV cells and writes them, so that an import can read what an export wrote. Pure.
 *
 * Three spellings are special. An empty cell leaves the member out. `\N` clears it. And a value that a spreadsheet would
 * evaluate as a formula is preceded by an apostrophe, unless it is a phone number in a column of them.
 */

/** The cell that clears a member. */
const clearMark = "\\N"

// Some spreadsheets evaluate the full-width forms too.
const formula = /^'*[=+\-@＝＋－＠]/u
const guarded = /^'+[=+\-@＝＋－＠]/u
const phoneNumber = /^\+\d[\d ()./-]*$/
const escapedClear = /^\\+N$/

const guard = (text: string): string => (formula.test(text) ? `'${text}` : text)

const unguard = (text: string): string => (guarded.test(text) ? text.slice(1) : text)

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

/** Reads a value: undefined leaves the member out, null clears it. */
export const toText = (cell: string): string | null | undefined => {
  const text = cell.trim()
  if (text === "") return undefined
  if (text === clearMark) return null
  return escapedClear.test(text) ? text.slice(1) : unguard(text)
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

/** Reads several values: undefined leaves the member out, an empty list clears it. */
export const toList = (cell: string, separator: string): ReadonlyArray<string> | undefined => {
  const text = cell.trim()
  if (text === "") return undefined
  if (text === clearMark) return []
  return splitAt(text, separator)
    .map((part) => unguard(part.trim()))
    .filter((part) => part !== "")
}
