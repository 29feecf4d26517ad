/** The SQL of the cascades of contacts and companies: sets of prospects, written in the order of their ids. */
import { Context, Effect, Layer } from "effect"
import type { Change } from "../../../core/mutation/Changes.ts"
import { Database } from "../../../platform/db/Database.ts"
import { orDie } from "../../../platform/db/DatabaseUnavailable.ts"
import { nextVersionColumns } from "../../../core/records/TableWrites.ts"
import * as Id from "../../../core/Id.ts"
import type { InvestorUuids, ProspectSubject } from "../ProspectState.ts"

type Sql = Database["Service"]

/** The columns of a written prospect by which its events name it. */
export interface ProspectSubjectRow {
  readonly id: string
  readonly project_id: string
  readonly contact_id: string | null
  readonly company_id: string | null
}

/** The select of these columns. */
export const subjectColumns = (sql: Sql) =>
  sql`prospects.id, prospects.project_id, prospects.contact_id, prospects.company_id`

/** The prospect of a row. */
export const toProspectSubject = (row: ProspectSubjectRow): ProspectSubject => ({
  uuid: row.id,
  projectUuid: row.project_id,
  contactId: Id.fromUuidOrNull("contact", row.contact_id),
  companyId: Id.fromUuidOrNull("company", row.company_id)
})

/** The condition that a prospect is one of these investors. */
export const isOf = (sql: Sql, investors: InvestorUuids) =>
  "contacts" in investors
    ? sql`prospects.contact_id = any(${investors.contacts}::uuid[])`
    : sql`prospects.company_id = any(${investors.companies}::uuid[])`

/** The assignments that every write of a prospect makes; `nextTaskDue` is the due date of its next task afterwards. */
export const versionColumns = (sql: Sql, change: Change, nextTaskDue = sql`prospects.next_task_due`) => sql`
  ${nextVersionColumns(sql, "prospects", change, "updated")},
  overdue_when_written = coalesce(${nextTaskDue} < (${change.at}::timestamptz at time zone 'UTC')::date, false)`

/** The select of these investors, with the columns that prospects copy. */
export const selectInvestors = (sql: Sql, teamId: string, investors: InvestorUuids) =>
  "contacts" in investors
    ? sql`
        select id, contact_name(first_name, last_name, email) as name, email, null::text as domain, null::text as country, tags
        from contacts where team_id = ${teamId} and id = any(${investors.contacts}::uuid[]) and deleted_at is null`
    : sql`
        select id, name, null::text as email, domain, country, tags
        from companies where team_id = ${teamId} and id = any(${investors.companies}::uuid[]) and deleted_at is null`

/** The assignments that copy an investor to its prospect. */
export const copiedColumns = (sql: Sql) => sql`
    name = investors.name, email = investors.email, domain = investors.domain, country = investors.country,
    tags = investors.tags`

// The rows to write are selected as an array first: as a join, the planner may scan the whole table for each of them.
const make = Effect.gen(function* () {
  const sql = yield* Database

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
        where team_id = ${teamId} and ${isOf(sql, investors)}
          and (deleted_with_project or deleted_at is null)
      ))
      order by id for share`)
  })

  /** Locks the projects so that nobody writes them until the transaction ends. */
  const lockThese = Effect.fn("InvestorCascadesRepo.lockThese")(function* (
    teamId: string,
    projectUuids: ReadonlyArray<string>
  ) {
    yield* orDie(sql`
      select id from projects where team_id = ${teamId} and id = any(${projectUuids}::uuid[]) order by id for share`)
  })

  /** Removes at most `limit` prospects of these investors from the lists of projects that are neither closed nor deleted; returns them. */
  const removeFromLists = Effect.fn("InvestorCascadesRepo.removeFromLists")(function* (
    change: Change,
    investors: InvestorUuids,
    limit: number
  ) {
    const rows = yield* orDie(sql<ProspectSubjectRow>`
      update prospects set ${versionColumns(sql, change)}, removed_at = ${change.at}
      where ${isOnList} and team_id = ${change.actor.teamId} and id = any(array(
        select prospects.id from prospects
        join projects on projects.id = prospects.project_id and projects.team_id = prospects.team_id
        where prospects.team_id = ${change.actor.teamId} and ${isOf(sql, investors)} and ${isOnList}
          and projects.closed_at is null and projects.deleted_at is null
        order by prospects.id limit ${limit} for update of prospects
      ))
      returning ${subjectColumns(sql)}`)
    return rows.map(toProspectSubject)
  })

  const isInvestor = (investors: InvestorUuids) =>
    "contacts" in investors ? sql`investors.id = prospects.contact_id` : sql`investors.id = prospects.company_id`

  /** Copies these investors to their living prospects, where something differs; returns the UUIDs of these prospects. */
  const updateCopies = Effect.fn("InvestorCascadesRepo.updateCopies")(function* (
    change: Change,
    investors: InvestorUuids
  ) {
    const { teamId } = change.actor
    const rows = yield* orDie(sql<{ readonly id: string }>`
      with investors as materialized (${selectInvestors(sql, teamId, investors)})
      update prospects set ${versionColumns(sql, change)}, ${copiedColumns(sql)}
      from investors
      where ${isInvestor(investors)} and prospects.team_id = ${teamId} and prospects.deleted_at is null
        and prospects.id = any(array(
        select prospects.id from prospects join investors on ${isInvestor(investors)}
        where prospects.team_id = ${teamId} and ${isOf(sql, investors)} and prospects.deleted_at is null
          and (prospects.name, prospects.email, prospects.domain, prospects.country, prospects.tags)
            is distinct from (investors.name, investors.email, investors.domain, investors.country, investors.tags)
        order by prospects.id for update of prospects
      ))
      returning prospects.id`)
    return rows.map(({ id }) => id).toSorted()
  })

  return { lockProjectsForShare, lockThese, removeFromLists, updateCopies }
})

/** The prospects of contacts and companies that are updated or deleted. */
export class InvestorCascadesRepo extends Context.Service<InvestorCascadesRepo, Effect.Success<typeof make>>()(
  "deals/prospects/cascades/InvestorCascadesRepo"
) {
  static readonly layer = Layer.effect(InvestorCascadesRepo, make)
}
