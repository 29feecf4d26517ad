/** Queries the events, deliveries and attempts in the database. */
import { Effect } from "effect"
import { Database } from "../../src/platform/db/Database.ts"
import { lockSeed } from "../../src/platform/jobs/Worker.ts"

/** A delivery in the log. */
export interface DeliveryRow {
  readonly id: string
  readonly webhookId: string
  readonly messageId: string
  readonly status: "pending" | "delivered" | "failed" | "exhausted"
  readonly attemptCount: number
  readonly lastStatusCode: number | null
  readonly occurredAt: Date
  readonly deliveredAt: Date | null
}

/** A recorded attempt. */
export interface AttemptRow {
  readonly deliveryId: string
  readonly number: number
  readonly startedAt: Date
  readonly durationMs: number
  readonly statusCode: number | null
  readonly error: string | null
}

/** Every committed event. */
export const events = Effect.flatMap(
  Database,
  (sql) =>
    sql<{ type: string; resourceId: string }>`
    select type, body::json ->> 'resource_id' as "resourceId" from events`
)

/**
 * Compares the events with the expected deliveries: one for each event and each webhook of its team that subscribes. All webhooks
 * existed before the first event.
 */
export const fanOut = Effect.flatMap(Database, (sql) =>
  Effect.map(
    sql<{ wanted: number; missing: number; surplus: number; unheard: number }>`
      with wanted as (
        select e.id as event_id, w.id as webhook_id
        from events e join webhooks w on w.team_id = e.team_id and e.type = any(w.events)
      ), compared as (
        select wanted.event_id is not null as wanted, d.id is not null as made
        from wanted full join deliveries d on d.event_id = wanted.event_id and d.webhook_id = wanted.webhook_id
      )
      select count(*) filter (where wanted)::int as wanted,
        count(*) filter (where wanted and not made)::int as missing,
        count(*) filter (where made and not wanted)::int as surplus,
        (select count(*)::int from events e where not exists (select from deliveries d where d.event_id = e.id)) as unheard
      from compared`,
    ([row]) => row ?? { wanted: 0, missing: 0, surplus: 0, unheard: 0 }
  )
)

/** The numbers of open deliveries and fan-outs. */
export interface Open {
  /** Deliveries that may still be attempted. */
  readonly waiting: number
  /** Those that are due. */
  readonly claimed: number
  /** Due ones without a claim of a living worker. */
  readonly orphaned: number
  /** Changes whose events are not fanned out yet. */
  readonly fanOuts: number
}

/** The open deliveries of some webhooks. */
export const open = Effect.fnUntraced(function* (webhookIds: ReadonlyArray<string>) {
  const sql = yield* Database
  const [row] = yield* sql<Open>`
    select count(*) filter (where status in ('pending', 'failed'))::int as waiting,
      count(*) filter (where claimed)::int as claimed,
      count(*) filter (where claimed and not exists (
        select from pg_locks
        where locktype = 'advisory' and granted
          and (classid::bigint << 32 | objid::bigint) = hashtextextended(claimed_by, ${lockSeed}::bigint)
      ))::int as orphaned,
      (select count(*)::int from fan_outs) as "fanOuts"
    from deliveries d
    where webhook_id = any(${webhookIds}::uuid[]) and (claimed or status in ('pending', 'failed'))`
  return row ?? { waiting: 0, claimed: 0, orphaned: 0, fanOuts: 0 }
})

/** The deliveries of one webhook. */
export const deliveriesOf = Effect.fnUntraced(function* (webhookId: string) {
  const sql = yield* Database
  return yield* sql<DeliveryRow>`
    select d.id, d.webhook_id as "webhookId", e.message_id as "messageId", d.status, d.attempt_count as "attemptCount",
      d.last_status_code as "lastStatusCode", e.occurred_at as "occurredAt", d.delivered_at as "deliveredAt"
    from deliveries d join events e on e.id = d.event_id
    where d.webhook_id = ${webhookId}`
})

/** The attempts of one webhook's deliveries, in their order for each delivery. */
export const attemptsOf = Effect.fnUntraced(function* (webhookId: string) {
  const sql = yield* Database
  return yield* sql<AttemptRow>`
    select a.delivery_id as "deliveryId", a.number, a.started_at as "startedAt", a.duration_ms as "durationMs",
      a.status_code as "statusCode", a.error
    from delivery_attempts a join deliveries d on d.id = a.delivery_id
    where d.webhook_id = ${webhookId}
    order by a.delivery_id, a.number`
})

/** The numbers of deliveries and attempts of some webhooks, by state. */
export const states = Effect.fnUntraced(function* (webhookIds: ReadonlyArray<string>) {
  const sql = yield* Database
  const [row] = yield* sql<{
    deliveries: number
    delivered: number
    pending: number
    failed: number
    exhausted: number
    attempts: number
    disabled: number
  }>`
    select count(*)::int as deliveries, count(*) filter (where status = 'delivered')::int as delivered,
      count(*) filter (where status = 'pending')::int as pending, count(*) filter (where status = 'failed')::int as failed,
      count(*) filter (where status = 'exhausted')::int as exhausted, coalesce(sum(attempt_count), 0)::int as attempts,
      (select count(*)::int from webhooks where id = any(${webhookIds}::uuid[]) and status = 'disabled') as disabled
    from deliveries where webhook_id = any(${webhookIds}::uuid[])`
  return row ?? { deliveries: 0, delivered: 0, pending: 0, failed: 0, exhausted: 0, attempts: 0, disabled: 0 }
})

/** The numbers of disabled webhooks, by reason. */
export const disabled = Effect.flatMap(
  Database,
  (sql) =>
    sql<{ id: string; reason: string }>`
    select id, disabled_reason as reason from webhooks where status = 'disabled'`
)
