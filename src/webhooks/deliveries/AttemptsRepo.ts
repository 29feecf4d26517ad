/** The SQL that records finished attempts, many in one statement. See docs/behaviour/webhooks.md#delivery-log. */
import { Context, Effect, Layer } from "effect"
import { averageTeamId } from "../../platform/db/SetStatements.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import {
  attemptNumber,
  type AttemptRecord,
  type DueDelivery,
  type EarlierAttempts,
  needsEarlier,
  type RecordedAttempt,
  type Tally,
  tallyOf
} from "./rules.ts"

const make = Effect.gen(function* () {
  const sql = yield* Database

  // An asynchronous commit keeps the locks for a shorter time. If the database server crashes before it writes the commit to disk, the
  // lost attempts are made again. Citus allows no such function here.
  const asynchronously =
    sql.cells === undefined ? sql`, set_config('synchronous_commit', 'off', true)` : sql.literal("")

  /**
   * Ends the claims of deliveries of a team, unless their states or counts have changed. Returns the webhooks (UUIDs) of those deliveries.
   *
   * The condition on the team of the rows makes Postgres expect one row, and look each delivery up by its key. Of a hundred rows, it expected
   * that reading the whole table is cheaper; and a plan from when the table was small is kept while it grows, so the statement is not prepared.
   */
  const endClaims = Effect.fnUntraced(function* (teamId: string, attempts: ReadonlyArray<AttemptRecord>) {
    const rows = attempts.map(({ delivery, ...attempt }) => ({
      id: delivery.id,
      team: delivery.teamId,
      was: delivery.status,
      attempts: delivery.attemptCount,
      replayed: delivery.replayedAttempts,
      status: attempt.status,
      counted: attempt.isCounted ? 1 : 0,
      next: attempt.nextAttemptAt,
      delivered: attempt.deliveredAt,
      started: attempt.startedAt,
      duration: attempt.isMade ? attempt.durationMs : null,
      code: attempt.statusCode,
      error: attempt.error
    }))
    const ended = yield* sql<{ id: string; webhook_id: string }>`
      update deliveries d set
        status = ended.status, claimed = false, claimed_by = null,
        attempt_count = attempt_count + counted, replayed_attempts = replayed_attempts + 1 - counted,
        next_attempt_at = next, last_attempt_at = started, last_status_code = code, last_error = error,
        last_duration_ms = duration, delivered_at = delivered
      from jsonb_to_recordset(${sql.json(rows)}::jsonb) as ended (
        id uuid, team uuid, was text, attempts int, replayed int, status text, counted int, next timestamptz,
        delivered timestamptz, started timestamptz, duration int, code int, error text
      )
      where ended.team = ${teamId} and d.id = ended.id and d.team_id = ended.team and d.status = was
        and attempt_count = attempts and replayed_attempts = replayed
      returning d.id, d.webhook_id ${asynchronously}`.unprepared
    return new Map(ended.map(({ id, webhook_id }) => [id, webhook_id]))
  })

  /** The attempts that the log has of those of these deliveries (UUIDs) that have any. */
  const loggedOf = (deliveries: ReadonlyArray<AttemptRecord["delivery"]>) =>
    deliveries.length === 0
      ? Effect.succeed([])
      : sql<EarlierAttempts>`
          select d.id as "deliveryId", earlier.*
          from jsonb_to_recordset(${sql.json(deliveries.map(({ id, teamId }) => ({ id, team: teamId })))}::jsonb) as d (
            id uuid, team uuid
          )
          cross join lateral (
            select min(a.started_at) as "startedAt", bool_or(a.error is null) as "wasDelivered"
            from delivery_attempts a where a.delivery_id = d.id and a.team_id = d.team
          ) earlier
          where earlier."startedAt" is not null`

  /** Adds attempts to the log, to the counts of their webhooks, and to the latest failures. */
  const log = (attempts: ReadonlyArray<RecordedAttempt>, tallies: ReadonlyArray<Tally>) => {
    const logged = attempts
      .filter(({ isMade }) => isMade)
      .map(({ delivery, ...attempt }) => ({
        team: delivery.teamId,
        delivery: delivery.id,
        number: attemptNumber(delivery),
        started: attempt.startedAt,
        duration: attempt.durationMs,
        code: attempt.statusCode,
        error: attempt.error,
        request: attempt.requestHeaders,
        response: attempt.responseHeaders,
        body: attempt.responseBody
      }))
    const failures = attempts
      .filter(({ status }) => status !== "delivered")
      .map(({ delivery, error, startedAt, statusCode, webhookId }) => ({
        team: delivery.teamId,
        webhook: webhookId,
        at: startedAt,
        code: statusCode,
        error
      }))
    return sql`
      with logged as (
        insert into delivery_attempts (
          team_id, delivery_id, number, started_at, duration_ms, status_code, error, request_headers, response_headers,
          response_body
        )
        select team, delivery, number, started, duration, code, error, request, response, body
        from jsonb_to_recordset(${sql.json(logged)}::jsonb) as logged (
          team uuid, delivery uuid, number int, started timestamptz, duration int, code int, error text, request jsonb,
          response jsonb, body text
        )
      ), failures as (
        insert into webhook_failures as f (team_id, webhook_id, at, status_code, error)
        select distinct on (webhook) team, webhook, at, code, error
        from jsonb_to_recordset(${sql.json(failures)}::jsonb) as failed (
          team uuid, webhook uuid, at timestamptz, code int, error text
        )
        order by webhook, at desc
        on conflict (webhook_id) do update set
          at = excluded.at, status_code = excluded.status_code, error = excluded.error
        where f.at is null or f.at <= excluded.at
      )
      insert into webhook_attempts as w (team_id, webhook_id, hour, duration_ms, attempts, first_attempts, delivered)
      select team, webhook, hour, duration, attempts, first, delivered
      from jsonb_to_recordset(${sql.json(tallies)}::jsonb) as tallied (
        team uuid, webhook uuid, hour timestamptz, duration int, attempts int, first int, delivered int
      )
      order by webhook, hour, duration
      on conflict (webhook_id, hour, duration_ms) do update set
        attempts = w.attempts + excluded.attempts,
        first_attempts = w.first_attempts + excluded.first_attempts, delivered = w.delivered + excluded.delivered`
  }

  /**
   * Records attempts of a team, at most one for each delivery, and ends the claims of their deliveries. Skips a delivery whose state
   * or counts have changed since it was read. Returns the ids of the recorded deliveries.
   *
   * Two statements, and a third between them for retries: Citus does not insert what the same statement has written or computed
   * elsewhere.
   */
  const record = Effect.fn("AttemptsRepo.record")(
    function* (teamId: string, attempts: ReadonlyArray<AttemptRecord>) {
      const webhooks = yield* endClaims(teamId, attempts)
      const recorded = attempts.flatMap((attempt): ReadonlyArray<RecordedAttempt> => {
        const webhookId = webhooks.get(attempt.delivery.id)
        return webhookId === undefined ? [] : [{ ...attempt, webhookId }]
      })
      if (recorded.length === 0) return new Set<string>()
      const earlier = yield* loggedOf(recorded.filter(needsEarlier).map(({ delivery }) => delivery))
      yield* log(recorded, tallyOf(recorded, earlier))
      return new Set(webhooks.keys())
    },
    (effect) => orDie(effect)
  )

  /**
   * Counts an attempt at `at` and ends the claim of its delivery, unless the delivery has changed since it was read. The attempt does not
   * appear in the log.
   */
  const recordUnlogged = Effect.fn("AttemptsRepo.recordUnlogged")(function* (
    delivery: AttemptRecord["delivery"],
    result: Pick<AttemptRecord, "status" | "nextAttemptAt"> & { readonly at: Date; readonly error: string }
  ) {
    yield* orDie(sql`
      update deliveries set
        status = ${result.status}, claimed = false, claimed_by = null, attempt_count = attempt_count + 1,
        next_attempt_at = ${result.nextAttemptAt}::timestamptz, last_attempt_at = ${result.at}::timestamptz,
        last_status_code = null, last_error = ${result.error}, last_duration_ms = null
      where id = ${delivery.id} and team_id = ${delivery.teamId} and status = ${delivery.status} and attempt_count = ${delivery.attemptCount}
        and replayed_attempts = ${delivery.replayedAttempts}`)
  })

  /** The current rows of those of these deliveries of a team that are pending or failed. */
  const findOpen = Effect.fn("AttemptsRepo.findOpen")(function* (teamId: string, ids: ReadonlyArray<string>) {
    return yield* orDie(sql<DueDelivery>`
      select d.id, d.team_id as "teamId", d.webhook_id as "webhookId", d.status, d.attempt_count as "attemptCount",
        d.replayed_attempts as "replayedAttempts", e.occurred_at as "occurredAt", e.message_id as "messageId",
        e.type as "eventType", e.body, w.url, w.secret_sealed as "secretSealed",
        w.previous_secrets as "previousSecrets", w.slow
      from deliveries d
      join events e on e.id = d.event_id and e.team_id = d.team_id
      join webhooks w on w.id = d.webhook_id and w.team_id = d.team_id
      where d.team_id = ${averageTeamId(sql, teamId)} and d.id = any(${ids}::uuid[]) and d.status in ('pending', 'failed')`)
  })

  /** Marks webhooks of a team whose receivers answer slowly, or no longer do. */
  const setSlow = Effect.fn("AttemptsRepo.setSlow")(function* (
    teamId: string,
    webhookIds: ReadonlyArray<string>,
    slow: boolean
  ) {
    if (webhookIds.length === 0) return
    yield* orDie(sql`
      update webhooks set slow = ${slow}
      where team_id = ${teamId} and id = any(${webhookIds}::uuid[]) and slow <> ${slow}`)
  })

  return { record, recordUnlogged, findOpen, setSlow }
})

/** The results of attempts. Ids are UUIDs. */
export class AttemptsRepo extends Context.Service<AttemptsRepo, Effect.Success<typeof make>>()(
  "webhooks/deliveries/AttemptsRepo"
) {
  static readonly layer = Layer.effect(AttemptsRepo, make)
}
