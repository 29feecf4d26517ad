/** Inserts offers: each of a team's prospects has received the same teaser, and the team itself is the investor. */
import { Effect } from "effect"
import type { Session } from "./Bulk.ts"

// $1 is the team, $2 its user, $3 the project, $4 what the teaser shows. One in ten is unread, and one in three is answered.
const insert = `
  with numbered as materialized (
    select id, created_at, row_number() over (order by created_at, id) as i from prospects where project_id = $3::uuid
  )
  insert into offers (
    id, team_id, version, created_at, updated_at, change_type, change_origin, user_id, broker_team_id, project_id, prospect_id,
    category, projection, status, read_at, answer, answered_at
  )
  select new_uuid_v7(created_at), $1::uuid, 1, created_at, created_at, 'created', 'app', $2::uuid, $1::uuid, $3::uuid, id,
    'buying', $4::jsonb, case when i % 3 = 0 then 'accepted' else 'unanswered' end, case when i % 10 > 0 then created_at end,
    case when i % 3 = 0 then 'accepted' end, case when i % 3 = 0 then created_at end
  from numbered`

/** Inserts an offer for each prospect of a project. */
export const add = Effect.fnUntraced(function* (
  { query }: Session,
  {
    project,
    projection,
    team,
    user
  }: { readonly [name in "team" | "user" | "project"]: string } & {
    readonly projection: unknown
  }
) {
  yield* query(insert, [team, user, project, JSON.stringify(projection)])
})
