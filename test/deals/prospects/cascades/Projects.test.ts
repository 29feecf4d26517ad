import * as Id from "../../../../src/core/Id.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../../../src/platform/db/Database.ts"
import { makePurge } from "../../../../src/core/records/ChangeRecords.ts"
import { ProspectSetsRepo } from "../../../../src/deals/prospects/ProspectSetsRepo.ts"
import { ProspectsRepo } from "../../../../src/deals/prospects/ProspectsRepo.ts"
import { TestService } from "../../../support/TestService.ts"
import { deletion, emitted, fixture, removal } from "./fixture.ts"

const ref = (externalId: string) => ({ namespace: "crm", externalId })

layer(TestService.layer, { excludeTestServices: true })("A project that is deleted and restored", (it) => {
  it.effect("deletes its prospects, with events that have their references, and restores exactly these", () =>
    Effect.gen(function* () {
      const { act, contact, contacts, deleteProject, eventsOf, on, project } = yield* fixture()
      const id = yield* project()
      const [anna, ben, eva] = [
        yield* contact({ firstName: "Anna" }),
        yield* contact({ firstName: "Ben" }),
        yield* contact({ firstName: "Eva" })
      ]
      const first = yield* on(id, { contactId: anna.id, projectTags: ["core"], externalRefs: [ref("1"), ref("0")] })
      const off = yield* on(id, { contactId: ben.id, externalRefs: [ref("2")] })
      const gone = yield* on(id, { contactId: eva.id })
      yield* first.note(first.id, { message: "Called" })
      yield* first.task(first.id, { type: "call", dueDate: "3d" })
      yield* off.removeFromList(off.id)
      yield* gone.delete(gone.id)
      const before = [yield* first.now, yield* off.now] as const
      const deleted = yield* eventsOf(deleteProject(id))
      assert.strictEqual(deleted.reply.status, 204)
      assert.deepStrictEqual(
        emitted(deleted.events),
        [
          deletion(first.id, {
            refs: [
              { namespace: "crm", id: "1" },
              { namespace: "crm", id: "0" }
            ]
          }),
          deletion(off.id, { refs: [{ namespace: "crm", id: "2" }] })
        ].sort((a, b) => (a.resource_id < b.resource_id ? -1 : 1))
      )
      assert.lengthOf(deleted.events, 3)
      assert.strictEqual((yield* first.get(first.id)).status, 404)
      // A restore copies the names that contacts got in the meantime.
      yield* contacts.patch(anna.id, { lastName: "Berg", tags: ["key"] })
      const restored = yield* eventsOf(act(id, "restore"))
      assert.deepStrictEqual(
        restored.events.map(({ event }) => event),
        ["project.restored"]
      )
      const [one, other] = [yield* first.now, yield* off.now]
      const again = { changeType: "restored", updatedUtc: one.updatedUtc }
      assert.deepStrictEqual(one, {
        ...before[0],
        ...again,
        contact: { id: anna.id, name: "Anna Berg", email: null },
        tags: ["key"],
        etag: one.etag
      })
      assert.deepStrictEqual(other, { ...before[1], ...again, etag: other.etag })
      assert.notStrictEqual(other.etag, before[1].etag)
      assert.deepStrictEqual((yield* first.list()).body.data, [one])
      assert.deepStrictEqual((yield* first.list("?external_ref=crm:0")).body.data, [one])
      assert.strictEqual((yield* gone.get(gone.id)).status, 404)
      // And once more: nothing is left over from the first time.
      yield* off.delete(off.id)
      assert.lengthOf(emitted((yield* eventsOf(deleteProject(id))).events), 1)
      yield* act(id, "restore")
      assert.strictEqual((yield* off.get(off.id)).status, 404)
    })
  )

  it.effect("is not restored while another prospect has one of the references", () =>
    Effect.gen(function* () {
      const { act, contact, deleteProject, eventsOf, on, project } = yield* fixture()
      const [id, elsewhere] = [yield* project(), yield* project()]
      const anna = yield* contact()
      const mine = yield* on(id, { contactId: anna.id, externalRefs: [ref("0"), ref("1")] })
      yield* deleteProject(id)
      const taker = yield* on(elsewhere, { contactId: anna.id, externalRefs: [ref("1")] })
      const { events, reply } = yield* eventsOf(act(id, "restore"))
      assert.deepInclude(reply.body, { status: 409, code: "external_reference_taken", ...ref("1"), holderId: taker.id })
      assert.deepStrictEqual(events, [])
      assert.strictEqual((yield* mine.list()).status, 404)
      yield* taker.patch(taker.id, { externalRefs: [] })
      assert.strictEqual((yield* act(id, "restore")).status, 200)
      assert.deepStrictEqual((yield* mine.now).externalRefs, [ref("0"), ref("1")])
    })
  )

  it.effect("is restored without prospects whose contact was deleted in the meantime, unless it is closed", () =>
    Effect.gen(function* () {
      const { act, contact, contacts, deleteProject, eventsOf, on, project } = yield* fixture()
      const [open, closed] = [yield* project(), yield* project()]
      const anna = yield* contact()
      const [here, there] = [yield* on(open, { contactId: anna.id }), yield* on(closed, { contactId: anna.id })]
      yield* act(closed, "close")
      yield* deleteProject(open)
      yield* deleteProject(closed)
      assert.deepStrictEqual(emitted((yield* eventsOf(contacts.delete(anna.id))).events), [])
      const restored = yield* eventsOf(act(open, "restore"))
      assert.deepStrictEqual(
        restored.events.map(({ event }) => event),
        ["project.restored", "prospect.updated"]
      )
      assert.deepStrictEqual(emitted(restored.events), [removal(here.id)])
      assert.deepStrictEqual((yield* here.list()).body.data, [])
      assert.strictEqual((yield* here.now).contact?.name, "Maria Rossi")
      assert.deepStrictEqual(emitted((yield* eventsOf(act(closed, "restore"))).events), [])
      assert.lengthOf((yield* there.list()).body.data, 1)
      assert.deepStrictEqual(emitted((yield* eventsOf(act(closed, "reopen"))).events), [removal(there.id)])
    })
  )
})

layer(TestService.layer, { excludeTestServices: true })("The purge of projects", (it) => {
  it.effect("removes their prospects in steps, with tasks and timelines, and no others", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { lockForPurge } = yield* ProspectSetsRepo
      const { purge } = yield* ProspectsRepo
      const purgeStep = yield* makePurge
      const { contact, deleteProject, on, project, teamId } = yield* fixture()
      const [id, living] = [yield* project(), yield* project()]
      const anna = yield* contact()
      const ben = yield* contact({ firstName: "Ben" })
      const kept = yield* on(living, { contactId: anna.id })
      for (const contactId of [anna.id, ben.id]) {
        const place = yield* on(id, { contactId, externalRefs: [ref(contactId)] })
        yield* place.note(place.id, { message: "Called" })
        yield* place.task(place.id, { type: "call", dueDate: "3d" })
      }
      yield* kept.note(kept.id, { message: "Kept" })
      const before = yield* kept.now
      const rows = (yield* kept.actions(kept.id)).body.data
      yield* deleteProject(id)
      const uuid = Id.toUuid("project", id) ?? ""
      const counts = Effect.map(
        sql<{ prospects: number; tasks: number; refs: number; rows: number; lost: number }>`
          select
            (select count(*)::int from prospects where team_id = ${teamId}) as prospects,
            (select count(*)::int from tasks where team_id = ${teamId}) as tasks,
            (select count(*)::int from external_references where team_id = ${teamId}) as refs,
            (select count(*)::int from action_subjects where team_id = ${teamId} and subject_type = 'prospect') as rows,
            (select count(*)::int from actions where team_id = ${teamId}
              and not exists (select from action_subjects where action_id = actions.id)) as lost`,
        ([row]) => row
      )
      assert.deepStrictEqual(yield* counts, { prospects: 3, tasks: 2, refs: 0, rows: 8 + rows.length - 1, lost: 0 })
      const steps: Array<number> = []
      const purged = { teamId, uuids: [uuid] }
      const next = purgeStep({ lock: (limit) => lockForPurge(purged, limit), remove: purge }, 3)
      for (let step = yield* next; step > 0; step = yield* next) steps.push(step)
      assert.deepStrictEqual(steps, [3, 3, 2, 2])
      assert.deepStrictEqual(yield* counts, { prospects: 1, tasks: 0, refs: 0, rows: rows.length - 1, lost: 0 })
      assert.deepStrictEqual(yield* kept.now, before)
      assert.deepStrictEqual((yield* kept.actions(kept.id)).body.data, rows)
    })
  )
})
