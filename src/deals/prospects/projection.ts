/** The answer for a prospect, from its state, the names of users and the day (docs/behaviour/projects-and-prospects.md#prospect-members). */
import type { NamedUser, Prospect } from "./Prospect.ts"
import { midnightOf } from "./dates.ts"
import type { NextTask, ProspectRow, ProspectState } from "./ProspectState.ts"

/** The ids of the users that a prospect names. */
export const userIdsOf = ({ nextTask, overrideBy, ownerId }: ProspectState): ReadonlyArray<string> =>
  [ownerId, overrideBy, nextTask?.assigneeId].flatMap((id) => id ?? [])

/** The names of users by their ids. */
type UserNames = ReadonlyMap<string, string>

/** Whether a task is overdue: its day is before today (both UTC). */
export const isOverdue = (task: Pick<NextTask, "due"> | null, today: string): boolean =>
  task !== null && task.due < today

/** The state as it is written on a day (`YYYY-MM-DD` in UTC). */
export const withOverdueFlag = (state: ProspectState, today: string): ProspectState => ({
  ...state,
  overdueWhenWritten: isOverdue(state.nextTask, today)
})

/** The ETag of a version that became overdue after it was written. */
export const overdueEtagOf = (etag: string): string => etag.replace(/"$/, '-overdue"')

/**
 * The ETag: that of the row, or another one once its task became overdue after the row was written. A job writes such rows soon after
 * midnight, so that deltas list them.
 */
export const prospectEtag = (
  { etag, nextTask, overdueWhenWritten }: Pick<ProspectRow, "etag" | "nextTask" | "overdueWhenWritten">,
  today: string
): string => (isOverdue(nextTask, today) === overdueWhenWritten ? etag : overdueEtagOf(etag))

const namedUser = (names: UserNames, id: string | null): NamedUser | null => {
  const name = id === null ? undefined : names.get(id)
  return id === null || name === undefined ? null : { id, name }
}

/** The answer; `today` is `YYYY-MM-DD` in UTC. */
export const toProspect = (row: ProspectRow, names: UserNames, today: string): Prospect => {
  const { nextTask, overrideStage, overrideUtc, teaserCommunicatedUtc } = row
  const owner = namedUser(names, row.ownerId)
  return {
    id: row.id,
    projectId: row.projectId,
    contact: row.contactId === null ? null : { id: row.contactId, name: row.name, email: row.email },
    company:
      row.companyId === null ? null : { id: row.companyId, name: row.name, domain: row.domain, country: row.country },
    classification: row.classification,
    interest: row.interest,
    stage: row.stage,
    ...(overrideStage === null || overrideUtc === null
      ? {}
      : {
          stageOverride: {
            stage: overrideStage,
            setBy: namedUser(names, row.overrideBy),
            setAtUtc: overrideUtc,
            reason: row.overrideReason
          }
        }),
    ...(nextTask === null
      ? {}
      : {
          nextTask: {
            id: nextTask.id,
            type: nextTask.type,
            dueDateUtc: midnightOf(nextTask.due),
            assignee: { id: nextTask.assigneeId, name: names.get(nextTask.assigneeId) ?? "" },
            overdue: isOverdue(nextTask, today)
          }
        }),
    openTaskCount: row.openTaskCount,
    projectTags: row.projectTags,
    tags: row.tags,
    ...(owner === null ? {} : { owner }),
    communicated: teaserCommunicatedUtc !== null,
    accepted: row.accepted,
    chat: row.chat,
    invitation: row.invitation,
    noteCount: row.noteCount,
    accessExpiryUtc: row.accessExpiryUtc,
    teaser: teaserCommunicatedUtc === null ? null : { stage: "communicated", communicatedUtc: teaserCommunicatedUtc },
    removedUtc: row.removedUtc,
    externalRefs: row.externalRefs,
    createdUtc: row.createdUtc,
    updatedUtc: row.updatedUtc,
    etag: prospectEtag(row, today),
    changeType: row.changeType,
    changeOrigin: row.changeOrigin,
    deletedUtc: row.deletedUtc
  }
}

/** The tombstone of a prospect that was deleted or removed from the list. */
export const toTombstone = (row: ProspectRow, today: string): Prospect => ({
  id: row.id,
  projectId: null,
  contact: null,
  company: null,
  classification: null,
  interest: null,
  stage: null,
  openTaskCount: null,
  projectTags: [],
  tags: [],
  communicated: null,
  accepted: null,
  chat: null,
  invitation: null,
  noteCount: null,
  accessExpiryUtc: null,
  teaser: null,
  removedUtc: row.deletedUtc === null ? row.removedUtc : null,
  externalRefs: row.externalRefs,
  createdUtc: row.createdUtc,
  updatedUtc: row.updatedUtc,
  etag: row.deletedUtc === null ? prospectEtag(row, today) : row.etag,
  changeType: "deleted",
  changeOrigin: row.changeOrigin,
  deletedUtc: row.deletedUtc ?? row.removedUtc
})
