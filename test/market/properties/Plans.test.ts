/** The statements and plans of lists of properties among 100,000, with each filter. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../../src/platform/db/Database.ts"
import { bulkLoad, readsOf, service, statementsOf } from "../../support/Statements.ts"
import * as MatchesClient from "../matches/MatchesClient.ts"
import * as Tenant from "../../support/Tenant.ts"
import { TestService } from "../../support/TestService.ts"

const tables = ["properties", "external_references"]

/** 60,000 of the team and 40,000 of another one, on a grid of 0.05°. One in a hundred is at the waterfront, one in a thousand a distressed sale, and one in twenty deleted. */
const fill = Effect.fnUntraced(function* (teamId: string, otherId: string) {
  const sql = yield* Database
  yield* bulkLoad(
    tables,
    Effect.gen(function* () {
      yield* sql`
        insert into properties (
          id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, name, country, categories, tags,
          coordinates, deleted_at
        )
        select new_uuid_v7(at), team_id, 1, pg_current_xact_id(), at, now() - (n * 7919 % 60000) * interval '1 minute',
          case when n % 20 = 19 then 'deleted' else 'created' end, 'api', 'No ' || n, 'DE', array['office'],
          case when n % 1000 = 0 then array['distressed_sale'] when n % 100 = 1 then array['waterfront', 'long_lease']
            else array['multi_tenant'] end,
          jsonb_build_object('latitude', 40 + 0.05 * (n / 300), 'longitude', 0.05 * (n % 300)),
          case when n % 20 = 19 then at end
        from (values (${teamId}::uuid, 30000), (${otherId}::uuid, 20000)) as teams (team_id, size),
          generate_series(0, size - 1) n, lateral (select now() - (100000 - n) * interval '1 minute' as at) as times
        order by at`
      yield* sql`
        insert into external_references (team_id, resource_type, namespace, external_id, resource_id, position)
        select team_id, 'property', 'crm', name, id, 0 from properties where deleted_at is null`
    })
  )
})

const hour = () => new Date(Date.now() - 3_600_000).toISOString()

/** Each filter, and how many rows it may look at. */
const filters: ReadonlyArray<readonly [filter: string, most: number]> = [
  ["", 250],
  ["&tags=waterfront", 6_000],
  ["&tags=waterfront&tags=prime_location", 6_000],
  ["&tags=distressed_sale&tags=prime_location", 500],
  ["&tags=prime_location", 10],
  ["&external_ref=crm:No%207", 10],
  [`&updated_since=${hour()}`, 400],
  ["&updated_since=2020-01-01", 400],
  [`&updated_since=${hour()}&include_deleted=true`, 400],
  ["&updated_since=2020-01-01&include_deleted=true&tags=waterfront", 7_500]
]

layer(service, { excludeTestServices: true, timeout: 120_000 })("A list among 50,000 properties", (it) => {
  it.effect("is read by indexes with each filter, in one statement, and few rows are read for few results", () =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      const { mandate, matches, teamId, token } = yield* MatchesClient.make()
      const other = yield* Tenant.make()
      yield* fill(teamId, other.teamId)
      for (const [filter, most] of filters) {
        const { reply, statements } = yield* statementsOf(
          request<{ readonly data: ReadonlyArray<unknown> }>("GET", `/api/v1/properties?page_size=100${filter}`, {
            token
          })
        )
        assert.strictEqual(reply.status, 200, filter)
        // The caller and the page; for an empty one the position of the reader, and for tombstones those that were purged.
        const more = (reply.body.data.length === 0 ? 1 : 0) + (filter.includes("include_deleted") ? 1 : 0)
        assert.strictEqual(statements.length, 2 + more, filter)
        const reads = (yield* Effect.forEach(statements, (one) => readsOf(one, tables))).flat()
        assert.isAbove(reads.length, 0, filter)
        for (const { by } of reads) assert.match(by, /Index|Bitmap/, filter)
        const looked = reads.reduce((sum, { rows }) => sum + rows, 0)
        assert.isAtMost(looked, most, `${filter}: ${JSON.stringify(reads)}`)
      }

      const near = yield* mandate({ near: { latitude: 45.01, longitude: 5.01 }, radius: 20_000 })
      const { reply, statements } = yield* statementsOf(matches("mandates", near))
      assert.isAbove(reply.body.data.length, 10, reply.text)
      const reads = (yield* Effect.forEach(statements, (one) => readsOf(one, ["properties"]))).flat()
      // The bitmap is that of `properties_by_place`; few rows are in it.
      for (const { by } of reads) assert.match(by, /Index|Bitmap/)
      assert.isBelow(
        reads.reduce((sum, { rows }) => sum + rows, 0),
        1_000
      )
    })
  )
})
