/** The SQL of the names of records, for what speaks of them. */
import { Context, Effect, Layer } from "effect"
import type { Fragment } from "effect/sql/Statement"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"

/** The types of records that have names. */
export const namedTypes = [
  "company",
  "contact",
  "file",
  "link",
  "mandate",
  "project",
  "property",
  "prospect",
  "question",
  "room",
  "task",
  "webhook"
] as const
export type NamedType = (typeof namedTypes)[number]

/** A record (UUID) by its name. */
interface Named {
  readonly id: string
  readonly type: NamedType
  /** Of a task, its type. */
  readonly name: string | null
  /** The project (UUID) that a prospect or task is on. */
  readonly project: string | null
  /** The prospect (UUID) that a task is about, and its name. */
  readonly prospect: string | null
  readonly about: string | null
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

  const lives = "one.deleted_at is null"

  /** How people call the records of each table, which is `one`, and which of them are shown. */
  const calling: {
    readonly [Type in NamedType]: { readonly name: string; readonly from: string; readonly is: string }
  } = {
    company: { name: "coalesce(one.name, one.domain)", from: "companies one", is: lives },
    contact: { name: "contact_name(one.first_name, one.last_name, one.email)", from: "contacts one", is: lives },
    file: { name: "one.name", from: "files one", is: "true" },
    link: {
      name: "concat_ws(' – ', contact_name(contact.first_name, contact.last_name, contact.email), coalesce(company.name, company.domain))",
      from: `links one
        join contacts contact on contact.team_id = one.team_id and contact.id = one.contact_id
        join companies company on company.team_id = one.team_id and company.id = one.company_id`,
      is: lives
    },
    mandate: { name: "one.name", from: "mandates one", is: lives },
    project: { name: "one.name", from: "projects one", is: lives },
    property: { name: "one.name", from: "properties one", is: lives },
    prospect: { name: "coalesce(one.name, one.email, one.domain)", from: "prospects one", is: lives },
    question: { name: "one.number || '. ' || left(one.text, 120)", from: "questions one", is: lives },
    room: { name: "one.name", from: "rooms one", is: lives },
    task: {
      name: "one.type",
      from: "tasks one join prospects about on about.team_id = one.team_id and about.id = one.prospect_id",
      is: lives
    },
    webhook: { name: "coalesce(one.name, one.url)", from: "webhooks one", is: lives }
  }

  const more: { readonly [Type in NamedType]?: string } = {
    prospect: "one.project_id, null::uuid, null",
    task: "one.project_id, one.prospect_id, coalesce(about.name, about.email, about.domain)"
  }

  /** Those of these records (UUIDs) of a team that live, by their primary keys, in one statement. */
  const named = Effect.fn("RelatedRepo.named")(function* (
    teamId: string,
    uuids: { readonly [Type in NamedType]?: ReadonlyArray<string> }
  ) {
    const parts = namedTypes.flatMap((type) => {
      const ids = uuids[type] ?? []
      if (ids.length === 0) return []
      const { from, is, name } = calling[type]
      const columns = `one.id, '${type}' as type, ${name}, ${more[type] ?? "null::uuid, null::uuid, null"}`
      return [
        sql`select ${sql.literal(columns)} from ${sql.literal(from)}
          where one.team_id = ${teamId} and one.id = any(${ids}::uuid[]) and ${sql.literal(is)}`
      ]
    })
    if (parts.length === 0) return []
    return yield* orDie(sql<Named>`
      select id, type, name, project, prospect, about
      from (${parts.reduce((all, part) => sql`${all} union all ${part}`)}) as called (id, type, name, project, prospect, about)`)
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
