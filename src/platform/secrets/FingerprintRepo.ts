/** The SQL of the fingerprint of the secret key that belongs to the database. */
import { Context, Effect, Layer } from "effect"
import { inEach } from "../db/Cells.ts"
import { Database } from "../db/Database.ts"
import { orDie } from "../db/DatabaseUnavailable.ts"

const make = Effect.gen(function* () {
  const sql = yield* Database

  /** The stored fingerprint; undefined if no process has stored one yet. */
  const get = orDie(sql<{ readonly fingerprint: Uint8Array }>`select fingerprint from secret_key_fingerprint`).pipe(
    Effect.map(([row]) => row?.fingerprint),
    Effect.withSpan("FingerprintRepo.get")
  )

  /** Stores a fingerprint, unless there is one: of several first starts at the same time, one stores its own. */
  const storeFirst = Effect.fn("FingerprintRepo.storeFirst")(function* (fingerprint: Uint8Array) {
    yield* orDie(sql`insert into secret_key_fingerprint (fingerprint) values (${fingerprint}) on conflict do nothing`)
  })

  /** Stores `to` in place of `from`, unless `to` was replaced by `from` before. */
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

  /** Stores a fingerprint in place of any other. */
  const replace = Effect.fn("FingerprintRepo.replace")(function* (fingerprint: Uint8Array) {
    yield* orDie(sql`
      insert into secret_key_fingerprint as stored (fingerprint) values (${fingerprint})
      on conflict (is_only_row) do update set fingerprint = excluded.fingerprint, former = stored.fingerprint
        where stored.fingerprint <> excluded.fingerprint`)
  })

  /** The different first bytes of the secrets of webhooks, which name their keys (`SecretBox.sealedUnder`). */
  const sealedPrefixes = inEach(
    sql,
    orDie(sql<{ readonly prefix: Uint8Array }>`
      select distinct substring(secret_sealed for 5) as prefix from webhooks where deleted_at is null`)
  ).pipe(
    Effect.map((rows) => rows.map(({ prefix }) => prefix)),
    Effect.withSpan("FingerprintRepo.sealedPrefixes")
  )

  return { get, storeFirst, moveOn, replace, sealedPrefixes }
})

/** The fingerprint of the secret key that belongs to the database. */
export class FingerprintRepo extends Context.Service<FingerprintRepo, Effect.Success<typeof make>>()(
  "platform/secrets/FingerprintRepo"
) {
  static readonly layer = Layer.effect(FingerprintRepo, make)
}
