/** The pure decisions on rooms (docs/behaviour/rooms.md#states). */
import { type RoomStatus, windingDownDays } from "../access/Access.ts"

/** What happens to rooms. `project_closed` and `project_reopened`: to their project. `time_passed`: {@link windingDownDays} days wound down. */
export const roomEvents = ["close", "project_closed", "project_reopened", "time_passed"] as const
export type RoomEvent = (typeof roomEvents)[number]

/** The state that an event leads to. The same state: nothing changes. */
export const transitions: { readonly [from in RoomStatus]: { readonly [event in RoomEvent]: RoomStatus } } = {
  draft: {
    close: "closed",
    project_closed: "closed",
    project_reopened: "draft",
    time_passed: "draft"
  },
  open: {
    close: "closed",
    project_closed: "winding_down",
    project_reopened: "open",
    time_passed: "open"
  },
  winding_down: {
    close: "closed",
    project_closed: "winding_down",
    project_reopened: "open",
    time_passed: "closed"
  },
  closed: {
    close: "closed",
    project_closed: "closed",
    project_reopened: "closed",
    time_passed: "closed"
  }
}

/** When a room that winds down since then is closed. */
export const closingTime = (windingDownAt: Date): Date =>
  new Date(windingDownAt.getTime() + windingDownDays * 86_400_000)

/** The times of a room from which its present state follows. */
export interface RoomTimes {
  readonly status: RoomStatus
  readonly windingDownAt: Date | null
  readonly closedAt: Date | null
}

/** The state of a room at a moment, and when it was closed: a room that wound down is closed on time, also before a job records it. */
export const stateAt = (
  { closedAt, status, windingDownAt }: RoomTimes,
  now: Date
): { readonly status: RoomStatus; readonly closedAt: Date | null } => {
  if (status !== "winding_down" || windingDownAt === null) return { status, closedAt }
  const closing = closingTime(windingDownAt)
  return closing <= now ? { status: transitions[status].time_passed, closedAt: closing } : { status, closedAt }
}

/** The times of a room after an event at a moment; undefined if the event changes nothing. */
export const timesAfter = (before: RoomTimes, event: RoomEvent, at: Date): RoomTimes | undefined => {
  const { closedAt, status } = stateAt(before, at)
  const to = transitions[status][event]
  if (to === before.status) return undefined
  return {
    status: to,
    windingDownAt: to === "winding_down" ? at : to === "open" ? null : before.windingDownAt,
    closedAt: to === "closed" ? (closedAt ?? at) : null
  }
}

/** Whether members of a room in this state can read it. */
export const isReadable = (status: RoomStatus): boolean => status === "open" || status === "winding_down"
