/** Turns the cells of a row into a property to upsert. Pure. */
import { Predicate, Result, Schema } from "effect"
import type { Member } from "../../properties/members/Member.ts"
import { propertyMembers } from "../../properties/Property.ts"
import type { Json } from "../../usecase/Input.ts"
import { isAbsence } from "../cells/absence.ts"
import * as Cells from "../cells/Cells.ts"
import { absent } from "../cells/readers.ts"
import { columns } from "./columns.ts"
import { type DecimalSeparator, ofNumber } from "../cells/numbers.ts"
import { type AreaUnit, currencyOf, noUnit, type Period, type Scale } from "../cells/units.ts"
import { keyOf, type PropertyTarget } from "./targets.ts"
import { isContrary, type Part, type Sent } from "./types.ts"

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

const checks = new Map(
  [...schemas].map(([path, schema]) => [path, Schema.is(schema as Schema.Codec<unknown>)] as const)
)

/** Sets the value at a path. */
const put = (item: Nested, [name = "", ...inner]: ReadonlyArray<string>, value: Json): Nested => {
  if (inner.length === 0) return { ...item, [name]: value }
  const nested = item[name]
  return { ...item, [name]: put(Predicate.isObject(nested) ? (nested as Nested) : {}, inner, value) }
}

/** What the cells of a row say of a property. */
export interface ReadMembers {
  readonly members: Nested
  /** The cells that cannot be read. */
  readonly refused: ReadonlyArray<Cells.Remark>
  /** The cells that were left out, or read as an option says. */
  readonly reported: ReadonlyArray<Cells.Remark>
}

/** The members that the cells set, which are not empty. */
export const membersOf = (cells: ReadonlyArray<Cell>, reading: Reading): ReadMembers => {
  const { currency, decimal, forceDecimal = false, per, scale, separator, unit } = reading
  const byMember = new Map<string, { readonly [P in Part]?: Cell }>()
  let rowCurrency: string | undefined
  for (const cell of cells) {
    if (cell.target.is === "currency") rowCurrency = Cells.toText(cell.text) ?? undefined
    else {
      const { member, part } = cell.target
      byMember.set(member, { ...byMember.get(member), [part]: cell })
    }
  }
  let item: Nested = {}
  const refused: Array<Cells.Remark> = []
  const reported: Array<Cells.Remark> = []
  const refuse = ({ column, text }: Cell, detail: string) =>
    refused.push({ column, code: "invalid_cell", detail, value: Cells.shortened(text) })
  const textOf = (cell: Cell | undefined) => (cell === undefined ? undefined : (Cells.toText(cell.text) ?? undefined))
  for (const [member, parts] of byMember) {
    const { value } = parts
    const type = columns[member]?.type
    if (type === undefined) continue
    if (value === undefined) {
      const alone = parts.standard ?? parts.measuredOn
      if (alone !== undefined) refuse(alone, `Needs a value of ${member} in the same row.`)
      continue
    }
    const isCleared = value.text.trim() === Cells.clearMark
    if (isCleared) {
      item = put(item, member.split("."), null)
      continue
    }
    const target = value.target.is === "value" ? value.target : undefined
    const sent: Sent = {
      cell: value.text,
      column: value.column,
      named: target?.unit ?? noUnit,
      said: target?.said ?? noUnit,
      unitColumn: target?.unitColumn,
      unit: textOf(parts.unit),
      currency: textOf(parts.currency),
      rowCurrency,
      standard: textOf(parts.standard),
      measuredOn: textOf(parts.measuredOn),
      separator,
      defaults: { currency, unit, scale, per, decimal: value.isNumber === true ? "." : decimal, forceDecimal },
      isValid: checks.get(member) ?? (() => true)
    }
    const read = type.read(sent)
    const isUnread = type.isText || Result.isFailure(read) || !sent.isValid(read.success)
    const list = type.isList ? Cells.readList(value.text, separator) : undefined
    if (list?.hasAbsence ?? (isUnread && isAbsence(value.text))) {
      reported.push({ column: value.column, ...absent, value: Cells.shortened(value.text) })
      if (list?.values === undefined) continue
    }
    if (Result.isFailure(read)) refuse(value, read.failure)
    else {
      item = put(item, member.split("."), read.success)
      if (forceDecimal && isContrary(type, sent))
        reported.push({
          column: value.column,
          code: "forced_decimal",
          detail: "Was read with the decimal separator of --force-decimal.",
          value: Cells.shortened(value.text)
        })
    }
  }
  return { members: item, refused, reported }
}

const valueAt = (record: object, path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((value, name) => (Predicate.isObject(value) ? value[name as never] : undefined), record)

/** Whether a column has several values in a cell. */
export const isList = (target: PropertyTarget): boolean =>
  target.is === "value" && target.part === "value" && columns[target.member]?.type.isList === true

/** Why a part of a member cannot have a value, if its row says the rest; undefined if it can. */
export const problemOf = (target: PropertyTarget, value: string, separator: string): string | undefined => {
  const noCurrency = currencyOf(value) === undefined ? "Must be an ISO 4217 code, such as EUR." : undefined
  if (target.is === "currency" || target.part === "currency") return noCurrency
  const { member, part, unit } = target
  const currency = unit?.sign[0]?.codes[0] ?? "EUR"
  const reading = { separator, currency, decimal: undefined, unit: "sqm" } as const
  const cell = { target, column: member, text: value }
  const area = { target: { is: "value", member, part: "value" }, column: member, text: "1" } as const
  const { members, refused } = membersOf(part === "value" ? [cell] : [area, cell], reading)
  const [remark] = refused
  if (remark !== undefined) return remark.detail.replace(/ Say what it means with --map-value .*$/s, "")
  const read = valueAt(members, member.split("."))
  return read === undefined || checks.get(member)?.(read) !== false ? undefined : "Is no value of the member."
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

/** The members of a property in a file of NDJSON, without `externalRefs`. */
export const members: ReadonlyArray<string> = ["id", "name", "ownerId", ...Object.keys(propertyMembers)]

/** The columns of an export, without `externalRefs`. */
export const columnKeys: ReadonlyArray<string> = Object.entries(columns).flatMap(([member, { type }]) =>
  type.parts.map((part) => keyOf({ is: "value", member, part }))
)

const isNothing = (value: unknown) =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0)

/** The cells of a property, in the order of {@link columnKeys}. */
export const cellsOf = (property: object, separator: string): ReadonlyArray<string> =>
  Object.entries(columns).flatMap(([member, { type }]) => {
    const value = valueAt(property, member.split("."))
    const written = isNothing(value) ? {} : type.write(value, separator)
    return type.parts.map((part) => written[part] ?? "")
  })
