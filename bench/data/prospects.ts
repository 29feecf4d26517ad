/** Inserts millions of prospects: a project with all contacts of its team on its list. */
import { Effect } from "effect"
import type { Session } from "./Bulk.ts"
import * as names from "./names.ts"

// $1 is the team, $2 its user.
const insertProject = `
  insert into projects (
    id, team_id, version, created_at, updated_at, change_type, change_origin, name, is_portfolio, owner_id, published_at
  )
  select new_uuid_v7(at), $1::uuid, 1, at, at, 'created', 'api', 'Logistics portfolio', true, $2::uuid, at
  from (select date_trunc('milliseconds', now() - interval '400 days') as at) as times
  returning id, created_at`

/**
 * One prospect for each contact, added over the year until yesterday. $1 is the team, $2 its user, $3 the project, $4 the time of
 * the project. Most are at the first stages; one in fifty was removed from the list.
 */
const insert = `
  with numbered as materialized (
    select id as contact_id, contact_name(first_name, last_name, email) as name, email, tags,
      row_number() over (order by created_at, id) as i, count(*) over () as rows
    from contacts where team_id = $1::uuid
  ), reached as materialized (
    select *, floor(5 * power(pg_temp.pick(i, 40), 2))::int as reached,
      date_trunc('milliseconds', now() - interval '366 days' + interval '365 days' * (i::double precision / rows)) as created_at
    from numbered
  ), staged as materialized (
    select *, (array['not_contacted', 'teaser', 'im', 'data_room', 'bid'])[1 + reached] as stage,
      (array['not_contacted', 'contacted', 'contacted', 'interested', 'bidder'])[
        1 + greatest(0, least(4, reached + floor(pg_temp.pick(i, 41) * 3)::int - 1))] as classification,
      array(
        select distinct pg_temp.one_of(i, 50 + n, 2, $5::text[])
        from generate_series(1, floor(pg_temp.pick(i, 42) * 3)::int) as n
      ) as project_tags
    from reached
  ), made as (
    insert into prospects (
      id, team_id, version, created_at, updated_at, change_type, change_origin, project_id, project_created_at, contact_id,
      name, email, tags, classification, interest, stage, milestone_stage, milestone_stage_since_override, owner_id, project_tags,
      project_tag_keys, teaser_communicated_at, room_access_at, accepted, chat, invitation, note_count, open_task_count,
      overdue_when_written, removed_at
    )
    select new_uuid_v7(created_at), $1::uuid, 1 + reached, created_at, created_at,
      case when reached = 0 then 'created' else 'updated' end, 'api', $3::uuid, $4::timestamptz, contact_id,
      name, email, tags, classification,
      case
        when classification in ('interested', 'bidder') then 'interested'
        when pg_temp.pick(i, 43) < 0.2 then 'maybe'
        when pg_temp.pick(i, 43) < 0.3 then 'not_interested'
      end,
      stage, stage, stage, case when pg_temp.pick(i, 44) < 0.3 then $2::uuid end, project_tags,
      array(select lower(tag) from unnest(project_tags) as tag),
      case when reached > 0 then created_at end, case when reached > 2 then created_at end,
      reached > 1, reached > 1 and pg_temp.pick(i, 45) < 0.3, reached > 0 and pg_temp.pick(i, 46) < 0.2, 0, 0,
      false, case when pg_temp.pick(i, 47) < 0.02 then created_at end
    from staged order by i
    returning id, created_at
  )
  insert into external_references (team_id, resource_type, namespace, external_id, resource_id, position)
  select $1::uuid, 'prospect', 'crm', 'P-' || number, id, 0
  from (select id, row_number() over (order by created_at, id) as number from made) as numbered
  where number % 5 = 0`

/** Inserts a project with a prospect for each contact of a team. Returns its UUID. */
export const add = Effect.fnUntraced(function* (
  { query }: Session,
  team: { readonly id: string; readonly user: string }
) {
  const [project] = yield* query<{ id: string; created_at: Date }>(insertProject, [team.id, team.user])
  yield* query(insert, [team.id, team.user, project?.id, project?.created_at, names.projectTags])
  return project?.id ?? ""
})
