/**
 * What a CSV cell means, and how a value is written as one: an export can be imported again. Pure.
 *
 * Three spellings are special. An empty cell says nothing. `\N` says that there is no value. And a value that a
 * spreadsheet would take for a formula has an apostrophe before it.
 */

/** What clears a member. */
export const cleared = "\\N"

// With the full-width forms, which some spreadsheets take for the plain ones.
const formula = /^'*[=+\-@＝＋－＠]/u
const guarded = /^'+[=+\-@＝＋－＠]/u
const escapedClear = /^\\+N$/

const guard = (text: string): string => (formula.test(text) ? `'${text}` : text)

const unguard = (text: string): string => (guarded.test(text) ? text.slice(1) : text)

/** The cell of a value; null has an empty one. */
export const ofText = (value: string | null): string => {
  if (value === null) return ""
  return escapedClear.test(value) ? `\\${value}` : guard(value)
}

/** The value of a cell: undefined says nothing, null clears. */
export const toText = (cell: string): string | null | undefined => {
  const text = cell.trim()
  if (text === "") return undefined
  if (text === cleared) return null
  return escapedClear.test(text) ? text.slice(1) : unguard(text)
}

/** The cell of several values. A separator inside a value, and a backslash, get a backslash before them. */
export const ofList = (values: ReadonlyArray<string>, separator: string): string =>
  values.map((value) => guard(value).replaceAll("\\", "\\\\").replaceAll(separator, `\\${separator}`)).join(separator)

const parts = (cell: string, separator: string): ReadonlyArray<string> => {
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

/** The values of a cell: undefined says nothing; `\N` is no value at all. */
export const toList = (cell: string, separator: string): ReadonlyArray<string> | undefined => {
  const text = cell.trim()
  if (text === "") return undefined
  if (text === cleared) return []
  return parts(text, separator)
    .map((part) => unguard(part.trim()))
    .filter((part) => part !== "")
}
