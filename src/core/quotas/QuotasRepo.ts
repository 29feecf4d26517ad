/**
 * The SQL of quotas. Triggers keep `team_usage` (sql/0011_quotas.sql): what a team uses is the sum of its rows there, which commits and
 * rolls back with what is counted.
 */
import { Context, Effect, Layer } from "effect"
import { arrayParameter } from "../../platform/db/SetStatements.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import type { QuotaKind } from "./Quota.ts"

/** What a team uses of a kind. */
export interface StoredFigures {
  readonly kind: QuotaKind
  readonly used: number
  /** Null for the default. */
  readonly quota: number | null
}

const make = Effect.gen(function* () {
  const sql = yield* Database

  /** What a team uses of these kinds, and the quotas that the operator set. */
  const read = Effect.fn("QuotasRepo.read")(function* (teamId: string, kinds: ReadonlyArray<QuotaKind>) {
    return yield* orDie(sql<StoredFigures>`
      select wanted.kind,
        coalesce((select sum(used) from team_usage where team_id = ${teamId} and kind = wanted.kind), 0)::float8 as used,
        (select quota::float8 from team_quotas where team_id = ${teamId} and kind = wanted.kind) as quota
      from unnest(${arrayParameter(sql, "text", kinds)}) as wanted (kind)`)
  })

  /** Sets a quota; null for the default. */
  const set = Effect.fn("QuotasRepo.set")(function* (teamId: string, kind: QuotaKind, quota: number | null) {
    yield* orDie(
      quota === null
        ? sql`delete from team_quotas where team_id = ${teamId} and kind = ${kind}`
        : sql`
          insert into team_quotas (team_id, kind, quota) values (${teamId}, ${kind}, ${quota})
          on conflict (team_id, kind) do update set quota = excluded.quota`
    )
  })

  return { read, set }
})

/** The quotas of teams. */
export class QuotasRepo extends Context.Service<QuotasRepo, Effect.Success<typeof make>>()("core/quotas/QuotasRepo") {
  static readonly layer = Layer.effect(QuotasRepo, make)
}
