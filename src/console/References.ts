/** Forms of records that name contacts and companies: people read and type names where the record holds ids. */
import { Effect } from "effect"
import type { CurrentActor } from "../core/auth/CurrentActor.ts"
import { type Attempt, Form, type PageRequest, type Problem } from "./Console.ts"
import { valueAt } from "./FormMembers.ts"
import { choicesOf } from "./Forms.ts"
import { faultOf } from "./Parts.ts"
import { addressWith, type Filter } from "./Lists.ts"
import { type Reader, texts } from "./Texts.ts"

/** What forms show of ids, and the id that what was typed means. */
interface ReferenceUseCases {
  readonly lines: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, string>, Problem, CurrentActor>
  readonly meant: (type: ReferenceType, typed: string, pointer: string) => Effect.Effect<string, Problem, CurrentActor>
}

/** The type of a record that people name. */
export type ReferenceType = "company" | "contact"

/** The members of a kind of record that hold the id of a contact or company; dots lead into nested ones. */
export interface References<R> {
  readonly members: { readonly [member: string]: ReferenceType }
  /** The filters of its list that do. */
  readonly filters?: { readonly [filter: string]: ReferenceType }
  readonly useCases: Effect.Effect<ReferenceUseCases, never, R>
}

const hints = texts({
  company: ["Name, domain or id", "Name, Domain oder Id"],
  contact: ["Name, e-mail address or id", "Name, E-Mail-Adresse oder Id"]
})

/** What a field has that names a record of a type. */
export const naming = ({ language }: Reader, type: ReferenceType) => ({ names: type, hint: hints[language][type] })

/** The record with another value at this path. */
const withValue = (record: object, [name = "", ...rest]: ReadonlyArray<string>, value: string): object => {
  const inner = valueAt(record, name)
  return {
    ...record,
    [name]: rest.length === 0 ? value : withValue(typeof inner === "object" && inner !== null ? inner : {}, rest, value)
  }
}

/** Makes what the forms of a kind of record do with its references, if it has any. */
export const makeReferences = <Resource extends object, R>(references: References<R> | undefined) => {
  const members = Object.entries(references?.members ?? {})
  const filters = Object.entries(references?.filters ?? {})

  /** The record as its form shows it: others are named. */
  const named = Effect.fnUntraced(function* (record: Resource) {
    if (references === undefined) return record
    const held = members.flatMap(([member]): ReadonlyArray<readonly [string, string]> => {
      const id = valueAt(record, member)
      return typeof id === "string" ? [[member, id]] : []
    })
    const lines = yield* (yield* references.useCases).lines(held.map(([, id]) => id))
    return held.reduce<Resource>(
      (shown, [member, id]) => withValue(shown, member.split("."), lines.get(id) ?? id) as Resource,
      record
    )
  })

  /** What was sent, with ids where others were named. */
  const resolved = Effect.fnUntraced(function* (form: Form) {
    if (references === undefined) return form
    const { meant } = yield* references.useCases
    const values = new URLSearchParams(form.values)
    for (const [member, type] of members) {
      const typed = form.text(member)
      if (typed !== undefined) values.set(member, yield* meant(type, typed, `/${member.replaceAll(".", "/")}`))
    }
    return new Form(values, form.reader)
  })

  /** The address of a list with the ids that its filters mean; undefined where it has those already. */
  const addressMeant = Effect.fnUntraced(function* (page: Pick<PageRequest, "path" | "search">) {
    if (references === undefined) return undefined
    const { meant } = yield* references.useCases
    const changed: { [filter: string]: string } = {}
    for (const [name, type] of filters) {
      const typed = page.search.get(name)?.trim() ?? ""
      const id = typed === "" ? typed : yield* meant(type, typed, `/${name}`)
      if (id !== typed) changed[name] = id
    }
    return Object.keys(changed).length === 0 ? undefined : addressWith(page, changed)
  })

  /** The filters of a list as its form shows them: others are named. */
  const namedFilters = Effect.fnUntraced(function* (
    { reader, search }: Pick<PageRequest, "reader" | "search">,
    shown: ReadonlyArray<Filter>,
    attempt: Attempt | undefined
  ) {
    if (references === undefined || filters.length === 0) return shown
    const held = filters.flatMap(([name]) => search.get(name) ?? []).filter((id) => id !== "")
    const lines = attempt === undefined ? yield* (yield* references.useCases).lines(held) : new Map<string, string>()
    const types = new Map(filters)
    return shown.map((filter): Filter => {
      const type = types.get(filter.name)
      if (type === undefined) return filter
      const value = search.get(filter.name) ?? ""
      const fault = faultOf(attempt?.problem.errors, filter.name)
      return {
        ...filter,
        ...naming(reader, type),
        value: lines.get(value) ?? value,
        choices: choicesOf(attempt, filter.name),
        ...(fault === undefined ? {} : { fault })
      }
    })
  })

  return { named, resolved, addressMeant, namedFilters }
}
