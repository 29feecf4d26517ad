/** The SQL of projects, scoped by team; the purge covers all teams. */
import * as Id from "../../core/Id.ts"
import * as RecordTable from "../../core/records/RecordTable.ts"
import { Context, Effect, Layer } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import type { Range } from "../../core/mutation/DeltaList.ts"
import { type DueRows, ofFirstTeam, type OfTeam } from "../../core/mutation/Delta.ts"
import { arrayParameter, chunkOf } from "../../platform/db/SetStatements.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { column, idOf, idsOf, type Stored, type Table } from "../../core/records/Table.ts"
import { nextVersionColumns } from "../../core/records/RecordTable.ts"
import type { ProjectLine, ProjectListQuery, ProjectSearch } from "./Project.ts"
import { type ProjectFields, type ProjectRecord, toRecord } from "./rules.ts"

const kept = { kept: true }

/** The table of projects. A deleted project keeps its content, so that it can be restored, until the purge clears it. */
export const projectsTable: Table<ProjectFields, ProjectRecord> = {
  type: "project",
  name: "projects",
  columns: {
    name: column("name", "text", kept),
    description: column("description", "text", kept),
    isPortfolio: column("is_portfolio", "boolean", kept),
    propertyCount: column("property_count", "integer", kept),
    propertyCountWritten: column("property_count_written", "boolean", kept),
    propertyIds: { ...idsOf("property", "property_ids"), ...kept },
    exclusivity: column("exclusivity", "text", kept),
    ownerId: idOf("user", "owner_id", kept),
    sellerContactId: idOf("contact", "seller_contact_id", kept),
    publishedUtc: column("published_at", "timestamptz", kept),
    communicatedUtc: column("communicated_at", "timestamptz", kept),
    roomOpenedUtc: column("room_opened_at", "timestamptz", kept),
    closedUtc: column("closed_at", "timestamptz", kept)
  },
  mergeable: false,
  toResource: toRecord
}

/** A project of the database. */
export type StoredProject = Stored<ProjectRecord>

/** By what projects are searched for. */
interface ProjectsSearch extends Omit<ProjectSearch, "ownerId"> {
  /** Null: a member whom nobody knows. */
  readonly ownerUuid: string | null | undefined
  readonly restorableSince: Date
}

interface FoundRow {
  readonly id: string
  readonly name: string
  readonly owner_id: string | null
  readonly exclusivity: string | null
  readonly property_count: number | null
  readonly created_at: Date
  readonly deleted_at: Date | null
  readonly closed_at: Date | null
  /** Whether somebody outside the team could see it. */
  readonly was_shown: boolean
}

const toLine = (row: FoundRow): ProjectLine => ({
  id: Id.fromUuid("project", row.id),
  name: row.name,
  status: row.deleted_at !== null ? "deleted" : row.closed_at !== null ? "closed" : row.was_shown ? "open" : "draft",
  ownerId: Id.fromUuidOrNull("user", row.owner_id),
  exclusivity: row.exclusivity,
  propertyCount: row.property_count,
  createdUtc: row.created_at.toISOString(),
  deletedUtc: row.deleted_at?.toISOString() ?? null
})

const make = Effect.gen(function* () {
  const sql = yield* Database
  const table = yield* RecordTable.make(projectsTable)

  const list = Effect.fn("ProjectsRepo.list")(function* (teamId: string, range: Range, query: ProjectListQuery) {
    return yield* table.list(teamId, range, { externalRef: query.external_ref })
  })

  const inState = (state: ProjectSearch["state"], restorableSince: Date) => {
    switch (state) {
      case "deleted":
        return sql`deleted_at >= ${restorableSince} and name is not null`
      case "closed":
        return sql`deleted_at is null and closed_at is not null`
      case "draft":
        return sql`deleted_at is null and closed_at is null
          and coalesce(communicated_at, published_at, room_opened_at) is null`
      case "open":
        return sql`deleted_at is null and closed_at is null
          and coalesce(communicated_at, published_at, room_opened_at) is not null`
      case undefined:
        return sql`deleted_at is null and closed_at is null`
    }
  }

  /** Projects, the newest first, after a position; deleted ones if they can be restored. */
  const search = Effect.fn("ProjectsRepo.search")(function* (
    teamId: string,
    { name, ownerUuid, restorableSince, state }: ProjectsSearch,
    after: { readonly at: string; readonly id: string } | undefined,
    limit: number
  ) {
    const rows = yield* orDie(sql<FoundRow>`
      select id, name, owner_id, exclusivity, property_count, created_at, deleted_at, closed_at,
        coalesce(communicated_at, published_at, room_opened_at) is not null as was_shown
      from projects
      where ${sql.and([
        sql`team_id = ${teamId}`,
        inState(state, restorableSince),
        ...(ownerUuid === undefined ? [] : [sql`owner_id = ${ownerUuid}::uuid`]),
        ...(name === undefined ? [] : [sql`strpos(lower(name), lower(${name})) > 0`]),
        ...(after === undefined ? [] : [sql`(created_at, id) < (${after.at}::timestamptz, ${after.id}::uuid)`])
      ])}
      order by created_at desc, id desc limit ${limit}`)
    return rows.map(toLine)
  })

  /** The names of living projects (UUIDs), by UUID. */
  const namesOf = Effect.fn("ProjectsRepo.namesOf")(function* (teamId: string, uuids: ReadonlyArray<string>) {
    if (uuids.length === 0) return new Map<string, string>()
    const rows = yield* orDie(sql<{ readonly id: string; readonly name: string }>`
      select id, name from projects
      where team_id = ${teamId} and id = any(${arrayParameter(sql, "uuid", uuids)}) and deleted_at is null`)
    return new Map(rows.map(({ id, name }) => [id, name]))
  })

  /** Locks a living project for share: nobody writes it until the transaction ends. */
  const lockForShare = Effect.fn("ProjectsRepo.lockForShare")(function* (teamId: string, uuid: string) {
    yield* orDie(sql`select id from projects where team_id = ${teamId} and id = ${uuid} for share`)
    // Read in a statement of its own after the wait, as `lock` does.
    return yield* table.find(teamId, uuid)
  })

  /**
   * A living project, or one that was deleted at `since` or later and can be restored. Every project has a name; without one, its content
   * was cleared.
   */
  const findRestorable = Effect.fn("ProjectsRepo.findRestorable")(function* (
    teamId: string,
    uuid: string,
    since: Date
  ) {
    const [stored] = yield* table.select(
      teamId,
      sql`id = ${uuid} and (deleted_at is null or (deleted_at >= ${since} and name is not null))`
    )
    return stored
  })

  const lists = (propertyUuids: ReadonlyArray<string>) =>
    sql`property_ids && ${propertyUuids}::uuid[] and property_ids <> '{}' and deleted_at is null`

  /** The projects (ids) that are not closed and list one of these properties (UUIDs), by the UUID of the property. */
  const openListing = Effect.fn("ProjectsRepo.openListing")(function* (
    teamId: string,
    propertyUuids: ReadonlyArray<string>
  ) {
    const rows = yield* orDie(sql<{ readonly property: string; readonly projects: ReadonlyArray<string> }>`
      select property, array_agg(projects.id order by projects.created_at, projects.id) as projects
      from projects, unnest(property_ids) as property
      where team_id = ${teamId} and ${lists(propertyUuids)} and closed_at is null
        and property = any(${propertyUuids}::uuid[])
      group by property`)
    return new Map(
      rows.map(({ projects, property }) => [property, projects.map((uuid) => Id.fromUuid("project", uuid))])
    )
  })

  /** The living projects (UUIDs) that list one of these properties (UUIDs). */
  const listing = Effect.fn("ProjectsRepo.listing")(function* (teamId: string, propertyUuids: ReadonlyArray<string>) {
    const rows = yield* orDie(sql<{ readonly id: string }>`
      select id from projects where team_id = ${teamId} and ${lists(propertyUuids)}`)
    return rows.map(({ id }) => id)
  })

  /** Those of these contacts (ids) that exist. They stay until the transaction ends. */
  const existingContacts = Effect.fn("ProjectsRepo.existingContacts")(function* (
    teamId: string,
    ids: ReadonlyArray<string>
  ) {
    const uuids = ids.flatMap((id) => Id.toUuid("contact", id) ?? [])
    if (uuids.length === 0) return new Set<string>()
    const rows = yield* orDie(sql<{ readonly id: string }>`
      select id from contacts where team_id = ${teamId} and id = any(${arrayParameter(sql, "uuid", uuids)}) and deleted_at is null
      order by id for share`)
    return new Set(rows.map(({ id }) => Id.fromUuid("contact", id)))
  })

  /** Those of these properties (ids) that exist. */
  const existingProperties = Effect.fn("ProjectsRepo.existingProperties")(function* (
    teamId: string,
    ids: ReadonlyArray<string>
  ) {
    const uuids = ids.flatMap((id) => Id.toUuid("property", id) ?? [])
    if (uuids.length === 0) return new Set<string>()
    const rows = yield* orDie(sql<{ readonly id: string }>`
      select id from properties
      where team_id = ${teamId} and id = any(${arrayParameter(sql, "uuid", uuids)}) and deleted_at is null`)
    return new Set<string>(rows.map(({ id }) => Id.fromUuid("property", id)))
  })

  /** Living projects (UUIDs) whose seller is one of these contacts (UUIDs), with `closed` also closed ones, at most `limit`. */
  const soldBy = Effect.fn("ProjectsRepo.soldBy")(function* (
    teamId: string,
    contacts: ReadonlyArray<string>,
    { closed, limit }: { readonly limit: number; readonly closed: boolean }
  ) {
    const rows = yield* orDie(sql<{ readonly id: string }>`
      select id from projects
      where team_id = ${teamId} and seller_contact_id = any(${contacts}::uuid[]) and deleted_at is null
        and (${closed}::boolean or closed_at is null)
      order by id limit ${limit + 1}`)
    return chunkOf(
      rows.map(({ id }) => id),
      limit
    )
  })

  /** The id of the contact that this one (id) is, or was merged into; null if it was deleted. */
  const survivorOf = Effect.fn("ProjectsRepo.survivorOf")(function* (teamId: string, id: string) {
    const rows = yield* orDie(sql<{ readonly id: string }>`
      select living.id from contacts named
      join contacts living on living.id = coalesce(named.merged_into, named.id) and living.team_id = named.team_id
      where named.team_id = ${teamId} and named.id = ${Id.toUuid("contact", id) ?? null}::uuid
        and living.deleted_at is null
      for share of living`)
    return rows[0] === undefined ? null : Id.fromUuid("contact", rows[0].id)
  })

  /** Records that a locked project has a room, without a new version. */
  const openRoom = Effect.fn("ProjectsRepo.openRoom")(function* (change: Change, uuid: string) {
    yield* orDie(sql`
      update projects set room_opened_at = ${change.at} where id = ${uuid} and team_id = ${change.actor.teamId}`)
  })

  /** Restores a deleted project whose content is still there, without its references; returns whether there was one. */
  const restore = Effect.fn("ProjectsRepo.restore")(function* (change: Change, deleted: StoredProject) {
    const restored = yield* orDie(sql`
      update projects set ${nextVersionColumns(sql, "projects", change, "restored")},
        deleted_at = null, deleted_refs = null
      where id = ${deleted.uuid} and team_id = ${change.actor.teamId} and version = ${deleted.version}
        and deleted_at is not null and name is not null
      returning id`)
    return restored.length === 1
  })

  /** Projects of one team that were closed before `until` and live, at most `limit`; undefined if there are none. */
  const findClosed = Effect.fn("ProjectsRepo.findClosed")(function* (until: Date, { failed, limit }: DueRows) {
    return ofFirstTeam(
      yield* orDie(sql<{ readonly team_id: string; readonly id: string }>`
        select team_id, id from projects
        where closed_at < ${until} and deleted_at is null and team_id <> all(${failed}::uuid[])
        order by closed_at limit ${limit}`)
    )
  })

  /** Projects of one team that were deleted before `until` and have their content, at most `limit`; undefined if there are none. */
  const findClearable = Effect.fn("ProjectsRepo.findClearable")(function* (until: Date, { failed, limit }: DueRows) {
    return ofFirstTeam(
      yield* orDie(sql<{ readonly team_id: string; readonly id: string }>`
        select team_id, id from projects
        where deleted_at < ${until} and purged_at is null and name is not null and team_id <> all(${failed}::uuid[])
        order by deleted_at limit ${limit}`)
    )
  })

  /** Clears the content of those of these projects that were deleted before `until`; returns how many. */
  const clearContent = Effect.fn("ProjectsRepo.clearContent")(function* (until: Date, found: OfTeam) {
    // The rest is checked again: a project may have been restored.
    const cleared = yield* orDie(sql`
      update projects set
        name = null, description = null, is_portfolio = null, property_count = null,
        property_count_written = null, property_ids = '{}',
        exclusivity = null, owner_id = null, seller_contact_id = null, published_at = null, communicated_at = null, room_opened_at = null,
        closed_at = null
      where team_id = ${found.teamId} and id = any(${found.uuids}::uuid[]) and deleted_at < ${until}
        and purged_at is null and name is not null
      returning id`)
    return cleared.length
  })

  /** Cleared projects of one team that are not marked as purged, at most `limit`; undefined if there are none. */
  const findCleared = Effect.fn("ProjectsRepo.findCleared")(function* ({ failed, limit }: DueRows) {
    return ofFirstTeam(
      yield* orDie(sql<{ readonly team_id: string; readonly id: string }>`
        select team_id, id from projects
        where deleted_at is not null and purged_at is null and name is null and team_id <> all(${failed}::uuid[])
        order by deleted_at, id limit ${limit}`)
    )
  })

  /** Marks projects as purged: nothing refers to them any more. */
  const markPurged = Effect.fn("ProjectsRepo.markPurged")(function* ({ teamId, uuids }: OfTeam, now: Date) {
    const marked = yield* orDie(sql`
      update projects set purged_at = ${now}
      where team_id = ${teamId} and id = any(${uuids}::uuid[]) and deleted_at is not null and name is null and purged_at is null
      returning id`)
    return marked.length
  })

  /** As for all records, but a project is purged after everything that belongs to it. */
  const findPurgeable = (until: Date, which: DueRows) =>
    table.findPurgeable(until, which, [
      sql`purged_at is not null`,
      sql`not exists (select from prospects where prospects.project_id = dead.id and prospects.team_id = dead.team_id)`
    ])

  /** The projects of a team that are open. */
  const openOf = Effect.fn("ProjectsRepo.openOf")(function* (teamId: string) {
    const rows = yield* orDie(sql<{ readonly id: string }>`
      select id from projects where team_id = ${teamId} and deleted_at is null and closed_at is null
      order by created_at, id`)
    return rows.map(({ id }) => id)
  })

  return {
    ...table,
    list,
    search,
    namesOf,
    openOf,
    lockForShare,
    findRestorable,
    openListing,
    listing,
    existingContacts,
    existingProperties,
    soldBy,
    survivorOf,
    openRoom,
    restore,
    findClosed,
    findClearable,
    clearContent,
    findCleared,
    markPurged,
    findPurgeable
  }
})

/** The projects of teams. */
export class ProjectsRepo extends Context.Service<ProjectsRepo, Effect.Success<typeof make>>()(
  "deals/projects/ProjectsRepo"
) {
  static readonly layer = Layer.effect(ProjectsRepo, make)
}
