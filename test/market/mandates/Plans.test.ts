/** The statements and plans of a search among 60,000 mandates, by the index of places and by walking. */
import * as Id from "../../../src/core/Id.ts"
import * as RecordsClient from "../../support/RecordsClient.ts"
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { Database } from "../../../src/platform/db/Database.ts"
import { maxIndexed, maxWalked } from "../../../src/market/mandates/Mandates.ts"
import { bulkLoad, readsOf, service, statementsOf } from "../../support/Statements.ts"

const tables = ["mandates", "mandate_boxes"]

/** Circles of 1 km on a grid of 0.05°, row by row from the south-west: 200 by 200 of the team, half as many of another one. */
const fill = Effect.fnUntraced(function* (teamId: string, otherId: string) {
  const sql = yield* Database
  yield* bulkLoad(
    tables,
    Effect.gen(function* () {
      yield* sql`
        insert into mandates (
          id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, name, status, near, radius
        )
        select new_uuid_v7(at), team_id, 1, pg_current_xact_id(), at, at, 'created', 'api', 'No ' || n, 'active',
          jsonb_build_object('latitude', 40 + 0.05 * (n / 200), 'longitude', 0.05 * (n % 200)), 1000
        from (values (${teamId}::uuid, 40000), (${otherId}::uuid, 20000)) as teams (team_id, size),
          generate_series(0, size - 1) n, lateral (select now() - (100000 - n) * interval '1 minute' as at) as times
        order by at`
      yield* sql`
        insert into mandate_boxes (team_id, mandate_id, box)
        select team_id, id, box(point(x - 120000, y - 90000), point(x + 120000, y + 90000))
        from mandates, lateral (
          select 1e7 * (near->>'longitude')::float8 as x, 1e7 * (near->>'latitude')::float8 as y
        ) as center`
    })
  )
})

/** A service whose clock stands still, because a page of a search ends early where the machine is busy. */
const untimed = service.pipe(
  Layer.provide(
    Layer.effect(
      Clock.Clock,
      Effect.map(Clock.Clock, (real) =>
        Object.assign(Object.create(real) as typeof real, { currentTimeMillis: Effect.succeed(Date.now()) })
      )
    )
  )
)

layer(untimed, { excludeTestServices: true, timeout: 120_000 })("A search among 60,000 mandates", (it) => {
  it.effect("reads what is near by the index of places, and walks where too much is, in few bounded statements", () =>
    Effect.gen(function* () {
      const { mandates, request, teamId, token } = yield* RecordsClient.make()
      const other = yield* RecordsClient.make()
      yield* fill(teamId, other.teamId)
      assert.strictEqual((yield* mandates.list("?page_size=1")).body.data.length, 1)

      const search = Effect.fnUntraced(function* (radius: number, cursor?: string | null) {
        const json = { near: { latitude: 45.01, longitude: 5.01 }, radius, ...(cursor === undefined ? {} : { cursor }) }
        const { reply, statements } = yield* statementsOf(
          request<{
            readonly data: ReadonlyArray<{ readonly id: string }>
            readonly page: { readonly nextCursor: string | null }
          }>("POST", "/api/v1/mandates/search", { token, json })
        )
        assert.strictEqual(reply.status, 200, reply.text)
        const reads = yield* Effect.forEach(statements, (statement) => readsOf(statement, tables))
        return {
          ...reply.body,
          reads: reads.flat(),
          scans: statements.filter(({ text }) => text.includes("too_many")).length
        }
      })
      const sum = (reads: ReadonlyArray<{ readonly by: string; readonly rows: number }>, by: string) =>
        reads.filter((read) => read.by.includes(by)).reduce((all, { rows }) => all + rows, 0)
      const byPlace = "of mandate_boxes by mandate_boxes_by_place"
      const byMandate = "of mandate_boxes by mandate_boxes_by_mandate"

      // A scan that walks reads its boxes once more to learn where it ends.
      const walked = 2 * maxWalked + 1
      const town = yield* search(10_000)
      assert.isAbove(town.data.length, 10)
      assert.isBelow(sum(town.reads, byPlace), 50)
      assert.isAtMost(sum(town.reads, byMandate), walked)
      assert.isBelow(sum(town.reads, "of mandates"), 100)
      assert.strictEqual(town.scans, 2)

      const region = yield* search(100_000)
      assert.strictEqual(region.data.length, 50)
      assert.isBelow(sum(region.reads, byPlace), 5_000)
      assert.isAtMost(sum(region.reads, byMandate), walked)
      assert.isBelow(sum(region.reads, "of mandates"), 500)

      const country = yield* search(450_000)
      assert.strictEqual(country.data.length, 50)
      assert.isAtMost(sum(country.reads, byPlace), maxIndexed + 1)
      assert.isAtMost(sum(country.reads, byMandate), walked * country.scans)
      assert.isBelow(sum(country.reads, "of mandates"), 1_000)
      const next = yield* search(450_000, country.page.nextCursor)
      assert.strictEqual(next.data.length, 50)
      assert.strictEqual(sum(next.reads, byPlace), 0)
      const uuidOf = (id = "") => Id.toUuid("mandate", id) ?? ""
      assert.isTrue(uuidOf(next.data[0]?.id) > uuidOf(country.data[49]?.id))
      for (const { by } of [...town.reads, ...region.reads, ...country.reads, ...next.reads]) {
        assert.notMatch(by, /^Seq Scan/)
      }
    })
  )
})
