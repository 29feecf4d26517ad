/** Arguments that tools of several modules have. Their schemas are those of REST; the descriptions are for agents, and shorter. */
import { Schema } from "effect"
import { type ExternalRef, isRefText, parseQuery } from "../core/externalRefs/ExternalRef.ts"
import { Name, Tags } from "../core/fields/Text.ts"

/** External references of a record that is written, each as text. */
export const externalRefs = Schema.optionalKey(
  Schema.Array(Schema.String.check(isRefText)).annotate({
    description: "NAMESPACE:ID in other systems: the whole list."
  })
)

/** The member `externalRefs` of a body, as REST has it, from the argument. */
export const refsOf = (refs: ReadonlyArray<string> | undefined) =>
  refs === undefined ? {} : { externalRefs: refs.map(parseQuery) }

/** External references in an answer: as the argument takes them. */
export const refTexts = (refs: ReadonlyArray<ExternalRef>): ReadonlyArray<string> =>
  refs.map(({ externalId, namespace }) => `${namespace}:${externalId}`)

/** The name of a record that is written. */
export const name = Name.annotate({ description: "Display name." })

/** Whether to write a contact or company that may be there already. */
export const force = Schema.optionalKey(Schema.Boolean.annotate({ description: "Write despite possible duplicates." }))

/** The tags of a record that is written. */
export const tags = Schema.optionalKey(Tags.annotate({ description: "Labels: the whole list." }))

/** The filter of a list by tags. */
export const tagsFilter = Schema.optionalKey(Tags.annotate({ description: "Only records with all of these labels." }))

/** The full-text search of a list. */
export const query = Schema.optionalKey(Schema.String.annotate({ description: "Words to find, in any order." }))

/** Members of a record: each with its schema, and what it is. */
type Kinds = { readonly [member: string]: readonly [schema: Schema.Top, description: string] }

/** The arguments for members of a record that is created: each may be omitted. */
export const members = <const K extends Kinds>(kinds: K): { readonly [M in keyof K]: Schema.optionalKey<K[M][0]> } =>
  Object.fromEntries(
    Object.entries(kinds).map(([name, [schema, description]]) => [
      name,
      Schema.optionalKey(schema.annotate({ description }))
    ])
  ) as never

/** The arguments for members of a record that is changed: each may be omitted, and null clears it. */
export const clearables = <const K extends Kinds>(
  kinds: K
): { readonly [M in keyof K]: Schema.optionalKey<Schema.NullOr<K[M][0]>> } =>
  Object.fromEntries(
    Object.entries(kinds).map(([name, [schema, description]]) => [
      name,
      Schema.optionalKey(Schema.NullOr(schema)).annotate({ description })
    ])
  ) as never
