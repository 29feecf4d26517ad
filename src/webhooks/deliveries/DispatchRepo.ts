/** All SQL of the worker's part of deliveries: the fan-out, who is attempted next, and how attempts ended. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../db/Database.ts"
import { orDie } from "../../db/DatabaseUnavailable.ts"
import type { PreviousSecret, WebhookState } from "../endpoints/rules.ts"
import type { DeliveryState, Room } from "./rules.ts"

/** All that an attempt needs to know. */
export interface DueDelivery {
  readonly teamId: string
  readonly webhookId: string
  readonly status: DeliveryState
  /** Attempts since the delivery was made or replayed. */
  readonly attemptCount: number
  /** Attempts before that. */
  readonly replayedAttempts: number
  /** Whether its turn has come. */
  readonly admitted: boolean
  /** When the event happened. */
  readonly occurredAt: Date
  readonly messageId: string
  readonly eventType: string
  readonly body: string
  readonly url: string
  readonly secretSealed: Uint8Array
  readonly previousSecrets: ReadonlyArray<PreviousSecret>
  readonly slow: boolean
  /** Null when it is deleted. */
  readonly webhookStatus: WebhookState | null
}

/** An attempt that has ended, and what it makes of its delivery. */
export interface EndedAttempt {
  readonly deliveryId: string
  /** Its number, all attempts of the delivery counted through. */
  readonly number: number
  readonly status: DeliveryState
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

/** A delivery whose turn has come. */
export interface Admitted {
  readonly id: string
  /** Of the attempt that follows. */
  readonly number: number
  /** Whether it was attempted before. */
  readonly again: boolean
  /** Whether its receiver answers slowly. */
  readonly slow: boolean
}

/** The worker's part of deliveries. Ids are UUIDs. */
export class DispatchRepo extends Context.Service<DispatchRepo, {
  /**
   * Makes a delivery for each webhook that wants an event of the transaction, but for those that were made before.
   * Answers the team whose event it is, if any webhook wants one.
   */
  readonly fanOut: (
    committed: { readonly transactionId: string; readonly at: string },
    now: Date
  ) => Effect.Effect<string | undefined>
  /**
   * Chooses what is attempted now of what waits in a team, as far as there is room: first attempts before others, the
   * oldest first. Holds back every other choice in the team until the transaction ends, so that none counts what this
   * one takes as free, and none misses what this one leaves.
   */
  readonly admit: (teamId: string, now: Date, room: Room) => Effect.Effect<ReadonlyArray<Admitted>>
  readonly find: (id: string) => Effect.Effect<DueDelivery | undefined>
  /** Records the end of an attempt of what was found so, unless that has changed; its room is free then. */
  readonly record: (found: DueDelivery, ended: EndedAttempt) => Effect.Effect<boolean>
  /** Notes whether the receiver of a webhook answers slowly. */
  readonly setSlow: (webhookId: string, slow: boolean) => Effect.Effect<void>
  /** Notes that attempt `number` does not follow while the webhook does not send; its room is free then. */
  readonly rest: (id: string, number: number) => Effect.Effect<void>
  /**
   * Notes that what waits for the webhook is attempted now: what rests, the oldest first, and then what failed before
   * it was activated and has its next attempt later. Answers how many, at most `limit`: when fewer, nothing else waits.
   */
  readonly resume: (
    webhookId: string,
    options: { readonly now: Date; readonly activatedAt: Date | null; readonly limit: number }
  ) => Effect.Effect<number>
  /** Deliveries whose turn has come, and whose attempt no job makes; a job that was given up makes none. */
  readonly orphans: Effect.Effect<ReadonlyArray<Admitted>>
  /** Teams in which something is due since before `until`, though its webhook sends. */
  readonly teamsWithOverdue: (until: Date) => Effect.Effect<ReadonlyArray<string>>
}>()("webhooks/deliveries/DispatchRepo") {
  static readonly layer = Layer.effect(
    DispatchRepo,
    Effect.gen(function*() {
      const sql = yield* Database

      // The webhooks are locked against a change of their status until this commits: who activates one comes before,
      // and then its deliveries are attempted from here, or after, and then finds them waiting.
      const fanOut = Effect.fn("DispatchRepo.fanOut")(function*(
        committed: { readonly transactionId: string; readonly at: string },
        now: Date
      ) {
        const [row] = yield* orDie(sql<{ teamId: string }>`
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
            on conflict (event_id, webhook_id) do nothing
          )
          select team_id as "teamId" from wanted limit 1`)
        return row?.teamId
      })

      const admit = Effect.fn("DispatchRepo.admit")(function*(teamId: string, now: Date, room: Room) {
        yield* orDie(sql`select pg_advisory_xact_lock(hashtextextended(${`deliveries ${teamId}`}, 0))`)
        // A statement of its own, so that it sees what the holder of the lock before has committed.
        return yield* orDie(sql<Admitted>`
          with receivers as (
            select w.id, w.slow, greatest(0, case when w.slow then ${room.slow}::int else ${room.endpoint}::int end - (
              select count(*) from deliveries where team_id = ${teamId} and webhook_id = w.id and admitted
            )) as room
            from webhooks w
            where w.team_id = ${teamId} and w.status = 'active' and w.deleted_at is null
          ), candidates as (
            select next.id, next.next_attempt_at, tried.again, receivers.room, receivers.slow,
              row_number() over (partition by receivers.id order by tried.again, next.next_attempt_at, next.id) as place
            from receivers
            -- A first attempt is due when it is there, another at its time.
            cross join (values (0, 'infinity'), (1, ${now}::timestamptz)) as tried (again, until)
            cross join lateral (
              select id, next_attempt_at from deliveries
              where webhook_id = receivers.id and not admitted
                and least(attempt_count + replayed_attempts, 1) = tried.again and next_attempt_at <= tried.until
              order by next_attempt_at, id limit receivers.room for update skip locked
            ) as next
          ), chosen as (
            select id, slow from candidates where place <= room
            order by again, next_attempt_at, id
            limit greatest(0, ${room.team}::int - (
              select count(*) from deliveries where team_id = ${teamId} and admitted
            ))
          )
          update deliveries set admitted = true from chosen where deliveries.id = chosen.id
          returning deliveries.id, attempt_count + replayed_attempts + 1 as number,
            attempt_count + replayed_attempts > 0 as again, chosen.slow`)
      })

      const find = Effect.fn("DispatchRepo.find")(function*(id: string) {
        const [row] = yield* orDie(sql<DueDelivery>`
          select d.team_id as "teamId", d.webhook_id as "webhookId", d.status, d.attempt_count as "attemptCount",
            d.replayed_attempts as "replayedAttempts", d.admitted, e.occurred_at as "occurredAt",
            e.message_id as "messageId", e.type as "eventType", e.body, w.url, w.secret_sealed as "secretSealed",
            w.previous_secrets as "previousSecrets", w.slow,
            case when w.deleted_at is null then w.status end as "webhookStatus"
          from deliveries d
          join events e on e.id = d.event_id
          join webhooks w on w.id = d.webhook_id
          where d.id = ${id}`)
        return row
      })

      const record = Effect.fn("DispatchRepo.record")(function*(found: DueDelivery, ended: EndedAttempt) {
        const recorded = yield* orDie(sql`
          with ended as (
            update deliveries set
              status = ${ended.status}, attempt_count = attempt_count + 1, admitted = false,
              next_attempt_at = ${ended.nextAttemptAt}::timestamptz,
              last_attempt_at = ${ended.startedAt}, last_status_code = ${ended.statusCode}::int,
              last_error = ${ended.error}::text, last_duration_ms = ${ended.durationMs},
              delivered_at = ${ended.deliveredAt}::timestamptz
            where id = ${ended.deliveryId} and status = ${found.status}
              and attempt_count = ${found.attemptCount} and replayed_attempts = ${found.replayedAttempts}
            returning id
          )
          insert into delivery_attempts (
            delivery_id, number, started_at, duration_ms, status_code, error, request_headers, response_headers,
            response_body
          )
          select id, ${ended.number}::int, ${ended.startedAt}::timestamptz, ${ended.durationMs}::int,
            ${ended.statusCode}::int, ${ended.error}::text, ${sql.json(ended.requestHeaders)}::jsonb,
            ${ended.responseHeaders === null ? null : sql.json(ended.responseHeaders)}::jsonb, ${ended.responseBody}::text
          from ended
          returning number`)
        return recorded.length > 0
      })

      const setSlow = Effect.fn("DispatchRepo.setSlow")(function*(webhookId: string, slow: boolean) {
        yield* orDie(sql`update webhooks set slow = ${slow} where id = ${webhookId} and slow <> ${slow}`)
      })

      const rest = Effect.fn("DispatchRepo.rest")(function*(id: string, number: number) {
        yield* orDie(sql`
          update deliveries set next_attempt_at = null, admitted = false
          where id = ${id} and attempt_count + replayed_attempts = ${number - 1} and next_attempt_at is not null`)
      })

      // A failed delivery waits unless the receiver refused it for good: a 4xx but 429 (see `classify`). In the words of
      // the index deliveries_resting.
      const resume = Effect.fn("DispatchRepo.resume")(function*(
        webhookId: string,
        options: { readonly now: Date; readonly activatedAt: Date | null; readonly limit: number }
      ) {
        const resting = sql`
          select id from deliveries
          where webhook_id = ${webhookId} and next_attempt_at is null and (status = 'pending' or (
            status = 'failed' and (coalesce(last_status_code, 0) not between 400 and 499 or last_status_code = 429)
          ))
          order by created_at, id limit ${options.limit}`
        const mark = (some: typeof resting, at: typeof resting) =>
          Effect.map(
            orDie(sql`
              with taken as (${some} for no key update)
              update deliveries set next_attempt_at = ${at} where id in (select id from taken) returning id`),
            (marked) => marked.length
          )
        // In their own order, before all that happens from now on.
        const rested = yield* mark(resting, sql`least(created_at, ${options.now})`)
        if (rested === options.limit || options.activatedAt === null) return rested
        // Not what failed since: that is not tried again before its time.
        const retried = yield* mark(
          sql`
            select id from deliveries
            where webhook_id = ${webhookId} and status = 'failed' and next_attempt_at > ${options.now}
              and last_attempt_at < ${options.activatedAt}
            order by next_attempt_at, id limit ${options.limit - rested}`,
          sql`${options.now}`
        )
        return rested + retried
      })

      const orphans = orDie(sql<Admitted>`
        select d.id, d.attempt_count + d.replayed_attempts + 1 as number,
          d.attempt_count + d.replayed_attempts > 0 as again, w.slow
        from deliveries d
        join webhooks w on w.id = d.webhook_id
        where d.admitted and not exists (
          select from graphile_worker.jobs
          where key = 'attempt:' || d.id || ':' || (d.attempt_count + d.replayed_attempts + 1)
            and attempts < max_attempts
        )
        limit 1000`).pipe(Effect.withSpan("DispatchRepo.orphans"))

      const teamsWithOverdue = Effect.fn("DispatchRepo.teamsWithOverdue")(function*(until: Date) {
        const rows = yield* orDie(sql<{ team_id: string }>`
          select distinct w.team_id
          from webhooks w
          cross join (values (0), (1)) as tried (again)
          cross join lateral (
            select from deliveries
            where webhook_id = w.id and not admitted and next_attempt_at < ${until}
              and least(attempt_count + replayed_attempts, 1) = tried.again
            limit 1
          ) as overdue
          where w.status = 'active' and w.deleted_at is null`)
        return rows.map((row) => row.team_id)
      })

      return DispatchRepo.of({
        fanOut,
        admit,
        find,
        record,
        setSlow,
        rest,
        resume,
        orphans,
        teamsWithOverdue
      })
    })
  )
}
