/** The SQL of the cascades of contacts and companies: sets of prospects, written in the order of their ids. */
import { Context, Effect, Layer } from "effect"
import type { Change } from "../../changes/Changes.ts"
import type { Move } from "../../changes/Timelines.ts"
import { Database } from "../../db/Database.ts"
import { orDie } from "../../db/DatabaseUnavailable.ts"
import type { ExternalRef } from "../../externalRefs/ExternalRef.ts"
import { nextVersionColumns } from "../../records/TableWrites.ts"
import type { InvestorUuids, ProspectRef, ProspectState } from "../ProspectState.ts"
import { tagKeys } from "../rules.ts"
import type { Reassignment } from "./mergePlan.ts"

// The rows to write are selected as an array first: as a join, the planner may scan the whole table for each of them.
const make = Effect.gen(function* () {
  const sql = yield* Database

  const isOf = (investors: InvestorUuids) =>
    "contacts" in investors
      ? sql`prospects.contact_id = any(${investors.contacts}::uuid[])`
      : sql`prospects.company_id = any(${investors.companies}::uuid[])`

  /** The assignments that every write of a prospect makes; `nextTaskDue` is the due date of its next task afterwards. */
  const versionColumns = (change: Change, nextTaskDue = sql`prospects.next_task_due`) => sql`
    ${nextVersionColumns(sql, "prospects", change, "updated")},
    overdue_when_written = coalesce(${nextTaskDue} < (${change.at}::timestamptz at time zone 'UTC')::date, false)`

  const isOnList = sql`prospects.deleted_at is null and prospects.removed_at is null`

  /** Locks the projects that have prospects of these investors, so that nobody writes them until the transaction ends. */
  const lockProjectsForShare = Effect.fn("InvestorCascadesRepo.lockProjectsForShare")(function* (
    teamId: string,
    investors: InvestorUuids
  ) {
    yield* orDie(sql`
      select id from projects
      where team_id = ${teamId} and id = any(array(
        select project_id from prospects
        where team_id = ${teamId} and ${isOf(investors)}
          and (deleted_with_project or deleted_at is null)
      ))
      order by id for share`)
  })

  /** Removes these investors from the lists of projects that are neither closed nor deleted; returns the prospects. */
  const removeFromLists = Effect.fn("InvestorCascadesRepo.removeFromLists")(function* (
    change: Change,
    investors: InvestorUuids
  ) {
    const rows = yield* orDie(sql<{ readonly id: string; readonly project_id: string }>`
      update prospects set ${versionColumns(change)}, removed_at = ${change.at}
      where ${isOnList} and id = any(array(
        select prospects.id from prospects join projects on projects.id = prospects.project_id
        where prospects.team_id = ${change.actor.teamId} and ${isOf(investors)} and ${isOnList}
          and projects.closed_at is null and projects.deleted_at is null
        order by prospects.id for update of prospects
      ))
      returning id, project_id`)
    return rows.map(({ id, project_id: projectUuid }): ProspectRef => ({ uuid: id, projectUuid }))
  })

  const selectInvestors = (teamId: string, investors: InvestorUuids) =>
    "contacts" in investors
      ? sql`
        select id, contact_name(first_name, last_name, email) as name, email, null::text as domain, null::text as country, tags
        from contacts where team_id = ${teamId} and id = any(${investors.contacts}::uuid[]) and deleted_at is null`
      : sql`
        select id, name, null::text as email, domain, country, tags
        from companies where team_id = ${teamId} and id = any(${investors.companies}::uuid[]) and deleted_at is null`

  const isInvestor = (investors: InvestorUuids) =>
    "contacts" in investors ? sql`investors.id = prospects.contact_id` : sql`investors.id = prospects.company_id`

  const copiedColumns = sql`
    name = investors.name, email = investors.email, domain = investors.domain, country = investors.country,
    tags = investors.tags`

  /** Copies these investors to their living prospects, where something differs; returns the UUIDs of these prospects. */
  const updateCopies = Effect.fn("InvestorCascadesRepo.updateCopies")(function* (
    change: Change,
    investors: InvestorUuids
  ) {
    const { teamId } = change.actor
    const rows = yield* orDie(sql<{ readonly id: string }>`
      with investors as materialized (${selectInvestors(teamId, investors)})
      update prospects set ${versionColumns(change)}, ${copiedColumns}
      from investors
      where ${isInvestor(investors)} and prospects.deleted_at is null and prospects.id = any(array(
        select prospects.id from prospects join investors on ${isInvestor(investors)}
        where prospects.team_id = ${teamId} and ${isOf(investors)} and prospects.deleted_at is null
          and (prospects.name, prospects.email, prospects.domain, prospects.country, prospects.tags)
            is distinct from (investors.name, investors.email, investors.domain, investors.country, investors.tags)
        order by prospects.id for update of prospects
      ))
      returning prospects.id`)
    return rows.map(({ id }) => id).toSorted()
  })

  /** Locks the prospects of these investors that live or can be restored with their project; returns their UUIDs. */
  const lockRestorable = Effect.fn("InvestorCascadesRepo.lockRestorable")(function* (
    teamId: string,
    investors: InvestorUuids
  ) {
    const ids = sql`
      select id from prospects
      where team_id = ${teamId} and ${isOf(investors)} and (deleted_at is null or deleted_with_project) order by id`
    yield* orDie(sql`${ids} for update`)
    // Selected again, because some may have been deleted while the lock waited.
    return (yield* orDie(sql<{ readonly id: string }>`${ids}`)).map(({ id }) => id)
  })

  /** When these tasks were created. */
  const taskTimes = Effect.fn("InvestorCascadesRepo.taskTimes")(function* (
    teamId: string,
    uuids: ReadonlyArray<string>
  ) {
    if (uuids.length === 0) return []
    return yield* orDie(sql<{ readonly id: string; readonly created_at: Date }>`
      select id, created_at from tasks where team_id = ${teamId} and id = any(${uuids}::uuid[])`)
  })

  /** Keeps the restore of a project from bringing these prospects back, which were deleted with it. */
  const excludeFromRestore = Effect.fn("InvestorCascadesRepo.excludeFromRestore")(function* (
    teamId: string,
    uuids: ReadonlyArray<string>
  ) {
    if (uuids.length === 0) return
    yield* orDie(sql`
      update prospects set deleted_with_project = false where team_id = ${teamId} and id = any(${uuids}::uuid[])`)
  })

  /** Writes the merged states of prospects, which now belong to the investor `to`, with copies of its members. */
  const writeMerged = Effect.fn("InvestorCascadesRepo.writeMerged")(function* (
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
      update prospects set ${versionColumns(change, sql`merged.next_task_due`)}, ${copiedColumns},
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
      where prospects.id = merged.id`)
  })

  /** Moves the tasks of prospects to others. */
  const moveTasks = Effect.fn("InvestorCascadesRepo.moveTasks")(function* (change: Change, moves: ReadonlyArray<Move>) {
    if (moves.length === 0) return
    yield* orDie(sql`
      update tasks set prospect_id = target, version = version + 1, updated_at = ${change.at}, change_type = 'updated',
        change_origin = ${change.actor.origin}
      from unnest(${moves.map(({ from }) => from)}::uuid[], ${moves.map(({ to }) => to)}::uuid[])
        as moves (source, target)
      where team_id = ${change.actor.teamId} and prospect_id = source`)
  })

  /** Makes prospects the holders of these references, in this order, whichever prospect holds them now. */
  const moveRefs = Effect.fn("InvestorCascadesRepo.moveRefs")(function* (
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
    lockProjectsForShare,
    removeFromLists,
    updateCopies,
    lockRestorable,
    taskTimes,
    excludeFromRestore,
    writeMerged,
    moveTasks,
    moveRefs
  }
})

/** The prospects of contacts and companies that change, are deleted or merged. */
export class InvestorCascadesRepo extends Context.Service<InvestorCascadesRepo, Effect.Success<typeof make>>()(
  "prospects/cascades/InvestorCascadesRepo"
) {
  static readonly layer = Layer.effect(InvestorCascadesRepo, make)
}
