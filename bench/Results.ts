/** Stores the results of measurements, and renders them as a table. */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Machine } from "./Machine.ts"
import { isMet, comparedValue, type Line, type Spread, type Target } from "./Measurement.ts"
import { table } from "./Report.ts"

/** When, at which commit and on which machine a row was measured. */
export interface Origin {
  /** ISO 8601. */
  readonly at: string
  readonly commit: string
  readonly machine: Machine
}

/** A row with its measurement. */
export interface Kept extends Line {
  readonly measurement: string
  readonly origin: Origin
}

/** The first result of a row. */
export interface First {
  readonly amount: number
  readonly unit?: string
  readonly commit: string
  readonly at: string
}

/** The first result of each row, by its name. */
export type Firsts = { readonly [line: string]: First }

const files = {
  results: join(import.meta.dirname, "results.json"),
  table: join(import.meta.dirname, "results.md"),
  first: join(import.meta.dirname, "first.json")
}

const read = <A>(file: string, otherwise: A): A =>
  existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as A) : otherwise

// Writes a temporary file first, so that an interrupted run leaves a complete file.
const write = (file: string, text: string) => {
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}

const json = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`

const figure = (value: number): string => value.toFixed(2)

const spread = (value: Spread | undefined): string =>
  value === undefined ? "–" : `${figure(value.median)} (${figure(value.least)}–${figure(value.greatest)})`

const demand = (target: Target | undefined, unit: string | undefined): string => {
  if (target === undefined) return "–"
  const [sign, amount] = "least" in target ? ["≥", target.least] : ["≤", target.most]
  return `${sign} ${amount}${unit === undefined ? "" : ` ${unit}`}`
}

const met = (line: Line): string => {
  const is = isMet(line)
  if (is === undefined) return "–"
  return is ? "yes" : "**no**"
}

const amount = ({ amount, unit }: Pick<First, "amount" | "unit">): string =>
  unit === undefined ? figure(amount) : `${Number(amount.toPrecision(3))} ${unit}`

const headings = [
  "Name",
  "The work",
  "Beside",
  "Ours",
  "Theirs",
  "Ratio (least–greatest)",
  "Shortcut",
  "Target",
  "Met",
  "First"
]

/** The first columns are text. */
const texts = 3

const cells = (line: Line, first: First | undefined, mark: string): ReadonlyArray<string> => [
  `${line.name}${mark}`,
  line.work,
  line.beside ?? "–",
  line.ours,
  line.theirs ?? "–",
  spread(line.ratio),
  spread(line.shortcut),
  demand(line.target, line.ratio === undefined ? line.value?.unit : undefined),
  met(line),
  first === undefined ? "–" : amount(first)
]

/** The lines of a Markdown table of the results. */
export const show = (lines: ReadonlyArray<Line>, firsts: Firsts = {}): ReadonlyArray<string> =>
  table(
    headings,
    lines.map((line) => cells(line, firsts[line.name], "")),
    texts
  )

const machineLines = ({ cores, kernel, memory, node, postgres, processor, syncsPerSecond }: Machine) => [
  `- Machine: ${processor}, ${cores} cores, ${memory} GiB, ${kernel}`,
  `- Node ${node}, Postgres ${postgres}`,
  `- Disk: ${syncsPerSecond.toLocaleString("en-GB")} writes of 8 KiB a second that are brought to it one after the other`
]

/** The page of all results. It marks rows from another commit or day than the newest run. */
export const render = (lines: ReadonlyArray<Kept>, firsts: Firsts): string => {
  const newest = lines
    .map(({ origin }) => origin)
    .reduce<Origin | undefined>(
      (latest, origin) => (latest === undefined || origin.at > latest.at ? origin : latest),
      undefined
    )
  if (newest === undefined) return "# Results\n\nNothing was measured yet.\n"
  const others = new Map<string, string>()
  const markOf = ({ origin }: Kept): string => {
    if (origin.commit === newest.commit && origin.machine.processor === newest.machine.processor) return ""
    const provenance = `commit ${origin.commit}, ${origin.at.slice(0, 10)}, ${origin.machine.processor}, ${origin.machine.cores} cores`
    const mark = others.get(provenance) ?? `[${others.size + 1}]`
    others.set(provenance, mark)
    return ` ${mark}`
  }
  const rows = lines.map((line) => cells(line, firsts[line.name], markOf(line)))
  return [
    "# Results",
    "",
    "Written by `npm run bench`; [README.md](README.md) says how to read them.",
    "",
    ...machineLines(newest.machine),
    `- Commit ${newest.commit}, ${newest.at.slice(0, 16).replace("T", " ")} UTC`,
    "",
    ...table(headings, rows, texts),
    ...(others.size === 0
      ? []
      : ["", ...[...others].map(([provenance, mark]) => `${mark} Measured at ${provenance}.`)]),
    ""
  ].join("\n")
}

/** The stored results of earlier runs. */
export const kept = (): ReadonlyArray<Kept> => read<ReadonlyArray<Kept>>(files.results, [])

/** The first results. */
export const firsts = (): Firsts => read<Firsts>(files.first, {})

const keepFirst = (lines: ReadonlyArray<Kept>) => {
  const found = lines.flatMap((line): ReadonlyArray<readonly [string, First]> => {
    const of = comparedValue(line)
    if (of === undefined) return []
    const unit = line.ratio === undefined ? line.value?.unit : undefined
    const { at, commit } = line.origin
    return [[line.name, { amount: of, ...(unit === undefined ? {} : { unit }), commit, at }]]
  })
  write(files.first, json({ ...firsts(), ...Object.fromEntries(found) }))
}

/**
 * All rows, with those of a measurement replaced, in the order of the measurements' names. A row that was measured alone
 * replaces the one of the whole, and the other way round.
 */
export const merged = (
  before: ReadonlyArray<Kept>,
  measurement: string,
  found: ReadonlyArray<Kept>,
  order: ReadonlyArray<string>
): ReadonlyArray<Kept> => {
  const place = (line: Kept) => order.indexOf(line.measurement)
  const isReplaced = (line: Kept) => line.measurement === measurement || found.some(({ name }) => name === line.name)
  return [...before.filter((line) => !isReplaced(line)), ...found].sort((a, b) => place(a) - place(b))
}

/**
 * Stores the results of a measurement in place of its earlier ones, and renders all results in the order of the measurements'
 * names. With `first`, it also stores them as the first results.
 */
export const keep = (options: {
  readonly measurement: string
  readonly lines: ReadonlyArray<Line>
  readonly origin: Origin
  readonly order: ReadonlyArray<string>
  readonly first: boolean
}): void => {
  const { measurement, order, origin } = options
  const found = options.lines.map((line): Kept => ({ ...line, measurement, origin }))
  const all = merged(kept(), measurement, found, order)
  write(files.results, json(all))
  if (options.first) keepFirst(found)
  write(files.table, render(all, firsts()))
}
