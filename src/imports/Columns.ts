/** Maps the columns of a file to members of records. Pure. */
import { Result } from "effect"
import { nearest } from "../fields/KnownNames.ts"
import { type Kind, membersOf, spellings } from "./Members.ts"
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

const isProperty = (target: Target): target is PropertyTargets.PropertyTarget =>
  target.is === "value" || target.is === "currency"

const refsOf = /^external[ _-]?refs?[ ]*\.(.+)$/i

/** Whether a column has the ids of one other system. */
const isExternalId = (kind: Kind, name: string): boolean =>
  plain(name) === "externalid" || (kind === "properties" && PropertyTargets.hasExternalIds(name))

/** The target that matches a name in any spelling; undefined if none does. `externalId` needs a namespace. */
const targetOf = (mapping: Pick<Mapping, "kind" | "namespace">, name: string): Target | undefined => {
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

const keyOf = (target: Target): string => {
  if (isProperty(target)) return PropertyTargets.keyOf(target)
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
    : `The members are: ${[...membersOf(kind), "externalId", "externalRefs.NAMESPACE"].join(", ")}.`

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

/** The targets of a column by its name, when no option mentions it. */
const targetsByName = (mapping: Mapping, choices: ColumnChoices, name: string): ReadonlyArray<Target> | undefined => {
  const target = targetOf(mapping, name)
  if (target === undefined) return undefined
  return choices.taken.has(keyOf(target)) ? [] : [target]
}

/** The targets of a column: empty if it is left out, undefined if it is unknown. */
export const targetsOf = (
  mapping: Mapping,
  choices: ColumnChoices,
  name: string
): ReadonlyArray<Target> | undefined => {
  const targets =
    choices.mapped.get(name.trim()) ??
    (choices.ignored.has(name.trim())
      ? []
      : (targetsByName(mapping, choices, name) ?? (mapping.ignoreUnknown ? [] : undefined)))
  return targets?.map((target) => (isProperty(target) ? PropertyTargets.withUnitOf(target, name) : target))
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

/** The targets of each column of a header. The failure is a message for the operator. */
export const columnsOf = (
  mapping: Mapping,
  names: ReadonlyArray<string>
): Result.Result<ReadonlyArray<ReadonlyArray<Target>>, string> => {
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
  const targets = header.map((name) => targetsOf(mapping, choices, name))
  const unknown = header.filter((_, index) => targets[index] === undefined)
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
  const owners = new Map<string, string>()
  for (const [index, name] of header.entries()) {
    for (const target of targets[index] ?? []) {
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
  const withoutUnit = header.flatMap((name, index) =>
    (targets[index] ?? []).flatMap((target) =>
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
    : Result.succeed(targets.map((each) => each ?? []))
}

/** The column of each member, for messages about rows. */
export const columnNames = (
  header: ReadonlyArray<string>,
  targets: ReadonlyArray<ReadonlyArray<Target>>
): ReadonlyMap<string, string> =>
  new Map(
    header.flatMap((name, index) =>
      (targets[index] ?? []).map((target) => [
        target.is === "refs" || target.is === "refsOf" ? "externalRefs" : keyOf(target),
        name
      ])
    )
  )
