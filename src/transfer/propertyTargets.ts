/** What the columns of files of properties and mandates mean, by their names. Pure. */
import { Result } from "effect"
import { propertyHeaders } from "./headers.ts"
import { finder } from "../core/fields/spelling.ts"
import { isUnit, noUnit, together, type Unit, unitInName, unitOf, wordsOf } from "./units.ts"
import { columns as ofMandates } from "./mandateColumns.ts"
import {
  type Column,
  columns,
  externalIds,
  fixedUnits,
  type Names,
  rowCurrency,
  unitColumns
} from "./propertyColumns.ts"
import type { Part, Units } from "./propertyTypes.ts"

/** The columns of each kind of record whose members have units, by the path of the member. */
export const columnsOf = { properties: columns, mandates: ofMandates } as const satisfies {
  readonly [kind: string]: { readonly [member: string]: Column }
}

/** A kind of record whose members have units. */
export type Measured = keyof typeof columnsOf

/** The column of a member. */
export const columnAt = (of: Measured, member: string): Column | undefined => columnsOf[of][member]

/** A part of a member. */
export interface ValueTarget {
  readonly is: "value"
  readonly of: Measured
  /** The path of the member. */
  readonly member: string
  readonly part: Part
  /** What the name of the column, and the options for it, say of the unit. */
  readonly unit?: Unit
  /** What the options for the column say of the unit. */
  readonly said?: Unit
  /** The column that has the unit, if the name leaves it open. */
  readonly unitColumn?: string
}

/** What a column of properties sets, besides external references. */
export type PropertyTarget = ValueTarget | { readonly is: "currency" }

const namesOf = ({ openImmo = [], others = [], reso = [] }: Names) => [...reso, ...openImmo, ...others]

/** The parts of a member besides its value that files may have in columns of their own. */
const partsOf = (of: Measured, member: string): ReadonlyArray<Part> => {
  const type = columnAt(of, member)?.type
  if (type === undefined) return []
  const { ends, parts } = type
  if (ends !== undefined) return ["unit", ...parts]
  return parts.includes("standard") ? ["unit", "standard", "measuredOn"] : parts.filter((part) => part !== "value")
}

const valueOf = (of: Measured, member: string, part: Part): PropertyTarget => ({ is: "value", of, member, part })

/** What a target sets: no two columns of a file may set the same. */
export const keyOf = (target: PropertyTarget): string =>
  target.is === "currency" ? "currency" : target.part === "value" ? target.member : `${target.member}.${target.part}`

type Named = ReadonlyArray<readonly [name: string, target: PropertyTarget]>

const namedIn = (of: Measured): Named => {
  const all = Object.entries<Column>(columnsOf[of])
  return [
    ...all.flatMap(([member, { ends = { min: [], max: [] } }]) =>
      (["min", "max"] as const).flatMap((part) => ends[part].map((name) => [name, valueOf(of, member, part)] as const))
    ),
    ...all.flatMap(([member, column]) =>
      [member, ...namesOf(column), ...(of === "properties" ? (propertyHeaders[member] ?? []) : [])].map(
        (name) => [name, valueOf(of, member, "value")] as const
      )
    ),
    ...all.flatMap(([member]) =>
      partsOf(of, member).map((part) => [`${member}.${part}`, valueOf(of, member, part)] as const)
    ),
    ...["currency", ...namesOf(rowCurrency)].map((name) => [name, { is: "currency" }] as const)
  ]
}

/** Every target of properties with its names. */
export const named: Named = [
  ...namedIn("properties"),
  ...unitColumns.map(({ member, name }) => [name, valueOf("properties", member, "unit")] as const)
]

const finders: { readonly [M in Measured]: (name: string) => PropertyTarget | undefined } = {
  properties: finder(named),
  mandates: finder(namedIn("mandates"))
}

const fixedUnitOf = finder(fixedUnits.map(({ of, unit }) => [of, unit] as const))

const unitColumnOf = finder(unitColumns.map(({ name, of }) => [of, name] as const))

const isExternalId = finder(namesOf(externalIds).map((name) => [name, true] as const))

/** Whether a column has the ids of one other system. */
export const hasExternalIds = (name: string): boolean => isExternalId(name) === true

/** The units that the values of a target can have; undefined if they have none. */
export const unitsOf = (target: PropertyTarget | undefined): Units | undefined =>
  target?.is === "value" && ["value", "min", "max"].includes(target.part)
    ? columnAt(target.of, target.member)?.type.units
    : undefined

/** The unit that a text says; undefined if values of the type cannot have it, or it says nothing. */
const understood = (units: Units, text: string): Unit | undefined => {
  if (units.names.some((one) => isUnit(one, text))) return noUnit
  const words = wordsOf(text, { isName: true })
  const unit = unitOf(units.dimension, words)
  return words.every(({ is }) => is === "filler") || units.problemOf(unit) !== undefined ? undefined : unit
}

/** The ways to split a name into that of a member and a unit: `Fläche (m²)`, `Fläche in m²`, `GLA 000 sq ft`, `area_sqm`. */
const splits = (name: string): ReadonlyArray<readonly [base: string, unit: string]> =>
  [...name.trim().matchAll(/[\s_,]*[\s_,/([{]/g)].flatMap(({ 0: between, index }) => {
    const base = name.trim().slice(0, index)
    const unit = name.trim().slice(index + between.length - (between.endsWith("/") ? 1 : 0))
    return base === "" || unit === "" ? [] : [[base, unit] as const]
  })

/** The target and the unit of a name that has both. */
const withUnit = (of: Measured, name: string): { readonly target: ValueTarget; readonly unit: Unit } | undefined => {
  for (const [base, unitText] of splits(name)) {
    const target = finders[of](base)
    const units = unitsOf(target)
    if (target?.is !== "value" || units === undefined) continue
    const unit = understood(units, unitText.replace(/[)\]}]\s*$/, ""))
    if (unit === undefined) continue
    const all = together(unit, unitInName(units.dimension, wordsOf(base, { isName: true }), units.hasPeriod))
    if (units.problemOf(all) === undefined) return { target, unit: all }
  }
  return undefined
}

/** The target that a name means, with or without a unit. */
export const targetOf = (of: Measured, name: string): PropertyTarget | undefined =>
  finders[of](name) ?? withUnit(of, name)?.target

/** What is in brackets in a name, and the rest of it. */
const bracketsIn = (name: string) => {
  let depth = 0
  let rest = ""
  const inside: Array<string> = []
  for (const character of name) {
    if ("([{".includes(character)) {
      if (depth++ === 0) inside.push("")
      else inside.push(`${inside.pop()} `)
    } else if (")]}".includes(character)) depth = Math.max(0, depth - 1)
    else if (depth > 0) inside.push(`${inside.pop()}${character}`)
    else rest += character
  }
  return { inside, rest }
}

/** What the name of a column says of the unit of its values, whoever chose its target. */
const unitOfName = (of: Measured, units: Units, name: string): Unit => {
  const find = finders[of]
  const fixed = fixedUnitOf(name)
  if (fixed !== undefined) return { ...noUnit, area: [fixed] }
  const named = withUnit(of, name)
  if (named !== undefined && unitsOf(named.target)?.dimension === units.dimension) return named.unit
  if (splits(name).some(([, text]) => units.names.some((one) => isUnit(one, text.replace(/[)\]}]\s*$/, "")))))
    return noUnit
  // The known names of columns have words like `KwhPerSqm`, which are no other unit.
  if (find(name) !== undefined) return unitInName(units.dimension, wordsOf(name), units.hasPeriod)
  const { inside, rest } = bracketsIn(name)
  const isName = (text: string) => find(text)?.is === "value"
  const inBrackets = inside
    .filter((text) => !isName(text) && !units.names.some((one) => isUnit(one, text)))
    .map((text) => unitOf(units.dimension, wordsOf(text, { isName: true })))
  return together(...inBrackets, unitInName(units.dimension, wordsOf(rest, { isName: true }), units.hasPeriod))
}

/** What to do about a unit that is not understood. */
const answerOf = ({ dimension, hasPeriod, names }: Units, name: string): string => {
  const examples = {
    money: `--unit "${name}=${hasPeriod ? "EUR/month" : "TEUR"}"`,
    area: `--unit "${name}=sqft"`,
    percent: `--unit "${name}=percent"`,
    years: `--unit "${name}=years"`,
    number: names[0] === undefined ? `--scale "${name}=one"` : `--unit "${name}=${names[0]}"`
  }
  return `Say what it is, such as ${examples[dimension]}.`
}

/** What the options say of the unit of a column. */
export interface SaidUnit {
  readonly unit: Unit
  /** Whether they say what the name of the column leaves open: not by its currency alone. */
  readonly isWhole: boolean
}

/**
 * A target with what the name of its column, and the options for it, say of the unit, whoever chose the target. The failure says what is
 * not understood, or cannot be.
 */
export const withUnitOf = (
  target: PropertyTarget,
  name: string,
  said: SaidUnit = { unit: noUnit, isWhole: false }
): Result.Result<PropertyTarget, string> => {
  const units = unitsOf(target)
  if (target.is === "currency" || units === undefined) return Result.succeed(target)
  const ofName = unitOfName(target.of, units, name)
  const unit = together(said.isWhole ? { ...ofName, unknown: [] } : ofName, said.unit)
  const problem = units.problemOf(unit)
  if (problem !== undefined)
    return Result.fail(unit.unknown.length > 0 ? `${problem} ${answerOf(units, name)}` : problem)
  const unitColumn = unitColumnOf(name)
  return Result.succeed({
    ...target,
    unit,
    said: said.unit,
    ...(unitColumn === undefined ? {} : { unitColumn })
  })
}
