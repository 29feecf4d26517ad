/** What measurements say: statistics, numbers and tables, and their progress. */
import { Console } from "effect"

/** A quantile of the values; NaN if there are none. */
export const quantile = (values: ReadonlyArray<number>, share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

/** The median of the values. */
export const median = (values: ReadonlyArray<number>): number => quantile(values, 0.5)

/** Formats milliseconds. */
export const duration = (millis: number): string => {
  if (Number.isNaN(millis)) return "-"
  return millis < 1000 ? `${Math.round(millis)} ms` : `${(millis / 1000).toFixed(millis < 10_000 ? 2 : 1)} s`
}

/** Formats a number. */
export const count = (value: number): string => value.toLocaleString("en-GB")

/** The lines of a Markdown table. The first columns are text, the others numbers. */
export const table = (
  headings: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string | number>>,
  texts = 1
): ReadonlyArray<string> => {
  const line = (cells: ReadonlyArray<string | number>) =>
    `| ${cells.map((cell) => (typeof cell === "number" ? count(cell) : cell)).join(" | ")} |`
  return [line(headings), line(headings.map((_, column) => (column < texts ? "---" : "--:"))), ...rows.map(line)]
}

/** Writes a line to stderr, with the time of day in UTC. */
export const say = (text: string) => Console.error(`${new Date().toISOString().slice(11, 19)} ${text}`)
