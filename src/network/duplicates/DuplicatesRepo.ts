/** The SQL that finds companies worth comparing, scoped by team. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../db/Database.ts"
import { orDie } from "../../db/DatabaseUnavailable.ts"
import type { Compared } from "./rules.ts"

/** What is looked for, as it is stored. */
export interface Sought {
  readonly nameKey: string
  readonly country: string | null
  readonly domain: string | null
  /** Keys of names like it (see {@link shapesOf}). */
  readonly shapes: ReadonlyArray<string>
  /** Ways to write one URL (see {@link writingsOf}). */
  readonly linkedInUrls: ReadonlyArray<string>
}

/** A company that may be the one. */
export interface Candidate extends Compared {
  readonly uuid: string
  readonly name: string
  readonly domain: string | null
}

interface Row {
  readonly id: string
  readonly name: string
  readonly name_key: string
  readonly domain: string | null
  readonly country: string | null
  readonly same_domain: boolean | null
  readonly same_page: boolean | null
}

/** The companies of teams, as far as they resemble another. */
export class DuplicatesRepo extends Context.Service<
  DuplicatesRepo,
  {
    /** Live companies with the same domain, LinkedIn page or name, and those with the most similar names; oldest first. */
    readonly candidates: (teamId: string, sought: Sought) => Effect.Effect<ReadonlyArray<Candidate>>
  }
>()("network/duplicates/DuplicatesRepo") {
  static readonly layer = Layer.effect(
    DuplicatesRepo,
    Effect.gen(function* () {
      const sql = yield* Database

      // Each branch by an index of its own; far more than the answer tells, for the rules are stricter.
      const candidates = Effect.fn("DuplicatesRepo.candidates")(function* (teamId: string, sought: Sought) {
        const rows = yield* orDie(sql<Row>`
          with sought as (
            select array(select linked_in_page(url) from unnest(${sought.linkedInUrls}::text[]) url) as pages,
              array(select name_initials(shape) from unnest(${sought.shapes}::text[]) shape) as initials
          ), found as (
            (select id from companies
              where team_id = ${teamId} and deleted_at is null and domain = ${sought.domain}::text
              order by country = ${sought.country}::text desc nulls last limit 50)
            union
            (select id from companies
              where team_id = ${teamId} and deleted_at is null and linked_in_url is not null
                and linked_in_page(linked_in_url) = any ((select pages from sought)::text[])
              order by country = ${sought.country}::text desc nulls last limit 50)
            union
            (select id from companies
              where team_id = ${teamId} and deleted_at is null
                and replace(name_key, ' ', '') = replace(${sought.nameKey}, ' ', '')
              order by country = ${sought.country}::text desc nulls last limit 50)
            union
            (select id from companies
              where team_id = ${teamId} and deleted_at is null
                and name_initials(name_key) = any ((select initials from sought)::text[])
              order by similarity(name_key, ${sought.nameKey}) desc, country = ${sought.country}::text desc nulls last
              limit 100)
          )
          select id, name, name_key, domain, country, domain = ${sought.domain}::text as same_domain,
            linked_in_page(linked_in_url) = any ((select pages from sought)::text[]) as same_page
          from companies where id in (select id from found) order by created_at, id`)
        return rows.map((row): Candidate => ({
          uuid: row.id,
          name: row.name,
          nameKey: row.name_key,
          domain: row.domain,
          country: row.country,
          sameDomain: row.same_domain === true,
          sameLinkedIn: row.same_page === true
        }))
      })

      return DuplicatesRepo.of({ candidates })
    })
  )
}
