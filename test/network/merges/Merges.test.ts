import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { File } from "../../../src/content/files/File.ts"
import type { Page } from "../../../src/core/usecase/Page.ts"
import { filePart, formOf, sending } from "../../content/files/client.ts"
import { typesAndIds } from "../../support/RecordsClient.ts"
import { TestService } from "../../support/TestService.ts"
import { make } from "./fixture.ts"

const ref = (namespace: string, externalId: string) => ({ namespace, externalId })

layer(TestService.layer, { excludeTestServices: true })("A merge", (it) => {
  it.effect("keeps the members of the survivor, and appends the tags and references of the others", () =>
    Effect.gen(function* () {
      const { contact, contactNow, contacts, mergeContacts } = yield* make()
      const a = yield* contact({
        email: "a@example.com",
        tags: ["x"],
        externalRefs: [ref("crm", "1"), ref("erp", "1")]
      })
      const b = yield* contact({ lastName: "Berg", phone: "1", tags: ["y", "x"], externalRefs: [ref("crm", "2")] })
      const c = yield* contact({ email: "c@example.com", externalRefs: [ref("abc", "3")] })
      const reply = yield* mergeContacts(a.id, [c.id, b.id])
      assert.strictEqual(reply.status, 200, reply.text)
      assert.deepStrictEqual(reply.body, {
        ...a,
        tags: ["x", "y"],
        externalRefs: [ref("crm", "1"), ref("erp", "1"), ref("abc", "3"), ref("crm", "2")],
        etag: '"v2"',
        changeType: "updated",
        updatedUtc: reply.body.updatedUtc
      })
      assert.isAbove(Date.parse(reply.body.updatedUtc), Date.parse(a.updatedUtc) - 1)
      assert.strictEqual(reply.headers.get("etag"), '"v2"')
      assert.deepStrictEqual(yield* contactNow(a.id), reply.body)
      const found = yield* contacts.list("?external_ref=crm:2")
      assert.deepStrictEqual(found.body.data, [reply.body])
      const free = yield* contacts.create({ firstName: "Ben", externalRefs: [ref("abc", "3")] })
      assert.deepInclude(free.body as object, { code: "external_reference_taken", holderId: a.id })
    })
  )

  it.effect("emits events for the survivor and each merged record, with the action", () =>
    Effect.gen(function* () {
      const { contact, countEvents, eventsSince, mergeContacts } = yield* make()
      const [a, b, c] = [yield* contact(), yield* contact(), yield* contact()]
      const before = yield* countEvents
      yield* mergeContacts(a.id, [b.id, c.id])
      const events = yield* eventsSince(before)
      assert.deepStrictEqual(typesAndIds(events), [
        `contact.updated ${a.id}`,
        `contact.deleted ${b.id}`,
        `contact.deleted ${c.id}`
      ])
      assert.deepStrictEqual(
        events.map(({ action, changed_fields }) => [action, changed_fields]),
        [
          [{ type: "merged" }, null],
          [{ type: "merged", to: a.id }, undefined],
          [{ type: "merged", to: a.id }, undefined]
        ]
      )
    })
  )

  it.effect("moves links with their ids, to the survivor", () =>
    Effect.gen(function* () {
      const fixture = yield* make()
      const [a, b, c] = [yield* fixture.contact(), yield* fixture.contact(), yield* fixture.contact()]
      const [x, y] = [yield* fixture.company(), yield* fixture.company()]
      const own = yield* fixture.link(a.id, x.id)
      const first = yield* fixture.link(b.id, y.id, { jobTitle: "Head", externalRefs: [ref("crm", "l1")] })
      const before = yield* fixture.countEvents
      assert.strictEqual((yield* fixture.mergeContacts(a.id, [c.id, b.id])).status, 200)
      const moved = yield* fixture.linkNow(first.id)
      assert.deepStrictEqual(moved, {
        ...first,
        contactId: a.id,
        etag: '"v2"',
        changeType: "updated",
        updatedUtc: moved.updatedUtc
      })
      assert.deepStrictEqual(yield* fixture.linksOf(`?contact_id=${a.id}`), [own, moved])
      assert.deepStrictEqual(yield* fixture.linksOf(`?contact_id=${b.id}`), [])
      const events = yield* fixture.eventsSince(before)
      assert.deepStrictEqual(typesAndIds(events).slice(3), [`link.updated ${first.id}`])
      assert.deepInclude(events[3], { contact_id: a.id, company_id: y.id, changed_fields: ["contact_id"] })
      for (const [collection, id] of [
        ["contacts", a.id],
        ["companies", y.id]
      ] as const) {
        const rows = (yield* fixture.timeline(collection, id)).filter(({ event }) => event === "link.updated")
        assert.deepStrictEqual(
          rows.map(({ details }) => details.changedFields),
          [["contactId"]]
        )
      }
    })
  )

  it.effect(
    "keeps one link of a pair: that of the survivor, with the references and, if it has none, the title of the others",
    () =>
      Effect.gen(function* () {
        const fixture = yield* make()
        const [a, b, c] = [yield* fixture.contact(), yield* fixture.contact(), yield* fixture.contact()]
        const [x, y, z] = [yield* fixture.company(), yield* fixture.company(), yield* fixture.company()]
        const bx = yield* fixture.link(b.id, x.id, { jobTitle: "Head", externalRefs: [ref("crm", "bx")] })
        const cx = yield* fixture.link(c.id, x.id, { jobTitle: "Intern" })
        const ax = yield* fixture.link(a.id, x.id, { externalRefs: [ref("crm", "ax")] })
        const cy = yield* fixture.link(c.id, y.id)
        const by = yield* fixture.link(b.id, y.id, { jobTitle: "Buyer" })
        const az = yield* fixture.link(a.id, z.id, { jobTitle: "Own" })
        const bz = yield* fixture.link(b.id, z.id, { jobTitle: "Other" })
        const before = yield* fixture.countEvents
        assert.strictEqual((yield* fixture.mergeContacts(a.id, [b.id, c.id])).status, 200)
        assert.deepInclude(yield* fixture.linkNow(ax.id), {
          contactId: a.id,
          jobTitle: "Head",
          externalRefs: [ref("crm", "ax"), ref("crm", "bx")]
        })
        assert.deepInclude(yield* fixture.linkNow(cy.id), { contactId: a.id, jobTitle: "Buyer" })
        assert.deepStrictEqual(yield* fixture.linkNow(az.id), az)
        for (const { id } of [bx, cx, by, bz]) assert.strictEqual((yield* fixture.links.get(id)).status, 404)
        const events = (yield* fixture.eventsSince(before)).filter(({ resource_type }) => resource_type === "link")
        assert.deepStrictEqual(
          typesAndIds(events).toSorted(),
          [
            ...[bx, cx, by, bz].map(({ id }) => `link.deleted ${id}`),
            ...[ax, cy].map(({ id }) => `link.updated ${id}`)
          ].sort()
        )
        assert.deepInclude(
          events.find(({ resource_id }) => resource_id === bx.id),
          { contact_id: b.id, company_id: x.id }
        )
        assert.deepInclude(
          events.find(({ resource_id }) => resource_id === ax.id),
          { changed_fields: ["job_title", "external_refs"] }
        )
        const rows = (yield* fixture.timeline("contacts", a.id)).filter(({ event }) => event === "link.deleted")
        assert.lengthOf(rows, 4)
        assert.strictEqual((yield* fixture.links.list("?external_ref=crm:bx")).body.data[0]?.id, ax.id)
        assert.strictEqual((yield* fixture.links.delete(ax.id)).status, 204)
        const again = yield* fixture.link(a.id, x.id)
        assert.deepInclude(again, { id: ax.id, changeType: "restored" })
      })
  )

  it.effect("moves a link to a pair with a tombstone, which stays", () =>
    Effect.gen(function* () {
      const fixture = yield* make()
      const [a, b, x] = [yield* fixture.contact(), yield* fixture.contact(), yield* fixture.company()]
      const former = yield* fixture.link(a.id, x.id)
      yield* fixture.links.delete(former.id)
      const link = yield* fixture.link(b.id, x.id)
      assert.strictEqual((yield* fixture.mergeContacts(a.id, [b.id])).status, 200)
      assert.deepStrictEqual(
        (yield* fixture.linksOf("")).map(({ id }) => id),
        [link.id]
      )
      const clash = yield* fixture.links.create({ contactId: a.id, companyId: x.id })
      assert.deepInclude(clash.body as object, { code: "duplicate" })
      assert.strictEqual((yield* fixture.links.get(former.id)).status, 404)
    })
  )

  it.effect("of companies moves their links, and becomes the primary company of their contacts", () =>
    Effect.gen(function* () {
      const fixture = yield* make()
      const [x, y, z] = [yield* fixture.company(), yield* fixture.company(), yield* fixture.company()]
      const anna = yield* fixture.contact({ primaryCompanyId: y.id })
      const ben = yield* fixture.contact({ primaryCompanyId: z.id })
      const eve = yield* fixture.contact({ primaryCompanyId: x.id })
      const linked = yield* fixture.link(anna.id, y.id, { jobTitle: "Head" })
      const kept = yield* fixture.link(eve.id, x.id)
      const dropped = yield* fixture.link(eve.id, z.id, { jobTitle: "Buyer" })
      const before = yield* fixture.countEvents
      const reply = yield* fixture.mergeCompanies(x.id, [y.id, z.id])
      assert.strictEqual(reply.status, 200, reply.text)
      assert.deepInclude(reply.body, { id: x.id, name: x.name, etag: '"v2"' })
      assert.deepInclude(yield* fixture.contactNow(anna.id), { primaryCompanyId: x.id, etag: '"v2"' })
      assert.deepInclude(yield* fixture.contactNow(ben.id), { primaryCompanyId: x.id })
      assert.deepStrictEqual(yield* fixture.contactNow(eve.id), eve)
      assert.deepInclude(yield* fixture.linkNow(linked.id), { companyId: x.id, jobTitle: "Head" })
      assert.deepInclude(yield* fixture.linkNow(kept.id), { companyId: x.id, jobTitle: "Buyer" })
      assert.strictEqual((yield* fixture.links.get(dropped.id)).status, 404)
      const events = yield* fixture.eventsSince(before)
      assert.deepStrictEqual(
        typesAndIds(events).toSorted(),
        [
          `company.updated ${x.id}`,
          `company.deleted ${y.id}`,
          `company.deleted ${z.id}`,
          `contact.updated ${anna.id}`,
          `contact.updated ${ben.id}`,
          `link.updated ${linked.id}`,
          `link.updated ${kept.id}`,
          `link.deleted ${dropped.id}`
        ].sort()
      )
      assert.deepInclude(
        events.find(({ resource_id }) => resource_id === ben.id),
        { changed_fields: ["primary_company_id"] }
      )
    })
  )

  it.effect("moves notes and timelines, and records the merged ids", () =>
    Effect.gen(function* () {
      const fixture = yield* make()
      const [a, b] = [yield* fixture.contact(), yield* fixture.contact()]
      const x = yield* fixture.company()
      yield* fixture.link(b.id, x.id)
      const [onA, onB] = [yield* fixture.note("contacts", a.id, "On A"), yield* fixture.note("contacts", b.id, "On B")]
      const rows = [...(yield* fixture.timeline("contacts", a.id)), ...(yield* fixture.timeline("contacts", b.id))]
      yield* fixture.mergeContacts(a.id, [b.id])
      const after = yield* fixture.timeline("contacts", a.id)
      const fresh = after.filter(({ id }) => !rows.some((row) => row.id === id))
      assert.lengthOf(after, rows.length + fresh.length)
      assert.deepStrictEqual(fresh.map(({ event }) => event).sort(), ["contact.updated", "link.updated"])
      assert.deepStrictEqual(
        fresh.find(({ event }) => event === "contact.updated")?.details.message,
        `Became part of this contact: ${b.id}.`
      )
      for (const { id } of [onA, onB]) assert.isDefined(after.find((row) => row.id === id))
      const moved = `/api/v1/network/contacts/${a.id}/notes/${onB.id}`
      const { token } = fixture
      assert.strictEqual((yield* fixture.request("GET", moved, { token })).status, 200)
      const archived = yield* fixture.request("PATCH", moved, {
        token,
        json: { action: "archive" },
        headers: { "if-match": onB.etag }
      })
      assert.strictEqual(archived.status, 204, archived.text)
    })
  )

  it.effect("moves files", () =>
    Effect.gen(function* () {
      const fixture = yield* make()
      const { request, token } = fixture
      for (const [collection, ids] of [
        ["contacts", [yield* fixture.contact(), yield* fixture.contact()]],
        ["companies", [yield* fixture.company(), yield* fixture.company()]]
      ] as const) {
        const [a, b] = ids.map(({ id }) => id)
        const path = (id = "") => `/api/v1/network/${collection}/${id}/files`
        const upload = (id: string | undefined, name: string) =>
          request<File>("POST", path(id), { token, ...sending(formOf(filePart("Terms", name))) })
        const [own, other] = [(yield* upload(a, "own.txt")).body, (yield* upload(b, "other.txt")).body]
        const merged = yield* request("POST", `/api/v1/network/${collection}/${a}/merge`, {
          token,
          json: { from: [b] }
        })
        assert.strictEqual(merged.status, 200, merged.text)
        const { body } = yield* request<Page<File>>("GET", path(a), { token })
        assert.deepStrictEqual(
          body.data.map(({ id }) => id),
          [own.id, other.id]
        )
        assert.strictEqual((yield* request("GET", `/api/v1/files/${other.id}/content`, { token })).text, "Terms")
      }
    })
  )

  it.effect("as a dry run changes nothing, and reports what it would change", () =>
    Effect.gen(function* () {
      const fixture = yield* make()
      const [a, b] = [
        yield* fixture.contact({ externalRefs: [ref("crm", "1")] }),
        yield* fixture.contact({ externalRefs: [ref("crm", "2")] })
      ]
      const [x, y] = [yield* fixture.company(), yield* fixture.company()]
      const moved = yield* fixture.link(b.id, x.id)
      const kept = yield* fixture.link(a.id, y.id)
      const dropped = yield* fixture.link(b.id, y.id)
      const before = yield* fixture.countEvents
      const preview = yield* fixture.mergeContacts(a.id, [b.id], { prefer: "dry-run" })
      assert.deepStrictEqual([preview.status, preview.headers.get("preference-applied")], [200, "dry-run"])
      const report = preview.body as object as {
        readonly wouldAnswer: number
        readonly result: typeof a
        readonly events: ReadonlyArray<{ readonly event: string; readonly resource_id: string }>
        readonly affected: ReadonlyArray<{ readonly type: string; readonly id: string; readonly change: string }>
      }
      assert.strictEqual(report.wouldAnswer, 200)
      assert.deepInclude(report.result, { id: a.id, externalRefs: [ref("crm", "1"), ref("crm", "2")], etag: '"v2"' })
      assert.deepStrictEqual(typesAndIds(report.events), [
        `contact.updated ${a.id}`,
        `contact.deleted ${b.id}`,
        `link.deleted ${dropped.id}`,
        `link.updated ${moved.id}`
      ])
      assert.deepStrictEqual(
        report.affected.map(({ change, id }) => `${change} ${id}`),
        [`updated ${a.id}`, `deleted ${b.id}`, `deleted ${dropped.id}`, `updated ${moved.id}`]
      )
      assert.deepStrictEqual(yield* fixture.contactNow(a.id), a)
      assert.deepStrictEqual(yield* fixture.contactNow(b.id), b)
      assert.deepStrictEqual(yield* fixture.linksOf(""), [moved, kept, dropped])
      assert.strictEqual(yield* fixture.countEvents, before)
      const refused = yield* fixture.mergeContacts(a.id, [a.id], { prefer: "dry-run" })
      assert.strictEqual(refused.status, 400)
    })
  )

  it.effect("applies to the version of If-Match only", () =>
    Effect.gen(function* () {
      const { companies, company, companyNow, mergeCompanies } = yield* make()
      const [a, b] = [yield* company(), yield* company()]
      yield* companies.patch(a.id, { tags: ["x"] })
      const stale = yield* mergeCompanies(a.id, [b.id], { "if-match": a.etag })
      assert.deepInclude(stale.body as object, { code: "precondition_failed", currentEtag: '"v2"' })
      const before = yield* mergeCompanies(a.id, ["nonsense"], { "if-match": a.etag })
      assert.strictEqual(before.status, 412)
      assert.deepStrictEqual(yield* companyNow(b.id), b)
      const merged = yield* mergeCompanies(a.id, [b.id], { "if-match": '"v2"' })
      assert.deepStrictEqual([merged.status, merged.body.etag], [200, '"v3"'])
    })
  )

  it.effect("that is repeated answers the same and changes nothing", () =>
    Effect.gen(function* () {
      const { contact, countEvents, mergeContacts } = yield* make()
      const [a, b, c] = [yield* contact(), yield* contact(), yield* contact()]
      const first = yield* mergeContacts(a.id, [b.id])
      const before = yield* countEvents
      const again = yield* mergeContacts(a.id, [b.id])
      assert.deepStrictEqual([again.status, again.body], [200, first.body])
      assert.strictEqual(again.headers.get("etag"), first.body.etag)
      assert.strictEqual(yield* countEvents, before)
      const more = yield* mergeContacts(a.id, [b.id, c.id])
      assert.deepStrictEqual([more.status, more.body.etag], [200, '"v3"'])
      assert.strictEqual((yield* countEvents) - before, 2)
    })
  )

  it.effect(
    "removes merged records from lists, searches and duplicates, and leaves tombstones with their references in deltas",
    () =>
      Effect.gen(function* () {
        const { company, contact, contacts, mergeCompanies, mergeContacts, request, token } = yield* make()
        const ids = ({ body }: { readonly body: { readonly data?: unknown } }) =>
          (body.data as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id)
        const [x, y] = [yield* company(), yield* company()]
        yield* mergeCompanies(y.id, [x.id])
        const duplicates = { token, json: { name: "Berg" } }
        assert.deepStrictEqual(ids(yield* request("POST", "/api/v1/companies/find-duplicates", duplicates)), [y.id])
        const search = { token, json: { query: "berg" } }
        assert.deepStrictEqual(ids(yield* request("POST", "/api/v1/network/companies:search", search)), [y.id])
        const [a, b] = [yield* contact(), yield* contact({ externalRefs: [ref("crm", "2")] })]
        const { body } = yield* mergeContacts(a.id, [b.id])
        assert.deepStrictEqual((yield* contacts.list()).body.data, [body])
        const since = `?updated_since=${encodeURIComponent(body.updatedUtc)}`
        assert.deepStrictEqual((yield* contacts.delta(since)).body.data, [body])
        const [, tombstone] = (yield* contacts.delta(`${since}&include_deleted=true`)).body.data
        assert.deepInclude(tombstone, {
          id: b.id,
          firstName: null,
          externalRefs: [ref("crm", "2")],
          etag: '"v2"',
          changeType: "deleted",
          deletedUtc: body.updatedUtc
        })
      })
  )
})
