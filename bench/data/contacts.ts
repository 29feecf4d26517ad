/** Inserts millions of contacts, equal to those that the API writes. */
import { Effect } from "effect"
import type { Session } from "./Bulk.ts"
import * as names from "./names.ts"

// Pseudo-random numbers, the same in each run: `pick` returns a number from 0 to 1 for a row and a purpose.
const functions = [
  `create or replace function pg_temp.pick(i bigint, purpose int) returns double precision language sql immutable
   return (hashint8extended(i, purpose) & 1048575) / 1048576.0`,
  `create or replace function pg_temp.one_of(i bigint, purpose int, skew double precision, list text[]) returns text
   language sql immutable
   return list[1 + floor(cardinality(list) * power((hashint8extended(i, purpose) & 1048575) / 1048576.0, skew))::int]`
]

/**
 * The contacts of one team in the order of their creation, evenly spread over the last two years. $1 is the team, $2 the number.
 * One in three was changed once. Those with references have two.
 */
const insert = `
  with composed as materialized (
    select i, pg_temp.one_of(i, 2, 1.5, $6::text[]) || pg_temp.one_of(i, 3, 1.3, $7::text[]) ||
      pg_temp.one_of(i, 4, 1.3, $8::text[]) || pg_temp.one_of(i, 5, 1.7, $9::text[]) as surname,
      pg_temp.one_of(i, 2, 1.5, $16::text[]) || pg_temp.one_of(i, 3, 1.3, $17::text[]) ||
      pg_temp.one_of(i, 4, 1.3, $18::text[]) || pg_temp.one_of(i, 5, 1.7, $19::text[]) as plain_surname,
      case when i % ($2::int / $4::int) between 1 and cardinality($5::text[])
        then ($5::text[])[i % ($2::int / $4::int)]
      end as rare
    from generate_series(1, $2::int) as i
  ), spelt as materialized (
    select i, pg_temp.one_of(i, 1, 1.7, $3::text[]) as first_name, pg_temp.one_of(i, 1, 1.7, $15::text[]) as first_plain,
      coalesce(rare, case when plain_surname = any($14::text[]) then 'Berg' else surname end) as last_name,
      coalesce(lower(rare), case when plain_surname = any($14::text[]) then 'berg' else plain_surname end) as last_plain,
      date_trunc('milliseconds', now() - interval '730 days' + interval '729 days' * (i::double precision / $2::int)) as created_at
    from composed
  ), made as (
    insert into contacts (
      id, team_id, version, created_at, updated_at, change_type, change_origin, first_name, last_name, email, phone,
      primary_language, tags, strategy, linked_in_url, profile_picture_url
    )
    select new_uuid_v7(created_at), $1::uuid, case when i % 3 = 0 then 2 else 1 end, created_at,
      case when i % 3 = 0
        then date_trunc('milliseconds', created_at + (now() - interval '1 day' - created_at) * pg_temp.pick(i, 6))
        else created_at
      end,
      case when i % 3 = 0 then 'updated' else 'created' end, 'api', first_name, last_name,
      case when pg_temp.pick(i, 7) < 0.9
        then first_plain || '.' || last_plain || i || '@' || pg_temp.one_of(i, 8, 2, $10::text[])
      end,
      case when pg_temp.pick(i, 9) < 0.7
        then '+49 ' || 30 + (pg_temp.pick(i, 10) * 900)::int || ' ' || 1000000 + (pg_temp.pick(i, 11) * 8999999)::int
      end,
      pg_temp.one_of(i, 12, 2, $11::text[]),
      array(
        select distinct pg_temp.one_of(i, 20 + n, 2.5, $12::text[])
        from generate_series(1, floor(pg_temp.pick(i, 13) * 5)::int) as n
      ),
      case when pg_temp.pick(i, 14) < 0.2 then pg_temp.one_of(i, 15, 1, $13::text[]) end,
      case when pg_temp.pick(i, 16) < 0.5
        then 'https://www.linkedin.com/in/' || first_plain || '-' || last_plain || '-' || i
      end,
      case when pg_temp.pick(i, 17) < 0.2 then 'https://cdn.example.com/people/' || i || '.png' end
    from spelt order by i
    returning id, created_at
  )
  insert into external_references (team_id, resource_type, namespace, external_id, resource_id, position)
  select $1::uuid, 'contact', namespace, case when position = 0 then number::text else 'C-' || number end, id, position
  from (select id, row_number() over (order by created_at, id) as number from made) as numbered,
    (values ('hubspot', 0), ('crm', 1)) as systems (namespace, position)
  where number % 5 < 3`

/** Converts names to parts of an e-mail address. */
const plain = (list: ReadonlyArray<string>) =>
  list.map((name) =>
    name
      .toLowerCase()
      .replaceAll("ø", "o")
      .normalize("NFD")
      .replaceAll(/[^a-z]/g, "")
  )

/** Creates the functions of the inserts in a session. */
export const createFunctions = ({ query }: Session) =>
  Effect.forEach(functions, (text) => query(text), { discard: true })

/** Inserts `rows` contacts (a multiple of 40, at least 400) into a team that has none. */
export const add = Effect.fnUntraced(function* (session: Session, teamId: string, rows: number) {
  yield* createFunctions(session)
  yield* session.query(insert, [
    teamId,
    rows,
    names.firstNames,
    names.holders,
    names.rareSurnames,
    names.onsets,
    names.vowels,
    names.codas,
    names.endings,
    names.domains,
    names.languages,
    names.tags,
    names.strategies,
    plain(names.rareSurnames),
    plain(names.firstNames),
    plain(names.onsets),
    plain(names.vowels),
    plain(names.codas),
    plain(names.endings)
  ])
})
