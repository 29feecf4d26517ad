/** The SQL of making deliveries: the fan-out, and what waits for an activation. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../db/Database.ts"
import { orDie } from "../../db/DatabaseUnavailable.ts"
import { type Committed, restingCondition } from "./rules.ts"

// How many transactions' events one job fans out, when many wait.
const fannedOutAtOnce = 25

// How many deliveries of a webhook have the same time.
const madeAtOneTime = 50

/** The worker's part of deliveries. Ids are UUIDs. */
export class DispatchRepo extends Context.Service<
  DispatchRepo,
  {
    /**
     * Makes a delivery for each webhook that wants an event of the transaction, but for those that were made before; given
     * its team, of some others too that wait for it. Answers the team whose events they are, if any webhook wants one.
     */
    readonly fanOut: (teamId: string | undefined, committed: Committed, now: Date) => Effect.Effect<string | undefined>
    /**
     * Notes that what waits for the webhook is attempted now: what rests, the oldest first, and then what failed before
     * it was activated and has its next attempt later. Answers how many, at most `limit`: when fewer, nothing else waits.
     */
    readonly resume: (
      webhookId: string,
      options: { readonly now: Date; readonly activatedAt: Date | null; readonly limit: number }
    ) => Effect.Effect<number>
  }
>()("webhooks/deliveries/DispatchRepo") {
  static readonly layer = Layer.effect(
    DispatchRepo,
    Effect.gen(function* () {
      const sql = yield* Database
      const resting = sql.literal(restingCondition)

      // The transaction does not wait for the disk, at the end of which others wait for it. Should the database's machine
      // fail then, the end of the job is lost with it, for that is written later: it is done again.
      const unhurried = sql`set_config('synchronous_commit', 'off', true)`

      // What another takes at this moment is left to it. This one is among those that are taken in any case, so that no
      // job ends before its own has been.
      const promised = (teamId: string, { at, transactionId }: Committed) => sql`
        delete from fan_outs where (team_id, at, transaction_id) in (
          select team_id, at, transaction_id from fan_outs
          where team_id = ${teamId}
          order by (at, transaction_id) <> (${at}::timestamptz, ${transactionId}::xid8), at, transaction_id
          limit ${fannedOutAtOnce} for update skip locked
        ) returning at, transaction_id`

      // The webhooks are locked against a change of their status until this commits: who activates one comes before,
      // and then its deliveries are attempted from here, or after, and then finds them waiting. A few deliveries of a
      // webhook have one time, and not a whole cascade: a replay goes on from times.
      const fanOut = Effect.fn("DispatchRepo.fanOut")(function* (
        teamId: string | undefined,
        committed: Committed,
        now: Date
      ) {
        const changes =
          teamId === undefined
            ? sql`select ${committed.at}::timestamptz as at, ${committed.transactionId}::xid8 as transaction_id`
            : promised(teamId, committed)
        const [row] = yield* orDie(sql<{ teamId: string }>`
          with changes as (${changes}), wanted as (
            select e.id as event_id, e.seq, e.team_id, e.type, w.id as webhook_id, w.status = 'active' as active
            from changes c
            -- By itself, so that it is found by the transaction: by the team and the time of a subscription, all events
            -- since then would be looked through.
            cross join lateral (
              select * from events where transaction_id = c.transaction_id and occurred_at = c.at offset 0
            ) e
            join webhook_subscriptions s on s.team_id = e.team_id and s.event_type = e.type
              and (s.from_at, s.from_transaction) < (e.occurred_at, e.transaction_id)
              and (s.until_at is null or (e.occurred_at, e.transaction_id) < (s.until_at, s.until_transaction))
            join webhooks w on w.id = s.webhook_id
            where w.deleted_at is null
            order by w.id
            for share of w
          ), timed as (
            select *, ${now}::timestamptz + interval '1 millisecond' * (
              (row_number() over (partition by webhook_id order by seq) - 1) / ${madeAtOneTime}::int
            ) as made_at
            from wanted
          ), made as (
            insert into deliveries (
              id, team_id, webhook_id, event_id, event_type, status, next_attempt_at, created_at
            )
            select new_uuid_v7(made_at), team_id, webhook_id, event_id, type, 'pending', case when active then made_at end,
              made_at
            from timed
            order by seq, webhook_id
            on conflict (event_id, webhook_id) do nothing
          )
          select team_id as "teamId", ${unhurried} from wanted limit 1`)
        return row?.teamId
      })

      const resume = Effect.fn("DispatchRepo.resume")(function* (
        webhookId: string,
        options: { readonly now: Date; readonly activatedAt: Date | null; readonly limit: number }
      ) {
        const rests = sql`
          select id from deliveries where webhook_id = ${webhookId} and ${resting}
          order by created_at, id limit ${options.limit}`
        const mark = (some: typeof rests, at: typeof rests) =>
          Effect.map(
            orDie(sql`
              with taken as (${some} for no key update)
              update deliveries set next_attempt_at = ${at} where id in (select id from taken) returning id`),
            (marked) => marked.length
          )
        // In their own order, before all that happens from now on.
        const rested = yield* mark(rests, sql`least(created_at, ${options.now})`)
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

      return DispatchRepo.of({ fanOut, resume })
    })
  )
}
