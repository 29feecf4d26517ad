/** Which member of a record a column means. Pure. */
import { Result } from "effect"
import { nearest } from "../usecase/Input.ts"
import { type Kind, membersOf, plain, spellings } from "./Members.ts"

/** What a column holds. */
export type Target =
  | { readonly is: "text"; readonly member: string }
  | { readonly is: "list"; readonly member: "tags" }
  /** References as `namespace:id`. */
  | { readonly is: "refs" }
  /** Ids of one other system. */
  | { readonly is: "refsOf"; readonly namespace: string }

/** How the operator wants columns to be taken. */
export interface Mapping {
  readonly kind: Kind
  /** `member=Column`, each. */
  readonly map: ReadonlyArray<string>
  /** Columns that mean nothing. */
  readonly ignore: ReadonlyArray<string>
  /** Whether columns that no member has mean nothing. */
  readonly ignoreUnknown: boolean
  /** The other system whose ids are in the column `externalId`. */
  readonly namespace: string | undefined
}

const refsOf = /^external[ _-]?refs?[ ]*\.(.+)$/i

/** The member that a name is spelled like, whatever the case; `externalId` needs a namespace. */
export const targetOf = (mapping: Pick<Mapping, "kind" | "namespace">, name: string): Target | undefined => {
  const namespace = refsOf.exec(name.trim())?.[1]?.trim()
  if (namespace !== undefined && namespace !== "") return { is: "refsOf", namespace }
  const wanted = plain(name)
  if (wanted === "externalid") {
    return mapping.namespace === undefined ? undefined : { is: "refsOf", namespace: mapping.namespace }
  }
  const found = Object.entries(spellings[mapping.kind]).find(
    ([member, others]) => plain(member) === wanted || others.some((other) => plain(other) === wanted)
  )
  const member = found?.[0]
  if (member === undefined) return undefined
  if (member === "externalRefs") return { is: "refs" }
  return member === "tags" ? { is: "list", member } : { is: "text", member }
}

const keyOf = (target: Target): string =>
  target.is === "refs" ? "externalRefs" : target.is === "refsOf" ? `externalRefs.${target.namespace}` : target.member

/** What the operator said of columns by name, as they are compared. */
export interface Wishes {
  /** By the column's name. */
  readonly mapped: ReadonlyMap<string, ReadonlyArray<Target>>
  /** The members that `--map` gives a column. */
  readonly taken: ReadonlySet<string>
  readonly ignored: ReadonlySet<string>
}

const known = (kind: Kind) => [...membersOf(kind), "externalId", "externalRefs.NAMESPACE"].join(", ")

/** Reads `--map` and `--ignore`; a failure says what is wrong with them. */
export const wishesOf = (mapping: Mapping): Result.Result<Wishes, string> => {
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
        plain(member) === "externalid"
          ? `--map ${text}: Say whose ids these are, too: --namespace NAME, such as --namespace hubspot.`
          : `--map ${text}: There is no member ${member}. The members are: ${known(mapping.kind)}.`
      )
    }
    if (taken.has(keyOf(target)))
      return Result.fail(`--map ${text}: Another --map gives ${keyOf(target)} a column already.`)
    taken.add(keyOf(target))
    mapped.set(column, [...(mapped.get(column) ?? []), target])
  }
  return Result.succeed({ mapped, taken, ignored: new Set(mapping.ignore.map((name) => name.trim())) })
}

/** What a column means of itself, where nothing was wished. */
const meant = (mapping: Mapping, wishes: Wishes, name: string): ReadonlyArray<Target> | undefined => {
  const target = targetOf(mapping, name)
  if (target === undefined) return undefined
  return wishes.taken.has(keyOf(target)) ? [] : [target]
}

/** What a column means: nothing at all, or undefined when nobody knows. */
export const targetsOf = (mapping: Mapping, wishes: Wishes, name: string): ReadonlyArray<Target> | undefined => {
  const wished = wishes.mapped.get(name.trim())
  if (wished !== undefined) return wished
  return wishes.ignored.has(name.trim())
    ? []
    : (meant(mapping, wishes, name) ?? (mapping.ignoreUnknown ? [] : undefined))
}

/** The columns that a name given by the operator means: those called so exactly, else those spelled like it. */
const called = (header: ReadonlyArray<string>, name: string): ReadonlyArray<string> => {
  const exact = header.filter((column) => column === name)
  return exact.length > 0 ? exact : header.filter((column) => plain(column) === plain(name))
}

const quoted = (names: ReadonlyArray<string>) => names.map((name) => JSON.stringify(name)).join(", ")

const suggestion = (kind: Kind, name: string) => {
  const member = nearest(name, membersOf(kind))
  return member === undefined ? JSON.stringify(name) : `${JSON.stringify(name)} (did you mean ${member}?)`
}

/** What each column of a header means; a failure says what is wrong with the header. */
export const columnsOf = (
  mapping: Mapping,
  named: ReadonlyArray<string>
): Result.Result<ReadonlyArray<ReadonlyArray<Target>>, string> => {
  const header = named.map((name) => name.trim())
  const said = wishesOf(mapping)
  if (Result.isFailure(said)) return Result.fail(said.failure)
  const { ignored, mapped, taken } = said.success
  const absent = [...mapped.keys(), ...ignored].filter((name) => called(header, name).length === 0)
  if (absent.length > 0) return Result.fail(`The file has no column ${quoted(absent)}. It has: ${quoted(header)}.`)
  const wishes: Wishes = {
    mapped: new Map([...mapped].flatMap(([name, targets]) => called(header, name).map((column) => [column, targets]))),
    taken,
    ignored: new Set([...ignored].flatMap((name) => called(header, name)))
  }
  const targets = header.map((name) => targetsOf(mapping, wishes, name))
  const unknown = header.filter((_, index) => targets[index] === undefined)
  if (unknown.length > 0) {
    const hint = unknown.some((name) => plain(name) === "externalid")
      ? "externalId needs --namespace NAME."
      : "Say what they mean with --map member=Column, or leave them out with --ignore COLUMN or --ignore-unknown."
    return Result.fail(
      `Nobody knows the columns ${unknown.map((name) => suggestion(mapping.kind, name)).join(", ")}. ${hint} The members are: ${known(
        mapping.kind
      )}.`
    )
  }
  const owners = new Map<string, string>()
  for (const [index, name] of header.entries()) {
    for (const target of targets[index] ?? []) {
      const key = keyOf(target)
      const owner = owners.get(key)
      if (owner !== undefined) {
        return Result.fail(
          `The columns ${quoted([owner, name])} are both ${key}: say which one counts with --map ${key}=Column.`
        )
      }
      owners.set(key, name)
    }
  }
  return owners.size === 0
    ? Result.fail("No column of the file means a member.")
    : Result.succeed(targets.map((each) => each ?? []))
}

/** The columns of members, to name them in refusals: what the file calls each. */
export const namesOf = (
  header: ReadonlyArray<string>,
  targets: ReadonlyArray<ReadonlyArray<Target>>
): ReadonlyMap<string, string> =>
  new Map(
    header.flatMap((name, index) =>
      (targets[index] ?? []).map((target) => [
        target.is === "text" || target.is === "list" ? target.member : "externalRefs",
        name
      ])
    )
  )
