/** The SQL of what befalls prospects when their investor or their project changes: by the set, in the order of their ids. */
import { Context, Effect, Layer } from "effect"
import type { Change } from "../changes/Changes.ts"
import type { Move } from "../changes/Timelines.ts"
import { Database } from "../db/Database.ts"
import { orDie } from "../db/DatabaseUnavailable.ts"
import type { ExternalRef } from "../externalRefs/ExternalRef.ts"
import type { Reassignment, Investors, ProspectRef } from "./Cascade.ts"
import type { ProspectState } from "./ProspectState.ts"
import { keysOfTags } from "./rules.ts"

interface OnProjectRow {
  readonly id: string
  readonly project_id: string
}

const toOnProject = ({ id, project_id: projectUuid }: OnProjectRow): ProspectRef => ({ uuid: id, projectUuid })

// What is written is looked up first, as an array: joined with the table, a plan that takes many for few would go through
// all of them for each.
const make = Effect.gen(function* () {
  const sql = yield* Database

  const isOf = (of: Investors) =>
    "contacts" in of
      ? sql`prospects.contact_id = any(${of.contacts}::uuid[])`
      : sql`prospects.company_id = any(${of.companies}::uuid[])`

  /** What every write of a prospect sets; `due` is when its next task is due then. */
  const written = (
    change: Change,
    changeType: "deleted" | "restored" | "updated",
    due = sql`prospects.next_task_due`
  ) => sql`
    version = prospects.version + 1, transaction_id = pg_current_xact_id(), updated_at = ${change.at},
    change_type = ${changeType}, change_origin = ${change.actor.origin},
    overdue_seen = coalesce(${due} < (${change.at}::timestamptz at time zone 'UTC')::date, false)`

  const moving = (moves: ReadonlyArray<Move>) => sql`
    unnest(${moves.map(({ from }) => from)}::uuid[], ${moves.map(({ to }) => to)}::uuid[]) as moving (origin, goal)`

  const onList = sql`prospects.deleted_at is null and prospects.removed_at is null`

  /** Deletes the prospects of a project; answers them with the references that they had. */
  const deleteOf = Effect.fn("CascadesRepo.deleteOf")(function* (change: Change, projectUuid: string) {
    const { teamId } = change.actor
    const living = sql`prospects.team_id = ${teamId} and prospects.project_id = ${projectUuid}
      and prospects.deleted_at is null`
    yield* orDie(sql`select id from prospects where ${living} order by id for update`)
    const deleted = yield* orDie(sql<{ readonly id: string; readonly refs: ReadonlyArray<ExternalRef> }>`
      update prospects set ${written(change, "deleted")}, deleted_at = ${change.at}, deleted_with_project = true,
        deleted_refs = coalesce((
          select json_agg(json_build_object('namespace', namespace, 'externalId', external_id) order by position)::jsonb
          from external_references where resource_id = prospects.id
        ), '[]')
      where ${living}
      returning id, deleted_refs as refs`)
    yield* orDie(sql`
      delete from external_references using prospects
      where external_references.resource_id = prospects.id and resource_type = 'prospect'
        and external_references.team_id = ${teamId} and prospects.project_id = ${projectUuid}`)
    return deleted.map(({ id, refs }) => ({ uuid: id, refs }))
  })

  const deletedWith = (teamId: string, projectUuid: string) => sql`
    prospects.team_id = ${teamId} and prospects.project_id = ${projectUuid} and prospects.deleted_with_project`

  /** Keeps others from writing the prospects that went with a project until the transaction ends. */
  const lockDeletedWith = Effect.fn("CascadesRepo.lockDeletedWith")(function* (teamId: string, projectUuid: string) {
    yield* orDie(sql`select id from prospects where ${deletedWith(teamId, projectUuid)} order by id for update`)
  })

  /** Gives the prospects that went with a project their references back; answers those that are not to be had. */
  const putRefsBack = Effect.fn("CascadesRepo.putRefsBack")(function* (teamId: string, projectUuid: string) {
    // Waits for a writer of the same reference to end, and then sees what it wrote.
    return yield* orDie(sql<ExternalRef>`
      with wanted as (
        select prospects.id, ref ->> 'namespace' as namespace, ref ->> 'externalId' as external_id, place - 1 as position
        from prospects, jsonb_array_elements(prospects.deleted_refs) with ordinality as refs (ref, place)
        where ${deletedWith(teamId, projectUuid)}
      ), missing as (
        select * from wanted where not exists (
          select from external_references where resource_id = wanted.id and resource_type = 'prospect'
            and namespace = wanted.namespace and external_id = wanted.external_id
        )
      ), given as (
        insert into external_references (team_id, resource_type, namespace, external_id, resource_id, position)
        select ${teamId}::uuid, 'prospect', namespace, external_id, id, position
        from missing order by namespace, external_id
        on conflict (team_id, resource_type, namespace, external_id) do nothing
        returning namespace, external_id
      )
      select namespace, external_id as "externalId" from missing except select * from given
      order by namespace, "externalId"`)
  })

  /**
   * Brings back the prospects that went with a project, as their investors are now; answers them. Gone are those that were
   * on the list and are not, because their investor is no longer there.
   */
  const restoreOf = Effect.fn("CascadesRepo.restoreOf")(function* (change: Change, projectUuid: string) {
    const { teamId } = change.actor
    const rows = yield* orDie(sql<OnProjectRow & { readonly is_gone: boolean }>`
      with found as (
        select prospects.id, prospects.removed_at as former,
          coalesce(contacts.id, companies.id) is null as is_orphan, projects.closed_at is null as is_open,
          coalesce(contact_name(contacts.first_name, contacts.last_name, contacts.email), companies.name) as name,
          contacts.email, companies.domain, companies.country, coalesce(contacts.tags, companies.tags) as tags
        from prospects
        join projects on projects.id = prospects.project_id
        left join contacts on contacts.id = prospects.contact_id and contacts.deleted_at is null
        left join companies on companies.id = prospects.company_id and companies.deleted_at is null
        where ${deletedWith(teamId, projectUuid)}
      ), restored as (
        update prospects set ${written(change, "restored")},
          deleted_at = null, deleted_refs = null, deleted_with_project = false,
          removed_at = case when is_orphan and is_open then coalesce(prospects.removed_at, ${change.at}) else prospects.removed_at end,
          name = case when is_orphan then prospects.name else found.name end,
          email = case when is_orphan then prospects.email else found.email end,
          domain = case when is_orphan then prospects.domain else found.domain end,
          country = case when is_orphan then prospects.country else found.country end,
          tags = case when is_orphan then prospects.tags else found.tags end
        from found where prospects.id = found.id
        returning prospects.id, project_id, is_orphan and is_open and former is null as is_gone
      )
      select id, project_id, is_gone from restored order by id`)
    return rows.map((row) => ({ ...toOnProject(row), isGone: row.is_gone }))
  })

  const removal = (change: Change) => sql`${written(change, "updated")}, removed_at = ${change.at}`

  /** Removes those from the list of a project whose investor is no longer there; answers them. */
  const removeOrphans = Effect.fn("CascadesRepo.removeOrphans")(function* (change: Change, projectUuid: string) {
    const rows = yield* orDie(sql<OnProjectRow>`
      update prospects set ${removal(change)}
      where ${onList} and id = any(array(
        select id from prospects
        where team_id = ${change.actor.teamId} and project_id = ${projectUuid} and ${onList}
          and not exists (select from contacts where contacts.id = contact_id and contacts.deleted_at is null)
          and not exists (select from companies where companies.id = company_id and companies.deleted_at is null)
        order by id for update
      ))
      returning id, project_id`)
    return rows.map(toOnProject)
  })

  /** Until the transaction ends, nobody writes the projects that have prospects of these investors. */
  const shareProjects = Effect.fn("CascadesRepo.shareProjects")(function* (teamId: string, of: Investors) {
    yield* orDie(sql`
      select id from projects
      where team_id = ${teamId} and id = any(array(
        select project_id from prospects
        where team_id = ${teamId} and ${isOf(of)}
          and (deleted_with_project or deleted_at is null)
      ))
      order by id for share`)
  })

  /** Removes these investors from the lists of projects that are neither closed nor deleted; answers what is removed. */
  const removeOf = Effect.fn("CascadesRepo.removeOf")(function* (change: Change, of: Investors) {
    const rows = yield* orDie(sql<OnProjectRow>`
      update prospects set ${removal(change)}
      where ${onList} and id = any(array(
        select prospects.id from prospects join projects on projects.id = prospects.project_id
        where prospects.team_id = ${change.actor.teamId} and ${isOf(of)} and ${onList}
          and projects.closed_at is null and projects.deleted_at is null
        order by prospects.id for update of prospects
      ))
      returning id, project_id`)
    return rows.map(toOnProject)
  })

  const investors = (teamId: string, of: Investors) =>
    "contacts" in of
      ? sql`
        select id, contact_name(first_name, last_name, email) as name, email, null::text as domain, null::text as country, tags
        from contacts where team_id = ${teamId} and id = any(${of.contacts}::uuid[]) and deleted_at is null`
      : sql`
        select id, name, null::text as email, domain, country, tags
        from companies where team_id = ${teamId} and id = any(${of.companies}::uuid[]) and deleted_at is null`

  const isInvestor = (of: Investors) =>
    "contacts" in of ? sql`investors.id = prospects.contact_id` : sql`investors.id = prospects.company_id`

  const copies = sql`
    name = investors.name, email = investors.email, domain = investors.domain, country = investors.country,
    tags = investors.tags`

  /** Copies what these investors are to their living prospects, where something differs; answers these (UUIDs). */
  const copy = Effect.fn("CascadesRepo.copy")(function* (change: Change, of: Investors) {
    const { teamId } = change.actor
    const rows = yield* orDie(sql<{ readonly id: string }>`
      with investors as materialized (${investors(teamId, of)})
      update prospects set ${written(change, "updated")}, ${copies}
      from investors
      where ${isInvestor(of)} and prospects.deleted_at is null and prospects.id = any(array(
        select prospects.id from prospects join investors on ${isInvestor(of)}
        where prospects.team_id = ${teamId} and ${isOf(of)} and prospects.deleted_at is null
          and (prospects.name, prospects.email, prospects.domain, prospects.country, prospects.tags)
            is distinct from (investors.name, investors.email, investors.domain, investors.country, investors.tags)
        order by prospects.id for update of prospects
      ))
      returning prospects.id`)
    return rows.map(({ id }) => id).toSorted()
  })

  /** Of the prospects of these investors, those that live or went with their project; nobody else can write them. */
  const lockOf = Effect.fn("CascadesRepo.lockOf")(function* (teamId: string, of: Investors) {
    const ids = sql`
      select id from prospects
      where team_id = ${teamId} and ${isOf(of)} and (deleted_at is null or deleted_with_project) order by id`
    yield* orDie(sql`${ids} for update`)
    // Some may have been deleted while this waited.
    return (yield* orDie(sql<{ readonly id: string }>`${ids}`)).map(({ id }) => id)
  })

  /** When these tasks were created. */
  const taskTimes = Effect.fn("CascadesRepo.taskTimes")(function* (teamId: string, uuids: ReadonlyArray<string>) {
    if (uuids.length === 0) return []
    return yield* orDie(sql<{ readonly id: string; readonly created_at: Date }>`
      select id, created_at from tasks where team_id = ${teamId} and id = any(${uuids}::uuid[])`)
  })

  /** Keeps a restore from bringing these back, which went with their project. */
  const forget = Effect.fn("CascadesRepo.forget")(function* (teamId: string, uuids: ReadonlyArray<string>) {
    if (uuids.length === 0) return
    yield* orDie(sql`
      update prospects set deleted_with_project = false where team_id = ${teamId} and id = any(${uuids}::uuid[])`)
  })

  /** Writes what prospects are that now belong to this investor, with copies of what that is. */
  const give = Effect.fn("CascadesRepo.give")(function* (
    change: Change,
    { to, type }: Pick<Reassignment, "to" | "type">,
    given: ReadonlyArray<{ readonly uuid: string; readonly state: ProspectState }>
  ) {
    if (given.length === 0) return
    const { teamId } = change.actor
    const documents = given.map(({ state, uuid }) => ({
      id: uuid,
      project_tags: state.projectTags,
      project_tag_keys: keysOfTags(state.projectTags),
      stage: state.stage,
      reached_stage: state.reachedStage,
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
      with investors as (${investors(teamId, type === "contact" ? { contacts: [to] } : { companies: [to] })})
      update prospects set ${written(change, "updated", sql`given.next_task_due`)}, ${copies},
        ${sql.literal(type === "contact" ? "contact_id" : "company_id")} = ${to},
        project_tags = given.project_tags, project_tag_keys = given.project_tag_keys, stage = given.stage,
        reached_stage = given.reached_stage, teaser_communicated_at = given.teaser_communicated_at,
        room_access_at = given.room_access_at, access_expires_at = given.access_expires_at, accepted = given.accepted,
        chat = given.chat, invitation = given.invitation, note_count = given.note_count,
        open_task_count = given.open_task_count, next_task = given.next_task, next_task_due = given.next_task_due,
        deleted_refs = case when prospects.deleted_at is null then null else given.refs end
      from investors, jsonb_to_recordset(${sql.json(documents)}) as given (
        id uuid, project_tags text[], project_tag_keys text[], stage text, reached_stage text,
        teaser_communicated_at timestamptz, room_access_at timestamptz, access_expires_at timestamptz,
        accepted boolean, chat boolean, invitation boolean, note_count integer, open_task_count integer,
        next_task jsonb, next_task_due date, refs jsonb
      )
      where prospects.id = given.id`)
  })

  /** Gives the tasks of prospects to others. */
  const moveTasks = Effect.fn("CascadesRepo.moveTasks")(function* (change: Change, moves: ReadonlyArray<Move>) {
    if (moves.length === 0) return
    yield* orDie(sql`
      update tasks set prospect_id = goal, version = version + 1, updated_at = ${change.at}, change_type = 'updated',
        change_origin = ${change.actor.origin}
      from ${moving(moves)}
      where team_id = ${change.actor.teamId} and prospect_id = origin`)
  })

  /** Gives prospects these references, in their order, whoever of their kind has them. */
  const giveRefs = Effect.fn("CascadesRepo.giveRefs")(function* (
    teamId: string,
    owned: ReadonlyArray<{ readonly uuid: string; readonly refs: ReadonlyArray<ExternalRef> }>
  ) {
    const rows = owned.flatMap(({ refs, uuid }) => refs.map((ref, position) => ({ ...ref, uuid, position })))
    if (rows.length === 0) return
    yield* orDie(sql`
      update external_references set resource_id = given.uuid, position = given.position
      from jsonb_to_recordset(${sql.json(rows)})
        as given ("namespace" text, "externalId" text, "uuid" uuid, "position" smallint)
      where team_id = ${teamId} and resource_type = 'prospect'
        and external_references.namespace = given.namespace and external_id = given."externalId"`)
  })

  /** Whether a prospect has access to a room; one that was removed from the list keeps it. */
  const hasRoomMembers = Effect.fn("CascadesRepo.hasRoomMembers")(function* (teamId: string, projectUuid: string) {
    const rows = yield* orDie(sql`
      select id from prospects
      where team_id = ${teamId} and project_id = ${projectUuid} and deleted_at is null
        and room_access_at is not null limit 1`)
    return rows.length > 0
  })

  /** Some prospects of these projects, whatever became of them, at most `limit`; nobody else can write them. */
  const lockIn = Effect.fn("CascadesRepo.lockIn")(function* (projectUuids: ReadonlyArray<string>, limit: number) {
    const rows = yield* orDie(sql<{ readonly id: string }>`
      select id from prospects where project_id = any(${projectUuids}::uuid[]) order by id limit ${limit} for update`)
    return rows.map(({ id }) => id)
  })

  return {
    deleteOf,
    lockDeletedWith,
    putRefsBack,
    restoreOf,
    removeOrphans,
    shareProjects,
    removeOf,
    copy,
    lockOf,
    taskTimes,
    forget,
    give,
    moveTasks,
    giveRefs,
    hasRoomMembers,
    lockIn
  }
})

/** The prospects that a cascade writes. */
export class CascadesRepo extends Context.Service<CascadesRepo, Effect.Success<typeof make>>()(
  "prospects/CascadesRepo"
) {
  static readonly layer = Layer.effect(CascadesRepo, make)
}
