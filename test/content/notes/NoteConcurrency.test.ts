/** Concurrent changes of notes. Each step begins when Postgres reports that the previous one waits for a lock. */
import * as Id from "../../../src/core/Id.ts"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { type Change, Changes } from "../../../src/core/mutation/Changes.ts"
import { Timelines } from "../../../src/core/mutation/Timelines.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import { untilBlocked } from "../../support/locks.ts"
import { TestService } from "../../support/TestService.ts"
import { actorOf } from "../../support/Tenant.ts"
import { idAt, kinds, make, uuidOf } from "./fixture.ts"

layer(TestService.layer, { excludeTestServices: true })("Notes under concurrent changes", (it) => {
  const fixture = make(kinds[0])

  for (const [left, right] of [
    ["supersede", "supersede"],
    ["archive", "supersede"],
    ["archive", "archive"]
  ] as const) {
    it.effect(`with the same ETag, one succeeds and the other gets 409: ${left} and ${right}`, () =>
      Effect.gen(function* () {
        const { get, note, revise } = yield* fixture
        const { etag, id } = yield* note()
        const sql = yield* Database
        const replies = yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`select id from actions where id = ${Id.toUuid("act", id) ?? ""} for update`
            const both = yield* Effect.forkDetach(
              Effect.all(
                [left, right].map((action) =>
                  revise(id, action === "supersede" ? { action, supersede: {} } : { action }, { "if-match": etag })
                ),
                { concurrency: "unbounded" }
              )
            )
            yield* untilBlocked(2)
            return both
          })
        )
        const statuses = yield* Fiber.join(replies)
        assert.deepStrictEqual(statuses.map(({ status }) => status).sort(), [204, 409])
        const lost = statuses.find(({ status }) => status === 409)
        assert.deepInclude(lost?.body, { code: "concurrency_conflict", currentEtag: '"v2"' })
        assert.match(String(lost?.body["type"]), /\/help\/concurrency-conflict$/)
        assert.strictEqual((yield* get(id)).body.etag, '"v2"')
      })
    )
  }

  const moves = [
    { action: "archive", shown: 0, hidden: 1 },
    { action: "supersede", supersede: {}, shown: 1, hidden: 2 }
  ] as const

  for (const { hidden, shown, ...body } of moves) {
    it.effect(`are revised on the timeline that a concurrent merge moves them to: ${body.action}`, () =>
      Effect.gen(function* () {
        const from = yield* fixture
        const to = yield* from.of()
        const { etag, id } = yield* from.note()
        const changes = yield* Changes
        const timelines = yield* Timelines
        const revising = yield* changes.commit(actorOf(from), (change) =>
          Effect.gen(function* () {
            yield* timelines.move(change, { type: "contact", from: [uuidOf(from.id)], to: uuidOf(to.id) }, 1000)
            const running = yield* Effect.forkDetach(from.revise(id, body, { "if-match": etag }))
            yield* untilBlocked(1)
            return running
          })
        )
        const answer = yield* Fiber.join(revising)
        assert.strictEqual(answer.status, 204)
        if (body.action === "supersede") {
          assert.strictEqual((yield* to.get(idAt(answer.headers.get("location")))).status, 200)
        }
        assert.lengthOf((yield* to.actions("?type=notes")).body.data, shown)
        const all = yield* to.actions("?type=notes&include_archived=true&include_superseded=true")
        assert.lengthOf(all.body.data, hidden)
        assert.deepStrictEqual((yield* from.actions("?include_archived=true&include_superseded=true")).body.data, [])
      })
    )
  }

  it.effect("are moved together with a revision that is written after the merge began", () =>
    Effect.gen(function* () {
      const [from, sql] = [yield* fixture, yield* Database]
      const [on, to] = [yield* from.of(), yield* from.of()]
      const { etag, id } = yield* from.note()
      const changes = yield* Changes
      const timelines = yield* Timelines
      const move = (change: Change, one: string, other: string) =>
        timelines.move(change, { type: "contact", from: [uuidOf(one)], to: uuidOf(other) }, 1000)
      // A revision reads its author's name before it is written.
      const mayStop = yield* Deferred.make<void>()
      const stops = yield* Deferred.make<void>()
      const goesOn = yield* Deferred.make<void>()
      const names = yield* Effect.forkDetach(
        Effect.andThen(
          Deferred.await(mayStop),
          sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`lock table users in access exclusive mode`
              yield* Deferred.succeed(stops, undefined)
              yield* Deferred.await(goesOn)
            })
          )
        )
      )
      const revising = yield* changes.commit(actorOf(from), (change) =>
        Effect.gen(function* () {
          yield* move(change, from.id, on.id)
          const running = yield* Effect.forkDetach(
            from.revise(id, { action: "supersede", supersede: {} }, { "if-match": etag })
          )
          yield* untilBlocked(1)
          yield* Deferred.succeed(mayStop, undefined)
          yield* Deferred.await(stops)
          return running
        })
      )
      yield* untilBlocked(1, "relation")
      const moving = yield* Effect.forkDetach(changes.commit(actorOf(from), (change) => move(change, on.id, to.id)))
      yield* untilBlocked(2)
      yield* Deferred.succeed(goesOn, undefined)
      yield* Effect.all([Fiber.join(names), Fiber.join(moving)])
      assert.strictEqual((yield* Fiber.join(revising)).status, 204)
      assert.lengthOf((yield* to.actions("?type=notes&include_superseded=true")).body.data, 2)
      assert.deepStrictEqual((yield* on.actions("?type=notes&include_superseded=true")).body.data, [])
    })
  )

  it.effect("are refused on a record that a concurrent merge absorbs", () =>
    Effect.gen(function* () {
      const from = yield* fixture
      const to = yield* from.of()
      const changes = yield* Changes
      const timelines = yield* Timelines
      const sql = yield* Database
      const adding = yield* changes.commit(actorOf(from), (change) =>
        Effect.gen(function* () {
          yield* timelines.move(change, { type: "contact", from: [uuidOf(from.id)], to: uuidOf(to.id) }, 1000)
          const running = yield* Effect.forkDetach(from.add({ message: "Late" }))
          yield* untilBlocked(1)
          yield* sql`
            update contacts set merged_into = ${uuidOf(to.id)}, deleted_at = now() where id = ${uuidOf(from.id)}`
          return running
        })
      )
      const refused = yield* Fiber.join(adding)
      assert.deepStrictEqual([refused.status, refused.body["mergedInto" as never]], [409, to.id])
      assert.lengthOf(yield* sql`select from action_subjects where subject_id = ${uuidOf(from.id)}`, 0)
    })
  )

  it.effect("that are being written when a merge begins are moved as well", () =>
    Effect.gen(function* () {
      const from = yield* fixture
      const to = yield* from.of()
      const changes = yield* Changes
      const timelines = yield* Timelines
      const held = yield* Deferred.make<void>()
      const writing = yield* Effect.forkDetach(
        changes.commit(actorOf(from), (change) =>
          Effect.gen(function* () {
            yield* timelines.lockForShare([uuidOf(from.id)])
            yield* Deferred.succeed(held, undefined)
            yield* untilBlocked(1)
            const id = yield* change.newId
            change.record({
              change: "created",
              resource: { type: "act", id },
              subjects: [{ type: "contact", id: uuidOf(from.id) }],
              timeline: { type: "note", id, message: "Late", contentFormat: null, supersedes: null }
            })
          })
        )
      )
      yield* Deferred.await(held)
      yield* changes.commit(actorOf(from), (change) =>
        timelines.move(change, { type: "contact", from: [uuidOf(from.id)], to: uuidOf(to.id) }, 1000)
      )
      yield* Fiber.join(writing)
      assert.lengthOf((yield* to.actions("?type=notes")).body.data, 1)
      assert.deepStrictEqual((yield* from.actions()).body.data, [])
    })
  )
})
