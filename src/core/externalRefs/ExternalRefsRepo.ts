/** The SQL of external references, which are unique by team, type, namespace and id: docs/behaviour/http.md#external-references. */
import type * as Id from "../Id.ts"
import { Context, Effect, Layer } from "effect"
import { arrayParameter, averageTeam } from "../../platform/db/SetStatements.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import type { ExternalRef } from "./ExternalRef.ts"

/** A team and a type of resource, within which a reference is unique. */
export interface Owners {
  readonly teamId: string
  readonly type: Id.Prefix
}

/** A resource with all its references. `id` is its UUID. One that is new had none before. */
export interface Owned {
  readonly id: string
  readonly isNew?: boolean
  readonly refs: ReadonlyArray<ExternalRef>
}

const make = Effect.gen(function* () {
  const sql = yield* Database

  /** Finds the resources that have these references. Leaves out references that no resource has. */
  const holders = Effect.fn("ExternalRefsRepo.holders")(function* (
    { teamId, type }: Owners,
    refs: ReadonlyArray<ExternalRef>
  ) {
    if (refs.length === 0) return []
    // One look into the index for each.
    const rows = yield* orDie(sql<{ namespace: string; external_id: string; resource_id: string }>`
      select wanted.namespace, wanted.external_id, resource_id
      from ${averageTeam(sql, teamId)} as team, unnest(
        ${arrayParameter(
          sql,
          "text",
          refs.map(({ namespace }) => namespace)
        )},
        ${arrayParameter(
          sql,
          "text",
          refs.map(({ externalId }) => externalId)
        )}
      ) as wanted (namespace, external_id), lateral (
        select resource_id from external_references held
        where held.team_id = team.team_id and resource_type = ${type}
          and held.namespace = wanted.namespace and held.external_id = wanted.external_id offset 0
      ) as holder`)
    return rows.map((row) => ({ namespace: row.namespace, externalId: row.external_id, holder: row.resource_id }))
  })

  /**
   * Replaces the references of these resources, inside the transaction of their change. Returns `false` when another transaction has
   * just given one of the references to another resource. Call it after the records are written: all writers then take their locks in
   * the same order.
   */
  const replace = Effect.fn("ExternalRefsRepo.replace")(function* (
    { teamId, type }: Owners,
    owned: ReadonlyArray<Owned>
  ) {
    if (owned.length === 0) return true
    const earlier = owned.filter(({ isNew }) => isNew !== true).map(({ id }) => id)
    if (earlier.length > 0) {
      yield* orDie(sql`
        delete from external_references
        where resource_id = any(${arrayParameter(sql, "uuid", earlier)}) and resource_type = ${type} and team_id = ${teamId}`)
    }
    const rows = owned.flatMap(({ id, refs }) => refs.map((ref, position) => ({ ...ref, id, position })))
    if (rows.length === 0) return true
    // Waits for a concurrent writer of the same reference, and then sees its row.
    const inserted = yield* orDie(sql`
      insert into external_references (team_id, resource_type, namespace, external_id, resource_id, position)
      select ${teamId}::uuid, ${type}::text, namespace, "externalId", id, position
      from jsonb_to_recordset(${sql.json(rows)})
        as row (namespace text, "externalId" text, id uuid, position smallint)
      order by namespace, "externalId"
      on conflict (team_id, resource_type, namespace, external_id) do nothing
      returning resource_id`)
    return inserted.length === rows.length
  })

  return { holders, replace }
})

/** Finds and writes references, many with one statement. */
export class ExternalRefsRepo extends Context.Service<ExternalRefsRepo, Effect.Success<typeof make>>()(
  "core/externalRefs/ExternalRefsRepo"
) {
  static readonly layer = Layer.effect(ExternalRefsRepo, make)
}
