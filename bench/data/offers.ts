/** Inserts offers of a team that is an investor. */
import { Effect } from "effect"
import type { Projection } from "../../src/deals/teasers/projection/Projection.ts"
import type { Session } from "./Bulk.ts"

const projection: Projection = {
  title: null,
  categories: ["office", "retail"],
  country: "DE",
  region: "Bayern",
  locality: "München",
  address: null,
  price: { min: 20_000_000, max: 50_000_000, currency: "EUR", scale: "unit" },
  prices: [{ min: 20_000_000, max: 50_000_000, currency: "EUR", scale: "unit" }],
  yield: { min: 3, max: 4, unit: "percent" },
  area: { min: 10_000, max: 20_000, unit: "sqm" },
  yearBuilt: { min: 1990, max: 1999 },
  zoning: null,
  tenure: "freehold",
  tags: [],
  conversions: [],
  energy: { class: "B" },
  wault: { min: 5, max: 10, unit: "years" },
  tenants: []
}

// $1 is the team, $2 its user, $3 the number, $4 what the teasers show. One in ten is unread, and one in three is answered.
const insert = `
  insert into offers (
    id, team_id, version, created_at, updated_at, change_type, change_origin, user_id, broker_team_id, project_id, prospect_id,
    category, projection, status, read_at, answer, answered_at
  )
  select new_uuid_v7(at), $1::uuid, 1, at, at, 'created', 'app', $2::uuid, $1::uuid, new_uuid_v7(at), new_uuid_v7(at), 'buying',
    $4::jsonb, case when i % 3 = 0 then 'accepted' else 'unanswered' end, case when i % 10 > 0 then at end,
    case when i % 3 = 0 then 'accepted' end, case when i % 3 = 0 then at end
  from generate_series(1, $3::int) as i,
    lateral (select date_trunc('milliseconds', now() - interval '300 days' + i * interval '200 seconds') as at) as times`

/** Inserts this number of offers. */
export const add = Effect.fnUntraced(function* (
  { query }: Session,
  { count, team, user }: { readonly count: number; readonly team: string; readonly user: string }
) {
  yield* query(insert, [team, user, count, JSON.stringify(projection)])
})
