/** Turns the cells of a row into a property or a mandate to upsert. Pure. */
import type { Audience } from "./audience.ts"
import * as Cells from "./cells.ts"
import { Predicate, Result, Schema } from "effect"
import type { Member } from "../market/properties/members/Member.ts"
import { MandateCreate } from "../market/mandates/Mandate.ts"
import { propertyMembers } from "../market/properties/Property.ts"
import type { Json } from "../core/usecase/Input.ts"
import { isAbsence } from "../core/fields/absence.ts"
import type { DecimalSeparator } from "../core/fields/writtenNumbers.ts"
import { absent, ofNumber } from "./cells.ts"
import { type AreaUnit, currencyOf, noUnit, type Period, type Scale, unitOf, wordsOf } from "./units.ts"
import { columns as ofMandates, endsIn, importedOnly } from "./mandateColumns.ts"
import { columnAt, columnsOf, keyOf, type Measured, type PropertyTarget } from "./propertyTargets.ts"
import type { Column } from "./propertyColumns.ts"
import { type ColumnType, type Ends, isContrary, type Part, type Sent } from "./propertyTypes.ts"

/** A cell. */
export interface Cell {
  readonly target: PropertyTarget
  /** The name of its column. */
  readonly column: string
  readonly text: string
  /** Whether the text is a number of JSON, which has a decimal point in any file. */
  readonly isNumber?: boolean
}

/** How cells are read. */
export interface Reading {
  /** The character between the values of one cell. */
  readonly separator: string
  /** The currency of amounts that have no other. */
  readonly currency: string | undefined
  /** The decimal separator; if it is not known, a number with two readings is refused. */
  readonly decimal: DecimalSeparator | undefined
  /** Whether the decimal separator also counts where a number is grouped with it. */
  readonly forceDecimal?: boolean
  /** The unit of areas that have no other. */
  readonly unit?: AreaUnit | undefined
  /** The scale of amounts that have no other. */
  readonly scale?: Scale | undefined
  /** The period of amounts of a period that have no other. */
  readonly per?: Period | undefined
}

/** Members by their names, at every depth. */
interface Nested {
  readonly [member: string]: Json
}

/** The schemas of requests by the path of the member. */
const schemas: ReadonlyMap<string, Schema.Top> = (() => {
  const at = (members: { readonly [name: string]: Member }, above: string): ReadonlyArray<[string, Schema.Top]> =>
    Object.entries(members).flatMap(([name, { input, members: inner }]): ReadonlyArray<[string, Schema.Top]> =>
      inner === undefined ? [[`${above}${name}`, input]] : at(inner, `${above}${name}.`)
    )
  return new Map(at(propertyMembers, ""))
})()

type Checks = ReadonlyMap<string, (value: unknown) => boolean>

const checksOf = (some: Iterable<readonly [string, Schema.Top]>): Checks =>
  new Map([...some].map(([path, schema]) => [path, Schema.is(schema as Schema.Codec<unknown>)] as const))

const checks: { readonly [M in Measured]: Checks } = {
  properties: checksOf(schemas),
  mandates: checksOf(Object.entries(MandateCreate.fields))
}

/** Sets the value at a path. Objects on the way are copied: other rows may have them. */
const put = (item: { [member: string]: Json }, [name = "", ...inner]: ReadonlyArray<string>, value: Json): void => {
  if (inner.length === 0) {
    item[name] = value
    return
  }
  const before = item[name]
  const nested: { [member: string]: Json } = Predicate.isObject(before) ? { ...(before as Nested) } : {}
  put(nested, inner, value)
  item[name] = nested
}

/** The texts of a column that were read before. A column of prices has few of them again, one of uses all. */
class KnownTexts {
  private readonly values = new Map<string, { readonly value: Json | null | undefined }>()
  private hits = 0
  private misses = 0

  get(text: string) {
    if (text.length > maxKnownLength) return undefined
    const found = this.values.get(text)
    if (found === undefined) this.misses++
    else this.hits++
    return found
  }

  set(text: string, value: { readonly value: Json | null | undefined }): void {
    const isUseful = this.misses < maxKnown || this.hits > this.misses
    if (!isUseful || text.length > maxKnownLength) return
    if (this.values.size >= maxKnown) this.values.clear()
    this.values.set(text, value)
  }
}

const maxKnown = 300
const maxKnownLength = 60

const knownTexts = new WeakMap<Reading, WeakMap<Cell["target"], KnownTexts>>()

/** The texts of the column of a cell, as this file is read. */
const textsOf = (reading: Reading, { target }: Cell): KnownTexts => {
  const columns = knownTexts.get(reading) ?? new WeakMap<Cell["target"], KnownTexts>()
  const known = columns.get(target)
  if (known !== undefined) return known
  knownTexts.set(reading, columns)
  const texts = new KnownTexts()
  columns.set(target, texts)
  return texts
}

/** What the cells of a row say of a property or a mandate. */
export interface ReadMembers {
  readonly members: Nested
  /** The cells that cannot be read. */
  readonly refused: ReadonlyArray<Cells.Remark>
  /** The cells that were left out, or read as an option says. */
  readonly reported: ReadonlyArray<Cells.Remark>
}

/** The cells of one member. */
type Parts = { readonly [P in Part]?: Cell }

// Of the members that columns may have.
const paths = new Map<string, ReadonlyArray<string>>()

/** The names in the path of a member. */
const pathOf = (member: string): ReadonlyArray<string> => {
  const known = paths.get(member)
  if (known !== undefined) return known
  const path = member.split(".")
  paths.set(member, path)
  return path
}

/** The cells of the ends of a range, each in a column of its own or both in one; undefined if there is one that has none. */
const endsOf = (parts: Parts): { readonly [P in "min" | "max"]?: Cell } | undefined => {
  const { max, min, value } = parts
  if (value === undefined) return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) }
  if (value.text.trim() === Cells.clearMark) return { min: value, max: value }
  const found = endsIn(value.text)
  if (found === undefined) return undefined
  const cellOfEnd = (text: string | undefined): Cell | undefined =>
    text === undefined ? undefined : { ...value, text }
  const [low, high] = [cellOfEnd(found.min), cellOfEnd(found.max)]
  return { ...(low === undefined ? {} : { min: low }), ...(high === undefined ? {} : { max: high }) }
}

const noRange = "Must be a range, such as 5-25, ab 5 or bis 25, or have its ends in columns of their own."

/** The members that the cells of `of` set, which are not empty. */
export const membersOf = (of: Measured, cells: ReadonlyArray<Cell>, reading: Reading): ReadMembers => {
  const { currency, decimal, forceDecimal = false, per, scale, separator, unit } = reading
  const byMember = new Map<string, { [P in Part]?: Cell }>()
  let rowCurrency: string | undefined
  for (const cell of cells) {
    if (cell.target.is === "currency") rowCurrency = Cells.toText(cell.text) ?? undefined
    else {
      const { member, part } = cell.target
      const parts = byMember.get(member)
      if (parts === undefined) byMember.set(member, { [part]: cell })
      else parts[part] = cell
    }
  }
  const item: { [member: string]: Json } = {}
  const refused: Array<Cells.Remark> = []
  const reported: Array<Cells.Remark> = []
  const refuse = ({ column, text }: Cell, detail: string) =>
    refused.push({ column, code: "invalid_cell", detail, value: Cells.shortened(text) })
  const textOf = (cell: Cell | undefined) => (cell === undefined ? undefined : (Cells.toText(cell.text) ?? undefined))

  /** The value of a cell: null clears the member, undefined leaves it out. What stands alone is read once for each text and currency. */
  const valueOf = (
    type: ColumnType,
    cell: Cell,
    parts: Parts,
    isValid: (value: Json) => boolean
  ): Json | null | undefined => {
    if (Object.keys(parts).length > 1 || cell.isNumber === true) return readValue(type, cell, parts, isValid)
    const known = textsOf(reading, cell)
    const key = rowCurrency === undefined ? cell.text : `${cell.text}\n${rowCurrency}`
    const before = known.get(key)
    if (before !== undefined) return before.value
    const remarks = refused.length + reported.length
    const value = readValue(type, cell, parts, isValid)
    if (remarks === refused.length + reported.length) known.set(key, { value })
    return value
  }

  const readValue = (
    type: ColumnType,
    cell: Cell,
    parts: Parts,
    isValid: (value: Json) => boolean
  ): Json | null | undefined => {
    if (cell.text.trim() === Cells.clearMark) return null
    const target = cell.target.is === "value" ? cell.target : undefined
    const sent: Sent = {
      cell: cell.text,
      column: cell.column,
      named: target?.unit ?? noUnit,
      said: target?.said ?? noUnit,
      unitColumn: target?.unitColumn,
      unit: textOf(parts.unit),
      currency: textOf(parts.currency),
      rowCurrency,
      standard: textOf(parts.standard),
      measuredOn: textOf(parts.measuredOn),
      separator,
      defaults: {
        currency,
        unit,
        // The column of the scale says what the numbers are.
        scale: parts.scale === undefined ? scale : undefined,
        per,
        decimal: cell.isNumber === true ? "." : decimal,
        forceDecimal
      },
      isValid
    }
    const read = type.read(sent)
    const list = type.isList ? Cells.readList(cell.text, separator) : undefined
    // Validation takes longer, and few cells need it.
    const isUnread = () => type.isText || Result.isFailure(read) || !isValid(read.success)
    if (list?.hasAbsence ?? (isAbsence(cell.text) && isUnread())) {
      reported.push({ column: cell.column, ...absent, value: Cells.shortened(cell.text) })
      if (list?.values === undefined) return undefined
    }
    if (Result.isFailure(read)) {
      refuse(cell, read.failure)
      return undefined
    }
    if (forceDecimal && isContrary(type, sent)) {
      reported.push({
        column: cell.column,
        code: "forced_decimal",
        detail: "Was read with the decimal separator of --force-decimal.",
        value: Cells.shortened(cell.text)
      })
    }
    return read.success
  }

  /** The range of a member: null clears it, undefined leaves it out. */
  const rangeOf = ({ end, of: toRange }: Ends, parts: Parts, isValid: (value: Json) => boolean): Json | undefined => {
    const ends = endsOf(parts)
    if (ends === undefined) {
      const { value } = parts
      if (value !== undefined && isAbsence(value.text)) {
        reported.push({ column: value.column, ...absent, value: Cells.shortened(value.text) })
      } else if (value !== undefined) refuse(value, noRange)
      return undefined
    }
    const { scale: ofScale } = parts
    const scaled = [ends.min, ends.max].find(
      (cell) =>
        ofScale !== undefined &&
        cell?.target.is === "value" &&
        [...(cell.target.unit?.scale ?? []), ...unitOf("money", wordsOf(cell.text)).scale].length > 0
    )
    if (scaled !== undefined && ofScale !== undefined) {
      refuse(scaled, `Has a scale, and another one in the column ${ofScale.column}.`)
      return undefined
    }
    const [low, high] = [ends.min, ends.max].map((cell) =>
      cell === undefined || parts.value === undefined ? [] : unitOf("money", wordsOf(cell.text)).scale
    )
    const isOfOne = ends.min !== undefined && ends.max !== undefined && low?.length !== high?.length
    if (parts.value !== undefined && isOfOne) {
      refuse(parts.value, "Has a scale at one end only. Write it at both.")
      return undefined
    }
    const before = refused.length
    const [min, max] = [ends.min, ends.max].map((cell) =>
      cell === undefined
        ? undefined
        : valueOf(end, cell, parts, (value) =>
            Result.match(toRange(value, null, undefined), { onSuccess: isValid, onFailure: () => false })
          )
    )
    if (refused.length > before || (min === undefined && max === undefined)) return undefined
    if ((min ?? null) === null && (max ?? null) === null) return null
    const read = toRange(min ?? null, max ?? null, textOf(ofScale))
    if (Result.isSuccess(read)) return read.success
    const cell = ends.min ?? ends.max
    if (cell !== undefined) refuse(cell, read.failure)
    return undefined
  }

  for (const [member, parts] of byMember) {
    const type = columnAt(of, member)?.type
    if (type === undefined) continue
    const isValid = checks[of].get(member) ?? (() => true)
    const { value = parts.min ?? parts.max } = parts
    if (value === undefined) {
      const alone = parts.standard ?? parts.measuredOn
      if (alone !== undefined) refuse(alone, `Needs a value of ${member} in the same row.`)
      continue
    }
    const read = type.ends === undefined ? valueOf(type, value, parts, isValid) : rangeOf(type.ends, parts, isValid)
    if (read !== undefined) put(item, pathOf(member), read)
  }
  return { members: item, refused, reported }
}

/** The value at a path; undefined if the record has none there. */
export const valueAt = (record: object, path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((value, name) => (Predicate.isObject(value) ? value[name as never] : undefined), record)

/** Whether a column has several values in a cell. */
export const isList = (target: PropertyTarget): boolean =>
  target.is === "value" && target.part === "value" && columnAt(target.of, target.member)?.type.isList === true

/** Why a part of a member cannot have a value, if its row says the rest; undefined if it can. */
export const problemOf = (target: PropertyTarget, value: string, separator: string): string | undefined => {
  const noCurrency = currencyOf(value) === undefined ? "Must be an ISO 4217 code, such as EUR." : undefined
  if (target.is === "currency" || target.part === "currency") return noCurrency
  const { member, of, part, unit } = target
  const currency = unit?.sign[0]?.codes[0] ?? "EUR"
  const reading = { separator, currency, decimal: undefined, unit: "sqm" } as const
  const cell = { target, column: member, text: value }
  // A range has its ends in one column, or each in one of its own.
  const isRange = columnAt(of, member)?.type.ends !== undefined
  const main = {
    target: { is: "value", of, member, part: isRange ? "min" : "value" },
    column: member,
    text: "1"
  } as const
  const isMain = part === "value" || part === "min" || part === "max"
  const { members, refused } = membersOf(of, isMain ? [cell] : [main, cell], reading)
  const [remark] = refused
  if (remark !== undefined) return remark.detail.replace(/ Say what it means with --map-value .*$/s, "")
  const read = valueAt(members, member.split("."))
  return read === undefined || checks[of].get(member)?.(read) !== false ? undefined : "Is no value of the member."
}

/** The cell of a JSON value that a column has; undefined if it is no value of a cell. */
export const cellOf = (value: Json, separator: string): string | undefined => {
  if (value === null) return "\\N"
  if (typeof value === "string") return Cells.ofText(value)
  if (typeof value === "number") return ofNumber(value)
  if (typeof value === "boolean") return String(value)
  return Array.isArray(value) && value.every((one) => typeof one === "string")
    ? value.length === 0
      ? "\\N"
      : Cells.ofList(value, separator)
    : undefined
}

/** Whether only imports have a column: an export has what it means. */
const isImportedOnly = (of: Measured, member: string) => of === "mandates" && importedOnly.has(member)

const propertyNames: ReadonlyArray<string> = ["id", "name", "ownerId", ...Object.keys(propertyMembers)]

/** The members that lines of NDJSON may have, without `externalRefs`. */
export const members: { readonly [M in Measured]: ReadonlyArray<string> } = {
  properties: propertyNames,
  mandates: [...new Set(Object.keys(ofMandates).map((path) => path.split(".")[0] ?? ""))]
}

/** The members that an export has in a file of NDJSON, without `externalRefs`. */
export const exported = (of: Measured): ReadonlyArray<string> =>
  members[of].filter((member) => !isImportedOnly(of, member))

/** The columns of an export, without `externalRefs`. */
export const columnKeys = (of: Measured): ReadonlyArray<string> =>
  Object.entries<Column>(columnsOf[of])
    .filter(([member]) => !isImportedOnly(of, member))
    .flatMap(([member, { type }]) => type.parts.map((part) => keyOf({ is: "value", of, member, part })))

const isNothing = (value: unknown) =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0)

/** The cells of a record, in the order of {@link columnKeys}. */
export const cellsOf = (of: Measured, record: object, separator: string, audience?: Audience): ReadonlyArray<string> =>
  Object.entries<Column>(columnsOf[of])
    .filter(([member]) => !isImportedOnly(of, member))
    .flatMap(([member, { type }]) => {
      const value = valueAt(record, member.split("."))
      const written = isNothing(value) ? {} : type.write(value, separator, audience)
      return type.parts.map((part) => written[part] ?? "")
    })
