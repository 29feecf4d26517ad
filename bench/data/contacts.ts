/** Inserts millions of contacts, equal to those that the API writes. */
import { Effect } from "effect"
import type { Session } from "./Bulk.ts"

/** First names, the most common first. */
export const firstNames: ReadonlyArray<string> = (
  "Anna Maria Thomas Michael Andreas Stefan Julia Peter Laura Martin Sarah Daniel Katharina Marco Giulia Pierre Camille " +
  "Jan Eva Sofia Luca Elena Paul Lena Jonas Nina Tobias Claudia Matteo Chiara Antoine Hélène Carlos Lucía Javier Ingrid " +
  "Lars Søren Mette Piotr Agnieszka Tomáš Zoë Björn Åsa François Jürgen Günther Renée Niamh Declan Fiona Graham Beatrix " +
  "Leopold Ottilie Wilhelmina Cornelius Theodora Balthasar"
).split(" ")

/** The onsets of surnames, which consist of onset, vowel, coda and ending. */
export const onsets: ReadonlyArray<string> =
  "S B M H K W R L G F D T N P V Sch St Br Kr Gr Fr Tr Kl Schm Dr Pf Z J Qu Ch".split(" ")

/** The vowels of surnames. */
export const vowels: ReadonlyArray<string> = "a e i o u ü ö ei".split(" ")

/** The codas of surnames. */
export const codas: ReadonlyArray<string> = "r n l ll ck tz ss mm rt nd b g ch hl pp x".split(" ")

/** The endings of surnames. */
export const endings: ReadonlyArray<string> = (
  "er mann berg sen son ski el le feld hardt ini etti i ova stein bach hofer inger ard eau ez es os ić ák meier ton field " +
  "wood ley haus brecht wein thal kamp rath gaard holm qvist"
).split(" ")

/**
 * Surnames that exactly {@link holders} contacts of a team have, whatever its size. No other contact has them.
 */
export const rareSurnames: ReadonlyArray<string> = [
  "Grollton",
  "Schmechbrecht",
  "Pfindgaard",
  "Klixhofer",
  "Drertinger"
]

/** How many contacts have each of the rare surnames. */
export const holders = 40

/** Domains of e-mail addresses, the most common first. */
export const domains: ReadonlyArray<string> = (
  "example.com capital.example invest.example realestate.example fonds.example partners.example holding.example " +
  "pension.example assets.example family-office.example immobilien.example patrimoine.example inmuebles.example " +
  "grundbesitz.example vastgoed.example"
).split(" ")

/** Tags of contacts, in decreasing frequency. */
export const tags: ReadonlyArray<string> = (
  "investor core office residential logistics core-plus value-add retail germany opportunistic hotel family-office " +
  "institutional nordics italy france spain healthcare student-housing light-industrial data-center land development " +
  "sale-and-leaseback forward-funding esg debt mezzanine joint-venture club-deal off-market micro-living parking forest " +
  "agriculture self-storage life-science film-studio marina vineyard"
).split(" ")

/** Investment strategies of contacts. */
const strategies: ReadonlyArray<string> = [
  "Core-plus offices in the big seven, from 20 to 80 million, fully let",
  "Logistics along the Rhine and in northern Italy; forward funding is welcome",
  "Residential portfolios above 200 units, any state, no new development",
  "Value-add retail with food anchors, WAULT below five years",
  "Hotels under management contracts in gateway cities"
]

/** Languages of contacts. */
const languages: ReadonlyArray<string> = ["de-DE", "en-GB", "it-IT", "fr-FR", "es-ES", "nl-NL", "sv-SE"]

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
      id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, first_name, last_name, email, phone,
      primary_language, tags, strategy, linked_in_url, profile_picture_url
    )
    select new_uuid_v7(created_at), $1::uuid, case when i % 3 = 0 then 2 else 1 end, pg_current_xact_id(), created_at,
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
    firstNames,
    holders,
    rareSurnames,
    onsets,
    vowels,
    codas,
    endings,
    domains,
    languages,
    tags,
    strategies,
    plain(rareSurnames),
    plain(firstNames),
    plain(onsets),
    plain(vowels),
    plain(codas),
    plain(endings)
  ])
})

/** The parts of the names and tags of inserted records. */
