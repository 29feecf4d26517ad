/** The SQL of project tags across all projects of a team. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { tagKeys } from "./rules.ts"

const make = Effect.gen(function* () {
  const sql = yield* Database

  /** The prospects on lists that have a project tag, with their projects (UUIDs), at most `limit`. */
  const tagged = Effect.fn("ProspectTagsRepo.tagged")(function* (teamId: string, tag: string, limit: number) {
    return yield* orDie(sql<{ readonly uuid: string; readonly projectUuid: string }>`
      select id as uuid, project_id as "projectUuid" from prospects
      where team_id = ${teamId} and deleted_at is null and removed_at is null and erased_at is null
        and project_tag_keys <> '{}' and project_tag_keys && ${tagKeys([tag])}::text[] and ${tag}::text = any(project_tags)
      limit ${limit}`)
  })

  return { tagged }
})

/** Finds prospects by their project tags. */
export class ProspectTagsRepo extends Context.Service<ProspectTagsRepo, Effect.Success<typeof make>>()(
  "deals/prospects/ProspectTagsRepo"
) {
  static readonly layer = Layer.effect(ProspectTagsRepo, make)
}
