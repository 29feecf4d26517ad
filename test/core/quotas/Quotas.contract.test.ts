/** Quotas of teams: docs/behaviour/quotas.md. */
import * as conversations from "../../deals/messages/fixture.ts"
import * as Agent from "../../support/Agent.ts"
import * as Tenant from "../../support/Tenant.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { inTeam } from "../../../src/platform/db/Cells.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import { Messages } from "../../../src/deals/messages/Messages.ts"
import { Contacts } from "../../../src/network/contacts/Contacts.ts"
import { type CreateQuotaKind, createKinds, definitions, type QuotaKind } from "../../../src/core/quotas/Quota.ts"
import { Quotas } from "../../../src/core/quotas/Quotas.ts"
import type { Receipt } from "../../../src/core/records/Batch.ts"
import { make, requestOf } from "../../deals/rooms/questions/fixture.ts"
import { open } from "../../deals/rooms/fixture.ts"
import { TestService } from "../../support/TestService.ts"

type Broker = Effect.Success<ReturnType<typeof make>>

/** A refusal; undefined of a create that was accepted. */
type Refusal = Record<string, unknown> | undefined

const text = "The terms that we spoke of."

const post = (tenant: Broker, path: string, json: unknown, headers = {}): Effect.Effect<Refusal> =>
  Effect.map(tenant.call("POST", path, json, headers), ({ body, status }) => (status < 300 ? undefined : body))

const refusalOf = <A, E extends object, R>(create: Effect.Effect<A, E, R>): Effect.Effect<Refusal, never, R> =>
  create.pipe(
    Effect.as(undefined),
    Effect.catch((refusal: E) => Effect.succeed({ status: 409, ...refusal }))
  )

const upload = (tenant: Broker, contact: string) =>
  Effect.gen(function* () {
    const { request } = yield* TestService
    const form = new FormData()
    form.append("file", new Blob([text], { type: "text/plain" }), "terms.txt")
    const path = `/api/v1/network/contacts/${contact}/files`
    const { body, status } = yield* request("POST", path, { token: tenant.token, form })
    return status < 300 ? undefined : body
  })

/** Links one contact to a new company each time. */
const linked = (tenant: Broker) =>
  Effect.map(tenant.contact(), ({ id: contactId }) =>
    Effect.suspend(() => tenant.company({ name: crypto.randomUUID() })).pipe(
      Effect.flatMap(({ id: companyId }) => post(tenant, "/api/v1/network/links", { contactId, companyId }))
    )
  )

// For each kind, what must exist before, and a create, which is sent twice.
const creates: {
  readonly [kind in CreateQuotaKind]: (
    tenant: Broker
  ) => Effect.Effect<Effect.Effect<Refusal, never, Messages | TestService>, never, TestService>
} = {
  contacts: (tenant) => Effect.succeed(post(tenant, "/api/v1/network/contacts", { firstName: "Anna" })),
  companies: (tenant) => Effect.succeed(post(tenant, "/api/v1/network/companies?force=true", { name: "Berg" })),
  links: linked,
  properties: (tenant) => Effect.succeed(post(tenant, "/api/v1/properties", { name: "Turm" })),
  projects: (tenant) => Effect.succeed(post(tenant, "/api/v1/projects", { name: "Tal" })),
  prospects: (tenant) =>
    Effect.succeed(
      Effect.flatMap(tenant.contact(), ({ id: contactId }) => post(tenant, tenant.prospects.path, { contactId }))
    ),
  tasks: (tenant) =>
    Effect.map(tenant.prospect(), ({ id }) =>
      post(tenant, `${tenant.prospects.path}/${id}/tasks`, { type: "call", dueDate: "7d" })
    ),
  mandates: (tenant) => Effect.succeed(post(tenant, "/api/v1/mandates", { name: "Offices" })),
  rooms: (tenant) => Effect.succeed(refusalOf(open(tenant, tenant.projectId))) as never,
  documents: (tenant) => Effect.succeed(refusalOf(Effect.suspend(() => tenant.upload("rent roll.txt")))) as never,
  questions: (tenant) => Effect.map(tenant.member(), (id) => refusalOf(tenant.ask(id))) as never,
  messages: (tenant) =>
    Effect.map(tenant.prospect(), ({ id }) =>
      refusalOf(
        Effect.flatMap(Messages, (messages) => tenant.as(messages.logCall(id, requestOf({ note: "They call back." }))))
      )
    ),
  file_bytes: (tenant) => Effect.map(tenant.contact(), ({ id }) => upload(tenant, id)),
  stored_answer_bytes: (tenant) =>
    Effect.succeed(
      Effect.suspend(() =>
        post(tenant, "/api/v1/network/contacts", { firstName: "Anna" }, { "idempotency-key": crypto.randomUUID() })
      )
    ),
  links_of_record: linked,
  notes_of_resource: (tenant) =>
    Effect.map(tenant.contact(), ({ id }) =>
      post(tenant, `/api/v1/network/contacts/${id}/notes`, { message: "They call back." })
    ),
  tasks_of_prospect: (tenant) =>
    Effect.map(tenant.prospect(), ({ id }) =>
      post(tenant, `${tenant.prospects.path}/${id}/tasks`, { type: "call", dueDate: "7d" })
    )
}

const usedBy = Effect.fnUntraced(function* ({ teamId }: { readonly teamId: string }, kind: QuotaKind) {
  const quotas = yield* Quotas
  return (yield* inTeam(teamId)(quotas.usage(teamId))).find((one) => one.kind === kind)?.used ?? 0
})

/** Sets a quota that leaves room for so much. */
const leave = Effect.fnUntraced(function* (tenant: Broker, kind: CreateQuotaKind, room: number) {
  const quota = (yield* usedBy(tenant, kind)) + room
  yield* inTeam(tenant.teamId)((yield* Quotas).set(tenant.teamId, kind, quota))
  return quota
})

const statusesOf = (reply: { readonly body: { readonly results: ReadonlyArray<Pick<Receipt<object>, "status">> } }) =>
  reply.body.results.map((receipt) =>
    "problem" in receipt ? (receipt.problem as { code: string }).code : receipt.status
  )

layer(TestService.layer, { excludeTestServices: true })("A quota", (it) => {
  for (const kind of createKinds) {
    it.effect(`of ${kind} refuses the create that exceeds it, and no other`, () =>
      Effect.gen(function* () {
        const tenant = yield* make()
        const create = yield* creates[kind](tenant)
        const room = kind === "file_bytes" ? text.length : 1
        const quota = yield* leave(tenant, kind, room)
        assert.isUndefined(yield* create)
        const refusal = yield* create
        assert.deepInclude(refusal, { status: 409, code: "quota_exceeded", quota: kind, limit: quota })
        if (kind !== "stored_answer_bytes") assert.strictEqual(refusal?.["used"], quota)
        yield* inTeam(tenant.teamId)((yield* Quotas).set(tenant.teamId, kind, null))
        assert.isUndefined(yield* create)
      })
    )
  }

  it.effect("refuses the items of a batch that exceed it, and writes the others", () =>
    Effect.gen(function* () {
      const tenant = yield* make()
      const { id } = yield* tenant.contact()
      yield* leave(tenant, "contacts", 1)
      const items = [{ lastName: "One" }, { lastName: "Two" }, { id, lastName: "Three" }]
      assert.deepStrictEqual(statusesOf(yield* tenant.contacts.upsert(items)), ["created", "quota_exceeded", "updated"])
      yield* (yield* Quotas).set(tenant.teamId, "contacts", null)
      const contacts = [(yield* tenant.contact()).id, (yield* tenant.contact()).id]
      const added = contacts.map((contactId) => ({ contactId }))
      yield* leave(tenant, "prospects", 1)
      assert.deepStrictEqual(statusesOf(yield* tenant.prospects.batch(added)), ["created", "quota_exceeded"])
      const upserted = yield* tenant.call<{ readonly results: ReadonlyArray<Receipt<object>> }>(
        "POST",
        `${tenant.prospects.path}/batch/upsert`,
        { items: added.map((item) => ({ ...item, classification: "target" })) }
      )
      assert.strictEqual(statusesOf(upserted)[1], "quota_exceeded")
    })
  )

  it.effect("counts what commits, until it is removed for good", () =>
    Effect.gen(function* () {
      const tenant = yield* make()
      const sql = yield* Database
      const used = usedBy(tenant, "contacts")
      const before = yield* used
      const { id } = yield* tenant.contact()
      assert.strictEqual(yield* used, before + 1)
      yield* tenant.call("POST", "/api/v1/network/contacts", { firstName: "Anna" }, { prefer: "dry-run" })
      yield* tenant.call("POST", "/api/v1/network/contacts", { firstName: "" })
      assert.strictEqual(yield* used, before + 1)
      yield* tenant.contacts.upsert([{ lastName: "One" }, { lastName: "Two" }, { id: "contact_x" }])
      assert.strictEqual(yield* used, before + 3)
      yield* tenant.call("DELETE", `/api/v1/network/contacts/${id}`)
      assert.strictEqual(yield* used, before + 3)
      yield* inTeam(tenant.teamId)(sql`
        update contacts set deleted_at = now() - interval '91 days'
        where team_id = ${tenant.teamId} and deleted_at is not null`)
      const { purge } = yield* Contacts
      yield* Effect.repeat(purge(1000), { while: (rows) => rows > 0 })
      assert.strictEqual(yield* used, before + 2)
    })
  )

  it.effect("counts bytes of files until they are deleted, and of answers until they are replaced or expire", () =>
    Effect.gen(function* () {
      const tenant = yield* make()
      const sql = yield* Database
      const { id } = yield* tenant.contact()
      const [bytes, answers] = [usedBy(tenant, "file_bytes"), usedBy(tenant, "stored_answer_bytes")]
      yield* upload(tenant, id)
      assert.strictEqual(yield* bytes, text.length)
      const files = yield* tenant.call<{ readonly data: ReadonlyArray<{ readonly id: string }> }>(
        "GET",
        `/api/v1/network/contacts/${id}/files`
      )
      yield* tenant.call("DELETE", `/api/v1/files/${files.body.data[0]?.id}`)
      assert.strictEqual(yield* bytes, 0)

      const stored = Effect.map(
        inTeam(tenant.teamId)(sql<{ readonly bytes: number }>`
          select coalesce(sum(octet_length(answer)), 0)::int as bytes from idempotency_keys where team_id = ${tenant.teamId}`),
        ([row]) => row?.bytes
      )
      const create = (firstName: string) =>
        tenant.call("POST", "/api/v1/network/contacts", { firstName }, { "idempotency-key": "k" })
      yield* create("Anna")
      assert.strictEqual(yield* answers, yield* stored)
      yield* inTeam(tenant.teamId)(
        sql`update idempotency_keys set created_at = ${new Date(Date.now() - 24 * 3600_000)} where team_id = ${tenant.teamId}`
      )
      yield* create("Anna with a longer name")
      assert.strictEqual(yield* answers, yield* stored)
      yield* inTeam(tenant.teamId)(sql`delete from idempotency_keys where team_id = ${tenant.teamId}`)
      assert.strictEqual(yield* answers, 0)
    })
  )

  it.effect("is exceeded by no more than what runs at the same time, and counts it all", () =>
    Effect.gen(function* () {
      const tenant = yield* make()
      const before = yield* usedBy(tenant, "contacts")
      const quota = yield* leave(tenant, "contacts", 12)
      const items = (batch: number) => Array.from({ length: 5 }, (_, item) => ({ lastName: `${batch} ${item}` }))
      const replies = yield* Effect.all(
        Array.from({ length: 8 }, (_, batch) => tenant.contacts.upsert(items(batch))),
        { concurrency: "unbounded" }
      )
      const created = replies.flatMap(statusesOf).filter((status) => status === "created").length
      assert.isAtLeast(created, 12)
      assert.strictEqual(yield* usedBy(tenant, "contacts"), before + created)
      const late = yield* tenant.contacts.upsert(items(8))
      assert.deepStrictEqual([...new Set(statusesOf(late))], ["quota_exceeded"])
      assert.isAtLeast(yield* usedBy(tenant, "contacts"), quota)
    })
  )

  it.effect("of the team of a broker is refused to investors without its figures", () =>
    Effect.gen(function* () {
      const [broker, maria] = [yield* conversations.make(), yield* conversations.investor]
      const { offer } = yield* broker.acceptedBy(maria)
      yield* inTeam(broker.teamId)((yield* Quotas).set(broker.teamId, "messages", 0))
      const { send } = yield* Messages
      const refusal = yield* refusalOf(conversations.as(maria, send(offer, requestOf({ text: "Thank you." }))))
      assert.deepInclude(refusal, { code: "quota_exceeded", quota: "messages", limit: null, used: null })
    })
  )

  it.effect("is explained to agents", () =>
    Effect.gen(function* () {
      const { teamId, token } = yield* Tenant.make()
      yield* inTeam(teamId)((yield* Quotas).set(teamId, "companies", 0))
      const { call } = yield* Agent.make(token)
      const { isError, structured } = yield* call("create_company", { name: "Berg" })
      assert.isTrue(isError)
      assert.strictEqual(structured.error.code, "quota_exceeded")
      assert.match(structured.error.hint ?? "", /Do not repeat the call/)
    })
  )

  it.effect("has a default for each kind, which the operator can change", () =>
    Effect.gen(function* () {
      const tenant = yield* make()
      const quotas = yield* Quotas
      const quotaOf = (kind: QuotaKind) =>
        Effect.map(inTeam(tenant.teamId)(quotas.usage(tenant.teamId)), (all) => all.find((one) => one.kind === kind))
      for (const { isDefault, kind, quota } of yield* inTeam(tenant.teamId)(quotas.usage(tenant.teamId))) {
        assert.deepStrictEqual([isDefault, quota], [true, definitions[kind].quota], kind)
      }
      yield* inTeam(tenant.teamId)(quotas.set(tenant.teamId, "properties", 4))
      assert.deepStrictEqual(yield* quotaOf("properties"), {
        kind: "properties",
        quota: 4,
        isDefault: false,
        used: 0,
        percent: 0
      })
      yield* inTeam(tenant.teamId)(quotas.set(tenant.teamId, "properties", null))
      assert.isTrue((yield* quotaOf("properties"))?.isDefault)
    })
  )
})
