/** Maps the columns of a file to members of records. Pure. */
import { Result } from "effect"
import { nearest } from "../fields/KnownNames.ts"
import * as Options from "./CellOptions.ts"
import * as Cells from "./cells/Cells.ts"
import { readCell, readerOf } from "./cells/readers.ts"
import { type Kind, memberProblem, membersOf, spellings } from "./Members.ts"
import * as PropertyItems from "./properties/items.ts"
import * as References from "./References.ts"
import * as PropertyTargets from "./properties/targets.ts"
import { plain } from "./cells/spelling.ts"

/** The member that a column sets. */
export type Target =
  | { readonly is: "text"; readonly member: string }
  | { readonly is: "list"; readonly member: "tags" }
  /** External references as `namespace:id`. */
  | { readonly is: "refs" }
  /** Ids in one other system. */
  | { readonly is: "refsOf"; readonly namespace: string }
  | References.ReferenceTarget
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
  /** What is said of cells. */
  readonly cells?: Options.CellOptions
  /** The character between the values of one cell. */
  readonly separator?: string
}

/** A column of a file. */
export interface FileColumn {
  readonly name: string
  /** What it sets; nothing if it is left out. */
  readonly targets: ReadonlyArray<Target>
  /** Why it is left out. */
  readonly leftOut?: string
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

/** Whether a column has the ids of one other system. */
const isExternalId = (kind: Kind, name: string): boolean =>
  plain(name) === "externalid" || (kind === "properties" && PropertyTargets.hasExternalIds(name))

/** The target that matches a name in any spelling; undefined if none does. `externalId` needs a namespace. */
const targetOf = (mapping: Pick<Mapping, "kind" | "namespace">, name: string): Target | undefined => {
  const reference = References.targetOf(mapping.kind, mapping.namespace, name)
  if (reference !== undefined) return reference
  const namespace = refsOf.exec(name.trim())?.[1]?.trim()
  if (namespace !== undefined && namespace !== "") return { is: "refsOf", namespace }
  const wanted = plain(name)
  if (isExternalId(mapping.kind, name)) {
    return mapping.namespace === undefined ? undefined : { is: "refsOf", namespace: mapping.namespace }
  }
  if (mapping.kind === "properties") {
    return ["externalrefs", "externalreferences"].includes(wanted) ? { is: "refs" } : PropertyTargets.targetOf(name)
  }
  const found = Object.entries(spellings[mapping.kind]).find(
    ([member, others]) => plain(member) === wanted || others.some((other) => plain(other) === wanted)
  )
  const member = found?.[0]
  if (member === undefined) return undefined
  if (member === "externalRefs") return { is: "refs" }
  return member === "tags" ? { is: "list", member } : { is: "text", member }
}

/** What a target sets. */
export const keyOf = (target: Target): string => {
  if (isProperty(target)) return PropertyTargets.keyOf(target)
  if (target.is === "record") return References.keyOf(target)
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
export const parseMapping = (mapping: Mapping): Result.Result<ColumnChoices, string> => {
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
        isExternalId(mapping.kind, member)
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

/** A column with what the options say of its cells. */
const withOptions = (mapping: Mapping, { leftOut, name, targets }: FileColumn): FileColumn => {
  const { isExact = false, meanings = [], said = [] } = mapping.cells ?? {}
  const isNamed = (column: string) => column === name || (!isExact && plain(column) === plain(name))
  const sayings = said.filter(({ column }) => isNamed(column))
  const ofValues = meanings.flatMap(({ readings, written }) =>
    readings.filter(({ column }) => isNamed(column)).map((reading) => ({ ...reading, written }))
  )
  if (targets.length === 0) {
    const [saying] = [
      ...sayings.map(({ column, option, value }) => `--${option} "${column}=${value}"`),
      ...ofValues.map(({ written }) => written)
    ]
    return {
      name,
      targets,
      leftOut: leftOut ?? "",
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
      withUnits.push(isProperty(target) ? yield* PropertyTargets.withUnitOf(target, name, unit) : target)
    }
    for (const { to, written } of ofValues) {
      const problem = withUnits
        .map((target) => (to === "" ? undefined : valueProblem(mapping, target, to)))
        .find((one) => one !== undefined)
      if (problem !== undefined) return yield* Result.fail(`${written}: ${problem}`)
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

/** A column by its name; undefined if it is unknown. */
export const columnOf = (mapping: Mapping, choices: ColumnChoices, name: string): FileColumn | undefined => {
  const leftOut = (reason: string) => withOptions(mapping, { name, targets: [], leftOut: reason })
  const set = (targets: ReadonlyArray<Target>) => withOptions(mapping, { name, targets })
  const mapped = choices.mapped.get(name)
  if (mapped !== undefined) return set(mapped)
  if (choices.ignored.has(name)) return leftOut("--ignore")
  const target = targetOf(mapping, name)
  if (target === undefined) return mapping.ignoreUnknown ? leftOut("matches no member (--ignore-unknown)") : undefined
  return choices.taken.has(keyOf(target)) ? leftOut(`--map chooses another column for ${keyOf(target)}`) : set([target])
}

/** The columns that an option names: those with exactly this name, else those that match it in another spelling. */
const columnsNamed = (header: ReadonlyArray<string>, name: string): ReadonlyArray<string> => {
  const exact = header.filter((column) => column === name)
  return exact.length > 0 ? exact : header.filter((column) => plain(column) === plain(name))
}

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

/** The columns of a header. The failure is a message for the operator. */
export const columnsOf = (
  given: Mapping,
  names: ReadonlyArray<string>
): Result.Result<ReadonlyArray<FileColumn>, string> => {
  const header = names.map((name) => name.trim())
  const cells = given.cells === undefined ? undefined : optionsFor(given.cells, header)
  if (cells !== undefined && Result.isFailure(cells)) {
    return Result.fail(`The file has no column ${quoted([...new Set(cells.failure)])}. It has: ${quoted(header)}.`)
  }
  const mapping: Mapping = cells === undefined ? given : { ...given, cells: cells.success }
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
  const found = header.map((name) => columnOf(mapping, choices, name))
  const unknown = header.filter((_, index) => found[index] === undefined)
  if (unknown.length > 0) {
    const withoutNamespace = unknown.find((name) => isExternalId(mapping.kind, name))
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
      if (owner !== undefined) {
        return Result.fail(
          `The columns ${quoted([owner, name])} both map to ${key}. Choose one with --map ${key}=Column.`
        )
      }
      owners.set(key, name)
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
  return owners.size === 0 ? Result.fail("No column of the file maps to a member.") : Result.succeed(columns)
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
