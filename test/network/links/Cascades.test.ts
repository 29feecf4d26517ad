import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../../src/platform/db/Database.ts"
import { faultsOf } from "../../support/faults.ts"
import * as RecordsClient from "../../support/RecordsClient.ts"
import { TestService } from "../../support/TestService.ts"
import { aPair } from "./pair.ts"

const transactionsOf = (teamId: string) =>
  Effect.gen(function* () {
    const sql = yield* Database
    const rows = yield* Effect.orDie(sql<{ transaction_id: string; type: string }>`
      select transaction_id::text, type from events where team_id = ${teamId} order by seq`)
    const last = rows.at(-1)?.transaction_id
    return rows.filter((row) => row.transaction_id === last).map(({ type }) => type)
  })

layer(TestService.layer, { excludeTestServices: true })("What goes with a record that is deleted", (it) => {
  it.effect("deletes the links of a contact, each with an event, in one transaction", () =>
    Effect.gen(function* () {
      const { companies, contacts, ends, events, links, teamId } = yield* aPair
      const tal = (yield* companies.create({ name: "Tal" })).body.id
      const ben = (yield* contacts.create({ firstName: "Ben" })).body.id
      const a = (yield* links.create({ ...ends, externalRefs: [{ namespace: "crm", externalId: "1" }] })).body.id
      const b = (yield* links.create({ ...ends, companyId: tal })).body.id
      const other = (yield* links.create({ ...ends, contactId: ben })).body
      const before = (yield* events).length
      assert.strictEqual((yield* contacts.delete(ends.contactId)).status, 204)
      const emitted = RecordsClient.typesAndIds((yield* events).slice(before))
      assert.deepStrictEqual([...emitted].sort(), [
        `contact.deleted ${ends.contactId}`,
        ...[a, b].sort().map((id) => `link.deleted ${id}`)
      ])
      assert.lengthOf(yield* transactionsOf(teamId), 3)
      assert.deepStrictEqual((yield* links.list()).body.data, [other])
      const tombstones = (yield* links.list("?include_deleted=true")).body.data.filter(
        ({ deletedUtc }) => deletedUtc !== null
      )
      assert.deepStrictEqual(
        tombstones.map(({ companyId, contactId, id }) => [id, contactId, companyId]),
        [
          [a, ends.contactId, ends.companyId],
          [b, ends.contactId, tal]
        ]
      )
      const [row] = (yield* companies.actions(tal)).body.data
      assert.strictEqual(row?.["event"], "link.deleted")
      // Its reference is free.
      assert.strictEqual(
        (yield* links.patch(other.id, { externalRefs: [{ namespace: "crm", externalId: "1" }] })).status,
        200
      )
    })
  )

  it.effect("deletes the links of a company, and clears the primary company of its contacts", () =>
    Effect.gen(function* () {
      const { companies, contacts, ends, events, links, teamId } = yield* aPair
      const tal = (yield* companies.create({ name: "Tal" })).body.id
      const link = (yield* links.create(ends)).body.id
      yield* contacts.patch(ends.contactId, { primaryCompanyId: ends.companyId })
      const ben = (yield* contacts.create({ firstName: "Ben", primaryCompanyId: ends.companyId })).body
      const eva = (yield* contacts.create({ firstName: "Eva", primaryCompanyId: tal })).body
      const before = (yield* events).length
      assert.strictEqual((yield* companies.delete(ends.companyId)).status, 204)
      const happened = (yield* events).slice(before)
      assert.deepStrictEqual([...RecordsClient.typesAndIds(happened)].sort(), [
        `company.deleted ${ends.companyId}`,
        ...[ends.contactId, ben.id].sort().map((id) => `contact.updated ${id}`),
        `link.deleted ${link}`
      ])
      assert.lengthOf(yield* transactionsOf(teamId), 4)
      for (const event of happened.filter((one) => one["event"] === "contact.updated")) {
        assert.deepStrictEqual(event["changed_fields"], ["primary_company_id"])
      }
      const now = (yield* contacts.get(ben.id)).body
      assert.deepInclude(now, { primaryCompanyId: null, changeType: "updated" })
      assert.notStrictEqual(now.etag, ben.etag)
      assert.deepStrictEqual((yield* contacts.get(eva.id)).body, eva)
      const [row] = (yield* contacts.actions(ben.id)).body.data
      assert.deepStrictEqual(row?.["details"], { kind: "audit", changedFields: ["primaryCompanyId"] })
      assert.deepStrictEqual((yield* links.list()).body.data, [])
    })
  )

  it.effect("is reported completely by a dry run", () =>
    Effect.gen(function* () {
      const { companies, contacts, ends, links } = yield* aPair
      const { body } = yield* links.create(ends)
      yield* contacts.patch(ends.contactId, { primaryCompanyId: ends.companyId })
      const report = yield* companies.delete(ends.companyId, { prefer: "dry-run" })
      const affected = report.body["affected"] as ReadonlyArray<{ type: string; id: string; change: string }>
      assert.deepStrictEqual(affected.map(({ change, id, type }) => `${type} ${id} ${change}`).sort(), [
        `company ${ends.companyId} deleted`,
        `contact ${ends.contactId} updated`,
        `link ${body.id} deleted`
      ])
      assert.deepStrictEqual((yield* links.list()).body.data, [body])
    })
  )

  it.effect("is only restored by a new link to living records", () =>
    Effect.gen(function* () {
      const { contacts, ends, links } = yield* aPair
      yield* links.create(ends)
      yield* contacts.delete(ends.contactId)
      const refused = yield* links.create(ends)
      assert.deepStrictEqual([refused.status, faultsOf(refused)], [400, ["body /contactId invalid_reference"]])
    })
  )
})

layer(TestService.layer, { excludeTestServices: true })("The company that a contact mainly works for", (it) => {
  it.effect("must be an existing one of the team", () =>
    Effect.gen(function* () {
      const { companies, contacts, ends } = yield* aPair
      const stranger = yield* aPair
      const closed = (yield* companies.create({ name: "Tal" })).body.id
      yield* companies.delete(closed)
      const patched = yield* contacts.patch(ends.contactId, { primaryCompanyId: ends.companyId })
      assert.deepStrictEqual([patched.status, patched.body.primaryCompanyId], [200, ends.companyId])
      assert.strictEqual((yield* contacts.create({ firstName: "Ben", primaryCompanyId: ends.companyId })).status, 201)
      const nothing = "company_01kb3n7x2ferwt5z8q4j6m9d0c"
      for (const primaryCompanyId of [nothing, closed, stranger.ends.companyId, ends.contactId, "x", ""]) {
        const refused = yield* contacts.patch(ends.contactId, { primaryCompanyId })
        assert.deepStrictEqual(
          [refused.status, faultsOf(refused)],
          [400, ["body /primaryCompanyId invalid_reference"]],
          primaryCompanyId
        )
        assert.strictEqual((yield* contacts.create({ firstName: "Eva", primaryCompanyId })).status, 400)
      }
      assert.strictEqual(
        (yield* contacts.patch(ends.contactId, { primaryCompanyId: null })).body.primaryCompanyId,
        null
      )
    })
  )
})
