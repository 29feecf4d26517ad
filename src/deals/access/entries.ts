/** The change record of something that happened to a prospect's access: on the timelines of the room, its project and the prospect. */
import type { ChangeRecord } from "../../core/mutation/ChangeRecord.ts"
import * as Id from "../../core/Id.ts"

/** The change record of access, by the UUIDs of its room, project and prospect. */
export const accessRecord = (
  access: { readonly roomUuid: string; readonly projectUuid: string; readonly prospectUuid: string },
  event: "room.access_expired" | "room.access_granted" | "room.access_revoked"
): ChangeRecord => ({
  change: "updated",
  resource: { type: "room", id: access.roomUuid },
  subjects: [
    { type: "room", id: access.roomUuid },
    { type: "project", id: access.projectUuid, rollUp: "room" },
    { type: "prospect", id: access.prospectUuid, rollUp: "room" }
  ],
  timeline: { event, details: { kind: "audit" } },
  names: {
    project_id: Id.fromUuid("project", access.projectUuid),
    prospect_id: Id.fromUuid("prospect", access.prospectUuid)
  }
})
