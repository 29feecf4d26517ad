import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { faultsOf } from "../../support/faults.ts"
import { type Payload, typesAndIds } from "../../support/RecordsClient.ts"
import { TestService } from "../../support/TestService.ts"
import * as PropertiesClient from "./PropertiesClient.ts"

const client = PropertiesClient.make()

/** What the latest events say: their type and resource, what changed, and why. */
const latest = (events: ReadonlyArray<Payload>, count: number) =>
  events.slice(-count).map(({ caused_by, changed_fields, event, resource_id }) => ({
    event,
    of: resource_id,
    changed: (changed_fields as ReadonlyArray<string> | undefined)?.toSorted(),
    by: (caused_by as { readonly event: string } | undefined)?.event
  }))

interface Refusal {
  readonly code: string
  readonly projectIds: ReadonlyArray<string>
}

layer(TestService.layer, { excludeTestServices: true })("Properties of projects", (it) => {
  it.effect("are named from both sides, and listed page by page", () =>
    Effect.gen(function* () {
      const { events, get, made, projects } = yield* client
      const [first, second] = [yield* made(), yield* made()]
      const project = yield* projects.made({ propertyIds: [second.id, first.id, second.id] })
      assert.deepStrictEqual([project.propertyIds, project.propertyCount], [[second.id, first.id], 2])
      const linked = (yield* get(first.id)).body
      assert.deepStrictEqual([linked.projectIds, linked.etag], [[project.id], '"v2"'])
      const updated = { event: "property.updated", changed: ["project_ids"], by: "project.created" }
      assert.sameDeepMembers(latest(yield* events, 2), [
        { ...updated, of: first.id },
        { ...updated, of: second.id }
      ])
      const page = (yield* projects.properties(project.id, "?page_size=1")).body
      assert.deepStrictEqual(page.data, [linked])
      const next = yield* projects.properties(project.id, `?page_size=1&cursor=${page.page.nextCursor}`)
      assert.deepStrictEqual(
        next.body.data.map(({ id }) => id),
        [second.id]
      )
      const other = yield* projects.made({ propertyIds: [first.id] })
      assert.deepStrictEqual((yield* get(first.id)).body.projectIds, [project.id, other.id])
    })
  )

  it.effect("follow the list of the project, as does its count until somebody writes it", () =>
    Effect.gen(function* () {
      const { events, get, made, projects } = yield* client
      const [first, second] = [yield* made(), yield* made()]
      const { id } = yield* projects.made()
      const countAfter = (json: object) => Effect.map(projects.patch(id, json), ({ body }) => body.propertyCount)
      assert.isNull((yield* projects.get(id)).body.propertyCount)
      assert.strictEqual(yield* countAfter({ propertyIds: [first.id] }), 1)
      assert.deepStrictEqual(latest(yield* events, 2), [
        { event: "project.updated", of: id, changed: ["property_count", "property_ids"], by: undefined },
        { event: "property.updated", of: first.id, changed: ["project_ids"], by: "project.updated" }
      ])
      assert.strictEqual(yield* countAfter({ propertyCount: 1 }), 1)
      assert.strictEqual(yield* countAfter({ propertyIds: [second.id, first.id] }), 2)
      assert.strictEqual(yield* countAfter({ propertyIds: [second.id] }), 1)
      assert.deepStrictEqual((yield* get(first.id)).body.projectIds, [])
      assert.strictEqual(yield* countAfter({ propertyCount: 7 }), 7)
      assert.strictEqual(yield* countAfter({ propertyIds: [] }), 7)
      assert.isNull(yield* countAfter({ propertyCount: null }))
      assert.strictEqual(yield* countAfter({ propertyIds: [first.id] }), 1)
      assert.strictEqual(yield* countAfter({ propertyIds: [] }), 0)
    })
  )

  it.effect("must exist in the team, and are read-only on the property", () =>
    Effect.gen(function* () {
      const { delete: remove, made, patch, projects } = yield* client
      const other = yield* client
      const [deleted, foreign, own] = [yield* made(), yield* other.made(), yield* made()]
      yield* remove(deleted.id)
      const refused = yield* projects.create({ name: "Tal", propertyIds: [own.id, deleted.id, foreign.id, "x"] })
      assert.deepStrictEqual(faultsOf(refused), [
        "body /propertyIds/1 invalid_reference",
        "body /propertyIds/2 invalid_reference",
        "body /propertyIds/3 invalid_reference"
      ])
      const project = yield* projects.made()
      assert.deepStrictEqual(faultsOf(yield* patch(own.id, { projectIds: [project.id] })), [
        "body /projectIds read_only"
      ])
      const many = Array.from({ length: 1_001 }, (_, index) => `property_${index}`)
      assert.deepStrictEqual(faultsOf(yield* projects.patch(project.id, { propertyIds: many })), [
        "body /propertyIds too_many"
      ])
    })
  )

  it.effect("are not deleted from projects that are not closed, unless it is forced", () =>
    Effect.gen(function* () {
      const { delete: remove, events, get, made, projects } = yield* client
      const [property, kept] = [yield* made(), yield* made()]
      const [open, closed] = [
        yield* projects.made({ propertyIds: [kept.id, property.id] }),
        yield* projects.made({ propertyIds: [property.id] })
      ]
      yield* projects.close(closed.id)
      const refused = yield* remove(property.id)
      const problem = refused.body as unknown as Refusal
      assert.deepStrictEqual(
        [refused.status, problem.code, problem.projectIds],
        [409, "property_on_project", [open.id]],
        refused.text
      )
      assert.strictEqual((yield* get(property.id)).status, 200)
      const pinned = (yield* get(property.id)).body.etag
      assert.strictEqual((yield* remove(property.id, "?force=true", { "if-match": pinned })).status, 204)
      const unlinked = { event: "project.updated", changed: ["property_count", "property_ids"], by: "property.deleted" }
      assert.sameDeepMembers(latest(yield* events, 3), [
        { ...unlinked, of: open.id },
        { ...unlinked, of: closed.id },
        { event: "property.deleted", of: property.id, changed: undefined, by: undefined }
      ])
      assert.deepInclude((yield* projects.get(open.id)).body, { propertyIds: [kept.id], propertyCount: 1 })
      assert.deepInclude((yield* projects.get(closed.id)).body, { propertyIds: [], propertyCount: 0 })
      assert.deepStrictEqual((yield* get(kept.id)).body.projectIds, [open.id])
    })
  )

  it.effect("are deleted without force from closed projects", () =>
    Effect.gen(function* () {
      const { delete: remove, made, projects } = yield* client
      const property = yield* made()
      const { id } = yield* projects.made({ propertyIds: [property.id] })
      yield* projects.close(id)
      assert.strictEqual((yield* remove(property.id)).status, 204)
      assert.deepStrictEqual((yield* projects.get(id)).body.propertyIds, [])
    })
  )

  it.effect("keep a batch from deleting them, and nothing else", () =>
    Effect.gen(function* () {
      const { batchDelete, get, made, projects } = yield* client
      const [listed, free] = [yield* made(), yield* made()]
      const project = yield* projects.made({ propertyIds: [listed.id] })
      const { results } = (yield* batchDelete([listed.id, free.id])).body
      assert.deepStrictEqual(
        results.map(({ problem, status }) => [status, problem?.code, problem?.projectIds]),
        [
          ["failed", "property_on_project", [project.id]],
          ["deleted", undefined, undefined]
        ]
      )
      assert.strictEqual((yield* get(listed.id)).status, 200)
      const forced = (yield* batchDelete([listed.id], "?force=true")).body.results
      assert.strictEqual(forced[0]?.status, "deleted")
      assert.deepStrictEqual((yield* projects.get(project.id)).body.propertyIds, [])
    })
  )

  it.effect("leave a deleted project, and come back with it if they still exist", () =>
    Effect.gen(function* () {
      const { delete: remove, events, get, made, projects } = yield* client
      const [kept, deleted] = [yield* made(), yield* made()]
      const { id } = yield* projects.made({ propertyIds: [kept.id, deleted.id] })
      yield* projects.delete(id)
      assert.deepStrictEqual((yield* get(kept.id)).body.projectIds, [])
      assert.deepInclude(latest(yield* events, 2), {
        event: "property.updated",
        of: kept.id,
        changed: ["project_ids"],
        by: "project.deleted"
      })
      assert.strictEqual((yield* remove(deleted.id)).status, 204)
      const restored = yield* projects.restore(id)
      assert.deepInclude(restored.body, { propertyIds: [kept.id], propertyCount: 1 }, restored.text)
      assert.deepStrictEqual((yield* get(kept.id)).body.projectIds, [id])
      assert.deepStrictEqual(typesAndIds((yield* events).slice(-3)), [
        `project.restored ${id}`,
        `project.updated ${id}`,
        `property.updated ${kept.id}`
      ])
    })
  )

  it.effect("keep their version when another one leaves or joins", () =>
    Effect.gen(function* () {
      const { get, made, projects } = yield* client
      const [stays, joins] = [yield* made(), yield* made()]
      const { id } = yield* projects.made({ propertyIds: [stays.id] })
      const { etag } = (yield* get(stays.id)).body
      yield* projects.patch(id, { propertyIds: [joins.id, stays.id], name: "Berg" })
      assert.strictEqual((yield* get(stays.id)).body.etag, etag)
    })
  )
})
