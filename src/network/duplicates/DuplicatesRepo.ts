/** The SQL that finds candidates for the comparison of companies, scoped by team. */
import { Context, Effect, Layer } from "effect"
import type { Fragment } from "effect/sql/Statement"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { isTransliterated } from "../companies/naming.ts"
import type { Compared } from "./rules.ts"
import type { Shapes } from "./shapes.ts"

/** The company to search for, in the form in which companies are stored. */
export interface Searched {
  readonly nameKey: string
  /** Whether its name is written in Cyrillic or Greek letters. */
  readonly isTransliterated: boolean
  readonly country: string | null
  readonly domain: string | null
  readonly shapes: Shapes
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

/** Shapes as rows. */
export const shapeRows = (sql: Database["Service"], shapes: Fragment) => sql`
  select initials, length, letters, typos, each[1] as typos_1, each[2] as typos_2, each[3] as typos_3
  from jsonb_to_recordset(${shapes})
    as shape (initials text, length integer, letters bit(96), typos integer, each integer[])`

/** Whether a `name_key` has a shape. A letter that only one name has leaves fewer errors for a difference in length the other way. */
export const hasShape = (sql: Database["Service"]) => sql`
  name_initials(name_key) = initials
  and name_length(name_key) between length - typos and length + typos
  and bit_count(letters & ~name_letters(name_key)) <= typos - greatest(name_length(name_key) - length, 0)
  and bit_count(name_letters(name_key) & ~letters) <= typos - greatest(length - name_length(name_key), 0)
  and bit_count(substring(letters # name_letters(name_key), 1, 32)) <= 2 * typos_1
  and bit_count(substring(letters # name_letters(name_key), 33, 32)) <= 2 * typos_2
  and bit_count(substring(letters # name_letters(name_key), 65, 32)) <= 2 * typos_3`

const make = Effect.gen(function* () {
  const sql = yield* Database

  /** Living companies with the same domain, LinkedIn page or name, and those with the most similar names; oldest first. */
  // Each branch uses its own index, and finds more than the answer lists, because the rules are stricter.
  const candidates = Effect.fn("DuplicatesRepo.candidates")(function* (teamId: string, searched: Searched) {
    const rows = yield* orDie(sql<Row>`
      with sought as (
        select array(select linked_in_page(url) from unnest(${searched.linkedInUrls}::text[]) url) as pages
      ), shapes as materialized (${shapeRows(sql, sql`${sql.json(searched.shapes.latin)}::jsonb`)}), found as (
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
        (select id from (
            select named.* from shapes, lateral (
              select id, name_key, country from companies
              where team_id = ${teamId} and deleted_at is null and not may_be_transliterated(name)
                and ${hasShape(sql)}
              offset 0) as named
            union
            select id, name_key, country from companies
            where team_id = ${teamId} and deleted_at is null and may_be_transliterated(name)
              and name_initials(name_key) = any (${searched.shapes.transliterated}::text[])
          ) as alike
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
