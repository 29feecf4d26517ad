/** Changes that reach another team. */
import * as Id from "../../../src/core/Id.ts"
import * as Tenant from "../../support/Tenant.ts"
import { DryRun, emptyOutcome } from "../../../src/core/mutation/ChangeRecord.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { type Change, Changes, crossInto, following } from "../../../src/core/mutation/Changes.ts"
import { inTeam } from "../../../src/platform/db/Cells.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import { Jobs } from "../../../src/platform/jobs/Jobs.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

const services = Changes.layer.pipe(
  Layer.provideMerge(Jobs.layerMemory),
  Layer.provideMerge(Layer.merge(TestDatabase.layerShared, SecureRandom.layerWebCrypto))
)

const fixture = Effect.gen(function* () {
  const sql = yield* Database
  const changes = yield* Changes
  const random = yield* SecureRandom.SecureRandom
  const { teamId: home, userId } = yield* Tenant.make()
  const { teamId: away } = yield* Tenant.make()
  const [own, other, others] = [yield* random.uuidV7(), yield* random.uuidV7(), yield* random.uuidV7()]
  const update = (change: Change, type: "prospect" | "offer", id: string) =>
    change.record({
      change: "updated",
      resource: { type, id },
      subjects: [{ type, id }],
      timeline: { event: `${type}.accepted`, details: { kind: "audit" } }
    })
  /** What a prospect's acceptance does: a record of the caller's team, and two of another one, the last in a savepoint. */
  const commit = changes.commit(Tenant.actorOf({ teamId: home, userId }), (change) =>
    Effect.gen(function* () {
      update(change, "offer", own)
      yield* crossInto(change, away, (crossing) => {
        assert.strictEqual(crossing.actor.teamId, away)
        update(crossing, "prospect", other)
        return crossing.attempt((part) => Effect.sync(() => update(part, "prospect", others)))
      })
    })
  )
  const inDatabase = Effect.fnUntraced(
    function* (teamId: string) {
      const rows = yield* sql<{ subject_id: string; actor_user_id: string | null }>`
      select s.subject_id, a.actor_user_id from actions a join action_subjects s on s.action_id = a.id and s.team_id = a.team_id
      where a.team_id = ${teamId} order by a.number`
      const events = yield* sql<{ body: string }>`select body from events where team_id = ${teamId} order by seq`
      const fanOuts = yield* sql<{ id: string }>`
      select transaction_id::text as id from fan_outs where team_id = ${teamId}`
      const [jobs] = yield* sql<{ count: number }>`
      select count(*)::int as count from graphile_worker._private_jobs
      where payload ->> 'teamId' = ${teamId}
        and payload ->> 'transactionId' = any(${fanOuts.map(({ id }) => id)}::text[])`
      return {
        rows: rows.map(({ actor_user_id, subject_id }) => [subject_id, actor_user_id]),
        events: events.map(({ body }) => {
          const { actor_user_id, resource_id } = JSON.parse(body) as { actor_user_id: unknown; resource_id: unknown }
          return [resource_id, actor_user_id]
        }),
        jobs: jobs?.count
      }
    },
    (effect, teamId) => inTeam(teamId)(effect)
  )
  /** A record of the caller's team that follows from something there, and one of another team that follows from it, too. */
  const commitCaused = changes.commit(Tenant.actorOf({ teamId: home, userId }), (change) =>
    Effect.gen(function* () {
      const resource = { type: "contact", id: yield* random.uuidV7() } as const
      const caused = following(change, () => ({ event: "contact.updated", resource }))
      update(caused, "prospect", own)
      yield* crossInto(caused, away, (crossing) => Effect.sync(() => update(crossing, "offer", other)))
      return Id.fromUuid("contact", resource.id)
    })
  )
  const causesIn = (teamId: string) =>
    Effect.map(
      inTeam(teamId)(sql<{ body: string }>`select body from events where team_id = ${teamId} order by seq`),
      (events) =>
        events.map(({ body }) => {
          const { caused_by, resource_id } = JSON.parse(body) as { caused_by?: unknown; resource_id: unknown }
          return [resource_id, caused_by]
        })
    )
  return { home, away, userId, own, other, others, commit, commitCaused, causesIn, inDatabase }
})

layer(services, { excludeTestServices: true })("A change that reaches another team", (it) => {
  it.effect("does not tell it what that follows from, since the id is of this one", () =>
    Effect.gen(function* () {
      const { away, causesIn, commitCaused, home, other, own } = yield* fixture
      const contact = yield* commitCaused
      assert.deepStrictEqual(yield* causesIn(home), [
        [Id.fromUuid("prospect", own), { event: "contact.updated", resource_id: contact }]
      ])
      assert.deepStrictEqual(yield* causesIn(away), [[Id.fromUuid("offer", other), undefined]])
    })
  )

  it.effect("writes rows, events and a fan-out in each team, and names no user in the other one", () =>
    Effect.gen(function* () {
      const { away, commit, home, inDatabase, other, others, own, userId } = yield* fixture
      yield* commit
      assert.deepStrictEqual(yield* inDatabase(home), {
        rows: [[own, userId]],
        events: [[Id.fromUuid("offer", own), Id.fromUuid("user", userId)]],
        jobs: 1
      })
      assert.deepStrictEqual(yield* inDatabase(away), {
        rows: [
          [other, null],
          [others, null]
        ],
        events: [other, others].map((id) => [Id.fromUuid("prospect", id), null]),
        jobs: 1
      })
    })
  )

  it.effect("shows nothing of the other team in a dry run", () =>
    Effect.gen(function* () {
      const { away, commit, home, inDatabase, own } = yield* fixture
      const outcome = emptyOutcome()
      yield* Effect.provideService(commit, DryRun, outcome)
      const id = Id.fromUuid("offer", own)
      assert.deepStrictEqual(outcome, {
        events: [{ event: "offer.accepted", resource_id: id }],
        affected: [{ type: "offer", id, change: "updated" }],
        later: []
      })
      for (const team of [home, away]) {
        assert.deepStrictEqual(yield* inDatabase(team), { rows: [], events: [], jobs: 0 })
      }
    })
  )
})
