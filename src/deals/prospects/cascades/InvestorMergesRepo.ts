/** The SQL that moves the prospects of merged contacts and companies: sets of prospects, written in the order of their ids. */
import { Context, Effect, Layer } from "effect"
import type { Change } from "../../../core/mutation/Changes.ts"
import type { TimelineMove } from "../../../core/mutation/Timelines.ts"
import { chunkOf } from "../../../platform/db/Chunk.ts"
import { Database } from "../../../platform/db/Database.ts"
import { orDie } from "../../../platform/db/DatabaseUnavailable.ts"
import { type ExternalRef, maxRefs } from "../../../core/externalRefs/ExternalRef.ts"
import type { InvestorUuids, ProspectState } from "../ProspectState.ts"
import { nextVersionColumns } from "../../../core/records/TableWrites.ts"
import { tagKeys } from "../rules.ts"
import { copiedColumns, isOf, selectInvestors, versionColumns } from "./InvestorCascadesRepo.ts"
import type { Reassignment } from "./mergePlan.ts"

const make = Effect.gen(function* () {
  const sql = yield* Database

  const isRestorable = sql`(prospects.deleted_at is null or prospects.deleted_with_project)`

  /** Projects (UUIDs) on which these investors have prospects that live or can be restored, at most `limit`. */
  const findProjects = Effect.fn("InvestorMergesRepo.findProjects")(function* (
    teamId: string,
    investors: InvestorUuids,
    limit: number
  ) {
    const rows = yield* orDie(sql<{ readonly project_id: string }>`
      select distinct project_id from prospects where team_id = ${teamId} and ${isOf(sql, investors)} and ${isRestorable}
      order by project_id limit ${limit + 1}`)
    return chunkOf(
      rows.map((row) => row.project_id),
      limit
    )
  })

  /** A project (UUID) on which one prospect of these investors would have more references than a prospect may have. */
  const findOverfull = Effect.fn("InvestorMergesRepo.findOverfull")(function* (
    teamId: string,
    investors: InvestorUuids
  ) {
    const [row] = yield* orDie(sql<{ readonly project_id: string }>`
      select project_id from prospects
      join external_references held
        on held.resource_id = prospects.id and held.team_id = prospects.team_id and held.resource_type = 'prospect'
      where prospects.team_id = ${teamId} and ${isOf(sql, investors)} and ${isRestorable}
      group by project_id having count(*) > ${maxRefs} limit 1`)
    return row?.project_id
  })

  /** Locks the prospects of these investors on these projects that live or can be restored with them; returns their UUIDs. */
  const lockRestorable = Effect.fn("InvestorMergesRepo.lockRestorable")(function* (
    teamId: string,
    investors: InvestorUuids,
    projectUuids: ReadonlyArray<string>
  ) {
    const ids = sql`
      select id from prospects
      where team_id = ${teamId} and ${isOf(sql, investors)} and project_id = any(${projectUuids}::uuid[])
        and ${isRestorable} order by id`
    yield* orDie(sql`${ids} for update`)
    // Selected again, because some may have been deleted while the lock waited.
    return (yield* orDie(sql<{ readonly id: string }>`${ids}`)).map(({ id }) => id)
  })

  /** When these tasks were created. */
  const taskTimes = Effect.fn("InvestorMergesRepo.taskTimes")(function* (teamId: string, uuids: ReadonlyArray<string>) {
    if (uuids.length === 0) return []
    return yield* orDie(sql<{ readonly id: string; readonly created_at: Date }>`
      select id, created_at from tasks where team_id = ${teamId} and id = any(${uuids}::uuid[])`)
  })

  /** Keeps the restore of a project from bringing these prospects back, which were deleted with it. */
  const excludeFromRestore = Effect.fn("InvestorMergesRepo.excludeFromRestore")(function* (
    teamId: string,
    uuids: ReadonlyArray<string>
  ) {
    if (uuids.length === 0) return
    yield* orDie(sql`
      update prospects set deleted_with_project = false where team_id = ${teamId} and id = any(${uuids}::uuid[])`)
  })

  /** Writes the merged states of prospects, which now belong to the investor `to`, with copies of its members. */
  const writeMerged = Effect.fn("InvestorMergesRepo.writeMerged")(function* (
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
      with investors as (${selectInvestors(sql, teamId, type === "contact" ? { contacts: [to] } : { companies: [to] })})
      update prospects set ${versionColumns(sql, change, sql`merged.next_task_due`)}, ${copiedColumns(sql)},
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
  const moveTasks = Effect.fn("InvestorMergesRepo.moveTasks")(function* (
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
  const moveRefs = Effect.fn("InvestorMergesRepo.moveRefs")(function* (
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

  return { findProjects, findOverfull, lockRestorable, taskTimes, excludeFromRestore, writeMerged, moveTasks, moveRefs }
})

/** The prospects of contacts and companies that are merged. */
export class InvestorMergesRepo extends Context.Service<InvestorMergesRepo, Effect.Success<typeof make>>()(
  "deals/prospects/cascades/InvestorMergesRepo"
) {
  static readonly layer = Layer.effect(InvestorMergesRepo, make)
}
