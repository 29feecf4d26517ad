/** Maps the columns of a file to members of records. Pure. */
import * as Options from "./CellOptions.ts"
import * as Cells from "./cells.ts"
import * as PropertyItems from "./propertyItems.ts"
import * as Employments from "./Employments.ts"
import * as References from "./References.ts"
import * as PropertyTargets from "./propertyTargets.ts"
import { Result } from "effect"
import { nearest, plain } from "../core/fields/spelling.ts"
import { readCell, readerOf } from "./cells.ts"
import type { System } from "./headers.ts"
import { labelSeparators, meaningOf, severalColumns, systemOf } from "./systems.ts"
import { pathLabelled } from "./ColumnLabels.ts"
import { isMeasured, type Kind, memberProblem, membersOf, nameColumnsOf, singular } from "./Members.ts"

/** The member that a column sets. */
export type Target =
  | { readonly is: "text"; readonly member: string }
  /** Our id, or else the id in another system, by its form. */
  | { readonly is: "id"; readonly namespace: string | undefined }
  | {
      readonly is: "list"
      readonly member: "tags"
      /** What is between the values, if it is not the separator of the file. */
      readonly between?: string
    }
  /** External references as `namespace:id`. */
  | { readonly is: "refs" }
  /** Ids in one other system. */
  | { readonly is: "refsOf"; readonly namespace: string }
  | References.ReferenceTarget
  | Employments.EmploymentTarget
  | PropertyTargets.PropertyTarget

/** The options of the operator for columns. */
export interface Mapping {
  readonly kind: Kind
  /** Each `member=Column`. */
  readonly map: ReadonlyArray<string>
  /** Columns to leave out. */
  readonly ignore: ReadonlyArray<string>
  /** Whether to leave out columns that match no member. */
  readonly ignoreUnknown: boolean
  /** The namespace of the ids in the column `externalId`. */
  readonly namespace: string | undefined
  /** Whether the companies of contacts become links. */
  readonly linkCompanies?: boolean
  /** What is said of cells. */
  readonly cells?: Options.CellOptions
  /** The character between the values of one cell. */
  readonly separator?: string
}

/** Why a column is left out, for those who say it in words of their own. */
export type Why =
  | "full_name"
  | "ignored"
  | "link"
  | "name_of_id"
  | "no_name"
  | "no_system"
  | "other_column"
  | "unknown"
  | "without"

/** A column of a file. */
export interface FileColumn {
  readonly name: string
  /** What it sets; nothing if it is left out. */
  readonly targets: ReadonlyArray<Target>
  /** Why it is left out. */
  readonly leftOut?: string
  readonly why?: Why
  /** Why its cells cannot be read. */
  readonly problem?: string
  /** What its values mean. */
  readonly meanings?: Options.Meanings
  /** The country that an empty cell means. */
  readonly country?: string
}

const isProperty = (target: Target): target is PropertyTargets.PropertyTarget =>
  target.is === "value" || target.is === "currency"

const refsOf = /^external[ _-]?refs?[ ]*\.(.+)$/i

/** How the names of columns are understood. */
interface Names extends Pick<Mapping, "kind" | "linkCompanies" | "namespace"> {
  /** The system whose export the file is, if it is a known one. */
  readonly system?: System | undefined
  /** Whether the names are members of lines of NDJSON, which the API refuses where it does not know them. */
  readonly ofLines?: boolean
}

/** Whether a column has the ids of one other system. */
export const isExternalId = ({ kind, system }: Names, name: string): boolean =>
  plain(name) === "externalid" ||
  (isMeasured(kind)
    ? kind === "properties" && PropertyTargets.hasExternalIds(name)
    : meaningOf(kind, system, name)?.is === "externalId")

/** What a column sets, or why it sets nothing. */
type Found = { readonly target: Target; readonly leftOut?: undefined } | { readonly leftOut: string; readonly why: Why }

const linkedReason = {
  company: "the company of a contact is a link (--link-companies)",
  companyId: "the company of a contact is a link (--link-companies)",
  companyDomain: "the company of a contact is a link (--link-companies)",
  companyCountry: "the company of a contact is a link (--link-companies)",
  jobTitle: "the title at a company belongs to the link (--link-companies)"
} as const

/** What a column says of the company of a contact; undefined if nothing. `companyId` alone is our id of the primary company. */
const employmentPartOf = ({ system }: Names, name: string): Employments.Part | undefined => {
  if (["companyreference", "companyexternalid"].includes(plain(name))) return "companyId"
  const meaning = meaningOf("contacts", system, name)
  if (meaning?.is === "linked") return meaning.part
  return Employments.parts.find((part) => part !== "companyId" && plain(part) === plain(name))
}

/** What a column means that says something of the company of a contact, which becomes a link if it should. */
const employmentOf = (names: Names, name: string): Found | undefined => {
  const { kind, linkCompanies, namespace, system } = names
  if (kind !== "contacts") return undefined
  const part = employmentPartOf(names, name)
  if (linkCompanies !== true) return part === undefined ? undefined : { leftOut: linkedReason[part], why: "link" }
  const ofCompany = meaningOf("companies", undefined, name)
  const isCountry = ofCompany?.is === "member" && ofCompany.member === "country"
  const found = part ?? (isCountry ? "companyCountry" : undefined)
  return found === undefined ? undefined : { target: { is: "employment", part: found, namespace: namespace ?? system } }
}

/** What a column means by its name in any spelling; undefined if it is unknown. Ids of another system need its namespace. */
const meant = (names: Names, name: string): Found | undefined => {
  const { kind, system } = names
  if (nameColumnsOf(kind).includes(name))
    return { leftOut: "a name beside an id, which says which record it is", why: "name_of_id" }
  const namespace = names.namespace ?? system
  const record = References.targetOf(kind, namespace, name)
  if (record !== undefined) return { target: record }
  const employment = employmentOf(names, name)
  if (employment !== undefined) return employment
  const inNamespace = refsOf.exec(name.trim())?.[1]?.trim()
  if (inNamespace !== undefined && inNamespace !== "") return { target: { is: "refsOf", namespace: inNamespace } }
  if (isExternalId(names, name)) return namespace === undefined ? undefined : { target: { is: "refsOf", namespace } }
  if (isMeasured(kind)) {
    if (["externalrefs", "externalreferences"].includes(plain(name))) return { target: { is: "refs" } }
    const target = PropertyTargets.targetOf(kind, name)
    if (target === undefined) return undefined
    return { target: target.is === "value" && target.member === "id" ? { is: "id", namespace } : target }
  }
  const meaning = meaningOf(kind, system, name)
  switch (meaning?.is) {
    case "member": {
      const { member } = meaning
      if (member === "id") return { target: { is: "id", namespace } }
      if (member === "externalRefs") return { target: { is: "refs" } }
      if (member !== "tags") return { target: { is: "text", member } }
      const between = system === undefined ? undefined : labelSeparators[system]
      return { target: { is: "list", member, ...(between === undefined ? {} : { between }) } }
    }
    case "fullName":
      return { leftOut: "a full name: first and last name are members of their own", why: "full_name" }
    case "without":
      return { leftOut: `no member of a ${singular[kind]}`, why: "without" }
    default:
      return undefined
  }
}

/** The target that an operator names; undefined if there is none. */
const targetOf = (names: Names, member: string): Target | undefined => {
  const found = meant(names, member)
  if (found === undefined || found.leftOut !== undefined) return undefined
  const { target } = found
  if (target.is !== "id") return target
  const { kind } = names
  return isMeasured(kind) ? { is: "value", of: kind, member: "id", part: "value" } : { is: "text", member: "id" }
}

/** What a target sets. */
export const keyOf = (target: Target): string => {
  if (isProperty(target)) return PropertyTargets.keyOf(target)
  if (target.is === "record") return References.keyOf(target)
  if (target.is === "employment") return Employments.keyOf(target)
  if (target.is === "id") return "id"
  return target.is === "refs"
    ? "externalRefs"
    : target.is === "refsOf"
      ? `externalRefs.${target.namespace}`
      : target.member
}

/** The parsed options. Columns are named as the operator wrote them. */
export interface ColumnChoices {
  /** The targets by the name of the column. */
  readonly mapped: ReadonlyMap<string, ReadonlyArray<Target>>
  /** The targets of `--map`, which no other column may set. */
  readonly taken: ReadonlySet<string>
  readonly ignored: ReadonlySet<string>
}

/** What to say of the members that files can have. Those of properties are too many for a message. */
const known = (kind: Kind) =>
  kind === "properties"
    ? "docs/behaviour/property-columns.md has the columns of properties."
    : `The members are: ${[...new Set([...membersOf(kind), ...References.columnsOf(kind), "externalId", "externalRefs.NAMESPACE"])].join(", ")}.`

/** Parses `--map` and `--ignore`. The failure is a message for the operator. */
export const parseMapping = (mapping: Mapping & Names): Result.Result<ColumnChoices, string> => {
  const mapped = new Map<string, ReadonlyArray<Target>>()
  const taken = new Set<string>()
  for (const text of mapping.map) {
    const at = text.indexOf("=")
    const member = text.slice(0, at).trim()
    const column = text.slice(at + 1).trim()
    if (at < 1 || column === "")
      return Result.fail(`--map ${text}: Must be member=Column, such as email="Work e-mail".`)
    const target = targetOf(mapping, member)
    if (target === undefined) {
      return Result.fail(
        isExternalId(mapping, member)
          ? `--map ${text}: Also name the other system with --namespace NAME, such as --namespace hubspot.`
          : `--map ${text}: There is no member ${member}. ${known(mapping.kind)}`
      )
    }
    if (taken.has(keyOf(target)))
      return Result.fail(`--map ${text}: Another --map already maps a column to ${keyOf(target)}.`)
    taken.add(keyOf(target))
    mapped.set(column, [...(mapped.get(column) ?? []), target])
  }
  return Result.succeed({ mapped, taken, ignored: new Set(mapping.ignore.map((name) => name.trim())) })
}

/** Why a column cannot have a value; undefined if it can. */
const valueProblem = ({ kind, separator = ";" }: Mapping, target: Target, value: string): string | undefined => {
  if (isProperty(target)) return PropertyItems.problemOf(target, value, separator)
  if (target.is === "list") return memberProblem(kind, target.member, Cells.readList(value, separator).values ?? [])
  if (target.is !== "text") return undefined
  const read = readCell(readerOf(target.member), value)
  if (Result.isFailure(read)) return read.failure
  return memberProblem(kind, target.member, read.success.value ?? null)
}

/** A column with what the options say of its cells; `written` is its name in the file. */
const withOptions = (mapping: Mapping, { leftOut, name, targets, why }: FileColumn, written: string): FileColumn => {
  const { isExact = false, meanings = [], said = [] } = mapping.cells ?? {}
  const isNamed = (column: string) => column === name || (!isExact && plain(column) === plain(name))
  const sayings = said.filter(({ column }) => isNamed(column))
  const ofValues = meanings.flatMap(({ readings, written: option }) =>
    readings.filter(({ column }) => isNamed(column)).map((reading) => ({ ...reading, written: option }))
  )
  if (targets.length === 0) {
    const [saying] = [
      ...sayings.map(({ column, option, value }) => `--${option} "${column}=${value}"`),
      ...ofValues.map((one) => one.written)
    ]
    return {
      name,
      targets,
      leftOut: leftOut ?? "",
      ...(why === undefined ? {} : { why }),
      ...(saying === undefined ? {} : { problem: `${saying}: The column is left out.` })
    }
  }
  const found = Result.gen(function* () {
    const country = yield* Options.saidCountry(
      sayings,
      targets.some((target) => ["country", "energy.country"].includes(keyOf(target)))
    )
    const withUnits: Array<Target> = []
    for (const target of targets) {
      const units = isProperty(target) ? PropertyTargets.unitsOf(target) : undefined
      const unit = yield* Options.saidUnit(sayings, units)
      withUnits.push(isProperty(target) ? yield* PropertyTargets.withUnitOf(target, written, unit) : target)
    }
    for (const { to, written: option } of ofValues) {
      const problem = withUnits
        .map((target) => (to === "" ? undefined : valueProblem(mapping, target, to)))
        .find((one) => one !== undefined)
      if (problem !== undefined) return yield* Result.fail(`${option}: ${problem}`)
    }
    return { country, targets: withUnits }
  })
  if (Result.isFailure(found)) return { name, targets, problem: found.failure }
  const { country, targets: withUnits } = found.success
  return {
    name,
    targets: withUnits,
    ...(ofValues.length === 0 ? {} : { meanings: Options.meaningsOf(ofValues) }),
    ...(country === undefined ? {} : { country })
  }
}

/** Why an unknown column is left out. */
const unmatched = "matches no member (--ignore-unknown)"

/** Why a column without a name is left out. */
export const noName = "has no name"

/** A column by its name, and by the one in the file if that stands there several times; undefined if it is unknown. */
export const columnOf = (
  mapping: Mapping & Names,
  choices: ColumnChoices,
  name: string,
  written: string = name
): FileColumn | undefined => {
  // Members are called by their labels, too.
  const called = pathLabelled(mapping.kind, written) ?? written
  const leftOut = (reason: string, why: Why) =>
    withOptions(mapping, { name, targets: [], leftOut: reason, why }, called)
  const set = (targets: ReadonlyArray<Target>) => withOptions(mapping, { name, targets }, called)
  const mapped = choices.mapped.get(name)
  if (mapped !== undefined) return set(mapped)
  if (choices.ignored.has(name)) return leftOut("--ignore", "ignored")
  if (written === "") return leftOut(noName, "no_name")
  const found = meant(mapping, called)
  if (found === undefined || (found.leftOut !== undefined && mapping.ofLines === true))
    return mapping.ignoreUnknown
      ? leftOut(unmatched, isExternalId(mapping, called) ? "no_system" : "unknown")
      : undefined
  if (found.leftOut !== undefined) return leftOut(found.leftOut, found.why)
  const { target } = found
  return choices.taken.has(keyOf(target))
    ? leftOut(`--map chooses another column for ${keyOf(target)}`, "other_column")
    : set([target])
}

/** The columns that an option names: those with exactly this name, else those that match it in another spelling. */
const columnsNamed = (header: ReadonlyArray<string>, name: string): ReadonlyArray<string> => {
  const exact = header.filter((column) => column === name)
  return exact.length > 0 ? exact : header.filter((column) => plain(column) === plain(name))
}

/**
 * The names of columns, each once: of those that stand several times in the header, the second is `Phone#2`; the fifth column is `#5` if
 * it has no name.
 */
const named = (written: ReadonlyArray<string>): ReadonlyArray<string> => {
  const names = new Set<string>()
  return written.map((name, index) => {
    let unique = name === "" ? `#${index + 1}` : name
    for (let place = 2; names.has(unique); place++) unique = `${name}#${place}`
    names.add(unique)
    return unique
  })
}

/** The names by which options call the columns of a header. */
export const namesOf = (header: ReadonlyArray<string>): ReadonlyArray<string> =>
  named(header.map((name) => name.trim()))

const quoted = (names: ReadonlyArray<string>) => names.map((name) => JSON.stringify(name)).join(", ")

const suggestion = (kind: Kind, name: string) => {
  const member = nearest(name, membersOf(kind))
  return member === undefined ? JSON.stringify(name) : `${JSON.stringify(name)} (did you mean ${member}?)`
}

/** The options for cells, each for the columns of the header that it names. The failure names the columns that the header lacks. */
const optionsFor = (
  { meanings, ...cells }: Options.CellOptions,
  header: ReadonlyArray<string>
): Result.Result<Options.CellOptions, ReadonlyArray<string>> => {
  const absent: Array<string> = []
  const said = cells.said.flatMap((saying) => {
    const columns = columnsNamed(header, saying.column)
    if (columns.length === 0) absent.push(saying.column)
    return columns.map((column) => ({ ...saying, column }))
  })
  const found = meanings.map(({ readings, written }) => {
    const reading = readings.find(({ column }) => columnsNamed(header, column).length > 0)
    if (reading === undefined) absent.push(readings.at(-1)?.column ?? "")
    const columns = reading === undefined ? [] : columnsNamed(header, reading.column)
    return { written, readings: columns.flatMap((column) => (reading === undefined ? [] : [{ ...reading, column }])) }
  })
  return absent.length > 0 ? Result.fail(absent) : Result.succeed({ ...cells, said, meanings: found, isExact: true })
}

/** A column of ids, which are ours alone if another column has those of the other system. */
const withOwnIds = (column: FileColumn, owners: ReadonlyMap<string, string>): FileColumn => ({
  ...column,
  targets: column.targets.map((target) =>
    target.is === "id" && owners.has(`externalRefs.${target.namespace}`) ? { ...target, namespace: undefined } : target
  )
})

/** The columns of a header. The failure is a message for the operator. */
export const columnsOf = (
  asked: Mapping,
  names: ReadonlyArray<string>
): Result.Result<ReadonlyArray<FileColumn>, string> => {
  const written = names.map((name) => name.trim())
  const header = namesOf(names)
  const cells = asked.cells === undefined ? undefined : optionsFor(asked.cells, header)
  if (cells !== undefined && Result.isFailure(cells)) {
    return Result.fail(`The file has no column ${quoted([...new Set(cells.failure)])}. It has: ${quoted(header)}.`)
  }
  const mapping: Mapping & Names = {
    ...asked,
    ...(cells === undefined ? {} : { cells: cells.success }),
    system: systemOf(written)
  }
  const parsed = parseMapping(mapping)
  if (Result.isFailure(parsed)) return Result.fail(parsed.failure)
  const { ignored, mapped, taken } = parsed.success
  const absent = [...mapped.keys(), ...ignored].filter((name) => columnsNamed(header, name).length === 0)
  if (absent.length > 0) return Result.fail(`The file has no column ${quoted(absent)}. It has: ${quoted(header)}.`)
  const choices: ColumnChoices = {
    mapped: new Map(
      [...mapped].flatMap(([name, targets]) => columnsNamed(header, name).map((column) => [column, targets]))
    ),
    taken,
    ignored: new Set([...ignored].flatMap((name) => columnsNamed(header, name)))
  }
  const found = header.map((name, index) => columnOf(mapping, choices, name, written[index]))
  const unknown = header.filter((_, index) => found[index] === undefined)
  if (unknown.length > 0) {
    const withoutNamespace = unknown.find((name) => isExternalId(mapping, name))
    const hint =
      withoutNamespace !== undefined
        ? `${withoutNamespace} needs --namespace NAME.`
        : "Map them with --map member=Column, or leave them out with --ignore COLUMN or --ignore-unknown."
    return Result.fail(
      `These columns match no member: ${unknown.map((name) => suggestion(mapping.kind, name)).join(", ")}. ${hint} ${known(
        mapping.kind
      )}`
    )
  }
  const columns = found.flatMap((column) => column ?? [])
  const unread = columns.flatMap(({ name, problem }) =>
    problem === undefined ? [] : [`${quoted([name])}: ${problem}`]
  )
  if (unread.length > 0) return Result.fail(`These columns cannot be read. ${unread.join(" ")}`)
  const owners = new Map<string, string>()
  for (const { name, targets } of columns) {
    for (const target of targets) {
      const key = keyOf(target)
      const owner = owners.get(key)
      if (owner !== undefined && !severalColumns.has(key) && target.is !== "employment") {
        return Result.fail(
          `The columns ${quoted([owner, name])} both map to ${key}. Choose one with --map ${key}=Column.`
        )
      }
      owners.set(key, owner ?? name)
    }
  }
  const withoutUnit = columns.flatMap(({ name, targets }) =>
    targets.flatMap((target) =>
      target.is === "value" && target.unitColumn !== undefined && !owners.has(`${target.member}.unit`)
        ? [{ name, unitColumn: target.unitColumn }]
        : []
    )
  )
  const [open] = withoutUnit
  if (open !== undefined) {
    return Result.fail(
      `The column ${quoted([open.name])} needs the column ${open.unitColumn}, which says in which unit its areas are.`
    )
  }
  return owners.size === 0
    ? Result.fail("No column of the file maps to a member.")
    : Result.succeed(columns.map((column) => withOwnIds(column, owners)))
}

/** The columns of each member by their position in the file, for messages about rows. */
export const positionsOf = (columns: ReadonlyArray<FileColumn>): ReadonlyMap<string, ReadonlyArray<number>> => {
  const positions = new Map<string, Array<number>>()
  for (const [index, { targets }] of columns.entries()) {
    for (const target of targets) {
      const member = target.is === "refs" || target.is === "refsOf" ? "externalRefs" : keyOf(target)
      positions.set(member, [...(positions.get(member) ?? []), index])
    }
  }
  return positions
}
