/** The states of questions over all states and moves, and what follows from those of others: projects, rooms, investors. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type QuestionState, questionStates } from "../../../../src/deals/rooms/questions/Question.ts"
import { transitions } from "../../../../src/deals/rooms/questions/rules.ts"
import { move } from "../../messages/fixture.ts"
import { type Reply, TestService } from "../../../support/TestService.ts"
import { make } from "./fixture.ts"

const codeOf = (body: unknown) => (body as { readonly code?: string }).code

/** Runs a command; returns the code of its refusal. */
const command = (email: string, ...args: ReadonlyArray<string>) =>
  Effect.map(move({ email }, "question", ...args), ({ answer, ok }) => (ok ? undefined : answer.error.code))

/** The code with which a use-case was refused; undefined if it was not. */
const refusedWith = <E, R>(moved: Effect.Effect<unknown, E, R>) =>
  Effect.match(moved, { onSuccess: () => undefined, onFailure: codeOf })

layer(TestService.layer, { excludeTestServices: true })("The state of a question", (it) => {
  for (const state of questionStates) {
    it.effect(`${state}: allows what the table allows, and refuses the rest`, () =>
      Effect.gen(function* () {
        const room = yield* make()
        const { answer, ask, close, draft, email, get, member, openCount, patch } = room
        const prospect = yield* member()
        // A command builds services of its own, which takes longer than the move.
        const isCommand = state === "open" || state === "closed"
        const reach: { readonly [to in QuestionState]: (id: string) => Effect.Effect<unknown, unknown> } = {
          open: () => Effect.void,
          drafted: (id) => draft(id, { text: "Draft." }),
          answered: (id) => answer(id, { text: "First." }),
          closed: (id) => close(id)
        }
        const refusalOf = ({ body }: Reply<unknown>) => {
          const { code, from } = body as { readonly code?: string; readonly from?: string }
          if (code !== undefined) assert.strictEqual(from, state)
          return code
        }
        const moves = {
          update: (id: string) => Effect.map(patch(id, { priority: "high" }), refusalOf),
          draft: (id: string) => Effect.map(draft(id, { text: "Second." }), refusalOf),
          answer: (id: string) =>
            isCommand
              ? command(email, "answer", id, "--text", "Second.")
              : refusedWith(answer(id, { text: "Second." })),
          close: (id: string) => (isCommand ? command(email, "close", id) : refusedWith(close(id)))
        }
        for (const [name, run] of Object.entries(moves) as ReadonlyArray<[keyof typeof moves, typeof moves.update]>) {
          const { id } = yield* ask(prospect)
          yield* reach[state](id)
          const before = (yield* get(id)).body
          const code = yield* run(id)
          const after = (yield* get(id)).body
          const to = transitions[state][name]
          assert.strictEqual(code, to === "refused" ? "question_move_refused" : undefined, name)
          if (to === "refused") assert.deepStrictEqual(after, before)
          else assert.strictEqual(after.status, to, name)
          const isWaiting = after.status === "open" || after.status === "drafted"
          yield* close(id)
          assert.strictEqual(yield* openCount, 0, `${name}, waiting ${isWaiting}`)
        }
      })
    )
  }

  it.effect("is not changed by the same answer again, nor by another close", () =>
    Effect.gen(function* () {
      const { answer, ask, close, events, member } = yield* make()
      const { id } = yield* ask(yield* member())
      const answered = yield* answer(id, { text: "Yes.", audience: "all" })
      assert.deepStrictEqual(answered.answer, { text: "Yes.", audience: "all", publishedUtc: answered.updatedUtc })
      assert.deepStrictEqual(yield* answer(id, { text: "Yes.", audience: "all" }), answered)
      assert.strictEqual(codeOf(yield* Effect.flip(answer(id, { text: "Yes." }))), "question_move_refused")
      const closed = yield* close(id)
      assert.deepStrictEqual([closed.status, closed.answer], ["closed", answered.answer])
      const count = (yield* events).length
      assert.deepStrictEqual(yield* close(id), closed)
      assert.strictEqual((yield* events).length, count)
    })
  )
})

layer(TestService.layer, { excludeTestServices: true })("Two people who answer a question at once", (it) => {
  it.effect("have one winner, and the other one is refused", () =>
    Effect.gen(function* () {
      const { answer, ask, get, member, openCount } = yield* make()
      const prospect = yield* member()
      for (const round of [1, 2, 3]) {
        const { id } = yield* ask(prospect)
        const outcomes = yield* Effect.forEach(
          ["One.", "Other."],
          (text) => Effect.match(answer(id, { text }), { onSuccess: ({ status }) => status, onFailure: codeOf }),
          { concurrency: 2 }
        )
        assert.sameMembers(outcomes, ["answered", "question_move_refused"], `round ${round}`)
        const winner = outcomes.indexOf("answered") === 0 ? "One." : "Other."
        assert.strictEqual((yield* get(id)).body.answer?.text, winner)
        assert.strictEqual(yield* openCount, 0)
      }
    })
  )

  it.effect("see it when the other one closed it, and a draft never outlives an answer", () =>
    Effect.gen(function* () {
      const { answer, ask, close, draft, get, member } = yield* make()
      const prospect = yield* member()
      const { id } = yield* ask(prospect)
      const [answered, closed] = yield* Effect.all(
        [Effect.match(answer(id), { onSuccess: () => "answered", onFailure: codeOf }), close(id)],
        { concurrency: 2 }
      )
      assert.strictEqual(closed.status, "closed")
      const after = (yield* get(id)).body
      assert.deepStrictEqual([after.status, after.answer !== null], ["closed", answered === "answered"])
      const second = yield* ask(prospect)
      const [drafted] = yield* Effect.all([draft(second.id, { text: "Draft." }), answer(second.id)], { concurrency: 2 })
      assert.include([200, 409], drafted.status)
      assert.deepInclude((yield* get(second.id)).body, { status: "answered", draftAnswer: null })
    })
  )
})

layer(TestService.layer, { excludeTestServices: true })("What a room answers of its questions", (it) => {
  it.effect("count in its answer, whose ETag changes with each of them", () =>
    Effect.gen(function* () {
      const { answer, ask, close, draft, makeOverdue, member, room } = yield* make()
      const prospect = yield* member()
      const etags = [(yield* room).etag]
      const see = Effect.gen(function* () {
        const { etag, openQuestionCount, qa } = yield* room
        assert.notInclude(etags, etag)
        etags.push(etag)
        return [openQuestionCount, qa.open, qa.drafted, qa.answered, qa.overdue]
      })
      const { id } = yield* ask(prospect)
      assert.deepStrictEqual(yield* see, [1, 1, 0, 0, 0])
      yield* draft(id, { text: "Draft." })
      assert.deepStrictEqual(yield* see, [1, 0, 1, 0, 0])
      yield* makeOverdue
      assert.deepStrictEqual(yield* see, [1, 0, 1, 0, 1])
      yield* answer(id)
      assert.deepStrictEqual(yield* see, [0, 0, 0, 1, 0])
      yield* close(id)
      assert.deepStrictEqual(yield* see, [0, 0, 0, 0, 0])
    })
  )
})

layer(TestService.layer, { excludeTestServices: true })("The questions of a room", (it) => {
  it.effect("go with a project that is deleted, and come back with it", () =>
    Effect.gen(function* () {
      const { ask, call, list, member, projectId, revoke } = yield* make()
      const prospect = yield* member()
      const asked = yield* ask(prospect)
      yield* revoke(prospect)
      assert.strictEqual((yield* call("DELETE", `/api/v1/projects/${projectId}`)).status, 204)
      assert.strictEqual((yield* list()).status, 404)
      assert.strictEqual((yield* call("POST", `/api/v1/projects/${projectId}/restore`)).status, 200)
      const [restored] = (yield* list()).body.data
      assert.deepInclude(restored, { id: asked.id, number: 1, changeType: "restored", etag: '"v3"', deletedUtc: null })
    })
  )

  it.effect("follow a merge of investors: the survivor has asked them", () =>
    Effect.gen(function* () {
      const { ask, call, get, member, prospects } = yield* make()
      const [survivor, merged] = [yield* member(), yield* member()]
      const { id } = yield* ask(merged)
      const contactOf = (prospect: string) => Effect.map(prospects.get(prospect), ({ body }) => body.contact?.id ?? "")
      const from = [yield* contactOf(merged)]
      const reply = yield* call("POST", `/api/v1/network/contacts/${yield* contactOf(survivor)}/merge`, { from })
      assert.strictEqual(reply.status, 200, reply.text)
      assert.strictEqual((yield* get(id)).body.askedBy?.prospectId, survivor)
    })
  )
})
