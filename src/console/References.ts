/** Forms of records that name contacts and companies: people read and type names where the record holds ids. */
import { Effect } from "effect"
import type { CurrentActor } from "../core/auth/CurrentActor.ts"
import { Form, type Problem } from "./Console.ts"
import { valueAt } from "./Forms.ts"

/** What forms show of ids, and the id that what was typed means. */
interface ReferenceUseCases {
  readonly lines: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, string>, Problem, CurrentActor>
  readonly meant: (
    type: "company" | "contact",
    typed: string,
    pointer: string
  ) => Effect.Effect<string, Problem, CurrentActor>
}

/** The members of a kind of record that hold the id of a contact or company; dots lead into nested ones. */
export interface References<R> {
  readonly members: { readonly [member: string]: "company" | "contact" }
  readonly useCases: Effect.Effect<ReferenceUseCases, never, R>
}

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

  return { named, resolved }
}
