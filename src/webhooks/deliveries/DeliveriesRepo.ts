/** The SQL of the delivery log: reads, replays, retries and the purge. */
import * as Id from "../../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import type { Fragment } from "effect/sql/Statement"
import { averageTeamId } from "../../platform/db/SetStatements.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { inEach, inTeam } from "../../platform/db/Cells.ts"
import type { WebhookState } from "../rules.ts"
import { type DeliveryAttempt, maxAttemptsShown, maxCounted, type WebhookDelivery } from "./Delivery.ts"
import { type DeliveryState, heldCondition } from "./rules.ts"

/** A row of the log with its UUID. */
export interface StoredDelivery {
  readonly uuid: string
  readonly status: DeliveryState
  readonly delivery: WebhookDelivery
}

/** A row of the logs of all webhooks, with its webhook. Ids are UUIDs. */
export interface LoggedDelivery extends StoredDelivery {
  readonly teamId: string
  readonly webhookId: string
  readonly webhookName: string | null
  readonly webhookStatus: WebhookState
  readonly url: string
}

/** Whose deliveries are looked for: undefined for those of all. */
export interface LogScope {
  readonly teamId: string | undefined
  readonly webhookId: string | undefined
}

/** The request body of a delivery, and its attempts. */
export interface SentRequest {
  readonly body: string
  readonly attempts: ReadonlyArray<
    DeliveryAttempt & {
      /** Null if they were not stored. */
      readonly requestHeaders: Readonly<Record<string, string>> | null
    }
  >
}

/** The result of a replay. */
export interface Replayed {
  /** The deliveries that were queued again. */
  readonly ids: ReadonlyArray<string>
  /** How many failed deliveries come after these, counted up to `maxCounted`. */
  readonly remaining: number
  /** When the first of the remaining ones was created. */
  readonly next: Date | null
}

/** The filters of the log, without a position. */
export type LogFilters = Omit<LogQuery, "before" | "limit">

/** The filters and the position of a page of the log. */
export interface LogQuery {
  readonly status: string | undefined
  readonly eventType: string | undefined
  readonly createdAfter: Date | undefined
  readonly createdBefore: Date | undefined
  /** Why the latest attempt of a delivery failed that has not arrived. */
  readonly lastError: string | undefined
  readonly before: { readonly at: string; readonly id: string } | undefined
  readonly limit: number
}

interface Row {
  readonly id: string
  readonly message_id: string
  readonly event_type: string
  readonly status: DeliveryState
  readonly attempt_count: number
  readonly next_attempt_at: Date | null
  readonly last_attempt_at: Date | null
  readonly last_status_code: number | null
  readonly last_error: string | null
  readonly last_duration_ms: number | null
  readonly created_at: Date
  readonly delivered_at: Date | null
}

const toStored = (row: Row): StoredDelivery => ({
  uuid: row.id,
  status: row.status,
  delivery: {
    id: Id.fromUuid("dlv", row.id),
    eventId: row.message_id,
    eventType: row.event_type,
    status: row.status,
    attemptCount: row.attempt_count,
    nextAttemptUtc: row.next_attempt_at?.toISOString() ?? null,
    lastAttemptUtc: row.last_attempt_at?.toISOString() ?? null,
    lastStatusCode: row.last_status_code,
    lastError: row.last_error,
    lastDurationMs: row.last_duration_ms,
    createdUtc: row.created_at.toISOString(),
    deliveredUtc: row.delivered_at?.toISOString() ?? null
  }
})

/** How many causes of failures are listed. */
const maxCauses = 100

interface CauseRow {
  readonly error: string
  readonly statusCode: number | null
  readonly count: number
  readonly first: Date | null
  readonly last: Date | null
  readonly exampleId: string
}

interface LoggedRow extends Row {
  readonly team_id: string
  readonly webhook_id: string
  readonly webhook_name: string | null
  readonly webhook_status: WebhookState
  readonly url: string
}

const toLogged = (row: LoggedRow): LoggedDelivery => ({
  ...toStored(row),
  teamId: row.team_id,
  webhookId: row.webhook_id,
  webhookName: row.webhook_name,
  webhookStatus: row.webhook_status,
  url: row.url
})

const newestFirst = ({ delivery: one, uuid }: LoggedDelivery, { delivery: other, uuid: otherUuid }: LoggedDelivery) =>
  one.createdUtc === other.createdUtc ? (uuid < otherUuid ? 1 : -1) : one.createdUtc < other.createdUtc ? 1 : -1

interface AttemptRow {
  readonly number: number
  readonly started_at: Date
  readonly duration_ms: number
  readonly status_code: number | null
  readonly error: string | null
  readonly request_headers: Readonly<Record<string, string>> | null
  readonly response_headers: Readonly<Record<string, string>> | null
  readonly response_body: string | null
}

const toAttempt = (row: AttemptRow): SentRequest["attempts"][number] => ({
  number: row.number,
  startedUtc: row.started_at.toISOString(),
  durationMs: row.duration_ms,
  statusCode: row.status_code,
  error: row.error,
  requestHeaders: row.request_headers,
  responseHeaders: row.response_headers,
  responseBody: row.response_body
})

const make = Effect.gen(function* () {
  const sql = yield* Database
  const held = sql.literal(heldCondition)

  const columns = sql`
    d.id, e.message_id, d.event_type, d.status, d.attempt_count, d.next_attempt_at, d.last_attempt_at,
    d.last_status_code, d.last_error, d.last_duration_ms, d.created_at, d.delivered_at`

  const webhookColumns = sql`
    w.team_id, w.id as webhook_id, w.name as webhook_name, w.status as webhook_status, w.url`

  const conditionsOf = (query: LogFilters & Partial<Pick<LogQuery, "before">>) => {
    const conditions: Array<Fragment> = []
    if (query.status !== undefined) conditions.push(sql`d.status = ${query.status}`)
    if (query.eventType !== undefined) conditions.push(sql`d.event_type = ${query.eventType}`)
    if (query.createdAfter !== undefined) conditions.push(sql`d.created_at >= ${query.createdAfter}`)
    if (query.createdBefore !== undefined) conditions.push(sql`d.created_at < ${query.createdBefore}`)
    // The redundant condition lets Postgres use the partial index deliveries_log_by_status.
    if (query.lastError !== undefined) {
      conditions.push(
        sql`d.last_error = ${query.lastError} and d.status in ('failed', 'exhausted') and d.status <> 'delivered'`
      )
    }
    if (query.before !== undefined) {
      conditions.push(sql`(d.created_at, d.id) < (${query.before.at}::timestamptz, ${query.before.id}::uuid)`)
    }
    return conditions
  }

  /** Rows of a webhook's log, newest first. */
  const list = Effect.fn("DeliveriesRepo.list")(function* (teamId: string, webhookId: string, query: LogQuery) {
    const conditions = [
      sql`d.webhook_id = ${webhookId}`,
      sql`d.team_id = ${averageTeamId(sql, teamId)}`,
      ...conditionsOf(query)
    ]
    const rows = yield* orDie(sql<Row>`
      select ${columns}
      from deliveries d
      join events e on e.id = d.event_id and e.team_id = d.team_id
      where ${sql.and(conditions)}
      order by d.created_at desc, d.id desc
      limit ${query.limit}`)
    return rows.map(toStored)
  })

  const isOfWebhook = (teamId: string, webhookId: string) =>
    sql`d.webhook_id = ${webhookId} and d.team_id = ${averageTeamId(sql, teamId)}`

  // The event of `d`, and whether its body has the text: by a lookup for each row, because the limit keeps Postgres from reading all events.
  const lookedThrough = (teamId: string, text: string) => sql`
    cross join lateral (
      select message_id, strpos(lower(body), lower(${text}::text)) > 0 as has_text from events
      where id = d.event_id and team_id = ${averageTeamId(sql, teamId)} limit 1
    ) e`

  /**
   * Rows of a webhook's log with a text in their body, newest first, among the first `searched` that the filters let through. `end` is the
   * last of those if there may be more.
   */
  const search = Effect.fn("DeliveriesRepo.search")(function* (
    teamId: string,
    webhookId: string,
    query: LogQuery & { readonly text: string; readonly searched: number }
  ) {
    const looked = sql`
      select * from deliveries d where ${sql.and([isOfWebhook(teamId, webhookId), ...conditionsOf(query)])}
      order by d.created_at desc, d.id desc limit ${query.searched}`
    const rows = yield* orDie(sql<Row>`
      select ${columns}
      from (${looked}) d ${lookedThrough(teamId, query.text)}
      where e.has_text
      order by d.created_at desc, d.id desc
      limit ${query.limit}`)
    const [end] = yield* orDie(sql<{ at: Date; id: string }>`
      select d.created_at as at, d.id from deliveries d
      where ${sql.and([isOfWebhook(teamId, webhookId), ...conditionsOf(query)])}
      order by d.created_at desc, d.id desc offset ${query.searched - 1} limit 1`)
    return { rows: rows.map(toStored), end: end === undefined ? undefined : { at: end.at.toISOString(), id: end.id } }
  })

  /** The deliveries that filters let through and that can be queued again, the newest first: those of the latest `limit` with the text. */
  const matching = Effect.fn("DeliveriesRepo.matching")(function* (
    teamId: string,
    webhookId: string,
    query: LogFilters & { readonly text: string | undefined; readonly limit: number }
  ) {
    return yield* orDie(sql<{ id: string; status: DeliveryState }>`
      select d.id, d.status from (
        select * from deliveries d
        where ${sql.and([isOfWebhook(teamId, webhookId), sql`d.status <> 'pending'`, ...conditionsOf(query)])}
        order by d.created_at desc, d.id desc limit ${query.limit}
      ) d ${query.text === undefined ? sql`` : lookedThrough(teamId, query.text)}
      where ${query.text === undefined ? sql`true` : sql`e.has_text`}
      order by d.created_at desc, d.id desc`)
  })

  /** Why the latest failed deliveries of a webhook have not arrived, up to `limit` of each state: the most frequent cause first. */
  const causes = Effect.fn("DeliveriesRepo.causes")(function* (teamId: string, webhookId: string, limit: number) {
    return yield* orDie(sql<CauseRow>`
      select last_error as error, max(last_status_code) as "statusCode", count(*)::int as count,
        min(last_attempt_at) as first, max(last_attempt_at) as last,
        (array_agg(id order by last_attempt_at desc, id desc))[1] as "exampleId"
      from (values ('failed'), ('exhausted')) as states (status)
      cross join lateral (
        select d.id, d.last_error, d.last_status_code, d.last_attempt_at from deliveries d
        where ${isOfWebhook(teamId, webhookId)} and d.status = states.status and d.status <> 'delivered'
          and d.last_error is not null
        order by d.created_at desc, d.id desc limit ${limit}
      ) failed
      group by last_error
      order by count(*) desc, last_error
      limit ${maxCauses}`)
  })

  /**
   * Rows of the logs of all webhooks, of those of a team, or of one, newest first. It costs an index scan of at most so many rows for each
   * webhook. Webhooks that were deleted are there as long as their deliveries.
   */
  const listAll = Effect.fn("DeliveriesRepo.listAll")(function* ({ teamId, webhookId }: LogScope, query: LogQuery) {
    const scope = [
      ...(teamId === undefined ? [] : [sql`w.team_id = ${teamId}`]),
      ...(webhookId === undefined ? [] : [sql`w.id = ${webhookId}`])
    ]
    const found = orDie(sql<LoggedRow>`
      select ${columns}, ${webhookColumns}
      from (
        select latest.id, latest.team_id from webhooks w
        cross join lateral (
          select d.id, d.team_id, d.created_at from deliveries d
          where ${sql.and([sql`d.webhook_id = w.id and d.team_id = w.team_id`, ...conditionsOf(query)])}
          order by d.created_at desc, d.id desc limit ${query.limit}
        ) latest
        where ${sql.and([sql`true`, ...scope])}
        order by latest.created_at desc, latest.id desc limit ${query.limit}
      ) found
      join deliveries d on d.id = found.id and d.team_id = found.team_id
      join events e on e.id = d.event_id and e.team_id = d.team_id
      join webhooks w on w.id = d.webhook_id and w.team_id = d.team_id`)
    const rows = yield* teamId === undefined ? inEach(sql, found) : inTeam(teamId)(found)
    return rows.map(toLogged).toSorted(newestFirst).slice(0, query.limit)
  })

  /** A delivery of any team. */
  const findInAll = Effect.fn("DeliveriesRepo.findInAll")(function* (id: string) {
    const found = orDie(sql<LoggedRow>`
      select ${columns}, ${webhookColumns}
      from deliveries d
      join events e on e.id = d.event_id and e.team_id = d.team_id
      join webhooks w on w.id = d.webhook_id and w.team_id = d.team_id
      where d.id = ${id}`)
    const [row] = yield* inEach(sql, found)
    return row === undefined ? undefined : toLogged(row)
  })

  /** The team (UUID) of a webhook, which may be deleted. */
  const teamOfWebhook = Effect.fn("DeliveriesRepo.teamOfWebhook")(function* (id: string) {
    const [row] = yield* inEach(sql, orDie(sql<{ team_id: string }>`select team_id from webhooks where id = ${id}`))
    return row?.team_id
  })

  const find = Effect.fn("DeliveriesRepo.find")(function* (teamId: string, webhookId: string, id: string) {
    const [row] = yield* orDie(sql<Row>`
      select ${columns}
      from deliveries d
      join events e on e.id = d.event_id and e.team_id = d.team_id
      where d.id = ${id} and d.webhook_id = ${webhookId} and d.team_id = ${averageTeamId(sql, teamId)}`)
    return row === undefined ? undefined : toStored(row)
  })

  /** The request body and the attempts of a delivery. */
  const sent = Effect.fn("DeliveriesRepo.sent")(function* (teamId: string, id: string) {
    const [event] = yield* orDie(sql<{ body: string }>`
      select e.body from deliveries d join events e on e.id = d.event_id and e.team_id = d.team_id
      where d.team_id = ${averageTeamId(sql, teamId)} and d.id = ${id}`)
    const latest = yield* orDie(sql<AttemptRow>`
      select number, started_at, duration_ms, status_code, error, request_headers, response_headers, response_body
      from delivery_attempts where delivery_id = ${id} and (team_id = ${teamId} or team_id is null)
      order by number desc limit ${maxAttemptsShown}`)
    return { body: event?.body ?? "", attempts: latest.map(toAttempt).reverse() }
  })

  const countFromZero = sql`
    replayed_attempts = replayed_attempts + attempt_count, attempt_count = 0, delivered_at = null`

  /** Queues a delivery again in the state `next` and resets its count of attempts. Returns false if it is no longer in `state`. */
  const requeue = Effect.fn("DeliveriesRepo.requeue")(function* (
    teamId: string,
    id: string,
    { next, now, state }: { readonly state: DeliveryState; readonly next: DeliveryState; readonly now: Date }
  ) {
    const queued = yield* orDie(sql`
      update deliveries set status = ${next}, next_attempt_at = ${now}, ${countFromZero}
      where team_id = ${teamId} and id = ${id} and status = ${state}
      returning id`)
    return queued.length > 0
  })

  /** Queues those of these deliveries of a webhook again that do not wait, and resets their counts of attempts. Returns their ids. */
  const requeueAll = Effect.fn("DeliveriesRepo.requeueAll")(function* (
    teamId: string,
    webhookId: string,
    { ids, now }: { readonly ids: ReadonlyArray<string>; readonly now: Date }
  ) {
    // Locks the rows first, in the order of replays.
    const queued = yield* orDie(sql<{ id: string }>`
      with chosen as (
        select id from deliveries
        where team_id = ${teamId} and webhook_id = ${webhookId} and id = any(${ids}::uuid[]) and status <> 'pending'
        order by created_at, id for no key update
      )
      update deliveries set status = 'pending', next_attempt_at = ${now}, ${countFromZero}
      where team_id = ${teamId} and id in (select id from chosen)
      returning id`)
    return queued.map(({ id }) => id)
  })

  /** Queues failed and exhausted deliveries again that were created at `since` or later, the oldest first, at most `limit`. */
  const replay = Effect.fn("DeliveriesRepo.replay")(function* (
    teamId: string,
    webhookId: string,
    { limit, now, since }: { readonly since: Date; readonly now: Date; readonly limit: number }
  ) {
    // The redundant condition makes Postgres use the partial index deliveries_log_by_status.
    const failed = sql`
      team_id = ${teamId} and webhook_id = ${webhookId} and status in ('failed', 'exhausted') and status <> 'delivered'`
    // Locks the rows first, because an attempt that ends concurrently may deliver one of them.
    const queued = yield* orDie(sql<{ id: string; at: Date }>`
      with failed as (
        select id from deliveries where ${failed} and created_at >= ${since}
        order by created_at, id limit ${limit} for no key update
      )
      update deliveries set status = 'pending', next_attempt_at = ${now}, ${countFromZero}
      where team_id = ${teamId} and id in (select id from failed)
      returning id, created_at as at`)
    const [last] = queued.toSorted((a, b) => b.at.getTime() - a.at.getTime() || (a.id < b.id ? 1 : -1))
    if (last === undefined || queued.length < limit) {
      return { ids: queued.map(({ id }) => id), remaining: 0, next: null }
    }
    // Only those after the last one: the deliveries that this replay queued may have failed again by now.
    const [left] = yield* orDie(sql<{ count: number; next: Date | null }>`
      select count(*)::int as count, min(created_at) as next from (
        select created_at from deliveries
        where ${failed} and (created_at, id) > (${last.at}::timestamptz, ${last.id}::uuid)
        order by created_at, id limit ${maxCounted}
      ) as after`)
    return { ids: queued.map(({ id }) => id), remaining: left?.count ?? 0, next: left?.next ?? null }
  })

  /**
   * Scans up to `limit` deliveries after the id `after`, in the order of their creation. Deletes, with their attempts, those
   * that have ended and were created before `ended`, and those that wait and were created before `waiting`. Returns the last
   * id that it scanned, or undefined if there was none.
   */
  const purge = Effect.fn("DeliveriesRepo.purge")(function* (
    until: { readonly ended: Date; readonly waiting: Date },
    after: string,
    limit: number
  ) {
    const isOver = (teamId: Fragment) => sql`(
      d.id < ${Id.minUuidOf(until.waiting)}::uuid or (next_attempt_at is null and not (${held}))
      or exists (select from webhooks w where w.id = d.webhook_id and w.team_id = ${teamId} and w.deleted_at is not null)
    )`
    const scanned = yield* orDie(sql<{ id: string; team_id: string; is_over: boolean }>`
      select id, team_id, ${isOver(sql`d.team_id`)} as is_over from deliveries d
      where id > ${after}::uuid and id < ${Id.minUuidOf(until.ended)}::uuid
      order by id limit ${limit}`)
    const over = scanned.filter(({ is_over }) => is_over)
    // Checked again: a client may have queued one of them again.
    for (const [teamId, some] of Map.groupBy(over, ({ team_id }) => team_id)) {
      yield* orDie(sql`
        delete from deliveries d
        where team_id = ${teamId} and id = any(${some.map(({ id }) => id)}::uuid[]) and ${isOver(sql`${teamId}`)}`)
    }
    return scanned.at(-1)?.id
  })

  return {
    list,
    search,
    matching,
    causes,
    listAll,
    find,
    findInAll,
    teamOfWebhook,
    sent,
    requeue,
    requeueAll,
    replay,
    purge
  }
})

/** The delivery log. Ids are UUIDs. */
export class DeliveriesRepo extends Context.Service<DeliveriesRepo, Effect.Success<typeof make>>()(
  "webhooks/deliveries/DeliveriesRepo"
) {
  static readonly layer = Layer.effect(DeliveriesRepo, make)
}
