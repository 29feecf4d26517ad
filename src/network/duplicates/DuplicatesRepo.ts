/** The SQL that finds candidates for the comparison of companies, scoped by team. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { isTransliterated } from "../companies/naming.ts"
import type { Compared } from "./rules.ts"

/** The company to search for, in the form in which companies are stored. */
export interface Searched {
  readonly nameKey: string
  /** Whether its name is written in Cyrillic or Greek letters. */
  readonly isTransliterated: boolean
  readonly country: string | null
  readonly domain: string | null
  /** Name keys that are similar to its own (see `shapesOf` in rules.ts). */
  readonly shapes: ReadonlyArray<string>
  /** Spellings of its URL (see `spellingsOf` in rules.ts). */
  readonly linkedInUrls: ReadonlyArray<string>
}

/** A company to compare. */
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

const make = Effect.gen(function* () {
  const sql = yield* Database

  /** Living companies with the same domain, LinkedIn page or name, and those with the most similar names; oldest first. */
  // Each branch uses its own index, and finds more than the answer lists, because the rules are stricter.
  const candidates = Effect.fn("DuplicatesRepo.candidates")(function* (teamId: string, searched: Searched) {
    const rows = yield* orDie(sql<Row>`
      with sought as (
        select array(select linked_in_page(url) from unnest(${searched.linkedInUrls}::text[]) url) as pages,
          array(select name_initials(shape) from unnest(${searched.shapes}::text[]) shape) as initials
      ), found as (
        (select id from companies
          where team_id = ${teamId} and deleted_at is null and domain = ${searched.domain}::text
          order by country = ${searched.country}::text desc nulls last limit 50)
        union
        (select id from companies
          where team_id = ${teamId} and deleted_at is null and linked_in_url is not null
            and linked_in_page(linked_in_url) = any ((select pages from sought)::text[])
          order by country = ${searched.country}::text desc nulls last limit 50)
        union
        (select id from companies
          where team_id = ${teamId} and deleted_at is null
            and replace(name_key, ' ', '') = replace(${searched.nameKey}, ' ', '')
          order by country = ${searched.country}::text desc nulls last limit 50)
        union
        (select id from companies
          where team_id = ${teamId} and deleted_at is null
            and name_initials(name_key) = any ((select initials from sought)::text[])
          order by similarity(name_key, ${searched.nameKey}) desc, country = ${searched.country}::text desc nulls last
          limit 100)
      )
      select id, name, name_key, domain, country, domain = ${searched.domain}::text as same_domain,
        linked_in_page(linked_in_url) = any ((select pages from sought)::text[]) as same_page
      from companies where team_id = ${teamId} and id in (select id from found) order by created_at, id`)
    return rows.map((row): Candidate => ({
      uuid: row.id,
      name: row.name,
      nameKey: row.name_key,
      domain: row.domain,
      country: row.country,
      sameDomain: row.same_domain === true,
      sameLinkedIn: row.same_page === true,
      inOtherLetters: isTransliterated(row.name) !== searched.isTransliterated
    }))
  })

  return { candidates }
})

/** The companies of teams that resemble another one. */
export class DuplicatesRepo extends Context.Service<DuplicatesRepo, Effect.Success<typeof make>>()(
  "network/duplicates/DuplicatesRepo"
) {
  static readonly layer = Layer.effect(DuplicatesRepo, make)
}
