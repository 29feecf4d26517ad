/** The shared set-up of the HTTP measurements: a Postgres with data, the API and its peers. */
import * as Id from "../../src/core/Id.ts"
import * as Secret from "../../src/core/auth/Secret.ts"
import * as Migrations from "../../src/platform/db/Migrations.ts"
import * as Programs from "../Programs.ts"
import * as Loads from "./Loads.ts"
import { Context, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { Database } from "../../src/platform/db/Database.ts"
import { EmbeddedPostgres } from "../../src/platform/db/embedded/EmbeddedPostgres.ts"
import { folder } from "../Service.ts"

/** A team with contacts, inserted by SQL and equal to rows that the API writes. */
export interface Contacts {
  readonly teamId: string
  /** Personal access tokens of different users of the team. */
  readonly tokens: ReadonlyArray<string>
  /** The ids of all contacts, the oldest first. */
  readonly ids: ReadonlyArray<string>
}

/** The number of users. Requests of one user are counted in the same row and wait for each other there. */
const callers = 8

const insertTeam = Effect.fnUntraced(function* () {
  const sql = yield* Database
  const random = yield* SecureRandom.SecureRandom
  const teamId = yield* random.uuidV7()
  yield* sql`insert into teams (id, name, plan, created_at) values (${teamId}, 'Berg Partners', 'plus', now())`
  const tokens: Array<string> = []
  for (let caller = 0; caller < callers; caller++) {
    const [userId, tokenId] = [yield* random.uuidV7(), yield* random.uuidV7()]
    const token = Secret.make("personal", randomBytes(32))
    yield* sql`
      insert into users (id, email, first_name, last_name, name, broker, investor, created_at)
      values (${userId}, ${`caller${caller}@example.com`}, 'Anna', ${`Berg ${caller}`}, ${`Anna Berg ${caller}`}, 'active', null, now())`
    yield* sql`
      insert into memberships (team_id, user_id, role, status, is_primary, joined_at, sort_name)
      values (${teamId}, ${userId}, 'admin', 'active', true, now(), ${`anna berg ${caller}`})`
    yield* sql`
      insert into tokens (id, kind, hash, user_id, team_id, name, scopes, created_at, expires_at)
      values (${tokenId}, 'personal', ${Secret.hash(token)}, ${userId}, ${teamId}, 'bench',
        ${["api:public"]}::text[], now(), now() + interval '30 days')`
    tokens.push(token)
  }
  return { teamId, tokens }
})

/** Inserts `count` contacts into a new team, each with two external references and a row of its timeline. */
const loadContacts = Effect.fnUntraced(function* (count: number) {
  const sql = yield* Database
  const { teamId, tokens } = yield* insertTeam()
  const rows = yield* sql<{ readonly id: string }>`
    with made as (
      select number, new_uuid_v7(at) as id, at
      from generate_series(1, ${count}::int) as number,
        lateral (select date_trunc('milliseconds', now() - (${count}::int - number) * interval '61 seconds') as at) as moment
    ), contact as (
      insert into contacts (
        id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, first_name, last_name, email, phone,
        primary_language, tags, strategy, linked_in_url, profile_picture_url
      )
      select id, ${teamId}::uuid, 1, pg_current_xact_id(), at, at, 'created', 'api',
        (array['Anna', 'Maria', 'Jürgen', 'Élise', 'Thomas', 'Sofia', 'Luca'])[1 + number % 7],
        (array['Berg', 'Rossi', 'Müller', 'Lefèvre', 'Nowak', 'van den Heuvel'])[1 + number % 6] || ' ' || number,
        'contact' || number || '@example.com', '+49 30 ' || (1000000 + number),
        (array['de-DE', 'it-IT', 'fr-FR', 'en-GB'])[1 + number % 4],
        (array['{logistics,core-plus}', '{office}', '{retail,value-add,berlin}'])[1 + number % 3]::text[],
        'Core-plus offices in the big seven, 20 to 80 million a lot, with indexed leases of five years and more.',
        'https://www.linkedin.com/in/contact-' || number, 'https://cdn.example.com/pictures/' || number || '.png'
      from made
    ), reference as (
      insert into external_references (team_id, resource_type, namespace, external_id, resource_id, position)
      select ${teamId}::uuid, 'contact', namespace, number::text, id, position
      from made, (values ('hubspot', 0), ('salesforce', 1)) as system (namespace, position)
    ), action as (
      insert into actions (id, team_id, type, event, occurred_at, origin, details)
      select id, ${teamId}::uuid, 'audit', 'contact.created', at, 'api', '{"kind": "audit"}' from made
    ), subject as (
      insert into action_subjects (subject_type, subject_id, action_id, team_id, occurred_at, partition)
      select 'contact', id, id, ${teamId}::uuid, at, 'audit' from made
    )
    select id from made order by number`
  // Without statistics and hint bits, the first requests would behave differently from later ones.
  yield* sql`vacuum analyze`
  const contacts: Contacts = { teamId, tokens, ids: rows.map(({ id }) => Id.fromUuid("contact", id)) }
  return contacts
})

const filled = [
  "name",
  "email",
  "phone",
  "primaryLanguage",
  "strategy",
  "linkedInUrl",
  "profilePictureUrl",
  "createdUtc",
  "etag"
]

/** Dies unless the API returns an inserted contact with all members. */
const checkContact = (answer: { readonly [member: string]: unknown }) =>
  Effect.suspend(() => {
    const missing = filled.filter((member) => typeof answer[member] !== "string")
    const references = answer["externalRefs"]
    return missing.length === 0 && Array.isArray(references) && references.length === 2
      ? Effect.void
      : Effect.die(new Error(`The API does not answer a contact as it was loaded: ${JSON.stringify(answer)}`))
  })

/** A running server. */
export interface Server {
  /** Its base URL. */
  readonly url: string
  readonly pid: number
}

/** A response. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** The path of the contacts. */
export const path = "/api/v1/network/contacts"

const make = Effect.fnUntraced(function* ({ quick }: { readonly quick: boolean }) {
  const home = yield* folder
  // Durable as in production: a commit waits for the disk.
  const { url } = yield* EmbeddedPostgres.start({ dataDir: home })
  const database = Redacted.make(url)
  yield* Migrations.run(database)
  const sql = Context.get(
    yield* Layer.build(Database.layer({ url: database, applicationName: "property-network bench" })),
    Database
  )
  const contacts = yield* loadContacts(quick ? 1000 : 10_000).pipe(
    Effect.provideService(Database, sql),
    Effect.provide(SecureRandom.layerWebCrypto)
  )
  const environment = {
    DATABASE_URL: url,
    SECRET_KEY: randomBytes(32).toString("base64"),
    PORT: "0",
    RATE_LIMIT_PAT: "1000000"
  }

  let started = 0
  const serve = Effect.fnUntraced(function* (entry: string, settings: Readonly<Record<string, string>> = {}) {
    const log = join(home, `${++started}.log`)
    const program = yield* Programs.start(entry, { ...environment, ...settings }, { log })
    const [, port] = yield* program.ready(/listens on port (\d+)/)
    const server: Server = { url: `http://127.0.0.1:${port}`, pid: program.pid }
    return server
  })

  const request = (server: Server, target: string, init: RequestInit = {}) =>
    Effect.promise(async (): Promise<Reply> => {
      const response = await fetch(`${server.url}${target}`, {
        ...init,
        headers: {
          authorization: `Bearer ${contacts.tokens[0]}`,
          ...(init.headers as Record<string, string> | undefined)
        }
      })
      return { status: response.status, headers: response.headers, text: await response.text() }
    })

  const peer = (way: "strict" | "shortcut" | "lean") => serve("bench/peer/server.ts", { PEER: way })

  const servers = {
    ours: yield* serve("src/server.ts"),
    strict: yield* peer("strict"),
    shortcut: yield* peer("shortcut"),
    lean: yield* peer("lean")
  }
  const load = yield* Loads.make
  const one = yield* request(servers.ours, `${path}/${contacts.ids[0]}`)
  yield* checkContact(JSON.parse(one.text) as { readonly [member: string]: unknown })
  return { sql, contacts, servers, request, load }
})

/** The shared set-up of all HTTP measurements. */
export class Setup extends Context.Service<Setup, Effect.Success<ReturnType<typeof make>>>()("bench/http/Setup") {
  static readonly layer = (options: { readonly quick: boolean }) => Layer.effect(Setup, make(options))
}
