/**
 * Data of every kind for the pages of the console, whose texts try to become more than text: HTML, scripts, templates, marks that turn the
 * direction of what is read, and words that do not end. Which columns hold texts of people is known from `src/privacy/classification.ts`,
 * so that a new column is planted by itself.
 */
import * as Id from "../../src/core/Id.ts"
import * as Tenant from "../support/Tenant.ts"
import { Effect } from "effect"
import { asOperator } from "../../src/core/auth/CurrentActor.ts"
import { Passwords } from "../../src/identity/signIn/Passwords.ts"
import { Sessions } from "../../src/identity/signIn/Sessions.ts"
import { Clients } from "../../src/identity/clients/Clients.ts"
import { Teams } from "../../src/identity/teams/Teams.ts"
import { Users } from "../../src/identity/users/Users.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { isPersonal, tables } from "../../src/privacy/classification.ts"
import { everything, operations, resourcesOf } from "../support/Surface.ts"
import { TestService } from "../support/TestService.ts"
import { addDeliveries } from "../webhooks/healthRows.ts"
import { appAt, letAct, requestOf } from "./inBrowser.ts"

/** What a page must show as text: as HTML, it would leave elements with the attribute `data-planted`, or run. */
export const planted = [
  `Zoë "><img src=x onerror="globalThis.planted=1" data-planted><script data-planted>globalThis.planted=1</script>`,
  `'><a href="javascript:globalThis.planted=1" data-planted>{{7*7}}\${7*7}`,
  "\u202Egpj.exe\u202C \u200F\u0627\u0644\u0639\u0631\u0628\u064A\u0629",
  "W".repeat(200)
].join(" ")

// Of what is text by its kind, these are read by programs.
const formats = /^(?:culture|primary_language|time_zone|.*_url|url|email|phone|domain|address|sha256|content_type)$/

/** The columns that hold what people wrote, by table. */
export const plantedColumns: ReadonlyArray<readonly [table: string, column: string]> = Object.entries(tables).flatMap(
  ([table, { columns }]) =>
    Object.entries(columns)
      .filter(
        ([column, holds]) =>
          (isPersonal(holds)
            ? holds.erasure !== "follows" && ["identity", "text", "content", "trace", "answer"].includes(holds.kind)
            : holds === "business") && !formats.test(column)
      )
      .map(([column]) => [table, column] as const)
)

/** Replaces the texts of all rows of the database. */
const plant = Effect.gen(function* () {
  const sql = yield* Database
  const found = yield* sql<{ readonly table: string; readonly column: string; readonly type: string }>`
    select table_name as "table", column_name as "column", data_type as type from information_schema.columns
    where table_schema = 'public' and is_generated = 'NEVER' and data_type in ('text', 'ARRAY')`
  const types = new Map(found.map(({ column, table, type }) => [`${table}.${column}`, type]))
  for (const [table, column] of plantedColumns) {
    const type = types.get(`${table}.${column}`)
    // What is written once, such as the audit log, has no free text. Rows differ, as names do.
    if (type === undefined || table === "audit_log" || table === "events") continue
    yield* type === "text"
      ? sql`update ${sql(table)} set ${sql(column)} = ${planted} || ' ' || ctid::text where ${sql(column)} is not null`
      : sql`update ${sql(table)} set ${sql(column)} = array[${planted}] where cardinality(${sql(column)}) > 0`
  }
  // The bodies of events are JSON.
  yield* sql`update events set body = jsonb_set(body::jsonb, '{planted}', to_jsonb(${planted}::text))::text`
})

/** Someone who uses the console, and a session of theirs. */
export interface Someone {
  readonly name: "broker administrator" | "investor" | "operator" | "stranger"
  readonly session: string
  /** Their team, as addresses have it. */
  readonly team: string
  readonly userId: string
  readonly email: string
}

const someone = Effect.fnUntraced(function* (
  name: Someone["name"],
  { email, team, userId }: Effect.Success<ReturnType<typeof Tenant.make>>,
  uiCulture: string
) {
  const { begin } = yield* Sessions
  const sql = yield* Database
  yield* sql`
    update users set ui_culture = ${uiCulture}, culture = ${uiCulture}, is_operator = ${name === "operator"} where id = ${userId}`
  const session = yield* begin(userId, { userAgent: "Firefox/140.0", address: "2001:db8::1" })
  return { name, session, team, userId, email } satisfies Someone
})

/** What an administrator and their colleagues have, besides records. */
const fill = Effect.fnUntraced(function* (owner: Effect.Success<ReturnType<typeof Tenant.make>>) {
  const { baseUrl, request } = yield* TestService
  const sql = yield* Database
  const [clients, passwords, sessions, teams, users] = [
    yield* Clients,
    yield* Passwords,
    yield* Sessions,
    yield* Teams,
    yield* Users
  ]
  yield* asOperator(
    Effect.gen(function* () {
      for (const [number, role] of (["admin", "member", "member"] as const).entries()) {
        const email = `colleague.${number}.${owner.userId}@example.com`
        yield* users.create({ email, name: `Colleague ${number}`, teamId: owner.team, role, broker: "pending" })
      }
      const guest = yield* Tenant.make({ broker: "pending" })
      yield* teams.invite({ teamId: owner.team, email: guest.email, role: "member" })
      for (const name of ["CRM sync", "Export"])
        yield* clients.create({ teamId: owner.team, name, botName: "Sync Bot" })
      yield* passwords.createLink(owner.email)
    })
  )
  const app = yield* appAt("Radar", "https://radar.example.com/callback")
  yield* letAct(
    requestOf(baseUrl, app.client_id, "https://radar.example.com/callback"),
    { user: { id: owner.user } },
    { id: owner.team }
  )
  for (const userAgent of ["Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0", "curl/8.14.1"]) {
    yield* sessions.begin(owner.userId, { userAgent, address: "203.0.113.7" })
  }
  // Enough for a second page of lists: contacts with their events, and deliveries of every outcome.
  const items = Array.from({ length: 60 }, (_, index) => ({
    firstName: `Person ${index}`,
    tags: ["core", `t${index % 7}`]
  }))
  yield* request("POST", "/api/v1/network/contacts/batch/upsert", { token: owner.token, json: { items } })
  // Requests that fail, for the pages of what was asked and refused.
  yield* request("GET", "/api/v1/network/contacts?page_size=x", { token: owner.token })
  yield* request("GET", "/api/v1/network/contacts/contact_01kb3n7x2ferwt5z8q4j6m9d0c", { token: owner.token })
  const [webhook] = yield* sql<{ readonly id: string }>`
    select id from webhooks where team_id = ${owner.teamId} order by id limit 1`
  const createdAt = new Date(Date.now() - 3_600_000)
  for (const [status, statusCode, count] of [
    ["delivered", 204, 40],
    ["failed", 500, 10],
    ["exhausted", 410, 10],
    ["pending", 503, 5]
  ] as const) {
    const rows = { status, statusCode, count, createdAt, attempts: [12, 340] }
    yield* addDeliveries(owner.teamId, webhook?.id ?? "", rows)
  }
  yield* sql`
    update delivery_attempts set status_code = 500, error = 'status', response_body = 'Down',
      response_headers = '{"content-type": "text/html"}', request_headers = '{"webhook-id": "msg_1"}'`
})

/** People of each kind, with data of every kind, and a stranger who may do all in a team of their own. The database is the caller's own. */
export const everyKind = Effect.gen(function* () {
  const owner = yield* Tenant.make(everything)
  const asked = yield* Tenant.make({ broker: null })
  const [broker, investor, operator] = [
    yield* someone("broker administrator", owner, "en-GB"),
    yield* someone("investor", yield* Tenant.make({ broker: null, investor: "active", role: "member" }), "de-DE"),
    yield* someone("operator", asked, "en-US")
  ]
  // One record of each type that an address can name.
  const groups = new Map(
    operations
      .filter(({ params, path }) => params.length > 0 && !/\/(?:restore|reopen)$/.test(path))
      .map((one) => [one.path.slice(0, one.path.lastIndexOf(":") + 3), one])
  )
  yield* Effect.forEach(groups.values(), (operation) => resourcesOf(operation, owner), {
    concurrency: 4,
    discard: true
  })
  yield* fill(owner)
  const sql = yield* Database
  yield* sql`
    insert into teasers (
      subject_type, subject_id, team_id, version, created_at, updated_at, change_type, change_origin, published_at, options, title
    )
    select 'project', id, team_id, 1, now(), now(), 'created', 'app', now(), '{}', 'Core office'
    from projects where team_id = ${owner.teamId} on conflict do nothing`
  yield* sql`update files set content_type = 'application/pdf' where team_id = ${owner.teamId}`
  // As many entries as a busy day has.
  yield* sql`
    insert into audit_log (id, at, keep_until, team_id, actor_kind, actor_id, action, target_type, target_id, outcome, details)
    select new_uuid_v7(at), at, keep_until, ${owner.teamId}, actor_kind, actor_id, action, target_type, target_id, outcome, details
    from (select *, row_number() over () as number from audit_log) as present cross join generate_series(1, 20)
    where number <= 5`
  const checked = "01980000-0000-7000-8000-000000000001"
  const imported = "01980000-0000-7000-8000-000000000002"
  yield* sql`
    insert into imports (
      team_id, id, user_id, kind, format, file_name, size, content, header, options, state, counts, report, receipts, created_at, changed_at
    )
    select team_id, run.id::uuid, ${owner.userId}::uuid, 'contacts', 'csv', name, size, content,
      jsonb_build_object('names', jsonb_build_array('email', ${planted}::text), 'example', jsonb_build_array(${planted}::text)),
      '{"columns": {}, "onDuplicate": "refuse", "linkCompanies": false, "keepRows": false}', run.state,
      '{"rows": 2, "created": 1, "updated": 0, "unchanged": 0, "failed": 1, "duplicate": 0, "repeated": 0}',
      jsonb_build_object('reported', '[]'::jsonb, 'others', 0, 'refused', jsonb_build_array(jsonb_build_object(
        'column', ${planted}::text, 'code', 'invalid', 'detail', ${planted}::text, 'count', 1, 'line', 2, 'value', ${planted}::text
      ))), content, now(), now()
    from (select * from files where team_id = ${owner.teamId} limit 1) as file
    cross join (values (${checked}, 'checked'), (${imported}, 'imported')) as run (id, state)`
  // What operators ask for, at every state.
  const files = { count: 1, bytes: 2, missing: ["file"] }
  const runs = [
    ["export", "done", {}, { users: 1, rows: { contacts: 2 }, files }],
    ["export", "running", {}, null],
    ["import", "refused", {}, null],
    [
      "import",
      "checked",
      {},
      { users: { created: 1, matched: 2, withoutAccount: 3 }, rows: {}, files, clientsToRotate: 1, webhooksToRotate: 1 }
    ],
    [
      "restore",
      "done",
      { deletedBy: asked.user, sinceUtc: "2026-11-20T10:00:00Z", untilUtc: "2026-11-21T10:00:00Z", types: ["contact"] },
      {
        records: [{ type: "contact", deleted: 2, restored: 1 }],
        notRestored: [{ type: "contact", id: planted, code: "duplicate" }]
      }
    ]
  ] as const
  const runIds: Array<string> = []
  for (const [kind, state, options, report] of runs) {
    const [made] = yield* sql<{ readonly id: string }>`
      insert into team_runs (
        id, user_id, kind, team, team_name, options, state, progress, report, detail, file_name, size, content, created_at, changed_at
      )
      select new_uuid_v7(now()), ${asked.userId}::uuid, ${kind}, ${owner.team}, name, ${sql.json(options)}, ${state}, '{"bytes": 7}',
        ${report === null ? null : sql.json(report)}, case when ${state} = 'refused' then name end, name, size, content, now(), now()
      from files where team_id = ${owner.teamId} limit 1 returning id`
    runIds.push(`/console/operation/runs/${made?.id ?? ""}`)
  }
  yield* plant
  const [deep] = yield* sql<{ readonly file: string; readonly project: string; readonly prospect: string }>`
    select (select id from files where team_id = ${owner.teamId} limit 1) as file, project_id as project, id as prospect
    from prospects where team_id = ${owner.teamId} limit 1`
  const people: ReadonlyArray<Someone> = [broker, investor, operator]
  /** Addresses to which a link leads from only one of many. */
  const ofBroker = [
    `/console/${owner.team}/files/${Id.fromUuid("file", deep?.file ?? "")}/view`,
    `/console/${owner.team}/imports/${checked}`,
    `/console/${owner.team}/imports/${checked}/receipts`,
    `/console/${owner.team}/imports/${checked}/latest`,
    `/console/${owner.team}/imports/${imported}`,
    `/console/${owner.team}/projects/${Id.fromUuid("project", deep?.project ?? "")}/prospects/${Id.fromUuid("prospect", deep?.prospect ?? "")}`
  ]
  const [exported = "", running = "", ...others] = runIds
  const ofOperator = [exported, `${exported}/file`, running, `${running}/latest`, ...others]
  const deepAddressesOf = (person: Someone) =>
    person === broker ? ofBroker : person === operator ? ofOperator : ([] as const)
  return { people, deepAddressesOf, stranger: yield* someone("stranger", yield* Tenant.make(everything), "en-GB") }
}).pipe(Effect.orDie)
