/** Inserts up to millions of companies, equal to those that the API writes. */
import { Effect } from "effect"
import { nameKeyOf, nameKeyVersion } from "../../src/network/companies/naming.ts"
import type { Session } from "./Bulk.ts"
import { codas, endings, onsets, vowels } from "./contacts.ts"
import { randomOf } from "./random.ts"

const trades =
  "Immobilien|Real Estate|Asset Management|Fastigheter|Wohnbau|Property|Vastgoed|Immobiliare|Ejendomme|Capital Partners|Projektentwicklung|Grundbesitz Verwaltung".split(
    "|"
  )
const places =
  "Berlin Hamburg München Köln Wien Zürich London Leeds Paris Lyon Amsterdam Utrecht Madrid Sevilla Milano Torino Stockholm Göteborg Aarhus Odense Warszawa Kraków".split(
    " "
  )
const forms = ["GmbH", "AG", "Ltd", "SA", "B.V.", "S.L.", "S.p.A.", "AB", "A/S", "Sp. z o.o."]
const countries = ["DE", "DE", "GB", "FR", "NL", "ES", "IT", "SE", "DK", "PL"]

/** The names of companies: one in five is one word, the others have a surname with a trade, and half of these a place. */
const makeNames = (seed: number) => {
  const random = randomOf(seed)
  const oneOf = (list: ReadonlyArray<string>, skew = 1) => list[Math.floor(list.length * random() ** skew)] ?? ""
  const surname = () => oneOf(onsets, 1.5) + oneOf(vowels, 1.3) + oneOf(codas, 1.3) + oneOf(endings, 1.7)
  return (): { readonly name: string; readonly country: string } => {
    const kind = random()
    const form = Math.floor(random() * forms.length)
    const middle = oneOf(codas) + oneOf(vowels)
    const words =
      kind < 0.2
        ? surname() + middle
        : kind < 0.6
          ? `${surname()} ${oneOf(trades)}`
          : `${surname()} ${oneOf(trades)} ${oneOf(places)}`
    return { name: `${words} ${forms[form] ?? ""}`, country: countries[form] ?? "DE" }
  }
}

// $1 is the team, $2 the number of the first one, $3 that of all; the others are arrays.
const insert = `
  insert into companies (
    id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, name, country, homepage_url, domain,
    linked_in_url, name_key, name_key_version
  )
  select new_uuid_v7(at), $1::uuid, 1, pg_current_xact_id(), at, at, 'created', 'api', name, country, 'https://firm-' || i || '.example/',
    'firm-' || i || '.example', case when i % 2 = 0 then 'https://www.linkedin.com/company/firm-' || i end, name_key, $7
  from unnest($4::text[], $5::text[], $6::text[]) with ordinality as rows (name, name_key, country, n),
    lateral (select $2::int + n as i) as numbered,
    lateral (select date_trunc('milliseconds', now() - interval '730 days' + interval '729 days' * (i::double precision / $3::int)) as at)
      as times`

const batch = 20_000

/** Inserts this number of companies of a team. Their names are the same ones whatever the number, as far as it goes. */
export const add = Effect.fnUntraced(function* ({ query }: Session, team: string, rows: number) {
  const next = makeNames(36)
  for (let done = 0; done < rows; done += batch) {
    const made = Array.from({ length: Math.min(batch, rows - done) }, next)
    yield* query(insert, [
      team,
      done,
      rows,
      made.map(({ name }) => name),
      made.map(({ name }) => nameKeyOf(name)),
      made.map(({ country }) => country),
      nameKeyVersion
    ])
  }
})
