/** The SQL of the audit log, which belongs to the installation: rows of all teams are in one table, in no cell. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import type { ActorKind, AuditAction, AuditDetails, AuditOutcome } from "./AuditEntry.ts"

/** Who acted, by what, on what. Ids are UUIDs, but for that of the target. */
export interface StoredEvent {
  readonly teamId: string | null
  readonly actorKind: ActorKind
  readonly actorId: string | null
  readonly clientId: string | null
  readonly grantId: string | null
  readonly tokenId: string | null
  readonly address: string | null
  readonly action: AuditAction
  readonly targetType: string | null
  readonly targetId: string | null
  readonly outcome: AuditOutcome
  readonly details: AuditDetails
}

/** An entry as it is stored. */
export interface StoredEntry extends StoredEvent {
  readonly id: string
  readonly at: Date
  readonly systemUid: number | null
  readonly systemUser: string | null
  readonly sessionId: string | null
  readonly command: string | null
  readonly requestId: string | null
}

/** Something that is counted, some times. */
export interface CountedEvent extends StoredEvent {
  readonly key: string
  readonly id: string
  readonly firstAt: Date
  readonly lastAt: Date
  readonly count: number
}

/** Which entries are asked for. Ids are UUIDs. */
export interface EntriesQuery {
  /** The smallest id, and the one before which they are. */
  readonly from: string | undefined
  readonly before: string | undefined
  readonly teamId: string | undefined
  /** The client that acted, or was acted upon: a UUID, and the public id. */
  readonly client: { readonly uuid: string; readonly id: string } | undefined
  /** The user who acted, or who was acted upon: a UUID, and the public id. */
  readonly user: { readonly uuid: string; readonly id: string } | undefined
  readonly actions: ReadonlyArray<AuditAction> | undefined
  readonly outcome: AuditOutcome | undefined
}

const make = Effect.gen(function* () {
  const sql = yield* Database

  /** Adds an entry. */
  const insert = Effect.fn("AuditEntriesRepo.insert")(function* (entry: StoredEntry, keepUntil: Date) {
    yield* orDie(sql`
      insert into audit_log (
        id, at, keep_until, team_id, actor_kind, actor_id, os_uid, os_user, client_id, grant_id, token_id,
        session_id, command, address, action, target_type, target_id, outcome, request_id, details
      ) values (
        ${entry.id}, ${entry.at}, ${keepUntil}, ${entry.teamId}::uuid, ${entry.actorKind}, ${entry.actorId}::uuid,
        ${entry.systemUid}::bigint, ${entry.systemUser}, ${entry.clientId}::uuid, ${entry.grantId}::uuid,
        ${entry.tokenId}::uuid, ${entry.sessionId}::uuid, ${entry.command}, ${entry.address}, ${entry.action},
        ${entry.targetType}, ${entry.targetId}, ${entry.outcome}, ${entry.requestId}, ${sql.json(entry.details)}
      )`)
  })

  /** Adds to the counts. */
  const count = Effect.fn("AuditEntriesRepo.count")(function* (events: ReadonlyArray<CountedEvent>) {
    // In one order, so that two processes never wait for each other in turn.
    const sorted = events.toSorted((a, b) => (a.key < b.key ? -1 : 1))
    yield* orDie(sql`
      insert into audit_counts as c (
        key, id, opened_at, last_at, count, team_id, actor_kind, actor_id, client_id, grant_id, token_id, address,
        action, target_type, target_id, outcome, details
      )
      select key, id, "firstAt", "lastAt", count, "teamId", "actorKind", "actorId", "clientId", "grantId", "tokenId",
        address, action, "targetType", "targetId", outcome, details
      from jsonb_to_recordset(${sql.json(sorted)}) as row (
        key text, id uuid, "firstAt" timestamptz, "lastAt" timestamptz, count bigint, "teamId" uuid, "actorKind" text,
        "actorId" uuid, "clientId" uuid, "grantId" uuid, "tokenId" uuid, address text, action text, "targetType" text,
        "targetId" text, outcome text, details jsonb
      )
      on conflict (key) do update set
        count = c.count + excluded.count, last_at = greatest(c.last_at, excluded.last_at)`)
  })

  /** Makes entries of what was counted in hours that began before `until`, at most `limit`; returns how many. */
  const closeCounts = Effect.fn("AuditEntriesRepo.closeCounts")(function* (
    until: Date,
    keepDays: number,
    limit: number
  ) {
    const closed = yield* orDie(sql`
      with closed as (
        delete from audit_counts where key in (
          select key from audit_counts where opened_at < ${until} order by opened_at limit ${limit} for update skip locked
        )
        returning *
      )
      insert into audit_log (
        id, at, keep_until, team_id, actor_kind, actor_id, client_id, grant_id, token_id, address, action, target_type,
        target_id, outcome, details
      )
      select id, opened_at, opened_at + make_interval(days => ${keepDays}::int), team_id, actor_kind, actor_id,
        client_id, grant_id, token_id, address, action, target_type, target_id, outcome, ${counted}
      from closed
      returning id`)
    return closed.length
  })

  // What entries of counts say of how many, and when.
  const counted = sql.literal(`details || jsonb_build_object(
    'count', count,
    'firstUtc', to_char(opened_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'lastUtc', to_char(last_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`)

  const shared = sql.literal(`id, team_id as "teamId", actor_kind as "actorKind", actor_id as "actorId",
    client_id as "clientId", grant_id as "grantId", token_id as "tokenId", address, action,
    target_type as "targetType", target_id as "targetId", outcome`)

  /** At most `limit` entries, the latest first: those of the log, and what is being counted. */
  const list = Effect.fn("AuditEntriesRepo.list")(function* (asked: EntriesQuery, limit: number) {
    const { actions, before, client, from, outcome, teamId, user } = asked
    const ofUser = user === undefined ? [] : [sql`actor_id = ${user.uuid}::uuid`, sql`target_id = ${user.id}`]
    const ofClient = client === undefined ? [] : [sql`client_id = ${client.uuid}::uuid`, sql`target_id = ${client.id}`]
    const conditions = (action: string | undefined) =>
      sql.and([
        ...(from === undefined ? [] : [sql`id >= ${from}::uuid`]),
        ...(before === undefined ? [] : [sql`id < ${before}::uuid`]),
        ...(teamId === undefined ? [] : [sql`team_id = ${teamId}::uuid`]),
        ...(outcome === undefined ? [] : [sql`outcome = ${outcome}`]),
        ...(outcome === undefined || outcome === "success" ? [] : [sql.literal("outcome <> 'success'")]),
        ...(ofUser.length === 0 || ofClient.length === 0 ? [] : [sql.or(ofClient)]),
        ...(action === undefined ? [] : [sql.literal(action)])
      ])
    // Each way in by an index of its own, in the order of the ids: the log has years of rows.
    const [first = sql`true`, second] = ofUser.length > 0 ? ofUser : ofClient
    const ofAction = actions === undefined ? undefined : "action = asked.action"
    const one = (way: typeof first) =>
      sql`select * from (
        select id from audit_log where ${way} and ${conditions(ofAction)} order by id desc limit ${limit}
      ) as found`
    const found = (way: typeof first) =>
      actions === undefined
        ? one(way)
        : sql`select per_action.id from unnest(${actions}::text[]) as asked (action) cross join lateral (${one(way)}) as per_action`
    const ids = second === undefined ? found(first) : sql`${found(first)} union ${found(second)}`
    const isCounted = second === undefined ? first : sql`(${first} or ${second})`
    return yield* orDie(sql<StoredEntry>`
      with entries as (
        select ${shared}, at, os_uid::float8 as "systemUid", os_user as "systemUser", session_id as "sessionId",
          command, request_id as "requestId", details
        from audit_log where id in (${ids})
        union all
        select ${shared}, opened_at as at, null, null, null, null, null, ${counted} as details
        from audit_counts
        where ${isCounted} and ${conditions(undefined)}
          and (${actions === undefined} or action = any(${actions ?? []}::text[]))
      )
      select * from entries order by id desc limit ${limit}`)
  })

  /** The present names of users, clients, apps and teams (UUIDs). */
  const names = Effect.fn("AuditEntriesRepo.names")(function* (ids: ReadonlyArray<string>) {
    if (ids.length === 0) return new Map<string, string>()
    const rows = yield* orDie(sql<{ readonly id: string; readonly name: string }>`
      select id, name from users where id = any(${ids}::uuid[])
      union all select id, name from clients where id = any(${ids}::uuid[])
      union all select id, name from apps where id = any(${ids}::uuid[])
      union all select id, name from teams where id = any(${ids}::uuid[])`)
    return new Map(rows.map(({ id, name }) => [id, name]))
  })

  /** The UUID of the person with an e-mail address. */
  const findPerson = Effect.fn("AuditEntriesRepo.findPerson")(function* (email: string) {
    const [row] = yield* orDie(sql<{ readonly id: string }>`
      select id from users where lower(email) = lower(${email}) and not is_bot`)
    return row?.id
  })

  /** Whether there is a team (UUID). */
  const isTeam = Effect.fn("AuditEntriesRepo.isTeam")(function* (id: string) {
    return (yield* orDie(sql`select from teams where id = ${id}`)).length > 0
  })

  /** Deletes entries whose retention has ended, at most `limit`; returns how many. */
  const purge = Effect.fn("AuditEntriesRepo.purge")(function* (now: Date, limit: number) {
    const purged = yield* orDie(sql`
      delete from audit_log where id in (
        select id from audit_log where keep_until <= ${now} order by keep_until limit ${limit}
      )
      returning id`)
    return purged.length
  })

  return { insert, count, closeCounts, list, names, findPerson, isTeam, purge }
})

/** Stores the audit log. */
export class AuditEntriesRepo extends Context.Service<AuditEntriesRepo, Effect.Success<typeof make>>()(
  "core/audit/AuditEntriesRepo"
) {
  static readonly layer = Layer.effect(AuditEntriesRepo, make)
}
