/** Investors who ask in data rooms, and what they and others get to see. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "../../../../src/core/usecase/Page.ts"
import { as, investor } from "../../offers/OffersClient.ts"
import type { Row } from "../../../support/RecordsClient.ts"
import { TestService } from "../../../support/TestService.ts"
import { make, requestOf } from "./fixture.ts"

const codeOf = (problem: object) => (problem as { readonly code?: string }).code

/** An investor's team with access to the room, and how its user asks. */
const memberOf = Effect.fnUntraced(function* (room: Effect.Success<ReturnType<typeof make>>, firstName: string) {
  const person = yield* investor()
  const prospect = yield* room.member({ firstName, email: person.email })
  const offer = Effect.map(person.offers(), (offers) => offers[0])
  return {
    ...person,
    prospect,
    offer,
    ask: (text: string, key?: string) =>
      Effect.map(as(person.email, room.useCases.ask(room.roomId, requestOf({ text }, key))), ({ value }) => value),
    /** The rows of the offer's timeline by their events, newest first. */
    rows: Effect.gen(function* () {
      const { body } = yield* person.actions((yield* offer)?.id ?? "")
      return body.data
    })
  }
})

layer(TestService.layer, { excludeTestServices: true })("An investor with access to a room", (it) => {
  it.effect(
    "asks by an offer of their team, once for each idempotency key, and sees nothing of the broker's side",
    () =>
      Effect.gen(function* () {
        const room = yield* make()
        const maria = yield* memberOf(room, "Maria")
        const asked = yield* maria.ask("Which tenants may leave?", "k1")
        assert.deepStrictEqual(asked, {
          id: asked.id,
          roomId: room.roomId,
          number: 1,
          text: "Which tenants may leave?",
          category: "other",
          document: null,
          askedUtc: asked.askedUtc,
          status: "open"
        })
        assert.deepStrictEqual(yield* maria.ask("Which tenants may leave?", "k1"), asked)
        const [question, ...others] = (yield* room.list()).body.data
        assert.deepStrictEqual([question?.askedBy, others], [
          { prospectId: maria.prospect, name: "Maria" },
          []
        ] as unknown)
        // Nobody of the broker's team did it.
        const { body } = yield* room.call<Page<Row>>("GET", `/api/v1/projects/${room.projectId}/actions?page_size=1`)
        assert.deepStrictEqual(body.data[0]?.actor, { id: null, name: null } as unknown)
      })
  )

  it.effect(
    "gets the answer on the offer's timeline, alone or with all who have access, and nothing of its draft",
    () =>
      Effect.gen(function* () {
        const room = yield* make()
        const maria = yield* memberOf(room, "planted-maria")
        const nora = yield* memberOf(room, "planted-nora")
        const gone = yield* memberOf(room, "planted-gone")
        const first = yield* maria.ask("First?")
        const second = yield* nora.ask("Second?")
        yield* room.draft(first.id, { text: "planted-draft" })
        yield* room.patch(first.id, { priority: "urgent", assignee: "me" })
        yield* room.revoke(gone.prospect)
        yield* room.answer(first.id, { text: "For Maria." })
        yield* room.answer(second.id, { text: "For all.", audience: "all" })
        const answersOf = (person: typeof maria) =>
          Effect.map(person.rows, (rows) =>
            rows.filter(({ event }) => event === "room.question_answered").map(({ details }) => details)
          )
        const details = (number: number, text: string, answer: string) => ({
          kind: "audit",
          question: { number, text, answer }
        })
        const forAll = details(2, "Second?", "For all.")
        assert.deepStrictEqual(yield* answersOf(maria), [forAll, details(1, "First?", "For Maria.")] as unknown)
        assert.deepStrictEqual(yield* answersOf(nora), [forAll] as unknown)
        assert.deepStrictEqual(yield* answersOf(gone), [])
        for (const person of [maria, nora, gone]) {
          const bytes = JSON.stringify([yield* person.rows, yield* person.events, (yield* person.list()).body])
          assert.notMatch(bytes, /planted|drafted|urgent|question_0|prospect_|project_/)
          assert.notInclude(bytes, room.user)
        }
      })
  )

  it.effect("asks no more once the access has ended, and an answer for them alone is refused then", () =>
    Effect.gen(function* () {
      const room = yield* make()
      const maria = yield* memberOf(room, "Maria")
      const other = yield* investor()
      const asked = yield* maria.ask("May we?")
      const foreign = as(other.email, room.useCases.ask(room.roomId, requestOf({ text: "And I?" })))
      assert.strictEqual(codeOf(yield* Effect.flip(foreign)), "not_found")
      yield* room.revoke(maria.prospect)
      assert.strictEqual(codeOf(yield* Effect.flip(maria.ask("And now?"))), "not_found")
      assert.strictEqual(codeOf(yield* Effect.flip(room.answer(asked.id))), "asker_without_access")
      assert.strictEqual((yield* room.get(asked.id)).body.status, "open")
      assert.strictEqual((yield* room.answer(asked.id, { audience: "all" })).status, "answered")
    })
  )

  it.effect("needs the capability of investors, and the broker's moves need the broker", () =>
    Effect.gen(function* () {
      const room = yield* make()
      const maria = yield* memberOf(room, "Maria")
      const asked = yield* maria.ask("May we?")
      const refused = [
        yield* Effect.flip(as(room.email, room.useCases.ask(room.roomId, requestOf({ text: "I?" })))),
        yield* Effect.flip(as(maria.email, room.useCases.answer(asked.id, requestOf({ text: "Yes." })))),
        yield* Effect.flip(as(maria.email, room.useCases.close(asked.id, requestOf()))),
        yield* Effect.flip(as(maria.email, room.useCases.set(room.roomId, requestOf({ enabled: false }))))
      ]
      assert.deepStrictEqual(
        refused.map(codeOf),
        Array.from({ length: 4 }, () => "capability_required")
      )
    })
  )
})
