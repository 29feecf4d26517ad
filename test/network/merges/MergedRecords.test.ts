import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../../src/platform/db/Database.ts"
import * as Id from "../../../src/core/Id.ts"
import type { Company } from "../../../src/network/companies/Company.ts"
import type { Contact } from "../../../src/network/contacts/Contact.ts"
import { Companies } from "../../../src/network/companies/Companies.ts"
import { Contacts } from "../../../src/network/contacts/Contacts.ts"
import type { Page } from "../../../src/core/usecase/Page.ts"
import { filePart, formOf, sending } from "../../content/files/client.ts"
import { faultsOf } from "../../support/faults.ts"
import { untilSettled } from "../../support/RecordsClient.ts"
import { TestService } from "../../support/TestService.ts"
import { untilEmpty } from "../../../workers/housekeeping.ts"
import { make } from "./fixture.ts"

const kinds = ["contacts", "companies"] as const

layer(TestService.layer, { excludeTestServices: true })("A merged record", (it) => {
  for (const kind of kinds) {
    /** Two records, of which the second was merged into the first, with a note on each. */
    const merged = Effect.gen(function* () {
      const fixture = yield* make()
      const one = kind === "contacts" ? fixture.contact : fixture.company
      const merge = kind === "contacts" ? fixture.mergeContacts : fixture.mergeCompanies
      const [{ id: a }, { id: b }] = [yield* one(), yield* one()]
      const note = yield* fixture.note(kind, b, "Called")
      const reply = yield* merge(a, [b])
      assert.strictEqual(reply.status, 200, reply.text)
      return { ...fixture, a, b, note, one, merge, records: fixture[kind] }
    })
    const path = (id: string) => `/api/v1/network/${kind}/${id}`

    it.effect(`redirects reads, also of paths below it: ${kind}`, () =>
      Effect.gen(function* () {
        const { a, b, note, request, token } = yield* merged
        for (const rest of [
          "",
          "/actions",
          "/actions?type=notes&page_size=2",
          `/notes/${note.id}`,
          "/notes?page_size=2",
          "/files"
        ]) {
          for (const method of ["GET", "HEAD"]) {
            const reply = yield* request(method, `${path(b)}${rest}`, { token })
            assert.deepStrictEqual([reply.status, reply.headers.get("location")], [301, `${path(a)}${rest}`])
            assert.isNotNull(reply.headers.get("x-request-id"))
            assert.isNotNull(reply.headers.get("ratelimit"))
          }
          assert.strictEqual((yield* request("GET", `${path(a)}${rest}`, { token })).status, 200)
        }
        const escaped = yield* request("GET", `${path(b.replace("_", "%5F"))}/actions?type=notes`, { token })
        assert.deepStrictEqual(
          [escaped.status, escaped.headers.get("location")],
          [301, `${path(a)}/actions?type=notes`]
        )
        const unchanged = yield* request("GET", path(b), { token, headers: { "if-none-match": "*" } })
        assert.strictEqual(unchanged.status, 301)
      })
    )

    it.effect(`does not redirect other teams: ${kind}`, () =>
      Effect.gen(function* () {
        const { b, request } = yield* merged
        const { token } = yield* make()
        assert.strictEqual((yield* request("GET", path(b), { token })).status, 404)
        assert.strictEqual((yield* request("POST", `${path(b)}/merge`, { token, json: { from: [b] } })).status, 404)
      })
    )

    it.effect(`rejects changes with the id of the survivor: ${kind}`, () =>
      Effect.gen(function* () {
        const { a, b, merge, note, one, records, request, token } = yield* merged
        const other = yield* one()
        const replies = [
          yield* records.patch(b, { tags: ["x"] }),
          yield* records.patch(b, {}),
          yield* records.delete(b),
          yield* merge(b, [other.id]),
          yield* request("POST", `${path(b)}/notes`, { token, json: { message: "Late" } }),
          yield* request("PATCH", `${path(b)}/notes/${note.id}`, {
            token,
            json: { action: "archive" },
            headers: { "if-match": "*" }
          }),
          yield* request("POST", `${path(b)}/files`, { token, ...sending(formOf(filePart("Late"))) })
        ]
        for (const { body, status, text } of replies) {
          assert.strictEqual(status, 409, text)
          assert.deepInclude(body as object, { code: "merged", mergedInto: a })
          assert.match(String((body as { type?: string }).type), /\/help\/merged$/)
        }
      })
    )

    it.effect(`reports an invalid request before the merge: ${kind}`, () =>
      Effect.gen(function* () {
        const { b, records, request, token } = yield* merged
        const patched = (text: string, headers: Record<string, string>) =>
          Effect.map(request("PATCH", path(b), { token, text, headers }), ({ body, status }) => [status, body["code"]])
        assert.deepStrictEqual(yield* patched("{", { "content-type": "application/json" }), [400, "malformed_json"])
        assert.deepStrictEqual(yield* patched("{}", { "content-type": "text/plain" }), [415, "unsupported_media_type"])
        assert.strictEqual((yield* records.patch(b, {}, { "if-match": '"v0"' })).status, 412)
        assert.strictEqual((yield* records.delete(b, { "if-match": '"v0"' })).status, 412)
        assert.strictEqual((yield* records.patch(b, {}, { "if-match": "*" })).status, 409)
      })
    )

    it.effect(`is reported in batches: ${kind}`, () =>
      Effect.gen(function* () {
        const { a, b, records } = yield* merged
        const replies = [
          [yield* records.batchGet([b]), "missing"],
          [yield* records.upsert([{ id: b, tags: ["x"] }]), "failed"],
          [yield* records.batchDelete([b]), "failed"]
        ] as const
        for (const [{ body, status, text }, said] of replies) {
          assert.strictEqual(status, 207, text)
          const [receipt] = body.results
          assert.deepInclude(receipt, { status: said, id: b, etag: null })
          assert.deepInclude(receipt?.problem, { code: "merged", status: 409, mergedInto: a } as never)
        }
      })
    )

    it.effect(`redirects to the third record after a second merge: ${kind}`, () =>
      Effect.gen(function* () {
        const { a, b, merge, note, one, request, token } = yield* merged
        const { id: c } = yield* one()
        assert.strictEqual((yield* merge(c, [a])).status, 200)
        for (const id of [a, b]) {
          const reply = yield* request("GET", `${path(id)}/notes/${note.id}`, { token })
          assert.deepStrictEqual([reply.status, reply.headers.get("location")], [301, `${path(c)}/notes/${note.id}`])
        }
        assert.strictEqual((yield* request("GET", `${path(c)}/notes/${note.id}`, { token })).status, 200)
        assert.strictEqual((yield* merge(c, [a, b])).status, 200)
      })
    )

    it.effect(`is a tombstone that names the survivor, and then the survivor's own: ${kind}`, () =>
      Effect.gen(function* () {
        const { a, b, merge, one, records, request, token } = yield* merged
        const { id: c } = yield* one()
        /** The records of a list: the record that each one was merged into, and its ETag. */
        const read = Effect.fnUntraced(function* (query: string) {
          yield* untilSettled(kind)
          const reply = yield* request<Page<Contact | Company>>(
            "GET",
            `/api/v1/network/${kind}?include_deleted=true${query}`,
            { token }
          )
          return {
            mergedInto: Object.fromEntries(reply.body.data.map(({ id, mergedInto }) => [id, mergedInto])),
            etagOfB: reply.body.data.find(({ id }) => id === b)?.etag
          }
        })
        const first = yield* read("")
        assert.deepStrictEqual(first.mergedInto, { [a]: null, [b]: a, [c]: null })
        assert.deepStrictEqual(yield* read("&updated_since=2020-01-01"), first)
        assert.strictEqual((yield* merge(c, [a])).status, 200)
        // The tombstone of the one that was merged first has no new version.
        const then = { mergedInto: { [a]: c, [b]: c, [c]: null }, etagOfB: first.etagOfB }
        assert.deepStrictEqual(yield* read(""), then)
        yield* records.delete(c)
        assert.deepStrictEqual(yield* read(""), then)
      })
    )

    it.effect(`is not named by writes: mergedInto is read-only, and null while a record lives: ${kind}`, () =>
      Effect.gen(function* () {
        const { b, one, records } = yield* merged
        const made = yield* one()
        assert.propertyVal(made, "mergedInto", null)
        const same = yield* records.patch(made.id, made)
        assert.deepStrictEqual([same.status, same.body], [200, made])
        assert.deepStrictEqual(faultsOf(yield* records.patch(made.id, { mergedInto: b })), [
          "body /mergedInto read_only"
        ])
      })
    )

    it.effect(`answers 404 once the survivor is deleted: ${kind}`, () =>
      Effect.gen(function* () {
        const { a, b, records, request, token } = yield* merged
        assert.strictEqual((yield* records.delete(a)).status, 204)
        const reply = yield* request("GET", path(b), { token })
        assert.deepStrictEqual([reply.status, reply.headers.get("location")], [301, path(a)])
        assert.strictEqual((yield* request("GET", path(a), { token })).status, 404)
      })
    )

    it.effect(`redirects as long as the survivor exists: ${kind}`, () =>
      Effect.gen(function* () {
        const { a, b, records, request, token } = yield* merged
        const sql = yield* Database
        const { purge } = kind === "contacts" ? yield* Contacts : yield* Companies
        const age = sql`
          update ${sql.literal(kind)} set deleted_at = deleted_at - interval '91 days' where deleted_at is not null`
        yield* age
        yield* untilEmpty(purge)
        assert.strictEqual((yield* request("GET", path(b), { token })).headers.get("location"), path(a))
        yield* records.delete(a)
        yield* age
        yield* untilEmpty(purge)
        for (const id of [a, b]) assert.strictEqual((yield* request("GET", path(id), { token })).status, 404)
        const uuids = [a, b].map((id) => Id.toUuid(kind === "contacts" ? "contact" : "company", id) ?? "")
        assert.lengthOf(yield* sql`select from ${sql.literal(kind)} where id = any(${uuids}::uuid[])`, 0)
      })
    )

    it.effect(`changes nothing if it is invalid, and reports all faults: ${kind}`, () =>
      Effect.gen(function* () {
        const { a, b, countEvents, merge, one, records, request, token } = yield* merged
        const fixture = yield* make()
        const foreign = yield* kind === "contacts" ? fixture.contact() : fixture.company()
        const [{ id: c }, { id: d }, { id: dead }] = [yield* one(), yield* one(), yield* one()]
        yield* records.delete(dead)
        const before = (yield* records.get(c)).body
        const events = yield* countEvents
        const other = kind === "contacts" ? "company" : "contact"
        const reply = yield* merge(c, [
          d,
          "nonsense",
          c,
          foreign.id,
          d.replace(/^[a-z]+/, other),
          dead,
          b,
          d,
          a,
          d.toUpperCase()
        ])
        assert.strictEqual(reply.status, 400, reply.text)
        assert.deepStrictEqual(faultsOf(reply), [
          "body /from/1 invalid_reference",
          "body /from/2 invalid_reference",
          "body /from/3 invalid_reference",
          "body /from/4 invalid_reference",
          "body /from/5 invalid_reference",
          "body /from/6 invalid_reference",
          "body /from/7 not_unique",
          "body /from/9 invalid_reference"
        ])
        assert.strictEqual(yield* countEvents, events)
        assert.deepStrictEqual((yield* records.get(c)).body, before)
        assert.strictEqual((yield* records.get(d)).status, 200)
        const twice = yield* merge(a, [b, b])
        assert.deepStrictEqual(faultsOf(twice), ["body /from/1 not_unique"])
        const send = (json: unknown, query = "") => request("POST", `${path(c)}/merge${query}`, { token, json })
        assert.deepStrictEqual(faultsOf(yield* send({ from: [] })), ["body /from too_few"])
        assert.deepStrictEqual(faultsOf(yield* send({ from: Array.from({ length: 101 }, () => d) })), [
          "body /from too_many"
        ])
        assert.deepStrictEqual(faultsOf(yield* send({})), ["body /from required"])
        assert.deepStrictEqual(faultsOf(yield* send({ from: d, form: [d] })).toSorted(), [
          "body /form unknown_member",
          "body /from wrong_type"
        ])
        assert.deepStrictEqual(faultsOf(yield* send({ from: [1] }, "?force=true")).toSorted(), [
          "body /from/0 wrong_type",
          "query /force unknown_parameter"
        ])
        const missing = yield* merge(dead, [d])
        assert.strictEqual(missing.status, 404)
      })
    )

    it.effect(`allows at most 20 references: ${kind}`, () =>
      Effect.gen(function* () {
        const { contact, contactNow, company, companyNow, mergeCompanies, mergeContacts } = yield* make()
        const [one, merge, now] =
          kind === "contacts"
            ? ([contact, mergeContacts, contactNow] as const)
            : ([company, mergeCompanies, companyNow] as const)
        const refs = (name: string, count: number) =>
          Array.from({ length: count }, (_, index) => ({ namespace: name, externalId: String(index) }))
        const a = yield* one({ externalRefs: refs("a", 12) })
        const [b, c] = [yield* one({ externalRefs: refs("b", 8) }), yield* one({ externalRefs: refs("c", 1) })]
        const over = yield* merge(a.id, [b.id, c.id])
        assert.deepStrictEqual([over.status, ...faultsOf(over)], [400, "body /from too_many"])
        assert.include(over.text, "21 external references")
        assert.deepStrictEqual(yield* now(b.id), b)
        assert.lengthOf((yield* merge(a.id, [b.id])).body.externalRefs, 20)
      })
    )
  }

  it.effect("is rejected if a link would have more than 20 references", () =>
    Effect.gen(function* () {
      const fixture = yield* make()
      const [a, b, x] = [yield* fixture.contact(), yield* fixture.contact(), yield* fixture.company()]
      const refs = (name: string, count: number) =>
        Array.from({ length: count }, (_, index) => ({ namespace: name, externalId: String(index) }))
      const kept = yield* fixture.link(a.id, x.id, { externalRefs: refs("a", 12) })
      yield* fixture.link(b.id, x.id, { externalRefs: refs("b", 9) })
      const over = yield* fixture.mergeContacts(a.id, [b.id])
      assert.deepStrictEqual([over.status, ...faultsOf(over)], [400, "body /from too_many"])
      assert.include(over.text, kept.id)
      assert.lengthOf(yield* fixture.linksOf(""), 2)
      assert.strictEqual((yield* fixture.contacts.get(b.id)).status, 200)
    })
  )
})
