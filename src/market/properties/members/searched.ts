/** What a search compares inside of members. Pure. */
import type { Members as SearchMembers } from "../../../core/records/SearchRules.ts"
import type { Members } from "./Member.ts"

/** What a search compares, and where it is. */
interface Found {
  readonly kind: SearchMembers[string]
  /** The stored member, then the path of the value inside of it. */
  readonly path: ReadonlyArray<string>
}

/** By the names in a search. */
type FoundMembers = { readonly [name: string]: Found }

const entriesOf = (members: Members, above: ReadonlyArray<string>): ReadonlyArray<readonly [string, Found]> =>
  Object.entries(members).flatMap(([name, { members: inner, searched }]) => {
    const path = [...above, name]
    if (inner !== undefined) return entriesOf(inner, path)
    return searched
      .filter(({ kind }) => kind !== "tags" || above.length === 0)
      .map(({ kind, part, suffix = "" }): readonly [string, Found] => [
        path.join(".") + suffix,
        { kind, path: part === undefined ? path : [...path, part] }
      ])
  })

/** What a search compares: scalars at every depth, by their path with dots, and the vocabularies at the top. */
export const foundIn = (members: Members): FoundMembers => Object.fromEntries(entriesOf(members, []))

/** How each is compared. */
export const kindsOf = (found: FoundMembers): SearchMembers =>
  Object.fromEntries(Object.entries(found).map(([name, { kind }]) => [name, kind]))
