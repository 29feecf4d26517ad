/** The number of statements of a cascade does not depend on the number of prospects. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Statements from "../../../support/Statements.ts"
import type { Reply } from "../../../support/TestService.ts"
import { fixture } from "./fixture.ts"

const statementsOf = <E, R>(request: Effect.Effect<Reply<unknown>, E, R>) =>
  Effect.map(Statements.statementsOf(request), ({ reply, statements }) => {
    assert.isBelow(reply.status, 300, reply.text)
    return statements.map(({ text }) => text)
  })

const times = (count: number) => Array.from({ length: count }, (_, index) => index)

const ref = (externalId: string) => ({ namespace: "crm", externalId })

layer(Statements.serviceOnSharedServer, { excludeTestServices: true })("A cascade", (it) => {
  /** The statements of renaming a contact on that many projects, listing its projects, and deleting it. */
  const ofContact = Effect.fnUntraced(function* (count: number) {
    const { ask, contact, contacts, events, on, project } = yield* fixture()
    const { id } = yield* contact()
    yield* Effect.forEach(
      times(count),
      () => Effect.flatMap(project(), (projectId) => on(projectId, { contactId: id })),
      { concurrency: 4 }
    )
    const renamed = yield* statementsOf(contacts.patch(id, { lastName: "Berg" }))
    const listed = yield* statementsOf(ask("GET", `/api/v1/network/contacts/${id}/projects?status=open&page_size=20`))
    const before = (yield* events).length
    const deleted = yield* statementsOf(contacts.delete(id))
    assert.lengthOf((yield* events).slice(before), count + 1)
    return { renamed, listed, deleted }
  })

  /** The statements of deleting and restoring a project with that many prospects. */
  const ofProject = Effect.fnUntraced(function* (count: number) {
    const { act, contact, deleteProject, project, prospectsOf } = yield* fixture()
    const id = yield* project()
    const items = yield* Effect.forEach(
      times(count),
      (index) =>
        Effect.map(contact({ firstName: `Anna ${index}` }), (one) => ({
          contactId: one.id,
          externalRefs: [ref(`${index}`)]
        })),
      { concurrency: 4 }
    )
    const added = yield* prospectsOf(id).batch(items)
    assert.lengthOf(
      added.body.results.filter(({ status }) => status === "created"),
      count,
      added.text
    )
    const deleted = yield* statementsOf(deleteProject(id))
    const restored = yield* statementsOf(act(id, "restore"))
    assert.lengthOf((yield* prospectsOf(id).list()).body.data, count)
    return { deleted, restored }
  })

  /** The statements of merging contacts that are both on that many projects. */
  const ofMerge = Effect.fnUntraced(function* (count: number) {
    const { contact, merge, on, project } = yield* fixture()
    const [one, other] = [yield* contact(), yield* contact({ firstName: "M." })]
    yield* Effect.forEach(
      times(count),
      (index) =>
        Effect.gen(function* () {
          const id = yield* project()
          const own = yield* on(id, { contactId: one.id, externalRefs: [ref(`a${index}`)] })
          const theirs = yield* on(id, { contactId: other.id, externalRefs: [ref(`b${index}`)] })
          yield* own.task(own.id, { type: "call", dueDate: "3d" })
          yield* theirs.task(theirs.id, { type: "call", dueDate: "3d" })
          yield* on(yield* project(), { contactId: other.id })
        }),
      { concurrency: 4 }
    )
    return yield* statementsOf(merge("contacts", one.id, [other.id]))
  })

  it.effect("of a contact takes as many statements on three projects as on thirty", () =>
    Effect.gen(function* () {
      const few = yield* ofContact(3)
      assert.deepStrictEqual(yield* ofContact(30), few)
      assert.isBelow(few.deleted.length, 25)
      assert.isBelow(few.listed.length, 5)
    })
  )

  it.effect("of a project takes as many statements for three prospects as for thirty", () =>
    Effect.gen(function* () {
      const few = yield* ofProject(3)
      assert.deepStrictEqual(yield* ofProject(30), few)
      assert.isBelow(few.deleted.length + few.restored.length, 50)
    })
  )

  it.effect("of a merge takes as many statements on two projects as on twenty, half of them with both investors", () =>
    Effect.gen(function* () {
      const few = yield* ofMerge(1)
      assert.deepStrictEqual(yield* ofMerge(10), few)
      assert.isBelow(few.length, 60)
    })
  )
})
