/** The owners of records in requests, where `me` is the caller. Pure. */
import { Predicate } from "effect"
import * as Id from "../../core/Id.ts"
import { bodyFault, type Json } from "../../core/usecase/Input.ts"
import type { Fault } from "../../core/usecase/Problem.ts"

/**
 * The body, or the items of a batch, with the id of the caller where they name the owner `me`. `userId` is the UUID of the caller, if it
 * is a user.
 */
export const withOwner = (value: Json, userId: string | null): Json => {
  if (userId === null || !Predicate.isObject(value) || Array.isArray(value)) return value
  const body = value as { readonly [member: string]: Json }
  const { items, ownerId } = body
  if (Array.isArray(items)) return { ...body, items: items.map((item: Json) => withOwner(item, userId)) }
  return ownerId === "me" ? { ...body, ownerId: Id.fromUuid("user", userId) } : value
}

/** The fault of an owner that changes to nobody of these, the ids of those users who may own a record. */
export const ownerFaults = (
  owners: ReadonlySet<string>,
  {
    changed,
    fields: { ownerId }
  }: { readonly changed: ReadonlyArray<string>; readonly fields: { readonly ownerId: string | null } }
): ReadonlyArray<Fault> =>
  ownerId !== null && changed.includes("ownerId") && !owners.has(ownerId)
    ? [bodyFault("/ownerId", "invalid_reference", "There is no active member of the team with this id.")]
    : []
