/** The SQL of files, scoped by team: docs/behaviour/timelines-notes-files.md#files. */
import * as Id from "../../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import { auditAfter, type AuditColumns, auditOf } from "../../core/mutation/Audit.ts"
import type { Change } from "../../core/mutation/Changes.ts"
import { inEach } from "../../platform/db/Cells.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { ConcurrencyConflict } from "../../core/usecase/Problem.ts"
import type { File } from "./File.ts"

/** The record that a file belongs to. `id` is a UUID. */
export interface FileSubject {
  readonly type: "contact" | "company" | "property" | "prospect" | "offer" | "room"
  readonly id: string
}

/** A row of `files`: the file as the API returns it, and the members that the API does not return. */
export interface StoredFile {
  readonly uuid: string
  readonly version: number
  readonly subject: FileSubject
  /** The id of the object in the store that has its content. */
  readonly objectId: string
  readonly file: File
}

/** All files of one subject, to transfer to another one (UUIDs). */
export interface FileMove {
  readonly from: string
  readonly to: string
}

/** A file to insert. */
export interface NewFile {
  readonly subject: FileSubject
  readonly objectId: string
  readonly name: string
  readonly contentType: string
  readonly size: number
  readonly sha256: string
}

interface Row extends Omit<AuditColumns, "deleted_at"> {
  readonly id: string
  readonly subject_type: FileSubject["type"]
  readonly subject_id: string
  readonly name: string
  readonly content_type: string
  readonly size: string
  readonly sha256: string
  readonly content: string
}

const subjectMembers = ({ id, type }: FileSubject) => ({
  contactId: type === "contact" ? Id.fromUuid("contact", id) : null,
  companyId: type === "company" ? Id.fromUuid("company", id) : null,
  propertyId: type === "property" ? Id.fromUuid("property", id) : null
})

const toStored = (row: Row): StoredFile => {
  const subject: FileSubject = { type: row.subject_type, id: row.subject_id }
  return {
    uuid: row.id,
    version: Number(row.version),
    subject,
    objectId: row.content,
    file: {
      id: Id.fromUuid("file", row.id),
      ...subjectMembers(subject),
      name: row.name,
      contentType: row.content_type,
      size: Number(row.size),
      sha256: row.sha256,
      ...auditOf({ ...row, deleted_at: null })
    }
  }
}

/** The tables of the records that files belong to. */
const subjectTables = {
  contact: "contacts",
  company: "companies",
  project: "projects",
  prospect: "prospects",
  property: "properties"
}

const lostRace = ConcurrencyConflict.of("file")

const make = Effect.gen(function* () {
  const sql = yield* Database

  const columns = sql`
    id, version::text, created_at, updated_at, change_type, change_origin, subject_type, subject_id, name,
    content_type, size::text, encode(sha256, 'hex') as sha256, content`

  /** A file of a team, unless the contact, company or property that it belongs to is deleted. What was merged passes its files on. */
  const find = Effect.fn("FilesRepo.find")(function* (teamId: string, id: string) {
    const isGone = (table: string, condition: string) => sql`
      (select ${sql.literal(condition)} from ${sql.literal(table)} of_file
      where of_file.team_id = ${teamId} and of_file.id = files.subject_id)`
    const [row] = yield* orDie(sql<Row>`
      select ${columns} from files
      where id = ${id} and team_id = ${teamId} and not coalesce(case subject_type
        when 'contact' then ${isGone("contacts", "deleted_at is not null and merged_into is null")}
        when 'company' then ${isGone("companies", "deleted_at is not null and merged_into is null")}
        when 'property' then ${isGone("properties", "deleted_at is not null")}
      end, false)`)
    return row === undefined ? undefined : toStored(row)
  })

  /** Finds a file of any team that can have readers elsewhere. */
  const findShared = Effect.fn("FilesRepo.findShared")(function* (id: string) {
    const [row] = yield* inEach(
      sql,
      orDie(sql<Row & { readonly team_id: string; readonly subject_type: "prospect" | "offer" | "room" }>`
        select ${columns}, team_id from files where id = ${id} and subject_type in ('prospect', 'offer', 'room')`)
    )
    if (row === undefined) return undefined
    return { ...toStored(row), teamId: row.team_id, subject: { type: row.subject_type, id: row.subject_id } }
  })

  /** The files of a subject in the order of their creation, from the position `after` on. */
  const list = Effect.fn("FilesRepo.list")(function* (
    teamId: string,
    subject: FileSubject,
    after: { readonly at: string; readonly id: string } | undefined,
    limit: number
  ) {
    const conditions = [sql`team_id = ${teamId}`, sql`subject_id = ${subject.id}`, sql`subject_type = ${subject.type}`]
    if (after !== undefined) {
      conditions.push(sql`(created_at, id) > (${after.at}::timestamptz, ${after.id}::uuid)`)
    }
    const rows = yield* orDie(sql<Row>`
      select ${columns} from files where ${sql.and(conditions)} order by created_at, id limit ${limit}`)
    return rows.map(toStored)
  })

  const insert = Effect.fn("FilesRepo.insert")(function* (change: Change, id: string, file: NewFile) {
    yield* orDie(sql`
      insert into files (
        id, team_id, version, created_at, updated_at, change_type, change_origin, subject_type, subject_id, name,
        content_type, size, sha256, content
      ) values (
        ${id}, ${change.actor.teamId}, 1, ${change.at}, ${change.at}, 'created', ${change.actor.origin},
        ${file.subject.type}, ${file.subject.id}, ${file.name}, ${file.contentType}, ${file.size},
        decode(${file.sha256}, 'hex'), ${file.objectId}
      )`)
    const { contentType, name, sha256, size, subject } = file
    return {
      id: Id.fromUuid("file", id),
      ...subjectMembers(subject),
      name,
      contentType,
      size,
      sha256,
      ...auditAfter(change, { version: 1, changeType: "created" })
    }
  })

  const remove = Effect.fn("FilesRepo.remove")(function* (change: Change, stored: StoredFile) {
    const removed = yield* orDie(sql`
      delete from files
      where id = ${stored.uuid} and team_id = ${change.actor.teamId} and version = ${stored.version}
      returning id`)
    if (removed.length === 0) return yield* lostRace
  })

  /** Moves at most `limit` files of the subjects `from` to the subject `to` (UUIDs), and returns how many there were. */
  const moveSome = Effect.fn("FilesRepo.moveSome")(function* (
    change: Change,
    type: FileSubject["type"],
    from: ReadonlyArray<string>,
    to: string,
    limit: number
  ) {
    const moved = yield* orDie(sql`
      update files set
        subject_id = ${to}, version = version + 1, updated_at = ${change.at}, change_type = 'updated',
        change_origin = ${change.actor.origin}
      where team_id = ${change.actor.teamId} and id = any(array(
        select id from files
        where team_id = ${change.actor.teamId} and subject_type = ${type} and subject_id = any(${from}::uuid[])
        order by id limit ${limit} for update
      ))
      returning id`)
    return moved.length
  })

  /** Moves the files of subjects of one type to others (UUIDs). */
  const moveEach = Effect.fn("FilesRepo.moveEach")(function* (
    change: Change,
    type: FileSubject["type"],
    all: ReadonlyArray<FileMove>
  ) {
    const moves = all.filter(({ from, to }) => from !== to)
    if (moves.length === 0) return
    yield* orDie(sql`
      update files set
        subject_id = goal, version = version + 1, updated_at = ${change.at}, change_type = 'updated',
        change_origin = ${change.actor.origin}
      from unnest(${moves.map(({ from }) => from)}::uuid[], ${moves.map(({ to }) => to)}::uuid[]) as moving (origin, goal)
      where team_id = ${change.actor.teamId} and subject_type = ${type} and subject_id = origin`)
  })

  // Loaded once, because it never changes.
  let loaded: string | undefined
  /** The namespace of this installation in the store. */
  const namespace = Effect.gen(function* () {
    if (loaded !== undefined) return loaded
    const [row] = yield* orDie(sql<{ readonly id: string }>`select id from file_space`)
    if (row === undefined) return yield* Effect.die(new Error("file_space is empty"))
    loaded = row.id
    return loaded
  })

  /** Returns those of these objects that a file refers to, of the team if one is given. */
  const referenced = Effect.fn("FilesRepo.referenced")(function* (objectIds: ReadonlyArray<string>, teamId?: string) {
    const found = orDie(sql<{ readonly content: string }>`
      select content from files
      where content = any(${objectIds}::uuid[]) ${teamId === undefined ? sql`` : sql`and team_id = ${teamId}`}`)
    const rows = yield* teamId === undefined ? inEach(sql, found) : found
    return rows.map(({ content }) => content)
  })

  /**
   * With cells, offers (UUIDs) that files of the running cell are of, and that are in none any more. It looks at some, in random order,
   * so that each has its turn. Undefined on plain Postgres.
   */
  const lostOffers = Effect.fnUntraced(function* (limit: number) {
    if (sql.cells === undefined) return undefined
    const named = yield* orDie(sql<{ readonly subject_id: string }>`
      select subject_id from (select distinct subject_id from files where subject_type = 'offer') as named
      order by random() limit ${limit}`)
    const uuids = named.map(({ subject_id }) => subject_id)
    const there = yield* inEach(
      sql,
      orDie(sql<{ readonly id: string }>`select id from offers where id = any(${uuids}::uuid[])`)
    )
    const known = new Set(there.map(({ id }) => id))
    return uuids.filter((uuid) => !known.has(uuid))
  })

  const purgeCell = Effect.fnUntraced(function* (until: Date, limit: number) {
    const ofSubjects = (type: keyof typeof subjectTables) => {
      const table = sql.literal(subjectTables[type])
      // A subject without a row was purged, and so deleted even longer ago. "offset 0" makes Postgres look up the files of each
      // tombstone: it takes subject and team for independent, expects few rows, and would read all files for the first of them.
      return sql`
        select of_subject.id, of_subject.team_id
        from ${table}
        cross join lateral (
          select id, team_id from files
          where subject_type = ${type} and subject_id = ${table}.id and team_id = ${table}.team_id offset 0
        ) of_subject
        where ${table}.deleted_at < ${until}
        union all
        select id, team_id from files
        where subject_type = ${type} and not exists (
          select from ${table} where ${table}.id = files.subject_id and ${table}.team_id = files.team_id
        )`
    }
    // The files of an offer are those of the broker's team. In cells, the offer may be in another one.
    const lost = yield* lostOffers(limit)
    const ofOffers =
      lost === undefined
        ? sql`
          select id, team_id from files
          where subject_type = 'offer' and not exists (
            select from offers where offers.id = files.subject_id and offers.broker_team_id = files.team_id
          )`
        : sql`select id, team_id from files where subject_type = 'offer' and subject_id = any(${lost}::uuid[])`
    const found = yield* orDie(sql<{ readonly id: string; readonly team_id: string }>`
      ${ofSubjects("contact")} union all ${ofSubjects("company")}
      union all ${ofSubjects("project")} union all ${ofSubjects("prospect")}
      union all ${ofSubjects("property")}
      union all ${ofOffers}
      union all select id, team_id from files
        where subject_type = 'room' and not exists (
          select from rooms where rooms.id = files.subject_id and rooms.team_id = files.team_id
        )
      limit ${limit}`)
    const removed = yield* Effect.forEach(
      Map.groupBy(found, ({ team_id }) => team_id),
      ([teamId, some]) =>
        orDie(sql<{ readonly content: string }>`
        delete from files where team_id = ${teamId} and id = any(${some.map(({ id }) => id)}::uuid[])
        returning content`)
    )
    return removed.flat().map(({ content }) => content)
  })

  /** Deletes up to `limit` files whose subject was deleted before `until`, and returns the ids of their objects. */
  const purge = Effect.fn("FilesRepo.purge")((until: Date, limit: number) => inEach(sql, purgeCell(until, limit)))

  return { find, findShared, list, insert, remove, moveEach, moveSome, namespace, referenced, purge }
})

/** The rows of files. */
export class FilesRepo extends Context.Service<FilesRepo, Effect.Success<typeof make>>()("content/files/FilesRepo") {
  static readonly layer = Layer.effect(FilesRepo, make)
}
