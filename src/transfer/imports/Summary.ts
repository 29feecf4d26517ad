/**
 * What a run says at its end: each cause of refusals, and each reason why cells were left out or read in part, once, with its count,
 * an example and its line. A fold over receipts, so that a continued run also says what the interrupted one met. Pure.
 */
import type { Receipt } from "./Receipt.ts"

/** A cause. */
export interface Cause {
  /** The column; undefined if the row as a whole is meant. */
  readonly column?: string
  readonly code: string
  readonly detail: string
  /** How often it occurred. */
  readonly count: number
  /** The first line where it occurred, and what was found there. */
  readonly line: number
  readonly value?: string
}

/** Causes in the order of their first occurrence. */
export interface Causes {
  readonly byKey: ReadonlyMap<string, Cause>
  /** The occurrences of causes beyond {@link maxCauses}. */
  readonly others: number
}

/** The summary of a run. */
export interface Summary {
  /** Why rows were refused. */
  readonly refused: Causes
  /** Why cells of rows that were kept were left out, or read in part. */
  readonly reported: Causes
}

/** How many causes are kept apart. */
export const maxCauses = 200

const noCauses: Causes = { byKey: new Map(), others: 0 }

/** The summary of no rows. */
export const none: Summary = { refused: noCauses, reported: noCauses }

type Occurrence = Omit<Cause, "count">

/** What causes have in common: numbers, ids and quoted text differ from row to row. */
const keyOf = ({ code, column = "", detail }: Occurrence): string => {
  const common = detail
    .replaceAll(/"[^"]*"/g, '""')
    .replaceAll(/\b[a-z]+_[0-9a-z]{26}\b/g, "id")
    .replaceAll(/\d[\d.,]*/g, "0")
  return JSON.stringify([column, code, common])
}

const withAll = (causes: Causes, occurrences: ReadonlyArray<Occurrence>): Causes => {
  if (occurrences.length === 0) return causes
  const byKey = new Map(causes.byKey)
  let { others } = causes
  for (const occurrence of occurrences) {
    const key = keyOf(occurrence)
    const known = byKey.get(key)
    if (known !== undefined) byKey.set(key, { ...known, count: known.count + 1 })
    else if (byKey.size < maxCauses) byKey.set(key, { ...occurrence, count: 1 })
    else others++
  }
  return { byKey, others }
}

/** The causes for which a row was refused. */
const causesOf = ({ line, problem }: Receipt): ReadonlyArray<Occurrence> => {
  if (problem === undefined) return []
  const { code, detail, errors } = problem
  return errors === undefined || errors.length === 0
    ? [{ line, code, detail }]
    : errors.map(({ pointer: _, ...remark }) => ({ line, ...remark }))
}

/** Adds receipts to a summary. */
export const added = ({ refused, reported }: Summary, receipts: ReadonlyArray<Receipt>): Summary => ({
  refused: withAll(refused, receipts.flatMap(causesOf)),
  reported: withAll(
    reported,
    receipts.flatMap(({ line, reported: remarks = [] }) => remarks.map((remark) => ({ line, ...remark })))
  )
})

/** The causes, the most frequent first. */
export const listed = ({ byKey }: Causes): ReadonlyArray<Cause> =>
  [...byKey.values()].sort((a, b) => b.count - a.count || a.line - b.line)

const count = (value: number) => value.toLocaleString("en-US")

/** The line of a cause, for people. */
export const lineOf = ({ column = "", count: times, detail, line, value = "" }: Cause): string => {
  const where = column === "" ? "" : `${column}: `
  const example = value === "" ? "" : `, for example "${value}"`
  return `${count(times)} × ${where}${detail} (line ${line}${example})`
}
