/**
 * The SQL of what deleted records held, and of what their deletions changed elsewhere (docs/behaviour/http.md#restore), scoped by team.
 * A purge ends both.
 */
import type * as Id from "../Id.ts"
import { Context, Effect, Layer } from "effect"
import type { Change } from "../mutation/Changes.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"

/** A record that a change deletes. Ids are UUIDs. */
export interface DeletedRecord {
  readonly uuid: string
  readonly fields: object
  /** The contact or company whose deletion takes it along; null if it is deleted itself. */
  readonly cause: string | null
}

/** What a deletion changes elsewhere: another record, and members of it as they were before. Ids are UUIDs. */
export interface DeletionEffect {
  /** The deleted record. */
  readonly cause: string
  readonly uuid: string
  readonly fields: object
}

/** What deletions change: records, and the teasers of properties, which have the ids of these. */
export type AffectedType = Id.Prefix | "teaser"

const make = Effect.gen(function* () {
  const sql = yield* Database

  /** Keeps what records of one type held which the change deletes. */
  const keep = Effect.fn("DeletedRecordsRepo.keep")(function* (
    change: Change,
    type: Id.Prefix,
    deleted: ReadonlyArray<DeletedRecord>
  ) {
    if (deleted.length === 0) return
    const { clientId, teamId, userId } = change.actor
    yield* orDie(sql`
      insert into deleted_records (team_id, type, id, deleted_at, user_id, client_id, cause_id, fields)
      select ${teamId}::uuid, ${type}::text, row.uuid, ${change.at}::timestamptz, ${userId}::uuid, ${clientId}::uuid, row.cause, row.fields
      from jsonb_to_recordset(${sql.json(deleted)}) as row (uuid uuid, cause uuid, fields jsonb)
      order by row.uuid
      on conflict (team_id, type, id) do update set deleted_at = excluded.deleted_at, user_id = excluded.user_id,
        client_id = excluded.client_id, cause_id = excluded.cause_id, fields = excluded.fields`)
  })

  /** Keeps what the change, which deletes their causes, changes of others. */
  const keepEffects = Effect.fn("DeletedRecordsRepo.keepEffects")(function* (
    change: Change,
    type: AffectedType,
    effects: ReadonlyArray<DeletionEffect>
  ) {
    if (effects.length === 0) return
    yield* orDie(sql`
      insert into deletion_effects (team_id, cause_id, type, id, changed_at, fields)
      select ${change.actor.teamId}::uuid, row.cause, ${type}::text, row.uuid, ${change.at}::timestamptz, row.fields
      from jsonb_to_recordset(${sql.json(effects)}) as row (cause uuid, uuid uuid, fields jsonb)
      order by row.cause, row.uuid
      on conflict (team_id, cause_id, type, id) do update set changed_at = excluded.changed_at, fields = excluded.fields`)
  })

  return { keep, keepEffects }
})

/** What deleted records held. */
export class DeletedRecordsRepo extends Context.Service<DeletedRecordsRepo, Effect.Success<typeof make>>()(
  "core/records/DeletedRecordsRepo"
) {
  static readonly layer = Layer.effect(DeletedRecordsRepo, make)
}
