/** The SQL of the names of records that properties and mandates name. */
import { Context, Effect, Layer } from "effect"
import type { Fragment } from "effect/sql/Statement"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"

/** A record (UUID) by its name. */
interface Named {
  readonly id: string
  readonly type: "company" | "contact" | "project"
  readonly name: string | null
}

/** A contact or company (UUID) that a text may mean. */
interface Meant {
  readonly id: string
  readonly name: string | null
  /** Its e-mail address or domain. */
  readonly about: string | null
  /** Whether the text is its whole name or address, not the beginning of its name. */
  readonly is_whole: boolean
}

const make = Effect.gen(function* () {
  const sql = yield* Database

  /** Those of these contacts, companies and projects (UUIDs) of a team that live, by their primary keys. */
  const named = Effect.fn("RelatedRepo.named")(function* (teamId: string, uuids: ReadonlyArray<string>) {
    const of = sql`team_id = ${teamId} and id = any(${uuids}::uuid[]) and deleted_at is null`
    return yield* orDie(sql<Named>`
      select id, 'contact' as type, contact_name(first_name, last_name, email) as name from contacts where ${of}
      union all select id, 'company', coalesce(name, domain) from companies where ${of}
      union all select id, 'project', name from projects where ${of}`)
  })

  /**
   * Contacts or companies of a team of which a text is the name, the last name, the address, or the beginning of a name, at most `limit`;
   * whole names first. Each way to find them reads its index from there on.
   */
  const meant = Effect.fn("RelatedRepo.meant")(function* (
    teamId: string,
    type: "company" | "contact",
    typed: string,
    limit: number
  ) {
    const key = sql`search_key(${typed}::text)`
    const table = sql.literal(type === "contact" ? "contacts" : "companies")
    const name = sql.literal(type === "contact" ? "contact_name(first_name, last_name, email)" : "name")
    const about = sql.literal(type === "contact" ? "email" : "domain")
    const lines = (condition: Fragment, order: Fragment) => sql`(
      select id, coalesce(${name}, ${about}) as name, ${about} as about,
        coalesce(search_key(${name}) = ${key}, false) or coalesce(lower(${about}) = lower(${typed}::text), false) as is_whole
      from ${table} where team_id = ${teamId} and deleted_at is null and ${condition} order by ${order} limit ${limit})`
    const begins = (column: string) =>
      lines(
        sql`search_key(${sql.literal(column)}) collate "C" >= ${key} and search_key(${sql.literal(column)}) collate "C" < ${key} || chr(1114111)`,
        sql`search_key(${sql.literal(column)}) collate "C", id`
      )
    const ways =
      type === "contact"
        ? sql`${begins("contact_name(first_name, last_name, email)")} union ${begins("last_name")}
            union ${lines(sql`lower(email) = lower(${typed}::text)`, sql`id`)}`
        : sql`${begins("name")} union ${lines(sql`domain = lower(${typed}::text)`, sql`id`)}`
    return yield* orDie(sql<Meant>`
      select id, name, about, is_whole from (${ways}) as meant order by is_whole desc, name, id limit ${limit}`)
  })

  return { named, meant }
})

/** Stores nothing: it reads what other modules store. */
export class RelatedRepo extends Context.Service<RelatedRepo, Effect.Success<typeof make>>()(
  "market/related/RelatedRepo"
) {
  static readonly layer = Layer.effect(RelatedRepo, make)
}
