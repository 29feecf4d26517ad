import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../../src/platform/db/Database.ts"
import * as Id from "../../../src/core/Id.ts"
import * as RecordsClient from "../../support/RecordsClient.ts"
import {
  type SentStatement,
  bulkLoad,
  readsOf,
  service,
  statementsOf,
  statementsSentBy
} from "../../support/Statements.ts"
import * as EarlierRows from "../../../src/core/records/EarlierRows.ts"
import * as Tenant from "../../support/Tenant.ts"
import * as UseCaseRequest from "../../../src/core/usecase/UseCaseRequest.ts"
import { actAs } from "../../../src/core/auth/CurrentActor.ts"
import type { FileRows } from "../../../src/core/records/UpsertMatching.ts"
import { Contacts } from "../../../src/network/contacts/Contacts.ts"
import { type Reply, TestService } from "../../support/TestService.ts"

const times = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index)

const tables = ["contacts", "companies", "links", "external_references"]

/** The public ids of rows that {@link aBigTenant} made, by their numbers. */
const idsOf = (teamId: string) => {
  const id =
    <P extends "contact" | "company" | "link">(type: P) =>
    (n: number) =>
      Effect.gen(function* () {
        const sql = yield* Database
        const [row] = yield* sql<{ id: string }>`select test_id(${`${type} ${teamId} ${n}`}) as id`
        return Id.fromUuid(type, row?.id ?? "")
      }).pipe(Effect.orDie)
  return { contact: id("contact"), company: id("company"), link: id("link") }
}

/** A tenant with 20,000 contacts, companies and links, one in ten of them a tombstone, and references to all. */
const aBigTenant = Effect.gen(function* () {
  const sql = yield* Database
  const tenant = yield* RecordsClient.make()
  const { teamId } = tenant
  const audit = sql`id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, deleted_at, deleted_refs`
  const values = (type: string) => sql`
    test_id(${`${type} ${teamId} `} || n), ${teamId}::uuid, 1, pg_current_xact_id(), now() - (200000 - n) * interval '30 seconds',
    now() - (200000 - n % 1000) * interval '30 seconds', 'created', 'import',
    case when n % 10 = 7 then now() end, case when n % 10 = 7 then '[]'::jsonb end`
  // As good as a UUIDv7, but known.
  yield* sql`
    create function test_id(name text) returns uuid language sql immutable
    return overlay(overlay(md5(name) placing '7' from 13) placing '8' from 17)::uuid`
  yield* sql`
    insert into contacts (${audit}, first_name, email, primary_company_id)
    select ${values("contact")}, 'Contact ' || n, n || '@example.com',
      case when n % 10 <> 7 then test_id(${`company ${teamId} `} || n) end
    from generate_series(1, 20000) n`
  yield* sql`
    insert into companies (${audit}, name, name_key, country, domain)
    select ${values("company")}, 'Berg ' || n, 'berg ' || n, 'DE', n || '.example'
    from generate_series(1, 20000) n`
  yield* sql`
    insert into links (${audit}, contact_id, company_id, job_title)
    select ${values("link")}, test_id(${`contact ${teamId} `} || n), test_id(${`company ${teamId} `} || n % 2000), 'Partner'
    from generate_series(1, 20000) n`
  for (const [type, table] of [
    ["contact", "contacts"],
    ["company", "companies"],
    ["link", "links"]
  ] as const) {
    yield* sql`
      insert into external_references (team_id, resource_type, namespace, external_id, resource_id, position)
      select team_id, ${type}, 'crm', ${type} || ' ' || row_number() over (order by created_at, id), id, 0
      from ${sql.literal(table)} where team_id = ${teamId} and deleted_at is null`
  }
  return { ...tenant, ids: idsOf(teamId) }
}).pipe((load) => bulkLoad(tables, load))

layer(service, { excludeTestServices: true, timeout: 60_000 })("What batches ask of the database", (it) => {
  it.effect("takes as many statements for a hundred items as for one", () =>
    Effect.gen(function* () {
      const { companies, contacts, links } = yield* RecordsClient.make()
      const firm = (yield* companies.create({ name: "Berg" })).body.id
      const counted = <A>(request: Effect.Effect<Reply<A>>, status = 207) =>
        Effect.map(statementsOf(request), ({ reply, statements }) => {
          assert.strictEqual(reply.status, status, reply.text)
          return statements.length
        })
      const counts: Record<string, Array<number>> = {}
      const count = Effect.fnUntraced(function* (what: string, request: Effect.Effect<Reply<unknown>>) {
        counts[what] = [...(counts[what] ?? []), yield* counted(request)]
      })
      for (const size of [2, 10, 100]) {
        const person = (n: number) => ({
          firstName: `${n}`,
          email: `${size}-${n}@example.com`,
          primaryCompanyId: firm,
          externalRefs: [
            { namespace: "crm", externalId: `${size} ${n}` },
            { namespace: "erp", externalId: `${size} ${n}` }
          ]
        })
        const company = (n: number) => ({
          name: `Tal ${size} ${n}`,
          domain: `${size}-${n}.example`,
          externalRefs: [{ namespace: "crm", externalId: `${size} ${n}` }]
        })
        yield* count("contacts made", contacts.upsert(times(size).map(person)))
        yield* count("contacts again", contacts.upsert(times(size).map(person)))
        yield* count("contacts changed", contacts.upsert(times(size).map((n) => ({ ...person(n), phone: "1" }))))
        yield* count("companies made", companies.upsert(times(size).map(company)))
        yield* count("companies changed", companies.upsert(times(size).map((n) => ({ ...company(n), country: "DE" }))))
        const people = (yield* contacts.list("?page_size=500")).body.data.slice(-size).map(({ id }) => id)
        const pairs = people.map((contactId) => ({ contactId, companyId: firm }))
        yield* count("links made", links.upsert(pairs))
        yield* count("links changed", links.upsert(pairs.map((pair) => ({ ...pair, jobTitle: "Partner" }))))
        const made = (yield* links.list("?page_size=500")).body.data.slice(-size).map(({ id }) => id)
        yield* count("links got", links.batchGet(made))
        yield* count("links deleted", links.batchDelete(made))
        yield* count("links brought back", links.upsert(pairs))
        yield* count("contacts got", contacts.batchGet(people))
        yield* count("contacts deleted", contacts.batchDelete(people))
        yield* count("failures", contacts.upsert(times(size).map((n) => ({ email: `${n}` }))))
      }
      for (const [what, numbers] of Object.entries(counts)) {
        assert.lengthOf(new Set(numbers), 1, `${what}: ${numbers.join(", ")}`)
        assert.isAtMost(numbers[0] ?? 0, 30, what)
      }
    })
  )

  it.effect(
    "takes a statement for each hundred rows of a file, whose next are decided meanwhile, however much text they have",
    () =>
      Effect.gen(function* () {
        const actor = Tenant.actorOf(yield* Tenant.make())
        const { importRows } = yield* Contacts
        const inserted = Effect.fnUntraced(function* (name: string, strategy: string) {
          const items = times(250).map((n) => ({
            firstName: `${name} ${n}`,
            email: `${name}.${n}@example.com`,
            strategy
          }))
          const rows: FileRows = {
            lines: times(250, 2),
            onDuplicate: "refuse",
            restore: false,
            earlier: EarlierRows.make(false).batch(),
            turn: Effect.void,
            lookedUp: Effect.void
          }
          const { reply, statements } = yield* statementsSentBy(
            actAs(actor)(importRows(UseCaseRequest.ofRows({ operation: "import", items }), rows))
          )
          assert.isTrue(reply.value.results.every(({ status }) => status === "created"))
          return statements.filter(({ text }) => /insert into contacts/.test(text)).length
        })
        assert.strictEqual(yield* inserted("Short", "Core offices"), 3)
        assert.strictEqual(yield* inserted("Long", "core ".repeat(1900)), 3)
      })
  )

  it.effect("takes one statement for each hundred companies or links of a page, and one for its caller", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      for (const collection of ["companies", "links"] as const) {
        for (const [size, expected] of [
          [1, 2],
          [500, 5]
        ] as const) {
          const tenant = yield* RecordsClient.make()
          const columns = collection === "companies" ? sql`name` : sql`contact_id, company_id`
          const values = collection === "companies" ? sql`'Berg ' || n` : sql`gen_random_uuid(), gen_random_uuid()`
          yield* Effect.orDie(sql`
            insert into ${sql.literal(collection)} (
              id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, ${columns}
            )
            select new_uuid_v7(now()), ${tenant.teamId}::uuid, 1, pg_current_xact_id(), now(), now(), 'created', 'import', ${values}
            from generate_series(1, ${size}::int) n`)
          const page: Effect.Effect<Reply<unknown>> = tenant[collection].list("?page_size=500")
          const { reply, statements } = yield* statementsOf(page)
          assert.strictEqual(reply.status, 200)
          assert.lengthOf(statements, expected, `${size} ${collection}`)
        }
      }
    })
  )

  it.effect(
    "is read by index among 20,000 rows, for every filter",
    () =>
      Effect.gen(function* () {
        const { companies, contacts, ids, links } = yield* aBigTenant
        const [contact, company, link] = [yield* ids.contact(15_001), yield* ids.company(1001), yield* ids.link(15_001)]
        const dead = yield* ids.company(7)
        const since = encodeURIComponent(new Date(Date.now() - 86_400_000).toISOString())
        const many = yield* Effect.forEach(times(100, 10_001), (n) => ids.contact(n))
        const firms = yield* Effect.forEach(times(100, 1), (n) => ids.company(n))
        const asks: Record<string, Effect.Effect<Reply<unknown>>> = {
          companies: companies.list(),
          "companies with tombstones": companies.list("?include_deleted=true"),
          "companies since": companies.list(`?updated_since=2020-01-01`),
          "companies since, with tombstones": companies.list(`?updated_since=${since}&include_deleted=true`),
          "a company by reference": companies.list("?external_ref=crm:company%2040"),
          links: links.list(),
          "links with tombstones": links.list("?include_deleted=true"),
          "links since": links.list("?updated_since=2020-01-01"),
          "links of a contact": links.list(`?contact_id=${contact}`),
          "links of a company": links.list(`?company_id=${company}`),
          "links of a contact with tombstones": links.list(`?contact_id=${contact}&include_deleted=true`),
          "links of a company with tombstones": links.list(`?company_id=${company}&include_deleted=true`),
          "links of a company that is gone": links.list(`?company_id=${dead}&include_deleted=true`),
          "links of a contact since": links.list(`?contact_id=${contact}&updated_since=2020-01-01`),
          "links of a company since": links.list(`?company_id=${company}&updated_since=2020-01-01`),
          "links of a pair": links.list(`?company_id=${company}&contact_id=${contact}`),
          "a link by reference": links.list("?external_ref=crm:link%2040"),
          "contacts got": contacts.batchGet(many),
          "a contact made": contacts.create({ email: "new@example.com", primaryCompanyId: company }),
          "a contact refused": contacts.create({ email: "5@example.com" }),
          "a contact patched": contacts.patch(contact, { email: "new2@example.com" }),
          "a company made": companies.create({ name: "Neu", domain: "neu.example", country: "DE" }),
          "a company refused": companies.create({ name: "Berg 5", country: "DE" }),
          "a company refused by domain": companies.create({ name: "Neu", domain: "6.example", country: "DE" }),
          "a company patched": companies.patch(company, { name: "Neu 2" }),
          "a link made": links.create({ contactId: contact, companyId: yield* ids.company(12_222) }),
          "a link refused": links.create({ contactId: yield* ids.contact(3), companyId: yield* ids.company(3) }),
          "a link patched": links.patch(link, { jobTitle: "Director" }),
          "contacts upserted": contacts.upsert(
            times(100, 16_001).map((n) => ({
              email: `${n}@example.com`,
              phone: "1",
              externalRefs: [{ namespace: "crm", externalId: `contact ${n}` }]
            }))
          ),
          "companies upserted": companies.upsert(
            times(100, 16_001).map((n) => ({
              name: `Tal ${n}`,
              domain: `tal-${n}.example`,
              externalRefs: [{ namespace: "crm", externalId: `company ${n}` }]
            }))
          ),
          "links upserted": links.upsert(
            many.map((contactId, n) => ({ contactId, companyId: firms[n], jobTitle: "Director" }))
          ),
          "contacts deleted": contacts.batchDelete(many),
          "a company deleted": companies.delete(yield* ids.company(1002)),
          "companies deleted": companies.batchDelete(firms.slice(0, 20)),
          "a contact deleted": contacts.delete(yield* ids.contact(15_002))
        }
        const slow: Array<string> = []
        for (const [what, ask] of Object.entries(asks)) {
          const { reply, statements }: { reply: Reply<unknown>; statements: ReadonlyArray<SentStatement> } =
            yield* statementsOf(ask)
          assert.include(/refused/.test(what) ? [409] : [200, 201, 204, 207], reply.status, `${what}: ${reply.text}`)
          for (const statement of statements) {
            for (const { by, rows } of yield* readsOf(statement, tables)) {
              if (by.startsWith("Seq Scan") || rows > 4000)
                slow.push(`${what}: ${by}, ${rows} rows: ${statement.text.slice(0, 2000)}`)
            }
          }
        }
        assert.deepStrictEqual(slow, [])
      }),
    120_000
  )

  it.effect(
    "looks up what it asks for by its index for a team that statistics do not know yet",
    () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const [known, imported] = [yield* RecordsClient.make(), yield* RecordsClient.make()]
        // What makes the index of addresses one level higher than others that begin with the team.
        const local = "a".repeat(58)
        const domain = `${"b".repeat(60)}.${"c".repeat(60)}.example`
        const fill = (teamId: string, from: number, rows: number) => sql`
          insert into contacts (
            id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, first_name, email
          )
          select gen_random_uuid(), ${teamId}::uuid, 1, pg_current_xact_id(), now() + n * interval '1 ms', now(), 'created',
            'import', 'Anna', ${local} || n || ${`@${domain}`}
          from generate_series(${from}::int, ${from + rows - 1}::int) n`
        yield* bulkLoad(["contacts"], fill(known.teamId, 0, 3000))
        for (const from of times(7)) yield* fill(imported.teamId, from * 2000, 2000)
        const upsert = imported.contacts.upsert(
          times(100).map((n) => ({ firstName: "Anna", email: `${local}${n * 100}@${domain}` }))
        )
        const [first = "", second = ""] = (yield* imported.contacts.list("?page_size=2")).body.data.map(({ id }) => id)
        // A project that was deleted with its list, whose contacts are looked up again.
        const { request } = yield* TestService
        const { token } = imported
        const project = yield* request<{ readonly id: string }>("POST", "/api/v1/projects", {
          token,
          json: { name: "Harbour", exclusivity: "exclusive", ownerId: "me" }
        })
        const path = `/api/v1/projects/${project.body.id}`
        const listed = yield* request("POST", `${path}/prospects`, { token, json: { contactId: second } })
        assert.strictEqual(listed.status, 201, listed.text)
        yield* request("DELETE", path, { token })
        const asks: ReadonlyArray<Effect.Effect<Reply<unknown>>> = [
          request("POST", `${path}/restore`, { token }),
          upsert,
          imported.contacts.patch(first, { phone: "1" }),
          request("POST", "/api/v1/network/contacts:search", { token, json: {} }),
          imported.contacts.delete(first),
          imported.contacts.batchDelete([second])
        ]
        const looked: Array<string> = []
        for (const ask of asks) {
          const { reply, statements }: { reply: Reply<unknown>; statements: ReadonlyArray<SentStatement> } =
            yield* statementsOf(ask)
          assert.isBelow(reply.status, 300, reply.text)
          for (const statement of statements) {
            const reads = yield* readsOf(statement, ["contacts"])
            // The rows of a page, once a search has found their ids. How much of an index was read does not count as rows.
            if (statement.text.includes("id = found_id"))
              assert.include(
                reads.map(({ by }) => by),
                "Index Scan of contacts by contacts_pkey",
                statement.text
              )
            for (const { by, rows } of reads) {
              looked.push(by)
              assert.isAtMost(rows, 4000, `${by}: ${statement.text.slice(0, 2000)}`)
              // What writes is not run again to count its rows.
              if (/^\s*update contacts|update prospects/.test(statement.text))
                assert.match(by, /by contacts_pkey$/, statement.text)
            }
          }
        }
        assert.include(looked, "Index Scan of contacts by contacts_email")
      }),
    120_000
  )
})
