import * as App from "../../../../src/App.ts"
import * as UseCaseRequest from "../../../../src/core/usecase/UseCaseRequest.ts"
import * as Tenant from "../../../support/Tenant.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Layer } from "effect"
import { TestClock } from "effect/testing"
import { actAs } from "../../../../src/core/auth/CurrentActor.ts"
import { ChangeClock } from "../../../../src/core/mutation/Changes.ts"
import { Database } from "../../../../src/platform/db/Database.ts"
import type { Json } from "../../../../src/core/usecase/Input.ts"
import { Jobs } from "../../../../src/platform/jobs/Jobs.ts"
import { Contacts } from "../../../../src/network/contacts/Contacts.ts"
import { Projects } from "../../../../src/deals/projects/Projects.ts"
import { ProspectBatches } from "../../../../src/deals/prospects/ProspectBatches.ts"
import { ProspectChanges } from "../../../../src/deals/prospects/ProspectChanges.ts"
import type { ProspectListQuery } from "../../../../src/deals/prospects/Prospect.ts"
import { Prospects } from "../../../../src/deals/prospects/Prospects.ts"
import type { TaskMove } from "../../../../src/deals/prospects/tasks/Task.ts"
import { Tasks } from "../../../../src/deals/prospects/tasks/Tasks.ts"
import { markOverdueProspects } from "../../../../workers/handlers.ts"
import { actorOf } from "../../../support/Tenant.ts"
import { untilSettled } from "../../../support/RecordsClient.ts"
import { TestDatabase } from "../../../support/TestDatabase.ts"
import { options } from "../../../support/TestService.ts"

const fixture = App.layer(options).pipe(
  Layer.provideMerge(Jobs.layerMemory),
  Layer.provideMerge(TestDatabase.layer),
  Layer.provideMerge(Layer.succeed(ChangeClock, "application"))
)

const at = (moment: string) => TestClock.setTime(Date.parse(moment))

/** A tenant with a project, on the test's clock. */
const make = Effect.fnUntraced(function* () {
  const contacts = yield* Contacts
  const batches = yield* ProspectBatches
  const prospects = yield* Prospects
  const changes = yield* ProspectChanges
  const tasks = yield* Tasks
  const tenant = yield* Tenant.make()
  const as = actAs(actorOf(tenant))
  const request = (operation: string, body: Json = {}) => UseCaseRequest.make({ operation, query: {}, body })
  const projects = yield* Projects
  const { value: project } = yield* as(projects.create(request("POST projects", { name: "Harbour Park" })))
  const list = (query: ProspectListQuery) =>
    as(Effect.map(prospects.list(project.id, { query: Effect.succeed(query) }), ({ data }) => data))
  const aProspect = Effect.fnUntraced(function* () {
    const { value: contact } = yield* as(contacts.create(request("POST contacts", { firstName: "Maria" })))
    const {
      value: { id }
    } = yield* as(batches.add(project.id, request("POST prospects", { contactId: contact.id })))
    return {
      id,
      read: as(prospects.get(project.id, id)),
      remove: as(changes.removeFromList(project.id, id, request("POST remove"))),
      tasks: as(Effect.map(tasks.list(project.id, id, { query: Effect.succeed({}) }), ({ data }) => data)),
      task: (taskId: string) => as(tasks.get(project.id, id, taskId)),
      add: (dueDate: string) =>
        as(
          Effect.map(
            tasks.create(project.id, id, request("POST tasks", { type: "call", dueDate })),
            ({ value }) => value
          )
        ),
      move: (taskId: string, move: TaskMove) => as(tasks.move(project.id, id, taskId, move, request("POST move")))
    }
  })
  return {
    ...tenant,
    aProspect,
    due: (task_due: "overdue" | "today" | "this_week") =>
      Effect.map(list({ task_due }), (data) => data.map(({ id }) => id)),
    /** The prospects of a delta, tombstones included. */
    delta: (updated_since: string) =>
      Effect.andThen(TestClock.withLive(untilSettled("prospects")), list({ updated_since, include_deleted: true }))
  }
})

const job = markOverdueProspects.run({ _cron: { ts: "2026-11-28T00:00:00.000Z", backfilled: false } })

layer(fixture)("As days pass, a follow-up task", (it) => {
  it.effect("is due on a day in UTC, counted from the day of its creation", () =>
    Effect.gen(function* () {
      yield* at("2026-11-21T23:59:59.999Z")
      const { aProspect } = yield* make()
      const { add } = yield* aProspect()
      const days = Effect.forEach(["today", "tomorrow", "7d", "2026-11-20", "2026-11-21T23:30:00-02:00"], (dueDate) =>
        Effect.map(add(dueDate), ({ dueDateUtc, overdue }) => `${dueDateUtc.slice(5, 10)}${overdue ? " overdue" : ""}`)
      )
      assert.deepStrictEqual(yield* days, ["11-21", "11-22", "11-28", "11-20 overdue", "11-21"])
      yield* at("2026-11-22T00:00:00.000Z")
      assert.deepStrictEqual(yield* days, ["11-22", "11-23", "11-29", "11-20 overdue", "11-21 overdue"])
    })
  )

  it.effect("becomes overdue at midnight with a new ETag, and is in deltas after the job", () =>
    Effect.gen(function* () {
      yield* at("2026-11-27T12:00:00.000Z")
      const { aProspect, delta, due } = yield* make()
      const { add, id, read, task } = yield* aProspect()
      const made = yield* add("tomorrow")
      yield* at("2026-11-28T23:59:59.999Z")
      const before = yield* read
      yield* job
      assert.deepStrictEqual(yield* read, before)
      assert.deepStrictEqual([before.nextTask?.overdue, yield* due("today"), yield* due("overdue")], [false, [id], []])
      const seen = before.updatedUtc

      yield* at("2026-11-29T00:00:00.000Z")
      const turned = yield* read
      assert.deepStrictEqual(turned, {
        ...before,
        ...(before.nextTask === undefined ? {} : { nextTask: { ...before.nextTask, overdue: true } }),
        etag: before.etag.replace(/"$/, '-overdue"')
      })
      assert.deepStrictEqual([yield* due("today"), yield* due("overdue"), yield* due("this_week")], [[], [id], []])
      const late = yield* task(made.id)
      assert.deepStrictEqual(late, { ...made, overdue: true, etag: '"v1-overdue"' })

      yield* at("2026-11-29T00:00:05.000Z")
      yield* job
      const written = yield* read
      assert.deepStrictEqual(written, {
        ...turned,
        etag: written.etag,
        updatedUtc: "2026-11-29T00:00:05.000Z",
        changeOrigin: "system"
      })
      assert.notInclude([before.etag, turned.etag], written.etag)
      assert.deepStrictEqual(
        (yield* delta(seen)).filter(({ updatedUtc }) => updatedUtc > seen),
        [written]
      )
      yield* at("2026-11-29T01:00:00.000Z")
      yield* job
      assert.deepStrictEqual(yield* read, written)
    })
  )

  it.effect("is not overdue once it is completed, and the next task counts", () =>
    Effect.gen(function* () {
      yield* at("2026-12-01T12:00:00.000Z")
      const { aProspect, due } = yield* make()
      const { add, id, move, read, tasks } = yield* aProspect()
      const first = yield* add("today")
      const second = yield* add("2d")
      yield* at("2026-12-03T12:00:00.000Z")
      assert.deepStrictEqual((yield* read).nextTask?.overdue, true)
      assert.deepStrictEqual(
        (yield* tasks).map(({ overdue }) => overdue),
        [true, false]
      )
      yield* move(first.id, "complete")
      const after = yield* read
      assert.deepStrictEqual([after.nextTask?.id, after.nextTask?.overdue, after.openTaskCount], [second.id, false, 1])
      assert.deepStrictEqual(
        (yield* tasks).map(({ overdue }) => overdue),
        [false, false]
      )
      assert.deepStrictEqual(yield* due("overdue"), [])
      yield* move(first.id, "reopen")
      const again = yield* read
      assert.deepStrictEqual([again.nextTask?.id, again.nextTask?.overdue], [first.id, true])
      yield* job
      // A prospect that was written while its task was overdue is not written again.
      assert.deepStrictEqual(yield* read, again)
      assert.deepStrictEqual(yield* due("overdue"), [id])
    })
  )

  it.effect("of a team whose prospects cannot be written stops no other team, and is marked once they can", () =>
    Effect.gen(function* () {
      yield* at("2026-12-05T12:00:00.000Z")
      const sql = yield* Database
      const [broken, sound] = [yield* make(), yield* make()]
      const [stuck, free] = [yield* broken.aProspect(), yield* sound.aProspect()]
      // Due before that of the other team, so that it is found first.
      yield* stuck.add("2026-12-05")
      yield* free.add("2026-12-06")
      yield* sql`
        create function refuse() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$`
      yield* sql.unsafe(`
        create trigger refused before update on prospects for each row
        when (new.team_id = '${broken.teamId}') execute function refuse()`)
      yield* at("2026-12-07T00:00:00.000Z")
      const { markOverdue } = yield* ProspectChanges
      const updated = Effect.map(Effect.all([stuck.read, free.read]), (all) => all.map(({ updatedUtc }) => updatedUtc))
      const [before = ""] = yield* updated
      assert.strictEqual(yield* markOverdue(1), 1)
      assert.deepStrictEqual(yield* updated, [before, "2026-12-07T00:00:00.000Z"])
      assert.isTrue(Exit.isFailure(yield* Effect.exit(job)))
      yield* sql`drop trigger refused on prospects`
      yield* job
      assert.deepStrictEqual(yield* updated, ["2026-12-07T00:00:00.000Z", "2026-12-07T00:00:00.000Z"])
    })
  )

  it.effect("updates its prospect without a timeline row, an event or a job, for all teams, in small steps", () =>
    Effect.gen(function* () {
      yield* at("2026-12-10T12:00:00.000Z")
      const sql = yield* Database
      const { markOverdue } = yield* ProspectChanges
      const [one, other] = [yield* make(), yield* make()]
      const prospects = yield* Effect.forEach([one, one, one, other], ({ aProspect }) => aProspect())
      for (const { add } of prospects) yield* add("today")
      yield* prospects[1]?.remove ?? Effect.void
      const traces = sql`select (select count(*) from actions) as actions, (select count(*) from events) as events, (select count(*) from fan_outs) as fan_outs`
      const before = yield* traces
      yield* at("2026-12-11T00:00:00.000Z")
      assert.deepStrictEqual([yield* markOverdue(3), yield* markOverdue(3), yield* markOverdue(3)], [3, 1, 0])
      assert.deepStrictEqual(yield* traces, before)
      for (const { read } of prospects) {
        const { changeOrigin, changeType, updatedUtc } = yield* read
        assert.deepStrictEqual(
          [changeOrigin, changeType, updatedUtc],
          ["system", "updated", "2026-12-11T00:00:00.000Z"]
        )
      }
      const changed = yield* one.delta("2026-12-11")
      assert.sameMembers(
        changed.map(({ changeType }) => changeType),
        ["updated", "deleted", "updated"]
      )
    })
  )
})
