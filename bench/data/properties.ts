/** Inserts hundreds of thousands of properties and of tasks, equal to those that the API writes. */
import type { Session } from "./Bulk.ts"

// $1 is the team, $2 its user, $3 the number.
const insertProperties = `
  insert into properties (
    id, team_id, version, created_at, updated_at, change_type, change_origin, name, owner_id, country, locality, address,
    coordinates, categories, tags, year_built, lettable_area, pricing
  )
  select new_uuid_v7(at), $1::uuid, 1, at, at, 'created', 'api', 'Haus ' || i, $2::uuid, 'DE', 'Hamburg',
    jsonb_build_object('street', 'Hafenstraße', 'houseNumber', i::text, 'postalCode', '20457'),
    jsonb_build_object('latitude', 47 + i % 7000 / 1000.0, 'longitude', 7 + i % 6000 / 1000.0),
    case i % 3 when 0 then '{office}'::text[] when 1 then '{logistics}' else '{retail}' end, '{multi_tenant}', 1900 + i % 120,
    jsonb_build_object('value', 500 + i % 20000, 'unit', 'sqm'),
    jsonb_build_object('askingPrice', jsonb_build_object('value', 1000000 + i, 'currency', 'EUR'))
  from generate_series(1, $3::int) as i,
    lateral (select date_trunc('milliseconds', now() - interval '300 days' + i * interval '1 second') as at) as times`

// $1 is the team, $2 its user: a task for each of its prospects.
const insertTasks = `
  insert into tasks (
    id, team_id, version, created_at, updated_at, change_type, change_origin, project_id, prospect_id, type, due_date, assignee_id,
    note, added_action_id
  )
  select new_uuid_v7(created_at), team_id, 1, created_at, created_at, 'created', 'api', project_id, id, 'call', current_date + 7,
    $2::uuid, 'Ask for the numbers.', gen_random_uuid()
  from prospects where team_id = $1::uuid`

/** Inserts properties of a team. */
export const add = ({ query }: Session, team: string, user: string, rows: number) =>
  query(insertProperties, [team, user, rows])

/** Inserts a task for each prospect of a team. */
export const addTasks = ({ query }: Session, team: string, user: string) => query(insertTasks, [team, user])
