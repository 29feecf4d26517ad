import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type ProjectMove, type ProjectState, transitions } from "../../../src/deals/projects/rules.ts"
import { faultsOf } from "../../support/faults.ts"
import { type Reply, TestService } from "../../support/TestService.ts"
import { make } from "./ProjectsClient.ts"

const statusAndCode = (reply: Reply<unknown>) => [reply.status, (reply.body as { readonly code?: string }).code]

const statusOf: { readonly [state in ProjectState]: string | null } = {
  draft: "draft",
  shared: "open",
  closed: "closed",
  closed_shared: "closed",
  deleted: null
}

const outcomes: { readonly [next: string]: string } = {
  refused: "is refused",
  missing: "answers 404",
  as_before: "leads back to the earlier state"
}

layer(TestService.layer, { excludeTestServices: true })("The lifecycle of projects", (it) => {
  for (const state of Object.keys(transitions) as ReadonlyArray<ProjectState>) {
    for (const move of Object.keys(transitions[state]) as ReadonlyArray<ProjectMove>) {
      const next = transitions[state][move]
      it.effect(`a project that is ${state}: ${move} ${outcomes[next] ?? `leads to ${next}`}`, () =>
        Effect.gen(function* () {
          const client = yield* make()
          const { id } = yield* client.made()
          if (state.endsWith("shared")) yield* client.markCommunicated(id)
          if (state.startsWith("closed")) yield* client.close(id)
          if (state === "deleted") yield* client.delete(id)
          const before = yield* client.get(id)
          const eventsBefore = (yield* client.events).length
          const reply = yield* (move === "delete" ? client.delete : client[move])(id)
          const after = yield* client.get(id)
          const isMoved = next !== state && next !== "refused" && next !== "missing"
          assert.strictEqual((yield* client.events).length - eventsBefore, isMoved ? 1 : 0)
          if (next === "missing") return assert.deepStrictEqual(statusAndCode(reply), [404, "not_found"])
          if (next === "refused") {
            const code = move === "delete" ? "project_shared" : "project_not_deleted"
            assert.deepStrictEqual(statusAndCode(reply), [409, code])
            return assert.deepStrictEqual(after.body, before.body)
          }
          assert.strictEqual(reply.status, move === "delete" ? 204 : 200, reply.text)
          if (next === "deleted") return assert.strictEqual(after.status, 404)
          assert.deepStrictEqual(reply.body as object, after.body)
          assert.strictEqual(reply.headers.get("etag"), after.body.etag)
          assert.strictEqual(after.body.status, next === "as_before" ? "draft" : statusOf[next])
          assert.strictEqual(after.body.closedUtc === null, after.body.status !== "closed")
          if (!isMoved) assert.deepStrictEqual(after.body, before.body)
        })
      )
    }
  }

  it.effect("a published project is open, and can be deleted and restored", () =>
    Effect.gen(function* () {
      const { get, made, markPublished: published, delete: remove, restore } = yield* make()
      const { id } = yield* made()
      yield* published(id)
      const { publishedUtc, status } = (yield* get(id)).body
      assert.strictEqual(status, "open")
      assert.strictEqual((yield* remove(id)).status, 204)
      assert.deepInclude((yield* restore(id)).body, { status: "open", publishedUtc })
    })
  )

  it.effect("a closed project is restored as closed", () =>
    Effect.gen(function* () {
      const { close, made, delete: remove, restore } = yield* make()
      const { id } = yield* made()
      const { closedUtc } = (yield* close(id)).body
      yield* remove(id)
      assert.deepInclude((yield* restore(id)).body, { status: "closed", closedUtc, changeType: "restored" })
    })
  )

  it.effect("a closed project can be changed", () =>
    Effect.gen(function* () {
      const { close, made, patch } = yield* make()
      const { id } = yield* made()
      yield* close(id)
      assert.deepInclude((yield* patch(id, { name: "Berg" })).body, { name: "Berg", status: "closed" })
    })
  )

  it.effect("a move with If-Match applies to that version only", () =>
    Effect.gen(function* () {
      const { close, made, delete: remove, reopen, restore, delta } = yield* make()
      const { etag, id } = yield* made()
      const closed = yield* close(id, { "if-match": etag })
      assert.strictEqual(closed.status, 200)
      const stale = yield* close(id, { "if-match": etag })
      assert.deepStrictEqual(statusAndCode(stale), [412, "precondition_failed"])
      assert.strictEqual(stale.body["currentEtag" as keyof typeof stale.body], closed.body.etag)
      const opened = yield* reopen(id, { "if-match": `"v0", ${closed.body.etag}` })
      assert.strictEqual(opened.status, 200)
      assert.deepStrictEqual(statusAndCode(yield* remove(id, { "if-match": etag })), [412, "precondition_failed"])
      assert.strictEqual((yield* remove(id, { "if-match": opened.body.etag })).status, 204)
      const [tombstone] = (yield* delta()).body.data
      assert.deepStrictEqual(statusAndCode(yield* restore(id, { "if-match": opened.body.etag })), [
        412,
        "precondition_failed"
      ])
      assert.strictEqual((yield* restore(id, { "if-match": tombstone?.etag ?? "" })).status, 200)
    })
  )

  it.effect("a restored project has its former values and references, and a new version", () =>
    Effect.gen(function* () {
      const { get, made, delete: remove, restore } = yield* make()
      const before = yield* made({
        description: "Four warehouses",
        isPortfolio: true,
        propertyCount: 4,
        exclusivity: "other",
        ownerId: "me",
        externalRefs: [
          { namespace: "b", externalId: "2" },
          { namespace: "a", externalId: "1" }
        ]
      })
      yield* remove(before.id)
      const reply = yield* restore(before.id)
      assert.deepStrictEqual(reply.body, {
        ...before,
        etag: '"v3"',
        changeType: "restored",
        updatedUtc: reply.body.updatedUtc
      })
      assert.deepStrictEqual((yield* get(before.id)).body, reply.body)
      yield* remove(before.id)
      assert.strictEqual((yield* restore(before.id)).body.etag, '"v5"')
    })
  )

  it.effect("a project is not restored when another project has taken one of its references", () =>
    Effect.gen(function* () {
      const { delta, events, get, made, patch, delete: remove, restore } = yield* make()
      const externalRefs = [
        { namespace: "crm", externalId: "1" },
        { namespace: "crm", externalId: "2" }
      ]
      const { id } = yield* made({ externalRefs })
      yield* remove(id)
      const other = yield* made({ externalRefs: externalRefs.slice(1) })
      const count = (yield* events).length
      const reply = yield* restore(id)
      assert.deepStrictEqual(statusAndCode(reply), [409, "external_reference_taken"])
      assert.deepInclude(reply.body as object, { holderId: other.id, namespace: "crm", externalId: "2" })
      assert.strictEqual((yield* get(id)).status, 404)
      assert.lengthOf(yield* events, count)
      const tombstone = (yield* delta()).body.data.find((project) => project.id === id)
      assert.deepStrictEqual([tombstone?.changeType, tombstone?.etag], ["deleted", '"v2"'])
      yield* patch(other.id, { externalRefs: [] })
      assert.deepStrictEqual((yield* restore(id)).body.externalRefs, externalRefs)
    })
  )

  it.effect("moves take no query parameters", () =>
    Effect.gen(function* () {
      const { close, made, restore } = yield* make()
      const { id } = yield* made()
      assert.deepStrictEqual(faultsOf(yield* close(id, {}, "?force=true")), ["query /force unknown_parameter"])
      assert.deepStrictEqual(faultsOf(yield* restore(id, {}, "?force=true")), ["query /force unknown_parameter"])
    })
  )

  it.effect("of three concurrent deletes two answer 404; three concurrent closes all answer the closed project", () =>
    Effect.gen(function* () {
      const { close, events, made, delete: remove } = yield* make()
      const [a, b] = [yield* made(), yield* made()]
      const count = (yield* events).length
      const removed = yield* Effect.all([remove(a.id), remove(a.id), remove(a.id)], { concurrency: "unbounded" })
      assert.sameMembers(
        removed.map(({ status }) => status),
        [204, 404, 404]
      )
      const closed = yield* Effect.all([close(b.id), close(b.id), close(b.id)], { concurrency: "unbounded" })
      assert.deepStrictEqual(
        closed.map(({ body, status }) => `${status} ${body.etag}`),
        Array(3).fill('200 "v2"')
      )
      assert.lengthOf(yield* events, count + 2)
    })
  )
})
