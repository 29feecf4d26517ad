/**
 * The SQL of sets of prospects: those of a project that is deleted, restored or purged, those of contacts and companies that change or
 * are deleted, and those of contacts and companies that are merged. Each statement writes its rows in the order of their ids.
 */
import * as Id from "../../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import type { OfTeam } from "../../core/mutation/Delta.ts"
import type { TimelineMove } from "../../core/mutation/Timelines.ts"
import { averageTeamId, chunkOf } from "../../platform/db/SetStatements.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { type ExternalRef, maxRefs } from "../../core/externalRefs/ExternalRef.ts"
import { nextVersionColumns } from "../../core/records/RecordTable.ts"
import type { Reassignment } from "./mergePlan.ts"
import type { InvestorUuids, ProspectState, ProspectSubject } from "./Prospect.ts"
import { tagKeys } from "./rules.ts"

/** The columns of a written prospect by which its events name it. */
interface SubjectRow {
  readonly id: string
  readonly project_id: string
  readonly contact_id: string | null
  readonly company_id: string | null
}

const toSubject = (row: SubjectRow): ProspectSubject => ({
  uuid: row.id,
  projectUuid: row.project_id,
  contactId: Id.fromUuidOrNull("contact", row.contact_id),
  companyId: Id.fromUuidOrNull("company", row.company_id)
})

// The rows to write are selected as an array first: as a join, the planner may scan the whole table for each of them.
const make = Effect.gen(function* () {
  const sql = yield* Database

  const subjectColumns = sql`prospects.id, prospects.project_id, prospects.contact_id, prospects.company_id`

  /** The assignments that every write of a prospect makes; `nextTaskDue` is the due date of its next task afterwards. */
  const versionColumns = (
    change: Change,
    changeType: "deleted" | "restored" | "updated",
    nextTaskDue = sql`prospects.next_task_due`
  ) => sql`
    ${nextVersionColumns(sql, "prospects", change, changeType)},
    overdue_when_written = coalesce(${nextTaskDue} < (${change.at}::timestamptz at time zone 'UTC')::date, false)`

  // Those of a project.

  const isDeletedWithProject = (teamId: string, projectUuid: string) => sql`
    prospects.team_id = ${averageTeamId(sql, teamId)} and prospects.project_id = ${projectUuid} and prospects.deleted_with_project`

  const isLivingOn = (teamId: string, projectUuid: string) => sql`
    prospects.team_id = ${teamId} and prospects.project_id = ${projectUuid} and prospects.deleted_at is null`

  /** The number of living prospects on a project. */
  const countOn = Effect.fn("ProspectSetsRepo.countOn")(function* (teamId: string, projectUuid: string) {
    const [row] = yield* orDie(sql<{ readonly count: number }>`
      select count(*)::int as count from prospects where ${isLivingOn(teamId, projectUuid)}`)
    return row?.count ?? 0
  })

  /** Deletes at most `limit` prospects of a project with their tasks; returns them with the references that they had. */
  const deleteSome = Effect.fn("ProspectSetsRepo.deleteSome")(function* (
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
    const deleted = yield* orDie(sql<SubjectRow & { readonly refs: ReadonlyArray<ExternalRef> }>`
      update prospects set ${versionColumns(change, "deleted")}, deleted_at = ${change.at}, deleted_with_project = true,
        deleted_refs = coalesce((
          select json_agg(json_build_object('namespace', namespace, 'externalId', external_id) order by position)::jsonb
          from external_references where resource_id = prospects.id and external_references.team_id = prospects.team_id
        ), '[]')
      where id = any(${taken}::uuid[]) and ${isLivingOn(teamId, projectUuid)}
      returning ${subjectColumns}, deleted_refs as refs`)
    yield* orDie(sql`
      delete from external_references
      where team_id = ${teamId} and resource_type = 'prospect' and resource_id = any(${taken}::uuid[])`)
    yield* orDie(sql`
      update tasks set ${nextVersionColumns(sql, "tasks", change, "deleted")}, deleted_at = ${change.at}
      where team_id = ${teamId} and project_id = ${projectUuid} and prospect_id = any(${taken}::uuid[])
        and deleted_at is null`)
    return { taken: deleted.map((row) => ({ ...toSubject(row), refs: row.refs })), left }
  })

  /** Locks the prospects that were deleted with a project. */
  const lockDeletedWithProject = Effect.fn("ProspectSetsRepo.lockDeletedWithProject")(function* (
    teamId: string,
    projectUuid: string
  ) {
    yield* orDie(
      sql`select id from prospects where ${isDeletedWithProject(teamId, projectUuid)} order by id for update`
    )
  })

  /** Gives the prospects that were deleted with a project their references back; returns those that others hold now. */
  const restoreRefs = Effect.fn("ProspectSetsRepo.restoreRefs")(function* (teamId: string, projectUuid: string) {
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
  const restoreAll = Effect.fn("ProspectSetsRepo.restoreAll")(function* (change: Change, projectUuid: string) {
    const { teamId } = change.actor
    const rows = yield* orDie(sql<SubjectRow & { readonly is_removed: boolean }>`
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
          removed_at = case when is_orphan and is_open and prospects.erased_at is null then coalesce(prospects.removed_at, ${change.at}) else prospects.removed_at end,
          name = case when is_orphan then prospects.name else found.name end,
          email = case when is_orphan then prospects.email else found.email end,
          domain = case when is_orphan then prospects.domain else found.domain end,
          country = case when is_orphan then prospects.country else found.country end,
          tags = case when is_orphan then prospects.tags else found.tags end
        from found where prospects.id = found.id and prospects.team_id = ${averageTeamId(sql, teamId)}
        returning ${subjectColumns}, is_orphan and is_open and former is null and prospects.erased_at is null as is_removed
      )
      select * from restored order by id`)
    yield* orDie(sql`
      update tasks set ${nextVersionColumns(sql, "tasks", change, "restored")}, deleted_at = null
      from prospects
      where tasks.team_id = ${teamId} and tasks.project_id = ${projectUuid} and tasks.deleted_at is not null
        and prospects.id = tasks.prospect_id and prospects.team_id = ${teamId} and prospects.deleted_at is null`)
    return rows.map((row) => ({ ...toSubject(row), isRemoved: row.is_removed }))
  })

  /** Removes prospects from the list of an open project whose contact or company was deleted; returns them. */
  const removeOrphans = Effect.fn("ProspectSetsRepo.removeOrphans")(function* (change: Change, projectUuid: string) {
    const { teamId } = change.actor
    // The subquery is an array, so that its few rows are found first: as a join, the planner may scan the whole table.
    const rows = yield* orDie(sql<SubjectRow>`
      update prospects set ${versionColumns(change, "updated")}, removed_at = ${change.at}
      where team_id = ${teamId} and deleted_at is null and removed_at is null and id = any(array(
        select id from prospects
        where team_id = ${teamId} and project_id = ${projectUuid}
          and deleted_at is null and removed_at is null and erased_at is null
          and exists (
            select from projects where projects.team_id = ${teamId} and projects.id = project_id and projects.closed_at is null
          ) and not exists (
            select from contacts
            where contacts.team_id = ${averageTeamId(sql, teamId)} and contacts.id = contact_id and contacts.deleted_at is null
          ) and not exists (
            select from companies
            where companies.team_id = ${averageTeamId(sql, teamId)} and companies.id = company_id and companies.deleted_at is null
          )
        order by id for update
      ))
      returning ${subjectColumns}`)
    return rows.map(toSubject)
  })

  /** Locks prospects of these projects, in any state, at most `limit`; returns their UUIDs. */
  const lockForPurge = Effect.fn("ProspectSetsRepo.lockForPurge")(function* (
    { teamId, uuids: projectUuids }: OfTeam,
    limit: number
  ) {
    const rows = yield* orDie(sql<{ readonly id: string }>`
      select id from prospects
      where team_id = ${teamId} and project_id = any(${projectUuids}::uuid[]) order by id limit ${limit} for update`)
    const locked: OfTeam = { teamId, uuids: rows.map(({ id }) => id) }
    return locked
  })

  // Those of contacts and companies.

  /** The condition that a prospect is one of these investors. */
  const isOf = (investors: InvestorUuids) =>
    "contacts" in investors
      ? sql`prospects.contact_id = any(${investors.contacts}::uuid[])`
      : sql`prospects.company_id = any(${investors.companies}::uuid[])`

  /** The select of these investors, with the columns that prospects copy. */
  const selectInvestors = (teamId: string, investors: InvestorUuids) =>
    "contacts" in investors
      ? sql`
          select id, contact_name(first_name, last_name, email) as name, email, null::text as domain, null::text as country, tags
          from contacts where team_id = ${teamId} and id = any(${investors.contacts}::uuid[]) and deleted_at is null`
      : sql`
          select id, name, null::text as email, domain, country, tags
          from companies where team_id = ${teamId} and id = any(${investors.companies}::uuid[]) and deleted_at is null`

  /** The assignments that copy an investor to its prospect. */
  const copiedColumns = sql`
      name = investors.name, email = investors.email, domain = investors.domain, country = investors.country,
      tags = investors.tags`

  const isOnList = sql`prospects.deleted_at is null and prospects.removed_at is null`

  /** Locks the projects that have prospects of these investors, so that nobody writes them until the transaction ends. */
  const lockProjectsForShare = Effect.fn("ProspectSetsRepo.lockProjectsForShare")(function* (
    teamId: string,
    investors: InvestorUuids
  ) {
    yield* orDie(sql`
      select id from projects
      where team_id = ${averageTeamId(sql, teamId)} and id = any(array(
        select project_id from prospects
        where team_id = ${averageTeamId(sql, teamId)} and ${isOf(investors)}
          and (deleted_with_project or deleted_at is null)
      ))
      order by id for share`)
  })

  /** Locks the projects so that nobody writes them until the transaction ends. */
  const lockProjects = Effect.fn("ProspectSetsRepo.lockProjects")(function* (
    teamId: string,
    projectUuids: ReadonlyArray<string>
  ) {
    yield* orDie(sql`
      select id from projects where team_id = ${teamId} and id = any(${projectUuids}::uuid[]) order by id for share`)
  })

  /** Removes at most `limit` prospects of these investors from the lists of projects that are neither closed nor deleted; returns them. */
  const removeFromLists = Effect.fn("ProspectSetsRepo.removeFromLists")(function* (
    change: Change,
    investors: InvestorUuids,
    limit: number
  ) {
    const rows = yield* orDie(sql<SubjectRow>`
      update prospects set ${versionColumns(change, "updated")}, removed_at = ${change.at}
      where ${isOnList} and team_id = ${change.actor.teamId} and id = any(array(
        select prospects.id from prospects
        join projects on projects.id = prospects.project_id and projects.team_id = prospects.team_id
        where prospects.team_id = ${change.actor.teamId} and ${isOf(investors)} and ${isOnList}
          and projects.closed_at is null and projects.deleted_at is null and prospects.erased_at is null
        order by prospects.id limit ${limit} for update of prospects
      ))
      returning ${subjectColumns}`)
    return rows.map(toSubject)
  })

  /**
   * Puts prospects back on the lists of projects that are neither closed nor deleted which are still removed as of these times; returns
   * them, and why the others are not back. A prospect that is on its list already is neither.
   */
  const returnToLists = Effect.fn("ProspectSetsRepo.returnToLists")(function* (
    change: Change,
    removed: ReadonlyArray<{ readonly uuid: string; readonly changedAt: Date }>
  ) {
    const { teamId } = change.actor
    const rows = sql`
      jsonb_to_recordset(${sql.json(removed.map(({ changedAt, uuid }) => ({ id: uuid, at: changedAt.toISOString() })))})
        as removed (id uuid, at timestamptz)`
    const back = yield* orDie(sql<SubjectRow>`
      update prospects set ${versionColumns(change, "restored")}, removed_at = null
      where prospects.team_id = ${teamId} and prospects.deleted_at is null and prospects.id = any(array(
        select prospects.id from ${rows}
        join prospects on prospects.id = removed.id and prospects.team_id = ${teamId}
        join projects on projects.id = prospects.project_id and projects.team_id = prospects.team_id
        where prospects.deleted_at is null and prospects.removed_at = removed.at
          and projects.closed_at is null and projects.deleted_at is null
        order by prospects.id for update of prospects
      ))
      returning ${subjectColumns}`)
    const returned = new Set(back.map(({ id }) => id))
    const others = removed.flatMap(({ uuid }) => (returned.has(uuid) ? [] : [uuid]))
    const states =
      others.length === 0
        ? []
        : yield* orDie(sql<{ readonly id: string; readonly is_on_list: boolean; readonly is_closed: boolean }>`
            select prospects.id, prospects.removed_at is null as is_on_list, projects.closed_at is not null as is_closed
            from prospects
            join projects on projects.id = prospects.project_id and projects.team_id = prospects.team_id
            where prospects.team_id = ${teamId} and prospects.id = any(${others}::uuid[])
              and prospects.deleted_at is null`)
    const stateOf = new Map(states.map((row) => [row.id, row]))
    const gone = others.flatMap((uuid) => {
      const state = stateOf.get(uuid)
      if (state?.is_on_list === true) return []
      const code = state === undefined ? "not_found" : state.is_closed ? "project_closed" : "changed"
      return [{ uuid, code } as const]
    })
    return { back: back.map(toSubject), gone }
  })

  const isInvestor = (investors: InvestorUuids) =>
    "contacts" in investors ? sql`investors.id = prospects.contact_id` : sql`investors.id = prospects.company_id`

  /** Copies these investors to their living prospects, where something differs; returns the UUIDs of these prospects. */
  const updateCopies = Effect.fn("ProspectSetsRepo.updateCopies")(function* (change: Change, investors: InvestorUuids) {
    const { teamId } = change.actor
    const rows = yield* orDie(sql<{ readonly id: string }>`
      with investors as materialized (${selectInvestors(teamId, investors)})
      update prospects set ${versionColumns(change, "updated")}, ${copiedColumns}
      from investors
      where ${isInvestor(investors)} and prospects.team_id = ${averageTeamId(sql, teamId)} and prospects.deleted_at is null
        and prospects.id = any(array(
        select prospects.id from prospects join investors on ${isInvestor(investors)}
        where prospects.team_id = ${averageTeamId(sql, teamId)} and ${isOf(investors)} and prospects.deleted_at is null
          and (prospects.name, prospects.email, prospects.domain, prospects.country, prospects.tags)
            is distinct from (investors.name, investors.email, investors.domain, investors.country, investors.tags)
        order by prospects.id for update of prospects
      ))
      returning prospects.id`)
    return rows.map(({ id }) => id).toSorted()
  })

  // Those of contacts and companies that are merged.

  const isRestorable = sql`(prospects.deleted_at is null or prospects.deleted_with_project)`

  /** Projects (UUIDs) on which these investors have prospects that live or can be restored, at most `limit`. */
  const findProjects = Effect.fn("ProspectSetsRepo.findProjects")(function* (
    teamId: string,
    investors: InvestorUuids,
    limit: number
  ) {
    const rows = yield* orDie(sql<{ readonly project_id: string }>`
      select distinct project_id from prospects where team_id = ${averageTeamId(sql, teamId)} and ${isOf(investors)} and ${isRestorable}
      order by project_id limit ${limit + 1}`)
    return chunkOf(
      rows.map((row) => row.project_id),
      limit
    )
  })

  /** A project (UUID) on which one prospect of these investors would have more references than a prospect may have. */
  const findOverfull = Effect.fn("ProspectSetsRepo.findOverfull")(function* (teamId: string, investors: InvestorUuids) {
    const [row] = yield* orDie(sql<{ readonly project_id: string }>`
      select project_id from prospects
      join external_references held
        on held.resource_id = prospects.id and held.team_id = prospects.team_id and held.resource_type = 'prospect'
      where prospects.team_id = ${teamId} and ${isOf(investors)} and ${isRestorable}
      group by project_id having count(*) > ${maxRefs} limit 1`)
    return row?.project_id
  })

  /** Locks the prospects of these investors on these projects that live or can be restored with them; returns their UUIDs. */
  const lockRestorable = Effect.fn("ProspectSetsRepo.lockRestorable")(function* (
    teamId: string,
    investors: InvestorUuids,
    projectUuids: ReadonlyArray<string>
  ) {
    const ids = sql`
      select id from prospects
      where team_id = ${teamId} and ${isOf(investors)} and project_id = any(${projectUuids}::uuid[])
        and ${isRestorable} order by id`
    yield* orDie(sql`${ids} for update`)
    // Selected again, because some may have been deleted while the lock waited.
    return (yield* orDie(sql<{ readonly id: string }>`${ids}`)).map(({ id }) => id)
  })

  /** When these tasks were created. */
  const taskTimes = Effect.fn("ProspectSetsRepo.taskTimes")(function* (teamId: string, uuids: ReadonlyArray<string>) {
    if (uuids.length === 0) return []
    return yield* orDie(sql<{ readonly id: string; readonly created_at: Date }>`
      select id, created_at from tasks where team_id = ${teamId} and id = any(${uuids}::uuid[])`)
  })

  /** Keeps the restore of a project from bringing these prospects back, which were deleted with it. */
  const excludeFromRestore = Effect.fn("ProspectSetsRepo.excludeFromRestore")(function* (
    teamId: string,
    uuids: ReadonlyArray<string>
  ) {
    if (uuids.length === 0) return
    yield* orDie(sql`
      update prospects set deleted_with_project = false where team_id = ${teamId} and id = any(${uuids}::uuid[])`)
  })

  /** Writes the merged states of prospects, which now belong to the investor `to`, with copies of its members. */
  const writeMerged = Effect.fn("ProspectSetsRepo.writeMerged")(function* (
    change: Change,
    { to, type }: Pick<Reassignment, "to" | "type">,
    merged: ReadonlyArray<{ readonly uuid: string; readonly state: ProspectState }>
  ) {
    if (merged.length === 0) return
    const { teamId } = change.actor
    const rows = merged.map(({ state, uuid }) => ({
      id: uuid,
      project_tags: state.projectTags,
      project_tag_keys: tagKeys(state.projectTags),
      stage: state.stage,
      milestone_stage: state.milestoneStage,
      teaser_communicated_at: state.teaserCommunicatedUtc,
      room_access_at: state.roomAccessUtc,
      access_expires_at: state.accessExpiryUtc,
      accepted: state.accepted,
      chat: state.chat,
      invitation: state.invitation,
      note_count: state.noteCount,
      open_task_count: state.openTaskCount,
      next_task: state.nextTask,
      next_task_due: state.nextTask?.due ?? null,
      refs: state.externalRefs
    }))
    yield* orDie(sql`
      with investors as (${selectInvestors(teamId, type === "contact" ? { contacts: [to] } : { companies: [to] })})
      update prospects set ${versionColumns(change, "updated", sql`merged.next_task_due`)}, ${copiedColumns},
        ${sql.literal(type === "contact" ? "contact_id" : "company_id")} = ${to},
        project_tags = merged.project_tags, project_tag_keys = merged.project_tag_keys, stage = merged.stage,
        milestone_stage = merged.milestone_stage, teaser_communicated_at = merged.teaser_communicated_at,
        room_access_at = merged.room_access_at, access_expires_at = merged.access_expires_at,
        accepted = merged.accepted, chat = merged.chat, invitation = merged.invitation,
        note_count = merged.note_count, open_task_count = merged.open_task_count, next_task = merged.next_task,
        next_task_due = merged.next_task_due,
        deleted_refs = case when prospects.deleted_at is null then null else merged.refs end
      from investors, jsonb_to_recordset(${sql.json(rows)}) as merged (
        id uuid, project_tags text[], project_tag_keys text[], stage text, milestone_stage text,
        teaser_communicated_at timestamptz, room_access_at timestamptz, access_expires_at timestamptz,
        accepted boolean, chat boolean, invitation boolean, note_count integer, open_task_count integer,
        next_task jsonb, next_task_due date, refs jsonb
      )
      where prospects.id = merged.id and prospects.team_id = ${teamId}`)
  })

  /** Moves the tasks of prospects to others. */
  const moveTasks = Effect.fn("ProspectSetsRepo.moveTasks")(function* (
    change: Change,
    moves: ReadonlyArray<TimelineMove>
  ) {
    if (moves.length === 0) return
    yield* orDie(sql`
      update tasks set prospect_id = target, ${nextVersionColumns(sql, "tasks", change, "updated")}
      from unnest(${moves.map(({ from }) => from)}::uuid[], ${moves.map(({ to }) => to)}::uuid[])
        as moves (source, target)
      where team_id = ${change.actor.teamId} and prospect_id = source`)
  })

  /** Makes prospects the holders of these references, in this order, whichever prospect holds them now. */
  const moveRefs = Effect.fn("ProspectSetsRepo.moveRefs")(function* (
    teamId: string,
    holders: ReadonlyArray<{ readonly uuid: string; readonly refs: ReadonlyArray<ExternalRef> }>
  ) {
    const rows = holders.flatMap(({ refs, uuid }) => refs.map((ref, position) => ({ ...ref, uuid, position })))
    if (rows.length === 0) return
    yield* orDie(sql`
      update external_references set resource_id = moved.uuid, position = moved.position
      from jsonb_to_recordset(${sql.json(rows)})
        as moved ("namespace" text, "externalId" text, "uuid" uuid, "position" smallint)
      where team_id = ${teamId} and resource_type = 'prospect'
        and external_references.namespace = moved.namespace and external_id = moved."externalId"`)
  })

  return {
    countOn,
    deleteSome,
    lockDeletedWithProject,
    restoreRefs,
    restoreAll,
    removeOrphans,
    lockForPurge,
    lockProjectsForShare,
    lockProjects,
    removeFromLists,
    returnToLists,
    updateCopies,
    findProjects,
    findOverfull,
    lockRestorable,
    taskTimes,
    excludeFromRestore,
    writeMerged,
    moveTasks,
    moveRefs
  }
})

/** Writes sets of prospects, for the lifecycles of projects and investors. */
export class ProspectSetsRepo extends Context.Service<ProspectSetsRepo, Effect.Success<typeof make>>()(
  "deals/prospects/ProspectSetsRepo"
) {
  static readonly layer = Layer.effect(ProspectSetsRepo, make)
}
