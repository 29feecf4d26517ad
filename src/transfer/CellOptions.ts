/**
 * What the options of an import say of cells: units, scales, periods, currencies and countries of columns or of the whole file, and what
 * values mean (docs/behaviour/imports-and-exports.md#options-for-cells). Pure.
 */
import * as Cells from "./cells.ts"
import { Result } from "effect"
import { parse } from "csv-parse/sync"
import { countryOf } from "../core/fields/Place.ts"
import {
  type AreaUnit,
  currencyOf,
  isUnit,
  noUnit,
  type Period,
  periodOf,
  type Scale,
  scaleOf,
  together,
  type Unit,
  unitOf,
  wordsOf
} from "./units.ts"
import type { SaidUnit } from "./propertyTargets.ts"
import type { Units } from "./propertyTypes.ts"

const options = ["unit", "scale", "per", "currency", "country"] as const

/** An option that is said of a column or of the file. */
type Option = (typeof options)[number]

/** What an option says of a column. */
export interface Saying {
  readonly option: Option
  readonly column: string
  readonly value: string
}

/** What a value of a column means: each way to read the option. */
export interface ValueMeaning {
  /** The option, as the operator wrote it. */
  readonly written: string
  readonly readings: ReadonlyArray<{ readonly column: string; readonly from: string; readonly to: string }>
}

/** What the options say of the whole file. */
export interface FileDefaults {
  readonly currency: string | undefined
  readonly unit: AreaUnit | undefined
  readonly scale: Scale | undefined
  readonly per: Period | undefined
  readonly country: string | undefined
}

/** The options for cells. */
export interface CellOptions {
  readonly defaults: FileDefaults
  readonly said: ReadonlyArray<Saying>
  readonly meanings: ReadonlyArray<ValueMeaning>
  /** Whether they name columns as the file does, and not in another spelling. */
  readonly isExact?: boolean
}

/** The options for cells, as the operator wrote them. */
export type Written = { readonly [O in Option]: ReadonlyArray<string> } & {
  /** Each `COLUMN:value=meaning`. */
  readonly mapValue: ReadonlyArray<string>
  /** The text of the file of `--values`. */
  readonly values: string | undefined
}

const areaUnitOf = (text: string): AreaUnit | undefined => {
  const { area, unknown } = unitOf("area", wordsOf(text))
  return unknown.length === 0 && area.length === 1 ? area[0] : undefined
}

const paidPeriodOf = (text: string): Period | undefined => {
  const period = periodOf(text)
  return period === "day" ? undefined : period
}

/** What the options can say of the whole file, and what to say of what is none of it. */
const readers: {
  readonly [O in Option]: { readonly read: (text: string) => string | undefined; readonly must: string }
} = {
  unit: { read: areaUnitOf, must: "Must be a unit of area, such as sqft." },
  scale: { read: scaleOf, must: "Must be a scale, such as thousand or million." },
  per: { read: paidPeriodOf, must: "Must be year, quarter, month or week." },
  currency: { read: currencyOf, must: "Must be an ISO 4217 code, such as EUR." },
  country: { read: countryOf, must: "Must be a country, such as DE." }
}

/** Each way to split `COLUMN:value=meaning`: the longest name of a column first, because values and names may have colons. */
const readingsOf = (text: string): ValueMeaning["readings"] => {
  const end = text.lastIndexOf("=")
  const to = text.slice(end + 1).trim()
  return end === -1
    ? []
    : [...text.slice(0, end).matchAll(/:/g)]
        .map(({ index }) => ({ column: text.slice(0, index).trim(), from: text.slice(index + 1, end).trim(), to }))
        .filter(({ column, from }) => column !== "" && from !== "")
        .reverse()
}

/** The rows of the file of `--values`: CSV with the columns `column`, `from` and `to`. */
const meaningsIn = (text: string): Result.Result<ReadonlyArray<ValueMeaning>, string> => {
  const bare = text.replace(/^\uFEFF/, "")
  const [first = ""] = bare.split("\n", 1)
  const delimiter = first.includes(";") ? ";" : first.includes("\t") ? "\t" : ","
  let rows: ReadonlyArray<ReadonlyArray<string>>
  try {
    rows = parse(bare, { delimiter, relax_column_count: true, skip_empty_lines: true, trim: true })
  } catch (error) {
    return Result.fail(`--values: The file is no CSV: ${error instanceof Error ? error.message : String(error)}`)
  }
  const [header = [], ...lines] = rows
  const [column, from, to] = ["column", "from", "to"].map((name) =>
    header.findIndex((cell) => cell.toLowerCase() === name)
  )
  if (column === undefined || from === undefined || to === undefined || Math.min(column, from, to) < 0)
    return Result.fail("--values: The file must have the columns column, from and to.")
  const meanings = lines.map((cells) => {
    const reading = { column: cells[column] ?? "", from: cells[from] ?? "", to: cells[to] ?? "" }
    return { written: `--values "${reading.column}:${reading.from}=${reading.to}"`, readings: [reading] }
  })
  const bad = meanings.findIndex(({ readings: [one] }) => one?.column === "" || one?.from === "")
  return bad === -1
    ? Result.succeed(meanings)
    : Result.fail(`--values: Row ${bad + 2} of the file needs a column and a value in from.`)
}

/** Parses the options. The failure is a message for the operator. */
export const parseOptions = (written: Written): Result.Result<CellOptions, string> => {
  const ofFile = new Map<Option, string>()
  const said: Array<Saying> = []
  for (const option of options) {
    for (const text of written[option]) {
      const at = text.lastIndexOf("=")
      const column = text.slice(0, Math.max(0, at)).trim()
      const value = text.slice(at + 1).trim()
      const { must, read } = readers[option]
      if (at === -1) {
        const found = read(value)
        if (found === undefined) return Result.fail(`--${option}: ${must}`)
        if ((ofFile.get(option) ?? found) !== found) return Result.fail(`--${option} is given twice for the file.`)
        ofFile.set(option, found)
      } else if (column === "" || value === "") return Result.fail(`--${option} "${text}": Must be COLUMN=VALUE.`)
      else said.push({ option, column, value })
    }
  }
  const meanings: Array<ValueMeaning> = []
  for (const text of written.mapValue) {
    const readings = readingsOf(text)
    if (readings.length === 0) {
      return Result.fail(
        `--map-value ${text}: Must be COLUMN:value=meaning, such as "Use:Multifamily Housing=residential".`
      )
    }
    meanings.push({ written: `--map-value "${text}"`, readings })
  }
  const ofValues = written.values === undefined ? Result.succeed([]) : meaningsIn(written.values)
  return Result.map(ofValues, (more) => ({
    defaults: {
      currency: ofFile.get("currency"),
      unit: ofFile.get("unit") as AreaUnit | undefined,
      scale: ofFile.get("scale") as Scale | undefined,
      per: ofFile.get("per") as Period | undefined,
      country: ofFile.get("country")
    },
    said,
    meanings: [...meanings, ...more]
  }))
}

/** What a saying says of the unit of a type; undefined if its values have none of that kind. */
const unitSaid = ({ option, value }: Saying, units: Units): Result.Result<Unit, string> | undefined => {
  const isMoney = units.dimension === "money"
  const named = <A>(found: A | undefined, unit: (found: A) => Partial<Unit>, must: string) =>
    found === undefined ? Result.fail(must) : Result.succeed({ ...noUnit, ...unit(found) })
  switch (option) {
    case "unit": {
      if (units.names.some((name) => isUnit(name, value))) return Result.succeed(noUnit)
      const unit = unitOf(units.dimension, wordsOf(value))
      const problem = units.problemOf(unit)
      return problem === undefined ? Result.succeed(unit) : Result.fail(problem)
    }
    case "scale":
      return isMoney || units.dimension === "area" || units.dimension === "number"
        ? named(scaleOf(value), (scale) => ({ scale: [scale] }), readers.scale.must)
        : undefined
    case "per":
      return isMoney && units.hasPeriod
        ? named(paidPeriodOf(value), (period) => ({ period: [period] }), readers.per.must)
        : undefined
    case "currency":
      return isMoney ? named(currencyOf(value), (code) => ({ currency: [code] }), readers.currency.must) : undefined
    case "country":
      return undefined
  }
}

/** What the options say of the unit of a column, whose targets have these units. The failure names the option that says nothing of it. */
export const saidUnit = (sayings: ReadonlyArray<Saying>, units: Units | undefined): Result.Result<SaidUnit, string> => {
  const found: Array<Unit> = []
  for (const saying of sayings.filter(({ option }) => option !== "country")) {
    const { column, option, value } = saying
    const unit = units === undefined ? undefined : unitSaid(saying, units)
    const written = `--${option} "${column}=${value}"`
    if (unit === undefined) return Result.fail(`${written}: The values of the column have no ${nouns[option]}.`)
    if (Result.isFailure(unit)) return Result.fail(`${written}: ${unit.failure}`)
    found.push(unit.success)
  }
  const isWhole = sayings.some(({ option }) => option === "unit" || option === "scale" || option === "per")
  return Result.succeed({ unit: found.length === 0 ? noUnit : together(...found), isWhole })
}

const nouns: { readonly [O in Option]: string } = {
  unit: "unit",
  scale: "scale",
  per: "period",
  currency: "currency",
  country: "country"
}

/** The country that an empty cell of a column means; undefined if no option says one. */
export const saidCountry = (
  sayings: ReadonlyArray<Saying>,
  isCountry: boolean
): Result.Result<string | undefined, string> => {
  const saying = sayings.find(({ option }) => option === "country")
  if (saying === undefined) return Result.succeed(undefined)
  const written = `--country "${saying.column}=${saying.value}"`
  if (!isCountry) return Result.fail(`${written}: The values of the column are no countries.`)
  const code = countryOf(saying.value)
  return code === undefined ? Result.fail(`${written}: ${readers.country.must}`) : Result.succeed(code)
}

/** Values without case and with single spaces, as they are compared. */
const folded = (value: string): string => value.normalize("NFKC").trim().toLowerCase().replaceAll(/\s+/g, " ")

/** What the values of a column mean, by their folded form. */
export type Meanings = ReadonlyMap<string, string>

/** The meanings of the values of a column. */
export const meaningsOf = (readings: ReadonlyArray<{ readonly from: string; readonly to: string }>): Meanings =>
  new Map(readings.map(({ from, to }) => [folded(from), to] as const))

/** The cell of a value that an option maps, or the cell itself. A list is mapped value by value. */
export const mappedCell = (meanings: Meanings, cell: string, separator: string | undefined): string => {
  const whole = meanings.get(folded(Cells.toText(cell) ?? cell))
  if (whole !== undefined || separator === undefined) return whole ?? cell
  const values = Cells.toList(cell, separator) ?? []
  if (!values.some((value) => meanings.has(folded(value)))) return cell
  return values
    .map((value) => meanings.get(folded(value)) ?? Cells.ofList([value], separator))
    .filter((value) => value !== "")
    .join(separator)
}
