/** A quiet team, and the large ones of its neighbours. */
import { Effect, Layer, type Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Database } from "../../src/platform/db/Database.ts"
import * as Id from "../../src/core/Id.ts"
import { Gazetteer } from "../../src/market/mandates/gazetteer/Gazetteer.ts"
import type { Area } from "../../src/market/mandates/geography/Area.ts"
import * as Tenant from "../../test/support/Tenant.ts"
import * as Bulk from "../data/Bulk.ts"
import * as Clients from "../data/clients.ts"
import * as Companies from "../data/companies.ts"
import * as Contacts from "../data/contacts.ts"
import * as Mandates from "../data/mandates.ts"
import * as Offers from "../data/offers.ts"

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
  readonly clients: ReadonlyArray<Clients.Client>
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

const clientsPerTeam = 120

const makeTeam = Effect.fnUntraced(function* (session: Bulk.Session, clients: number) {
  const { teamId, token, userId } = yield* Tenant.make({ investor: "active" })
  const team: Team = { uuid: teamId, user: userId, token, clients: yield* Clients.add(session, teamId, clients) }
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
    id, team_id, version, created_at, updated_at, change_type, change_origin, name, owner_id, country, locality, coordinates,
    categories
  )
  select new_uuid_v7(now()), $1::uuid, 1, now(), now(), 'created', 'api', 'Speicherhaus', $2::uuid, 'DE', 'München',
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
      yield* Bulk.fill(session, "companies", Effect.asVoid(Companies.add(session, large.uuid, size.rows)))
      yield* say("links")
      const linked: Array<string> = []
      yield* Bulk.fill(
        session,
        "links",
        Effect.gen(function* () {
          yield* Companies.addLinks(session, large.uuid)
          for (const links of [size.links, size.links, size.fewerLinks]) {
            linked.push(yield* Companies.addLinked(session, large.uuid, links))
          }
        })
      )

      yield* say("mandates")
      const gazetteer = yield* Gazetteer
      const areas = new Map<string, Area | undefined>()
      for (const code of countries) areas.set(code, yield* gazetteer.territoryOf(code))
      yield* Mandates.add(session, large.uuid, size.mandates, (code) => areas.get(code))

      yield* say("offers")
      yield* Offers.add(session, { count: 1_000, team: large.uuid, user: large.user })

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
