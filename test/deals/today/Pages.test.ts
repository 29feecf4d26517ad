/** The page of a broker's day, and that the pages of deals send as many statements for many investors as for few. */
import * as Statements from "../../support/Statements.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../../src/platform/db/Database.ts"
import { actAs } from "../../../src/core/auth/CurrentActor.ts"
import { ProspectChanges } from "../../../src/deals/prospects/ProspectChanges.ts"
import { ProspectWrites } from "../../../src/deals/prospects/ProspectWrites.ts"
import { Changes } from "../../../src/core/mutation/Changes.ts"
import { Tasks } from "../../../src/deals/prospects/tasks/Tasks.ts"
import { accept, reject } from "../../../src/deals/prospects/rules.ts"
import * as Id from "../../../src/core/Id.ts"
import { asked, broker } from "../console.ts"

layer(Statements.serviceOnSharedServer, { excludeTestServices: true })("A broker's day", (it) => {
  it.effect("has the tasks that are due, answers, and what others did since the last visit", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const me = yield* broker
      const { id } = yield* me.project("Speicher <Nord>")
      const [rossi = "", haugen = ""] = yield* me.prospects(id, ["Rossi", "Haugen"])
      const [tasks, changes] = [yield* Tasks, yield* ProspectChanges]
      yield* me.as(tasks.create(id, rossi, asked({ type: "call", dueDate: "2020-01-31", note: "Ask <them>" })))
      yield* me.as(tasks.create(id, haugen, asked({ type: "meeting", dueDate: "today" })))
      yield* me.as(tasks.create(id, haugen, asked({ type: "email", dueDate: "7d" })))
      const first = (yield* me.read("/today")).text
      assert.match(first, /Overdue[\s\S]*Rossi[\s\S]*Ask &lt;them&gt;[\s\S]*Due today[\s\S]*Haugen/)
      assert.notInclude(first, "E-mail,")
      assert.include(first, "Nothing happened since.", "what one did oneself is no news")
      const system = { ...me.actor, userId: null }
      yield* actAs(system)(changes.patch(id, haugen, asked({ stage: "data_room" })))
      const { commit } = yield* Changes
      const { updateOnList } = yield* ProspectWrites
      const ref = { uuid: Id.toUuid("prospect", rossi) ?? "", projectUuid: Id.toUuid("project", id) ?? "" }
      yield* commit(system, (change) =>
        updateOnList(change, ref, (state) => Effect.succeed({ ...accept(state), value: undefined }))
      )
      const other = { ...ref, uuid: Id.toUuid("prospect", haugen) ?? "" }
      yield* commit(system, (change) =>
        updateOnList(change, other, (state) => Effect.succeed({ ...reject(state, "Too <small>"), value: undefined }))
      )
      for (const look of ["a start page", "another one, since the first is no visit"]) {
        assert.match((yield* me.read("")).text, /today#answers">New answers of investors<[\s\S]*?>2</, look)
      }
      const second = (yield* me.read("/today")).text
      assert.match(second, />Haugen<\/a><\/strong> was rejected<\/p>\s*<div class="text">Too &lt;small&gt;</)
      assert.match(second, /New answers[\s\S]*The offer to <strong><a [^>]*>Rossi<\/a><\/strong> was accepted/)
      assert.match(second, /The system<\/strong> moved <strong><a [^>]*>Haugen<\/a><\/strong> to Data room/)
      const done = yield* me.submit(
        second,
        `/projects/${id}/prospects/${rossi}/tasks/${/complete-(task_\w+)/.exec(second)?.[1]}/complete`
      )
      assert.include(done.text, "The task is done.")
      yield* sql`update memberships set visited_at = now() - interval '1 hour', changes_since = now() - interval '1 day'
        where user_id = ${me.actor.userId}`
      yield* sql`update actions set occurred_at = occurred_at - interval '2 hours' where team_id = ${me.actor.teamId}`
      yield* sql`update action_subjects set occurred_at = occurred_at - interval '2 hours' where team_id = ${me.actor.teamId}`
      assert.notInclude((yield* me.read("")).text, "New answers of investors", "what one has seen is not new")
      const third = (yield* me.read("/today")).text
      assert.include(third, "Nobody answered since.")
      assert.include(third, "Nothing happened since.")
    })
  )

  it.effect("and lists of prospects cost as many statements for thirty as for three", () =>
    Effect.gen(function* () {
      const me = yield* broker
      const { id } = yield* me.project("Speicher")
      const ids = yield* me.prospects(id, ["A", "B", "C"])
      const tasks = yield* Tasks
      const paths = [
        "/today",
        `/projects/${id}/prospects?open=${ids[0]}`,
        `/projects/${id}/prospects/board`,
        `/projects/${id}`
      ]
      const counts = Effect.forEach(paths, (path) =>
        Effect.map(Statements.statementsOf(me.read(path)), ({ statements }) => statements.length)
      )
      yield* me.as(tasks.create(id, ids[0] ?? "", asked({ type: "call", dueDate: "today" })))
      yield* counts
      const few = yield* counts
      const more = yield* me.prospects(
        id,
        Array.from({ length: 27 }, (_, index) => `No ${index}`)
      )
      yield* Effect.forEach(more.slice(0, 3), (one) =>
        me.as(tasks.create(id, one, asked({ type: "call", dueDate: "2020-01-01" })))
      )
      const many = yield* counts
      many.forEach((count, index) => assert.isAtMost(count, few[index] ?? 0, paths[index]))
      for (const count of few) assert.isBelow(count, 32)
    })
  )
})
