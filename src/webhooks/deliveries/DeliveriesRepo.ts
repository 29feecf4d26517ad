/** All SQL of deliveries: the fan-out, the attempts, and the log. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../db/Database.ts"
import { orDie } from "../../db/DatabaseUnavailable.ts"
import * as Id from "../../Id.ts"
import type { WebhookState } from "../endpoints/rules.ts"
import type { WebhookDelivery } from "./Delivery.ts"
import type { DeliveryState } from "./rules.ts"

/** A row of the log with its UUID. */
export interface StoredDelivery {
  readonly uuid: string
  readonly delivery: WebhookDelivery
}

/** Which rows of the log are wanted. */
export interface LogRange {
  readonly status: string | undefined
  readonly eventType: string | undefined
  readonly createdAfter: Date | undefined
  readonly createdBefore: Date | undefined
  readonly before: { readonly at: string; readonly id: string } | undefined
  readonly limit: number
}

/** All that an attempt needs to know. */
export interface DueDelivery {
  readonly webhookId: string
  readonly status: DeliveryState
  readonly attemptCount: number
  readonly messageId: string
  readonly eventType: string
  readonly body: string
  readonly url: string
  readonly secretSealed: Uint8Array
  /** Null when it is deleted. */
  readonly webhookStatus: WebhookState | null
}

/** An attempt that has ended, and what it makes of its delivery. */
export interface EndedAttempt {
  readonly deliveryId: string
  readonly number: number
  readonly status: DeliveryState
  readonly nextAttemptAt: Date | null
  readonly deliveredAt: Date | null
  readonly startedAt: Date
  readonly durationMs: number
  readonly statusCode: number | null
  readonly error: string | null
  readonly responseHeaders: Readonly<Record<string, string>> | null
  readonly responseBody: string | null
}

/** A delivery that waits, with the attempts it has had. */
export interface WaitingDelivery {
  readonly id: string
  readonly attempts: number
}

interface Row {
  readonly id: string
  readonly message_id: string
  readonly event_type: string
  readonly status: string
  readonly attempt_count: number
  readonly last_attempt_at: Date | null
  readonly last_status_code: number | null
  readonly last_error: string | null
  readonly last_duration_ms: number | null
  readonly created_at: Date
  readonly delivered_at: Date | null
}

const toStored = (row: Row): StoredDelivery => ({
  uuid: row.id,
  delivery: {
    id: Id.fromUuid("dlv", row.id),
    eventId: row.message_id,
    eventType: row.event_type,
    status: row.status,
    attemptCount: row.attempt_count,
    lastAttemptUtc: row.last_attempt_at?.toISOString() ?? null,
    lastStatusCode: row.last_status_code,
    lastError: row.last_error,
    lastDurationMs: row.last_duration_ms,
    createdUtc: row.created_at.toISOString(),
    deliveredUtc: row.delivered_at?.toISOString() ?? null
  }
})

/** The least UUIDv7 of a moment: deliveries have ids of their creation, so their key serves as an index of it. */
const firstUuidOf = (moment: Date): string => {
  const millis = moment.getTime().toString(16).padStart(12, "0")
  return `${millis.slice(0, 8)}-${millis.slice(8)}-7000-8000-000000000000`
}

/** The deliveries of webhooks. Ids are UUIDs. */
export class DeliveriesRepo extends Context.Service<DeliveriesRepo, {
  /** Rows of a webhook's log, newest first. */
  readonly list: (
    teamId: string,
    webhookId: string,
    range: LogRange
  ) => Effect.Effect<ReadonlyArray<StoredDelivery>>
  /**
   * Makes a delivery for each webhook that wants an event of the transaction; answers those to be attempted now. What
   * was made before is not made again.
   */
  readonly fanOut: (
    committed: { readonly transactionId: string; readonly at: string },
    now: Date
  ) => Effect.Effect<ReadonlyArray<WaitingDelivery>>
  readonly find: (id: string) => Effect.Effect<DueDelivery | undefined>
  /** Records the end of attempt `number`, unless it was recorded before. */
  readonly record: (ended: EndedAttempt) => Effect.Effect<boolean>
  /** Notes that attempt `number` does not follow while the webhook does not send. */
  readonly rest: (id: string, number: number) => Effect.Effect<void>
  /**
   * Notes that what waits for the webhook is attempted now: what rests, the oldest first, and then what failed before
   * it was activated and has its next attempt later. Answers it, at most `limit`: when fewer, nothing else waits.
   */
  readonly resume: (
    webhookId: string,
    options: { readonly now: Date; readonly activatedAt: Date | null; readonly limit: number }
  ) => Effect.Effect<ReadonlyArray<WaitingDelivery>>
  /** Removes deliveries of before `until` with their attempts, at most `limit`; answers how many. */
  readonly purge: (until: Date, limit: number) => Effect.Effect<number>
}>()("webhooks/deliveries/DeliveriesRepo") {
  static readonly layer = Layer.effect(
    DeliveriesRepo,
    Effect.gen(function*() {
      const sql = yield* Database

      const list = Effect.fn("DeliveriesRepo.list")(function*(teamId: string, webhookId: string, range: LogRange) {
        const conditions = [sql`d.webhook_id = ${webhookId}`, sql`d.team_id = ${teamId}`]
        if (range.status !== undefined) conditions.push(sql`d.status = ${range.status}`)
        if (range.eventType !== undefined) conditions.push(sql`d.event_type = ${range.eventType}`)
        if (range.createdAfter !== undefined) conditions.push(sql`d.created_at >= ${range.createdAfter}`)
        if (range.createdBefore !== undefined) conditions.push(sql`d.created_at < ${range.createdBefore}`)
        if (range.before !== undefined) {
          conditions.push(sql`(d.created_at, d.id) < (${range.before.at}::timestamptz, ${range.before.id}::uuid)`)
        }
        const rows = yield* orDie(sql<Row>`
          select d.id, e.message_id, d.event_type, d.status, d.attempt_count, d.last_attempt_at, d.last_status_code,
            d.last_error, d.last_duration_ms, d.created_at, d.delivered_at
          from deliveries d
          join events e on e.id = d.event_id
          where ${sql.and(conditions)}
          order by d.created_at desc, d.id desc
          limit ${range.limit}`)
        return rows.map(toStored)
      })

      // The webhooks are locked against a change of their status until this commits: who activates one comes before,
      // and then its deliveries are attempted from here, or after, and then finds them waiting.
      const fanOut = Effect.fn("DeliveriesRepo.fanOut")(function*(
        committed: { readonly transactionId: string; readonly at: string },
        now: Date
      ) {
        return yield* orDie(sql<WaitingDelivery>`
          with wanted as (
            select e.id as event_id, e.seq, e.team_id, e.type, w.id as webhook_id, w.status = 'active' as active
            from events e
            join webhook_subscriptions s on s.team_id = e.team_id and s.event_type = e.type
              and (s.from_at, s.from_transaction) < (e.occurred_at, e.transaction_id)
              and (s.until_at is null or (e.occurred_at, e.transaction_id) < (s.until_at, s.until_transaction))
            join webhooks w on w.id = s.webhook_id
            where e.transaction_id = ${committed.transactionId}::xid8 and e.occurred_at = ${committed.at}::timestamptz
              and w.deleted_at is null
            order by w.id
            for share of w
          ), made as (
            insert into deliveries (
              id, team_id, webhook_id, event_id, event_type, status, next_attempt_at, created_at
            )
            select new_uuid_v7(${now}::timestamptz), team_id, webhook_id, event_id, type, 'pending',
              case when active then ${now}::timestamptz end, ${now}::timestamptz
            from wanted
            order by seq, webhook_id
            on conflict (webhook_id, event_id) do nothing
            returning id, attempt_count, next_attempt_at
          )
          select id, attempt_count as attempts from made where next_attempt_at is not null`)
      })

      const find = Effect.fn("DeliveriesRepo.find")(function*(id: string) {
        const [row] = yield* orDie(sql<DueDelivery>`
          select d.webhook_id as "webhookId", d.status, d.attempt_count as "attemptCount",
            e.message_id as "messageId", e.type as "eventType", e.body, w.url, w.secret_sealed as "secretSealed",
            case when w.deleted_at is null then w.status end as "webhookStatus"
          from deliveries d
          join events e on e.id = d.event_id
          join webhooks w on w.id = d.webhook_id
          where d.id = ${id}`)
        return row
      })

      const record = Effect.fn("DeliveriesRepo.record")(function*(ended: EndedAttempt) {
        const recorded = yield* orDie(sql`
          with ended as (
            update deliveries set
              status = ${ended.status}, attempt_count = ${ended.number},
              next_attempt_at = ${ended.nextAttemptAt}::timestamptz,
              last_attempt_at = ${ended.startedAt}, last_status_code = ${ended.statusCode}::int,
              last_error = ${ended.error}::text, last_duration_ms = ${ended.durationMs},
              delivered_at = ${ended.deliveredAt}::timestamptz
            where id = ${ended.deliveryId} and attempt_count = ${ended.number - 1} and status in ('pending', 'failed')
            returning id
          )
          insert into delivery_attempts (
            delivery_id, number, started_at, duration_ms, status_code, error, response_headers, response_body
          )
          select id, ${ended.number}::int, ${ended.startedAt}::timestamptz, ${ended.durationMs}::int,
            ${ended.statusCode}::int, ${ended.error}::text,
            ${ended.responseHeaders === null ? null : sql.json(ended.responseHeaders)}::jsonb, ${ended.responseBody}::text
          from ended
          returning number`)
        return recorded.length > 0
      })

      const rest = Effect.fn("DeliveriesRepo.rest")(function*(id: string, number: number) {
        yield* orDie(sql`
          update deliveries set next_attempt_at = null
          where id = ${id} and attempt_count = ${number - 1} and next_attempt_at is not null`)
      })

      // A failed delivery waits unless the receiver refused it for good: a 4xx but 429 (see `classify`). In the words of
      // the index deliveries_resting.
      const resume = Effect.fn("DeliveriesRepo.resume")(function*(
        webhookId: string,
        options: { readonly now: Date; readonly activatedAt: Date | null; readonly limit: number }
      ) {
        const resting = sql`
          select id from deliveries
          where webhook_id = ${webhookId} and next_attempt_at is null and (status = 'pending' or (
            status = 'failed' and (coalesce(last_status_code, 0) not between 400 and 499 or last_status_code = 429)
          ))
          order by created_at, id limit ${options.limit}`
        const mark = (some: typeof resting) =>
          orDie(sql<WaitingDelivery>`
            with taken as (${some} for no key update), resumed as (
              update deliveries set next_attempt_at = ${options.now}
              where id in (select id from taken)
              returning id, attempt_count, created_at
            )
            select id, attempt_count as attempts from resumed order by created_at, id`)
        const rested = yield* mark(resting)
        if (rested.length === options.limit || options.activatedAt === null) return rested
        // Not what failed since: that is not tried again before its time.
        const retried = yield* mark(sql`
          select id from deliveries
          where webhook_id = ${webhookId} and status = 'failed' and next_attempt_at > ${options.now}
            and last_attempt_at < ${options.activatedAt}
          order by next_attempt_at, id limit ${options.limit - rested.length}`)
        return [...rested, ...retried]
      })

      const purge = Effect.fn("DeliveriesRepo.purge")(function*(until: Date, limit: number) {
        const purged = yield* orDie(sql`
          delete from deliveries where id in (
            select id from deliveries where id < ${firstUuidOf(until)}::uuid order by id limit ${limit}
          ) returning id`)
        return purged.length
      })

      return DeliveriesRepo.of({ list, fanOut, find, record, rest, resume, purge })
    })
  )
}
