/** The statements of matches among many records, and how they read these. */
import * as Agent from "../../support/Agent.ts"
import * as Tenant from "../../support/Tenant.ts"
import * as MatchesClient from "./MatchesClient.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../../src/platform/db/Database.ts"
import { encodeArea } from "../../../src/market/mandates/geography/Area.ts"
import { areaOf } from "../../../src/market/mandates/geography/Geography.ts"
import { bulkLoad, readsOf, service, statementsOf } from "../../support/Statements.ts"

const count = 30_000

const crowd = 11_000

const rectangle = (west: number, south: number, east: number, north: number) => ({
  type: "Polygon",
  coordinates: [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south]
    ]
  ]
})

// What stands for the outlines of all circles.
const outline = encodeArea(areaOf(rectangle(11, 48, 12, 49)))

/**
 * Of both teams, in turns: mandates for circles of 10 to 100 km all over Europe, one in fifty for Germany, and as many properties, one
 * in fifty without a place.
 */
const fill = Effect.fnUntraced(function* (teamId: string, otherId: string) {
  const sql = yield* Database
  const circles = sql`
    select n, team_id, ('01900000-0000-7000-' || side || '-' || lpad(to_hex(n), 12, '0'))::uuid as id,
      now() - n * interval '1 minute' as created_at,
      -9 + (n * 7919 % 38000) / 1000.0 as longitude, 36 + (n * 104729 % 24000) / 1000.0 as latitude
    from generate_series(1, ${count}::bigint) n,
      (values (${teamId}::uuid, '8000'), (${otherId}::uuid, '9000')) as teams (team_id, side)`
  yield* bulkLoad(
    ["mandates", "mandate_boxes", "properties"],
    Effect.gen(function* () {
      yield* sql`
        insert into mandates (id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, name, status, country,
          geography, near, radius, categories)
        select id, team_id, 1, pg_current_xact_id(), created_at, created_at, 'created', 'api', 'Mandate ' || n, 'active',
          case when n % 50 = 0 then 'DE' end,
          case when n % 50 <> 0 then ${outline}::bytea end,
          case when n % 50 <> 0 then json_build_object('longitude', longitude, 'latitude', latitude) end,
          case when n % 50 <> 0 then 10000 + n % 10 * 10000 end,
          case when n % 3 = 0 then array['hotel'] else '{}' end
        from (${circles}) as circles`
      yield* sql`
        insert into mandate_boxes (team_id, mandate_id, box)
        select team_id, id, case
          when n % 50 = 0 then box(point(58e6, 472e6), point(151e6, 551e6))
          else box(
            point((longitude - radius) * 1e7, (latitude - radius) * 1e7),
            point((longitude + radius) * 1e7, (latitude + radius) * 1e7)
          ) end
        from (select *, 0.1 + n % 10 * 0.1 as radius from (${circles}) as circles) as circles`
      // More in one place than the index of places may find.
      yield* sql`
        insert into mandates (id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, name, status, geography, near,
          radius)
        select ('01900000-0000-7000-a000-' || lpad(to_hex(n), 12, '0'))::uuid, ${teamId}, 1, pg_current_xact_id(), now() - n * interval '1 second', now(),
          'created', 'api', 'Crowded ' || n, 'active', ${outline}::bytea, '{"longitude": 20, "latitude": 65}', 10000
        from generate_series(1, ${crowd}::bigint) n`
      yield* sql`
        insert into mandate_boxes (team_id, mandate_id, box)
        select team_id, id, box(point(198e6, 649e6), point(202e6, 651e6)) from mandates where name like 'Crowded %'`
      yield* sql`
        insert into properties (id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, name, coordinates, country)
        select id, team_id, 1, pg_current_xact_id(), created_at, created_at, 'created', 'api', 'Property ' || n,
          case when n % 50 <> 0 then json_build_object('longitude', longitude, 'latitude', latitude) end,
          case when n % 50 = 0 then 'DE' end
        from (${circles}) as circles`
    })
  )
})

layer(service, { excludeTestServices: true, timeout: 120_000 })("Matches among 30,000 records", (it) => {
  it.effect("are found by indexes, in a constant number of statements, and few records are looked at", () =>
    Effect.gen(function* () {
      const { mandate, matches, property, teamId, token } = yield* MatchesClient.make()
      yield* fill(teamId, (yield* Tenant.make()).teamId)
      const [lat, lon] = [48.14, 11.53]
      const here = yield* property({ coordinates: { latitude: lat, longitude: lon } })
      const crowded = yield* property({ coordinates: { latitude: 65, longitude: 20 } })
      const unplaced = yield* property()
      const german = yield* property({ country: "DE" })
      const area = yield* mandate({ near: { latitude: lat, longitude: lon }, radius: 60_000 })
      const germany = yield* mandate({ country: "DE" })
      const europe = yield* mandate({ geography: rectangle(-9, 36, 29, 60) })
      const anywhere = yield* mandate()
      for (const [kind, id, table, most, isComplete] of [
        ["properties", here, "mandates", 3_500, true],
        ["properties", german, "mandates", 15_000, true],
        // More than are compared: of these, the newest ones are.
        ["properties", crowded, "mandates", 45_000, false],
        ["properties", unplaced, "mandates", 25_000, false],
        ["mandates", area, "properties", 3_500, true],
        ["mandates", germany, "properties", 15_000, true],
        ["mandates", europe, "properties", 45_000, false],
        ["mandates", anywhere, "properties", 25_000, false]
      ] as const) {
        const pages = yield* Effect.forEach(["?page_size=500", "?min_score=0&page_size=10"], (query) =>
          statementsOf(matches(kind, id, query))
        )
        for (const { reply, statements } of pages) {
          assert.strictEqual(reply.status, 200)
          assert.isAtLeast(reply.body.data.length, 10, `${kind} ${id}`)
          assert.strictEqual(reply.body.isComplete, isComplete, `${kind} ${id}`)
          // The caller, the record, the candidates, once more where the best did not fill the page, at most four readings of areas, and the
          // records of the page.
          assert.isAtMost(statements.length, kind === "properties" ? 9 : 6)
          const reads = (yield* Effect.forEach(statements, (one) => readsOf(one, [table, "mandate_boxes"]))).flat()
          assert.isAbove(reads.length, 0)
          for (const { by } of reads) assert.match(by, /Index|Bitmap/, `${kind} ${id}`)
          const looked = reads.reduce((sum, { rows }) => sum + rows, 0)
          assert.isBelow(looked, most, `${kind} ${id}: ${JSON.stringify(reads)}`)
        }
      }
      // Agents learn so, too.
      const agent = yield* Agent.make(token)
      for (const [tool, args, isComplete] of [
        ["match_property", { property: crowded }, false],
        ["match_property", { property: here }, true],
        ["match_mandate", { mandate: anywhere }, false]
      ] as const) {
        const { structured } = yield* agent.call(tool, args)
        assert.strictEqual(structured["isComplete"], isComplete, tool)
      }
    })
  )
})
