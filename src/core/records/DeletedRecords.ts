/**
 * What deleted records held, and what their deletions changed elsewhere (docs/behaviour/http.md#restore), scoped by team. A purge ends both.
 */
import type * as Id from "../Id.ts"
import { Context, Effect, Layer } from "effect"
import type { Change } from "../mutation/Changes.ts"
import type { ChangedNoun } from "../mutation/ChangeRecord.ts"
import { arrayParameter, chunkOf } from "../../platform/db/SetStatements.ts"
import { Database } from "../../platform/db/Database.ts"
import * as Transaction from "../../platform/db/Transaction.ts"
import { daysAgo } from "../../platform/Time.ts"
import { Retention } from "../../platform/Retention.ts"
import { byTeam, runParts } from "../TeamParts.ts"
import { notePartitionsOf } from "../mutation/Timeline.ts"
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

/** What is kept of a deleted record. */
export interface KeptRecord extends DeletedRecord {
  readonly deletedAt: Date
}

/** What is kept of a change elsewhere, and when it was made. */
export interface KeptEffect extends DeletionEffect {
  readonly changedAt: Date
}

/** What deletions change: records, and the teasers of properties, which have the ids of these. */
export type AffectedType = Id.Prefix | "teaser"

/** Who deleted records, and when. Ids are UUIDs. */
export interface DeletedBy {
  readonly by: { readonly client: string } | { readonly user: string }
  readonly since: Date
  readonly until: Date
}

/** Where a list of what somebody deleted goes on. */
export type DeletedPosition = Pick<KeptRecord, "deletedAt" | "uuid">

/** A deleted record in a list. */
export interface DeletedLine {
  readonly uuid: string
  /** What people call it: its name, or else an address. */
  readonly name: string | null
  readonly deletedUtc: string
}

/** Records of one team (UUIDs). */
interface Due {
  readonly teamId: string
  readonly uuids: ReadonlyArray<string>
}

// Those of notes in any state.
const ofNotes = notePartitionsOf({ include_archived: true, include_superseded: true })

const make = Effect.gen(function* () {
  const sql = yield* Database
  const { deletedContent } = yield* Retention

  /** What was deleted before is kept no longer. */
  const keptSince = daysAgo(deletedContent)

  /** Keeps what records of one type held which the change deletes. */
  const keep = Effect.fn("DeletedRecords.keep")(function* (
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
  const keepEffects = Effect.fn("DeletedRecords.keepEffects")(function* (
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

  const kept = sql`id as uuid, deleted_at as "deletedAt", cause_id as cause, fields`

  /** What is kept of these records (UUIDs), which can be restored. It stays until the transaction ends. */
  const find = Effect.fn("DeletedRecords.find")(function* (
    teamId: string,
    type: Id.Prefix,
    uuids: ReadonlyArray<string>
  ) {
    if (uuids.length === 0) return []
    const since = yield* keptSince
    return yield* orDie(sql<KeptRecord>`
      select ${kept} from deleted_records
      where team_id = ${teamId} and type = ${type} and id = any(${arrayParameter(sql, "uuid", uuids)})
        and deleted_at >= ${since}
      order by id for update`)
  })

  /** What is kept of records of one type, at most `limit`, that went with these (UUIDs). It stays until the transaction ends. */
  const findTaken = Effect.fn("DeletedRecords.findTaken")(function* (
    teamId: string,
    type: Id.Prefix,
    causes: ReadonlyArray<string>,
    limit: number
  ) {
    return chunkOf(
      yield* orDie(sql<KeptRecord>`
        select ${kept} from deleted_records
        where team_id = ${teamId} and cause_id = any(${arrayParameter(sql, "uuid", causes)}) and type = ${type}
        order by cause_id, id limit ${limit + 1} for update`),
      limit
    )
  })

  /** Has deleted records come back with others than those that took them along, or with none. Ids are UUIDs. */
  const reassign = Effect.fn("DeletedRecords.reassign")(function* (
    change: Change,
    type: Id.Prefix,
    causes: ReadonlyArray<Pick<DeletedRecord, "cause" | "uuid">>
  ) {
    if (causes.length === 0) return
    yield* orDie(sql`
      update deleted_records set cause_id = row.cause
      from jsonb_to_recordset(${sql.json(causes)}) as row (uuid uuid, cause uuid)
      where team_id = ${change.actor.teamId} and type = ${type} and id = row.uuid`)
  })

  /**
   * Writes members of deleted records which a restore would write if they lived, unless they have other values than `left`: those that
   * the deletion of something else left.
   */
  const amend = Effect.fn("DeletedRecords.amend")(function* (
    change: Change,
    type: Id.Prefix,
    left: object,
    records: ReadonlyArray<Pick<DeletedRecord, "fields" | "uuid">>
  ) {
    if (records.length === 0) return
    yield* orDie(sql`
      update deleted_records set fields = deleted_records.fields || row.fields
      from jsonb_to_recordset(${sql.json(records)}) as row (uuid uuid, fields jsonb)
      where team_id = ${change.actor.teamId} and type = ${type} and id = row.uuid
        and deleted_records.fields @> ${sql.json(left)}`)
  })

  /** Takes what the deletions of these records (UUIDs) changed of others, at most `limit`: it is kept no longer. */
  const takeEffects = Effect.fn("DeletedRecords.takeEffects")(function* (
    change: Change,
    type: AffectedType,
    causes: ReadonlyArray<string>,
    limit: number
  ) {
    const taken = yield* orDie(sql<KeptEffect>`
      delete from deletion_effects
      where team_id = ${change.actor.teamId} and type = ${type} and (cause_id, id) in (
        select cause_id, id from deletion_effects
        where team_id = ${change.actor.teamId} and cause_id = any(${arrayParameter(sql, "uuid", causes)})
          and type = ${type}
        order by cause_id, id limit ${limit}
      )
      returning cause_id as cause, id as uuid, changed_at as "changedAt", fields`)
    // All that were asked for may be all that there are: the next step finds out.
    return {
      taken: taken.toSorted((a, b) => (a.uuid < b.uuid ? -1 : 1)),
      left: taken.length < limit ? ("nothing" as const) : ("more" as const)
    }
  })

  /** What deletions changed of these records (UUIDs), by those that were deleted. */
  const effectsOn = Effect.fn("DeletedRecords.effectsOn")(function* (
    change: Change,
    type: AffectedType,
    uuids: ReadonlyArray<string>
  ) {
    if (uuids.length === 0) return []
    return yield* orDie(sql<KeptEffect>`
      select cause_id as cause, id as uuid, changed_at as "changedAt", fields from deletion_effects
      where team_id = ${change.actor.teamId} and type = ${type} and id = any(${arrayParameter(sql, "uuid", uuids)})`)
  })

  /** Forgets what deletions changed of these records (UUIDs), which became part of others. */
  const forgetEffects = Effect.fn("DeletedRecords.forgetEffects")(function* (
    change: Change,
    type: AffectedType,
    uuids: ReadonlyArray<string>
  ) {
    if (uuids.length === 0) return
    yield* orDie(sql`
      delete from deletion_effects
      where team_id = ${change.actor.teamId} and type = ${type} and id = any(${arrayParameter(sql, "uuid", uuids)})`)
  })

  /** How much there is to bring back with these records (UUIDs), by type. */
  const countTaken = Effect.fn("DeletedRecords.countTaken")(function* (teamId: string, causes: ReadonlyArray<string>) {
    return yield* orDie(sql<{ readonly type: ChangedNoun; readonly count: number }>`
      select type, sum(count)::int as count from (
        select type, count(*) as count from deleted_records
        where team_id = ${teamId} and cause_id = any(${arrayParameter(sql, "uuid", causes)}) group by type
        union all
        select type, count(*) from deletion_effects
        where team_id = ${teamId} and cause_id = any(${arrayParameter(sql, "uuid", causes)}) group by type
      ) as counted
      group by type order by type`)
  })

  /**
   * What has become of these contacts or companies (UUIDs): the ones that live, by those that they are or were merged into. They stay
   * until the transaction ends.
   */
  const lockSurvivors = Effect.fn("DeletedRecords.lockSurvivors")(function* (
    teamId: string,
    type: "company" | "contact",
    uuids: ReadonlyArray<string>
  ) {
    const table = sql.literal(type === "contact" ? "contacts" : "companies")
    const rows =
      uuids.length === 0
        ? []
        : yield* orDie(sql<{ readonly named: string; readonly living: string }>`
            select named.id as named, living.id as living from ${table} named
            join ${table} living on living.id = coalesce(named.merged_into, named.id) and living.team_id = ${teamId}
            where named.team_id = ${teamId} and named.id = any(${arrayParameter(sql, "uuid", [...new Set(uuids)])})
              and living.deleted_at is null
            order by living.id for share of living`)
    return new Map(rows.map(({ living, named }) => [named, living]))
  })

  const tables = {
    contact: "contacts",
    company: "companies",
    link: "links",
    property: "properties",
    mandate: "mandates"
  } as const

  /** Those of these records (UUIDs) that live. */
  const living = Effect.fn("DeletedRecords.living")(function* (
    teamId: string,
    type: keyof typeof tables,
    uuids: ReadonlyArray<string>
  ) {
    if (uuids.length === 0) return []
    const rows = yield* orDie(sql<{ readonly id: string }>`
      select id from ${sql.literal(tables[type])}
      where team_id = ${teamId} and id = any(${arrayParameter(sql, "uuid", uuids)}) and deleted_at is null`)
    return rows.map(({ id }) => id)
  })

  const isDeletedBy = (teamId: string, type: Id.Prefix, { by, since, until }: DeletedBy, earliest: Date) => sql`
    team_id = ${teamId} and ${"client" in by ? sql`client_id = ${by.client}` : sql`user_id = ${by.user}`}
    and type = ${type} and cause_id is null and deleted_at <= ${until}
    and deleted_at >= ${since.getTime() > earliest.getTime() ? since : earliest}`

  /** Records of one type that somebody deleted, and that did not go with others, the oldest deletion first. */
  const listDeletedBy = Effect.fn("DeletedRecords.listDeletedBy")(function* (
    teamId: string,
    type: Id.Prefix,
    deletedBy: DeletedBy,
    after: DeletedPosition | undefined,
    limit: number
  ) {
    return yield* orDie(sql<DeletedPosition>`
      select id as uuid, deleted_at as "deletedAt" from deleted_records
      where ${isDeletedBy(teamId, type, deletedBy, yield* keptSince)}
        ${after === undefined ? sql`` : sql`and (deleted_at, id) > (${after.deletedAt}, ${after.uuid}::uuid)`}
      order by deleted_at, id limit ${limit}`)
  })

  /** How many there are of {@link listDeletedBy}. */
  const countDeletedBy = Effect.fn("DeletedRecords.countDeletedBy")(function* (
    teamId: string,
    type: Id.Prefix,
    deletedBy: DeletedBy
  ) {
    const [row] = yield* orDie(sql<{ readonly count: number }>`
      select count(*)::int as count from deleted_records where ${isDeletedBy(teamId, type, deletedBy, yield* keptSince)}`)
    return row?.count ?? 0
  })

  // Contacts have no name of their own (network/contacts/rules.ts).
  const called = sql`coalesce(fields ->> 'name', nullif(concat_ws(' ', fields ->> 'firstName', fields ->> 'lastName'), ''),
    fields ->> 'email', fields ->> 'domain')`

  /** Records of one type that can be restored, and that did not go with others, the latest deletion first. */
  const list = Effect.fn("DeletedRecords.list")(function* (
    teamId: string,
    type: Id.Prefix,
    before: { readonly at: string; readonly id: string } | undefined,
    limit: number
  ) {
    const rows = yield* orDie(sql<{ readonly id: string; readonly name: string | null; readonly deleted_at: Date }>`
      select id, ${called} as name, deleted_at from deleted_records
      where team_id = ${teamId} and type = ${type} and cause_id is null and deleted_at >= ${yield* keptSince}
        ${before === undefined ? sql`` : sql`and (deleted_at, id) < (${before.at}::timestamptz, ${before.id}::uuid)`}
      order by deleted_at desc, id desc limit ${limit}`)
    return rows.map(({ deleted_at, id, name }): DeletedLine => ({
      uuid: id,
      name,
      deletedUtc: deleted_at.toISOString()
    }))
  })

  /** Clears the text of at most `limit` notes on these records, which nobody reads any more; returns how many. */
  const clearNotes = Effect.fnUntraced(function* ({ teamId, uuids }: Due, limit: number) {
    const cleared = yield* orDie(sql`
      update actions set details = details - 'message'
      where team_id = ${teamId} and id = any(array(
        select a.id from unnest(${uuids}::uuid[]) as gone (id)
        cross join lateral (
          select s.action_id from action_subjects s
          where s.subject_id = gone.id and s.partition = any(${ofNotes}::text[]) and s.team_id = ${teamId}
        ) as noted
        join actions a on a.id = noted.action_id and a.team_id = ${teamId}
        where a.type = 'note' and jsonb_exists(a.details, 'message')
        limit ${limit}
      ))
      returning id`)
    return cleared.length
  })

  /** One step of the purge of one team. */
  const purgeDue = (due: Due, until: Date, limit: number) =>
    Effect.gen(function* () {
      const { teamId } = due
      // Some may have been restored since, and others deleted again.
      const locked = yield* orDie(sql<{ readonly id: string }>`
        select id from deleted_records
        where team_id = ${teamId} and id = any(${due.uuids}::uuid[]) and deleted_at < ${until}
        order by type, id for update`)
      const uuids = locked.map(({ id }) => id)
      if (uuids.length === 0) return 0
      const cleared = yield* clearNotes({ teamId, uuids }, limit)
      if (cleared > 0) return cleared
      yield* orDie(sql`delete from deletion_effects where team_id = ${teamId} and cause_id = any(${uuids}::uuid[])`)
      yield* orDie(sql`
        delete from deleted_records
        where team_id = ${teamId} and id = any(${uuids}::uuid[]) and deleted_at < ${until}`)
      return uuids.length
    }).pipe(Transaction.run, Effect.provideService(Database, sql))

  /**
   * Runs one step of the purge of what is kept no longer, with the text of notes on these records: at most `limit` rows of each team.
   * Returns how many; 0 when nothing is left.
   */
  const purge = Effect.fn("DeletedRecords.purge")(function* (limit: number) {
    const until = yield* keptSince
    const purged = yield* runParts("Purging deleted content", (failed) =>
      Effect.map(
        orDie(sql<{ readonly team_id: string; readonly id: string }>`
          select team_id, id from deleted_records
          where deleted_at < ${until} and team_id <> all(${failed}::uuid[]) order by deleted_at limit ${limit}`),
        (rows) =>
          byTeam(
            rows,
            ({ team_id }) => team_id,
            (teamId, some) => purgeDue({ teamId, uuids: some.map(({ id }) => id) }, until, limit)
          )
      )
    )
    if (purged > 0) return purged
    // Of records that were restored meanwhile, or purged before a later step changed something.
    return yield* runParts("Purging effects of deletions", (failed) =>
      Effect.map(
        orDie(sql<{ readonly team_id: string; readonly cause_id: string }>`
          select team_id, cause_id from deletion_effects
          where changed_at < ${until} and team_id <> all(${failed}::uuid[]) order by changed_at limit ${limit}`),
        (rows) =>
          byTeam(
            rows,
            ({ team_id }) => team_id,
            (teamId, some) =>
              Effect.map(
                orDie(sql`
                delete from deletion_effects
                where team_id = ${teamId} and cause_id = any(${some.map((row) => row.cause_id)}::uuid[]) and changed_at < ${until}
                returning id`),
                (gone) => gone.length
              )
          )
      )
    )
  })

  return {
    keep,
    keepEffects,
    find,
    findTaken,
    reassign,
    amend,
    takeEffects,
    effectsOn,
    forgetEffects,
    countTaken,
    list,
    listDeletedBy,
    countDeletedBy,
    living,
    lockSurvivors,
    purge
  }
})

/** What deleted records held. */
export class DeletedRecords extends Context.Service<DeletedRecords, Effect.Success<typeof make>>()(
  "core/records/DeletedRecords"
) {
  static readonly layer = Layer.effect(DeletedRecords, make)
}
