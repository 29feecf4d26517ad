/** All SQL of projects, scoped by team; the purge goes through all teams. */
import { Context, Effect, Layer } from "effect"
import type { Change } from "../changes/Changes.ts"
import type { Range } from "../changes/DeltaList.ts"
import { Database } from "../db/Database.ts"
import { orDie } from "../db/DatabaseUnavailable.ts"
import type { RecordsRepo } from "../records/RecordKind.ts"
import * as RecordTable from "../records/RecordTable.ts"
import type { ProjectListQuery } from "./Project.ts"
import { type ProjectFields, type ProjectRecord, toRecord } from "./rules.ts"

const { column, idOf, idsOf } = RecordTable

const kept = { kept: true }

/** The table of projects. A deleted one keeps its content, for its restore, until it is emptied. */
export const projectsTable: RecordTable.Table<ProjectFields, ProjectRecord> = {
  type: "project",
  name: "projects",
  columns: {
    name: column("name", "text", kept),
    description: column("description", "text", kept),
    isPortfolio: column("is_portfolio", "boolean", kept),
    propertyCount: column("property_count", "integer", kept),
    propertyIds: { ...idsOf("property", "property_ids"), ...kept },
    exclusivity: column("exclusivity", "text", kept),
    ownerId: idOf("user", "owner_id", kept),
    publishedUtc: column("published_at", "timestamptz", kept),
    communicatedUtc: column("communicated_at", "timestamptz", kept),
    roomOpenedUtc: column("room_opened_at", "timestamptz", kept),
    closedUtc: column("closed_at", "timestamptz", kept)
  },
  mergeable: false,
  toResource: toRecord
}

type Stored = RecordTable.Stored<ProjectRecord>

/** The projects of teams. */
export class ProjectsRepo extends Context.Service<
  ProjectsRepo,
  Omit<RecordsRepo<ProjectFields, ProjectRecord, ProjectListQuery>, "context"> & {
    /** A project that lives, and stays until the transaction ends; others may read and share it too, but not write it. */
    readonly share: (teamId: string, uuid: string) => Effect.Effect<Stored | undefined>
    /** Writes that a locked project has a room: it stays the version that it is. */
    readonly openRoom: (change: Change, uuid: string) => Effect.Effect<void>
    /** A project that lives, or that was deleted at `since` or later and can be restored. */
    readonly findRestorable: (teamId: string, uuid: string, since: Date) => Effect.Effect<Stored | undefined>
    /** Brings back a deleted project that has not been emptied, without its references; answers whether it could. */
    readonly restore: (change: Change, deleted: Stored) => Effect.Effect<boolean>
    /** Removes the content of projects that were deleted before `until`, at most `limit`; answers how many. */
    readonly empty: (until: Date, limit: number) => Effect.Effect<number>
    /** Emptied projects on which something may still hang (UUIDs), at most `limit`. */
    readonly emptied: (limit: number) => Effect.Effect<ReadonlyArray<string>>
    /** Notes that nothing hangs on these projects any more. */
    readonly finish: (uuids: ReadonlyArray<string>, now: Date) => Effect.Effect<number>
  }
>()("projects/ProjectsRepo") {
  static readonly layer = Layer.effect(
    ProjectsRepo,
    Effect.gen(function* () {
      const sql = yield* Database
      const table = yield* RecordTable.make(projectsTable)

      const list = Effect.fn("ProjectsRepo.list")(function* (teamId: string, range: Range, query: ProjectListQuery) {
        return yield* table.list(teamId, range, query.external_ref)
      })

      const share = Effect.fn("ProjectsRepo.share")(function* (teamId: string, uuid: string) {
        yield* orDie(sql`select id from projects where team_id = ${teamId} and id = ${uuid} for share`)
        // Read after the wait, as `lock` does.
        return yield* table.find(teamId, uuid)
      })

      // A project always has a name: one without was emptied.
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

      const openRoom = Effect.fn("ProjectsRepo.openRoom")(function* (change: Change, uuid: string) {
        yield* orDie(sql`
          update projects set room_opened_at = ${change.at} where id = ${uuid} and team_id = ${change.actor.teamId}`)
      })

      const restore = Effect.fn("ProjectsRepo.restore")(function* (change: Change, deleted: Stored) {
        const restored = yield* orDie(sql`
          update projects set ${RecordTable.nextVersion(sql, "projects", change, "restored")},
            deleted_at = null, deleted_refs = null
          where id = ${deleted.uuid} and team_id = ${change.actor.teamId} and version = ${deleted.version}
            and deleted_at is not null and name is not null
          returning id`)
        return restored.length === 1
      })

      const empty = Effect.fn("ProjectsRepo.empty")(function* (until: Date, limit: number) {
        // Asked for again of what it had to wait for: a project may have been restored meanwhile.
        const emptied = yield* orDie(sql`
          update projects set
            name = null, description = null, is_portfolio = null, property_count = null, property_ids = '{}',
            exclusivity = null, owner_id = null, published_at = null, communicated_at = null, room_opened_at = null,
            closed_at = null
          where id in (
            select id from projects
            where deleted_at < ${until} and purged_at is null and name is not null
            order by deleted_at limit ${limit}
          ) and deleted_at < ${until}
          returning id`)
        return emptied.length
      })

      const emptied = Effect.fn("ProjectsRepo.emptied")(function* (limit: number) {
        const rows = yield* orDie(sql<{ readonly id: string }>`
          select id from projects
          where deleted_at is not null and purged_at is null and name is null
          order by deleted_at, id limit ${limit}`)
        return rows.map(({ id }) => id)
      })

      const finish = Effect.fn("ProjectsRepo.finish")(function* (uuids: ReadonlyArray<string>, now: Date) {
        const finished = yield* orDie(sql`
          update projects set purged_at = ${now}
          where id = any(${uuids}::uuid[]) and deleted_at is not null and name is null and purged_at is null
          returning id`)
        return finished.length
      })

      /** As for all records, but a project goes after all that hangs on it. */
      const purgeCandidates = (until: Date, limit: number) =>
        table.purgeCandidates(until, limit, [
          sql`purged_at is not null`,
          sql`not exists (select from prospects where prospects.project_id = dead.id)`
        ])

      return ProjectsRepo.of({
        ...table,
        list,
        share,
        findRestorable,
        openRoom,
        restore,
        empty,
        emptied,
        finish,
        purgeCandidates
      })
    })
  )
}
