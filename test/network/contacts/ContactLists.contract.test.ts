import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Contact } from "../../../src/network/contacts/Contact.ts"
import { make } from "../../support/ContactsClient.ts"
import { faultsOf } from "../../support/faults.ts"
import { TestService } from "../../support/TestService.ts"

const client = make()

const names = (contacts: ReadonlyArray<Contact>) => contacts.map((contact) => contact.firstName)

layer(TestService.layer, { excludeTestServices: true })("Lists of contacts", (it) => {
  it.effect("page by cursor in the order of creation, each contact once", () =>
    Effect.gen(function* () {
      const { create, list } = yield* client
      for (const firstName of ["a", "b", "c", "d", "e"]) yield* create({ firstName })
      const first = yield* list("?page_size=2")
      assert.deepStrictEqual(names(first.body.data), ["a", "b"])
      assert.deepInclude(first.body.page, { pageSize: 2, hasMore: true })
      const second = yield* list(`?page_size=2&cursor=${first.body.page.nextCursor}`)
      assert.deepStrictEqual(names(second.body.data), ["c", "d"])
      const third = yield* list(`?page_size=3&cursor=${second.body.page.nextCursor}`)
      assert.deepStrictEqual(names(third.body.data), ["e"])
      assert.deepInclude(third.body.page, { nextCursor: null, pageSize: 3, hasMore: false })
      assert.isNull(third.headers.get("link"))
    })
  )

  it.effect("are answered with their length in bytes, for any page size", () =>
    Effect.gen(function* () {
      const { create, list } = yield* client
      const strategy = "Büros in München, ✓".repeat(500)
      for (const firstName of ["a", "b", "c"]) yield* create({ firstName, strategy })
      for (const { expected, size } of [
        { size: 1, expected: ["a"] },
        { size: 3, expected: ["a", "b", "c"] }
      ]) {
        const page = yield* list(`?page_size=${size}`, { "accept-encoding": "identity" })
        assert.deepStrictEqual(names(page.body.data), expected)
        assert.deepStrictEqual(
          page.body.data.map((contact) => contact.strategy),
          expected.map(() => strategy)
        )
        assert.strictEqual(page.headers.get("content-type"), "application/json")
        assert.strictEqual(page.headers.get("content-length"), String(Buffer.byteLength(page.text)))
      }
    })
  )

  it.effect("have no cursor on a last page that is full", () =>
    Effect.gen(function* () {
      const { create, list } = yield* client
      yield* create({ firstName: "a" })
      yield* create({ firstName: "b" })
      const page = yield* list("?page_size=2")
      assert.deepInclude(page.body.page, { nextCursor: null, pageSize: 2, hasMore: false })
      assert.deepInclude((yield* list()).body.page, { pageSize: 50 })
    })
  )

  it.effect("link to the next page with the filters repeated", () =>
    Effect.gen(function* () {
      const { create, delta: list, request, token } = yield* client
      const { baseUrl } = yield* TestService
      for (const firstName of ["a", "b", "c"]) yield* create({ firstName })
      const today = new Date().toISOString().slice(0, 10)
      const first = yield* list(`?updated_since=${today}&include_deleted=true&page_size=2`)
      const [, link = ""] = /^<([^>]+)>; rel="next"$/.exec(first.headers.get("link") ?? "") ?? []
      assert.include(link, `${baseUrl}/api/v1/network/contacts?`)
      assert.include(link, `updated_since=${today}&include_deleted=true&page_size=2&cursor=`)
      const next = yield* request<typeof first.body>("GET", link.slice(baseUrl.length), { token })
      assert.deepStrictEqual(names(next.body.data), ["c"])
    })
  )

  it.effect("reject a page_size outside 1 to 500, and blank and misspelt parameters", () =>
    Effect.gen(function* () {
      const { list } = yield* client
      for (const size of ["0", "501", "-1", "1.5", "1e2", "+5", "05", "x", "%20"]) {
        const refused = yield* list(`?page_size=${size}`)
        assert.strictEqual(refused.status, 400, size)
      }
      assert.strictEqual((yield* list("?page_size=500")).status, 200)
      assert.strictEqual((yield* list("?page_size=1")).status, 200)
      assert.deepStrictEqual(faultsOf(yield* list("?cursor=")), ["query /cursor blank"])
      const misspelt = yield* list("?page_sze=10")
      assert.deepStrictEqual(faultsOf(misspelt), ["query /page_sze unknown_parameter"])
      assert.include(misspelt.text, 'Did you mean \\"page_size\\"?')
      assert.strictEqual((yield* list("?page_size=1&page_size=2")).status, 400)
      assert.deepStrictEqual(faultsOf(yield* list("?include_deleted=yes")), ["query /include_deleted not_allowed"])
      assert.deepStrictEqual(faultsOf(yield* list("?updated_since=yesterday")), [
        "query /updated_since invalid_timestamp"
      ])
      assert.deepStrictEqual(faultsOf(yield* list("?updated_since=2026-01-01T00:00:00")), [
        "query /updated_since invalid_timestamp"
      ])
      assert.deepStrictEqual(faultsOf(yield* list("?external_ref=crm")), ["query /external_ref invalid_format"])
    })
  )

  it.effect("reject a cursor of another team, list or filter, and a modified one", () =>
    Effect.gen(function* () {
      const mine = yield* client
      const other = yield* client
      for (const firstName of ["a", "b"]) {
        yield* mine.create({ firstName })
        yield* other.create({ firstName })
      }
      const cursor = (yield* mine.list("?page_size=1")).body.page.nextCursor ?? ""
      const refused = [
        yield* other.list(`?cursor=${cursor}`),
        yield* mine.list(`?cursor=${cursor}&include_deleted=true`),
        yield* mine.list(`?cursor=${cursor}&updated_since=2020-01-01`),
        yield* mine.list(`?cursor=${cursor.slice(0, -1)}${cursor.endsWith("A") ? "B" : "A"}`),
        yield* mine.list(`?cursor=${cursor}%3D`),
        yield* mine.list("?cursor=x")
      ]
      assert.deepStrictEqual(
        refused.map((reply) => [reply.status, (reply.body as { code?: string }).code]),
        refused.map(() => [400, "invalid_cursor"])
      )
      assert.strictEqual((yield* mine.list(`?cursor=${cursor}`)).status, 200)
    })
  )

  it.effect("become deltas with updated_since: inclusive, in the order of update", () =>
    Effect.gen(function* () {
      const { create, delta: list, patch } = yield* client
      const a = yield* create({ firstName: "a" })
      const b = yield* create({ firstName: "b" })
      yield* patch(a.body.id, { firstName: "A" })
      const since = (stamp: string) => `?updated_since=${encodeURIComponent(stamp)}`
      assert.deepStrictEqual(names((yield* list(since(b.body.updatedUtc))).body.data), ["b", "A"])
      const last = (yield* list(since(a.body.createdUtc))).body.data.at(-1)?.updatedUtc ?? ""
      assert.deepStrictEqual(names((yield* list(since(last))).body.data), ["A"])
      const berlin = new Date(Date.parse(b.body.updatedUtc) + 3_600_000).toISOString().replace("Z", "+01:00")
      assert.deepStrictEqual(names((yield* list(since(berlin))).body.data), ["b", "A"])
      const first = yield* list(`${since(a.body.createdUtc)}&page_size=1`)
      const second = yield* list(`${since(a.body.createdUtc)}&page_size=1&cursor=${first.body.page.nextCursor}`)
      assert.deepStrictEqual([names(first.body.data), names(second.body.data)], [["b"], ["A"]])
    })
  )

  it.effect("show tombstones with include_deleted: audit members and references, the rest null or empty", () =>
    Effect.gen(function* () {
      const { create, delta: list, delete: remove } = yield* client
      const externalRefs = [{ namespace: "crm", externalId: "1" }]
      const a = yield* create({ firstName: "a", email: "a@example.com", tags: ["t"], externalRefs })
      yield* remove(a.body.id)
      assert.deepStrictEqual((yield* list("?updated_since=2020-01-01")).body.data, [])
      const [tombstone] = (yield* list("?include_deleted=true")).body.data
      assert.deepInclude(tombstone, {
        id: a.body.id,
        createdUtc: a.body.createdUtc,
        changeType: "deleted",
        changeOrigin: "api",
        externalRefs,
        name: null,
        firstName: null,
        email: null,
        tags: []
      })
      assert.strictEqual(tombstone?.deletedUtc, tombstone?.updatedUtc)
      assert.notStrictEqual(tombstone?.etag, a.body.etag)
      const today = new Date().toISOString().slice(0, 10)
      const delta = yield* list(`?updated_since=${today}&include_deleted=true`)
      assert.deepStrictEqual(delta.body.data, tombstone === undefined ? [] : [tombstone])
    })
  )

  it.effect("filter by e-mail address, whatever its case, and by tags, all of them", () =>
    Effect.gen(function* () {
      const { create, list } = yield* client
      const externalRefs = [{ namespace: "crm", externalId: "1" }]
      yield* create({ firstName: "a", email: "Anna@Example.com", tags: ["core", "office"], externalRefs })
      yield* create({ firstName: "b", email: "b@example.com", tags: ["core", "Office"] })
      yield* create({ firstName: "c", tags: ["office"] })
      yield* create({ firstName: "d", email: "anna@example.com" }, {}, "?force=true")
      const expected = {
        "email=ANNA%40example.com": ["a", "d"],
        "email=anna@example.co": [],
        "tags=core": ["a", "b"],
        "tags=core&tags=office": ["a"],
        "tags=office&tags=core&tags=core": ["a"],
        "tags=core&tags=nothing": [],
        "tags=core&email=b@example.com": ["b"],
        "tags=office&email=b@example.com": [],
        "email=anna@example.com&external_ref=crm:1": ["a"],
        "email=b@example.com&external_ref=crm:1": [],
        "tags=office&external_ref=crm:1&include_deleted=true": ["a"]
      }
      for (const [query, found] of Object.entries(expected)) {
        const reply = yield* list(`?${query}`)
        assert.strictEqual(reply.status, 200, reply.text)
        assert.deepStrictEqual(names(reply.body.data), found, query)
      }
      const first = yield* list("?tags=core&page_size=1")
      const { nextCursor: cursor } = first.body.page
      assert.deepStrictEqual(names((yield* list(`?tags=core&cursor=${cursor}`)).body.data), ["b"])
      for (const query of ["", "&tags=office", "&tags=core&tags=office", "&tags=core&email=b@example.com"]) {
        assert.strictEqual((yield* list(`?cursor=${cursor}${query}`)).status, 400, query)
      }
      const tooMany = Array.from({ length: 51 }, (_, index) => `tags=t${index}`).join("&")
      const refused = {
        "email=anna": "query /email invalid_email",
        "email=": "query /email blank",
        "email=a@b.example&email=c@d.example": "query /email repeated",
        [`tags=core&tags=${"x".repeat(65)}`]: "query /tags/1 too_long",
        [tooMany]: "query /tags too_many",
        "domain=example.com": "query /domain unknown_parameter"
      }
      for (const [query, fault] of Object.entries(refused)) {
        assert.deepStrictEqual(faultsOf(yield* list(`?${query}`)), [fault])
      }
    })
  )

  it.effect("become deltas of a filtered copy: what has the members now, and all tombstones", () =>
    Effect.gen(function* () {
      const { create, delta: list, delete: remove, patch } = yield* client
      const made = yield* Effect.forEach(["a", "b", "c"], (name) =>
        create({ firstName: name, email: `${name}@example.com`, tags: name === "c" ? [] : ["core"] })
      )
      const [a = "", b = "", c = ""] = made.map(({ body }) => body.id)
      const full = yield* list("?tags=core")
      assert.deepStrictEqual(names(full.body.data), ["a", "b"])
      yield* patch(b, { tags: ["office"] })
      yield* patch(c, { firstName: "C", tags: ["core"] })
      yield* remove(a)
      const since = `updated_since=${full.body.page.nextSince}`
      const found = (query: string) => Effect.map(list(`?${since}&${query}`), ({ body }) => names(body.data))
      assert.deepStrictEqual(yield* found("tags=core"), ["C"])
      // A tombstone has no members to filter by, and clients that keep a filtered copy need it.
      assert.deepStrictEqual(yield* found("tags=core&include_deleted=true"), ["C", null])
      assert.deepStrictEqual(yield* found("email=b@example.com&include_deleted=true"), ["b", null])
      assert.deepStrictEqual(yield* found("email=nobody@example.com"), [])
      assert.deepStrictEqual(names((yield* list("?tags=core&include_deleted=true")).body.data), [null, "C"])
    })
  )

  it.effect("reject a nextSince that was changed", () =>
    Effect.gen(function* () {
      const { create, list } = yield* client
      yield* create({ firstName: "a" })
      const since = (yield* list()).body.page.nextSince ?? ""
      const [name = "", of, horizon, server, at, shown] = JSON.parse(Buffer.from(since, "base64url").toString())
      const spelt = (...values: ReadonlyArray<unknown>) => Buffer.from(JSON.stringify(values)).toString("base64url")
      assert.strictEqual(spelt(name, of, horizon, server, at, shown), since)
      const malformed = [
        `${since}=`,
        since.slice(0, -4),
        spelt(),
        spelt(name, of, horizon, server, at),
        spelt(name, of, horizon, server, at, shown, ""),
        spelt(name, "1", horizon, server, at, shown),
        spelt(name, of, "-1", server, at, shown),
        spelt(name, of, "99999999999999999999", server, at, shown),
        spelt(name, of, horizon, "'", at, shown),
        spelt(name, of, horizon, server, "0000-01-01T00:00:00.000000Z", shown),
        spelt(name, of, horizon, server, "2026-02-30T00:00:00.000000Z", shown),
        spelt(name, of, horizon, server, at, "x"),
        spelt(name, of, horizon, server, at, `${"A".repeat(22)}zzzzzzzzzzzzz`)
      ]
      for (const text of malformed) {
        assert.deepStrictEqual(faultsOf(yield* list(`?updated_since=${text}`)), [
          "query /updated_since invalid_timestamp"
        ])
      }
      const other = spelt("Companies", of, horizon, server, at, shown)
      assert.deepStrictEqual(faultsOf(yield* list(`?updated_since=${other}`)), ["query /updated_since other_list"])
      assert.strictEqual((yield* list(`?updated_since=${since}`)).status, 200)
    })
  )
})
