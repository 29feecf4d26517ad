/** The SQL of teasers, scoped by team; the purge covers all teams. */
import { Context, Effect, Layer } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import type { OfTeam } from "../../core/mutation/Delta.ts"
import { inEach } from "../../platform/db/Cells.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { type ChosenOptions, eachPart } from "./projection/Projection.ts"
import type { Design } from "./projection/investorView.ts"
import type { StoredTeaser, Times } from "./rules.ts"
import { type SubjectType, subjectTypes } from "./Teaser.ts"

interface Row {
  readonly subject_id: string
  readonly version: bigint
  readonly created_at: Date
  readonly updated_at: Date
  readonly change_type: string
  readonly change_origin: string
  readonly published_at: Date | null
  readonly verified_at: Date | null
  readonly communicated_at: Date | null
  readonly options: ChosenOptions
  readonly tags: ReadonlyArray<string> | null
  readonly title: string | null
}

const toStored = (row: Row): StoredTeaser => ({
  version: Number(row.version),
  audit: {
    createdUtc: row.created_at.toISOString(),
    updatedUtc: row.updated_at.toISOString(),
    changeType: row.change_type,
    changeOrigin: row.change_origin
  },
  publishedUtc: row.published_at?.toISOString() ?? null,
  verifiedUtc: row.verified_at?.toISOString() ?? null,
  communicatedUtc: row.communicated_at?.toISOString() ?? null,
  // Parts of a later release are left out.
  options: Object.fromEntries(
    Object.entries(eachPart((part) => row.options[part])).filter(([, mode]) => mode !== undefined)
  ),
  tags: row.tags,
  title: row.title
})

/** A published teaser as the operator finds it. Ids are UUIDs. */
interface PublishedRow {
  readonly type: SubjectType
  readonly id: string
  readonly teamId: string
  readonly publishedAt: Date
  readonly verifiedAt: Date | null
  readonly communicatedAt: Date | null
  /** Its own title, if it has one. */
  readonly title: string | null
  readonly name: string | null
  /** Of a room. */
  readonly projectId: string | null
}

/** A subject by its UUID. */
export interface SubjectRef {
  readonly type: SubjectType
  readonly uuid: string
}

const make = Effect.gen(function* () {
  const sql = yield* Database

  const columns = sql`subject_id, version, created_at, updated_at, change_type, change_origin, published_at,
    verified_at, communicated_at, options, tags, title`

  /** The teasers of subjects (UUIDs) of whatever type, by subject. */
  const findAll = Effect.fn("TeasersRepo.findAll")(function* (teamId: string, uuids: ReadonlyArray<string>) {
    const rows = yield* orDie(sql<Row>`
      select ${columns} from teasers
      where team_id = ${teamId} and subject_type = any(${subjectTypes}::text[])
        and subject_id = any(${uuids}::uuid[])`)
    return new Map(rows.map((row) => [row.subject_id, toStored(row)]))
  })

  /** Writes the next version of a teaser, whose subject is locked; undefined if another transaction wrote it first. */
  const save = Effect.fn("TeasersRepo.save")(function* (
    change: Change,
    { type, uuid }: SubjectRef,
    readVersion: number | undefined,
    { communicatedUtc, options, publishedUtc, tags, title, verifiedUtc }: Design & Times
  ) {
    const { actor, at } = change
    const [row] = yield* orDie(sql<Row>`
      insert into teasers (
        subject_type, subject_id, team_id, version, created_at, updated_at, change_type, change_origin,
        published_at, verified_at, communicated_at, options, tags, title
      )
      values (
        ${type}, ${uuid}, ${actor.teamId}, 1, ${at}, ${at}, 'created', ${actor.origin},
        ${publishedUtc}::timestamptz, ${verifiedUtc}::timestamptz, ${communicatedUtc}::timestamptz,
        ${sql.json(options)}, ${tags}::text[], ${title}
      )
      on conflict (subject_type, subject_id) do update set
        version = teasers.version + 1, updated_at = excluded.updated_at, change_type = 'updated',
        change_origin = excluded.change_origin, published_at = excluded.published_at,
        verified_at = excluded.verified_at, communicated_at = excluded.communicated_at,
        options = excluded.options, tags = excluded.tags, title = excluded.title
      where teasers.team_id = excluded.team_id and teasers.version = ${readVersion ?? 0}
      returning ${columns}`)
    return row === undefined ? undefined : toStored(row)
  })

  /** Removes the teasers of properties (UUIDs); returns what they held, by their properties. */
  const removeOfProperties = Effect.fn("TeasersRepo.removeOfProperties")(function* (
    teamId: string,
    uuids: ReadonlyArray<string>
  ) {
    const rows = yield* orDie(sql<Row>`
      delete from teasers
      where team_id = ${teamId} and subject_type = 'property' and subject_id = any(${uuids}::uuid[])
      returning ${columns}`)
    return rows.map((row) => ({
      uuid: row.subject_id,
      fields: { ...row, subject_type: "property", version: String(row.version) }
    }))
  })

  /** Brings back teasers that were removed, with what they held. One that there is again stays. */
  const bringBack = Effect.fn("TeasersRepo.bringBack")(function* (change: Change, removed: ReadonlyArray<object>) {
    if (removed.length === 0) return
    const own = sql.literal(
      "subject_type, subject_id, version, created_at, updated_at, change_type, change_origin, published_at, verified_at, communicated_at, options, tags, title"
    )
    yield* orDie(sql`
      insert into teasers (team_id, ${own})
      select ${change.actor.teamId}::uuid, ${own}
      from jsonb_to_recordset(${sql.json(removed)}) as row (
        subject_type text, subject_id uuid, version bigint, created_at timestamptz, updated_at timestamptz, change_type text,
        change_origin text, published_at timestamptz, verified_at timestamptz, communicated_at timestamptz, options jsonb,
        tags text[], title text
      )
      order by subject_id
      on conflict do nothing`)
  })

  /** Removes the teasers of projects (UUIDs) of all teams, and of their rooms, for good; returns how many. */
  const purgeOfProjects = Effect.fn("TeasersRepo.purgeOfProjects")(function* ({ teamId, uuids }: OfTeam) {
    const purged = yield* orDie(sql`
      delete from teasers
      where team_id = ${teamId} and (
        subject_type = 'project' and subject_id = any(${uuids}::uuid[])
        or subject_type = 'room' and subject_id in (
          select id from rooms where rooms.team_id = ${teamId} and project_id = any(${uuids}::uuid[])
        )
      )
      returning subject_id`)
    return purged.length
  })

  /** The project (UUID) of a room that lives. */
  const projectOfRoom = Effect.fn("TeasersRepo.projectOfRoom")(function* (teamId: string, roomUuid: string) {
    const [room] = yield* orDie(sql<{ readonly project_id: string }>`
      select project_id from rooms where team_id = ${teamId} and id = ${roomUuid} and deleted_at is null`)
    return room?.project_id
  })

  const tables = { project: "projects", property: "properties", room: "rooms" }

  /** The team (UUID) of a subject. */
  const teamOf = Effect.fn("TeasersRepo.teamOf")(function* ({ type, uuid }: SubjectRef) {
    const [row] = yield* inEach(
      sql,
      orDie(sql<{ readonly team_id: string }>`select team_id from ${sql.literal(tables[type])} where id = ${uuid}`)
    )
    return row?.team_id
  })

  /**
   * At most `limit` published teasers of all teams that are verified, or are not, by the time of their publication, after one of them; with
   * the name of what they are about.
   */
  const published = Effect.fn("TeasersRepo.published")(function* (
    isVerified: boolean,
    after: { readonly at: string; readonly id: string } | undefined,
    limit: number
  ) {
    const conditions = [
      sql`t.published_at is not null`,
      isVerified ? sql`t.verified_at is not null` : sql`t.verified_at is null`,
      ...(after === undefined
        ? []
        : [sql`(t.published_at, t.subject_id) > (${after.at}::timestamptz, ${after.id}::uuid)`])
    ]
    const found = yield* inEach(
      sql,
      orDie(sql<PublishedRow>`
        select t.subject_type as type, t.subject_id as id, t.team_id as "teamId", t.published_at as "publishedAt",
          t.verified_at as "verifiedAt", t.communicated_at as "communicatedAt", t.title,
          coalesce(project.name, property.name, room.name) as name, room.project_id as "projectId"
        from teasers t
        left join projects project on t.subject_type = 'project' and project.id = t.subject_id and project.deleted_at is null
        left join properties property
          on t.subject_type = 'property' and property.id = t.subject_id and property.deleted_at is null
        left join rooms room on t.subject_type = 'room' and room.id = t.subject_id and room.deleted_at is null
        where ${sql.and(conditions)} and coalesce(project.id, property.id, room.id) is not null
        order by t.published_at, t.subject_id limit ${limit}`)
    )
    return found
      .toSorted((a, b) => a.publishedAt.getTime() - b.publishedAt.getTime() || (a.id < b.id ? -1 : 1))
      .slice(0, limit)
  })

  return {
    findAll,
    published,
    save,
    removeOfProperties,
    bringBack,
    purgeOfProjects,
    projectOfRoom,
    teamOf
  }
})

/** The teasers of teams. */
export class TeasersRepo extends Context.Service<TeasersRepo, Effect.Success<typeof make>>()(
  "deals/teasers/TeasersRepo"
) {
  static readonly layer = Layer.effect(TeasersRepo, make)
}
