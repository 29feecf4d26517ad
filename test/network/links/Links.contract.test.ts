import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { faultsOf } from "../../support/faults.ts"
import * as RecordsClient from "../../support/RecordsClient.ts"
import { TestService } from "../../support/TestService.ts"
import { aPair } from "./pair.ts"

const client = RecordsClient.make()
const path = RecordsClient.pathOf("links")

layer(TestService.layer, { excludeTestServices: true })("Links", (it) => {
  it.effect("join a contact and a company, and are read back", () =>
    Effect.gen(function* () {
      const {
        ends,
        links: { create, get }
      } = yield* aPair
      const externalRefs = [{ namespace: "crm", externalId: "1" }]
      const created = yield* create({ ...ends, jobTitle: " Head of Acquisitions ", externalRefs })
      assert.strictEqual(created.status, 201, created.text)
      const { body } = created
      assert.match(body.id, /^link_[0-9a-hjkmnp-tv-z]{26}$/)
      assert.strictEqual(created.headers.get("location"), `${path}/${body.id}`)
      assert.strictEqual(created.headers.get("etag"), body.etag)
      assert.deepStrictEqual(body, {
        id: body.id,
        ...ends,
        jobTitle: "Head of Acquisitions",
        externalRefs,
        createdUtc: body.createdUtc,
        updatedUtc: body.createdUtc,
        etag: body.etag,
        changeType: "created",
        changeOrigin: "api",
        deletedUtc: null
      })
      assert.deepStrictEqual((yield* get(body.id)).body, body)
      assert.strictEqual((yield* get(body.id, { "if-none-match": body.etag })).status, 304)
    })
  )

  it.effect("need a contact and a company of the team", () =>
    Effect.gen(function* () {
      const {
        companies,
        contacts,
        ends,
        links: { create }
      } = yield* aPair
      const stranger = yield* aPair
      assert.deepStrictEqual(faultsOf(yield* create({})), ["body /contactId required", "body /companyId required"])
      assert.deepStrictEqual(faultsOf(yield* create({ ...ends, contactId: null, jobTitle: "x".repeat(201) })), [
        "body /contactId wrong_type",
        "body /jobTitle too_long"
      ])
      const bad = (member: string) => [400, [`body /${member} invalid_reference`]]
      const asked = (json: object) => Effect.map(create(json), (reply) => [reply.status, faultsOf(reply)])
      const nobody = "contact_01kb3n7x2ferwt5z8q4j6m9d0c"
      const nothing = "company_01kb3n7x2ferwt5z8q4j6m9d0c"
      for (const contactId of [nobody, stranger.ends.contactId, ends.companyId, "nobody", ""]) {
        assert.deepStrictEqual(yield* asked({ ...ends, contactId }), bad("contactId"), contactId)
      }
      for (const companyId of [nothing, stranger.ends.companyId, ends.contactId, "nothing", ""]) {
        assert.deepStrictEqual(yield* asked({ ...ends, companyId }), bad("companyId"), companyId)
      }
      assert.deepStrictEqual(yield* asked({ contactId: nobody, companyId: "x" }), [
        400,
        ["body /contactId invalid_reference", "body /companyId invalid_reference"]
      ])
      const gone = (yield* contacts.create({ firstName: "Ben" })).body.id
      yield* contacts.delete(gone)
      assert.deepStrictEqual(yield* asked({ ...ends, contactId: gone }), bad("contactId"))
      const closed = (yield* companies.create({ name: "Tal" })).body.id
      yield* companies.delete(closed)
      assert.deepStrictEqual(yield* asked({ ...ends, companyId: closed }), bad("companyId"))
    })
  )

  it.effect("are unique per pair: a second one is rejected with the first as its candidate", () =>
    Effect.gen(function* () {
      const {
        companies,
        contacts,
        ends,
        links: { create }
      } = yield* aPair
      const { body } = yield* create({ ...ends, jobTitle: "Partner" })
      const second = yield* create({ ...ends, jobTitle: "Other" })
      assert.strictEqual(second.status, 409)
      assert.deepInclude(second.body, {
        code: "duplicate",
        candidates: [{ id: body.id, jobTitle: "Partner" }]
      } as never)
      assert.strictEqual((yield* create(ends, {}, "?force=true")).status, 400)
      const ben = (yield* contacts.create({ firstName: "Ben" })).body.id
      const tal = (yield* companies.create({ name: "Tal" })).body.id
      assert.strictEqual((yield* create({ ...ends, contactId: ben })).status, 201)
      assert.strictEqual((yield* create({ ...ends, companyId: tal })).status, 201)
    })
  )

  it.effect("are restored with their id when a deleted pair is linked again", () =>
    Effect.gen(function* () {
      const {
        ends,
        events,
        links: { create, get, list, delete: remove }
      } = yield* aPair
      const first = (yield* create({
        ...ends,
        jobTitle: "Partner",
        externalRefs: [{ namespace: "crm", externalId: "1" }]
      })).body
      yield* remove(first.id)
      assert.strictEqual((yield* get(first.id)).status, 404)
      const again = yield* create({ ...ends, jobTitle: "Director" })
      assert.strictEqual(again.status, 201, again.text)
      assert.deepInclude(again.body, {
        id: first.id,
        jobTitle: "Director",
        externalRefs: [],
        changeType: "restored",
        createdUtc: first.createdUtc,
        deletedUtc: null
      })
      assert.strictEqual(again.headers.get("location"), `${path}/${first.id}`)
      assert.notStrictEqual(again.body.etag, first.etag)
      assert.deepStrictEqual((yield* list("?include_deleted=true")).body.data, [again.body])
      assert.deepStrictEqual((yield* get(first.id)).body, again.body)
      const types = (yield* events).filter((event) => event["resource_id"] === first.id).map((event) => event["event"])
      assert.deepStrictEqual(types, ["link.created", "link.deleted", "link.created"])
      // And so on, however often.
      yield* remove(first.id)
      assert.strictEqual((yield* create(ends)).body.id, first.id)
    })
  )

  it.effect("are patched; their contact and company are read-only", () =>
    Effect.gen(function* () {
      const {
        ends,
        events,
        links: { create, patch }
      } = yield* aPair
      const { body } = yield* create({ ...ends, jobTitle: "Partner" })
      const same = yield* patch(body.id, body)
      assert.deepStrictEqual([same.status, same.body], [200, body])
      const patched = yield* patch(body.id, { ...body, jobTitle: null })
      assert.deepStrictEqual([patched.status, patched.body.jobTitle, patched.body.changeType], [200, null, "updated"])
      const refused = yield* patch(body.id, { contactId: "contact_x", companyId: null, jobTtle: "x" })
      assert.deepStrictEqual([...faultsOf(refused)].sort(), [
        "body /companyId read_only",
        "body /contactId read_only",
        "body /jobTtle unknown_member"
      ])
      assert.strictEqual((yield* patch(body.id, { jobTitle: "x" }, { "if-match": body.etag })).status, 412)
      yield* patch(body.id, { externalRefs: [{ namespace: "crm", externalId: "1" }] })
      assert.deepStrictEqual(
        (yield* events)
          .slice(2)
          .map((event) => [event["event"], event["changed_fields"], event["contact_id"], event["company_id"]]),
        [
          ["link.created", undefined, ends.contactId, ends.companyId],
          ["link.updated", ["job_title"], ends.contactId, ends.companyId],
          ["link.updated", ["external_refs"], ends.contactId, ends.companyId]
        ]
      )
    })
  )

  it.effect("leave tombstones with both ids, and release their references", () =>
    Effect.gen(function* () {
      const {
        ends,
        events,
        links: { create, delta, list, delete: remove }
      } = yield* aPair
      const externalRefs = [{ namespace: "crm", externalId: "1" }]
      const { body } = yield* create({ ...ends, jobTitle: "Partner", externalRefs })
      assert.strictEqual((yield* remove(body.id, { "if-match": '"v7"' })).status, 412)
      assert.strictEqual((yield* remove(body.id)).status, 204)
      assert.strictEqual((yield* remove(body.id)).status, 404)
      assert.deepStrictEqual((yield* list()).body.data, [])
      const [tombstone] = (yield* delta(`?updated_since=${body.createdUtc}&include_deleted=true`)).body.data
      assert.deepStrictEqual(
        { ...tombstone },
        {
          id: body.id,
          ...ends,
          jobTitle: null,
          externalRefs,
          createdUtc: body.createdUtc,
          updatedUtc: tombstone?.updatedUtc,
          etag: '"v2"',
          changeType: "deleted",
          changeOrigin: "api",
          deletedUtc: tombstone?.updatedUtc
        }
      )
      const deleted = (yield* events).at(-1)
      assert.deepInclude(deleted, {
        event: "link.deleted",
        resource_type: "link",
        resource_id: body.id,
        contact_id: ends.contactId,
        company_id: ends.companyId
      })
      assert.notProperty(deleted, "changed_fields")
    })
  )

  it.effect("are listed by contact, by company and by reference", () =>
    Effect.gen(function* () {
      const {
        companies,
        contacts,
        ends,
        links: { create, list, delete: remove }
      } = yield* aPair
      const ben = (yield* contacts.create({ firstName: "Ben" })).body.id
      const tal = (yield* companies.create({ name: "Tal" })).body.id
      const a = (yield* create(ends)).body
      const b = (yield* create({ contactId: ben, companyId: ends.companyId })).body
      const c = (yield* create({
        contactId: ben,
        companyId: tal,
        externalRefs: [{ namespace: "crm", externalId: "c" }]
      })).body
      const found = (query: string) => Effect.map(list(query), ({ body }) => body.data.map(({ id }) => id))
      assert.deepStrictEqual(yield* found(""), [a.id, b.id, c.id])
      assert.deepStrictEqual(yield* found(`?contact_id=${ben}`), [b.id, c.id])
      assert.deepStrictEqual(yield* found(`?company_id=${ends.companyId}`), [a.id, b.id])
      assert.deepStrictEqual(yield* found(`?company_id=${ends.companyId}&contact_id=${ben}`), [b.id])
      assert.deepStrictEqual(yield* found("?external_ref=crm:c"), [c.id])
      for (const none of [
        `contact_id=${ends.companyId}`,
        "contact_id=nobody",
        "company_id=contact_01kb3n7x2ferwt5z8q4j6m9d0c"
      ]) {
        assert.deepStrictEqual(yield* found(`?${none}`), [], none)
      }
      const first = yield* list(`?contact_id=${ben}&page_size=1`)
      assert.include(first.headers.get("link") ?? "", `contact_id=${ben}&page_size=1&cursor=`)
      const cursor = first.body.page.nextCursor
      assert.deepStrictEqual(yield* found(`?contact_id=${ben}&page_size=1&cursor=${cursor}`), [c.id])
      assert.strictEqual((yield* list(`?contact_id=${ends.contactId}&cursor=${cursor}`)).status, 400)
      yield* remove(b.id)
      assert.deepStrictEqual(yield* found(`?contact_id=${ben}`), [c.id])
      assert.deepStrictEqual(yield* found(`?contact_id=${ben}&include_deleted=true`), [b.id, c.id])
      assert.deepStrictEqual(yield* found(`?company_id=${ends.companyId}&include_deleted=true`), [a.id, b.id])
    })
  )

  it.effect("are on the timelines of their contact and company", () =>
    Effect.gen(function* () {
      const {
        companies,
        contacts,
        ends,
        links: { create, patch, delete: remove }
      } = yield* aPair
      const {
        body: { id }
      } = yield* create(ends)
      yield* patch(id, { jobTitle: "Partner" })
      yield* remove(id)
      yield* create(ends)
      const rows = (data: ReadonlyArray<RecordsClient.Row>) =>
        data.map((row) => [row["event"], row["details"]]).filter(([event]) => String(event).startsWith("link."))
      const ofContact = (yield* contacts.actions(ends.contactId)).body.data
      const ofCompany = (yield* companies.actions(ends.companyId)).body.data
      const expected = [
        ["link.created", { kind: "audit" }],
        ["link.deleted", { kind: "audit" }],
        ["link.updated", { kind: "audit", changedFields: ["jobTitle"] }],
        ["link.created", { kind: "audit" }]
      ]
      assert.deepStrictEqual(rows(ofContact), expected)
      assert.deepStrictEqual(rows(ofCompany), expected)
      assert.deepStrictEqual(ofContact[0]?.["id"], ofCompany[0]?.["id"])
    })
  )

  it.effect("are created once per idempotency key, and support dry runs", () =>
    Effect.gen(function* () {
      const {
        ends,
        links: { create, list, delete: remove }
      } = yield* aPair
      const dry = yield* create(ends, { prefer: "dry-run" })
      assert.deepStrictEqual([dry.status, dry.body["wouldAnswer" as never]], [200, 201])
      assert.lengthOf((yield* list()).body.data, 0)
      const first = yield* create(ends, { "idempotency-key": "k" })
      const again = yield* create(ends, { "idempotency-key": "k" })
      assert.deepStrictEqual([again.status, again.body], [201, first.body])
      assert.strictEqual(again.headers.get("idempotency-replayed"), "true")
      yield* remove(first.body.id)
      const revived = yield* create(ends, { prefer: "dry-run" })
      assert.deepInclude(revived.body, {
        wouldAnswer: 201,
        affected: [{ type: "link", id: first.body.id, change: "restored" }],
        events: [{ event: "link.created", resource_id: first.body.id }]
      } as never)
      assert.lengthOf((yield* list()).body.data, 0)
    })
  )

  it.effect("belong to their team", () =>
    Effect.gen(function* () {
      const {
        ends,
        links: { create }
      } = yield* aPair
      const { links } = yield* client
      const {
        body: { id }
      } = yield* create(ends)
      assert.strictEqual((yield* links.get(id)).status, 404)
      assert.strictEqual((yield* links.patch(id, { jobTitle: "x" })).status, 404)
      assert.strictEqual((yield* links.delete(id)).status, 404)
      assert.deepStrictEqual((yield* links.list(`?contact_id=${ends.contactId}`)).body.data, [])
    })
  )
})
