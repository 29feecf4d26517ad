/** The SQL of prospects: lists by every filter, single ones, and writes, scoped by team. */
import * as Id from "../../core/Id.ts"
import * as RecordTable from "../../core/records/RecordTable.ts"
import { Context, Effect, Layer } from "effect"
import type { Fragment } from "effect/sql/Statement"
import type { Change } from "../../core/mutation/Changes.ts"
import type { Fetched, Range } from "../../core/mutation/DeltaList.ts"
import { type DueRows, type OfTeam, purgeListed } from "../../core/mutation/Delta.ts"
import { arrayParameter, averageTeamId } from "../../platform/db/SetStatements.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { nextVersionColumns } from "../../core/records/RecordTable.ts"
import { column, idOf, type Stored, type Table, text, texts } from "../../core/records/Table.ts"
import type { Bid, Investor, ProspectListQuery, ProspectRow, ProspectState } from "./Prospect.ts"
import type { DueDates } from "./projection.ts"
import { tagKeys } from "./rules.ts"

/** A prospect with what its state does not show. */
export type StoredProspect = Stored<ProspectRow>

/** The table of prospects. */
export const prospectsTable: Table<ProspectState, ProspectRow> = {
  type: "prospect",
  name: "prospects",
  columns: {
    projectId: idOf("project", "project_id", { kept: true }),
    projectCreatedUtc: column("project_created_at", "timestamptz", { kept: true }),
    contactId: idOf("contact", "contact_id", { kept: true }),
    companyId: idOf("company", "company_id", { kept: true }),
    name: text("name"),
    email: text("email"),
    domain: text("domain"),
    country: text("country"),
    tags: texts("tags"),
    classification: text("classification"),
    interest: text("interest"),
    stage: text("stage"),
    milestoneStage: text("milestone_stage"),
    milestoneStageSinceOverride: text("milestone_stage_since_override"),
    overrideStage: text("override_stage"),
    overrideBy: idOf("user", "override_by"),
    overrideUtc: column("override_at", "timestamptz"),
    overrideReason: text("override_reason"),
    ownerId: idOf("user", "owner_id"),
    projectTags: texts("project_tags"),
    accessExpiryUtc: column("access_expires_at", "timestamptz"),
    teaserCommunicatedUtc: column("teaser_communicated_at", "timestamptz"),
    roomAccessUtc: column("room_access_at", "timestamptz"),
    accepted: column("accepted", "boolean"),
    chat: column("chat", "boolean"),
    invitation: column("invitation", "boolean"),
    noteCount: column("note_count", "integer"),
    openTaskCount: column("open_task_count", "integer"),
    nextTask: column("next_task", "jsonb"),
    overdueWhenWritten: column("overdue_when_written", "boolean"),
    removedUtc: column("removed_at", "timestamptz"),
    erasedUtc: column("erased_at", "timestamptz", { kept: true })
  },
  derived: {
    project_tag_keys: { type: "text[]", of: ({ projectTags }) => tagKeys(projectTags) },
    next_task_due: { type: "date", of: ({ nextTask }) => nextTask?.due ?? null }
  },
  unique: ["project_id", "contact_id", "company_id"],
  mergeable: false,
  listedBy: "project_id",
  toResource: (id, fields, audit) => ({ id, ...fields, ...audit })
}

interface RemovedRow {
  readonly id: string
  readonly name: string | null
  readonly removed_at: Date
}

/** A prospect by its name; null where the person was erased. */
export interface ProspectName {
  readonly name: string | null
  readonly projectId: string
}

const capabilities = {
  communicated: "teaser_communicated_at is not null",
  accepted: "accepted",
  chat: "chat",
  invitation: "invitation"
} as const

const make = Effect.gen(function* () {
  const sql = yield* Database
  const table = yield* RecordTable.make(prospectsTable)

  /** The conditions of a list's own filters. */
  const filters = (scope: Fragment, query: ProspectListQuery, due: DueDates | undefined) => {
    const { capability, classification, interest, project_tags: projectTags, stage, tags } = query
    return [
      ...(capability === undefined ? [] : [sql.literal(capabilities[capability])]),
      ...(classification === undefined ? [] : [sql`classification = ${classification}`]),
      ...(interest === undefined ? [] : [interest === "none" ? sql`interest is null` : sql`interest = ${interest}`]),
      ...(stage === undefined ? [] : [sql`stage = ${stage}`]),
      ...(tags === undefined ? [] : [sql`tags <> '{}' and tags && ${tags}::text[]`]),
      ...(projectTags === undefined
        ? []
        : [sql`project_tag_keys <> '{}' and project_tag_keys && ${tagKeys(projectTags)}::text[]`]),
      // An array, so that those with such tasks are found first: they are few beside all that are on the project.
      ...(due === undefined
        ? []
        : [
            sql`id = any(array(
        select prospect_id from tasks
        where ${scope} and deleted_at is null and state = 'open' and due_date between ${due.from}::date and ${due.to}::date
      ))`
          ])
    ]
  }

  /**
   * A range of the prospects of a project or, without one, of a team; `due` are the dates of the filter by tasks. Removed
   * ones count as deleted.
   */
  const list = Effect.fn("ProspectsRepo.list")(function* (
    teamId: string,
    projectUuid: string | null | undefined,
    range: Range,
    query: ProspectListQuery,
    due: DueDates | undefined
  ): Effect.fn.Return<Fetched<StoredProspect>> {
    const isOnProject = sql`project_id = ${projectUuid ?? null}::uuid`
    const wanted = filters(
      projectUuid === undefined ? sql`team_id = ${teamId}` : sql`team_id = ${teamId} and ${isOnProject}`,
      query,
      due
    )
    return yield* table.list(teamId, range, {
      within: typeof projectUuid === "string" ? { column: "project_id", uuid: projectUuid } : undefined,
      externalRef: query.external_ref,
      filters: [
        // An id that no project has.
        ...(projectUuid === null ? [sql`false`] : []),
        ...(range.includeDeleted
          ? // Tombstones have no members to filter by, and clients that keep a filtered copy need them.
            wanted.length === 0
            ? []
            : [sql`(${sql.and(wanted)} or deleted_at is not null or removed_at is not null)`]
          : [sql`removed_at is null`, ...wanted])
      ],
      unprepared: wanted.length > 0
    })
  })

  /** The ids of the prospects on a project's list that meet the filters, in its order, at most `limit`. */
  const idsMatching = Effect.fn("ProspectsRepo.idsMatching")(function* (
    teamId: string,
    projectUuid: string,
    query: ProspectListQuery,
    due: DueDates | undefined,
    limit: number
  ) {
    const isOnProject = sql`team_id = ${teamId} and project_id = ${projectUuid}`
    const rows = yield* orDie(sql<{ readonly id: string }>`
      select id from prospects
      where ${sql.and([isOnProject, sql`deleted_at is null and removed_at is null`, ...filters(isOnProject, query, due)])}
      order by created_at, id limit ${limit}`)
    return rows.map(({ id }) => Id.fromUuid("prospect", id))
  })

  /** When a prospect of a project last changed, and which: another answer means that something changed since. */
  const latestChange = Effect.fn("ProspectsRepo.latestChange")(function* (teamId: string, projectUuid: string) {
    const [row] = yield* orDie(sql<{ readonly id: string; readonly version: string; readonly at: Date }>`
      select id, version::text, updated_at as at from prospects
      where project_id = ${projectUuid} and team_id = ${teamId} order by updated_at desc, id desc limit 1`)
    return row === undefined ? "none" : `${row.id}.${row.version}.${row.at.getTime()}`
  })

  /** The prospects that were removed from the list of a project, the latest first. */
  const removedFrom = Effect.fn("ProspectsRepo.removedFrom")(function* (
    teamId: string,
    projectUuid: string,
    before: { readonly at: string; readonly id: string } | undefined,
    limit: number
  ) {
    const rows = yield* orDie(sql<RemovedRow>`
      select id, coalesce(name, email, domain) as name, removed_at from prospects
      where project_id = ${projectUuid} and team_id = ${teamId} and deleted_at is null and removed_at is not null
        ${before === undefined ? sql`` : sql`and (removed_at, id) < (${before.at}::timestamptz, ${before.id}::uuid)`}
      order by removed_at desc, id desc limit ${limit}`)
    return rows.map(({ id, name, removed_at }) => ({
      uuid: id,
      id: Id.fromUuid("prospect", id),
      name,
      removedUtc: removed_at.toISOString()
    }))
  })

  /** The bids that were recorded of a prospect, the latest first. */
  const bidsOf = Effect.fn("ProspectsRepo.bidsOf")(function* (teamId: string, uuid: string, limit: number) {
    return yield* orDie(sql<{ readonly amount: string; readonly currency: string; readonly created_at: Date }>`
      select bids.amount::text, bids.currency, bids.created_at
      from action_subjects s join bids on bids.action_id = s.action_id and bids.team_id = s.team_id
      where s.subject_id = ${uuid} and s.team_id = ${teamId} and s.partition = 'audit'
      order by bids.created_at desc limit ${limit}`)
  })

  /** Those of these contacts and companies (UUIDs) that are on the list of a project. */
  const investorsOn = Effect.fn("ProspectsRepo.investorsOn")(function* (
    teamId: string,
    projectUuid: string,
    uuids: ReadonlyArray<string>
  ) {
    if (uuids.length === 0) return []
    const onList = sql`team_id = ${averageTeamId(sql, teamId)} and project_id = ${projectUuid} and deleted_at is null and removed_at is null`
    const rows = yield* orDie(sql<{ readonly id: string }>`
      select contact_id as id from prospects where ${onList} and contact_id = any(${uuids}::uuid[])
      union all
      select company_id as id from prospects where ${onList} and company_id = any(${uuids}::uuid[])`)
    return rows.map(({ id }) => id)
  })

  /** The tags on their project of living prospects (UUIDs), by id. */
  const tagsOf = Effect.fn("ProspectsRepo.tagsOf")(function* (teamId: string, uuids: ReadonlyArray<string>) {
    if (uuids.length === 0) return new Map<string, ReadonlyArray<string>>()
    const rows = yield* orDie(sql<{ readonly id: string; readonly project_tags: ReadonlyArray<string> }>`
      select id, project_tags from prospects
      where team_id = ${teamId} and id = any(${arrayParameter(sql, "uuid", uuids)}) and deleted_at is null`)
    return new Map(rows.map(({ id, project_tags }) => [Id.fromUuid("prospect", id) as string, project_tags]))
  })

  /** The names of living prospects (UUIDs) and where they are, by id. */
  const namesOf = Effect.fn("ProspectsRepo.namesOf")(function* (teamId: string, uuids: ReadonlyArray<string>) {
    if (uuids.length === 0) return new Map<string, ProspectName>()
    const rows = yield* orDie(sql<{ readonly id: string; readonly project_id: string; readonly name: string | null }>`
      select id, project_id, coalesce(name, email, domain) as name from prospects
      where team_id = ${teamId} and id = any(${arrayParameter(sql, "uuid", uuids)}) and deleted_at is null`)
    return new Map(
      rows.map(({ id, name, project_id }) => [
        Id.fromUuid("prospect", id) as string,
        { name, projectId: Id.fromUuid("project", project_id) }
      ])
    )
  })

  /** A prospect that lives, removed or not, if it is on this project. */
  const findOn = Effect.fn("ProspectsRepo.findOn")(function* (teamId: string, projectUuid: string, uuid: string) {
    const stored = yield* table.find(teamId, uuid)
    return stored?.resource.projectId === Id.fromUuid("project", projectUuid) ? stored : undefined
  })

  /** The UUIDs of all prospects that are on the list of a project. */
  const onList = Effect.fn("ProspectsRepo.onList")(function* (teamId: string, projectUuid: string) {
    const rows = yield* orDie(sql<{ readonly id: string }>`
      select id from prospects
      where team_id = ${teamId} and project_id = ${projectUuid} and deleted_at is null and removed_at is null`)
    return rows.map(({ id }) => id)
  })

  /** The UUIDs of the living prospects of these contacts and companies on a project, removed ones included. */
  const idsOf = Effect.fn("ProspectsRepo.idsOf")(function* (
    teamId: string,
    projectUuid: string,
    { companies, contacts }: { readonly contacts: ReadonlyArray<string>; readonly companies: ReadonlyArray<string> }
  ) {
    const onProject = sql`team_id = ${averageTeamId(sql, teamId)} and project_id = ${projectUuid} and deleted_at is null`
    const rows = yield* orDie(sql<{ readonly id: string }>`
      select id from prospects where ${onProject} and contact_id = any(${contacts}::uuid[])
      union all
      select id from prospects where ${onProject} and company_id = any(${companies}::uuid[])`)
    return rows.map(({ id }) => id)
  })

  /**
   * The living prospects of these contacts and companies on a project, removed ones included, which nobody else can write until the
   * transaction ends. They are locked together, in the order in which all writers lock prospects.
   */
  const lockOf = Effect.fn("ProspectsRepo.lockOf")(function* (
    teamId: string,
    projectUuid: string,
    investors: { readonly contacts: ReadonlyArray<string>; readonly companies: ReadonlyArray<string> }
  ) {
    const locked = yield* table.lock(teamId, yield* idsOf(teamId, projectUuid, investors))
    return locked.filter(({ deleted }) => !deleted)
  })

  /** Locks these contacts for share, and returns the members that prospects copy. */
  const contacts = Effect.fn("ProspectsRepo.contacts")(function* (teamId: string, uuids: ReadonlyArray<string>) {
    if (uuids.length === 0) return []
    const rows = yield* orDie(sql<Pick<Investor, "name" | "email" | "tags"> & { readonly id: string }>`
      select id, contact_name(first_name, last_name, email) as name, email, tags from contacts
      where team_id = ${teamId} and id = any(${arrayParameter(sql, "uuid", uuids)}) and deleted_at is null
      order by id for share`)
    return rows.map(({ email, id, name, tags }): Investor => ({
      contactId: Id.fromUuid("contact", id),
      companyId: null,
      name,
      email,
      domain: null,
      country: null,
      tags
    }))
  })

  /** Locks these companies for share, and returns the members that prospects copy. */
  const companies = Effect.fn("ProspectsRepo.companies")(function* (teamId: string, uuids: ReadonlyArray<string>) {
    if (uuids.length === 0) return []
    const rows = yield* orDie(sql<Pick<Investor, "name" | "domain" | "country" | "tags"> & { readonly id: string }>`
      select id, name, domain, country, tags from companies
      where team_id = ${teamId} and id = any(${arrayParameter(sql, "uuid", uuids)}) and deleted_at is null
      order by id for share`)
    return rows.map(({ country, domain, id, name, tags }): Investor => ({
      contactId: null,
      companyId: Id.fromUuid("company", id),
      name,
      email: null,
      domain,
      country,
      tags
    }))
  })

  /** Writes the internal members of locked prospects, which no answer shows: versions and ETags stay. */
  const updateInPlace = Effect.fn("ProspectsRepo.updateInPlace")(function* (
    change: Change,
    updates: ReadonlyArray<{ readonly uuid: string; readonly state: ProspectState }>
  ) {
    if (updates.length === 0) return
    const rows = updates.map(({ state, uuid }) => ({
      id: uuid,
      milestone_stage: state.milestoneStage,
      milestone_stage_since_override: state.milestoneStageSinceOverride,
      room_access_at: state.roomAccessUtc
    }))
    yield* orDie(sql`
      update prospects set milestone_stage = row.milestone_stage, milestone_stage_since_override = row.milestone_stage_since_override,
        room_access_at = row.room_access_at
      from jsonb_to_recordset(${sql.json(rows)})
        as row (id uuid, milestone_stage text, milestone_stage_since_override text, room_access_at timestamptz)
      where prospects.id = row.id and team_id = ${change.actor.teamId}`)
  })

  /** Deletes the tasks of a deleted prospect. They come back with it only if it is restored with its project. */
  const deleteTasks = Effect.fn("ProspectsRepo.deleteTasks")(function* (change: Change, uuid: string) {
    yield* orDie(sql`
      update tasks set ${nextVersionColumns(sql, "tasks", change, "deleted")}, deleted_at = ${change.at}
      where team_id = ${change.actor.teamId} and prospect_id = ${uuid} and deleted_at is null`)
  })

  /** Teams with prospects whose next task became overdue since they were written, before `today`, and those prospects. */
  const becameOverdue = Effect.fn("ProspectsRepo.becameOverdue")(function* (today: string, { failed, limit }: DueRows) {
    return yield* orDie(sql<{ readonly team_id: string; readonly id: string }>`
      select team_id, id from prospects
      where deleted_at is null and next_task_due is not null and not overdue_when_written and next_task_due < ${today}::date
        and team_id <> all(${failed}::uuid[])
      order by next_task_due limit ${limit}`)
  })

  /** Keeps the amount of a bid, of which the timeline row with this UUID tells. */
  const insertBid = Effect.fn("ProspectsRepo.insertBid")(function* (
    change: Change,
    actionUuid: string,
    { amount, currency }: Bid
  ) {
    yield* orDie(sql`
      insert into bids (action_id, team_id, amount, currency, created_at)
      values (${actionUuid}, ${change.actor.teamId}, ${amount}, ${currency}, ${change.at})`)
  })

  /** Removes locked tombstones of any team for good, with their tasks. */
  const purge = Effect.fn("ProspectsRepo.purge")(function* (found: OfTeam) {
    const tasks = { table: "tasks", type: "task", listedBy: "project_id" }
    yield* purgeListed(sql, tasks, found.teamId, sql`prospect_id = any(${found.uuids}::uuid[])`)
    yield* table.purge(found)
  })

  return {
    ...table,
    purge,
    list,
    idsMatching,
    latestChange,
    removedFrom,
    investorsOn,
    bidsOf,
    tagsOf,
    namesOf,
    findOn,
    lockOf,
    onList,
    idsOf,
    contacts,
    companies,
    updateInPlace,
    deleteTasks,
    becameOverdue,
    insertBid
  }
})

/** The prospects of teams. */
export class ProspectsRepo extends Context.Service<ProspectsRepo, Effect.Success<typeof make>>()(
  "deals/prospects/ProspectsRepo"
) {
  static readonly layer = Layer.effect(ProspectsRepo, make)
}
