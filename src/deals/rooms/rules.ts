/** The pure decisions on rooms (docs/behaviour/rooms.md#states). */
import type { FaultCode } from "../../core/fields/FaultCode.ts"
import * as Id from "../../core/Id.ts"
import { type RoomStatus, windingDownDays } from "../access/Access.ts"
import { Result } from "effect"
import { inNfc } from "../../core/fields/Text.ts"
import { nameOf } from "../../content/files/rules.ts"
import { bodyFault } from "../../core/usecase/Input.ts"
import type { Fault } from "../../core/usecase/Problem.ts"
import type { ActionDetails } from "../../core/mutation/Timeline.ts"
import type { ChangeRecord, TimelineSubject } from "../../core/mutation/ChangeRecord.ts"
import type { EventNames, EventType } from "../../core/mutation/Event.ts"

/**
 * What happens to rooms. `project_closed` and `project_reopened`: to their project. `time_passed`: {@link windingDownDays} days wound
 * down.
 */
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

// The pure decisions on documents (docs/behaviour/rooms.md#documents).

/** How many folders a document can be in. */
export const maxFolders = 10

const refused = (code: FaultCode, detail: string) => Result.fail([bodyFault("/path", code, detail)])

/** The path of a document: names between slashes, each as the name of a file, trimmed and in NFC. Slashes around it do not count. */
export const pathOf = (text: string): Result.Result<string, ReadonlyArray<Fault>> => {
  const parts = text
    .replaceAll("\\", "/")
    .replace(/^\/+|\/+$/g, "")
    .split("/")
  if (parts.length > maxFolders + 1) return refused("too_deep", `The path must have at most ${maxFolders} folders.`)
  const names: Array<string> = []
  for (const part of parts) {
    const name = nameOf(part)
    if (Result.isFailure(name)) {
      return Result.fail(name.failure.map((fault) => ({ ...fault, pointer: "/path" })))
    }
    names.push(inNfc(name.success))
  }
  return Result.succeed(names.join("/"))
}

/** The name of a document: the last part of its path. */
export const nameIn = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

// The change records of rooms: their timeline rows and events (docs/behaviour/rooms.md#timelines-and-events).

/** A room and its project, by their UUIDs. */
export interface RoomRef {
  readonly uuid: string
  readonly projectUuid: string
}

/** The timelines of a room's rows: its own and, rolled up, that of its project. */
export const subjectsOf = ({ projectUuid, uuid }: RoomRef): ReadonlyArray<TimelineSubject> => [
  { type: "room", id: uuid },
  { type: "project", id: projectUuid, rollUp: "room" }
]

/** The change record of something that happened in a room. */
export const roomRecord = (
  room: RoomRef,
  event: Extract<EventType, `room.${string}`>,
  options: {
    readonly change?: ChangeRecord["change"]
    readonly details?: Omit<Extract<ActionDetails, { readonly kind: "audit" }>, "kind">
    readonly names?: EventNames
    readonly alsoOn?: ReadonlyArray<TimelineSubject>
  } = {}
): ChangeRecord => ({
  change: options.change ?? "updated",
  resource: { type: "room", id: room.uuid },
  subjects: [...subjectsOf(room), ...(options.alsoOn ?? [])],
  timeline: { event, details: { kind: "audit", ...options.details } },
  names: { project_id: Id.fromUuid("project", room.projectUuid), ...options.names }
})
