/** The statements and plans of lists of ten thousand prospects, and of the offers that investors have of as many, with each filter. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../../src/platform/db/Database.ts"
import * as Id from "../../../src/core/Id.ts"
import { bulkLoad, planOf, readsOf, service, statementsOf } from "../../support/Statements.ts"
import * as OffersClient from "../offers/OffersClient.ts"
import type { Reply } from "../../support/TestService.ts"
import * as fixture from "./fixture.ts"

/** The project's prospects, and a tenth as many on each of sixty other projects, with tasks. */
const fill = Effect.fnUntraced(function* (teamId: string, projectUuid: string, userId: string) {
  const sql = yield* Database
  return yield* bulkLoad(
    ["projects", "prospects", "tasks"],
    Effect.gen(function* () {
      yield* sql`
      insert into projects (id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, name)
      select gen_random_uuid(), ${teamId}, 1, pg_current_xact_id(), now() - n * interval '1 day', now(), 'created', 'api', 'Other ' || n
      from generate_series(1, 60) n`
      yield* sql`
      insert into prospects (
        id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, project_id, project_created_at, contact_id,
        name, tags, classification, interest, stage, milestone_stage, milestone_stage_since_override, project_tags, project_tag_keys,
        teaser_communicated_at, accepted, chat, invitation, note_count, open_task_count, overdue_when_written, removed_at
      )
      select gen_random_uuid(), ${teamId}, 1, pg_current_xact_id(), now() - n * interval '1 minute', now() - (n * 7919 % 10000) * interval '1 minute',
        'created', 'api', project.id, project.created_at, gen_random_uuid(), 'No ' || n,
        case when n % 50 = 0 then array['rare'] else array['core'] end,
        case when n % 200 = 0 then 'bidder' else 'contacted' end, case when n % 100 = 0 then 'maybe' end,
        case when n % 150 = 0 then 'bid' else 'teaser' end, 'teaser', 'not_contacted', '{}',
        case when n % 80 = 0 then array['vip'] else '{}'::text[] end,
        case when n % 90 = 0 then now() end, n % 120 = 0, n % 130 = 0, n % 140 = 0, 0, 0, false,
        case when n % 20 = 19 then now() end
      from projects project,
        generate_series(1, case when project.id = ${projectUuid} then 10000 else 1000 end) n
      where project.team_id = ${teamId}`
      yield* sql`
      insert into tasks (
        id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, project_id, prospect_id, type, due_date,
        assignee_id, state, added_action_id
      )
      select gen_random_uuid(), ${teamId}, 1, pg_current_xact_id(), now(), now(), 'created', 'api', project_id, id, 'call',
        current_date + (row_number() over (order by id) % 60)::int - 30, ${userId}, 'open', gen_random_uuid()
      from prospects where team_id = ${teamId} and note_count = 0 and hashtext(id::text) % 10 = 0`
    })
  )
})

const filters = [
  "",
  "&capability=communicated",
  "&capability=accepted",
  "&capability=chat",
  "&capability=invitation",
  "&classification=bidder",
  "&tags=rare&tags=none",
  "&project_tags=VIP",
  "&interest=maybe",
  "&interest=none",
  "&stage=bid",
  "&task_due=overdue",
  "&task_due=today",
  "&task_due=this_week",
  "&external_ref=crm:1",
  "&stage=teaser&interest=none&classification=contacted&tags=rare&project_tags=vip&task_due=this_week",
  "&updated_since=2020-01-01",
  `&updated_since=${new Date(Date.now() - 86_400_000).toISOString()}&include_deleted=true&classification=bidder`
]

interface Page {
  readonly data: ReadonlyArray<unknown>
}

/** The statements of a page: one more for the position of a reader whom no row tells it, and for purged tombstones. */
const pageStatements = ({ body }: Reply<unknown>, filter: string): number =>
  1 + ((body as Page).data.length === 0 ? 1 : 0) + (filter.includes("include_deleted") ? 1 : 0)

/** Offers of one team and of another one: most of them expired, one in a hundred each accepted, unanswered, pending or unread. */
const fillOffers = Effect.fnUntraced(function* (teamId: string, otherId: string, userId: string) {
  const sql = yield* Database
  yield* bulkLoad(
    ["offers"],
    sql`
      insert into offers (
        id, team_id, version, created_at, updated_at, change_type, change_origin, user_id, broker_team_id, project_id,
        prospect_id, category, status, answer, answered_at, read_at, expires_at, removed_at
      )
      select gen_random_uuid(), team_id, 1, at, at, 'created', 'system', ${userId}, ${otherId}, gen_random_uuid(),
        gen_random_uuid(), case when n % 1000 = 1 then 'selling' when n % 100 = 3 then 'invitation' else 'buying' end,
        status, case when status in ('accepted', 'rejected') then status end,
        case when status in ('accepted', 'rejected') then at end, case when n % 100 <> 50 then at end,
        case when status = 'expired' then at else now() + interval '30 days' end,
        case when status = 'removed' then at end
      from generate_series(1, 10000) n, (values (${teamId}::uuid), (${otherId}::uuid)) as teams (team_id),
        lateral (
          select now() - n * interval '1 minute' as at,
            case n % 100 when 1 then 'accepted' when 2 then 'unanswered' when 3 then 'pending' when 4 then 'rejected'
              when 5 then 'removed' else 'expired' end as status
        ) as of_row`
  )
})

/** Each filter of offers, and how many rows it may look at. */
const offerFilters: ReadonlyArray<readonly [filter: string, most: number]> = [
  ["all", 250],
  ["active", 500],
  ["ongoing", 500],
  ["inactive", 500],
  ["removed", 500],
  ["unread", 500],
  ["unanswered", 10],
  ["invitations", 500],
  ["selling", 500]
]

layer(service, { excludeTestServices: true, timeout: 120_000 })("A list among thousands", (it) => {
  it.effect(
    "of prospects is read by indexes with each filter, in the same number of statements, and few rows are read for few results",
    () =>
      Effect.gen(function* () {
        const { ask, projectId, prospects, teamId, userId } = yield* fixture.make()
        yield* fill(teamId, Id.toUuid("project", projectId) ?? "", userId)
        for (const filter of filters) {
          const { reply, statements } = yield* statementsOf(prospects.list(`?page_size=100${filter}`))
          assert.strictEqual(reply.status, 200, filter)
          // The caller, the project, the page; nobody is named here, so no names are asked for.
          assert.strictEqual(statements.length, 2 + pageStatements(reply, filter), filter)
          const reads = (yield* Effect.forEach(statements, (one) => readsOf(one, ["prospects", "tasks"]))).flat()
          assert.isAbove(reads.length, 0, filter)
          for (const { by } of reads) assert.match(by, /Index|Bitmap/, filter)
          const looked = reads.reduce((sum, { rows }) => sum + rows, 0)
          assert.isBelow(looked, 5_000, `${filter}: ${JSON.stringify(reads)}`)
        }
        // The same across all 61 projects, with 70,000 prospects, and by project.
        for (const [filter, most] of [
          ...filters.map((one) => [one, 10_000] as const),
          [`&project_id=${projectId}&interest=maybe`, 5_000] as const
        ]) {
          const { reply, statements } = yield* statementsOf(ask("GET", `/api/v1/prospects?page_size=100${filter}`))
          assert.strictEqual(reply.status, 200, filter)
          assert.strictEqual(statements.length, 1 + pageStatements(reply, filter), filter)
          const reads = (yield* Effect.forEach(statements, (one) => readsOf(one, ["prospects", "tasks"]))).flat()
          for (const { by } of reads) assert.match(by, /Index|Bitmap/, filter)
          const looked = reads.reduce((sum, { rows }) => sum + rows, 0)
          assert.isBelow(looked, most, `across: ${filter}: ${JSON.stringify(reads)}`)
        }
        // The 7,000 tasks of all projects.
        for (const filter of [
          "",
          "&assignee=me",
          "&assignee=me&status=open",
          "&status=completed",
          "&due=today",
          "&due=overdue",
          `&project_id=${projectId}`,
          "&updated_since=2020-01-01",
          `&updated_since=${new Date(Date.now() - 86_400_000).toISOString()}&include_deleted=true&status=open&assignee=me`
        ]) {
          const { reply, statements } = yield* statementsOf(ask("GET", `/api/v1/tasks?page_size=100${filter}`))
          assert.strictEqual(reply.status, 200, filter)
          assert.strictEqual(statements.length, 1 + pageStatements(reply, filter), filter)
          const reads = (yield* Effect.forEach(statements, (one) => readsOf(one, ["tasks"]))).flat()
          for (const { by } of reads) assert.match(by, /Index|Bitmap/, `tasks ${filter}`)
          const looked = reads.reduce((sum, { rows }) => sum + rows, 0)
          assert.isBelow(looked, 5_000, `tasks ${filter}: ${JSON.stringify(reads)}`)
        }
      }),
    120_000
  )

  it.effect("of prospects takes a batch and an upsert in the same number of statements for few items as for many", () =>
    Effect.gen(function* () {
      const { ask, contacts, prospects } = yield* fixture.make()
      const batchOf = Effect.fnUntraced(function* (count: number) {
        const made = yield* contacts.upsert(Array.from({ length: count }, (_, index) => ({ lastName: `No ${index}` })))
        return yield* statementsOf(
          prospects.batch(
            made.body.results.map(({ id, index }) => ({
              contactId: id,
              projectTags: ["a"],
              externalRefs: [{ namespace: "crm", externalId: `${count} ${index}` }]
            }))
          )
        )
      })
      const [few, many] = [yield* batchOf(2), yield* batchOf(40)]
      assert.deepStrictEqual(
        many.reply.body.results.map(({ status }) => status),
        Array.from({ length: 40 }, () => "created")
      )
      assert.strictEqual(many.statements.length, few.statements.length)
      // An upsert of those, removed ones among them, and of as many new ones.
      const upsertOf = Effect.fnUntraced(function* (count: number) {
        const known = (yield* prospects.list("?page_size=500")).body.data.slice(0, count)
        yield* prospects.removeFromList(known[0]?.id ?? "")
        // Names of users are read in one statement, if there are any.
        yield* prospects.patch(known[1]?.id ?? "", { owner: "me" })
        const made = yield* contacts.upsert(Array.from({ length: count }, (_, index) => ({ lastName: `New ${index}` })))
        const items = [
          ...known.map(({ id }) => ({
            id,
            interest: count === 2 ? "maybe" : "interested",
            owner: "me",
            externalRefs: [{ namespace: "erp", externalId: id }]
          })),
          ...made.body.results.map(({ id }) => ({ contactId: id, interest: "maybe", owner: "me" }))
        ]
        return yield* statementsOf(
          ask<{ readonly results: ReadonlyArray<{ readonly status: string }> }>(
            "POST",
            `${prospects.path}/batch/upsert`,
            { items }
          )
        )
      })
      const [two, forty] = [yield* upsertOf(2), yield* upsertOf(40)]
      assert.deepStrictEqual(
        forty.reply.body.results.map(({ status }) => status),
        ["restored", ...Array.from({ length: 39 }, () => "updated"), ...Array.from({ length: 40 }, () => "created")]
      )
      assert.strictEqual(forty.statements.length, two.statements.length)
    })
  )

  it.effect("of one prospect's tasks is counted when one is added, and not sorted", () =>
    Effect.gen(function* () {
      const { projectId, prospect, prospects, teamId, userId } = yield* fixture.make()
      const { id } = yield* prospect()
      const sql = yield* Database
      yield* bulkLoad(
        ["tasks"],
        sql`
          insert into tasks (
            id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, project_id, prospect_id, type,
            due_date, assignee_id, state, added_action_id
          )
          select gen_random_uuid(), ${teamId}, 1, pg_current_xact_id(), now(), now(), 'created', 'api',
            ${Id.toUuid("project", projectId)}::uuid, ${Id.toUuid("prospect", id)}::uuid, 'call', current_date + n, ${userId}, 'open',
            gen_random_uuid()
          from generate_series(1, 3000) n`
      )
      const { reply, statements } = yield* statementsOf(
        prospects.task(id, { type: "call", dueDate: "0d", assignee: "me" })
      )
      assert.strictEqual(reply.status, 201, reply.text)
      const counting = statements.filter(({ text }) => text.includes("as open"))
      assert.lengthOf(counting, 1)
      const nodes = (yield* Effect.forEach(counting, planOf)).flat().map((node) => node["Node Type"])
      assert.include(nodes, "Index Scan")
      assert.isEmpty(nodes.filter((node) => /Sort|WindowAgg/.test(node)))
    })
  )

  it.effect("of members of a room is not read when a project without a room is deleted", () =>
    Effect.gen(function* () {
      const { ask, projectId, several, teamId } = yield* fixture.make()
      yield* several(100)
      const sql = yield* Database
      // Statistics know one project with rooms and one room with members: any of them would have as many.
      yield* bulkLoad(
        ["rooms", "room_access", "prospects"],
        Effect.gen(function* () {
          yield* sql`
            insert into rooms (
              id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, project_id, name, status,
              nda_required
            )
            select gen_random_uuid(), ${teamId}, 1, pg_current_xact_id(), now(), now(), 'created', 'app',
              ${Id.toUuid("project", projectId)}::uuid, 'Room ' || n, 'open', false
            from generate_series(1, 1000) n`
          yield* sql`
            insert into room_access (room_id, prospect_id, team_id, granted_at)
            select rooms.id, prospects.id, ${teamId}, now() from rooms, prospects
            where rooms.team_id = ${teamId} and rooms.name = 'Room 1' and prospects.team_id = ${teamId}`
        })
      )
      const other = yield* ask<{ readonly id: string }>("POST", "/api/v1/projects", { name: "Hafen" })
      const { reply, statements } = yield* statementsOf(ask("DELETE", `/api/v1/projects/${other.body.id}`))
      assert.strictEqual(reply.status, 204, reply.text)
      const reads = (yield* Effect.forEach(statements, (one) => readsOf(one, ["room_access"]))).flat()
      assert.isNotEmpty(reads)
      for (const { by, rows } of reads) assert.strictEqual(rows, 0, by)
    })
  )

  it.effect("of offers is read by indexes with each filter, in the same number of statements, page by page", () =>
    Effect.gen(function* () {
      const buyer = yield* OffersClient.investor()
      yield* fillOffers(buyer.teamId, (yield* OffersClient.investor()).teamId, buyer.userId)
      for (const [filter, most] of offerFilters) {
        const first = yield* statementsOf(buyer.list(`?page_size=100&filter=${filter}`))
        const { nextCursor } = first.reply.body.page
        const pages = [
          first,
          ...(nextCursor === null
            ? []
            : [yield* statementsOf(buyer.list(`?page_size=100&filter=${filter}&cursor=${nextCursor}`))])
        ]
        for (const { reply, statements } of pages) {
          assert.strictEqual(reply.status, 200, filter)
          assert.isAbove(reply.body.data.length, 0, filter)
          // The caller, the page, the people it names, the rooms; and of accepted offers the projects and their brokers.
          const isNaming = reply.body.data.some(({ status }) => status === "accepted")
          assert.strictEqual(statements.length, isNaming ? 6 : 4, filter)
          const reads = (yield* Effect.forEach(statements, (one) => readsOf(one, ["offers"]))).flat()
          for (const { by } of reads) assert.match(by, /Index|Bitmap/, filter)
          const looked = reads.reduce((sum, { rows }) => sum + rows, 0)
          assert.isBelow(looked, most, `${filter}: ${JSON.stringify(reads)}`)
        }
      }
    })
  )
})
