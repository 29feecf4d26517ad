import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { Database } from "../../../src/platform/db/Database.ts"
import * as Id from "../../../src/core/Id.ts"
import * as ContactsClient from "../../support/ContactsClient.ts"
import {
  type SentStatement,
  bulkLoad,
  planForAnyValues,
  plannedEachTime,
  readsOf,
  service,
  statementsOf
} from "../../support/Statements.ts"
import type { Reply } from "../../support/TestService.ts"

/** Contacts with two references each, written below the service; their UUIDs. */
const someContacts = Effect.fnUntraced(function* (teamId: string, count: number) {
  const sql = yield* Database
  const rows = yield* sql<{ id: string }>`
    with made as (
      insert into contacts (id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, first_name)
      select new_uuid_v7(now()), ${teamId}::uuid, 1, pg_current_xact_id(), now(), now(), 'created', 'import', 'Contact ' || n
      from generate_series(1, ${count}::int) n returning id
    ), referenced as (
      insert into external_references (team_id, resource_type, namespace, external_id, resource_id, position)
      select ${teamId}::uuid, 'contact', namespace, id::text, id, position
      from made, (values ('crm', 0), ('erp', 1)) as refs (namespace, position)
    )
    select id from made`
  return rows.map(({ id }) => id)
})

const bigTables = ["action_subjects", "actions", "contacts", "deliveries", "events", "external_references", "webhooks"]

/** A tenant among others in a database with 20,000 rows in each of its big tables, most of them the tenant's own. */
const aBigTenant = Effect.gen(function* () {
  const sql = yield* Database
  const random = yield* SecureRandom.SecureRandom
  const tenant = yield* ContactsClient.make()
  const { teamId, userId } = tenant
  const contactId = yield* random.uuidV7()
  const webhookId = yield* random.uuidV7()
  yield* sql`
    insert into teams (id, name, plan, created_at)
    select md5('team ' || n)::uuid, 'Team ' || n, 'plus', now() from generate_series(1, 500) n`
  yield* sql`
    insert into contacts (
      id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, deleted_at, first_name, email, tags, deleted_refs
    )
    select case when n = 15000 then ${contactId}::uuid else gen_random_uuid() end,
      case when n % 5 = 4 then md5('team ' || n % 500 + 1)::uuid else ${teamId}::uuid end, 1, pg_current_xact_id(), at,
      at + (n % 1000) * interval '1 minute', 'created', 'import',
      case when n % 10 = 7 then at + interval '1 day' end, 'Contact ' || n, n || '@example.com', case when n % 1000 = 0 then '{core,rare}'::text[] when n % 3 = 0 then '{core}' else '{}' end,
      case when n % 10 = 7 then '[]'::jsonb end
    from generate_series(1, 20000) n, lateral (select now() - (200000 - n) * interval '30 seconds' as at) as moment`
  yield* sql`
    insert into external_references (team_id, resource_type, namespace, external_id, resource_id, position)
    select team_id, 'contact', 'crm', id::text, id, 0 from contacts
    where team_id = ${teamId} and deleted_at is null`
  yield* sql`
    with made as (
      insert into actions (id, team_id, type, event, occurred_at, actor_user_id, origin, details)
      select gen_random_uuid(), ${teamId}::uuid, case when n % 50 = 0 then 'note' else 'audit' end, 'contact.updated', at,
        ${userId}::uuid, 'api', '{"kind":"audit"}'
      from generate_series(1, 20000) n, lateral (select now() - n * interval '1 minute' as at) as moment
      returning id, occurred_at, number
    )
    insert into action_subjects (subject_type, subject_id, action_id, team_id, occurred_at)
    select 'contact', case when number % 10 = 0 then ${contactId}::uuid else gen_random_uuid() end, id, ${teamId}::uuid,
      occurred_at
    from made`
  yield* sql`
    insert into webhooks (
      id, team_id, version, created_at, updated_at, change_type, change_origin, url, events, status, secret_sealed
    )
    select case when n = 7 then ${webhookId}::uuid else gen_random_uuid() end,
      case when n <= 20 then ${teamId}::uuid else md5('team ' || n % 500 + 1)::uuid end, 1, at, at, 'created', 'api',
      'https://hooks.example.com/', '{contact.created}', 'active', ''
    from generate_series(1, 10000) n, lateral (select now() - n * interval '1 minute' as at) as moment`
  yield* sql`
    with made as (
      insert into events (id, transaction_id, team_id, message_id, type, resource_type, resource_id, occurred_at, body)
      select gen_random_uuid(), pg_current_xact_id(), ${teamId}::uuid, 'msg_' || n,
        case when n % 100 = 0 then 'contact.deleted' else 'contact.created' end, 'contact', gen_random_uuid(), at, '{}'
      from generate_series(1, 20000) n, lateral (select now() - n * interval '10 seconds' as at) as moment
      returning id, type, occurred_at, seq
    ), others as (
      select array_agg(id) as ids from (select id from webhooks where id <> ${webhookId} limit 19) as few
    )
    insert into deliveries (id, team_id, webhook_id, event_id, event_type, status, created_at)
    select gen_random_uuid(), ${teamId}::uuid,
      case when seq % 5 < 4 then ${webhookId}::uuid else ids[1 + seq % 19] end, id, type,
      case when seq % 200 = 1 then 'failed' else 'delivered' end, occurred_at
    from made, others`
  return {
    ...tenant,
    contact: Id.fromUuid("contact", contactId),
    reference: contactId,
    webhook: Id.fromUuid("webhook", webhookId)
  }
}).pipe((load) => bulkLoad(bigTables, load))

/** A list, or a single resource, which has no page. */
interface Paged {
  readonly page?: { readonly nextCursor: string | null }
}

interface Asking {
  readonly reply: Reply<Paged>
  readonly statements: ReadonlyArray<SentStatement>
}

layer(service, { excludeTestServices: true, timeout: 60_000 })("What requests ask of the database", (it) => {
  it.effect(
    "takes one statement for the caller and one for the page, for 1 contact or 100, and three more for 500",
    () =>
      Effect.gen(function* () {
        const one = yield* ContactsClient.make()
        const many = yield* ContactsClient.make()
        yield* someContacts(one.teamId, 1)
        yield* someContacts(many.teamId, 501)
        for (const delta of ["", "&updated_since=2020-01-01"]) {
          const small = yield* statementsOf(one.list(`?page_size=500${delta}`))
          const usual = yield* statementsOf(many.list(`?page_size=100${delta}`))
          const large = yield* statementsOf(many.list(`?page_size=500${delta}`))
          assert.deepStrictEqual(
            [small, usual, large].map(({ reply, statements }) => [reply.body.data.length, statements.length]),
            [
              [1, 2],
              [100, 2],
              [500, 5]
            ]
          )
          assert.isTrue(large.reply.body.data.every(({ externalRefs }) => externalRefs.length === 2))
        }
      })
  )

  it.effect("takes one statement for authentication and the rate limit, also when rejected", () =>
    Effect.gen(function* () {
      const tenant = yield* ContactsClient.make()
      const nothing = yield* statementsOf(tenant.get("no-id-at-all"))
      assert.deepStrictEqual([nothing.reply.status, nothing.statements.length], [404, 1])
      assert.match(nothing.reply.headers.get("ratelimit") ?? "", /^"pat";r=\d+;t=\d+$/)
      const wrong = yield* statementsOf(
        tenant.request("GET", ContactsClient.path, {
          token: `${tenant.token.slice(0, -1)}${tenant.token.endsWith("a") ? "b" : "a"}`
        })
      )
      assert.strictEqual(wrong.reply.status, 401)
      assert.isAtMost(wrong.statements.length, 1)
    })
  )

  it.effect("takes two statements for one contact", () =>
    Effect.gen(function* () {
      const tenant = yield* ContactsClient.make()
      const [id = ""] = yield* someContacts(tenant.teamId, 1)
      const { reply, statements } = yield* statementsOf(tenant.get(Id.fromUuid("contact", id)))
      assert.lengthOf(reply.body.externalRefs, 2)
      assert.lengthOf(statements, 2)
    })
  )

  it.effect(
    "is read by index in tables of 20,000 rows, on every page of every list, and planned once for all callers",
    () =>
      Effect.gen(function* () {
        const { contact, reference, request, token, webhook } = yield* aBigTenant
        const get = (path: string) => request<Paged>("GET", path, { token })
        const contacts = (query: string) => `${ContactsClient.path}?page_size=50&${query}`
        const actions = (query: string) => `${ContactsClient.path}/${contact}/actions?page_size=50&${query}`
        const log = (query: string) => `/api/v1/webhooks/${webhook}/deliveries?${query}`
        const lists = [
          contacts(""),
          contacts("include_deleted=true"),
          contacts("updated_since=2020-01-01"),
          contacts("updated_since=2020-01-01&include_deleted=false"),
          contacts(`updated_since=${new Date(Date.now() - 86_400_000).toISOString()}&include_deleted=true`),
          contacts(`external_ref=crm:${reference}`),
          contacts(`external_ref=crm:${reference}&updated_since=2020-01-01`),
          contacts("external_ref=crm:none"),
          contacts("email=15000@EXAMPLE.com"),
          contacts("email=15000@example.com&tags=core"),
          contacts("email=15000@example.com&updated_since=2020-01-01&include_deleted=true"),
          contacts("tags=core"),
          contacts("tags=core&updated_since=2020-01-01"),
          contacts("tags=core&tags=rare"),
          contacts("tags=core&tags=rare&include_deleted=true"),
          `${ContactsClient.path}/${contact}?`,
          actions(""),
          actions("type=notes"),
          actions("type=audit"),
          "/api/v1/webhooks?page_size=5",
          `/api/v1/webhooks/${webhook}?`,
          log(""),
          log("status=failed"),
          log("status=exhausted"),
          log("status=delivered"),
          log("event_type=contact.deleted"),
          log("event_type=link.created"),
          log(`created_after=${new Date(Date.now() - 3_600_000).toISOString()}`),
          log(`created_before=${new Date(Date.now() - 86_400_000).toISOString()}`),
          log(`status=failed&event_type=contact.created&limit=100`)
        ]
        const found = yield* Effect.forEach(lists, (path) =>
          Effect.gen(function* () {
            let cursor: string | null | undefined
            let statements: ReadonlyArray<SentStatement> = []
            // The first page, and, where there are so many, the fourth.
            for (let page = 1; page <= 4; page++) {
              const asking: Asking = yield* statementsOf(get(cursor === undefined ? path : `${path}&cursor=${cursor}`))
              assert.strictEqual(asking.reply.status, 200, asking.reply.text)
              if (page === 1 || page === 4) statements = [...statements, ...asking.statements]
              cursor = asking.reply.body.page?.nextCursor
              if (typeof cursor !== "string") break
            }
            const all = (yield* Effect.forEach(statements, (one) => readsOf(one, bigTables))).flat()
            return { path, reads: all.map(({ by }) => by), rows: all.reduce((sum, { rows }) => sum + rows, 0) }
          })
        )
        const others = found.flatMap(({ path, reads }) =>
          reads.filter((read) => !/^(?:Index(?: Only)?|Bitmap Heap) Scan/.test(read)).map((read) => `${path}: ${read}`)
        )
        assert.deepStrictEqual(others, [])
        // Rows of both pages, with the references of their contacts.
        const many = found.filter(({ path, rows }) => /email=|tags=/.test(path) && rows > 1000)
        assert.deepStrictEqual(many, [])
        // The references of each contact of a page, too.
        assert.include(found[0]?.reads ?? [], "Index Scan of external_references by external_references_by_resource")

        const first = yield* statementsOf(get(contacts("")))
        const cursor = first.reply.body.page?.nextCursor ?? ""
        const asked = yield* Effect.forEach(
          [`${ContactsClient.path}/${contact}`, contacts(`cursor=${cursor}`), actions("")],
          (path) => statementsOf(get(path))
        )
        const reads = [first, ...asked]
          .flatMap(({ statements }) => statements)
          .filter(({ text }) =>
            bigTables.some((table) => text.includes(`from ${table}`) || text.includes(`join ${table}`))
          )
        assert.lengthOf(reads, 5)
        yield* plannedEachTime(reads)
        // A page is read in the order of an index for teams of any size: most teams here have fewer contacts than a page, and one has 16,000.
        const ofPages = reads.filter(({ text }) => text.includes("from contacts") && text.includes("limit"))
        assert.lengthOf(ofPages, 2)
        for (const page of ofPages) {
          const nodes = yield* planForAnyValues(page)
          assert.isEmpty(nodes.filter((node) => node["Node Type"].includes("Sort")))
        }
      })
  )
})
