import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { faultsOf } from "../../support/faults.ts"
import * as RecordsClient from "../../support/RecordsClient.ts"
import { type Reply, TestService } from "../../support/TestService.ts"

const client = RecordsClient.make()
const collections = ["contacts", "companies", "links"] as const

const times = (count: number) => Array.from({ length: count }, (_, index) => index)

layer(TestService.layer, { excludeTestServices: true })("The envelope of a batch", (it) => {
  it.effect("accepts its items or ids only", () =>
    Effect.gen(function* () {
      const tenant = yield* client
      for (const collection of collections) {
        const batch: (
          operation: string,
          json: unknown,
          headers?: object,
          query?: string
        ) => Effect.Effect<Reply<unknown>> = tenant[collection].batch
        for (const [operation, member] of [
          ["upsert", "items"],
          ["get", "ids"],
          ["delete", "ids"]
        ] as const) {
          const faults = (json: unknown) =>
            Effect.map(batch(operation, json), (reply) => [reply.status, ...faultsOf(reply)])
          assert.deepStrictEqual(yield* faults({}), [400, `body /${member} required`])
          assert.deepStrictEqual(yield* faults({ [member]: null }), [400, `body /${member} wrong_type`])
          assert.deepStrictEqual(yield* faults({ [member]: {} }), [400, `body /${member} wrong_type`])
          assert.deepStrictEqual(yield* faults([]), [400, "body  wrong_type"])
          assert.deepStrictEqual(yield* faults({ [member]: [], itms: [] }), [400, "body /itms unknown_member"])
          assert.deepStrictEqual(yield* faults({ [member]: times(101).map(() => "x") }), [
            400,
            `body /${member} too_many`
          ])
          const empty = yield* batch(operation, { [member]: [] })
          assert.deepStrictEqual([empty.status, empty.body], [207, { results: [] }])
        }
        assert.deepStrictEqual(faultsOf(yield* batch("get", { ids: ["x", 5, null] })), [
          "body /ids/1 wrong_type",
          "body /ids/2 wrong_type"
        ])
        assert.deepStrictEqual(faultsOf(yield* batch("delete", { ids: ["a\0"] })), ["body /ids/0 invalid_characters"])
        assert.deepStrictEqual(faultsOf(yield* batch("upsert", { items: [] }, {}, "?frce=true")), [
          "query /frce unknown_parameter"
        ])
        assert.deepStrictEqual(
          faultsOf(yield* batch("upsert", { items: 1 }, { "idempotency-key": "a b" }, "?x=1")).toSorted(),
          ["body /items wrong_type", "header /Idempotency-Key malformed_key", "query /x unknown_parameter"]
        )
        assert.strictEqual((yield* batch("get", { ids: [] }, {}, "?x=1")).status, 400)
        assert.strictEqual((yield* batch("delete", { ids: [] }, {}, "?force=true")).status, 400)
      }
    })
  )

  it.effect("accepts at most a hundred entries", () =>
    Effect.gen(function* () {
      const { contacts } = yield* client
      const made = yield* contacts.upsert(times(100).map((n) => ({ firstName: `Anna ${n}` })))
      assert.strictEqual(made.status, 207, made.text)
      const ids = made.body.results.map(({ id }) => id ?? "")
      assert.deepStrictEqual(
        made.body.results.map(({ index, status }) => [index, status]),
        times(100).map((n) => [n, "created"])
      )
      assert.lengthOf(new Set(ids), 100)
      const found = (yield* contacts.batchGet(ids)).body.results
      assert.deepStrictEqual(
        found.map(({ resource }) => resource?.firstName),
        times(100).map((n) => `Anna ${n}`)
      )
      assert.lengthOf((yield* contacts.list("?page_size=500")).body.data, 100)
      const deleted = yield* contacts.batchDelete(ids)
      assert.isTrue(deleted.body.results.every(({ status }) => status === "deleted"))
      assert.lengthOf((yield* contacts.list()).body.data, 0)
    })
  )
})

layer(TestService.layer, { excludeTestServices: true })("Batches", (it) => {
  it.effect("return the found records in the order of the request, and report missing ones", () =>
    Effect.gen(function* () {
      const { companies, contacts, links } = yield* client
      const stranger = yield* client
      const a = (yield* contacts.create({ firstName: "a", externalRefs: [{ namespace: "crm", externalId: "1" }] })).body
      const b = (yield* contacts.create({ firstName: "b" })).body
      const gone = (yield* contacts.create({ firstName: "c" })).body
      yield* contacts.delete(gone.id)
      const theirs = (yield* stranger.contacts.create({ firstName: "d" })).body
      const company = (yield* companies.create({ name: "Berg" })).body
      const found = (one: { readonly id: string; readonly etag: string }, index: number) => ({
        index,
        status: "found",
        id: one.id,
        etag: one.etag,
        resource: one
      })
      const missing = (id: string, index: number) => ({ index, status: "missing", id, etag: null })
      const got = yield* contacts.batchGet([b.id, gone.id, a.id, theirs.id, b.id, company.id, "x", ""])
      assert.strictEqual(got.status, 207)
      assert.deepStrictEqual(got.body.results as ReadonlyArray<unknown>, [
        found(b, 0),
        missing(gone.id, 1),
        found(a, 2),
        missing(theirs.id, 3),
        found(b, 4),
        missing(company.id, 5),
        missing("x", 6),
        missing("", 7)
      ])
      assert.deepStrictEqual((yield* companies.batchGet([company.id])).body.results as ReadonlyArray<unknown>, [
        found(company, 0)
      ])
      const link = (yield* links.create({ contactId: a.id, companyId: company.id })).body
      assert.deepStrictEqual((yield* links.batchGet([link.id])).body.results as ReadonlyArray<unknown>, [
        found(link, 0)
      ])
    })
  )

  it.effect("delete the found records once, with their dependents", () =>
    Effect.gen(function* () {
      const { companies, contacts, events, links } = yield* client
      const stranger = yield* client
      const externalRefs = [{ namespace: "crm", externalId: "1" }]
      const a = (yield* contacts.create({ firstName: "a", externalRefs })).body.id
      const b = (yield* contacts.create({ firstName: "b" })).body.id
      const kept = (yield* contacts.create({ firstName: "c" })).body
      const company = (yield* companies.create({ name: "Berg" })).body.id
      const link = (yield* links.create({ contactId: a, companyId: company })).body.id
      const theirs = (yield* stranger.contacts.create({ firstName: "d" })).body
      const before = (yield* events).length
      const dry = yield* contacts.batchDelete([a, b], { prefer: "dry-run" })
      assert.deepStrictEqual([dry.status, dry.body["wouldAnswer" as never]], [200, 207])
      assert.lengthOf((yield* contacts.list()).body.data, 3)
      const deleted = yield* contacts.batchDelete([b, "x", a, theirs.id, b])
      assert.deepStrictEqual(
        [deleted.status, deleted.body as unknown],
        [
          207,
          {
            results: [
              { index: 0, status: "deleted", id: b, etag: null },
              { index: 1, status: "missing", id: "x", etag: null },
              { index: 2, status: "deleted", id: a, etag: null },
              { index: 3, status: "missing", id: theirs.id, etag: null },
              { index: 4, status: "missing", id: b, etag: null }
            ]
          }
        ]
      )
      assert.deepStrictEqual([...RecordsClient.typesAndIds((yield* events).slice(before))].sort(), [
        ...[a, b].sort().map((id) => `contact.deleted ${id}`),
        `link.deleted ${link}`
      ])
      assert.deepStrictEqual((yield* contacts.list()).body.data, [kept])
      assert.strictEqual((yield* stranger.contacts.get(theirs.id)).status, 200)
      assert.strictEqual((yield* contacts.patch(kept.id, { externalRefs })).status, 200)
      const again = yield* contacts.batchDelete([a, b])
      assert.deepStrictEqual(
        again.body.results.map(({ status }) => status),
        ["missing", "missing"]
      )
      assert.deepStrictEqual(
        (yield* links.batchDelete([link])).body.results.map(({ status }) => status),
        ["missing"]
      )
      const one = yield* companies.batchDelete([company])
      assert.deepStrictEqual(
        one.body.results.map(({ status }) => status),
        ["deleted"]
      )
    })
  )
})
