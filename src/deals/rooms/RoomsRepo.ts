/** The SQL of rooms and of their documents, scoped by team. */
import * as Id from "../../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import type { Fragment } from "effect/sql/Statement"
import { type AuditColumns, auditOf } from "../../core/mutation/Audit.ts"
import type { Change } from "../../core/mutation/Changes.ts"
import type { DueRows, OfTeam } from "../../core/mutation/Delta.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { nextVersionColumns } from "../../core/records/RecordTable.ts"
import type { RoomStatus } from "../access/Access.ts"
import { nameIn, type RoomTimes } from "./rules.ts"
import type { Document } from "./Room.ts"

/** A room as it is stored, with the numbers of what is in it. */
export interface StoredRoom extends RoomTimes {
  readonly teamId: string
  readonly uuid: string
  readonly version: number
  readonly projectUuid: string
  readonly name: string
  readonly ndaRequired: boolean
  readonly defaultAccess: string | null
  readonly openedAt: Date | null
  readonly openQuestionCount: number
  /** Prospects whose access has not ended. */
  readonly memberCount: number
  readonly documentCount: number
  /** Differs when the members, what they are called or the documents do. */
  readonly contentVersion: string
  readonly audit: ReturnType<typeof auditOf>
}

/** A room to insert. */
export interface NewRoom {
  readonly uuid: string
  readonly projectUuid: string
  readonly name: string
  readonly ndaRequired: boolean
  readonly defaultAccess: string | null
}

/** A room with the times from which its state follows. Nothing in it is counted. */
export interface RoomRow extends RoomTimes {
  readonly teamId: string
  readonly uuid: string
  readonly projectUuid: string
  readonly defaultAccess: string | null
}

/** A room (UUID) with the state to write. */
export interface RoomMove extends RoomTimes {
  readonly uuid: string
}

interface Row extends AuditColumns {
  readonly id: string
  readonly project_id: string
  readonly name: string
  readonly status: RoomStatus
  readonly nda_required: boolean
  readonly default_access: string | null
  readonly opened_at: Date | null
  readonly winding_down_at: Date | null
  readonly closed_at: Date | null
  readonly open_question_count: number
  readonly member_count: number
  readonly member_versions: string
  readonly document_count: number
  readonly file_count: number
}

const toStored = (teamId: string, row: Row): StoredRoom => ({
  teamId,
  uuid: row.id,
  version: Number(row.version),
  projectUuid: row.project_id,
  name: row.name,
  status: row.status,
  ndaRequired: row.nda_required,
  defaultAccess: row.default_access,
  openedAt: row.opened_at,
  windingDownAt: row.winding_down_at,
  closedAt: row.closed_at,
  openQuestionCount: row.open_question_count,
  memberCount: row.member_count,
  documentCount: row.document_count,
  contentVersion: `${row.member_count}-${row.member_versions}-${row.file_count}`,
  audit: auditOf(row)
})

const make = Effect.gen(function* () {
  const sql = yield* Database

  /** The living rooms of a team that meet a condition, with the numbers of what is in them, which takes as long as there is much. */
  const select = (teamId: string, condition: Fragment, now: Date, limit: number) =>
    Effect.map(
      orDie(sql<Row>`
        select rooms.id, rooms.version::text, rooms.created_at, rooms.updated_at, rooms.deleted_at,
          rooms.change_type, rooms.change_origin, rooms.project_id, rooms.name, rooms.status, rooms.nda_required,
          rooms.default_access, rooms.opened_at, rooms.winding_down_at, rooms.closed_at, rooms.open_question_count,
          members.member_count, members.member_versions, documents.document_count, documents.file_count
        from rooms
        cross join lateral (
          select count(*)::int as member_count, coalesce(sum(prospects.version), 0)::text as member_versions
          from room_access access
          join prospects on prospects.id = access.prospect_id and prospects.team_id = access.team_id
          where access.room_id = rooms.id and access.team_id = rooms.team_id and access.revoked_at is null and access.expired_at is null
            and (access.expires_at is null or access.expires_at > ${now})
            and prospects.deleted_at is null and prospects.removed_at is null
        ) as members
        cross join lateral (
          select count(distinct path collate "C")::int as document_count, count(*)::int as file_count
          from room_documents where room_documents.room_id = rooms.id and room_documents.team_id = rooms.team_id
        ) as documents
        where rooms.team_id = ${teamId} and rooms.deleted_at is null and ${condition}
        order by rooms.created_at, rooms.id limit ${limit}`),
      (rows) => rows.map((row) => toStored(teamId, row))
    )

  const rowsOf = (condition: Fragment, locking = sql``) =>
    Effect.map(
      orDie(sql<
        Pick<Row, "closed_at" | "default_access" | "id" | "project_id" | "status" | "winding_down_at"> & {
          readonly team_id: string
        }
      >`
        select team_id, id, project_id, status, default_access, winding_down_at, closed_at from rooms
        where ${condition} order by id ${locking}`),
      (rows) =>
        rows.map((row): RoomRow => ({
          teamId: row.team_id,
          uuid: row.id,
          projectUuid: row.project_id,
          status: row.status,
          defaultAccess: row.default_access,
          windingDownAt: row.winding_down_at,
          closedAt: row.closed_at
        }))
    )

  const forUpdate = sql`for update`

  const living = (teamId: string, uuid: string) => sql`id = ${uuid} and team_id = ${teamId} and deleted_at is null`

  /** A room that lives. */
  const find = Effect.fn("RoomsRepo.find")(function* (teamId: string, uuid: string) {
    const [room] = yield* rowsOf(living(teamId, uuid))
    return room
  })

  /** A room that lives, with the numbers of what is in it. */
  const findCounted = Effect.fn("RoomsRepo.findCounted")(function* (teamId: string, uuid: string, now: Date) {
    const [room] = yield* select(teamId, sql`rooms.id = ${uuid}`, now, 1)
    return room
  })

  /** The names of rooms (UUIDs) that live, by id. */
  const namesOf = Effect.fn("RoomsRepo.namesOf")(function* (teamId: string, uuids: ReadonlyArray<string>) {
    if (uuids.length === 0) return new Map<string, string>()
    const rows = yield* orDie(sql<{ readonly id: string; readonly name: string }>`
      select id, name from rooms where team_id = ${teamId} and id = any(${uuids}::uuid[]) and deleted_at is null`)
    return new Map(rows.map(({ id, name }) => [Id.fromUuid("room", id) as string, name]))
  })

  /** Locks a room that lives until the transaction ends. */
  const lock = Effect.fn("RoomsRepo.lock")(function* (change: Change, uuid: string) {
    const [room] = yield* rowsOf(living(change.actor.teamId, uuid), forUpdate)
    return room
  })

  /** The rooms of a project by creation, after a position. */
  const list = Effect.fn("RoomsRepo.list")(
    (
      teamId: string,
      projectUuid: string,
      {
        after,
        limit,
        now
      }: {
        readonly after: { readonly at: string; readonly id: string } | undefined
        readonly limit: number
        readonly now: Date
      }
    ) =>
      select(
        teamId,
        sql.and([
          sql`rooms.project_id = ${projectUuid}`,
          ...(after === undefined
            ? []
            : [sql`(rooms.created_at, rooms.id) > (${after.at}::timestamptz, ${after.id}::uuid)`])
        ]),
        now,
        limit
      )
  )

  /** The first rooms of a project by creation, without the numbers of what is in them. */
  const firstOf = Effect.fn("RoomsRepo.firstOf")((teamId: string, projectUuid: string, limit: number) =>
    orDie(sql<Pick<Row, "name" | "status"> & { readonly uuid: string }>`
      select id as uuid, name, status from rooms
      where team_id = ${teamId} and project_id = ${projectUuid} and deleted_at is null
      order by created_at, id limit ${limit}`)
  )

  /** Adds an open room. */
  const insert = Effect.fn("RoomsRepo.insert")(function* (change: Change, room: NewRoom) {
    const { actor, at, transactionId } = change
    yield* orDie(sql`
      insert into rooms (
        id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, project_id, name,
        status, nda_required, default_access, opened_at
      ) values (
        ${room.uuid}, ${actor.teamId}, 1, ${transactionId}::xid8, ${at}, ${at}, 'created', ${actor.origin},
        ${room.projectUuid}, ${room.name}, 'open', ${room.ndaRequired}, ${room.defaultAccess}, ${at}
      )`)
  })

  /** Locks the rooms of a project until the transaction ends; with `deleted`, those that are deleted. */
  const lockOf = Effect.fn("RoomsRepo.lockOf")((change: Change, projectUuid: string, deleted = false) =>
    rowsOf(
      sql`project_id = ${projectUuid} and team_id = ${change.actor.teamId}
        and deleted_at is ${sql.literal(deleted ? "not null" : "null")}`,
      forUpdate
    )
  )

  /** Locks those of these rooms that live until the transaction ends. */
  const lockAll = Effect.fn("RoomsRepo.lockAll")((change: Change, uuids: ReadonlyArray<string>) =>
    rowsOf(sql`id = any(${uuids}::uuid[]) and team_id = ${change.actor.teamId} and deleted_at is null`, forUpdate)
  )

  /**
   * Has the rooms of a project wind down from now on that began to after `since`, also those that have wound down: time does not count
   * while the team is deleted.
   */
  const windDownAgain = Effect.fn("RoomsRepo.windDownAgain")(function* (
    teamId: string,
    projectUuid: string,
    { now, since }: { readonly since: Date; readonly now: Date }
  ) {
    yield* orDie(sql`
      update rooms set status = 'winding_down', winding_down_at = ${now}, closed_at = null
      where team_id = ${teamId} and project_id = ${projectUuid} and deleted_at is null
        and status in ('winding_down', 'closed') and winding_down_at >= ${since}`)
  })

  /** Changes the state of locked rooms. */
  const move = Effect.fn("RoomsRepo.move")(function* (change: Change, moves: ReadonlyArray<RoomMove>) {
    if (moves.length === 0) return
    const rows = moves.map(({ closedAt, status, uuid, windingDownAt }) => ({
      id: uuid,
      status,
      winding_down_at: windingDownAt,
      closed_at: closedAt
    }))
    yield* orDie(sql`
      update rooms set
        status = row.status, winding_down_at = row.winding_down_at, closed_at = row.closed_at,
        ${nextVersionColumns(sql, "rooms", change, "updated")}
      from jsonb_to_recordset(${sql.json(rows)})
        as row (id uuid, status text, winding_down_at timestamptz, closed_at timestamptz)
      where rooms.id = row.id and rooms.team_id = ${change.actor.teamId}`)
  })

  /** Turns locked rooms into tombstones that keep their content. */
  const remove = Effect.fn("RoomsRepo.delete")(function* (change: Change, uuids: ReadonlyArray<string>) {
    if (uuids.length === 0) return
    yield* orDie(sql`
      update rooms set deleted_at = ${change.at}, ${nextVersionColumns(sql, "rooms", change, "deleted")}
      where id = any(${uuids}::uuid[]) and team_id = ${change.actor.teamId}`)
  })

  /** Brings locked tombstones back. */
  const restore = Effect.fn("RoomsRepo.restore")(function* (change: Change, uuids: ReadonlyArray<string>) {
    if (uuids.length === 0) return
    yield* orDie(sql`
      update rooms set deleted_at = null, ${nextVersionColumns(sql, "rooms", change, "restored")}
      where id = any(${uuids}::uuid[]) and team_id = ${change.actor.teamId}`)
  })

  /** Rooms of any team that have wound down since before a time, the longest ago first. */
  const due = Effect.fn("RoomsRepo.due")(function* (before: Date, { failed, limit }: DueRows) {
    const rows = yield* orDie(sql<{ readonly team_id: string; readonly id: string }>`
      select team_id, id from rooms
      where status = 'winding_down' and deleted_at is null and winding_down_at <= ${before}
        and team_id <> all(${failed}::uuid[])
      order by winding_down_at limit ${limit}`)
    return rows.map((row) => ({ teamId: row.team_id, uuid: row.id }))
  })

  /** Locks at most `limit` rooms of these projects until the transaction ends. */
  const lockForPurge = Effect.fn("RoomsRepo.lockForPurge")(function* (
    { teamId, uuids: projectUuids }: OfTeam,
    limit: number
  ) {
    const rows = yield* orDie(sql<{ readonly id: string }>`
      select id from rooms
      where team_id = ${teamId} and project_id = any(${projectUuids}::uuid[]) order by id limit ${limit} for update`)
    const locked: OfTeam = { teamId, uuids: rows.map(({ id }) => id) }
    return locked
  })

  /** Removes rooms and everything in them for good. */
  const purge = Effect.fn("RoomsRepo.purge")(function* ({ teamId, uuids }: OfTeam) {
    yield* orDie(sql`delete from rooms where team_id = ${teamId} and id = any(${uuids}::uuid[])`)
  })

  /** Adds to the number of open questions of a locked room. */
  const addOpenQuestions = Effect.fn("RoomsRepo.addOpenQuestions")(function* (
    change: Change,
    uuid: string,
    delta: number
  ) {
    yield* orDie(sql`
      update rooms set
        open_question_count = open_question_count + ${delta}, ${nextVersionColumns(sql, "rooms", change, "updated")}
      where id = ${uuid} and team_id = ${change.actor.teamId}`)
  })

  return {
    find,
    findCounted,
    namesOf,
    lock,
    list,
    firstOf,
    insert,
    move,
    lockOf,
    lockAll,
    windDownAgain,
    delete: remove,
    restore,
    due,
    lockForPurge,
    purge,
    addOpenQuestions
  }
})

/** The rooms of teams. `now` decides whose access has ended. */
export class RoomsRepo extends Context.Service<RoomsRepo, Effect.Success<typeof make>>()("deals/rooms/RoomsRepo") {
  static readonly layer = Layer.effect(RoomsRepo, make)
}

// Documents.

interface DocumentRow {
  readonly file_id: string
  readonly path: string
  readonly version: number
  readonly content_type: string
  readonly size: string
  readonly sha256: string
  readonly created_at: Date
}

const toDocument = (row: DocumentRow): Document => ({
  id: Id.fromUuid("file", row.file_id),
  name: nameIn(row.path),
  path: row.path,
  version: row.version,
  contentType: row.content_type,
  size: Number(row.size),
  sha256: row.sha256,
  uploadedUtc: row.created_at.toISOString()
})

const makeDocuments = Effect.gen(function* () {
  const sql = yield* Database

  /** The latest version of each document of a room, by path. */
  const list = Effect.fn("DocumentsRepo.list")(function* (teamId: string, roomUuid: string) {
    const rows = yield* orDie(sql<DocumentRow>`
      select distinct on (documents.path) documents.file_id, documents.path, documents.version, files.content_type,
        files.size::text, encode(files.sha256, 'hex') as sha256, files.created_at
      from room_documents documents join files on files.id = documents.file_id and files.team_id = documents.team_id
      where documents.team_id = ${teamId} and documents.room_id = ${roomUuid}
      order by documents.path, documents.version desc`)
    return rows.map(toDocument)
  })

  /** The latest version of each document of a room by path, after a path, at most `limit`. */
  const page = Effect.fn("DocumentsRepo.page")(function* (
    teamId: string,
    roomUuid: string,
    { after, limit }: { readonly after: string | undefined; readonly limit: number }
  ) {
    const rows = yield* orDie(sql<DocumentRow>`
      select latest.file_id, latest.path, latest.version, files.content_type, files.size::text,
        encode(files.sha256, 'hex') as sha256, files.created_at
      from (
        select distinct on (path) file_id, path, version from room_documents
        where ${sql.and([
          sql`team_id = ${teamId}`,
          sql`room_id = ${roomUuid}`,
          ...(after === undefined ? [] : [sql`path > ${after}`])
        ])}
        order by path, version desc limit ${limit}
      ) as latest join files on files.id = latest.file_id and files.team_id = ${teamId}
      order by latest.path`)
    return rows.map(toDocument)
  })

  /** The name of any version of a document of a room. */
  const nameOf = Effect.fn("DocumentsRepo.nameOf")(function* (teamId: string, roomUuid: string, fileUuid: string) {
    const [row] = yield* orDie(sql<{ readonly path: string }>`
      select path from room_documents
      where team_id = ${teamId} and room_id = ${roomUuid} and file_id = ${fileUuid}`)
    return row === undefined ? undefined : nameIn(row.path)
  })

  /** Adds a version of the document at a path to a locked room, and returns its number, which no other version of it ever had. */
  const add = Effect.fn("DocumentsRepo.add")(function* (
    change: Change,
    document: { readonly fileUuid: string; readonly roomUuid: string; readonly path: string }
  ) {
    const { fileUuid, path, roomUuid } = document
    const [row] = yield* orDie(sql<{ readonly version: number }>`
      with numbered as (
        insert into room_document_numbers as numbers (room_id, path, team_id, version)
        select ${roomUuid}::uuid, ${path}::text, ${change.actor.teamId}::uuid, coalesce(max(version), 0) + 1
        from room_documents
        where team_id = ${change.actor.teamId} and room_id = ${roomUuid} and path = ${path}
        on conflict (room_id, path) do update set version = greatest(numbers.version + 1, excluded.version)
        returning room_id, path, team_id, version
      )
      insert into room_documents (file_id, room_id, team_id, path, version)
      select ${fileUuid}::uuid, room_id, team_id, path, version from numbered
      returning version`)
    return row === undefined ? yield* Effect.die(new Error("the document was not inserted")) : row.version
  })

  return { list, page, nameOf, add }
})

/** The documents of rooms. */
export class DocumentsRepo extends Context.Service<DocumentsRepo, Effect.Success<typeof makeDocuments>>()(
  "deals/rooms/DocumentsRepo"
) {
  static readonly layer = Layer.effect(DocumentsRepo, makeDocuments)
}
