import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "../../../src/core/usecase/Page.ts"
import { make, path } from "../../support/ContactsClient.ts"
import { faultsOf } from "../../support/faults.ts"
import { TestService } from "../../support/TestService.ts"

const client = make()

layer(TestService.layer, { excludeTestServices: true })("Contacts", (it) => {
  it.effect("are created with 201, a Location and an ETag, and read back", () =>
    Effect.gen(function* () {
      const { create, get } = yield* client
      const created = yield* create({
        firstName: "  Anna ",
        lastName: "Berg",
        email: "anna@example.com",
        primaryLanguage: "de-de",
        tags: ["logistics", "core", "logistics"],
        externalRefs: [{ namespace: "hubspot", externalId: "8812" }]
      })
      assert.strictEqual(created.status, 201)
      assert.strictEqual(created.headers.get("location"), `${path}/${created.body.id}`)
      assert.strictEqual(created.headers.get("etag"), created.body.etag)
      assert.deepInclude(created.body, {
        name: "Anna Berg",
        firstName: "Anna",
        primaryLanguage: "de-DE",
        tags: ["logistics", "core"],
        externalRefs: [{ namespace: "hubspot", externalId: "8812" }],
        phone: null,
        primaryCompanyId: null,
        changeType: "created",
        changeOrigin: "api",
        deletedUtc: null
      })
      assert.match(created.body.id, /^contact_[0-9a-hjkmnp-tv-z]{26}$/)
      assert.match(created.body.createdUtc, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      assert.strictEqual(created.body.updatedUtc, created.body.createdUtc)
      const read = yield* get(created.body.id)
      assert.deepStrictEqual([read.status, read.body], [200, created.body])
      assert.strictEqual(read.headers.get("etag"), created.body.etag)
    })
  )

  it.effect("need one of e-mail, first name and last name, also after a patch", () =>
    Effect.gen(function* () {
      const { create, patch } = yield* client
      const refused = yield* create({ phone: "+49 30 1" })
      assert.strictEqual(refused.status, 400)
      assert.deepStrictEqual(faultsOf(refused), ["body  required"])
      const created = yield* create({ lastName: "Berg" })
      const emptied = yield* patch(created.body.id, { lastName: null })
      assert.deepStrictEqual([emptied.status, faultsOf(emptied)], [400, ["body  required"]])
    })
  )

  it.effect("reject read-only members on a create", () =>
    Effect.gen(function* () {
      const { create } = yield* client
      const refused = yield* create({ firstName: "Anna", name: "Anna Berg", id: "contact_x", nme: "x" })
      assert.deepStrictEqual(faultsOf(refused), [
        "body /name read_only",
        "body /id read_only",
        "body /nme unknown_member"
      ])
    })
  )

  it.effect("report all faults of body, parameters and headers at once, with pointers", () =>
    Effect.gen(function* () {
      const { create } = yield* client
      const refused = yield* create(
        {
          firstNme: "Anna",
          email: "nobody",
          lastName: "x".repeat(201),
          phone: 5,
          primaryLanguage: "not a language",
          linkedInUrl: "ftp://example.com",
          tags: ["ok", "y".repeat(65)],
          strategy: "a\0b",
          externalRefs: [{ namespace: "crm" }, { namespace: "crm", externalId: "\ud800" }]
        },
        { "idempotency-key": "with a space" },
        "?frce=true"
      )
      assert.strictEqual(refused.status, 400)
      assert.strictEqual(refused.headers.get("content-type"), "application/problem+json")
      assert.strictEqual(refused.body["code" as never], "invalid_request")
      assert.deepStrictEqual([...faultsOf(refused)].sort(), [
        "body /email invalid_email",
        "body /externalRefs/0/externalId required",
        "body /externalRefs/1/externalId invalid_characters",
        "body /firstNme unknown_member",
        "body /lastName too_long",
        "body /linkedInUrl invalid_url",
        "body /phone wrong_type",
        "body /primaryLanguage invalid_language",
        "body /strategy invalid_characters",
        "body /tags/1 too_long",
        "header /Idempotency-Key malformed_key",
        "query /frce unknown_parameter"
      ])
      assert.include(refused.text, 'Did you mean \\"firstName\\"?')
      assert.include(refused.text, 'Did you mean \\"force\\"?')
    })
  )

  it.effect("keep the limits on text: names 200, e-mails 320, URLs 2,048, tags 64 and 50 of them, references 20", () =>
    Effect.gen(function* () {
      const { create } = yield* client
      const refs = (count: number) =>
        Array.from({ length: count }, (_, index) => ({ namespace: "crm", externalId: String(index) }))
      const atTheLimit = yield* create({
        firstName: "🏢".repeat(200),
        linkedInUrl: `https://example.com/${"x".repeat(2028)}`,
        tags: Array.from({ length: 50 }, (_, index) => `${index}`.padEnd(64, "x")),
        externalRefs: refs(20)
      })
      assert.strictEqual(atTheLimit.status, 201, atTheLimit.text)
      const over = yield* create({
        firstName: "🏢".repeat(201),
        email: `${"x".repeat(312)}@example.com`,
        linkedInUrl: `https://example.com/${"x".repeat(2029)}`,
        tags: Array.from({ length: 51 }, (_, index) => `${index}`),
        externalRefs: refs(21)
      })
      assert.deepStrictEqual([...faultsOf(over)].sort(), [
        "body /email too_long",
        "body /externalRefs too_many",
        "body /firstName too_long",
        "body /linkedInUrl too_long",
        "body /tags too_many"
      ])
    })
  )

  it.effect("reject the e-mail address of another contact, in any case, unless forced", () =>
    Effect.gen(function* () {
      const { create, patch, delete: remove } = yield* client
      const first = yield* create({ email: "Anna@Example.com" })
      const second = yield* create({ email: "anna@example.COM" })
      assert.strictEqual(second.status, 409)
      assert.deepInclude(second.body, {
        code: "duplicate",
        candidates: [{ id: first.body.id, name: "Anna@Example.com", email: "Anna@Example.com" }]
      } as never)
      const forced = yield* create({ email: "anna@example.com" }, {}, "?force=true")
      assert.strictEqual(forced.status, 201)
      const other = yield* create({ email: "ben@example.com" })
      const patched = yield* patch(other.body.id, { email: "ANNA@example.com" })
      assert.strictEqual(patched.status, 409)
      assert.strictEqual((yield* patch(first.body.id, { email: "anna@example.com" })).status, 409)
      assert.strictEqual((yield* patch(other.body.id, { email: "ANNA@example.com" }, {}, "?force=true")).status, 200)
      yield* remove(first.body.id)
      yield* remove(forced.body.id)
      yield* remove(other.body.id)
      assert.strictEqual((yield* create({ email: "anna@example.com" })).status, 201)
    })
  )

  it.effect("give one 201 to twenty parallel creates of one e-mail address", () =>
    Effect.gen(function* () {
      const { create, list } = yield* client
      const replies = yield* Effect.all(
        Array.from({ length: 20 }, () => create({ email: "anna@example.com" })),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(replies.filter((reply) => reply.status === 201).length, 1)
      assert.strictEqual(replies.filter((reply) => reply.status === 409).length, 19)
      assert.strictEqual((yield* list()).body.data.length, 1)
    })
  )

  it.effect("are created concurrently as if one after the other, and a rejected one does not affect the others", () =>
    Effect.gen(function* () {
      const { create, list } = yield* client
      const keyed = (key: string) => ({ "idempotency-key": key })
      const ref = { namespace: "crm", externalId: "1" }
      const replies = yield* Effect.all(
        [
          create({ lastName: "Adler" }),
          create({ lastName: "Berg", externalRefs: [ref] }),
          create({ lastName: "Conti", externalRefs: [ref] }),
          create({ email: "dora@example.com" }),
          create({ email: "Dora@example.com" }),
          create({ lastName: "Eder", primaryCompanyId: "company_01kb3n7x2ferwt5z8q4j6m9d0c" }),
          create({ lastName: "Frey" }, keyed("f")),
          create({ lastName: "Frey" }, keyed("f")),
          create({ lastName: "Gross" }, keyed("g"))
        ],
        { concurrency: "unbounded" }
      )
      const codes = replies.map(({ status, text }) =>
        status === 201 ? "created" : (JSON.parse(text) as { code: string }).code
      )
      assert.deepStrictEqual([codes[0], codes[5], codes[8]], ["created", "invalid_request", "created"])
      assert.deepStrictEqual([codes[1], codes[2]].toSorted(), ["created", "external_reference_taken"])
      assert.deepStrictEqual([codes[3], codes[4]].toSorted(), ["created", "duplicate"])
      const [frey] = replies.slice(6, 8).filter(({ status }) => status === 201)
      assert.isTrue(codes.slice(6, 8).every((code) => code === "created" || code === "idempotency_in_progress"))
      const again = yield* create({ lastName: "Frey" }, keyed("f"))
      assert.strictEqual(again.headers.get("idempotency-replayed"), "true")
      assert.deepStrictEqual(again.body, frey?.body)
      assert.strictEqual((yield* list()).body.data.length, 5)
    })
  )

  it.effect("are patched: omitted members stay, null clears, arrays replace", () =>
    Effect.gen(function* () {
      const { create, patch } = yield* client
      const created = yield* create({ firstName: "Anna", lastName: "Berg", tags: ["a", "b"], phone: "1" })
      const patched = yield* patch(
        created.body.id,
        { phone: null, tags: ["c"] },
        {
          "content-type": "application/merge-patch+json"
        }
      )
      assert.strictEqual(patched.status, 200)
      assert.deepInclude(patched.body, { firstName: "Anna", phone: null, tags: ["c"], changeType: "updated" })
      assert.notStrictEqual(patched.body.etag, created.body.etag)
      assert.isTrue(patched.body.updatedUtc > created.body.updatedUtc)
      const refused = yield* patch(created.body.id, { tags: null })
      assert.deepStrictEqual([refused.status, faultsOf(refused)], [400, ["body /tags wrong_type"]])
    })
  )

  it.effect("answer a patch that changes nothing with the same ETag and no trace", () =>
    Effect.gen(function* () {
      const { create, patch, request, token } = yield* client
      const created = yield* create({ firstName: "Anna", primaryLanguage: "de-DE", tags: ["a"] })
      const patched = yield* patch(created.body.id, { firstName: " Anna ", primaryLanguage: "DE-de", tags: ["a"] })
      assert.deepStrictEqual([patched.status, patched.body], [200, created.body])
      const actions = yield* request<Page<unknown>>("GET", `${path}/${created.body.id}/actions`, { token })
      assert.strictEqual(actions.body.data.length, 1)
    })
  )

  it.effect("accept read-only members with their present value only", () =>
    Effect.gen(function* () {
      const { create, get, patch } = yield* client
      const created = yield* create({ firstName: "Anna", externalRefs: [{ namespace: "crm", externalId: "1" }] })
      const read = (yield* get(created.body.id)).body
      const sentBack = yield* patch(created.body.id, { ...read, firstName: "Anne" })
      assert.deepStrictEqual([sentBack.status, sentBack.body.firstName], [200, "Anne"])
      const refused = yield* patch(created.body.id, { id: "contact_other", createdUtc: "2020-01-01T00:00:00.000Z" })
      assert.deepStrictEqual(
        [refused.status, [...faultsOf(refused)].sort()],
        [400, ["body /createdUtc read_only", "body /id read_only"]]
      )
    })
  )

  it.effect("honor If-Match: stale is 412 with the current ETag, weak never matches, malformed is 400", () =>
    Effect.gen(function* () {
      const { create, patch, delete: remove } = yield* client
      const created = yield* create({ firstName: "Anna" })
      const { etag, id } = created.body
      const second = yield* patch(id, { firstName: "Anne" }, { "if-match": etag })
      assert.strictEqual(second.status, 200)
      const stale = yield* patch(id, { firstName: "Anja" }, { "if-match": etag })
      assert.strictEqual(stale.status, 412)
      assert.deepInclude(stale.body, { code: "precondition_failed", currentEtag: second.body.etag } as never)
      assert.strictEqual((yield* remove(id, { "if-match": etag })).status, 412)
      assert.strictEqual((yield* patch(id, { firstName: "x" }, { "if-match": `W/${second.body.etag}` })).status, 412)
      assert.strictEqual((yield* patch(id, { firstName: "x" }, { "if-match": "v2" })).status, 400)
      assert.strictEqual((yield* patch(id, { firstName: "b" }, { "if-match": " " })).status, 200)
      assert.strictEqual((yield* patch(id, { firstName: "c" }, { "if-match": "*" })).status, 200)
      assert.strictEqual((yield* patch(id, { firstName: "d" }, { "if-match": '"other", "v4"' })).status, 200)
      assert.strictEqual((yield* remove(id, { "if-match": '"v5"' })).status, 204)
    })
  )

  it.effect("check in order: 404, then syntax, then If-Match, then the change", () =>
    Effect.gen(function* () {
      const { create, patch, request, token } = yield* client
      const created = yield* create({ firstName: "Anna" })
      yield* patch(created.body.id, { firstName: "Anne" })
      const stale = { "if-match": created.body.etag }
      const broken = { token, text: "{", headers: { ...stale, "content-type": "application/json" } }
      assert.strictEqual((yield* request("PATCH", `${path}/contact_unknown?bogus=1`, broken)).status, 404)
      assert.strictEqual((yield* request("PATCH", `${path}/${created.body.id}?bogus=1`, broken)).status, 400)
      assert.strictEqual((yield* patch(created.body.id, { bogus: 1 }, stale, "?bogus=1")).status, 412)
      assert.strictEqual((yield* patch(created.body.id, { bogus: 1 })).status, 400)
    })
  )

  it.effect("give exactly one 200 to twenty parallel patches with one ETag", () =>
    Effect.gen(function* () {
      const { create, patch } = yield* client
      const created = yield* create({ firstName: "Anna" })
      const replies = yield* Effect.all(
        Array.from({ length: 20 }, (_, index) =>
          patch(created.body.id, { firstName: `Anna ${index}` }, { "if-match": created.body.etag })
        ),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(replies.filter((reply) => reply.status === 200).length, 1)
      for (const reply of replies) assert.include([200, 409, 412], reply.status)
    })
  )

  it.effect("apply parallel patches without If-Match one on top of the other", () =>
    Effect.gen(function* () {
      const { create, get, patch } = yield* client
      const created = yield* create({ firstName: "Anna" })
      const replies = yield* Effect.all(
        [
          patch(created.body.id, { phone: "1" }),
          patch(created.body.id, { lastName: "Berg" }),
          patch(created.body.id, { tags: ["a"] })
        ],
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        replies.map((reply) => reply.status),
        [200, 200, 200]
      )
      assert.deepInclude((yield* get(created.body.id)).body, { phone: "1", lastName: "Berg", tags: ["a"] })
    })
  )

  it.effect("answer 304 while the client's ETag is current", () =>
    Effect.gen(function* () {
      const { create, get, patch } = yield* client
      const created = yield* create({ firstName: "Anna" })
      const { etag, id } = created.body
      const unchanged = yield* get(id, { "if-none-match": `"x", W/${etag}` })
      assert.deepStrictEqual([unchanged.status, unchanged.headers.get("etag"), unchanged.text], [304, etag, ""])
      yield* patch(id, { firstName: "Anne" })
      assert.strictEqual((yield* get(id, { "if-none-match": etag })).status, 200)
    })
  )

  it.effect("mirror GET for HEAD", () =>
    Effect.gen(function* () {
      const { create, request, token } = yield* client
      const created = yield* create({ firstName: "Anna" })
      const head = yield* request("HEAD", `${path}/${created.body.id}`, { token })
      assert.deepStrictEqual([head.status, head.headers.get("etag"), head.text], [200, created.body.etag, ""])
      assert.strictEqual((yield* request("HEAD", `${path}/nothing`, { token })).status, 404)
    })
  )

  it.effect("answer 404 after a delete, and release their references", () =>
    Effect.gen(function* () {
      const { create, get, list, patch, delete: remove } = yield* client
      const externalRefs = [{ namespace: "crm", externalId: "1" }]
      const created = yield* create({ firstName: "Anna", externalRefs })
      assert.strictEqual((yield* remove(created.body.id)).status, 204)
      assert.strictEqual((yield* get(created.body.id)).status, 404)
      assert.strictEqual((yield* remove(created.body.id)).status, 404)
      assert.strictEqual((yield* patch(created.body.id, { firstName: "x" })).status, 404)
      assert.deepStrictEqual((yield* list()).body.data, [])
      assert.strictEqual((yield* create({ firstName: "Ben", externalRefs })).status, 201)
    })
  )

  it.effect("hold an external reference once per team, and say who does", () =>
    Effect.gen(function* () {
      const { create, get, list, patch } = yield* client
      const other = yield* client
      const externalRefs = [{ namespace: "crm", externalId: "a:b" }]
      const holder = yield* create({ firstName: "Anna", externalRefs })
      const clash = yield* create({ firstName: "Ben", externalRefs })
      assert.strictEqual(clash.status, 409)
      assert.deepInclude(clash.body, { code: "external_reference_taken", holderId: holder.body.id } as never)
      const ben = yield* create({ firstName: "Ben" })
      assert.strictEqual((yield* patch(ben.body.id, { externalRefs })).status, 409)
      assert.deepStrictEqual((yield* get(ben.body.id)).body.externalRefs, [])
      assert.strictEqual((yield* other.create({ firstName: "Carl", externalRefs })).status, 201)
      const found = yield* list("?external_ref=crm:a:b")
      assert.deepStrictEqual(
        found.body.data.map((contact) => contact.id),
        [holder.body.id]
      )
      const twice = yield* create({ firstName: "Dora", externalRefs: [...externalRefs, ...externalRefs] })
      assert.deepStrictEqual([twice.status, faultsOf(twice)], [400, ["body /externalRefs not_unique"]])
    })
  )

  it.effect("reject a reference to a company that does not exist", () =>
    Effect.gen(function* () {
      const { create } = yield* client
      const refused = yield* create({ firstName: "Anna", primaryCompanyId: "company_01kb3n7x2ferwt5z8q4j6m9d0c" })
      assert.deepStrictEqual([refused.status, faultsOf(refused)], [400, ["body /primaryCompanyId invalid_reference"]])
    })
  )

  it.effect("list their changes on their timeline, newest first", () =>
    Effect.gen(function* () {
      const { create, patch, request, token, user } = yield* client
      const created = yield* create({ firstName: "Anna" })
      yield* patch(created.body.id, { phone: "1", lastName: "Berg" })
      const url = `${path}/${created.body.id}/actions`
      const actions = yield* request<Page<Record<string, unknown>>>("GET", url, { token })
      assert.deepStrictEqual(
        actions.body.data.map((row) => [row["type"], row["event"], row["details"]]),
        [
          ["audit", "contact.updated", { kind: "audit", changedFields: ["lastName", "phone"] }],
          ["audit", "contact.created", { kind: "audit" }]
        ]
      )
      assert.deepStrictEqual(actions.body.data[0]?.["actor"], { id: user, name: "Anna Berg" })
      assert.match(String(actions.body.data[0]?.["id"]), /^act_/)
      const first = yield* request<Page<Record<string, unknown>>>("GET", `${url}?page_size=1`, { token })
      const second = yield* request<Page<Record<string, unknown>>>(
        "GET",
        `${url}?page_size=1&cursor=${first.body.page.nextCursor}`,
        { token }
      )
      assert.deepStrictEqual([second.body.data[0]?.["event"], second.body.page.hasMore], ["contact.created", false])
      assert.strictEqual((yield* request("GET", `${url}?type=bogus`, { token })).status, 400)
      assert.deepStrictEqual((yield* request<Page<unknown>>("GET", `${url}?type=notes`, { token })).body.data, [])
    })
  )

  it.effect("belong to their team: other teams get 404 and never list them", () =>
    Effect.gen(function* () {
      const { create } = yield* client
      const other = yield* client
      const { body } = yield* create({ firstName: "Anna" })
      assert.strictEqual((yield* other.get(body.id)).status, 404)
      assert.strictEqual((yield* other.patch(body.id, { firstName: "x" })).status, 404)
      assert.strictEqual((yield* other.delete(body.id)).status, 404)
      assert.deepStrictEqual((yield* other.list()).body.data, [])
    })
  )

  it.effect("answer 404 for an id of another type and for an invalid id", () =>
    Effect.gen(function* () {
      const { get } = yield* client
      for (const id of ["company_01kb3n7x2ferwt5z8q4j6m9d0c", "contact_", "contact_zzz", "x", "%00", "contact_'--"]) {
        assert.strictEqual((yield* get(id)).status, 404, id)
      }
    })
  )
})
