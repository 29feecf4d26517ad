/** The pure decisions on projects (docs/behaviour/projects-and-prospects.md#projects). */
import { bodyFault, type Json } from "../usecase/Input.ts"
import { changedFieldNames, namesOf } from "../changes/ChangedFields.ts"
import * as Id from "../Id.ts"
import type { ToChangeRecord } from "../records/RecordKind.ts"
import type { WriteContext } from "../records/WriteContext.ts"
import type { Audit } from "../records/Table.ts"
import { type Project, ValidationFailed } from "./Project.ts"

/** A project with the members that its answer does not show. */
export type ProjectRecord = Project & {
  /** When an investor first got access to a room. */
  readonly roomOpenedUtc: string | null
}

/** The members that are stored. */
export type ProjectFields = Pick<
  ProjectRecord,
  | "name"
  | "description"
  | "isPortfolio"
  | "propertyCount"
  | "propertyIds"
  | "exclusivity"
  | "ownerId"
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
  propertyIds: [],
  exclusivity: null,
  ownerId: null,
  publishedUtc: null,
  communicatedUtc: null,
  roomOpenedUtc: null,
  closedUtc: null,
  externalRefs: []
}

/** The status of a project (docs/behaviour/projects-and-prospects.md#project-status). */
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
    externalRefs: fields.externalRefs,
    publishedUtc: fields.publishedUtc,
    communicatedUtc: fields.communicatedUtc,
    closedUtc: fields.closedUtc,
    ...audit,
    roomOpenedUtc: fields.roomOpenedUtc
  }
}

/** The answer for a project. */
export const answerOf = ({ roomOpenedUtc: _, ...project }: ProjectRecord): Project => project

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

/** The body with the id of the caller where it names the owner `me`. `userId` is the UUID of the caller, if it is a user. */
export const withOwner = (value: Json, userId: string | null): Json =>
  userId !== null && has(value, "ownerId") && (value as { readonly [key: string]: Json })["ownerId"] === "me"
    ? { ...(value as { readonly [key: string]: Json }), ownerId: Id.fromUuid("user", userId) }
    : value

/** Checks projects: `owners` are the ids of those users who may own one. There are no properties yet. */
export const writeContextOf = (owners: ReadonlySet<string>): WriteContext<ProjectFields, ProjectRecord> => ({
  faultsOf: ({ changed, fields: { ownerId, propertyIds } }) => [
    ...(ownerId !== null && changed.includes("ownerId") && !owners.has(ownerId)
      ? [bodyFault("/ownerId", "invalid_reference", "There is no active member of the team with this id.")]
      : []),
    ...(changed.includes("propertyIds")
      ? propertyIds.map((_, index) =>
          bodyFault(`/propertyIds/${index}`, "invalid_reference", "There is no property with this id.")
        )
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

/** The member of the answer that a stored member changes: the first room access only shows in the status. */
const answeredMember = (member: keyof ProjectFields & string) => (member === "roomOpenedUtc" ? "status" : member)

const updated: ToChangeRecord<ProjectFields, ProjectRecord> = (change, { closedUtc }, uuid, changed) => {
  const resource = { type: "project", id: uuid } as const
  const answered = changed.map(answeredMember)
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
