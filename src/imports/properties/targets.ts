/** What the columns of a file of properties mean, by their names. Pure. */
import { finder } from "../cells/spelling.ts"
import { columns, externalIds, fixedUnits, type Names, rowCurrency, unitColumns } from "./columns.ts"
import type { Part } from "./types.ts"

/** A part of a member. */
export interface ValueTarget {
  readonly is: "value"
  /** The path of the member. */
  readonly member: string
  readonly part: Part
  /** The unit in the name of the column. */
  readonly unit?: string
  /** The column that has the unit, if the name leaves it open. */
  readonly unitColumn?: string
}

/** What a column of properties sets, besides external references. */
export type PropertyTarget = ValueTarget | { readonly is: "currency" }

const namesOf = ({ openImmo = [], others = [], reso = [] }: Names) => [...reso, ...openImmo, ...others]

/** The parts of a member besides its value that files may have in columns of their own. */
const partsOf = (member: string): ReadonlyArray<Part> => {
  const parts = columns[member]?.type.parts ?? []
  return parts.includes("standard") ? ["unit", "standard", "measuredOn"] : parts.filter((part) => part !== "value")
}

const valueOf = (member: string, part: Part): PropertyTarget => ({ is: "value", member, part })

/** What a target sets: no two columns of a file may set the same. */
export const keyOf = (target: PropertyTarget): string =>
  target.is === "currency" ? "currency" : target.part === "value" ? target.member : `${target.member}.${target.part}`

/** Every target with its names. */
export const named: ReadonlyArray<readonly [name: string, target: PropertyTarget]> = [
  ...Object.entries(columns).flatMap(([member, column]) =>
    [member, ...namesOf(column)].map((name) => [name, valueOf(member, "value")] as const)
  ),
  ...Object.keys(columns).flatMap((member) =>
    partsOf(member).map((part) => [`${member}.${part}`, valueOf(member, part)] as const)
  ),
  ...unitColumns.map(({ member, name }) => [name, valueOf(member, "unit")] as const),
  ...["currency", ...namesOf(rowCurrency)].map((name) => [name, { is: "currency" }] as const)
]

const find = finder(named)

const fixedUnitOf = finder(fixedUnits.map(({ of, unit }) => [of, unit] as const))

const unitColumnOf = finder(unitColumns.map(({ name, of }) => [of, name] as const))

const isExternalId = finder(namesOf(externalIds).map((name) => [name, true] as const))

/** Whether a column has the ids of one other system. */
export const hasExternalIds = (name: string): boolean => isExternalId(name) === true

const withUnit = [
  /^(.+?)[\s_]*\((.+)\)$/,
  /^(.+?)[\s_]*\[(.+)\]$/,
  /^(.+?)[\s_,]+(?:in[\s_]+)?(\S+?)$/,
  /^(.+?)[\s_,]+(?:in[\s_]+)?(\S+?[\s_.]+\S+)$/,
  /^(.+)_([^_]+)$/,
  /^(.+)_([^_]+_[^_]+)$/
]

/** The ways to split a name into that of a member and a unit: `Fläche (m²)`, `Fläche in m²`, `area sq ft`, `area_sqm`. */
const splits = (name: string): ReadonlyArray<readonly [base: string, unit: string]> =>
  withUnit.flatMap((pattern) => {
    const [, base, unit] = pattern.exec(name.trim()) ?? []
    return base === undefined || unit === undefined ? [] : [[base, unit] as const]
  })

const accepts = (target: PropertyTarget | undefined, unit: string): boolean =>
  target?.is === "value" && target.part === "value" && columns[target.member]?.type.accepts(unit) === true

/** The target that a name means, with or without a unit. */
export const targetOf = (name: string): PropertyTarget | undefined =>
  find(name) ?? splits(name).flatMap(([base, unit]) => (accepts(find(base), unit) ? (find(base) ?? []) : []))[0]

/** A target with what the name of its column says of the unit, whoever chose the target. */
export const withUnitOf = (target: PropertyTarget, name: string): PropertyTarget => {
  if (target.is === "currency" || target.part !== "value") return target
  const unit = fixedUnitOf(name) ?? splits(name).find(([, one]) => accepts(target, one))?.[1]
  if (unit !== undefined) return { ...target, unit }
  const unitColumn = unitColumnOf(name)
  return unitColumn === undefined ? target : { ...target, unitColumn }
}
