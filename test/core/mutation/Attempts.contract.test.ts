import * as Id from "../../../src/core/Id.ts"
import * as Tenant from "../../support/Tenant.ts"
import { DryRun, emptyOutcome } from "../../../src/core/mutation/ChangeRecord.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { type Change, Changes } from "../../../src/core/mutation/Changes.ts"
import { inTeam } from "../../../src/platform/db/Cells.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import { orDie } from "../../../src/platform/db/DatabaseUnavailable.ts"
import { Jobs } from "../../../src/platform/jobs/Jobs.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

const services = Changes.layer.pipe(
  Layer.provideMerge(Jobs.layerMemory),
  Layer.provideMerge(Layer.merge(TestDatabase.layerShared, SecureRandom.layerWebCrypto))
)

/** A team's changes: each step writes a row, an action and an event with its name. */
const fixture = Effect.gen(function* () {
  const sql = yield* Database
  const changes = yield* Changes
  const random = yield* SecureRandom.SecureRandom
  const { teamId, userId } = yield* Tenant.make()
  const subject = yield* random.uuidV7()
  /** Records a change, with an event if `event` is set. */
  const step = Effect.fnUntraced(function* (change: Change, name: string, event = true) {
    const id = yield* change.newId
    change.record({
      change: "updated",
      resource: { type: "contact", id },
      subjects: [{ type: "contact", id: subject }],
      timeline: { event: "contact.updated", details: { kind: "audit", message: name } },
      ...(event ? ({ event: { type: "contact.updated", extras: { changed_fields: [name] } } } as const) : {})
    })
    yield* orDie(sql`insert into external_references (team_id, resource_type, namespace, external_id, resource_id, position)
      values (${teamId}, 'contact', 'test', ${name}, ${id}, 0)`)
  })
  /** The rows, timeline rows, events, promises and jobs of the steps, in their order. */
  const found = Effect.gen(function* () {
    const rows = yield* sql<{ name: string }>`
      select external_id as name from external_references where team_id = ${teamId} order by resource_id`
    const actions = yield* sql<{ name: string; number: string }>`
      select a.details ->> 'message' as name, a.number::text from actions a
      join action_subjects s on s.action_id = a.id
      where s.subject_id = ${subject} order by s.occurred_at, s.action_id`
    const events = yield* sql<{ body: string }>`select body from events where team_id = ${teamId} order by seq`
    const promises = yield* sql<{ transaction_id: string }>`
      select transaction_id::text from fan_outs where team_id = ${teamId}`
    const transactions = yield* sql`select distinct transaction_id::text from events where team_id = ${teamId}`
    const jobs = yield* sql<{ transaction_id: string }>`
      select payload ->> 'transactionId' as transaction_id from graphile_worker._private_jobs
      where payload ->> 'teamId' = ${teamId}`
    const bodies = events.map(
      ({ body }) => JSON.parse(body) as { action_id: number; changed_fields: ReadonlyArray<string> }
    )
    const numbers = actions.map(({ number }) => Number(number))
    assert.deepStrictEqual(
      numbers,
      numbers.toSorted((a, b) => a - b)
    )
    const isTold = new Set(bodies.map(({ action_id }) => action_id))
    assert.deepStrictEqual(
      bodies.map(({ action_id }) => action_id),
      numbers.filter((number) => isTold.has(number))
    )
    // One change writes one outbox row.
    assert.strictEqual(promises.length, transactions.length)
    assert.deepStrictEqual(jobs, promises)
    return {
      rows: rows.map(({ name }) => name),
      actions: actions.map(({ name }) => name),
      events: bodies.map(({ changed_fields }) => changed_fields[0])
    }
  }).pipe(inTeam(teamId))
  const commit = <A, E, R>(write: (change: Change) => Effect.Effect<A, E, R>) =>
    changes.commit(Tenant.actorOf({ teamId, userId }), write)
  return { commit, found, sql, step }
})

const all = (...names: Array<string>) => ({ rows: names, actions: names, events: names })

layer(services, { excludeTestServices: true })("A part of a change that is attempted", (it) => {
  it.effect("keeps everything that it recorded, in order, when it succeeds", () =>
    Effect.gen(function* () {
      const { commit, found, step } = yield* fixture
      const answer = yield* commit((change) =>
        Effect.gen(function* () {
          yield* step(change, "first")
          const value = yield* change.attempt((part) => Effect.as(step(part, "second"), "value"))
          yield* step(change, "third")
          yield* change.attempt((part) =>
            Effect.gen(function* () {
              yield* step(part, "fourth")
              yield* part.attempt((inner) => step(inner, "fifth"))
              yield* step(part, "sixth")
            })
          )
          return value
        })
      )
      assert.strictEqual(answer, "value")
      assert.deepStrictEqual(yield* found, all("first", "second", "third", "fourth", "fifth", "sixth"))
    })
  )

  it.effect("leaves nothing when it fails, dies or is rejected by the database, and the change continues", () =>
    Effect.gen(function* () {
      const { commit, found, sql, step } = yield* fixture
      const exits = yield* commit((change) =>
        Effect.gen(function* () {
          yield* step(change, "before")
          const endings = [Effect.fail("no"), Effect.die("defect"), orDie(sql`select 1 / 0`)]
          const exits = yield* Effect.forEach(endings, (ending, index) =>
            Effect.exit(
              change.attempt((part) =>
                Effect.gen(function* () {
                  yield* step(part, `part ${index}`)
                  // A nested part is rolled back with it.
                  yield* part.attempt((inner) => step(inner, `inner ${index}`))
                  yield* ending
                })
              )
            )
          )
          yield* step(change, "after")
          return exits
        })
      )
      assert.deepStrictEqual(exits.map(Exit.isFailure), [true, true, true])
      assert.deepStrictEqual(exits[0], Exit.fail("no"))
      assert.deepStrictEqual(exits[1], Exit.die("defect"))
      assert.deepStrictEqual(yield* found, all("before", "after"))
    })
  )

  it.effect("can lose a nested part and stay", () =>
    Effect.gen(function* () {
      const { commit, found, step } = yield* fixture
      yield* commit((change) =>
        Effect.forEach(["first", "second"], (name) =>
          change.attempt((part) =>
            Effect.gen(function* () {
              yield* step(part, name)
              yield* Effect.ignore(
                part.attempt((inner) => Effect.andThen(step(inner, `${name} inner`), Effect.fail("no")))
              )
            })
          )
        )
      )
      assert.deepStrictEqual(yield* found, all("first", "second"))
    })
  )

  it.effect("is rolled back with the change", () =>
    Effect.gen(function* () {
      const { commit, found, step } = yield* fixture
      yield* Effect.ignore(
        commit((change) =>
          Effect.andThen(
            change.attempt((part) => step(part, "part")),
            Effect.fail("no")
          )
        )
      )
      assert.deepStrictEqual(yield* found, all())
    })
  )

  it.effect("promises no fan-out for dropped events, and one for its own events if the rest has none", () =>
    Effect.gen(function* () {
      const { commit, found, step } = yield* fixture
      yield* commit((change) =>
        Effect.gen(function* () {
          yield* step(change, "quiet", false)
          yield* Effect.ignore(change.attempt((part) => Effect.andThen(step(part, "recorded"), Effect.fail("no"))))
        })
      )
      assert.deepStrictEqual(yield* found, { rows: ["quiet"], actions: ["quiet"], events: [] })
      yield* commit((change) =>
        Effect.andThen(
          change.attempt((part) => step(part, "recorded")),
          step(change, "last", false)
        )
      )
      assert.deepStrictEqual(yield* found, {
        rows: ["quiet", "recorded", "last"],
        actions: ["quiet", "recorded", "last"],
        events: ["recorded"]
      })
    })
  )

  it.effect("is reported by a dry run, which keeps nothing", () =>
    Effect.gen(function* () {
      const { commit, found, step } = yield* fixture
      const outcome = emptyOutcome()
      const ids: Array<string> = []
      const recordEvent = (change: Change, name: string) =>
        step({ ...change, newId: Effect.tap(change.newId, (id) => Effect.sync(() => ids.push(id))) }, name)
      yield* Effect.provideService(
        commit((change) =>
          Effect.gen(function* () {
            yield* recordEvent(change, "before")
            yield* change.attempt((part) => recordEvent(part, "part"))
            yield* Effect.ignore(change.attempt((part) => Effect.andThen(step(part, "failed"), Effect.fail("no"))))
            yield* recordEvent(change, "after")
          })
        ),
        DryRun,
        outcome
      )
      assert.deepStrictEqual(yield* found, all())
      const expected = ids.map((id) => Id.fromUuid("contact", id))
      assert.deepStrictEqual(
        outcome.events.map(({ resource_id }) => resource_id),
        expected
      )
      assert.deepStrictEqual(
        outcome.affected.map(({ id }) => id),
        expected
      )
    })
  )
})
