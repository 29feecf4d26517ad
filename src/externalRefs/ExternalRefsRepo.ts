/** The external references of any resource, unique per team, type, namespace and id (decisions §1). */
import { Context, Effect, Layer } from "effect"
import { Database } from "../db/Database.ts"
import { orDie } from "../db/DatabaseUnavailable.ts"
import { ExternalReferenceTaken } from "../http/Problem.ts"
import * as Id from "../Id.ts"
import type { ExternalRef } from "./ExternalRef.ts"

/** A resource that has references. `id` is its UUID. */
export interface Subject {
  readonly teamId: string
  readonly type: Id.Prefix
  readonly id: string
}

/** Replaces, releases and finds references. */
export class ExternalRefsRepo extends Context.Service<ExternalRefsRepo, {
  /** Makes `refs` the subject's references, inside the transaction of its change. */
  readonly replace: (
    subject: Subject,
    refs: ReadonlyArray<ExternalRef>
  ) => Effect.Effect<void, ExternalReferenceTaken>
  /** Frees the subject's references for others. */
  readonly release: (subject: Subject) => Effect.Effect<void>
}>()("externalRefs/ExternalRefsRepo") {
  static readonly layer = Layer.effect(
    ExternalRefsRepo,
    Effect.gen(function*() {
      const sql = yield* Database

      const release = (subject: Subject) =>
        orDie(Effect.asVoid(sql`
          delete from external_references
          where resource_id = ${subject.id} and resource_type = ${subject.type} and team_id = ${subject.teamId}`))

      const replace = Effect.fn("ExternalRefsRepo.replace")(function*(
        subject: Subject,
        refs: ReadonlyArray<ExternalRef>
      ) {
        yield* release(subject)
        if (refs.length === 0) return
        // Waits for a writer of the same reference to end, and then sees what it wrote.
        const inserted = yield* orDie(sql<{ namespace: string; external_id: string }>`
          insert into external_references (team_id, resource_type, namespace, external_id, resource_id, position)
          select ${subject.teamId}::uuid, ${subject.type}::text, namespace, "externalId", ${subject.id}::uuid, position
          from jsonb_to_recordset(${sql.json(refs.map((ref, position) => ({ ...ref, position })))})
            as row (namespace text, "externalId" text, position smallint)
          order by namespace, "externalId"
          on conflict (team_id, resource_type, namespace, external_id) do nothing
          returning namespace, external_id`)
        const taken = refs.find((ref) =>
          !inserted.some((row) => row.namespace === ref.namespace && row.external_id === ref.externalId)
        ) ?? refs[0]
        if (taken === undefined || inserted.length === refs.length) return
        const [holder] = yield* orDie(sql<{ resource_id: string }>`
          select resource_id from external_references
          where team_id = ${subject.teamId} and resource_type = ${subject.type}
            and namespace = ${taken.namespace} and external_id = ${taken.externalId}`)
        return yield* new ExternalReferenceTaken({
          ...taken,
          holderId: Id.fromUuid(subject.type, holder?.resource_id ?? subject.id),
          detail: `${taken.namespace}:${taken.externalId} belongs to another ${subject.type}.`
        })
      })

      return ExternalRefsRepo.of({ replace, release })
    })
  )
}
