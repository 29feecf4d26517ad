/**
 * The SQL of the fan-out, which creates deliveries, of resumption, which makes held deliveries due, and of what has lost its job:
 * of the current cell, where there are cells.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { type CommittedTransaction, heldCondition } from "./rules.ts"

// How many transactions one job fans out at most.
const maxTransactions = 25

// How many deliveries of a webhook get the same `created_at`.
const createdAtOneTime = 50

const make = Effect.gen(function* () {
  const sql = yield* Database
  const held = sql.literal(heldCondition)

  // An asynchronous commit keeps the locks for a shorter time. If the database server crashes before it writes the
  // commit to disk, the later completion of the job is lost as well, and the job runs again.
  const asynchronousCommit = sql`set_config('synchronous_commit', 'off', true)`

  // Skips rows that another job has locked. The job's own transaction comes first, so that no job completes before its
  // transaction is fanned out.
  const takeFanOuts = (teamId: string, { at, transactionId }: CommittedTransaction) => sql`
    delete from fan_outs where (team_id, at, transaction_id) in (
      select team_id, at, transaction_id from fan_outs
      where team_id = ${teamId}
      order by (at, transaction_id) <> (${at}::timestamptz, ${transactionId}::xid8), at, transaction_id
      limit ${maxTransactions} for update skip locked
    )`

  // A subscription names the type or a wildcard for it (`patternsOf`); several of a webhook may match. No webhook gets
  // events about itself.
  const matchesOf = (teamId: string) => sql`
    select e.id as event_id, e.seq, e.team_id, e.type, w.id as webhook_id, w.status = 'active' as active
    from changes c
    -- "offset 0" makes Postgres find events by their time and transaction. By the team and the start of a subscription, it
    -- would read all events since then.
    cross join lateral (
      select * from events
      where team_id = ${teamId} and occurred_at = c.at and transaction_id = c.transaction_id offset 0
    ) e
    join webhook_subscriptions s on s.team_id = e.team_id
      and s.event_type = any(array[e.type, split_part(e.type, '.', 1) || '.*', '*'])
      and (s.from_at, s.from_transaction) < (e.occurred_at, e.transaction_id)
      and (s.until_at is null or (e.occurred_at, e.transaction_id) < (s.until_at, s.until_transaction))
    join webhooks w on w.id = s.webhook_id and w.team_id = s.team_id
    where w.deleted_at is null and w.id <> e.resource_id`

  // Large cascades are spread over several times of creation, because a replay continues from such a time.
  const timed = (now: Date) => sql`
    select *, ${now}::timestamptz + interval '1 millisecond' * (
      (row_number() over (partition by webhook_id order by seq) - 1) / ${createdAtOneTime}::int
    ) as created_at
    from (select distinct * from matches) as once`

  const columns = sql.literal("id, team_id, webhook_id, event_id, event_type, status, next_attempt_at, created_at")

  const values = sql`
    select new_uuid_v7(created_at), team_id, webhook_id, event_id, type, 'pending',
      case when active then created_at end, created_at
    from timed
    order by seq, webhook_id`

  // The statement locks the status of the webhooks until the commit. An activation either committed before, so the deliveries
  // are due at once, or comes after the commit, so it finds them held.
  const createTogether = Effect.fnUntraced(function* (teamId: string, committed: CommittedTransaction, now: Date) {
    const rows = yield* sql`
      with changes as (${takeFanOuts(teamId, committed)} returning at, transaction_id), matches as (
        ${matchesOf(teamId)} order by w.id for share of w
      ), timed as (${timed(now)}), created as (
        insert into deliveries (${columns}) ${values} on conflict (event_id, webhook_id) do nothing
      )
      select ${asynchronousCommit} from matches limit 1`
    return rows.length > 0
  })

  // The same in several statements: Citus neither locks rows nor deletes any in a statement that inserts what it selects. It
  // locks all webhooks of the team. On one Postgres, a fan-out in several statements takes up to half as long again.
  const createInCell = Effect.fnUntraced(function* (teamId: string, committed: CommittedTransaction, now: Date) {
    const taken = yield* sql<{ readonly at: Date; readonly transaction_id: string }>`
      ${takeFanOuts(teamId, committed)} returning at, transaction_id::text`
    if (taken.length === 0) return false
    yield* sql`select from webhooks where team_id = ${teamId} and deleted_at is null order by id for share`
    const created = yield* sql`
      insert into deliveries (${columns})
      with changes as (
        select * from jsonb_to_recordset(${sql.json(taken)}::jsonb) as taken (at timestamptz, transaction_id xid8)
      ), matches as (${matchesOf(teamId)}), timed as (${timed(now)})
      ${values}
      on conflict (event_id, webhook_id) do nothing returning id`
    return created.length > 0
  })

  const create = sql.cells === undefined ? createTogether : createInCell

  /**
   * Creates a delivery for each webhook that subscribes to an event of the transaction, or of other transactions of the
   * team whose fan-out is outstanding. Existing deliveries are not changed. Returns whether deliveries may have become due.
   */
  const fanOut = Effect.fn("DispatchRepo.fanOut")((teamId: string, committed: CommittedTransaction, now: Date) =>
    orDie(create(teamId, committed, now))
  )

  /**
   * Makes the deliveries that wait for the webhook due now: the held ones, the oldest first, and then those that failed before
   * its activation and have a later retry. Returns how many, at most `limit`; fewer than `limit` means that none is left.
   */
  const resume = Effect.fn("DispatchRepo.resume")(function* (
    teamId: string,
    webhookId: string,
    options: { readonly now: Date; readonly activatedAt: Date | null; readonly limit: number }
  ) {
    const heldDeliveries = sql`
      select id from deliveries where team_id = ${teamId} and webhook_id = ${webhookId} and ${held}
      order by created_at, id limit ${options.limit}`
    const makeDue = (deliveries: typeof heldDeliveries, at: typeof heldDeliveries) =>
      Effect.map(
        orDie(sql`
          with locked as (${deliveries} for no key update)
          update deliveries set next_attempt_at = ${at}
          where team_id = ${teamId} and id in (select id from locked) returning id`),
        (updated) => updated.length
      )
    // Due at the time of their creation, so they keep their order and precede later deliveries.
    const resumed = yield* makeDue(heldDeliveries, sql`least(created_at, ${options.now})`)
    if (resumed === options.limit || options.activatedAt === null) return resumed
    // Deliveries that failed after the activation keep their retry time.
    const retried = yield* makeDue(
      sql`
        select id from deliveries
        where team_id = ${teamId} and webhook_id = ${webhookId} and status = 'failed' and next_attempt_at > ${options.now}
          and last_attempt_at < ${options.activatedAt}
        order by next_attempt_at, id limit ${options.limit - resumed}`,
      sql`${options.now}`
    )
    return resumed + retried
  })

  /** Up to 1000 transactions before `until` whose fan-out is outstanding, the oldest first. */
  const overdueFanOuts = Effect.fn("DispatchRepo.overdueFanOuts")(function* (until: Date) {
    return yield* orDie(sql<CommittedTransaction & { readonly teamId: string }>`
      select team_id as "teamId", transaction_id::text as "transactionId",
        to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
      from fan_outs where at < ${until} order by at limit 1000`)
  })

  /** Webhooks after this one (UUID) that became active before `until` and still have held deliveries, by their ids, at most `limit`. */
  const webhooksToResume = Effect.fn("DispatchRepo.webhooksToResume")(function* (
    until: Date,
    { after, limit }: { readonly after: string; readonly limit: number }
  ) {
    return yield* orDie(sql<{ webhookId: string; teamId: string }>`
      select w.id as "webhookId", w.team_id as "teamId"
      from webhooks w
      cross join lateral (
        select from deliveries
        where team_id = w.team_id and webhook_id = w.id and created_at < ${until} and ${held} limit 1
      ) as held
      where w.status = 'active' and w.deleted_at is null and (w.activated_at is null or w.activated_at < ${until})
        and w.id > ${after}
      order by w.id limit ${limit}`)
  })

  /** Teams with a delivery to an active webhook that was due before `until`. */
  const teamsWithOverdue = Effect.fn("DispatchRepo.teamsWithOverdue")(function* (until: Date) {
    const rows = yield* orDie(sql<{ team_id: string }>`
      select distinct w.team_id
      from webhooks w
      cross join (values (0), (1)) as kinds (retry)
      cross join lateral (
        select from deliveries
        where team_id = w.team_id and webhook_id = w.id and not claimed and next_attempt_at < ${until}
          and least(attempt_count + replayed_attempts, 1) = kinds.retry
        limit 1
      ) as overdue
      where w.status = 'active' and w.deleted_at is null`)
    return rows.map((row) => row.team_id)
  })

  return { fanOut, resume, overdueFanOuts, webhooksToResume, teamsWithOverdue }
})

/** Fan-out, resumption, and the search for lost work. Ids are UUIDs. */
export class DispatchRepo extends Context.Service<DispatchRepo, Effect.Success<typeof make>>()(
  "webhooks/deliveries/DispatchRepo"
) {
  static readonly layer = Layer.effect(DispatchRepo, make)
}
