import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Receipt, Results } from "../../../src/core/records/Batch.ts"
import * as RecordsClient from "../../support/RecordsClient.ts"
import { store } from "../../support/TestDatabase.ts"
import { type Reply, TestService } from "../../support/TestService.ts"
import { aPair } from "../links/pair.ts"

const client = RecordsClient.make()
const crm = (externalId: string) => ({ namespace: "crm", externalId })
const erp = (externalId: string) => ({ namespace: "erp", externalId })

const statuses = (reply: Reply<Results<unknown>>) => {
  assert.strictEqual(reply.status, 207, reply.text)
  return reply.body.results.map(({ status }) => status)
}

/** A refused item as `code pointer code …`. */
const refusal = ({ problem }: Receipt<unknown>) =>
  problem === undefined
    ? ""
    : [problem.code, ...(problem.errors ?? []).flatMap(({ code, pointer }) => [pointer, code])].join(" ")

layer(TestService.layer, { excludeTestServices: true })("A batch of upserts", (it) => {
  it.effect.runIf(store === "postgres")("is quick in a table of which the database knows nothing yet", () =>
    Effect.gen(function* () {
      const { companies } = yield* client
      for (let batch = 0; batch < 10; batch++) {
        const reply = yield* companies.upsert(
          Array.from({ length: 100 }, (_, item) => ({
            name: `Company ${batch} ${item}`,
            country: "DE",
            homepageUrl: `https://c${batch}-${item}.example`
          }))
        )
        // If each search for duplicates read all of the others, the request would time out.
        assert.deepStrictEqual(new Set(statuses(reply)), new Set(["created"]))
      }
    })
  )

  it.effect("creates, patches by id and by reference, and leaves unchanged records alone", () =>
    Effect.gen(function* () {
      const { contacts, events } = yield* client
      const a = (yield* contacts.create({ firstName: "a", externalRefs: [crm("a")] })).body
      const b = (yield* contacts.create({ firstName: "b", externalRefs: [crm("b")] })).body
      const c = (yield* contacts.create({ firstName: "c", phone: "1" })).body
      const before = (yield* events).length
      const reply = yield* contacts.upsert([
        { firstName: "new", email: "new@example.com" },
        { id: a.id, phone: "+49" },
        { externalRefs: [crm("b")], lastName: "Berg" },
        { id: c.id, firstName: " c ", phone: "1" }
      ])
      assert.deepStrictEqual(statuses(reply), ["created", "updated", "updated", "unchanged"])
      const [made, patched, found, same] = reply.body.results
      const now = (yield* contacts.batchGet(reply.body.results.map(({ id }) => id))).body.results
      assert.deepStrictEqual(
        now.map(({ etag, id }) => ({ etag, id })),
        reply.body.results.map(({ etag, id }) => ({ etag, id }))
      )
      assert.deepInclude(now[0]?.resource, { firstName: "new", email: "new@example.com", changeType: "created" })
      assert.deepInclude(now[1]?.resource, {
        id: a.id,
        firstName: "a",
        phone: "+49",
        externalRefs: [crm("a")],
        etag: '"v2"'
      })
      assert.deepInclude(now[2]?.resource, { id: b.id, name: "b Berg", externalRefs: [crm("b")] })
      assert.deepStrictEqual(now[3]?.resource, c)
      assert.deepStrictEqual(RecordsClient.typesAndIds((yield* events).slice(before)), [
        `contact.created ${made?.id}`,
        `contact.updated ${patched?.id}`,
        `contact.updated ${found?.id}`
      ])
      assert.strictEqual(same?.etag, c.etag)
      assert.isTrue(reply.body.results.every((receipt) => !("resource" in receipt) && !("problem" in receipt)))
    })
  )

  it.effect("sent again changes nothing: all unchanged, no event, no new ETag", () =>
    Effect.gen(function* () {
      const { companies, contacts, ends, events, links } = yield* aPair
      const people = [
        {
          firstName: " Anna ",
          email: "anna@example.com",
          primaryLanguage: "de-de",
          tags: ["a", "a"],
          externalRefs: [crm("1")]
        },
        { firstName: "Ben", primaryCompanyId: ends.companyId, externalRefs: [crm("2"), erp("2")] }
      ]
      const firms = [
        { name: "Rossi S.p.A.", country: "IT", homepageUrl: "https://www.rossi.example", externalRefs: [crm("1")] },
        { name: "Tal", domain: "WWW.Tal.example", externalRefs: [crm("2")] }
      ]
      const both = [
        { ...ends, jobTitle: "Partner" },
        { ...ends, jobTitle: "Partner", externalRefs: [crm("1")] }
      ]
      yield* contacts.upsert(people)
      yield* companies.upsert(firms)
      assert.deepStrictEqual(statuses(yield* links.upsert(both)), ["created", "updated"])
      const before = yield* events
      const kept = [yield* contacts.list(), yield* companies.list(), yield* links.list()].map(({ body }) => body.data)
      assert.deepStrictEqual(statuses(yield* contacts.upsert(people)), ["unchanged", "unchanged"])
      assert.deepStrictEqual(statuses(yield* companies.upsert(firms)), ["unchanged", "unchanged"])
      assert.deepStrictEqual(statuses(yield* links.upsert(both)), ["unchanged", "unchanged"])
      assert.deepStrictEqual(yield* events, before)
      const now = [yield* contacts.list(), yield* companies.list(), yield* links.list()].map(({ body }) => body.data)
      assert.deepStrictEqual(now, kept)
      // So does what was read, with all its read-only members.
      assert.deepStrictEqual(statuses(yield* contacts.upsert(now[0])), ["unchanged", "unchanged", "unchanged"])
      assert.deepStrictEqual(statuses(yield* companies.upsert(now[1])), ["unchanged", "unchanged", "unchanged"])
      assert.deepStrictEqual(statuses(yield* links.upsert(now[2])), ["unchanged"])
    })
  )

  it.effect("replaces the references of the namespaces that an item names, and keeps the others", () =>
    Effect.gen(function* () {
      const { contacts } = yield* client
      const { id } = (yield* contacts.create({ firstName: "a", externalRefs: [crm("1"), erp("1")] })).body
      const refs = Effect.map(contacts.get(id), ({ body }) => body.externalRefs)
      const dms = { namespace: "dms", externalId: "9" }
      yield* contacts.upsert([{ externalRefs: [crm("1"), dms] }])
      assert.deepStrictEqual(yield* refs, [crm("1"), erp("1"), dms])
      yield* contacts.upsert([{ externalRefs: [erp("1"), crm("2")] }])
      assert.deepStrictEqual(yield* refs, [erp("1"), dms, crm("2")])
      yield* contacts.upsert([{ id, externalRefs: [crm("3")] }])
      assert.deepStrictEqual(yield* refs, [erp("1"), dms, crm("3")])
      for (const item of [
        { id, externalRefs: [] },
        { id, phone: "1" }
      ])
        yield* contacts.upsert([item])
      assert.deepStrictEqual(yield* refs, [erp("1"), dms, crm("3")])
      yield* contacts.patch(id, { externalRefs: [crm("4")] })
      assert.deepStrictEqual(yield* refs, [crm("4")])
      const many = Array.from({ length: 19 }, (_, n) => erp(`${n}`))
      yield* contacts.upsert([{ id, externalRefs: many }])
      const over = yield* contacts.upsert([{ externalRefs: [erp("0"), ...many.slice(1), dms, crm("5"), crm("6")] }])
      assert.deepStrictEqual(over.body.results.map(refusal), ["invalid_request /items/0/externalRefs too_many"])
      const with20 = yield* contacts.upsert([{ id, externalRefs: [dms] }])
      assert.deepStrictEqual(with20.body.results.map(refusal), ["invalid_request /items/0/externalRefs too_many"])
    })
  )

  it.effect("writes an item with an etag only if the record still has it", () =>
    Effect.gen(function* () {
      const { contacts } = yield* client
      const { etag, id } = (yield* contacts.create({ firstName: "a", externalRefs: [crm("1")] })).body
      const reply = yield* contacts.upsert([
        { id, etag, phone: "1" },
        // The item before it changed the record.
        { id, etag, phone: "2" },
        { externalRefs: [crm("1")], etag, phone: "2" },
        { id, etag: '"v2"', phone: "3" }
      ])
      assert.deepStrictEqual(statuses(reply), ["updated", "failed", "failed", "updated"])
      for (const { etag, id: failed, problem } of reply.body.results.slice(1, 3)) {
        assert.deepStrictEqual([failed, etag], [id, null])
        assert.deepInclude(problem, { code: "precondition_failed", status: 412, currentEtag: '"v2"' })
      }
      assert.deepInclude((yield* contacts.get(id)).body, { phone: "3", etag: '"v3"' })
    })
  )

  it.effect("reads the etag of an item as If-Match is read", () =>
    Effect.gen(function* () {
      const { contacts } = yield* client
      const { etag, id } = (yield* contacts.create({ firstName: "a" })).body
      const reply = yield* contacts.upsert([
        { id, etag: "*", phone: "1" },
        { id, etag: '"v1", "v2"', phone: "2" },
        { id, etag: "", phone: "3" },
        { id, etag: null, phone: "4" },
        { firstName: "b", etag: null },
        { id, etag: "v5", phone: "5" },
        { id, etag: etag.replaceAll('"', ""), phone: "5", email: "x" },
        { id, etag: 5, phone: "5" },
        { firstName: "c", etag: "v1" },
        { id, etag: `W/"v5"`, phone: "5" }
      ])
      assert.deepStrictEqual(
        reply.body.results.map((receipt) => `${receipt.status} ${refusal(receipt)}`),
        [
          "updated ",
          "updated ",
          "updated ",
          "updated ",
          "created ",
          "failed invalid_request /items/5/etag malformed_etag",
          "failed invalid_request /items/6/etag malformed_etag /items/6/email invalid_email",
          "failed invalid_request /items/7/etag wrong_type",
          "failed invalid_request /items/8/etag malformed_etag",
          "failed precondition_failed"
        ]
      )
    })
  )

  it.effect("creates nothing for an item with an etag whose record is gone", () =>
    Effect.gen(function* () {
      const { companies, contacts, ends, links } = yield* aPair
      const contact = (yield* contacts.create({ firstName: "a", externalRefs: [crm("1")] })).body
      const company = (yield* companies.create({ name: "a", externalRefs: [crm("1")] })).body
      const link = (yield* links.create({ ...ends, externalRefs: [crm("1")] })).body
      yield* contacts.delete(contact.id)
      yield* companies.delete(company.id)
      yield* links.delete(link.id)
      const asRead = <Read extends { readonly id: string }>({ id: _id, ...members }: Read) => members
      for (const reply of [
        yield* contacts.upsert([asRead(contact), { externalRefs: [crm("1")], etag: "*", phone: "1" }]),
        yield* companies.upsert([asRead(company), { externalRefs: [crm("9")], etag: '"v1"' }]),
        yield* links.upsert([asRead(link), { externalRefs: [crm("1")], etag: '"v1"', jobTitle: "x" }])
      ]) {
        assert.deepStrictEqual(statuses(reply), ["failed", "failed"], reply.text)
        for (const { id, problem } of reply.body.results) {
          assert.isNull(id)
          assert.deepInclude(problem, { code: "precondition_failed", status: 412, currentEtag: null })
          assert.match(problem?.detail ?? "", /does not exist any more/)
        }
      }
      // Faults of its members come first, and the pair of a link finds it, whatever else was read with it.
      const invalid = yield* contacts.upsert([{ etag: '"v1"', firstName: "a", email: "x" }])
      assert.deepStrictEqual(invalid.body.results.map(refusal), ["invalid_request /items/0/email invalid_email"])
      const back = (yield* links.create(ends)).body
      const pair = yield* links.upsert([{ ...asRead(back), jobTitle: "Chair" }])
      assert.deepStrictEqual(statuses(pair), ["updated"], pair.text)
    })
  )

  it.effect("rejects each invalid item with the problem of a single request, and writes the others", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* TestService
      const { contacts, ends } = yield* aPair
      const taken = (yield* contacts.create({ email: "anna@example.com", externalRefs: [crm("1")] })).body
      const other = (yield* contacts.create({ firstName: "b", externalRefs: [crm("2")] })).body
      const gone = (yield* contacts.create({ firstName: "c" })).body
      yield* contacts.delete(gone.id)
      const reply = yield* contacts.upsert(
        [
          { firstName: "good" },
          { email: "nobody", firstNme: "x" },
          { phone: "1" },
          { email: "ANNA@example.com" },
          { id: gone.id, firstName: "x" },
          { id: "x", firstName: "x" },
          { id: ends.companyId, firstName: "x" },
          { id: other.id, externalRefs: [crm("1")] },
          { firstName: "x", externalRefs: [crm("1"), crm("2")] },
          { id: other.id, firstName: null },
          { id: other.id, createdUtc: "2020-01-01T00:00:00.000Z" },
          "contact",
          null,
          { firstName: "a\0b" },
          { firstName: "x", primaryCompanyId: "company_01kb3n7x2ferwt5z8q4j6m9d0c" },
          { id: 5, firstName: "x" },
          { id: null, firstName: "x" },
          { firstName: "x", externalRefs: [{ namespace: "c\0", externalId: "1" }] },
          { firstName: "x", externalRefs: [{ namespace: "crm", externalId: "\ud800" }] },
          { firstName: "x", externalRefs: [{ namespace: "crm", externalId: "x".repeat(201) }, 5, { namespace: 1 }] },
          { id: "contact_\0", firstName: "x" },
          { lastName: "good" }
        ],
        { "x-request-id": "req-1" }
      )
      assert.strictEqual(reply.status, 207, reply.text)
      const { results } = reply.body
      assert.deepStrictEqual(
        results.map(({ index }) => index),
        results.map((_, index) => index)
      )
      assert.deepStrictEqual(
        results.map((receipt) => `${receipt.status} ${refusal(receipt)}`),
        [
          "created ",
          "failed invalid_request /items/1/firstNme unknown_member /items/1/email invalid_email",
          "failed invalid_request /items/2 required",
          "failed duplicate",
          "failed not_found",
          "failed not_found",
          "failed not_found",
          "failed external_reference_taken",
          "failed invalid_request /items/8/externalRefs ambiguous",
          "failed invalid_request /items/9 required",
          "failed invalid_request /items/10/createdUtc read_only",
          "failed invalid_request /items/11 wrong_type",
          "failed invalid_request /items/12 wrong_type",
          "failed invalid_request /items/13/firstName invalid_characters",
          "failed invalid_request /items/14/primaryCompanyId invalid_reference",
          "failed invalid_request /items/15/id wrong_type",
          "failed invalid_request /items/16/id wrong_type",
          "failed invalid_request /items/17/externalRefs/0/namespace invalid_characters",
          "failed invalid_request /items/18/externalRefs/0/externalId invalid_characters",
          "failed invalid_request /items/19/externalRefs/0/externalId too_long /items/19/externalRefs/1 wrong_type /items/19/externalRefs/2/namespace wrong_type /items/19/externalRefs/2/externalId required",
          "failed not_found",
          "created "
        ]
      )
      for (const { etag, problem, status } of results) {
        if (status !== "failed") continue
        assert.isNull(etag)
        assert.match(problem?.type ?? "", new RegExp(`^${baseUrl}/help/[a-z-]+$`))
        assert.strictEqual(problem?.["requestId" as never], "req-1")
        assert.isNotEmpty(problem?.title)
        assert.isNotEmpty(problem?.detail)
        assert.isNumber(problem?.status)
      }
      assert.deepInclude(results[3]?.problem, {
        candidates: [{ id: taken.id, name: "anna@example.com", email: "anna@example.com" }]
      } as never)
      assert.deepInclude(results[7]?.problem, { holderId: taken.id, namespace: "crm", externalId: "1" } as never)
      assert.include(results[1]?.problem?.detail ?? "", "body /items/1/")
      assert.deepStrictEqual(results.map(({ id }) => id).slice(4, 8), [gone.id, "x", ends.companyId, other.id])
      assert.lengthOf((yield* contacts.list()).body.data, 5)
      assert.deepStrictEqual((yield* contacts.get(other.id)).body, other)
    })
  )

  it.effect("processes each item on the state that the ones before it left", () =>
    Effect.gen(function* () {
      const { contacts, events } = yield* client
      const a = (yield* contacts.create({ firstName: "a", email: "a@example.com", externalRefs: [crm("a")] })).body
      const reply = yield* contacts.upsert([
        { firstName: "new", email: "n@example.com", externalRefs: [crm("n")] },
        { lastName: "Berg", externalRefs: [crm("n")] },
        { lastName: "Berg", externalRefs: [crm("n")] },
        { firstName: "other", email: "N@example.com" },
        { id: a.id, email: "b@example.com", externalRefs: [crm("z")] },
        { firstName: "third", email: "a@example.com", externalRefs: [crm("a")] },
        { id: a.id, email: "A@example.com" },
        { id: a.id, externalRefs: [crm("a")] },
        { id: a.id, phone: "1" },
        { id: a.id, phone: null },
        { email: "b@example.com" }
      ])
      assert.deepStrictEqual(
        reply.body.results.map((one) => `${one.status} ${refusal(one)}`),
        [
          "created ",
          "updated ",
          "unchanged ",
          "failed duplicate",
          "updated ",
          "created ",
          "failed duplicate",
          "failed external_reference_taken",
          "updated ",
          "updated ",
          "failed duplicate"
        ]
      )
      const [made, found, same] = reply.body.results
      assert.deepStrictEqual([found?.id, same?.id, same?.etag], [made?.id, made?.id, found?.etag])
      const now = (yield* contacts.get(made?.id ?? "")).body
      assert.deepInclude(now, { name: "new Berg", etag: found?.etag ?? "", changeType: "updated" })
      assert.deepInclude((yield* contacts.get(a.id)).body, {
        email: "b@example.com",
        phone: null,
        externalRefs: [crm("z")],
        etag: '"v4"'
      })
      assert.deepStrictEqual(
        (yield* events).map((event) => event["event"]),
        [
          "contact.created",
          "contact.created",
          "contact.updated",
          "contact.updated",
          "contact.created",
          "contact.updated",
          "contact.updated"
        ]
      )
    })
  )

  it.effect("writes duplicates when it is forced", () =>
    Effect.gen(function* () {
      const { companies, contacts } = yield* client
      const items = [{ email: "a@example.com" }, { email: "a@example.com" }]
      assert.deepStrictEqual(statuses(yield* contacts.upsert(items)), ["created", "failed"])
      assert.deepStrictEqual(statuses(yield* contacts.upsert(items, {}, "?force=true")), ["created", "created"])
      const firms = [
        { name: "Berg", domain: "berg.example" },
        { name: "Tal", homepageUrl: "https://berg.example" },
        { name: "BERG AG" }
      ]
      assert.deepStrictEqual(statuses(yield* companies.upsert(firms)), ["created", "failed", "failed"])
      assert.deepStrictEqual(statuses(yield* companies.upsert(firms.slice(1), {}, "?force=true")), [
        "created",
        "created"
      ])
    })
  )

  it.effect("checks duplicates of the state that an item leads to", () =>
    Effect.gen(function* () {
      const { companies } = yield* client
      yield* companies.create({ name: "Berg", country: "DE", domain: "berg.example" })
      const tal = (yield* companies.create({ name: "Tal", homepageUrl: "https://tal.example" })).body
      yield* companies.patch(tal.id, { domain: "see.example" })
      yield* companies.create({ name: "Wald", domain: "tal.example" }, {}, "?force=true")
      const reply = yield* companies.upsert([
        { name: "New", externalRefs: [crm("1")] },
        // A company by the time it is looked at, and one that has no name.
        { domain: "berg.example", externalRefs: [crm("1")] },
        { country: "DE", externalRefs: [crm("1")] },
        { name: "BERG GmbH", externalRefs: [crm("1")] },
        // The former homepage again, whose domain another company now has.
        { id: tal.id, homepageUrl: "https://fluss.example" },
        { id: tal.id, homepageUrl: "https://tal.example" }
      ])
      assert.deepStrictEqual(
        reply.body.results.map((one) => `${one.status} ${refusal(one)}`),
        ["created ", "failed duplicate", "updated ", "failed duplicate", "updated ", "failed duplicate"]
      )
    })
  )

  it.effect("finds all of many duplicates, even if earlier items changed them", () =>
    Effect.gen(function* () {
      const { contacts } = yield* client
      const items = Array.from({ length: 15 }, () => ({ email: "a@example.com" }))
      const made = (yield* contacts.upsert(items, {}, "?force=true")).body.results
      const reply = yield* contacts.upsert([
        ...made.slice(0, 12).map(({ id }, n) => ({ id, email: `${n}@example.com` })),
        { email: "a@example.com" }
      ])
      assert.deepStrictEqual(statuses(reply), [...made.slice(0, 12).map(() => "updated"), "failed"])
      const { candidates } = (reply.body.results[12]?.problem ?? {}) as {
        readonly candidates?: ReadonlyArray<{ id: string }>
      }
      assert.deepStrictEqual(
        candidates?.map(({ id }) => id),
        made.slice(12).map(({ id }) => id ?? "")
      )
    })
  )

  it.effect("is answered once per idempotency key", () =>
    Effect.gen(function* () {
      const { contacts } = yield* client
      const key = { "idempotency-key": "k" }
      const items = [{ firstName: "a" }, { email: "x" }]
      const first = yield* contacts.upsert(items, key)
      assert.isNull(first.headers.get("idempotency-replayed"))
      const again = yield* contacts.upsert(items, key)
      assert.deepStrictEqual(again.body.results[0], first.body.results[0])
      assert.deepStrictEqual(again.body.results.map(refusal), first.body.results.map(refusal))
      assert.deepStrictEqual([again.status, again.headers.get("idempotency-replayed")], [207, "true"])
      assert.match(again.body.results[1]?.problem?.type ?? "", /^http/)
      const reused = yield* contacts.upsert([{ firstName: "b" }], key)
      assert.deepStrictEqual([reused.status, reused.body["code" as never]], [422, "idempotency_key_reused"])
      assert.lengthOf((yield* contacts.list()).body.data, 1)
      // Keys belong to one operation each.
      assert.strictEqual((yield* contacts.create({ firstName: "b" }, key)).status, 201)
      const replies = yield* Effect.all(
        Array.from({ length: 10 }, () => contacts.upsert([{ firstName: "c" }], { "idempotency-key": "k2" })),
        { concurrency: "unbounded" }
      )
      for (const reply of replies) {
        assert.include([207, 409], reply.status)
        if (reply.status === 409) assert.strictEqual(reply.body["code" as never], "idempotency_in_progress")
      }
      assert.lengthOf((yield* contacts.list()).body.data, 3)
    })
  )

  it.effect("supports dry runs", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* TestService
      const { contacts, events } = yield* client
      const a = (yield* contacts.create({ firstName: "a" })).body
      const dry = yield* contacts.upsert([{ firstName: "b" }, { id: a.id, phone: "1" }, { email: "x" }], {
        prefer: "dry-run"
      })
      const answered: unknown = dry.body
      const report = answered as {
        readonly wouldAnswer: number
        readonly result: Results<unknown>
        readonly events: ReadonlyArray<{ readonly event: string }>
        readonly affected: ReadonlyArray<{ readonly change: string }>
      }
      assert.deepStrictEqual([dry.status, report.wouldAnswer], [200, 207])
      assert.deepStrictEqual(
        report.result.results.map(({ status }) => status),
        ["created", "updated", "failed"]
      )
      assert.strictEqual(report.result.results[2]?.problem?.type, `${baseUrl}/help/invalid-request`)
      assert.deepStrictEqual(
        report.events.map(({ event }) => event),
        ["contact.created", "contact.updated"]
      )
      assert.deepStrictEqual(
        report.affected.map(({ change }) => change),
        ["created", "updated"]
      )
      assert.deepStrictEqual((yield* contacts.list("?include_deleted=true")).body.data, [a])
      assert.lengthOf(yield* events, 1)
    })
  )

  it.effect("belongs to its team: another's records are not found, and their references are free", () =>
    Effect.gen(function* () {
      const { contacts } = yield* client
      const stranger = yield* client
      const theirs = (yield* stranger.contacts.create({
        firstName: "a",
        email: "a@example.com",
        externalRefs: [crm("1")]
      })).body
      const reply = yield* contacts.upsert([
        { id: theirs.id, firstName: "x" },
        { firstName: "b", email: "a@example.com", externalRefs: [crm("1")] }
      ])
      assert.deepStrictEqual(statuses(reply), ["failed", "created"])
      assert.deepStrictEqual((yield* stranger.contacts.get(theirs.id)).body, theirs)
    })
  )
})

layer(TestService.layer, { excludeTestServices: true })("A batch of links", (it) => {
  it.effect("finds links by id, by reference, or by their pair", () =>
    Effect.gen(function* () {
      const { contacts, ends, links } = yield* aPair
      const ben = (yield* contacts.create({ firstName: "Ben" })).body.id
      const reply = yield* links.upsert([
        { ...ends, jobTitle: "Partner", externalRefs: [crm("1")] },
        { ...ends, jobTitle: "Director" },
        { externalRefs: [crm("1")], jobTitle: "Chair" },
        { externalRefs: [crm("1")], contactId: ben },
        { ...ends, externalRefs: [crm("1")] },
        { contactId: ben },
        { contactId: ben, companyId: ends.companyId },
        { contactId: ends.companyId, companyId: ends.companyId },
        { contactId: "x", companyId: ends.companyId }
      ])
      assert.deepStrictEqual(
        reply.body.results.map((one) => `${one.status} ${refusal(one)}`),
        [
          "created ",
          "updated ",
          "updated ",
          "failed invalid_request /items/3/contactId read_only",
          "unchanged ",
          "failed invalid_request /items/5/companyId required",
          "created ",
          "failed invalid_request /items/7/contactId invalid_reference",
          "failed invalid_request /items/8/contactId invalid_reference"
        ]
      )
      const [link] = (yield* links.list()).body.data
      assert.deepInclude(link, { jobTitle: "Chair", externalRefs: [crm("1")], etag: '"v3"' })
    })
  )

  it.effect("restores deleted pairs once", () =>
    Effect.gen(function* () {
      const { ends, events, links } = yield* aPair
      const { id } = (yield* links.create(ends)).body
      yield* links.delete(id)
      const reply = yield* links.upsert([{ id, jobTitle: "x" }, ends, { ...ends, jobTitle: "Partner" }])
      assert.deepStrictEqual(statuses(reply), ["failed", "created", "updated"])
      assert.deepStrictEqual(
        reply.body.results.map((one) => one.id),
        [id, id, id]
      )
      assert.deepInclude((yield* links.get(id)).body, { jobTitle: "Partner", changeType: "updated", deletedUtc: null })
      assert.deepStrictEqual(
        (yield* events).slice(2).map((event) => event["event"]),
        ["link.created", "link.deleted", "link.created", "link.updated"]
      )
      assert.lengthOf((yield* links.list("?include_deleted=true")).body.data, 1)
    })
  )

  it.effect("matches the pair of an item whose reference an earlier item released", () =>
    Effect.gen(function* () {
      const { contacts, ends, links } = yield* aPair
      const ben = (yield* contacts.create({ firstName: "Ben" })).body.id
      const { id } = (yield* links.create({ ...ends, externalRefs: [crm("1")] })).body
      const reply = yield* links.upsert([
        { id, externalRefs: [crm("2")] },
        { contactId: ben, companyId: ends.companyId, externalRefs: [crm("1")] }
      ])
      assert.deepStrictEqual(
        reply.body.results.map((one) => `${one.status} ${refusal(one)}`),
        ["updated ", "created "]
      )
    })
  )
})
