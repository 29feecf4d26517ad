/**
 * The columns of properties in files: one for each scalar, by its path with dots, and how cells become members. Areas, money, percentages
 * and years have a column for their number; lists of objects are JSON. Pure.
 */
import countries from "i18n-iso-countries/index.js"
import { Predicate, Result } from "effect"
import { propertyMembers } from "../properties/Property.ts"
import type { Member, Members } from "../properties/members/Member.ts"
import type { Json } from "../usecase/Input.ts"
import * as Cells from "./Cells.ts"
import * as Numbers from "./Numbers.ts"

/** Where a cell goes. */
type Path = ReadonlyArray<string>

/** What a cell sets: values by their paths. */
export type Assigned = ReadonlyArray<readonly [path: Path, value: Json]>

/** A column. */
interface PropertyColumn {
  /** What the cell without a value clears. */
  readonly path: Path
  readonly read: (text: string, separator: string) => Result.Result<Assigned, string>
  /** The cell of a value at the path of the column in a record. */
  readonly write: (value: unknown, separator: string) => string
}

const at = (record: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, name) => (Predicate.isObject(value) ? value[name as never] : undefined), record)

const textOf = (value: unknown): string =>
  typeof value === "string" ? Cells.ofText(value) : value === null || value === undefined ? "" : String(value)

/** A code of a vocabulary as files write it: `A+`, `Multi-tenant`. */
const wordOf = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll("+", "_plus")
    .replaceAll(/[\s-]+/g, "_")

const yes = new Set(["true", "yes", "y", "1", "ja", "j", "wahr"])
const no = new Set(["false", "no", "n", "0", "nein", "falsch"])

const flagOf = (text: string): Result.Result<Json, string> => {
  const word = text.toLowerCase()
  if (yes.has(word)) return Result.succeed(true)
  return no.has(word) ? Result.succeed(false) : Result.fail("Must be true or false.")
}

// OpenImmo names countries by three letters.
const countryOf = (text: string): string => (/^[A-Z]{3}$/.test(text) ? (countries.alpha3ToAlpha2(text) ?? text) : text)

const jsonOf = (text: string): Result.Result<Json, string> => {
  try {
    return Result.succeed(JSON.parse(text) as Json)
  } catch {
    return Result.fail("Must be a JSON array, as an export writes it.")
  }
}

const column = (path: Path, read: (text: string) => Result.Result<Json, string>): PropertyColumn => ({
  path,
  read: (text) => Result.map(read(text), (value) => [[path, value]]),
  write: (value) => textOf(value)
})

/** The column of the number of a value with a unit; `amount`: of an area or of money. */
const ofValue = (path: Path, unit: string | undefined, amount = false): PropertyColumn => ({
  path,
  read: (text) =>
    Result.map(Numbers.parse(text, amount), (value) => [
      [[...path, "value"], value],
      ...(unit === undefined ? [] : [[[...path, "unit"], unit] as const])
    ]),
  write: (value) => {
    const number = at(value, ["value"])
    return typeof number === "number" ? Numbers.write(number) : ""
  }
})

const asText = (path: Path) => column(path, (text) => Result.succeed(text))

/** The columns of a member. */
const columnsOf = (path: Path, { form, members }: Member): ReadonlyArray<PropertyColumn> => {
  if (members !== undefined) return columnsIn(members, path)
  switch (form) {
    case "country":
      return [column(path, (text) => Result.succeed(countryOf(text)))]
    case "word":
      return [column(path, (text) => Result.succeed(wordOf(text)))]
    case "words":
      return [
        {
          path,
          read: (text, separator) => Result.succeed([[path, (Cells.toList(text, separator) ?? []).map(wordOf)]]),
          write: (value, separator) => Cells.ofList((value ?? []) as ReadonlyArray<string>, separator)
        }
      ]
    case "number":
      return [column(path, (text) => Numbers.parse(text))]
    case "flag":
      return [column(path, flagOf)]
    case "area":
      return [ofValue(path, "sqm", true), asText([...path, "standard"]), asText([...path, "measuredOn"])]
    case "money":
      return [ofValue(path, undefined, true), asText([...path, "currency"])]
    case "percent":
    case "years":
      return [ofValue(path, form)]
    case "list":
      return [
        {
          path,
          read: (text) => Result.map(jsonOf(text), (value) => [[path, value]]),
          write: (value) => (Array.isArray(value) && value.length > 0 ? JSON.stringify(value) : "")
        }
      ]
    default:
      return [asText(path)]
  }
}

const columnsIn = (members: Members, above: Path): ReadonlyArray<PropertyColumn> =>
  Object.entries(members).flatMap(([name, member]) => columnsOf([...above, name], member))

// The country and the locality are in the address, too: one place is enough in a file.
const repeated = new Set(["address.country", "address.locality"])

const columns: ReadonlyMap<string, PropertyColumn> = new Map(
  [asText(["id"]), asText(["name"]), asText(["ownerId"]), ...columnsIn(propertyMembers, [])]
    .map((one) => [one.path.join("."), one] as const)
    .filter(([name]) => !repeated.has(name))
)

/** The column of all amounts without a currency of their own. */
export const currency = "currency"

/** The names of the columns. */
export const names: ReadonlyArray<string> = [...columns.keys()]

/** What a cell sets; nothing for an empty one. The failure is a message. `factor` converts a number to the unit of the column. */
export const read = (name: string, cell: string, separator: string, factor = 1): Result.Result<Assigned, string> => {
  const text = Cells.toText(cell)
  if (text === undefined) return Result.succeed([])
  if (name === currency) return Result.succeed([[[currency], text]])
  const found = columns.get(name)
  if (found === undefined) return Result.fail("Is no column of properties.")
  if (text === null) return Result.succeed([[found.path, null]])
  const assigned = found.read(text, separator)
  if (factor === 1) return assigned
  const converted = (value: Json) => (typeof value === "number" ? Number((value * factor).toFixed(4)) : value)
  return Result.map(assigned, (all) => all.map(([path, value]) => [path, converted(value)] as const))
}

/** The cells of a record, in the order of {@link names}. */
export const write = (record: object, separator: string): ReadonlyArray<string> =>
  [...columns.values()].map(({ path, write: cellOf }) => cellOf(at(record, path), separator))

const isMoney = (value: unknown): boolean => Predicate.isObject(value) && "value" in value && !("unit" in value)

const withCurrency = (value: Json, code: Json): Json => {
  if (!Predicate.isObject(value) || Array.isArray(value)) return value
  const object = value as { readonly [name: string]: Json }
  if (isMoney(object)) return "currency" in object ? object : { ...object, currency: code }
  return Object.fromEntries(Object.entries(object).map(([name, inner]) => [name, withCurrency(inner, code)]))
}

type Nested = { [name: string]: Json | Nested }

/** The members of a row: nested by their paths, with the row's currency for amounts without one. */
export const assemble = (assigned: Assigned): { readonly [member: string]: Json } => {
  const item: Nested = {}
  for (const [path, value] of assigned) {
    const last = path.at(-1) ?? ""
    let inside = item
    for (const name of path.slice(0, -1)) {
      const next = inside[name]
      const object: Nested = Predicate.isObject(next) && !Array.isArray(next) ? (next as Nested) : {}
      inside[name] = object
      inside = object
    }
    inside[last] = value
  }
  const { [currency]: code, ...members } = item as { readonly [member: string]: Json }
  return code === undefined ? members : (withCurrency(members, code) as { readonly [member: string]: Json })
}
