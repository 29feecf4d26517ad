/** Prospects across projects: one of them by its id alone, and the list and delta of all. */
import * as fixture from "./fixture.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "../../../src/core/usecase/Page.ts"
import type { Prospect } from "../../../src/deals/prospects/Prospect.ts"
import { untilSettled } from "../../support/RecordsClient.ts"
import { TestService } from "../../support/TestService.ts"

/** Two projects with two prospects each. */
const twoProjects = Effect.gen(function* () {
  const made = yield* fixture.make()
  const { ask, prospects, prospectsOf, several } = made
  const other = (yield* ask<{ readonly id: string }>("POST", "/api/v1/projects", { name: "Tal" })).body.id
  const [anna = "", ben = ""] = yield* several(2, (index) => ({ projectTags: [`T${index}`] }))
  const onOther = prospectsOf(other)
  const people = yield* made.contacts.upsert([{ lastName: "Cleo" }, { lastName: "Dora" }])
  const added = yield* onOther.batch(people.body.results.map(({ id }) => ({ contactId: id, classification: "bidder" })))
  const [cleo = "", dora = ""] = added.body.results.flatMap(({ id }) => id ?? [])
  const all = (query = "") => ask<Page<Prospect>>("GET", `/api/v1/prospects${query}`)
  return {
    ...made,
    other,
    onOther,
    anna,
    ben,
    cleo,
    dora,
    all,
    ids: (query: string) => Effect.map(all(query), ({ body }) => body.data.map(({ id }) => id)),
    one: (id: string, headers = {}) => ask<Prospect>("GET", `/api/v1/prospects/${id}`, undefined, headers),
    /** The delta since a moment, with tombstones, once it shows everything. */
    delta: (since: string) =>
      Effect.andThen(
        untilSettled("prospects"),
        all(`?include_deleted=true&updated_since=${encodeURIComponent(since)}&page_size=500`)
      ),
    prospects
  }
})

layer(TestService.layer, { excludeTestServices: true })("Prospects across projects", (it) => {
  it.effect("are read by their id alone, as on their project", () =>
    Effect.gen(function* () {
      const { anna, ask, cleo, one, onOther, other, prospects } = yield* twoProjects
      const [alone, onProject] = [yield* one(anna), yield* prospects.get(anna)]
      assert.strictEqual(alone.status, 200, alone.text)
      assert.deepStrictEqual(alone.body, onProject.body)
      assert.strictEqual(alone.headers.get("etag"), alone.body.etag)
      assert.strictEqual((yield* one(anna, { "if-none-match": alone.body.etag })).status, 304)
      yield* prospects.removeFromList(anna)
      assert.isString((yield* one(anna)).body.removedUtc)
      yield* prospects.delete(anna)
      assert.strictEqual((yield* one(anna)).status, 404)
      assert.deepStrictEqual((yield* one(cleo)).body, (yield* onOther.get(cleo)).body)
      yield* ask("DELETE", `/api/v1/projects/${other}`)
      assert.strictEqual((yield* one(cleo)).status, 404)
    })
  )

  it.effect("are listed by creation in pages, with every filter of a project's list and by project", () =>
    Effect.gen(function* () {
      const { all, anna, ben, cleo, dora, ids, onOther, other, projectId, prospects } = yield* twoProjects
      const every = yield* all()
      assert.deepStrictEqual(every.body.data, [
        ...(yield* prospects.list()).body.data,
        ...(yield* onOther.list()).body.data
      ])
      const first = yield* all("?page_size=3")
      assert.match(first.headers.get("link") ?? "", /^<http[^>]*\/api\/v1\/prospects\?[^>]*cursor=[^>]*>; rel="next"$/)
      const rest = yield* ids(`?page_size=3&cursor=${first.body.page.nextCursor}`)
      assert.deepStrictEqual([...first.body.data.map(({ id }) => id), ...rest], [anna, ben, cleo, dora])
      yield* prospects.task(ben, { type: "call", dueDate: "today" })
      yield* onOther.patch(dora, {
        interest: "maybe",
        stage: "im",
        externalRefs: [{ namespace: "crm", externalId: "d" }]
      })
      for (const [query, expected] of [
        [`?project_id=${projectId}`, [anna, ben]],
        [`?project_id=${other}&interest=maybe`, [dora]],
        ["?project_id=project_01kb3n7x2ferwt5z8q4j6m9d0c", []],
        ["?project_id=anything", []],
        ["?classification=bidder", [cleo, dora]],
        ["?project_tags=t1", [ben]],
        ["?interest=none&stage=not_contacted", [anna, ben]],
        ["?task_due=today", [ben]],
        ["?external_ref=crm:d", [dora]]
      ] as const) {
        assert.deepStrictEqual(yield* ids(query), [...expected], query)
      }
      const cursor = first.body.page.nextCursor ?? ""
      assert.strictEqual((yield* prospects.list(`?page_size=3&cursor=${cursor}`)).status, 400)
    })
  )

  it.effect("have one delta, with the tombstones of what was removed or deleted, with its project or alone", () =>
    Effect.gen(function* () {
      const { anna, ask, ben, cleo, delta, dora, ids, other, prospects } = yield* twoProjects
      const before = (yield* delta(new Date(Date.now() - 86_400_000).toISOString())).body.data
      assert.lengthOf(before, 4)
      const since = before.at(-1)?.updatedUtc ?? ""
      yield* prospects.removeFromList(anna)
      yield* prospects.delete(ben)
      yield* ask("DELETE", `/api/v1/projects/${other}`)
      assert.deepStrictEqual(yield* ids(""), [])
      const gone = new Map((yield* delta(since)).body.data.map((one) => [one.id, one]))
      for (const id of [anna, ben, cleo, dora]) {
        const { changeType, contact, deletedUtc, projectId } = gone.get(id) ?? {}
        assert.deepStrictEqual([changeType, contact, projectId], ["deleted", null, null], id)
        assert.isString(deletedUtc)
      }
      yield* ask("POST", `/api/v1/projects/${other}/restore`)
      yield* prospects.restore(anna)
      const back = (yield* delta(since)).body.data
      assert.sameMembers(
        back.map(({ changeType, id }) => `${id} ${changeType}`),
        [`${anna} restored`, `${ben} deleted`, `${cleo} restored`, `${dora} restored`]
      )
    })
  )
})
