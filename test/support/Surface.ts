/** Every operation of the contract, with valid requests, and callers who may or may not call it. */
import * as Id from "../../src/core/Id.ts"
import * as Tenant from "./Tenant.ts"
import { assert } from "@effect/vitest"
import { Context, Effect, SchemaAST } from "effect"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Api } from "../../src/Api.ts"
import { Clients } from "../../src/identity/clients/Clients.ts"
import type { IssuedToken } from "../../src/identity/oauth/Grant.ts"
import { asOperator } from "../../src/core/auth/CurrentActor.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { type Needed, Needs } from "../../src/http/Contract.ts"
import { operationIdOf } from "../../src/http/OpenApiOperations.ts"
import type { Rooms } from "../../src/deals/rooms/Rooms.ts"
import { open as openRoom } from "../deals/rooms/fixture.ts"
import { type RequestOptions, TestService } from "./TestService.ts"
import type { Dispatcher } from "../../src/webhooks/deliveries/Dispatcher.ts"
import { fanOut } from "../webhooks/fanOut.ts"

/** One operation. */
export interface Operation {
  /** The operation id of the OpenAPI document. */
  readonly id: string
  readonly method: string
  /** With `:parameters`. */
  readonly path: string
  readonly needs: Needed
  /** Whether it requires authentication. */
  readonly hasCaller: boolean
  /** The names of its parameters in the path and in the query. */
  readonly params: ReadonlyArray<string>
  readonly query: ReadonlyArray<string>
  readonly hasBody: boolean
}

const operationOf = (group: HttpApiGroup.Top, endpoint: HttpApiEndpoint.Top): Operation => ({
  id: operationIdOf(group, endpoint),
  method: endpoint.method,
  path: endpoint.path,
  needs: Context.get(endpoint.annotations, Needs),
  hasCaller: endpoint.middlewares.size > 0,
  params: endpoint.path.split("/").filter((segment) => segment.startsWith(":")),
  query:
    endpoint.query !== undefined && SchemaAST.isObjects(endpoint.query.ast)
      ? endpoint.query.ast.propertySignatures.map(({ name }) => String(name))
      : [],
  hasBody: endpoint.payload.size > 0
})

const groups: unknown = Object.values(Api.groups)

/** Every operation, in the order of paths. */
export const operations: ReadonlyArray<Operation> = (groups as ReadonlyArray<HttpApiGroup.Top>)
  .flatMap((group) => Object.values(group.endpoints).map((endpoint) => operationOf(group, endpoint)))
  .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.method < b.method ? -1 : 1))

/** The line of an operation in surface.txt: `capability METHOD /path`. */
export const lineOf = ({ method, needs, path }: Operation): string =>
  `${needs.padEnd("broker-or-investor".length)} ${method.padEnd(6)} ${path}`

/** A team with one user. */
export type Caller = Effect.Success<ReturnType<typeof Tenant.make>>

/** The callers with the least permissions for each need. */
export const having: { readonly [need in Exclude<Needed, "public">]: Tenant.TenantOptions } = {
  none: { broker: null, membership: "pending" },
  member: { broker: null },
  broker: {},
  investor: { broker: null, investor: "active" },
  "broker-or-investor": { broker: null, investor: "pending" },
  // What an investor may read is shared by a broker: `test/deals/messages/Files.test.ts`.
  "either-active": {},
  // An administrator.
  "admin-or-broker": { broker: null }
}

/** Callers with all permissions except the needed capability. */
export const lacking: { readonly [need in Exclude<Needed, "public">]: ReadonlyArray<Tenant.TenantOptions> } = {
  none: [],
  member: [],
  broker: [
    { broker: null, investor: "active" },
    { broker: "pending", investor: "active" }
  ],
  investor: [{ investor: null }, { investor: "pending" }],
  "broker-or-investor": [{ broker: "pending", investor: null }],
  "either-active": [
    { broker: null, investor: "pending" },
    { broker: "pending", investor: null }
  ],
  "admin-or-broker": [
    { role: "member", broker: null, investor: "active" },
    { role: "member", broker: "pending", investor: "active" }
  ]
}

/** A caller with all permissions. */
export const everything: Tenant.TenantOptions = { broker: "active", investor: "active" }

const createdBy = (path: string, json: unknown) => (owner: Caller) =>
  Effect.flatMap(TestService, ({ request }) =>
    Effect.map(
      request<{ readonly id: string }>("POST", path, { token: owner.token, json }),
      ({ body, status, text }) => {
        assert.strictEqual(status, 201, `POST ${path}: ${text}`)
        return body.id
      }
    )
  )

const deletedBy = (path: string, json: unknown) => (owner: Caller) =>
  Effect.flatMap(createdBy(path, json)(owner), (id) =>
    Effect.flatMap(TestService, ({ request }) =>
      Effect.as(request("DELETE", `${path}/${id}`, { token: owner.token }), id)
    )
  )

const aFile = (): RequestOptions => {
  const form = new FormData()
  form.append("file", new Blob(["The terms that we spoke of."], { type: "text/plain" }), "terms.txt")
  return { form }
}

const uploadedTo = (path: string) => (owner: Caller) =>
  Effect.flatMap(TestService, ({ request }) =>
    Effect.map(
      request<{ readonly id: string }>("POST", path, { token: owner.token, ...aFile() }),
      ({ body }) => body.id
    )
  )

const link = {
  contactId: "contact_01kb3n7x2ferwt5z8q4j6m9d0c",
  companyId: "company_01kb3n7x2ferwt5z8q4j6m9d0c",
  jobTitle: "Partner"
}

const webhook = { url: "http://127.0.0.1:9/hook", events: ["contact.created"], name: "CRM sync" }

const contactCreated = {
  event: "contact.created",
  resource_type: "contact",
  resource_id: "contact_01kb3n7x2ferwt5z8q4j6m9d0c",
  timestamp: "2026-11-21T09:30:00.000Z",
  action_id: 1,
  actor_user_id: null,
  change_initiator: null
}

/** A delivery that no worker attempts. */
const deliveredTo = Effect.fnUntraced(function* (owner: Caller, webhook: string) {
  const { request } = yield* TestService
  const sql = yield* Database
  // By SQL, because the caller may lack the capability to create contacts.
  const events = yield* Effect.orDie(sql<{ transactionId: string; at: Date }>`
    insert into events (id, transaction_id, team_id, message_id, type, resource_type, resource_id, occurred_at, body)
    select id, pg_current_xact_id(), ${owner.teamId}, 'msg_' || id, 'contact.created', 'contact', gen_random_uuid(),
      date_trunc('milliseconds', clock_timestamp()), ${JSON.stringify(contactCreated)}
    from gen_random_uuid() as id
    returning transaction_id::text as "transactionId", occurred_at as at`)
  for (const { at, transactionId } of events) {
    yield* fanOut({ teamId: owner.teamId, transactionId, at: at.toISOString() })
  }
  const log = yield* request<{ readonly data: ReadonlyArray<{ readonly id: string }> }>(
    "GET",
    `/api/v1/webhooks/${webhook}/deliveries`,
    { token: owner.token }
  )
  return log.body.data[0]?.id ?? ""
})

/** A question of nobody. */
const questionIn = Effect.fnUntraced(function* (owner: Caller, project: string, room: string) {
  const sql = yield* Database
  // By SQL, because asking needs a prospect who has access.
  const [asked] = yield* Effect.orDie(sql<{ readonly id: string }>`
    insert into questions (
      id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, project_id, room_id, number,
      text, category, priority, due_at
    ) values (
      gen_random_uuid(), ${owner.teamId}, 1, pg_current_xact_id(), now(), now(), 'created', 'app', ${Id.toUuid("project", project) ?? ""},
      ${Id.toUuid("room", room) ?? ""}, 1, 'Which tenants may leave?', 'other', 'normal', now()
    ) returning id`)
  return Id.fromUuid("question", asked?.id ?? "")
})

/** An offer, by SQL: its broker's side does not matter here. */
const offerOf = Effect.fnUntraced(function* ({ teamId }: Caller) {
  const sql = yield* Database
  const [row] = yield* Effect.orDie(sql<{ readonly id: string }>`
    insert into offers (
      id, team_id, version, created_at, updated_at, change_type, change_origin, user_id, broker_team_id, project_id,
      prospect_id, category, status
    )
    select new_uuid_v7(now()), team_id, 1, now(), now(), 'created', 'app', user_id, team_id, gen_random_uuid(),
      gen_random_uuid(), 'invitation', 'pending'
    from memberships where team_id = ${teamId} limit 1
    returning id`)
  return Id.fromUuid("offer", row?.id ?? "")
})

const taskOn = (tasks: string) => createdBy(tasks, { type: "call", dueDate: "7d" })

// How to create a resource for an owner, by the path that ends in its parameter. `above` are the ids of the earlier parameters.
const makers: {
  readonly [path: string]: (
    owner: Caller,
    above: ReadonlyArray<string>
  ) => Effect.Effect<string, never, Database | Dispatcher | Rooms | TestService>
} = {
  "/api/v1/teams/:id": (owner) => Effect.succeed(owner.team),
  "/api/v1/network/contacts/:id": createdBy("/api/v1/network/contacts", { firstName: "Anna" }),
  "/api/v1/network/companies/:id": createdBy("/api/v1/network/companies?force=true", { name: "Berg AB" }),
  "/api/v1/network/contacts/:id/notes/:noteId": (owner, [contact]) =>
    createdBy(`/api/v1/network/contacts/${contact}/notes`, { message: "Called" })(owner),
  "/api/v1/network/companies/:id/notes/:noteId": (owner, [company]) =>
    createdBy(`/api/v1/network/companies/${company}/notes`, { message: "Called" })(owner),
  "/api/v1/network/links/:id": (owner) =>
    Effect.flatMap(withOwnIds(owner, JSON.stringify(link)), (text) =>
      createdBy("/api/v1/network/links", JSON.parse(text))(owner)
    ),
  "/api/v1/files/:id": (owner) =>
    Effect.flatMap(createdBy("/api/v1/network/contacts", { firstName: "Anna" })(owner), (contact) =>
      uploadedTo(`/api/v1/network/contacts/${contact}/files`)(owner)
    ),
  "/api/v1/network/contacts/:id/restore": deletedBy("/api/v1/network/contacts", { firstName: "Anna" }),
  "/api/v1/network/companies/:id/restore": deletedBy("/api/v1/network/companies", { name: "Moretti Immobili" }),
  "/api/v1/network/links/:id/restore": (owner) =>
    Effect.flatMap(withOwnIds(owner, JSON.stringify(link)), (text) =>
      deletedBy("/api/v1/network/links", JSON.parse(text))(owner)
    ),
  "/api/v1/properties/:id/restore": deletedBy("/api/v1/properties", { name: "Turm" }),
  "/api/v1/mandates/:id/restore": deletedBy("/api/v1/mandates", { name: "Logistics, greater Munich" }),
  "/api/v1/properties/:id": createdBy("/api/v1/properties", { name: "Turm" }),
  "/api/v1/properties/:id/notes/:noteId": (owner, [property]) =>
    createdBy(`/api/v1/properties/${property}/notes`, { message: "Called" })(owner),
  "/api/v1/projects/:id": createdBy("/api/v1/projects", { name: "Tal" }),
  "/api/v1/projects/:id/restore": deletedBy("/api/v1/projects", { name: "Tal" }),
  "/api/v1/projects/:id/notes/:noteId": (owner, [project]) =>
    createdBy(`/api/v1/projects/${project}/notes`, { message: "Called" })(owner),
  "/api/v1/projects/:projectId/prospects/:id/notes/:noteId": (owner, [project, prospect]) =>
    createdBy(`/api/v1/projects/${project}/prospects/${prospect}/notes`, { message: "Called" })(owner),
  "/api/v1/projects/:projectId/prospects/:id/restore": (owner, [project]) =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      const contactId = yield* createdBy("/api/v1/network/contacts", { firstName: "Anna" })(owner)
      const prospect = yield* createdBy(`/api/v1/projects/${project}/prospects`, { contactId })(owner)
      yield* request("POST", `/api/v1/projects/${project}/prospects/${prospect}/remove`, { token: owner.token })
      return prospect
    }),
  "/api/v1/projects/:projectId": createdBy("/api/v1/projects", { name: "Tal" }),
  "/api/v1/projects/:projectId/prospects/:id": (owner, [project]) =>
    Effect.flatMap(createdBy("/api/v1/network/contacts", { firstName: "Anna" })(owner), (contactId) =>
      createdBy(`/api/v1/projects/${project}/prospects`, { contactId })(owner)
    ),
  "/api/v1/prospects/:id": (owner) =>
    Effect.gen(function* () {
      const contactId = yield* createdBy("/api/v1/network/contacts", { firstName: "Anna" })(owner)
      const project = yield* createdBy("/api/v1/projects", { name: "Tal" })(owner)
      return yield* createdBy(`/api/v1/projects/${project}/prospects`, { contactId })(owner)
    }),
  "/api/v1/projects/:projectId/prospects/:id/tasks/:taskId": (owner, [project, prospect]) =>
    taskOn(`/api/v1/projects/${project}/prospects/${prospect}/tasks`)(owner),
  "/api/v1/projects/:projectId/prospects/:id/tasks/:taskId/reopen": (owner, [project, prospect]) =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      const tasks = `/api/v1/projects/${project}/prospects/${prospect}/tasks`
      const task = yield* taskOn(tasks)(owner)
      yield* request("POST", `${tasks}/${task}/complete`, { token: owner.token })
      return task
    }),
  "/api/v1/projects/:projectId/rooms/:roomId": (owner, [project]) =>
    Effect.map(Effect.orDie(openRoom(owner, project ?? "")), ({ id }) => id),
  "/api/v1/projects/:projectId/rooms/:roomId/questions/:questionId": (owner, [project = "", room = ""]) =>
    questionIn(owner, project, room),
  "/api/v1/offers/:id": offerOf,
  "/api/v1/mandates/:id": createdBy("/api/v1/mandates", { name: "Logistics, greater Munich" }),
  "/api/v1/webhooks/:id": createdBy("/api/v1/webhooks", webhook),
  "/api/v1/webhooks/:id/deliveries/:deliveryId": (owner, [webhook]) => deliveredTo(owner, webhook ?? "")
}

const recordPaths: { readonly [type: string]: string } = {
  contact: "/api/v1/network/contacts/:id",
  company: "/api/v1/network/companies/:id",
  link: "/api/v1/network/links/:id",
  property: "/api/v1/properties/:id",
  project: "/api/v1/projects/:id"
}

/** The resources that requests share which change none of them, by their paths or the example ids that they replace. */
export type Shared = Map<string, string>

/** Replaces the example ids of records in a text by ids of records of `owner`: of `shared` ones, or else of new ones. */
export const withOwnIds = Effect.fnUntraced(function* (owner: Caller, text: string, shared: Shared = new Map()) {
  let result = text
  for (const example of new Set(text.match(/\b[a-z]+_01kb3n[0-9a-z]{20}\b/g))) {
    const make = makers[recordPaths[example.slice(0, example.indexOf("_"))] ?? ""]
    if (make === undefined) continue
    const id = shared.get(example) ?? (yield* make(owner, []))
    shared.set(example, id)
    result = result.replaceAll(example, id)
  }
  return result
})

// Resources that every caller has.
const ownOfEveryCaller = ["/api/v1/teams/:id"]

/** For each parameter of an operation, the path that ends in it, and whether it is the last parameter. */
export const resourcePathsOf = ({ path }: Operation) => {
  const segments = path.split("/")
  const ends = segments.flatMap((segment, index) => (segment.startsWith(":") ? [index + 1] : []))
  return ends.map((end) => ({ path: segments.slice(0, end).join("/"), isLast: end === ends.at(-1) }))
}

/** Whether resources at a path can be created, such as those in the state that the operation at the path needs. */
export const isMade = (path: string): boolean => path in makers

/** Creates the resource at a path, or in the state that the operation at the path needs, below those of its earlier parameters. */
export const resourceAt = Effect.fnUntraced(function* (path: string, owner: Caller, above: ReadonlyArray<string>) {
  const make = makers[path]
  if (make === undefined) return yield* Effect.die(new Error(`test/support/Surface.ts cannot make a ${path} yet`))
  return yield* make(owner, above)
})

/** Creates the resources for the parameters of an operation that are not among the `shared` ones. */
export const resourcesOf = Effect.fnUntraced(function* (
  operation: Operation,
  owner: Caller,
  shared: Shared = new Map()
) {
  const ids: Array<string> = []
  for (const { isLast, path } of resourcePathsOf(operation)) {
    // Some operations need a resource in a certain state.
    const made = isLast && makers[operation.path] !== undefined ? operation.path : path
    const id = shared.get(made) ?? (yield* resourceAt(made, owner, ids))
    shared.set(made, id)
    ids.push(id)
  }
  return ids
})

/** Returns a caller with exactly the permissions that an operation needs. Operations that read share callers and their resources. */
export const callersOfOperations = () => {
  const readers = new Map<Needed, { readonly owner: Caller; readonly shared: Shared }>()
  return Effect.fnUntraced(function* ({ method, needs }: Operation) {
    const reader = method === "GET" ? readers.get(needs) : undefined
    if (reader !== undefined) return reader
    const owner = yield* Tenant.make(needs === "public" ? everything : having[needs])
    const caller = { owner, shared: new Map<string, string>() }
    if (method === "GET") readers.set(needs, caller)
    return caller
  })
}

/** The ids with which another caller addresses these resources: its own ids for resources that every caller has. */
export const addressedBy = Effect.fnUntraced(function* (
  operation: Operation,
  resources: ReadonlyArray<string>,
  caller: Caller
) {
  const own = resourcePathsOf(operation).map(({ path }) => (ownOfEveryCaller.includes(path) ? makers[path] : undefined))
  return yield* Effect.forEach(resources, (id, index) => own[index]?.(caller, []) ?? Effect.succeed(id))
})

const form = (members: { readonly [name: string]: string }): RequestOptions => ({
  text: new URLSearchParams(members).toString(),
  headers: { "content-type": "application/x-www-form-urlencoded" }
})

const credentials = Effect.fnUntraced(function* () {
  const clients = yield* Clients
  const { team } = yield* Tenant.make()
  const made = yield* Effect.orDie(asOperator(clients.create({ teamId: team, name: "CRM sync", botName: "Sync Bot" })))
  return { client_id: made.client_id, client_secret: made.client_secret }
})

const withToken = Effect.fnUntraced(function* () {
  const { request } = yield* TestService
  const client = yield* credentials()
  const issued = yield* request<IssuedToken>(
    "POST",
    "/openid/token",
    form({ grant_type: "client_credentials", ...client })
  )
  return form({ ...client, token: issued.body.access_token })
})

const bodies: {
  readonly [operation: string]: Effect.Effect<RequestOptions, never, Effect.Services<ReturnType<typeof withToken>>>
} = {
  "contacts.create": Effect.succeed({
    json: { firstName: "Ben", email: "ben@example.com", externalRefs: [{ namespace: "crm", externalId: "7" }] }
  }),
  "contacts.update": Effect.succeed({ json: { tags: ["core"] } }),
  "companies.create": Effect.succeed({
    json: {
      name: "Tal AG",
      country: "CH",
      homepageUrl: "https://tal.example",
      externalRefs: [{ namespace: "crm", externalId: "7" }]
    }
  }),
  "companies.update": Effect.succeed({ json: { tags: ["core"] } }),
  "links.create": Effect.succeed({ json: link }),
  "links.update": Effect.succeed({ json: { jobTitle: "Director" } }),
  ...Object.fromEntries(
    Object.entries({
      contacts: "contact",
      companies: "company",
      links: "link",
      mandates: "mandate",
      properties: "property"
    }).flatMap(([plural, type]) =>
      ["batchGet", "batchDelete"].map(
        (name) =>
          [`${plural}.${name}`, Effect.succeed({ json: { ids: [`${type}_01kb3n7x2ferwt5z8q4j6m9d0c`] } })] as const
      )
    )
  ),
  "contacts.batchUpsert": Effect.succeed({ json: { items: [{ firstName: "Ben" }, { email: "nobody" }] } }),
  "companies.batchUpsert": Effect.succeed({ json: { items: [{ name: "Tal AG" }, { country: "UK" }] } }),
  "links.batchUpsert": Effect.succeed({ json: { items: [link] } }),
  "properties.create": Effect.succeed({
    json: {
      name: "Turm",
      ownerId: "me",
      address: { country: "DE", street: "Am Turm" },
      lettableArea: { value: 1_200.5, unit: "sqm" },
      tenants: [{ name: "Tal AG", annualRent: { value: 84_000, currency: "EUR" } }],
      tags: ["single_tenant"],
      externalRefs: [{ namespace: "crm", externalId: "7" }]
    }
  }),
  "properties.update": Effect.succeed({ json: { zoning: { status: "zoned" }, pricing: null } }),
  "properties.batchUpsert": Effect.succeed({ json: { items: [{ name: "Turm" }, { country: "UK" }] } }),
  "properties.search": Effect.succeed({
    json: {
      query: "turm",
      filter: { yearBuilt: { gte: 1990 }, heritageListed: { eq: false } },
      sort: [{ field: "lettableArea" }]
    }
  }),
  "properties.addNote": Effect.succeed({ json: { message: "Called", contentFormat: "markdown" } }),
  "properties.updateNote": Effect.succeed({ json: { action: "archive" }, headers: { "if-match": "*" } }),
  "properties.uploadFile": Effect.sync(aFile),
  "properties.updateTeaser": Effect.succeed({ json: { title: "Core office" } }),
  "rooms.updateTeaser": Effect.succeed({ json: { title: null } }),
  "projects.updateTeaser": Effect.succeed({ json: { tags: [], options: { price: null } } }),
  "contacts.search": Effect.succeed({
    json: { query: "anna", filter: { tags: { exists: false } }, sort: [{ field: "lastName", direction: "desc" }] }
  }),
  "companies.search": Effect.succeed({ json: { filter: { domain: { prefix: "rossi" } }, page_size: 10 } }),
  "contacts.addNote": Effect.succeed({ json: { message: "Called", contentFormat: "markdown" } }),
  "contacts.updateNote": Effect.succeed({ json: { action: "archive" }, headers: { "if-match": "*" } }),
  "companies.addNote": Effect.succeed({ json: { message: "Called", contentFormat: "markdown" } }),
  "companies.updateNote": Effect.succeed({ json: { action: "archive" }, headers: { "if-match": "*" } }),
  "projects.create": Effect.succeed({
    json: { name: "Tal", exclusivity: "other", ownerId: "me", externalRefs: [{ namespace: "crm", externalId: "7" }] }
  }),
  "projects.update": Effect.succeed({ json: { propertyCount: 5 } }),
  "projects.addNote": Effect.succeed({ json: { message: "Called", contentFormat: "markdown" } }),
  "projects.updateNote": Effect.succeed({ json: { action: "archive" }, headers: { "if-match": "*" } }),
  "prospects.create": Effect.succeed({
    json: {
      contactId: "contact_01kb3n7x2ferwt5z8q4j6m9d0c",
      projectTags: ["first-round"],
      externalRefs: [{ namespace: "crm", externalId: "7" }]
    }
  }),
  "prospects.batchCreate": Effect.succeed({
    json: {
      items: [
        { contactId: "contact_01kb3n7x2ferwt5z8q4j6m9d0c" },
        { companyId: "company_01kb3n7x2ferwt5z8q4j6m9d0c" },
        {}
      ]
    }
  }),
  "prospects.batchUpsert": Effect.succeed({
    json: { items: [{ contactId: "contact_01kb3n7x2ferwt5z8q4j6m9d0c", interest: "maybe", owner: "me" }, {}] }
  }),
  "prospects.classify": Effect.succeed({
    json: { prospectIds: ["prospect_01kb3n7x2ferwt5z8q4j6m9d0c"], classification: "contacted", note: "Called" }
  }),
  "prospects.update": Effect.succeed({ json: { interest: "maybe", owner: "me" } }),
  "prospects.addNote": Effect.succeed({ json: { message: "Called", contentFormat: "markdown" } }),
  "prospects.updateNote": Effect.succeed({ json: { action: "archive" }, headers: { "if-match": "*" } }),
  "companies.findDuplicates": Effect.succeed({ json: { name: "Castellum AB", countryCode: "SE" } }),
  "contacts.uploadFile": Effect.sync(aFile),
  "companies.uploadFile": Effect.sync(aFile),
  "contacts.batchRestore": Effect.succeed({ json: { ids: ["contact_01kb3n7x2ferwt5z8q4j6m9d0c"] } }),
  "companies.batchRestore": Effect.succeed({ json: { ids: ["company_01kb3n7x2ferwt5z8q4j6m9d0c"] } }),
  "links.batchRestore": Effect.succeed({ json: { ids: ["link_01kb3n7x2ferwt5z8q4j6m9d0c"] } }),
  "properties.batchRestore": Effect.succeed({ json: { ids: ["property_01kb3n7x2ferwt5z8q4j6m9d0c"] } }),
  "mandates.batchRestore": Effect.succeed({ json: { ids: ["mandate_01kb3n7x2ferwt5z8q4j6m9d0c"] } }),
  "contacts.merge": Effect.succeed({ json: { from: ["contact_01kb3n9w4hfr8tz2q6y1x5c7ve"] } }),
  "companies.merge": Effect.succeed({ json: { from: ["company_01kb3n9w4hfr8tz2q6y1x5c7ve"] } }),
  "tasks.create": Effect.succeed({
    json: { type: "call", dueDate: "7d", assignee: "me", note: "Ask for the numbers." }
  }),
  "tasks.update": Effect.succeed({ json: { dueDate: "3d", assignee: "me", note: null } }),
  "questions.update": Effect.succeed({ json: { priority: "high", assignee: "me" } }),
  "questions.draftAnswer": Effect.succeed({ json: { text: "To be confirmed.", contentFormat: "plaintext" } }),
  "mandates.create": Effect.succeed({
    json: {
      name: "Logistics, greater Munich",
      near: { latitude: 48.1372, longitude: 11.5755 },
      radius: 60_000,
      positiveTags: ["motorway_access"],
      externalRefs: [{ namespace: "crm", externalId: "7" }]
    }
  }),
  "mandates.update": Effect.succeed({ json: { status: "paused" } }),
  "mandates.batchUpsert": Effect.succeed({ json: { items: [{ name: "Logistics" }, { country: "UK" }] } }),
  "mandates.search": Effect.succeed({ json: { near: { latitude: 48.1372, longitude: 11.5755 }, radius: 60_000 } }),
  "webhooks.create": Effect.succeed({ json: webhook }),
  "webhooks.update": Effect.succeed({ json: { status: "paused" } }),
  "webhooks.rotateSecret": Effect.succeed({ json: { overlap: "24h" } }),
  "webhooks.replayDeliveries": Effect.succeed({ json: { since: "2026-11-21T09:30:00Z" } }),
  "webhooks.test": Effect.succeed({ json: { event_type: "link.created" } }),
  "oauth.issueToken": Effect.map(credentials(), (client) => form({ grant_type: "client_credentials", ...client })),
  "oauth.revokeToken": withToken(),
  "oauth.introspectToken": withToken()
}

/** A valid body of the operation for `owner`, with records of theirs, if need be new ones; empty if the operation has none. */
export const bodyOf = Effect.fnUntraced(function* (operation: Operation, owner?: Caller, shared: Shared = new Map()) {
  const body = bodies[operation.id]
  if (body === undefined && operation.hasBody) {
    return yield* Effect.die(new Error(`test/support/Surface.ts has no body for ${operation.id} yet`))
  }
  const options: RequestOptions = body === undefined ? {} : yield* body
  if (owner === undefined || options.json === undefined) return options
  const json: unknown = JSON.parse(yield* withOwnIds(owner, JSON.stringify(options.json), shared))
  return { ...options, json }
})

/** Sends a request to an operation on these resources. */
export const send = Effect.fnUntraced(function* (
  operation: Operation,
  resources: ReadonlyArray<string>,
  options: RequestOptions = {},
  query = ""
) {
  const { request } = yield* TestService
  const path = resources.reduce((rest, id) => rest.replace(/:[^/]+/, id), operation.path)
  return yield* request(operation.method, `${path}${query}`, options)
})
