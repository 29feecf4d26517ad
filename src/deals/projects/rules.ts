/** The pure decisions on projects (docs/behaviour/projects-and-prospects.md#projects). */
import * as Id from "../../core/Id.ts"
import { bodyFault, type Json } from "../../core/usecase/Input.ts"
import { changedFieldNames, type EventType, namesOf } from "../../core/mutation/Event.ts"
import { ownerFaults } from "../../identity/teams/rules.ts"
import type { ToChangeRecord } from "../../core/records/RecordKind.ts"
import type { WriteContext } from "../../core/records/WriteContext.ts"
import type { Audit } from "../../core/records/Table.ts"
import { differing } from "../../core/usecase/UnvalidatedJson.ts"
import type { Fault } from "../../core/usecase/Problem.ts"
import { type Project, ValidationFailed } from "./Project.ts"

/** A project with the members that its answer does not show. */
export type ProjectRecord = Project & {
  /** When an investor first got access to a room. */
  readonly roomOpenedUtc: string | null
  /** Whether somebody wrote the number of properties; else it follows the linked ones. */
  readonly propertyCountWritten: boolean | null
}

/** The members that are stored. */
export type ProjectFields = Pick<
  ProjectRecord,
  | "name"
  | "description"
  | "isPortfolio"
  | "propertyCount"
  | "propertyCountWritten"
  | "propertyIds"
  | "exclusivity"
  | "ownerId"
  | "sellerContactId"
  | "publishedUtc"
  | "communicatedUtc"
  | "roomOpenedUtc"
  | "closedUtc"
  | "externalRefs"
>

/** A project without values. */
export const blank: ProjectFields = {
  name: null,
  description: null,
  isPortfolio: false,
  propertyCount: null,
  propertyCountWritten: false,
  propertyIds: [],
  exclusivity: null,
  ownerId: null,
  sellerContactId: null,
  publishedUtc: null,
  communicatedUtc: null,
  roomOpenedUtc: null,
  closedUtc: null,
  externalRefs: []
}

/** The status of a project (docs/behaviour/projects-and-prospects.md#projects). */
export const statusOf = ({
  closedUtc,
  communicatedUtc,
  publishedUtc,
  roomOpenedUtc
}: Pick<ProjectFields, "closedUtc" | "communicatedUtc" | "publishedUtc" | "roomOpenedUtc">):
  | "draft"
  | "open"
  | "closed" => {
  if (closedUtc !== null) return "closed"
  return communicatedUtc === null && publishedUtc === null && roomOpenedUtc === null ? "draft" : "open"
}

/** The project with these members. A deleted one keeps its members for a restore, and is shown as a tombstone. */
export const toRecord = (id: string, kept: ProjectFields, audit: Audit): ProjectRecord => {
  const isDeleted = audit.deletedUtc !== null
  const fields = isDeleted ? { ...blank, isPortfolio: null, externalRefs: kept.externalRefs } : kept
  return {
    id,
    name: fields.name,
    description: fields.description,
    isPortfolio: fields.isPortfolio,
    propertyCount: fields.propertyCount,
    propertyIds: fields.propertyIds,
    exclusivity: fields.exclusivity,
    mandate: fields.exclusivity,
    status: isDeleted ? null : statusOf(fields),
    ownerId: fields.ownerId,
    sellerContactId: fields.sellerContactId,
    externalRefs: fields.externalRefs,
    publishedUtc: fields.publishedUtc,
    communicatedUtc: fields.communicatedUtc,
    closedUtc: fields.closedUtc,
    ...audit,
    roomOpenedUtc: fields.roomOpenedUtc,
    propertyCountWritten: fields.propertyCountWritten === true
  }
}

/** The answer for a project. */
export const answerOf = ({ propertyCountWritten: _, roomOpenedUtc: __, ...project }: ProjectRecord): Project => project

interface SentExclusivity extends Partial<Omit<ProjectFields, "exclusivity">> {
  readonly exclusivity?: Project["exclusivity"]
  readonly mandate?: Project["mandate"]
}

/** The values to store for the values that were sent, where `mandate` is the former name of `exclusivity`. */
export const fieldsOf = ({ exclusivity, mandate, ...sent }: SentExclusivity): Partial<ProjectFields> =>
  exclusivity === undefined && mandate === undefined ? sent : { ...sent, exclusivity: exclusivity ?? mandate ?? null }

const has = (value: Json, member: string): boolean =>
  value !== null &&
  typeof value === "object" &&
  !Array.isArray(value) &&
  ((value as { readonly [key: string]: Json })[member] ?? null) !== null

/** Rejects a body that has values for both names of the exclusivity, even if they are equal. */
export const rejectionOf = (value: Json): ValidationFailed | undefined =>
  has(value, "mandate") && has(value, "exclusivity")
    ? new ValidationFailed({
        detail: "`mandate` is the former name of `exclusivity`. Send only `exclusivity`.",
        errors: [
          bodyFault("/mandate", "excluded", "Is the former name of `exclusivity`, which was sent, too. Leave it out.")
        ]
      })
    : undefined

/**
 * The values to store for the values that were sent: each property once, and their number, which follows them unless somebody wrote
 * another one. The present number does not count as written, so that a client can send back what it read.
 */
export const normalize = (sent: Partial<ProjectFields>, current: ProjectFields): Partial<ProjectFields> => {
  const { propertyCount, propertyIds: ids } = sent
  const isWritten = propertyCount !== undefined && propertyCount !== current.propertyCount
  const propertyCountWritten = isWritten ? propertyCount !== null : current.propertyCountWritten === true
  const propertyIds = ids === undefined ? undefined : [...new Set(ids)]
  const isLinked = propertyIds !== undefined && differing({ propertyIds }, current).length > 0
  return {
    ...sent,
    ...(propertyIds === undefined ? {} : { propertyIds }),
    ...(isWritten || isLinked ? { propertyCountWritten } : {}),
    ...(isLinked && !propertyCountWritten ? { propertyCount: propertyIds.length } : {})
  }
}

/** The maximum number of projects that list a property. */
export const maxProjects = 500

/**
 * Checks projects: `owners` are the ids of those users who may own one, `projectIds` the projects of those properties that exist, by
 * their ids, and `sellers` the ids of those contacts that exist.
 */
export const writeContextOf = (
  owners: ReadonlySet<string>,
  projectIds: ReadonlyMap<string, ReadonlyArray<string>>,
  sellers: ReadonlySet<string> = new Set()
): WriteContext<ProjectFields, ProjectRecord> => ({
  faultsOf: (write) => [
    ...ownerFaults(owners, write),
    ...(write.changed.includes("sellerContactId") &&
    write.fields.sellerContactId !== null &&
    !sellers.has(write.fields.sellerContactId)
      ? [bodyFault("/sellerContactId", "invalid_reference", "There is no contact with this id.")]
      : []),
    ...(write.changed.includes("propertyIds")
      ? write.fields.propertyIds.flatMap((id, index): ReadonlyArray<Fault> => {
          const listing = projectIds.get(id)
          const pointer = `/propertyIds/${index}`
          if (listing === undefined) {
            return [bodyFault(pointer, "invalid_reference", "There is no property with this id.")]
          }
          const isNew = write.uuid === undefined || !listing.includes(Id.fromUuid("project", write.uuid))
          return isNew && listing.length >= maxProjects
            ? [
                bodyFault(
                  pointer,
                  "too_many",
                  `The property is on ${maxProjects} projects, the most that it can be on.`
                )
              ]
            : []
        })
      : [])
  ]
})

/** The state of a project, which decides its moves. */
export type ProjectState = "draft" | "shared" | "closed" | "closed_shared" | "deleted"

/** The moves of a project. */
export type ProjectMove = "close" | "reopen" | "delete" | "restore"

/**
 * The state that a move leads to (docs/behaviour/projects-and-prospects.md#project-lifecycle). The same state: nothing changes.
 * `refused`: 409. `missing`: 404, the project is deleted. `as_before`: the state in which it was deleted.
 */
export const transitions: {
  readonly [from in ProjectState]: {
    readonly [move in ProjectMove]: ProjectState | "refused" | "missing" | "as_before"
  }
} = {
  draft: { close: "closed", reopen: "draft", delete: "deleted", restore: "refused" },
  shared: { close: "closed_shared", reopen: "shared", delete: "refused", restore: "refused" },
  closed: { close: "closed", reopen: "draft", delete: "deleted", restore: "refused" },
  closed_shared: { close: "closed_shared", reopen: "shared", delete: "refused", restore: "refused" },
  deleted: { close: "missing", reopen: "missing", delete: "missing", restore: "as_before" }
}

/** The state of a project. It is shared once its teaser was communicated, and while an investor has access to a room. */
export const stateOf = (
  { closedUtc, communicatedUtc, deletedUtc }: Pick<Project, "closedUtc" | "communicatedUtc" | "deletedUtc">,
  hasRoomAccess: boolean
): ProjectState => {
  if (deletedUtc !== null) return "deleted"
  const isShared = communicatedUtc !== null || hasRoomAccess
  if (closedUtc === null) return isShared ? "shared" : "draft"
  return isShared ? "closed_shared" : "closed"
}

/** The members of the answer that a stored member changes: the first room access only shows in the status. */
const answeredMembers = (member: keyof ProjectFields & string) => {
  if (member === "propertyCountWritten") return []
  return [member === "roomOpenedUtc" ? ("status" as const) : member]
}

const updated: ToChangeRecord<ProjectFields, ProjectRecord> = (change, { closedUtc }, uuid, changed) => {
  const resource = { type: "project", id: uuid } as const
  const answered = changed.flatMap(answeredMembers)
  const move = !changed.includes("closedUtc") ? undefined : closedUtc === null ? "reopened" : "closed"
  const isFirstCommunication = changed.includes("communicatedUtc")
  return {
    change,
    resource,
    subjects: [resource],
    timeline:
      move !== undefined
        ? { event: `project.${move}`, details: { kind: "audit" } }
        : isFirstCommunication
          ? { event: "project.communicated", details: { kind: "audit" } }
          : { event: "project.updated", details: { kind: "audit", changedFields: answered } },
    event: {
      type: "project.updated",
      extras: {
        changed_fields: namesOf(changedFieldNames.project, answered),
        ...(move === undefined ? {} : { action: { type: move } })
      }
    }
  }
}

/** The event of the latest change of a project. */
export const eventOf = (changeType: string): EventType =>
  changeType === "created" || changeType === "deleted" || changeType === "restored"
    ? `project.${changeType}`
    : "project.updated"

/** The change record of a write. */
export const toChangeRecord: ToChangeRecord<ProjectFields, ProjectRecord> = (change, project, uuid, changed) => {
  if (change === "updated") return updated(change, project, uuid, changed)
  const resource = { type: "project", id: uuid } as const
  const type = `project.${change}` as const
  const refs = project.externalRefs.map(({ externalId, namespace }) => ({ namespace, id: externalId }))
  return {
    change,
    resource,
    subjects: [resource],
    timeline: { event: type, details: { kind: "audit" } },
    event: { type, extras: change === "deleted" ? { external_refs: refs } : {} }
  }
}

/** A list of properties (ids) as it was before one of them was deleted. */
export interface FormerList {
  readonly propertyId: string
  readonly propertyIds: ReadonlyArray<string>
}

/** A list with a restored property where it was in a former one: after the first one before it that is still listed. */
export const listedAgain = (
  current: ReadonlyArray<string>,
  { propertyId, propertyIds }: FormerList
): ReadonlyArray<string> => {
  if (current.includes(propertyId)) return current
  const before = propertyIds.slice(0, propertyIds.indexOf(propertyId)).findLast((id) => current.includes(id))
  const at = before === undefined ? 0 : current.indexOf(before) + 1
  return [...current.slice(0, at), propertyId, ...current.slice(at)]
}

/** Whether a list is as the deletion of a property left it, but for others that are deleted now. */
export const isAsLeft = (
  current: ReadonlyArray<string>,
  { propertyId, propertyIds }: FormerList,
  isDeleted: (id: string) => boolean
): boolean => {
  const left = propertyIds.filter((id) => id !== propertyId && !isDeleted(id))
  return left.length === current.length && left.every((id, index) => id === current[index])
}

/**
 * The seller of a project that is reopened or restored: `living` is the contact that the named one is by now, null if it was
 * deleted. A closed project keeps its seller as it was.
 */
export const sellerAfter = (
  { closedUtc, sellerContactId }: Pick<ProjectRecord, "closedUtc" | "sellerContactId">,
  living: string | null
): string | null => living ?? (closedUtc === null ? null : sellerContactId)
