/** Inserts rows of webhooks and deliveries in any state by SQL. */
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { Database } from "../../src/platform/db/Database.ts"

/** How a webhook differs from an active one. */
export interface WebhookRow {
  readonly name: string
  readonly status?: "active" | "paused" | "disabled"
  readonly disabledReason?: string
  readonly consecutiveExhausted?: number
  readonly deletedAt?: Date
}

/** Inserts a webhook. Returns its UUID. */
export const addWebhook = Effect.fnUntraced(function* (teamId: string, webhook: WebhookRow, at: Date) {
  const sql = yield* Database
  const id = yield* (yield* SecureRandom.SecureRandom).uuidV7()
  yield* sql`
    insert into webhooks (
      id, team_id, version, created_at, updated_at, change_type, change_origin, deleted_at, name, url, events, status,
      secret_sealed, disabled_reason, disabled_at, consecutive_exhausted
    ) values (
      ${id}, ${teamId}, 1, ${at}, ${at}, 'created', 'api', ${webhook.deletedAt ?? null}::timestamptz, ${webhook.name},
      ${`https://hooks.example.com/${webhook.name}`}, '{contact.created}', ${webhook.status ?? "active"}, '',
      ${webhook.disabledReason ?? null}::text, ${webhook.status === "disabled" ? at : null}::timestamptz,
      ${webhook.consecutiveExhausted ?? 0}
    )`
  return id
}, Effect.orDie)

/** A number of equal deliveries. */
export interface DeliveryRows {
  readonly count?: number
  readonly status: "pending" | "delivered" | "failed" | "exhausted"
  readonly createdAt: Date
  readonly nextAttemptAt?: Date
  readonly claimed?: boolean
  readonly statusCode?: number
  /** The durations of their attempts, in milliseconds. */
  readonly attempts?: ReadonlyArray<number>
}

/** Inserts deliveries without events, which these tests do not need. */
export const addDeliveries = Effect.fnUntraced(function* (teamId: string, webhookId: string, rows: DeliveryRows) {
  const sql = yield* Database
  const attempts = rows.attempts ?? []
  yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`set local session_replication_role = replica`
      yield* sql`
      with made as (
        insert into deliveries (
          id, team_id, webhook_id, event_id, event_type, status, attempt_count, next_attempt_at, last_status_code, created_at,
          claimed
        )
        select new_uuid_v7(${rows.createdAt}::timestamptz), ${teamId}::uuid, ${webhookId}::uuid, gen_random_uuid(),
          'contact.created', ${rows.status}, ${attempts.length}::int, ${rows.nextAttemptAt ?? null}::timestamptz,
          ${rows.statusCode ?? null}::int, ${rows.createdAt}::timestamptz, ${rows.claimed ?? false}
        from generate_series(1, ${rows.count ?? 1}::int)
        returning id, created_at
      )
      insert into delivery_attempts (team_id, delivery_id, number, started_at, duration_ms)
      select ${teamId}::uuid, made.id, attempt.number, made.created_at, attempt.duration
      from made cross join unnest(${attempts}::int[]) with ordinality as attempt (duration, number)`
    })
  )
}, Effect.orDie)

/** Inserts 600 delivered deliveries for each webhook of a team, spread over the 30 days before `until`. */
export const addMonth = Effect.fnUntraced(function* (teamId: string, until: Date) {
  const sql = yield* Database
  yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`set local session_replication_role = replica`
      yield* sql`
      with made as (
        insert into deliveries (
          id, team_id, webhook_id, event_id, event_type, status, attempt_count, last_status_code, created_at, delivered_at
        )
        select new_uuid_v7(at), ${teamId}::uuid, webhooks.id, gen_random_uuid(), 'contact.created', 'delivered', 1, 204, at, at
        from generate_series(0, 599) n
        cross join lateral (select ${until}::timestamptz - n * interval '72 minutes' as at) times
        cross join webhooks
        where webhooks.team_id = ${teamId}
        returning id, created_at
      )
      insert into delivery_attempts (team_id, delivery_id, number, started_at, duration_ms, status_code)
      select ${teamId}::uuid, id, 1, created_at, 9, 204 from made`
    })
  )
}, Effect.orDie)
