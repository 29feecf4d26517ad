/**
 * The SQL of quotas. Triggers keep `team_usage` (sql/0059_quotas.sql): what a team uses is the sum of its rows there, which commits and
 * rolls back with what is counted.
 */
import { Context, Effect, Layer } from "effect"
import { arrayParameter } from "../../platform/db/arrayParameter.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import * as Transaction from "../../platform/db/Transaction.ts"
import type { QuotaKind, TeamQuotaKind } from "./Quota.ts"

/** Where the rows of a kind are, and what is added up. */
const counted: { readonly [Kind in TeamQuotaKind]: { readonly table: string; readonly measure: string } } = {
  contacts: { table: "contacts", measure: "count(*)" },
  companies: { table: "companies", measure: "count(*)" },
  links: { table: "links", measure: "count(*)" },
  properties: { table: "properties", measure: "count(*)" },
  projects: { table: "projects", measure: "count(*)" },
  prospects: { table: "prospects", measure: "count(*)" },
  tasks: { table: "tasks", measure: "count(*)" },
  mandates: { table: "mandates", measure: "count(*)" },
  rooms: { table: "rooms", measure: "count(*)" },
  documents: { table: "room_documents", measure: "count(*)" },
  questions: { table: "questions", measure: "count(*)" },
  messages: { table: "messages", measure: "count(*)" },
  file_bytes: { table: "files", measure: "sum(size)" },
  stored_answer_bytes: { table: "idempotency_keys", measure: "sum(octet_length(answer))" }
}

/** What a team uses of a kind. */
export interface StoredFigures {
  readonly kind: QuotaKind
  readonly used: number
  /** Null for the default. */
  readonly quota: number | null
}

/** The shard of what existed before the triggers. */
const initial = 0

/** The quotas of teams. */
export class QuotasRepo extends Context.Service<
  QuotasRepo,
  {
    /** What a team uses of these kinds, and the quotas that the operator set. */
    readonly read: (teamId: string, kinds: ReadonlyArray<QuotaKind>) => Effect.Effect<ReadonlyArray<StoredFigures>>
    /** Sets a quota; null for the default. */
    readonly set: (teamId: string, kind: QuotaKind, quota: number | null) => Effect.Effect<void>
    /** The kinds whose rows from before the triggers are counted. */
    readonly countedKinds: Effect.Effect<ReadonlyArray<string>>
    /** Counts the rows of a kind from before the triggers, of all teams. */
    readonly count: (kind: TeamQuotaKind, now: Date) => Effect.Effect<void>
  }
>()("core/quotas/QuotasRepo") {
  static readonly layer = Layer.effect(
    QuotasRepo,
    Effect.gen(function* () {
      const sql = yield* Database

      const read = Effect.fn("QuotasRepo.read")(function* (teamId: string, kinds: ReadonlyArray<QuotaKind>) {
        return yield* orDie(sql<StoredFigures>`
          select wanted.kind,
            coalesce((select sum(used) from team_usage where team_id = ${teamId} and kind = wanted.kind), 0)::float8 as used,
            (select quota::float8 from team_quotas where team_id = ${teamId} and kind = wanted.kind) as quota
          from unnest(${arrayParameter(sql, "text", kinds)}) as wanted (kind)`)
      })

      const set = Effect.fn("QuotasRepo.set")(function* (teamId: string, kind: QuotaKind, quota: number | null) {
        yield* orDie(
          quota === null
            ? sql`delete from team_quotas where team_id = ${teamId} and kind = ${kind}`
            : sql`
              insert into team_quotas (team_id, kind, quota) values (${teamId}, ${kind}, ${quota})
              on conflict (team_id, kind) do update set quota = excluded.quota`
        )
      })

      const countedKinds = orDie(sql<{ readonly kind: string }>`select kind from usage_counted`).pipe(
        Effect.map((rows) => rows.map(({ kind }) => kind)),
        Effect.withSpan("QuotasRepo.countedKinds")
      )

      const count = Effect.fn("QuotasRepo.count")(function* (kind: TeamQuotaKind, now: Date) {
        const { measure, table } = counted[kind]
        yield* Transaction.run(
          Effect.gen(function* () {
            // The table may be large, and is counted once.
            yield* sql`set local statement_timeout = '30min'`
            // One statement reads one snapshot, in which the rows are those from before and what the triggers counted.
            yield* sql`
              insert into team_usage (team_id, kind, shard, used)
              select team_id, ${kind}::text, ${initial}, coalesce(present.used, 0) - coalesce(since.used, 0)
              from (
                select team_id, ${sql.literal(measure)}::bigint as used from ${sql.literal(table)} group by team_id
              ) present
              full join (
                select team_id, sum(used)::bigint as used from team_usage
                where kind = ${kind} and shard <> ${initial} group by team_id
              ) since using (team_id)
              where coalesce(present.used, 0) <> coalesce(since.used, 0)
              on conflict (team_id, kind, shard) do update set used = excluded.used`
            yield* sql`insert into usage_counted (kind, counted_at) values (${kind}, ${now}) on conflict do nothing`
          })
        ).pipe(Effect.provideService(Database, sql), Effect.orDie)
      })

      return QuotasRepo.of({ read, set, countedKinds, count })
    })
  )
}
