/** The SQL of attempts that have ended: many are recorded at once. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../db/Database.ts"
import { orDie } from "../../db/DatabaseUnavailable.ts"
import { type DeliveryState, type DueDelivery, numberOf } from "./rules.ts"

/** An attempt that has ended, and what it makes of its delivery. */
export interface EndedAttempt {
  /** The delivery as it was found. */
  readonly found: Pick<DueDelivery, "id" | "status" | "attemptCount" | "replayedAttempts">
  readonly status: DeliveryState
  /** Whether it is one of the nine: not, when the delivery was queued again meanwhile. */
  readonly isCounted: boolean
  readonly nextAttemptAt: Date | null
  readonly deliveredAt: Date | null
  readonly startedAt: Date
  readonly durationMs: number
  readonly statusCode: number | null
  readonly error: string | null
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly responseHeaders: Readonly<Record<string, string>> | null
  readonly responseBody: string | null
}

/** What was made of deliveries. Ids are UUIDs. */
export class AttemptsRepo extends Context.Service<
  AttemptsRepo,
  {
    /**
     * Records the ends of attempts, of no delivery two; but for deliveries that are no longer as they were found. Answers
     * the ids of those that it recorded, whose room is free then.
     */
    readonly record: (ended: ReadonlyArray<EndedAttempt>) => Effect.Effect<ReadonlySet<string>>
    /** Deliveries that are open, as they are now. */
    readonly findOpen: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<DueDelivery>>
    /** Notes whether the receivers of webhooks answer slowly. */
    readonly setSlow: (webhookIds: ReadonlyArray<string>, slow: boolean) => Effect.Effect<void>
  }
>()("webhooks/deliveries/AttemptsRepo") {
  static readonly layer = Layer.effect(
    AttemptsRepo,
    Effect.gen(function* () {
      const sql = yield* Database

      // The transaction does not wait for the disk, at the end of which others wait for it. Should the database's machine
      // fail then, attempts that it does not know of are made again.
      const record = Effect.fn("AttemptsRepo.record")(function* (attempts: ReadonlyArray<EndedAttempt>) {
        const rows = attempts.map(({ found, ...ended }) => ({
          id: found.id,
          was: found.status,
          attempts: found.attemptCount,
          replayed: found.replayedAttempts,
          number: numberOf(found),
          status: ended.status,
          counted: ended.isCounted ? 1 : 0,
          next: ended.nextAttemptAt,
          delivered: ended.deliveredAt,
          started: ended.startedAt,
          duration: ended.durationMs,
          code: ended.statusCode,
          error: ended.error,
          request: ended.requestHeaders,
          response: ended.responseHeaders,
          body: ended.responseBody
        }))
        const [recorded] = yield* orDie(sql<{ ids: ReadonlyArray<string> | null }>`
          with ended as materialized (
            select * from jsonb_to_recordset(${sql.json(rows)}::jsonb) as ended (
              id uuid, was text, attempts int, replayed int, number int, status text, counted int, next timestamptz,
              delivered timestamptz, started timestamptz, duration int, code int, error text, request jsonb, response jsonb,
              body text
            )
          ), recorded as (
            update deliveries d set
              status = ended.status, admitted = false, held_by = null,
              attempt_count = attempt_count + counted, replayed_attempts = replayed_attempts + 1 - counted,
              next_attempt_at = next, last_attempt_at = started, last_status_code = code, last_error = error,
              last_duration_ms = duration, delivered_at = delivered
            from ended
            where d.id = ended.id and d.status = was and attempt_count = attempts and replayed_attempts = replayed
            returning d.id
          ), logged as (
            insert into delivery_attempts (
              delivery_id, number, started_at, duration_ms, status_code, error, request_headers, response_headers,
              response_body
            )
            select id, number, started, duration, code, error, request, response, body from recorded join ended using (id)
          )
          select (select array_agg(id) from recorded) as ids, set_config('synchronous_commit', 'off', true)`)
        return new Set(recorded?.ids ?? [])
      })

      const findOpen = Effect.fn("AttemptsRepo.findOpen")(function* (ids: ReadonlyArray<string>) {
        return yield* orDie(sql<DueDelivery>`
          select d.id, d.team_id as "teamId", d.webhook_id as "webhookId", d.status, d.attempt_count as "attemptCount",
            d.replayed_attempts as "replayedAttempts", e.occurred_at as "occurredAt", e.message_id as "messageId",
            e.type as "eventType", e.body, w.url, w.secret_sealed as "secretSealed",
            w.previous_secrets as "previousSecrets", w.slow
          from deliveries d
          join events e on e.id = d.event_id
          join webhooks w on w.id = d.webhook_id
          where d.id = any(${ids}::uuid[]) and d.status in ('pending', 'failed')`)
      })

      const setSlow = Effect.fn("AttemptsRepo.setSlow")(function* (webhookIds: ReadonlyArray<string>, slow: boolean) {
        if (webhookIds.length === 0) return
        yield* orDie(sql`update webhooks set slow = ${slow} where id = any(${webhookIds}::uuid[]) and slow <> ${slow}`)
      })

      return AttemptsRepo.of({ record, findOpen, setSlow })
    })
  )
}
