import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { faultsOf } from "../../support/faults.ts"
import * as RecordsClient from "../../support/RecordsClient.ts"
import { TestService } from "../../support/TestService.ts"

const client = RecordsClient.make()
const path = RecordsClient.pathOf("companies")

const full = {
  name: " Rossi Immobiliare ",
  legalName: "Rossi Immobiliare S.p.A.",
  country: "IT",
  homepageUrl: "https://www.rossi.example/it",
  linkedInUrl: "https://www.linkedin.com/company/rossi",
  tags: ["logistics", "core", "logistics"],
  strategy: "Value-add logistics",
  profilePictureUrl: "https://cdn.example.com/rossi.png",
  externalRefs: [{ namespace: "hubspot", externalId: "c-501" }]
}

layer(TestService.layer, { excludeTestServices: true })("Companies", (it) => {
  it.effect("are created with 201, a Location and an ETag, and read back", () =>
    Effect.gen(function* () {
      const {
        companies: { create, get }
      } = yield* client
      const created = yield* create(full)
      assert.strictEqual(created.status, 201, created.text)
      const { body } = created
      assert.strictEqual(created.headers.get("location"), `${path}/${body.id}`)
      assert.strictEqual(created.headers.get("etag"), body.etag)
      assert.match(body.id, /^company_[0-9a-hjkmnp-tv-z]{26}$/)
      assert.deepStrictEqual(body, {
        ...full,
        id: body.id,
        name: "Rossi Immobiliare",
        domain: "rossi.example",
        tags: ["logistics", "core"],
        createdUtc: body.createdUtc,
        updatedUtc: body.createdUtc,
        etag: body.etag,
        changeType: "created",
        changeOrigin: "api",
        deletedUtc: null,
        mergedInto: null
      })
      const read = yield* get(body.id)
      assert.deepStrictEqual([read.status, read.body, read.headers.get("etag")], [200, body, body.etag])
      const small = yield* create({ name: "Berg" })
      assert.deepInclude(small.body, {
        legalName: null,
        country: null,
        homepageUrl: null,
        domain: null,
        linkedInUrl: null,
        tags: [],
        strategy: null,
        profilePictureUrl: null,
        externalRefs: []
      })
    })
  )

  it.effect("need a name, also after a patch", () =>
    Effect.gen(function* () {
      const {
        companies: { create, patch }
      } = yield* client
      assert.deepStrictEqual(faultsOf(yield* create({ country: "DE" })), ["body /name required"])
      assert.deepStrictEqual(faultsOf(yield* create({ name: null })), ["body /name wrong_type"])
      assert.deepStrictEqual(faultsOf(yield* create({ name: " " })), ["body /name blank"])
      const {
        body: { id }
      } = yield* create({ name: "Berg" })
      assert.deepStrictEqual(faultsOf(yield* patch(id, { name: null })), ["body /name wrong_type"])
    })
  )

  it.effect("report all faults of a body at once, with suggestions for misspelt names", () =>
    Effect.gen(function* () {
      const {
        companies: { create }
      } = yield* client
      const refused = yield* create(
        {
          name: "x".repeat(201),
          legalNme: "Berg AG",
          country: "UK",
          homepageUrl: "example.com",
          domain: "https://example.com",
          linkedInUrl: "ftp://example.com",
          tags: ["y".repeat(65)],
          strategy: 5,
          externalRefs: [{ namespace: "a:b", externalId: "1" }]
        },
        {},
        "?frce=true"
      )
      assert.strictEqual(refused.status, 400)
      assert.deepStrictEqual([...faultsOf(refused)].sort(), [
        "body /country invalid_country",
        "body /domain invalid_domain",
        "body /externalRefs/0/namespace invalid_characters",
        "body /homepageUrl invalid_url",
        "body /legalNme unknown_member",
        "body /linkedInUrl invalid_url",
        "body /name too_long",
        "body /strategy wrong_type",
        "body /tags/0 too_long",
        "query /frce unknown_parameter"
      ])
      assert.include(refused.text, 'Did you mean \\"legalName\\"?')
    })
  )

  it.effect("are of an assigned country in upper case", () =>
    Effect.gen(function* () {
      const {
        companies: { create }
      } = yield* client
      for (const country of ["UK", "de", "XX", "XK", "DEU", "Germany", "", "D"]) {
        const refused = yield* create({ name: "Berg", country })
        assert.deepStrictEqual([refused.status, faultsOf(refused)], [400, ["body /country invalid_country"]], country)
      }
      for (const country of ["GB", "DE"]) {
        assert.strictEqual((yield* create({ name: "Berg", country })).status, 201, country)
      }
    })
  )

  it.effect("keep the limits on text", () =>
    Effect.gen(function* () {
      const {
        companies: { create }
      } = yield* client
      const sized = (over: number) => ({
        name: "🏢".repeat(200 + over),
        legalName: "🏢".repeat(200 + over),
        homepageUrl: `https://example.com/${"x".repeat(2028 + over)}`,
        strategy: "s".repeat(20_000 + over),
        tags: Array.from({ length: 50 + over }, (_, index) => `${index}`.padEnd(64, "x")),
        externalRefs: Array.from({ length: 20 + over }, (_, index) => ({ namespace: "crm", externalId: `${index}` }))
      })
      const fits = yield* create(sized(0))
      assert.strictEqual(fits.status, 201, fits.text)
      assert.deepStrictEqual([...faultsOf(yield* create(sized(1)))].sort(), [
        "body /externalRefs too_many",
        "body /homepageUrl too_long",
        "body /legalName too_long",
        "body /name too_long",
        "body /strategy too_long",
        "body /tags too_many"
      ])
    })
  )

  it.effect("are patched: omitted members stay, null clears, arrays replace", () =>
    Effect.gen(function* () {
      const {
        companies: { create, patch }
      } = yield* client
      const created = yield* create(full)
      const patched = yield* patch(
        created.body.id,
        { legalName: null, tags: ["new"], externalRefs: [] },
        {
          "content-type": "application/merge-patch+json"
        }
      )
      assert.strictEqual(patched.status, 200, patched.text)
      assert.deepInclude(patched.body, {
        name: "Rossi Immobiliare",
        legalName: null,
        country: "IT",
        tags: ["new"],
        externalRefs: [],
        changeType: "updated"
      })
      assert.notStrictEqual(patched.body.etag, created.body.etag)
      assert.deepStrictEqual(faultsOf(yield* patch(created.body.id, { tags: null })), ["body /tags wrong_type"])
    })
  )

  it.effect("accept the present values of read-only members, and reject others", () =>
    Effect.gen(function* () {
      const {
        companies: { create, get, patch },
        events
      } = yield* client
      const {
        body: { id }
      } = yield* create(full)
      const read = (yield* get(id)).body
      const same = yield* patch(id, read)
      assert.deepStrictEqual([same.status, same.body], [200, read])
      assert.lengthOf(yield* events, 1)
      const changed = yield* patch(id, { ...read, strategy: "Core" })
      assert.deepStrictEqual([changed.status, changed.body.strategy], [200, "Core"])
      const refused = yield* patch(id, { ...read, etag: '"v9"', createdUtc: null })
      assert.deepStrictEqual([...faultsOf(refused)].sort(), [
        "body /changeType read_only",
        "body /createdUtc read_only",
        "body /etag read_only",
        "body /updatedUtc read_only"
      ])
    })
  )

  it.effect("honor If-Match and If-None-Match", () =>
    Effect.gen(function* () {
      const {
        companies: { create, get, patch, delete: remove }
      } = yield* client
      const {
        body: { etag, id }
      } = yield* create({ name: "Berg" })
      assert.strictEqual((yield* get(id, { "if-none-match": etag })).status, 304)
      const second = yield* patch(id, { strategy: "Core" }, { "if-match": etag })
      assert.strictEqual(second.status, 200)
      const stale = yield* patch(id, { strategy: "x" }, { "if-match": etag })
      assert.deepInclude(stale.body, { code: "precondition_failed", currentEtag: second.body.etag } as never)
      assert.strictEqual((yield* remove(id, { "if-match": etag })).status, 412)
      assert.strictEqual((yield* patch(id, { strategy: "x" }, { "if-match": "v2" })).status, 400)
      assert.strictEqual((yield* get(id, { "if-none-match": etag })).status, 200)
      assert.strictEqual((yield* remove(id, { "if-match": second.body.etag })).status, 204)
    })
  )

  it.effect("are created once per idempotency key", () =>
    Effect.gen(function* () {
      const {
        companies: { create, list }
      } = yield* client
      const key = { "idempotency-key": "k-1" }
      const first = yield* create({ name: "Berg" }, key)
      const again = yield* create({ name: "Berg" }, key)
      assert.deepStrictEqual([again.status, again.body], [201, first.body])
      assert.strictEqual(again.headers.get("idempotency-replayed"), "true")
      assert.isNull(first.headers.get("idempotency-replayed"))
      const other = yield* create({ name: "Tal" }, key)
      assert.deepStrictEqual([other.status, other.body["code" as never]], [422, "idempotency_key_reused"])
      assert.lengthOf((yield* list()).body.data, 1)
    })
  )

  it.effect("support dry runs", () =>
    Effect.gen(function* () {
      const {
        companies: { create, list, patch, delete: remove }
      } = yield* client
      const dryRun = { prefer: "dry-run" }
      const dryRunReport = yield* create({ name: "Berg", homepageUrl: "https://berg.example" }, dryRun)
      assert.strictEqual(dryRunReport.status, 200)
      assert.strictEqual(dryRunReport.body["wouldAnswer" as never], 201)
      assert.strictEqual((dryRunReport.body["result" as never] as { domain: string }).domain, "berg.example")
      assert.lengthOf((yield* list("?include_deleted=true")).body.data, 0)
      const { body } = yield* create({ name: "Berg" })
      assert.strictEqual((yield* patch(body.id, { name: "Tal" }, dryRun)).body["wouldAnswer" as never], 200)
      assert.strictEqual((yield* remove(body.id, dryRun)).body["wouldAnswer" as never], 204)
      assert.deepStrictEqual((yield* list()).body.data, [body])
    })
  )

  it.effect("emit events whose changed_fields have the documented names", () =>
    Effect.gen(function* () {
      const {
        companies: { create, patch, delete: remove },
        events,
        user
      } = yield* client
      const {
        body: { id }
      } = yield* create({ name: "Berg" })
      const steps = [
        [{ name: "Berg und Tal" }, ["name"]],
        [{ country: "SE" }, ["country"]],
        [{ homepageUrl: "https://berg.example" }, ["homepage_url", "domain"]],
        [{ domain: "tal.example" }, ["domain"]],
        [{ tags: ["a"] }, ["tags"]],
        [{ strategy: "Core" }, ["strategy"]],
        [{ profilePictureUrl: "https://cdn.example.com/1.png" }, ["profile_picture"]],
        [
          { legalName: "Berg AG", linkedInUrl: "https://www.linkedin.com/company/berg" },
          ["legal_name", "linked_in_url"]
        ],
        [{ externalRefs: [{ namespace: "crm", externalId: "1" }] }, ["external_refs"]]
      ] as const
      for (const [change] of steps) assert.strictEqual((yield* patch(id, change)).status, 200)
      yield* remove(id)
      const [created, ...others] = yield* events
      const deleted = others.pop()
      assert.deepStrictEqual(created, {
        event: "company.created",
        resource_type: "company",
        resource_id: id,
        timestamp: created?.["timestamp"],
        action_id: created?.["action_id"],
        actor_user_id: user,
        change_initiator: null
      })
      assert.deepStrictEqual(Object.keys(deleted ?? {}), Object.keys(created ?? {}))
      assert.strictEqual(deleted?.["event"], "company.deleted")
      assert.deepStrictEqual(
        others.map((event) => [event["event"], event["changed_fields"]]),
        steps.map(([, names]) => ["company.updated", names])
      )
    })
  )

  it.effect("list their changes on their timeline, newest first", () =>
    Effect.gen(function* () {
      const {
        companies: { actions, create, patch },
        user
      } = yield* client
      const {
        body: { id }
      } = yield* create({ name: "Berg" })
      yield* patch(id, { homepageUrl: "https://berg.example" })
      const {
        body: { data }
      } = yield* actions(id)
      assert.deepStrictEqual(
        data.map((row) => [row["type"], row["event"], row["details"]]),
        [
          ["audit", "company.updated", { kind: "audit", changedFields: ["homepageUrl", "domain"] }],
          ["audit", "company.created", { kind: "audit" }]
        ]
      )
      assert.deepStrictEqual(data[0]?.["actor"], { id: user, name: "Anna Berg" })
      assert.lengthOf((yield* actions(id, "?page_size=1")).body.data, 1)
    })
  )

  it.effect("hold an external reference once per team and type, and report the holder", () =>
    Effect.gen(function* () {
      const {
        companies: { create, list, patch, delete: remove },
        contacts
      } = yield* client
      const externalRefs = [{ namespace: "crm", externalId: "1" }]
      const holder = yield* create({ name: "Berg", externalRefs })
      const clash = yield* create({ name: "Tal", externalRefs })
      assert.deepInclude(clash.body, { code: "external_reference_taken", holderId: holder.body.id } as never)
      assert.strictEqual((yield* contacts.create({ firstName: "Anna", externalRefs })).status, 201)
      const tal = yield* create({ name: "Tal" })
      assert.strictEqual((yield* patch(tal.body.id, { externalRefs })).status, 409)
      assert.deepStrictEqual((yield* list("?external_ref=crm:1")).body.data, [holder.body])
      yield* remove(holder.body.id)
      assert.strictEqual((yield* patch(tal.body.id, { externalRefs })).status, 200)
    })
  )

  it.effect("are listed by domain, as it is stored, and by tags, all of them", () =>
    Effect.gen(function* () {
      const { create, delete: remove, delta, list } = (yield* client).companies
      const externalRefs = [{ namespace: "crm", externalId: "1" }]
      yield* create({ name: "a", homepageUrl: "https://www.rossi.example/it", tags: ["core", "office"], externalRefs })
      yield* create({ name: "b", domain: "münchen.example", tags: ["core"] })
      const { body: c } = yield* create({ name: "c", tags: ["office"] })
      const expected = {
        "domain=rossi.example": ["a"],
        "domain=WWW.Rossi.Example": ["a"],
        "domain=it.rossi.example": [],
        "domain=M%C3%BCnchen.example": ["b"],
        "tags=core": ["a", "b"],
        "tags=core&tags=office": ["a"],
        "tags=core&domain=rossi.example": ["a"],
        "tags=office&domain=rossi.example&external_ref=crm:1": ["a"],
        "tags=office&external_ref=crm:2": []
      }
      for (const [query, found] of Object.entries(expected)) {
        const { body, status, text } = yield* list(`?${query}`)
        assert.strictEqual(status, 200, text)
        assert.deepStrictEqual(
          body.data.map(({ name }) => name),
          found,
          query
        )
      }
      yield* remove(c.id)
      const { body } = yield* delta("?updated_since=2020-01-01&domain=rossi.example&include_deleted=true")
      assert.deepStrictEqual(
        body.data.map(({ name }) => name),
        ["a", null]
      )
      for (const domain of ["https://rossi.example/", "localhost"]) {
        assert.deepStrictEqual(faultsOf(yield* list(`?domain=${domain}`)), ["query /domain invalid_domain"])
      }
      assert.deepStrictEqual(faultsOf(yield* list("?email=a@rossi.example")), ["query /email unknown_parameter"])
    })
  )

  it.effect("page by cursor, become deltas, and leave tombstones", () =>
    Effect.gen(function* () {
      const {
        companies: { create, delta, list, patch, delete: remove }
      } = yield* client
      const made = (name: string) =>
        Effect.map(create({ ...full, name, homepageUrl: null, externalRefs: [] }), ({ body }) => body)
      const [a, b, c] = [yield* made("a"), yield* made("b"), yield* made("c")]
      const first = yield* list("?page_size=2")
      assert.deepStrictEqual(first.body.data, [a, b])
      const second = yield* list(`?page_size=2&cursor=${first.body.page.nextCursor}`)
      assert.deepStrictEqual([second.body.data, second.body.page.hasMore], [[c], false])
      const patched = (yield* patch(a.id, { externalRefs: [{ namespace: "crm", externalId: "1" }] })).body
      const since = encodeURIComponent(patched.updatedUtc)
      assert.deepStrictEqual((yield* delta(`?updated_since=${since}`)).body.data, [patched])
      assert.strictEqual((yield* remove(patched.id)).status, 204)
      assert.deepStrictEqual((yield* list()).body.data, [b, c])
      const [tombstone] = (yield* delta(`?updated_since=${since}&include_deleted=true`)).body.data
      assert.deepStrictEqual(tombstone, {
        id: patched.id,
        name: null,
        legalName: null,
        country: null,
        homepageUrl: null,
        domain: null,
        linkedInUrl: null,
        tags: [],
        strategy: null,
        profilePictureUrl: null,
        externalRefs: [{ namespace: "crm", externalId: "1" }],
        createdUtc: patched.createdUtc,
        updatedUtc: tombstone?.updatedUtc ?? "",
        etag: tombstone?.etag ?? "",
        changeType: "deleted",
        changeOrigin: "api",
        deletedUtc: tombstone?.updatedUtc ?? "",
        mergedInto: null
      })
      assert.notStrictEqual(tombstone?.etag, patched.etag)
    })
  )

  it.effect("belong to their team, and are found by a company's id only", () =>
    Effect.gen(function* () {
      const { companies } = yield* client
      const other = yield* client
      const { body } = yield* companies.create({ name: "Berg" })
      assert.strictEqual((yield* other.companies.get(body.id)).status, 404)
      assert.strictEqual((yield* other.companies.patch(body.id, { name: "x" })).status, 404)
      assert.strictEqual((yield* other.companies.delete(body.id)).status, 404)
      assert.strictEqual((yield* other.companies.actions(body.id)).status, 404)
      assert.strictEqual((yield* companies.get(body.id.replace("company", "contact"))).status, 404)
      assert.strictEqual((yield* companies.get(`${body.id}0`)).status, 404)
    })
  )

  it.effect("give exactly one 200 to twenty parallel patches with one ETag", () =>
    Effect.gen(function* () {
      const {
        companies: { create, patch }
      } = yield* client
      const {
        body: { etag, id }
      } = yield* create({ name: "Berg" })
      const replies = yield* Effect.all(
        Array.from({ length: 20 }, (_, index) => patch(id, { strategy: `${index}` }, { "if-match": etag })),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(
        replies.filter(({ status }) => status === 200),
        1
      )
      for (const { status } of replies) assert.include([200, 409, 412], status)
    })
  )
})
