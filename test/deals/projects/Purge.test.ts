import * as UseCaseRequest from "../../../src/core/usecase/UseCaseRequest.ts"
import * as Id from "../../../src/core/Id.ts"
import * as Tenant from "../../support/Tenant.ts"
import { assert, layer } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
import { actAs } from "../../../src/core/auth/CurrentActor.ts"
import { Changes } from "../../../src/core/mutation/Changes.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import type { Json } from "../../../src/core/usecase/Input.ts"
import { ProjectLifecycle } from "../../../src/deals/lifecycle/ProjectLifecycle.ts"
import { Projects } from "../../../src/deals/projects/Projects.ts"
import { ProspectChanges } from "../../../src/deals/prospects/ProspectChanges.ts"
import { advance } from "../../support/advance.ts"
import { purgeProjects, purgeProspectTombstones } from "../../../workers/housekeeping.ts"
import { untilSettled } from "../../support/RecordsClient.ts"
import { serviceWithWorker } from "../../webhooks/fixture.ts"
import { uuidOf } from "./ProjectsClient.ts"

let begun = new Date("2026-11-21T09:00:00Z").getTime()

// Changes never go back in time, so each test has a time of its own.
const start = Effect.suspend(() => TestClock.setTime((begun += 200 * 86_400_000)))

const tidyUp = purgeProjects.run({})

const purgeTombstones = purgeProspectTombstones.run({})

const externalRefs = [{ namespace: "crm", externalId: "1" }]

/** A broker who calls use-cases. */
const aBroker = Effect.gen(function* () {
  yield* start
  const sql = yield* Database
  const projects = yield* Projects
  const lifecycle = yield* ProjectLifecycle
  const changes = yield* ProspectChanges
  const { teamId, userId } = yield* Tenant.make()
  const actor = Tenant.actorOf({ teamId, userId })
  const as = actAs(actor)
  const request = (body: Json = null) => UseCaseRequest.make({ operation: "test", query: {}, body })
  const count = (table: string, condition: string) =>
    Effect.map(
      Effect.orDie(sql<{ count: number }>`
        select count(*)::int as count from ${sql.literal(table)} where team_id = ${teamId} and ${sql.literal(condition)}`),
      ([row]) => row?.count
    )
  return {
    actor,
    teamId,
    made: as(
      Effect.suspend(() => projects.create(request({ name: "Tal", description: "Four warehouses", externalRefs })))
    ).pipe(Effect.map(({ value }) => value)),
    get: (id: string) => as(projects.get(id)),
    remove: (id: string) => as(lifecycle.delete(id, request())),
    restore: (id: string) => as(lifecycle.restore(id, request())),
    removeProspect: (id: string, prospect: string) =>
      as(changes.delete(id, Id.fromUuid("prospect", prospect), request())),
    /** The events on the timeline of a project. */
    events: (id: string) =>
      Effect.map(as(projects.actions(id, UseCaseRequest.make({ operation: "test", query: {} }))), ({ data }) =>
        data.map(({ event }) => event)
      ),
    tombstones: Effect.andThen(
      TestClock.withLive(untilSettled("projects")),
      Effect.map(
        as(
          Effect.suspend(() =>
            projects.list(
              UseCaseRequest.make({
                operation: "test",
                query: { updated_since: new Date(begun).toISOString(), include_deleted: true }
              })
            )
          )
        ),
        ({ data }) => data
      )
    ),
    /** The numbers of actions, timeline rows, prospects, tasks and references. */
    kept: Effect.all([
      count("actions", "true"),
      count("action_subjects", "true"),
      count("prospects", "true"),
      count("tasks", "true"),
      count("external_references", "true")
    ]),
    /** A prospect with a task, and a row on its timeline and on those of its project and of a contact. */
    withProspect: Effect.fnUntraced(function* (id: string) {
      const now = new Date(yield* Clock.currentTimeMillis)
      const [prospect, contact, task] = [randomUUID(), randomUUID(), randomUUID()]
      const audit = sql`${teamId}, 1, pg_current_xact_id(), ${now}, ${now}, 'created', 'api'`
      yield* sql`
        insert into prospects (id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, project_id,
          project_created_at, contact_id)
        values (${prospect}, ${audit}, ${uuidOf(id)}, ${now}, ${contact})`
      yield* sql`
        insert into tasks (id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, project_id, prospect_id,
          type, due_date, assignee_id, added_action_id)
        values (${task}, ${audit}, ${uuidOf(id)}, ${prospect}, 'call', '2026-12-01', ${userId}, ${task})`
      yield* sql`
        insert into external_references (team_id, resource_type, namespace, external_id, resource_id, position)
        values (${teamId}, 'prospect', 'crm', ${prospect}, ${prospect}, 0)`
      const changes = yield* Changes
      yield* changes.commit(actor, (change) =>
        Effect.sync(() => {
          const subjects = [
            { type: "prospect", id: prospect },
            { type: "project", id: uuidOf(id), rollUp: "prospect" }
          ] as const
          const row = (event: "prospect.created" | "file.uploaded") => ({ event, details: { kind: "audit" } }) as const
          const resource = { type: "prospect", id: prospect } as const
          change.record({ change: "created", resource, subjects, timeline: row("prospect.created") })
          const both = [...subjects, { type: "contact", id: contact } as const]
          change.record({ change: "created", resource, subjects: both, timeline: row("file.uploaded") })
        })
      )
      return { prospect }
    }),
    /** A teaser of a project, and one of a room of it. */
    withTeasers: Effect.fnUntraced(function* (id: string) {
      const now = new Date(yield* Clock.currentTimeMillis)
      const room = randomUUID()
      yield* sql`
        insert into rooms (id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, project_id, name, status,
          nda_required)
        values (${room}, ${teamId}, 1, pg_current_xact_id(), ${now}, ${now}, 'created', 'api', ${uuidOf(id)}, 'Room', 'open', false)`
      yield* sql`
        insert into teasers (subject_type, subject_id, team_id, version, created_at, updated_at, change_type, change_origin,
          options, title)
        select type, subject, ${teamId}, 1, ${now}, ${now}, 'created', 'api', '{}', ${id}
        from (values ('project', ${uuidOf(id)}::uuid), ('room', ${room}::uuid)) as subjects (type, subject)`
    })
  }
})

layer(serviceWithWorker)("The purge of projects", (it) => {
  it.effect("keeps a deleted project unchanged for 30 days", () =>
    Effect.gen(function* () {
      const { get, kept, made, remove, restore } = yield* aBroker
      const project = yield* made
      const before = yield* kept
      yield* remove(project.id)
      yield* advance("29 days")
      yield* tidyUp
      const restored = yield* restore(project.id)
      assert.deepInclude(restored, {
        name: "Tal",
        description: "Four warehouses",
        externalRefs,
        changeType: "restored"
      })
      assert.deepStrictEqual(yield* get(project.id), restored)
      const [actions = 0, rows = 0, ...others] = before
      assert.deepStrictEqual(yield* kept, [actions + 2, rows + 2, ...others])
    })
  )

  it.effect("does not matter for restores: after 30 days there are none", () =>
    Effect.gen(function* () {
      const { made, remove, restore } = yield* aBroker
      const { id } = yield* made
      yield* remove(id)
      yield* advance("31 days")
      assert.strictEqual((yield* Effect.flip(restore(id)))._tag, "NotFound")
      yield* tidyUp
      assert.strictEqual((yield* Effect.flip(restore(id)))._tag, "NotFound")
    })
  )

  it.effect(
    "removes everything that belonged to the project, and nothing of others; the tombstone stays for 90 days",
    () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const { get, kept, made, remove, tombstones, withProspect, withTeasers } = yield* aBroker
        const gone = yield* made
        yield* withProspect(gone.id)
        yield* withProspect(gone.id)
        yield* withTeasers(gone.id)
        yield* remove(gone.id)
        const stays = yield* made
        yield* withProspect(stays.id)
        yield* withTeasers(stays.id)
        const [tombstone] = yield* tombstones
        assert.deepInclude(tombstone, { id: gone.id, changeType: "deleted", externalRefs })
        yield* advance("31 days")
        yield* tidyUp
        // Of the first, the two rows on contacts; of the second, its own row, and two on three and two timelines.
        assert.deepStrictEqual(yield* kept, [2 + 3, 2 + 6, 1, 1, 2])
        assert.strictEqual((yield* get(stays.id)).name, "Tal")
        assert.deepStrictEqual((yield* tombstones)[0], tombstone)
        const teasers = yield* sql<{ readonly title: string }>`
          select title from teasers where title in (${gone.id}, ${stays.id})`
        assert.deepStrictEqual(
          teasers.map(({ title }) => title),
          [stays.id, stays.id]
        )
        assert.deepStrictEqual(
          yield* sql`select name, description, is_portfolio, version::int, purged_at from projects where id = ${uuidOf(gone.id)}`,
          [
            {
              name: null,
              description: null,
              is_portfolio: null,
              version: 2,
              purged_at: new Date(begun + 31 * 86_400_000)
            }
          ]
        )
        yield* advance("60 days")
        yield* tidyUp
        assert.deepStrictEqual(yield* sql`select id from projects where id = ${uuidOf(gone.id)}`, [])
        assert.strictEqual((yield* get(stays.id)).name, "Tal")
      })
  )

  it.effect("continues where a run was interrupted, and the project cannot be restored in between", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { purgeContent } = yield* ProjectLifecycle
      const { kept, made, remove, restore, withProspect } = yield* aBroker
      const { id } = yield* made
      for (let count = 0; count < 3; count++) yield* withProspect(id)
      yield* remove(id)
      yield* advance("31 days")
      const isPurged = Effect.map(
        sql<{ done: boolean }>`select purged_at is not null as done from projects where id = ${uuidOf(id)}`,
        ([row]) => row?.done
      )
      // Step by step, as if each run had been interrupted after one step.
      const before = yield* kept
      const steps: Array<ReadonlyArray<number | undefined>> = []
      while (!(yield* isPurged)) {
        assert.isAtLeast(yield* purgeContent(1), 1)
        assert.strictEqual((yield* Effect.flip(restore(id)))._tag, "NotFound")
        steps.push(yield* kept)
        if (steps.length === 4) break
      }
      const sum = (rows: ReadonlyArray<number | undefined>) => rows.reduce((all: number, one) => all + (one ?? 0), 0)
      assert.isBelow(sum(steps.at(-1) ?? []), sum(before))
      assert.isAbove(sum(steps.at(-1) ?? []), 6)
      assert.isFalse(yield* isPurged)
      yield* tidyUp
      assert.isTrue(yield* isPurged)
      // The rows that stand on contacts too.
      assert.deepStrictEqual(yield* kept, [3, 3, 0, 0, 0])
    })
  )

  it.effect("removes prospects that were deleted long before their project", () =>
    Effect.gen(function* () {
      const { events, kept, made, remove, removeProspect, withProspect } = yield* aBroker
      const { id } = yield* made
      const { prospect } = yield* withProspect(id)
      yield* removeProspect(id, prospect)
      const rowsBefore = yield* events(id)
      assert.sameMembers(rowsBefore, ["project.created", "prospect.created", "file.uploaded", "prospect.deleted"])
      const [actions, rows = 0] = yield* kept
      yield* advance("91 days")
      yield* purgeTombstones
      // They stay on the timeline of the living project; no row is left on a purged timeline.
      assert.deepStrictEqual(yield* kept, [actions, rows - 3, 0, 0, 1])
      assert.deepStrictEqual(yield* events(id), rowsBefore)
      yield* remove(id)
      yield* advance("31 days")
      yield* tidyUp
      // The row that stands on a contact too.
      assert.deepStrictEqual(yield* kept, [1, 1, 0, 0, 0])
    })
  )

  it.effect("of prospects continues where a run was interrupted, and keeps their tombstones until then", () =>
    Effect.gen(function* () {
      const { purge } = yield* ProspectChanges
      const { kept, made, removeProspect, withProspect } = yield* aBroker
      const { id } = yield* made
      yield* purgeTombstones
      for (let count = 0; count < 2; count++) yield* removeProspect(id, (yield* withProspect(id)).prospect)
      const [, rows = 0] = yield* kept
      yield* advance("89 days")
      assert.strictEqual(yield* purge(4), 0)
      yield* advance("2 days")
      const steps: Array<number> = []
      const left: Array<number | undefined> = []
      for (let step = yield* purge(4); step > 0; step = yield* purge(4)) {
        steps.push(step)
        left.push((yield* kept)[2])
      }
      assert.deepStrictEqual(steps, [4, 2, 2])
      assert.deepStrictEqual(left, [2, 2, 0])
      assert.strictEqual((yield* kept)[1], rows - 6)
    })
  )

  it.effect("keeps a project that was restored and deleted again later", () =>
    Effect.gen(function* () {
      const { made, remove, restore } = yield* aBroker
      const { id } = yield* made
      yield* remove(id)
      yield* advance("29 days")
      yield* restore(id)
      yield* remove(id)
      yield* advance("29 days")
      yield* tidyUp
      assert.strictEqual((yield* restore(id)).name, "Tal")
    })
  )
})
