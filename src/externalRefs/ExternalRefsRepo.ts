/** The external references of any resource, unique per team, type, namespace and id (docs/behaviour/http.md#external-references). */
import { Context, Effect, Layer } from "effect"
import { Database } from "../db/Database.ts"
import { orDie } from "../db/DatabaseUnavailable.ts"
import type * as Id from "../Id.ts"
import type { ExternalRef } from "./ExternalRef.ts"

/** The resources of one type of a team: a reference belongs to one of them. */
export interface Owners {
  readonly teamId: string
  readonly type: Id.Prefix
}

/** A resource with all its references. `id` is its UUID. */
export interface Owned {
  readonly id: string
  readonly refs: ReadonlyArray<ExternalRef>
}

/** Finds and writes references, by the set. */
export class ExternalRefsRepo extends Context.Service<
  ExternalRefsRepo,
  {
    /** Who has these references: those that nobody has are not in it. */
    readonly holders: (
      owners: Owners,
      refs: ReadonlyArray<ExternalRef>
    ) => Effect.Effect<ReadonlyArray<ExternalRef & { readonly holder: string }>>
    /**
     * Makes these the references of these resources, inside the transaction of their change; `false` when another
     * transaction has just given one of them to another resource. A change writes its records first: in one order, writers
     * cannot wait for each other.
     */
    readonly replace: (owners: Owners, owned: ReadonlyArray<Owned>) => Effect.Effect<boolean>
  }
>()("externalRefs/ExternalRefsRepo") {
  static readonly layer = Layer.effect(
    ExternalRefsRepo,
    Effect.gen(function* () {
      const sql = yield* Database

      const holders = Effect.fn("ExternalRefsRepo.holders")(function* (
        { teamId, type }: Owners,
        refs: ReadonlyArray<ExternalRef>
      ) {
        if (refs.length === 0) return []
        const rows = yield* orDie(sql<{ namespace: string; external_id: string; resource_id: string }>`
          select namespace, external_id, resource_id
          from jsonb_to_recordset(${sql.json(refs)}) as wanted ("namespace" text, "externalId" text)
          join external_references using (namespace)
          where team_id = ${teamId} and resource_type = ${type} and external_id = wanted."externalId"`)
        return rows.map((row) => ({ namespace: row.namespace, externalId: row.external_id, holder: row.resource_id }))
      })

      const replace = Effect.fn("ExternalRefsRepo.replace")(function* (
        { teamId, type }: Owners,
        owned: ReadonlyArray<Owned>
      ) {
        if (owned.length === 0) return true
        yield* orDie(sql`
          delete from external_references
          where resource_id = any(${owned.map(({ id }) => id)}::uuid[]) and resource_type = ${type}
            and team_id = ${teamId}`)
        const rows = owned.flatMap(({ id, refs }) => refs.map((ref, position) => ({ ...ref, id, position })))
        if (rows.length === 0) return true
        // Waits for a writer of the same reference to end, and then sees what it wrote.
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

      return ExternalRefsRepo.of({ holders, replace })
    })
  )
}
