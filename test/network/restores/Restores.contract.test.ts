/** Deleted records come back: docs/behaviour/http.md#restore. What comes back with contacts, companies and properties is in Returns.contract.test.ts. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { inTeam } from "../../../src/platform/db/Cells.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import { untilSettled } from "../../support/RecordsClient.ts"
import { TestService } from "../../support/TestService.ts"
import { type AnyRecord, kinds, make, paths, refusal, withoutAudit } from "./fixture.ts"

const tables = {
  contact: "contacts",
  company: "companies",
  link: "links",
  property: "properties",
  mandate: "mandates"
} as const

/** Members of each kind, as many as differ in how they are stored. */
const filled = {
  contact: {
    firstName: "Zoë",
    lastName: "Berg",
    email: "zoe@example.com",
    phone: "+49 30 1234567",
    tags: ["logistics", "core"],
    strategy: "Core-plus offices. ".repeat(200)
  },
  company: { name: "Örn & Söhne GmbH", country: "DE", homepageUrl: "https://www.orn.example", tags: ["fund"] },
  link: { jobTitle: "Partner" },
  property: {
    name: "Landsberger 1",
    country: "DE",
    address: { street: "Landsberger Straße", houseNumber: "1" },
    coordinates: { latitude: 48.1, longitude: 11.5 },
    categories: ["office"],
    tags: ["value_add"],
    yearBuilt: 1999,
    pricing: { askingPrice: { value: 12_500_000.5, currency: "EUR" } }
  },
  mandate: {
    name: "Offices",
    country: "DE",
    near: { latitude: 48.1, longitude: 11.5 },
    radius: 20_000,
    investmentSize: { min: 1_000_000, max: 5_000_000, currency: "EUR", scale: "unit" },
    validUntilUtc: "2031-01-01T00:00:00Z",
    positiveTags: ["value_add"]
  }
} as const

layer(TestService.layer, { excludeTestServices: true })("A deleted record", (it) => {
  for (const kind of kinds) {
    const path = paths[kind]

    it.effect(`comes back as it was: ${kind}`, () =>
      Effect.gen(function* () {
        const team = yield* make()
        const externalRefs = [{ namespace: "crm", externalId: `${team.teamId} 1` }]
        const made = yield* team.record(kind, { ...filled[kind], externalRefs })
        const record = yield* team.read(kind, made.id)
        yield* team.remove(kind, record.id)
        assert.strictEqual(yield* team.status(`${path}/${record.id}`), 404)
        assert.lengthOf(yield* team.list(path), 0)
        yield* untilSettled(tables[kind])
        const [tombstone] = (yield* team.list(
          `${path}?updated_since=2020-01-01T00:00:00Z&include_deleted=true`
        )).filter(({ id }) => id === record.id)
        assert.strictEqual(tombstone?.["changeType"], "deleted")
        const { etag } = tombstone ?? record

        const count = yield* team.countEvents
        const wrong = yield* team.tryRestore(kind, record.id, "", { "if-match": record.etag })
        assert.deepStrictEqual(refusal(wrong), [412, "precondition_failed"])
        const back = yield* team.tryRestore(kind, record.id, "", { "if-match": etag })
        assert.strictEqual(back.status, 200, back.text)
        assert.deepStrictEqual(withoutAudit(back.body), withoutAudit(record))
        assert.deepInclude(back.body, { changeType: "restored", deletedUtc: null, notRestored: [], etag: '"v3"' })
        assert.strictEqual(back.headers.get("etag"), '"v3"')
        const { notRestored: _, ...answered } = back.body
        assert.deepStrictEqual(yield* team.read(kind, record.id), answered as AnyRecord)
        assert.deepStrictEqual(yield* team.eventsSince(count), [`${kind}.restored ${record.id}`])
        assert.deepStrictEqual(
          (yield* team.list(`${path}?external_ref=crm:${encodeURIComponent(`${team.teamId} 1`)}`)).map(({ id }) => id),
          [record.id]
        )
        yield* untilSettled(tables[kind])
        assert.deepStrictEqual(
          (yield* team.list(`${path}?updated_since=2020-01-01T00:00:00Z&include_deleted=true`)).filter(
            ({ id }) => id === record.id
          ),
          [answered as AnyRecord]
        )
        assert.deepStrictEqual(refusal(yield* team.tryRestore(kind, record.id)), [409, "not_deleted"])
        if (kind !== "link") {
          const rows = yield* team.list(`${path}/${record.id}/actions`)
          assert.deepStrictEqual(
            rows.map((row) => row["event"]),
            ["restored", "deleted", "created"].map((change) => `${kind}.${change}`)
          )
        }
      })
    )

    it.effect(`is only for its own team, for 30 days, and for those who may delete it: ${kind}`, () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const team = yield* make()
        const record = yield* team.record(kind)
        yield* team.remove(kind, record.id)
        const another = yield* make()
        assert.deepStrictEqual(refusal(yield* another.tryRestore(kind, record.id)), [404, "not_found"])
        const incapable = yield* make({ broker: null, investor: null })
        assert.deepStrictEqual(refusal(yield* incapable.tryRestore(kind, record.id)), [403, "capability_required"])
        const reader = yield* make({ scopes: ["api:read"] })
        assert.deepStrictEqual(refusal(yield* reader.tryRestore(kind, record.id)), [403, "insufficient_scope"])
        yield* inTeam(team.teamId)(
          Effect.orDie(
            sql`
              update deleted_records set deleted_at = ${new Date(Date.now() - 30 * 86_400_000)}
              where team_id = ${team.teamId}`
          )
        )
        assert.deepStrictEqual(refusal(yield* team.tryRestore(kind, record.id)), [404, "not_found"])
        const [receipt] = (yield* team.batchRestore(kind, [record.id])).results
        assert.strictEqual(receipt?.status, "missing")
      })
    )

    it.effect(`comes back with others, each as by a request of its own: ${kind}`, () =>
      Effect.gen(function* () {
        const team = yield* make()
        const records = yield* Effect.forEach([1, 2, 3], () => team.record(kind))
        const ids = records.map(({ id }) => id)
        yield* Effect.forEach(ids.slice(0, 2), (id) => team.remove(kind, id))
        const { results } = yield* team.batchRestore(kind, [...ids, ids[0]!, "nobody"])
        assert.deepStrictEqual(
          results.map(({ problem, status }) => problem?.code ?? status),
          ["restored", "restored", "not_deleted", "not_deleted", "missing"]
        )
        assert.deepStrictEqual(
          results.map(({ etag, id, notRestored }) => [id, etag, notRestored?.length]),
          [
            [ids[0]!, '"v3"', 0],
            [ids[1]!, '"v3"', 0],
            [ids[2]!, null, undefined],
            [ids[0]!, null, undefined],
            ["nobody", null, undefined]
          ]
        )
      })
    )

    it.effect(`leaves references out that others hold now, and says so: ${kind}`, () =>
      Effect.gen(function* () {
        const team = yield* make()
        const [taken, free] = ["taken", "free"].map((externalId) => ({ namespace: "crm", externalId }))
        const record = yield* team.record(kind, { externalRefs: [taken, free] })
        yield* team.remove(kind, record.id)
        const holder = yield* team.record(kind, {
          ...(kind === "company" ? { name: "Tal" } : {}),
          externalRefs: [taken]
        })
        const back = yield* team.restore(kind, record.id)
        assert.deepStrictEqual(back["externalRefs"], [free])
        assert.deepStrictEqual(back.notRestored, [
          { type: kind, ...taken!, id: record.id, code: "external_reference_taken", holderId: holder.id }
        ])
      })
    )

    it.effect(`is rehearsed by a dry run: ${kind}`, () =>
      Effect.gen(function* () {
        const team = yield* make()
        const record = yield* team.record(kind)
        yield* team.remove(kind, record.id)
        const rehearsed = yield* team.tryRestore(kind, record.id, "", { prefer: "dry-run" })
        assert.strictEqual(rehearsed.status, 200, rehearsed.text)
        assert.deepInclude(rehearsed.body as object, {
          wouldAnswer: 200,
          events: [{ event: `${kind}.restored`, resource_id: record.id }],
          affected: [{ type: kind, id: record.id, change: "restored" }]
        })
        assert.strictEqual(yield* team.status(`${path}/${record.id}`), 404)
        assert.deepStrictEqual((yield* team.restore(kind, record.id)).notRestored, [])
      })
    )
  }

  it.effect("comes back only with force=true while another has its address", () =>
    Effect.gen(function* () {
      const team = yield* make()
      const [contact, company] = [
        yield* team.contact({ email: "anna@example.com" }),
        yield* team.company({ name: "Berg AB", country: "SE" })
      ]
      yield* team.remove("contact", contact.id)
      yield* team.remove("company", company.id)
      const beside = yield* team.contact({ email: "anna@example.com" })
      yield* team.restore("contact", contact.id, "?force=true")
      yield* team.remove("contact", contact.id)
      yield* team.remove("contact", beside.id)
      // Two that were there together come back together.
      assert.deepStrictEqual(
        (yield* team.batchRestore("contact", [contact.id, beside.id])).results.map(({ status }) => status),
        ["restored", "restored"]
      )
      yield* team.remove("contact", contact.id)
      yield* team.remove("contact", beside.id)
      const others = [
        yield* team.contact({ email: "Anna@example.com" }),
        yield* team.company({ name: "Berg AB", country: "SE" })
      ]
      for (const [kind, id, other] of [
        ["contact", contact.id, others[0]!.id],
        ["company", company.id, others[1]!.id]
      ] as const) {
        const refused = yield* team.tryRestore(kind, id)
        assert.deepStrictEqual(refusal(refused), [409, "duplicate"])
        const { candidates } = refused.body as unknown as {
          readonly candidates: ReadonlyArray<{ readonly id: string }>
        }
        assert.deepStrictEqual(
          candidates.map((one) => one.id),
          [other]
        )
        const [receipt] = (yield* team.batchRestore(kind, [id])).results
        assert.strictEqual(receipt?.problem?.code, "duplicate")
        assert.deepStrictEqual((yield* team.restore(kind, id, "?force=true")).notRestored, [])
      }
    })
  )

  it.effect("does not come back if it was merged", () =>
    Effect.gen(function* () {
      const team = yield* make()
      const [one, into] = [yield* team.contact(), yield* team.contact()]
      yield* team.post(`${paths.contact}/${into.id}/merge`, { from: [one.id] })
      const refused = yield* team.tryRestore("contact", one.id)
      assert.deepStrictEqual(refusal(refused), [409, "merged"])
      assert.strictEqual(refused.body["mergedInto"], into.id)
      const [receipt] = (yield* team.batchRestore("contact", [one.id])).results
      assert.strictEqual(receipt?.problem?.code, "merged")
    })
  )

  it.effect("is not written by an upsert, which says that it can be restored", () =>
    Effect.gen(function* () {
      const team = yield* make()
      const contact = yield* team.contact()
      yield* team.remove("contact", contact.id)
      const upserted = yield* team.contacts.upsert([{ id: contact.id, firstName: "Bo" }])
      const [receipt] = upserted.body.results
      assert.deepStrictEqual([receipt?.status, receipt?.problem?.code], ["failed", "not_found"])
      assert.match(receipt?.problem?.detail ?? "", /was deleted on \d{4}-\d\d-\d\d, and can be restored/)
    })
  )

  it.effect("shows nothing of what it held anywhere else", () =>
    Effect.gen(function* () {
      const team = yield* make()
      const contact = yield* team.contact({ lastName: "Zurbriggen", email: "z@example.com" })
      yield* team.post(`${paths.contact}/${contact.id}/notes`, { message: "Prefers mornings" })
      yield* team.remove("contact", contact.id)
      for (const part of ["", "/actions", "/notes", "/files"]) {
        assert.strictEqual(yield* team.status(`${paths.contact}/${contact.id}${part}`), 404, part)
      }
      const found = yield* team.send("POST", `${paths.contact}:search`, { query: "zurbriggen" })
      assert.deepStrictEqual(found.body["data"], [])
      yield* team.restore("contact", contact.id)
      const again = yield* team.send("POST", `${paths.contact}:search`, { query: "zurbriggen" })
      assert.lengthOf(again.body["data"] as ReadonlyArray<unknown>, 1)
      assert.lengthOf(yield* team.list(`${paths.contact}/${contact.id}/notes`), 1)
    })
  )
})
