/** The SQL of the tags of a team, across the kinds of records that have tags of free text. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import type { Tag } from "./Tag.ts"

const make = Effect.gen(function* () {
  const sql = yield* Database

  /** Tags in alphabetical order after one, at most `limit`; with `text`, those that contain it, whatever its case. */
  const list = Effect.fn("TagsRepo.list")(function* (
    teamId: string,
    {
      after,
      limit,
      text
    }: { readonly after: string | undefined; readonly limit: number; readonly text: string | undefined }
  ) {
    return yield* orDie(sql<Tag>`
      select tag, sum(contacts)::int as contacts, sum(companies)::int as companies, sum(prospects)::int as prospects
      from (
        select unnest(tags) as tag, 1 as contacts, 0 as companies, 0 as prospects from contacts
        where team_id = ${teamId} and deleted_at is null and tags <> '{}'
        union all
        select unnest(tags), 0, 1, 0 from companies
        where team_id = ${teamId} and deleted_at is null and tags <> '{}'
        union all
        select unnest(project_tags), 0, 0, 1 from prospects
        where team_id = ${teamId} and deleted_at is null and removed_at is null and erased_at is null and project_tags <> '{}'
      ) as used
      where (${after === undefined} or tag collate "C" > ${after ?? ""})
        and (${text === undefined} or position(lower(${text ?? ""}) in lower(tag)) > 0)
      group by tag order by tag collate "C" limit ${limit}`)
  })

  /** The UUIDs of contacts or companies that have a tag, at most `limit`. */
  const tagged = Effect.fn("TagsRepo.tagged")(function* (
    teamId: string,
    table: "companies" | "contacts",
    tag: string,
    limit: number
  ) {
    const rows = yield* orDie(sql<{ readonly id: string }>`
      select id from ${sql.literal(table)}
      where team_id = ${teamId} and deleted_at is null and tags <> '{}' and tags @> array[${tag}]::text[]
      limit ${limit}`)
    return rows.map(({ id }) => id)
  })

  return { list, tagged }
})

/** Finds tags, and records by them. */
export class TagsRepo extends Context.Service<TagsRepo, Effect.Success<typeof make>>()("network/tags/TagsRepo") {
  static readonly layer = Layer.effect(TagsRepo, make)
}
