/** Reads the items of an upsert before they are validated: their ids and references. Pure. */
import { Predicate, Result } from "effect"
import type { ExternalRef } from "../externalRefs/ExternalRef.ts"
import { shortened } from "../fields/KnownNames.ts"
import { inNfc } from "../fields/Text.ts"
import type { Json } from "../usecase/Input.ts"
import { itemTags, type Tags } from "../usecase/Precondition.ts"
import type { Fault } from "../usecase/Problem.ts"
import type { UnvalidatedJson } from "../usecase/UnvalidatedJson.ts"

/** The items of a batch as documents, each with the faults of its own strings. */
export const itemsOf = (document: UnvalidatedJson, items: ReadonlyArray<unknown>): ReadonlyArray<UnvalidatedJson> => {
  const faults = Map.groupBy(document.faults, ({ pointer }) => /^\/items\/\d+/.exec(pointer)?.[0])
  return items.map((value, index) => {
    const prefix = `/items/${index}`
    const own = faults.get(prefix) ?? []
    return {
      value: value as Json,
      sent: value as Json,
      exhaustive: document.exhaustive,
      faults: own.map((fault): Fault => ({ ...fault, pointer: fault.pointer.slice(prefix.length) }))
    }
  })
}

// Text that the database can hold: any other reference cannot exist.
const isText = (value: unknown): value is string =>
  typeof value === "string" && value.isWellFormed() && !value.includes("\0")

const memberOf = ({ value }: UnvalidatedJson, name: string): unknown =>
  Predicate.isObject(value) && Object.hasOwn(value, name) ? value[name as keyof typeof value] : undefined

/** The well-formed references of an item. */
export const refsOf = (item: UnvalidatedJson): ReadonlyArray<ExternalRef> => {
  const refs = memberOf(item, "externalRefs")
  return (Array.isArray(refs) ? (refs as ReadonlyArray<unknown>) : []).flatMap((ref) =>
    Predicate.isObject(ref) &&
    "namespace" in ref &&
    "externalId" in ref &&
    isText(ref.namespace) &&
    isText(ref.externalId)
      ? [{ namespace: inNfc(ref.namespace), externalId: inNfc(ref.externalId) }]
      : []
  )
}

/** The value of a member of an item, if it is text. */
export const textOf = (item: UnvalidatedJson, member: string): string | undefined => {
  const value = memberOf(item, member)
  return isText(value) ? value : undefined
}

/** Whether an item has a member `id`, valid or not. */
export const hasId = (item: UnvalidatedJson): boolean => memberOf(item, "id") !== undefined

/** The id of an item, if it is a string. */
export const idOf = (item: UnvalidatedJson): string | undefined => {
  const id = memberOf(item, "id")
  return typeof id === "string" ? id : undefined
}

/** The id of an item as a receipt repeats it. */
export const shortIdOf = (item: UnvalidatedJson): string | undefined => {
  const id = idOf(item)
  return id === undefined ? undefined : shortened(id)
}

const withMembers = (
  item: UnvalidatedJson,
  change: (value: { readonly [member: string]: unknown }) => { readonly [member: string]: unknown }
): UnvalidatedJson =>
  Predicate.isObject(item.value) && !Array.isArray(item.value) ? { ...item, value: change(item.value) as Json } : item

/** An item with only these members. */
export const pickMembers = (item: UnvalidatedJson, members: ReadonlyArray<string>): UnvalidatedJson =>
  withMembers(item, (value) =>
    Object.fromEntries(members.flatMap((member) => (Object.hasOwn(value, member) ? [[member, value[member]]] : [])))
  )

/** An item without these members. */
export const omitMembers = (item: UnvalidatedJson, members: ReadonlyArray<string>): UnvalidatedJson =>
  withMembers(item, (value) =>
    members.some((member) => Object.hasOwn(value, member))
      ? Object.fromEntries(Object.entries(value).filter(([member]) => !members.includes(member)))
      : value
  )

/** An item without its `etag`, and the tags of that. A malformed one is a fault of the item. */
export const splitEtag = (
  item: UnvalidatedJson
): { readonly item: UnvalidatedJson; readonly tags: Tags | undefined } => {
  const others = omitMembers(item, ["etag"])
  const tags = itemTags(memberOf(item, "etag"))
  return Result.isSuccess(tags)
    ? { item: others, tags: tags.success }
    : { item: { ...others, faults: [...item.faults, tags.failure] }, tags: undefined }
}

/** Whether a record has other references in a system of which references are sent: then the item means another record. */
export const hasOtherRefs = (present: ReadonlyArray<ExternalRef>, sent: ReadonlyArray<ExternalRef>): boolean =>
  sent.some(({ namespace }) => present.some((ref) => ref.namespace === namespace))
