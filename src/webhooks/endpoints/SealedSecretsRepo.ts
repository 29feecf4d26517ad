/** The SQL of re-encryption: finds the webhooks of all teams, by reading the whole table, which is small, and writes those of one at a time. */
import { Context, Effect, Layer } from "effect"
import { inEach } from "../../platform/db/CurrentCell.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
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
    /** Live webhooks of all teams with a secret that does not begin with `prefix`, in the order of their ids and after `after`. */
    readonly findOthers: (
      prefix: Uint8Array,
      after: string,
      limit: number
    ) => Effect.Effect<ReadonlyArray<{ readonly id: string; readonly teamId: string }>>
    /** Those of these webhooks of a team that are live and have such a secret, locked until the transaction ends. */
    readonly lockOthers: (
      teamId: string,
      ids: ReadonlyArray<string>,
      prefix: Uint8Array
    ) => Effect.Effect<ReadonlyArray<SealedSecretsRow>>
    /** Writes the same secrets of webhooks of a team, sealed again. The version and the times of the webhooks do not change. */
    readonly write: (teamId: string, rows: ReadonlyArray<SealedSecretsRow>) => Effect.Effect<void>
    /** The number of secrets by the five bytes that tell their key (`SecretBox.sealedUnder`). */
    readonly countByPrefix: Effect.Effect<ReadonlyArray<{ readonly prefix: Uint8Array; readonly count: number }>>
  }
>()("webhooks/endpoints/SealedSecretsRepo") {
  static readonly layer = Layer.effect(
    SealedSecretsRepo,
    Effect.gen(function* () {
      const sql = yield* Database

      const isOther = (prefix: Uint8Array) => sql`
        deleted_at is null and (
          substring(secret_sealed for 5) <> ${prefix}::bytea
          or exists (
            select from jsonb_array_elements(previous_secrets) as previous
            where substring(decode(previous->>'sealed', 'base64') for 5) <> ${prefix}::bytea
          )
        )`

      const findOthers = Effect.fn("SealedSecretsRepo.findOthers")(function* (
        prefix: Uint8Array,
        after: string,
        limit: number
      ) {
        return yield* orDie(sql<{ id: string; teamId: string }>`
          select id, team_id as "teamId" from webhooks where id > ${after}::uuid and ${isOther(prefix)}
          order by id limit ${limit}`)
      })

      const lockOthers = Effect.fn("SealedSecretsRepo.lockOthers")(function* (
        teamId: string,
        ids: ReadonlyArray<string>,
        prefix: Uint8Array
      ) {
        return yield* orDie(sql<SealedSecretsRow>`
          select id, secret_sealed as sealed, previous_secrets as previous from webhooks
          where team_id = ${teamId} and id = any(${ids}::uuid[]) and ${isOther(prefix)}
          order by id for no key update`)
      })

      const write = Effect.fn("SealedSecretsRepo.write")(function* (
        teamId: string,
        rows: ReadonlyArray<SealedSecretsRow>
      ) {
        yield* orDie(sql`
          update webhooks w set secret_sealed = resealed.secret, previous_secrets = resealed.previous::jsonb
          from unnest(
            ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ sealed }) => sealed)}::bytea[],
            ${rows.map(({ previous }) => JSON.stringify(previous))}::text[]
          ) as resealed (id, secret, previous)
          where w.team_id = ${teamId} and w.id = resealed.id`)
      })

      const countByPrefix = inEach(
        sql,
        orDie(sql<{ prefix: Uint8Array; count: number }>`
        select substring(sealed for 5) as prefix, count(*)::int as count
        from (
          select secret_sealed from webhooks where deleted_at is null
          union all
          select decode(previous->>'sealed', 'base64')
          from webhooks, jsonb_array_elements(previous_secrets) as previous
          where deleted_at is null
        ) as secrets (sealed)
        group by 1`)
      ).pipe(Effect.withSpan("SealedSecretsRepo.countByPrefix"))

      return SealedSecretsRepo.of({ findOthers, lockOthers, write, countByPrefix })
    })
  )
}
