/** Deltas over months, by the test clock. In memory: on a shared Postgres, open transactions of other tests hold deltas back. */
import * as UseCaseRequest from "../../../src/core/usecase/UseCaseRequest.ts"
import * as Tenant from "../../support/Tenant.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { actAs } from "../../../src/core/auth/CurrentActor.ts"
import { Contacts } from "../../../src/network/contacts/Contacts.ts"
import type { ContactListQuery } from "../../../src/network/contacts/Contact.ts"
import { Companies } from "../../../src/network/companies/Companies.ts"
import { Links } from "../../../src/network/links/Links.ts"
import type { Json } from "../../../src/core/usecase/Input.ts"
import { InvalidRequest } from "../../../src/core/usecase/Problem.ts"
import { ProjectLifecycle } from "../../../src/deals/lifecycle/ProjectLifecycle.ts"
import { Projects } from "../../../src/deals/projects/Projects.ts"
import { ProspectBatches } from "../../../src/deals/prospects/ProspectBatches.ts"
import { Prospects } from "../../../src/deals/prospects/Prospects.ts"
import { ProspectChanges } from "../../../src/deals/prospects/ProspectChanges.ts"
import { Tasks } from "../../../src/deals/prospects/tasks/Tasks.ts"
import { advance } from "../../support/advance.ts"
import { purgeContactTombstones, purgeProjects, purgeProspectTombstones } from "../../../workers/housekeeping.ts"
import { serviceWithWorker } from "../../webhooks/fixture.ts"

let begun = new Date("2026-11-21T09:00:00Z").getTime()

const request = <Query extends object>(query: Query, body: Json = null) =>
  UseCaseRequest.make({ operation: "test", query, body })

/** A broker who calls use-cases, at a time of their own: changes never go back in time. */
const aBroker = Effect.gen(function* () {
  yield* TestClock.setTime((begun += 400 * 86_400_000))
  const contacts = yield* Contacts
  const as = actAs(Tenant.actorOf(yield* Tenant.make()))
  const list = (query: ContactListQuery) => as(contacts.list(request(query)))
  return {
    as,
    list,
    add: (firstName: string) => Effect.map(as(contacts.create(request({}, { firstName }))), ({ value }) => value),
    rename: (id: string, firstName: string) => as(contacts.patch(id, request({}, { firstName }))),
    remove: (id: string) => as(contacts.delete(id, request({}))),
    /** What a reader gets who goes on from `nextSince`, and the next one. */
    goOn: (updated_since: string | null) =>
      Effect.map(
        list({ updated_since: updated_since ?? "", include_deleted: true, page_size: 500 }),
        ({ data, page }) => ({
          seen: data.map(({ changeType, firstName, id }) => `${changeType} ${firstName ?? id}`),
          next: page.nextSince
        })
      )
  }
})

const changeTypeOf = ({ changeType }: { readonly changeType: string }) => changeType

layer(serviceWithWorker)("nextSince", (it) => {
  it.effect("is on the last page only, and begins where the pages ended", () =>
    Effect.gen(function* () {
      const { add, goOn, list, rename } = yield* aBroker
      const anna = yield* add("Anna")
      yield* add("Ben")
      const first = yield* list({ page_size: 1 })
      assert.isNull(first.page.nextSince)
      const last = yield* list({ page_size: 1, cursor: first.page.nextCursor ?? "" })
      const quiet = yield* goOn(last.page.nextSince)
      assert.deepStrictEqual(quiet.seen, [])
      yield* rename(anna.id, "Anne")
      const delta = yield* goOn(quiet.next)
      assert.deepStrictEqual(delta.seen, ["updated Anne"])
      assert.deepStrictEqual((yield* goOn(delta.next)).seen, [])
      // Each of them stays good: they hold no state of the service.
      assert.deepStrictEqual((yield* goOn(last.page.nextSince)).seen, ["updated Anne"])
    })
  )

  it.effect("has every change between two pages", () =>
    Effect.gen(function* () {
      const { add, goOn, list, remove, rename } = yield* aBroker
      const [anna, ben, cleo] = [yield* add("Anna"), yield* add("Ben"), yield* add("Cleo")]
      const first = yield* list({ page_size: 1 })
      yield* rename(anna.id, "Anne")
      yield* rename(ben.id, "Benno")
      yield* remove(cleo.id)
      const last = yield* list({ page_size: 2, cursor: first.page.nextCursor ?? "" })
      assert.deepStrictEqual(
        last.data.map(({ firstName }) => firstName),
        ["Benno"]
      )
      // Ben's change was on the second page, so it does not come again.
      assert.deepStrictEqual((yield* goOn(last.page.nextSince)).seen, ["updated Anne", `deleted ${cleo.id}`])
    })
  )

  it.effect("of a list in which nothing changed for 91 days still works", () =>
    Effect.gen(function* () {
      const { add, goOn, list } = yield* aBroker
      const since = (yield* add("Anna")).updatedUtc
      const { page } = yield* list({})
      yield* advance("91 days")
      yield* purgeContactTombstones.run({})
      const quiet = yield* goOn(page.nextSince)
      assert.deepStrictEqual(quiet.seen, [])
      assert.deepStrictEqual((yield* goOn(since)).seen, ["created Anna"])
      yield* add("Ben")
      assert.deepStrictEqual((yield* goOn(quiet.next)).seen, ["created Ben"])
    })
  )

  it.effect("of an empty list lists the first record, and a young service answers a delta from 1970", () =>
    Effect.gen(function* () {
      const { add, goOn, list } = yield* aBroker
      const { data, page } = yield* list({})
      assert.deepStrictEqual(data, [])
      assert.deepStrictEqual((yield* goOn("1970-01-01")).seen, [])
      yield* advance("91 days")
      yield* add("Anna")
      assert.deepStrictEqual((yield* goOn(page.nextSince)).seen, ["created Anna"])
      assert.deepStrictEqual((yield* goOn("1970-01-01")).seen, ["created Anna"])
    })
  )

  it.effect("answers 410 only to readers who have not seen a tombstone that was purged", () =>
    Effect.gen(function* () {
      const { add, goOn, list, remove } = yield* aBroker
      const [anna, ben] = [yield* add("Anna"), yield* add("Ben")]
      const before = yield* list({})
      yield* advance("1 minute")
      yield* remove(ben.id)
      const seen = yield* goOn(before.page.nextSince)
      assert.deepStrictEqual(seen.seen, [`deleted ${ben.id}`])
      yield* advance("91 days")
      assert.deepStrictEqual((yield* goOn(before.page.nextSince)).seen, [`deleted ${ben.id}`])
      yield* purgeContactTombstones.run({})
      const refused = [before.page.nextSince, anna.updatedUtc, "1970-01-01"]
      for (const since of refused) {
        const { code, detail } = (yield* Effect.flip(goOn(since))) as { readonly code: string; readonly detail: string }
        assert.strictEqual(code, "resync_required")
        assert.include(detail, "page.nextSince")
        // Without tombstones, nothing is missing.
        assert.strictEqual((yield* list({ updated_since: since ?? "" })).page.hasMore, false)
      }
      assert.deepStrictEqual((yield* goOn(seen.next)).seen, [])
      // The last change of the list was the deletion, whose tombstone is gone.
      const resynced = yield* list({})
      assert.deepStrictEqual((yield* goOn(resynced.page.nextSince)).seen, [])
    })
  )

  it.effect("answers 410 on a later page, if a tombstone was purged that it would have had", () =>
    Effect.gen(function* () {
      const { add, list, remove } = yield* aBroker
      const [anna, ben] = [yield* add("Anna"), yield* add("Ben")]
      yield* remove(anna.id)
      yield* advance("1 minute")
      yield* remove(ben.id)
      const query = { updated_since: "1970-01-01", include_deleted: true, page_size: 1 }
      const first = yield* list(query)
      yield* advance("91 days")
      yield* purgeContactTombstones.run({})
      const refused = yield* Effect.flip(list({ ...query, cursor: first.page.nextCursor ?? "" }))
      assert.strictEqual(refused._tag, "ResyncRequired")
    })
  )

  it.effect(
    "of another server, whose transaction ids say nothing here, lists the last moment again and misses nothing",
    () =>
      Effect.gen(function* () {
        const { add, goOn, list } = yield* aBroker
        yield* add("Anna")
        yield* advance("1 second")
        yield* add("Ben")
        const values = JSON.parse(Buffer.from((yield* list({})).page.nextSince ?? "", "base64url").toString())
        const [name, of, , , at] = values
        const elsewhere = [name, of, "9000000000", "7600000000000000000.00000001", at, ""]
        yield* add("Cleo")
        const delta = yield* goOn(Buffer.from(JSON.stringify(elsewhere)).toString("base64url"))
        assert.deepStrictEqual(delta.seen, ["created Ben", "created Cleo"])
        assert.deepStrictEqual((yield* goOn(delta.next)).seen, [])
      })
  )

  it.effect("is good for its own list only", () =>
    Effect.gen(function* () {
      const { as, list } = yield* aBroker
      const other = yield* aBroker
      const [companies, links, projects] = [yield* Companies, yield* Links, yield* Projects]
      const updated_since = (yield* list({})).page.nextSince ?? ""
      const reads = [
        Effect.flip(as(companies.list(request({ updated_since })))),
        Effect.flip(as(links.list(request({ updated_since })))),
        Effect.flip(as(projects.list(request({ updated_since })))),
        Effect.flip(other.list({ updated_since }))
      ]
      const refused = yield* Effect.all(reads)
      for (const problem of refused) {
        const [fault] = problem instanceof InvalidRequest ? problem.errors : []
        assert.deepInclude(fault, { in: "query", pointer: "/updated_since", code: "other_list" })
      }
    })
  )

  it.effect("says which list of prospects it is of, where the path is the same", () =>
    Effect.gen(function* () {
      const { as } = yield* aBroker
      const [projects, prospects] = [yield* Projects, yield* Prospects]
      const { id } = (yield* as(projects.create(request({}, { name: "Tal" })))).value
      const sinceOf = (query: object) =>
        Effect.map(as(prospects.listAll(request(query))), ({ page }) => page.nextSince ?? "")
      const detailOf = (query: object) =>
        Effect.map(Effect.flip(as(prospects.listAll(request(query)))), (problem) =>
          problem instanceof InvalidRequest ? (problem.errors[0]?.detail ?? "") : ""
        )
      const [ofAll, ofTal] = [yield* sinceOf({}), yield* sinceOf({ project_id: id })]
      assert.isNotEmpty(yield* sinceOf({ project_id: id, updated_since: ofTal }))
      assert.include(yield* detailOf({ updated_since: ofTal }), `with project_id=${id}`)
      assert.include(yield* detailOf({ project_id: id, updated_since: ofAll }), "without project_id")
    })
  )

  it.effect("of a project's prospects counts the purges of that project only", () =>
    Effect.gen(function* () {
      const { add, as } = yield* aBroker
      const [projects, batches, prospects, changes] = [
        yield* Projects,
        yield* ProspectBatches,
        yield* Prospects,
        yield* ProspectChanges
      ]
      const project = (name: string) => Effect.map(as(projects.create(request({}, { name }))), ({ value }) => value.id)
      const [tal, berg] = [yield* project("Tal"), yield* project("Berg")]
      const anna = yield* add("Anna")
      const addTo = (id: string) =>
        Effect.map(as(batches.add(id, request({}, { contactId: anna.id }))), ({ value }) => value.id)
      const [onTal] = [yield* addTo(tal), yield* addTo(berg)]
      yield* as(changes.delete(tal, onTal, request({})))
      yield* advance("91 days")
      yield* purgeProspectTombstones.run({})
      const delta = (id: string, updated_since: string) =>
        as(prospects.list(id, request({ updated_since, include_deleted: true })))
      assert.lengthOf((yield* delta(berg, "1970-01-01")).data, 1)
      assert.strictEqual((yield* Effect.flip(delta(tal, "1970-01-01")))._tag, "ResyncRequired")
      const { page } = yield* as(prospects.list(tal, request({})))
      assert.deepStrictEqual((yield* delta(tal, page.nextSince ?? "")).data, [])
    })
  )

  it.effect("across projects counts the prospects and tasks that were purged with their project", () =>
    Effect.gen(function* () {
      const { add, as } = yield* aBroker
      const [projects, batches, prospects, tasks, lifecycle] = [
        yield* Projects,
        yield* ProspectBatches,
        yield* Prospects,
        yield* Tasks,
        yield* ProjectLifecycle
      ]
      const { id } = (yield* as(projects.create(request({}, { name: "Tal" })))).value
      const { id: contactId } = yield* add("Anna")
      const prospect = (yield* as(batches.add(id, request({}, { contactId })))).value
      yield* as(tasks.create(id, prospect.id, request({}, { type: "call", dueDate: "7d", assignee: "me" })))
      interface Query {
        readonly updated_since?: string
        readonly include_deleted?: boolean
      }
      const lists = [
        (query: Query) =>
          Effect.map(as(prospects.listAll(request(query))), ({ data, page }) => ({
            rows: data.map(changeTypeOf),
            page
          })),
        (query: Query) =>
          Effect.map(as(tasks.listAll(request(query))), ({ data, page }) => ({ rows: data.map(changeTypeOf), page }))
      ]
      const before = yield* Effect.forEach(lists, (list) => list({}))
      yield* as(lifecycle.delete(id, request({})))
      for (const [index, list] of lists.entries()) {
        const updated_since = before[index]?.page.nextSince ?? ""
        assert.deepStrictEqual((yield* list({ updated_since, include_deleted: true })).rows, ["deleted"])
      }
      yield* advance("31 days")
      yield* purgeProjects.run({})
      for (const [index, list] of lists.entries()) {
        const updated_since = before[index]?.page.nextSince ?? ""
        assert.strictEqual((yield* Effect.flip(list({ updated_since, include_deleted: true })))._tag, "ResyncRequired")
        const next = (yield* list({})).page.nextSince ?? ""
        assert.deepStrictEqual((yield* list({ updated_since: next, include_deleted: true })).rows, [])
      }
    })
  )
})
