import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as RecordsClient from "../../support/RecordsClient.ts"
import { TestService } from "../../support/TestService.ts"
import { aPair } from "./pair.ts"

const together = { concurrency: "unbounded" } as const

const times = (count: number) => Array.from({ length: count }, (_, index) => index)

layer(TestService.layer, { excludeTestServices: true })("Links, in races", (it) => {
  it.effect("are created once by parallel creates of one pair, new or deleted", () =>
    Effect.gen(function* () {
      const { ends, events, links } = yield* aPair
      for (const round of times(3)) {
        const replies = yield* Effect.all(
          times(10).map((n) => links.create({ ...ends, jobTitle: `${n}` })),
          together
        )
        assert.deepStrictEqual(replies.map(({ status }) => status).sort(), [201, ...times(9).map(() => 409)])
        const [link] = (yield* links.list()).body.data
        assert.strictEqual(replies.find(({ status }) => status === 201)?.body.id, link?.id)
        assert.strictEqual(link?.changeType, round === 0 ? "created" : "restored")
        yield* links.delete(link?.id ?? "")
      }
      assert.lengthOf((yield* links.list("?include_deleted=true")).body.data, 1)
      assert.lengthOf(
        (yield* events).filter((event) => event["event"] === "link.created"),
        3
      )
    })
  )

  it.effect("are upserted one after the other by parallel upserts of one pair", () =>
    Effect.gen(function* () {
      const { ends, links } = yield* aPair
      const replies = yield* Effect.all(
        times(20).map((n) => links.upsert([{ ...ends, jobTitle: `${n}` }])),
        together
      )
      const found = replies.map(({ body, status }) => `${status} ${body.results[0]?.status}`).sort()
      assert.deepStrictEqual(found, ["207 created", ...times(19).map(() => "207 updated")])
      assert.lengthOf((yield* links.list()).body.data, 1)
    })
  )

  it.effect("of a concurrently deleted contact or company are deleted with it, or rejected", () =>
    Effect.gen(function* () {
      const { companies, contacts, events, links } = yield* RecordsClient.make()
      for (const round of times(8)) {
        const contactId = (yield* contacts.create({ firstName: "Anna" })).body.id
        const companyId = (yield* companies.create({ name: `Berg ${round}` })).body.id
        const [, made] = yield* Effect.all(
          [
            round % 2 === 0 ? contacts.delete(contactId) : companies.delete(companyId),
            links.create({ contactId, companyId })
          ],
          together
        )
        assert.include([201, 400], made.status)
        assert.deepStrictEqual((yield* links.list(`?contact_id=${contactId}`)).body.data, [])
        const emitted = (yield* events)
          .filter((event) => event["resource_id"] === made.body.id)
          .map((event) => event["event"])
        assert.deepStrictEqual(emitted, made.status === 201 ? ["link.created", "link.deleted"] : [])
      }
    })
  )

  it.effect("are deleted once when they, their contact and their company are deleted concurrently", () =>
    Effect.gen(function* () {
      const { companies, contacts, events, links } = yield* RecordsClient.make()
      for (const round of times(8)) {
        const companyId = (yield* companies.create({ name: `Berg ${round}` })).body.id
        const contactId = (yield* contacts.create({ firstName: "Anna", primaryCompanyId: companyId })).body.id
        const {
          body: { id }
        } = yield* links.create({ contactId, companyId })
        const replies = yield* Effect.all(
          [
            links.delete(id),
            contacts.delete(contactId),
            companies.delete(companyId),
            links.patch(id, { jobTitle: "Partner" }),
            contacts.patch(contactId, { phone: "1" })
          ],
          together
        )
        const [link, contact, company, patchedLink, patchedContact] = replies.map(({ status }) => status)
        assert.include([204, 404], link)
        assert.deepStrictEqual([contact, company], [204, 204])
        assert.include([200, 404], patchedLink)
        assert.include([200, 404], patchedContact)
        const emitted = (yield* events).filter(
          (event) => event["resource_id"] === id && event["event"] === "link.deleted"
        )
        assert.lengthOf(emitted, 1)
      }
    })
  )

  it.effect("keep the new company of a contact whose former one is deleted concurrently", () =>
    Effect.gen(function* () {
      const { companies, contacts } = yield* RecordsClient.make()
      const tal = (yield* companies.create({ name: "Tal" })).body.id
      for (const round of times(8)) {
        const berg = (yield* companies.create({ name: `Berg ${round}` })).body.id
        const { id } = (yield* contacts.create({ firstName: "Anna", primaryCompanyId: berg })).body
        const [removed, patched] = yield* Effect.all(
          [companies.delete(berg), contacts.patch(id, { primaryCompanyId: tal })],
          together
        )
        assert.deepStrictEqual([removed.status, patched.status], [204, 200])
        assert.strictEqual((yield* contacts.get(id)).body.primaryCompanyId, tal)
      }
    })
  )
})
