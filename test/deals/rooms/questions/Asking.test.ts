/** Who may ask what in a room, and what the broker sets for it. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { questionCategories } from "../../../../src/deals/rooms/Room.ts"
import { TestService } from "../../../support/TestService.ts"
import { as, investor } from "../../offers/OffersClient.ts"
import { make, requestOf } from "./fixture.ts"

const codeOf = (problem: object) => (problem as { readonly code?: string }).code

const faultsOf = (problem: object) =>
  (problem as { readonly errors?: ReadonlyArray<{ readonly pointer: string; readonly code: string }> }).errors?.map(
    ({ code, pointer }) => `${pointer} ${code}`
  )

layer(TestService.layer, { excludeTestServices: true })("A question", (it) => {
  it.effect("gets the next number of its room, without gaps, when many are asked at once", () =>
    Effect.gen(function* () {
      const { ask, list, member, openCount } = yield* make()
      const [first, second] = [yield* member(), yield* member()]
      yield* Effect.forEach(
        Array.from({ length: 20 }, (_, index) => index),
        (index) =>
          // Every fifth one is rolled back.
          ask(index % 2 === 0 ? first : second, index % 5 === 4 ? { documentId: "file_x" } : {}).pipe(Effect.exit),
        { concurrency: 10 }
      )
      const numbers = (yield* list()).body.data.map(({ number }) => number)
      assert.sameMembers(
        numbers,
        Array.from({ length: 16 }, (_, index) => index + 1)
      )
      assert.strictEqual(yield* openCount, 16)
    })
  )

  it.effect("is asked once by requests with one idempotency key", () =>
    Effect.gen(function* () {
      const { ask, list, member } = yield* make()
      const prospect = yield* member()
      const asked = yield* ask(prospect, {}, "k1")
      assert.deepStrictEqual(yield* ask(prospect, {}, "k1"), asked)
      assert.strictEqual(codeOf(yield* Effect.flip(ask(prospect, { text: "Other?" }, "k1"))), "idempotency_key_reused")
      assert.lengthOf((yield* list()).body.data, 1)
    })
  )

  it.effect("has rows on the timelines of project and asker, and its event has no text", () =>
    Effect.gen(function* () {
      const { answer, ask, close, events, member, projectId, roomId, rowsOf } = yield* make()
      const prospect = yield* member()
      const { id } = yield* ask(prospect, { text: "planted-question" })
      yield* answer(id, { text: "planted-answer" })
      yield* close(id)
      const room = { subject: "room", subjectId: roomId }
      const expected = [
        { event: "room.question_closed", details: { kind: "audit", questionId: id }, ...room },
        {
          event: "room.question_answered",
          details: { kind: "audit", questionId: id, message: "planted-answer" },
          ...room
        },
        {
          event: "room.question_asked",
          details: { kind: "audit", questionId: id, message: "planted-question" },
          ...room
        }
      ]
      for (const path of [`/projects/${projectId}`, `/projects/${projectId}/prospects/${prospect}`]) {
        const rows = yield* rowsOf(path)
        assert.deepStrictEqual(
          rows.filter(({ event }) => String(event).startsWith("room.question")),
          expected as unknown as typeof rows
        )
      }
      const emitted = (yield* events).filter(({ event }) => String(event).startsWith("room.question"))
      assert.deepStrictEqual(
        emitted.map(({ event, project_id, prospect_id, question_id }) => [event, project_id, prospect_id, question_id]),
        ["asked", "answered", "closed"].map((move) => [`room.question_${move}`, projectId, prospect, id])
      )
      assert.notInclude(JSON.stringify(emitted), "planted")
    })
  )

  it.effect("is about any version of a document of its room, by the broker or an investor, and keeps its name", () =>
    Effect.gen(function* () {
      const { ask, call, get, member, roomId, upload, useCases } = yield* make()
      const other = yield* make()
      const maria = yield* investor()
      const prospect = yield* member({ firstName: "Maria", email: maria.email })
      const first = yield* upload("Leases/rent roll.txt")
      const second = yield* upload("Leases/rent roll.txt")
      const foreign = yield* other.upload("plan.pdf")
      const asked = yield* ask(prospect, { documentId: first.id, page: 3 })
      assert.deepStrictEqual(asked.document, { fileId: first.id, name: "rent roll.txt", page: 3 })
      const askAs = (documentId: string) =>
        as(maria.email, useCases.ask(roomId, requestOf({ text: "And this one?", documentId })))
      const { value } = yield* askAs(second.id)
      assert.deepStrictEqual(value.document, { fileId: second.id, name: "rent roll.txt", page: null })
      const refusals = [
        yield* Effect.flip(askAs(foreign.id)),
        yield* Effect.flip(ask(prospect, { documentId: foreign.id }))
      ]
      assert.deepStrictEqual(refusals.map(faultsOf), [
        ["/documentId invalid_reference"],
        ["/documentId invalid_reference"]
      ])
      yield* call("DELETE", `/api/v1/files/${first.id}`)
      assert.deepStrictEqual((yield* get(asked.id)).body.document, asked.document)
    })
  )

  it.effect("needs a prospect who has access, a document of the room, and a text", () =>
    Effect.gen(function* () {
      const { ask, member, prospect, revoke } = yield* make()
      const inside = yield* member()
      const { id: outside } = yield* prospect()
      assert.strictEqual(codeOf(yield* Effect.flip(ask(outside))), "no_room_access")
      assert.deepStrictEqual(
        [
          yield* Effect.flip(ask("prospect_01kb3n7x2ferwt5z8q4j6m9d0c")),
          yield* Effect.flip(ask(inside, { documentId: "file_01kb3n7x2ferwt5z8q4j6m9d0c" })),
          yield* Effect.flip(ask(inside, { page: 3 })),
          yield* Effect.flip(ask(inside, { text: " ", category: "gossip" }))
        ].map(faultsOf),
        [
          ["/prospectId invalid_reference"],
          ["/documentId invalid_reference"],
          ["/page not_allowed"],
          ["/text blank", "/category not_allowed"]
        ]
      )
      yield* revoke(inside)
      assert.strictEqual(codeOf(yield* Effect.flip(ask(inside))), "no_room_access")
    })
  )
})

layer(TestService.layer, { excludeTestServices: true })("The settings of a room's questions", (it) => {
  it.effect("limit how many a prospect asks, of which categories, and until when", () =>
    Effect.gen(function* () {
      const { ask, close, member, set } = yield* make()
      const [first, second] = [yield* member(), yield* member()]
      yield* set({ limitPerProspect: 1, categories: ["legal", "tax"] })
      const { id } = yield* ask(first, { category: "tax" })
      yield* close(id)
      const refused = yield* Effect.flip(ask(first, { category: "tax" }))
      assert.deepStrictEqual(
        [codeOf(refused), (refused as { readonly limit?: number }).limit],
        ["question_limit_reached", 1]
      )
      assert.deepStrictEqual(faultsOf(yield* Effect.flip(ask(second))), ["/category category_not_taken"])
      yield* ask(second, { category: "legal" })
      yield* set({ limitPerProspect: null, categories: null, deadline: "2020-01-01" })
      assert.strictEqual(codeOf(yield* Effect.flip(ask(first))), "questions_not_taken")
      yield* set({ deadline: "30d" })
      yield* ask(first)
      yield* set({ enabled: false })
      assert.strictEqual(codeOf(yield* Effect.flip(ask(first))), "questions_not_taken")
    })
  )

  it.effect("limit prospects who ask at once, too", () =>
    Effect.gen(function* () {
      const { ask, list, member, set } = yield* make()
      const prospect = yield* member()
      yield* set({ limitPerProspect: 3 })
      yield* Effect.forEach(Array.from({ length: 8 }), () => Effect.exit(ask(prospect)), { concurrency: 8 })
      assert.lengthOf((yield* list()).body.data, 3)
    })
  )

  it.effect("are answered with the numbers of questions by state, and change only what is named", () =>
    Effect.gen(function* () {
      const { answer, ask, close, draft, events, makeOverdue, member, set } = yield* make()
      const prospect = yield* member()
      const [, drafted, answered, closed] = yield* Effect.forEach([1, 2, 3, 4], () => ask(prospect))
      yield* draft(drafted?.id ?? "", { text: "Draft." })
      yield* answer(answered?.id ?? "")
      yield* close(closed?.id ?? "")
      const blank = {
        enabled: true,
        open: 1,
        drafted: 1,
        answered: 1,
        overdue: 0,
        limitPerProspect: null,
        deadlineUtc: null,
        categories: questionCategories
      }
      const count = (yield* events).length
      assert.deepStrictEqual(yield* set({}), blank)
      assert.strictEqual((yield* events).length, count)
      yield* makeOverdue
      assert.deepStrictEqual(yield* set({ limitPerProspect: 5, deadline: "2030-01-01T12:00:00+01:00" }), {
        ...blank,
        overdue: 2,
        limitPerProspect: 5,
        deadlineUtc: "2030-01-01T11:00:00.000Z"
      })
      assert.deepStrictEqual(yield* set({ limitPerProspect: null, deadline: null }), { ...blank, overdue: 2 })
      assert.strictEqual((yield* events).length, count + 2)
      assert.deepStrictEqual(
        faultsOf(yield* Effect.flip(set({ deadline: "soon", limitPerProspect: 0, categories: [] }))),
        ["/limitPerProspect out_of_range", "/categories too_few"]
      )
      assert.deepStrictEqual(faultsOf(yield* Effect.flip(set({ deadline: "soon" }))), ["/deadline invalid_deadline"])
    })
  )
})
