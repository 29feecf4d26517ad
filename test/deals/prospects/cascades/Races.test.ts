/** Changes of investors that meet changes of their projects, on a server where they run at the same time. */
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { Database } from "../../../../src/platform/db/Database.ts"
import * as Agent from "../../../support/Agent.ts"
import { untilBlocked } from "../../../support/locks.ts"
import { type Reply, TestService } from "../../../support/TestService.ts"
import { uuidOf } from "../../projects/ProjectsClient.ts"
import { fixture } from "./fixture.ts"

/** Two changes that wait, in this order, for the lock of a project that another transaction holds. */
const inTurn = Effect.fnUntraced(function* (projectId: string, requests: ReadonlyArray<Effect.Effect<Reply<unknown>>>) {
  const sql = yield* Database
  const fibers = yield* sql
    .withTransaction(
      Effect.gen(function* () {
        yield* sql`select id from projects where id = ${uuidOf(projectId)} for update`
        return yield* Effect.forEach(requests, (request, index) =>
          Effect.tap(Effect.forkDetach(request), untilBlocked(index + 1))
        )
      })
    )
    .pipe(Effect.orDie)
  const replies = yield* Effect.forEach(fibers, Fiber.join)
  for (const reply of replies) assert.isBelow(reply.status, 300, reply.text)
})

layer(TestService.layer, { excludeTestServices: true })("An investor's change that meets one of its project", (it) => {
  /** A project with a contact on its list, and what can happen to the two. */
  const make = Effect.gen(function* () {
    const { act, contact, contacts, deleteProject, merge, on, project, token } = yield* fixture()
    const [id, maria, double] = [yield* project(), yield* contact(), yield* contact({ firstName: "Ben" })]
    const place = yield* on(id, { contactId: maria.id })
    return {
      id,
      place,
      act,
      agent: yield* Agent.make(token),
      deleteProject,
      maria,
      double,
      names: Effect.map(place.list(), ({ body }) => body.data.map(({ contact }) => contact?.name)),
      remove: contacts.delete(maria.id),
      rename: contacts.patch(maria.id, { lastName: "Bianchi" }),
      merge: merge("contacts", double.id, [maria.id])
    }
  })

  it.effect("into another one during a restore restores the prospect of the other one", () =>
    Effect.gen(function* () {
      const { double, id, merge, place } = yield* make
      yield* place.removeFromList(place.id)
      yield* inTurn(id, [merge, place.restore(place.id)])
      const now = yield* place.now
      assert.deepStrictEqual([now.contact?.id, now.removedUtc], [double.id, null])
    })
  )

  for (const preview of [false, true]) {
    it.effect(
      `names the projects that lose the investor, as they are then (${preview ? "a preview" : "a deletion"})`,
      () =>
        Effect.gen(function* () {
          const moves: ReadonlyArray<readonly ["close" | "reopen", "close" | "reopen", ReadonlyArray<string>]> = [
            ["close", "reopen", ["Tal"]],
            ["reopen", "close", []]
          ]
          for (const [before, meanwhile, names] of moves) {
            const { act, agent, id, maria } = yield* make
            yield* act(id, "close")
            if (before === "reopen") yield* act(id, "reopen")
            let answer: Agent.Answer | undefined
            const deletion = Effect.tap(
              agent.send("tools/call", { name: "delete_contact", arguments: { contact: maria.id, preview } }),
              ({ body }) => Effect.sync(() => (answer = body.result?.structuredContent))
            )
            yield* inTurn(id, [act(id, meanwhile), deletion])
            const affected = answer?.["affected_projects"] as ReadonlyArray<{ readonly name: string }>
            assert.sameMembers(
              affected.map(({ name }) => name),
              [...names],
              meanwhile
            )
          }
        })
    )
  }

  for (const first of ["project", "investor"] as const) {
    const ordered = <A>(ofProject: A, ofInvestor: A) =>
      first === "project" ? [ofProject, ofInvestor] : [ofInvestor, ofProject]

    it.effect(`leaves no deleted investor on the list of a reopened or restored project (${first} first)`, () =>
      Effect.gen(function* () {
        const reopened = yield* make
        yield* reopened.act(reopened.id, "close")
        yield* inTurn(reopened.id, ordered(reopened.act(reopened.id, "reopen"), reopened.remove))
        assert.deepStrictEqual(yield* reopened.names, [])
        const restored = yield* make
        yield* restored.deleteProject(restored.id)
        yield* inTurn(restored.id, ordered(restored.act(restored.id, "restore"), restored.remove))
        assert.deepStrictEqual(yield* restored.names, [])
        const deleted = yield* make
        yield* inTurn(deleted.id, ordered(deleted.deleteProject(deleted.id), deleted.remove))
        yield* deleted.act(deleted.id, "restore")
        assert.deepStrictEqual(yield* deleted.names, [])
      })
    )

    it.effect(`is not lost on restored prospects (${first} first)`, () =>
      Effect.gen(function* () {
        const renamed = yield* make
        yield* renamed.deleteProject(renamed.id)
        yield* inTurn(renamed.id, ordered(renamed.act(renamed.id, "restore"), renamed.rename))
        assert.deepStrictEqual(yield* renamed.names, ["Maria Bianchi"])
        const merged = yield* make
        yield* merged.deleteProject(merged.id)
        yield* inTurn(merged.id, ordered(merged.act(merged.id, "restore"), merged.merge))
        assert.deepStrictEqual((yield* merged.place.now).contact?.id, merged.double.id)
        const deleted = yield* make
        yield* inTurn(deleted.id, ordered(deleted.deleteProject(deleted.id), deleted.merge))
        yield* deleted.act(deleted.id, "restore")
        assert.deepStrictEqual((yield* deleted.place.now).contact?.id, deleted.double.id)
      })
    )
  }
})
