/** Where readers of the journal begin: with what comes next, or where a refusal sends them. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Journal } from "../../../src/webhooks/changes/Journal.ts"
import { TestService } from "../../support/TestService.ts"
import * as JournalClient from "./JournalClient.ts"

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)

layer(TestService.layer, { excludeTestServices: true })("A reader of the journal", (it) => {
  it.effect("begins with what comes next by after=latest, also when nobody has read before", () =>
    Effect.gen(function* () {
      const { create, read, teamId } = yield* JournalClient.make()
      assert.deepStrictEqual(yield* read("?after=latest"), {
        data: [],
        page: { nextAfter: 0, pageSize: 50, hasMore: false }
      })
      // More than one statement numbers.
      yield* JournalClient.written(teamId, { count: 4500 })
      const page = { nextAfter: 4500, pageSize: 50, hasMore: false }
      assert.deepStrictEqual(yield* read("?after=latest"), { data: [], page })
      assert.deepStrictEqual(yield* read("?after=latest&types=*"), { data: [], page })
      assert.deepStrictEqual(yield* read("?after=4500"), { data: [], page })
      yield* create({ firstName: "Anna" })
      const next = yield* read("?after=4500")
      assert.deepStrictEqual(
        next.data.map(({ event, seq }) => [event, seq]),
        [["contact.created", 4501]]
      )
      assert.strictEqual((yield* read("?after=latest")).page.nextAfter, 4501)
    })
  )

  it.effect("reaches what comes next in steps, when nobody has read very many events", () =>
    Effect.gen(function* () {
      const { read, teamId } = yield* JournalClient.make()
      yield* JournalClient.written(teamId, { count: 10_500 })
      const page = { nextAfter: 10_000, pageSize: 50, hasMore: true }
      assert.deepStrictEqual(yield* read("?after=latest"), { data: [], page })
      assert.strictEqual((yield* read("?after=10000&page_size=1")).data[0]?.seq, 10_001)
      assert.deepStrictEqual((yield* read("?after=latest")).page, { nextAfter: 10_500, pageSize: 50, hasMore: false })
    })
  )

  it.effect("loses nothing that is kept when it continues where a refusal sends it", () =>
    Effect.gen(function* () {
      const { purge } = yield* Journal
      const { ask, create, read, teamId } = yield* JournalClient.make()
      yield* JournalClient.written(teamId, { at: daysAgo(91), count: 3 })
      yield* read()
      yield* JournalClient.written(teamId, { at: daysAgo(90.5), count: 2 })
      yield* JournalClient.written(teamId, { at: daysAgo(89), count: 2 })
      for (const numbered of [false, true]) {
        if (numbered) yield* read("?after=5")
        else yield* purge(1000)
        const refused = yield* ask<{ readonly detail: string }>("?after=0")
        assert.strictEqual(refused.status, 410)
        const [, advised] = /continue here with after=(\d+)\./.exec(refused.body.detail) ?? []
        const { data } = yield* read(`?after=${advised}`)
        assert.deepStrictEqual(
          data.map(({ seq }) => seq),
          [6, 7]
        )
      }
      yield* create({ firstName: "Anna" })
      const unknown = yield* ask<{ readonly detail: string }>("?after=100")
      const [, advised] = /continue here with after=(\d+)\./.exec(unknown.body.detail) ?? []
      assert.deepStrictEqual(
        (yield* read(`?after=${advised}`)).data.map(({ event }) => event),
        ["contact.created"]
      )
    })
  )
})
