import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { times } from "../../support/campaign.ts"
import { TestService } from "../../support/TestService.ts"
import { kinds, make } from "./fixture.ts"

layer(TestService.layer, { excludeTestServices: true })("Two concurrent revisions of a note", (it) => {
  const fixture = make(kinds[0])
  const rounds = times("NOTE_ROUNDS", 15, 40)

  it.effect(
    "with the same ETag: one succeeds, the other gets 409 or 412, and the chain does not fork",
    () =>
      Effect.gen(function* () {
        const { actions, note, revise } = yield* fixture
        const seen = new Map<number, number>()
        for (let round = 0; round < rounds; round++) {
          const { etag, id } = yield* note(`Round ${round}`)
          const replies = yield* Effect.all(
            ["left", "right"].map((message) =>
              revise(id, { action: "supersede", supersede: { message } }, { "if-match": etag })
            ),
            { concurrency: "unbounded" }
          )
          const statuses = replies.map(({ status }) => status).sort()
          assert.strictEqual(statuses[0], 204)
          assert.include([409, 412], statuses[1])
          const lost = replies.find(({ status }) => status !== 204)
          assert.include(["concurrency_conflict", "precondition_failed"], lost?.body["code"])
          seen.set(statuses[1] ?? 0, (seen.get(statuses[1] ?? 0) ?? 0) + 1)
        }
        const { body } = yield* actions("?type=notes&include_superseded=true&page_size=500")
        assert.lengthOf(body.data, 2 * rounds)
        const followed = body.data.flatMap((row) => row.supersedesActivityId ?? [])
        assert.strictEqual(new Set(followed).size, rounds)
        assert.strictEqual(
          [...seen.values()].reduce((sum, count) => sum + count, 0),
          rounds
        )
      }),
    120_000
  )

  it.effect(
    "one archiving and one superseding: one succeeds",
    () =>
      Effect.gen(function* () {
        const { actions, get, note, revise } = yield* fixture
        let superseded = 0
        for (let round = 0; round < rounds; round++) {
          const { etag, id } = yield* note()
          const replies = yield* Effect.all(
            [
              revise(id, { action: "archive" }, { "if-match": etag }),
              revise(id, { action: "supersede", supersede: {} }, { "if-match": etag })
            ],
            { concurrency: "unbounded" }
          )
          const statuses = replies.map(({ status }) => status)
          assert.lengthOf(
            statuses.filter((status) => status === 204),
            1
          )
          const after = (yield* get(id)).body
          assert.strictEqual(after.etag, '"v2"')
          assert.strictEqual(after.archivedAt !== null, statuses[0] === 204)
          assert.strictEqual("supersededByActivityId" in after, statuses[1] === 204)
          if (statuses[1] === 204) superseded++
        }
        const { body } = yield* actions("?type=notes&page_size=500")
        assert.lengthOf(body.data, superseded)
      }),
    120_000
  )
})
