import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { faultsOf } from "../../../support/faults.ts"
import { TestService } from "../../../support/TestService.ts"
import { deletion, emitted, fixture } from "./fixture.ts"

const refs = (count: number, namespace: string) =>
  Array.from({ length: count }, (_, index) => ({ namespace, externalId: `${index}` }))

layer(TestService.layer, { excludeTestServices: true })("A merge of investors", (it) => {
  it.effect("moves the prospects of contacts on projects in any state, without an event", () =>
    Effect.gen(function* () {
      const { act, contact, deleteProject, eventsOf, merge, on, project } = yield* fixture()
      const maria = yield* contact({ firstName: "Maria", email: "maria@example.com", tags: ["core"] })
      const double = yield* contact({ firstName: "M.", tags: ["logistics", "core"] })
      const ids = [yield* project(), yield* project(), yield* project(), yield* project()] as const
      const ref = { namespace: "crm", externalId: "7" }
      const places = [
        yield* on(ids[0], { contactId: double.id, classification: "bidder", externalRefs: [ref] }),
        yield* on(ids[1], { contactId: double.id }),
        yield* on(ids[2], { contactId: double.id, externalRefs: [{ namespace: "crm", externalId: "8" }] }),
        yield* on(ids[3], { contactId: maria.id })
      ] as const
      yield* act(ids[1], "close")
      yield* deleteProject(ids[2])
      const before = [yield* places[0].now, yield* places[1].now]
      const own = yield* places[3].now
      const { events, reply } = yield* eventsOf(merge("contacts", maria.id, [double.id]))
      assert.strictEqual(reply.status, 200, reply.text)
      assert.deepStrictEqual(emitted(events), [])
      const answered = { id: maria.id, name: "Maria", email: "maria@example.com" }
      for (const [index, old] of before.entries()) {
        const now = yield* places[index === 0 ? 0 : 1].now
        assert.notStrictEqual(now.etag, old.etag)
        assert.deepStrictEqual(now, {
          ...old,
          contact: answered,
          tags: ["core", "logistics"],
          etag: now.etag,
          updatedUtc: now.updatedUtc,
          changeType: "updated"
        })
      }
      // The survivor's own prospects have its new tags, too, and are new to deltas.
      const ownNow = yield* places[3].now
      assert.notStrictEqual(ownNow.etag, own.etag)
      assert.deepStrictEqual(ownNow, {
        ...own,
        tags: ["core", "logistics"],
        etag: ownNow.etag,
        updatedUtc: ownNow.updatedUtc,
        changeType: "updated"
      })
      assert.strictEqual((yield* act(ids[2], "restore")).status, 200)
      const back = yield* places[2].now
      assert.deepInclude(back, { contact: answered, tags: ["core", "logistics"], changeType: "restored" })
      assert.deepStrictEqual(back.externalRefs, [{ namespace: "crm", externalId: "8" }])
      assert.strictEqual((yield* places[0].add({ contactId: maria.id })).status, 409)
    })
  )

  it.effect("keeps one of several prospects on a project, with what the others had", () =>
    Effect.gen(function* () {
      const { company, eventsOf, merge, on, project } = yield* fixture()
      const [a, b, c] = [
        yield* company({ name: "Tal" }),
        yield* company({ name: "Dal" }),
        yield* company({ name: "Val" })
      ]
      const id = yield* project()
      const own = yield* on(id, {
        companyId: a.id,
        classification: "contacted",
        projectTags: ["first"],
        externalRefs: refs(1, "a")
      })
      const second = yield* on(id, {
        companyId: b.id,
        classification: "bidder",
        projectTags: ["second", "first"],
        externalRefs: refs(2, "b")
      })
      const third = yield* on(id, { companyId: c.id })
      yield* second.note(second.id, { message: "Of the second" })
      yield* third.note(third.id, { message: "Of the third" })
      const late = (yield* own.task(own.id, { type: "call", dueDate: "9d" })).body
      const soon = (yield* second.task(second.id, { type: "meeting", dueDate: "3d" })).body
      const done = (yield* third.task(third.id, { type: "email", dueDate: "1d" })).body
      yield* third.move(third.id, done.id, "complete")
      yield* third.patch(third.id, { stage: "im", interest: "maybe" })
      const before = yield* own.now
      const { events, reply } = yield* eventsOf(merge("companies", a.id, [b.id, c.id]))
      assert.strictEqual(reply.status, 200, reply.text)
      assert.deepStrictEqual(
        emitted(events),
        [
          {
            event: "prospect.updated",
            resource_type: "prospect",
            resource_id: own.id,
            changed_fields: ["project_tags"]
          },
          deletion(second.id, {
            refs: [
              { namespace: "b", id: "0" },
              { namespace: "b", id: "1" }
            ],
            into: own.id
          }),
          deletion(third.id, { into: own.id })
        ].sort((one, other) => (one.resource_id < other.resource_id ? -1 : 1))
      )
      const now = yield* own.now
      assert.deepStrictEqual(now, {
        ...before,
        projectTags: ["first", "second"],
        externalRefs: [...refs(1, "a"), ...refs(2, "b")],
        noteCount: 2,
        openTaskCount: 2,
        nextTask: (yield* own.list()).body.data[0]?.nextTask as NonNullable<typeof now.nextTask>,
        etag: now.etag,
        updatedUtc: now.updatedUtc,
        changeType: "updated"
      })
      assert.strictEqual(now.nextTask?.id, soon.id)
      assert.notStrictEqual(now.etag, before.etag)
      assert.deepStrictEqual((yield* own.list()).body.data, [now])
      assert.strictEqual((yield* second.get(second.id)).status, 404)
      const rows = (yield* own.actions(own.id, "?include_rollups=false&page_size=100")).body.data
      assert.lengthOf(
        rows.filter((row) => row["type"] === "note"),
        2
      )
      assert.sameMembers(
        rows.filter((row) => row["event"] === "prospect.updated").map((row) => JSON.stringify(row["details"])),
        [second.id, third.id].map((one) =>
          JSON.stringify({ kind: "audit", message: `Became part of this prospect: ${one}.` })
        )
      )
      // Its tasks are its own: the nearest that is open is the next.
      assert.strictEqual((yield* own.move(own.id, soon.id, "complete")).status, 204)
      assert.deepInclude(yield* own.now, { openTaskCount: 1 })
      assert.strictEqual((yield* own.now).nextTask?.id, late.id)
      assert.strictEqual((yield* own.move(own.id, done.id, "reopen")).status, 204)
      assert.strictEqual((yield* own.now).nextTask?.id, done.id)
      assert.lengthOf((yield* own.list("?external_ref=b:1")).body.data, 1)
    })
  )

  it.effect("prefers a prospect on the list to a removed one, also on deleted projects", () =>
    Effect.gen(function* () {
      const { act, contact, deleteProject, eventsOf, merge, on, project } = yield* fixture()
      const [maria, double] = [yield* contact(), yield* contact({ firstName: "M." })]
      const [open, deleted] = [yield* project(), yield* project()]
      const own = yield* on(open, { contactId: maria.id })
      const theirs = yield* on(open, { contactId: double.id })
      const first = yield* on(deleted, { contactId: double.id, externalRefs: refs(1, "x") })
      const kept = yield* on(deleted, { contactId: maria.id, externalRefs: refs(1, "y") })
      yield* own.removeFromList(own.id)
      yield* deleteProject(deleted)
      const { events } = yield* eventsOf(merge("contacts", maria.id, [double.id]))
      assert.deepStrictEqual(emitted(events), [deletion(own.id, { into: theirs.id })])
      assert.deepInclude(yield* theirs.now, {
        removedUtc: null,
        contact: { id: maria.id, name: "Maria Rossi", email: null }
      })
      assert.strictEqual((yield* act(deleted, "restore")).status, 200)
      assert.deepStrictEqual((yield* kept.now).externalRefs, [...refs(1, "y"), ...refs(1, "x")])
      assert.strictEqual((yield* first.get(first.id)).status, 404)
    })
  )

  it.effect("is rejected if a prospect would have more than twenty external references, and changes nothing", () =>
    Effect.gen(function* () {
      const { contact, eventsOf, merge, on, project } = yield* fixture()
      const [maria, double] = [yield* contact(), yield* contact({ firstName: "M." })]
      const id = yield* project()
      const own = yield* on(id, { contactId: maria.id, externalRefs: refs(11, "a") })
      const theirs = yield* on(id, { contactId: double.id, externalRefs: refs(10, "b") })
      const before = [yield* own.now, yield* theirs.now]
      const { events, reply } = yield* eventsOf(merge("contacts", maria.id, [double.id]))
      assert.deepStrictEqual([reply.status, faultsOf(reply)], [400, ["body /from too_many"]])
      assert.deepStrictEqual(events, [])
      assert.deepStrictEqual([yield* own.now, yield* theirs.now], before)
    })
  )
})
