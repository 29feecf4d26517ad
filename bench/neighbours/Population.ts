/** A quiet team, and the large ones of its neighbours. */
import * as Id from "../../src/core/Id.ts"
import * as Secret from "../../src/core/auth/Secret.ts"
import * as Tenant from "../../test/support/Tenant.ts"
import * as Bulk from "../data/Bulk.ts"
import * as Contacts from "../data/contacts.ts"
import * as Mandates from "../data/mandates.ts"
import { Effect, Layer, type Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { randomBytes } from "node:crypto"
import { Database } from "../../src/platform/db/Database.ts"
import { Gazetteer } from "../../src/market/mandates/gazetteer/Gazetteer.ts"
import type { Area } from "../../src/market/mandates/geography/Area.ts"
import type { Projection } from "../../src/deals/teasers/projection/Projection.ts"

/** How large the teams are. */
export interface Sizes {
  /** Contacts, companies and links of the large team. */
  readonly rows: number
  readonly mandates: number
  /** Contacts with 20,000 characters of free text. */
  readonly fat: number
  /** The links of companies that are deleted and merged, and of one whose deletion is rehearsed. */
  readonly links: number
  readonly fewerLinks: number
}

/** The sizes of the measurements, and those that only show that they work. */
export const sizes = {
  full: { rows: 100_000, mandates: 50_000, fat: 2_100, links: 95_000, fewerLinks: 8_000 },
  small: { rows: 2_000, mandates: 500, fat: 100, links: 1_500, fewerLinks: 400 }
} satisfies { readonly [name: string]: Sizes }

/** A team with clients, each of which has the rate limit of a client. */
export interface Team {
  readonly uuid: string
  readonly user: string
  readonly token: string
  readonly clients: ReadonlyArray<Client>
}

/** The teams. */
export interface Population {
  readonly quiet: Team
  readonly large: Team & {
    /** Ids of companies: two to be deleted and merged, one whose deletion is rehearsed. */
    readonly deleted: string
    readonly merged: string
    readonly rehearsed: string
    readonly contact: string
    readonly company: string
    readonly property: string
  }
  readonly fat: Team
}

/** A client: its credentials, and an access token. */
interface Client {
  readonly id: string
  readonly secret: string
  readonly token: string
}

// $1 is the team, $2 the number. A bot that may do what a broker and an investor may.
const insertClients = `
  with bot as (
    insert into users (id, name, is_bot, broker, investor, created_at)
    values (gen_random_uuid(), 'Sync Bot', true, 'active', 'active', now())
    returning id
  ), member as (
    insert into memberships (team_id, user_id, role, status, is_primary, joined_at, sort_name)
    select $1::uuid, id, 'member', 'active', true, now(), 'sync bot' from bot
  ), made as (
    insert into clients (id, team_id, bot_user_id, name, secret_hash, scopes, created_at)
    select gen_random_uuid(), $1::uuid, bot.id, 'CRM sync', secret, '{api:public}', now() from bot, unnest($2::bytea[]) as secret
    returning id, secret_hash, bot_user_id
  ), issued as (
    insert into tokens (id, kind, hash, user_id, team_id, client_id, scopes, created_at, expires_at)
    select gen_random_uuid(), 'access', hash, bot_user_id, $1::uuid, made.id, '{api:public}', now(), now() + interval '1 day'
    from made join (
      select * from unnest($2::bytea[], $3::bytea[]) as pairs (secret_hash, hash)
    ) as pairs using (secret_hash)
  )
  select id, secret_hash from made`

/** Inserts this number of clients. */
const addClients = Effect.fnUntraced(function* ({ query }: Bulk.Session, team: string, count: number) {
  const made = Array.from({ length: count }, () => ({
    secret: Secret.make("client", randomBytes(32)),
    token: Secret.make("access", randomBytes(32))
  }))
  const rows = yield* query<{ id: string; secret_hash: Buffer }>(insertClients, [
    team,
    made.map(({ secret }) => Secret.hash(secret)),
    made.map(({ token }) => Secret.hash(token))
  ])
  const ids = new Map(rows.map(({ id, secret_hash }) => [secret_hash.toString("hex"), id]))
  return made.map(({ secret, token }): Client => ({
    id: Id.fromUuid("client", ids.get(Buffer.from(Secret.hash(secret)).toString("hex")) ?? ""),
    secret,
    token
  }))
})

// $1 is the team, $2 the number. The words of the names come again and again, as in a network.
const insertCompanies = `
  insert into companies (
    id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, name, country, homepage_url, domain, tags, name_key
  )
  select new_uuid_v7(at), $1::uuid, 1, pg_current_xact_id(), at, at, 'created', 'api', first || ' ' || second || ' ' || i, country,
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
    id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, contact_id, company_id, job_title
  )
  select new_uuid_v7(at), $1::uuid, 1, pg_current_xact_id(), at, at, 'created', 'api', contact.id, company.id, 'Partner'
  from (select id, row_number() over (order by created_at, id) as n from contacts where team_id = $1::uuid) as contact
    join (select id, row_number() over (order by created_at, id) as n from companies where team_id = $1::uuid) as company
      using (n),
    lateral (select date_trunc('milliseconds', now() - interval '200 days' + n * interval '1 second') as at) as times`

// $1 is the team, $2 the number of links.
const insertLinked = `
  with company as (
    insert into companies (id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, name, name_key)
    select new_uuid_v7(at), $1::uuid, 1, pg_current_xact_id(), at, at, 'created', 'api', 'Group ' || $2, 'group ' || $2
    from (select date_trunc('milliseconds', now() - interval '1 day') as at) as times
    returning id, created_at
  ), linked as (
    insert into links (
      id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, contact_id, company_id, job_title
    )
    select new_uuid_v7(company.created_at), $1::uuid, 1, pg_current_xact_id(), company.created_at, company.created_at, 'created', 'api', contact.id,
      company.id, 'Partner'
    from company, (select id from contacts where team_id = $1::uuid order by created_at, id limit $2::int) as contact
  )
  select id from company`

/** Inserts companies. */
const addCompanies = ({ query }: Bulk.Session, team: string, rows: number) => query(insertCompanies, [team, rows])

/** Links each contact of the team with one of its companies. */
const addLinks = ({ query }: Bulk.Session, team: string) => query(insertPairs, [team])

/** Inserts a company that is linked with this number of the team's contacts. Returns its UUID. */
const addLinked = Effect.fnUntraced(function* ({ query }: Bulk.Session, team: string, links: number) {
  const [made] = yield* query<{ id: string }>(insertLinked, [team, links])
  return made?.id ?? ""
})

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
const insertOffers = `
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
const addOffers = Effect.fnUntraced(function* (
  { query }: Bulk.Session,
  { count, team, user }: { readonly count: number; readonly team: string; readonly user: string }
) {
  yield* query(insertOffers, [team, user, count, JSON.stringify(projection)])
})

const clientsPerTeam = 120

const makeTeam = Effect.fnUntraced(function* (session: Bulk.Session, clients: number) {
  const { teamId, token, userId } = yield* Tenant.make({ investor: "active" })
  const team: Team = { uuid: teamId, user: userId, token, clients: yield* addClients(session, teamId, clients) }
  return team
})

// None of the characters is ASCII, and each text begins at another place of one, so that nothing is found and all are compared.
const fatten = `
  with base as materialized (
    select string_agg(chr(192 + (hashint4(n) & 255)), '' order by n) as text from generate_series(1, 20000) as n
  ), numbered as materialized (
    select id, (row_number() over ())::int * 7 % 20000 as n from contacts where team_id = $1::uuid
  )
  update contacts set strategy = substr(text, 1 + n) || substr(text, 1, n) from base, numbered where contacts.id = numbered.id`

const countries = ["DE", "FR", "AT", "NL", "ES", "IT", "PL", "SE"]

// $1 is the team, $2 its user.
const insertProperty = `
  insert into properties (
    id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, name, owner_id, country, locality, coordinates,
    categories
  )
  select new_uuid_v7(now()), $1::uuid, 1, pg_current_xact_id(), now(), now(), 'created', 'api', 'Speicherhaus', $2::uuid, 'DE', 'München',
    '{"latitude": 48.1372, "longitude": 11.5755}', '{office}'
  returning id`

const layer = (url: Redacted.Redacted<string>) =>
  Layer.mergeAll(
    Database.layer({ url, applicationName: "property-network bench" }),
    SecureRandom.layerWebCrypto,
    Gazetteer.layer
  )

/** Fills the database. `say` reports what is done. */
export const make = (url: Redacted.Redacted<string>, size: Sizes, say: (text: string) => Effect.Effect<void>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const session = yield* Bulk.session(url)
      const { query } = session
      const quiet = yield* makeTeam(session, clientsPerTeam)
      const large = yield* makeTeam(session, clientsPerTeam)
      const fat = yield* makeTeam(session, clientsPerTeam)

      yield* say("contacts")
      yield* Bulk.fill(
        session,
        "contacts",
        Effect.gen(function* () {
          yield* Contacts.add(session, quiet.uuid, 1_000)
          yield* Contacts.add(session, large.uuid, size.rows)
          yield* Contacts.add(session, fat.uuid, Math.max(400, Math.ceil(size.fat / 40) * 40))
        })
      )
      yield* say("companies")
      yield* Bulk.fill(session, "companies", Effect.asVoid(addCompanies(session, large.uuid, size.rows)))
      yield* say("links")
      const linked: Array<string> = []
      yield* Bulk.fill(
        session,
        "links",
        Effect.gen(function* () {
          yield* addLinks(session, large.uuid)
          for (const links of [size.links, size.links, size.fewerLinks]) {
            linked.push(yield* addLinked(session, large.uuid, links))
          }
        })
      )

      yield* say("mandates")
      const gazetteer = yield* Gazetteer
      const areas = new Map<string, Area | undefined>()
      for (const code of countries) areas.set(code, yield* gazetteer.territoryOf(code))
      yield* Mandates.add(session, large.uuid, size.mandates, (code) => areas.get(code))

      yield* say("offers")
      yield* addOffers(session, { count: 1_000, team: large.uuid, user: large.user })

      const [property] = yield* query<{ id: string }>(insertProperty, [large.uuid, large.user])
      const [contact] = yield* query<{ id: string }>(
        "select id from contacts where team_id = $1 order by created_at, id limit 1",
        [large.uuid]
      )
      const [company] = yield* query<{ id: string }>(
        "select id from companies where team_id = $1 order by created_at, id limit 1",
        [large.uuid]
      )
      yield* say("statistics")
      yield* query("vacuum analyze")
      // After the statistics, which would fold all of these texts.
      yield* say("free texts")
      if (size.fat > 1) yield* query(fatten, [fat.uuid])
      yield* query("checkpoint")

      const companyId = (place: number) => Id.fromUuid("company", linked[place] ?? "")
      const population: Population = {
        quiet,
        large: {
          ...large,
          deleted: companyId(0),
          merged: companyId(1),
          rehearsed: companyId(2),
          contact: Id.fromUuid("contact", contact?.id ?? ""),
          company: Id.fromUuid("company", company?.id ?? ""),
          property: Id.fromUuid("property", property?.id ?? "")
        },
        fat
      }
      return population
    })
  ).pipe(Effect.provide(layer(url)))
