/** The pure decisions on the access of prospects to rooms (docs/behaviour/rooms.md#access). */
import * as Id from "../../core/Id.ts"
import type { RoomStatus } from "./Access.ts"
import type { ChangeRecord } from "../../core/mutation/ChangeRecord.ts"

/** The states of a prospect's access to a room. */
export const accessStates = ["none", "active", "expired", "revoked"] as const
export type AccessState = (typeof accessStates)[number]

/**
 * What happens to access. `end_passed`: its end is not in the future any more. `extend`: the prospect's end is set to a later time;
 * `clear`: to none.
 */
export const accessEvents = ["grant", "revoke", "end_passed", "extend", "clear"] as const
export type AccessEvent = (typeof accessEvents)[number]

/** The state that an event leads to. The same state: access stays what it is. */
export const accessTransitions: {
  readonly [from in AccessState]: { readonly [event in AccessEvent]: AccessState }
} = {
  none: { grant: "active", revoke: "none", end_passed: "none", extend: "none", clear: "none" },
  active: { grant: "active", revoke: "revoked", end_passed: "expired", extend: "active", clear: "active" },
  // Without an end, access that is over would come back for good by mistake.
  expired: { grant: "active", revoke: "revoked", end_passed: "expired", extend: "active", clear: "expired" },
  revoked: { grant: "active", revoke: "revoked", end_passed: "revoked", extend: "revoked", clear: "revoked" }
}

/** The times of a prospect's access to a room. */
export interface AccessTimes {
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  /** When it was recorded that it has expired. */
  readonly expiredAt: Date | null
}

/** The state of access at a moment: it ends on time, also before a job records it. */
export const accessStateAt = (access: AccessTimes | undefined, now: Date): AccessState => {
  if (access === undefined) return "none"
  if (access.revokedAt !== null) return "revoked"
  return access.expiredAt !== null || (access.expiresAt !== null && access.expiresAt <= now) ? "expired" : "active"
}

/** The later of two ends of access; null is no end. */
export const laterEnd = (a: Date | null, b: Date | null): Date | null => {
  if (a === null || b === null) return null
  return a > b ? a : b
}

/** When the active ones of a prospect's accesses end, null: never; undefined without one. */
export const activeEnd = (accesses: ReadonlyArray<AccessTimes>, now: Date): Date | null | undefined =>
  accesses
    .filter((access) => accessStateAt(access, now) === "active")
    .map(({ expiresAt }) => expiresAt)
    .reduce<Date | null | undefined>((end, other) => (end === undefined ? other : laterEnd(end, other)), undefined)

/** The order in which accesses to one room outlast each other when their prospects become one. */
const lasting: ReadonlyArray<AccessState> = ["active", "expired", "revoked", "none"]

/**
 * Of the accesses to one room of prospects that become one, the one that lasts: active access before access that has expired, and that
 * before access that was withdrawn; then that of the prospect that absorbs the others, then the oldest grant.
 */
export const lastingAccess = <A extends AccessTimes & { readonly prospectUuid: string; readonly grantedAt: Date }>(
  accesses: ReadonlyArray<A>,
  absorbing: string,
  now: Date
): A | undefined => {
  const rankOf = (access: A) => lasting.indexOf(accessStateAt(access, now))
  const isOther = ({ prospectUuid }: A) => Number(prospectUuid !== absorbing)
  return accesses.toSorted(
    (a, b) => rankOf(a) - rankOf(b) || isOther(a) - isOther(b) || a.grantedAt.getTime() - b.grantedAt.getTime()
  )[0]
}

/** A prospect's access to a room of its project, with the state of that room. */
export interface RoomAccess extends AccessTimes {
  readonly roomUuid: string
  readonly roomStatus: RoomStatus
}

/**
 * What a new end of a prospect's access (null: none) does to it, by the UUIDs of its rooms: `kept` follows the new end, `expired` is over
 * since the previous one, and `resumed` is back. Access that is over is back with a later end, unless the prospect has access to another
 * room; and only in rooms that are open, because nobody gets access to another one.
 */
export const followEnd = (
  accesses: ReadonlyArray<RoomAccess>,
  end: Date | null,
  now: Date
): {
  readonly kept: ReadonlyArray<string>
  readonly expired: ReadonlyArray<string>
  readonly resumed: ReadonlyArray<string>
} => {
  const uuidsIn = (state: AccessState) => accesses.filter((access) => accessStateAt(access, now) === state)
  const [active, over] = [uuidsIn("active"), uuidsIn("expired")]
  const isLater = end !== null && end > now
  const resumes = isLater && active.length === 0 && accessTransitions.expired.extend === "active"
  const resumed = resumes ? over.filter(({ roomStatus }) => roomStatus === "open") : []
  return {
    kept: active.map(({ roomUuid }) => roomUuid),
    expired: over
      .filter((access) => access.expiredAt === null && !resumed.includes(access))
      .map(({ roomUuid }) => roomUuid),
    resumed: resumed.map(({ roomUuid }) => roomUuid)
  }
}

/** A prospect to which access is granted, and its access before. */
export interface Grantee {
  readonly prospectUuid: string
  readonly accesses: ReadonlyArray<RoomAccess>
  /** The end of its access, null if it has none. */
  readonly end: Date | null
}

/** A grant: whether it is new, and the end of the prospect's access after it. */
export interface Grant {
  readonly prospectUuid: string
  readonly isNew: boolean
  readonly end: Date | null
}

/**
 * Decides a grant of access to a room. With `until` it ends then (null: no end); otherwise new access ends at `defaultEnd`, but not
 * earlier than the prospect's access to other rooms, and access that is there stays as it is.
 */
export const decideGrant = (
  { accesses, end, prospectUuid }: Grantee,
  roomUuid: string,
  ends: { readonly until: Date | null | undefined; readonly defaultEnd: Date | null },
  now: Date
): Grant => {
  const own = accesses.find((access) => access.roomUuid === roomUuid)
  const isNew = accessStateAt(own, now) !== accessTransitions[accessStateAt(own, now)].grant
  if (ends.until !== undefined) return { prospectUuid, isNew, end: ends.until }
  if (!isNew) return { prospectUuid, isNew, end }
  const hasOther = accesses.some((access) => accessStateAt(access, now) === "active")
  return { prospectUuid, isNew, end: hasOther ? laterEnd(ends.defaultEnd, end) : ends.defaultEnd }
}

// The change record of something that happened to a prospect's access: on the timelines of the room, its project and the prospect.

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
