/** The SQL of the fingerprint of the database's secret key. */
import { Context, Effect, Layer } from "effect"
import { inEach } from "../db/CurrentCell.ts"
import { Database } from "../db/Database.ts"
import { orDie } from "../db/DatabaseUnavailable.ts"

/** The fingerprint of the secret key that belongs to the database. */
export class FingerprintRepo extends Context.Service<
  FingerprintRepo,
  {
    /** The stored fingerprint; undefined if no process has stored one yet. */
    readonly get: Effect.Effect<Uint8Array | undefined>
    /** Stores a fingerprint, unless there is one: of several first starts at the same time, one stores its own. */
    readonly storeFirst: (fingerprint: Uint8Array) => Effect.Effect<void>
    /** Stores `to` in place of `from`, unless `to` was replaced by `from` before. */
    readonly moveOn: (fingerprints: { readonly from: Uint8Array; readonly to: Uint8Array }) => Effect.Effect<void>
    /** Stores a fingerprint in place of any other. */
    readonly replace: (fingerprint: Uint8Array) => Effect.Effect<void>
    /** The different first bytes of the secrets of webhooks, which name their keys (`SecretBox.sealedUnder`). */
    readonly sealedPrefixes: Effect.Effect<ReadonlyArray<Uint8Array>>
  }
>()("platform/secrets/FingerprintRepo") {
  static readonly layer = Layer.effect(
    FingerprintRepo,
    Effect.gen(function* () {
      const sql = yield* Database

      const get = orDie(sql<{ readonly fingerprint: Uint8Array }>`select fingerprint from secret_key_fingerprint`).pipe(
        Effect.map(([row]) => row?.fingerprint),
        Effect.withSpan("FingerprintRepo.get")
      )

      const storeFirst = Effect.fn("FingerprintRepo.storeFirst")(function* (fingerprint: Uint8Array) {
        yield* orDie(
          sql`insert into secret_key_fingerprint (fingerprint) values (${fingerprint}) on conflict do nothing`
        )
      })

      const moveOn = Effect.fn("FingerprintRepo.moveOn")(function* ({
        from,
        to
      }: {
        readonly from: Uint8Array
        readonly to: Uint8Array
      }) {
        yield* orDie(sql`
          update secret_key_fingerprint set fingerprint = ${to}, former = fingerprint
          where fingerprint = ${from} and former is distinct from ${to}`)
      })

      const replace = Effect.fn("FingerprintRepo.replace")(function* (fingerprint: Uint8Array) {
        yield* orDie(sql`
          insert into secret_key_fingerprint as stored (fingerprint) values (${fingerprint})
          on conflict (is_only_row) do update set fingerprint = excluded.fingerprint, former = stored.fingerprint
            where stored.fingerprint <> excluded.fingerprint`)
      })

      const sealedPrefixes = inEach(
        sql,
        orDie(sql<{ readonly prefix: Uint8Array }>`
          select distinct substring(secret_sealed for 5) as prefix from webhooks where deleted_at is null`)
      ).pipe(
        Effect.map((rows) => rows.map(({ prefix }) => prefix)),
        Effect.withSpan("FingerprintRepo.sealedPrefixes")
      )

      return FingerprintRepo.of({ get, storeFirst, moveOn, replace, sealedPrefixes })
    })
  )
}
