/** Inserts hundreds of thousands of companies and of links, equal to those that the API writes. */
import { Effect } from "effect"
import type { Session } from "./Bulk.ts"

// $1 is the team, $2 the number. The words of the names come again and again, as in a network.
const insertCompanies = `
  insert into companies (
    id, team_id, version, created_at, updated_at, change_type, change_origin, name, country, homepage_url, domain, tags, name_key
  )
  select new_uuid_v7(at), $1::uuid, 1, at, at, 'created', 'api', first || ' ' || second || ' ' || i, country,
    'https://' || domain, domain, array['core'], lower(first || ' ' || second || ' ' || i)
  from generate_series(1, $2::int) as i, lateral (
    select date_trunc('milliseconds', now() - interval '300 days' + i * interval '1 second') as at,
      (array['Nord', 'Berg', 'Kontor', 'Hafen', 'Castell', 'Linden', 'Seine'])[1 + i % 7] as first,
      (array['Kapital', 'Fonds', 'Immobilien', 'Estates', 'Partner'])[1 + i / 7 % 5] as second,
      (array['DE', 'SE', 'FR', 'NL'])[1 + i % 4] as country,
      'firm-' || i || '.example' as domain
  ) as made`

// $1 is the team. Each contact with one company, in the order of their creation.
const insertPairs = `
  insert into links (
    id, team_id, version, created_at, updated_at, change_type, change_origin, contact_id, company_id, job_title
  )
  select new_uuid_v7(at), $1::uuid, 1, at, at, 'created', 'api', contact.id, company.id, 'Partner'
  from (select id, row_number() over (order by created_at, id) as n from contacts where team_id = $1::uuid) as contact
    join (select id, row_number() over (order by created_at, id) as n from companies where team_id = $1::uuid) as company
      using (n),
    lateral (select date_trunc('milliseconds', now() - interval '200 days' + n * interval '1 second') as at) as times`

// $1 is the team, $2 the number of links.
const insertLinked = `
  with company as (
    insert into companies (id, team_id, version, created_at, updated_at, change_type, change_origin, name, name_key)
    select new_uuid_v7(at), $1::uuid, 1, at, at, 'created', 'api', 'Group ' || $2, 'group ' || $2
    from (select date_trunc('milliseconds', now() - interval '1 day') as at) as times
    returning id, created_at
  ), linked as (
    insert into links (
      id, team_id, version, created_at, updated_at, change_type, change_origin, contact_id, company_id, job_title
    )
    select new_uuid_v7(company.created_at), $1::uuid, 1, company.created_at, company.created_at, 'created', 'api', contact.id,
      company.id, 'Partner'
    from company, (select id from contacts where team_id = $1::uuid order by created_at, id limit $2::int) as contact
  )
  select id from company`

/** Inserts companies. */
export const add = ({ query }: Session, team: string, rows: number) => query(insertCompanies, [team, rows])

/** Links each contact of the team with one of its companies. */
export const addLinks = ({ query }: Session, team: string) => query(insertPairs, [team])

/** Inserts a company that is linked with this number of the team's contacts. Returns its UUID. */
export const addLinked = Effect.fnUntraced(function* ({ query }: Session, team: string, links: number) {
  const [made] = yield* query<{ id: string }>(insertLinked, [team, links])
  return made?.id ?? ""
})
