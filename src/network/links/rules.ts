/** The pure decisions on links (docs/behaviour/network.md#links). */
import * as Id from "../../core/Id.ts"
import { Result } from "effect"
import { maxRefs } from "../../core/externalRefs/ExternalRef.ts"
import { bodyFault } from "../../core/usecase/Input.ts"
import { exceeded } from "../../core/quotas/Quota.ts"
import { Duplicate, InvalidRequest, InvestorDeleted } from "../../core/usecase/Problem.ts"
import { changedFieldNames } from "../../core/mutation/Event.ts"
import { changeRecordMapper } from "../../core/records/RecordKind.ts"
import type { WriteContext } from "../../core/records/WriteContext.ts"
import type { Stored } from "../../core/records/Table.ts"
import type { Link } from "./Link.ts"

/** The members that are written. */
export type LinkFields = Pick<Link, "contactId" | "companyId" | "jobTitle" | "externalRefs">

/** A link without values. */
export const blank: LinkFields = { contactId: "", companyId: "", jobTitle: null, externalRefs: [] }

/** The change record of a write. It is on the timelines of the contact and of the company. */
export const toChangeRecord = changeRecordMapper<LinkFields, Link>({
  type: "link",
  fieldNames: changedFieldNames.link,
  subjectsOf: ({ companyId, contactId }) =>
    [
      { type: "contact" as const, id: Id.toUuid("contact", contactId) },
      { type: "company" as const, id: Id.toUuid("company", companyId) }
    ].flatMap(({ id, type }) => (id === undefined ? [] : [{ type, id }])),
  namesOf: ({ companyId, contactId }) => ({ contact_id: contactId, company_id: companyId })
})

const pairOf = ({ companyId, contactId }: Pick<LinkFields, "companyId" | "contactId">) => `${contactId} ${companyId}`

/** A link is known by its contact and company. */
export const identity = {
  isUnique: true,
  keysOf: (fields: Pick<LinkFields, "companyId" | "contactId">) => [pairOf(fields)],
  namesOf: () => []
}

/** The contacts or companies (UUIDs) of deleted links. */
export const uuidsOf = (
  deleted: ReadonlyArray<{ readonly fields: LinkFields }>,
  type: "company" | "contact"
): ReadonlyArray<string> =>
  deleted.flatMap(({ fields }) => Id.toUuid(type, type === "contact" ? fields.contactId : fields.companyId) ?? [])

/** How a deleted link comes back: it joins what its ends (UUIDs) are by now, if both live. */
export const returnOf = (
  fields: LinkFields,
  living: { readonly contacts: ReadonlyMap<string, string>; readonly companies: ReadonlyMap<string, string> }
): Result.Result<{ readonly fields: LinkFields; readonly notRestored: readonly [] }, InvestorDeleted> => {
  const contact = living.contacts.get(Id.toUuid("contact", fields.contactId) ?? "")
  const company = living.companies.get(Id.toUuid("company", fields.companyId) ?? "")
  if (contact === undefined || company === undefined) {
    const [what, id] = contact === undefined ? ["contact", fields.contactId] : ["company", fields.companyId]
    return Result.fail(
      new InvestorDeleted({
        detail: `The ${what} of this link, ${id}, is deleted. Restore it: the link may come back with it.`
      })
    )
  }
  return Result.succeed({
    fields: { ...fields, contactId: Id.fromUuid("contact", contact), companyId: Id.fromUuid("company", company) },
    notRestored: []
  })
}

/** Checks links: their contact and company exist, and a pair has one link. */
export const writeContextOf = (found: {
  /** The ids of the contacts that exist. */
  readonly contacts: ReadonlySet<string>
  /** The ids of the companies that exist. */
  readonly companies: ReadonlySet<string>
  /** The links of the wanted pairs, and their latest tombstones. */
  readonly links: ReadonlyArray<Stored<Link>>
}): WriteContext<LinkFields, Link, Duplicate> => {
  const living = new Map<string, Stored<Link>>()
  const tombstones = new Map<string, Stored<Link>>()
  for (const stored of found.links) (stored.deleted ? tombstones : living).set(pairOf(stored.resource), stored)
  const faultOf = (member: "contactId" | "companyId", id: string, what: "contact" | "company") =>
    (what === "contact" ? found.contacts : found.companies).has(id)
      ? []
      : [bodyFault(`/${member}`, "invalid_reference", `There is no ${what} with this id.`)]
  return {
    faultsOf: ({ fields: { companyId, contactId }, uuid }) =>
      uuid === undefined
        ? [...faultOf("contactId", contactId, "contact"), ...faultOf("companyId", companyId, "company")]
        : [],
    findConflict: ({ fields, uuid }) => {
      const other = living.get(pairOf(fields))
      return other === undefined || other.uuid === uuid
        ? undefined
        : new Duplicate({
            detail: "This contact and company are already linked. Update that link instead.",
            candidates: [{ id: other.resource.id, jobTitle: other.resource.jobTitle }]
          })
    },
    findMatch: (fields) => living.get(pairOf(fields)),
    findByKeys: (keys) => keys.flatMap((key) => living.get(key) ?? []),
    findTombstone: (fields) => tombstones.get(pairOf(fields)),
    onWritten: (stored) => {
      living.set(pairOf(stored.resource), stored)
    }
  }
}

/**
 * Adds to a context that each contact and company has at most `quota` links. `counts` are those that the ends of the wanted links have,
 * by the ids of the ends.
 */
export const withQuota = (
  context: WriteContext<LinkFields, Link, Duplicate>,
  { counts, quota }: { readonly counts: ReadonlyMap<string, number>; readonly quota: number }
): WriteContext<LinkFields, Link, Duplicate> => {
  const present = new Map(counts)
  const countOf = (id: string) => present.get(id) ?? 0
  return {
    ...context,
    findExceeded: ({ companyId, contactId }) => {
      const used = Math.max(countOf(companyId), countOf(contactId))
      return used < quota ? undefined : exceeded("links_of_record", { quota, used }, true)
    },
    onWritten: (stored) => {
      context.onWritten?.(stored)
      if (stored.resource.changeType === "updated") return
      const { companyId, contactId } = stored.resource
      for (const id of [companyId, contactId]) present.set(id, countOf(id) + 1)
    }
  }
}

/** The contacts or companies `from`, which are merged into `to`, by their UUIDs. */
export interface Reassignment {
  readonly type: "contact" | "company"
  readonly from: ReadonlyArray<string>
  readonly to: string
}

/** A link that survives, and the members that it gets. */
export interface Survivor {
  readonly stored: Stored<Link>
  readonly input: Partial<LinkFields>
}

const byAge = (a: Stored<Link>, b: Stored<Link>) => {
  const [left, right] = [a, b].map(({ resource: { createdUtc, id } }) => `${createdUtc} ${id}`)
  return (left ?? "") < (right ?? "") ? -1 : 1
}

/** The refusal of a merge after which a link to this contact or company would have too many references. */
export const overfull = (joinedId: string, linkId = "a link"): InvalidRequest =>
  InvalidRequest.of([
    bodyFault(
      "/from",
      "too_many",
      `With those of others to ${joinedId}, ${linkId} would have more than ${maxRefs} external references.`
    )
  ])

/**
 * Plans the merge of all links of merged contacts or companies and of the one that they are merged into. Of several links that
 * then join the same pair, the absorbing record's own survives, or else the oldest. The survivor takes over the external references
 * of the others and, if it has no job title, the oldest of theirs. Fails when a survivor would exceed the limit of references, unless
 * it `mayExceed` it, as in later steps of a merge that was accepted.
 */
export const planMerge = (
  links: ReadonlyArray<Stored<Link>>,
  { to, type }: Reassignment,
  mayExceed = false
): Result.Result<
  { readonly survivors: ReadonlyArray<Survivor>; readonly absorbed: ReadonlyArray<Stored<Link>> },
  InvalidRequest
> => {
  const [member, other] =
    type === "contact" ? (["contactId", "companyId"] as const) : (["companyId", "contactId"] as const)
  const absorbingId = Id.fromUuid(type, to)
  const groups = new Map<string, Array<Stored<Link>>>()
  for (const stored of [...links].sort(byAge)) {
    const group = groups.get(stored.resource[other])
    if (group === undefined) groups.set(stored.resource[other], [stored])
    else if (stored.resource[member] === absorbingId) group.unshift(stored)
    else group.push(stored)
  }
  const survivors: Array<Survivor> = []
  const absorbed: Array<Stored<Link>> = []
  for (const group of groups.values()) {
    const [stored, ...others] = group
    if (stored === undefined) continue
    // A reference belongs to one link, so none of them occurs twice.
    const externalRefs = group.flatMap(({ resource }) => resource.externalRefs)
    if (externalRefs.length > maxRefs && !mayExceed) {
      return Result.fail(overfull(stored.resource[other], stored.resource.id))
    }
    const jobTitle = group.find(({ resource }) => resource.jobTitle !== null)?.resource.jobTitle ?? null
    survivors.push({ stored, input: { [member]: absorbingId, jobTitle, externalRefs } })
    absorbed.push(...others)
  }
  return Result.succeed({ survivors, absorbed })
}
