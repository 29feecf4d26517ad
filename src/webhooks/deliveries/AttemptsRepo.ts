/** The SQL that records finished attempts, many in one statement. See docs/behaviour/webhooks.md#delivery-log. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { attemptNumber, type AttemptRecord, type DueDelivery } from "./rules.ts"
import { countedDuration } from "../rules.ts"

const make = Effect.gen(function* () {
  const sql = yield* Database

  const columns = sql.literal(`
    id uuid, team uuid, was text, attempts int, replayed int, number int, status text, counted int, made boolean,
    next timestamptz, delivered timestamptz, started timestamptz, duration int, counted_duration int, code int, error text,
    request jsonb, response jsonb, body text`)

  const rowOf = ({ delivery, ...attempt }: AttemptRecord) => ({
    id: delivery.id,
    team: delivery.teamId,
    was: delivery.status,
    attempts: delivery.attemptCount,
    replayed: delivery.replayedAttempts,
    number: attemptNumber(delivery),
    status: attempt.status,
    counted: attempt.isCounted ? 1 : 0,
    made: attempt.isMade,
    next: attempt.nextAttemptAt,
    delivered: attempt.deliveredAt,
    started: attempt.startedAt,
    duration: attempt.isMade ? attempt.durationMs : null,
    counted_duration: countedDuration(attempt.durationMs),
    code: attempt.statusCode,
    error: attempt.error,
    request: attempt.requestHeaders,
    response: attempt.responseHeaders,
    body: attempt.responseBody
  })

  type Row = ReturnType<typeof rowOf>

  const endClaims = (rows: ReadonlyArray<Row>) => sql`
    update deliveries d set
      status = ended.status, claimed = false, claimed_by = null,
      attempt_count = attempt_count + counted, replayed_attempts = replayed_attempts + 1 - counted,
      next_attempt_at = next, last_attempt_at = started, last_status_code = code, last_error = error,
      last_duration_ms = duration, delivered_at = delivered
    from jsonb_to_recordset(${sql.json(rows)}::jsonb) as ended (${columns})
    where d.id = ended.id and d.team_id = ended.team and d.status = was and attempt_count = attempts and replayed_attempts = replayed`

  // A delivery counts as delivered once, in the hour of its first attempt: what arrives late must not make up for what
  // fails now. So a retry that delivers looks for the earlier attempts; only if all of them failed (they have errors), the
  // hour of the first of them counts it. An attempt that was not made (`made`) is none of them: it has a number, but
  // neither a place in the log nor in the counts, so that the first one may have a number greater than 1.
  const counted = sql`
    select team, webhook_id, started as at, counted_duration, 1 as attempts, is_first::int as first_attempts,
      (is_first and status = 'delivered')::int as delivered
    from recorded cross join lateral (
      select number = 1 or (attempts = 0 and count(*) = 0) as is_first
      -- Read for the rare delivery only whose earlier attempts were not made.
      from (
        select from delivery_attempts a
        where a.delivery_id = recorded.id and a.team_id = recorded.team and recorded.number > 1 and recorded.attempts = 0 limit 1
      ) earlier
    ) place
    where made
    union all
    select team, webhook_id, earlier.started_at, counted_duration, 0, 0, 1
    from recorded cross join lateral (
      select min(a.started_at) as started_at, bool_or(a.error is null) as was_delivered
      from delivery_attempts a where a.delivery_id = recorded.id and a.team_id = recorded.team
    ) earlier
    where number > 1 and status = 'delivered' and not earlier.was_delivered`

  const tallied = sql`
    select team as team_id, webhook_id, date_trunc('hour', at) as hour, counted_duration as duration_ms,
      sum(attempts)::int as attempts, sum(first_attempts)::int as first_attempts, sum(delivered)::int as delivered
    from counted
    group by 1, 2, 3, 4 order by 2, 3, 4`

  const tally = (source: typeof tallied) => sql`
    insert into webhook_attempts as w (team_id, webhook_id, hour, duration_ms, attempts, first_attempts, delivered)
    ${source}
    on conflict (webhook_id, hour, duration_ms) do update set
      attempts = w.attempts + excluded.attempts,
      first_attempts = w.first_attempts + excluded.first_attempts, delivered = w.delivered + excluded.delivered`

  // This and the next may begin with `recorded`.
  const noteFailures = (expressions: typeof tallied) => sql`
    insert into webhook_failures as f (team_id, webhook_id, at, status_code, error)
    ${expressions}
    select distinct on (webhook_id) team, webhook_id, started, code, error
    from recorded
    where status <> 'delivered'
    order by webhook_id, started desc
    on conflict (webhook_id) do update set
      at = excluded.at, status_code = excluded.status_code, error = excluded.error
    where f.at is null or f.at <= excluded.at`

  const log = (expressions: typeof tallied) => sql`
    insert into delivery_attempts (
      team_id, delivery_id, number, started_at, duration_ms, status_code, error, request_headers, response_headers,
      response_body
    )
    ${expressions}
    select team, id, number, started, duration, code, error, request, response, body from recorded where made`

  // An asynchronous commit keeps the locks for a shorter time. If the database server crashes before it writes the
  // commit to disk, the lost attempts are made again.
  const recordTogether = Effect.fnUntraced(function* (rows: ReadonlyArray<Row>) {
    const none = sql``
    const [recorded] = yield* sql<{ ids: ReadonlyArray<string> | null }>`
      with recorded as (${endClaims(rows)} returning d.webhook_id, ended.*), counted as (${counted}),
        tallied as (${tally(tallied)}), failures as (${noteFailures(none)}), logged as (${log(none)})
      select (select array_agg(id) from recorded) as ids, set_config('synchronous_commit', 'off', true)`
    return new Set(recorded?.ids ?? [])
  })

  // The same in several statements: Citus does not insert what the same statement has written or computed elsewhere.
  const recordInCell = Effect.fnUntraced(function* (rows: ReadonlyArray<Row>) {
    const ended = yield* sql<{ id: string; webhook_id: string }>`${endClaims(rows)} returning d.id, d.webhook_id`
    const webhooks = new Map(ended.map(({ id, webhook_id }) => [id, webhook_id]))
    const ofEnded = rows.flatMap((row) => {
      const webhook_id = webhooks.get(row.id)
      return webhook_id === undefined ? [] : [{ ...row, webhook_id }]
    })
    const recorded = sql`
      with recorded as (
        select * from jsonb_to_recordset(${sql.json(ofEnded)}::jsonb) as ended (webhook_id uuid, ${columns})
      )`
    const tallies = yield* sql`${recorded}, counted as (${counted}) ${tallied}`
    yield* tally(sql`
      select * from jsonb_to_recordset(${sql.json(tallies)}::jsonb) as tallied (
        team_id uuid, webhook_id uuid, hour timestamptz, duration_ms int, attempts int, first_attempts int, delivered int
      )`)
    yield* noteFailures(recorded)
    yield* log(recorded)
    return new Set(webhooks.keys())
  })

  const recordRows = sql.cells === undefined ? recordTogether : recordInCell

  /**
   * Records attempts, at most one for each delivery, and ends the claims of their deliveries. Skips a delivery whose state
   * or counts have changed since it was read. Returns the ids of the recorded deliveries.
   */
  const record = Effect.fn("AttemptsRepo.record")((attempts: ReadonlyArray<AttemptRecord>) =>
    orDie(recordRows(attempts.map(rowOf)))
  )

  /** Counts an attempt at `at` and ends the claim of its delivery, unless the delivery has changed since it was read. The attempt does not appear in the log. */
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
      where d.team_id = ${teamId} and d.id = any(${ids}::uuid[]) and d.status in ('pending', 'failed')`)
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
