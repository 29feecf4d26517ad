/** The change records of rooms: their timeline rows and events (docs/behaviour/rooms.md#timelines-and-events). */
import type { ActionDetails } from "../../core/mutation/Action.ts"
import type { ChangeRecord, TimelineSubject } from "../../core/mutation/ChangeRecord.ts"
import type { EventNames, EventType } from "../../core/mutation/Event.ts"
import * as Id from "../../core/Id.ts"

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
