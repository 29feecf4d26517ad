import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { Database } from "../../../src/platform/db/Database.ts"
import {
  type SentStatement,
  bulkLoad,
  type Plan,
  planOf,
  readsOf,
  rowsOf,
  service,
  statementsOf
} from "../../support/Statements.ts"
import type { Reply } from "../../support/TestService.ts"
import * as SearchClient from "./SearchClient.ts"

const isRead = (node: Plan) => ["contacts", "companies"].includes(node["Relation Name"] ?? "")

/** How a statement finds rows: by which indexes, and how many rows of tables it looks at. */
const workOf = Effect.fnUntraced(function* (statement: SentStatement) {
  const nodes = yield* planOf(statement)
  return {
    scans: nodes.filter(isRead).map((node) => node["Node Type"]),
    indexes: [...new Set(nodes.flatMap((node) => node["Index Name"] ?? []))].filter(
      (name) => !/pkey$|^external_references/.test(name)
    ),
    rows: nodes.filter(isRead).reduce((sum, node) => sum + rowsOf(node), 0)
  }
})

/** The statement of a search that finds its page. */
const pageOf = (statements: ReadonlyArray<SentStatement>): SentStatement => {
  const found = statements.find(({ text }) => text.includes("page as materialized"))
  assert.isDefined(found)
  return found
}

/** 50,000 contacts of one team, among 10,000 of others, and 30,000 companies. */
const load = Effect.gen(function* () {
  const sql = yield* Database
  const tenant = yield* SearchClient.make()
  const others = yield* Effect.forEach([1, 2, 3], () => SearchClient.make())
  const teams = [tenant, ...others].map(({ teamId }) => teamId)
  for (let from = 1; from < 120_000; from += 20_000) {
    yield* sql`
      insert into contacts (
        id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, first_name, last_name, email, phone, tags,
        strategy, linked_in_url, primary_language, deleted_at
      )
      select new_uuid_v7(at), (${teams}::uuid[])[1 + case when n % 6 < 5 then 0 else 1 + n / 6 % 3 end], 1, pg_current_xact_id(), at,
        at + (n % 1000) * interval '1 minute', 'created', 'import',
        (array['Anna', 'Björn', 'Jürgen', 'Maria', 'Søren', 'Łukasz', 'Peter', 'François', 'Ingrid', 'Karl'])[1 + h % 10] ||
          case when h % 3 = 0 then '-' || left(md5(n::text || 'x'), 4) else '' end,
        (array['Müller', 'Schmidt', 'Lindqvist', 'Andersson', 'Rossi', 'Dubois', 'Nowak', 'Larsen', 'Weiß', 'García'])[1 + h / 10 % 10]
          || case when h % 2 = 0 then '-' || left(md5(n::text), 5) else '' end,
        case when h % 13 > 0 then 'p' || n || '@' ||
          (array['example.com', 'rossi.example', 'immo-berlin.example', 'gmx.example'])[1 + h / 100 % 4] end,
        case when h % 2 = 0 then '+49 30 ' || 1000000 + n * 7 end,
        case when n % 1000 = 0 then '{rare,core}'::text[] when h % 3 = 0 then '{core}' else '{}' end,
        case when h % 3 = 0 then 'Looks for core-plus offices, lots of ' || md5(n::text) || ' million' end,
        case when h % 4 = 0 then 'https://www.linkedin.com/in/' || md5(n::text) end, 'de-DE',
        case when n % 50 = 49 then at end
      from generate_series(${from}::int, ${from + 19_999}::int) n,
        lateral (select timestamptz '2026-01-01' + n * interval '30 seconds' as at, hashint4(n) & 65535 as h) as made
      where n % 16 < 8`
    yield* sql`
      insert into companies (
        id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, name, legal_name, country, domain,
        homepage_url, tags
      )
      select id, team_id, 1, pg_current_xact_id(), created_at, updated_at, 'created', 'import', last_name, last_name || ' GmbH', 'DE',
        replace(email, '@', '.'), 'https://www.' || replace(email, '@', '.') || '/', tags
      from contacts where ${from}::int <= 60000 and created_at > timestamptz '2026-01-01' + (${from}::int - 1) * interval '30 seconds'`
  }
  // References of most contacts in one system, and of few in another.
  yield* sql`
    insert into external_references (team_id, resource_type, namespace, external_id, resource_id, position)
    select team_id, 'contact', 'crm', split_part(email, '@', 1), id, 0 from contacts where email is not null and deleted_at is null
    union all
    select team_id, 'contact', 'erp', id::text, id, 1 from contacts where tags @> '{rare}' and deleted_at is null`
  const [count] = yield* sql<{ count: number }>`select count(*)::int from contacts where team_id = ${tenant.teamId}`
  assert.strictEqual(count?.count, 50_000)
  return tenant
}).pipe((load) => bulkLoad(["contacts", "companies", "external_references"], load))

class BigTenant extends Context.Service<BigTenant, Effect.Success<typeof load>>()("test/network/search/BigTenant") {}

const sorted = (...fields: ReadonlyArray<string>) => ({
  sort: fields.map((field) => ({ field: field.replace("-", ""), direction: field.startsWith("-") ? "desc" : "asc" }))
})

// A search, by which index its rows are found, and how many rows are looked at at the most, on its first page and on the
// fourth.
const contacts: ReadonlyArray<readonly [search: object, index: string, rows: number]> = [
  [{}, "contacts_list", 60],
  [{ query: "example" }, "contacts_list", 200],
  [{ query: "muller" }, "contacts_(list|text|endings)", 12_000],
  [{ query: "MÜLLER jürgen" }, "contacts_(list|text|endings)", 12_000],
  [{ query: "p113456" }, "contacts_(text|endings)", 100],
  [{ query: "p113456@rossi" }, "contacts_(text|endings)", 100],
  [{ query: "nobody at all" }, "contacts_(text|endings)", 100],
  [{ query: "müller-abc" }, "contacts_text", 600],
  [{ query: "mü" }, "contacts_(list|text|endings)", 12_000],
  [{ query: "a" }, "contacts_(list|text|endings)", 12_000],
  [{ query: "zq" }, "contacts_(text|endings)", 100],
  [{ query: "+49 30 1 700 000" }, "contacts_text", 3000],
  [{ query: "17000" }, "contacts_text", 600],
  [{ query: "example", ...sorted("lastName") }, "contacts_last_name", 200],
  [{ query: "müller-abc", ...sorted("-name") }, "contacts_text", 600],
  [{ filter: { email: { eq: "P113457@rossi.example" } } }, "contacts_email_key", 60],
  [{ filter: { email: { in: ["p113457@rossi.example", "p5@gmx.example", "x"] } } }, "contacts_email_key", 60],
  [{ filter: { email: { prefix: "p1134" } } }, "contacts_(email_key|text)", 200],
  [{ filter: { email: { prefix: "p" } } }, "contacts_list", 200],
  [{ filter: { email: { contains: "13456@" } } }, "contacts_(text|endings)", 100],
  [{ filter: { email: { contains: "example" } } }, "contacts_list", 200],
  [{ filter: { email: { exists: false } } }, "contacts_list", 3000],
  [{ filter: { name: { eq: "peter müller" } } }, "contacts_name", 4000],
  [{ filter: { name: { prefix: "peter müller-ab" } } }, "contacts_(name|text)", 200],
  [
    { filter: { lastName: { prefix: "weiß-a" } }, ...sorted("lastName", "firstName") },
    "contacts_(last_name|text)",
    2500
  ],
  [{ filter: { phone: { eq: "+49 30 1700000" } } }, "contacts_text", 600],
  [{ filter: { strategy: { contains: "abcde" } } }, "contacts_strategy", 600],
  [{ filter: { strategy: { contains: "offices" } } }, "contacts_list", 600],
  [{ filter: { linkedInUrl: { eq: "https://www.linkedin.com/in/x" } } }, "contacts_linked_in", 60],
  [{ filter: { tags: { eq: "rare" } } }, "contacts_tags", 300],
  [{ filter: { tags: { in: ["rare", "none"] } }, ...sorted("name") }, "contacts_tags", 300],
  [{ filter: { tags: { contains: "core" } } }, "contacts_list", 600],
  [{ filter: { tags: { contains: "core" } }, ...sorted("-firstName") }, "contacts_first_name", 600],
  [{ filter: { updatedUtc: { gte: "2026-02-01", lt: "2026-02-01T04:00:00Z" } } }, "contacts_delta", 600],
  [{ filter: { updatedUtc: { gte: "2026-01-20" } }, ...sorted("-updatedUtc") }, "contacts_delta", 200],
  [{ filter: { createdUtc: { gte: "2026-02-01" } } }, "contacts_list", 60],
  [sorted("name"), "contacts_name", 60],
  [sorted("-name"), "contacts_name", 60],
  [sorted("lastName"), "contacts_last_name", 60],
  [sorted("-email"), "contacts_email_key", 60],
  [sorted("updatedUtc"), "contacts_delta", 200],
  [sorted("-createdUtc"), "contacts_list", 60]
]

const companies: typeof contacts = [
  [{ query: "rossi" }, "companies_(list|text|endings)", 4000],
  [{ query: "p113456" }, "companies_text", 100],
  [{ filter: { domain: { eq: "p113457.rossi.example" } } }, "companies_domain_key", 60],
  [{ filter: { domain: { prefix: "p1134" } } }, "companies_domain_key", 200],
  [{ filter: { homepageUrl: { contains: "13456.rossi" } } }, "companies_text", 100],
  [{ filter: { name: { prefix: "weiß-ab" } } }, "companies_(name|text)", 600],
  [{ filter: { tags: { eq: "rare" } } }, "companies_tags", 300],
  [sorted("name"), "companies_name", 60],
  [sorted("-domain"), "companies_domain_key", 60],
  [sorted("homepageUrl"), "companies_homepage", 60]
]

interface Paged {
  readonly data: ReadonlyArray<unknown>
  readonly page: { readonly nextCursor: string | null }
}

interface Asking {
  readonly reply: Reply<Paged>
  readonly statements: ReadonlyArray<SentStatement>
}

layer(Layer.effect(BigTenant, load).pipe(Layer.provideMerge(service)), { excludeTestServices: true, timeout: 240_000 })(
  "A search among 50,000",
  (it) => {
    it.effect(
      "reads each page by index in one statement, with few more rows than it answers",
      () =>
        Effect.gen(function* () {
          const { request, token } = yield* BigTenant
          const wrong: Array<string> = []
          for (const [room, searches] of [
            ["contacts", contacts],
            ["companies", companies]
          ] as const) {
            for (const [search, index, most] of searches) {
              let cursor: string | null = null
              for (let page = 1; page <= 4; page++) {
                const json: object = { ...search, ...(cursor === null ? {} : { cursor }) }
                const { reply, statements }: Asking = yield* statementsOf(
                  request<Paged>("POST", `/api/v1/network/${room}:search`, { token, json })
                )
                assert.strictEqual(reply.status, 200, reply.text)
                assert.lengthOf(statements, 2, "one for the caller and one for the page")
                const statement = pageOf(statements)
                cursor = reply.body.page.nextCursor
                if (page === 1 || page === 4) {
                  const { indexes, rows, scans } = yield* workOf(statement)
                  const seen = `${room} ${JSON.stringify(search)} page ${page}: ${reply.body.data.length} of ${rows} rows by ${indexes.join(
                    " and "
                  )}`
                  // The rows of the page are read once more, by their ids.
                  const least = rows - reply.body.data.length
                  if (
                    scans.some((scan) => /Seq Scan/.test(scan)) ||
                    !indexes.some((name) => new RegExp(`^${index}`).test(name)) ||
                    least > most
                  )
                    wrong.push(seen)
                }
                if (cursor === null) break
              }
            }
          }
          assert.deepStrictEqual(wrong, [])
        }),
      120_000
    )

    it.effect("finds external references by their key, and looks for those of a common system along the list", () =>
      Effect.gen(function* () {
        const { request, token } = yield* BigTenant
        const filters: ReadonlyArray<readonly [object, number]> = [
          [{ eq: "crm:p113456" }, 10],
          [{ eq: "crm:nobody" }, 10],
          [{ in: ["crm:p113456", "crm:p5", "crm:p6", "x:y"] }, 30],
          [{ prefix: "erp:" }, 1000],
          [{ prefix: "crm:" }, 1000],
          [{ exists: true }, 1000],
          [{ exists: false }, 3000],
          [{ prefix: "none:" }, 10]
        ]
        for (const [externalRefs, most] of filters) {
          const { reply, statements } = yield* statementsOf(
            request<Paged>("POST", "/api/v1/network/contacts:search", { token, json: { filter: { externalRefs } } })
          )
          assert.strictEqual(reply.status, 200, reply.text)
          const reads = yield* readsOf(pageOf(statements), ["contacts", "external_references"])
          const rows = reads.reduce((sum, read) => sum + read.rows, 0)
          assert.isAtMost(rows, most, JSON.stringify(externalRefs))
          assert.deepStrictEqual(
            reads.filter(({ by }) => by.startsWith("Seq Scan")),
            []
          )
          if ("eq" in externalRefs || "in" in externalRefs)
            assert.include(
              reads.map(({ by }) => by),
              "Index Scan of external_references by external_references_pkey"
            )
        }
      })
    )

    it.effect("finds a term of one in hundreds of rows by the trigram index, for any page size", () =>
      Effect.gen(function* () {
        const { request, token } = yield* BigTenant
        for (const ending of ["13", "27", "31", "58", "77", "91"]) {
          const json = { query: `${ending}@rossi`, page_size: 1 }
          const { reply, statements } = yield* statementsOf(
            request<Paged>("POST", "/api/v1/network/contacts:search", { token, json })
          )
          assert.lengthOf(reply.body.data, 1)
          const { indexes } = yield* workOf(pageOf(statements))
          assert.deepStrictEqual(indexes, ["contacts_text"], ending)
        }
      })
    )

    it.effect("finds common terms without parallel workers, which take longer to start", () =>
      Effect.gen(function* () {
        const { request, token } = yield* BigTenant
        for (const search of [{ query: "anna" }, { filter: { strategy: { contains: "offices" } } }]) {
          const { reply, statements } = yield* statementsOf(
            request<Paged>("POST", "/api/v1/network/contacts:search", { token, json: search })
          )
          assert.lengthOf(reply.body.data, 50)
          const nodes = yield* planOf(pageOf(statements))
          assert.deepStrictEqual(
            nodes.filter((node) => node["Node Type"].startsWith("Gather")),
            [],
            JSON.stringify(search)
          )
        }
      })
    )

    it.effect(
      "costs the same at any depth, in every direction",
      () =>
        Effect.gen(function* () {
          const { request, token } = yield* BigTenant
          for (const search of [sorted("createdUtc"), sorted("name"), sorted("-email"), sorted("-lastName")]) {
            let cursor: string | null = null
            let statement: SentStatement | undefined
            for (let page = 1; page <= 20; page++) {
              const json: object = { ...search, page_size: 250, ...(cursor === null ? {} : { cursor }) }
              const { reply, statements }: Asking = yield* statementsOf(
                request<Paged>("POST", "/api/v1/network/contacts:search", { token, json })
              )
              cursor = reply.body.page.nextCursor
              statement = pageOf(statements)
            }
            const { rows } = yield* workOf(statement ?? { text: "", parameters: [] })
            assert.isAtMost(rows, 550, JSON.stringify(search))
          }
        }),
      120_000
    )
  }
)
