/** The SQL of re-encryption, for the webhooks of all teams. Each statement reads the whole table, which is small. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../db/Database.ts"
import { orDie } from "../../db/DatabaseUnavailable.ts"
import type { PreviousSecret } from "./rules.ts"

/** The sealed secrets of one webhook. */
export interface SealedSecretsRow {
  readonly id: string
  readonly sealed: Uint8Array
  readonly previous: ReadonlyArray<PreviousSecret>
}

/** The sealed secrets of the webhooks of all teams. */
export class SealedSecretsRepo extends Context.Service<
  SealedSecretsRepo,
  {
    /**
     * Live webhooks with a secret that does not begin with `prefix`, in the order of their ids and after `after`, locked until
     * the transaction ends.
     */
    readonly lockOthers: (
      prefix: Uint8Array,
      after: string,
      limit: number
    ) => Effect.Effect<ReadonlyArray<SealedSecretsRow>>
    /** Writes the same secrets, sealed again. The version and the times of the webhooks do not change. */
    readonly write: (rows: ReadonlyArray<SealedSecretsRow>) => Effect.Effect<void>
    /** The number of secrets by their first bytes: five, or one in version 1 (`SecretBox.sealedUnder`). */
    readonly countByPrefix: Effect.Effect<ReadonlyArray<{ readonly prefix: Uint8Array; readonly count: number }>>
  }
>()("webhooks/endpoints/SealedSecretsRepo") {
  static readonly layer = Layer.effect(
    SealedSecretsRepo,
    Effect.gen(function* () {
      const sql = yield* Database

      const lockOthers = Effect.fn("SealedSecretsRepo.lockOthers")(function* (
        prefix: Uint8Array,
        after: string,
        limit: number
      ) {
        return yield* orDie(sql<SealedSecretsRow>`
          select id, secret_sealed as sealed, previous_secrets as previous from webhooks
          where deleted_at is null and id > ${after}::uuid and (
            substring(secret_sealed for 5) <> ${prefix}::bytea
            or exists (
              select from jsonb_array_elements(previous_secrets) as previous
              where substring(decode(previous->>'sealed', 'base64') for 5) <> ${prefix}::bytea
            )
          )
          order by id limit ${limit} for no key update`)
      })

      const write = Effect.fn("SealedSecretsRepo.write")(function* (rows: ReadonlyArray<SealedSecretsRow>) {
        yield* orDie(sql`
          update webhooks w set secret_sealed = resealed.secret, previous_secrets = resealed.previous::jsonb
          from unnest(
            ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ sealed }) => sealed)}::bytea[],
            ${rows.map(({ previous }) => JSON.stringify(previous))}::text[]
          ) as resealed (id, secret, previous)
          where w.id = resealed.id`)
      })

      const countByPrefix = orDie(sql<{ prefix: Uint8Array; count: number }>`
        select case when substring(sealed for 1) = '\\x01' then '\\x01' else substring(sealed for 5) end as prefix, count(*)::int as count
        from (
          select secret_sealed from webhooks where deleted_at is null
          union all
          select decode(previous->>'sealed', 'base64')
          from webhooks, jsonb_array_elements(previous_secrets) as previous
          where deleted_at is null
        ) as secrets (sealed)
        group by 1`).pipe(Effect.withSpan("SealedSecretsRepo.countByPrefix"))

      return SealedSecretsRepo.of({ lockOthers, write, countByPrefix })
    })
  )
}
