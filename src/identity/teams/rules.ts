/** The decisions on teams and on their members as owners and assignees of records: docs/behaviour/identity.md#teams. */
import * as Id from "../../core/Id.ts"
import { differing, type UnvalidatedJson } from "../../core/usecase/UnvalidatedJson.ts"
import { Predicate } from "effect"
import { bodyFault, type Json } from "../../core/usecase/Input.ts"
import type { Fault } from "../../core/usecase/Problem.ts"
import { categories, type Role, type Team, type TeamProfile } from "./Team.ts"

/** `deleted`: nobody reaches it, and it comes back when it is restored. `purging`: its rows are removed, for good. */
export type TeamState = "active" | "deleted" | "purging"

/** What the operator does with a team; `purge` is done by a job once the grace is over, or at once. */
export type TeamMove = "delete" | "restore" | "purge"

/** The state after a move. If it is the same state, nothing changes. */
export const teamTransitions: {
  readonly [from in TeamState]: { readonly [move in TeamMove]: TeamState | "refused" }
} = {
  active: { delete: "deleted", restore: "active", purge: "refused" },
  deleted: { delete: "deleted", restore: "active", purge: "purging" },
  purging: { delete: "purging", restore: "refused", purge: "purging" }
}

/** For how many days a deleted team can be restored. */
export const graceDays = 30

/** The state of a team that has these times. */
export const teamStateOf = ({
  deletedAt,
  purgeBeganAt
}: {
  readonly deletedAt: Date | null
  readonly purgeBeganAt: Date | null
}): TeamState => (deletedAt === null ? "active" : purgeBeganAt === null ? "deleted" : "purging")

/** The maximum number of members in the answer of a team. */
export const maxInlineMembers = 50

/**
 * The sort key of members within their role: the display name without case and accents. Cut off, so that it fits into an index
 * even if normalization expands some characters.
 */
export const sortNameOf = (name: string): string =>
  name
    .normalize("NFKD")
    .replaceAll(/\p{Mark}/gu, "")
    .toLowerCase()
    .trim()
    .slice(0, 200)
    .toWellFormed()

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

/** The profile of a team, as its administrators change it. */
export const profileOf = (team: Team): TeamProfile => ({
  name: team.name,
  categories: team.categories.filter((one): one is TeamProfile["categories"][number] =>
    categories.some((known) => known === one)
  ),
  contactPersonId: team.contactPerson?.id ?? null,
  country: team.country,
  description: team.description,
  homepageUrl: team.homepageUrl,
  investmentCapacity: team.investmentCapacity,
  leasableArea: team.leasableArea,
  legalName: team.legalName,
  profilePictureUrl: team.profilePictureUrl,
  propertyCount: team.propertyCount,
  propertyValue: team.propertyValue,
  restrictedInvestmentSize: team.restrictedInvestmentSize,
  strategy: team.strategy,
  vatNumber: team.vatNumber
})

/**
 * Whether a team has no administrator once this member is none: `others` are those besides, who can sign in. A person who administers
 * nothing now changes nothing.
 */
export const wouldBeWithoutAdministrator = (
  { role, status }: { readonly role: Role; readonly status: "active" | "pending" },
  others: ReadonlyArray<unknown>
): boolean => role === "admin" && status === "active" && others.length === 0

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

/** The assignee of an unvalidated body as it is sent, if it has one. */
export const assigneeOf = ({ value }: UnvalidatedJson): unknown =>
  typeof value === "object" && value !== null && "assignee" in value ? value.assignee : undefined

/** A body without the assignee if that is sent as it was answered, with a name: it stays. */
export const withoutSameAssignee = (
  document: UnvalidatedJson,
  { assignee }: { readonly assignee: object | null }
): UnvalidatedJson => {
  const sent = assigneeOf(document)
  if (typeof sent !== "object" || sent === null || differing({ assignee: sent }, { assignee }).length > 0) {
    return document
  }
  const { assignee: _, ...others } = document.value as { readonly assignee: never }
  return { ...document, value: others }
}
