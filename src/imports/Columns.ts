/** Maps the columns of a file to members of records. Pure. */
import { Result } from "effect"
import { nearest } from "../fields/KnownNames.ts"
import { type Kind, membersOf, spellings } from "./Members.ts"
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

/** A column by its name; undefined if it is unknown. */
export const columnOf = (mapping: Mapping, choices: ColumnChoices, name: string): FileColumn | undefined => {
  const leftOut = (reason: string): FileColumn => ({ name, targets: [], leftOut: reason })
  const set = (targets: ReadonlyArray<Target>): FileColumn => {
    const found = Result.all(
      targets.map((target) =>
        isProperty(target) ? PropertyTargets.withUnitOf(target, name) : Result.succeed<Target>(target)
      )
    )
    return Result.isSuccess(found) ? { name, targets: found.success } : { name, targets, problem: found.failure }
  }
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

/** The columns of a header. The failure is a message for the operator. */
export const columnsOf = (
  mapping: Mapping,
  names: ReadonlyArray<string>
): Result.Result<ReadonlyArray<FileColumn>, string> => {
  const header = names.map((name) => name.trim())
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
