/** The pure decisions on links. */
import { Result } from "effect"
import { maxRefs } from "../../externalRefs/ExternalRef.ts"
import { bodyFault } from "../../usecase/Input.ts"
import { Duplicate, InvalidRequest } from "../../usecase/Problem.ts"
import * as Id from "../../Id.ts"
import { type WriteContext, eventMapper } from "../../records/RecordKind.ts"
import type { Stored } from "../../records/RecordTable.ts"
import type { Link } from "./Link.ts"

/** The members that a client writes. */
export type LinkFields = Pick<Link, "contactId" | "companyId" | "jobTitle" | "externalRefs">

/** A link of which nothing is known yet. */
export const blank: LinkFields = { contactId: "", companyId: "", jobTitle: null, externalRefs: [] }

/** What is told of a change of a link: it stands on the timelines of both whom it joins. */
export const toChangeRecord = eventMapper<LinkFields, Link>({
  type: "link",
  eventNames: { jobTitle: "job_title" },
  subjectsOf: ({ companyId, contactId }) =>
    [
      { type: "contact" as const, id: Id.toUuid("contact", contactId) },
      { type: "company" as const, id: Id.toUuid("company", companyId) }
    ].flatMap(({ id, type }) => (id === undefined ? [] : [{ type, id }])),
  extrasOf: ({ companyId, contactId }) => ({ contact_id: contactId, company_id: companyId })
})

const pairOf = ({ companyId, contactId }: Pick<LinkFields, "companyId" | "contactId">) => `${contactId} ${companyId}`

/** What links must get along with: contacts and companies that are there, and one link for each pair of them. */
export const writeContextOf = (found: {
  /** The ids of the contacts that are there. */
  readonly contacts: ReadonlySet<string>
  /** The ids of the companies that are there. */
  readonly companies: ReadonlySet<string>
  /** The links of the pairs that are wanted, and their latest tombstones. */
  readonly links: ReadonlyArray<Stored<Link>>
}): WriteContext<LinkFields, Link> => {
  const living = new Map<string, Stored<Link>>()
  const former = new Map<string, Stored<Link>>()
  for (const stored of found.links) (stored.deleted ? former : living).set(pairOf(stored.resource), stored)
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
            detail: "These two are linked already: update that link.",
            candidates: [{ id: other.resource.id, jobTitle: other.resource.jobTitle }]
          })
    },
    findMatch: (fields) => living.get(pairOf(fields)),
    findTombstone: (fields) => former.get(pairOf(fields)),
    onWritten: (stored) => {
      living.set(pairOf(stored.resource), stored)
    }
  }
}

/** Contacts or companies (UUIDs) that become part of another. */
export interface Reassignment {
  readonly type: "contact" | "company"
  readonly from: ReadonlyArray<string>
  readonly to: string
}

/** A link that stays, and what is new of it. */
export interface Kept {
  readonly stored: Stored<Link>
  readonly input: Partial<LinkFields>
}

const byAge = (a: Stored<Link>, b: Stored<Link>) => {
  const [left, right] = [a, b].map(({ resource: { createdUtc, id } }) => `${createdUtc} ${id}`)
  return (left ?? "") < (right ?? "") ? -1 : 1
}

/**
 * What becomes of the links of contacts or companies that become part of another, its own among them. Where several join
 * the same two then, the other's own stays, or else the oldest; it takes over the external references of those that are
 * dropped and, without a job title of its own, the oldest title among them.
 */
export const gathered = (
  links: ReadonlyArray<Stored<Link>>,
  { to, type }: Reassignment
): Result.Result<
  { readonly kept: ReadonlyArray<Kept>; readonly dropped: ReadonlyArray<Stored<Link>> },
  InvalidRequest
> => {
  const [member, other] =
    type === "contact" ? (["contactId", "companyId"] as const) : (["companyId", "contactId"] as const)
  const survivor = Id.fromUuid(type, to)
  const groups = new Map<string, Array<Stored<Link>>>()
  for (const stored of [...links].sort(byAge)) {
    const group = groups.get(stored.resource[other])
    if (group === undefined) groups.set(stored.resource[other], [stored])
    else if (stored.resource[member] === survivor) group.unshift(stored)
    else group.push(stored)
  }
  const kept: Array<Kept> = []
  const dropped: Array<Stored<Link>> = []
  for (const group of groups.values()) {
    const [stored, ...rest] = group
    if (stored === undefined) continue
    // A reference belongs to one link at a time, so none is there twice.
    const externalRefs = group.flatMap(({ resource }) => resource.externalRefs)
    if (externalRefs.length > maxRefs) {
      return Result.fail(
        InvalidRequest.of([
          bodyFault(
            "/from",
            "too_many",
            `With those of others to ${stored.resource[other]}, ${stored.resource.id} would have more than ${maxRefs} external references.`
          )
        ])
      )
    }
    const jobTitle = group.find(({ resource }) => resource.jobTitle !== null)?.resource.jobTitle ?? null
    kept.push({ stored, input: { [member]: survivor, jobTitle, externalRefs } })
    dropped.push(...rest)
  }
  return Result.succeed({ kept, dropped })
}
