/** The SQL of reconciliation: claims of dead workers, and work that has lost its job. */
import * as Transaction from "../../platform/db/Transaction.ts"
import * as Id from "../../core/Id.ts"
import { Cause, Context, Effect, Exit, Layer } from "effect"
import { inEach } from "../../platform/db/Cells.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { type CommittedTransaction, heldCondition } from "./rules.ts"

/** A delivery that a worker has claimed. */
export interface Claim {
  readonly id: string
  readonly teamId: string
}

const make = Effect.gen(function* () {
  const sql = yield* Database
  const held = sql.literal(heldCondition)

  /** The teams in which a release, made team by team, changed a delivery. One that fails is logged, and stops no other. */
  const teamsWhere = Effect.fnUntraced(function* (
    teams: ReadonlyArray<string>,
    release: (teamId: string) => Effect.Effect<ReadonlyArray<unknown>>
  ) {
    const released: Array<string> = []
    for (const teamId of teams) {
      const exit = yield* Effect.exit(release(teamId))
      if (Exit.isSuccess(exit)) {
        if (exit.value.length > 0) released.push(teamId)
        continue
      }
      if (Cause.hasInterruptsOnly(exit.cause)) return yield* Effect.interrupt
      const team = Id.fromUuid("team", teamId)
      yield* Effect.annotateLogs(Effect.logError("The claims of a team were not released.", exit.cause), { team })
    }
    return released
  })

  // Each transaction takes the lock of each dead lease, so that a worker that reconnects under the lease waits for it. The statement
  // reads no table: with Citus, those of teams are on other servers than the locks of workers.
  const deadOf = (leases: Iterable<string>, lockSeed: number) => sql<{ id: string }>`
    select id from unnest(${[...new Set(leases)]}::text[]) as lease (id)
    where pg_try_advisory_xact_lock(hashtextextended(id, ${lockSeed}::bigint))`

  /**
   * Releases the claims of dead workers: those under leases whose advisory lock nobody holds. `lockSeed` is part of the key
   * of that lock. Returns the affected teams.
   */
  const releaseFromDeadWorkers = Effect.fn("ReconciliationRepo.releaseFromDeadWorkers")(function* (
    ownLease: string,
    lockSeed: number
  ) {
    const claims = yield* orDie(sql<{ team_id: string; lease: string }>`
      select distinct team_id, claimed_by as lease from deliveries
      where claimed and claimed_by like 'pool-%' and claimed_by <> ${ownLease}`)
    if (claims.length === 0) return []
    const leases = claims.map(({ lease }) => lease)
    const dead = (yield* orDie(deadOf(leases, lockSeed))).map(({ id }) => id)
    const teams = new Set(claims.filter(({ lease }) => dead.includes(lease)).map(({ team_id }) => team_id))
    return yield* teamsWhere([...teams], (teamId) =>
      Effect.gen(function* () {
        const stillDead = (yield* deadOf(dead, lockSeed)).map(({ id }) => id)
        return yield* sql`
          update deliveries set claimed = false, claimed_by = null
          where team_id = ${teamId} and claimed and claimed_by = any(${stillDead}::text[])
          returning id`
      }).pipe(Transaction.run, Effect.provideService(Database, sql))
    )
  })

  /** The claims under a lease, in all cells. */
  const claimsOf = Effect.fn("ReconciliationRepo.claimsOf")((lease: string) =>
    inEach(
      sql,
      orDie(sql<Claim>`select id, team_id as "teamId" from deliveries where claimed and claimed_by = ${lease}`)
    )
  )

  /** Releases the claims of deliveries that have ended or are not due. Returns the affected teams. */
  const releaseNotDue = Effect.fn("ReconciliationRepo.releaseNotDue")(function* (now: Date) {
    const until = new Date(now.getTime() + 60_000)
    const isUnneeded = sql`
      claimed and (status not in ('pending', 'failed') or next_attempt_at is null or next_attempt_at > ${until})`
    const teams = yield* orDie(sql<{ team_id: string }>`select distinct team_id from deliveries where ${isUnneeded}`)
    return yield* teamsWhere(
      teams.map(({ team_id }) => team_id),
      (teamId) =>
        orDie(sql`
          update deliveries set claimed = false, claimed_by = null where team_id = ${teamId} and ${isUnneeded}
          returning id`)
    )
  })

  /** Up to 1000 transactions before `until` whose fan-out is outstanding, the oldest first. */
  const overdueFanOuts = Effect.fn("ReconciliationRepo.overdueFanOuts")(function* (until: Date) {
    return yield* orDie(sql<CommittedTransaction & { readonly teamId: string }>`
      select team_id as "teamId", transaction_id::text as "transactionId",
        to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
      from fan_outs where at < ${until} order by at limit 1000`)
  })

  /** Webhooks after this one (UUID) that became active before `until` and still have held deliveries, by their ids, at most `limit`. */
  const webhooksToResume = Effect.fn("ReconciliationRepo.webhooksToResume")(function* (until: Date, { after, limit }) {
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
  const teamsWithOverdue = Effect.fn("ReconciliationRepo.teamsWithOverdue")(function* (until: Date) {
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

  return {
    releaseFromDeadWorkers,
    claimsOf,
    releaseNotDue,
    overdueFanOuts,
    webhooksToResume,
    teamsWithOverdue
  }
})

/** Finds orphaned claims and work: of the current cell, where there are cells. Ids are UUIDs. */
export class ReconciliationRepo extends Context.Service<ReconciliationRepo, Effect.Success<typeof make>>()(
  "webhooks/deliveries/ReconciliationRepo"
) {
  static readonly layer = Layer.effect(ReconciliationRepo, make)
}
