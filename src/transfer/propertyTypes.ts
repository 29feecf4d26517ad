/** How cells are read as values of the members of properties, and written so that they are read back. Pure. */
import { type Audience, countryFor, dateFor, numberFor, truthFor, wordFor } from "./audience.ts"
import * as Cells from "./cells.ts"
import { allLanguages } from "../console/Texts.ts"
import { label } from "../console/Vocabulary.ts"
import { Option, Result, Schema } from "effect"
import { finder, nearest, plain } from "../core/fields/spelling.ts"
import type { Json } from "../core/usecase/Input.ts"
import { countryOf, noCountry } from "../core/fields/Place.ts"
import { type DecimalSeparator, numbersOf } from "../core/fields/writtenNumbers.ts"
import { converted, digitsOf, ofNumber, type Ratio } from "./cells.ts"
import {
  type AreaUnit,
  currencyOf,
  type Dimension,
  inMetres,
  inPercent,
  inSquareMetres,
  inYear,
  isUnit,
  noUnit,
  type Period,
  type Scale,
  together,
  type Unit,
  unitOf,
  type Word,
  wordsOf
} from "./units.ts"
import type { Labels } from "./propertyLabels.ts"

/** What a column has of a member: its value, or what belongs to it. */
export type Part = "value" | "min" | "max" | "unit" | "currency" | "scale" | "standard" | "measuredOn"

/** What the options say of quantities that name none. */
export interface Defaults {
  /** The currency of amounts. */
  readonly currency: string | undefined
  /** The unit of areas. */
  readonly unit: AreaUnit | undefined
  /** The scale of amounts. */
  readonly scale: Scale | undefined
  /** The period of amounts of a period. */
  readonly per: Period | undefined
  /** The decimal separator; if it is not known, a number with two readings is refused. */
  readonly decimal: DecimalSeparator | undefined
  /** Whether the decimal separator also counts where a number is grouped with it. */
  readonly forceDecimal: boolean
}

/** What a row says of one member. */
export interface Sent {
  /** The cell of the value. */
  readonly cell: string
  /** The name of its column. */
  readonly column: string
  /** What the name of the column, and the options for it, say of the unit. */
  readonly named: Unit
  /** What the options for the column say of the unit. */
  readonly said: Unit
  /** The unit in a column of its own. */
  readonly unit: string | undefined
  /** The column of the unit, if the name of the column leaves the unit open. */
  readonly unitColumn: string | undefined
  /** The currency in a column of its own. */
  readonly currency: string | undefined
  /** The currency in the column of the row. */
  readonly rowCurrency: string | undefined
  readonly defaults: Defaults
  readonly standard: string | undefined
  readonly measuredOn: string | undefined
  /** The character between the values of one cell. */
  readonly separator: string
  /** Whether the member can have a value, by its own schema. */
  readonly isValid: (value: Json) => boolean
}

/** The units that the values of a type can have. */
export interface Units {
  readonly dimension: Dimension
  /** Whether amounts are those of a period. */
  readonly hasPeriod: boolean
  /** Names of the unit of the member itself, such as `kWh/m²`. */
  readonly names: ReadonlyArray<string>
  /** Why values cannot have this unit; undefined if they can. */
  readonly problemOf: (unit: Unit) => string | undefined
}

/** A range of values. */
export interface Ends {
  /** The type of its ends. */
  readonly end: ColumnType
  /** The range, of ends that are null where it is open. `scale` is that in a column of its own. */
  readonly of: (min: Json | null, max: Json | null, scale: string | undefined) => Result.Result<Json, string>
}

/** A type of columns. */
export interface ColumnType {
  /** The ends, if values are ranges. */
  readonly ends?: Ends
  /** The parts that an export writes. */
  readonly parts: ReadonlyArray<Part>
  /** Whether any text is a value, so that a mark of absence would be one. */
  readonly isText: boolean
  /** Whether a cell has several values. */
  readonly isList: boolean
  /** The units of its values; undefined if they have none. */
  readonly units: Units | undefined
  /** The value, which the API validates; the failure is the reason why there is none. The cell is neither empty nor clears. */
  readonly read: (sent: Sent) => Result.Result<Json, string>
  /** The cells of a value that is not null; for programs, unless there is an audience. */
  readonly write: (value: unknown, separator: string, audience?: Audience) => { readonly [P in Part]?: string }
}

const alone = { parts: ["value"], isText: false, isList: false, units: undefined } as const

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
  write: (value, _separator, audience) => ({ value: dateFor(audience, String(value)) })
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
  write: (value, _separator, audience) => ({ value: truthFor(audience, value === true) })
}

// A number, with what is around it. A minus sign, a bracket or a mark beside it is part of no unit.
const quantity = /^([^\d()\-−–]*?)([-−–]?\s?\d(?:[\d.,'’\s]*\d)?)(?:([.,])[-–—]{1,2})?\s*([^\d.,;:'’\-−–—].*)?$/u

const loneHyphen = /[-−–—](?!\p{L})|(?<!\p{L})[-−–—]/u

// No number and unit are longer; the time of the search grows faster than the text.
const maxQuantity = 100

const count = (text: string, character: string) => text.split(character).length - 1

// Most cells of tables: what follows is of no use for them, and takes longer.
const wholeNumber = /^(?:0|[1-9]\d{0,14})$/

/** The numbers that a cell can mean, and the texts around the number. */
const quantityOf = ({ cell, defaults }: Sent) => {
  if (wholeNumber.test(cell)) return { readings: [cell], contrary: [], around: [] }
  const content = Cells.toText(cell) ?? ""
  const [, before = "", number, dashed, after = ""] =
    (content.length > maxQuantity ? null : quantity.exec(content)) ?? []
  if (number === undefined || loneHyphen.test(after) || count(after, "(") !== count(after, ")")) return undefined
  // `5.000,-` is written for `5.000,00`.
  const digits = dashed === undefined ? number : `${number}${dashed}00`
  const around = [before, after].map((text) => text.trim()).filter((text) => text !== "")
  return { ...numbersOf(digits, defaults.decimal), around }
}

type Quantity = NonNullable<ReturnType<typeof quantityOf>>

/** Whether a number has another reading with the other decimal separator. */
export const isContrary = ({ units }: ColumnType, sent: Sent): boolean =>
  units !== undefined && (quantityOf(sent)?.contrary.length ?? 0) > 0

const noNumber = "Must be a number, such as 1250000 or 1.250.000,50."

const separatorNames = { ",": "comma", ".": "point" } as const

/** The one number that the member can have. A number with two such readings is none. */
const decimalOf = (
  { contrary, readings }: Quantity,
  { decimal: separator, forceDecimal }: Defaults,
  isValid: (decimal: string) => boolean
): Result.Result<string, string> => {
  const [first, second] = readings
  const given = separator === undefined ? "" : `--decimal ${separatorNames[separator]}`
  if (first === undefined) {
    return Result.fail(
      contrary.length > 0 ? `Contradicts ${given}: it is written with the other decimal separator.` : noNumber
    )
  }
  if (!forceDecimal && contrary.length > 0) {
    return Result.fail(
      `Contradicts ${given}: its separator stands before three digits. Take it for the decimal separator with --force-decimal.`
    )
  }
  const valid = second === undefined ? [first] : readings.filter(isValid)
  const [decimal = first, another] = valid
  if (another !== undefined) {
    const [one, other] = [decimal, another].map((each) => ofNumber(Number(each)))
    return Result.fail(`Can be read as ${decimal} or as ${another}. Write ${one} or ${other}, or use --decimal.`)
  }
  return digitsOf(decimal) > 15 ? Result.fail("Must have at most 15 digits.") : Result.succeed(decimal)
}

const areaNames: { readonly [Name in AreaUnit]: string } = {
  sqm: "m²",
  sqft: "sq ft",
  sqyd: "sq yd",
  acre: "acres",
  ha: "ha",
  are: "ares",
  sqkm: "km²",
  sqmi: "sq mi",
  tsubo: "tsubo"
}

const severalOf = (words: string, values: ReadonlyArray<string>): string | undefined =>
  values.length > 1 ? `Has several ${words}: ${values.join(" and ")}.` : undefined

const perAreaProblem = ([unit]: Unit["perArea"]): string | undefined =>
  unit === undefined ? undefined : `Is an amount per ${areaNames[unit]}, and not a total.`

const scaleProblem = ({ scale }: Unit) => severalOf("scales", scale)

/** What a unit says, and the failure if it is not understood. */
const understood = (units: Units, unit: Unit): Result.Result<Unit, string> => {
  const problem = units.problemOf(unit)
  return problem === undefined ? Result.succeed(unit) : Result.fail(problem)
}

/** The unit of a cell: what is around its number, unless that is the name of the member's own unit. A cell has no other words. */
const unitAround = ({ dimension, names }: Units, { around }: Quantity): Unit => {
  const texts = around.filter((text) => !names.some((name) => isUnit(name, text)))
  const wordsIn = (text: string) =>
    wordsOf(text).map((word): Word => (word.is === "filler" ? { is: "unknown", text: word.text } : word))
  return texts.length === 0 ? noUnit : together(...texts.map((text) => unitOf(dimension, wordsIn(text))))
}

/** The scale of a number. One in the cell must be that of the column, and a unit in the cell needs it, too. */
const scaled = (sent: Sent, around: Unit): Result.Result<ReadonlyArray<Ratio>, string> => {
  const [ofColumn] = sent.named.scale
  const namesUnit = around.currency.length + around.sign.length + around.area.length > 0
  if (ofColumn !== undefined && around.scale.length === 0 && namesUnit && sent.said.scale.length === 0) {
    return Result.fail(
      `Has a unit of its own, without the scale of its column. Say the scale with --scale "${sent.column}=${ofColumn}".`
    )
  }
  const [scale] = [...around.scale, ...sent.named.scale]
  return Result.succeed(scale === undefined ? [] : [{ times: scale }])
}

const numberUnits = (names: ReadonlyArray<string>, hasLength: boolean): Units => ({
  dimension: "number",
  hasPeriod: false,
  names,
  problemOf: (unit) => {
    const [length] = unit.length
    const [unknown] = hasLength || length === undefined ? unit.unknown : [...unit.unknown, length]
    const unitName = hasLength ? "m or ft" : names[0]
    if (unknown !== undefined) {
      return unitName === undefined
        ? `It is a number without a unit, and cannot have ${unknown}.`
        : `${unknown} is no unit of it. Use ${unitName}.`
    }
    return severalOf("units", unit.length) ?? scaleProblem(unit)
  }
})

const numeric = (units: Units): ColumnType => ({
  ...alone,
  units,
  read: (sent) => {
    const found = quantityOf(sent)
    if (found === undefined) return Result.fail(noNumber)
    const around = unitAround(units, found)
    if (units.names.length === 0 && around.unknown.length > 0) return Result.fail(noNumber)
    return Result.gen(function* () {
      const unit = yield* understood(units, together(around, sent.named))
      const [length] = unit.length
      const ratios = [...(yield* scaled(sent, around)), ...(length === undefined ? [] : [inMetres(length)])]
      const valueOf = (decimal: string) => Number(ratios.length === 0 ? decimal : converted(decimal, ratios))
      return valueOf(yield* decimalOf(found, sent.defaults, (decimal) => sent.isValid(valueOf(decimal))))
    })
  },
  write: (value, _separator, audience) => ({ value: numberFor(audience, Number(value)) })
})

/** A number; `names` are those of its unit. */
export const number = (...names: ReadonlyArray<string>): ColumnType => numeric(numberUnits(names, false))

/** A length in metres. */
export const metres: ColumnType = numeric(numberUnits([], true))

const degreesOf = /^-?\d{1,3}[.,]\d+$/

const plainDegrees = number("°", "deg", "degrees", "decimal degrees", "Grad", "WGS84", "WGS 84")

/** Degrees, which may have more digits than other numbers. */
export const degrees: ColumnType = {
  ...plainDegrees,
  read: (sent) => {
    const cell = sent.cell.trim().replace(/\s*°$/, "")
    return degreesOf.test(cell) ? Result.succeed(Number(cell.replace(",", "."))) : plainDegrees.read(sent)
  }
}

const standards = finder([
  ...["ipms1", "ipms2", "ipms3_1", "ipms3_2", "gea", "gia", "nia", "gla", "local"].map((name) => [name, name] as const),
  ["local rules", "local"]
])

const areaUnits: Units = {
  dimension: "area",
  hasPeriod: false,
  names: [],
  problemOf: (unit) => {
    const [unknown] = unit.unknown
    if (unknown !== undefined) return `${unknown} is no unit of area. Use m², ha, sq ft or acres, or say --unit.`
    return (
      severalOf(
        "units",
        unit.area.map((one) => areaNames[one])
      ) ?? scaleProblem(unit)
    )
  }
}

/** An area. */
export const area: ColumnType = {
  ...alone,
  parts: ["value", "standard", "measuredOn"],
  units: areaUnits,
  read: (sent) => {
    const { defaults, isValid, measuredOn, named, standard, unit, unitColumn } = sent
    const found = quantityOf(sent)
    if (found === undefined) return Result.fail(noNumber)
    const around = unitAround(areaUnits, found)
    const inColumn = unit === undefined ? noUnit : unitOf("area", wordsOf(unit))
    return Result.gen(function* () {
      const all = yield* understood(areaUnits, together(around, named, inColumn))
      const [areaUnit = defaults.unit] = all.area
      if (areaUnit === undefined && unitColumn !== undefined)
        return yield* Result.fail(`Needs its unit, in a column ${unitColumn}.`)
      const scale = yield* scaled({ ...sent, named: together(named, inColumn) }, around)
      const ratios = [...scale, ...(areaUnit === undefined || areaUnit === "sqm" ? [] : [inSquareMetres(areaUnit)])]
      const areaOf = (decimal: string) => ({
        value: Number(ratios.length === 0 ? decimal : converted(decimal, ratios)),
        unit: "sqm",
        ...(standard === undefined ? {} : { standard: standards(standard) ?? standard }),
        ...(measuredOn === undefined ? {} : { measuredOn: isoDate(measuredOn) })
      })
      return areaOf(yield* decimalOf(found, defaults, (decimal) => isValid(areaOf(decimal))))
    })
  },
  write: (value, _separator, audience) => {
    const { measuredOn, standard, value: size } = value as { value: number; standard?: string; measuredOn?: string }
    return { value: numberFor(audience, size), standard: standard ?? "", measuredOn: measuredOn ?? "" }
  }
}

const periodWords: { readonly [P in Period]: string } = {
  year: "year",
  halfYear: "half a year",
  quarter: "quarter",
  month: "month",
  week: "week",
  day: "day"
}

const moneyUnits = (hasPeriod: boolean): Units => ({
  dimension: "money",
  hasPeriod,
  names: [],
  problemOf: (unit) => {
    const [unknown] = unit.unknown
    if (unknown !== undefined) {
      return `${unknown} is no currency or scale. Write the whole amount, and its ISO 4217 code, such as EUR.`
    }
    const [period] = unit.period
    if (period !== undefined && !hasPeriod) return `Is an amount per ${periodWords[period]}, and not a price.`
    return (
      perAreaProblem(unit.perArea) ??
      severalOf("currencies", unit.currency) ??
      scaleProblem(unit) ??
      severalOf(
        "periods",
        unit.period.map((one) => periodWords[one])
      )
    )
  }
})

/** The one currency of an amount: that which it names, or else that of its row or of the option. */
const currencyFor = (unit: Unit, { column, defaults, rowCurrency }: Sent): Result.Result<string, string> => {
  const ofRow =
    rowCurrency === undefined
      ? noUnit
      : currencyOf(rowCurrency) === undefined
        ? unitOf("money", wordsOf(rowCurrency))
        : { ...noUnit, currency: [currencyOf(rowCurrency) ?? ""] }
  const [unknown] = [...ofRow.unknown, ...ofRow.scale, ...ofRow.period]
  if (unit.currency.length === 0 && (unknown !== undefined || ofRow.currency.length > 1)) {
    return Result.fail(`${rowCurrency} is no currency. Write its ISO 4217 code, such as EUR.`)
  }
  const [code = ofRow.currency[0] ?? defaults.currency] = unit.currency
  const signs = [...unit.sign, ...(unit.currency.length === 0 && ofRow.currency.length === 0 ? ofRow.sign : [])]
  const [sign] = signs
  if (code === undefined) {
    return Result.fail(
      sign === undefined
        ? "Needs its currency: in the cell, in a column currency, or by --currency."
        : `${sign.sign} is no currency alone, because several have it. Say which with --currency "${column}=${sign.codes[0]}".`
    )
  }
  const contrary = signs.find(({ codes }) => !codes.includes(code))
  return contrary === undefined
    ? Result.succeed(code)
    : Result.fail(`Has several currencies: ${contrary.sign} and ${code}.`)
}

/** The factor to an amount of a year. A year has no whole number of weeks, so that 52 must have been said. */
const yearly = (unit: Unit, { column, defaults, said }: Sent): Result.Result<ReadonlyArray<Ratio>, string> => {
  const [period = defaults.per ?? "year"] = unit.period
  if (period === "day") return Result.fail("Is an amount per day. Write that of a year.")
  const isSaid = said.period.includes("week") || (unit.period.length === 0 && defaults.per === "week")
  if (period === "week" && !isSaid)
    return Result.fail(`Is an amount per week. Write that of a year, or count 52 weeks with --per "${column}=week".`)
  return Result.succeed(period === "year" ? [] : [inYear(period)])
}

const moneyWith = (units: Units): ColumnType => ({
  ...alone,
  parts: ["value", "currency"],
  units,
  read: (sent) => {
    const { currency, defaults, isValid, named } = sent
    const found = quantityOf(sent)
    if (found === undefined) return Result.fail(noNumber)
    const around = unitAround(units, found)
    const code = currency === undefined ? undefined : currencyOf(currency)
    const inColumn =
      currency === undefined
        ? noUnit
        : code === undefined
          ? unitOf("money", wordsOf(currency))
          : { ...noUnit, currency: [code] }
    return Result.gen(function* () {
      const unit = yield* understood(units, together(around, named, inColumn))
      const own = yield* currencyFor(unit, sent)
      const ofColumn = { ...sent, named: together(named, inColumn) }
      const scale =
        unit.scale.length === 0 && defaults.scale !== undefined
          ? [{ times: defaults.scale }]
          : yield* scaled(ofColumn, around)
      const ratios = [...scale, ...(units.hasPeriod ? yield* yearly(unit, sent) : [])]
      const moneyOf = (decimal: string) => ({
        value: Number(ratios.length === 0 ? decimal : converted(decimal, ratios)),
        currency: own
      })
      return moneyOf(yield* decimalOf(found, defaults, (decimal) => isValid(moneyOf(decimal))))
    })
  },
  write: (value, _separator, audience) => {
    const { currency, value: amount } = value as { value: number; currency: string }
    return { value: numberFor(audience, amount), currency }
  }
})

/** A price. */
export const price: ColumnType = moneyWith(moneyUnits(false))

/** An amount of a year. */
export const perYear: ColumnType = moneyWith(moneyUnits(true))

const percentUnits: Units = {
  dimension: "percent",
  hasPeriod: false,
  names: [],
  problemOf: (unit) => {
    const [unknown] = unit.unknown
    if (unknown !== undefined) return `The unit ${unknown} is not understood: it must be a percentage, such as 4.75 %.`
    const period = unit.period.find((one) => one !== "year")
    if (period !== undefined) return `Is a percentage per ${periodWords[period]}.`
    return severalOf("units", unit.ratio)
  }
}

/** A percentage. Up to 1, it needs the sign: spreadsheets keep 4.75 % as 0.0475. */
export const percent: ColumnType = {
  ...alone,
  units: percentUnits,
  read: (sent) => {
    const found = quantityOf(sent)
    if (found === undefined) return Result.fail("Must be a percentage, such as 4.75 %.")
    return Result.gen(function* () {
      const unit = yield* understood(percentUnits, together(unitAround(percentUnits, found), sent.named))
      const [ratio] = unit.ratio
      const percentOf = (decimal: string) => ({
        value: Number(ratio === undefined || ratio === "percent" ? decimal : converted(decimal, [inPercent(ratio)])),
        unit: "percent"
      })
      const decimal = yield* decimalOf(found, sent.defaults, (one) => sent.isValid(percentOf(one)))
      const isFraction = decimal !== "0" && Math.abs(Number(decimal)) <= 1
      return isFraction && ratio === undefined
        ? yield* Result.fail(
            `Can be read as ${decimal} % or as ${converted(decimal, [inPercent("fraction")])} %. Write it with %. Or say --unit "${sent.column}=percent" or "${sent.column}=fraction".`
          )
        : percentOf(decimal)
    })
  },
  write: (value, _separator, audience) => ({
    value: `${numberFor(audience, (value as { readonly value: number }).value)}%`
  })
}

const yearUnits: Units = {
  dimension: "years",
  hasPeriod: true,
  names: [],
  problemOf: (unit) => {
    const [unknown] = [...unit.unknown, ...unit.period.filter((one) => one !== "year" && one !== "month")]
    if (unknown !== undefined)
      return `The unit ${unknown} is not understood: it must be a number of years, such as 5.5.`
    return severalOf("units", unit.period)
  }
}

/** A duration in years. */
export const years: ColumnType = {
  ...alone,
  units: yearUnits,
  read: (sent) => {
    const found = quantityOf(sent)
    if (found === undefined) return Result.fail("Must be a number of years, such as 5.5.")
    return Result.gen(function* () {
      const unit = yield* understood(yearUnits, together(unitAround(yearUnits, found), sent.named))
      const yearsOf = (decimal: string) => ({
        value: Number(unit.period[0] === "month" ? converted(decimal, [{ times: "1", over: 12n }]) : decimal),
        unit: "years"
      })
      return yearsOf(yield* decimalOf(found, sent.defaults, (decimal) => sent.isValid(yearsOf(decimal))))
    })
  },
  write: (value, _separator, audience) => ({
    value: numberFor(audience, (value as { readonly value: number }).value)
  })
}

/** A name of a value with its signs as words: `plain` drops signs, and A+ is not A. */
export const withSigns = (name: string) => name.replaceAll("+", "plus")

/** What a vocabulary makes of names. */
interface Vocabulary {
  /** The value with this name; the name itself if it has none. */
  readonly valueOf: (name: string) => string
  /** Why a name has no value, with what is near. */
  readonly problemOf: (name: string) => string
}

const longWordsIn = (name: string) =>
  name
    .split(/[^\p{L}\p{N}]+/u)
    .map(plain)
    .filter((word) => word.length > 3)

/** The values by what the console calls them, in each language. */
const labelsOfConsole = (values: ReadonlyArray<string>) =>
  values.flatMap((value) => allLanguages.map((language) => [withSigns(label({ language }, value)), value] as const))

const vocabularyOf = <const V extends ReadonlyArray<string>>(values: V, labels: Labels<V>): Vocabulary => {
  const labelled = Object.entries(labels as Readonly<Record<string, ReadonlyArray<string>>>)
  const names = [
    ...labelled.flatMap(([value, some]) => some.map((name) => [name, value] as const)),
    ...labelsOfConsole(values),
    ...values.map((value) => [value, value] as const)
  ]
  const find = finder(names)
  const nearOf = (name: string): ReadonlyArray<string> => {
    const spelled = nearest(
      name,
      names.map(([one]) => one)
    )
    const words = longWordsIn(name)
    const near = [
      ...names.filter(([one]) => words.includes(plain(one))),
      ...names.filter(([one]) => one === spelled),
      ...names.filter(([one]) => longWordsIn(one).some((word) => words.includes(word)))
    ]
    return [...new Set(near.map(([, value]) => value))].slice(0, 3)
  }
  return {
    valueOf: (name) => find(withSigns(name)) ?? name.trim(),
    problemOf: (name) => {
      const near = nearOf(name)
      return `Is no known value.${near.length === 0 ? "" : ` Near: ${near.join(", ")}.`} Must be one of: ${values.join(", ")}.`
    }
  }
}

/** What to do about a value that is not known. */
const mapValue = (column: string, name: string) =>
  ` Say what it means with --map-value "${column}:${Cells.shortened(name)}=VALUE".`

/** One value of a vocabulary, or one of its labels. */
export const oneOf = <const V extends ReadonlyArray<string>>(values: V, labels: Labels<V>): ColumnType => {
  const vocabulary = vocabularyOf(values, labels)
  return {
    ...alone,
    read: ({ cell, column, isValid }) => {
      // A value may look like a mark of absence: `none`.
      const name = Cells.toText(cell) ?? cell
      const value = vocabulary.valueOf(name)
      return isValid(value) ? Result.succeed(value) : Result.fail(vocabulary.problemOf(name) + mapValue(column, name))
    },
    write: (value, _separator, audience) => ({ value: wordFor(audience, String(value)) })
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
export const anyOf = <const V extends ReadonlyArray<string>>(values: V, labels: Labels<V>): ColumnType => {
  const vocabulary = vocabularyOf(values, labels)
  const list = listWith(vocabulary.valueOf)
  return {
    ...list,
    write: (some, separator, audience) =>
      list.write(
        (some as ReadonlyArray<string>).map((value) => wordFor(audience, value)),
        separator
      ),
    read: (sent) => {
      const unknown = (Cells.toList(sent.cell, sent.separator) ?? []).find(
        (name) => !sent.isValid([vocabulary.valueOf(name)])
      )
      return unknown === undefined
        ? list.read(sent)
        : Result.fail(vocabulary.problemOf(unknown) + mapValue(sent.column, unknown))
    }
  }
}

/** A country: its code of two or three letters, or its name. */
export const country: ColumnType = {
  ...alone,
  read: ({ cell }) => {
    const code = countryOf(cell)
    return code === undefined ? Result.fail(noCountry) : Result.succeed(code)
  },
  write: (value, _separator, audience) => ({ value: countryFor(audience, String(value)) })
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
