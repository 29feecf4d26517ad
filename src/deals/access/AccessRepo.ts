/** The SQL of the access of prospects to rooms, scoped by the broker's team. */
import { Context, Effect, Layer } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import type { DueRows } from "../../core/mutation/Delta.ts"
import { byCell, inEach, inTeam } from "../../platform/db/Cells.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import type { RoomAccess } from "./rules.ts"
import { type RoomStatus, windingDownDays } from "./Access.ts"

/** A prospect's access to a room, by UUIDs. */
export interface AccessRef {
  readonly roomUuid: string
  readonly prospectUuid: string
}

/** A prospect's access to a room, with the end to which it is set. */
export interface AccessEnd extends AccessRef {
  readonly end: Date | null
}

/** An access that goes to a prospect (UUID) which takes the place of its own. */
export interface AccessMove extends AccessRef {
  readonly to: string
  readonly isActive: boolean
}

/** A stored access. */
export interface StoredAccess extends AccessRef, RoomAccess {
  readonly projectUuid: string
  readonly grantedAt: Date
}

/** A prospect that has access to a room, as its broker sees it. */
export interface StoredMember {
  readonly prospectUuid: string
  readonly name: string | null
  readonly contactId: string | null
  readonly companyId: string | null
  readonly grantedAt: Date
  readonly expiresAt: Date | null
}

interface Row {
  readonly room_id: string
  readonly prospect_id: string
  readonly project_id: string
  readonly status: RoomStatus
  readonly granted_at: Date
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
  readonly expired_at: Date | null
}

const toStored = (row: Row): StoredAccess => ({
  roomUuid: row.room_id,
  prospectUuid: row.prospect_id,
  projectUuid: row.project_id,
  roomStatus: row.status,
  grantedAt: row.granted_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
  expiredAt: row.expired_at
})

/** An access that is over, with the team of its room. */
export interface DueAccess extends AccessRef {
  readonly teamId: string
}

const make = Effect.gen(function* () {
  const sql = yield* Database

  const isOpen = (now: Date) => sql`
    rooms.deleted_at is null and (rooms.status = 'open' or (
      rooms.status = 'winding_down'
        and rooms.winding_down_at > ${new Date(now.getTime() - windingDownDays * 86_400_000)}
    ))`

  const isMember = (now: Date) => sql`
    access.revoked_at is null and access.expired_at is null
      and (access.expires_at is null or access.expires_at > ${now})
      and prospects.deleted_at is null and prospects.removed_at is null`

  /** What is true of access that lets somebody read: of `access`, its room `rooms` and its prospect `prospects`. */
  const isReadable = (now: Date) => sql.and([isOpen(now), isMember(now)])

  const columns = sql`
    access.room_id, access.prospect_id, rooms.project_id, rooms.status, access.granted_at, access.expires_at,
    access.revoked_at, access.expired_at`

  /** The access of these prospects to any room; to those that were deleted with their project only on request. */
  const ofProspects = Effect.fn("AccessRepo.ofProspects")(function* (
    teamId: string,
    prospectUuids: ReadonlyArray<string>,
    withDeletedRooms = false
  ) {
    if (prospectUuids.length === 0) return []
    const rows = yield* orDie(sql<Row>`
      select ${columns}
      from room_access access join rooms on rooms.id = access.room_id and rooms.team_id = access.team_id
      where access.team_id = ${teamId} and access.prospect_id = any(${prospectUuids}::uuid[])
        and (${withDeletedRooms} or rooms.deleted_at is null)
      order by access.granted_at, access.room_id`)
    return rows.map(toStored)
  })

  /** As {@link ofProspects}, after their rooms were locked until the transaction ends. */
  const lockOfProspects = Effect.fn("AccessRepo.lockOfProspects")(function* (
    teamId: string,
    prospectUuids: ReadonlyArray<string>,
    withDeletedRooms = false
  ) {
    if (prospectUuids.length === 0) return []
    yield* orDie(sql`
      select id from rooms
      where team_id = ${teamId} and id in (
        select room_id from room_access where team_id = ${teamId} and prospect_id = any(${prospectUuids}::uuid[])
      ) order by id for update`)
    return yield* ofProspects(teamId, prospectUuids, withDeletedRooms)
  })

  /** Gives prospects access to a locked room, also those who had it before. */
  const grant = Effect.fn("AccessRepo.grant")(function* (change: Change, grants: ReadonlyArray<AccessEnd>) {
    if (grants.length === 0) return
    const { actor, at } = change
    const rows = grants.map(({ end, prospectUuid, roomUuid }) => ({
      room_id: roomUuid,
      prospect_id: prospectUuid,
      expires_at: end
    }))
    yield* orDie(sql`
      insert into room_access (room_id, prospect_id, team_id, granted_at, granted_by, expires_at)
      select room_id, prospect_id, ${actor.teamId}::uuid, ${at}::timestamptz, ${actor.userId}::uuid, expires_at
      from jsonb_to_recordset(${sql.json(rows)}) as row (room_id uuid, prospect_id uuid, expires_at timestamptz)
      on conflict (room_id, prospect_id) do update set
        granted_at = excluded.granted_at, granted_by = excluded.granted_by, expires_at = excluded.expires_at,
        revoked_at = null, expired_at = null`)
  })

  /** Sets the end of access. */
  const setEnds = Effect.fn("AccessRepo.setEnds")(function* (change: Change, ends: ReadonlyArray<AccessEnd>) {
    if (ends.length === 0) return
    const rows = ends.map(({ end, prospectUuid, roomUuid }) => ({
      room_id: roomUuid,
      prospect_id: prospectUuid,
      expires_at: end
    }))
    yield* orDie(sql`
      update room_access set expires_at = row.expires_at
      from jsonb_to_recordset(${sql.json(rows)}) as row (room_id uuid, prospect_id uuid, expires_at timestamptz)
      where room_access.room_id = row.room_id and room_access.prospect_id = row.prospect_id
        and room_access.team_id = ${change.actor.teamId}`)
  })

  const isOneOf = (refs: ReadonlyArray<AccessRef>) => sql`
    (room_id, prospect_id) in (
      select room_id, prospect_id
      from unnest(
        ${refs.map(({ roomUuid }) => roomUuid)}::uuid[], ${refs.map(({ prospectUuid }) => prospectUuid)}::uuid[]
      ) as ref (room_id, prospect_id)
    )`

  /** Withdraws access. */
  const revoke = Effect.fn("AccessRepo.revoke")(function* (change: Change, refs: ReadonlyArray<AccessRef>) {
    if (refs.length === 0) return
    yield* orDie(sql`
      update room_access set revoked_at = ${change.at} where team_id = ${change.actor.teamId} and ${isOneOf(refs)}`)
  })

  /** Records that access has expired. */
  const expire = Effect.fn("AccessRepo.expire")(function* (change: Change, refs: ReadonlyArray<AccessRef>) {
    if (refs.length === 0) return
    yield* orDie(sql`
      update room_access set expired_at = ${change.at} where team_id = ${change.actor.teamId} and ${isOneOf(refs)}`)
  })

  /** Gives accesses to the prospect that takes the place of theirs, and removes others. Active ones get the end of that prospect. */
  const move = Effect.fn("AccessRepo.move")(function* (
    change: Change,
    { lasting, removed }: { readonly lasting: ReadonlyArray<AccessMove>; readonly removed: ReadonlyArray<AccessRef> }
  ) {
    const { teamId } = change.actor
    if (removed.length > 0) yield* orDie(sql`delete from room_access where team_id = ${teamId} and ${isOneOf(removed)}`)
    if (lasting.length === 0) return
    const rows = lasting.map(({ isActive, prospectUuid, roomUuid, to }) => ({
      room_id: roomUuid,
      from_id: prospectUuid,
      to_id: to,
      is_active: isActive
    }))
    yield* orDie(sql`
      update room_access set prospect_id = row.to_id,
        expires_at = case when row.is_active then prospects.access_expires_at else room_access.expires_at end
      from jsonb_to_recordset(${sql.json(rows)}) as row (room_id uuid, from_id uuid, to_id uuid, is_active boolean)
        join prospects on prospects.id = row.to_id and prospects.team_id = ${teamId}
      where room_access.room_id = row.room_id and room_access.prospect_id = row.from_id
        and room_access.team_id = ${teamId}`)
  })

  /** Access of any team that has expired without a record of it, the longest ago first. */
  const due = Effect.fn("AccessRepo.due")(function* (now: Date, { failed, limit }: DueRows) {
    const rows = yield* inEach(
      sql,
      orDie(sql<{
        readonly team_id: string
        readonly room_id: string
        readonly prospect_id: string
      }>`
      select access.team_id, access.room_id, access.prospect_id
      from room_access access
        join rooms on rooms.id = access.room_id and rooms.team_id = access.team_id and rooms.deleted_at is null
        join prospects on prospects.id = access.prospect_id and prospects.team_id = access.team_id
          and prospects.deleted_at is null
      where access.revoked_at is null and access.expired_at is null and access.expires_at <= ${now}
        and access.team_id <> all(${failed}::uuid[])
      order by access.expires_at limit ${limit}`)
    )
    return rows.slice(0, limit).map((row): DueAccess => ({
      teamId: row.team_id,
      roomUuid: row.room_id,
      prospectUuid: row.prospect_id
    }))
  })

  /** The prospects that can read a room, by the time of the grant. */
  const members = Effect.fn("AccessRepo.members")(function* (teamId: string, roomUuid: string, now: Date) {
    const rows = yield* orDie(sql<{
      readonly prospect_id: string
      readonly name: string | null
      readonly contact_id: string | null
      readonly company_id: string | null
      readonly granted_at: Date
      readonly expires_at: Date | null
    }>`
      select access.prospect_id, prospects.name, prospects.contact_id, prospects.company_id, access.granted_at,
        access.expires_at
      from room_access access
        join rooms on rooms.id = access.room_id and rooms.team_id = access.team_id
        join prospects on prospects.id = access.prospect_id and prospects.team_id = access.team_id
      where access.room_id = ${roomUuid} and access.team_id = ${teamId} and ${isReadable(now)}
      order by access.granted_at, access.prospect_id`)
    return rows.map((row): StoredMember => ({
      prospectUuid: row.prospect_id,
      name: row.name,
      contactId: row.contact_id,
      companyId: row.company_id,
      grantedAt: row.granted_at,
      expiresAt: row.expires_at
    }))
  })

  /** The rooms that these prospects can read, the latest grant first. */
  const readableBy = Effect.fn("AccessRepo.readableBy")(function* (
    members: ReadonlyArray<{ readonly brokerTeamId: string; readonly prospectUuid: string }>,
    now: Date
  ) {
    if (members.length === 0) return []
    const rows = yield* byCell(
      sql,
      members,
      ({ brokerTeamId }) => brokerTeamId,
      (ofCell) =>
        orDie(sql<{ readonly room_id: string; readonly prospect_id: string; readonly granted_at: Date }>`
          select access.room_id, access.prospect_id, access.granted_at
          from unnest(
            ${ofCell.map(({ brokerTeamId }) => brokerTeamId)}::uuid[],
            ${ofCell.map(({ prospectUuid }) => prospectUuid)}::uuid[]
          ) as member (team_id, prospect_id)
            join room_access access using (team_id, prospect_id)
            join rooms on rooms.id = access.room_id and rooms.team_id = access.team_id
            join prospects on prospects.id = access.prospect_id and prospects.team_id = access.team_id
          where ${isReadable(now)}`)
    )
    const latestFirst = rows.toSorted(
      (a, b) => b.granted_at.getTime() - a.granted_at.getTime() || (a.room_id < b.room_id ? -1 : 1)
    )
    return latestFirst.map((row): AccessRef => ({ roomUuid: row.room_id, prospectUuid: row.prospect_id }))
  })

  /** The prospect by whose offer an investor's team can read a room, with the broker's team and project; the first of several. */
  const readerOf = Effect.fn("AccessRepo.readerOf")(function* (investorTeamId: string, roomUuid: string, now: Date) {
    const [room] = yield* inEach(
      sql,
      orDie(sql<{ readonly team_id: string; readonly project_id: string }>`
        select team_id, project_id from rooms where id = ${roomUuid} and deleted_at is null`)
    )
    if (room === undefined) return undefined
    const offers = yield* inTeam(investorTeamId)(
      orDie(sql<{ readonly prospect_id: string }>`
        select prospect_id from offers
        where team_id = ${investorTeamId} and project_id = ${room.project_id} and broker_team_id = ${room.team_id}
          and prospect_id is not null and withdrawn_at is null`)
    )
    if (offers.length === 0) return undefined
    const [access] = yield* inTeam(room.team_id)(
      orDie(sql<{ readonly prospect_id: string }>`
        select access.prospect_id
        from room_access access
          join rooms on rooms.id = access.room_id and rooms.team_id = access.team_id
          join prospects on prospects.id = access.prospect_id and prospects.team_id = access.team_id
        where access.team_id = ${room.team_id} and access.room_id = ${roomUuid}
          and access.prospect_id = any(${offers.map(({ prospect_id }) => prospect_id)}::uuid[]) and ${isReadable(now)}
        order by access.granted_at, access.prospect_id limit 1`)
    )
    return access === undefined
      ? undefined
      : { brokerTeamId: room.team_id, roomUuid, projectUuid: room.project_id, prospectUuid: access.prospect_id }
  })

  /** Whether any prospect can read a room of this project. */
  const hasMembers = Effect.fn("AccessRepo.hasMembers")(function* (teamId: string, projectUuid: string, now: Date) {
    // From the rooms to their members, also where statistics say that any project has so many that one is soon met among those of all.
    const rows = yield* orDie(sql`
      select from (
        select id, team_id from rooms
        where project_id = ${projectUuid} and team_id = ${teamId} and ${isOpen(now)} offset 0
      ) as rooms, lateral (
        select from room_access access
          join prospects on prospects.id = access.prospect_id and prospects.team_id = access.team_id
        where access.room_id = rooms.id and access.team_id = rooms.team_id and ${isMember(now)} limit 1
      ) as member
      limit 1`)
    return rows.length > 0
  })

  return {
    ofProspects,
    lockOfProspects,
    grant,
    setEnds,
    revoke,
    expire,
    move,
    due,
    members,
    readableBy,
    readerOf,
    hasMembers
  }
})

/** The access of prospects to rooms. `now` decides whose access has ended. */
export class AccessRepo extends Context.Service<AccessRepo, Effect.Success<typeof make>>()("deals/access/AccessRepo") {
  static readonly layer = Layer.effect(AccessRepo, make)
}
