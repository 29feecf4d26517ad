/** The SQL of a project's cascades: sets of prospects, written in the order of their ids. */
import { Context, Effect, Layer } from "effect"
import type { Change } from "../../../core/mutation/Changes.ts"
import type { OfTeam } from "../../../core/mutation/purgeListed.ts"
import { chunkOf } from "../../../platform/db/Chunk.ts"
import { Database } from "../../../platform/db/Database.ts"
import { orDie } from "../../../platform/db/DatabaseUnavailable.ts"
import type { ExternalRef } from "../../../core/externalRefs/ExternalRef.ts"
import { nextVersionColumns } from "../../../core/records/TableWrites.ts"
import { type ProspectSubjectRow, subjectColumns, toProspectSubject } from "./InvestorCascadesRepo.ts"

const make = Effect.gen(function* () {
  const sql = yield* Database

  /** The assignments that every write of a prospect makes. */
  const versionColumns = (change: Change, changeType: "deleted" | "restored" | "updated") => sql`
    ${nextVersionColumns(sql, "prospects", change, changeType)},
    overdue_when_written = coalesce(prospects.next_task_due < (${change.at}::timestamptz at time zone 'UTC')::date, false)`

  const isDeletedWithProject = (teamId: string, projectUuid: string) => sql`
    prospects.team_id = ${teamId} and prospects.project_id = ${projectUuid} and prospects.deleted_with_project`

  const isLivingOn = (teamId: string, projectUuid: string) => sql`
    prospects.team_id = ${teamId} and prospects.project_id = ${projectUuid} and prospects.deleted_at is null`

  const count = Effect.fn("ProjectCascadesRepo.count")(function* (teamId: string, projectUuid: string) {
    const [row] = yield* orDie(sql<{ readonly count: number }>`
      select count(*)::int as count from prospects where ${isLivingOn(teamId, projectUuid)}`)
    return row?.count ?? 0
  })

  /** Deletes at most `limit` prospects of a project with their tasks; returns them with the references that they had. */
  const deleteSome = Effect.fn("ProjectCascadesRepo.deleteSome")(function* (
    change: Change,
    projectUuid: string,
    limit: number
  ) {
    const { teamId } = change.actor
    const found = yield* orDie(sql<{ readonly id: string }>`
      select id from prospects where ${isLivingOn(teamId, projectUuid)} order by id limit ${limit + 1} for update`)
    const { left, taken } = chunkOf(
      found.map(({ id }) => id),
      limit
    )
    const deleted = yield* orDie(sql<ProspectSubjectRow & { readonly refs: ReadonlyArray<ExternalRef> }>`
      update prospects set ${versionColumns(change, "deleted")}, deleted_at = ${change.at}, deleted_with_project = true,
        deleted_refs = coalesce((
          select json_agg(json_build_object('namespace', namespace, 'externalId', external_id) order by position)::jsonb
          from external_references where resource_id = prospects.id and external_references.team_id = prospects.team_id
        ), '[]')
      where id = any(${taken}::uuid[]) and ${isLivingOn(teamId, projectUuid)}
      returning ${subjectColumns(sql)}, deleted_refs as refs`)
    yield* orDie(sql`
      delete from external_references
      where team_id = ${teamId} and resource_type = 'prospect' and resource_id = any(${taken}::uuid[])`)
    yield* orDie(sql`
      update tasks set ${nextVersionColumns(sql, "tasks", change, "deleted")}, deleted_at = ${change.at}
      where team_id = ${teamId} and project_id = ${projectUuid} and prospect_id = any(${taken}::uuid[])
        and deleted_at is null`)
    return { taken: deleted.map((row) => ({ ...toProspectSubject(row), refs: row.refs })), left }
  })

  /** Locks the prospects that were deleted with a project. */
  const lockDeletedWithProject = Effect.fn("ProjectCascadesRepo.lockDeletedWithProject")(function* (
    teamId: string,
    projectUuid: string
  ) {
    yield* orDie(
      sql`select id from prospects where ${isDeletedWithProject(teamId, projectUuid)} order by id for update`
    )
  })

  /** Gives the prospects that were deleted with a project their references back; returns those that others hold now. */
  const restoreRefs = Effect.fn("ProjectCascadesRepo.restoreRefs")(function* (teamId: string, projectUuid: string) {
    // `on conflict` waits for a concurrent writer of the same reference, and then sees what it wrote.
    return yield* orDie(sql<ExternalRef>`
      with former as (
        select prospects.id, ref ->> 'namespace' as namespace, ref ->> 'externalId' as external_id,
          ordinal - 1 as position
        from prospects, jsonb_array_elements(prospects.deleted_refs) with ordinality as refs (ref, ordinal)
        where ${isDeletedWithProject(teamId, projectUuid)}
      ), missing as (
        select * from former where not exists (
          select from external_references
          where team_id = ${teamId} and resource_id = former.id and resource_type = 'prospect'
            and namespace = former.namespace and external_id = former.external_id
        )
      ), inserted as (
        insert into external_references (team_id, resource_type, namespace, external_id, resource_id, position)
        select ${teamId}::uuid, 'prospect', namespace, external_id, id, position
        from missing order by namespace, external_id
        on conflict (team_id, resource_type, namespace, external_id) do nothing
        returning namespace, external_id
      )
      select namespace, external_id as "externalId" from missing except select * from inserted
      order by namespace, "externalId"`)
  })

  /**
   * Restores the prospects that were deleted with a project, and their tasks, with fresh copies of their contacts and companies. Those that
   * were on the list, and whose contact or company was deleted in the meantime, come back removed (`isRemoved`), unless the
   * project is closed.
   */
  const restoreAll = Effect.fn("ProjectCascadesRepo.restoreAll")(function* (change: Change, projectUuid: string) {
    const { teamId } = change.actor
    const rows = yield* orDie(sql<ProspectSubjectRow & { readonly is_removed: boolean }>`
      with found as (
        select prospects.id, prospects.removed_at as former,
          coalesce(contacts.id, companies.id) is null as is_orphan, projects.closed_at is null as is_open,
          coalesce(contact_name(contacts.first_name, contacts.last_name, contacts.email), companies.name) as name,
          contacts.email, companies.domain, companies.country, coalesce(contacts.tags, companies.tags) as tags
        from prospects
        join projects on projects.id = prospects.project_id and projects.team_id = prospects.team_id
        left join contacts on contacts.id = prospects.contact_id and contacts.team_id = prospects.team_id
          and contacts.deleted_at is null
        left join companies on companies.id = prospects.company_id and companies.team_id = prospects.team_id
          and companies.deleted_at is null
        where ${isDeletedWithProject(teamId, projectUuid)}
      ), restored as (
        update prospects set ${versionColumns(change, "restored")},
          deleted_at = null, deleted_refs = null, deleted_with_project = false,
          removed_at = case when is_orphan and is_open then coalesce(prospects.removed_at, ${change.at}) else prospects.removed_at end,
          name = case when is_orphan then prospects.name else found.name end,
          email = case when is_orphan then prospects.email else found.email end,
          domain = case when is_orphan then prospects.domain else found.domain end,
          country = case when is_orphan then prospects.country else found.country end,
          tags = case when is_orphan then prospects.tags else found.tags end
        from found where prospects.id = found.id and prospects.team_id = ${teamId}
        returning ${subjectColumns(sql)}, is_orphan and is_open and former is null as is_removed
      )
      select * from restored order by id`)
    yield* orDie(sql`
      update tasks set ${nextVersionColumns(sql, "tasks", change, "restored")}, deleted_at = null
      from prospects
      where tasks.team_id = ${teamId} and tasks.project_id = ${projectUuid} and tasks.deleted_at is not null
        and prospects.id = tasks.prospect_id and prospects.team_id = ${teamId} and prospects.deleted_at is null`)
    return rows.map((row) => ({ ...toProspectSubject(row), isRemoved: row.is_removed }))
  })

  /** Removes prospects from the list of an open project whose contact or company was deleted; returns them. */
  const removeOrphans = Effect.fn("ProjectCascadesRepo.removeOrphans")(function* (change: Change, projectUuid: string) {
    const { teamId } = change.actor
    // The subquery is an array, so that its few rows are found first: as a join, the planner may scan the whole table.
    const rows = yield* orDie(sql<ProspectSubjectRow>`
      update prospects set ${versionColumns(change, "updated")}, removed_at = ${change.at}
      where team_id = ${teamId} and deleted_at is null and removed_at is null and id = any(array(
        select id from prospects
        where team_id = ${teamId} and project_id = ${projectUuid}
          and deleted_at is null and removed_at is null
          and exists (
            select from projects where projects.team_id = ${teamId} and projects.id = project_id and projects.closed_at is null
          ) and not exists (
            select from contacts where contacts.team_id = ${teamId} and contacts.id = contact_id and contacts.deleted_at is null
          ) and not exists (
            select from companies
            where companies.team_id = ${teamId} and companies.id = company_id and companies.deleted_at is null
          )
        order by id for update
      ))
      returning ${subjectColumns(sql)}`)
    return rows.map(toProspectSubject)
  })

  /** Whether a prospect of the project has access to a room; removal from the list does not end it. */
  /** Locks prospects of these projects, in any state, at most `limit`; returns their UUIDs. */
  const lockForPurge = Effect.fn("ProjectCascadesRepo.lockForPurge")(function* (
    { teamId, uuids: projectUuids }: OfTeam,
    limit: number
  ) {
    const rows = yield* orDie(sql<{ readonly id: string }>`
      select id from prospects
      where team_id = ${teamId} and project_id = any(${projectUuids}::uuid[]) order by id limit ${limit} for update`)
    const locked: OfTeam = { teamId, uuids: rows.map(({ id }) => id) }
    return locked
  })

  return { deleteSome, count, lockDeletedWithProject, restoreRefs, restoreAll, removeOrphans, lockForPurge }
})

/** The prospects of projects that are deleted, restored, reopened or purged. */
export class ProjectCascadesRepo extends Context.Service<ProjectCascadesRepo, Effect.Success<typeof make>>()(
  "deals/prospects/cascades/ProjectCascadesRepo"
) {
  static readonly layer = Layer.effect(ProjectCascadesRepo, make)
}
