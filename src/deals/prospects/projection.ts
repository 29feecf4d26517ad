/**
 * The answer for a prospect, from its state, the names of users and the day (docs/behaviour/projects-and-prospects.md#prospects);
 * before it the days and moments on which answers depend: when tasks are due, and when access ends. Days are `YYYY-MM-DD` in UTC.
 */
import type { NamedUser, Prospect, ProspectRow, ProspectState, StoredNextTask } from "./Prospect.ts"
import { DateTime } from "effect"
import { parseTimestamp } from "../../core/fields/Timestamp.ts"

/** The calendar day of a moment, in UTC. */
export const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10)

/** The day that is this many days after another; a negative number is before it. */
export const daysAfter = (day: string, days: number): string =>
  dayOf(new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000))

/** The midnight of a day, as a timestamp. */
export const midnightOf = (day: string): string => `${day}T00:00:00.000Z`

/** Days from one to another, both included. */
export interface DueDates {
  readonly from: string
  readonly to: string
}

/** The due dates that a filter by tasks selects. A week ends with its Sunday, and excludes overdue tasks. */
export const dueDatesOf = (filter: "overdue" | "today" | "this_week", today: string): DueDates => {
  if (filter === "overdue") return { from: "0001-01-01", to: daysAfter(today, -1) }
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay()
  return { from: today, to: filter === "today" ? today : daysAfter(today, (7 - weekday) % 7) }
}

const named: { readonly [name: string]: string } = { tomorrow: "1d", next_week: "1w", next_month: "1m" }

/**
 * The moment that an expiry means: `3d`, `2w` or `1m` from now, `tomorrow`, `next_week` or `next_month`, or ISO 8601.
 * `undefined` for anything else. A month later is the same day of the next month, or its last one.
 */
export const expiryOf = (text: string, now: Date): Date | undefined => {
  const [, amount, unit] = /^(\d{1,4})([dwm])$/.exec(named[text] ?? text) ?? []
  if (unit === undefined) return parseTimestamp(text)
  const count = Number(amount)
  const parts = unit === "d" ? { days: count } : unit === "w" ? { weeks: count } : { months: count }
  return DateTime.toDateUtc(DateTime.add(DateTime.makeUnsafe(now), parts))
}

/** The moment that an end means: as {@link expiryOf}, and also seconds and hours from now, such as `10s` and `2h`. */
export const endOf = (text: string, now: Date): Date | undefined => {
  const [, amount, unit] = /^(\d{1,6})([sh])$/.exec(text) ?? []
  if (unit === undefined) return expiryOf(text, now)
  return new Date(now.getTime() + Number(amount) * (unit === "s" ? 1_000 : 3_600_000))
}

// Answers.

/** The ids of the users that a prospect names. */
export const userIdsOf = ({ nextTask, overrideBy, ownerId }: ProspectState): ReadonlyArray<string> =>
  [ownerId, overrideBy, nextTask?.assigneeId].flatMap((id) => id ?? [])

/** The names of users by their ids. */
type UserNames = ReadonlyMap<string, string>

/** Whether a task is overdue: its day is before today (both UTC). */
export const isOverdue = (task: Pick<StoredNextTask, "due"> | null, today: string): boolean =>
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
    contact:
      row.contactId === null
        ? null
        : {
            id: row.contactId,
            name: row.name,
            email: row.email,
            ...(row.erasedUtc === null ? {} : { erased: true as const })
          },
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
