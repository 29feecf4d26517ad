/** The statements and plans of a list of five thousand questions, with each filter, among those of other rooms. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../../../src/platform/db/Database.ts"
import * as Id from "../../../../src/core/Id.ts"
import { bulkLoad, readsOf, serviceOnSharedServer, statementsOf } from "../../../support/Statements.ts"
import { make } from "./fixture.ts"

/** 5,000 questions of the room, and 3,000 of each of ten other rooms of the project. */
const fill = Effect.fnUntraced(function* (teamId: string, projectId: string, roomUuid: string, userId: string) {
  const sql = yield* Database
  const projectUuid = Id.toUuid("project", projectId) ?? ""
  return yield* bulkLoad(
    ["rooms", "questions"],
    Effect.gen(function* () {
      yield* sql`
        insert into rooms (
          id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, project_id, name, status, nda_required
        )
        select gen_random_uuid(), ${teamId}, 1, pg_current_xact_id(), now(), now(), 'created', 'app', ${projectUuid}, 'Other ' || n, 'open', false
        from generate_series(1, 10) n`
      yield* sql`
        insert into questions (
          id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, project_id, room_id, number, text,
          category, priority, state, assignee_id, due_at
        )
        select gen_random_uuid(), ${teamId}, 1, pg_current_xact_id(), now() - n * interval '1 minute',
          now() - (n * 7919 % 5000) * interval '1 minute', 'created', 'app', ${projectUuid}, rooms.id, n, 'Question ' || n,
          case when n % 500 = 0 then 'tax' else 'other' end, case when n % 400 = 0 then 'urgent' else 'normal' end,
          case when n % 50 = 0 then 'open' when n % 50 = 1 then 'drafted' else 'answered' end,
          case when n % 300 = 0 then ${userId}::uuid end, now() + (n % 100 - 50) * interval '1 day'
        from rooms, generate_series(1, case when rooms.id = ${roomUuid} then 5000 else 3000 end) n`
    })
  )
})

const filters: ReadonlyArray<readonly [filter: string, maxRows: number]> = [
  ["", 101],
  ["&status=open", 250],
  ["&overdue=true", 250],
  ["&overdue=true&assignee=none&category=other", 250],
  ["&category=tax", 5_000],
  ["&priority=urgent&assignee=me", 5_000],
  ["&updated_since=2020-01-01", 101],
  ["&updated_since=2020-01-01&status=answered", 110]
]

layer(serviceOnSharedServer, { excludeTestServices: true, timeout: 60_000 })("A list of 5,000 questions", (it) => {
  it.effect("is read by the indexes of its room, in the same number of statements with each filter", () =>
    Effect.gen(function* () {
      const { list, projectId, roomUuid, teamId, userId } = yield* make()
      yield* fill(teamId, projectId, roomUuid, userId)
      for (const [filter, maxRows] of filters) {
        const { reply, statements } = yield* statementsOf(list(`?page_size=100${filter}`))
        assert.strictEqual(reply.status, 200, filter)
        // The caller, the project, the room, the page.
        assert.lengthOf(statements, 4, filter)
        const reads = (yield* Effect.forEach(statements, (one) => readsOf(one, ["questions"]))).flat()
        assert.isNotEmpty(reads)
        for (const { by, rows } of reads) {
          assert.notMatch(by, /Seq Scan/, filter)
          assert.isAtMost(rows, maxRows, `${filter}: ${by}`)
        }
      }
    })
  )
})
