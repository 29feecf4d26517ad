/** All SQL of the lists of an investor's projects, scoped by team. */
import { Context, Effect, Layer } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import type { AssociatedProjectsQuery } from "./AssociatedProject.ts"

/** A contact or company. `id` is a UUID. */
export interface Investor {
  readonly type: "contact" | "company"
  readonly id: string
}

/** A prospect of an investor, and its project. The ids are UUIDs. */
export interface ProspectPlace {
  readonly prospect: string
  readonly project: string
  /** When the project was created. */
  readonly projectCreated: Date
  readonly classification: string
}

const make = Effect.gen(function* () {
  const sql = yield* Database

  const isOf = ({ id, type }: Investor) => (type === "contact" ? sql`p.contact_id = ${id}` : sql`p.company_id = ${id}`)

  const columns = sql`
    p.id as prospect, p.project_id as project, p.project_created_at as "projectCreated", p.classification`

  /** The prospects of an investor on living projects, by creation of the projects, `after` one of them. */
  const list = Effect.fn("AssociatedProjectsRepo.list")(function* (
    teamId: string,
    investor: Investor,
    { classification, status }: AssociatedProjectsQuery,
    after: { readonly at: string; readonly id: string } | undefined,
    limit: number
  ) {
    const conditions = [
      sql`p.team_id = ${teamId}`,
      isOf(investor),
      sql`p.deleted_at is null`,
      sql`p.removed_at is null`,
      sql`projects.deleted_at is null`
    ]
    if (status === "open") conditions.push(sql`projects.closed_at is null`)
    if (status === "closed") conditions.push(sql`projects.closed_at is not null`)
    if (classification !== undefined) conditions.push(sql`p.classification = ${classification}`)
    if (after !== undefined) {
      conditions.push(sql`(p.project_created_at, p.project_id) > (${after.at}::timestamptz, ${after.id}::uuid)`)
    }
    return yield* orDie(sql<ProspectPlace>`
        select ${columns} from prospects p join projects on projects.id = p.project_id and projects.team_id = p.team_id
        where ${sql.and(conditions)}
        order by p.project_created_at, p.project_id limit ${limit}`)
  })

  /**
   * The prospects of an investor that the transaction of `change` has deleted, on projects that lose them: those that it removed from
   * lists, and those that it left to later steps. By creation of the projects.
   */
  const listLosing = Effect.fn("AssociatedProjectsRepo.listLosing")(function* (
    { actor, at }: Change,
    investor: Investor,
    limit: number
  ) {
    return yield* orDie(sql<ProspectPlace>`
      select ${columns} from prospects p join projects on projects.id = p.project_id and projects.team_id = p.team_id
      where p.team_id = ${actor.teamId} and ${isOf(investor)} and p.deleted_at is null
        and (p.removed_at is null or p.removed_at = ${at})
        and projects.deleted_at is null and projects.closed_at is null
      order by p.project_created_at, p.project_id limit ${limit}`)
  })

  return { list, listLosing }
})

/** The prospects of investors. */
export class AssociatedProjectsRepo extends Context.Service<AssociatedProjectsRepo, Effect.Success<typeof make>>()(
  "network/projects/AssociatedProjectsRepo"
) {
  static readonly layer = Layer.effect(AssociatedProjectsRepo, make)
}
