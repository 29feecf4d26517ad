/** The SQL of what nobody sees to any more: what workers held that are gone, and what was promised and forgotten. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../db/Database.ts"
import { orDie } from "../../db/DatabaseUnavailable.ts"
import { attempt } from "./jobs.ts"
import { type Committed, restingCondition } from "./rules.ts"

/** What was forgotten. Ids are UUIDs. */
export class ForgottenRepo extends Context.Service<
  ForgottenRepo,
  {
    /**
     * Frees what is held by workers that are gone: those whose lock, of which `lockSeed` makes the key, nobody has. Answers
     * the teams.
     */
    readonly freeOfDead: (holder: string, lockSeed: number) => Effect.Effect<ReadonlyArray<string>>
    /** What a worker holds. */
    readonly heldBy: (holder: string) => Effect.Effect<ReadonlyArray<{ readonly id: string; readonly teamId: string }>>
    /** Frees the room of deliveries that need none: of those that have ended, or are not due. Answers their teams. */
    readonly freeUnneeded: (now: Date) => Effect.Effect<ReadonlyArray<string>>
    /** Frees deliveries whose turn has come, but which no worker holds, and no job of the version before is to attempt. */
    readonly freeUnheld: Effect.Effect<ReadonlyArray<string>>
    /** Frees one such delivery, whatever jobs there are; answers its team. */
    readonly freeOne: (id: string) => Effect.Effect<string | undefined>
    /** Some of the transactions of before `until` whose events are still to be fanned out, the oldest first. */
    readonly fanOuts: (until: Date) => Effect.Effect<ReadonlyArray<Committed & { readonly teamId: string }>>
    /** Webhooks that send since before `until`, and of which something rests all the same. */
    readonly resumes: (until: Date) => Effect.Effect<ReadonlyArray<string>>
    /** Teams in which something is due since before `until`, though its webhook sends. */
    readonly teamsWithOverdue: (until: Date) => Effect.Effect<ReadonlyArray<string>>
  }
>()("webhooks/deliveries/ForgottenRepo") {
  static readonly layer = Layer.effect(
    ForgottenRepo,
    Effect.gen(function* () {
      const sql = yield* Database
      const resting = sql.literal(restingCondition)

      const teams = (rows: ReadonlyArray<{ readonly team_id: string }>) => [...new Set(rows.map((row) => row.team_id))]

      // The lock of a dead id is held for this statement, so that a worker that takes its own lock again has to wait.
      const freeOfDead = Effect.fn("ForgottenRepo.freeOfDead")(function* (holder: string, lockSeed: number) {
        const rows = yield* orDie(sql<{ team_id: string }>`
          with holders as materialized (
            select distinct held_by from deliveries where admitted and held_by like 'pool-%' and held_by <> ${holder}
          ), dead as materialized (
            select held_by from holders where pg_try_advisory_xact_lock(hashtextextended(held_by, ${lockSeed}::bigint))
          )
          update deliveries set admitted = false, held_by = null
          where admitted and held_by in (select held_by from dead)
          returning team_id`)
        return teams(rows)
      })

      const heldBy = Effect.fn("ForgottenRepo.heldBy")(function* (holder: string) {
        return yield* orDie(sql<{ id: string; teamId: string }>`
          select id, team_id as "teamId" from deliveries where admitted and held_by = ${holder}`)
      })

      const freeUnneeded = Effect.fn("ForgottenRepo.freeUnneeded")(function* (now: Date) {
        const rows = yield* orDie(sql<{ team_id: string }>`
          update deliveries set admitted = false, held_by = null
          where admitted and (
            status not in ('pending', 'failed') or next_attempt_at is null
            or next_attempt_at > ${now}::timestamptz + interval '1 minute'
          )
          returning team_id`)
        return teams(rows)
      })

      const freeUnheld = Effect.map(
        orDie(sql<{ team_id: string }>`
          update deliveries d set admitted = false
          where admitted and held_by is null and not exists (
            select from graphile_worker.jobs
            where task_identifier = ${attempt.name}
              and key = 'attempt:' || d.id || ':' || (d.attempt_count + d.replayed_attempts + 1)
              and (attempts < max_attempts or locked_at is not null)
          )
          returning team_id`),
        teams
      )

      const freeOne = Effect.fn("ForgottenRepo.freeOne")(function* (id: string) {
        const [row] = yield* orDie(sql<{ team_id: string }>`
          update deliveries set admitted = false where id = ${id} and admitted and held_by is null returning team_id`)
        return row?.team_id
      })

      const fanOuts = Effect.fn("ForgottenRepo.fanOuts")(function* (until: Date) {
        return yield* orDie(sql<Committed & { readonly teamId: string }>`
          select team_id as "teamId", transaction_id::text as "transactionId",
            to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
          from fan_outs where at < ${until} order by at limit 1000`)
      })

      const resumes = Effect.fn("ForgottenRepo.resumes")(function* (until: Date) {
        const rows = yield* orDie(sql<{ id: string }>`
          select w.id
          from webhooks w
          cross join lateral (
            select from deliveries where webhook_id = w.id and created_at < ${until} and ${resting} limit 1
          ) as rests
          where w.status = 'active' and w.deleted_at is null and (w.activated_at is null or w.activated_at < ${until})`)
        return rows.map((row) => row.id)
      })

      const teamsWithOverdue = Effect.fn("ForgottenRepo.teamsWithOverdue")(function* (until: Date) {
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

      return ForgottenRepo.of({
        freeOfDead,
        heldBy,
        freeUnneeded,
        freeUnheld,
        freeOne,
        fanOuts,
        resumes,
        teamsWithOverdue
      })
    })
  )
}
