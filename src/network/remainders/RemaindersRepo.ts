/** The SQL that counts what still depends on deleted or merged contacts and companies. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"

/** How many resources of each type a cascade left. */
export interface Counts {
  readonly link: number
  readonly contact: number
  readonly mandate: number
  readonly project: number
  readonly prospect: number
}

const make = Effect.gen(function* () {
  const sql = yield* Database

  /** What still depends on these contacts or companies (UUIDs), of what their deletion or merge changes. */
  const count = Effect.fn("RemaindersRepo.count")(function* (
    teamId: string,
    type: "contact" | "company",
    uuids: ReadonlyArray<string>,
    ending: "deleted" | "merged"
  ) {
    const column = sql.literal(type === "contact" ? "contact_id" : "company_id")
    const isMerge = ending === "merged"
    const [row] = yield* orDie(sql<Counts>`
        select
          (select count(*)::int from links
          where team_id = ${teamId} and ${column} = any(${uuids}::uuid[]) and deleted_at is null) as link,
          (select count(*)::int from contacts
          where team_id = ${teamId} and primary_company_id = any(${uuids}::uuid[]) and deleted_at is null) as contact,
          (select count(*)::int from mandates
          where team_id = ${teamId} and investor_id = any(${uuids}::uuid[]) and deleted_at is null
            and (${isMerge}::boolean or status <> 'closed')) as mandate,
          (select count(*)::int from projects
          where team_id = ${teamId} and seller_contact_id = any(${uuids}::uuid[]) and deleted_at is null
            and (${isMerge}::boolean or closed_at is null)) as project,
          (select count(*)::int from prospects
            join projects on projects.id = prospects.project_id and projects.team_id = prospects.team_id
          where prospects.team_id = ${teamId} and prospects.${column} = any(${uuids}::uuid[])
            and prospects.deleted_at is null
            and (${isMerge}::boolean or (
              prospects.removed_at is null and projects.closed_at is null and projects.deleted_at is null
            ))) as prospect`)
    return row ?? (yield* Effect.die(new Error("count returned no row")))
  })

  return { count }
})

/** The dependents of deleted and merged contacts and companies. */
export class RemaindersRepo extends Context.Service<RemaindersRepo, Effect.Success<typeof make>>()(
  "network/remainders/RemaindersRepo"
) {
  static readonly layer = Layer.effect(RemaindersRepo, make)
}
