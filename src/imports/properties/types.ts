/** How cells are read as values of the members of properties, and written so that they are read back. Pure. */
import { Option, Result, Schema } from "effect"
import type { Json } from "../../usecase/Input.ts"
import * as Cells from "../cells/Cells.ts"
import { countryOf, noCountry } from "../cells/countries.ts"
import { finder } from "../cells/spelling.ts"
import type { Labels } from "./labels.ts"
import { type DecimalSeparator, digitsOf, ofNumber, product, readingsOf } from "../cells/numbers.ts"
import { areaUnitOf, currencyOf, inSquareMetres, isPercent, isUnit, isYears, yearlyCurrencyOf } from "../cells/units.ts"

/** What a column has of a member: its value, or what belongs to it. */
export type Part = "value" | "unit" | "currency" | "standard" | "measuredOn"

/** What a row says of one member. */
export interface Sent {
  /** The cell of the value. */
  readonly cell: string
  /** The unit or currency in the name of the column. */
  readonly headerUnit: string | undefined
  /** The unit in a column of its own. */
  readonly unit: string | undefined
  /** The column of the unit, if the name of the column leaves the unit open. */
  readonly unitColumn: string | undefined
  /** The currency in a column of its own. */
  readonly currency: string | undefined
  /** The currency of amounts that have no other. */
  readonly rowCurrency: string | undefined
  readonly standard: string | undefined
  readonly measuredOn: string | undefined
  /** The character between the values of one cell. */
  readonly separator: string
  /** The decimal separator, if it is known. */
  readonly decimal: DecimalSeparator | undefined
  /** Whether the member can have a value, by its own schema. */
  readonly isValid: (value: Json) => boolean
}

/** A type of columns. */
export interface ColumnType {
  /** The parts that an export writes. */
  readonly parts: ReadonlyArray<Part>
  /** Whether any text is a value, so that a mark of absence would be one. */
  readonly isText: boolean
  /** Whether a cell has several values. */
  readonly isList: boolean
  /** Whether the name of a column may have this unit. */
  readonly accepts: (unit: string) => boolean
  /** The value, which the API validates; the failure is the reason why there is none. The cell is neither empty nor clears. */
  readonly read: (sent: Sent) => Result.Result<Json, string>
  /** The cells of a value that is not null. */
  readonly write: (value: unknown, separator: string) => { readonly [P in Part]?: string }
}

const alone = { parts: ["value"], isText: false, isList: false, accepts: () => false } as const

/** A text. */
export const text: ColumnType = {
  ...alone,
  isText: true,
  read: ({ cell }) => Result.succeed(Cells.toText(cell) ?? null),
  write: (value) => ({ value: Cells.ofText(String(value)) })
}

const germanDate = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/

const isoDate = (cell: string): string =>
  cell
    .trim()
    .replace(germanDate, (_, day: string, month: string, year: string) =>
      [year, month.padStart(2, "0"), day.padStart(2, "0")].join("-")
    )

/** A date: `2031-12-31` or `31.12.2031`. With slashes, the order of day and month would be a guess. */
export const date: ColumnType = {
  ...alone,
  read: ({ cell }) => Result.succeed(isoDate(cell)),
  write: (value) => ({ value: String(value) })
}

const truths = finder([
  ...["true", "yes", "y", "ja", "j", "x", "wahr", "1"].map((name) => [name, true] as const),
  ...["false", "no", "n", "nein", "falsch", "0"].map((name) => [name, false] as const)
])

/** True or false. */
export const flag: ColumnType = {
  ...alone,
  read: ({ cell }) => {
    const value = truths(cell)
    return value === undefined ? Result.fail("Must be yes or no.") : Result.succeed(value)
  },
  write: (value) => ({ value: String(value) })
}

// A number, with what is around it.
const quantity = /^(\p{Sc}|[A-Z]{3})?\s*([-−–]?\s?\d(?:[\d.,'’\s]*\d)?)(?:([.,])[-–—]{1,2})?\s*(\D.*)?$/u

// No number and unit are longer; the time of the search grows faster than the text.
const maxQuantity = 100

/** The number of a cell, and the units around it. */
const quantityOf = ({ cell, decimal }: Sent) => {
  const content = Cells.toText(cell) ?? ""
  const [, before, number, dashed, after] = (content.length > maxQuantity ? null : quantity.exec(content)) ?? []
  const units = [before, after].flatMap((unit) => (unit === undefined || unit.trim() === "" ? [] : [unit.trim()]))
  // `5.000,-` is written for `5.000,00`.
  const digits = dashed === undefined ? number : `${number}${dashed}00`
  return digits === undefined ? undefined : { readings: readingsOf(digits, decimal), units }
}

const noNumber = "Must be a number, such as 1250000 or 1.250.000,50."

/** The one reading that the member can have. A number with two such readings is none. */
const decimalOf = (
  readings: ReadonlyArray<string>,
  isValid: (decimal: string) => boolean
): Result.Result<string, string> => {
  const [first, second] = readings
  if (first === undefined) return Result.fail(noNumber)
  const valid = second === undefined ? [first] : readings.filter(isValid)
  const [decimal = first, another] = valid
  if (another !== undefined) {
    const [one, other] = [decimal, another].map((each) => ofNumber(Number(each)))
    return Result.fail(`Can be read as ${decimal} or as ${another}. Write ${one} or ${other}, or use --decimal.`)
  }
  return digitsOf(decimal) > 15 ? Result.fail("Must have at most 15 digits.") : Result.succeed(decimal)
}

/** A number; `units` are the names of its unit. */
export const number = (...units: ReadonlyArray<string>): ColumnType => {
  const accepts = (unit: string) => units.some((one) => isUnit(one, unit))
  return {
    ...alone,
    accepts,
    read: (sent) => {
      const found = quantityOf(sent)
      if (found === undefined || !found.units.every(accepts)) return Result.fail(noNumber)
      return Result.map(
        decimalOf(found.readings, (decimal) => sent.isValid(Number(decimal))),
        Number
      )
    },
    write: (value) => ({ value: ofNumber(Number(value)) })
  }
}

const degreesOf = /^-?\d{1,3}[.,]\d+$/

/** Degrees, which may have more digits than other numbers. */
export const degrees: ColumnType = {
  ...number("°"),
  read: (sent) => {
    const cell = sent.cell.trim().replace(/\s*°$/, "")
    return degreesOf.test(cell) ? Result.succeed(Number(cell.replace(",", "."))) : number("°").read(sent)
  }
}

const standards = finder([
  ...["ipms1", "ipms2", "ipms3_1", "ipms3_2", "gea", "gia", "nia", "gla", "local"].map((name) => [name, name] as const),
  ["local rules", "local"]
])

/** An area. */
export const area: ColumnType = {
  ...alone,
  parts: ["value", "standard", "measuredOn"],
  accepts: (unit) => areaUnitOf(unit) !== undefined,
  read: (sent) => {
    const { headerUnit, isValid, measuredOn, standard, unit, unitColumn } = sent
    const found = quantityOf(sent)
    if (found === undefined) return Result.fail(noNumber)
    const named = [...found.units, ...[headerUnit, unit].flatMap((name) => name ?? [])]
    const unknown = named.find((name) => areaUnitOf(name) === undefined)
    if (unknown !== undefined) return Result.fail(`${unknown} is no unit of area. Use m², ha, sq ft or acres.`)
    const units = new Set(named.flatMap((name) => areaUnitOf(name) ?? []))
    if (units.size > 1) return Result.fail(`Has several units: ${named.join(" and ")}.`)
    if (units.size === 0 && unitColumn !== undefined) return Result.fail(`Needs its unit, in a column ${unitColumn}.`)
    const [areaUnit = "sqm"] = units
    const areaOf = (decimal: string) => ({
      value: Number(inSquareMetres(decimal, areaUnit)),
      unit: "sqm",
      ...(standard === undefined ? {} : { standard: standards(standard) ?? standard }),
      ...(measuredOn === undefined ? {} : { measuredOn: isoDate(measuredOn) })
    })
    return Result.map(
      decimalOf(found.readings, (decimal) => isValid(areaOf(decimal))),
      areaOf
    )
  },
  write: (value) => {
    const { measuredOn, standard, value: size } = value as { value: number; standard?: string; measuredOn?: string }
    return { value: ofNumber(size), standard: standard ?? "", measuredOn: measuredOn ?? "" }
  }
}

const moneyWith = (codeOf: (unit: string) => string | undefined): ColumnType => ({
  ...alone,
  parts: ["value", "currency"],
  accepts: (unit) => codeOf(unit) !== undefined,
  read: (sent) => {
    const { currency, headerUnit, isValid, rowCurrency } = sent
    const found = quantityOf(sent)
    if (found === undefined) return Result.fail(noNumber)
    const own = [...found.units, ...[headerUnit, currency].flatMap((name) => name ?? [])]
    const named = own.length > 0 ? own : [rowCurrency].flatMap((name) => name ?? [])
    const unknown = named.find((name) => codeOf(name) === undefined)
    if (unknown !== undefined) {
      return Result.fail(`${unknown} is no currency. Write the whole amount, and its ISO 4217 code, such as EUR.`)
    }
    const [code, another] = new Set(named.map(codeOf))
    if (another !== undefined) return Result.fail(`Has several currencies: ${code} and ${another}.`)
    if (code === undefined)
      return Result.fail("Needs its currency: in the cell, in a column currency, or by --currency.")
    const moneyOf = (decimal: string) => ({ value: Number(decimal), currency: code })
    return Result.map(
      decimalOf(found.readings, (decimal) => isValid(moneyOf(decimal))),
      moneyOf
    )
  },
  write: (value) => {
    const { currency, value: amount } = value as { value: number; currency: string }
    return { value: ofNumber(amount), currency }
  }
})

/** A price. */
export const price: ColumnType = moneyWith(currencyOf)

/** An amount of a year. */
export const perYear: ColumnType = moneyWith(yearlyCurrencyOf)

/** A percentage. Up to 1, it needs the sign: spreadsheets keep 4.75 % as 0.0475. */
export const percent: ColumnType = {
  ...alone,
  accepts: isPercent,
  read: (sent) => {
    const { headerUnit, isValid } = sent
    const found = quantityOf(sent)
    if (found === undefined || !found.units.every(isPercent))
      return Result.fail("Must be a percentage, such as 4.75 %.")
    const percentOf = (decimal: string) => ({ value: Number(decimal), unit: "percent" })
    const read = decimalOf(found.readings, (decimal) => isValid(percentOf(decimal)))
    if (Result.isFailure(read)) return Result.fail(read.failure)
    const decimal = read.success
    const isFraction = decimal !== "0" && Math.abs(Number(decimal)) <= 1
    return isFraction && found.units.length === 0 && headerUnit === undefined
      ? Result.fail(`Can be read as ${decimal} % or as ${product(decimal, "100")} %. Write it with %.`)
      : Result.succeed(percentOf(decimal))
  },
  write: (value) => ({ value: `${ofNumber((value as { readonly value: number }).value)}%` })
}

/** A duration in years. */
export const years: ColumnType = {
  ...alone,
  accepts: isYears,
  read: (sent) => {
    const found = quantityOf(sent)
    if (found === undefined || !found.units.every(isYears))
      return Result.fail("Must be a number of years, such as 5.5.")
    const yearsOf = (decimal: string) => ({ value: Number(decimal), unit: "years" })
    return Result.map(
      decimalOf(found.readings, (decimal) => sent.isValid(yearsOf(decimal))),
      yearsOf
    )
  },
  write: (value) => ({ value: ofNumber((value as { readonly value: number }).value) })
}

// `plain` drops signs, and A+ is not A.
const withSigns = (name: string) => name.replaceAll("+", "plus")

const valueOf = <const V extends ReadonlyArray<string>>(values: V, labels: Labels<V>) => {
  const labelled = Object.entries(labels as Readonly<Record<string, ReadonlyArray<string>>>)
  const find = finder([
    ...labelled.flatMap(([value, names]) => names.map((name) => [name, value] as const)),
    ...values.map((value) => [value, value] as const)
  ])
  // The API refuses what is unknown, and names the values.
  return (name: string): string => find(withSigns(name)) ?? name.trim()
}

/** One value of a vocabulary, or one of its labels. */
export const oneOf = <const V extends ReadonlyArray<string>>(values: V, labels: Labels<V>): ColumnType => {
  const find = valueOf(values, labels)
  return {
    ...alone,
    // A value may look like a mark of absence: `none`.
    read: ({ cell }) => Result.succeed(find(Cells.toText(cell) ?? cell)),
    write: (value) => ({ value: String(value) })
  }
}

const listWith = (itemOf: (text: string) => Json): ColumnType => ({
  ...alone,
  isList: true,
  read: ({ cell, separator }) => {
    const values = Cells.toList(cell, separator)
    return values === undefined ? Result.fail("Has no value.") : Result.succeed(values.map(itemOf))
  },
  write: (value, separator) => ({ value: Cells.ofList(value as ReadonlyArray<string>, separator) })
})

/** Values of a vocabulary, or their labels. */
export const anyOf = <const V extends ReadonlyArray<string>>(values: V, labels: Labels<V>): ColumnType =>
  listWith(valueOf(values, labels))

/** A country: its code of two or three letters, or its name. */
export const country: ColumnType = {
  ...alone,
  read: ({ cell }) => {
    const code = countryOf(cell)
    return code === undefined ? Result.fail(noCountry) : Result.succeed(code)
  },
  write: (value) => ({ value: String(value) })
}

const decodeArray = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Array(Schema.Unknown)))

/** A list of objects, as JSON. */
export const objects: ColumnType = {
  ...alone,
  read: ({ cell }) =>
    Option.match(decodeArray(cell), {
      onNone: () => Result.fail("Must be a list of JSON objects, as an export writes it."),
      onSome: (items) => Result.succeed(items as Json)
    }),
  write: (value) => ({ value: JSON.stringify(value) })
}

/** Parcels: as JSON, or their numbers alone. */
export const parcels: ColumnType = {
  ...objects,
  read: (sent) =>
    sent.cell.trim().startsWith("[") ? objects.read(sent) : listWith((cadastralId) => ({ cadastralId })).read(sent)
}
